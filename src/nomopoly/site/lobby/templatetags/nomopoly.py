"""Template tags shared by all pages of the site."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from nomopoly.site import formats, styles
from nomopoly.site.lobby.icons import ICONS
from nomopoly.site.said import said
from nomopoly.site.tables import live, queries

register = template.Library()
CELL, GAP = 60, 3
SQUARE = '<rect class="board-square{0}" x="{1}" y="{2}" width="{3}" height="{3}" rx="3"/>'
BAND = '<rect class="owner-fill owner-{}" x="{}" y="{}" width="{}" height="11"/>'
NUMBER = '<text class="board-number" x="{}" y="{}" font-size="15">{}</text>'
PIECE = (
    '<circle class="piece owner-{0}" cx="{1}" cy="{2}" r="11"/>'
    '<text class="piece-letter" x="{1}" y="{3}" font-size="13" text-anchor="middle">{4}</text>'
)
BOARD = (
    '<div class="board-frame"><div class="board-scroll"><svg viewBox="0 0 {} {}" role="img" '
    'aria-label="{}">{}</svg></div></div>'
)


register.filter("moment", formats.moment)
register.filter("clock", formats.clock)
register.filter("said_again", said)
register.filter("dollars", formats.dollars)


@register.filter
def sentence(entry):
    """A log entry in words: the sentences of its facts, or else what was asked."""
    told = [said(fact["say"].rstrip(".")) for fact in entry.get("facts", ()) if fact.get("say")]
    if told:
        return "; ".join(told) + "."
    if entry["kind"] == "open":
        return gettext("The game was opened.")
    who = entry.get("by") or gettext("The clock")
    return f"{who}: {(entry.get('do') or entry['kind']).replace('-', ' ')}."


@register.simple_tag
def server_time():
    """The moment at which a form was drawn, by the clock that decides."""
    return formats.moment(live.now())


@register.simple_tag(takes_context=True)
def style(context, name):
    """A style sheet of the page, see nomopoly.site.styles."""
    return styles.link(name, context.get("request"))


@register.simple_tag(takes_context=True)
def styles_for_later(context):
    """What a page that brings its style sheets along fetches for the next ones."""
    return styles.for_later(context.get("request"))


register.simple_tag(styles.address, name="stamped")


@register.simple_tag
def icon(name):
    """A small picture beside a word; it says nothing that the word does not."""
    return format_html('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', mark_safe(ICONS[name]))


@register.simple_tag
def small_board(view, game):
    """The board as a small drawing without links; the game's own page has the full one."""
    squares = [thing for thing in view["things"].values() if thing.get("kind") == "square" and thing.get("column")]
    if not squares:
        return mark_safe("")
    players = [thing for thing in view["things"].values() if thing.get("kind") == "player"]
    ever = dict.fromkeys([*queries.ever_joined(live.of(game)), *(player["id"] for player in players)])
    colours = {name: number % 8 + 1 for number, name in enumerate(ever)}
    height = max(square["row"] for square in squares)
    width = max(square["column"] for square in squares)
    drawn = format_html_join("", "{}", ((drawing(square, height, colours, players),) for square in squares))
    label = gettext("The board of %(title)s: %(squares)s squares, %(players)s players")
    label %= {"title": game.title, "squares": len(squares), "players": len(players)}
    return format_html(BOARD, width * CELL - 1, height * CELL - 1, label, drawn)


def drawing(square, height, colours, players):
    """A square of the small board, `height` rows high: its owner's colour, its number, and the first pieces on it."""
    x, y = (square["column"] - 1) * CELL, (height - square["row"]) * CELL
    shade = " board-square-alt" if (square["column"] + square["row"]) % 2 else ""
    side = CELL - GAP
    box = format_html(SQUARE, shade, x + 1, y + 1, side)
    owner = colours.get(square.get("owner"))
    band = format_html(BAND, owner, x + 1, y + 1, side) if owner else ""
    number = format_html(NUMBER, x + 6, y + 27, square["number"])
    here = [player for player in players if player.get("square") == square["id"]]
    pieces = (
        (colours[player["id"]], x + CELL - 16 - at * 13, y + CELL - 17, y + CELL - 12.5, player["id"][:1].upper())
        for at, player in enumerate(here[:4])
    )
    return format_html("{}{}{}{}", box, band, number, format_html_join("", PIECE, pieces))

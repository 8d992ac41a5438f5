"""Template tags shared by all pages of the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from nomopoly.site import formats, styles
from nomopoly.site.lobby import playing
from nomopoly.site.lobby.icons import ICONS
from nomopoly.site.play import board, pieces
from nomopoly.site.said import fault_said, said
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.site.play.pieces import Look
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


register = template.Library()
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # characters that turn the direction of text
CELL, GAP = 60, 3
SQUARE = '<rect class="board-square{0}" x="{1}" y="{2}" width="{3}" height="{3}" rx="3"/>'
BAND = '<rect class="owner-fill owner-{}" x="{}" y="{}" width="{}" height="11"/>'
NUMBER = '<text class="board-number" x="{}" y="{}" font-size="15">{}</text>'
PIECE = '<g class="{}" transform="translate({} {})"><path class="piece" d="{}"/>{}</g>'
LETTERS = '<text class="piece-letter" x="12" y="17" font-size="11" text-anchor="middle">{}</text>'
BOARD = (
    '<div class="board-frame"><div class="board-scroll"><svg viewBox="0 0 {} {}" role="img" '
    'aria-label="{}">{}</svg></div></div>'
)


register.filter("ago", formats.ago)
register.filter("moment", formats.moment)
register.filter("clock", formats.clock)
register.filter("said_again", said)
register.filter("fault_said", fault_said)
register.filter("dollars", formats.dollars)


@register.filter(is_safe=True)
def in_its_direction(title: str) -> str:
    """The title of a page without characters that turn the direction of text: a tab would show all of it reversed."""
    return TURNING.sub("", title)


@register.simple_tag
def server_time() -> str:
    """The moment at which a form was drawn, by the clock that decides."""
    return formats.moment(live.now())


@register.simple_tag(takes_context=True)
def style(context: Data, name: str) -> str:
    """A style sheet of the page, see nomopoly.site.styles."""
    return styles.link(name, context.get("request"))


@register.simple_tag(takes_context=True)
def styles_for_later(context: Data) -> str:
    """What a page that brings its style sheets along fetches for the next ones."""
    return styles.for_later(context.get("request"))


register.simple_tag(styles.address, name="stamped")


@register.simple_tag
def questions_about(edition: str) -> Data:
    """What newcomers ask of an edition, with the answers: {"questions", "said_in" (the language they are in)}."""
    return {"questions": playing.questions(edition), "said_in": playing.language_of(edition)}


@register.simple_tag
def icon(name: str) -> SafeString:
    """A small picture beside a word; it says nothing that the word does not."""
    return format_html('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', mark_safe(ICONS[name]))


@register.simple_tag
def small_board(view: Data, game: Game) -> SafeString:
    """The board as a small drawing without links; the game's own page has the full one."""
    squares = [thing for thing in view["things"].values() if thing.get("kind") == "square" and thing.get("column")]
    if not squares:
        return mark_safe("")
    players = [thing for thing in view["things"].values() if thing.get("kind") == "player"]
    looks = board.looks_of(view, queries.pieces(game), queries.ever_joined(live.of(game)))
    height = max(square["row"] for square in squares)
    width = max(square["column"] for square in squares)
    drawn = formats.together(drawing(square, height, looks, players) for square in squares)
    label = gettext("The board of %(title)s: %(squares)s squares, %(players)s players")
    label %= {"title": game.title, "squares": len(squares), "players": len(players)}
    return format_html(BOARD, width * CELL - 1, height * CELL - 1, label, drawn)


def drawing(square: Data, height: int, looks: dict[str, Look], players: list[Data]) -> SafeString:
    """A square of the small board, `height` rows high: its owner's colour, its number, and the first pieces on it, as
    they look on the table's own board."""
    x, y = (square["column"] - 1) * CELL, (height - square["row"]) * CELL
    shade = " board-square-alt" if (square["column"] + square["row"]) % 2 else ""
    side = CELL - GAP
    box = format_html(SQUARE, shade, x + 1, y + 1, side)
    owner = looks.get(square.get("owner") or "")
    band = format_html(BAND, owner.number % pieces.PALETTE + 1, x + 1, y + 1, side) if owner else ""
    number = format_html(NUMBER, x + 6, y + 27, square["number"])
    here = [player for player in players if player.get("square") == square["id"]]
    standing = (
        (
            look.colour,
            x + CELL - 28 - at * 14,
            y + CELL - 28,
            look.path,
            format_html(LETTERS, look.letters) if look.shared else "",
        )
        for at, look in enumerate(looks[player["id"]] for player in here[:3])
    )
    return format_html("{}{}{}{}", box, band, number, format_html_join("", PIECE, standing))

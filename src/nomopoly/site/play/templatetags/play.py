"""Template tags of the game's pages: values, links and moments as `play.words` makes them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from nomopoly.rulebook import texts
from nomopoly.rulebook.diff import readable
from nomopoly.site import formats
from nomopoly.site.play import feed, pieces, proposals, sentences, talk, words
from nomopoly.site.play.diffs import Tokens, earlier, inline, later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrPromise

    from nomopoly.rulebook.diff import RuleDiff
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


register = template.Library()
COARSE = gettext_lazy(
    "There is too much of this text to compare it word by word: whole passages are shown as replaced."
)

register.filter("ago", feed.ago)
register.filter("deadline", words.deadline)
register.filter("moment", formats.moment)


@register.filter
def by_game(seconds: float, game: Game) -> str:
    """What a moment is called in the game's own time zone, where that is another than the reader's; "" where it is the
    same."""
    if not formats.has_date(seconds):
        return ""
    there = formats.clock_in(seconds, game.time_zone)
    same = there == formats.clock(seconds)
    return (
        ""
        if same
        else format_html(' <span class="small muted">{}</span>', _("%(moment)s in the game") % {"moment": there})
    )


@register.filter
def in_utc(seconds: float) -> str | float:
    """A moment in words, in UTC."""
    return formats.clock_in(seconds, "UTC") if formats.has_date(seconds) else seconds


register.filter("day", formats.day)
register.filter("in_plain_words", words.plain)
register.filter("markdown", words.markdown)
register.filter("number_words", words.number_words)
register.filter("rule_prose", words.rule_prose)
register.filter("within", words.within)
register.filter("proposed_prose", words.proposed_prose)
register.filter("span", words.span)
register.filter("may_read_talk", talk.may_read)
register.filter("who_reads", talk.who_reads)
register.filter("dollars", formats.dollars)


@register.filter
def difference(tokens: Tokens) -> SafeString:
    """Compared prose as markup."""
    return inline(readable(tokens))


@register.simple_tag
def if_coarse(diff: RuleDiff | None) -> SafeString | str:
    """A remark on a comparison that is coarser than usual."""
    return format_html('<p class="hint">{}</p>', COARSE) if diff is not None and diff.coarse else ""


MARKS = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("changed"),
    "gone": gettext_lazy("gone"),
    "moved": gettext_lazy("moved"),
}


@register.filter
def marked(mark: str) -> StrPromise | str:
    """How a rule differs in another version of the book, in words."""
    return MARKS.get(mark, mark)


@register.filter
def left_side(tokens: Tokens) -> SafeString:
    """What was there before, of a comparison of words."""
    return earlier(readable(tokens))


@register.filter
def right_side(tokens: Tokens) -> SafeString:
    """What is there now, of a comparison of words."""
    return later(readable(tokens))


@register.filter
def program_difference(tokens: Tokens) -> SafeString:
    """Compared programs, line by line."""
    return inline(tokens, lines=True)


@register.filter
def program_left(tokens: Tokens) -> SafeString:
    """What was there before, of a comparison of programs."""
    return inline(tokens, ("same", "removed"), lines=True)


@register.filter
def program_right(tokens: Tokens) -> SafeString:
    """What is there now, of a comparison of programs."""
    return inline(tokens, ("same", "added"), lines=True)


@register.filter
def program_changed(diff: RuleDiff | None) -> bool:
    """Whether the program of a compared rule is another one."""
    return diff is not None and any(mark != "same" for mark, _ in diff.code)


@register.filter
def number_changes(diff: RuleDiff | None) -> list[Any]:
    """The named numbers of a compared rule that are others now: [(name, before, after)] as markup."""
    if diff is None:
        return []
    before, after = (record["params"] if record else {} for record in (diff.before, diff.after))
    others = [name for name in dict.fromkeys([*before, *after]) if before.get(name, before) != after.get(name, after)]
    return [(name, number_cell("removed", before, name), number_cell("added", after, name)) for name in others]


def number_cell(mark: str, numbers: Data, name: str) -> SafeString | str:
    """A named number in a comparison, or nothing where that side has none."""
    return inline([(mark, words.number_words(numbers[name]))]) if name in numbers else ""


@register.filter
def get(mapping: Mapping[Any, Any] | None, key: object) -> Any:
    """What a mapping holds under a key; None if nothing."""
    return mapping.get(key) if mapping else None


@register.filter
def number_of(id: str) -> str:
    """12 of P12 or #12."""
    return str(id).lstrip("P#")


@register.filter
def in_address(name: str) -> str:
    """A name as part of an address."""
    return words.escape_path(str(name))


@register.simple_tag(takes_context=True)
def thing(context: Data, id: str, label: str | None = None) -> str:
    """A thing's name as a link."""
    if not id:
        return ""
    view = context["view"]
    if not label and id not in view["things"] and "seat" in context:
        return words.there_or_gone(view, id, context["seat"].live.describe()["prefixes"])
    return words.link(view, context["game"].address, id, label or words.thing_name(view, id))


@register.simple_tag(takes_context=True)
def line(context: Data, entry: Data, plain: bool = False) -> str:
    """An entry of the log in one sentence, as the log tells it; `plain`: without links, to stand in one."""
    teller = sentences.Teller(context["seat"])
    return sentences.plain_line(teller, entry) if plain else teller.line(entry)


@register.simple_tag(takes_context=True)
def shown(context: Data, value: object, sort: str = "") -> SafeString:
    """A value of an attribute as markup."""
    return words.shown(context["view"], context["game"].address, value, sort, context["seat"].names)


@register.simple_tag(takes_context=True)
def called(context: Data, label: str) -> str:
    """What is chosen from, by its name where it is a row of a catalogue."""
    return context["seat"].titles.get(label, label) if "seat" in context else label


@register.simple_tag(takes_context=True)
def spoken(context: Data, text: str) -> SafeString:
    """What somebody says: prose in which people, squares, proposals, rules and entries are links."""
    return words.spoken(context["view"], context["game"].address, text)


@register.simple_tag(takes_context=True)
def rule_ref(context: Data, rule: str) -> SafeString:
    """A link to a rule of the game."""
    return words.rule_link(context["game"].address, rule)


@register.simple_tag(takes_context=True)
def text_here(context: Data, rule: Data) -> Data | None:
    """A rule of the game's edition, or of the library (`other`), as it is said in the reader's language, or None where
    it has no such text."""
    language, game = get_language() or "en", context.get("game")
    found = texts.text_in(language, game.edition, rule) if game else rule.get("other")
    return found and rule | found | {"language": language}


@register.simple_tag(takes_context=True)
def said(context: Data, text: str) -> str:
    """A sentence of the rules in which accounts have their names, and sums are as people write them."""
    text = formats.in_thousands(text)
    named = re.sub(r"\$[a-z][\w-]*", lambda found: words.thing_name(context["view"], found[0]), text)
    return named[:1].upper() + named[1:] if text[:1] == "$" else named


@register.simple_tag(takes_context=True)
def pawn(context: Data, name: str, colour: int = 0) -> SafeString:
    """A player's piece, beside the name; of one who has left, in the colour of this number."""
    look = context["seat"].looks.get(name) or replace(pieces.looks([name])[name], number=colour, shared=True)
    return pieces.badge(look)


@register.filter
def colour_of(seat: Seat, name: str) -> str:
    """The class that gives something a player's colour."""
    look = seat.looks.get(name)
    return look.colour if look else ""


@register.simple_tag(takes_context=True)
def with_page(context: Data, number: int) -> str:
    """The address of another page of the same list."""
    query = context["request"].GET.copy()
    query["page"] = number
    return f"?{query.urlencode()}"


@register.filter
def words_of(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


@register.filter
def outcome(proposal: Data) -> str:
    """How a proposal stands, in a word."""
    return proposals.outcome_words(proposal)


@register.filter
def tone(proposal: Data) -> str:
    """The colour of that word."""
    return proposals.tone(proposal)

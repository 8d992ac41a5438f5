"""Comparisons as markup: additions in <ins>, removals in <del>, said to those who listen as well."""

from __future__ import annotations

from collections.abc import Container
from typing import TypeAlias

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

from nomopoly.site import formats

Tokens: TypeAlias = list[tuple[str, str]]  # a comparison, see nomopoly.rulebook.diff: marks and texts
SAID = {
    "added": ("ins", gettext_lazy("added: "), gettext_lazy(" end of added")),
    "removed": ("del", gettext_lazy("removed: "), gettext_lazy(" end of removed")),
}


MOST_SHOWN = 60_000  # characters of one comparison


def bounded(tokens: Tokens) -> Tokens:
    """Tokens as far as they are shown, and a last one that says how many characters are not."""
    shown: Tokens = []
    left = MOST_SHOWN
    for mark, text in tokens:
        if len(text) > left:
            more = len(text) - left + sum(len(each) for _, each in tokens[len(shown) + 1 :])
            return [
                *shown,
                (mark, text[:left]),
                ("same", gettext(" … %(more)s more characters are not shown here.") % {"more": f"{more:,}"}),
            ]
        shown.append((mark, text))
        left -= len(text)
    return shown


def inline(
    tokens: Tokens,
    keep: Container[str] = ("same", "added", "removed"),
    lines: bool = False,
) -> SafeString:
    """Tokens one after the other. `keep` leaves marks out; `lines`: a program, whose line ends stand."""
    tokens = bounded(tokens)
    keep_lines = lines or looks_like_table(tokens)
    return formats.together(one(mark, text, keep_lines, lines) for mark, text in tokens if mark in keep)


def one(mark: str, text: str, keep_lines: bool, program: bool) -> SafeString:
    """One piece of a comparison as HTML: the same, removed or added."""
    shown: str = escape(text)
    if not program:
        shown = shown.replace("\n\n", "<br><br>")
        shown = shown.replace("\n", "<br>" if keep_lines else " ")
    if mark == "same":
        return mark_safe(shown)
    tag, begin, end = SAID[mark]
    after = "\n" if program and shown.endswith("\n") else ""  # the mark ends with its last line, not on the next one
    shown = shown.removesuffix(after)
    return mark_safe(
        f'<{tag}><span class="visually-hidden">{begin}</span>{shown}<span '
        f'class="visually-hidden">{end}</span></{tag}>{after}'
    )


def looks_like_table(tokens: Tokens) -> bool:
    """Whether the lines of a prose mean something: rows of a table, items of a list."""
    text = "".join(text for _, text in tokens)
    return any(line.lstrip()[:2] in ("| ", "- ", "* ") or line.lstrip()[:1] == "|" for line in text.split("\n"))


def earlier(tokens: Tokens) -> SafeString:
    """The left side of a comparison."""
    return inline(tokens, ("same", "removed"))


def later(tokens: Tokens) -> SafeString:
    """The right side of a comparison."""
    return inline(tokens, ("same", "added"))

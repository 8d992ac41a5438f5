"""Sentences recognised by their wording, to be said again in another language.

The kernel, the check and the commands speak English and know no languages: they say whole sentences, some with gaps
that a program has filled ("Price must be at least 3"). The wordings, with the names of their gaps, stand in the message
files like those of pages, and in the list beside this file (tools/messages.py writes both). What rules and players say
is none of these.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable
from functools import cache
from pathlib import Path

LIST = Path(__file__).with_name("wordings.json")
HOUSE, COMMANDS = "said by the house", "said by a command"  # contexts of the message files
LONGEST = 600  # characters of a sentence that is looked up
MOST_GAPS = 10
DEEPEST = 3  # sentences within sentences

Translate = Callable[[str, str], str]  # a wording in a language, by its context


def again(text: str, contexts: tuple[str, ...], translate: Translate, deepest: int = DEEPEST) -> str:
    """A sentence said again; as it is, if it is nobody's of these contexts.

    Its first letter and its last stop may differ from those of its wording, as they do within a page.
    """
    if not 3 < len(text) <= LONGEST:
        return text
    for asked, begins in ((text, False), (text[:1].lower() + text[1:], True)):
        ends = [end for end in (".", "") if asked.endswith(end)]
        found = [(end, each) for end in ends if (each := recognised(asked.removesuffix(end), contexts)) is not None]
        if found:
            end, (context, wording, gaps) = max(found, key=lambda each: letters(each[1][1]))
            filled = {name: filling(name, value, contexts, translate, deepest) for name, value in gaps.items()}
            made = translate(context, wording).format(**filled) + end
            return made[:1].upper() + made[1:] if begins else made
    return text


def filling(name: str, value: str, contexts: tuple[str, ...], translate: Translate, deepest: int) -> str:
    """What fills a gap, said again; without its article where the gap is called for one ("a_kind")."""
    if name.startswith("a_"):
        return value.removeprefix("a ").removeprefix("an ")
    return again(value, contexts, translate, deepest - 1) if deepest else value


def recognised(text: str, contexts: tuple[str, ...]) -> tuple[str, str, dict[str, str]] | None:
    """Whose sentence this is: its context, its wording, and what fills the gaps. None for a sentence of somebody
    else."""
    for context in contexts:
        for pattern, wording in patterns(context):
            found = pattern.fullmatch(text)
            if found:
                return context, wording, found.groupdict()
    return None


@cache
def patterns(context: str) -> list[tuple[re.Pattern[str], str]]:
    """The wordings of a context as patterns, those that leave least open first."""
    listed = json.loads(LIST.read_text("utf-8"))[context]
    known = [each for each in listed if len(gaps_of(each)) <= MOST_GAPS]
    known.sort(key=lambda each: (-letters(each), each))
    return [(re.compile(pattern_of(each), re.DOTALL), each) for each in known]


def letters(wording: str) -> int:
    """How much of a wording stands in it, and is no gap."""
    return sum(len(literal) for literal, _ in parts_of(wording))


def pattern_of(wording: str) -> str:
    """The pattern of a wording: a gap may be empty, and holds the same where its name comes again."""
    made, known = "", set()
    for literal, gap in parts_of(wording):
        made += re.escape(literal)
        if gap:
            made += f"(?P={gap})" if gap in known else f"(?P<{gap}>.*?)"
            known.add(gap)
    return made


def parts_of(wording: str) -> list[tuple[str, str | None]]:
    """A wording as what it says and the gap after that: [("Price of ", "square"), (" too high", None)]."""
    return [(literal, gap) for literal, gap, _, _ in string.Formatter().parse(wording)]


def gaps_of(wording: str) -> list[str]:
    """The names of the gaps of a wording, as often as they come."""
    return [gap for _, gap in parts_of(wording) if gap]

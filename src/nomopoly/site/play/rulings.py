"""What the Admin has ruled, which rules that concerns, and what has been asked of rulings and other entries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from nomopoly.site.play import talk

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


def rulings(entries: Log | Kept) -> list[Any]:
    """The rulings among these entries, newest first, each with the numbers of the rules it names."""
    found = entries.where(kind="admin", do="rule", open_to_all=True)
    return [each | {"concerns": concerned(each["args"].get("rules"))} for each in found[::-1]]


def concerned(named: object) -> list[Any]:
    """The numbers of rules in what the Admin wrote: a list, or words."""
    if not isinstance(named, (list, tuple)):
        named = re.split(r"[\s,;]+", str(named or ""))
    return list(dict.fromkeys(str(each).strip() for each in named if str(each).strip()))


def about_rule(entries: Log | Kept, rule: str) -> list[Any]:
    """The rulings that concern a rule and stand."""
    return [each for each in rulings(entries) if rule in each["concerns"] and not each["struck"]]


def questions(seat: Seat, entries: Log | Kept) -> list[Any]:
    """The entries that something has been asked of: [(entry, what was said)], those last spoken of first."""
    said: Data = {}
    for comment in talk.about_entries(seat):
        said.setdefault(comment.about, []).append(comment)
    numbers = [int(about.removeprefix("entry-")) for about in said if about.removeprefix("entry-").isdecimal()]
    found = [(each, said[f"entry-{each['n']}"]) for each in entries.where(n=numbers)]
    return sorted(found, key=lambda pair: pair[1][-1].written, reverse=True)

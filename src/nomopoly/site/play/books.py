"""What the pages of the rulebook are made of: its history, and what is known of each rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.history import History
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


TRIED = gettext_lazy("The proposal that is tried out here")


def with_a_page(seat: Seat) -> set[Any]:
    """The ids of the rules that have a page: those in force, and those that have been."""
    return {record["id"] for moment in history(seat).moments for record in moment["records"]}


def history(seat: Seat) -> History:
    """The history of the game's rulebook, in the game's time zone, up to now."""
    return History(seat.live.book_history(), seat.game.time_zone, live.now())


def badge(record: Data, rows: list[Data]) -> tuple[str, str]:
    """Whether a rule is carried out by its program, by the players, or in part: (class, words). `rows`: see
    `rows_of`."""
    programs = [bool(each["code"].strip()) for each in [record, *rows]]
    if all(programs) or (programs[0] and not rows):
        return "program", _("by program")
    if any(programs):
        return "part", _("in part by program")
    return "kept", _("kept by the players")


def rows_of(records: list[Data]) -> dict[Any, Any]:
    """The rows of every rule that has some, by its number."""
    found: Data = {}
    for record in records:
        for slash in re.finditer("/", record["id"]):
            found.setdefault(record["id"][: slash.start()], []).append(record)
    return found


def described(record: Data, rows: dict[str, list[Data]], book: History) -> Data:
    """A rule as the rulebook's page shows it. `rows`: those of every rule, see `rows_of`."""
    sort, label = badge(record, rows.get(record["id"], []))
    return record | {
        "badge": sort,
        "badge_label": label,
        "began": began(record, book),
        "proposals": proposals_behind(record["id"], book),
    }


def began(record: Data, book: History) -> int:
    """The moment at which a rule's present form began."""
    return next((each["at"] for each in book.moments if each["n"] == record["since"]), book.moments[0]["at"])


def proposals_behind(rule: str, book: History) -> list[Any]:
    """The proposals that made a rule what it is, oldest first."""
    found = [version.cause["id"] for version in book.versions(rule) if version.cause["kind"] == "proposal"]
    return list(dict.fromkeys(found))


def sections(rules: list[Any]) -> list[Any]:
    """Rules by section: [(number, title, rules)]."""
    found: list[Any] = []
    for rule in rules:
        if not found or found[-1][0] != rule["section"]:
            found.append((rule["section"], rule["section_title"], []))
        found[-1][2].append(rule)
    return found


def matching(records: list[Data], wanted: str) -> list[Any]:
    """Rules in which all these words occur, in number, title or prose."""
    sought = wanted.casefold().split()
    return [
        record
        for record in records
        if all(word in f"{record['id']} {record['title']} {queries.prose(record)}".casefold() for word in sought)
    ]


def cause_words(cause: Data, view: Data) -> tuple[str, str]:
    """What changed the book, in words, and the path of its page: (words, path)."""
    if cause["kind"] == "proposal":
        title = (view["things"].get(cause["id"]) or {}).get("title")
        number = cause["id"][1:]
        told = _("Proposal %(number)s: %(title)s") if title else _("Proposal %(number)s")
        return told % {"number": number, "title": title}, f"proposals/{number}/"
    if cause["kind"] == "strike":
        return _("Correction: entry %(id)s struck") % {"id": cause["id"]}, f"log/{cause['id']}/"
    if cause["kind"] == "thing":
        thing = view["things"].get(cause["id"]) or {}
        if thing.get("kind") == "emergency":
            return _("Way out of a pause: %(title)s") % {"title": thing["title"]}, ""
        return cause["id"].replace("-", " ").capitalize() + (f": {thing['name']}" if thing.get("name") else ""), ""
    known = {"opening": _("The opening of the game"), "correction": _("A correction by the Admin"), "tried": str(TRIED)}
    return known[cause["kind"]], ""


def neighbours(rule: str, records: list[Data]) -> Any:
    """The rules before and after one, in book order."""
    ids = sorted({record["id"] for record in records}, key=number_key)
    if rule not in ids:
        return None, None
    at = ids.index(rule)
    return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)

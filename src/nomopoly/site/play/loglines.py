"""Entries of the log as lines of a page: those of a search, of a thing or of a rule, each as one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.html import strip_tags

from nomopoly.site.play import words
from nomopoly.site.play.sentences import Teller, every_attribute

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log

MOST_NAMED = 20  # things whose names a search finds


def searched(seat: Seat, entries: Log | Kept, wanted: str) -> Any:
    """The entries that say these words, or speak of a thing that is called so."""
    called, things = wanted.casefold(), seat.view["things"].values()
    named = [thing["id"] for thing in things if called in str(thing.get("name") or "").casefold()]
    named += [id for id, name in seat.names.items() if called in strip_tags(str(name)).casefold()]
    return entries.search(wanted, named[:MOST_NAMED])


def about(seat: Seat, id: str) -> Any:
    """The entries of the viewer's log that say something of a thing: in facts or changes; passing by does not count."""
    return seat.live.facts(seat.viewer).having(f"about:{id}")


def lines(seat: Seat, entries: Iterable[Data], *, since: int | None = None, quiet: str = "left out") -> list[Data]:
    """Entries as a page of the log shows them; empty moments are left out, "together" in a line, or "each"."""
    told: list[Data] = []
    for line in one_by_one(seat, entries, since=since, quiet=quiet):
        last = told[-1] if told else None
        if line["quiet"] and last and last["quiet"] and same_moment(line, last):
            last["quiet"] += line["quiet"]
        else:
            told.append(line)
    return told


def same_moment(one: Data, other: Data) -> bool:
    """Whether two lines are of one moment, and both of visits or neither."""
    return (one["entry"]["at"], one["visit"]) == (other["entry"]["at"], other["visit"])


def one_by_one(
    seat: Seat, entries: Iterable[Data], *, since: int | None = None, quiet: str = "left out"
) -> Iterator[Data]:
    """The same lines, each made when it is wanted, and empty moments apart."""
    teller = Teller(seat)
    reasons = {entry["n"]: entry["args"].get("because", "") for entry in entries if entry["kind"] == "strike"}
    if any(entry["struck"] and entry["struck"] not in reasons for entry in entries):
        known = seat.live.facts(seat.viewer).where(kind="strike")
        reasons = {entry["n"]: entry["args"].get("because", "") for entry in known if entry["kind"] == "strike"}
    for entry in entries:
        is_quiet = quiet != "each" and teller.is_quiet(entry) and not changed_what_is_gone(seat.view, entry)
        if is_quiet and quiet == "left out":
            continue
        text = "" if is_quiet else teller.line(entry)
        yield {
            "entry": entry,
            "text": text,
            "quiet": [entry | {"what": teller.in_short(entry)}] if is_quiet else [],
            "visit": is_quiet and entry["kind"] == "order",
            "new": since is not None and entry["n"] > since,
            "because": reasons.get(entry["struck"], "") if entry["struck"] else "",
            "reason": words.reason_beside(text, entry["args"]) if entry["kind"] == "admin" else "",
        }


def changed_what_is_gone(view: Data, entry: Data) -> bool:
    """Whether an entry has changed what no rule declares any more: it cannot be shown, but something came of it."""
    changed = {name for _, name, *_ in entry["changes"]} - {"exists"}
    return bool(changed) and not changed <= {each["name"] for each in every_attribute(view)}

"""Proposals that broke, or that a rule refused, when they were to come into force: where and why, for their page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from nomopoly.site.said import is_in_use

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


PLAIN = ("AttributeError", "IndexError", "NameError", "SyntaxError", "TypeError", "ZeroDivisionError")
"""Faults whose message speaks of the program alone; others are made of values, which may be hidden from the author."""

VERBS = ("enact", "amend", "repeal")


@dataclass
class Broken:
    """Where a proposal broke: `place` in words, the `line` of the program as it stands there, `why` ("" where the
    reader may not know), the number of the entry in the log, and `how` it ended."""

    place: str
    line: str
    why: str
    number: int | None
    how: str


def of(seat: Seat, proposal: Data) -> Broken | None:
    """What broke or refused when this proposal was last to come into force; None if nothing did, or it is in force.

    A refusal is in the log where dice had fallen before; one before any draw the Admin reads at once, and the page of a
    proposal that is open says what would refuse it now.
    """
    changed = {change[verb]: change for change in proposal["changes"] for verb in VERBS if verb in change}
    faults = (f"fault:{rule}" for rule in (proposal["id"], *changed))
    entries = [each for each in seat.live.facts("admin").having(f"on:{proposal['id']}", *faults) if not each["struck"]]
    decided = {each["at"] for each in entries if not each.get("fault") and speaks_of(each, proposal["id"])}
    found, in_force = None, False
    for entry in entries:
        fault, mine = entry.get("fault"), (entry.get("args") or {}).get("on") == proposal["id"]
        declined = next((fact for fact in entry["facts"] if is_declined(fact, entry, proposal["id"])), None)
        if declined:
            why = declined.get("because", "")
            found = Broken(gettext("a rule"), "", why, entry.get("number"), gettext("refused it"))
        elif fault and fault["rule"] == proposal["id"]:
            found = told(seat, proposal, entry, gettext("its program that runs once"), proposal["run"])
        elif fault:
            by_clock = entry["kind"] == "tick" and entry["at"] in decided and not in_force
            if mine or (by_clock and fault["rule"] in changed):
                place = gettext("rule %(rule)s") % {"rule": fault["rule"]} if fault["rule"] else ""
                found = told(seat, proposal, entry, place, changed.get(fault["rule"], {}).get("code") or "")
        elif mine and entry.get("refused"):
            found = refusal(seat, proposal, entry)
        elif mine or (entry["rules"] and speaks_of(entry, proposal["id"])):
            found, in_force = None, in_force or bool(entry["rules"])
    return found


def speaks_of(entry: Data, proposal: Data) -> bool:
    """Whether something that happened in an entry is about a proposal: that it was counted, failed or came into
    force."""
    return any(fact.get("proposal") == proposal for fact in entry["facts"])


def is_declined(fact: Data, entry: Data, proposal: Data) -> bool:
    """Whether a fact tells that what the clock wanted with a proposal was refused."""
    return fact["event"] == f"{entry['do']}-refused" and fact.get("proposal") == proposal


def is_for(seat: Seat, proposal: Data) -> bool:
    """Whether the reader may know why: the author and the Admin may."""
    return seat.role == "admin" or (seat.player_name is not None and seat.player_name == proposal["author"])


def refusal(seat: Seat, proposal: Data, entry: Data) -> Broken:
    """A refusal: which rule it was, and for the author and the Admin its words."""
    rule = entry["refused_by"]
    place = (
        gettext("its program that runs once")
        if rule == proposal["id"]
        else gettext("rule %(rule)s") % {"rule": rule}
        if rule
        else gettext("the game")
    )
    why = entry["refused"] if is_for(seat, proposal) else ""
    return Broken(place, "", why, entry.get("number"), gettext("refused it"))


def told(seat: Seat, proposal: Data, entry: Data, place: str, code: str) -> Broken:
    """A fault, as this reader may know of it: the message is for the author and the Admin, but for one of which all
    should know what to do about it."""
    fault = entry["fault"]
    lines = code.split("\n")
    line = lines[fault["line"] - 1].strip() if 0 < fault["line"] <= len(lines) else ""
    where = gettext("%(place)s, line %(line)s") % {"place": place, "line": fault["line"]} if fault["line"] else place
    sort, _, words = fault["message"].partition(": ")
    if is_in_use(fault["message"]):
        return Broken(place, "", words, entry.get("number"), gettext("cannot go"))
    if seat.role == "admin":
        why = words or sort
    elif seat.player_name is not None and seat.player_name == proposal["author"]:
        declares = re.fullmatch(r"rule [\w./-]+: .*", words)  # said of what a rule declares
        why = (
            words
            if sort in PLAIN or declares
            else gettext("%(sort)s. Try it out: a forecast says more") % {"sort": sort}
        )
    else:
        why = ""
    return Broken(where, line, why, entry.get("number"), gettext("broke"))

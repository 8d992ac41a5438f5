"""What the Admin writes in the form of a proposal: what is put into effect in place of what was voted on, with the
difference to that marked, and proposals of the office's own. It serves every act of the office that takes changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.lab.forecast import changed_book
from nomopoly.rulebook.diff import diff_books
from nomopoly.site.play import proposals
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.rulebook.diff import RuleDiff
    from nomopoly.site.door import Seat
    from nomopoly.site.play.sheets import Sheet
    from nomopoly.site.shapes import Data


def act_of(seat: Seat, name: str) -> Data | None:
    """The act of that name, if it takes changes in place of a proposal's; None otherwise."""
    if seat.role != "admin" or not name:
        return None
    found = next((each for each in seat.live.actions("admin") if each["id"] == name and each["desk"]), None)
    return found if found is not None and field_of(found, "changes") else None


def makes_one(act: Data) -> bool:
    """Whether an act that takes changes makes a proposal of the office's own: it is about no other."""
    return not any(each["name"] == "on" for each in act["fields"])


def field_of(act: Data, type: str) -> Any:
    """The name of an act's field of a type, or ""."""
    return next((each["name"] for each in act["fields"] if each["type"] == type), "")


def about(seat: Seat, sheet: Sheet) -> Data | None:
    """The proposal that a form of the Admin's is about, or None."""
    return next((each for each in proposals.listed(seat.view) if each["id"] == sheet.on), None)


def refusal(seat: Seat, act: Data, id: str) -> Data | None:
    """Why an act that judges a proposal could not do so now, as pages show it; None where it could."""
    args = {act["fields"][0]["name"]: id}
    seen = seat.live.kept(("impossible", act["id"], id), lambda game: game.preview(None, act["id"], args, live.now()))
    return queries.refusal_of(seen) if seen.refused or seen.fault else None


def otherwise(seat: Seat, changes: list[Data], voted: Data) -> list[RuleDiff] | None:
    """How the rules would differ from what was voted: a list of comparisons, [] where they would not; None where what
    was voted no longer fits."""
    records = seat.live.records()
    wanted, mine = changed_book(records, voted["changes"]), changed_book(records, completed(changes, voted))
    if wanted is None or mine is None:
        return None
    return list(diff_books(wanted, mine).changed)


def completed(changes: list[Data], voted: Data) -> list[Data]:
    """The changes of a form, with what the proposal says of the same new rules and no form asks for: their section."""
    sections = {each["enact"]: each["section"] for each in voted["changes"] if "enact" in each and "section" in each}
    return [{"section": sections[each["enact"]]} | each if each.get("enact") in sections else each for each in changes]


def arguments(seat: Seat, act: Data, sheet: Sheet, changes: list[Data], voted: Data | None) -> Data:
    """The order that the form stands for: what is as it was voted is left out."""
    if voted is None:
        return proposals.arguments(sheet, changes)
    args = {"on": voted["id"]}
    if otherwise(seat, changes, voted) != []:
        args[field_of(act, "changes")] = completed(changes, voted)
    program = field_of(act, "code")
    if program and sheet.run.strip() != (voted.get("run") or "").strip():
        args[program] = sheet.run
    return args

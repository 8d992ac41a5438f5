"""Corrections: a game without some of its entries is another fold of the journal, and a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nomopoly.runtime.fold import Fold
from nomopoly.runtime.journal import Journal, digest
from nomopoly.runtime.outcomes import MemoryOutcomes, OutcomeStore
from nomopoly.runtime.replay import folded, struck_numbers
from nomopoly.runtime.reveals import shown_before

Data = dict[str, Any]


@dataclass
class Correction:
    """A game without an entry: the fold, the outcomes, and what differs.

    `told`: entry, changes [[thing, attribute, before, after]], refused (later entries that would be), hash (for
    `confirm`). `shown`: which entry has shown what would be a secret again, and which drew it, if any (see
    `reveals.shown_before`).
    """

    fold: Fold
    outcomes: MemoryOutcomes
    told: Data
    shown: tuple[int, int] | None = None


def why_not(entry: Any, fold: Fold, journal: Journal) -> str:
    """Why an entry cannot be struck; "" if it can."""
    if isinstance(entry, bool) or not isinstance(entry, int) or not 1 <= entry <= fold.n:
        return f"there is no entry {entry!r} to strike: entries are numbered 1 to {fold.n}"
    if entry in struck_numbers(fold.strikes):
        return "it is already struck"
    if next(iter(journal.lines(entry)))["kind"] == "operator":
        return "this is what the operator of this site has done, and nobody else can strike it"
    return ""


def without(
    entry: int, fold: Fold, journal: Journal, outcomes: OutcomeStore, secrets: tuple[str | None, str | None]
) -> Correction:
    """The game without an entry that can be struck, and what that changes. `outcomes`: those of the game as it is."""
    strikes = [*fold.strikes, (fold.n + 1, entry)]
    kept = MemoryOutcomes()
    lines = list(journal.lines(1))
    again = folded(journal, fold.runtime.name, kept, strikes=strikes, secrets=secrets, known=outcomes)
    told: Data = {
        "entry": entry,
        "changes": state_difference(fold.state(), again.state()),
        "refused": sorted(set(again.refused) - set(fold.refused)),
        "hash": digest([fold.last_hash, entry]),
    }
    return Correction(again, kept, told, shown_before(fold, again, lines, outcomes, kept))


def why_not_again(shown: tuple[int, int], numbers: dict[int, int | None]) -> str:
    """Why a strike is refused that would hide again what has been shown; `numbers`: by which everybody knows
    entries."""
    by, drew = ("an entry that not everybody sees" if numbers.get(n) is None else f"entry {numbers[n]}" for n in shown)
    return f"{by} has shown what nobody would know again: strike what drew it, {drew}"


def strike_fact(entry: int, because: str, told: Data) -> Data:
    """The fact of a strike, for the log."""
    return {
        "what": "struck",
        "event": "strike",
        "rule": "",
        "depth": 0,
        "entry": entry,
        "because": because,
        "refused": told["refused"],
        "say": strike_said(entry, because),
    }


def strike_said(entry: int | None, because: str) -> str:
    """What the log says of a strike: the number of the entry, or None where not everybody sees it, and the reason."""
    reason = because.rstrip()
    if entry is None and not reason:
        return "Struck by the Admin: an entry that not everybody sees."
    if entry is None:
        return f"Struck by the Admin: an entry that not everybody sees. {reason}"
    return f"Struck by the Admin: entry {entry}. {reason}" if reason else f"Struck by the Admin: entry {entry}."


def state_difference(before: Data, after: Data) -> list[list[Any]]:
    """[[thing, attribute, before, after]] between two states; a thing that came or went has the attribute "exists"."""
    old = {id: values for id, _, values in before["things"]}
    new = {id: values for id, _, values in after["things"]}
    changes: list[list[Any]] = []
    for id in [*old, *(id for id in new if id not in old)]:
        if id not in new or id not in old:
            changes.append([id, "exists", id in old, id in new])
            continue
        for name in sorted({*old[id], *new[id]}):
            if old[id].get(name) != new[id].get(name):
                changes.append([id, name, unpack(old[id].get(name)), unpack(new[id].get(name))])
    rules_before = {record["id"]: record for record in before["rules"]}
    rules_after = {record["id"]: record for record in after["rules"]}
    for id in {**rules_before, **rules_after}:
        if rules_before.get(id) != rules_after.get(id):
            changes.append([f"rule {id}", "exists", id in rules_before, id in rules_after])
    return changes


def unpack(value: Any) -> Any:
    """A value of a snapshot as readers see it."""
    if isinstance(value, dict):
        return value["thing"] if "thing" in value else [unpack(part) for part in value["tuple"]]
    return value

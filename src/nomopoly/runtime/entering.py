"""A game that takes entries: each is carried out, sealed with the hash of its outcome, and appended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nomopoly.rulebook.changes import ChangeError
from nomopoly.runtime import sealing
from nomopoly.runtime.checking import UNWRITABLE, Checking, carries_programs, no_such_item
from nomopoly.runtime.entropy import commitment, derived, entropy, new_secret
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.journal import (
    JournalError,
    Line,
    as_written,
    encodable,
    iso,
    written,
)
from nomopoly.runtime.outcomes import Outcome, ends_game, result_of, sealed
from nomopoly.runtime.protocol import (
    APPROVE_PLAYER,
    EMERGENCY_CLOSES,
    EMERGENCY_PROPOSE,
    EMERGENCY_VOTE,
    END_OUTAGE,
    GRANT,
    HOLD,
    ITEMS,
    PAUSE,
    PROPOSE,
    REMOVE_PLAYER,
    RESUME,
)
from nomopoly.runtime.replay import (
    HIDDEN_DRAWS,
    dice_of,
    folded,
    note_draws,
)

Data = dict[str, Any]
WAY_OUT = frozenset(
    [
        PAUSE,
        RESUME,
        GRANT,
        "rule",
        "suspend",
        "reinstate",
        HOLD,
        END_OUTAGE,
        EMERGENCY_PROPOSE,
        "decline-player",
    ]
)
COMING = (APPROVE_PLAYER, REMOVE_PLAYER)  # what the rules say of these holds, but for a rule that breaks


def ways_out(line: Line) -> tuple[str, ...]:
    """In which ways an entry is carried out if a rule breaks in it: see `Game._carried_out`. None for what is no way
    out."""
    if "again" in line:
        return ()
    if line["kind"] == "admin":
        return ("rule", "all") if line["do"] in WAY_OUT else ("rule",) if line["do"] in COMING else ()
    if line["kind"] in ("tick", "ballots"):
        return ("rule", "all", "over") if line["do"] == EMERGENCY_CLOSES else ()
    return ("rule", "all") if line["kind"] == "leave" else ()


class Entering(Checking):
    """A game that takes entries."""

    def submit(self, kind: str, by: str | None, do: str | None, args: Data | None, at: int, **more: Any) -> Outcome:
        """Carry out an entry and append it.

        `at` is its moment (seconds since 1970); one before the last entry's is taken as that. Raises JournalError if
        another writer has appended meanwhile: load the game again.
        """
        with self.journal.lock():
            self._at_the_end()
            if not encodable([by, do, args]):
                return Outcome(None, refused=UNWRITABLE)
            if args:
                args = self._with_seconds(do, args)
                if carries_programs(args):
                    try:
                        args = self.with_earlier_forms(args)
                    except ChangeError as error:
                        return Outcome(None, refused=f"check: {error}")
                    problem = self._first_error(args) if self.checks else None
                    if problem:
                        return Outcome(None, refused=problem)
            if kind == "admin" and do == GRANT and args and args.get("attribute") == ITEMS:
                known = {id for each in self.declares().values() for _, id in each["rows"]}
                unknown = no_such_item(args.get("value"), known | set(self.things()))
                if unknown:
                    return Outcome(None, refused=unknown)
            way_out = kind == "admin" and do == PROPOSE and self.disrupted()
            if way_out and set(self.describe()["ballots"]) <= {EMERGENCY_VOTE}:  # no rule lets anybody vote
                do, way_out = EMERGENCY_PROPOSE, False
            outcome = self._submit(kind, by, do, args, max(at, self.fold.now), more)
            if way_out and (outcome.fault is not None or outcome.code == "no-action"):
                return self._submit(kind, by, EMERGENCY_PROPOSE, args, max(at, self.now), more)
            return outcome

    def _submit(self, kind: str, by: str | None, do: str | None, args: Data | None, at: int, more: Data) -> Outcome:
        args = as_written(args or {})  # rules may look at its parts one after the other
        line: Line = {"n": self.fold.n + 1, "at": iso(at), "kind": kind, "by": by, "do": do, "args": args, **more}
        dice = self._dice_for(line)
        outcome, broke = self._carried_out(line, dice)
        if "refused" in outcome:
            if "drawn" not in outcome:
                return result_of(None, outcome)
            line["refused"] = True
        problem = self._made_up(outcome) if self.checks and not self.fold.trusted else None
        if problem:
            drawn: Data = {name: outcome[name] for name in ("drawn", "hidden", "dice") if name in outcome}
            self._rewind()
            if kind not in ("tick", "ballots") and not drawn:
                return Outcome(None, refused=problem)
            changed = next((id for id, record in outcome.get("rules", ()) if record is not None), "")
            broke = {"rule": changed, "line": 0, "message": problem}
            if do == EMERGENCY_CLOSES:  # its vote is over all the same
                outcome = self._without_rules(line, dice, broke, "over")
            else:
                line["limit"] = "check"  # the clock goes on: what comes of it is a fault, which a replay takes as given
                outcome = {"fault": broke, **drawn}
        note_draws(line, outcome, dice)
        try:
            self._keep(line, outcome)
        except BaseException:
            self._rewind()
            raise
        if "fault" in outcome:
            self._after_fault(line, outcome["fault"], at)
        if ends_game(outcome) and self.secret is not None:
            self.reveal(self.now)
        result = result_of(line["n"], outcome)
        result.broke = broke if "alone" in line else None
        return result

    def _carried_out(self, line: Line, dice: Data) -> tuple[Data, Data | None]:
        """What comes of a line, and what broke on the way.

        An act of the way out stands whatever rules do: if one breaks, it is carried out without that rule, and if that
        breaks too, without all rules.
        """
        ways = ways_out(line)
        outcome = self._tried(line, dice, 1 if ways else 0)
        broke: Data | None = outcome.get("fault")
        if broke is None:
            return outcome, None
        for how in ways:
            again = self._without_rules(line, dice, broke, how)
            if "fault" not in again:
                return again, broke
            line.pop("alone")
        return outcome, broke

    def _without_rules(self, line: Line, dice: Data, broke: Data, how: str) -> Data:
        """What comes of a line when the rule that broke is not heard (`how`: "rule"), or no rule ("all"); an accepted
        way out can also be closed without being carried out ("over")."""
        for part in ("limit", "limit_since"):
            line.pop(part, None)
        line["alone"] = {"rule": broke["rule"], "line": broke["line"], "how": how}
        return self._tried(line, dice, 2)

    def _tried(self, line: Line, dice: Data, hurry: int) -> Data:
        """The outcome of a line as the runtime has it; a fault is one, and its limit is noted in the line."""
        try:
            return self.fold.carry_out(line, dice, hurry)
        except Fault as fault:
            if fault.limit in ("time", "memory"):  # of an act that nobody may be kept waiting for
                line["limit"] = fault.limit
                line["limit_since"] = next((each["since"] for each in self.records() if each["id"] == fault.rule), None)
            place = {"rule": fault.rule, "line": fault.line, "message": fault.message}
            return self.fold.broken(line, place, fault)

    def _after_fault(self, line: Line, fault: Data, at: int) -> None:
        """A fault in a turn or on the clock pauses the game; the timer that broke is put off until it goes on."""
        on_clock = line["kind"] in ("tick", "ballots")
        if not on_clock and not (line["kind"] == "order" and line["do"] in self.describe()["disrupting"]):
            return
        timer = line["args"].get("timer")
        due = (self.runtime.call("due") if timer is not None else None) or {}
        broken = due.get("timer", "") == timer
        because = "a rule broke" if fault.get("unknown") else f"the code of rule {fault['rule']} broke"
        if not (broken and due["quiet"]) and not self.paused():
            args = {"because": because, "kind": "disruption"}
            self._submit("admin", "kernel", PAUSE, args, at, {"after": line["n"]})
        if broken and (self.runtime.call("due") or {}).get("timer") == timer:
            self._submit("admin", "kernel", HOLD, {"timer": timer}, at, {"after": line["n"]})

    def _rewind(self) -> None:
        """Bring the runtime back to the end of the journal, which it has run ahead of."""
        self.fold.last_hash = ""  # where the journal cannot be read now, nothing more is written
        self.runtime.close()
        again = folded(self.journal, self.runtime.name)
        self.fold.runtime, self.fold.n, self.fold.now = again.runtime, again.n, again.now
        self.fold.last_hash = again.last_hash
        self._read_anew()

    def _keep(self, line: Line, outcome: Data) -> None:
        """Seal, append and remember an entry."""
        facts = written(outcome["facts"]) if "facts" in outcome else None
        self.journal.append(line, sealed(line, self.fold.last_hash, outcome, self._content, facts))
        self.fold.note(line, outcome)
        self.outcomes.put(line["n"], self.fold.with_sentences(outcome), facts)

    # ---- its secrets

    def _dice_for(self, line: Line) -> Data:
        """The dice of a new entry; under the older recipe the line gets its entropy, else its salt."""
        if self.recipe == 1:
            if self.secret is not None:
                line["entropy"] = entropy(self.secret, self.id, line["n"])
            return {"entropy": line.get("entropy")}
        last_hash = self.fold.last_hash
        content = self._content = sealing.content_of_new(line, last_hash)
        salts = derived(self.vault, "salts") if self.vault is not None else new_secret()
        line["salt"] = sealing.salt_of(salts, last_hash)
        return dice_of(content, self.secret, self.hidden_secret, self.runtime.takes_late)

    def reveal(self, at: int, hidden: bool = False) -> Outcome:
        """Publish the secret of the dice; later entries have another one (its commitment is in the entry).

        Once the game is over the secret of its hidden draws is published as well, and renewed; before that only if
        `hidden`.
        """
        if self.secret is None:
            raise JournalError("the secret of this game is not here")
        return self._renew(at, {"secret": self.secret}, hidden=hidden or self.over())

    def move_in(self, at: int, earlier: Iterable[str] = ()) -> Outcome:
        """Go on with new secrets where the old ones are not known, or not to be known yet: after an import, and where a
        game of the older recipe goes on. `earlier`: old secrets, revealed at the end."""
        self.earlier += earlier
        return self._renew(at, {"secret": None, "recipe": sealing.RECIPE}, hidden=True, known=False)

    def _renew(self, at: int, args: Data, hidden: bool, known: bool = True) -> Outcome:
        """Enter a `reveal`: what `args` publish, and commitments to new secrets. `known`: the old ones may be
        published."""
        following, vault = new_secret(), self.vault
        args = {**args, "commitment": commitment(following)}
        if hidden and (self.recipe > 1 or "recipe" in args):
            args["hidden"] = self.hidden_secret if known else None
            vault = new_secret()
            args["hidden_commitment"] = commitment(derived(vault, HIDDEN_DRAWS))
        if hidden and known and self.earlier:
            args["earlier"], self.earlier = self.earlier, []
        outcome = self.submit("reveal", None, None, args, at)
        self.secret, self.vault = following, vault
        self.recipe = args.get("recipe", self.recipe)
        return outcome

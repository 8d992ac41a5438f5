"""Hosts one game: a journal, a runtime that computes what follows from it, and the outcomes of its entries.

Every change goes through `Game.submit`: the entry is carried out in the runtime, sealed with the hash of its outcome,
and appended. An entry that is refused before it has drawn leaves no line; after a draw it leaves one, so that nobody has a
second try. A fault leaves a line, because a replay has to know of it, and changes nothing; on the clock it pauses the game
as well.
"""

from __future__ import annotations

import uuid
from bisect import bisect_left
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from nomopoly.kernel.budgets import MOST_AT_ONE_MOMENT, MOST_ORDERS_A_DAY, MOST_REFUSALS_A_DAY
from nomopoly.rulebook.changes import ChangeError, written_out
from nomopoly.rulebook.check import Problem, check_once, check_program, check_record, declared_by
from nomopoly.rulebook.history import History
from nomopoly.rulebook.restoring import run_written_out
from nomopoly.runtime import sealing
from nomopoly.runtime.ballots import MOST_SUBJECT, Ballot, BallotBox, box_beside, counted
from nomopoly.runtime.calendar import next_occurrence
from nomopoly.runtime.corrections import Correction, strike_fact, why_not, why_not_again, without
from nomopoly.runtime.entropy import commitment, derived, entropy, new_secret
from nomopoly.runtime.fold import Fold, open_data, promises_of
from nomopoly.runtime.halves import mended
from nomopoly.runtime.interpreters import Fault, Runtime, make_runtime
from nomopoly.runtime.interpreters.text import kernel_version
from nomopoly.runtime.journal import (
    FIRST_HASH,
    Journal,
    JournalError,
    Line,
    MemoryJournal,
    MovedOn,
    encodable,
    iso,
    moment_of,
)
from nomopoly.runtime.log import Log, cause_of
from nomopoly.runtime.moments import offsets_of, text_in, with_seconds
from nomopoly.runtime.outcomes import MemoryOutcomes, Outcome, OutcomeStore, ends_game, out_hash, sealed
from nomopoly.runtime.protocol import (
    APPROVE_PLAYER,
    EMERGENCY_CLOSES,
    EMERGENCY_PROPOSE,
    EMERGENCY_VOTE,
    END_OUTAGE,
    GRANT,
    HOLD,
    ITEMS,
    JOINED_AT,
    LOG_IN,
    NOTE_VOTE,
    OPERATOR_STOP,
    ORDER_WAITS,
    OVER,
    PAUSE,
    PAUSE_KIND,
    PAUSED,
    PAUSED_AT,
    PROPOSE,
    RESUME,
    RESUME_RUNS_AGAIN,
    RESUMED_AT,
)
from nomopoly.runtime.replay import (
    HIDDEN_DRAWS,
    dice_of,
    first_line,
    hidden_secret_of,
    note_draws,
    run_through,
    struck_numbers,
)

Data = dict[str, Any]
MOST_TICKS = 10_000
TRIED_TOGETHER = 12  # actions
MOST_LOGS = 8  # viewers for whom the log is kept as they see it
UNWRITABLE = "this text contains an invalid character: remove it, then try again"
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
COMING = (APPROVE_PLAYER, "remove-player")  # what the rules say of these holds, but for a rule that breaks


def carries_programs(args: Any) -> bool:
    """Whether an entry with these arguments brings programs or changes along."""
    return isinstance(args, dict) and bool(args.get("changes") or args.get("run") or args.get("code"))


def first_error(args: Data, check: Callable[..., list[Problem]]) -> str | None:
    """Why a program that an entry carries could not be carried out, by check(changes, run); None if it could.

    `code` is the program of a rule that is to come.
    """
    problems = check(args.get("changes") or [], args.get("run") or "")
    if args.get("code"):
        problems += check([{"enact": "new", "text": "A rule to come.", "code": args["code"]}])
    return next((f"check: {problem}" for problem in problems if problem.level == "error"), None)


def no_such_item(wanted: Any, known: set[str]) -> str | None:
    """Why somebody cannot be given these items: no rule declares one of them; None if all are known."""
    for each in wanted if isinstance(wanted, (list, tuple)) else ():
        if isinstance(each, str) and each not in known:
            near = get_close_matches(each, sorted(known), n=3)
            meant = f": did you mean {' or '.join(near)}?" if near else ""
            return f"there is no item called {each[:60]}{meant}"
    return None


def ways_out(line: Line) -> tuple[str, ...]:
    """In which ways an entry is carried out if a rule breaks in it: see `Game._carried_out`. None for what is no way out."""
    if "again" in line:
        return ()
    if line["kind"] == "admin":
        return ("rule", "all") if line["do"] in WAY_OUT else ("rule",) if line["do"] in COMING else ()
    if line["kind"] in ("tick", "ballots"):
        return ("rule", "all", "over") if line["do"] == EMERGENCY_CLOSES else ()
    return ("rule", "all") if line["kind"] == "leave" else ()


class Game:
    """A hosted game. Make one with `open_game` or `load_game`."""

    def __init__(
        self,
        journal: Journal,
        fold: Fold,
        secret: str | None,
        outcomes: OutcomeStore | None = None,
        ballots: BallotBox | None = None,
        vault: str | None = None,
    ) -> None:
        args = fold.first["args"]
        self.id: str = args["id"]
        self.title: str = args["title"]
        self.edition: str = args["edition"]
        self.time_zone: str = args["time_zone"]
        self.commitment: str = args["commitment"]
        self.journal = journal
        self.fold = fold
        self.outcomes: OutcomeStore = outcomes if outcomes is not None else MemoryOutcomes()
        self.ballots: BallotBox = ballots if ballots is not None else box_beside(journal)
        self.first = fold.first
        self.secret = secret
        self.recipe: int = args.get("recipe", 1)
        self.vault = vault
        self._content: bytes | None = None  # what the entry is that is being made
        self.earlier: list[str] = []  # secrets of the time before the game came here, to be revealed at its end
        self.checks = True  # refuse programs in which `rulebook.check` finds errors
        self._described: Data | None = None  # by the fold, with the moments from which the calendar holds
        self._logs: dict[str, Log] = {}  # by viewer, the last asked for at the end
        self._history: list[Data] = []
        self._history_until = 0

    # ---- the fold

    @property
    def runtime(self) -> Runtime:
        """The interpreter in which the game is."""
        return self.fold.runtime

    @property
    def n(self) -> int:
        """The number of the last entry."""
        return self.fold.n

    @property
    def now(self) -> int:
        """The moment of the last entry (seconds since 1970)."""
        return self.fold.now

    @property
    def opened_at(self) -> int:
        """The moment of the first entry."""
        return self.fold.opened_at

    @property
    def last_hash(self) -> str:
        """The hash of the last entry."""
        return self.fold.last_hash

    @property
    def strikes(self) -> list[tuple[int, int]]:
        """Which entries strike which, see `replay.struck_numbers`."""
        return self.fold.strikes

    @property
    def refused(self) -> list[int]:
        """Entries that are refused since an earlier one was struck."""
        return self.fold.refused

    @property
    def last_moments(self) -> dict[str, int]:
        """When each event of the calendar last began."""
        return self.fold.last_moments

    # ---- entries

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
                try:
                    args = self.with_earlier_forms(args)
                except ChangeError as error:
                    return Outcome(None, refused=f"check: {error}")
                if self.checks and carries_programs(args):
                    problem = self._first_error(args)
                    if problem:
                        return Outcome(None, refused=problem)
            if kind == "admin" and do == GRANT and args and args.get("attribute") == ITEMS:
                known = {id for each in self.describe()["declares"].values() for _, id in each["rows"]}
                unknown = no_such_item(args.get("value"), known | set(self.runtime.call("ids")["things"]))
                if unknown:
                    return Outcome(None, refused=unknown)
            way_out = kind == "admin" and do == PROPOSE and self.disrupted()
            if way_out and set(self.describe()["ballots"]) <= {EMERGENCY_VOTE}:  # no rule lets anybody vote
                do, way_out = EMERGENCY_PROPOSE, False
            outcome = self._submit(kind, by, do, args, max(at, self.now), more)
            if way_out and (outcome.fault is not None or outcome.code == "no-action"):
                return self._submit(kind, by, EMERGENCY_PROPOSE, args, max(at, self.now), more)
            return outcome

    def _with_seconds(self, do: str | None, args: Any) -> Any:
        """The arguments of an order with seconds where its form wants a moment and people wrote a date."""
        fields = self.describe()["moments"].get(do) if args else None
        return with_seconds(args, fields, self.time_zone) if fields else args

    def _at_the_end(self) -> None:
        """Raise JournalError if another writer has appended."""
        last, fold = self.journal.last(), self.fold
        if last is None or last["n"] != fold.n or last["hash"] != fold.last_hash:
            raise MovedOn("the game has moved on: load it again")

    def _first_error(self, args: Data) -> str | None:
        """Why a program that an entry carries could not be carried out, by `rulebook.check`; None if it could."""
        return first_error(args, self.check)

    def check(self, changes: Any, run: str = "") -> list[Problem]:
        """The problems of changes and a one-time program, against the rulebook in force."""
        return check_once(changes, run, self.records(), self.commons())

    def with_earlier_forms(self, args: Data) -> Data:
        """What is proposed, as it enters the journal: see `written_out` and `run_written_out`. Raises ChangeError."""
        if args.get("changes"):
            args = {**args, "changes": self.written_out(args["changes"])}
        if isinstance(args.get("run"), str) and "restore" in args["run"]:
            args = {**args, "run": self.run_written_out(args["run"])}
        return args

    def run_written_out(self, run: str) -> str:
        """A program that runs once as it enters the journal: `restore(...)` says the form it brings back. Raises ChangeError."""
        if not isinstance(run, str) or "restore" not in run:
            return run
        in_part = not self.commons() or any("LANGUAGE = " in text for _, text in self.commons())
        history = History(self.book_history(), self.time_zone, self.now)
        return run_written_out(run, self.records(), history.earlier, in_part)

    def written_out(self, changes: Any) -> Any:
        """A list of changes as it enters the journal: what brings an earlier form of a rule back says that form.

        Raises ChangeError. What is no list of changes, or needs no writing out, stays as it is.
        """
        in_part = not self.commons() or any("LANGUAGE = " in text for _, text in self.commons())
        found = [each for each in changes if isinstance(each, dict)] if isinstance(changes, list) else []
        if any("restore" in each or not in_part for each in found):
            history = History(self.book_history(), self.time_zone, self.now)
            return written_out(changes, self.records(), history.earlier, in_part)
        return changes

    def commons(self) -> list[tuple[str, str]]:
        """The shared modules, as (name, source)."""
        return [(name, text) for name, text in self.first["args"]["commons"]]

    def _made_up(self, outcome: Data) -> str | None:
        """The first error in the programs that an entry enacted or ran: rules may have put them together meanwhile."""
        changed = [record for _, record in outcome.get("rules", ()) if record is not None]
        ran = outcome.get("ran", [])
        if not changed and not ran:
            return None
        commons = [tuple(module) for module in self.first["args"]["commons"]]
        declared = declared_by(self.records(), commons)
        problems = [problem for record in changed for problem in check_record(record, declared, types=False)]
        gone = [self._last_form(id) for id, record in outcome.get("rules", ()) if record is None] if ran else []
        if gone:  # a program may tidy up after rules before it takes them out
            declared = declared_by([*self.records(), *gone], commons)
        problems += [problem for code in ran for problem in check_program("run", code, {}, declared, types=False)]
        return next((f"check: {problem}" for problem in problems if problem.level == "error"), None)

    def _last_form(self, id: str) -> Data:
        """A rule as it was before the entry that is being carried out."""
        found: Data = next((record for record in self.first["args"]["rules"] if record["id"] == id), {})
        for _, outcome in self.outcomes.get():
            found = next((record for number, record in outcome.get("rules", ()) if number == id and record), found)
        return found

    def _submit(self, kind: str, by: str | None, do: str | None, args: Data | None, at: int, more: Data) -> Outcome:
        line: Line = {"n": self.n + 1, "at": iso(at), "kind": kind, "by": by, "do": do, "args": args or {}, **more}
        dice = self._dice_for(line)
        outcome, broke = self._carried_out(line, dice)
        if "refused" in outcome:
            if "drawn" not in outcome:
                return self._result(None, outcome)
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
        result = self._result(line["n"], outcome)
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
        """What comes of a line when the rule that broke is not heard (`how`: "rule"), or no rule ("all"); an accepted way
        out can also be closed without being carried out ("over")."""
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
        return dice_of(content, self.secret, self.hidden_secret)

    @property
    def hidden_secret(self) -> str | None:
        """The second secret: of draws that are hidden from somebody. Not there where the vault is not."""
        return hidden_secret_of(self.vault)

    def _after_fault(self, line: Line, fault: Data, at: int) -> None:
        """A fault in a turn or on the clock pauses the game; the timer that broke is put off until it goes on."""
        on_clock = line["kind"] in ("tick", "ballots")
        if not on_clock and not (line["kind"] == "order" and line["do"] in self.describe()["disrupting"]):
            return
        timer = line["args"].get("timer")
        due = (self.runtime.call("due") if timer is not None else None) or {}
        broken = due.get("timer", "") == timer
        because = "a rule broke" if fault.get("unknown") else f"rule {fault['rule']} broke"
        if not (broken and due["quiet"]) and not self.paused():
            args = {"because": because, "kind": "disruption"}
            self._submit("admin", "kernel", PAUSE, args, at, {"after": line["n"]})
        if broken and (self.runtime.call("due") or {}).get("timer") == timer:
            self._submit("admin", "kernel", HOLD, {"timer": timer}, at, {"after": line["n"]})

    def _rewind(self) -> None:
        """Bring the runtime back to the end of the journal, which it has run ahead of."""
        self.fold.last_hash = ""  # where the journal cannot be read now, nothing more is written
        self.runtime.close()
        again = replay(self.journal, self.runtime.name).fold
        self.fold.runtime, self.fold.n, self.fold.now = again.runtime, again.n, again.now
        self.fold.last_hash = again.last_hash
        self._read_anew()

    def _keep(self, line: Line, outcome: Data) -> None:
        """Seal, append and remember an entry."""
        self.journal.append(line, sealed(line, self.last_hash, outcome, self._content))
        self.fold.note(line, outcome)
        self.outcomes.put(line["n"], self.fold.with_sentences(outcome))

    def _too_often(self, by: str, at: int) -> str | None:
        """Why a player gives no more orders today, or None."""
        self.fold.begin_day(max(at, self.now))
        if self.fold.given.get(by, 0) >= MOST_ORDERS_A_DAY:
            return f"you have given {MOST_ORDERS_A_DAY} orders today, and that is all one may: go on tomorrow (UTC)"
        if self.fold.turned_down.get(by, 0) >= MOST_REFUSALS_A_DAY:
            return f"{MOST_REFUSALS_A_DAY} of your orders were refused today, and that is all one may: go on tomorrow (UTC)"
        return None

    @staticmethod
    def _result(n: int | None, outcome: Data) -> Outcome:
        if "facts" in outcome:
            return Outcome(n, facts=outcome["facts"], changes=outcome["changes"], unused=outcome.get("unused", []))
        return Outcome(
            n,
            refused=outcome.get("refused"),
            fault=outcome.get("fault"),
            rule=(outcome.get("fault") or outcome).get("rule") or None,
            facts=outcome.get("facts", []),
            changes=outcome.get("changes", []),
            unused=outcome.get("unused", []),
            code=outcome.get("code", ""),
        )

    def join(self, name: str, at: int) -> Outcome:
        """Somebody asks to join; the Admin's `approve-player` makes them a player."""
        return self.submit("join", name, None, {}, at)

    def leave(self, name: str, at: int) -> Outcome:
        """A player leaves."""
        return self.submit("leave", name, None, {}, at)

    def order(self, by: str, do: str, args: Data | None, at: int) -> Outcome:
        """A player's order. A ballot is no entry: see `cast`."""
        reason = self._too_often(by, at)
        if reason:
            return Outcome(None, refused=reason)
        if do in self.describe()["ballots"]:
            outcome = self.cast(by, do, args, at)
        else:
            more = {"queued": True} if ORDER_WAITS in self.describe()["events"] else {}
            outcome = self.submit("order", by, do, args, at, **more)
        if outcome.refused is not None:
            self.fold.turned_down[by] = self.fold.turned_down.get(by, 0) + 1
        return outcome

    def admin(self, do: str, args: Data | None, at: int, by: str = "Admin") -> Outcome:
        """An act of the Admin's desk. `strike` wants `entry` and `because`."""
        if do == "strike":
            wanted = dict(args or {})
            return self.strike(wanted.get("entry"), str(wanted.get("because") or ""), at)
        if do == "run-again" or (do == RESUME and self.resume_runs_again()):
            return self.run_again(at, by)
        return self.submit("admin", by, do, args, at)

    def operate(self, do: str, because: str, at: int) -> Outcome:
        """An act of the operator of the site, beyond every rule and the Admin: `stop` pauses the game until `resume`."""
        return self.submit("operator", "operator", do, {"because": because} if because else {}, at)

    def resume_runs_again(self) -> bool:
        """Whether the rules end a disruption by `resume` only if what broke holds now (the value `resume_runs_again`)."""
        found = self.runtime.call("value", {"name": RESUME_RUNS_AGAIN, "of": ["game"]})
        return found.get("value") is True and self.disrupted() and self._held() is not None

    def cast(self, by: str, do: str, args: Data | None, at: int) -> Outcome:
        """A player's ballot: checked now by the rules, kept in the ballot box, changed by casting another one.

        The outcome has no number: it is no entry. That the player was here is entered, as `log-in`, where rules want that,
        and as `note-vote` that they have cast a ballot that stays sealed.
        """
        args = dict(args or {})
        with self.journal.lock():
            self._at_the_end()
            at = max(at, self.now)
            if not encodable([by, do, args]):
                return Outcome(None, refused=UNWRITABLE)
            things = self.runtime.call("ids")["things"]
            if things.get(by) != "player":
                return Outcome(None, refused=f"not approved: {by} is not a player of this game")
            args = self._with_seconds(do, args)
            described = self.describe()["ballots"]
            first = described[do]["subject"] if do in described else "on"
            if self.disrupted() and (do not in described or things.get(str(args.get(first))) == "emergency"):
                do = EMERGENCY_VOTE
            if do not in described:
                return Outcome(None, refused=f"there is no action '{do}' for players", code="no-action")
            how = described[do]
            told = self.preview(by, do, args, at)
            if told.ok:
                for note in (LOG_IN, NOTE_VOTE) if how["sealed"] else (LOG_IN,):
                    if note in self.describe()["actions"]:
                        self._submit("order", by, note, {}, at, {})
                said = self.runtime.call("ballot", {"by": by, "do": do, "args": args, "at": at})
                if len(said["about"]) > MOST_SUBJECT:
                    return Outcome(None, refused=f"{how['subject']} is too long: at most {MOST_SUBJECT} characters")
                more = {name: each for name, each in said["more"].items() if each is not None}
                self.ballots.cast(Ballot(said["about"], by, said["choice"], how["closes"], how["sealed"], at, more))
            facts = [{**fact, "only": [by]} for fact in told.facts]
            return Outcome(None, told.refused, told.rule, told.fault, facts=facts, code=told.code)

    def own_ballots(self, player: str) -> Data:
        """What a player has voted: {thing: choice}, on the game itself only since votes on it were last counted.

        For nobody else's eyes.
        """
        cast = [ballot for ballot in self.ballots.ballots() if ballot.player == player]
        return {each.about: each.choice for each in self.valid(cast) if each.about != "game" or not self.used(each)}

    def used(self, ballot: Ballot) -> bool:
        """Whether a ballot has been counted already: another vote on the same thing begins with an empty box."""
        return ballot.at < self.fold.last_counts.get(ballot.closes, {}).get(ballot.about, -1)

    def valid(self, cast: list[Ballot]) -> list[Ballot]:
        """The ballots of those who have been players ever since they cast them: who returns has not voted."""
        joined: dict[str, int] = {}
        for name in {ballot.player for ballot in cast}:
            found = self.runtime.call("value", {"name": JOINED_AT, "of": [name]}).get("value")
            joined[name] = found if isinstance(found, int) else self.opened_at
        return [ballot for ballot in cast if ballot.at >= joined[ballot.player]]

    def _held(self) -> Line | None:
        """The entry that the present disruption has undone, or None."""
        since = self.runtime.call("value", {"name": PAUSED_AT, "of": ["game"]}).get("value")
        for line in reversed(list(self.journal.lines(1))):
            if line.get("after") and line["do"] == PAUSE and moment_of(line["at"]) == since:
                return next(self.journal.lines(line["after"]))
        return None

    def run_again(self, at: int, by: str = "Admin", **more: Any) -> Outcome:
        """Carry out the entry that a disruption has undone; if it holds now, the game goes on."""
        line = self._held()
        if line is None or not self.disrupted():
            return Outcome(None, refused="no entry is held: the game is not paused because a rule broke")
        return self.submit(line["kind"], line["by"], line["do"], line["args"], at, again=line["n"], **more)

    def tick(self, at: int, do: str, args: Data | None = None, **more: Any) -> Outcome:
        """A moment is reached: a timer's event, or one started from outside (a scenario's turn)."""
        return self.submit("tick", None, do, args, at, **more)

    def reveal(self, at: int) -> Outcome:
        """Publish the secret of the dice; later entries have another one (its commitment is in the entry).

        Once the game is over the secret of its hidden draws is published as well.
        """
        if self.secret is None:
            raise JournalError("the secret of this game is not here")
        return self._renew(at, {"secret": self.secret}, hidden=self.over())

    def move_in(self, at: int, earlier: Iterable[str] = ()) -> Outcome:
        """Go on with new secrets where the old ones are not known, or not to be known yet: after an import, and where a
        game of the older recipe goes on. `earlier`: old secrets, revealed at the end."""
        self.earlier += earlier
        return self._renew(at, {"secret": None, "recipe": sealing.RECIPE}, hidden=True, known=False)

    def _renew(self, at: int, args: Data, hidden: bool, known: bool = True) -> Outcome:
        """Enter a `reveal`: what `args` publish, and commitments to new secrets. `known`: the old ones may be published."""
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

    # ---- time

    def next_due(self) -> Data | None:
        """What is due next: {"at", "do", "args"}, the moment not before the last entry's; None if nothing is."""
        if self.stopped():
            return None
        found = self.runtime.call("due")
        candidates = [{**found, "args": {"timer": found["timer"]}}] if found else []
        paused = self.paused()
        resumed = self.runtime.call("value", {"name": RESUMED_AT, "of": ["game"]}).get("value") or 0
        for moment in self.describe()["calendar"]:
            if moment["real"] or not paused:
                last = max(self.last_moments.get(moment["name"], 0), moment["from"], 0 if moment["real"] else resumed)
                at = next_occurrence(moment, self.time_zone, last)
                candidates.append({"at": at, "do": moment["name"], "args": {}, "about": []})
        if not candidates:
            return None
        if self.over():
            return None
        first = min(candidates, key=lambda each: each["at"])
        return {**first, "at": max(first["at"], self.now)}

    def due(self) -> int | None:
        """The moment of the next thing due (seconds since 1970), or None."""
        found = self.next_due()
        return found["at"] if found else None

    def run_due(self, until: int, most: int = MOST_TICKS) -> list[Outcome]:
        """Do everything that is due up to and including a moment, each at its own moment, in order; at most so many."""
        done: list[Outcome] = []
        while len(done) < most:
            found = self.next_due()
            if found is None or found["at"] > until:
                break
            endless = self.end_endless(found)
            if endless:
                done += endless
                break
            outcome = self.submit_due(found)
            done.append(outcome)
            if outcome.refused and not found["args"]:
                self.last_moments[found["do"]] = found["at"]  # a moment that the rules refuse goes by
            elif not outcome.ok and self.next_due() == found:
                break
        return done

    def end_endless(self, found: Data) -> list[Outcome]:
        """Pause the game where what is due is one of too many timers of one moment; nothing otherwise."""
        if self.fold.at_once < MOST_AT_ONE_MOMENT or not found["args"] or found["at"] != self.now:
            return []
        rule = found["rule"] or "kernel"
        because = f"rule {rule} set one timer after another for one moment: {MOST_AT_ONE_MOMENT} of them came"
        return self.disrupt(because, found["args"]["timer"])

    def disrupt(self, because: str, timer: int | None = None) -> list[Outcome]:
        """Pause the game as a disruption, which the Admin can end; a timer that is due waits until then."""
        done: list[Outcome] = []
        if not self.paused():
            args = {"because": because, "kind": "disruption"}
            done.append(self.submit("admin", "kernel", PAUSE, args, self.now))
        if timer is not None:
            done.append(self.submit("admin", "kernel", HOLD, {"timer": timer}, self.now))
        return done

    def outage(self, since: int, until: int) -> list[Outcome]:
        """Enter that nobody was there between two moments: a pause, so that it fines nobody (iv 10.4).

        What was due before has to be done. A game that is paused already goes on being paused.
        """
        done: list[Outcome] = []
        since = max(since, self.now)
        if since >= until:
            return done
        if not self.paused():
            args = {"because": "the site was away", "kind": "outage"}
            done.append(self.submit("admin", "kernel", PAUSE, args, since))
        done.append(self.submit("admin", "kernel", END_OUTAGE, {"since": since}, until))
        return done

    def submit_due(self, found: Data, at: int | None = None, **more: Any) -> Outcome:
        """Enter what `next_due` has found; if ballots wait for it, they are counted and go in with it."""
        about = (*found["about"], "game")
        every = not found["about"]  # it names nothing: what waits for it may be about anything
        waiting = [each for each in self.ballots.ballots() if every or each.about in about]
        if found["do"] == EMERGENCY_CLOSES:  # it sees to what the rules' own close has left
            ballots = [each for each in waiting if each.about in found["about"]]
        else:
            ballots = [each for each in waiting if each.closes == found["do"] and not self.used(each)]
        votes = [how for how in self.describe()["ballots"].values() if how["closes"] == found["do"]]
        if not ballots and found["do"] != EMERGENCY_CLOSES and not votes:
            return self.submit("tick", None, found["do"], found["args"], at or found["at"], **more)
        things = self.runtime.call("ids")["things"]
        players = [id for id, kind in things.items() if kind == "player"]
        further = list(dict.fromkeys(name for how in votes for name in how["more"]))
        spoken = () if any(how["things"] for how in votes) or found["do"] == EMERGENCY_CLOSES else things
        args = {**found["args"], **counted(self.valid(ballots), players, self.ballots, further, spoken)}
        return self.submit("ballots", None, found["do"], args, at or found["at"], **more)

    def disrupted(self) -> bool:
        """Whether the game is paused because a rule broke."""
        return self.runtime.call("value", {"name": PAUSE_KIND, "of": ["game"]}).get("value") == "disruption"

    def over(self) -> bool:
        """Whether the game has ended, where rules say that games end."""
        return self.runtime.call("value", {"name": OVER, "of": ["game"]}).get("value") is True

    def stopped(self) -> bool:
        """Whether the operator of the site has stopped the game."""
        return self.runtime.call("value", {"name": OPERATOR_STOP, "of": ["game"]}).get("value") is not None

    def paused(self) -> bool:
        """Whether the game is paused now."""
        return bool(self.runtime.call("value", {"name": PAUSED, "of": ["game"]}).get("value"))

    # ---- reading

    def view(self, viewer: str, now: int | None = None) -> Data:
        """What a viewer (a player's name, "admin" or "visitor") may see of the state."""
        wanted = {"viewer": viewer, "now": now or 0}
        try:
            shown: Data = self.runtime.call("view", wanted)
        except Fault:  # a value or marker that never ends: what things have is there to be seen
            shown = self.runtime.call("view", {**wanted, "bare": True})
        shown = mended(shown)
        shown["edition"] = self.edition
        shown["ballots"] = self.own_ballots(viewer)
        return shown

    def actions(
        self, viewer: str, now: int | None = None, untried: bool = False, only: Iterable[str] | None = None
    ) -> list[Data]:
        """The actions of a viewer, with their forms and whether each is possible now; `only` these, if not all.

        `untried`: without asking the rules that, which takes most of the time; then an action counts as possible unless
        there is nothing to choose from.
        """
        wanted = {"viewer": viewer, "now": now or 0, "untried": untried}
        names = list(self.describe()["actions"])
        chosen = names if only is None else [name for name in names if name in set(only)]
        found: list[Data] = []
        for at in range(0, len(chosen), TRIED_TOGETHER):  # a call has its limit of time, whatever the number of actions
            several = chosen[at : at + TRIED_TOGETHER]
            try:
                found += self.runtime.call("actions", {**wanted, "only": several})
            except Fault:
                for name in several:
                    found += self._action_alone({**wanted, "only": [name]})
        for asked in [asked for action in found for asked in action["fields"] if asked["type"] == "moment"]:
            asked.update(zone=self.time_zone, default=text_in(asked["default"], self.time_zone))
        return mended(found)  # type: ignore[no-any-return]

    def _action_alone(self, wanted: Data) -> list[Data]:
        """One action; without its choices if a rule breaks there."""
        try:
            return self.runtime.call("actions", wanted)  # type: ignore[no-any-return]
        except Fault:
            return self.runtime.call("actions", {**wanted, "bare": True})  # type: ignore[no-any-return]

    def preview(self, by: str | None, do: str, args: Data | None, at: int) -> Outcome:
        """What an order would do, without doing it; it stops at the first roll (`rolls`). `by` None: the Admin."""
        args = self._with_seconds(do, args)
        try:
            args = self.with_earlier_forms(args or {})
            found = self.runtime.call("preview", {"by": by, "do": do, "args": args or {}, "at": max(at, self.now)})
        except ChangeError as error:
            return Outcome(None, refused=f"check: {error}")
        except Fault as fault:
            return Outcome(None, fault=mended({"rule": fault.rule, "line": fault.line, "message": fault.message}))
        found = mended(found)
        if "refused" in found:
            return self._result(None, found)
        return Outcome(None, facts=found["facts"], changes=found["changes"], rolls=found["rolls"])

    def describe(self) -> Data:
        """What the rules in force declare: events with their sentences, values, actions, clashes, calendar."""
        described = self.fold.describe()
        if described is not self._described:
            for moment in described["calendar"]:
                moment["from"] = self._moment_of_entry(moment["since"])
            self._described = described
        return described

    def _moment_of_entry(self, n: int) -> int:
        """When an entry was made; one that is not in the journal yet is being made now."""
        line = next(iter(self.journal.lines(n)), None) if n > 0 else None
        return self.opened_at if n <= 0 else self.now if line is None else moment_of(line["at"])

    def clashes(self) -> list[Data]:
        """Which rules compete, who wins and why."""
        return self.describe()["clashes"]  # type: ignore[no-any-return]

    def records(self) -> list[Data]:
        """The rulebook in force, in book order."""
        return mended(self.fold.records())  # type: ignore[no-any-return]

    def value(self, name: str, *of: Any) -> Any:
        """A value or attribute now, as plain data. Raises KeyError if there is none of that name."""
        found = self.runtime.call("value", {"name": name, "of": list(of)})
        if "unknown" in found:
            raise KeyError(found["unknown"])
        return mended(found["value"])

    def numbers(self) -> Data:
        """What players have that can be counted, after the last entry: {player: [what all see, the owner, the Admin]}.

        For the owner and the Admin it holds only what differs from what all see; nothing at all if a rule never ends.
        """
        try:
            return self.runtime.call("numbers", {"now": self.now})  # type: ignore[no-any-return]
        except Fault:
            return {}

    def state(self) -> Data:
        """The whole state as data: what a snapshot holds."""
        return self.fold.state()

    def state_hash(self) -> str:
        """The hash of the state: the same on every machine and in every runtime. Says nothing of the clock."""
        return self.fold.state_hash()

    def facts(self, viewer: str, start: int = 0) -> list[Data]:
        """The log from entry `start` on, one dict an entry, with what this viewer may see.

        `number` counts what everybody may see; a private entry has None. A struck entry has `struck`: the strike.
        """
        log = self._logs.pop(viewer, None) or Log()
        if log.n != self.n:
            log.read_on(viewer, self.journal, self.outcomes, self.strikes)
        self._logs[viewer] = log
        if len(self._logs) > MOST_LOGS:
            self._logs.pop(next(iter(self._logs)))
        return log.entries[bisect_left(log.entries, start, key=lambda entry: entry["n"]) :]

    def _read_anew(self) -> None:
        """Forget what was read of the journal: it is now another one, or says something else."""
        self.fold.forget_rules()
        self._logs, self._history = {}, []

    def book_history(self) -> list[Data]:
        """The moments at which the book changed, oldest first: moment (0 is the opening), at, cause, records."""
        if not self._history:
            opening = {"kind": "opening", "id": None, "by": None}
            moment = {"moment": 0, "n": 0, "at": moment_of(self.first["at"]), "cause": opening, "touched": []}
            self._history = [{**moment, "records": mended(self.first["args"]["rules"])}]
            self._history_until = 0
        history = self._history
        first = self._history_until + 1
        records = {record["id"]: record for record in history[-1]["records"]}
        lines = {line["n"]: line for line in self.journal.lines(first)} if first <= self.n else {}
        for n, outcome in self.outcomes.get(first) if lines else ():
            if not outcome.get("rules") or n in struck_numbers(self.strikes):
                continue
            for id, record in mended(outcome["rules"]):
                if record is None:
                    records.pop(id, None)
                else:
                    records[id] = record
            history.append(
                {
                    "moment": len(history),
                    "n": n,
                    "at": moment_of(lines[n]["at"]),
                    "cause": cause_of(lines[n], outcome),
                    "records": list(records.values()),
                    "touched": [id for id, _ in outcome["rules"]],
                }
            )
        self._history_until = self.n
        return history[:]

    # ---- corrections

    def strike(self, entry: Any, because: str, at: int, confirm: str | None = None) -> Outcome:
        """Take an entry out as if it had never been; later ones keep their dice. Undo a strike by striking it.

        `confirm`: the hash of a `strike_preview`; if the game has moved on since, it is refused.
        """
        with self.journal.lock():
            self._at_the_end()
            refused = why_not(entry, self.fold)
            if refused or not encodable(because):
                return Outcome(None, refused=refused or UNWRITABLE)
            corrected = self._without(entry)
            told = corrected.told
            refused = self._shown_before(corrected)
            if refused:
                corrected.fold.runtime.close()
                return Outcome(None, refused=refused)
            if confirm is not None and told["hash"] != confirm:
                corrected.fold.runtime.close()
                return Outcome(None, refused="the game has moved on: preview again")
            line: Line = {
                "n": self.n + 1,
                "at": iso(max(at, self.now)),
                "kind": "strike",
                "by": "Admin",
                "do": "strike",
            }
            line["args"] = {"entry": entry, "because": because}
            if self.recipe > 1:
                self._dice_for(line)
                line.update(corrected.fold.redrawn)
            outcome = {"facts": [strike_fact(entry, because, told)], "changes": told["changes"]}
            outcome["veiled"] = corrected.fold.runtime.call("veiled", {"changes": told["changes"]})
            self._keep(line, outcome)
            self.runtime.close()
            self.fold.correct((line["n"], int(entry)), corrected.fold)
            self._read_anew()
            before = dict(self.outcomes.get(1))
            for n, recomputed in corrected.outcomes.get(1):
                self.outcomes.put(n, sealing.with_first(recomputed, before.get(n, {})))
            return self._result(line["n"], outcome)

    def strike_preview(self, entry: Any) -> Data:
        """What striking an entry would change: `changes`, `refused` (later entries that would be), `hash`.

        A reason why it cannot be struck is in `impossible`.
        """
        refused = why_not(entry, self.fold)
        if refused:
            return {"impossible": refused}
        corrected = self._without(entry)
        corrected.fold.runtime.close()
        refused = self._shown_before(corrected)
        return {"impossible": refused} if refused else corrected.told

    def _shown_before(self, corrected: Correction) -> str:
        """Why a strike would hide again what has been shown; "" if it would not."""
        if corrected.shown is None:
            return ""
        return why_not_again(corrected.shown, {entry["n"]: entry["number"] for entry in self.facts("admin")})

    def _without(self, entry: int) -> Correction:
        """The game without an entry, and what that changes."""
        return without(entry, self.fold, self.journal, self.outcomes, (self.secret, self.hidden_secret))


def open_game(
    book: Any,
    *,
    title: str,
    journal: Journal | None = None,
    game_id: str | None = None,
    runtime: str = "monty",
    time_zone: str = "UTC",
    at: int,
    secret: str | None = None,
    vault: str | None = None,
    recipe: int = sealing.RECIPE,
    options: Data | None = None,
    outcomes: OutcomeStore | None = None,
    ballots: BallotBox | None = None,
) -> Game:
    """Open a game of a rulebook (`rulebook.source.Book`): its first entry holds everything but the kernel.

    `secret` and `vault` are hex text, 32 bytes each. Give none, and both are made; give both, and keep both. With a secret
    alone the vault follows from it: for a game that is the same every time, and that keeps no secret after a reveal.
    `recipe`: 1 for lines and dice as games had them before there were two secrets.
    Raises Fault if the rulebook does not load.
    """
    journal = journal if journal is not None else MemoryJournal()
    if journal.last() is not None:
        raise JournalError("this journal already holds a game: take an empty one")
    vault = vault or (derived(secret, "vault") if secret else new_secret())
    secret = secret or new_secret()
    line: Line = {
        "n": 0,
        "at": iso(at),
        "kind": "open",
        "by": None,
        "do": None,
        "args": {
            "id": game_id or uuid.uuid4().hex,
            "edition": book.edition,
            "title": title,
            "time_zone": time_zone,
            "commitment": commitment(secret),
            "kernel": kernel_version(),
            "commons": [list(module) for module in book.commons],
            "rules": book.records,
            "offsets": offsets_of(time_zone, at),
            **(options or {}),
        },
    }
    if recipe > 1:
        line["args"] |= {"recipe": recipe, "hidden_commitment": commitment(derived(vault, HIDDEN_DRAWS))}
        line["salt"] = sealing.salt_of(derived(vault, "salts"), FIRST_HASH)
    made = make_runtime(runtime)
    outcome: Data = made.call("open", open_data(line))
    journal.append(line, sealed(line, FIRST_HASH, outcome))
    game = Game(journal, Fold(line, made), secret, outcomes, ballots, vault)
    game.outcomes.put(0, outcome)
    return game


def replay(
    journal: Journal,
    runtime: str,
    secret: str | None = None,
    *,
    strikes: list[tuple[int, int]] | None = None,
    until: int | None = None,
    outcomes: OutcomeStore | None = None,
    watch: Callable[[Game, Line], None] | None = None,
    vault: str | None = None,
    known: OutcomeStore | None = None,
) -> Game:
    """Compute a game again from its journal, without the entries that are struck.

    `strikes` stands in for the journal's own; `until` stops after that entry; `watch` sees the game before each entry.
    With the secrets, entries may draw more than they did: what they draw then is in the fold's `redrawn`. `known`:
    outcomes that say where entries broke, which takes longer to find than all the rest.
    """
    fold = Fold(first_line(journal), make_runtime(runtime))
    game = Game(journal, fold, secret, outcomes, vault=vault)
    game.outcomes.put(0, fold.open())
    run_through(
        fold,
        [line for line in journal.lines(1) if until is None or line["n"] <= until],
        game.outcomes,
        strikes=strikes,
        secrets=(secret, game.hidden_secret),
        known=known,
        watch=None if watch is None else lambda line: watch(game, line),
    )
    return game


def load_game(
    journal: Journal,
    *,
    runtime: str = "monty",
    secret: str | None = None,
    vault: str | None = None,
    earlier: Iterable[str] = (),
    snapshot: Data | None = None,
    outcomes: OutcomeStore | None = None,
    ballots: BallotBox | None = None,
) -> Game:
    """Take up a game from its journal, from a snapshot if there is one that fits.

    With a snapshot the outcomes of the entries before it are those that `outcomes` has kept. `vault`: the secret from
    which that of hidden draws and the salts are derived; `earlier`: secrets of former sites, to be revealed at the end.
    """
    if snapshot is None:
        game: Game = replay(journal, runtime, secret, outcomes=outcomes)
    else:
        game = from_snapshot(journal, runtime, secret, snapshot, outcomes)
    take_secrets(game, secret, vault)
    game.earlier = list(earlier)
    if ballots is not None:
        game.ballots = ballots
    return game


def take_secrets(game: Game, secret: str | None, vault: str | None) -> None:
    """Give a game its secrets, if they are those that the journal's last commitments are of."""
    known = game.fold.promised
    if known is None:  # from a snapshot that did not say
        reveals = [line["args"] for line in game.journal.lines() if line["kind"] in ("open", "reveal")]
        known = game.fold.promised = {name: each for args in reveals for name, each in promises_of(args).items()}
    hidden, game.recipe = known.get("hidden_commitment"), known.get("recipe", game.recipe)
    if secret is not None and commitment(secret) != known["commitment"]:
        raise JournalError("this is not the secret that the game has committed itself to")
    if vault is not None and hidden is not None and commitment(derived(vault, HIDDEN_DRAWS)) != hidden:
        raise JournalError("this is not the vault whose hidden draws the game has committed itself to")
    game.secret, game.vault = secret, vault


def take_snapshot(game: Game) -> Data:
    """A snapshot: the state after the last entry, with the hash of that entry."""
    return game.fold.snapshot()


def from_snapshot(
    journal: Journal, runtime: str, secret: str | None, snapshot: Data, outcomes: OutcomeStore | None
) -> Game:
    """A game from a snapshot and the entries after it. Raises JournalError if the snapshot is of another journal."""
    lines = list(journal.lines(snapshot["n"]))
    if not lines or lines[0]["hash"] != snapshot["hash"]:
        raise JournalError("the snapshot does not belong to this journal: throw it away")
    if any(line["kind"] == "strike" for line in lines[1:]):
        return replay(journal, runtime, secret, outcomes=outcomes)
    fold = Fold(first_line(journal), make_runtime(runtime))
    game = Game(journal, fold, secret, outcomes)
    fold.restore(snapshot, lines[0])
    kept = {n for n, _ in game.outcomes.get(snapshot["n"] + 1)}
    for line in lines[1:]:
        if "limit" in line:
            fold.advance(line)
            continue
        outcome = fold.take(line)
        if out_hash(line, outcome) != line["out"]:  # something was remembered that is not in the state
            fold.runtime.close()
            raise JournalError(f"entry {line['n']} does not follow from the snapshot: throw it away")
        if line["n"] not in kept:
            game.outcomes.put(line["n"], fold.with_sentences(outcome))
    return game

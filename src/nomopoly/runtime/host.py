"""Hosts one game: a journal, a runtime that computes what follows from it, and the outcomes of its entries.

Every change goes through `Game.submit`: the entry is carried out in the runtime, sealed with the hash of its outcome,
and appended. An entry that is refused before it has drawn leaves no line; after a draw it leaves one, so that nobody has a
second try. A fault leaves a line, because a replay has to know of it, and changes nothing; on the clock it pauses the game
as well.
"""

from __future__ import annotations

import datetime
import re
import uuid
import zoneinfo
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Protocol

from nomopoly.kernel.budgets import MOST_AT_ONE_MOMENT, MOST_ORDERS_A_DAY, MOST_REFUSALS_A_DAY
from nomopoly.rulebook.changes import ChangeError, written_out
from nomopoly.rulebook.check import Problem, check_once, check_program, check_record, declared_by
from nomopoly.rulebook.history import History
from nomopoly.runtime import sealing
from nomopoly.runtime.ballots import MOST_SUBJECT, Ballot, BallotBox, box_beside, counted
from nomopoly.runtime.entropy import commitment, derived, entropy, entropy_of, first_draws, new_secret
from nomopoly.runtime.halves import mended
from nomopoly.runtime.journal import (
    FIRST_HASH,
    Journal,
    JournalError,
    Line,
    MemoryJournal,
    MovedOn,
    digest,
    digest_of_whole,
    encodable,
    iso,
    moment_of,
    packed,
    sealed_bytes,
    unpacked,
)
from nomopoly.runtime.moments import are_offsets, offsets_of, text_in, with_seconds
from nomopoly.runtime.runtimes import Fault, Runtime, kernel_version, make_runtime
from nomopoly.runtime.trust import trusted, vouched, vouched_changes

Data = dict[str, Any]
MOST_TICKS = 10_000
HIDDEN_DRAWS = "hidden draws"  # what the second secret is derived from the vault for
DAY = 86_400  # seconds
TRIED_TOGETHER = 12  # actions
MOST_LOGS = 8  # viewers for whom the log is kept as they see it
UNWRITABLE = "this text holds half a character, or one that is none: type it anew"
MOST_SAY = 2000  # characters of a sentence in the log
FACT_WORDS = ("what", "event", "rule", "say", "text")  # fields of facts that pages read as words
WAY_OUT = frozenset(
    [
        "pause",
        "resume",
        "grant",
        "rule",
        "suspend",
        "reinstate",
        "hold",
        "end-outage",
        "emergency-propose",
        "decline-player",
    ]
)
COMING = ("approve-player", "remove-player")  # what the rules say of these holds, but for a rule that breaks
FIELD = re.compile(r"\{(\w+)(?:@([\w/+-]+))?\}")  # `{until@Europe/Berlin}`: a moment, as clocks there show it


@dataclass
class Outcome:
    """What came of an entry: facts and changes, a refusal, or a fault.

    `n` is the entry's number (None if it was refused and left no line); `changes` are [thing, attribute, before, after].
    """

    n: int | None
    refused: str | None = None
    rule: str | None = None
    fault: Data | None = None
    broke: Data | None = None  # the fault of a rule that was left out, so that the entry could stand
    facts: list[Data] = field(default_factory=list)
    changes: list[list[Any]] = field(default_factory=list)
    rolls: bool = False
    unused: list[Any] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether it was carried out."""
        return self.refused is None and self.fault is None


class OutcomeStore(Protocol):
    """Where the outcomes of entries are kept for the pages: a cache that can be computed again from the journal."""

    def put(self, n: int, outcome: Data) -> None:
        """Keep the outcome of an entry, in place of an older one."""

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on."""


class MemoryOutcomes:
    """Outcomes in memory, packed: as objects they would be in the way of the collection of garbage."""

    def __init__(self) -> None:
        self._outcomes: dict[int, bytes] = {}

    def put(self, n: int, outcome: Data) -> None:
        """Keep the outcome of an entry."""
        self._outcomes[n] = packed(outcome)

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on, in order."""
        for n in sorted(self._outcomes):
            if n >= start:
                yield n, unpacked(self._outcomes[n])


def out_hash(line: Line, outcome: Data) -> str:
    """What a line says of its outcome: a commitment in three parts, or its hash under the older recipe."""
    return sealing.out_of(line, outcome) if "salt" in line else outcome_hash(outcome)


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


def outcome_hash(outcome: Data) -> str:
    """The hash of an outcome: all of it but an interpreter's own words and sentences made for readers."""
    if "fault" in outcome:
        return digest({"fault": True})
    if "refused" in outcome:
        return digest({"refused": outcome["refused"], "rule": outcome["rule"]})
    found = {"facts": outcome["facts"], "changes": outcome["changes"], "rules": outcome.get("rules", [])}
    return digest(found) if found["rules"] else digest_of_whole(found)


def ways_out(line: Line) -> tuple[str, ...]:
    """In which ways an entry is carried out if a rule breaks in it: see `Game._carried_out`. None for what is no way out."""
    if "again" in line:
        return ()
    if line["kind"] == "admin":
        return ("rule", "all") if line["do"] in WAY_OUT else ("rule",) if line["do"] in COMING else ()
    if line["kind"] in ("tick", "ballots"):
        return ("rule", "all", "over") if line["do"] == "emergency-closes" else ()
    return ("rule", "all") if line["kind"] == "leave" else ()


def payload_of(line: Line, dice: Data, audit: bool = True, vouched: int | None = None) -> Data:
    """What the runtime gets of a line: the entry, its moment in seconds, and its dice (see `Game.dice_of`, `recorded_dice`).

    `audit`: look for traces of foul play afterwards; shipped programs need none. `vouched`: of programs in force after
    that entry it is known that they write by the verbs alone.
    """
    return {
        "n": line["n"],
        "at": moment_of(line["at"]),
        "kind": line["kind"],
        "by": line.get("by"),
        "do": line.get("do"),
        "args": line.get("args"),
        "draws": line.get("draws"),
        "again": line.get("again"),
        "queued": line.get("queued"),
        "alone": line.get("alone"),
        "audit": audit,
        "vouched": vouched,
        **dice,
    }


def recorded_dice(line: Line, redrawn: dict[int, Data] | None = None) -> Data:
    """The draws that a line holds; `redrawn`: what later strikes say that entries drew (see `redrawn_by`)."""
    if "salt" not in line:
        return {"entropy": line.get("entropy")}
    more = (redrawn or {}).get(line["n"], {})
    return {name: max(line.get(name, ""), more.get(name, ""), key=len) for name in ("drawn", "hidden")}


def redrawn_by(lines: Iterable[Line]) -> dict[int, Data]:
    """What entries drew when they were computed again after strikes: {n: {"drawn", "hidden"}}, hex text each."""
    found: dict[int, Data] = {}
    for line in lines:
        for part, name in (("redrawn", "drawn"), ("redrawn_hidden", "hidden")):
            for n, words in line.get(part, {}).items():
                kept = found.setdefault(int(n), {})
                kept[name] = max(kept.get(name, ""), words, key=len)
    return found


def open_data(line: Line) -> Data:
    """What the kernel's `open` gets of the first line."""
    args = line["args"]
    at = moment_of(line["at"])
    weekday = datetime.datetime.fromtimestamp(at, zoneinfo.ZoneInfo(args["time_zone"])).weekday()
    return {
        "title": args["title"],
        "at": at,
        "weekday": weekday,
        "commons": args["commons"],
        "rules": args["rules"],
        "offsets": args["offsets"] if are_offsets(args.get("offsets")) else [],
    }


def state_digest(state: Data) -> str:
    """The hash of a state as `dump` gives it: of all but the clock, the count of entries and which orders wait."""
    return digest({key: value for key, value in state.items() if key not in ("n", "now", "waiting")})


def struck_numbers(strikes: list[tuple[int, int]]) -> set[int]:
    """Which entries are struck, given (entry, struck entry) pairs in order; a struck strike strikes nothing."""
    struck: set[int] = set()
    for n, target in reversed(strikes):
        if n not in struck:
            struck.add(target)
    return struck


@dataclass
class Log:
    """What a viewer may see of the journal, as far as it has been read."""

    n: int = -1  # the last entry read
    number: int = -1  # of the last entry that everybody may see
    entries: list[Data] = field(default_factory=list)
    numbers: dict[int, int | None] = field(
        default_factory=dict
    )  # by which everybody knows an entry; None if only some may see it


class Game:
    """A hosted game. Make one with `open_game` or `load_game`."""

    def __init__(
        self,
        journal: Journal,
        runtime: Runtime,
        first: Line,
        secret: str | None,
        outcomes: OutcomeStore | None = None,
        ballots: BallotBox | None = None,
        vault: str | None = None,
    ) -> None:
        args = first["args"]
        self.id: str = args["id"]
        self.title: str = args["title"]
        self.edition: str = args["edition"]
        self.time_zone: str = args["time_zone"]
        self.commitment: str = args["commitment"]
        self.journal = journal
        self.runtime = runtime
        self.outcomes: OutcomeStore = outcomes if outcomes is not None else MemoryOutcomes()
        self.ballots: BallotBox = ballots if ballots is not None else box_beside(journal)
        self.first = first
        self.secret = secret
        self.recipe: int = args.get("recipe", 1)
        self.vault = vault
        self._content: bytes | None = None  # what the entry is that is being made
        self.earlier: list[str] = []  # secrets of the time before the game came here, to be revealed at its end
        self.checks = True  # refuse programs in which `rulebook.check` finds errors
        self.trusted = trusted(first)  # no program but shipped ones so far
        self.vouched = vouched(first)  # and none that could write past the verbs
        self.n = 0
        self.now = self.opened_at = moment_of(first["at"])
        self.last_moments: dict[str, int] = {}  # calendar event -> when it last began
        self.last_counts: dict[str, dict[str, int]] = {}  # closing event -> {thing: when votes on it were last counted}
        self.last_hash: str = first["hash"]
        self.strikes: list[tuple[int, int]] = []
        self.refused: list[int] = []  # entries that are refused since an earlier one was struck
        self.redrawn: Data = {}  # what entries drew beyond what the journal holds, as a strike's line says it
        self.at_once = 0  # timers that came one after the other at this second
        self.day = 0  # of the last order, counted from 1970
        self.given: dict[str, int] = {}  # orders of that day by player
        self.turned_down: dict[str, int] = {}  # and refusals, as far as this process knows
        self._described: Data | None = None
        self._sayings: dict[str, str] = {}  # event -> the sentence it declares, as described
        self._logs: dict[str, Log] = {}  # by viewer, the last asked for at the end
        self._history: list[Data] = []
        self._history_until = 0

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
            args = self._with_seconds(do, args)
            if args and args.get("changes"):
                try:
                    args = {**args, "changes": self.written_out(args["changes"])}
                except ChangeError as error:
                    return Outcome(None, refused=f"check: {error}")
            if self.checks and args and carries_programs(args):
                problem = self._first_error(args)
                if problem:
                    return Outcome(None, refused=problem)
            if kind == "admin" and do == "grant" and args and args.get("attribute") == "items":
                known = {id for each in self.describe()["declares"].values() for _, id in each["rows"]}
                unknown = no_such_item(args.get("value"), known | set(self.runtime.call("ids")["things"]))
                if unknown:
                    return Outcome(None, refused=unknown)
            way_out = kind == "admin" and do == "propose" and self.disrupted()
            if way_out and set(self.describe()["ballots"]) <= {"emergency-vote"}:  # no rule lets anybody vote
                do, way_out = "emergency-propose", False
            outcome = self._submit(kind, by, do, args, max(at, self.now), more)
            if way_out and (outcome.fault is not None or (outcome.refused or "").startswith("there is no action")):
                return self._submit(kind, by, "emergency-propose", args, max(at, self.now), more)
            return outcome

    def _with_seconds(self, do: str | None, args: Any) -> Any:
        """The arguments of an order with seconds where its form wants a moment and people wrote a date."""
        fields = self.describe()["moments"].get(do) if args else None
        return with_seconds(args, fields, self.time_zone) if fields else args

    def _at_the_end(self) -> None:
        """Raise JournalError if another writer has appended."""
        last = self.journal.last()
        if last is None or last["n"] != self.n or last["hash"] != self.last_hash:
            raise MovedOn("the game has moved on: load it again")

    def _first_error(self, args: Data) -> str | None:
        """Why a program that an entry carries could not be carried out, by `rulebook.check`; None if it could."""
        return first_error(args, self.check)

    def check(self, changes: Any, run: str = "") -> list[Problem]:
        """The problems of changes and a one-time program, against the rulebook in force."""
        return check_once(changes, run, self.records(), self.commons())

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
        self.trusted = self.trusted and trusted(line)
        outcome, broke = self._carried_out(line, dice)
        if "refused" in outcome:
            if "drawn" not in outcome:
                return Outcome(None, refused=outcome["refused"], rule=outcome["rule"] or None)
            line["refused"] = True
        problem = self._made_up(outcome) if self.checks and not self.trusted else None
        if problem:
            drawn: Data = {name: outcome[name] for name in ("drawn", "hidden", "dice") if name in outcome}
            self._rewind()
            if kind not in ("tick", "ballots") and not drawn:
                return Outcome(None, refused=problem)
            changed = next((id for id, record in outcome.get("rules", ()) if record is not None), "")
            broke = {"rule": changed, "line": 0, "message": problem}
            if do == "emergency-closes":  # its vote is over all the same
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
        payload = payload_of(line, dice, not self.trusted, self.n if self.vouched else None)
        try:
            return self.runtime.call("batch", {"entries": [payload]}, hurry)[0]  # type: ignore[no-any-return]
        except Fault as fault:
            if fault.limit in ("time", "memory"):  # of an act that nobody may be kept waiting for
                line["limit"] = fault.limit
                line["limit_since"] = next((each["since"] for each in self.records() if each["id"] == fault.rule), None)
            found = {"rule": fault.rule, "line": fault.line, "message": fault.message}
            return self.broken(line, found, fault)

    def broken(self, line: Line, found: Data, fault: Fault) -> Data:
        """The outcome of a line that broke. Of a rule that is not in the book others learn nothing: who made it up could
        have put into its number what they may not know."""
        outcome: Data = {"fault": found, **fault.drawn}
        if found["rule"] and not any(record["id"] == found["rule"] for record in self.records()):
            outcome["fault"] = {**found, "unknown": True}
        return {**outcome, "private": True} if self._is_private(line) else outcome

    def _dice_for(self, line: Line) -> Data:
        """The dice of a new entry; under the older recipe the line gets its entropy, else its salt."""
        if self.recipe == 1:
            if self.secret is not None:
                line["entropy"] = entropy(self.secret, self.id, line["n"])
            return {"entropy": line.get("entropy")}
        content = self._content = sealing.content_of(line, self.last_hash)
        salts = derived(self.vault, "salts") if self.vault is not None else new_secret()
        line["salt"] = sealing.salt_of(salts, self.last_hash)
        return dice_of(content, self.secret, self.hidden_secret)

    @property
    def hidden_secret(self) -> str | None:
        """The second secret: of draws that are hidden from somebody. Not there where the vault is not."""
        return derived(self.vault, HIDDEN_DRAWS) if self.vault is not None else None

    def _is_private(self, line: Line) -> bool:
        """Whether only those who are told of an entry see it in the log, as far as that is known of one that broke."""
        return bool(line["kind"] == "join" or line.get("queued") or line["do"] in self.describe()["private"])

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
            self._submit("admin", "kernel", "pause", args, at, {"after": line["n"]})
        if broken and (self.runtime.call("due") or {}).get("timer") == timer:
            self._submit("admin", "kernel", "hold", {"timer": timer}, at, {"after": line["n"]})

    def _rewind(self) -> None:
        """Bring the runtime back to the end of the journal, which it has run ahead of."""
        self.last_hash = ""  # where the journal cannot be read now, nothing more is written
        self.runtime.close()
        again = replay(self.journal, self.runtime.name)
        self.runtime = again.runtime
        self._read_anew()
        self.n, self.now, self.last_hash = again.n, again.now, again.last_hash

    def _keep(self, line: Line, outcome: Data) -> None:
        """Seal, append and remember an entry."""
        self.journal.append(line, sealed(line, self.last_hash, outcome, self._content))
        self._advance(line)
        self.rules_changed(outcome)
        self.votes_counted(line, outcome)
        self.outcomes.put(line["n"], self._with_sentences(outcome))

    def rules_changed(self, outcome: Data) -> None:
        """Take note of the programs that an entry has put in force."""
        if "rules" in outcome:
            self._described = None
            self.vouched = self.vouched and vouched_changes(outcome)

    def votes_counted(self, line: Line, outcome: Data) -> None:
        """Take note of the votes that an entry has counted: they do not count again."""
        if line["kind"] == "ballots" and "fault" not in outcome and "refused" not in outcome:
            moment = moment_of(line["at"])
            self.last_counts.setdefault(line["do"], {}).update(
                {row[0]: moment for row in line["args"].get("ballots", ())}
            )

    def _advance(self, line: Line) -> None:
        """Take note that an entry is part of the game."""
        moment = moment_of(line["at"])
        if line["kind"] in ("tick", "ballots") and "timer" in line["args"]:
            self.at_once = self.at_once + 1 if moment == self.now else 1
        elif moment != self.now:
            self.at_once = 0
        if line["kind"] == "order" and line["by"]:
            self._begin_day(moment)
            self.given[line["by"]] = self.given.get(line["by"], 0) + 1
        self.n = line["n"]
        self.now = moment
        self.last_hash = line["hash"]
        if line["kind"] in ("tick", "ballots") and "timer" not in line["args"]:
            self.last_moments[line["do"]] = self.now

    def _begin_day(self, moment: int) -> None:
        """Count orders anew, if another day has begun (UTC)."""
        if moment // DAY != self.day:
            self.day, self.given, self.turned_down = moment // DAY, {}, {}

    def _too_often(self, by: str, at: int) -> str | None:
        """Why a player gives no more orders today, or None."""
        self._begin_day(max(at, self.now))
        if self.given.get(by, 0) >= MOST_ORDERS_A_DAY:
            return f"you have given {MOST_ORDERS_A_DAY} orders today, and that is all one may: go on tomorrow (UTC)"
        if self.turned_down.get(by, 0) >= MOST_REFUSALS_A_DAY:
            return f"{MOST_REFUSALS_A_DAY} of your orders were refused today, and that is all one may: go on tomorrow (UTC)"
        return None

    def _with_sentences(self, outcome: Data) -> Data:
        """The outcome with `says`: the sentences that the events of its facts declare now (not hashed)."""
        self.describe()
        sayings = self._sayings
        says = {fact["event"]: sayings[fact["event"]] for fact in outcome.get("facts", ()) if fact["event"] in sayings}
        return {**outcome, "says": says} if says else outcome

    @staticmethod
    def _result(n: int, outcome: Data) -> Outcome:
        return Outcome(
            n,
            refused=outcome.get("refused"),
            fault=outcome.get("fault"),
            rule=(outcome.get("fault") or outcome).get("rule") or None,
            facts=outcome.get("facts", []),
            changes=outcome.get("changes", []),
            unused=outcome.get("unused", []),
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
            more = {"queued": True} if "order-waits" in self.describe()["events"] else {}
            outcome = self.submit("order", by, do, args, at, **more)
        if outcome.refused is not None:
            self.turned_down[by] = self.turned_down.get(by, 0) + 1
        return outcome

    def admin(self, do: str, args: Data | None, at: int, by: str = "Admin") -> Outcome:
        """An act of the Admin's desk. `strike` wants `entry` and `because`."""
        if do == "strike":
            wanted = dict(args or {})
            return self.strike(wanted.get("entry"), str(wanted.get("because") or ""), at)
        if do == "run-again" or (do == "resume" and self.resume_runs_again()):
            return self.run_again(at, by)
        return self.submit("admin", by, do, args, at)

    def operate(self, do: str, because: str, at: int) -> Outcome:
        """An act of the operator of the site, beyond every rule and the Admin: `stop` pauses the game until `resume`."""
        return self.submit("operator", "operator", do, {"because": because} if because else {}, at)

    def resume_runs_again(self) -> bool:
        """Whether the rules end a disruption by `resume` only if what broke holds now (the value `resume_runs_again`)."""
        found = self.runtime.call("value", {"name": "resume_runs_again", "of": ["game"]})
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
                do = "emergency-vote"
            if do not in described:
                return Outcome(None, refused=f"there is no action '{do}' for players")
            how = described[do]
            told = self.preview(by, do, args, at)
            if told.ok:
                for note in ("log-in", "note-vote") if how["sealed"] else ("log-in",):
                    if note in self.describe()["actions"]:
                        self._submit("order", by, note, {}, at, {})
                said = self.runtime.call("ballot", {"by": by, "do": do, "args": args, "at": at})
                if len(said["about"]) > MOST_SUBJECT:
                    return Outcome(None, refused=f"{how['subject']} is too long: at most {MOST_SUBJECT} characters")
                more = {name: each for name, each in said["more"].items() if each is not None}
                self.ballots.cast(Ballot(said["about"], by, said["choice"], how["closes"], how["sealed"], at, more))
            return Outcome(
                None, told.refused, told.rule, told.fault, facts=[{**fact, "only": [by]} for fact in told.facts]
            )

    def own_ballots(self, player: str) -> Data:
        """What a player has voted: {thing: choice}, on the game itself only since votes on it were last counted.

        For nobody else's eyes.
        """
        cast = [ballot for ballot in self.ballots.ballots() if ballot.player == player]
        return {each.about: each.choice for each in self.valid(cast) if each.about != "game" or not self.used(each)}

    def used(self, ballot: Ballot) -> bool:
        """Whether a ballot has been counted already: another vote on the same thing begins with an empty box."""
        return ballot.at < self.last_counts.get(ballot.closes, {}).get(ballot.about, -1)

    def valid(self, cast: list[Ballot]) -> list[Ballot]:
        """The ballots of those who have been players ever since they cast them: who returns has not voted."""
        joined: dict[str, int] = {}
        for name in {ballot.player for ballot in cast}:
            found = self.runtime.call("value", {"name": "joined_at", "of": [name]}).get("value")
            joined[name] = found if isinstance(found, int) else self.opened_at
        return [ballot for ballot in cast if ballot.at >= joined[ballot.player]]

    def _held(self) -> Line | None:
        """The entry that the present disruption has undone, or None."""
        since = self.runtime.call("value", {"name": "paused_at", "of": ["game"]}).get("value")
        for line in reversed(list(self.journal.lines(1))):
            if line.get("after") and line["do"] == "pause" and moment_of(line["at"]) == since:
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
        resumed = self.runtime.call("value", {"name": "resumed_at", "of": ["game"]}).get("value") or 0
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
            if self.at_once >= MOST_AT_ONE_MOMENT and found["args"] and found["at"] == self.now:
                rule = found["rule"] or "kernel"
                because = f"rule {rule} set one timer after another for one moment: {MOST_AT_ONE_MOMENT} of them came"
                done += self.disrupt(because, found["args"]["timer"])
                break
            outcome = self.submit_due(found)
            done.append(outcome)
            if outcome.refused and not found["args"]:
                self.last_moments[found["do"]] = found["at"]  # a moment that the rules refuse goes by
            elif not outcome.ok and self.next_due() == found:
                break
        return done

    def disrupt(self, because: str, timer: int | None = None) -> list[Outcome]:
        """Pause the game as a disruption, which the Admin can end; a timer that is due waits until then."""
        done: list[Outcome] = []
        if not self.paused():
            args = {"because": because, "kind": "disruption"}
            done.append(self.submit("admin", "kernel", "pause", args, self.now))
        if timer is not None:
            done.append(self.submit("admin", "kernel", "hold", {"timer": timer}, self.now))
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
            done.append(self.submit("admin", "kernel", "pause", args, since))
        done.append(self.submit("admin", "kernel", "end-outage", {"since": since}, until))
        return done

    def submit_due(self, found: Data, at: int | None = None, **more: Any) -> Outcome:
        """Enter what `next_due` has found; if ballots wait for it, they are counted and go in with it."""
        about = (*found["about"], "game")
        every = not found["about"]  # it names nothing: what waits for it may be about anything
        waiting = [each for each in self.ballots.ballots() if every or each.about in about]
        if found["do"] == "emergency-closes":  # it sees to what the rules' own close has left
            ballots = [each for each in waiting if each.about in found["about"]]
        else:
            ballots = [each for each in waiting if each.closes == found["do"] and not self.used(each)]
        votes = [how for how in self.describe()["ballots"].values() if how["closes"] == found["do"]]
        if not ballots and found["do"] != "emergency-closes" and not votes:
            return self.submit("tick", None, found["do"], found["args"], at or found["at"], **more)
        things = self.runtime.call("ids")["things"]
        players = [id for id, kind in things.items() if kind == "player"]
        further = list(dict.fromkeys(name for how in votes for name in how["more"]))
        spoken = () if any(how["things"] for how in votes) or found["do"] == "emergency-closes" else things
        args = {**found["args"], **counted(self.valid(ballots), players, self.ballots, further, spoken)}
        return self.submit("ballots", None, found["do"], args, at or found["at"], **more)

    def disrupted(self) -> bool:
        """Whether the game is paused because a rule broke."""
        return self.runtime.call("value", {"name": "pause_kind", "of": ["game"]}).get("value") == "disruption"

    def over(self) -> bool:
        """Whether the game has ended, where rules say that games end."""
        return self.runtime.call("value", {"name": "over", "of": ["game"]}).get("value") is True

    def stopped(self) -> bool:
        """Whether the operator of the site has stopped the game."""
        return self.runtime.call("value", {"name": "operator_stop", "of": ["game"]}).get("value") is not None

    def paused(self) -> bool:
        """Whether the game is paused now."""
        return bool(self.runtime.call("value", {"name": "paused", "of": ["game"]}).get("value"))

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
            if args and args.get("changes"):
                args = {**args, "changes": self.written_out(args["changes"])}
            found = self.runtime.call("preview", {"by": by, "do": do, "args": args or {}, "at": max(at, self.now)})
        except ChangeError as error:
            return Outcome(None, refused=f"check: {error}")
        except Fault as fault:
            return Outcome(None, fault=mended({"rule": fault.rule, "line": fault.line, "message": fault.message}))
        found = mended(found)
        if "refused" in found:
            return Outcome(None, refused=found["refused"], rule=found["rule"] or None)
        return Outcome(None, facts=found["facts"], changes=found["changes"], rolls=found["rolls"])

    def describe(self) -> Data:
        """What the rules in force declare: events with their sentences, values, actions, clashes, calendar."""
        if self._described is None:
            self._described = mended(self.runtime.call("describe"))
            for moment in self._described["calendar"]:
                moment["from"] = self._moment_of_entry(moment["since"])
            events = self._described["events"]
            for name, fields in self._described["moments"].items():
                events[name]["say"] = with_zone(events[name]["say"], fields, self.time_zone)
            self._sayings = {name: events[name]["say"] for name in events if events[name]["say"]}
        return self._described

    def _moment_of_entry(self, n: int) -> int:
        """When an entry was made; one that is not in the journal yet is being made now."""
        line = next(iter(self.journal.lines(n)), None) if n > 0 else None
        return self.opened_at if n <= 0 else self.now if line is None else moment_of(line["at"])

    def clashes(self) -> list[Data]:
        """Which rules compete, who wins and why."""
        return self.describe()["clashes"]  # type: ignore[no-any-return]

    def records(self) -> list[Data]:
        """The rulebook in force, in book order."""
        return mended(self.runtime.call("records"))  # type: ignore[no-any-return]

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
        return self.runtime.call("dump")  # type: ignore[no-any-return]

    def state_hash(self) -> str:
        """The hash of the state: the same on every machine and in every runtime. Says nothing of the clock."""
        return state_digest(self.state())

    def facts(self, viewer: str, start: int = 0) -> list[Data]:
        """The log from entry `start` on, one dict an entry, with what this viewer may see.

        `number` counts what everybody may see; a private entry has None. A struck entry has `struck`: the strike.
        """
        log = self._logs.pop(viewer, None) or Log()
        self._read_on(log, viewer)
        self._logs[viewer] = log
        if len(self._logs) > MOST_LOGS:
            self._logs.pop(next(iter(self._logs)))
        return log.entries[bisect_left(log.entries, start, key=lambda entry: entry["n"]) :]

    def _read_on(self, log: Log, viewer: str) -> None:
        """Bring a log to the end of the journal."""
        if log.n == self.n:
            return
        struck = {target: n for n, target in self.strikes if n not in struck_numbers(self.strikes)}
        outcomes = dict(self.outcomes.get(log.n + 1))
        for line in self.journal.lines(log.n + 1):
            outcome = outcomes.get(line["n"], {})
            private = bool(outcome.get("private")) and not public_facts(outcome)
            if not private:
                log.number += 1
            log.numbers[line["n"]] = None if private else log.number
            entry = view_entry(line, outcome, viewer, log.numbers[line["n"]], struck.get(line["n"]))
            if entry is not None and line["kind"] == "strike":
                entry["facts"] = [with_number(fact, log.numbers) for fact in entry["facts"]]
            if entry is not None:
                log.entries.append(mended(entry))
            log.n = line["n"]

    def _read_anew(self) -> None:
        """Forget what was read of the journal: it is now another one, or says something else."""
        self._described, self._logs, self._history = None, {}, []

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
            preview, refused = self._strike_copy(entry)
            if preview is None or not encodable(because):
                return Outcome(None, refused=refused or UNWRITABLE)
            copy, told = preview
            if confirm is not None and told["hash"] != confirm:
                copy.runtime.close()
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
                line.update(copy.redrawn)
            outcome = {"facts": [strike_fact(entry, because, told)], "changes": told["changes"]}
            outcome["veiled"] = copy.runtime.call("veiled", {"changes": told["changes"]})
            self._keep(line, outcome)
            self.runtime.close()
            self.runtime = copy.runtime
            self._read_anew()
            self.strikes.append((line["n"], int(entry)))
            self.refused, self.vouched = copy.refused, self.vouched and copy.vouched
            self.last_counts = copy.last_counts
            before = dict(self.outcomes.get(1))
            for n, recomputed in copy.outcomes.get(1):
                self.outcomes.put(n, sealing.with_first(recomputed, before.get(n, {})))
            return self._result(line["n"], outcome)

    def strike_preview(self, entry: Any) -> Data:
        """What striking an entry would change: `changes`, `refused` (later entries that would be), `hash`.

        A reason why it cannot be struck is in `impossible`.
        """
        preview, refused = self._strike_copy(entry)
        if preview is None:
            return {"impossible": refused}
        copy, told = preview
        copy.runtime.close()
        return told

    def _strike_copy(self, entry: Any) -> tuple[tuple[Game, Data] | None, str]:
        """The game without an entry, and what that changes; or (None, why it cannot be)."""
        if isinstance(entry, bool) or not isinstance(entry, int) or not 1 <= entry <= self.n:
            return None, f"there is no entry {entry!r} to strike: entries are numbered 1 to {self.n}"
        if entry in struck_numbers(self.strikes):
            return None, f"entry {entry} is already struck"
        strikes = [*self.strikes, (self.n + 1, entry)]
        secrets: Data = {"secret": self.secret, "vault": self.vault}
        copy = replay(self.journal, self.runtime.name, strikes=strikes, known=self.outcomes, **secrets)
        before, after = self.state(), copy.state()
        told: Data = {
            "entry": entry,
            "changes": state_difference(before, after),
            "refused": sorted(set(copy.refused) - set(self.refused)),
            "hash": digest([self.last_hash, entry]),
        }
        return (copy, told), ""


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
        "say": f"Struck by the Admin: entry {entry}. {because}".strip(),
    }


def with_number(fact: Data, numbers: dict[int, int | None]) -> Data:
    """The fact of a strike as its readers know it: its sentence names the entry by the number that everybody sees."""
    if fact.get("what") != "struck" or fact.get("entry") not in numbers:
        return fact
    number = numbers[fact["entry"]]
    which = "an entry that not everybody sees" if number is None else f"entry {number}"
    return {**fact, "say": f"Struck by the Admin: {which}. {fact.get('because', '')}".strip()}


def ends_game(outcome: Data) -> bool:
    """Whether the game is over with this entry."""
    return any(change[:2] == ["game", "over"] and change[3] is True for change in outcome.get("changes", ()))


def dice_of(content: bytes, secret: str | None, hidden: str | None) -> Data:
    """The dice of an entry that is `content`: the entropy of its two streams, as far as the secrets are known."""
    return {
        "entropy": entropy_of(secret, content) if secret is not None else None,
        "hidden_entropy": entropy_of(hidden, content) if hidden is not None else None,
        "hidden": "",
    }


def note_draws(line: Line, drawn: Data, dice: Data) -> None:
    """Write into a new line what its entry has drawn, and what a refusal or fault showed of it; not under the older
    recipe, whose lines hold their entropy."""
    if ("refused" in drawn or "facts" not in drawn) and drawn.get("dice"):
        line["dice"] = drawn["dice"]
    if "salt" not in line:
        return
    if drawn.get("drawn") and dice["entropy"]:
        line["drawn"] = first_draws(dice["entropy"], drawn["drawn"])
    if drawn.get("hidden") and dice["hidden_entropy"]:
        line["hidden"] = first_draws(dice["hidden_entropy"], drawn["hidden"])
        line["until"] = "the game is over"


def sealed(line: Line, prev: str, outcome: Data, content: bytes | None = None) -> bytes:
    """Seal a line with its outcome; returns it as canonical JSON. `content`: see `sealing.seal`."""
    if "salt" in line:
        return sealing.seal(line, prev, outcome, content)
    line["out"] = outcome_hash(outcome)
    return sealed_bytes(line, prev)


def fill_sentence(say: str, fact: Data) -> str:
    """A declared sentence with the fact's fields in it."""
    literals, names, zones = sentence_parts(say)
    parts = [literals[0]]
    for name, zone, literal in zip(names, zones, literals[1:], strict=True):
        content = fact.get(name, "{" + name + "}")
        if zone is not None and type(content) is int:
            content = f"{text_in(content, zone)} {zone}".replace("T", " ", 1)
        if isinstance(content, list):
            content = ("-" if name == "dice" else ", ").join(str(each) for each in content)
        parts += (str(content), literal)
    return "".join(parts)


def with_sentence(fact: Data, say: str | None, by_admin: bool = False) -> Data:
    """A fact with its sentence: the declared one of its event, or the text of news (`tell`)."""
    who = (
        {"who": "The Admin"} if by_admin else {}
    )  # where players and the Admin do the same, and a player would be named
    if say is None and fact.get("what") == "told" and "text" in fact:
        return {**fact, "say": cut(" ".join(fact["text"].split()))}
    return fact if say is None else {**fact, "say": cut(fill_sentence(say, who | fact))}


def cut(sentence: str) -> str:
    """A sentence as the log has it: a very long one is cut, its page has the parts."""
    return sentence if len(sentence) <= MOST_SAY else f"{sentence[: MOST_SAY - 1]}…"


@lru_cache(4096)
def sentence_parts(say: str) -> tuple[list[str], list[str], list[str | None]]:
    """A sentence cut at its fields: what stands between them, their names, and the time zones of those that are moments."""
    parts: list[Any] = FIELD.split(say)
    return parts[::3], parts[1::3], parts[2::3]


def with_zone(say: str, fields: Iterable[str], zone: str) -> str:
    """A declared sentence whose fields that are moments say in which time zone they are to be read."""
    for name in fields:
        say = re.sub(rf"\{{{name}_?\}}", lambda found: f"{found[0][:-1]}@{zone}}}", say)
    return say


OPENING = (
    "id",
    "title",
    "edition",
    "time_zone",
    "commitment",
    "hidden_commitment",
    "recipe",
)  # without rules and programs


def view_entry(line: Line, outcome: Data, viewer: str, number: int | None, struck: int | None) -> Data | None:
    """A log entry as a viewer may have it; None if they may not know of it."""
    says = outcome.get("says", {})
    made = dict(outcome.get("made", ()))  # place of a fact -> the rule that made somebody do it
    facts = [
        by_rule(with_sentence(fact, says.get(fact["event"]), line["kind"] == "admin"), made.get(place))
        for place, fact in enumerate(map(readable, outcome.get("facts", ())))
        if "only" not in fact or viewer in fact["only"]
    ]
    private = bool(outcome.get("private")) and line.get("by") != viewer
    if private and not facts:
        return None
    unknown = private and not any("only" in fact for fact in facts)  # of the order they only see what came of it
    if unknown:
        args: Data = {}
    elif line["kind"] == "open":
        args = {key: line["args"][key] for key in OPENING if key in line["args"]}
    else:
        args = line.get("args") or {}
    return {
        "n": line["n"],
        "number": number,
        "at": moment_of(line["at"]),
        "kind": "order" if unknown else line["kind"],
        "by": None if unknown else line.get("by"),
        "do": None if unknown else line.get("do"),
        "args": args,
        "facts": facts,
        "dice": line.get("dice", []),
        "changes": seen_changes(outcome, viewer) if not outcome.get("private") else [],
        "rules": [id for id, _ in outcome.get("rules", ())],
        "refused": refusal_for(viewer, line, outcome),
        "refused_by": outcome.get("rule", "") if "refused" in outcome and viewer in (line.get("by"), "admin") else "",
        "after_roll": "refused" in line,
        "fault": fault_for(viewer, line, outcome.get("fault")),
        "struck": struck,
        "hash": line["hash"],
        "prev": line["prev"],
        "out": line["out"] if "salt" in line or not hides(outcome) else "",
    }


def refusal_for(viewer: str, line: Line, outcome: Data) -> Any:
    """Why an entry was refused, True for those who may not know why (the words are the rule's own), None if it was not."""
    if "refused" not in outcome:
        return None
    return outcome["refused"] if viewer in (line.get("by"), "admin") or "refused" not in line else True


def fault_for(viewer: str, line: Line, fault: Data | None) -> Data | None:
    """A fault as a viewer may have it: its message is made of values that a rule chose, so others learn rule and line."""
    if fault is None or viewer in (line.get("by"), "admin"):
        return fault
    return {**fault, "message": ""} | ({"rule": "", "line": 0} if fault.get("unknown") else {})


def hides(outcome: Data) -> bool:
    """Whether somebody does not see all of an outcome."""
    return bool(outcome.get("private") or outcome.get("veiled") or sealing.viewers_of(outcome))


def readable(fact: Data) -> Data:
    """A fact in which what pages read as words, numbers or lists is that: in old games rules could put in anything."""
    odd: Data = {name: str(fact[name] or "") for name in FACT_WORDS if type(fact.get(name, "")) is not str}
    odd |= {"event": ""} if "event" not in fact else {}
    odd |= {} if type(fact.get("depth", 0)) is int else {"depth": 0}
    odd |= {} if type(fact.get("only", [])) is list else {"only": [str(fact["only"])]}
    return fact | odd if odd else fact


def by_rule(fact: Data, rule: str | None) -> Data:
    """A fact with the rule that made it happen, where the player it names has ordered nothing."""
    if rule is None:
        return fact
    told = {**fact, "made_by_rule": rule}
    return {**told, "say": f"{fact['say']} (rule {rule} did this: nobody ordered it)"} if "say" in fact else told


def public_facts(outcome: Data) -> list[Data]:
    """The facts that are told to everybody."""
    return [fact for fact in outcome.get("facts", ()) if "only" not in fact]


def seen_changes(outcome: Data, viewer: str) -> list[Any]:
    """The changes of an entry without those of attributes that are hidden from this viewer."""
    hidden = {place for place, viewers in outcome.get("veiled", ()) if viewer not in viewers}
    return [change for place, change in enumerate(outcome.get("changes", ())) if place not in hidden]


def cause_of(line: Line, outcome: Data) -> Data:
    """Why the book changed with this entry."""
    if line["kind"] == "strike":
        return {"kind": "strike", "id": str(line["args"]["entry"]), "by": "Admin"}
    made_by = [record["made_by"] for _, record in outcome["rules"] if record is not None]
    judged = [fact.get("proposal") for fact in outcome["facts"] if fact.get("what") == "judged"]
    maker = next(
        (name for name in [*judged, *made_by] if isinstance(name, str) and name not in ("admin", "opening")), None
    )
    kind = "correction" if maker is None else "thing" if "-" in maker else "proposal"
    return {"kind": kind, "id": maker, "by": line.get("by")}


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


def next_occurrence(moment: Data, zone: str, after: int) -> int:
    """When a calendar event begins next after a moment, by the wall clock of the game's time zone."""
    local = datetime.datetime.fromtimestamp(after, zoneinfo.ZoneInfo(zone))
    day = local.date()
    while True:
        if moment["weekday"] in (-1, day.weekday()):
            begins = datetime.datetime.combine(
                day, datetime.time(moment["hour"], moment["minute"]), zoneinfo.ZoneInfo(zone)
            ).timestamp()
            if begins > after:
                return int(begins)
        day += datetime.timedelta(days=1)


def unpack(value: Any) -> Any:
    """A value of a snapshot as readers see it."""
    if isinstance(value, dict):
        return value["thing"] if "thing" in value else [unpack(part) for part in value["tuple"]]
    return value


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
    outcome = made.call("open", open_data(line))
    journal.append(line, sealed(line, FIRST_HASH, outcome))
    game = Game(journal, made, line, secret, outcomes, ballots, vault)
    game.outcomes.put(0, outcome)
    return game


def first_line(journal: Journal) -> Line:
    """The `open` entry of a journal. Raises JournalError if there is none."""
    line = next(iter(journal.lines()), None)
    if line is None or line["kind"] != "open":
        raise JournalError("this journal does not begin with an open entry: it holds no game")
    return line


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
    With the secrets, entries may draw more than they did: what they draw then is in the game's `redrawn`. `known`:
    outcomes that say where entries broke, which takes longer to find than all the rest.
    """
    first = first_line(journal)
    game = Game(journal, make_runtime(runtime), first, secret, outcomes, vault=vault)
    game.outcomes.put(0, game.runtime.call("open", open_data(first)))
    lines = [line for line in journal.lines(1) if until is None or line["n"] <= until]
    game.strikes = [(line["n"], line["args"]["entry"]) for line in lines if line["kind"] == "strike"]
    struck = struck_numbers(game.strikes if strikes is None else strikes)
    dice = DiceAgain(first, lines, secret, game.hidden_secret) if strikes is not None else None
    redrawn = redrawn_by(lines)
    broken: set[int] = set()
    for line in lines:
        if watch is not None:
            watch(game, line)
        if "refused" in line and struck and line["n"] > min(struck):
            game.outcomes.put(line["n"], {"refused": "refused when it was made", "rule": ""})
        elif counts(line, struck, broken, game.refused):
            found = recorded_dice(line, redrawn)
            outcome = run_line(game, line, {**found, **dice.of(line)} if dice is not None else found, known)
            if dice is not None:
                dice.note(game.redrawn, line, outcome, found)
            if "fault" in outcome:
                broken.add(line["n"])
            if "refused" in outcome and "refused" not in line:
                game.refused.append(line["n"])
            game.rules_changed(outcome)
            game.votes_counted(line, outcome)
            game.outcomes.put(line["n"], game._with_sentences(outcome))
        game._advance(line)
    return game


class DiceAgain:
    """The entropy of entries that are computed again: they may draw more than they did when they were made."""

    def __init__(self, first: Line, lines: list[Line], secret: str | None, hidden: str | None) -> None:
        self._id = first["args"]["id"]
        reveals = [line for line in lines if line["kind"] == "reveal"]
        self._open = [(line["n"], line["args"]["secret"]) for line in reveals] + [(ENDLESS, secret)]
        self._hidden = [(line["n"], line["args"]["hidden"]) for line in reveals if "hidden" in line["args"]]
        self._hidden.append((ENDLESS, hidden))

    @staticmethod
    def _then(secrets: list[tuple[int, str | None]], n: int) -> str | None:
        """The secret from which an entry's dice came."""
        return next(secret for until, secret in secrets if n <= until)

    def of(self, line: Line) -> Data:
        """The entropy of a line, as far as its secrets are known."""
        secret = self._then(self._open, line["n"])
        if "salt" in line:
            found = dice_of(sealing.content_of(line, line["prev"]), secret, self._then(self._hidden, line["n"]))
            return {name: found[name] for name in ("entropy", "hidden_entropy")}
        if "entropy" in line or secret is None:
            return {}
        return {"entropy": entropy(secret, self._id, line["n"])}

    def note(self, redrawn: Data, line: Line, outcome: Data, recorded: Data) -> None:
        """Add to what a strike's line will say what an entry has drawn beyond what the journal holds."""
        if "salt" not in line:
            return
        dice = self.of(line)
        for part, name, source in (("redrawn", "drawn", "entropy"), ("redrawn_hidden", "hidden", "hidden_entropy")):
            count = outcome.get(name, 0)
            if 8 * count > len(recorded[name]) and dice[source] is not None:
                redrawn.setdefault(part, {})[str(line["n"])] = first_draws(dice[source], count)


ENDLESS = 2**62  # a number that no entry has


def counts(line: Line, struck: set[int], broken: set[int], refused: Collection[int]) -> bool:
    """Whether a line is carried out when a game is computed without some entries; adds it to `broken` if it hit a limit.

    What followed from a fault (the pause) does so only if that entry still breaks. One that hit a limit does, unless the
    entry that made its rule what it was is struck, or refused now.
    """
    if line["n"] in struck or line["kind"] == "strike":
        return False
    if "limit" in line:
        since = line.get("limit_since") or 0
        if since not in struck and since not in refused:
            broken.add(line["n"])
        return False
    return "after" not in line or line["after"] in broken


def run_line(game: Game, line: Line, dice: Data | None = None, known: OutcomeStore | None = None) -> Data:
    """The outcome of one line of a journal, in a game that is where the line found it.

    `dice`: its draws, if not those that the line holds. `known`: outcomes that say where a line broke; then nobody looks
    for that again.
    """
    game.runtime.finds_places = known is None
    game.trusted = game.trusted and trusted(line)
    found = recorded_dice(line) if dice is None else dice
    entry = payload_of(line, found, not game.trusted, line["n"] - 1 if game.vouched else None)
    try:
        return game.runtime.call("batch", {"entries": [entry]})[0]  # type: ignore[no-any-return]
    except Fault as fault:
        before = next(known.get(line["n"]), (0, {})) if known is not None else (0, {})
        kept = before[1].get("fault", {}) if before[0] == line["n"] else {}
        place = kept if kept.get("message") == fault.message else None
        place = place or {"rule": fault.rule, "line": fault.line, "message": fault.message}
        return game.broken(line, place, fault)
    finally:
        game.runtime.finds_places = True


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
    promised = game.commitment
    hidden = game.first["args"].get("hidden_commitment")
    for line in game.journal.lines(1):
        if line["kind"] == "reveal":
            promised = line["args"]["commitment"]
            hidden = line["args"].get("hidden_commitment", hidden)
            game.recipe = line["args"].get("recipe", game.recipe)
    if secret is not None and commitment(secret) != promised:
        raise JournalError("this is not the secret that the game has committed itself to")
    if vault is not None and hidden is not None and commitment(derived(vault, HIDDEN_DRAWS)) != hidden:
        raise JournalError("this is not the vault whose hidden draws the game has committed itself to")
    game.secret, game.vault = secret, vault


def take_snapshot(game: Game) -> Data:
    """A snapshot: the state after the last entry, with the hash of that entry."""
    return {
        "n": game.n,
        "hash": game.last_hash,
        "strikes": game.strikes,
        "refused": game.refused,
        "trusted": game.trusted,
        "vouched": game.vouched,
        "last_moments": game.last_moments,
        "last_counts": game.last_counts,
        "at_once": game.at_once,
        "given": [game.day, game.given],
        "state": game.state(),
    }


def from_snapshot(
    journal: Journal, runtime: str, secret: str | None, snapshot: Data, outcomes: OutcomeStore | None
) -> Game:
    """A game from a snapshot and the entries after it. Raises JournalError if the snapshot is of another journal."""
    first = first_line(journal)
    game = Game(journal, make_runtime(runtime), first, secret, outcomes)
    lines = list(journal.lines(snapshot["n"]))
    if not lines or lines[0]["hash"] != snapshot["hash"]:
        raise JournalError("the snapshot does not belong to this journal: throw it away")
    if any(line["kind"] == "strike" for line in lines[1:]):
        game.runtime.close()
        return replay(journal, runtime, secret, outcomes=outcomes)
    game.runtime.call("restore", {"commons": first["args"]["commons"], "state": snapshot["state"]})
    game.strikes = [(n, target) for n, target in snapshot["strikes"]]
    game.refused = list(snapshot["refused"])
    game.trusted, game.vouched = snapshot["trusted"], snapshot.get("vouched", False)
    game.last_moments = dict(snapshot["last_moments"])
    game.last_counts = {closes: dict(about) for closes, about in snapshot.get("last_counts", {}).items()}
    game.at_once = snapshot.get("at_once", 0)
    game.day, game.given = snapshot.get("given", (0, {}))
    game.n, game.now, game.last_hash = snapshot["n"], moment_of(lines[0]["at"]), snapshot["hash"]
    kept = {n for n, _ in game.outcomes.get(snapshot["n"] + 1)}
    for line in lines[1:]:
        if "limit" not in line:
            outcome = run_line(game, line)
            if out_hash(line, outcome) != line["out"]:  # something was remembered that is not in the state
                game.runtime.close()
                raise JournalError(f"entry {line['n']} does not follow from the snapshot: throw it away")
            game.rules_changed(outcome)
            game.votes_counted(line, outcome)
            if line["n"] not in kept:
                game.outcomes.put(line["n"], game._with_sentences(outcome))
        game._advance(line)
    return game


def fork(game: Game, at_entry: int, *, runtime: str | None = None) -> Game:
    """A copy of a game as it was after an entry, in memory, with dice of its own from there on."""
    if not 0 <= at_entry <= game.n:
        raise JournalError(f"there is no entry {at_entry}: entries are numbered 0 to {game.n}")
    lines = [line for line in game.journal.lines() if line["n"] <= at_entry]
    copy: Game = replay(MemoryJournal(lines), runtime or game.runtime.name)
    copy.secret, copy.vault = new_secret(), new_secret()
    copy.commitment = commitment(copy.secret)
    return copy

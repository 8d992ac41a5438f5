"""The state of a game is a fold of its journal: `Fold` is what the lines have come to, one after the other."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterator
from typing import Any

from nomopoly.runtime.halves import mended
from nomopoly.runtime.interpreters import Fault, Incident, Runtime
from nomopoly.runtime.journal import JournalError, Line, digest, moment_of
from nomopoly.runtime.moments import are_offsets, with_zone
from nomopoly.runtime.outcomes import OutcomeStore
from nomopoly.runtime.seeing import ANSWERS, Answers
from nomopoly.runtime.trust import trusted, vouched, vouched_changes

Data = dict[str, Any]
DAY = 86_400  # seconds
RARE = ("draws", "again", "queued", "alone")  # what the runtime gets of lines that have it


class Fold:
    """What a journal has come to after its line `n`: the state in a runtime, and what the host counts beside it.

    `open` or `restore` begins it, `take` carries out the next line. Whoever has carried a line out already (a game that
    makes a new one) calls `carry_out` and `note`.
    """

    def __init__(self, first: Line, runtime: Runtime) -> None:
        self.first = first
        self.runtime = runtime
        self.n: int = first["n"]
        self.now = self.opened_at = moment_of(first["at"])
        self.last_hash: str = first["hash"]
        self.trusted = trusted(first)  # no program but shipped ones so far
        self.vouched = vouched(first)  # and none that could write past the verbs
        self.last_moments: dict[str, int] = {}  # calendar event -> when it last began
        self.last_counts: dict[str, dict[str, int]] = {}  # closing event -> {thing: when votes on it were last counted}
        self.strikes: list[tuple[int, int]] = []  # (entry, struck entry)
        self.refused: list[int] = []  # entries that are refused since an earlier one was struck
        self.redrawn: Data = {}  # what entries drew beyond what the journal holds, as a strike's line says it
        self.promised: Data | None = promises_of(first["args"])  # what secrets the game has committed itself to last
        self.at_once = 0  # timers that came one after the other at this second
        self.day = 0  # of the last order, counted from 1970
        self.given: dict[str, int] = {}  # orders of that day by player
        self.turned_down: dict[str, int] = {}  # and refusals, as far as this process knows
        self._described: Data | None = None
        self._declares: Data | None = None
        self._records: list[Data] | None = None
        self._sayings: dict[str, str] | None = None  # event -> the sentence it declares
        self._said: dict[str, str] = {}  # the same, before the rules changed last

    # ---- where it begins

    def open(self) -> Data:
        """Carry out the first line. Returns its outcome. Raises Fault if the rulebook does not load."""
        return self.runtime.call("open", open_data(self.first))  # type: ignore[no-any-return]

    def restore(self, snapshot: Data, last: Line) -> None:
        """Begin with a snapshot; `last` is the line after which it was taken."""
        self.runtime.call("restore", {"commons": self.first["args"]["commons"], "state": snapshot["state"]})
        self.strikes = [(n, target) for n, target in snapshot["strikes"]]
        self.refused = list(snapshot["refused"])
        self.trusted, self.vouched = snapshot["trusted"], snapshot.get("vouched", False)
        self.last_moments = dict(snapshot["last_moments"])
        self.last_counts = {closes: dict(about) for closes, about in snapshot.get("last_counts", {}).items()}
        self.at_once = snapshot.get("at_once", 0)
        self.promised = snapshot.get("promised")
        self.day, given = snapshot.get("given", (0, {}))
        self.given = dict(given)
        self.n, self.now, self.last_hash = snapshot["n"], moment_of(last["at"]), snapshot["hash"]

    def snapshot(self) -> Data:
        """The state after the last line, with the hash of that line: what `restore` takes."""
        return {
            "n": self.n,
            "hash": self.last_hash,
            "strikes": list(self.strikes),
            "refused": list(self.refused),
            "trusted": self.trusted,
            "vouched": self.vouched,
            "last_moments": dict(self.last_moments),
            "last_counts": {closes: dict(about) for closes, about in self.last_counts.items()},
            "at_once": self.at_once,
            "promised": self.promised,
            "given": [self.day, dict(self.given)],
            "state": self.state(),
        }

    # ---- one line after the other

    def take(self, line: Line, dice: Data | None = None, known: OutcomeStore | None = None) -> Data:
        """Carry out the next line. Returns its outcome.

        `dice`: its draws, if not those that the line holds. `known`: outcomes that say where a line broke; then nobody
        looks for that again.
        """
        self.runtime.finds_places = known is None
        try:
            outcome = self.carry_out(line, recorded_dice(line) if dice is None else dice)
        except Fault as fault:
            before = next(known.get(line["n"]), (0, {})) if known is not None else (0, {})
            kept = before[1].get("fault", {}) if before[0] == line["n"] else {}
            place = kept if kept.get("message") == fault.message else None
            place = place or {"rule": fault.rule, "line": fault.line, "message": fault.message}
            outcome = self.broken(line, place, fault)
        finally:
            self.runtime.finds_places = True
        self.note(line, outcome)
        return outcome

    def carry_out(self, line: Line, dice: Data, hurry: int = 0) -> Data:
        """The outcome of the next line, which is not part of the game yet: see `note`. Raises Fault and Incident."""
        self.trusted = self.trusted and trusted(line)
        entry = payload_of(line, dice, not self.trusted, self.n if self.vouched else None)
        answers: Answers | None = self.runtime.kept.get(ANSWERS)
        outcome: Data = self.runtime.call("batch", {"entries": [entry]}, hurry)[0]
        if answers and answers.happened(outcome):
            self.runtime.kept[ANSWERS] = answers
        return outcome

    def take_many(self, lines: list[Line], redrawn: dict[int, Data] | None = None) -> Iterator[Data]:
        """Carry out the next lines, in one call of the runtime as far as none breaks; the outcome of each, when it is
        noted.

        For comparing: of a fault it says rule, line and message alone. A line that brings the first program that is not
        a shipped one has to come first, with `trusted` off. `redrawn`: what lines draw beyond what they hold (see
        `replay.redrawn_by`). Raises JournalError if the machine is too slow for one of them.
        """
        rest, at_once = lines, len(lines)
        while rest:
            known = self.n if self.vouched else None
            entries = [
                payload_of(line, recorded_dice(line, redrawn), not self.trusted, known) for line in rest[:at_once]
            ]
            try:
                outcomes = self.runtime.call("batch", {"entries": entries})
            except Fault as fault:
                broken = {"fault": {"rule": fault.rule, "line": fault.line, "message": fault.message}}
                outcomes = [*fault.results, broken]
            except Incident as incident:
                outcomes = incident.results
                if at_once == 1:
                    raise JournalError(f"entry {rest[0]['n']}: {incident}. Try it on a faster machine") from None
                at_once = 1  # the guard is that of one entry: go on one by one
            for line, outcome in zip(rest, outcomes, strict=False):
                self.note(line, outcome)
                yield outcome
            rest = rest[len(outcomes) :]

    def move(self, runtime: Runtime) -> None:
        """Go on in another interpreter, from the state as it is."""
        runtime.call("restore", {"commons": self.first["args"]["commons"], "state": self.state()})
        self.runtime.close()
        self.runtime = runtime

    def broken(self, line: Line, place: Data, fault: Fault) -> Data:
        """The outcome of a line that broke. Of a rule that is not in the book others learn nothing: who made it up
        could have put into its number what they may not know."""
        outcome: Data = {"fault": place, **fault.drawn}
        if place["rule"] and not any(record["id"] == place["rule"] for record in self.records()):
            outcome["fault"] = {**place, "unknown": True}
        return {**outcome, "private": True} if self._is_private(line) else outcome

    def as_private(self, line: Line, outcome: Data) -> Data:
        """The outcome of a line that is refused since a correction, so early that the kernel has not marked it: what
        was ordered in private stays so, and what waited does. What is done as it arrives is public, on any day."""
        described = self.describe()
        at_once = line["do"] in described["at_once"] and line["do"] not in described["private"]
        return {**outcome, "private": True} if self._is_private(line) and not at_once else outcome

    def _is_private(self, line: Line) -> bool:
        """Whether only those who are told of an entry see it in the log, as far as that is known of one that broke."""
        return bool(line["kind"] == "join" or line.get("queued") or line["do"] in self.describe()["private"])

    def note(self, line: Line, outcome: Data) -> None:
        """Take note that a line is part of the game, and of what came of it: programs in force, votes that are
        counted."""
        if "rules" in outcome:
            self.forget_rules()
            self.vouched = self.vouched and vouched_changes(outcome)
        if line["kind"] == "ballots" and "fault" not in outcome and "refused" not in outcome:
            moment = moment_of(line["at"])  # these votes do not count again
            about = dict.fromkeys(counted_in(line["args"].get("ballots")), moment)
            self.last_counts.setdefault(line["do"], {}).update(about)
        self.advance(line)

    def advance(self, line: Line) -> None:
        """Take note that a line is part of the game, of which nothing comes, or nothing any more."""
        moment, kind = moment_of(line["at"]), line["kind"]
        if moment != self.now:
            self.at_once = 0
        if kind == "tick" or kind == "ballots":
            if "timer" in line["args"]:
                self.at_once += 1
            else:
                self.last_moments[line["do"]] = moment
        elif kind == "reveal" and self.promised is not None:
            self.promised = {**self.promised, **promises_of(line["args"])}
        elif kind == "order" and line["by"]:
            self.begin_day(moment)
            self.given[line["by"]] = self.given.get(line["by"], 0) + 1
        self.n, self.now, self.last_hash = line["n"], moment, line["hash"]

    def correct(self, strike: tuple[int, int], other: Fold) -> None:
        """Go on from where another fold of the same lines, without the struck entry, has come to."""
        self.runtime = other.runtime
        self.strikes.append(strike)
        self.refused, self.vouched = other.refused, self.vouched and other.vouched
        self.last_counts = other.last_counts
        self.forget_rules()

    def begin_day(self, moment: int) -> None:
        """Begin to count orders at 0, if another day has begun (UTC)."""
        if moment // DAY != self.day:
            self.day, self.given, self.turned_down = moment // DAY, {}, {}

    # ---- what it has come to

    def state(self) -> Data:
        """The whole state as data, as `kernel.state.dump` has it."""
        return self.runtime.call("dump")  # type: ignore[no-any-return]

    def state_hash(self) -> str:
        """The hash of the state: the same on every machine and in every runtime. Says nothing of the clock."""
        return state_digest(self.state())

    def records(self) -> list[Data]:
        """The rulebook in force, in book order."""
        if self._records is None:
            self._records = self.runtime.call("records")
        return self._records[:]

    def describe(self) -> Data:
        """What the rules in force declare: events with their sentences, values, actions, clashes, calendar."""
        if self._described is None:
            self._described = mended(self.runtime.call("describe"))
            events = self._described["events"]
            for name, fields in self._described["moments"].items():
                events[name]["say"] = with_zone(events[name]["say"], fields, self.first["args"]["time_zone"])
        return self._described

    def declares(self) -> Data:
        """What each rule in force declares, by its id: names of attributes, events, values, words, actions and rows,
        and the rules that it overrides."""
        if self._declares is None:
            older = self.describe() if self.runtime.kernel else {}  # older kernels say it with all the rest
            self._declares = older.get("declares") or mended(self.runtime.call("declares"))
        return self._declares

    def sayings(self) -> dict[str, str]:
        """The sentences that events declare: a small part of what `describe` says, asked for alone where nobody wants
        the rest, as in games that are computed again. Older kernels do not know that call."""
        if self._sayings is None:
            if self._described is not None or self.runtime.kernel:
                found = {name: event["say"] for name, event in self.describe()["events"].items()}
            else:
                zone, asked = self.first["args"]["time_zone"], mended(self.runtime.call("sayings"))
                found = {name: with_zone(say, fields, zone) for name, (say, fields) in asked.items()}
            self._sayings = {name: say for name, say in found.items() if say}
        return self._sayings

    def forget_rules(self) -> None:
        """Ask the runtime again what the rules declare: they may be others now."""
        self._said = self._sayings or self._said
        self._described = self._declares = self._records = self._sayings = None

    def with_sentences(self, outcome: Data) -> Data:
        """An outcome with `says`: the sentences that the events of its facts declare now (not hashed); what a rule did
        before it was repealed in the same entry keeps its sentence."""
        sayings = self._sayings if self._sayings is not None else self.sayings()
        if "rules" in outcome:
            sayings = {**self._said, **sayings}
        says = {}
        for fact in outcome.get("facts", ()):
            event = fact["event"]
            if event not in says and event in sayings:
                says[event] = sayings[event]
        return {**outcome, "says": says} if says else outcome


def promises_of(args: Data) -> Data:
    """What the arguments of an opening or a reveal say of the secrets that are used from there on."""
    return {name: args[name] for name in ("commitment", "hidden_commitment", "recipe") if name in args}


def counted_in(ballots: Any) -> list[str]:
    """What the votes of a line are about; a journal may come from anybody, and hold anything in their place."""
    rows = ballots if isinstance(ballots, list) else []
    return [row[0] for row in rows if isinstance(row, list) and row and isinstance(row[0], str)]


def payload_of(line: Line, dice: Data, audit: bool = True, vouched: int | None = None) -> Data:
    """What the runtime gets of a line: the entry, its moment in seconds, and its dice (see `Game.dice_of`,
    `recorded_dice`).

    `audit`: look for traces of foul play afterwards; shipped programs need none. `vouched`: of programs in force after
    that entry it is known that they write by the verbs alone.
    """
    payload = {
        "n": line["n"],
        "at": moment_of(line["at"]),
        "kind": line["kind"],
        "by": line.get("by"),
        "do": line.get("do"),
        "args": line.get("args"),
        "audit": audit,
        "vouched": vouched,
        **dice,
    }
    for part in RARE:
        if part in line:
            payload[part] = line[part]
    return payload


def recorded_dice(line: Line, redrawn: dict[int, Data] | None = None) -> Data:
    """The draws that a line holds; `redrawn`: what later strikes say that entries drew (see `redrawn_by`)."""
    if "salt" not in line:
        return {"entropy": line.get("entropy")}
    more = redrawn.get(line["n"]) if redrawn else None
    if more is None:
        return {"drawn": line.get("drawn", ""), "hidden": line.get("hidden", "")}
    return {name: max(line.get(name, ""), more.get(name, ""), key=len) for name in ("drawn", "hidden")}


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

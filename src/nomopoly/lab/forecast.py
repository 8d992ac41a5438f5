"""What a proposal would do to a game, found on copies: now, and if the last weeks were played again under it.

Pages and the commands `nomopoly forecast` and `nomopoly try` ask here. With a viewer, copies hold nothing but what that
player may see, so that no program can carry out what is hidden; without one, they hold everything.
"""

from __future__ import annotations

import hashlib
import json as json_format
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.differences import at_first, differences, money, seen
from nomopoly.rulebook.changes import ChangeError, apply_changes, proposal_in, read_changes, read_data
from nomopoly.rulebook.check import Problem
from nomopoly.rulebook.clashes import Clash
from nomopoly.rulebook.clashes import clashes as clashes_of
from nomopoly.rulebook.source import Book, Record, read_text
from nomopoly.runtime.copies import Copy, as_seen, copy_of
from nomopoly.runtime.fold import recorded_dice
from nomopoly.runtime.host import Game, replay
from nomopoly.runtime.journal import Line, canonical, iso, moment_of
from nomopoly.runtime.log import fill_sentence
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.replay import struck_numbers
from nomopoly.runtime.scenarios import form, play

Data = dict[str, Any]
StateAt = Callable[[Game, int], Data]
WEEK = 604800
STRIDE = 50  # where few entries are wanted, they begin with a number that is a multiple of this
MOST_TRIES = 10  # to put a proposal in force whose program breaks as long as something is not there yet
ASIDE = ("open", "strike", "reveal")  # kinds of entries that are not played again

# ---- what is proposed


def read_proposal(path: Path) -> Data:
    """The proposal in a YAML or JSON file: {title, text, changes, run, scenario}, or a scenario's `propose` step of
    these.

    Raises CommandError.
    """
    found = read_data(read_text(path), str(path))
    if isinstance(found, dict) and isinstance(found.get("propose"), dict):
        found = {name: part for name, part in found["propose"].items() if name not in ("by", "as")}
    found = proposal_in(found, str(path))
    return {**found, "changes": read_changes(found.get("changes"))}


def changed_book(records: list[Record], changes: object) -> list[Record] | None:
    """The book after some changes, or None where they cannot be applied."""
    try:
        return apply_changes(records, changes)
    except ChangeError:
        return None


def new_clashes(records: list[Record], after: list[Record], n: int) -> list[Clash]:
    """The clashes that a changed book has and the present one has not. What changed counts as the youngest."""
    before = {record["id"]: record for record in records}
    aged = [record if before.get(record["id"]) == record else record | {"since": n + 1} for record in after]
    known = {str(clash) for clash in clashes_of(records)}
    return [clash for clash in clashes_of(aged) if str(clash) not in known]


# ---- what it would do now


@dataclass
class Forecast:
    """What would come of a proposal if it were in force now."""

    problems: list[Problem]
    clashes: list[Clash]
    outcome: Outcome | None  # None: it cannot be carried out at all
    told: list[str] = field(default_factory=list)  # what would happen, in sentences
    changes: list[list[Any]] = field(default_factory=list)  # [thing, attribute, before, after]
    money: tuple[int, int] | None = None  # all money in the game, before and after
    schema: Data = field(default_factory=dict)  # what is declared then, as `describe` has it

    @property
    def stands(self) -> bool:
        """Whether it could be put in force, and did not break."""
        return self.outcome is not None and self.outcome.ok


def forecast(game: Game, proposal: Data, viewer: str | None = None, copy: Copy | None = None) -> Forecast:
    """What a proposal would do to a game now, tried on a copy (`copy`: one that is there already; it is used up)."""
    records = game.records()
    run = proposal.get("run") or ""
    try:
        changes = game.written_out(proposal.get("changes") or [])
        run = game.run_written_out(run)
    except ChangeError as error:
        return Forecast([Problem("error", error.rule, 0, error.message)], [], None)
    proposal = {**proposal, "changes": changes, "run": run}
    problems = game.check(changes, run)
    after = changed_book(records, changes)
    found = Forecast(problems, [] if after is None else new_clashes(records, after, game.n), None)
    if any(problem.level == "error" for problem in problems):
        return found
    copy = copy or copy_for(game, viewer)
    try:
        before, schema = seen(copy, viewer), copy.describe()["schema"]
        found.outcome = copy.put_in_force(proposal)
        then, found.schema = seen(copy, viewer), copy.describe()["schema"]
        found.told = sentences(copy, found.outcome, viewer)
        found.changes = differences(before, then, at_first(schema, copy)) if found.outcome.ok else []
        found.money = money(before), money(then)
    finally:
        copy.runtime.close()
    return found


def copy_for(game: Game, viewer: str | None) -> Copy:
    """A copy of a game as a viewer sees it, or of all of it."""
    state = game.state()
    if viewer is not None:
        state, _ = as_seen(state, game.view(viewer), game.last_hash)
    return copy_of(game, state)


def sentences(copy: Copy, outcome: Outcome, viewer: str | None) -> list[str]:
    """What an outcome tells a viewer."""
    events = copy.describe()["events"]
    found = []
    for fact in outcome.facts:
        say = events.get(fact.get("event"), {}).get("say") or fact.get("say")
        if say and (viewer is None or viewer in fact.get("only", (viewer,))):
            found.append(fill_sentence(say, fact))
    return found


# ---- the last weeks again


@dataclass
class Trouble:
    """An entry of the last weeks that would not be carried out any more: refused, or broken by a rule (`line` > 0)."""

    n: int
    at: int
    by: str | None
    do: str
    args: Data
    reason: str
    rule: str
    line: int = 0
    broke: bool = False


@dataclass
class Again:
    """What came of playing the last weeks again under a proposal, against playing them again without it."""

    since: int  # the moment from which on they were played again
    first: int  # the number of the first entry that was
    entries: int = 0  # how many were
    orders: int = 0  # how many of these were orders of players
    left_out: int = 0  # entries that are hidden from the viewer
    in_force: int | None = None  # the entry after which the proposal was put in force; None: never
    why_not: str = ""  # why it was not
    troubles: list[Trouble] = field(default_factory=list)
    stopped: Trouble | None = None  # where a rule broke on the clock, so that the game would have paused
    cut_off: int | None = None  # the entry at which there was no more time; then there are no changes
    changes: list[list[Any]] = field(default_factory=list)  # [thing, attribute, as it was, under the proposal]

    @property
    def refused(self) -> list[Trouble]:
        """The entries that would be refused, and were not."""
        return [each for each in self.troubles if not each.broke]

    @property
    def broken(self) -> list[Trouble]:
        """The entries in which a rule would break, and did not."""
        return [each for each in self.troubles if each.broke]


@dataclass
class Recent:
    """The last weeks of a game, for playing them again: the state before them, and their entries."""

    state: Data
    lines: list[Line]
    same_dice: set[int]  # the entries whose dice may be used again: nothing in them was hidden
    left_out: int
    since: int
    until: int


def recent(
    game: Game,
    weeks: int,
    viewer: str | None = None,
    now: int | None = None,
    most: int | None = None,
    state_at: StateAt | None = None,
) -> Recent:
    """The last weeks of a game (of about `most` entries at the most), as a viewer may know of them.

    Of a game in the site's database nothing is read but its journal and its outcomes. `state_at` may know the states of
    earlier entries, which else are computed from the start.
    """
    until = max(now or 0, game.now)
    lines = list(game.journal.lines())
    first = next((at for at, line in enumerate(lines) if moment_of(line["at"]) > until - weeks * WEEK), len(lines))
    if most is not None:
        first = max(first, (len(lines) - most) // STRIDE * STRIDE)
    first = max(1, first)
    state = (state_at or state_after)(game, first - 1)
    if viewer is not None:
        copy = copy_of(game, state, secret=game.commitment)
        try:
            state, _ = as_seen(state, copy.view(viewer), copy.first["prev"])
        finally:
            copy.runtime.close()
    struck, outcomes = struck_numbers(game.strikes), dict(game.outcomes.get(first))
    admitted = {line["args"].get("player") for line in lines[first:] if line.get("do") == "approve-player"}
    chosen, same_dice, left_out = [], set(), 0
    for line in lines[first:]:
        n = line["n"]
        if line["kind"] in ASIDE or n in struck or n in game.refused or {"limit", "after", "refused"} & line.keys():
            continue
        outcome = outcomes.get(n, {})
        if not may_know(line, outcome, viewer, admitted):
            left_out += 1
            continue
        chosen.append(line)
        if viewer is None or nothing_hidden(outcome, viewer):
            same_dice.add(n)
    return Recent(state, chosen, same_dice, left_out, moment_of(lines[first - 1]["at"]), until)


def state_after(game: Game, n: int) -> Data:
    """The state of a game after an entry, computed from the start."""
    then = replay(game.journal, game.runtime.name, game.secret, until=n)
    try:
        return then.state()
    finally:
        then.runtime.close()


def may_know(line: Line, outcome: Data, viewer: str | None, admitted: set[Any]) -> bool:
    """Whether a viewer knows what an entry asked for."""
    if viewer is None or line.get("by") == viewer or not outcome.get("private"):
        return True
    return line["kind"] == "join" and line.get("by") in admitted


def nothing_hidden(outcome: Data, viewer: str) -> bool:
    """Whether a viewer knows all that came of an entry."""
    return all(viewer in fact.get("only", (viewer,)) for fact in outcome.get("facts", ())) and all(
        viewer in viewers for _, viewers in outcome.get("veiled", ())
    )


def play_again(game: Game, proposal: Data, weeks: int = 3, viewer: str | None = None) -> Again:
    """Play the last weeks of a game again, under a proposal and without it, and compare."""
    return compare(game, recent(game, weeks, viewer), proposal, viewer)


def compare(
    game: Game, weeks: Recent, proposal: Data, viewer: str | None = None, seconds: float | None = None
) -> Again:
    """Play some weeks twice, without the proposal and under it; `seconds`: stop each time after so long."""
    made = Again(weeks.since, weeks.lines[0]["n"] if weeks.lines else game.n + 1, left_out=weeks.left_out)
    made.entries = len(weeks.lines)
    made.orders = sum(line["kind"] == "order" for line in weeks.lines)
    seed = hashlib.sha256(canonical([game.id, weeks.since]).encode()).hexdigest()
    ends, all_troubles, cut_off = [], [], []
    schema, unsaid = game.describe()["schema"], set[tuple[str, str]]()
    for wanted in (None, proposal):
        copy = copy_of(game, weeks.state, secret=seed)
        try:
            player = Player(copy, weeks, seed, wanted, seconds)
            player.play()
            ends.append(seen(copy, viewer))
            unsaid = at_first(schema, copy)
            all_troubles.append(player.troubles)
            cut_off += [player.cut_off] if player.cut_off is not None else []
        finally:
            copy.runtime.close()
    known = {(each.n, each.broke) for each in all_troubles[0]}
    made.cut_off = min(cut_off, default=None)
    compared = [each for each in all_troubles[1] if made.cut_off is None or each.n <= made.cut_off]
    made.troubles = [each for each in compared if (each.n, each.broke) not in known]
    made.in_force, made.why_not, made.stopped = player.in_force, player.why_not, player.stopped
    mine = {f"rule {change.get(verb)}" for change in proposal.get("changes") or [] for verb in change}
    if made.cut_off is None:
        made.changes = [change for change in differences(ends[0], ends[1], unsaid) if change[0] not in mine]
    return made


class Player:
    """Plays entries again on a copy, and what falls due between them."""

    def __init__(
        self, copy: Copy, weeks: Recent, seed: str, proposal: Data | None, seconds: float | None = None
    ) -> None:
        self.copy = copy
        self.weeks = weeks
        self.seed = seed
        self.proposal = proposal
        self.in_force: int | None = None
        self.why_not = ""
        self.tries = MOST_TRIES
        self.troubles: list[Trouble] = []
        self.stopped: Trouble | None = None
        self.cut_off: int | None = None
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.n = copy.n

    def play(self) -> None:
        """Play them all; the proposal holds from the first entry on after which it fits the rules."""
        self.propose()
        for line in self.weeks.lines:
            at = moment_of(line["at"])
            if line["kind"] in ("tick", "ballots"):
                self.clock(at, line)
            else:
                self.clock(at - 1)
                if self.stopped is None:
                    self.line(line)
            if self.deadline is not None and time.monotonic() > self.deadline:
                self.cut_off = line["n"]
            if self.stopped is not None or self.cut_off is not None:
                return
        self.clock(self.weeks.until)

    def propose(self) -> None:
        """Put the proposal in force, if the rules of now let it."""
        if self.proposal is None or self.in_force is not None or not self.tries:
            return
        args = {"changes": self.proposal.get("changes") or [], "run": self.proposal.get("run") or "", "by": "admin"}
        found = self.enter("admin", "Admin", "put-in-force", args, self.copy.now)
        fault = found.get("fault")
        if fault is not None:
            self.tries -= 1
            self.why_not = f"rule {fault['rule']}, line {fault['line']}: {fault['message']}"
        elif "refused" in found:
            self.why_not = found["refused"]
        else:
            self.in_force, self.why_not = self.n, ""

    def line(self, line: Line, **more: object) -> None:
        """Play one entry."""
        self.n = line["n"]
        dice = recorded_dice(line) if line["n"] in self.weeks.same_dice else {}
        at, args = moment_of(line["at"]), {**line["args"], **more}
        if line.get("again"):
            return
        found = self.enter(line["kind"], line.get("by"), line.get("do"), args, at, dice)
        if "fault" in found or ("refused" in found and line["kind"] not in ("tick", "ballots")):
            trouble = self.trouble(found, line["n"], at, line.get("by"), line.get("do") or line["kind"], line["args"])
            self.troubles.append(trouble)
            if "fault" in found and self.pauses(line):
                self.stopped = trouble
        elif "rules" in found or line["kind"] == "admin":
            self.propose()

    def pauses(self, line: Line) -> bool:
        """Whether a game pauses when a rule breaks in such an entry."""
        return line["kind"] in ("tick", "ballots") or line.get("do") in self.copy.describe()["disrupting"]

    def clock(self, until: int, line: Line | None = None) -> None:
        """Do what is due up to a moment; the entry `line` stands for the first thing of its name."""
        before = None
        while self.stopped is None:
            due = self.copy.next_due()
            if self.deadline is not None and time.monotonic() > self.deadline:
                self.cut_off = self.n
                return
            if due is None or due["at"] > until or due == before:
                break
            before = due
            if line is not None and due["do"] == line["do"]:
                self.line(line, **due["args"])
                return
            found = self.enter("tick", None, due["do"], due["args"], due["at"], about=due["about"])
            if "fault" in found:
                self.stopped = self.trouble(found, self.n, due["at"], None, due["do"], due["args"])
                self.troubles.append(self.stopped)
            elif "rules" in found:
                self.propose()
        outside = line is not None and "timer" not in line["args"] and line["do"] not in self.moments()
        if line is not None and outside and self.stopped is None:
            self.line(line)

    def moments(self) -> set[str]:
        """The events of the calendar."""
        return {each["name"] for each in self.copy.describe()["calendar"]}

    def enter(
        self,
        kind: str,
        by: str | None,
        do: str | None,
        args: Data,
        at: int,
        recorded: Data | None = None,
        about: list[Any] | None = None,
    ) -> Data:
        """Carry out an entry on the copy. Dice that nobody has rolled yet follow from what it is and is about.

        Writes past the verbs are not searched for: that takes longer than all the rest, and checks refuse them before.
        """
        at = max(at, self.copy.now)
        own = hashlib.sha256(canonical([self.seed, kind, by, do, at, about]).encode()).hexdigest()
        unseen = hashlib.sha256(own.encode()).hexdigest()
        dice = {"entropy": own, "hidden_entropy": unseen, **(recorded or {}), "hidden": ""}
        return self.copy.enter(
            {"n": self.n, "at": at, "kind": kind, "by": by, "do": do, "args": args, "audit": False, **dice}
        )

    @staticmethod
    def trouble(found: Data, n: int, at: int, by: str | None, do: str, args: Data) -> Trouble:
        """A refusal or fault as a Trouble."""
        fault = found.get("fault")
        if fault is None:
            return Trouble(n, at, by, do, args, found["refused"], found["rule"] or "")
        return Trouble(n, at, by, do, args, fault["message"], fault["rule"], fault["line"], True)


# ---- examples


def book_under(game: Game, proposal: Data) -> Book | None:
    """The rulebook of a game as a proposal would have it; None where it does not fit."""
    after = changed_book(game.records(), proposal.get("changes") or [])
    commons = [(name, source) for name, source in game.first["args"]["commons"]]
    return None if after is None else Book(game.edition, game.title, after, commons)


def try_scenario(game: Game, proposal: Data, data: object, seconds: float | None = None) -> play.Result:
    """Play a scenario (data, or a text of it) in a game of these rules with a proposal in force."""
    return play_example(book_under(game, proposal), proposal.get("run") or "", data, seconds)


def play_example(book: Book | None, run: str, data: object, seconds: float | None = None) -> play.Result:
    """Play a scenario by a rulebook, in the sandbox, after a program has run once."""
    if book is None:
        return play.Result("", "", "monty", "the proposal does not fit the rules")
    try:
        data = form.read_one(data) if isinstance(data, str) else data
    except CommandError as error:
        return play.Result("", "", "monty", str(error))
    return play.run(data, "the example", "monty", book=book, once=run, seconds=seconds)


# ---- the commands


def main(game: Game, proposal: Data, weeks: int | None = None, json: bool = False) -> int:
    """The commands `nomopoly forecast` and, with `weeks`, `nomopoly try`. Returns 1 if the proposal would not stand."""
    found = forecast(game, proposal)
    again = play_again(game, proposal, weeks) if weeks is not None and found.stands else None
    example = try_scenario(game, proposal, proposal["scenario"]) if proposal.get("scenario") and found.stands else None
    if json:
        parts = {"forecast": asdict(found), "again": asdict(again) if again else None}
        print(json_format.dumps({**parts, "scenario": asdict(example) if example else None}, indent=2))
    else:
        print(f"{game.title} ({game.edition}), after entry {game.n} of {iso(game.now)}")
        schema = game.describe()["schema"].values()
        moments = {each["name"] for listed in schema for each in listed if each["type"] == "moment"}
        for line in told_now(found, moments):
            print(line)
        for line in told_again(again, weeks or 0, moments) if again else ():
            print(line)
        if example is not None:
            print(f"The example: {example}")
    failed = example is not None and example.failure is not None
    return 0 if found.stands and not failed and not (again and again.stopped) else 1


def told_now(found: Forecast, moments: set[str]) -> Iterator[str]:
    """A forecast in lines."""
    for problem in found.problems:
        yield f"check: {problem}"
    for clash in found.clashes:
        yield f"overruled: {clash.loser} by {clash.winner}: both {clash.both}; {clash.winner} wins ({clash.reason})"
    if found.outcome is None:
        yield "It could not be carried out."
    elif found.outcome.fault is not None:
        fault = found.outcome.fault
        where = "the program that runs once" if fault["rule"] == "admin" else f"rule {fault['rule']}"
        yield f"It breaks: {where}, line {fault['line']}: {fault['message']}"
    elif found.outcome.refused is not None:
        yield f"It would be refused: {found.outcome.refused}{by_rule(found.outcome.rule)}"
    else:
        yield "If it were in force now:"
        yield from (f"  {each}" for each in found.told)
        yield from (f"  {told_change(change, moments)}" for change in found.changes)
        if not found.told and not found.changes:
            yield "  nothing changes at once"
        if found.money is not None and found.money[0] != found.money[1]:
            yield f"  all the money in the game: from {found.money[0]} to {found.money[1]}"


def by_rule(rule: str | None) -> str:
    """Who refuses, behind the reason: a rule, or the program that the proposal runs once."""
    if rule in (None, "", "kernel"):
        return ""
    return " (its own program)" if rule == "admin" else f" (rule {rule})"


def told_change(change: list[Any], moments: set[str]) -> str:
    """A change in a line; `moments` are the attributes that hold one."""
    thing, name, *values = change
    before, after = (iso(value) if name in moments and type(value) is int else value for value in values)
    if name == "exists":
        return f"{thing} is {'new' if after else 'gone'}"
    if thing.startswith("rule "):
        return f"{thing} is changed"
    return f"{thing}: {name} from {told_value(before)} to {told_value(after)}"


def told_value(value: object) -> str:
    """A value in a line."""
    if value is None:
        return "nothing"
    return ", ".join(map(told_value, value)) or "nothing" if isinstance(value, list) else str(value)


def told_again(again: Again, weeks: int, moments: set[str]) -> Iterator[str]:
    """The last weeks again, in lines."""
    span = f"The last {weeks} week{'s' if weeks != 1 else ''} again"
    yield f"{span}: {again.entries} entries from number {again.first} on, {again.orders} of them orders of players"
    if again.in_force is None:
        yield f"  it could not be put in force then: {again.why_not}"
    elif again.in_force >= again.first:
        yield f"  it holds only after entry {again.in_force}: before, it could not be put in force"
    for each in again.troubles:
        asked = " ".join([each.do, *(f"{key}={told_value(value)}" for key, value in each.args.items())])
        how = f"would break: rule {each.rule}, line {each.line}:" if each.broke else "would be refused:"
        who = "" if each.broke else by_rule(each.rule)
        yield f"  entry {each.n}, {each.by or 'the clock'}: {asked[:200]}: {how} {each.reason}{who}"
    if again.cut_off is not None:
        yield f"  it takes too long: given up at entry {again.cut_off}"
    elif not again.troubles and again.in_force is not None:
        yield "  every entry would still be carried out"
    if again.stopped is not None:
        fault = again.stopped
        yield (
            f"  a rule breaks on the clock after entry {fault.n}: rule {fault.rule}, line {fault.line}: {fault.reason}"
        )
        yield "  the game would pause there; what came later was not played"
    if again.changes:
        yield "At the end, as it was and as it would be:"
        yield from (f"  {told_change(change, moments)}" for change in again.changes)
    elif again.in_force is not None and again.cut_off is None:
        yield "At the end all is as it was."

"""A thousand futures of a game: each twice, by the rules as they are and with a proposal in force, and what comes of
it.

A future begins with the game as somebody may see it: what is hidden from them is made up for each future, see
`runtime.copies.as_seen`. It goes on for some weeks of the game's calendar, and players act as `lab.player` does, which
is a stated assumption and no knowledge of anybody. The seeds are the list of work: the same seeds give the same result
on every machine, with any number of workers, and what a killed worker had in hand is played again.

Rules run in a hardened worker (`runtime.interpreters.hardened`), five times as fast as the sandbox. What it says is a
stranger's, and looked at. What it does not bring to an end is played in the sandbox, and so is everything where there
is no hardened worker.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.answers import Begun, Told, verified
from nomopoly.lab.inside import LEAVING, MEMORY, let_play
from nomopoly.rulebook.changes import ChangeError
from nomopoly.runtime.copies import as_seen
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import (
    CPythonRuntime,
    Fault,
    HardenedRuntime,
    Incident,
    MontyRuntime,
    NotShutIn,
    Runtime,
    SandboxGone,
    WorkerDied,
)
from nomopoly.runtime.journal import moment_of
from nomopoly.runtime.moments import offsets_of
from nomopoly.runtime.replay import struck_numbers

Data = dict[str, Any]
AnyRuntime = Runtime | HardenedRuntime
WEEK = 604_800
DAY = 86_400
MOST_FUTURES, MOST_WEEKS, MOST_WORKERS = 100_000, 52, 64
SECONDS_AHEAD = 120.0  # for one future: the guard behind counted budgets
SECONDS_HARDENED = 30.0  # the same where it is quick; then it has its time in the sandbox
GIVEN_UP = 3  # hardened workers that have ended before their time, after which the sandbox plays all
MEMORY_AHEAD = 512 * 1024 * 1024
DEALS = 8  # ways in which what is hidden is made up: future n has the way n % DEALS
HARDENED, SANDBOX = "hardened", "monty"
RENEWED = {
    HARDENED: 2000,
    SANDBOX: 100,
    "cpython": 2000,
}  # futures after which a process is replaced: it remembers all programs
WATCHED = 20  # futures, the first ones, in which it is looked which rules do something
LATELY = 5000  # entries from which habits are taken
FEW = 20  # orders: of fewer nobody's habits are taken
NOTES = ("log-in", "note-vote")  # orders that are entered for a player
NOW, THEN = "now", "then"


# ---- what is to be played


@dataclass
class Work:
    """All that a worker knows: nothing that the viewer may not see, and plain data alone.

    `states` are the beginnings, `seeds` the list of work. `commons` are the shared programs of the game.
    """

    viewer: str
    commons: list[Any]
    states: list[Data]
    proposal: Data | None
    until: int
    marks: list[int]
    offsets: list[Any]
    last: dict[str, int]
    how: Data
    seeds: list[str]
    watched: frozenset[str]
    aside: str | None = None  # the proposal itself, if it is open in the game: nobody decides on it meanwhile
    kernel: str = ""  # that the game is played with: "" for this version's
    made_up: int = 0  # attributes that the viewer does not see
    about: Data = field(default_factory=dict)  # the game, for readers: title, players, attributes, rules, now

    def asked(self, seed: str, base: str) -> Data:
        """What the interpreter is asked for a future: see `ahead.go_ahead`."""
        names = ("viewer", "until", "marks", "offsets", "last", "aside")
        place = int(seed.rpartition(":")[2]) % len(self.states)
        how = {**self.how, **{name: {} for name in MEMORY}}
        return {
            **{name: getattr(self, name) for name in names},
            "base": f"{base} {place}",
            "seed": seed,
            "how": how,
            "keeps": seed in self.watched,
        }


def prepare(
    game: Game, proposal: Data | None, futures: int, weeks: int, viewer: str = "visitor", seed: int | str = 1
) -> Work:
    """The work for so many futures of a game as a viewer (a player's name, "admin" or "visitor") may see it.

    With an `id` the proposal is one that is open in the game.
    Raises CommandError for numbers and names that make no future, and for changes that do not fit the book.
    """
    verify_numbers(futures, weeks)
    view = game.view(viewer)
    if viewer not in ("admin", "visitor") and view["things"].get(viewer, {}).get("kind") != "player":
        raise CommandError(f"there is no player '{viewer}' in this game: say visitor, admin or a player's name")
    if game.over():
        raise CommandError("this game is over: it has no future")
    if game.paused():
        raise CommandError("this game is paused: let it go on first")
    aside = None
    if proposal is not None:
        try:
            changes = game.written_out(proposal.get("changes") or [])
        except ChangeError as error:
            raise CommandError(f"the proposal does not fit the rules: {error}") from error
        aside = proposal.get("id")
        proposal = {"changes": changes, "run": proposal.get("run") or ""}
        wrong = [each for each in game.check(changes, proposal["run"]) if each.level == "error"] if game.checks else []
        if wrong:
            raise CommandError(f"the proposal does not pass the check: {wrong[0]}")
    state = game.state() | {"now": game.now}  # not the moment of whatever was asked for last
    states, made_up = beginnings(state, view, f"{seed}:{game.last_hash}")
    seeds = [f"{seed}:{n}" for n in range(futures)]
    return Work(
        viewer=viewer,
        commons=game.first["args"]["commons"],
        states=states,
        proposal=proposal,
        until=game.now + weeks * WEEK,
        marks=[game.now + n * WEEK for n in range(weeks)],
        offsets=offsets_of(game.time_zone, game.now),
        last=last_moments(game),
        how=habits(game, viewer, len([1 for _, kind, _ in state["things"] if kind == "player"])),
        seeds=seeds,
        watched=frozenset(seeds[:WATCHED]),
        made_up=made_up,
        aside=aside,
        about=about(game, view),
        kernel=game.runtime.kernel,
    )


def open_proposal(game: Game, id: str, viewer: str = "visitor") -> Data:
    """The open proposal of this id, as a viewer sees it: {"id", "changes", "run"}. Raises CommandError, with the ids of
    those that there are, if it is none."""
    things = game.view(viewer)["things"].values()
    found = {each["id"]: each for each in things if each["kind"] == "proposal" and each.get("phase") != "done"}
    if not found:
        raise CommandError(f"'{id}' is no file, and no open proposal of this game: there is none")
    if id not in found:
        raise CommandError(f"'{id}' is no file, and no open proposal of this game: open are {', '.join(found)}")
    changes = found[id].get("changes") or []
    if isinstance(changes, str):  # as its page reads it
        try:
            changes = json.loads(changes)
        except (ValueError, RecursionError):
            changes = []
    return {"id": id, "changes": changes, "run": found[id].get("run") or ""}


def about(game: Game, view: Data) -> Data:
    """What readers want to know of a game: its title, moment, players, the numbers of players, and its rules."""
    listed = [each for each in view["schema"].get("player", ()) if each["label"]]
    listed = [each for each in listed if each["summary"] or each["type"] == "money"]
    listed.sort(key=lambda each: (not each["derived"], each["type"] != "money", not each["summary"]))
    return {
        "title": game.title,
        "entry": game.n,
        "at": game.now,
        "players": [id for id, thing in view["things"].items() if thing["kind"] == "player"],
        "numbers": {each["name"]: [each["label"], each["type"] == "money"] for each in listed},
        "rules": {record["id"]: record["title"] for record in game.records() if record["code"]},
    }


def verify_numbers(futures: int, weeks: int, workers: int = 1) -> None:
    """Raise CommandError for numbers that make no future."""
    for name, number, most in (
        ("futures", futures, MOST_FUTURES),
        ("weeks", weeks, MOST_WEEKS),
        ("workers", workers, MOST_WORKERS),
    ):
        if not 1 <= number <= most:
            raise CommandError(f"--{name} must be from 1 to {most:,}: not {number}")


def beginnings(state: Data, view: Data, seed: str) -> tuple[list[Data], int]:
    """The states in which futures begin, what is hidden made up in another way in each; and how much is made up.

    The game keeps its clock, which is in its first entry for everybody to read.
    """
    offsets = next((values.get("offsets") for id, _, values in state["things"] if id == "game"), None)
    found, made_up = [], 0
    for n in range(DEALS):
        made, invented = as_seen(state, view, f"{seed}:{n}")
        for id, _, values in made["things"]:
            if id == "game" and offsets is not None:
                values["offsets"] = offsets
        made_up = len([1 for id, _ in invented if id != "game"])
        found.append(made)
        if not made_up:
            break
    return found, made_up


def last_moments(game: Game) -> dict[str, int]:
    """After which moment each event of the calendar comes."""
    return {
        each["name"]: max(game.last_moments.get(each["name"], 0), each["from"], 0 if each["real"] else game.opened_at)
        for each in game.describe()["calendar"]
    }


def habits(game: Game, viewer: str, players: int) -> Data:
    """How players have played, as far as the viewer knows: how often they order what, how they vote, how often they
    act.

    Of a long game its last entries are read. In a game of a few orders it is what bots do: what they have done least,
    once a day, and half of the votes.
    """
    orders: Counter[str] = Counter()
    votes: dict[str, Counter[str]] = {}
    days = set()
    first = max(1, game.n - LATELY)
    outcomes, struck = dict(game.outcomes.get(first)), struck_numbers(game.strikes)
    described = game.describe()
    ballots = {how["closes"]: (do, how["choice"]) for do, how in described["ballots"].items()}
    actions = set(described["actions"]) - set(NOTES)
    began = game.opened_at
    for line in game.journal.lines(first):
        if line["n"] == first > 1:
            began = moment_of(line["at"])
        if line["n"] in struck:
            continue
        outcome = outcomes.get(line["n"], {})
        for fact in outcome.get("facts", ()):
            if fact["event"] in actions and fact.get("who") and may_see(fact, viewer):
                orders[fact["event"]] += 1
                days.add((fact["who"], moment_of(line["at"]) // DAY))
        if line["kind"] == "ballots" and line["do"] in ballots and not outcome.get("private"):
            for row in line["args"].get("ballots", ()):
                many = row[2] if type(row[2]) is int else 1
                if type(row[1]) is str:
                    votes.setdefault(" ".join(ballots[line["do"]]), Counter())[row[1]] += many
    how: Data = {"policy": "random", "avoids": [*LEAVING], "votes": 50, "often": 1000}
    how["habits"] = {name: dict(sorted(counted.items())) for name, counted in sorted(votes.items())}
    if sum(orders.values()) >= FEW:
        played = max(1, (game.now - began) // DAY)
        how["orders"] = dict(sorted(orders.items()))
        how["often"] = max(1, min(1000, 1000 * len(days) // (played * max(1, players))))
    return how


def may_see(fact: Data, viewer: str) -> bool:
    """Whether a viewer sees a fact."""
    return fact.get("only") is None or viewer in fact["only"]


# ---- playing


class Worker:
    """Plays futures, one after the other. Its interpreter is replaced now and then, and when something has ended it.

    `runtime` is "hardened" (with the sandbox behind it), "monty" for the sandbox alone, or "cpython" for rules that one
    trusts.
    """

    def __init__(self, work: Work, runtime: str = "hardened") -> None:
        self.work = work
        self.kind = runtime
        self.made: dict[str, AnyRuntime] = {}
        self.played: Counter[str] = Counter()
        self.ended = 0  # hardened workers, before their time
        self.why = ""  # the last one did

    def ready(self, kind: str) -> AnyRuntime:
        """An interpreter with all beginnings in it. Raises NotShutIn where there is none of that kind."""
        if kind in self.made and self.played[kind] < RENEWED[kind]:
            return self.made[kind]
        self.close(kind)
        made = self.made[kind] = start(kind, self.work.kernel)
        made.call("restore", {"commons": self.work.commons, "state": self.work.states[0]})
        let_play(made, "ahead")
        for place, state in enumerate(self.work.states):
            made.call("base", {"name": f"{NOW} {place}", "state": state})
        for place in range(len(self.work.states)) if self.work.proposal is not None else ():
            asked = {"name": f"{THEN} {place}", "of": f"{NOW} {place}", "proposal": self.work.proposal}
            found = verified(Begun, made.call("base", {**asked, "seed": f"in force {place}"}))
            if found:
                raise CommandError(why_not_in_force(found))
        return made

    def play(self, seed: str) -> Data:
        """Both futures of a seed: {"now", "then"}; {"lost": why} if the machine ends them twice."""
        found = self.twice(lambda kind: {base: self.ask(kind, seed, base) for base in self.bases()})
        return {"seed": seed, **({"lost": self.why} if found is None else found)}

    def again(self, seed: str, base: str, script: list[Any]) -> Data | None:
        """A future in which players take these steps and no others; None if the machine ends it twice."""
        return self.twice(lambda kind: self.ask(kind, seed, base, {"script": script}))

    def ask(self, kind: str, seed: str, base: str, more: Data | None = None) -> Data:
        """One future by one interpreter."""
        runtime = self.ready(kind)
        self.played[kind] += 1
        return verified(Told, runtime.call("ahead", {**self.work.asked(seed, base), **(more or {})}))

    def twice(self, play: Callable[[str], Data]) -> Data | None:
        """Play something, once more if that is ended: the second time in the sandbox, unless all is trusted."""
        for attempt in range(2):
            kind = self.kind if not attempt or self.kind != HARDENED else SANDBOX
            try:
                return play(kind)
            except NotShutIn:
                self.kind = SANDBOX
                return self.twice(play)
            except (Fault, Incident, SandboxGone, WorkerDied) as error:
                self.why = str(error)
                self.close(kind)
                self.ended += kind == HARDENED
                if self.ended >= GIVEN_UP:
                    self.kind = SANDBOX
        return None

    def bases(self) -> tuple[str, ...]:
        """What is played: as it is, and under the proposal if there is one."""
        return (NOW,) if self.work.proposal is None else (NOW, THEN)

    def close(self, kind: str = "") -> None:
        """Give interpreters back: those of a kind, or all."""
        for name in [each for each in self.made if each == kind or not kind]:
            self.made.pop(name).close()
            self.played[name] = 0


def start(kind: str, kernel: str) -> AnyRuntime:
    """An interpreter for futures. Raises NotShutIn where there is no hardened one."""
    if kind == HARDENED:
        return HardenedRuntime(seconds=SECONDS_HARDENED, kernel=kernel)
    if kind == SANDBOX:
        return MontyRuntime(seconds=SECONDS_AHEAD, memory=MEMORY_AHEAD, kernel=kernel)
    return CPythonRuntime(kernel=kernel)


def why_not_in_force(found: Data) -> str:
    """Why a proposal cannot be in force, as a sentence."""
    if "refused" in found:
        return f"the proposal would be refused: {found['refused']}"
    return f"the proposal breaks at once: rule {found['broke']['rule']}: {found['broke']['message']}"


def play_all(
    work: Work,
    workers: int = 1,
    runtime: str = HARDENED,
    progress: Callable[[int], bool] | None = None,
) -> list[Data]:
    """Play all futures of a work. Returns what came of them in order of the seeds.

    Each worker is a sandbox process of its own, driven by a thread. `progress` is called with the number of futures
    played; if it returns False, what has not begun is left out.
    """
    verify_numbers(len(work.seeds), 1, workers)
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for seed in work.seeds:
        waiting.put(seed)
    found: dict[str, Data] = {}
    failed: list[BaseException] = []
    enough = threading.Event()

    def drive() -> None:
        worker = Worker(work, runtime)
        try:
            while not enough.is_set():
                try:
                    seed = waiting.get_nowait()
                except queue.Empty:
                    return
                found[seed] = worker.play(seed)
                if progress is not None and not progress(len(found)):
                    enough.set()
        except BaseException as error:
            failed.append(error)
            enough.set()
        finally:
            worker.close()

    if workers == 1:
        drive()
    else:
        threads = [threading.Thread(target=drive, daemon=True) for _ in range(min(workers, len(work.seeds)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
    return [found[seed] for seed in work.seeds if seed in found]

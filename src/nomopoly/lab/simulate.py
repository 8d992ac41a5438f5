"""Plays a game by itself: turns in rotation, everybody buying what they may.

The same edition, players, turns, seed and policy give the same game on every machine and in every runtime.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.runtime.entropy import entropy
from nomopoly.runtime.host import state_digest
from nomopoly.runtime.runtimes import Fault, Runtime, make_runtime

Data = dict[str, Any]

POLICIES = ("greedy", "random", "careful")
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kit", "Lou")
START = 1772442000  # a Monday, 09:00 UTC
RESERVE = 300  # what a careful player keeps in hand
BATCH = 100  # turns in one call: well within the time limit of a sandbox


def player_names(how_many: int) -> list[str]:
    """Names for so many players."""
    return [NAMES[at] if at < len(NAMES) else f"Player {at + 1}" for at in range(how_many)]


def secret_of(seed: int | str) -> str:
    """The secret from which all the chance of a simulation comes."""
    return hashlib.sha256(f"nomopoly simulation {seed}".encode()).hexdigest()


class Simulation:
    """One simulated game: the entries it is made of, and the buyers' decisions."""

    def __init__(self, book: Any, players: int, seed: int | str, runtime: str, policy: str) -> None:
        self.seed = seed
        self.policy = policy
        self.names = player_names(players)
        self.secret = secret_of(seed)
        self.runtime: Runtime = make_runtime(runtime)
        self.n = 0
        self.faults: list[Data] = []
        title = f"Simulation {seed}"
        commons = [list(module) for module in book.commons]
        self.runtime.call("open", {"title": title, "at": START, "commons": commons, "rules": book.records})
        for name in self.names:
            self.enter({"kind": "join", "by": name})
            self.enter({"kind": "admin", "do": "approve-player", "args": {"player": name}})

    def entry(self, n: int, what: Data) -> Data:
        """An entry as the kernel takes it."""
        return {"n": n, "at": START, "entropy": entropy(self.secret, "simulation", n), **what}

    def enter(self, what: Data) -> Data:
        """Carry out one entry. Returns its outcome; one that is refused bears no number."""
        return self.enter_all([what])[0]

    def enter_all(self, wanted: list[Data]) -> list[Data]:
        """Carry out entries up to the first that is refused, breaks or opens an option. Returns their outcomes."""
        entries = [self.entry(self.n + 1 + at, what) for at, what in enumerate(wanted)]
        try:
            outcomes: list[Data] = self.runtime.call("batch", {"entries": entries, "stop": ["option"]})
        except Fault as fault:
            broken = {"rule": fault.rule, "line": fault.line, "message": fault.message}
            outcomes = [*fault.results, {"fault": broken, "facts": []}]
            self.faults.append({"n": self.n + len(outcomes), **broken})
        self.n += len(outcomes) - ("refused" in outcomes[-1])
        return outcomes

    def play(self, turns: int) -> int:
        """Give so many turns in rotation. Returns how many were taken: fewer, if the game ended."""
        done = 0
        while done < turns:
            upcoming = [self.names[at % len(self.names)] for at in range(done, min(done + BATCH, turns))]
            outcomes = self.enter_all([{"kind": "tick", "do": "turn", "args": {"who": name}} for name in upcoming])
            if "refused" in outcomes[-1]:
                return done + len(outcomes) - 1
            done += len(outcomes)
            for option in [fact for fact in outcomes[-1]["facts"] if fact["what"] == "option"]:
                self.decide(option["who"], option["square"], option["price"])
        return done

    def decide(self, who: str, square: str, price: int) -> None:
        """Buy a square that a turn has put up for sale, if the policy says so and the money is there."""
        money = self.runtime.call("value", {"name": "money", "of": [who]})["value"]
        if money < price or (self.policy == "careful" and money - price < RESERVE):
            return
        if self.policy == "random" and not coin(self.seed, self.n, square):
            return
        self.enter({"kind": "order", "by": who, "do": "buy-square", "args": {"square": square}})


def coin(seed: int | str, n: int, square: str) -> bool:
    """A coin tossed for a decision: the same for the same seed."""
    return hashlib.sha256(f"{seed}:{n}:{square}".encode()).digest()[0] < 128


def simulate(
    edition: str,
    players: int = 4,
    turns: int = 100,
    seed: int | str = 1,
    runtime: str = "cpython",
    policy: str = "greedy",
    book: Any = None,
) -> Data:
    """Play a game of an edition (or of `book`). Returns turns, seconds, state_hash, faults, money and squares.

    Raises CommandError for numbers and names that make no game.
    """
    if not 1 <= players <= 1000:
        raise CommandError(f"--players must be from 1 to 1000: not {players}")
    if turns < 0:
        raise CommandError(f"--turns must be 0 or more: not {turns}")
    if policy not in POLICIES:
        raise CommandError(f"there is no policy '{policy}': there are {', '.join(POLICIES)}")
    if runtime not in ("cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython and monty")
    game = Simulation(book or load(edition), players, seed, runtime, policy)
    begun = time.perf_counter()
    done = game.play(turns)
    seconds = time.perf_counter() - begun
    state = game.runtime.call("dump")
    game.runtime.close()
    return {
        "edition": edition,
        "players": players,
        "policy": policy,
        "seed": seed,
        "runtime": runtime,
        "turns": done,
        "seconds": round(seconds, 4),
        "turns_a_second": round(done / seconds) if seconds else 0,
        "state_hash": state_digest(state),
        "faults": game.faults,
        "money": {name: values.get("money", 0) for name, values in of_kind(state, "player")},
        "squares": squares_owned(state),
    }


def load(edition: str) -> Any:
    """The shipped rulebook of an edition."""
    from nomopoly.rulebook.source import load_edition

    return load_edition(edition)


def of_kind(state: Data, kind: str) -> Iterator[tuple[str, Data]]:
    """Id and kept attributes of all things of a kind in a state."""
    return ((id, values) for id, its_kind, values in state["things"] if its_kind == kind)


def squares_owned(state: Data) -> dict[str, list[str]]:
    """The squares of each player."""
    owned: dict[str, list[str]] = {name: [] for name, _ in of_kind(state, "player")}
    for id, values in of_kind(state, "square"):
        if values.get("owner") is not None:
            owned.setdefault(values["owner"]["thing"], []).append(id)
    return owned


def main(
    edition: str,
    players: int = 4,
    turns: int | None = None,
    seed: int | str = 1,
    runtime: str = "cpython",
    policy: str = "greedy",
    weeks: int | None = None,
    as_json: bool = False,
) -> int:
    """Run a simulation and print what came of it. Returns the exit status: 1 if a rule broke."""
    if weeks is not None:
        raise CommandError(f"edition {edition} has no calendar to play by: give --turns instead of --weeks")
    result = simulate(edition, players, 100 if turns is None else turns, seed, runtime, policy)
    if as_json:
        json.dump(result, sys.stdout, indent=2)
        print()
    else:
        print(report(result))
    return 1 if result["faults"] else 0


def report(result: Data) -> str:
    """The result for readers."""
    lines = [
        f"{result['edition']}: {result['turns']} turns in {result['seconds']:.2f} s "
        f"({result['turns_a_second']:,} a second, {result['runtime']}), seed {result['seed']}, {result['policy']}",
        *(f"  {name}: ${money}, {len(result['squares'][name])} squares" for name, money in result["money"].items()),
        *(f"  entry {f['n']}: rule {f['rule']}, line {f['line']} broke: {f['message']}" for f in result["faults"]),
        f"  state {result['state_hash']}",
    ]
    return "\n".join(lines)

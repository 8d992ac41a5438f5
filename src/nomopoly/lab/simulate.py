"""Plays a game by itself: turns in rotation, everybody buying what they may.

The same edition, players, turns, seed and policy give the same game on every machine and in every runtime.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.bots import POLICIES, Bot, seated, sit_at_the_desk
from nomopoly.rulebook.outline import argument, called, first_word, parse, top_calls, word, words_in
from nomopoly.rulebook.own import is_rules, load_rules
from nomopoly.rulebook.source import Book, editions, load_edition
from nomopoly.runtime.ballots import SeededBallots
from nomopoly.runtime.entropy import entropy
from nomopoly.runtime.fold import state_digest
from nomopoly.runtime.host import Game, open_game
from nomopoly.runtime.interpreters import Fault, Incident, Runtime, make_runtime
from nomopoly.runtime.moments import offsets_of
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.verify import without_collector

Data = dict[str, Any]

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kit", "Lou")
START = 1772442000  # a Monday, 09:00 UTC
WORTH = ("square_price", "market_value")  # values that say what a square costs
RESERVE = 300  # what a careful player keeps in hand
MOST_TURNS = 10_000_000  # of one simulation, which has a quarter of an hour's work with them
MOST_AT_ONCE = 100  # things that are due as a game opens
BATCH = 100  # turns in one call, at most: well within the time limit of a sandbox
FIRST_BATCH = 4  # and how many it begins with


def player_names(how_many: int) -> list[str]:
    """Names for so many players."""
    return [NAMES[at] if at < len(NAMES) else f"Player {at + 1}" for at in range(how_many)]


def secret_of(seed: int | str) -> str:
    """The secret from which all the chance of a simulation comes."""
    return hashlib.sha256(f"nomopoly simulation {seed}".encode()).hexdigest()


@contextlib.contextmanager
def whole_rules() -> Iterator[None]:
    """Where a game is opened. Raises CommandError if its rules make no game: they are some rules without the others."""
    try:
        yield
    except Fault as fault:
        reason = fault.message.partition("Error: ")[2] or fault.message
        raise CommandError(
            f"no game can begin with these rules: {reason}. A rulebook has all the rules of a game, as in"
            " `nomopoly rules original --code --format json`"
        ) from None


class Simulation:
    """One simulated game: the entries it is made of, and the buyers' decisions."""

    def __init__(self, book: Book, players: int, seed: int | str, runtime: str, policy: str) -> None:
        self.seed = seed
        self.policy = policy
        self.names = player_names(players)
        self.secret = secret_of(seed)
        self.runtime: Runtime = make_runtime(runtime)
        self.n = 0
        self.faults: list[Data] = []
        title = f"Simulation {seed}"
        commons = [list(module) for module in book.commons]
        with whole_rules():
            about = {"title": title, "at": START, "weekday": 0, "offsets": offsets_of("UTC", START)}
            self.runtime.call("open", {**about, "commons": commons, "rules": book.records})
        known = self.runtime.call("describe")
        self.price = next((name for name in WORTH if name in known["values"]), "")
        self.offered = "option" in known["events"]  # a turn says itself what it puts up for sale
        self.buys = "buy-square" in known["actions"]
        self.begin()
        for name in self.names:
            self.enter({"kind": "join", "by": name})
            self.enter({"kind": "admin", "do": "approve-player", "args": {"player": name}})

    def begin(self) -> None:
        """Do what is due as the game opens, such as the first week, without which the rules sell nothing."""
        for _ in range(MOST_AT_ONCE):
            due = self.runtime.call("due")
            if due is None or due["at"] > START or self.faults:
                break
            if "refused" in self.enter({"kind": "tick", "do": due["do"], "args": {"timer": due["timer"]}}):
                break

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
        except (Fault, Incident) as fault:
            broken = {"rule": fault.rule, "line": fault.line, "message": fault.message}
            outcomes = [*fault.results, {"fault": broken, "facts": []}]
            self.faults.append({"n": self.n + len(outcomes), **broken})
        self.n += len(outcomes) - ("refused" in outcomes[-1])
        return outcomes

    def play(self, turns: int) -> int:
        """Give so many turns in rotation. Returns how many were taken: fewer, if the game ended."""
        done, ahead = 0, FIRST_BATCH
        alone = self.buys and not self.offered  # after each turn somebody may buy
        while done < turns:
            ahead = 1 if alone else ahead
            upcoming = [self.names[at % len(self.names)] for at in range(done, min(done + ahead, turns))]
            outcomes = self.enter_all([{"kind": "tick", "do": "turn", "args": {"who": name}} for name in upcoming])
            if "refused" in outcomes[-1]:
                return done + len(outcomes) - 1
            done += len(outcomes)
            ahead = min(2 * len(outcomes) + FIRST_BATCH, BATCH)  # what comes after an option is prepared in vain
            for option in [fact for fact in outcomes[-1]["facts"] if fact["what"] == "option"]:
                self.decide(option["who"], option["square"], option.get("price"))
            if alone and not self.faults:
                self.decide(upcoming[0], self.value("square", upcoming[0]), None)
        return done

    def value(self, name: str, of: str) -> Any:
        """An attribute or value of a thing."""
        return self.runtime.call("value", {"name": name, "of": [of]})["value"]

    def decide(self, who: str, square: str, price: int | None) -> None:
        """Buy a square that a turn has put up for sale, if the policy says so and the money is there."""
        if price is None:
            price = self.value(self.price, square) if self.price else 0
        money = self.value("money", who)
        if money < price or (self.policy == "careful" and money - price < RESERVE):
            return
        if self.policy == "random" and not coin(self.seed, self.n, square):
            return
        self.enter({"kind": "order", "by": who, "do": "buy-square", "args": {"square": square}})


DAY = 86400


def play_weeks(
    edition: str,
    players: int = 4,
    weeks: int = 1,
    seed: int | str = 1,
    runtime: str = "cpython",
    policy: str = "greedy",
    book: Book | None = None,
    proposes: bool = False,
    watch: Callable[[Game, int], None] | None = None,
) -> tuple[Game, Data]:
    """Play an edition (or a folder or file of rules) by its own calendar for so many weeks, with bots as players, a
    move of each once a day, and one at the desk.

    The game is hosted, and has a journal; for numbers alone `weeks.simulate_weeks` is quicker.
    With the policy "mixed" every bot has another one. For one that is out of the game somebody else joins after a week
    at the latest. `watch` is called with the game after each day, and its number.
    Returns the game and what `simulate` tells, with `weeks`, `updates` and `entries`. Raises CommandError.
    """
    verify_numbers(players, weeks, policy, runtime)
    game = opened(book or load(edition), seed, runtime)
    begun = time.perf_counter()
    game.run_due(START)
    bots = seated(edition, player_names(players), policy, seed, proposes)
    for bot in bots:
        take_in(game, bot.name, START)
    newcomers = iter(player_names(players * (weeks + 1))[players:])
    faults: list[Data] = []
    for day in range(weeks * 7):
        faults += play_day(game, day, bots, newcomers, seed)
        if watch is not None:
            watch(game, day + 1)
    faults += broken(game.run_due(START + weeks * 7 * DAY))
    seconds = time.perf_counter() - begun
    done = Counter(line["do"] for line in game.journal.lines(1) if line["kind"] in ("tick", "order", "ballots"))
    asked = {"edition": edition, "players": players, "policy": policy, "seed": seed, "runtime": runtime, "weeks": weeks}
    return game, {
        **asked,
        **told_of_weeks(done, game.n, seconds),
        "never": never_taken(game),
        **how_it_ended(game.state(), faults, book or load(edition)),
    }


def opened(book: Book, seed: int | str, runtime: str) -> Game:
    """A hosted game of a book, which has just been opened for a simulation."""
    with whole_rules():
        game = open_game(
            book,
            title=f"Simulation {seed}",
            game_id="simulation",
            runtime=runtime,
            at=START,
            secret=secret_of(seed),
            ballots=SeededBallots(secret_of(seed)),
        )
    game.checks = False  # a rulebook that is shipped, and numbers alone are proposed
    return game


def told_of_weeks(done: Mapping[str, int], entries: int, seconds: float) -> Data:
    """What every result says of the weeks of a game; `done`: how often what was carried out."""
    turns = sum(many for name, many in done.items() if (name or "").rpartition("-")[2] == "turn")
    return {
        "updates": done.get("update", 0),
        "turns": turns,
        "entries": entries,
        "seconds": round(seconds, 4),
        "turns_a_second": round(turns / seconds) if seconds else 0,
    }


def never_taken(game: Game) -> list[str]:
    """The actions of players that the rules have now and that nobody has taken."""
    known = game.describe()
    lines = [line for line in game.journal.lines(1) if line["n"] not in game.refused]
    taken = {line["do"] for line in lines if line["kind"] in ("order", "withdraw")}
    closed = {line["do"] for line in lines if line["kind"] == "ballots" and line["args"].get("ballots")}
    taken |= {vote for vote, how in known["ballots"].items() if how["closes"] in closed}
    taken |= {each["id"] for each in game.actions("admin", untried=True)}  # acts of the desk are nobody's moves
    return sorted(name for name in known["actions"] if name not in taken)


def play_day(game: Game, day: int, bots: list[Bot], newcomers: Iterator[str], seed: int | str) -> list[Data]:
    """Play a day of the calendar: a move of each bot, then the desk. Returns the faults.

    Every seventh day somebody new takes the place of each bot that is out of the game.
    """
    now = START + day * DAY
    faults = broken(game.run_due(now))
    if turns_are_given(game):
        faults += broken([game.tick(now, "turn", {"who": name}) for name in player_names(len(bots))])
    here = {thing for thing, kind in game.runtime.call("ids")["things"].items() if kind == "player"}
    for bot in bots:
        if bot.name not in here and day and day % 7 == 0 and not game.over():
            bot.name = next(newcomers)
            faults += broken(take_in(game, bot.name, now))
        if bot.name in here and not game.over():
            faults += broken(bot.play(game, now, orders=1))
    return faults + broken(sit_at_the_desk(game, seed, now))


def take_in(game: Game, name: str, now: int) -> list[Outcome]:
    """Somebody asks to join, and the Admin approves."""
    return [game.join(name, now), game.admin("approve-player", {"player": name}, now)]


def turns_are_given(game: Game) -> bool:
    """Whether the Admin gives turns: nobody takes one, and no calendar starts them."""
    known = game.describe()
    return "turn" in known["events"] and "take-turn" not in known["actions"] and not known["calendar"]


def broken(outcomes: list[Outcome]) -> list[Data]:
    """The faults among outcomes."""
    return [{"n": outcome.n, **outcome.fault} for outcome in outcomes if outcome.fault is not None]


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
    book: Book | None = None,
) -> Data:
    """Play a game of an edition (or of `book`). Returns turns, seconds, state_hash, faults, money and squares.

    Raises CommandError for numbers and names that make no game.
    """
    if not 0 <= turns <= MOST_TURNS:
        raise CommandError(f"--turns must be from 0 to {MOST_TURNS}: not {turns}")
    if policy == "mixed":
        raise CommandError("the policy 'mixed' is for games by the calendar: give --weeks")
    verify_numbers(players, 1, policy, runtime)
    book = book or load(edition)
    game = Simulation(book, players, seed, runtime, policy)
    if "turn" not in game.runtime.call("describe")["events"]:
        raise CommandError(f"no rule of {edition} gives turns (there is no event 'turn'): give --weeks")
    begun = time.perf_counter()
    with without_collector():
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
        **how_it_ended(state, game.faults, book),
    }


def how_it_ended(state: Data, faults: list[Data], book: Book) -> Data:
    """What every result says of the end of a game: state_hash, faults, and the money and squares of each player where
    its rules know any; and by `standing`, as words, what they have put into the standings."""
    labels, players = in_the_standings(book), list(of_kind(state, "player"))
    has_money = "money" in labels or any("money" in values for _, values in players)
    squares = squares_owned(state)
    standing = {}
    for name, values in players:
        told = [f"${values.get('money', 0)}"] if "money" in labels else []
        told += [f"{len(squares[name])} squares"] if "square" in labels else []
        standing[name] = told + [
            f"{label}: {values.get(attribute, first)}"
            for attribute, (label, first) in labels.items()
            if attribute not in ("money", "square")
        ]
    return {
        "state_hash": state_digest(state),
        "faults": faults,
        "money": {name: values.get("money", 0) for name, values in players} if has_money else {},
        "squares": squares if "square" in labels else {},
        "standing": {name: ", ".join(told) for name, told in standing.items()},
    }


def in_the_standings(book: Book) -> dict[str, tuple[str, int]]:
    """The attributes of players that count there, each with its label and first number: money and squares, where there
    are any, and the numbers with `summary=True`."""
    found: dict[str, tuple[str, int]] = {}
    for record in book.records:
        tree = parse(record["code"])
        for call, _ in top_calls(tree) if isinstance(tree, ast.Module) else ():
            first = argument(call, 2, "default")
            name = word(argument(call, 1, "name")) or ""
            if called(call) == "kind" and first_word(call) == "square":
                found["square"] = ("squares", 0)
            elif called(call) == "attribute" and "player" in words_in(argument(call, 0, "kind")):
                number = first.value if isinstance(first, ast.Constant) else None
                summary = argument(call, len(call.args), "summary") is not None
                if type(number) is int and (summary or name == "money"):
                    found[name] = (word(argument(call, 3, "label")) or name, number)
    return found


def verify_numbers(players: int, weeks: int, policy: str, runtime: str) -> None:
    """Raise CommandError for what makes no game."""
    if not 1 <= players <= 1000:
        raise CommandError(f"--players must be from 1 to 1000: not {players}")
    if not 1 <= weeks <= 1000:
        raise CommandError(f"--weeks must be from 1 to 1000: not {weeks}")
    if policy not in (*POLICIES, "mixed"):
        raise CommandError(f"there is no policy '{policy}': there are {', '.join(POLICIES)}")
    if runtime not in ("cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython and monty")


def load(edition: str) -> Book:
    """The rulebook of an edition, or of a folder or file of rules. Raises CommandError."""
    own = edition not in editions() and is_rules(Path(edition))
    return load_rules(Path(edition))[0] if own else load_edition(edition)


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

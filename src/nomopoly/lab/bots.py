"""Players made of a few lines, who can play any game: they choose among the legal choices that the forms declare.

A bot knows nothing of any edition. It sees what a player of its name sees, fills in forms, and votes. What it has tried
least it likes best, so that it comes by everything. The same game, names, policy and seed give the same orders on every
machine and in every runtime. How an order is found is in `nomopoly.lab.player`, which runs beside the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from nomopoly.lab.inside import LEAVING, MEMORY, let_play
from nomopoly.runtime.host import Game
from nomopoly.runtime.outcomes import Outcome

Data = dict[str, Any]
POLICIES = ("greedy", "random", "careful")
# What every other bot strives for in a game by the calendar, so that rare parts of a game get takers: see `Bot.likes`,
# `Bot.says`.
GOALS: dict[str, tuple[dict[str, int], dict[str, list[Any]]]] = {
    "ii": (
        {
            "make-block": 400,
            "make-block:type:industrial": 5000,
            "build": 800,
            "build:building:missile-silo": 20000,
            "buy-missile": 4000,
            "fire-missile": 4000,
            "trade-in-cards": 3000,
            "trade-in-cards:item:bingo-card": 20000,
            "trade-in-bingo": 2000,
            "play-roulette": 1000,
            "play-blackjack": 1000,
            "play-poker": 1000,
            "blackjack-stop": 1000,
        },
        {
            "play-roulette:color": ["red", "black"],
            "play-roulette:number": [None],
            "play-roulette:numbers": [None],
            "play-roulette:bet": [1, 5, 10],
            "play-blackjack:bet": [1, 5, 10],
            "play-poker:bet": [1, 5, 10],
        },
    ),
    "mail": ({"accuse": 1000}, {"accuse:sort": ["no-vote", "chains"], "accuse:pounds": [50]}),
}


class Called(Protocol):
    """What runs a game's rules, as a bot uses it: with tools of its own beside the kernel."""

    def add(self, source: str) -> None:
        """Load a tool."""

    def call(self, name: str, data: Data | None = None) -> Any:
        """Call a function of the kernel or of a tool."""


class Playable(Protocol):
    """A game as a bot plays it: one in memory, or one of a site."""

    @property
    def n(self) -> int:
        """The number of the last entry."""

    @property
    def now(self) -> int:
        """The moment of the game's clock, in seconds since 1970."""

    @property
    def opened_at(self) -> int:
        """When it was opened, in seconds since 1970."""

    @property
    def runtime(self) -> Called:
        """What runs its rules."""

    def order(self, by: str, do: str, args: Data, at: int) -> Outcome:
        """Give an order as a player."""


@dataclass
class Bot:
    """A player that plays by itself. `policy`: "random" takes any legal order, "greedy" the one that leaves it richest,
    "careful" the same, but it keeps something in hand."""

    name: str
    policy: str = "random"
    seed: int | str = 1
    proposes: bool = False
    avoids: tuple[str, ...] = LEAVING  # actions that it does not take
    likes: dict[str, int] = field(
        default_factory=dict
    )  # action, or "action:field:choice" -> per cent of what others would
    says: dict[str, list[Any]] = field(default_factory=dict)  # "action:field" -> what to try there, in place of choices
    tried: dict[str, int] = field(default_factory=dict)  # how much it has tried an action
    chosen: dict[str, int] = field(default_factory=dict)  # and, in orders given, a choice of a field
    voted: dict[str, int] = field(default_factory=dict)  # on what, and when
    # what could not be done: until when it rests, how many days, why, and where one stood
    rests: dict[str, list[Any]] = field(default_factory=dict)

    def play(self, game: Playable, now: int, orders: int = 2) -> list[Outcome]:
        """Vote on what is open, and give up to so many orders. Returns their outcomes; none was refused."""
        done: list[Outcome] = []
        for at in range(orders):
            found = self.find(game, now, first=at == 0)
            order = found["order"]
            wanted = [order, *found["votes"], found["proposal"]]
            done += [game.order(self.name, each[0], each[1], now) for each in wanted if each is not None]
            if order is None:
                break
        return [outcome for outcome in done if outcome.refused is None]

    def find(self, game: Playable, now: int, first: bool = True) -> Data:
        """What it does next, as `player.bot_day` has it; votes and proposals with the first order of a day alone."""
        let_play(game.runtime)
        now = max(now, game.now)
        memory = {name: dict(getattr(self, name)) for name in MEMORY}
        asked = {
            "who": self.name,
            "at": now,
            "seed": f"{self.seed}:{self.name}:{game.n}:{now - game.opened_at}",
            "policy": self.policy,
            "avoids": list(self.avoids),
            "casts": first,
            "proposes": first and self.proposes,
            "likes": self.likes,
            "says": self.says,
            **memory,
        }
        found: Data = game.runtime.call("bot-day", asked)
        self.tried, self.chosen, self.voted, self.rests = (found[name] for name in MEMORY)
        return found


def seated(edition: str, names: list[str], policy: str, seed: int | str, proposes: bool = False) -> list[Bot]:
    """A bot of that policy for each name, or with "mixed" of one after the other; every other one has the goals of the
    edition."""
    policies = POLICIES if policy == "mixed" else (policy,)
    bots = [Bot(name, policies[at % len(policies)], seed, proposes) for at, name in enumerate(names)]
    for bot in bots[::2]:
        bot.likes, bot.says = GOALS.get(edition, ({}, {}))
    return bots


def sit_at_the_desk(game: Game, seed: int | str, now: int) -> list[Outcome]:
    """Be the Admin for a day: decide on some of what can be chosen in acts of the desk, by chance. Returns what was
    done.

    It takes no side and overrules nobody: acts that take players, money or moves away are left alone.
    """
    let_play(game.runtime)
    now = max(now, game.now)
    acts = game.runtime.call("desk-day", {"at": now, "seed": f"{seed}:desk:{now - game.opened_at}"})
    outcomes = [game.admin(act, said, now) for act, said in acts]
    return [outcome for outcome in outcomes if outcome.refused is None]

"""Players made of a few lines, who can play any game: they choose among the legal choices that the forms declare.

A bot knows nothing of any edition. It sees what a player of its name sees, fills in forms, and votes. What it has tried least
it likes best, so that it comes by everything. The same game, names, policy and seed give the same orders on every machine and
in every runtime. How an order is found is in `nomopoly.lab.player`, which runs beside the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nomopoly.lab.inside import LEAVING, inside
from nomopoly.runtime.host import Game
from nomopoly.runtime.outcomes import Outcome

Data = dict[str, Any]
POLICIES = ("greedy", "random", "careful")


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

    def play(self, game: Game, now: int, orders: int = 2) -> list[Outcome]:
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

    def find(self, game: Game, now: int, first: bool = True) -> Data:
        """What it does next, as `player.bot_day` has it; votes and proposals with the first order of a day alone."""
        game.runtime.add(inside("player"))
        now = max(now, game.now)
        memory = {"tried": dict(self.tried), "chosen": dict(self.chosen), "voted": dict(self.voted)}
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
        self.tried, self.chosen, self.voted = (found[name] for name in memory)
        return found


def sit_at_the_desk(game: Game, seed: int | str, now: int) -> list[Outcome]:
    """Be the Admin for a day: decide on some of what can be chosen in acts of the desk, by chance. Returns what was done.

    It takes no side and overrules nobody: acts that take players, money or moves away are left alone.
    """
    game.runtime.add(inside("player"))
    now = max(now, game.now)
    acts = game.runtime.call("desk-day", {"at": now, "seed": f"{seed}:desk:{game.n}:{now - game.opened_at}"})
    outcomes = [game.admin(act, said, now) for act, said in acts]
    return [outcome for outcome in outcomes if outcome.refused is None]

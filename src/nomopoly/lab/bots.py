"""Players made of a few lines, who can play any game: they choose among the legal choices that the forms declare.

A bot knows nothing of any edition. It sees what a player of its name sees, fills in forms, and votes. The same game, names,
policy and seed give the same orders on every machine and in every runtime.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from nomopoly.runtime.host import Game, Outcome
from nomopoly.runtime.runtimes import Fault

Data = dict[str, Any]
POLICIES = ("greedy", "random", "careful")
RESERVE = 300  # dollars that a careful player keeps in hand
TRIES = 6  # forms that are filled in to find one order
PROPOSING = 0.2  # how likely a bot makes a proposal when it can
WORDS = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")
LEAVING = ("leave-game", "leave")  # bots stay
WORTH = ("square_price", "market_value")  # values that say what a square costs
NOT_FILLED = frozenset(("code", "anything"))  # kinds of fields that a bot leaves empty


@dataclass
class Bot:
    """A player that plays by itself. `policy`: "random" takes any legal order, "greedy" the one that leaves it richest,
    "careful" the same, but it keeps something in hand."""

    name: str
    policy: str = "random"
    seed: int | str = 1
    proposes: bool = False

    def play(self, game: Game, now: int, orders: int = 2) -> list[Outcome]:
        """Vote on what is open, and give up to so many orders. Returns their outcomes; none was refused."""
        chance = random.Random(f"{self.seed}:{self.name}:{game.n}:{now}")
        done: list[Outcome] = []
        offered = game.actions(self.name, now)
        for action in offered:
            if action["ballot"] and action["possible"]:
                done += self.vote(game, action, chance, now)
        for action in offered:
            if self.proposes and [1 for each in action["fields"] if each["type"] == "changes"]:
                done += self.propose(game, action, chance, now)
        possible = [each for each in offered if self.would(each)]
        for _ in range(orders):
            found = self.choose(game, possible, chance, now) if possible else None
            if found is None:
                break
            outcome = game.order(self.name, found[0], found[1], now)
            if outcome.refused is None:
                done.append(outcome)
        return done

    def propose(self, game: Game, action: Data, chance: random.Random, now: int) -> list[Outcome]:
        """Now and then, propose that a number of a rule be a little higher or lower."""
        numbers = [
            (record["id"], name, content)
            for record in game.records()
            for name, content in record["params"].items()
            if type(content) is int and content > 0
        ]
        if not numbers or chance.random() > PROPOSING:
            return []
        rule, name, content = chance.choice(numbers)
        other = max(1, content + chance.choice((-1, 1)) * max(1, content // 10))
        said = {
            "title": f"{name} {other}",
            "text": f"Not {content} any more.",
            "changes": [{"amend": rule, "params": {name: other}}],
        }
        outcome = game.order(self.name, action["id"], said, now)
        return [outcome] if outcome.refused is None else []

    @staticmethod
    def would(action: Data) -> bool:
        """Whether a bot takes an action at all: one that is possible, no vote, and asks for nothing it cannot say."""
        if action["hidden"] and action["id"] != "answer":
            return False
        needed = [field for field in action["fields"] if not field["optional"]]
        amends = [field for field in action["fields"] if field["type"] == "changes"]
        return (
            bool(action["possible"])
            and not action["ballot"]
            and action["id"] not in LEAVING
            and not amends
            and not [field for field in needed if field["type"] in NOT_FILLED]
            and not [field for field in needed if field["type"] in ("thing", "choice") and not field["choices"]]
        )

    def vote(self, game: Game, action: Data, chance: random.Random, now: int) -> list[Outcome]:
        """Vote on every open question that it can vote on."""
        subject, *rest = action["fields"]
        done = []
        for about in subject["choices"]:
            said = {subject["name"]: about["id"], **{each["name"]: self.fill(each, chance) for each in rest}}
            outcome = game.order(self.name, action["id"], said, now)
            if outcome.refused is None:
                done.append(outcome)
        return done

    def choose(self, game: Game, possible: list[Data], chance: random.Random, now: int) -> tuple[str, Data] | None:
        """An order that would be carried out as things stand: (action, fields), or None."""
        best: tuple[int, str, Data] | None = None
        for _ in range(TRIES):
            action = chance.choice(possible)
            said = {each["name"]: self.fill(each, chance) for each in action["fields"]}
            said = {name: content for name, content in said.items() if content is not None}
            told = game.preview(self.name, action["id"], said, now)
            if told.refused is not None or told.fault is not None:
                continue
            if self.policy == "random":
                return action["id"], said
            worth = self.worth(game, told)
            if worth is not None and (best is None or worth > best[0]):
                best = (worth, action["id"], said)
        return (best[1], best[2]) if best is not None and best[0] >= 0 else None

    def worth(self, game: Game, told: Outcome) -> int | None:
        """How much richer an order makes this player, in dollars; None if it leaves a careful one with too little."""
        gained = 0
        for id, name, before, after in told.changes:
            if id == self.name and name == "money":
                gained += (after or 0) - (before or 0)
                if self.policy == "careful" and after < min(before, RESERVE):
                    return None
            elif name == "owner" and self.name in (before, after):
                gained += self.price(game, id) * (1 if after == self.name else -1)
        return gained

    @staticmethod
    def price(game: Game, id: str) -> int:
        """What a square costs by the rules, in dollars; 0 if they do not say."""
        for name in WORTH:
            try:
                found = game.value(name, id)
            except (KeyError, Fault):  # not every thing with an owner is a square
                continue
            return found if isinstance(found, int) else 0
        return 0

    @staticmethod
    def fill(field: Data, chance: random.Random) -> Any:
        """Something that a field may hold; None to leave it empty."""
        if field["optional"] and chance.random() < 0.5:
            return None
        if field["choices"]:
            return chance.choice(field["choices"])["id"]
        if field["type"] == "number":
            least = field["least"] if field["least"] is not None else 0
            most = field["most"] if field["most"] is not None else least + chance.choice((1, 10, 100, 1000))
            return chance.randint(least, max(least, most))
        if field["type"] == "words":
            return f"{chance.choice(WORDS)} {chance.randint(1, 999)}"[: field["limit"] or None]
        if field["type"] == "yesno":
            return chance.random() < 0.5
        if field["type"] == "goods":
            return {"money": chance.choice((0, 10, 50))} if "money" in field["parts"] else {}
        return None

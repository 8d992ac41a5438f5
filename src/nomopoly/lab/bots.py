"""Players made of a few lines, who can play any game: they choose among the legal choices that the forms declare.

A bot knows nothing of any edition. It sees what a player of its name sees, fills in forms, and votes. What it has tried least
it likes best, so that it comes by everything. The same game, names, policy and seed give the same orders on every machine and
in every runtime.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.outcomes import Outcome

Data = dict[str, Any]
POLICIES = ("greedy", "random", "careful")
RESERVE = 300  # dollars that a careful player keeps in hand
KEPT = 90  # and per cent of what it has, at every order
TRIES, ENOUGH = 18, 4  # actions that are tried to find one order, and how many of them that can be done are compared
FORMS = 4  # forms that are filled in for one action
LISTS = 16  # and if a list has to be right
PROPOSING = 0.2  # how likely a bot makes a proposal when it can
WORDS = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")
LEAVING = ("leave-game", "leave")  # bots stay
TAKING_BACK = ("abandon", "break", "remove", "retract", "withdraw-order")  # and seldom undo what they did
OVERRULING = (
    "declare-winner",
    "grant",
    "hold",
    "remove-player",
    "strike",
)  # of the Admin's acts, which a bot leaves alone
DECIDING = 0.4  # how likely it decides on something a day
FAILURE = 0.1  # of a try: how much one counts that came to no order
SELDOM, OFTEN = 0.05, 4  # what rolls dice is what the game is about
WORTH = ("square_price", "market_value")  # values that say what a square costs
NOT_FILLED = frozenset(("code", "changes", "deal"))  # kinds of fields that a bot leaves empty
LENGTHS = (1, 2, 2, 2, 3, 3, 4, 5)  # how long a list is that it makes up
Taste = Callable[[str, str], float]
Pools = dict[str, list[list[Any]]]  # what lists can be made of: the choices of all fields, by their kind or name


@dataclass
class Bot:
    """A player that plays by itself. `policy`: "random" takes any legal order, "greedy" the one that leaves it richest,
    "careful" the same, but it keeps something in hand."""

    name: str
    policy: str = "random"
    seed: int | str = 1
    proposes: bool = False
    avoids: tuple[str, ...] = LEAVING  # actions that it does not take
    tried: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # how often an action
    chosen: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # and, in orders given, a choice of a field

    def play(self, game: Game, now: int, orders: int = 2) -> list[Outcome]:
        """Vote on what is open, and give up to so many orders. Returns their outcomes; none was refused."""
        chance = random.Random(f"{self.seed}:{self.name}:{game.n}:{now - game.opened_at}")
        done: list[Outcome] = []
        offered = game.actions(self.name, now, untried=True)
        for action in offered:
            if action["ballot"] and action["possible"]:
                done += self.vote(game, action, chance, now)
        for action in offered:
            if self.proposes and [1 for each in action["fields"] if each["type"] == "changes"]:
                done += self.propose(game, action, chance, now)
        pools = pools_of(offered, game.runtime.call("ids")["things"])
        possible = [each for each in offered if self.would(each, pools)]
        for _ in range(orders):
            found = self.choose(game, possible, pools, chance, now) if possible else None
            if found is None:
                break
            outcome = game.order(self.name, found[0], found[1], now)
            if outcome.refused is None:
                done.append(outcome)
                self.chosen.update((found[0], name, str(content)) for name, content in found[1].items())
        return done

    def propose(self, game: Game, action: Data, chance: random.Random, now: int) -> list[Outcome]:
        """Now and then, propose that a number of a rule be a little higher or lower.

        Not that it be 1: dice of one side always show doubles, and then turns have no end.
        """
        numbers = [
            (record["id"], name, content)
            for record in game.records()
            for name, content in record["params"].items()
            if type(content) is int and content > 0
        ]
        if not numbers or chance.random() > PROPOSING:
            return []
        rule, name, content = chance.choice(numbers)
        other = max(2, content + chance.choice((-1, 1)) * max(1, content // 10))
        said = {
            "title": f"{name} {other}",
            "text": f"Not {content} any more.",
            "changes": [{"amend": rule, "params": {name: other}}],
        }
        outcome = game.order(self.name, action["id"], said, now)
        return [outcome] if outcome.refused is None else []

    def would(self, action: Data, pools: Pools) -> bool:
        """Whether a bot takes an action at all: one that is possible, no vote, and asks for nothing it cannot say."""
        needed = [each for each in action["fields"] if not each["optional"]]
        amends = [each for each in action["fields"] if each["type"] == "changes"]
        return (
            bool(action["possible"])
            and not action["ballot"]
            and action["id"] not in self.avoids
            and not amends
            and not [each for each in needed if each["type"] in NOT_FILLED]
            and not [each for each in needed if each["type"] in ("thing", "choice") and not each["choices"]]
            and not [each for each in needed if each["type"] == "anything" and not pools.get(one_of_many(each["name"]))]
        )

    def vote(self, game: Game, action: Data, chance: random.Random, now: int) -> list[Outcome]:
        """Vote on every open question that it can vote on."""
        subject, *rest = action["fields"]
        done = []
        for about in subject["choices"]:
            said = {subject["name"]: about["id"], **{each["name"]: fill(each, {}, chance) for each in rest}}
            outcome = game.order(self.name, action["id"], said, now)
            if outcome.refused is None:
                done.append(outcome)
        return done

    def choose(
        self, game: Game, possible: list[Data], pools: Pools, chance: random.Random, now: int
    ) -> tuple[str, Data] | None:
        """An order that would be carried out as things stand: (action, fields), or None."""
        best: tuple[int, str, Data] | None = None
        left, right = list(possible), 0
        for _ in range(min(TRIES, len(possible))):
            action = left.pop(chance.choices(range(len(left)), [self.liking(each) for each in left])[0])
            found = self.fill_in(game, action, pools, chance, now)
            self.tried[action["id"]] += 1 if found is not None else FAILURE
            if found is None:
                continue
            said, told = found
            right += 1
            if self.policy == "random":
                return action["id"], said
            worth = self.worth(game, told)
            if worth is not None and (best is None or worth > best[0]):
                best = (worth, action["id"], said)
            if right == ENOUGH:
                break
        return (best[1], best[2]) if best is not None and best[0] >= 0 else None

    def liking(self, action: Data) -> float:
        """How likely it is that an action is tried, against the others."""
        undoes = action["id"].startswith(TAKING_BACK)
        return (SELDOM if undoes else OFTEN if action["rolls"] else 1) / (1 + self.tried[action["id"]])

    def taste(self, action: str) -> Taste:
        """How it likes the choices of the fields of an action: those most that it has chosen least."""
        return lambda field, choice: 1 / (1 + self.chosen[action, field, choice])

    def fill_in(
        self, game: Game, action: Data, pools: Pools, chance: random.Random, now: int
    ) -> tuple[Data, Outcome] | None:
        """A form filled in so that the order would be carried out, and what would come of it; None if no try was right.

        What is refused twice for the same reason is given up, unless there is a list in it, which is seldom right at once.
        """
        lists = [each for each in action["fields"] if each["type"] == "anything" and not each["optional"]]
        reason: str | None = ""
        for _ in range(LISTS if lists else FORMS if action["fields"] else 1):
            said = {each["name"]: fill(each, pools, chance, self.taste(action["id"])) for each in action["fields"]}
            said = {name: content for name, content in said.items() if content is not None}
            told = game.preview(self.name, action["id"], said, now)
            if told.refused is None and told.fault is None:
                return said, told
            if not lists and told.refused == reason:
                break
            reason = told.refused
        return None

    def worth(self, game: Game, told: Outcome) -> int | None:
        """How much richer an order makes this player, in dollars; None if it leaves a careful one with too little.

        What is spent on something of one's own, whatever it is, is not lost: one has that instead.
        """
        gained, spent, mine = 0, 0, False
        for id, name, before, after in told.changes:
            if id == self.name and name == "money":
                gained += (after or 0) - (before or 0)
                spent = max(0, -gained)
                if self.policy == "careful" and after < min(before, max(RESERVE, before * KEPT // 100)):
                    return None
            elif name == "owner" and self.name in (before, after):
                gained += self.price(game, id) * (1 if after == self.name else -1)
            else:
                mine = mine or id == self.name or after == self.name
        return gained + spent if mine and gained < 0 else gained

    @staticmethod
    def price(game: Game, id: str) -> int:
        """What a square costs by the rules, in dollars; 0 if they do not say, and for anything else."""
        if game.runtime.call("ids")["things"].get(id) != "square":
            return 0
        for name in WORTH:
            try:
                found = game.value(name, id)
            except (KeyError, Fault):
                continue
            return found if isinstance(found, int) else 0
        return 0


def sit_at_the_desk(game: Game, seed: int | str, now: int) -> list[Outcome]:
    """Be the Admin for a day: decide on some of what can be chosen in acts of the desk, by chance. Returns what was done.

    It takes no side and overrules nobody: acts that take players, money or moves away are left alone.
    """
    chance = random.Random(f"{seed}:desk:{game.n}:{now - game.opened_at}")
    acts = [each for each in game.actions("admin", now, untried=True) if each["possible"] and decides(each)]
    done = []
    for act in chance.sample(acts, len(acts)):
        if chance.random() < DECIDING:
            said = {each["name"]: fill(each, {}, chance) for each in act["fields"]}
            outcome = game.admin(act["id"], {name: each for name, each in said.items() if each is not None}, now)
            done += [outcome] if outcome.refused is None else []
    return done


def decides(act: Data) -> bool:
    """Whether an act of the desk is about a thing that waits for the Admin, and asks for nothing that a bot cannot say."""
    needed = [each for each in act["fields"] if not each["optional"]]
    return (
        bool(needed)
        and needed[0]["type"] == "thing"
        and bool(needed[0]["choices"])
        and act["id"] not in OVERRULING
        and not [each for each in needed if each["type"] in NOT_FILLED or each["type"] == "anything"]
    )


def pools_of(offered: list[Data], things: dict[str, str]) -> Pools:
    """What lists of each sort may be made of: all things of a kind, and the choices that the fields of any action give."""
    pools: Pools = {}
    for id, kind in things.items():
        pools.setdefault(kind, [[]])[0].append(id)
    for each in (each for action in offered for each in action["fields"]):
        choices: list[Any] = [choice["id"] for choice in each["choices"]]
        if each["type"] == "number" and each["least"] is not None and each["most"] is not None:
            choices = list(range(each["least"], min(each["most"], each["least"] + 1000) + 1))
        known = pools.setdefault(each["kind"] or each["name"], [])
        if choices and choices not in known:
            known.append(choices)
    return {name: [each for each in known if each] for name, known in pools.items()}


def one_of_many(name: str) -> str:
    """The name of what a field holds several of: `squares` holds each a `square`."""
    return name.removesuffix("s")


def some_of(name: str, pools: Pools, chance: random.Random, lengths: tuple[int, ...] = LENGTHS) -> list[Any] | None:
    """Some of what a field of that name can hold: a choice of another field and its neighbours, or several choices."""
    known = pools.get(one_of_many(name))
    if not known:
        return None
    pool = chance.choice(known[1:] or known)
    how_many = chance.choice(lengths)
    if chance.random() < 0.5:
        around = known[0] if set(pool) <= set(known[0]) else pool
        start = max(0, around.index(chance.choice(pool)) - chance.randrange(how_many))
        return around[start : start + how_many]
    return chance.sample(pool, min(how_many, len(pool)))


def fill(field: Data, pools: Pools, chance: random.Random, taste: Taste = lambda field, choice: 1) -> Any:
    """Something that a field may hold; None to leave it empty."""
    if field["optional"] and chance.random() < 0.5:
        return None
    if field["choices"]:
        ids = [each["id"] for each in field["choices"]]
        return chance.choices(ids, [taste(field["name"], id) for id in ids])[0]
    if field["type"] == "number":
        least = field["least"] if field["least"] is not None else 0
        most = field["most"] if field["most"] is not None else least + chance.choice((1, 10, 100, 1000))
        return chance.randint(least, max(least, most))
    if field["type"] == "moment":
        return int(field["now"]) + 3600 * chance.randint(1, 24 * 30)
    if field["type"] == "words":
        return f"{chance.choice(WORDS)} {chance.randint(1, 999)}"[: field["limit"] or None]
    if field["type"] == "yesno":
        return chance.random() < 0.5
    if field["type"] == "anything":
        return some_of(field["name"], pools, chance)
    if field["type"] == "goods":
        goods = {part: some_of(part, pools, chance, (1, 2)) for part in field["parts"] if chance.random() < 0.3}
        if "money" in field["parts"] and (not goods or "money" in goods):
            goods["money"] = chance.choice((0, 10, 50))  # type: ignore[assignment]
        goods.update((part, chance.choice((1, 5, 10))) for part in field["counted"] if part in goods)  # type: ignore[misc]
        return {part: content for part, content in goods.items() if content is not None}
    return None

"""Chance: recorded randomness from the entropy of the entry.

The recipe, for anybody who wants to check a roll: block k of an entry is SHA-256 of "<entropy>:<k>" (entropy as hex
text), each block gives eight draws of 32 bits, first bits first, and a draw becomes one of m outcomes as
draw * m // 2**32.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from nomopoly.kernel.budgets import BYTES_A_STEP, as_outcomes, spend
from nomopoly.kernel.things import Thing, plain
from nomopoly.kernel.world import world


def number_below(outcomes: int) -> int:
    """One draw: a whole number from 0 to outcomes - 1."""
    w = world
    if w.reading:
        raise ValueError("chance may not be used where rules only read")
    if w.entropy is None:
        refuse_roll()
    if w.first_draw is None:
        w.first_draw = len(w.undo)
    at = w.draws % 8
    if at == 0:
        w.block = hashlib.sha256(f"{w.entropy}:{w.block_number}".encode()).hexdigest()
        w.block_number += 1
    w.draws += 1
    return int(w.block[at * 8 : at * 8 + 8], 16) * outcomes >> 32


def refuse_roll() -> None:
    """Stop a preview at its first roll."""
    world.refusal = ("rolls", "")
    raise FileExistsError("rolls")


def record_draw(value: Any) -> Any:
    """Note a result in the fact of the event that drew it."""
    if world.fact is not None:
        world.fact.setdefault("dice", []).append(plain(value))
    return value


def draw_from(options: Any) -> Any:
    """One of the options, prescribed or drawn."""
    w = world
    if w.forced and not w.reading:
        wanted = w.forced[0]
        if w.first_draw is None:
            w.first_draw = len(w.undo)
        for option in options:
            if plain(option) == wanted and type(plain(option)) is type(wanted):
                w.forced.pop(0)
                return option
        shown = ", ".join([str(plain(option)) for option in options[:12]])
        raise ValueError(f"draws: {wanted} is not possible here; possible are {shown}")
    return options[number_below(len(options))]


@dataclass(frozen=True)
class Chance:
    """The dice bag that rules see as `chance`; frozen, so that no rule can leave a mark on it."""

    def die(self, sides: int = 6) -> int:
        """Roll one die with faces 1 to `sides` (at most a million)."""
        as_outcomes(sides, "a die has 1 to")
        if world.forced:
            return record_draw(draw_from(range(1, sides + 1)))
        face = number_below(sides) + 1
        if world.fact is not None:
            world.fact.setdefault("dice", []).append(face)
        return face

    def dice(self, sides: Any) -> Any:
        """Roll several dice; `sides` lists the sides of each, e.g. (6, 6). Returns a tuple of faces."""
        return tuple([self.die(each) for each in sides])

    def percent(self, likely: int) -> bool:
        """True with a chance of `likely` in 100."""
        return self.one_in(100, likely)

    def one_in(self, whole: int, part: int = 1) -> bool:
        """True with a chance of `part` in `whole`."""
        as_outcomes(whole, "a chance is one in 1 to")
        w = world
        if w.forced and not w.reading:
            return record_draw(draw_from((True, False)))
        return record_draw(number_below(whole) < part)

    def pick(self, options: Any) -> Any:
        """One of a list or tuple, each equally likely."""
        options = list(options)
        spend(len(options) // BYTES_A_STEP)
        if not options:
            raise ValueError("there is nothing to pick from")
        as_outcomes(len(options), "one picks among 1 to")
        return record_draw(draw_from(options))

    def sample(self, options: Any, how_many: int) -> Any:
        """Several different ones of a list, in the order drawn, as a tuple."""
        left = list(options)
        drawn = []
        as_outcomes(len(left) or 1, "one picks among 1 to")
        spend(len(left) * min(how_many, len(left)) // BYTES_A_STEP)
        while left and len(drawn) < how_many:
            one = self.pick(left)
            left = [each for each in left if each is not one]
            drawn.append(one)
        return tuple(drawn)

    def unforeseen(self) -> None:
        """Draw nothing, but let a preview end here: what comes now shows what nobody may know before it is done."""
        if world.entropy is None:
            refuse_roll()

    def card(self, deck: Any) -> Any:
        """The card drawn from a deck (a tuple of words such as `KS`)."""
        return self.pick(deck)


chance = Chance()


def name_of(value: Any) -> str:
    """A value as players read it in a sentence."""
    return value.id if type(value) is Thing else str(value)

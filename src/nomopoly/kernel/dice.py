"""Chance: recorded randomness from the entropy of the entry.

The recipe, for anybody who wants to check a roll: block k of an entry is SHA-256 of "<entropy>:<k>" (entropy as hex
text), each block gives eight draws of 32 bits, first bits first, and a draw becomes one of m outcomes as
draw * m // 2**32.

An entry has two streams of draws. What everybody sees comes from the first. What is hidden from somebody
(`chance.hidden`, and whatever is drawn in a private order or in a fact that not everybody sees) comes from the second,
which stays secret longer. In a replay the draws are those that the journal holds.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from nomopoly.kernel.budgets import BYTES_A_STEP, MOST_OUTCOMES, as_outcomes, spend, tell_of
from nomopoly.kernel.things import Thing, plain
from nomopoly.kernel.world import Stream, in_words, world


def number_below(outcomes: int, hidden: bool = False) -> int:
    """One draw: a whole number from 0 to outcomes - 1."""
    w = world
    if w.reading:
        raise ValueError("chance may not be used where rules only read")
    spend(1)
    stream = w.hidden_draws if hidden else w.open_draws
    ready = stream.ready or next_draws(stream)
    stream.ready = ready[8:]
    stream.count += 1
    return int(ready[:8], 16) * outcomes >> 32


def next_draws(stream: Any) -> str:
    """The next draws of a stream, one to eight: hex text, eight digits a draw."""
    w, at = world, stream.count
    known = stream.recorded and stream.recorded[8 * at : 8 * at + 64]
    if not known and stream.entropy is None:
        refuse_roll()
    if w.first_draw is None:
        w.first_draw = len(w.undo)
    return known or hashlib.sha256(f"{stream.entropy}:{at // 8}".encode()).hexdigest()[at % 8 * 8 :]


def refuse_roll() -> None:
    """Stop at a roll for which there is no dice: a preview at its first, a replay at one that its file does not
    hold."""
    world.refusal, world.code = ("rolls", ""), ""
    raise FileExistsError("rolls")


def begin_draws(entry: Any) -> None:
    """Set the draws of an entry up: `entropy` and `hidden_entropy` while it is made, `drawn` and `hidden` (hex text,
    eight digits a draw) where the journal holds them. Under the older recipe there is one stream, and no key
    `hidden`."""
    w = world
    w.open_draws = w.hidden_draws = Stream(entry.get("entropy"), entry.get("drawn"))
    if "hidden" in entry:
        w.hidden_draws = Stream(entry.get("hidden_entropy"), entry["hidden"])
    w.forced = [*(entry.get("draws") or ())]
    w.rolled = []


def drawn_so_far() -> Any:
    """How many draws the entry has made so far, and what the open ones were: {"drawn", "hidden", "dice"}; {} if none.

    What a scenario prescribes counts as drawn, but as no draw.
    """
    w = world
    if w.first_draw is None:
        return {}
    hidden = w.hidden_draws.count if w.hidden_draws is not w.open_draws else 0
    return {"drawn": w.open_draws.count, "hidden": hidden, "dice": w.rolled}


def out_of_sight() -> bool:
    """Whether what is going on is not for everybody: a private order, or an event whose fact has `only`."""
    w = world
    return w.entry.around is not None or (w.fact is not None and w.fact.get("only") is not None)


def closed_fact() -> bool:
    """Whether not everybody sees the fact being made: it has `only`, or gets it when the private order is over.

    The private order's own fact is public, and so is the one around it.
    """
    fact, around = world.fact, world.entry.around
    if around is not None and fact is not around[0] and fact.get("what") != around[1]:
        return True
    return fact.get("only") is not None


def note_draws(drawn: list[Any], hidden: bool) -> None:
    """Note results in the fact of the event that drew them, unless they are hidden and everybody sees the fact."""
    w = world
    drawn = [plain(tell_of(each)) for each in drawn]
    if not hidden:
        w.rolled.extend(drawn)  # by += an interpreter may make another list each time
    if drawn and w.fact is not None and (not hidden or closed_fact()):
        w.fact.setdefault("dice", []).extend(drawn)


def draw_from(options: Any, hidden: bool = False) -> Any:
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
        shown = ", ".join([in_words(plain(option)) for option in options[:12]])
        raise ValueError(f"draws: {wanted} is not possible here; possible are {shown}")
    return options[number_below(len(options), hidden)]


def roll_dice(sides: Any, veiled: bool) -> Any:
    """Faces of dice with so many sides each, as a tuple."""
    veiled = veiled or out_of_sight()
    faces = []
    try:
        for most in sides:
            if type(most) is not int or not 1 <= most <= MOST_OUTCOMES:
                as_outcomes(most, "a die has 1 to")
            faces.append(draw_from(range(1, most + 1), veiled) if world.forced else number_below(most, veiled) + 1)
    finally:
        note_draws(faces, veiled)
    return tuple(faces)


@dataclass(frozen=True)
class Chance:
    """The dice bag that rules see as `chance`; frozen, so that no rule can leave a mark on it.

    A draw is public, unless it is one of `chance.hidden`, the bag for draws whose outcome is not for all:
    `chance.hidden.card(deck)`. Its results stand in no fact that everybody sees, wherever it is drawn, and the secret
    behind them is published last.
    """

    veiled: bool = False
    hidden: Any = None

    def die(self, sides: int = 6) -> int:
        """Roll one die with faces 1 to `sides` (at most a million)."""
        return roll_dice((sides,), self.veiled)[0]

    def dice(self, sides: Any) -> Any:
        """Roll several dice; `sides` lists the sides of each, e.g. (6, 6). Returns a tuple of faces."""
        return roll_dice(sides, self.veiled)

    def percent(self, likely: int) -> bool:
        """True with a chance of `likely` in 100."""
        return self.one_in(100, likely)

    def one_in(self, whole: int, part: int = 1) -> bool:
        """True with a chance of `part` in `whole`."""
        as_outcomes(whole, "a chance is one in 1 to")
        veiled = self.veiled or out_of_sight()
        prescribed = world.forced and not world.reading
        happens = draw_from((True, False)) if prescribed else number_below(whole, veiled) < part
        note_draws([happens], veiled)
        return bool(happens)

    def pick(self, options: Any) -> Any:
        """One of a list or tuple, each equally likely."""
        options = list(options)
        spend(len(options) // BYTES_A_STEP)
        if not options:
            raise ValueError("there is nothing to pick from")
        as_outcomes(len(options), "one picks among 1 to")
        veiled = self.veiled or out_of_sight()
        picked = draw_from(options, veiled)
        note_draws([picked], veiled)
        return picked

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
        stream = world.open_draws
        if stream.entropy is None and stream.recorded is None:
            refuse_roll()

    def card(self, deck: Any) -> Any:
        """The card drawn from a deck (a tuple of words such as `KS`)."""
        return self.pick(deck)


chance = Chance(False, Chance(True))


def name_of(value: Any) -> str:
    """A value as players read it in a sentence."""
    return value.id if type(value) is Thing else in_words(value)

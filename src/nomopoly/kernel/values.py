"""Computed quantities: one definition holds, and contributions bend it band by band.

The order of the bands is part of the value's declaration, so that it is a rule like any other.
"""

import math
from typing import Any

from nomopoly.kernel.budgets import MOST_NESTED, MOST_TOLD_NUMBER, exhausted, spend, spend_step
from nomopoly.kernel.declaring import value_decorator
from nomopoly.kernel.sorts import fit_value
from nomopoly.kernel.things import Thing
from nomopoly.kernel.world import world

FIT = (Thing, tuple)  # what a value may be, whatever is in it


def half_up(numerator: int, denominator: int) -> int:
    """A quotient rounded to the nearest whole number, one half up."""
    return (2 * numerator + denominator) // (2 * denominator)


def share(amount: int, part: int, whole: int = 100) -> int:
    """`part` of `whole` of an amount, rounded half up: share(501, 1, 2) is 251, share(200, 15) is 15 per cent: 30."""
    return half_up(amount * part, whole)


def set_to(amount: Any) -> Any:
    """Contribution: the value is this."""
    return ("set", amount, 1)


def factor(multiplier: int, divisor: int = 1) -> Any:
    """Contribution: times `multiplier`, divided by `divisor`."""
    return ("factor", multiplier, divisor)


def percent(amount: int) -> Any:
    """Contribution: that many per cent more (less, if negative); all percentages are summed."""
    return ("percent", amount, 1)


def add(amount: int) -> Any:
    """Contribution: that much more."""
    return ("add", amount, 1)


def at_least(amount: int) -> Any:
    """Contribution: not below this."""
    return ("at_least", amount, 1)


def at_most(amount: int) -> Any:
    """Contribution: not above this."""
    return ("at_most", amount, 1)


def value(name: str, *of: Any, **declaration: Any) -> Any:
    """What a value is now, for the things given; `otherwise` where no rule defines it (without: what
    `absent` says, else that is a fault).

    As a decorator at the top of a rule, `@value("rent", of="square")`, it defines one (see `value_decorator`).
    """
    w = world
    if w.loading is not None:
        return value_decorator(name, **declaration)
    plan = w.index.values.get(name)
    if plan is None:
        if "otherwise" in declaration:
            return declaration["otherwise"]
        if name in w.index.absent.get("value", {}):
            return w.index.absent["value"][name]
        raise ValueError(f"there is no value '{name}'")
    if not of and w.known is not None:
        return w.known(name)
    before = w.rule
    function, w.rule = plan.definitions[0]
    w.reading = depth = w.reading + 1
    spend_step()
    if depth > MOST_NESTED:
        exhausted(f"too deep: more than {MOST_NESTED} values asked within one another")
    result = function(*of)
    if plan.modifies:
        result = bend(plan, of, result)
    sort = type(result)
    if sort not in FIT and (sort is not int or not -MOST_TOLD_NUMBER <= result <= MOST_TOLD_NUMBER):
        fit_value(name, result)
    w.reading -= 1
    w.rule = before
    return result


def along(name: str, start: Any, times: int) -> Any:
    """A thing, what a value says of it, what it says of that, and so on (where no rule defines it, the thing alone):
    `along("successor", square, 3)` has four squares."""
    w = world
    spend(times // 4)
    plan = w.index.values.get(name)
    if not times or (plan is None and name in w.index.absent.get("value", {})):
        return [start]
    place = value(name, start)
    way, before = [start, place], w.rule
    function, w.rule = plan.definitions[0]
    function = (lambda at: value(name, at)) if plan.modifies else function
    w.reading += 1
    for _ in range(times - 1):
        place = function(place)
        way.append(place)
    w.reading -= 1
    w.rule = before
    return way


def bend(plan: Any, of: Any, base: Any) -> Any:
    """Apply the contributions of all modifiers to a base, band by band; rounded once, at the end.

    What a viewer may not see is left out while `world.hides` is set: when a page is drawn, never when rules work.
    """
    bands: dict[str, Any] = {}
    for function, world.rule, show in plan.modifies:
        if world.hides is not None and show != ("all",) and world.hides(show, of):
            continue
        contribution = function(*of, base)
        if contribution is not None:
            if type(contribution) is not tuple or contribution[0] not in plan.bands:
                raise ValueError(f"a modifier of '{plan.name}' returns set, factor, percent, add, at_least or at_most")
            bands.setdefault(contribution[0], []).append(contribution[1:])
    divisor = 1
    for band in plan.bands if bands else ():
        if band in bands:
            base, divisor = apply_band(band, base, divisor, bands[band])
    return base if divisor == 1 else half_up(base, divisor)


def apply_band(band: str, base: Any, divisor: int, all: Any) -> Any:
    """All contributions of one band, [(amount, divisor)], to a fraction: of several that set the value the first
    wins."""
    amounts = [amount for amount, _ in all]
    if band == "set":
        return (amounts[0], 1)
    if band == "factor":
        return (math.prod([base, *amounts]), math.prod([divisor, *[each for _, each in all]]))
    if band == "percent":
        return (base * (100 + sum(amounts)), divisor * 100)
    if band == "add":
        return (base + sum(amounts) * divisor, divisor)
    limit = max(amounts) if band == "at_least" else min(amounts)
    return (limit, 1) if (base < limit * divisor) == (band == "at_least") else (base, divisor)

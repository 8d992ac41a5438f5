"""Values that cannot be computed, since a rule breaks as it is asked: pages say so, and name the rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomopoly.runtime.interpreters import Fault

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


@dataclass(frozen=True)
class Uncomputed:
    """What stands for such a value."""

    rule: str  # which breaks; "" where it is the one that declares the value


def named_in(seat: Seat, thing: Data) -> Data:
    """A thing, as who looks sees it, in which the labelled values that cannot be computed now are named: in a view they
    are None, as those that say nothing."""
    declared = seat.view["schema"].get(thing["kind"], ())
    silent = [each for each in declared if each["derived"] and thing.get(each["name"], "") is None]
    found = {each["name"]: breaks(seat, each, thing["id"]) for each in silent}
    return thing | {name: broken for name, broken in found.items() if broken is not None}


def breaks(seat: Seat, declared: Data, id: str) -> Uncomputed | None:
    """What stands for a value of a thing, as it is `declared`, if a rule breaks over it; None if none does."""
    try:
        seat.live.value(declared["name"], id)
    except Fault as fault:
        return Uncomputed("" if fault.rule == declared["rule"] else fault.rule)
    return None

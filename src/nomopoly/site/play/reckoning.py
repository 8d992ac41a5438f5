"""How a value that rules reckon comes about: what its rule says, and what each rule adds to it, as whoever looks may
know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from nomopoly.site.formats import dollars
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


@dataclass
class Reckoning:
    """A value with its parts: [(rule, its title, what it does to the value, in words)], and what it comes to."""

    label: str
    type: str
    parts: list[Any]
    total: object


def named(seat: Seat) -> frozenset[Any]:
    """The values that rules modify, so that there is something to tell of them."""
    return frozenset(seat.live.describe()["reckoned"])


def declared_as(seat: Seat, thing: Data, name: str) -> Data | None:
    """What is declared of a value of a thing, or None."""
    return next((each for each in seat.view["schema"].get(thing["kind"], ()) if each["name"] == name), None)


def parts_of(seat: Seat, thing: Data, name: str) -> list[list[Any]] | None:
    """What a value of a thing (as the viewer sees it) is made of: [[rule, how, amount, divisor]]; None where there is
    nothing to tell."""
    declared = declared_as(seat, thing, name)
    if declared is None or not declared["derived"] or name not in thing or name not in named(seat):
        return None
    return seat.live.ask(lambda game: game.reckoning(name, thing["id"], seat.viewer, live.now()))


def of(seat: Seat, thing: Data, name: str) -> Reckoning | None:
    """How a value of a thing (as the viewer sees it) comes about, for a page; None where there is nothing to tell."""
    declared, found = declared_as(seat, thing, name), parts_of(seat, thing, name)
    if declared is None or not found:
        return None
    titles = {record["id"]: record["title"] for record in seat.live.records()}
    parts = [
        (rule, titles.get(rule, ""), in_words(how, amount, divisor, declared["type"]))
        for rule, how, amount, divisor in found
        if not (how == "add" and amount == 0)
    ]
    return Reckoning(declared["label"] or name.replace("_", " "), declared["type"], parts, thing[name])


def in_words(how: str, amount: int, divisor: int, sort: str) -> str:
    """What one rule does to a value."""
    shown = dollars(amount) if sort == "money" else f"{amount:,}" if isinstance(amount, int) else str(amount)
    if how == "factor":
        return f"× {amount}" if divisor == 1 else f"× {amount}/{divisor}"
    if how == "percent":
        return f"{amount:+} %"
    if how == "add":
        return f"+ {shown}" if not shown.startswith("-") else f"- {shown[1:]}"
    words = {
        "base": shown,
        "set": gettext("set to %(amount)s"),
        "at_least": gettext("at least %(amount)s"),
        "at_most": gettext("at most %(amount)s"),
    }
    return words[how] % {"amount": shown} if how != "base" else shown

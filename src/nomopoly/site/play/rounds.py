"""What a player is in the middle of and nobody else sees, as a hand of cards at a casino: how it stands, and how it
goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site.play import trades
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST = 3  # that are shown on a form; more is what one has, not what one is in the middle of


def of(seat: Seat, action: Data) -> list[Any]:
    """What this player is in the middle of by the section of an action: {"title", "rows": [(label, value, type)],
    "next": other actions by which it goes on}."""
    going_on: list[Data] = []
    if seat.player_name is None:
        return going_on
    for thing in queries.rounds_of(seat.view, seat.player_name):
        if queries.parties_of(thing) and not asks_for(action, thing["id"]):  # an offer, and not what one answers here
            continue
        attributes = seat.view["schema"][thing["kind"]]
        if attributes[0]["section"] == action["section"]:
            rows = [
                (each["label"], trades.shown_of(seat, thing, each["name"]), each["type"])
                for each in attributes
                if thing.get(each["name"]) not in (None, (), [], "", seat.player_name)
            ]
            going_on.append({"title": seat.live.describe()["kinds"][thing["kind"]], "rows": rows})
    if len(going_on) > MOST:
        return []
    going = queries.goes_on(seat.live, seat.player_name, action["section"]) if going_on else []
    return [each | {"next": [other for other in going if other["id"] != action["id"]]} for each in going_on]


def asks_for(action: Data, id: str) -> bool:
    """Whether a thing can be chosen in the form of an action."""
    return any(id == choice["id"] for field in action["fields"] for choice in field["choices"])


def in_words(going_on: Data) -> str:
    """How it stands, in a line: "Round at a casino: Bet $100, Cards 9D, 7D"."""
    rows = [f"{label} {queries.in_words(value, type)}" for label, value, type in going_on["rows"]]
    return f"{going_on['title']}: {'; '.join(rows)}"

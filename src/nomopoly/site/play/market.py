"""The market: what the rules sell, what somebody offers to everybody, and what was paid.

Rows of catalogues that have a `price` are what can be had by the rules. Things that have a `seller` and a `price` are
offers: a rule that lets players put something up declares such a kind, and an action to choose one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from nomopoly.site.play import forms, loglines, words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


LATEST = 30


def sold(seat: Seat) -> list[Any]:
    """What can be had by the rules, by catalogue, what is for sale first: [(what it is called, rows)]."""
    found: Data = {}
    actions = can_do(seat)
    prices = seat.live.describe()["prices"]
    for row in prices:
        ids = {each["id"] for each in prices if each["catalogue"] == row["catalogue"]}
        shown = row | {"name": row["name"] or words.thing_name(seat.view, row["id"])}
        found.setdefault(row["catalogue"], []).append(shown | {"action": choosing(actions, "choice", ids, row["id"])})
    sold = {row["catalogue"] for row in prices if row["for_sale"]}
    order = sorted(found, key=lambda catalogue: catalogue not in sold)
    return [
        (_("For sale") if {each} == sold else f"{each.replace('-', ' ').capitalize()}s", found[each]) for each in order
    ]


def can_do(seat: Seat) -> list[Data]:
    """The actions of a player; none once the game is over."""
    over = seat.view["things"].get("game", {}).get("over")
    return [] if over or seat.role != "player" else seat.live.actions(seat.viewer)


def choosing(actions: list[Data], sort: str, ids: set[Any], id: str) -> Data | None:
    """The first action in which this and most of these can be chosen: its id, label, whether it is possible, and its
    form filled in."""
    for action in actions:
        for field in action["fields"]:
            known = ids & {choice["id"] for choice in field["choices"]}
            if field["type"] == sort and id in known and 2 * len(known) > len(ids) and not action["hidden"]:
                return action | {"query": {field["name"]: id}}
    return None


def offers(seat: Seat) -> list[Any]:
    """What is offered to everybody, cheapest first: each with its price, its seller if that may be known, and since
    when."""
    view = seat.view
    kinds = queries.offering(view)
    open_now = [thing for thing in view["things"].values() if thing["kind"] in kinds and is_on_offer(thing)]
    log = seat.live.facts(seat.viewer)
    since = {thing["id"]: log.having(f"changed:{thing['id']}").opened_at() for thing in open_now}
    actions = can_do(seat)
    return [
        {
            "thing": thing,
            "price": thing.get("price"),
            "seller": thing.get("seller"),
            "since": since.get(thing["id"]),
            "known": known(view, thing),
            "actions": [
                action | {"query": {field["name"]: thing["id"]}}
                for action in actions
                for field in action["fields"]
                if field["type"] == "thing" and thing["id"] in [choice["id"] for choice in field["choices"]]
                if field["kind"] == thing["kind"]
            ],
        }
        for thing in sorted(open_now, key=lambda thing: queries.moment_in(thing, "price"))
    ]


def is_on_offer(thing: Data) -> bool:
    """Whether a thing that can be offered is: it has a price and a seller, as far as this viewer may see them."""
    return all(thing.get(name, "") is not None for name in ("seller", "price"))


def bidding(seat: Seat) -> list[Any]:
    """What a player can bid for: [(action, things)], each thing with its `label`, and what was bid beside it.

    That is an action whose form has a sum of money and a thing, of which pages show something beside its name.
    """
    found = []
    for action in can_do(seat):
        lot = next((field for field in action["fields"] if field["shows"] and field["choices"]), None)
        if lot and any(field["money"] for field in action["fields"]) and not action["hidden"]:
            drawn = next(each for each in forms.inputs(action, None, seat) if each["name"] == lot["name"])
            things = [each | {"query": {lot["name"]: each["id"]}} for each in drawn["choices"]]
            found.append((action, things))
    return found


def known(view: Data, thing: Data) -> list[Any]:
    """What else is declared of an offer: [(attribute, value)]."""
    return [
        (each, thing[each["name"]])
        for each in view["schema"][thing["kind"]]
        if each["label"]
        and each["name"] not in ("seller", "price")
        and thing.get(each["name"]) not in (None, "", [], False)
    ]


def deals(seat: Seat) -> list[Data]:
    """The lines of the log that tell of a price paid or of a trade, newest first."""
    found = seat.live.facts(seat.viewer).where(standing=True).having("deal")
    return loglines.lines(seat, found[-LATEST:][::-1])

"""The orders of a player that wait for an update, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.runtime import protocol
from nomopoly.site.play import pages, trades, words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


def orders(seat: Seat) -> list[Any]:
    """The orders of this player that wait for an update, in their order: each with the label of its action, what it
    says, [(name, value)], the number of its entry (`n`) and of the one before it (`after`), why it would be refused as
    things stand, and whether it can be moved and taken back."""
    known = seat.live.describe()
    actions = {
        action["id"]: action
        for action in seat.live.actions(seat.viewer, (protocol.MOVE_ORDER, protocol.WITHDRAW_ORDER))
    }
    mine = [
        thing
        for thing in seat.view["things"].values()
        if thing["kind"] == "order" and thing.get("owner") == seat.player_name
    ]
    mine.sort(key=lambda each: queries.moment_in(each, "place"))
    numbers = [each["id"].removeprefix("order-") for each in mine]
    return [
        each
        | {
            "n": number,
            "after": after,
            "label": known["labels"].get(each["what"], each["what"]),
            "says": words.says_in(known["forms"].get(each["what"], {}), in_words(seat, each), seat.names)
            + agreed_to(seat, each),
            "refusal": refusal_now(seat, each["what"], queries.data_in(each, "args", {})),
            "moves": actions.get(protocol.MOVE_ORDER, {}).get("possible"),
            "goes": actions.get(protocol.WITHDRAW_ORDER, {}).get("possible"),
        }
        for each, number, after in zip(mine, numbers, ["", *numbers], strict=False)
    ]


def in_words(seat: Seat, order: Data) -> Data:
    """What an order says, by field; of goods, what changes hands in words."""
    args: Data = queries.data_in(order, "args", {})
    goods = {name: trades.goods_in_words(seat, said.items()) for name, said in args.items() if isinstance(said, dict)}
    return args | {name: told for name, told in goods.items() if told}


def agreed_to(seat: Seat, order: Data) -> list[tuple[str, str]]:
    """What the offer or agreement is about that an order carries out, as a part of what it says."""
    args: Data = queries.data_in(order, "args", {})
    deals = [seat.view["things"].get(str(each), {}) for each in args.values()]
    told = [trades.about(seat, deal) for deal in deals if queries.parties_of(deal)]
    return [("", each) for each in told if each]


def refusal_now(seat: Seat, do: str, args: Data) -> dict[Any, Any] | None:
    """Why an order of this player would be refused as things stand, or None."""
    seen = seat.live.preview(seat.player_name, do, args)
    return None if seen.ok else pages.refusal(seen)

"""The orders of a player that wait for an update, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.runtime import protocol
from nomopoly.site.play import confirming, pages, sentences, trades, words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


def orders(seat: Seat) -> list[Any]:
    """The orders of this player that wait for an update, in their order: each in a sentence (`told`, and `said` with
    links), with the number of its entry (`n`) and of the one before it (`after`), why it would be refused as things
    stand, and whether it can be moved and taken back."""
    mine = sorted(
        queries.orders_waiting(seat.view, seat.player_name), key=lambda each: queries.moment_in(each, "place")
    )
    ids = (protocol.MOVE_ORDER, protocol.WITHDRAW_ORDER, *{each["what"] for each in mine})
    actions = {action["id"]: action for action in seat.live.actions(seat.viewer, ids)} if mine else {}
    numbers = [each["id"].removeprefix("order-") for each in mine]
    teller = sentences.Teller(seat)
    gone = {"reason": sentences.NO_ACTION, "rule": None}
    return [
        each
        | {
            "n": number,
            "after": after,
            "told": told,
            "said": teller.linked(told, args),
            "refusal": refusal_now(seat, each["what"], args) if each["what"] in actions else gone,
            "moves": actions.get(protocol.MOVE_ORDER, {}).get("possible"),
            "goes": actions.get(protocol.WITHDRAW_ORDER, {}).get("possible"),
        }
        for each, number, after in zip(mine, numbers, ["", *numbers], strict=False)
        for args in [fields_of(each)]
        for told in [in_words(seat, each["what"], actions.get(each["what"]), args)]
    ]


def fields_of(order: Data) -> Data:
    """The fields of an order that waits, as it was given."""
    found: Data = queries.data_in(order, "args", {})
    return found


def in_words(seat: Seat, do: str, action: Data | None, args: Data) -> str:
    """What an order is, in the words in which it was confirmed; of one that no rule declares any more, its name."""
    if action is None:
        return words.plain(do).capitalize()
    question, _button = confirming.in_words(seat, action, args, "")
    deals = [] if action["agrees"] else [seat.view["things"].get(str(each), {}) for each in args.values()]
    about = [trades.about(seat, each) for each in deals if queries.parties_of(each)]
    return ", ".join([question.removesuffix("?"), *[each for each in about if each]])


def refusal_now(seat: Seat, do: str, args: Data) -> dict[Any, Any] | None:
    """Why an order of this player would be refused as things stand, or None."""
    seen = seat.live.preview(seat.player_name, do, args)
    return None if seen.ok else pages.refusal(seat, seen)

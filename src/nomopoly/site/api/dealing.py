"""Offers and agreements between players, and the market."""

from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import once
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, enter, key_of
from nomopoly.site.play import market, trades
from nomopoly.site.shapes import Data
from nomopoly.site.tables import domain

dealing = Router(tags=["Trading"])


class Answered(Schema):
    """An answer to an offer or an agreement."""

    answer: str = Field(description="accept, decline or withdraw")
    fields: dict[str, Any] = Field({}, description="What else the form of the answer asks")


def data(deal: trades.Deal) -> Data:
    """An offer or agreement as its page shows it to one of its parties."""
    return deal.thing | {
        "wanted": deal.wanted,
        "lacking": deal.lacking,
        "answers": [{"answer": each.word, "action": each.action["id"], "field": each.about} for each in deal.answers],
        "sides": [
            {
                "player": side["name"],
                "agreed": side["agreed"],
                "gives": [{"to": taker, "what": dict(goods)} for taker, goods in side["gives"]],
                "gets": [{"from": giver, "what": dict(goods)} for giver, goods in side["gets"]],
            }
            for side in deal.parties
        ],
    }


@dealing.get("/g/{slug}/trades", summary="Your open offers and agreements")
def all_trades(request: HttpRequest, slug: str) -> list[Any]:
    """What is open between you and others, first what wants your answer: what each side gives and gets, who has agreed,
    until when, why it could not be carried out now (`lacking`), and how you can answer."""
    seat = enter(request, slug)
    seat.need_player("see their offers here")
    return [data(deal) for deal in trades.all_of(seat)]


@dealing.get("/g/{slug}/trades/{id}", summary="One offer or agreement")
def trade(request: HttpRequest, slug: str, id: str) -> Data:
    """One of them, by its id. Others than its parties get a 404."""
    seat = enter(request, slug)
    seat.need_player("see their offers here")
    return data(trades.find(seat, id))


@dealing.post(
    "/g/{slug}/trades/{id}", response={200: Any, 409: Refused, 422: No}, summary="Answer an offer or agreement"
)
def answer(request: HttpRequest, slug: str, id: str, given: Answered, token: str | None = TOKEN) -> Status[Any]:
    """Accept or decline what is asked of you, or withdraw what you have asked or agreed to. 200 has the log's entry."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("answer offers")

    def entry(n: int | None) -> Any:
        return told.entry_of(enter(request, slug), n)

    def go() -> tuple[int, dict[str, str]] | tuple[int, Any]:
        deal = trades.find(seat, id)
        way = next((each for each in deal.answers if trades.means(each, given.answer)), None)
        if way is None:
            return 409, {"refused": f"You cannot answer “{given.answer[:40]}” to this now"}
        args = given.fields | {way.about: deal.id}
        outcome = domain.order(seat.game, seat.player_name, way.action["id"], args, by_program=bool(key_of(request)))
        return (200, entry(outcome.n)) if outcome.ok else (409, told.refusal(outcome))

    return Status(*once.answer(request.user, token, [slug, id, given.answer, given.fields], go, entry))


@dealing.get("/g/{slug}/market", summary="The market")
def the_market(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """What is offered to everybody (`seller` null: the rules do not tell), what can be had by the rules with its price,
    what you can bid for (`bidding`), and the entries that tell of a price paid or of a trade, newest first. Empty where
    the rules have no market."""
    seat = enter(request, slug)
    log = told.Log(seat)
    return {
        "offers": [
            each["thing"]
            | {"price": each["price"], "seller": each["seller"], "since": each["since"]}
            | {"actions": [action["id"] for action in each["actions"]]}
            for each in market.offers(seat)
        ],
        "prices": [
            {name: row[name] for name in ("catalogue", "id", "name", "text", "price", "rule")}
            for _, rows in market.sold(seat)
            for row in rows
        ],
        "bidding": [
            {"action": action["id"], "id": each["id"], "label": each["label"]}
            for action, things in market.bidding(seat)
            for each in things
        ],
        "deals": log.about(log.entries.where(standing=True).having("deal")),
    }

"""Offers and agreements that are open: seen, and answered, by their parties alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import forms, pages, trades
from nomopoly.site.play.views import acts

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.play.trades import Deal


DONE = {
    "accept": gettext_lazy("You have said yes."),
    "decline": gettext_lazy("You have said no."),
    "withdraw": gettext_lazy("It is taken back."),
}


@require_safe
@seated("actions")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The open offers and agreements of a player."""
    seat.need_player("see their offers here")
    return pages.show(seat, "play/trades.html", deals=trades.all_of(seat), makers=trades.makers(seat))


@seated("actions")
def trade(request: HttpRequest, seat: Seat, id: str) -> HttpResponse:
    """One offer, to be answered."""
    seat.need_player("answer offers")
    if request.method != "POST":
        return draw(seat, trades.find(seat, id))
    sent = forms.sent_values(request.POST)

    def go() -> once.Done | HttpResponse:
        deal = trades.find(seat, id)
        answer, args, problems = trades.read_answer(deal, sent.get("answer", ""), sent)
        if problems:
            return draw(seat, deal, sent, ". ".join(problems) + ".")
        outcome = seat.order(answer.action["id"], args)
        if not outcome.ok:
            return draw(seat, deal, sent, pages.refusal(seat, outcome))
        told = acts.told(seat, outcome)
        return once.Done(f"{DONE[answer.word]} {told}".strip(), f"{seat.game.address}trades/")

    return once.send(request, go)


def draw(
    seat: Seat, deal: Deal, sent: dict[Any, Any] | None = None, refusal: str | dict[Any, Any] | None = None
) -> HttpResponse:
    """Its page, filled in as it was sent, with a refusal if there is one."""
    if sent:
        deal = trades.deal_of(seat, deal.thing, sent)
    return pages.show(
        seat,
        "play/trade.html",
        deal=deal,
        refusal=refusal,
        foreseen=trades.foreseen(seat, deal) if deal.wanted else None,
    )

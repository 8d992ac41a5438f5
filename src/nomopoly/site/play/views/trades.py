"""Offers and agreements that are open: seen, and answered, by their parties alone."""

from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import forms, pages, trades
from nomopoly.site.play.views import acts

DONE = {
    "accept": gettext_lazy("You have said yes."),
    "decline": gettext_lazy("You have said no."),
    "withdraw": gettext_lazy("It is taken back."),
}


@require_safe
@seated("actions")
def index(request, seat):
    """The open offers and agreements of a player."""
    seat.need_player("see their offers here")
    return pages.show(seat, "play/trades.html", deals=trades.all_of(seat), makers=trades.makers(seat))


@seated("actions")
def trade(request, seat, id):
    """One offer, to be answered."""
    seat.need_player("answer offers")
    if request.method != "POST":
        return draw(seat, trades.find(seat, id))
    sent = forms.sent_values(request.POST)

    def go():
        deal = trades.find(seat, id)
        answer, args, problems = trades.read_answer(deal, sent.get("answer", ""), sent)
        if problems:
            return draw(seat, deal, sent, ". ".join(problems) + ".")
        outcome = seat.order(answer.action["id"], args)
        if not outcome.ok:
            return draw(seat, deal, sent, pages.refusal(outcome))
        told = acts.told(seat, outcome)
        return once.Done(f"{DONE[answer.word]} {told}".strip(), f"{seat.game.address}trades/")

    return once.send(request, go)


def draw(seat, deal, sent=None, refusal=None):
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

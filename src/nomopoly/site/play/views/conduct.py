"""Pages of keeping order in a game: reporting something, and what the Admin does about conduct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from nomopoly.runtime import protocol
from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.order import complaints, conduct, forms
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.order.forms import Conduct


@seated("overview", signed_in=True)
def report(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Report a name, a proposal or the Admin. Nobody learns who has done so."""
    form = forms.Report(request.POST or None, initial={name: request.GET.get(name, "") for name in ("sort", "about")})
    if request.method != "POST" or not form.is_valid():
        return seat.page("order/report.html", form=form)

    def go() -> HttpResponse | Done:
        sent = form.cleaned_data
        if refusal := complaints.make(seat, sent["sort"], sent["about"], sent["because"]):
            form.add_error(None, refusal)
            return seat.page("order/report.html", form=form)
        operator = complaints.to_operator(seat.game, sent["sort"], sent["about"])
        if operator:
            said = _("The operator of this site is asked to look at it. A mail tells you what came of it.")
        else:
            said = _("The Admin is asked to look at it. A mail tells you what came of it.")
        return once.Done(said, seat.game.address)

    return once.send(request, go)


@seated("desk", signed_in=True)
def order(request: HttpRequest, seat: Seat) -> HttpResponse:
    """What the Admin does about conduct: reports, warnings, silence in the forum."""
    seat.need_admin()
    players = [each.player for each in queries.players_seated(seat.game)]
    form = forms.Conduct(request.POST or None, players=players, initial={"player": request.GET.get("player", "")})
    if request.method != "POST" or not form.is_valid():
        return draw(seat, form)

    def go() -> once.Done | HttpResponse:
        sent = form.cleaned_data
        if sent["do"] == "warn":
            outcome = conduct.warn(seat.game, sent["player"], sent["because"])
            say = _("%(player)s is warned, and has been told by mail.")
        else:
            outcome = conduct.mute(seat.game, sent["player"], sent["days"], sent["because"])
            say = ngettext(
                "%(player)s may not write in the forum for %(days)s day, and has been told by mail.",
                "%(player)s may not write in the forum for %(days)s days, and has been told by mail.",
                sent["days"],
            )
        if not outcome.ok:
            return draw(seat, form, queries.refusal_of(outcome))
        return once.Done(say % sent, f"{seat.game.address}admin/conduct/")

    return once.send(request, go)


def draw(seat: Seat, form: Conduct, refusal: dict[Any, Any] | None = None) -> HttpResponse:
    """The page, with what waits and who is warned or muted."""
    return seat.page(
        "order/conduct.html",
        form=form,
        refusal=refusal,
        reports=[(each, *complaints.shown(each)) for each in complaints.waiting(seat.game)],
        said=queries.reported(seat.game),
        warned=conduct.warnings(seat.game),
        muted=conduct.muted(seat.game),
        may_remove=any(act["id"] == protocol.REMOVE_PLAYER for act in seat.live.actions("admin")),
    )


@require_POST
@seated("desk", signed_in=True)
def hear(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Let a player write in the forum again."""
    seat.need_admin()
    name = request.POST.get("name", "")

    def go() -> once.Done | HttpResponse:
        outcome = conduct.hear(seat.game, name)
        if not outcome.ok:
            return draw(seat, forms.Conduct(players=()), queries.refusal_of(outcome))
        return once.Done(
            _("%(player)s may write in the forum again.") % {"player": name}, f"{seat.game.address}admin/conduct/"
        )

    return once.send(request, go)


@require_POST
@seated("desk", signed_in=True)
def settle(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Answer a report."""
    seat.need_admin()
    found = next((each for each in complaints.waiting(seat.game) if each.pk == number), None)

    def go() -> Done:
        if found is None:
            raise Http404(_("This report is answered already."))
        complaints.settle(found, request.POST.get("answer", ""))
        return once.Done(_("Answered. Who has reported it is told by mail."), f"{seat.game.address}admin/conduct/")

    return once.send(request, go)

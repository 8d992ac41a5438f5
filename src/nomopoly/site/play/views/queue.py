"""Orders that wait for an update, by the number of their entry: take one back, or put it before another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import pages
from nomopoly.site.play.views import acts
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


WITHDRAW, MOVE = acts.ORDERLY


def own_orders(seat: Seat) -> list[Any]:
    """The ids of this player's orders that wait, in the order in which they are carried out."""
    mine = [
        thing
        for thing in seat.view["things"].values()
        if thing["kind"] == "order" and thing.get("owner") == seat.player_name
    ]
    return [each["id"] for each in sorted(mine, key=lambda each: queries.moment_in(each, "place"))]


def own_order(seat: Seat, n: int) -> str:
    """The id of the waiting order that entry n gave. Raises Http404 for the orders of others, which nobody else may
    see."""
    if f"order-{n}" not in own_orders(seat):
        raise Http404(_("No order %(n)s of yours waits.") % {"n": n})
    return f"order-{n}"


def carry_out(request: HttpRequest, seat: Seat, action: str, args: Data, say: str) -> HttpResponse:
    """Do something to a waiting order, if the rules have an action for that and do not refuse it; back to the orders
    then."""

    def go() -> once.Done | HttpResponse:
        if action not in seat.live.describe()["actions"]:
            return acts.draw_actions(request, seat, _("The rules of this game leave waiting orders as they are."))
        outcome = seat.order(action, args)
        if not outcome.ok:
            return acts.draw_actions(request, seat, pages.refusal(seat, outcome))
        return once.Done(say, seat.game.address + ("" if request.POST.get("back") == "dock" else "act/"))

    return once.send(request, go, what=action[0])


@require_POST
@seated("actions")
def withdraw(request: HttpRequest, seat: Seat, n: int) -> HttpResponse:
    """Take an order back."""
    seat.need_player("take an order back")
    return carry_out(request, seat, WITHDRAW, {"order": own_order(seat, n)}, _("The order is taken back."))


@require_POST
@seated("actions")
def move(request: HttpRequest, seat: Seat, n: int) -> HttpResponse:
    """Put an order before another of one's own (`before`, the number of its entry), or behind all of them (no
    `before`)."""
    seat.need_player("move an order")
    order, before = own_order(seat, n), request.POST.get("before", "").strip().removeprefix("order-")
    others = [each for each in own_orders(seat) if each != order]
    if before and f"order-{before}" not in others:
        refusal = _("No other order %(n)s of yours waits: choose one of the list.") % {"n": before[:20]}
        return acts.draw_actions(request, seat, refusal)
    place = (others.index(f"order-{before}") if before else len(others)) + 1
    return carry_out(request, seat, MOVE, {"order": order, "place": place}, _("The order is moved."))

"""A player's holiday: days on which they are away, told to all who play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import own, pages
from nomopoly.site.tables import holidays

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


@require_http_methods(["GET", "HEAD", "POST"])
@seated("players", signed_in=True)
def holiday(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of a player's holiday."""
    seat.need_player("go on holiday")
    if request.method != "POST":
        return draw(seat, {"hold": "1"})
    if "end" in request.POST:
        return once.send(request, lambda: end(seat), what="end-")
    sent = {name: request.POST.get(name, "").strip() for name in ("since", "until", "hold")}
    return once.send(request, lambda: take(seat, sent))


def take(seat: Seat, sent: Data) -> once.Done | HttpResponse:
    """Keep a holiday as it was sent."""
    kept = holidays.take(seat.place, sent["since"], sent["until"], hold=bool(sent["hold"]))
    if isinstance(kept, dict):
        return draw(seat, sent, kept)
    return once.Done(_("Your holiday is kept, and all who play see it."), f"{seat.game.address}holiday/")


def end(seat: Seat) -> once.Done | HttpResponse:
    """End a holiday early."""
    problem = holidays.end(seat.place)
    if problem is not None:
        return draw(seat, {"hold": "1"}, problem)
    return once.Done(_("You are here: there is no holiday any more."), f"{seat.game.address}holiday/")


def draw(seat: Seat, sent: dict[Any, Any], refusal: dict[Any, Any] | None = None) -> HttpResponse:
    """That page, filled in as it was sent, with a refusal if there is one."""
    mine = holidays.of_seat(seat.place)
    removal = own.removal(seat, seat.player)
    return pages.show(
        seat,
        "play/holiday.html",
        mine=mine,
        say=holidays.in_words(mine, seat.game) if mine else "",
        heard=holidays.rules_hear(seat.game),
        most=holidays.MOST_DAYS,
        removal=removal if mine and removal and removal[0] < mine.until + holidays.DAY else None,
        others=[
            (each.seat.player, holidays.in_words(each, seat.game)) for each in holidays.of(seat.game) if each != mine
        ],
        sent=sent,
        refusal=refusal,
    )

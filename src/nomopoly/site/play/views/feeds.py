"""Files that other programs fetch again and again: calendars and feeds, also at a user's secret addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site import door
from nomopoly.site.accounts import feeds
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated
from nomopoly.site.play import calendars
from nomopoly.site.play.views import log
from nomopoly.site.tables import roster

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


@require_safe
@seated()
def calendar(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The calendar of a game as everybody may see it."""
    return calendars.written(request, seat.game.title, [(seat.game, calendars.public_moments(seat.game))])


# ---- at a secret address


def enter(request: HttpRequest, token: str) -> None:
    """Let in whoever knows a secret address, as the user it belongs to."""
    user = feeds.owner_of(token)
    if user is None:
        raise Http404(_("There is nothing at this address, or no longer: it may have been renewed."))
    request.user = user


@require_safe
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """What falls due for a user, in all games they play."""
    enter(request, token)
    seats = roster.seats_of(account(request))
    moments = [(seat.game, calendars.own_moments(seat.game, seat.player)) for seat in seats]
    return calendars.written(request, "Nomopoly", moments)


@require_safe
def own_log(request: HttpRequest, token: str, slug: str) -> HttpResponse:
    """The log of a game as a user sees it."""
    enter(request, token)
    return log.atom(door.sit(request, slug, present=False), own=True)  # fetched by a program: nobody is here

"""Taking up a seat that nobody holds, by its link (tables/seats.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.tables import domain, queries, seats

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from nomopoly.site.accounts.models import User
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.tables.models import Game, Membership


@seated("overview", signed_in=True)
def take(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show whose seat it is, and give it to who asks for it."""
    game = seat.game
    found = seats.find(game, request.GET.get("token", ""))
    refusal = why_not(game, found, seat.user)
    if request.method == "POST" and found is not None and not refusal:
        return once.send(request, lambda: give(seat, found))
    return seat.page("lobby/seat.html", found=found, refusal=refusal)


def why_not(game: Game, found: Membership | None, user: User) -> str | StrPromise | None:
    """Why this user cannot take up that seat, or None."""
    if found is None:
        return _("This link opens no seat of this game. Ask who sent it for a new one")
    if found.user_id == user.pk:
        return _("You play as %(player)s already") % {"player": found.player}
    if found.status != found.Status.APPROVED:
        return _("%(player)s is out of this game, and nobody plays on in that seat") % {"player": found.player}
    if not seats.free(game).filter(pk=found.pk).exists():
        return seats.TAKEN
    return domain.cannot_ask(game, user, queries.membership(game, user), invited=True)


def give(seat: Seat, found: Membership) -> HttpResponse | Done:
    """Let the account that asks have a seat that is free; says why not on the seat's page."""
    refusal = seats.take(seat.game, found, seat.user)
    if refusal:
        return seat.page("lobby/seat.html", found=found, refusal=refusal)
    return once.Done(_("You play as %(player)s now.") % {"player": found.player}, seat.game.address)

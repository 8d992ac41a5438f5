"""Watch a proposal, or watch it no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from nomopoly.site import once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated
from nomopoly.site.play import watched
from nomopoly.site.play.views.proposals import find

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done


@require_POST
@seated("proposals", signed_in=True)
def watch(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Whoever may read a proposal and is signed in may watch it; `do` is "watch" or "stop"."""
    found, on = find(seat, number), request.POST.get("do") != "stop"

    def go() -> Done:
        watched.watch(account(request), seat.game, found["id"], on)
        said = _("You watch this proposal: you are told when it is spoken of and when its state changes.")
        return once.Done(
            said if on else _("You watch this proposal no more."), f"{seat.game.address}proposals/{number}/"
        )

    return once.send(request, go, what="watch" if on else "stop")

"""Watch a proposal, or watch it no more."""

from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.notices import watching
from nomopoly.site.play.views.proposals import find


@require_POST
@seated("proposals", signed_in=True)
def watch(request, seat, number):
    """Whoever may read a proposal and is signed in may watch it; `do` is "watch" or "stop"."""
    found, on = find(seat, number), request.POST.get("do") != "stop"

    def go():
        watching.watch(request.user, seat.game, found["id"], on)
        said = _("You watch this proposal: you are told when it is spoken of and when its state changes.")
        return once.Done(
            said if on else _("You watch this proposal no more."), f"{seat.game.address}proposals/{number}/"
        )

    return once.send(request, go, what="watch" if on else "stop")

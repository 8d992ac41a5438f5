"""The example that a proposal carries, played on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import proposals, talk, tryouts

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done


@require_POST
@seated("proposals", signed_in=True)
def play_again(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Play an open proposal's example by the rules of now: for players and the Admin."""
    found = next((each for each in proposals.listed(seat.view) if each["number"] == number), None)
    example = tryouts.example_of(seat, found) if found else None
    if found is None or example is None or not found["open"]:
        raise Http404(_("There is no example to play here."))
    page = f"{seat.game.address}proposals/{number}/#example"
    if not talk.may_speak(seat):
        seat.need_player("play an example")

    def act() -> Done:
        tryouts.keep_example(seat, found["id"], found, example.text)
        return once.Done(_("The example was played by the rules of now."), page)

    return once.send(request, act)

"""A player's own piece: choosing another shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import pages, pieces
from nomopoly.site.tables import visits

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.shapes import Data


@require_http_methods(["GET", "HEAD", "POST"])
@seated("players", signed_in=True)
def piece(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which a player chooses the shape of their piece."""
    seat.need_player("choose a piece")
    if request.method != "POST":
        return draw(seat)
    shape = request.POST.get("piece", "")
    if shape not in pieces.SHAPES:
        return draw(seat, _("Choose one of these shapes."))

    def go() -> Done:
        visits.choose_piece(seat.place, shape)
        told = _("Your piece: %(piece)s.") if seat.has_board else _("Your sign: %(piece)s.")
        return once.Done(told % {"piece": pieces.SHAPES[shape][0].lower()}, seat.game.address)

    return once.send(request, go)


def draw(seat: Seat, refusal: str | None = None) -> HttpResponse:
    """The form: all shapes in the player's colour, and who has which."""
    mine = seat.looks[seat.player]
    worn: Data = {}
    for name, look in seat.looks.items():
        if name != seat.player_name:
            worn.setdefault(look.shape, []).append(name)
    return pages.show(
        seat,
        "play/piece.html",
        mine=mine,
        shapes=[(id, label, path, worn.get(id, [])) for id, (label, path) in pieces.SHAPES.items()],
        refusal=refusal,
    )

"""A player's own piece: choosing another shape."""

from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import pages, pieces
from nomopoly.site.tables import visits


@require_http_methods(["GET", "HEAD", "POST"])
@seated("players", signed_in=True)
def piece(request, seat):
    """The page on which a player chooses the shape of their piece."""
    seat.need_player("choose a piece")
    if request.method != "POST":
        return draw(seat)
    shape = request.POST.get("piece", "")
    if shape not in pieces.SHAPES:
        return draw(seat, _("Choose one of these shapes."))

    def go():
        visits.choose_piece(seat.membership, shape)
        return once.Done(_("Your piece: %(piece)s.") % {"piece": pieces.SHAPES[shape][0].lower()}, seat.game.address)

    return once.send(request, go)


def draw(seat, refusal=None):
    """The form: all shapes in the player's colour, and who has which."""
    mine = seat.looks[seat.player_name]
    worn = {}
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

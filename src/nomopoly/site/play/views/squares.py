"""One square, as a page and as a card beside the board; the board as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import board, loglines, pages, reckoning, squares, uncomputed

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


LINES_OF_A_CARD = 8
A_PAGE = 60


@require_safe
@seated("overview")
def board_table(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The board as a table, as it is or was."""
    view, past = seat.view, None
    can: set[str] = set()
    if "at" in request.GET:
        past = pages.Past(seat, request.GET["at"])
        try:
            view = past.view
        except BadRequest as error:
            return pages.bad_request(seat, str(error))
    elif seat.role == "player":
        can = squares.actable(seat, pages.menu_of_actions(seat)[0])
    found = board.squares_of(view, can)
    return pages.show(seat, "play/board_table.html", squares=found, past=past, columns=square_columns(view))


def square_columns(view: Data) -> list[Any]:
    """Declared attributes that tell squares apart, beyond those that the table shows anyway."""
    return pages.telling(view, "square", but=("number", "name", "owner", "column", "row"))


@require_safe
@seated("overview")
def square(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """A square, now or as it was (`?at=`): a page of its own, or (`?card=1`) the card that a script puts beside the
    board."""
    view, past = seat.view, None
    if request.GET.get("at"):
        past = pages.Past(seat, request.GET["at"])
        try:
            view = past.view
        except BadRequest as error:
            return pages.bad_request(seat, str(error))
    id = f"#{number}"
    entries = loglines.about(seat, id)
    entries = entries if past is None else entries.where(until=past.at)
    place = squares.find(view, id)
    if place is None and not entries:
        raise Http404(_("There is no square %(id)s, and there never was.") % {"id": id})
    lines = (entries.where(after=0) if place is not None else entries)[::-1]
    card = "card" in request.GET
    page = Paginator(lines, A_PAGE).get_page(request.GET.get("page"))
    thing = place.thing if place else None
    told, untold = squares.facts_of(view, uncomputed.named_in(seat, thing) if thing and past is None else thing)
    things = squares.standing_on(view, id) if place else []
    listed = {thing["id"] for thing, _ in things}
    possible = squares.actions_at(seat, id) if past is None else []
    about: Data = {
        "id": id,
        "number": number,
        "square": place,
        "past": past,
        "when": f"?{urlencode({'at': past.asked})}" if past else "",
        "may_be_owned": any(each["name"] == "owner" for each in view["schema"].get("square", ())),
        "facts": told,
        "others": untold,
        "things": things,
        "markers": [each for each in place.markers if each.get("thing") not in listed] if place else [],
        "actions": [each for each in possible if not each["player"]],
        "with_players": [each for each in possible if each["player"]],
        "lines": loglines.lines(seat, list(lines[:LINES_OF_A_CARD] if card else page)),
        "page": page,
        "more": len(lines) > LINES_OF_A_CARD,
        "rules": [] if card else squares.rules_about(seat, id),
        "previous": number - 1 if f"#{number - 1}" in view["things"] else None,
        "following": number + 1 if f"#{number + 1}" in view["things"] else None,
    }
    if not card:
        about["reckoned"] = reckoning.named(seat) if place and past is None else ()
        wanted = request.GET.get("of", "") if past is None else ""
        about["reckoning"] = reckoning.of(seat, place.thing, wanted) if place and wanted else None
    return seat.page("play/_square_card.html", **about) if card else pages.show(seat, "play/square.html", **about)

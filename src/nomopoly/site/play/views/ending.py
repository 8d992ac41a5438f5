"""The page of a game that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import books, charts, ending, loglines, pages

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


FACES = (1, 2, 3, 4, 5, 6)


@require_safe
@seated("overview")
def end(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of a game that is over."""
    state = seat.view["things"]["game"]
    if not state.get("over"):
        raise Http404(_("This game is not over."))
    entries = seat.live.facts(seat.viewer)
    last = ending.last_entry(entries.having("change:game.over"))
    number = (last or entries[-1])["number"]  # from 0; of what not everybody sees, none
    winner = seat.view["things"].get(state.get("winner") or "", {"id": state.get("winner")})
    former = ending.former_players(seat)
    names = [player["id"] for player in pages.players(seat.view)]
    together, players = ending.record_of_dice(entries.having("dice"), [*names, *former])
    rules = ending.rules_of_players(seat)
    return pages.show(
        seat,
        "play/end.html",
        winner=winner["id"],
        last=loglines.lines(seat, [last], quiet="each") if last else [],
        days=(last or entries[-1])["at"] - entries.opened_at(),
        entries=len(entries) if number is None else number + 1,
        standing=pages.standing(seat),
        chart=charts.of_players(seat, request.GET.get("chart"), former),
        counting=seat.game.recount,
        rules=rules,
        changed=len(books.history(seat)) > 1,
        makers=makers(rules),
        together=together,
        dice=players,
        faces=FACES,
    )


def makers(rules: list[Data]) -> list[Any]:
    """Who made how many of the rules that hold, most first: [(author, how many)]."""
    found: Data = {}
    for each in rules:
        found[each["author"]] = found.get(each["author"], 0) + 1
    return sorted(found.items(), key=lambda pair: -pair[1])

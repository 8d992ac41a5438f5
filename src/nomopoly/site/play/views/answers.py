"""Standing answers: left, looked at, taken back by their owner alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import answers as standing
from nomopoly.site.play import pages
from nomopoly.site.tables import domain, live, queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done


@require_http_methods(["GET", "HEAD", "POST"])
@seated("actions", signed_in=True)
def answers(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of a player's standing answers."""
    seat.need_player("leave standing answers")
    if request.method != "POST":
        return draw(seat, request.GET)
    if "remove" in request.POST:
        return once.send(request, lambda: remove(seat, request.POST["remove"]))
    if len(queries.standing_answers(seat.place)) >= standing.MOST:
        return draw(
            seat, request.POST, _("You have %(most)s standing answers: remove one first") % {"most": standing.MOST}
        )
    try:
        read = standing.read(seat, request.POST)
    except standing.Unclear as error:
        return draw(seat, request.POST, str(error) + ".")

    def go() -> Done:
        kept = domain.leave_answer(seat.game, seat.membership, **read)
        told = (
            _("It was put already, and has been answered.")
            if kept.given
            else _("It will be given when the time comes.")
        )
        return once.Done(_("Your standing answer is kept. %(told)s") % {"told": told}, f"{seat.game.address}answers/")

    return once.send(request, go)


def remove(seat: Seat, number: str) -> Done:
    """Take a standing answer back."""
    if number.isdecimal() and len(number) < 16:
        domain.remove_answer(seat.place, int(number))
    return once.Done(_("It will not be given any more."), f"{seat.game.address}answers/")


def draw(seat: Seat, sent: Mapping[str, Any], refusal: str | None = None) -> HttpResponse:
    """That page, filled in as it was sent, with a refusal if there is one."""
    actions = standing.actions(seat)
    labels = {action["id"]: action["label"] for action in actions}
    kept = queries.standing_answers(seat.place)
    asked = [
        thing["text"]
        for thing in seat.view["things"].values()
        if thing["kind"] == "question" and seat.player_name in (thing.get("asked") or ()) and thing.get("text")
    ]
    return pages.show(
        seat,
        "play/answers.html",
        kept=[
            {
                "row": each,
                "label": labels.get(each.question, "") if each.fields is not None else "",
                "gone": each.fields is not None and each.question not in labels,
                "lapsed": each.until is not None and each.until <= live.now(),
                "refused": [queries.in_reader_words(reason) for reason in each.refused.values()],
            }
            for each in kept
        ],
        actions=actions,
        asked=asked,
        sent={name: sent.get(name, "") for name in ("question", "answer", "until")},
        refusal=refusal,
    )

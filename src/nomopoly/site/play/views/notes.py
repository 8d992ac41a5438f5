"""A player's private notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import notes as sheets
from nomopoly.site.play import pages

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


@require_http_methods(["GET", "HEAD", "POST"])
@seated("overview", signed_in=True)
def notes(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of private notes."""
    if seat.role not in ("player", "former"):
        raise seat.outsider("keep notes here")
    if request.method != "POST":
        return draw(seat)
    body = request.POST.get("body", "").replace("\r\n", "\n")

    def go() -> once.Done | HttpResponse:
        refusal = sheets.keep(seat, body, request.POST.get("before", ""))
        return (
            draw(seat, body, refusal) if refusal else once.Done(_("Your notes are kept."), f"{seat.game.address}notes/")
        )

    return once.send(request, go)


def draw(seat: Seat, typed: str | None = None, refusal: str | None = None) -> HttpResponse:
    """That page, filled in as it was typed, with a refusal if there is one."""
    note = sheets.of(seat)
    return pages.show(
        seat,
        "play/notes.html",
        note=note,
        before=sheets.version(note),
        body=note.body if typed is None else typed,
        refusal=refusal,
        elsewhere=note.body if refusal == str(sheets.CHANGED) else None,
        longest=sheets.LONGEST,
    )

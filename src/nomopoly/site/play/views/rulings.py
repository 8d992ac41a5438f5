"""Rulings, and the questions that have been asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import pages, sentences
from nomopoly.site.play import rulings as book

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


@require_safe
@seated("rules")
def rulings(request: HttpRequest, seat: Seat) -> HttpResponse:
    """What the Admin has ruled, what was struck, and what was asked."""
    entries = seat.live.facts(seat.viewer).where(open_to_all=True)
    strikes = {each["n"]: each for each in entries.where(kind="strike")}
    asked = book.questions(seat, entries)
    counts = {entry["n"]: len(said) for entry, said in asked}
    teller = sentences.Teller(seat)
    return pages.show(
        seat,
        "play/rulings.html",
        rulings=[
            each | {"strike": strikes.get(each["struck"]), "questions": counts.get(each["n"], 0)}
            for each in book.rulings(entries)
        ],
        known={record["id"] for version in seat.live.book_history() for record in version["records"]},
        asked=[(entry, teller.line(entry), said) for entry, said in asked],
    )

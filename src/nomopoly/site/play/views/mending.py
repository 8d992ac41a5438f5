"""The page on which the Admin mends the typos of a proposal, or of a post."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import mending, pages, talk
from nomopoly.site.play.views.forum import place_of
from nomopoly.site.play.views.proposals import find

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


@seated("proposals", signed_in=True)
def mend(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The words of a proposal in a form, and kept as they are sent."""
    seat.need_admin()
    where = _("Proposal %(number)s") % {"number": number}
    return mending_of(
        request, seat, find(seat, number), ("title", "text"), f"{seat.game.address}proposals/{number}/", where
    )


@seated("forum", signed_in=True)
def mend_post(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """The words of a post in a form, and kept as they are sent."""
    seat.need_admin()
    comment = talk.readable(seat, pk)
    where = _("What %(name)s has said") % {"name": comment.name}
    return mending_of(request, seat, mending.post(comment), ("text",), place_of(seat, comment), where)


def mending_of(
    request: HttpRequest, seat: Seat, thing: Data, fields: tuple[str, str] | tuple[str], page: str, where: str
) -> Any:
    """The form for the words of a thing. `fields`: which of "title" and "text" it has; `page`: where it stands, called
    `where`."""
    written = mending.words_of(thing)
    now = mending.of(seat.game, thing) or written
    words = {name: now[name] for name in ("title", "text")}
    if request.method == "POST":
        words |= {name: request.POST.get(name, now[name]).replace("\r\n", "\n").strip() for name in fields}

    def draw(refusal: str | None = None) -> HttpResponse:
        parts = {"fields": fields, "words": words, "written": written, "page": page, "where": where, "refusal": refusal}
        return pages.show(seat, "desk/mend.html", **parts)

    def go() -> once.Done | HttpResponse:
        if refusal := mending.refusal(thing, **words):
            return draw(refusal)
        mending.mend(seat.game, thing, **words)
        return once.Done(_("The words are mended. What was written stays readable beside them."), page)

    return once.send(request, go) if request.method == "POST" else draw()

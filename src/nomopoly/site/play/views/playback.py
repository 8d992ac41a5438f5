"""What happened, for the script that shows it on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import playback

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


@require_safe
@seated("overview")
def steps(request: HttpRequest, seat: Seat) -> JsonResponse:
    """Entries as the viewer sees them, to be played back: the one of a number (`?entry=`), or the last ones after it
    (`?after=`). Returns {"newest": number, "entries": [...]}, see playback.of_entry."""
    entries = seat.live.facts(seat.viewer).where(open_to_all=True)
    number, after = whole(request.GET.get("entry")), whole(request.GET.get("after"))
    if number is not None:
        found = list(entries.where(number=number))
    elif after is not None:
        found = entries.where(number_after=after)[-playback.MOST_ENTRIES :]
    else:
        raise Http404(_("Say which entry, or after which one."))
    told = {"newest": entries.last_number(), "entries": playback.of_entries(seat, found)}
    response = JsonResponse(told)
    response["Cache-Control"] = "private, no-store"
    return response


def whole(text: str | None) -> int | None:
    """A number as it stands in an address; None for anything else."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else None

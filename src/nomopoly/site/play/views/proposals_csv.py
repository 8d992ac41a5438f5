"""The proposals of a game as a table: who proposed what, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import pages, proposals

if TYPE_CHECKING:
    from nomopoly.site.door import Seat

COLUMNS = ["number", "title", "author", "made", "rules", "outcome", "yes", "no", "words"]


@require_safe
@seated("proposals")
def as_csv(request: HttpRequest, seat: Seat) -> HttpResponse:
    """All proposals that the reader sees, oldest first."""
    rows: list[list[object]] = [[*COLUMNS]]
    for each in reversed(proposals.listed(seat.view)):
        made = each.get("made_at")
        at = formats.local(made).isoformat() if type(made) is int else ""
        author = each.get("author") or ("" if each["undeclared"] else _("the Admin"))
        outcome = capfirst(proposals.outcome_words(each))
        row = [each["number"], each.get("title"), author, at, " ".join(each["rules"]), outcome]
        rows.append([*row, *(each.get(name) for name in ("yes_votes", "no_votes", "text"))])
    return pages.csv_file(rows, f"{seat.game.slug}-proposals.csv")

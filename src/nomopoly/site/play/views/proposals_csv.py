"""The proposals of a game as a table: who proposed what, and what came of it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.lab.tables import safe_cell
from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import pages, proposals

if TYPE_CHECKING:
    from nomopoly.site.door import Seat

COLUMNS = ["number", "title", "author", "made", "rules", "outcome", "yes", "no", "words"]


@require_safe
@seated("proposals")
def as_csv(request: HttpRequest, seat: Seat) -> HttpResponse:
    """All proposals that the reader sees, oldest first. The mark it begins with lets spreadsheets read umlauts."""
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(COLUMNS)
    for each in reversed(proposals.listed(seat.view)):
        made = each.get("made_at")
        at = formats.local(made).isoformat() if type(made) is int else ""
        author = each.get("author") or ("" if each["undeclared"] else _("the Admin"))
        row = [each.get("title"), author, at, " ".join(each["rules"]), proposals.outcome_words(each)]
        votes = [each.get(name) for name in ("yes_votes", "no_votes")]
        cells = [safe_cell(str(cell)) if cell is not None else "" for cell in [*row, *votes, each.get("text")]]
        writer.writerow([each["number"], *cells])
    body = table.getvalue().encode("utf-8-sig")
    return pages.plain_file(body, "text/csv; charset=utf-8", f"{seat.game.slug}-proposals.csv")

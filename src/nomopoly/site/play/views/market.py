"""The market of a game whose rules have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import market, pages, trades
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


@require_safe
@seated("market")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The market: what the rules sell, what players offer, what was dealt."""
    there = queries.has_market(seat.live, seat.view)
    return pages.show(
        seat,
        "play/market.html",
        there=there,
        sold=market.sold(seat) if there else [],
        offers=market.offers(seat),
        bidding=market.bidding(seat),
        deals=market.deals(seat),
        mine=len(trades.all_of(seat)) if seat.role == "player" else 0,
    )

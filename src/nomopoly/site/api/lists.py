"""The list of public games, as its page shows it."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from nomopoly.site.lobby import listing

lists = Router(tags=["Games"])


@lists.get("/games", summary="The public games")
def games(
    request: HttpRequest, state: str = "", order: str = "active", edition: str = "", q: str = "", page: int = 1
) -> dict[Any, Any]:
    """Twenty a page, those moved last first. `state`: open (takes new players), running or over; `order`: active, new
    or long; `edition`; `q`: a part of the title."""
    found, chosen = listing.page_of({"state": state, "order": order, "edition": edition, "q": q, "page": page})
    return {
        "count": found.paginator.count,
        "page": found.number,
        "pages": found.paginator.num_pages,
        "chosen": chosen,
        "games": [
            {
                "slug": each.slug,
                "title": each.title,
                "edition": each.edition,
                "address": each.address,
                "run_by": each.office,
                "players": each.seats,
                "entries": each.length or 0,
                "created": int(each.created.timestamp()),
                "moved": int(each.last_move.timestamp()),
                "takes_players": not each.closed and not each.over,
                "over": each.over,
            }
            for each in found
        ],
    }

"""What waits for the one who sits at a game: answers, votes, tasks of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site.tables import answered, deciding, queries, whereabouts

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


def waiting(seat: Seat) -> list[Data]:
    """The tasks of this viewer: a player's or the Admin's."""
    if "waiting" not in seat.cache:
        seat.cache["waiting"] = find_waiting(seat)
    return seat.cache["waiting"]


def find_waiting(seat: Seat) -> list[Any]:
    """What waits for the one who looks: answers, votes, tasks of the desk."""
    if seat.role == "player":
        refused = queries.refused_answers(seat.membership) if seat.membership and not seat.trial else []
        votes = queries.votes_about_the_game(seat.live, seat.view, seat.player)
        found = queries.waiting_for(seat.view, seat.player) + votes
        found += queries.actions_wanted(seat.live, seat.player)
        refused += deciding.asked_of(seat.membership) if seat.membership and not seat.trial else []
        found = answered.left_open(seat.live, seat.player, found)
        return found + refused
    if seat.role == "admin":
        return [
            {"text": task["text"], "path": "admin/", "until": None}
            for task in whereabouts.at_desk(seat.game)["waiting"]
        ]
    return []

"""What only a player and the Admin are shown on a player's page: when the rules take them out of the game, and their
warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site.order import conduct

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


def of(seat: Seat, name: str) -> dict[Any, Any] | None:
    """{"leaves": (moment, what keeps them in, the rule) or None, "warnings": [entry of the log]} for who may see it,
    else None."""
    if seat.trial or not (seat.role == "admin" or (seat.role == "player" and seat.player_name == name)):
        return None
    return {"leaves": removal(seat, name), "warnings": conduct.warnings(seat.game).get(name, [])}


def removal(seat: Seat, name: str) -> tuple[Any, Any, Any] | None:
    """When the rules take a player out of the game, what keeps them in, and the rule that says so; None where none
    does."""
    state = seat.view["things"].get("game", {})
    found = None if state.get("over") else seat.live.leaving().get(name)
    if found is None:
        return None
    moment, _, stays = found
    return moment, stays, seat.live.describe()["values"].get("leaves_at", "")

"""What only a player and the Admin are shown on a player's page: when the rules take them out of the game, and their
warnings; and what only the player is: the news that the rules had for them and not for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site.order import conduct
from nomopoly.site.play import sentences

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data

MOST_TOLD = 30  # entries with news that are looked at, the newest


def of(seat: Seat, name: str) -> dict[Any, Any] | None:
    """{"leaves": (moment, what keeps them in, the rule) or None, "warnings": [entry of the log]} for who may see it,
    else None."""
    if seat.trial or not (seat.role == "admin" or (seat.role == "player" and seat.player_name == name)):
        return None
    return {"leaves": removal(seat, name), "warnings": conduct.warnings(seat.game).get(name, [])}


def told(seat: Seat) -> list[Data]:
    """What the rules have told this player and not everybody, newest first: [{"entry", "text" (markup)}]."""
    entries = seat.live.facts(seat.viewer).where(standing=True).having("fact:told")[-MOST_TOLD:]
    teller = sentences.Teller(seat)
    return [
        {"entry": entry, "text": teller.linked(fact["say"], fact)}
        for entry in entries[::-1]
        for fact in entry["facts"]
        if fact["what"] == "told" and fact.get("say") and seat.player_name in (fact.get("only") or ())
    ]


def removal(seat: Seat, name: str) -> tuple[Any, Any, Any] | None:
    """When the rules take a player out of the game, what keeps them in, and the rule that says so; None where none
    does."""
    state = seat.view["things"].get("game", {})
    found = None if state.get("over") else seat.live.leaving().get(name)
    if found is None:
        return None
    moment, _, stays = found
    return moment, stays, seat.live.describe()["values"].get("leaves_at", "")

"""The acts of the desk that decide a proposal: which they are and how they decide, the rules say (`judges`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.live import Warm


ACCEPTS, IMPLEMENTS = "accepts", "implements"  # where the Admin judges, and where the players have voted
REJECTS = "rejects"
WAYS = (ACCEPTS, IMPLEMENTS, REJECTS)


def can_be_about(act: Data, id: str) -> bool:
    """Whether an act of the desk (None where rules have none of that name) can be about a thing."""
    return act is not None and any(choice["id"] == id for field in act["fields"] for choice in field["choices"])


def names(running: Warm, *ways: str) -> list[str]:
    """The acts of a game's rules that judge in one of these ways, in the order of the rules."""
    return [name for name, way in running.describe().get("judging", {}).items() if way in ways]


def act_for(acts: list[Data], way: str, id: str) -> Data | None:
    """The first of these acts of the desk that judges so and can be about a thing; None if there is none."""
    return next((act for act in acts if act.get("judges") == way and can_be_about(act, id)), None)


def ways(acts: list[Data], id: str) -> dict[Any, Any]:
    """The acts by which the Admin can decide a proposal: {"accepts", "implements", "rejects"}, each an act or None."""
    return {way: act_for(acts, way, id) for way in WAYS}

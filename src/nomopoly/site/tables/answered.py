"""Questions of the rules that a player has answered: some wait for others, and the answer can be changed as long as
they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.live import Warm


def left_open(running: Warm, player: str, found: list[Any]) -> list[Data]:
    """Of what waits for a player (items as `queries.waiting_for` makes them), all but the questions that they have
    answered."""
    if not any(item["path"] == "act/answer/" for item in found):
        return found
    mine = running.facts(player).where(by=player, do="answer", standing=True)
    done = set()
    for entry in mine:
        if not entry["refused"]:  # where rules let a question be named otherwise, a fact says which one it was
            done |= {entry["args"].get("question"), *(fact.get("question") for fact in entry["facts"])}
    return [item for item in found if item.get("about") not in done]

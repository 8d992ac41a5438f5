"""Questions of the rules that wait for a player no more. Some they have answered: these wait for others, and the answer
can be changed as long as they do. Of others the rule has gone, and nothing would come of an answer."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.live import Warm


def left_open(running: Warm, player: str, found: list[Any]) -> list[Data]:
    """Of what waits for a player (items as `queries.waiting_for` makes them), all but the questions that they have
    answered, and those whose rule has gone."""
    questions = [item["about"] for item in found if item["path"] == "act/answer/"]
    if not questions:
        return found
    events = running.describe()["events"]
    done = {id for id in questions if then(running, id) not in events}
    mine = running.facts(player).where(by=player, do="answer", standing=True)
    for entry in mine:
        if not entry["refused"]:  # where rules let a question be named otherwise, a fact says which one it was
            done |= {entry["args"].get("question"), *(fact.get("question") for fact in entry["facts"])}
    return [item for item in found if item.get("about") not in done]


def then(running: Warm, question: str) -> Any:
    """The event that waits for the answers to a question; None of one that is gone by now."""
    with contextlib.suppress(KeyError):
        return running.value("then", question)
    return None

"""What would come of a proposal, in words: as things stand now, and as everybody could see it when it was made, which
is kept."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

from nomopoly.lab.differences import money
from nomopoly.lab.forecast import changed_book, new_clashes
from nomopoly.rulebook.clashes import Clash
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.busy import Busy
from nomopoly.site.door import Seat
from nomopoly.site.play import pages, proposals, sentences
from nomopoly.site.play.models import Foreseen
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


log = logging.getLogger("nomopoly.foreseen")
MOST = 100  # facts, and changes, that are kept of a forecast


def draw_up(seat: Seat, proposal: Data) -> dict[Any, Any] | None:
    """What accepting an open proposal would do now, as this viewer may know it; None where there is nothing to foresee.

    Returns data that can be kept: {"outcome" (the parts of an Outcome), "clashes" (the parts of each Clash), "money"
    (all of it, before and after)}.
    """
    forecast = proposals.forecast(seat, proposal)
    if forecast is None:
        return None
    changes = [each for each in forecast.changes if each[0] != proposal["id"]] if forecast.ok else []
    changes = sentences.Teller(seat).changes({"changes": changes})
    outcome = {
        "refused": forecast.refused,
        "rule": forecast.rule,
        "fault": forecast.fault,
        "rolls": forecast.rolls,
        "facts": sentences.of_preview(seat, forecast) if forecast.ok else [],
        "changes": changes,
    }
    before = money(seat.view["things"])
    more = sum(then - (was or 0) for _, name, was, then in changes if name == "money" and type(then) is int)
    records = seat.live.records()
    after = changed_book(records, proposal["changes"])
    clashes = [] if after is None else new_clashes(records, after, seat.live.n)
    parts = [[each.what, each.name, each.winner, each.loser, each.reason] for each in clashes]
    return {"outcome": outcome, "clashes": parts, "money": [before, before + more]}


def in_words(seat: Seat, proposal: Data, data: dict[Any, Any]) -> dict[Any, Any]:
    """What was drawn up, as a page tells it to who looks: {"refusal", "effects", "changes", "rolls", "clashes",
    "money"}."""
    outcome, teller = Outcome(None, **data["outcome"]), sentences.Teller(seat)
    teller.governs = seat.game.decider_name if seat.game.office != seat.game.Office.PERSON else None
    mine = {str(change.get(verb)) for change in proposal["changes"] for verb in ("enact", "amend") if verb in change}
    return {
        "refusal": None if outcome.ok else pages.refusal(seat, outcome),
        "effects": [teller.linked(teller.by_whom(fact["say"]), fact) for fact in outcome.facts if fact.get("say")],
        "changes": queries.readable(seat.view, outcome.changes, seat.names),
        "rolls": outcome.rolls,
        "clashes": [proposals.clash_words(Clash(*parts), mine) for parts in data["clashes"]],
        "money": data["money"] if data["money"][0] != data["money"][1] else None,
    }


def of_proposal(seat: Seat, proposal: Data) -> dict[Any, Any]:
    """The forecasts on a proposal's page: {"now" (in words, or None), "then" (the same where it is another one),
    "at"}."""
    data = draw_up(seat, proposal)
    kept = kept_of(seat, proposal)
    now = None if data is None else in_words(seat, proposal, data)
    then = None if kept is None else in_words(seat, proposal, kept["data"])
    return {"now": now, "then": then if then != now else None, "at": kept["at"] if kept else None}


def kept_of(seat: Seat, proposal: Data) -> Data | None:
    """What is kept of a proposal: {"at", "data" (as `draw_up` made it)}; None where nothing is, as in trial copies."""
    row = None if seat.trial else Foreseen.objects.filter(game=seat.game, proposal=proposal["id"]).first()
    return None if row is None else {"at": row.at, "data": json.loads(row.data)}


def keep(game: Game, id: str) -> None:
    """Keep what everybody can see coming of a proposal that was just made (`id`), unless that is kept already.

    What cannot be foreseen is in the log of the server, and holds up nothing else.
    """
    seat = Seat(HttpRequest(), game, "visitor", None)
    proposal = next((each for each in proposals.listed(seat.view) if each["id"] == id), None)
    if proposal is None or Foreseen.objects.filter(game=game, proposal=id).exists():
        return
    try:
        data = draw_up(seat, proposal)
    except Busy:
        raise
    except Exception:
        log.exception("what would come of proposal %s of game %s", id, game.slug)
        return
    if data is None:
        return
    for part in ("facts", "changes"):
        data["outcome"][part] = data["outcome"][part][:MOST]
    kept = {"at": live.now(), "data": json.dumps(data, ensure_ascii=False)}
    Foreseen.objects.get_or_create(game=game, proposal=id, defaults=kept)

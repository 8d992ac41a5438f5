"""What a proposal would do, tried on copies that hold only what the viewer may see: see lab/forecast.py."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import gettext

from nomopoly.lab import forecast
from nomopoly.lab.forecast import Recent
from nomopoly.runtime.copies import as_seen, copy_of
from nomopoly.runtime.lines import rolled
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.scenarios.play import Result
from nomopoly.site.play import sentences
from nomopoly.site.play.models import Example
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


WEEKS = 3
MOST_ENTRIES = 400  # of the last weeks that a page plays again
SECONDS = 4.0
KEPT_SECONDS = 86400


@dataclass
class Tried:
    """A proposal tried out: now, in the last weeks again, and in its example."""

    now: forecast.Forecast
    again: forecast.Again | None = None
    example: Result | None = None
    weeks: int = WEEKS


def try_out(seat: Seat, proposal: Data, scenario: str = "") -> Tried:
    """What would come of a proposal, as this viewer may know it."""
    tried = Tried(seat.live.ask(lambda game: forecast.forecast(game, proposal, seat.viewer)))
    if tried.now.stands and (proposal.get("changes") or proposal.get("run")):
        game: Running = seat.live.ask(lambda game: game)
        tried.again = forecast.compare(game, last_weeks(seat, game), proposal, seat.viewer, SECONDS)
    if scenario and tried.now.outcome is not None:
        tried.example = play(seat, proposal, scenario)
    return tried


def last_weeks(seat: Seat, game: Running) -> Recent:
    """The last weeks as this viewer may know them."""
    return forecast.recent(game, WEEKS, seat.viewer, live.now(), MOST_ENTRIES, state_after)


def state_after(game: Running, n: int) -> Data:
    """The state of a game after an entry, kept for a while: to find it, the game is played from its start."""
    key = f"state-{hashlib.sha256(f'{game.id}:{n}:{game.strikes}'.encode()).hexdigest()}"
    found = caches["local"].get(key)
    if found is None:
        found = forecast.state_after(game, n)
        caches["local"].set(key, found, KEPT_SECONDS)
    return found


def play(seat: Seat, proposal: Data, scenario: str) -> Result:
    """Play an example with a proposal in force."""
    book = seat.live.ask(lambda game: forecast.book_under(game, proposal))
    return forecast.play_example(book, proposal.get("run") or "", scenario, SECONDS)


def preview(game: Running, view: Data, do: str, args: Data) -> Outcome:
    """What an act of the Admin would do. What is hidden from the viewer stays hidden, whatever a program tells."""
    state = game.state()
    seen, invented = as_seen(state, view, game.last_hash)
    if not invented and len(seen["things"]) == len(state["things"]):
        return game.preview(None, do, args, live.now())
    copy = copy_of(game, seen, runtime=game.runtime.name, at=live.now())
    try:
        return copy.preview(None, do, args, live.now())
    finally:
        copy.runtime.close()


def in_force(game: Running, view: Data, proposal: Data) -> Outcome:
    """What putting a proposal in force would do, up to the first roll."""
    seen, _ = as_seen(game.state(), view, game.last_hash)
    copy = copy_of(game, seen, runtime=game.runtime.name, at=live.now())
    try:
        done = copy.put_in_force({"id": proposal["id"], "changes": proposal["changes"], "run": proposal["run"] or ""})
    finally:
        copy.runtime.close()
    first = next((at for at, fact in enumerate(done.facts) if rolled(fact)), None)
    return done if first is None else replace(done, facts=done.facts[:first], changes=[], rolls=True)


# ---- as pages show it


def shown(seat: Seat, proposal: dict[Any, Any], scenario: str = "") -> dict[Any, Any]:
    """A proposal tried out, in words: what a template wants."""
    tried = try_out(seat, proposal, scenario)
    again = tried.again
    return {
        "now": tried.now,
        "refusal": None if tried.now.stands or tried.now.outcome is None else queries.refusal_of(tried.now.outcome),
        "changes": readable(seat, tried.now.changes, tried.now.schema),
        "again": again,
        "troubles": troubles(seat, again.troubles) if again else [],
        "different": readable(seat, again.changes, tried.now.schema) if again else [],
        "weeks": WEEKS,
        "example": tried.example,
    }


def readable(seat: Seat, changes: list[list[Any]], schema: Data) -> list[Any]:
    """Changes of things in words, by what rules declare now and in `schema`; what becomes of the rules is shown as a
    comparison."""
    then = {
        kind: listed + [each for each in seat.view["schema"].get(kind, ()) if each not in listed]
        for kind, listed in (seat.view["schema"] | schema).items()
    }
    view = seat.view | {"schema": then}
    return queries.readable(view, [change for change in changes if not change[0].startswith("rule ")], seat.names)


def troubles(seat: Seat, found: Iterable[forecast.Trouble]) -> list[Data]:
    """Entries that would go wrong, with the numbers that everybody sees."""
    found = list(found)
    clock = gettext("the clock")
    numbers = seat.live.facts(seat.viewer).numbers(each.n for each in found)
    return [
        {
            "number": numbers.get(each.n),
            "asked": f"{each.by or clock}: {each.do.replace('-', ' ')}",
            "trouble": each,
            "reason": sentences.NO_ACTION if sentences.EVERY_ACTION.fullmatch(each.reason) else each.reason,
        }
        for each in found
    ]


# ---- examples of proposals that were made


def keep_example(seat: Seat, id: str, proposal: Data, text: str) -> None:
    """Keep a proposal's example, and how it ends."""
    result = play(seat, proposal, text)
    Example.objects.update_or_create(
        game=seat.game,
        proposal=id,
        defaults={"text": text, "failure": result.failure or "", "played": timezone.now()},
    )


def example_of(seat: Seat, proposal: Data) -> Example | None:
    """The example that a proposal carries; None if it has none."""
    return Example.objects.filter(game=seat.game, proposal=proposal["id"]).first()


def example_text(seat: Seat, proposal: Data) -> str:
    """The text of that example, or ""."""
    kept = example_of(seat, proposal)
    return kept.text if kept else ""

"""What players had that can be counted, at the end of each day on which something happened: for charts.

A cache. One reading is kept before the first entry of another day is made; until then it is taken of the game as it
stands. What is missing, or wrong since a correction, the clock reads again from the journal. A day is one of the game's
time zone.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import connections, transaction

from nomopoly.runtime.host import replay
from nomopoly.runtime.journal import moment_of
from nomopoly.site.tables import lines
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Game, Reading

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.readings")
_aside = threading.Lock()


def day_of(row: Game, seconds: int) -> date:
    """The day of a moment (seconds since 1970) by the clock of a game."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(ZoneInfo(row.time_zone)).date()


def missing(row: Game, running: Running, moment: int) -> Reading | None:
    """Before something is written: what players have, if the last entry is of an earlier day; else None."""
    if day_of(row, running.now) < day_of(row, moment) and not row.readings.filter(n=running.n).exists():
        return Reading(game=row, n=running.n, at=running.now, numbers=running.numbers())
    return None


def keep(reading: Reading) -> None:
    """Store a reading, unless another process has."""
    Reading.objects.bulk_create([reading], ignore_conflicts=True)


def missed(row: Game, running: Running, n: int) -> bool:
    """Whether what was written after entry n lies on several days, so that readings between are missing."""
    if running.n < n + 2:
        return False
    first = next(iter(running.journal.lines(n + 1)))
    return day_of(row, moment_of(first["at"])) < day_of(row, running.now)


def forget(game: Game) -> None:
    """All of them: the game has been computed in another way."""
    Reading.objects.filter(game=game).delete()
    Game.objects.filter(pk=game.pk).update(recount=True)


def recount_all() -> None:
    """Read the journals of games again of which readings are missing."""
    for game in Game.objects.filter(recount=True):
        try:
            recount(game)
        except Exception:
            log.exception("readings of game %s", game.slug)


def recount_aside() -> None:
    """The same, in a thread of its own: a long journal takes its time."""
    if not _aside.locked() and Game.objects.filter(recount=True).exists():
        threading.Thread(target=_aside_now, daemon=True).start()


def _aside_now() -> None:
    with _aside:
        try:
            recount_all()
        finally:
            connections.close_all()


def recount(game: Game) -> None:
    """Read a game's journal again."""
    rows = {}

    def watch(running: Running, line: Data) -> None:
        if day_of(game, running.now) < day_of(game, moment_of(line["at"])):
            rows[running.n] = Reading(game=game, n=running.n, at=running.now, numbers=running.numbers())

    running = replay(DatabaseJournal(game.pk), game.runtime, watch=watch)
    running.runtime.close()
    with transaction.atomic():
        row = Game.objects.select_for_update().get(pk=game.pk)
        if any(line["kind"] == "strike" for line in DatabaseJournal(game.pk).lines(running.n + 1)):
            return  # meanwhile all is different: next time
        Reading.objects.filter(game=game, n__lt=running.n).delete()
        Reading.objects.bulk_create(rows.values())
        row.recount = False
        row.save(update_fields=["recount"])


def seen(game: Game, viewer: str, running: Running, moment: int) -> list[tuple[int, dict[Any, Any]]]:
    """The readings at a moment as a viewer may have them, oldest first: [(moment, {player: {name: number}})].

    That of a day that is over is among them whether an entry has been made since or not: what is no entry, as a vote,
    shows nowhere.
    """
    kept, last = list(Reading.objects.filter(game=game).order_by("n")), missing(game, running, moment)
    told = []
    for each in of_days_seen(game, viewer, [*kept, *([last] if last else [])]):
        mine = {
            player: for_all | (own if player == viewer else admins if viewer == "admin" else {})
            for player, (for_all, own, admins) in each.numbers.items()
        }
        told.append((each.at, mine))
    return told


def of_days_seen(game: Game, viewer: str, kept: list[Reading]) -> Iterator[Reading]:
    """Those of readings on whose days a viewer knows of an entry: that something private happened shows nowhere."""
    rows = lines.rows_for(game.pk, viewer)
    last_ones = set(rows.filter(n__in=[each.n for each in kept]).values_list("n", flat=True))
    before = -1
    for each in kept:
        if each.n in last_ones or rows.filter(n__gt=before, n__lt=each.n).exists():
            yield each
        before = each.n

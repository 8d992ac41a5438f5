"""Snapshots of a game at a spacing, so that the table as it was is computed from nearby and not from the beginning.

A cache. They are kept as the game goes on, and on the way where an older game is computed from its beginning. What was
is not changed by a later correction, so they are never wrong: the table as it was at an entry knows the corrections up
to it.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from nomopoly.runtime.host import Game, replay, take_snapshot
from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.outcomes import MemoryOutcomes
from nomopoly.runtime.past import taken_up
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import LogLine, Waypoint

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.waypoints")
SPACING = 400  # entries


def is_due(before: int, n: int, struck: bool) -> bool:
    """Whether a snapshot after entry n is to be kept, when the last entry was `before`; always after a strike."""
    return before // SPACING != n // SPACING or struck


def packed(snapshot: Data) -> bytes:
    """A snapshot as it is kept."""
    return zlib.compress(json.dumps(snapshot, separators=(",", ":")).encode(), 6)


def keep(game_id: int, runtime: str, n: int, blob: bytes) -> None:
    """Keep a packed snapshot after entry n, unless one is there."""
    Waypoint.objects.bulk_create([Waypoint(game_id=game_id, runtime=runtime, n=n, blob=blob)], ignore_conflicts=True)


def forget(game_id: int) -> None:
    """Throw those of a game away: its journal is another one."""
    Waypoint.objects.filter(game_id=game_id).delete()


def as_it_was(game_id: int, runtime: str, first: int, until: int, watch: Callable[[Game, Data], object]) -> Game:
    """The runtime's Game after entry `until`; watch(game, line) sees it before each entry that is carried out, from
    entry `first` + 1 on at the latest."""
    strikes = LogLine.objects.filter(game_id=game_id, kind="strike", n__lte=until).order_by("-n")
    strike = strikes.values_list("n", flat=True).first() or 0
    known = Waypoint.objects.filter(game_id=game_id, runtime=runtime, n__lte=first, n__gte=strike)
    nearest = known.order_by("-n").first()
    journal = DatabaseJournal(game_id)

    def note(game: Game, line: Data) -> None:
        watch(game, line)
        if game.n >= max(strike, 1) and game.n % SPACING == 0:  # before the strike it is not what it was then
            keep(game_id, runtime, game.n, packed(take_snapshot(game)))

    if nearest is not None:
        try:
            return taken_up(journal, runtime, json.loads(zlib.decompress(bytes(nearest.blob))), until, note)
        except (JournalError, KeyError) as error:  # of another journal, or in an older form
            log.warning("game %s, entry %s: %s", game_id, nearest.n, error)
            forget(game_id)

    return replay(journal, runtime, until=until, known=MemoryOutcomes(), watch=note)

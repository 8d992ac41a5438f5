"""Warnings to players whom the rules will soon take out of the game: the rules say when, how long before a warning is
due, and what keeps one in (the value `leaves_at`).

A game's rules are asked again when an entry was written or the next warning is due; a game in which neither is so costs
nothing.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from nomopoly.site.busy import Busy
from nomopoly.site.tables import holidays, live, queries
from nomopoly.site.tables.models import Entry, Game
from nomopoly.site.tables.signals import leaves_soon

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Membership


log = logging.getLogger("nomopoly.clock")
DAY = 86_400
WEEK = 7 * DAY  # a rule may look at the moment alone: so long at most is a quiet game not asked


def warn() -> None:
    """Warn of what is to be warned of now. Each warning is given once, however many clocks there are."""
    for game in to_ask():
        try:
            warn_players(game)
        except Busy as error:
            log.info("warnings of game %s have to wait: %s", game.slug, error)
        except Exception:
            log.exception("warnings of game %s", game.slug)


def to_ask() -> QuerySet[Game]:
    """The games whose rules may have something new to say about who leaves, in one query."""
    last = Entry.objects.filter(game=OuterRef("pk")).order_by("-n").values("n")[:1]
    games = Game.objects.filter(demo=False, due__isnull=False).annotate(head=Subquery(last))
    return games.filter(~Q(idle_n=F("head")) | Q(idle_at__isnull=True) | Q(idle_at__lte=live.now()))


def warn_players(game: Game) -> None:
    """Warn the players of one game, if it is time to, and note when to look again."""
    warm = live.of(game)
    n = warm.n  # read first: what is entered meanwhile is looked at next time
    leaving, away = warm.leaving(), False
    if leaving and not warm.view("admin")["things"]["game"].get("over"):
        for seat in queries.players_seated(game).select_related("user"):
            if seat.player in leaving:
                away = away or holidays.now_of(seat) is not None
                warn_player(seat, *leaving[seat.player])
    # Who is away may be back at any time: then the rules are asked at the next round.
    Game.objects.filter(pk=game.pk).update(idle_n=n, idle_at=None if away else next_warning(leaving))


def next_warning(leaving: Data) -> int:
    """When the next warning of somebody is due, if nothing happens before, a week from now at the latest."""
    now = live.now()
    mails = [moment - days * DAY for moment, stages, _ in leaving.values() for days in stages]
    return min([now + WEEK, *[mail for mail in mails if mail > now]])


def warn_player(seat: Membership, moment: int, stages: Iterable[int], stays: str) -> None:
    """Warn one player, if it is time to: `stages` are the days before the `moment` at which that is done.

    Who is away is warned once they are back, unless that would be too late.
    """
    left = moment - live.now()
    away = holidays.now_of(seat)
    if away is not None and moment - away.until >= DAY:
        return
    days = next((days for days in sorted(stages) if 0 < left <= days * DAY), None)
    if days is not None and not_warned_yet(seat, moment, days):
        leaves_soon.send(sender=Game, seat=seat, moment=moment, days=days, stays=stays)


def not_warned_yet(seat: Membership, moment: int, days: int) -> int:
    """Note a warning, and say whether it is a new one."""
    known = Q(warned_for=moment, warned_days__lte=days)
    return type(seat).objects.filter(pk=seat.pk).exclude(known).update(warned_for=moment, warned_days=days)

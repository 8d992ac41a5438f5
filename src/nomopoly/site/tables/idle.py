"""Mails to players whom the rules will soon take out of the game: the rules say when, how long before a mail is due, and what
keeps one in (the value `leaves_at`)."""

import logging

from django.db.models import Q

from nomopoly.site.busy import Busy
from nomopoly.site.tables import domain, holidays, live, queries
from nomopoly.site.tables.models import Game

log = logging.getLogger("nomopoly.clock")
DAY = 86_400


def warn():
    """Send what is to be sent now. Each mail goes out once, however many clocks there are."""
    for game in Game.objects.filter(demo=False, due__isnull=False):
        try:
            warn_players(game)
        except Busy as error:
            log.info("warnings of game %s have to wait: %s", game.slug, error)
        except Exception:
            log.exception("warnings of game %s", game.slug)


def warn_players(game):
    """Mail the players of one game, if it is time to."""
    leaving = live.of(game).leaving()
    if not leaving or live.of(game).view("admin")["things"]["game"].get("over"):
        return
    for seat in queries.players_seated(game).select_related("user"):
        if seat.player in leaving:
            warn_player(game, seat, *leaving[seat.player])


def warn_player(game, seat, moment, stages, stays):
    """Mail one player, if it is time to: `stages` are the days before the `moment` at which a mail goes out.

    Who is away is mailed once they are back, unless that would be too late.
    """
    left = moment - live.now()
    away = holidays.now_of(seat)
    if away is not None and moment - away.until >= DAY:
        return
    days = next((days for days in sorted(stages) if 0 < left <= days * DAY), None)
    if days is not None and not_warned_yet(seat, moment, days):
        when = queries.in_words(moment, "moment")
        domain.mail(
            seat.user,
            f"[{game.title}] You will be out of the game in {days} day{'s' if days > 1 else ''}",
            f"By the rules of {game.title}, {seat.player} is removed on {when}, with money and everything else. {stays}\n\n"
            f"The game is here: {{site}}{game.address}\n",
        )


def not_warned_yet(seat, moment, days):
    """Note a warning, and say whether it is a new one."""
    known = Q(warned_for=moment, warned_days__lte=days)
    return type(seat).objects.filter(pk=seat.pk).exclude(known).update(warned_for=moment, warned_days=days)

"""Mails to players whom the rules will soon remove: because they have not been here (iv, 3.4), 7 days and 1 day before; or
because they do nothing (ii, III.5), when one more week of that is too much."""

import logging

from django.db.models import Q

from nomopoly.site.busy import Busy
from nomopoly.site.tables import domain, live, queries
from nomopoly.site.tables.models import Game

log = logging.getLogger("nomopoly.clock")
DAY = 86_400
STAGES = (1, 7)  # days before; the last one first


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
    limits = [each for each in ("login_limit", "idle_weeks") if each in live.of(game).describe()["values"]]
    if not limits:
        return
    things = live.of(game).view("admin")["things"]
    if things["game"].get("over"):
        return
    limit = live.of(game).value(limits[0], "game")
    for seat in queries.players_seated(game).select_related("user"):
        player = things.get(seat.player, {})
        if limits[0] == "login_limit":
            warn_player(game, seat, player, limit * 3600)
        elif queries.moment_in(player, "idle_for") >= limit - 1 and not player.get("acted"):
            warn_idler(game, seat, things["game"]["week"])


def warn_player(game, seat, player, limit):
    """Mail one player, if it is time to."""
    seen = max(queries.moment_in(player, "last_login"), queries.moment_in(player, "joined_at"))
    left = seen + limit - live.now()
    days = next((days for days in STAGES if 0 < left <= days * DAY), None)
    if not seen or days is None:
        return
    if not_warned_yet(seat, seen, days):
        when = queries.in_words(seen + limit, "moment")
        domain.mail(
            seat.user,
            f"[{game.title}] You will be out of the game in {days} day{'s' if days > 1 else ''}",
            f"You have not been at {game.title} for a while. By its rules {seat.player} is removed on {when}, with money and "
            "everything else, unless you sign in before.\n\n"
            f"To stay, open this page: {{site}}{game.address}\n",
        )


def warn_idler(game, seat, week):
    """Mail one player who has this week left to do something, if they have not had that mail."""
    if not_warned_yet(seat, week, 7):
        domain.mail(
            seat.user,
            f"[{game.title}] You will be out of the game at the end of the week",
            f"You have done nothing at {game.title} for weeks. By its rules {seat.player} is removed when this week ends, with "
            "money and everything else. An order, a vote or a proposal is enough to stay.\n\n"
            f"To stay, open this page: {{site}}{game.address}\n",
        )


def not_warned_yet(seat, since, days):
    """Note a warning, and say whether it is a new one."""
    known = Q(warned_for=since, warned_days__lte=days)
    return type(seat).objects.filter(pk=seat.pk).exclude(known).update(warned_for=since, warned_days=days)

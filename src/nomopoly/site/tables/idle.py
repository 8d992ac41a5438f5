"""Mails to players whom the rules will soon remove because they have not been here (iv, 3.4): 7 days and 1 day before."""

import logging

from django.db.models import Q

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
        except Exception:
            log.exception("warnings of game %s", game.slug)


def warn_players(game):
    """Mail the players of one game, if it is time to."""
    if "login_limit" in live.of(game).describe()["values"]:
        things = live.of(game).view("admin")["things"]
        if not things["game"].get("over"):
            limit = live.of(game).value("login_limit", "game") * 3600
            for seat in queries.players_seated(game).select_related("user"):
                warn_player(game, seat, things.get(seat.player, {}), limit)


def warn_player(game, seat, player, limit):
    """Mail one player, if it is time to."""
    seen = max(player.get("last_login") or 0, player.get("joined_at") or 0)
    left = seen + limit - live.now()
    days = next((days for days in STAGES if 0 < left <= days * DAY), None)
    if not seen or days is None:
        return
    known = Q(warned_for=seen, warned_days__lte=days)
    if type(seat).objects.filter(pk=seat.pk).exclude(known).update(warned_for=seen, warned_days=days):
        when = queries.in_words(seen + limit, "moment")
        domain.mail(
            seat.user,
            f"[{game.title}] You will be out of the game in {days} day{'s' if days > 1 else ''}",
            f"You have not been at {game.title} for a while. By its rules {seat.player} is removed on {when}, with money and "
            "everything else, unless you sign in before.\n\n"
            f"To stay, open this page: {{site}}{game.address}\n",
        )

"""Seats at which programs of the site play: put there and taken away by who has started the game.

What plays them is registered with the clock by the command (nomopoly.demo.seats); the site itself plays no bots.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.tables import domain, live, queries
from nomopoly.site.tables.models import BotSeat, Membership, Visit

if TYPE_CHECKING:
    from nomopoly.site.tables.models import Game


MOST = 6  # at one game
NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")
FIRST = 20  # seconds until it acts for the first time
WATCHED = timedelta(days=3)  # that bots play on where nobody looks at the game any more
Status = Membership.Status


def bots_of(game: Game) -> list[Any]:
    """The seats of the bots that play in a game, oldest first."""
    return list(BotSeat.objects.filter(seat__game=game, seat__status=Status.APPROVED).select_related("seat"))


@domain.begun_again
def put(game: Game) -> Outcome:
    """Give a bot a seat. Returns the outcome; the bot's name is in its seat."""
    with domain.acting(game) as running:
        if len(bots_of(game)) >= MOST:
            return Outcome(None, refused=_("At most %(most)s bots play in one game") % {"most": MOST})
        used = set(game.memberships.values_list("player", flat=True)) | set(running.view("visitor")["things"])
        used |= set(queries.ever_joined(live.of(game)))
        name = next((f"Bot {each}" for each in NAMES if f"Bot {each}" not in used), None)
        if name is None:
            return Outcome(None, refused=_("No further bots are there for this game"))
        outcome = running.join(name, live.now())
        if outcome.ok:
            seat = Membership(game=game, player=name, status=Status.ASKED, asked=live.present())
            domain.let_in(game, running, seat)
            live.of(game).also(seat.save)
            live.of(game).also(lambda: BotSeat.objects.create(seat=seat, next_at=live.now() + FIRST))
        domain.settle(game, running, outcome)
    return outcome


def take_away(game: Game, bot: BotSeat) -> Outcome:
    """Let a bot leave a game, by its rules on leaving. Returns the outcome."""
    return domain.leave(game, bot.seat)


def due(moment: int) -> BotSeat | None:
    """The bot that has waited longest to act, in a game that somebody still looks at; None if there is none."""
    seen = Visit.objects.filter(at__gt=timezone.now() - WATCHED)
    waiting = BotSeat.objects.filter(next_at__lte=moment, seat__status=Status.APPROVED, seat__game__over=False)
    watched = waiting.filter(seat__game__in=seen.values("game"))
    return watched.select_related("seat", "seat__game").order_by("next_at").first()


def put_off(bot: BotSeat, seconds: int) -> None:
    """Let a bot wait so many seconds before it acts again."""
    BotSeat.objects.filter(pk=bot.pk).update(next_at=live.now() + seconds)


def is_playing(bot: BotSeat) -> bool:
    """Whether a bot is in its game, which goes on."""
    things = live.of(bot.seat.game).view("visitor")["things"]
    return things.get(bot.seat.player, {}).get("kind") == "player" and not things["game"].get("over")


def has_open_proposal(bot: BotSeat) -> bool:
    """Whether a proposal of this bot's waits for a vote or a judgement."""
    view = live.of(bot.seat.game).view("admin")
    mine = [thing for thing in view["things"].values() if thing.get("author") == bot.seat.player]
    open_now = {thing["id"] for thing in queries.undecided(view)}
    return any(thing["id"] in open_now or queries.is_voted_on(thing) for thing in mine)

"""Plays the bots that people have given a seat at their games, at the pace of people. A chore of the clock."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Any

from nomopoly.runtime.outcomes import Outcome

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import BotSeat, Game


PAUSE = (60, 240)  # seconds between two acts of one bot
YES = 0.7  # how likely a bot says Yes to a question of the table
log = logging.getLogger("nomopoly.bots")


def attend() -> None:
    """Let the bot act that has waited longest; one at a time, so that the clock is not held up."""
    from nomopoly.runtime.journal import MovedOn
    from nomopoly.site.busy import Busy
    from nomopoly.site.tables import bots, live

    bot = bots.due(live.now())
    if bot is None:
        return
    bots.put_off(bot, random.randint(*PAUSE))
    try:
        if bots.is_playing(bot):
            act(bot)
    except (Busy, MovedOn) as error:
        log.info("%s in game %s has to wait: %s", bot.seat.player, bot.seat.game.slug, error)


def keep(game: Game) -> None:
    """Note who plays in a demo game, at seats that nobody holds."""
    from nomopoly.site.tables import live
    from nomopoly.site.tables.models import Membership

    for thing in live.of(game).view("visitor")["things"].values():
        if thing["kind"] == "player":
            seat = Membership(game=game, player=thing["id"], status=Membership.Status.APPROVED, asked=live.present())
            seat.save()


def act(bot: BotSeat) -> None:
    """Answer what the table asks, vote, now and then propose to change a number, and give at most one order.

    Looking for an order takes its time, and nobody waits for the game meanwhile.
    """
    from nomopoly.lab.bots import Bot
    from nomopoly.site.tables import bots, deciding, domain, live

    game, name = bot.seat.game, bot.seat.player
    domain.is_here(game, name)
    chance = random.Random()
    for question in deciding.open_for(bot.seat):
        choices = [choice[0] for choice in question.choices]
        answer = choices[0] if chance.random() < YES else chance.choice(choices)
        deciding.answer(question, bot.seat, answer)
    player = Bot(name, "careful", chance.getrandbits(32), proposes=not bots.has_open_proposal(bot))
    player.play(AtTheSite(game), live.now(), orders=1)


class AtTheSite:
    """A game of the site as a bot plays it: each thing asked by itself, each order given as that of any program."""

    def __init__(self, game: Game) -> None:
        from nomopoly.site.tables import live

        self.game = game
        self.live = live.of(game)
        self.added: list[str] = []

    @property
    def n(self) -> int:
        """The number of the last entry of the journal."""
        return self.live.n

    @property
    def now(self) -> int:
        """The moment of the game's clock, in seconds since 1970."""
        return self.live.ask(lambda running: running.now)

    @property
    def opened_at(self) -> int:
        """When the game was opened, in seconds since 1970."""
        return self.live.ask(lambda running: running.opened_at)

    @property
    def runtime(self) -> AtTheSite:
        """This object itself: a bot adds its tools to the runtime and calls them there."""
        return self

    def add(self, source: str) -> None:
        """Load a tool beside the kernel. It is loaded before each call, as the game may have been loaded again."""
        self.added = [*self.added, source]

    def call(self, name: str, data: Data | None = None) -> Any:
        """Call a function of the kernel or of an added tool, and return its answer.

        The tools are added before each call: the game may have been loaded again since the last one.
        """

        def asked(running: Running) -> Any:
            for source in self.added:
                running.runtime.add(source)
            return running.runtime.call(name, data) if data else running.runtime.call(name)

        return self.live.ask(asked)

    def order(self, by: str, do: str, args: Data, at: int) -> Outcome:
        """Give an order as this player, as a program of theirs would; `at` is not used, the site has its own clock.

        Returns the Outcome; a refusal is in it.
        """
        from nomopoly.site.tables import domain

        return domain.order(self.game, by, do, args, by_program=True)

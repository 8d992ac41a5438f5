"""The clock: does in every game what is due, at its own moment, in order and once, with however many workers.

A worker takes one game at a time, those that have waited longest first, and a few entries of it, so that none waits for
another's backlog. What it has done in a game it stores in one transaction: a worker that is killed has done nothing,
and another one does it. Of two that are at one game (SQLite locks no rows) the slower one stores nothing.

Where several processes serve the site, a game's home does what is due in it (see errands.py).
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import close_old_connections, connections
from django.db.models import Min

from nomopoly.errors import CommandError
from nomopoly.runtime.interpreters import Incident
from nomopoly.runtime.journal import MovedOn
from nomopoly.site import errands, health
from nomopoly.site.accounts import newcomers
from nomopoly.site.busy import busy_of
from nomopoly.site.notices.worker import Worker as Notices
from nomopoly.site.tables import domain, idle, life, live, queries, readings, visits, witness
from nomopoly.site.tables.models import Game
from nomopoly.site.watch import logs, metrics

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.clock")
LOOK_EVERY = 3  # seconds, at most, until games are looked at that others have changed
CHORES = (
    (errands.answer_what_is_open, 60),  # whether time alone has made possible what a standing answer waits for
    (errands.decide_what_waits, 3),  # what waits where no person holds the office of Admin
    (idle.warn, 6 * 3600),  # players who have not been here
    (readings.recount_aside, 10),  # what charts show, where it is missing
    (witness.checkpoint, 600),
    (visits.forget_old_forms, 6 * 3600),
    (newcomers.forget_unconfirmed, 6 * 3600),
)
MOST_HANDS = 4
PASSING = 60  # what is worth another try within so many seconds (a full disk, a lock) is tried again soon
MOST_INCIDENTS = 3  # of one game, one after the other, before it pauses
HOLD_BACK = (5, 30, 120, 600)  # seconds that a game is left alone after its first, second... failure


class Worker:
    """One of those who watch the clock; with several hands it sees to as many games at once.

    `chores`: what others register to be done now and then beside those of the site, as (function, seconds from one time
    to the next).
    """

    def __init__(
        self,
        hands: int = 1,
        chores: tuple[()] | tuple[tuple[Callable[[], Any], int], tuple[Callable[[], Any], int]] = (),
    ) -> None:
        self.hands = hands
        self.chores = (*CHORES, *chores)
        self.stop = threading.Event()
        self.failed: dict[int, tuple[int, float]] = {}  # game -> (how often, until when it is left alone)
        self.last_done: Data = {}  # chore -> when
        self.looked = -float(LOOK_EVERY)  # when the form of the database was looked at

    def run(self) -> None:
        """Work until it is stopped, or a newer version has changed the database below it."""
        while not self.stop.is_set():
            close_old_connections()
            wait: float = LOOK_EVERY
            try:
                if self.is_outdated():
                    break
                self.round()
                wait = self.time_to_next()
            except Exception:
                log.exception("the clock")
            self.stop.wait(wait)
        connections.close_all()

    def is_outdated(self) -> bool:
        """Whether a newer version has changed the database, so that what this one writes may not fit any more."""
        if time.monotonic() - self.looked < LOOK_EVERY:
            return False
        self.looked = time.monotonic()
        newer: bool = health.form() == health.Form.NEWER
        if newer:
            log.error("the clock ends: %s", health.database_problem())
        return newer

    def round(self) -> int:
        """See once to every game in which something is due. Returns how many there were."""
        moment = live.now()
        life.sign(moment)
        games = queries.games_due(moment, but=self.left_alone())
        waiting = deque(games)
        many = min(self.hands, len(games)) - 1
        helpers = [threading.Thread(target=self.help, args=(waiting, moment), daemon=True) for _ in range(many)]
        for helper in helpers:
            helper.start()
        self.attend_all(waiting, moment)
        for helper in helpers:
            helper.join()
        for chore, every in self.chores:
            if time.monotonic() - self.last_done.get(chore, -every) >= every:
                self.last_done[chore] = time.monotonic()
                self.do_chore(chore)
        return len(games)

    def do_chore(self, chore: Callable[[], None]) -> None:
        """What is done now and then beside the games in which something is due, and may not stop them, nor wait for
        long."""
        try:
            with live.patience(live.CLAIM_WAIT):
                chore()
        except Exception as error:
            if busy_of(error) is None:
                log.exception("the clock: %s", chore)
            else:  # a game is at work: it has its turn when the chore is done the next time
                log.info("the clock: %s: %s", chore.__name__, error)

    def attend_all(self, waiting: deque[Game], moment: int) -> None:
        """See to the games that wait, one after the other."""
        while not self.stop.is_set():
            try:
                game = waiting.popleft()
            except IndexError:
                return
            with logs.about_game(game.slug):
                self.attend(game, moment)
            life.sign(live.now())

    def help(self, waiting: deque[Game], moment: int) -> None:
        """What another hand does."""
        try:
            self.attend_all(waiting, moment)
        except Exception:
            log.exception("the clock")
        finally:
            connections.close_all()

    def attend(self, game: Game, moment: int) -> None:
        """See to one game; whatever becomes of it, the others have their turn."""
        passing = False
        try:
            stuck = errands.run("due", game, moment)
        except MovedOn:  # another worker, or an order, was faster
            stuck = False
        except Incident as incident:  # the machine's guard: tried again with growing pauses, then the game pauses
            times, _ = self.failed.get(game.pk, (0, 0))
            stuck = times + 1 < MOST_INCIDENTS or not self.stop_game(game, incident)
        except Exception as error:
            waits = busy_of(error)
            if waits is None:
                log.exception("the clock of game %s", game.slug)
            else:
                log.warning("the clock of game %s: %s", game.slug, error)
            stuck, passing = True, waits is not None and waits.retry_after <= PASSING
        if stuck:
            times, _ = self.failed.get(game.pk, (0, 0))
            wait = HOLD_BACK[0 if passing else min(times, len(HOLD_BACK) - 1)]
            self.failed[game.pk] = (times + (not passing), time.monotonic() + wait)
            log.warning("the clock of game %s does not move: tried again in %s s", game.slug, wait)
        else:
            self.failed.pop(game.pk, None)

    @staticmethod
    def stop_game(game: Game, incident: Incident) -> bool:
        """Pause a game in which the machine does not get to the end of what is due. Returns whether that went well."""
        try:
            domain.stop_for(game, incident)
        except Exception:
            log.exception("the clock of game %s cannot be paused", game.slug)
            return False
        return True

    def left_alone(self) -> list[Any]:
        """The games that have failed, and are not tried again yet."""
        return [pk for pk, (_, until) in self.failed.items() if time.monotonic() < until]

    def time_to_next(self) -> float:
        """Seconds until something is due, or until it is time to look again."""
        due = Game.objects.exclude(pk__in=self.left_alone()).aggregate(due=Min("due"))["due"]
        return LOOK_EVERY if due is None else min(max(due - time.time(), 0.01), LOOK_EVERY)


def hands() -> int:
    """How many games at once a clock of its own sees to here."""
    return min(os.cpu_count() or 1, MOST_HANDS)


def run(chores: tuple[tuple[Callable[[], Any], int], tuple[Callable[[], Any], int]] | tuple[()] = ()) -> None:
    """A clock in a process of its own, until the process is ended. `chores` as for a Worker."""
    worker = Worker(hands(), chores)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: worker.stop.set())
    wait_for_tables(worker.stop)
    if worker.stop.is_set():
        return
    notices = Notices()
    metrics.serve(settings.NOMOPOLY_METRICS_PORT)
    notices.start()
    logs.show("The clock is running")
    worker.run()
    notices.end()
    live.close_all()


def wait_for_tables(stop: Event) -> None:
    """Until the database is up to date: `nomopoly serve` brings it there. Raises CommandError where a newer version
    has made it."""
    told = False
    while not stop.is_set():
        form = health.form()
        if form == health.Form.FITS:
            return
        if form == health.Form.NEWER:
            raise CommandError(health.WRONG_FORM[form])
        if not told:
            log.warning(
                "waiting until `nomopoly serve` has brought the database up to date: %s",
                health.place(),
            )
            told = True
        stop.wait(LOOK_EVERY)

"""The worker that makes notices and sends mail, beside the clock and apart from it: a slow mail server holds no game
up."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from django.db import close_old_connections, connections

from nomopoly.site import errands
from nomopoly.site.busy import busy_of
from nomopoly.site.bymail import answering as bymail
from nomopoly.site.notices import calling, mailing
from nomopoly.site.post import calls, office
from nomopoly.site.tables import live

log = logging.getLogger("nomopoly.notices")
LOOK_EVERY = 3  # seconds, at most, until letters are looked for that another process has put in
MAIL_EVERY = 30  # seconds between two looks at which notices are to be mailed
TIDY_EVERY = 6 * 3600
LAST_SECONDS = 12  # for the letter and the call under way: a mail server is given up after ten


Steps: TypeAlias = Sequence[tuple[Callable[[], object], float]]  # what is done, and every how many seconds


class Worker:
    """Makes notices, puts mails and calls in and sends letters until `stop` is set. `steps`: what is done instead."""

    def __init__(self, steps: Steps | None = None) -> None:
        self.stop = threading.Event()
        self.last_done: dict[Callable[[], object], float] = {}
        self.letters = steps is None
        self.caller: Worker | None = None
        self.thread: threading.Thread | None = None
        self.steps: Steps = steps or (
            (errands.make_notices, 0),
            (mailing.mail_all, MAIL_EVERY),
            (calling.call_all, MAIL_EVERY),
            (self.deliver_letters, 0),
            (office.tidy, TIDY_EVERY),
            (bymail.tidy, TIDY_EVERY),
            (calls.tidy, TIDY_EVERY),
        )

    def run(self) -> None:
        """Work until it is stopped."""
        while not self.stop.is_set():
            close_old_connections()
            self.round()
            office.wait(LOOK_EVERY) if self.letters else self.stop.wait(LOOK_EVERY)
        connections.close_all()

    def round(self) -> None:
        """Do once what there is to do. What fails stops nothing else."""
        for step, every in self.steps:
            if time.monotonic() - self.last_done.get(step, -every) < every:
                continue
            self.last_done[step] = time.monotonic()
            try:
                with live.patience(live.CLAIM_WAIT):
                    step()
            except Exception as error:
                name = getattr(step, "__name__", step)
                if busy_of(error) is None:
                    log.exception("%s", name)
                else:
                    log.warning("%s has to wait: %s", name, error)

    def deliver_letters(self) -> None:
        """Send the letters that are due, until `stop` is set."""
        office.deliver(stopped=self.stop.is_set)

    def deliver_calls(self) -> None:
        """Make the calls that are due, until `stop` is set."""
        calls.deliver(stopped=self.stop.is_set)

    def start(self) -> None:
        """Work in a thread of its own, and make calls in another: who answers one slowly holds no mail up."""
        self.thread = threading.Thread(target=self.run, name="notices", daemon=True)
        self.thread.start()
        if self.letters:
            self.caller = Worker(((self.deliver_calls, 0),))
            self.caller.start()

    def end(self) -> None:
        """Stop, and wait for the letter and the call under way: one that is sent and not noted is sent again."""
        workers = [self] if self.caller is None else [self, self.caller]
        for worker in workers:
            worker.stop.set()
        office.wake()
        until = time.monotonic() + LAST_SECONDS
        for worker in workers:
            if worker.thread is not None:
                worker.thread.join(max(0, until - time.monotonic()))

"""Futures of a proposal, played in the background for whoever asked: what is asked for, how far it is, and what it
says.

A job holds only what who asked may see, and is kept in this process, for as long as it has room: its result decides
nothing, and is the same when it is asked for again. One thread plays them one after the other, in a hardened process
that lets others go first.
"""

from __future__ import annotations

import collections
import json
import logging
import threading
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_noop

from nomopoly.errors import CommandError
from nomopoly.lab.futures import Worker, prepare
from nomopoly.lab.outlook import summary
from nomopoly.site.busy import Busy

if TYPE_CHECKING:
    from nomopoly.lab.futures import Work
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.futures")

FIRST, ALL = 100, 1000  # futures that are asked for at first, and in all
WEEKS = 4
LOOKS = (
    5,
    10,
    20,
    50,
    100,
    200,
    350,
    500,
    750,
    1000,
)  # numbers of futures after which it is said what they come to so far
MOST_KEPT = 40  # jobs, a few megabytes each
MOST_WAITING = 8
MANY = gettext_noop("The futures of many proposals are being played at this moment. Nothing was begun.")


@dataclass
class Job:
    """The futures of one proposal for one viewer."""

    work: Work
    entry: int  # of the game, with which they begin
    wanted: int
    kept: Data = field(default_factory=dict)  # seed -> its two futures
    told: Data | None = None  # what those that were looked at come to
    cancelled: bool = False
    failed: str = ""
    waits: bool = True
    plays: bool = False  # until it is said what they come to

    @property
    def done(self) -> int:
        """How many futures have been played so far."""
        return len(self.kept)

    @property
    def runs(self) -> bool:
        """Whether futures are still being played, or wait to be, or it is yet to be said what they come to."""
        return not self.failed and not self.cancelled and (self.waits or self.plays or self.done < self.wanted)

    def look(self, last: bool) -> None:
        """Say what the futures played so far come to; the last time, with the shortest way to what breaks."""
        played = [json.loads(zlib.decompress(self.kept[seed])) for seed in self.work.seeds if seed in self.kept]
        self.told = summary(self.work, played, shortens=last) | {"asked": self.wanted}


_alone = threading.Condition()
_jobs: collections.OrderedDict[tuple[int, str, str], Job] = (
    collections.OrderedDict()
)  # (game, proposal, viewer) -> Job, the last used at the end
_waiting: collections.deque[Job] = collections.deque()
_threads: list[Any] = []


def key_of(seat: Seat, proposal: Data) -> tuple[Any, Any, Any]:
    """What tells the jobs apart: the game, the proposal and who looks."""
    return (seat.game.pk, proposal["id"], seat.viewer)


def find(seat: Seat, proposal: Data) -> Job | None:
    """The viewer's job, or None."""
    with _alone:
        job = _jobs.get(key_of(seat, proposal))
        if job is not None:
            _jobs.move_to_end(key_of(seat, proposal))
        return job


def begin(seat: Seat, proposal: Data) -> str:
    """Begin with the first futures, from the game as it is now. Returns why that cannot be, or "". Raises Busy."""
    wanted = {"id": proposal["id"], "changes": proposal["changes"], "run": proposal["run"] or ""}
    try:
        job = seat.live.ask(lambda game: Job(prepare(game, wanted, ALL, WEEKS, seat.viewer), game.n, FIRST))
    except CommandError as error:
        return str(error)
    with _alone:
        room()
        older = _jobs.pop(key_of(seat, proposal), None)
        if older is not None:
            older.cancelled = True
        _jobs[key_of(seat, proposal)] = job
        for key in [key for key, each in _jobs.items() if not each.runs][: max(0, len(_jobs) - MOST_KEPT)]:
            _jobs.pop(key)
        queue(job)
    return ""


def go_on(job: Job) -> None:
    """Play all of them, or those that were left when somebody cancelled it. Raises Busy."""
    with _alone:
        if job.runs or job.failed:
            return
        room()
        job.wanted = FIRST if job.done < FIRST else ALL
        job.cancelled = False
        queue(job)


def cancel(job: Job) -> None:
    """Leave out what has not begun."""
    with _alone:
        job.cancelled = True
        job.waits = False


# ---- the thread that plays


def room() -> None:
    """Raise Busy where many wait already."""
    if len(_waiting) >= MOST_WAITING:
        raise Busy(60, MANY)


def queue(job: Job) -> None:
    """Let a job wait for its turn."""
    job.waits = True
    _waiting.append(job)
    if not _threads or not _threads[0].is_alive():
        _threads[:] = [threading.Thread(target=play_for_ever, name="futures", daemon=True)]
        _threads[0].start()
    _alone.notify()


def play_for_ever() -> None:
    """Play what waits, one job after the other."""
    while True:
        with _alone:
            while not _waiting:
                _alone.wait()
            job = _waiting.popleft()
            job.waits = False
        play(job)


def play(job: Job) -> None:
    """Play what is left of a job, as long as nobody cancels it."""
    worker = Worker(job.work)
    job.plays = True
    try:
        for seed in job.work.seeds[: job.wanted]:
            if job.cancelled:
                break
            if seed in job.kept:
                continue
            job.kept[seed] = zlib.compress(json.dumps(worker.play(seed)).encode())
            if job.done in LOOKS and job.done < job.wanted:
                job.look(last=False)
        if job.kept:
            job.look(last=True)
    except CommandError as error:
        job.failed = str(error)
    except Exception:
        log.exception("futures could not be played")
        job.failed = "?"
    finally:
        job.plays = False
        worker.close()

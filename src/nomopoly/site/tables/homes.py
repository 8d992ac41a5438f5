"""Where games have their home: the one process that keeps a game loaded and writes to it, where several serve the site.

A process that serves pages says once in a second that it is there (table `Process`). Who is asked first about a game
that has no home becomes its home (table `Home`), and the others hand over what comes to them (see handing.py). The home
of a process that is gone goes to whoever is asked next. All of this saves work, and decides nothing: what guards a game
is the lock of its row.

Where requests of a game come through one and the same other process for a while, that one becomes its home, since the
proxy in front sends them there.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError, IntegrityError, close_old_connections, connections
from django.db.models.functions import Now

from nomopoly.site.tables.models import Game, Home, Process
from nomopoly.site.watch import metrics

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.homes")
BEAT_EVERY = 1.0  # seconds
DEAD_AFTER = timedelta(seconds=10)  # without a beat
KNOWN_FOR = 30.0  # seconds that one believes a game to be elsewhere without looking again
FOLLOWS = 20  # requests of a game in a row that come through the same other process
MOST_KNOWN = 20_000


@dataclass(frozen=True)
class Place:
    """Where a game has its home: a process, and the address at which others reach it."""

    process: str
    address: str


HERE = Place("", "")  # what stands for this process
_address = ""  # at which others reach this process; "" where it is nobody's home
_process = ""  # what it is called among the others, while it is among them
_known: Data = {}  # slug -> (Place, until when it is believed)
_came: Data = {}  # slug -> (the process through which its last requests came, how many)
_stop = threading.Event()
_thread = None


# ---- this process


def begin(address: str, is_up: Callable[[], Any]) -> None:
    """From now on this process is one of several. `is_up()`: whether others reach it at its address by now."""
    global _address, _thread
    _address = address
    _stop.clear()
    _thread = threading.Thread(target=_go_on, args=(is_up,), name="homes", daemon=True)
    _thread.start()


def end() -> None:
    """This process is about to go: its games have no home any more."""
    global _address, _process
    _stop.set()
    if _thread is not None:
        _thread.join(timeout=5)
    mine, _address, _process = _process, "", ""
    _known.clear()
    _came.clear()
    if mine:
        gone(mine)


def is_kept() -> bool:
    """Whether this process is one of several that hand over to one another."""
    return bool(_address)


def name() -> str:
    """What this process is called among the others; "" while it is not among them."""
    return _process


def count() -> int:
    """How many games have their home in this process."""
    return sum(place is HERE for place, _ in list(_known.values())) if _process else 0


def _go_on(is_up: Callable[[], bool]) -> None:
    """Say again and again that this process is there."""
    begun, told = time.monotonic(), False
    while not _stop.wait(0.1) and not is_up():
        if not told and time.monotonic() - begun > 30:
            told = True
            log.error(
                "others do not reach this process at %s: set NOMOPOLY_HERE to an address at which they do", _address
            )
    while not _stop.is_set():
        close_old_connections()
        try:
            beat()
        except DatabaseError as error:
            log.warning("this process could not say that it is there: %s", error)
        finally:
            connections.close_all()
        _stop.wait(BEAT_EVERY)


def beat() -> None:
    """Note that this process runs. If others took it for gone, it starts again without games."""
    global _process
    if _process and not Process.objects.filter(pk=_process).update(beat=Now()):
        log.warning(
            "others took this process for gone, or another one has its address, %s: it starts again without games",
            _address,
        )
        _process = ""
        _known.clear()
    if not _process:
        new = secrets.token_urlsafe(9)
        Process.objects.create(pk=new, address=_address, beat=Now())
        _known.clear()
        _process = new
    Process.objects.filter(beat__lt=Now() - DEAD_AFTER).delete()


# ---- where games are


def remembered(slug: str) -> Place | None:
    """Where a game was when this process last looked: a Place, HERE, or None where it has to look."""
    place, until = _known.get(slug, (None, 0.0))
    return place if place is HERE or time.monotonic() < until else None


def forget(slug: str) -> None:
    """Look the game's home up again when the game is next asked for."""
    _known.pop(slug, None)


def find(slug: str, take: bool = True) -> Place | None:
    """Where a game has its home: a Place, HERE, or None where it has none, or there is no such game.

    With `take` this process becomes the home of one that has none.
    """
    place = remembered(slug)
    if place is not None:
        return place
    number = Game.objects.filter(slug=slug).values_list("pk", flat=True).first()
    if number is None:
        return None
    place = _looked_up(number)
    if place is None and take and _process:
        Home.objects.filter(game=number, process__beat__lt=Now() - DEAD_AFTER).delete()
        try:
            Home.objects.bulk_create([Home(game_id=number, process_id=_process)], ignore_conflicts=True)
        except IntegrityError:  # this process was taken for gone at this moment
            return None
        place = _looked_up(number)
        if place is HERE:
            metrics.TAKEN.inc()
    if place is not None:
        _remember(slug, place)
    return place


def _looked_up(number: int) -> Place | None:
    living = Home.objects.filter(game=number, process__beat__gt=Now() - DEAD_AFTER)
    found = living.values_list("process", "process__address").first()
    if found is None:
        return None
    return HERE if found[0] == _process else Place(*found)


def _remember(slug: str, place: Place) -> None:
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[slug] = (place, time.monotonic() + KNOWN_FOR)


def gone(process: str) -> None:
    """A process is gone: its games have no home any more."""
    Process.objects.filter(pk=process).delete()
    for slug, (place, _) in list(_known.items()):
        if place.process == process:
            forget(slug)


def came(slug: str, process: str) -> bool:
    """A request of a game whose home is here came through another process ("": it came here by itself).

    Returns whether so many came through that one that it should have the game.
    """
    if not process:
        _came.pop(slug, None)
        return False
    before, many = _came.get(slug, ("", 0))
    many = many + 1 if before == process else 1
    if many < FOLLOWS:
        _came[slug] = (process, many)
        return False
    _came.pop(slug, None)
    return True


def give(slug: str, process: str) -> None:
    """Let another process, if it lives, be the home of a game of this one."""
    living = Process.objects.filter(pk=process, beat__gt=Now() - DEAD_AFTER)
    if living.exists():
        try:
            Home.objects.filter(game__slug=slug, process=_process).update(process=process)
        except IntegrityError:  # it is gone by now
            return
        forget(slug)

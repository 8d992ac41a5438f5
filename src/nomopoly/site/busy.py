"""Turn requests away that would have to wait too long: status 503 with Retry-After, on pages and in the API.

Raise `Busy` where a wait is over, before anything was done. Locks of the database that do not come free in time come
out of the same door. A form that was sent comes back with what was typed, to be sent again by one click.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_noop

from nomopoly.rulebook import diff
from nomopoly.runtime.interpreters import Incident, SandboxBusy, SandboxGone

if TYPE_CHECKING:
    from nomopoly.site.api.door import Api
    from nomopoly.site.shapes import Respond


log = logging.getLogger("nomopoly.busy")

SITE_BUSY = gettext_noop("The site is busy: something else is being stored. Nothing was done.")
MANY_CHECKS = gettext_noop("Many proposals are being checked at this moment. Nothing was done.")
WORK_WAIT = 8.0  # seconds
NO_SANDBOX = gettext_noop(
    "The rules cannot be carried out at the moment: the machine keeps ending their sandbox. Nothing was done."
)
SANDBOXES = gettext_noop("The rules of many games are being carried out at this moment. Nothing was done.")
TOO_SLOW = gettext_noop(
    "The machine did not get to the end of this in time. Nothing was done; the operator has been notified. Try again."
)
DISK_FULL = gettext_noop(
    "The site's disk is full, so that nothing can be kept. Nothing was done. The operator has been notified."
)
DISK = ("database or disk is full", "disk I/O error")  # as SQLite says it
NO_ROOM = "53100"  # as PostgreSQL does
ENDING = ("08", "57P")  # how the states begin of a server that ends, starts or cannot be reached; None is its silence
STATES = ("55P03", "57014", "40P01", "40001")  # PostgreSQL: no lock in time, ended in time, deadlock, overtaken
NO_PLACE = ("PoolTimeout", "TooManyRequests")  # of the pool of connections
CUT_OFF = "nomopoly.cut_off"  # in the scope of a request that its game's process may have carried out, see handing.py
UNSURE = gettext_noop(
    "The process that was at this has ended before it answered. Send it again: if it was done, it is not done twice."
)
DATABASE_GONE = gettext_noop(
    "The site's database was cut off before it answered. Send it again: if it was done, it is not done twice."
)
MOST_KEPT = 200_000  # characters of a form that comes back


_works = threading.BoundedSemaphore(1)


@contextlib.contextmanager
def work() -> Iterator[None]:
    """Do something that keeps a processor busy for a second or so: one at a time, so that others have their share."""
    if not _works.acquire(timeout=WORK_WAIT):
        raise Busy(5, MANY_CHECKS)
    try:
        yield
    finally:
        _works.release()


class Busy(Exception):
    """What was asked for has to wait; nothing was done.

    `retry_after` is in how many seconds it is worth another try, `sentence` says to a player what it waits for; the
    page says it in the reader's language if the message files have it.
    """

    def __init__(self, retry_after: int, sentence: str) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after
        self.sentence = sentence


def busy_of(error: BaseException | None) -> Busy | None:
    """The Busy that an exception stands for, or None: itself, or a lock of the database that was not to be had in
    time."""
    if isinstance(error, Busy):
        return error
    if isinstance(error, Incident):
        return Busy(30, TOO_SLOW)
    if isinstance(error, SandboxGone):
        return Busy(10, NO_SANDBOX)
    if isinstance(error, SandboxBusy):
        return Busy(5, SANDBOXES)
    if isinstance(error, OperationalError):
        words, state = str(error), getattr(error.__cause__, "sqlstate", "")
        if "is locked" in words or state in STATES or type(error.__cause__).__name__ in NO_PLACE:
            return Busy(3, SITE_BUSY)
        if state is None or state.startswith(ENDING):
            log.warning("the database was cut off: %s", error)
            return Busy(5, DATABASE_GONE)
        if state == NO_ROOM or any(each in words for each in DISK):
            log.error("the disk is full, or broken: %s", error)
            return Busy(60, DISK_FULL)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        log.error("the disk is full: %s", error)
        return Busy(60, DISK_FULL)
    return None


def answer(request: HttpRequest, busy: Busy) -> HttpResponse:
    """The response that says so: JSON to programs, a page to everybody else, by a connection that is whole."""
    connection.close_if_unusable_or_obsolete()
    if request.path.startswith("/api/"):
        response: HttpResponse = JsonResponse({"error": busy.sentence, "retry_after": busy.retry_after}, status=503)
    else:
        context = {"busy": busy, "typed": typed(request), "address": request.get_full_path()}
        response = render(request, "503.html", context, status=503)
    response["Retry-After"] = str(busy.retry_after)
    response["Cache-Control"] = "no-store"
    return response


def typed(request: HttpRequest) -> list[tuple[Any, Any]] | list[Any]:
    """The fields of a form, [(name, value)], as they come back with the page; none of what is secret or too long."""
    fields = [(name, each) for name, all in request.POST.lists() for each in all if name != "csrfmiddlewaretoken"]
    secret = request.path.startswith("/account/")
    whole = not secret and not request.FILES and sum(len(each) for _, each in fields) <= MOST_KEPT
    return fields if whole else []


class Door:
    """The middleware: whatever a view raises that means waiting is answered here, and no page compares texts for
    long."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with a time limit on comparing texts.

        A request that was cut off on its way to another process may have been done: its sender gets 503 and reads so.
        """
        if getattr(request, "scope", {}).get(CUT_OFF):
            return answer(request, Busy(2, UNSURE))
        with diff.budget():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an exception that means waiting with 503 and Retry-After; leave others (None) to Django."""
        busy = busy_of(error)
        return None if busy is None else answer(request, busy)


def answer_busy(api: Api) -> None:
    """The same for a NinjaAPI, which answers its exceptions itself."""

    def handler(request: HttpRequest, error: Exception) -> HttpResponse:
        busy = busy_of(error)
        if busy is None:
            raise error
        return answer(request, busy)

    for kind in (Busy, Incident, OperationalError, OSError, SandboxBusy, SandboxGone):
        api.exception_handler(kind)(handler)

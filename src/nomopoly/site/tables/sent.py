"""What is sent with a token of its sender's (a form, an order with an Idempotency-Key) is done once.

The token is kept in the transaction of what it does. Whatever breaks before the commit, nothing was done and it may be
sent again; whatever breaks after it, the token is known, and the second sending is answered instead of carried out.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from nomopoly.site.tables import prepared
from nomopoly.site.tables.models import Once

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User

log = logging.getLogger("nomopoly.sent")
KEPT = prepared.Rows(lambda user, token: Once.objects.filter(user=user, token=token))
ONCE = prepared.Insert(Once, "user_id", "token", "result", "where", "created")
ANSWER = prepared.Update(Once, "result", "where", by=("user_id", "token"))


class AlreadyDone(Exception):
    """Another sending of the same was faster: nothing of this one is done."""


class Sent:
    """What is being carried out. `note(n, done)` makes what is kept of it: n is its entry, if it is one."""

    def __init__(self, user: User, token: str, note: Callable[[int | None, bool], str]) -> None:
        self.user, self.token, self.note = user, token, note
        self.kept = False  # in a transaction, which may still fail
        self.done = False  # and that has been committed

    def is_done(self) -> None:
        """Note that the transaction has been committed."""
        self.done = True


_sent: contextvars.ContextVar[Sent | None] = contextvars.ContextVar("sent", default=None)


def before(user: User, token: str) -> Once | None:
    """What is kept of an earlier sending, or None."""
    return KEPT.first(user.pk, token)


@contextlib.contextmanager
def sending(user: User, token: str, note: Callable[[int | None, bool], str]) -> Iterator[Sent]:
    """Whatever is done within, is done for this token. Raises AlreadyDone where it was done before."""
    now = Sent(user, token, note)
    mark = _sent.set(now)
    try:
        yield now
    finally:
        _sent.reset(mark)


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """What is done within is not what was sent."""
    mark = _sent.set(None)
    try:
        yield
    finally:
        _sent.reset(mark)


def check() -> None:
    """Raise AlreadyDone if what is being carried out was done before: asked under the lock of what it changes."""
    now = _sent.get()
    if now is not None and not now.kept and before(now.user, now.token) is not None:
        raise AlreadyDone


def keep(n: int | None = None, done: bool = True, where: str = "") -> None:
    """What is being carried out is done, as entry n: keep its token in the present transaction."""
    now = _sent.get()
    if now is None or now.kept:
        return
    try:
        with transaction.atomic(savepoint=False):
            row(now, now.note(n, done), where)
    except IntegrityError:
        raise AlreadyDone from None
    now.kept = True
    transaction.on_commit(now.is_done)


def row(now: Sent, result: str, where: str) -> None:
    """Write the row of a token."""
    ONCE.write(user_id=now.user.pk, token=now.token, result=result, where=where[:400], created=timezone.now())


@contextlib.contextmanager
def in_one() -> Iterator[None]:
    """A transaction for what is no entry of a game."""
    with transaction.atomic():
        check()
        yield
        keep()


def answered(now: Sent, result: str, where: str = "") -> None:
    """Keep what the sender was answered. Where that fails, a second sending makes the answer again.

    So nobody waits until it is on the disk, if the token itself is there already.
    """
    try:
        with unhurried() if now.done else contextlib.nullcontext():
            if not ANSWER.write(user_id=now.user.pk, token=now.token, result=result, where=where[:400]):
                with transaction.atomic():
                    row(now, result, where)
    except DatabaseError as error:
        log.warning("the answer to a form or order was not kept: %s", error)


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """What SQLite commits within need not be on the disk at once: the next commit that must be takes it along."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=FULL")

"""The sandbox for many short games of shipped rulebooks, one after the other: scenarios, and tests of the site.

To load the dump of a book takes longer than most scenarios do. A worker that has read a book, and has carried out
nothing but rules of that book, is kept when its game is over, and begins the next one as it was before its first; so
does `TimedRuntime` in CPython. It is not for rulebooks of strangers: what their rules leave behind in their worker is
their game's own.
"""

from __future__ import annotations

import contextlib
import marshal
from dataclasses import dataclass, field
from typing import Any

import pydantic_monty

from nomopoly.kernel.world import World
from nomopoly.runtime.counted import counted
from nomopoly.runtime.interpreters import monty
from nomopoly.runtime.interpreters.errors import Fault, WorkerDied
from nomopoly.runtime.interpreters.monty import RENEWED_AFTER, MontyRuntime
from nomopoly.runtime.interpreters.text import DECLARED
from nomopoly.runtime.journal import digest_of_whole

Data = dict[str, Any]
MOST_SPARE = 2  # workers that are kept, each with the memory of a rulebook
PARTS = list(vars(World()))  # of the world of a game; it gets no others

# What `TimedRuntime` does to the world, for the sandbox.
KEEPING = """
import copy as kept_copy

kept_world = {}


def kept_part(name, part):
    return kept_copy.copy(part) if type(part) in (dict, list) or name == 'entry' else part


def keep_world(names):
    for name in names:
        kept_world[name] = kept_part(name, getattr(world, name))


def begin_again():
    for name in kept_world:
        setattr(world, name, kept_part(name, kept_world[name]))


def is_in_force():
    return world.index is kept_world['index'] and world.records == kept_world['records']
"""


@dataclass
class Book:
    """A worker that has read a rulebook and keeps its world as it was then."""

    key: str
    dump: bytes
    stack: contextlib.ExitStack
    session: Any
    limits: tuple[float, int]  # of a call in it: seconds, bytes
    calls: int = 0
    declared: dict[str, bytes] = field(default_factory=dict)  # what its rules declare, each of DECLARED


_spare: dict[int, Book] = {}  # that no game uses now, the last given back at the end


class SharedRuntime(MontyRuntime):
    """The sandbox, in a worker that games of one rulebook use in turn."""

    name = "monty-shared"
    small_book = -1  # none is read again: a worker that is kept begins from the dump of its book
    # The book in force, as long as only its own rules have run, in a worker that has not changed.
    _book: Book | None = None
    _closed = False

    def call(self, name: str, data: Data | None = None, hurry: int = 0) -> Any:
        """See `MontyRuntime.call`."""
        if self._closed:
            raise RuntimeError(f"{name}: this game is closed")
        if name in DECLARED and self._book is not None and self._feed("is_in_force()"):
            kept = self._book.declared
            if name not in kept:
                kept[name] = marshal.dumps(super().call(name, data, hurry))
            return marshal.loads(kept[name])
        return super().call(name, data, hurry)

    def _take_book(self, name: str, data: Data) -> Data:
        if self.kernel:
            return super()._take_book(name, data)
        rules = data["rules"] if name == "open" else data["state"]["rules"]
        key = digest_of_whole({"commons": data["commons"], "rules": rules})
        limits = (self._seconds, self._memory)
        for spare in [each for each in _spare.values() if (each.key, each.limits) == (key, limits)][::-1]:
            book = _spare.pop(id(spare), None)  # another thread may have been faster
            if book is not None and self._begin_again(book):
                if name == "restore":
                    return {"state": {**data["state"], "rules": []}}
                return {part: data[part] for part in data if part not in ("commons", "rules")}
        rest = super()._take_book(name, data)
        if self._since:  # a small book, read here: there is no dump of it from which another game could begin
            return rest
        self._feed(KEEPING)
        self._feed("keep_world(kept_names)", kept_names=PARTS)
        self._book = Book(key, self._checkpoint or b"", self._stack, self._session, limits)
        return rest

    def _begin_again(self, book: Book) -> bool:
        """Take up a worker that was kept. Returns False if it is not there any more."""
        monty.in_worker(self._stack.close)
        self._stack, self._session, self._empty = book.stack, book.session, False
        try:
            self._feed("begin_again()")
        except (pydantic_monty.MontyError, WorkerDied):
            return False
        self._checkpoint, self._since, self._worked = book.dump, [], 0.0
        self._calls = self._young = 0
        self._added = set()
        self._book = book
        return True

    def _lookup(self) -> Data:
        return {**super()._lookup(), "count_program": self._count}

    def _count(self, code: str) -> str:
        self._book = None  # a program or an amended rule: what it leaves behind is nobody else's
        return counted(code)

    def _checkout(self, seconds: float = 0) -> None:
        self._book = None
        super()._checkout(seconds)

    def _fault(self, error: pydantic_monty.MontyError, name: str, data: Data | None) -> Fault:
        self._book = None
        return super()._fault(error, name, data)

    def close(self) -> None:
        """Let another game of the same rulebook begin here."""
        self._closed = True
        book, self._book = self._book, None
        if book is None or self._added or not self._whole or book.calls + self._calls > RENEWED_AFTER:
            super().close()
            return
        book.calls += self._calls
        _spare[id(book)] = book
        for oldest in list(_spare.values())[:-MOST_SPARE]:
            if _spare.pop(id(oldest), None):
                with contextlib.suppress(WorkerDied):
                    monty.in_worker(oldest.stack.close)

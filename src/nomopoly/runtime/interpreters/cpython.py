"""The kernel in this process: for rulebooks one trusts, that is tests, simulation and the shipped editions."""

from __future__ import annotations

import builtins
import contextlib
import copy
import marshal
import signal
import sys
import threading
from collections import namedtuple
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from nomopoly.runtime.counted import COMPILED, counted
from nomopoly.runtime.interpreters.errors import Fault, in_plain_words, limit_of, line_named
from nomopoly.runtime.interpreters.probes import PAST, compiled_watched, place_reached, watching, with_probes
from nomopoly.runtime.interpreters.text import DECLARED, RECURSION, TOGETHER, forget_kept, kernel_code, named
from nomopoly.runtime.journal import digest_of_whole

Data = dict[str, Any]
SECONDS_TIMED = 10.0
SECONDS_WATCHED = 5.0  # of work, for some entries of a shipped rulebook
MOST_SPARE = 8  # rulebooks that are kept, some megabytes each

BUILTINS = {
    name: getattr(builtins, name) for name in dir(builtins) if name not in ("exit", "quit", "help", "copyright")
}
same_namedtuple = lru_cache(4096)(namedtuple)  # making one takes long, and rules of one edition have the same numbers


@lru_cache(4096)
def compiled(source: str) -> CodeType:
    """A program of a rule, compiled for CPython: games of one edition share it. What it asserts stays in it, whatever
    PYTHONOPTIMIZE says: that a rule breaks must not depend on the environment."""
    return COMPILED.get(source) or compile(source, "<string>", "exec", optimize=0)


def exec_compiled(source: str, names: Data) -> None:
    """What `exec` does, for programs that are carried out again and again."""
    names["__builtins__"] = BUILTINS
    if watching and "rule" in names:
        id = names["rule"].id
        names["watched_rule"] = lambda: watching[-1].add(id) if watching else None
        exec(compiled_watched(source), names)
    else:
        exec(compiled(source), names)


class CPythonRuntime:
    """The kernel in this process. No limits: for rulebooks one trusts."""

    name = "cpython"
    finds_places = True  # looks for rule and line when an entry breaks
    takes_late = True  # takes dice that are made where they are asked for

    def __init__(self, kernel: str = "") -> None:
        self.kernel = kernel
        self.name = named(self.name, kernel)
        self.kept: Data = {}
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * RECURSION))
        self._added: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        """The kernel's names and its door: it is read when one of them is asked for, since a runtime may find one that
        is."""
        if name not in ("_names", "_call"):
            raise AttributeError(name)
        self._read_kernel()
        return getattr(self, name)

    def _read_kernel(self) -> None:
        """Begin with a kernel of its own."""
        self._names: Data = {"exec": self._exec}
        exec(kernel_code(self.kernel), self._names)
        self._names["namedtuple"] = same_namedtuple
        self._names["READERS"].append(counted)
        self._call = self._names["call"]

    def _exec(self, source: str, names: Data) -> None:
        exec_compiled(source, names)

    def call(self, name: str, data: Data | None = None, hurry: int = 0) -> Any:
        """One call of the kernel. Raises Fault when a rule breaks; the entry is then undone. Here nothing hurries.

        `together` with "calls", [[name, data], ...], is several that only read: a list of their results.
        """
        forget_kept(self.kept, name)
        try:
            return self._raw_call(name, data)
        except (Exception, SystemExit, GeneratorExit) as error:
            aborted = self._call("abort", None)
            kind = type(error).__name__
            rule, line = aborted["rule"], 0
            if name == "batch" and data is not None and self.finds_places:
                entry = data["entries"][len(aborted["results"])]
                scratch = type(self)(self.kernel)
                scratch._names["READERS"][:] = [with_probes]
                rule, line = place_reached(self._call, scratch._raw_call, rule, entry, PAST in str(error))
            message = in_plain_words(f"{kind}: {error}")
            raise Fault(
                rule, line or line_named(message), message, limit_of(kind), aborted["results"], aborted
            ) from None

    def _raw_call(self, name: str, data: Data | None) -> Any:
        if name == TOGETHER and data:
            return [self._call(*each) for each in data["calls"]]
        return self._call(name, data)

    def add(self, source: str) -> None:
        """Load more of the kernel's dialect into its namespace, once: calls of a tool, beside those for pages."""
        if source not in self._added:
            self._added.add(source)
            exec(compile(source, "<added>", "exec", optimize=0), self._names)

    def close(self) -> None:
        """Nothing to give back."""


class TimedRuntime(CPythonRuntime):
    """CPython that interrupts what never ends, where the system can: for scenarios, which carry rules of anybody's.

    Thousands of them begin with the same rulebook. A kernel that has read it, and has carried out nothing but rules of
    that book, is kept when its game is over, and begins the next one as it was before its first.
    """

    name = "cpython-timed"
    seconds = SECONDS_TIMED
    shares_books = True

    def __init__(self, kernel: str = "") -> None:
        super().__init__(kernel)
        self._book: Book | None = None  # which is in force, as long as only its own rules have run

    def call(self, name: str, data: Data | None = None, hurry: int = 0) -> Any:
        """See `CPythonRuntime.call`."""
        if name == "open" and data is not None and self.shares_books:
            data = self._take_book(data)
        if name in DECLARED and self._book is not None and self._book.is_in_force():
            return self._book.declared(name, lambda: super(TimedRuntime, self).call(name))
        return super().call(name, data, hurry)

    def _take_book(self, data: Data) -> Data:
        """Begin with a rulebook, one that has been read before if there is one. Returns the rest of what was given."""
        parts = {"commons": data["commons"], "rules": data["rules"]}
        key = (self.kernel + digest_of_whole(parts), bool(watching))
        kept = _spare.pop(key, None)
        if kept is None:
            super().call("prepare", parts)
            kept = Book(key, self._names)
        kept.begin()
        self._book, self._names, self._call = kept, kept.names, kept.names["call"]
        self._names["exec"] = self._exec
        return {part: data[part] for part in data if part not in parts}

    def _exec(self, source: str, names: Data) -> None:
        self._book = None  # a program or an amended rule: what it leaves behind is nobody else's
        super()._exec(source, names)

    def _raw_call(self, name: str, data: Data | None) -> Any:
        try:
            with time_limit(self.seconds):
                return super()._raw_call(name, data)
        except BaseException:
            self._book = None
            raise

    def close(self) -> None:
        """Let another game of the same rulebook begin here."""
        if self._book is not None:
            _spare[self._book.key] = self._book
            if len(_spare) > MOST_SPARE:
                _spare.pop(next(iter(_spare)))
            self._book, self._names, self._call = None, {}, over


class Book:
    """A kernel that has read a rulebook, and its world as it was then."""

    def __init__(self, key: tuple[str, bool], names: Data) -> None:
        self.key, self.names = key, names
        self._world = copied(names["world"].__dict__)
        self._declared: dict[str, bytes] = {}

    def is_in_force(self) -> bool:
        """Whether its rules are as they were: a repeal runs no program, nor does another text."""
        world = self.names["world"]
        return bool(world.index is self._world["index"] and world.records == self._world["records"])

    def declared(self, name: str, ask: Callable[[], Data]) -> Data:
        """What its rules declare, one of DECLARED, which hangs on nothing else: asked once."""
        if name not in self._declared:
            self._declared[name] = marshal.dumps(ask())
        return marshal.loads(self._declared[name])  # type: ignore[no-any-return]

    def begin(self) -> None:
        """Bring the world back to where it was."""
        world: Data = self.names["world"].__dict__
        world.clear()
        world.update(copied(self._world))


_spare: dict[tuple[str, bool], Book] = {}  # by the digest of a rulebook, and whether its programs tell that they run


def copied(world: Data) -> Data:
    """The parts of a world; those that a game changes in place are copies. The rulebook is replaced as a whole, if at
    all."""
    return {
        name: copy.copy(part) if type(part) in (dict, list) or name == "entry" else part for name, part in world.items()
    }


def over(name: str, data: Data | None = None) -> Any:
    """What is called of a game whose interpreter has been given back."""
    raise RuntimeError(f"{name}: this game is closed")


class WatchedRuntime(TimedRuntime):
    """CPython for a stranger's journal of shipped programs: what they are given may still make them run without end."""

    name = "cpython"
    seconds = SECONDS_WATCHED
    shares_books = False


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what runs too long; only in the main thread of systems that have an alarm."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"it ran for more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

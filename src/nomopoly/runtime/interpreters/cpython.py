"""The kernel in this process: for rulebooks one trusts, that is tests, simulation and the shipped editions."""

from __future__ import annotations

import builtins
import contextlib
import signal
import sys
import threading
from collections import namedtuple
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from nomopoly.runtime.counting import counted
from nomopoly.runtime.interpreters.errors import Fault, limit_of, line_named
from nomopoly.runtime.interpreters.probes import PAST, compiled_watched, place_reached, watching, with_probes
from nomopoly.runtime.interpreters.text import RECURSION, kernel_code

Data = dict[str, Any]
SECONDS_TIMED = 10.0
SECONDS_WATCHED = 5.0  # of work, for some entries of a shipped rulebook

BUILTINS = {
    name: getattr(builtins, name) for name in dir(builtins) if name not in ("exit", "quit", "help", "copyright")
}
same_namedtuple = lru_cache(4096)(namedtuple)  # making one takes long, and rules of one edition have the same numbers


@lru_cache(4096)
def compiled(source: str) -> CodeType:
    """A program of a rule, compiled for CPython: games of one edition share it."""
    return compile(source, "<string>", "exec")


def exec_compiled(source: str, names: Data) -> None:
    """What `exec` does, for programs that are carried out again and again."""
    names["__builtins__"] = BUILTINS
    if watching and "rule" in names:
        ran, id = watching[-1], names["rule"].id
        names["watched_rule"] = lambda: ran.add(id)
        exec(compiled_watched(source), names)
    else:
        exec(compiled(source), names)


class CPythonRuntime:
    """The kernel in this process. No limits: for rulebooks one trusts."""

    name = "cpython"
    finds_places = True  # looks for rule and line when an entry breaks

    def __init__(self) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * RECURSION))
        self._names: Data = {"exec": exec_compiled}
        exec(kernel_code(), self._names)
        self._names["namedtuple"] = same_namedtuple
        self._names["READERS"].append(counted)
        self._call = self._names["call"]

    def call(self, name: str, data: Data | None = None, hurry: int = 0) -> Any:
        """One call of the kernel. Raises Fault when a rule breaks; the entry is then undone. Here nothing hurries."""
        try:
            return self._raw_call(name, data)
        except (Exception, SystemExit, GeneratorExit) as error:
            aborted = self._call("abort", None)
            kind = type(error).__name__
            rule, line = aborted["rule"], 0
            if name == "batch" and data is not None and self.finds_places:
                entry = data["entries"][len(aborted["results"])]
                scratch = type(self)()
                scratch._names["READERS"][:] = [with_probes]
                rule, line = place_reached(self._call, scratch._raw_call, rule, entry, PAST in str(error))
            message = f"{kind}: {error}"
            raise Fault(
                rule, line or line_named(message), message, limit_of(kind), aborted["results"], aborted
            ) from None

    def _raw_call(self, name: str, data: Data | None) -> Any:
        return self._call(name, data)

    def close(self) -> None:
        """Nothing to give back."""


class TimedRuntime(CPythonRuntime):
    """CPython that interrupts what never ends, where the system can: for scenarios, which carry rules of anybody's."""

    name = "cpython-timed"
    seconds = SECONDS_TIMED

    def _raw_call(self, name: str, data: Data | None) -> Any:
        with time_limit(self.seconds):
            return self._call(name, data)


class WatchedRuntime(TimedRuntime):
    """CPython for a stranger's journal of shipped programs: what they are given may still make them run without end."""

    name = "cpython"
    seconds = SECONDS_WATCHED


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

"""The interpreters a game runs in, behind one door: `call(name, data)` of `kernel.game`.

`CPythonRuntime` runs in this process and is for rulebooks one trusts: tests, simulation, the shipped editions.
`MontyRuntime` runs in a sandboxed worker process with limits of time and memory: everything the site runs.
`HardenedRuntime` is CPython in a process of its own that can do nothing but reckon: for futures, which decide nothing.
Both load the kernel in the same way, as one text in a namespace of its own.
"""

from __future__ import annotations

from nomopoly.runtime.interpreters.cpython import CPythonRuntime, TimedRuntime, WatchedRuntime
from nomopoly.runtime.interpreters.errors import Fault, Incident, SandboxBusy, SandboxGone, WorkerDied
from nomopoly.runtime.interpreters.hardened import HardenedRuntime, NotShutIn
from nomopoly.runtime.interpreters.monty import MontyRuntime
from nomopoly.runtime.interpreters.shared import SharedRuntime

__all__ = [
    "CPythonRuntime",
    "Fault",
    "HardenedRuntime",
    "Incident",
    "MontyRuntime",
    "NotShutIn",
    "Runtime",
    "SandboxBusy",
    "SandboxGone",
    "SharedRuntime",
    "TimedRuntime",
    "WatchedRuntime",
    "WorkerDied",
    "make_runtime",
]

Runtime = CPythonRuntime | MontyRuntime


KINDS: dict[str, type[Runtime]] = {
    "cpython": CPythonRuntime,
    "cpython-timed": TimedRuntime,
    "cpython-watched": WatchedRuntime,
    "monty": MontyRuntime,
    "monty-shared": SharedRuntime,
}


def make_runtime(name: str) -> Runtime:
    """The runtime of this name: "cpython" or "monty", with an older kernel "monty@<its version>". Raises ValueError for
    any other."""
    kind, _, kernel = name.partition("@")
    if kind in KINDS:
        return KINDS[kind](kernel=kernel)
    raise ValueError(f"there is no runtime '{name}': there are cpython and monty")

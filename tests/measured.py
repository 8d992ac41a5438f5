"""What something costs, in measures that no other program on the machine changes: work and not waiting, in seconds of
the machine on which the limits were set; and the peak of one process's memory.

A test that wants to know whether something is quick says what it was measured at, and fails at five times as much:

    with measured.within(0.8):
        check(changes)
"""

import contextlib
import os
import resource
import time
from pathlib import Path

GENEROUS = 5  # times what was measured: a limit is there for what grows without bounds
UNIT = 0.012  # seconds of work of `unit` on the machine on which the limits were set


def unit() -> float:
    """The seconds of work that the same small task takes here and now."""
    begun, total, words = time.thread_time(), 0, []
    for number in range(60_000):
        total += number * number % 7
        words.append(str(number))
    " ".join(words).split()
    return time.thread_time() - begun


def slowness() -> float:
    """How many times as much work things are here and now as on the machine on which the limits were set; at least
    1."""
    return max(1.0, unit() / UNIT)


@contextlib.contextmanager
def within(seconds: float, work=time.thread_time):
    """Fails if what is done within takes much more work than the seconds that were measured.

    `work`: what tells the seconds of work so far; by default that of this thread, `worked` for the sandbox's as well.
    """
    before, begun = slowness(), work()
    yield
    taken = work() - begun
    most = GENEROUS * seconds * max(before, slowness())
    assert taken < most, f"{taken:.2f} s of work, at most {most:.2f} s ({GENEROUS} times what was measured)"


def workers() -> list[int]:
    """The sandbox workers of this process."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError):
            state, parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:2]
            words = Path(f"/proc/{name}/cmdline").read_text()
            if int(parent) == os.getpid() and state != "Z" and "monty" in words:
                found.append(int(name))
    return found


def worked() -> float:
    """The seconds of work so far of this process, its sandbox workers and the processes that it has waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for pid in workers():
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def peak(pid: int | str = "self") -> int:
    """The most memory that a process has had, in kB: its own, where `ru_maxrss` begins with the peak of who started
    it."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])

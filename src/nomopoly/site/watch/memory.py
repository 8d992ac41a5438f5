"""Memory: what the sandboxes of this process take, and what there is. Told where there is /proc (Linux), 0
elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORKER = "monty"  # in the command of a worker of the sandbox
LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container


def of_sandboxes() -> tuple[int, Any]:
    """The workers of the sandbox of this process: how many there are, and their memory in bytes."""
    workers = list(children(os.getpid()))
    return len(workers), sum(resident(pid) for pid in workers)


def of_machine() -> int:
    """The memory of this machine, or of its container where that has less, in bytes."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 0
    limit = read(LIMIT).strip()
    return min(whole, int(limit)) if limit.isdigit() else whole


def children(pid: int) -> Iterator[Any]:
    """The processes below a process that are workers of the sandbox."""
    for task in sorted(Path(f"/proc/{pid}/task").glob("*/children")):
        for child in read(task).split():
            if WORKER in read(Path(f"/proc/{child}/cmdline")):
                yield int(child)
            yield from children(int(child))


def resident(pid: int | str) -> int:
    """The memory of a process, in bytes; 0 if it is gone."""
    words = read(Path(f"/proc/{pid}/statm")).split()
    return int(words[1]) * os.sysconf("SC_PAGE_SIZE") if len(words) > 1 else 0


def read(path: Path) -> str:
    """What a file of the system says; "" if it is not there."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""

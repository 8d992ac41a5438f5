"""The kernel in CPython, in a process that can do nothing but reckon: for what is quick to play and decides nothing.

The process is started afresh, with an empty environment and no descriptor but its two pipes. It shuts itself in before
the first program of a rule comes (see `cell`), and this side looks whether it did: where the system has no seccomp no
rule runs here at all. It holds what it was given and nothing else, so that it could tell no more than whoever asked may
see anyway.

What it answers is a stranger's: its size is bounded, it is JSON, and whoever asked looks at its shape.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomopoly.runtime.counted import counted
from nomopoly.runtime.interpreters.errors import Fault, WorkerDied, in_plain_words, limit_of, line_named
from nomopoly.runtime.interpreters.probes import counted_programs
from nomopoly.runtime.interpreters.text import RECURSION, kernel_code

Data = dict[str, Any]
CELL = Path(__file__).with_name("cell.py")
LENGTH = struct.Struct("!I")  # before each message
MEMORY = 1024 * 1024 * 1024  # of addresses, Python's own included
SECONDS_STARTING = 60.0
SECONDS_WORKING = 3600  # of the processor, in the whole life of a worker: behind the guard of each call
MOST_ANSWER = 8 * 1024 * 1024  # bytes
MOST_QUESTIONS = 20_000  # programs that are put together in one call
FILTERED = ("Seccomp:\t2", "NoNewPrivs:\t1")  # what the system says of a process that has shut itself in


class NotShutIn(Exception):
    """The system cannot shut a process in: rules must run elsewhere."""


class HardenedRuntime:
    """The kernel in a hardened worker. Raises NotShutIn if there is none to be had."""

    name = "hardened"

    def __init__(self, *, seconds: float = 60.0, memory: int = MEMORY, kernel: str = "") -> None:
        self._seconds = seconds
        self._added: set[str] = set()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-W", "ignore", "-X", "utf8", str(CELL)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={},
            )
        except OSError as error:
            raise NotShutIn(str(error)) from error
        parts = {
            "kernel": kernel_code(kernel),
            "recursion": 2 * RECURSION,
            "memory": memory,
            "seconds": SECONDS_WORKING,
        }
        try:
            with self._in_time(SECONDS_STARTING):
                self._say(parts)
                report = self._heard()
            self._verify_shut(report)
        except (WorkerDied, NotShutIn) as error:
            self.close()
            raise NotShutIn(str(error)) from None
        except BaseException:
            self.close()
            raise

    def _verify_shut(self, found: Any) -> None:
        """Raise NotShutIn unless the process says that it is shut in, and the system says so too."""
        if found != {"shut": True}:
            raise NotShutIn(str(found.get("open", "it does not say how it went"))[:200])
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError as error:
            raise NotShutIn(f"nobody can see whether it is: {error.strerror}") from error
        lines = status.splitlines()
        if not all(each in lines for each in FILTERED):
            raise NotShutIn("the system does not say so")

    # ---- messages

    def _say(self, message: Any) -> None:
        told = marshal.dumps(message)
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(LENGTH.pack(len(told)) + told)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise WorkerDied("the worker has ended") from error

    def _read(self, many: int) -> bytes:
        assert self._process.stdout is not None
        try:
            found = self._process.stdout.read(many)
        except (OSError, ValueError) as error:
            raise WorkerDied("the worker has ended") from error
        if len(found) < many:
            raise WorkerDied("the worker has ended: it did what it may not do, or was killed")
        return found

    def _heard(self) -> Data:
        """The next message of the worker. Raises WorkerDied for one that is too long or none."""
        length = LENGTH.unpack(self._read(LENGTH.size))[0]
        if length > MOST_ANSWER:
            raise WorkerDied("the worker says too much")
        try:
            found = json.loads(self._read(length))
        except (ValueError, RecursionError) as error:
            raise WorkerDied("the worker says what is no answer") from error
        if not isinstance(found, dict):
            raise WorkerDied("the worker says what is no answer")
        return found

    @contextlib.contextmanager
    def _in_time(self, seconds: float) -> Iterator[None]:
        """End the worker if this takes longer; and whenever something goes wrong with it, so that nobody asks it
        again."""
        guard = threading.Timer(seconds, self._process.kill)
        guard.daemon = True
        guard.start()
        try:
            yield
        except WorkerDied:
            self.close()
            raise
        finally:
            guard.cancel()

    def _ask(self, message: Any) -> Any:
        with self._in_time(self._seconds):
            self._say(message)
            for _ in range(MOST_QUESTIONS):
                found = self._heard()
                if not isinstance(found.get("count"), str):
                    return found
                self._say(counted(found["count"]))
            raise WorkerDied("the worker asks too much")

    # ---- calls

    def call(self, name: str, data: Data | None = None) -> Any:
        """One call of the kernel. Raises Fault when a rule breaks, and WorkerDied when the worker ended.

        What it returns is plain data of any shape.
        """
        book = None
        if data is not None and name in ("open", "restore"):
            book = {"commons": data["commons"], "rules": data["rules"] if name == "open" else data["state"]["rules"]}
        answer = self._ask(("call", name, data, counted_programs(book) if book else {}))
        if "done" in answer:
            return answer["done"]
        told = answer.get("fault")
        if not isinstance(told, list) or [type(each) for each in told] != [str, str, str]:
            self.close()
            raise WorkerDied("the worker says what is no answer")
        rule, kind, message = told
        message = in_plain_words(f"{kind}: {message}")
        raise Fault(rule, line_named(message), message, limit_of(kind))

    def add(self, source: str) -> None:
        """Load more of the kernel's dialect into its namespace, once."""
        if source not in self._added:
            self._ask(("add", source))
            self._added.add(source)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        self._process.wait()

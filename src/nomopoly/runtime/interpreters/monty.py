"""The kernel in a sandboxed worker process, with limits of time and memory: everything the site runs."""

from __future__ import annotations

import contextlib
import datetime
import importlib.util
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pydantic_monty

from nomopoly.environment import whole_number
from nomopoly.runtime.counted import counted
from nomopoly.runtime.interpreters import dumps
from nomopoly.runtime.interpreters.errors import (
    Fault,
    SandboxBusy,
    SandboxGone,
    WorkerDied,
    in_plain_words,
    incident_of,
    limit_of,
    line_named,
)
from nomopoly.runtime.interpreters.looking import place_in_worker, place_watched
from nomopoly.runtime.interpreters.probes import PAST, counted_programs, with_probes
from nomopoly.runtime.interpreters.text import (
    DECLARED,
    RECURSION,
    TOGETHER,
    digest_of_kernel,
    forget_kept,
    kernel_for_sandbox,
    named,
)
from nomopoly.runtime.journal import digest_of_whole, unpacked

SECONDS = float(whole_number("NOMOPOLY_SECONDS", 5, 1))  # for a call in the sandbox: the guard behind counted budgets
MEMORY = 256 * 1024 * 1024
SECONDS_READING = 10.0  # a rulebook that is in force already: reading it is no order of anybody's
SECONDS_AGAIN = 15.0  # an entry that has been carried out before: it is known to end
PATIENCE = 3  # times the usual limit, for a second try
MOST_WORKERS = whole_number("NOMOPOLY_SANDBOXES", 64, 1)  # of this process at once
MOST_WAITING = 64  # who wait for one of them to come free; whoever comes then is told at once that all are at work
CHECKOUT_WAIT = 8.0  # seconds that each of them waits
CHECKPOINT_AFTER = 20  # times as long as it takes to make one: a twentieth of the work, and no more is done again
CHECKPOINT_EVERY = 2000  # calls, at the latest: they are kept until then
RENEWED_AFTER = 25_000  # calls: each leaves some 70 bytes behind in the interpreter, which every dump of it holds;
RENEWED_AT = 1.5  # earlier, when its dump has grown by so much: programs that are read leave far more
GRACE = 0.3  # seconds past its time that a worker has to stop by itself
MOST_QUESTIONS = 1_000_000  # programs that a session may ask its host to count
LIVES = 5  # workers that may be ended from outside during one call, before it is taken for the call's own doing
MOST_BOOKS = 8  # kept in memory, some megabytes each
SMALL_BOOK = 8_000  # characters of all programs: to read these takes no longer than to load a dump of it

# The sandbox asks for these at every call: where they are not there, they need not be looked for again.
if importlib.util.find_spec("opentelemetry") is None:
    for module in ("opentelemetry", "opentelemetry.context"):
        sys.modules.setdefault(module, None)  # type: ignore[arg-type]

Data = dict[str, Any]

_pool_lock = threading.Lock()
_books: dict[str, bytes] = {}  # digest of a rulebook -> a worker's memory after loading it, the last used at the end
_kernels: dict[str, bytes] = {}  # version of a kernel -> a worker's memory after reading it
_pool: pydantic_monty.Monty | None = None
_waiting = threading.BoundedSemaphore(MOST_WAITING)

OUTSIDE = {"count_program": counted}  # what the sandbox may ask of its host: programs put together inside come by it
AS_TEXT = ("batch", *DECLARED, "view", "actions")  # come as JSON: one value after the other is slow
BESIDE_KERNEL = """
READERS.append(lambda code: count_program(code))


def tell_as_text(name, data):
    found = call(name, data)
    try:
        return json.dumps(found)
    except Exception:
        return [found]
"""


def monty_pool() -> pydantic_monty.Monty:
    """The pool of sandbox workers of this process, started at first use."""
    global _pool
    with _pool_lock:
        if _pool is None:
            longest = max(SECONDS_AGAIN, PATIENCE * SECONDS) + 5  # a worker that says nothing for so long is ended
            _pool = pydantic_monty.Monty(
                min_processes=1,
                max_processes=MOST_WORKERS,
                checkout_timeout=CHECKOUT_WAIT,
                request_timeout=longest,
                feed_duration_limit_grace=GRACE,
            )
            _pool.__enter__()
        return _pool


def enter_session(stack: contextlib.ExitStack, session: Any) -> Any:
    """A session with a worker of its own, given back when the stack is closed.

    Raises SandboxBusy if none comes free in time, and at once where many wait for one already.
    """
    if not _waiting.acquire(blocking=False):
        raise SandboxBusy()
    try:
        return in_worker(stack.enter_context, session)
    except TimeoutError:
        raise SandboxBusy() from None
    finally:
        _waiting.release()


def refuse_print(stream: str, text: str) -> None:
    """Rules do not print; what they print goes nowhere."""


class MontyRuntime:
    """The kernel in a sandbox worker, with limits; a dead or spoilt worker is replaced and brought to where it was."""

    name = "monty"
    finds_places = True  # looks for rule and line when an entry breaks
    takes_late = False  # what goes into another process is words
    small_book = SMALL_BOOK
    _pace = 2e-8  # seconds that a byte of a dump takes on this machine, when last one was made

    def __init__(
        self, *, seconds: float = 0, memory: int = MEMORY, questions: int = MOST_QUESTIONS, kernel: str = ""
    ) -> None:
        self.kernel = kernel
        self.name = named(self.name, kernel)
        self._seconds = seconds or SECONDS
        self._memory = memory
        self._hurry = 0
        self._questions = questions
        self._since: list[tuple[str, Data | None]] = []
        self._worked = 0.0  # seconds, since the last checkpoint
        self._checkpoint: bytes | None = None
        self._calls = self._young = 0  # calls since the interpreter was renewed, and the size of its first dump
        self._stack = contextlib.ExitStack()
        self._added: set[str] = set()
        self.kept: Data = {}
        self._revive()

    def _checkout(self, seconds: float = 0) -> None:
        """Take a fresh session, with nothing in it yet; a call in it may take so many seconds, or as long as usual."""
        self._empty = True
        in_worker(self._stack.close)
        self._session = enter_session(
            self._stack,
            monty_pool().checkout(
                limits={
                    "max_feed_duration_secs": seconds or self._seconds,
                    "max_memory": self._memory,
                    "max_recursion_depth": RECURSION,
                    "max_suspensions": self._questions,
                },
                assert_message_annotations=False,
                os_policy={
                    "datetime": datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC),
                    "sleep": "zero",
                    "random_start": {"seed": 1},
                },
            ),
        )

    def _load(self, blob: bytes) -> None:
        """Fill a fresh session from a dump."""
        in_worker(self._session.load_session, blob)
        self._empty = False

    def _dumped(self) -> bytes:
        """The worker's whole memory."""
        memory: bytes = in_worker(self._session.dump)
        return memory

    def _feed(self, code: str, lookup: Data | None = None, **inputs: Any) -> Any:
        if self._empty:
            self._load_kernel()
        return in_worker(
            self._session.feed_run,
            code,
            inputs=inputs or None,
            external_lookup=self._lookup() if lookup is None else {**self._lookup(), **lookup},
            print_callback=refuse_print,
        )

    def _lookup(self) -> Data:
        """What the sandbox may ask of its host."""
        return {**OUTSIDE, "probe_program": with_probes}

    def _load_kernel(self) -> None:
        """Fill a fresh session with the kernel: from its dump, which takes a quarter of the time that reading it
        does."""
        if self.kernel not in _kernels:
            _kernels[self.kernel] = self._with_kernel()
        if self._empty:
            self._load(_kernels[self.kernel])

    def _with_kernel(self) -> bytes:
        """A dump of a session with the kernel: a kept one, or this session's, which has read it then."""
        key = digest_of_kernel(self.kernel)
        dump = dumps.kept(key)
        if dump is None:
            begun = time.perf_counter()
            self._empty = False
            self._feed(kernel_for_sandbox(self.kernel) + BESIDE_KERNEL)
            dump = self._dumped()
            dumps.keep(key, dump, time.perf_counter() - begun)
        return dump

    def _raw_call(self, name: str, data: Data | None) -> Any:
        if name == TOGETHER and data:
            return self._feed("[call(each[0], each[1]) for each in calls]", calls=data["calls"])
        if name not in AS_TEXT:
            return self._feed("call(call_name, call_data)", call_name=name, call_data=data or {})
        told = self._feed("tell_as_text(call_name, call_data)", call_name=name, call_data=data or {})
        return unpacked(told.encode()) if type(told) is str else told[0]

    def call(self, name: str, data: Data | None = None, hurry: int = 0) -> Any:
        """One call of the kernel. Raises Fault when a rule breaks; the entry is then undone.

        An entry that the machine does not carry out within its time and memory has a second, longer try; after that it
        is an Incident. What only reads has one try, and what somebody waits for (`hurry` 1) or has waited for already
        (2: then the place is not looked for either). `together` with "calls", [[name, data], ...], is several that only
        read: a list of their results.
        """
        forget_kept(self.kept, name)
        self._hurry = hurry
        try:
            return self._call(name, data)
        except Fault as fault:
            if fault.limit in ("time", "memory") and name == "due":  # what comes next is asked by the clock
                raise incident_of(fault) from None
            if fault.limit not in ("time", "memory") or name != "batch" or data is None or hurry:
                raise
            if len(data["entries"]) > 1:
                raise incident_of(fault) from None
        usual = self._seconds
        self._seconds = PATIENCE * usual
        try:
            self._recover()
            return self._call(name, data)
        except Fault as fault:
            if fault.limit not in ("time", "memory"):
                raise
            raise incident_of(fault) from None
        finally:
            self._seconds = usual

    def _call(self, name: str, data: Data | None) -> Any:
        if not self._whole:
            self._revive()
        elif self._is_old():
            self._renew()
        self._calls += 1
        for _ in range(LIVES):
            try:
                return self._call_once(name, data)
            except WorkerDied:  # nothing of the call is remembered yet
                self._revive()
        return self._call_to_the_end(name, data)

    def _call_to_the_end(self, name: str, data: Data | None) -> Any:
        """A call that has ended several workers in a row: if it ends one more, entries are a fault, and all else is put
        off."""
        try:
            return self._call_once(name, data)
        except WorkerDied:
            self._revive()
        message = "the sandbox's workers are killed again and again"
        if name not in ("batch", "due"):
            raise SandboxGone(f"{message}: look at the machine's memory")
        raise Fault("", 0, message, "time")

    def _call_once(self, name: str, data: Data | None) -> Any:
        begun = time.perf_counter()
        try:
            if name in ("open", "restore"):
                data = self._take_book(name, data or {})
            result = self._raw_call(name, data)
        except (pydantic_monty.MontyRuntimeError, pydantic_monty.MontySyntaxError) as error:
            raise self._fault(error, name, data) from None
        except pydantic_monty.MontyError:
            raise self._lost(name, data) from None
        if name in ("open", "restore", "batch"):
            self._remember(name, data, time.perf_counter() - begun)
        return result

    def _take_book(self, name: str, data: Data) -> Data:
        """Begin with a rulebook, from its dump if this process has had it before. Returns the rest of what was
        given."""
        book = {"commons": data["commons"], "rules": data["rules"] if name == "open" else data["state"]["rules"]}
        self._calls = self._young = 0
        self._added = set()
        if not self._read_here(book):
            self._load_book(book)
        if name == "open":
            return {field: data[field] for field in data if field not in book}
        return {"state": {**data["state"], "rules": []}}

    def _read_here(self, book: Data) -> bool:
        """Read a small rulebook in the session in which the game goes on.

        Returns False if it is no small one, or if it breaks off: reading may take longer than other calls may.
        """
        programs = [source for _, source in book["commons"]] + [record["code"] for record in book["rules"]]
        if sum(map(len, programs)) > self.small_book:
            return False
        reading = {**book, "counted": counted_programs(book)}
        self._checkout()
        try:
            self._raw_call("prepare", reading)
        except pydantic_monty.MontyError:
            return False
        self._checkpoint, self._since, self._worked = _kernels[self.kernel], [("prepare", reading)], 0.0
        return True

    def _load_book(self, book: Data) -> None:
        """Fill a session from the dump of a rulebook, which is made if there is none."""
        key = self.kernel + digest_of_whole(book)
        with _pool_lock:
            blob = _books.pop(key, None)
        if blob is None:
            blob = dumps.kept(digest_of_kernel(self.kernel) + key)
        if blob is None:
            begun = time.perf_counter()
            self._checkout(SECONDS_READING)
            self._raw_call("prepare", {**book, "counted": counted_programs(book)})
            blob = self._dumped()
            dumps.keep(digest_of_kernel(self.kernel) + key, blob, time.perf_counter() - begun)
        self._checkout()
        self._load(blob)
        with _pool_lock:
            _books[key] = blob
            if len(_books) > MOST_BOOKS:
                _books.pop(next(iter(_books)))
        self._checkpoint, self._since, self._worked = blob, [], 0.0

    def _remember(self, name: str, data: Data | None, seconds: float = 0.0) -> None:
        """Keep what is needed to bring a fresh worker to the present state; `seconds`: what that call took."""
        self._since.append((name, data))
        self._worked += seconds
        cost = MontyRuntime._pace * len(self._checkpoint or b"")
        if len(self._since) >= CHECKPOINT_EVERY or self._worked > CHECKPOINT_AFTER * cost:
            begun = time.perf_counter()
            try:
                self._checkpoint, self._since, self._worked = self._dumped(), [], 0.0
            except WorkerDied:
                self._revive()
            else:
                MontyRuntime._pace = (time.perf_counter() - begun) / len(self._checkpoint)
                self._young = self._young or len(self._checkpoint)

    def _is_old(self) -> bool:
        """Whether calls have left so much behind that a new interpreter is worth its price. What was added lives in the
        old one."""
        grown = self._checkpoint is not None and len(self._checkpoint) > RENEWED_AT * self._young > 0
        return (self._calls >= RENEWED_AFTER or grown) and not self._added

    def _renew(self) -> None:
        """Go on in a new interpreter from the state as data, which leaves behind what a dump of the old one would bring
        along.

        Where that does not go well, go on in the old one.
        """
        kept = self._checkpoint, self._since, self._worked
        self._whole = False
        self.kept.clear()
        try:
            parts = {"commons": self._raw_call("commons", None), "state": self._raw_call("dump", None)}
            self._raw_call("restore", self._take_book("restore", parts))
            self._checkpoint, self._since, self._worked = self._dumped(), [], 0.0
            self._whole = True
        except (pydantic_monty.MontyError, WorkerDied):
            self._checkpoint, self._since, self._worked = kept
            self._revive()
        except BaseException:
            self._checkpoint, self._since, self._worked = kept
            raise
        self._calls, self._young = 0, len(self._checkpoint or b"")

    def _fault(self, error: pydantic_monty.MontyError, name: str, data: Data | None) -> Fault:
        """Undo the entry that ended in an exception, and say where it broke."""
        kind = type(error.exception()).__name__
        limit = limit_of(kind)
        message = in_plain_words(f"{kind}: {error.exception()}")
        if limit in ("time", "memory"):
            message = {"time": f"it ran for more than {self._seconds} s", "memory": "it used too much memory"}[limit]
        aborted: Data = {"rule": "", "results": []}
        try:
            aborted = self._raw_call("abort", {"lost": name == "batch"})
        except pydantic_monty.MontyError:
            return self._lost(name, data)
        except WorkerDied:
            if not limit:
                raise
            return self._lost(name, data)  # the limit has ended the worker, not only its program
        rule, line, results = aborted["rule"], 0, []
        if name == "batch" and data is not None:  # what broke may have left marks that no undoing finds
            results = aborted["results"]
            self._recover(results, data)
            if self.finds_places and self._hurry < 2:
                entry = data["entries"][len(results)]
                rule, line = self._placed(place_in_worker, rule, entry, PAST in message)
        elif limit in ("time", "memory"):
            self._recover()
        return Fault(rule, line or line_named(message), message, limit, results, aborted)

    def _lost(self, name: str, data: Data | None) -> Fault:
        """Take up the game in a fresh worker, after a limit has ended the old one, and say where."""
        self._revive()
        rule, line = "", 0
        results: list[Data] = []
        if name == "batch" and data is not None:
            entries = data["entries"]
            while len(results) < len(entries) - 1:  # all but the last may have gone well: do them again
                try:
                    results += self._raw_call("batch", {"entries": [entries[len(results)]]})
                except pydantic_monty.MontyError:
                    self._recover(results, data)
                    break
            else:
                if results:
                    self._remember("batch", {"entries": entries[: len(results)]})
            if self.finds_places and self._hurry < 2:
                rule, line = self._placed(place_watched, entries[len(results)])
        message = f"it ran for more than {self._seconds} s, or used too much memory"
        return Fault(rule, line, message, "time", results)

    def _recover(self, results: list[Data] | None = None, data: Data | None = None) -> None:
        """Replace the worker by a fresh one in the state before the entry that broke."""
        if results and data is not None and self._checkpoint is not None:
            self._since.append(("batch", {"entries": data["entries"][: len(results)]}))
        self._revive()

    def _revive(self) -> None:
        """Replace the worker by a fresh one in the state that is remembered; once more if that one is killed too."""
        self._whole = False
        for _ in range(LIVES):
            with contextlib.suppress(WorkerDied):
                self._revive_once()
                self._whole = True
                return
        raise SandboxGone("the sandbox's workers are killed as soon as they start: look at the machine's memory")

    def _revive_once(self) -> None:
        if self._checkpoint is None:
            self._checkout()
            return
        try:
            self._go_through_again(self._checkpoint, self._seconds)
        except pydantic_monty.MontyError:  # slower than before: it has more time then, and what comes later has not
            self._go_through_again(self._checkpoint, max(SECONDS_AGAIN, self._seconds))
            self._checkpoint, self._since, self._worked = self._dumped(), [], 0.0
            self._checkout()
            self._load(self._checkpoint)

    def _go_through_again(self, checkpoint: bytes, seconds: float) -> None:
        """Fill a fresh session from a dump, and do again what has been done since; each call may take so many seconds.

        A dump is made of what takes longer than it does.
        """
        self._checkout(seconds)
        self._load(checkpoint)
        begun = time.perf_counter()
        for name, since in self._since:
            for part in one_by_one(since):
                self._raw_call(name, part)
        if time.perf_counter() - begun > MontyRuntime._pace * len(checkpoint):
            self._checkpoint, self._since, self._worked = self._dumped(), [], 0.0

    def _placed(self, find: Callable[..., tuple[str, int]], *args: Any) -> tuple[str, int]:
        """Rule and line as `find` tells them, looked for again if a worker is killed meanwhile."""
        for _ in range(LIVES):
            try:
                return find(self, *args)
            except WorkerDied:
                self._revive()
        return "", 0

    def scratch(self, seconds: float, questions: int = MOST_QUESTIONS) -> MontyRuntime:
        """A worker of its own with nothing in it but the kernel; a call in it may take so many seconds."""
        return MontyRuntime(seconds=seconds, memory=self._memory, questions=questions, kernel=self.kernel)

    def copied(self, seconds: float) -> MontyRuntime | None:
        """A worker of its own in the state of this one; None if there is no game here. Raises MontyError if that takes
        longer in a call than so many seconds."""
        if self._checkpoint is None:
            return None
        copy = MontyRuntime.from_session(self._checkpoint, seconds=seconds, memory=self._memory, kernel=self.kernel)
        try:
            for name, since in self._since:
                for part in one_by_one(since):
                    copy._raw_call(name, part)
        except BaseException:
            copy.close()
            raise
        return copy

    def add(self, source: str) -> None:
        """Load more of the kernel's dialect into its namespace, once since the game was taken up."""
        if source in self._added:
            return
        for _ in range(LIVES):
            try:
                self._feed(source)
                self._checkpoint, self._since, self._worked = self._dumped(), [], 0.0
            except WorkerDied:
                self._revive()
            else:
                self._added.add(source)
                return
        raise SandboxGone("the sandbox's workers are killed again and again: look at the machine's memory")

    def dump_session(self) -> bytes:
        """The worker's whole memory, for opening the game quickly; `load_session` takes it."""
        return self._dumped()

    @classmethod
    def from_session(cls, blob: bytes, **limits: Any) -> MontyRuntime:
        """A runtime in the state of a dump made by the same version of the program."""
        made = cls.__new__(cls)
        made.kernel = limits.get("kernel", "")
        made.name = named(cls.name, made.kernel)
        made._seconds = limits.get("seconds", SECONDS)
        made._memory = limits.get("memory", MEMORY)
        made._hurry = 0
        made._questions = MOST_QUESTIONS
        made._since = []
        made._worked = 0.0
        made._checkpoint = blob
        made._calls, made._young = 0, len(blob)
        made._stack = contextlib.ExitStack()
        made._added = set()
        made.kept = {}
        made._revive()
        return made

    def close(self) -> None:
        """Give the worker back."""
        with contextlib.suppress(WorkerDied):
            in_worker(self._stack.close)


def in_worker(work: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Do something with a worker. Raises WorkerDied if somebody has ended it; what a limit ends is an error of its
    own."""
    try:
        return work(*args, **options)
    except pydantic_monty.MontyCrashedError as error:
        if error.timed_out:
            raise
        raise WorkerDied(str(error)) from error
    except RuntimeError as error:
        if "checkout" not in str(error):
            raise
        raise WorkerDied(str(error)) from error  # this checkout has already been finished


def one_by_one(data: Data | None) -> list[Data | None]:
    """What a call was given, so that none of its entries takes time of another."""
    if data is None or "entries" not in data or "stop" in data:
        return [data]
    return [{**data, "entries": [entry]} for entry in data["entries"]]

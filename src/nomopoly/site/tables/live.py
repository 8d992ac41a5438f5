"""Games kept warm: loaded in their sandboxes, one lock each, the least used ones closed.

Reading goes through `of(game)`, which takes up what another process has appended. Writing goes through
`of(game).writing()`: the game's lock, the rules, and then one short transaction with all that has come of it. Whoever
would wait too long for a game's lock gets `Busy`. Where the database locks single rows (PostgreSQL), the game's row is
locked all along; SQLite, which locks everything, is locked for the transaction alone, and who finds there that another
process was faster gets `Overtaken` and begins again.
"""

from __future__ import annotations

import contextlib
import contextvars
import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop

from nomopoly.rulebook.changes import ChangeError
from nomopoly.rulebook.check import Problem, check_once
from nomopoly.runtime import host
from nomopoly.runtime.interpreters import Fault, Incident, SandboxBusy, SandboxGone
from nomopoly.runtime.interpreters.monty import MOST_WORKERS
from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.busy import Busy, work
from nomopoly.site.tables import lines, prepared, readings, waypoints, witness
from nomopoly.site.tables.gathered import Gathered
from nomopoly.site.tables.journal import Overtaken
from nomopoly.site.tables.models import Game, Snapshot
from nomopoly.site.tables.signals import entries_stored
from nomopoly.site.watch import memory, metrics

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.shapes import Data, Respond


log = logging.getLogger("nomopoly.live")
T = TypeVar("T")
W = TypeVar("W", bound="Warm")
SNAPSHOT_EVERY = 40
VIEW_SECONDS = 20
WAIT = 8.0  # seconds that a request waits for a game that is busy
CLAIM_WAIT = 0.2  # seconds that the clock does
MEASURED_EVERY = 5.0  # seconds, the memory of the sandboxes
BUSY = gettext_noop("This game is busy: its rules are still at work on something else. Nothing was done.")

ROW = prepared.Rows(lambda game, wait: locked(Game.objects.filter(pk=game), wait))
DUE_ROW = prepared.Rows(
    lambda game, wait, by: locked(Game.objects.filter(pk=game, due__lte=by), wait, skip_locked=True)
)

_warm: OrderedDict[int, Warm] = OrderedDict()
_warm_lock = threading.Lock()
_fitting = (float("-inf"), 0)  # when the memory was measured last, and how many games fitted in


_moment: contextvars.ContextVar[int | None] = contextvars.ContextVar("moment", default=None)


def now() -> int:
    """The present moment, as the games count it; on the pages of a trial copy, that of its own clock."""
    return _moment.get() or int(time.time())


def present() -> datetime:
    """The same as the database has moments."""
    return datetime.fromtimestamp(now(), UTC)


@contextlib.contextmanager
def clock_at(moment: int) -> Iterator[None]:
    """Let it be this moment for whatever asks within."""
    token = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(token)


_patience: contextvars.ContextVar[float | None] = contextvars.ContextVar("patience", default=None)


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let whatever is done within wait for a busy game for so many seconds and no longer."""
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


_looked: contextvars.ContextVar[set[Warm] | None] = contextvars.ContextVar("looked", default=None)


def one_look(get_response: Respond) -> Respond:
    """The middleware: while a request is answered, it is asked once a game whether another process has written to it.

    A page asks dozens of questions, and shows the game as it was at the first. Whatever writes always looks again.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _looked.set(set())
        try:
            return get_response(request)
        finally:
            _looked.reset(token)

    return answer


def locked(rows: QuerySet[Game], wait: float | None, skip_locked: bool = False) -> QuerySet[Game]:
    """A query for rows that locks them, where the database locks single ones; until the transaction ends, nothing waits
    for a lock longer than `wait` (text, with its unit)."""
    if not connection.features.has_select_for_update:
        return rows
    bounded = rows.extra(where=["set_config('lock_timeout', %s, true) <> ''"], params=[wait])
    return bounded.select_for_update(skip_locked=skip_locked)


class Warm:
    """One game of this process: what is loaded of it, and the lock that guards it."""

    key: Any = None  # under which it is kept
    asleep = False  # whether it has made way for others: who asks for this game from then on gets another one

    def __init__(self, game_id: int) -> None:
        self.game_id = game_id
        self.lock = threading.RLock()
        self.gathered = Gathered(game_id)
        self.journal = self.gathered.journal
        self.game: Running | None = None
        self.shown: dict[Any, tuple[int, float, Any]] = {}
        self.row: Game | None = None  # the game's row, while it is written to
        self.lined = -1  # up to which entry the rows of the log are known to be there
        self.read: dict[Any, tuple[tuple[int, int], int, Any]] = {}  # see `read_on`

    @contextlib.contextmanager
    def turn(self, wait: float | None = None) -> Iterator[None]:
        """Hold the game's lock. Raises Busy if it is not to be had within so many seconds (by default as `patience`
        says)."""
        if not self.lock.acquire(timeout=wait or _patience.get() or WAIT):
            raise Busy(5, BUSY)
        try:
            if self.asleep:
                self.wake()
            yield
        finally:
            self.lock.release()

    def wake(self) -> None:
        """Be found again, where this was put to sleep between being asked for and its turn; unless another one is."""
        with _warm_lock:
            self.asleep = _warm.setdefault(self.key, self) is not self

    # ---- loading

    def fresh(self) -> Running:
        """The loaded game, at the end of its journal."""
        head = self.journal.head()
        if self.game is not None and head != (self.game.n, self.game.last_hash) and not self.followed():
            self.drop()
        if self.game is None:
            self.game = self.load()
        return self.game

    def followed(self) -> bool:
        """Whether the loaded game could take up what another process has appended since."""
        try:
            if self.game is None or not host.follow(self.game, SNAPSHOT_EVERY):
                return False
            self.gathered.store_outcomes()
        except (JournalError, Fault, Incident, SandboxBusy, SandboxGone) as error:
            log.warning("game %s is loaded again: %s", self.game_id, error)
            return False
        return True

    def at_hand(self) -> Running:
        """The loaded game for reading: where a request has looked at its journal already, as it was then."""
        looked = _looked.get()
        if looked is None:
            return self.fresh()
        if self.game is None or self not in looked:
            looked.add(self)
            return self.fresh()
        return self.game

    def load(self) -> Running:
        """The game from its last snapshot and the journal after it, or from the whole journal.

        Raises JournalError if the journal is broken.
        """
        witness.examine(self.game_id)
        row = Game.objects.only("secret", "vault", "earlier", "kernel").get(pk=self.game_id)
        runtime = row.runtime
        kept = Snapshot.objects.filter(game_id=self.game_id, runtime=runtime).first()
        options = {"runtime": runtime, "secret": row.secret, "vault": row.vault or None, "earlier": row.earlier}
        gathered = self.gathered
        options |= {"outcomes": gathered.outcomes, "ballots": gathered.ballots}
        started = time.monotonic()
        if kept is not None:
            try:
                game = host.load_game(self.journal, snapshot=json.loads(bytes(kept.blob)), **options)
                gathered.store_outcomes()
                return game
            except (JournalError, KeyError) as error:  # a snapshot of another journal, or in an older form
                log.warning("game %s: %s", self.game_id, error)
        game = host.load_game(self.journal, **options)
        gathered.store_outcomes()
        log.info("game %s computed again from its journal in %.2f s", self.game_id, time.monotonic() - started)
        if game.n >= SNAPSHOT_EVERY:
            self.keep_computed(game)
        return game

    def keep_computed(self, game: Running) -> None:
        """Keep what was computed from a whole journal: after a restore or an upgrade, the next start or the next look
        would compute it once more, until forty entries have come."""
        blob = json.dumps(host.take_snapshot(game), separators=(",", ":")).encode()
        try:
            with transaction.atomic():
                self.keep_snapshot(game.n, blob, game.runtime.name)
        except DatabaseError as error:  # it was to save work, and no more
            log.info("game %s: its state is not kept: %s", self.game_id, error)

    def drop(self) -> None:
        """Forget what is loaded; the journal has it all."""
        self.shown, self.lined, self.read = {}, -1, {}
        if self.game is not None:
            with contextlib.suppress(Exception):
                self.game.runtime.close()
            self.game = None

    # ---- reading

    def ask(self, question: Callable[[Running], T]) -> T:
        """question(the runtime's Game), which must not write."""
        with self.turn():
            try:
                return question(self.at_hand())
            except SandboxBusy:  # what is loaded has lost its worker
                self.drop()
                raise

    def kept(self, key: Hashable, question: Callable[[Running], T]) -> T:
        """The answer to a question, kept for a while as long as nothing happens in the game."""
        with self.turn():
            game = self.at_hand()
            made = self.shown.get(key)
            if made is None or made[0] != game.n or time.monotonic() - made[1] > VIEW_SECONDS:
                if len(self.shown) > 200:
                    self.shown = {}
                made = self.shown[key] = (game.n, time.monotonic(), question(game))
            return made[2]

    def view(self, viewer: str) -> Data:
        """What a viewer (a player's name, "admin" or "visitor") may see; a player's own ballots are in `ballots`."""
        fresh = []

        def made(game: Running) -> Data:
            fresh.append(True)
            return game.view(viewer, now())

        shown = self.kept(("view", viewer), made)
        if fresh or viewer in ("visitor", "admin"):
            return shown
        return {**shown, "ballots": self.ask(lambda game: game.own_ballots(viewer))}  # a vote is no entry

    def actions(self, viewer: str, only: Iterable[str] | None = None, untried: bool = False) -> list[Data]:
        """The actions of a viewer; `only` those of these ids, `untried`: see the runtime's Game. All of them take
        longest."""
        only = None if only is None else tuple(sorted(only))
        return self.kept(("actions", viewer, only, untried), lambda game: game.actions(viewer, now(), untried, only))

    def facts(self, viewer: str, start: int = 0) -> lines.Log | lines.Kept:
        """The log as a viewer may see it, from entry `start` on, read from the database as it is used: `lines.Log`."""
        with self.turn():
            game = self.at_hand()
            if self.gathered.journal.waiting:  # of which nothing is in the database, and perhaps never will be
                return lines.Kept(game.facts(viewer, start))
            self.line_up(game)
        log = lines.Log(self.game_id, viewer)
        return log.where(after=start - 1) if start else log

    def read_on(self, key: str, viewer: str, start: int, note: Callable[[Data, Data], None]) -> Data:
        """What note(notes, entry) has taken down of a viewer's log from entry `start` on. It is kept, and each entry is
        read once; all are read again where another start is wanted, or an entry has been struck."""
        with self.turn():
            game = self.at_hand()
            since = (start, len(game.strikes))
            kept = self.read.get((key, viewer))
            if kept is None or kept[0] != since:
                kept = (since, start - 1, {})
            if kept[1] < game.n:
                for entry in self.facts(viewer, kept[1] + 1):
                    note(kept[2], entry)
                self.read[key, viewer] = (since, game.n, kept[2])
            return kept[2]

    def line_up(self, game: Running) -> None:
        """See to it that the rows of the log are there up to the last entry."""
        if self.lined != game.n:
            lines.catch_up(self.game_id, game)
            self.lined = game.n

    def things(self) -> dict[str, str]:
        """All things there are, as {id: kind}: for what is not shown, and much cheaper than a view."""
        return self.kept("things", lambda game: game.things())

    def records(self) -> list[Data]:
        """The rulebook in force, in book order."""
        return self.kept("records", lambda game: game.records())

    def book_history(self) -> list[Data]:
        """The moments at which the book changed, oldest first: see the runtime's Game."""
        return self.kept("history", lambda game: game.book_history())

    def clashes(self) -> list[Data]:
        """Where rules in force decide the same, without one of them being first."""
        return self.describe()["clashes"]

    def describe(self) -> Data:
        """What the rules in force declare: events, values, actions, clashes, calendar."""
        return self.kept("describe", lambda game: game.describe())

    def declares(self) -> Data:
        """What each rule in force declares, by its id."""
        return self.kept("declares", lambda game: game.declares())

    def preview(self, by: str | None, do: str, args: Data, waits: bool = False) -> Outcome:
        """The Outcome an order would have now, without doing it; it stops at the first roll. `by` None: the Admin.
        `waits`: with whether it would wait."""
        return self.ask(lambda game: game.preview(by, do, args, now(), waits))

    def order_waits(self, outcome: Outcome) -> bool:
        """Whether an order that was given waits until it is carried out."""
        n = outcome.n
        return n is not None and self.ask(lambda game: game.order_waits(n))

    def check(self, changes: list[Data], run: str = "") -> list[Problem]:
        """The problems of changes and a one-time program; nobody at the game waits for it."""
        try:
            changes = self.written_out(changes)
            run = self.ask(lambda game: game.run_written_out(run))
        except ChangeError as error:
            return [Problem("error", error.rule, 0, error.message)]
        records, commons = self.ask(rules_of)
        with work():
            return check_once(changes, run, records, commons)

    def written_out(self, changes: list[Data]) -> list[Data]:
        """A list of changes as it enters the journal, earlier forms of rules written out. Raises ChangeError."""
        return self.ask(lambda game: game.written_out(changes))

    def strike_preview(self, entry: int | str) -> Data:
        """What striking an entry would change, or why it is `impossible`: see the runtime's Game."""
        return self.ask(lambda game: game.strike_preview(entry))

    def leaving(self) -> Data:
        """When the rules take players out of the game: see the runtime's Game."""
        return self.ask(lambda game: game.leaving(now()))

    def value(self, name: str, *of: object) -> Any:
        """A value or attribute now, as plain data. Raises KeyError if there is none of that name."""
        return self.ask(lambda game: game.value(name, *of))

    def wish(self, name: str) -> Any:
        """What a value of the game says now that pages ask for where rules declare it; None where none does, or where
        the rule breaks."""
        if name not in self.describe()["values"]:
            return None
        try:
            return self.value(name)
        except Fault:
            return None

    def state_hash(self) -> str:
        """The hash of the state: the same on every machine and in every runtime."""
        return self.ask(lambda game: game.state_hash())

    @property
    def n(self) -> int:
        """The number of the last entry."""
        return self.ask(lambda game: game.n)

    @property
    def commitment(self) -> Any:
        """What the journal has promised about its dice: a hash that the secret must fit when it is published."""
        return self.ask(lambda game: game.commitment)

    @property
    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry: who notes it down can tell later whether the journal is still the same."""
        return self.ask(lambda game: (game.n, game.last_hash))

    # ---- writing

    @contextlib.contextmanager
    def writing(self) -> Iterator[Running]:
        """The runtime's Game, to be written to. What it writes, and what `also` adds, is stored at the end, or not at
        all.

        Raises Busy where the lock is not to be had in time, and Overtaken where another process has written meanwhile.
        """
        with self.writing_if_due(None) as game:
            if game is None:  # only where something was to be due
                raise RuntimeError("the game was not claimed")
            yield game

    @contextlib.contextmanager
    def writing_if_due(self, due_by: int | None) -> Iterator[Running | None]:
        """The same with a moment: None, if nothing is due by then or another one is at it."""
        with contextlib.ExitStack() as held:
            row = self.claim(held, due_by)
            if row is None:
                yield None
                return
            if self.asleep:
                raise Overtaken("the game was loaded anew meanwhile: try again")
            self.gathered.begin()
            self.row = row
            try:
                game = self.fresh()
                head = (game.n, game.last_hash)
                reading = readings.missing(row, game, now())
                if game.recipe == 1 and not game.over():  # its dice could be foreseen, and what it dealt be computed
                    game.move_in(now(), [game.secret or ""])
                yield game
                if reading is not None and game.n != head[0]:  # a vote is no entry: no chart may show that it was cast
                    self.also(lambda: readings.keep(reading))
                self.store(row, game, head, claimed=due_by is not None)
            except BaseException:
                self.drop()  # The database has not kept it: nor may memory.
                raise
            finally:
                self.gathered.end()
                self.row = None

    def claim(self, held: ExitStack[bool | None], due_by: int | None) -> Game | None:
        """Take the game's lock, and its row's where the database has such, until `held` is closed. Returns the row.

        With `due_by` None where nothing is due by that moment, or another one is at it.
        """
        try:
            held.enter_context(self.turn(None if due_by is None else CLAIM_WAIT))
        except Busy:
            if due_by is None:
                raise
            return None
        if connection.features.has_select_for_update:
            held.enter_context(transaction.atomic())
        wait = f"{int(WAIT * 1000)}ms"
        row = ROW.first(self.game_id, wait) if due_by is None else DUE_ROW.first(self.game_id, wait, due_by)
        if row is None and due_by is None:
            raise Game.DoesNotExist("this game has been deleted")
        return row

    def also(self, act: Callable[[], object]) -> None:
        """While this game is written to: call act() in the transaction that stores it. It writes rows, and runs no
        rules."""
        self.gathered.also(act)

    def store(self, row: Game, game: Running, head: tuple[int, str], claimed: bool) -> None:
        """Store what was gathered since the journal ended with `head`. All that the rules have to say is asked
        before."""
        rows = Game.objects.filter(pk=self.game_id)
        written = lines.planned(row, game, head, self.gathered) if game.n != head[0] else None
        if game.n != head[0] or claimed:  # what the rules refuse goes by without an entry
            due = game.due()
            columns: dict[str, Any] = {"due": due, "over": due is None and game.over()}
            secrets: dict[str, Any] = {"secret": game.secret, "vault": game.vault or "", "earlier": game.earlier}
            columns |= {name: value for name, value in secrets.items() if value != getattr(row, name)}
            last = self.journal.last()
            columns |= {"moved": game.now} if last is not None and last["kind"] != "tick" else {}
            columns |= {"lined": game.n} if written is not None else {}
            self.also(lambda: prepared.update(Game, *columns).write(id=self.game_id, **columns))
        if game.n != head[0]:
            self.also(lambda: entries_stored.send(sender=Game, game_id=self.game_id))
        if written is not None:
            self.also(written)
        if readings.missed(row, game, head[0]):
            self.also(lambda: rows.update(recount=True))
        struck = any(line["kind"] == "strike" for line, _ in self.journal.waiting)
        if struck or game.n // SNAPSHOT_EVERY != head[0] // SNAPSHOT_EVERY or head[0] == 0 != game.n:
            snapshot = host.take_snapshot(game)
            blob = json.dumps(snapshot, separators=(",", ":")).encode()
            self.also(lambda: self.keep_snapshot(game.n, blob, game.runtime.name))
            if waypoints.is_due(head[0], game.n, struck):
                kept = waypoints.packed(snapshot)
                self.also(lambda: waypoints.keep(self.game_id, game.runtime.name, game.n, kept))
        if self.gathered:
            self.gathered.store(head, alone=connection.features.has_select_for_update)
            metrics.ENTRIES.inc(max(0, game.n - head[0]))
            self.lined = game.n if written is not None else self.lined

    def keep_snapshot(self, n: int, blob: bytes, runtime: str) -> None:
        """Keep the state after entry `n`, in place of the older one of this runtime."""
        Snapshot.objects.update_or_create(game_id=self.game_id, runtime=runtime, defaults={"n": n, "blob": blob})


def rules_of(game: Running) -> tuple[list[Data], list[tuple[str, str]]]:
    """The rules in force, and the shared modules."""
    return game.records(), game.commons()


def of(game: Game) -> Warm:
    """The warm game of a row of the table Game."""
    return keep(game.pk, lambda: Warm(game.pk))


def is_warm(game: Game) -> bool:
    """Whether a game is loaded in this process, so that a look at it takes little."""
    found = _warm.get(game.pk)
    return found is not None and found.game is not None


def count_warm() -> int:
    """How many games this process keeps loaded."""
    return sum(found.game is not None for found in list(_warm.values()) if isinstance(found, Warm))


def most_warm() -> int:
    """How many games may stay loaded: as many as the settings allow, and their sandboxes have memory for.

    A closed game leaves its worker to the next one, with the memory that it has: so what counts is how many workers of
    their present size fit into the budget.
    """
    global _fitting
    allowed = min(settings.NOMOPOLY_WARM_GAMES, MOST_WORKERS // 2)  # a game that is kept keeps its worker
    if not settings.NOMOPOLY_MEMORY:
        return allowed
    if time.monotonic() - _fitting[0] > MEASURED_EVERY:
        workers, taken = memory.of_sandboxes()
        _fitting = (time.monotonic(), settings.NOMOPOLY_MEMORY * workers // taken if taken else allowed)
    return max(1, min(allowed, _fitting[1]))


def keep(key: Any, make: Callable[[], W]) -> W:
    """What is kept warm under a key, made if it is not there; the least used ones are closed."""
    most = most_warm()
    with _warm_lock:
        found = _warm.get(key)
        if found is None:
            found = _warm[key] = make()
            found.key = key
        _warm.move_to_end(key)
        extra = list(_warm)[: max(0, len(_warm) - most)]
        for pk in extra:
            if _warm[pk].lock.acquire(blocking=False):
                cold = _warm.pop(pk)
                cold.asleep = True
                cold.drop()
                cold.lock.release()
        return cast(W, found)


def forget(key: Any) -> None:
    """Close what is kept warm under a key, if it is."""
    with _warm_lock:
        found = _warm.pop(key, None)
    if found is not None:
        with found.lock:
            found.drop()


def close_all(wait: float = -1) -> None:
    """Close every warm game (the end of the process, or of a test). One that is at work for longer than `wait` seconds
    is left as it is."""
    with _warm_lock:
        while _warm:
            _, warm = _warm.popitem()
            if warm.lock.acquire(timeout=wait):
                try:
                    warm.drop()
                finally:
                    warm.lock.release()

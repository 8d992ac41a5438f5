"""What many tests begin with is made once: the database as it is after some steps is kept, and put back where they are
taken again. A step that takes seconds, and that nothing comes before, may lie in a folder that all processes of a run of
the tests share (see shared.py): then one of them takes it.

A step is known by its name, by how far the test has moved the clock, and by all steps before it from an empty database on.
It is taken in earnest, and not kept, where anything else has happened before it: something was written, something is
patched. With PostgreSQL it always is.
"""

import contextlib
import copy
import hashlib
import os
import pickle
import sqlite3
import time

import emptysite
import testclock
from django.conf import settings
from django.core import mail
from django.core.cache import caches
from django.db import connection
from django.utils.translation import get_language

from nomopoly.site.play import futures
from nomopoly.site.post import office
from nomopoly.site.tables import deciding, live, witness

PATCHED = {(id(office), "wake"), (id(live), "now")}  # what the fixtures of all tests patch
MOST = 32  # steps that are kept, one to three megabytes each


class Kept:
    """The database and what belongs to it, at the end of a step; and the steps that were taken next."""

    def __init__(self, value):
        self.value, self.next, self.used = copy.deepcopy(value), {}, 0
        self.loaded = [pk for pk, warm in live._warm.items() if isinstance(warm, live.Warm) and warm.game is not None]
        self.database = sqlite3.connect(":memory:")
        connection.connection.backup(self.database)
        self.witness = {file.name: file.read_bytes() for file in witness_files()}
        self.mails = list(mail.outbox)
        self.ended = time.time()

    def write(self, folder):
        """Lay it into a folder that is not there yet; `read` takes it up."""
        folder.mkdir()
        with contextlib.closing(sqlite3.connect(folder / "database")) as file:
            self.database.backup(file)
        beside = {name: part for name, part in vars(self).items() if name not in ("database", "next", "used")}
        (folder / "beside").write_bytes(pickle.dumps(beside))

    @classmethod
    def read(cls, folder):
        """What another process has laid there."""
        kept = cls.__new__(cls)
        vars(kept).update(pickle.loads((folder / "beside").read_bytes()), next={}, used=0)
        kept.database = sqlite3.connect(":memory:")
        with contextlib.closing(sqlite3.connect(folder / "database")) as file:
            file.backup(kept.database)
        return kept

    def put_back(self):
        """Let everything but the database be as it was then. Returns what the step has returned."""
        forget()
        for name, content in self.witness.items():
            witness.folder().mkdir(exist_ok=True)
            (witness.folder() / name).write_bytes(content)
        mail.outbox[:] = self.mails
        if time.time() < self.ended:
            testclock.set_clock(self.ended)
        return copy.deepcopy(self.value)


class Preparing:
    """The steps of the present test, and what is kept of those of the tests before it."""

    def __init__(self):
        self.first = {}  # the steps that are kept, of those that are taken with an empty database
        self.last = self.next = (
            None  # the step that the present test has come to, and those that are kept of the next ones
        )
        self.used = 0
        self.due = None  # the step whose database is still to be put back: while fixtures are set up, the last one is
        self.is_set_up = False
        self.usual = settings._wrapped
        self.empty = sqlite3.connect(emptysite.database())

    def begin(self, patches):
        """A test begins, with an empty database. `patches` are those of its monkeypatch."""
        forget()
        self.patches, self.last, self.next, self.state = patches, None, self.first, written()
        self.is_set_up = False
        self.ahead = ahead()

    def sweep(self):
        """Empty the database."""
        self.forget_due()
        connection.ensure_connection()
        self.empty.backup(connection.connection)

    def do(self, step, make, folder=None):
        """make(), or what it returned when these steps were taken before, with the database as it was then.

        It returns what can be copied; `step` tells it from other steps. `folder`: folder(name) is what `shared.folder`
        gives, for a step that other processes need not take again.
        """
        if not self.is_known():
            self.settle()
            self.next = None
            return make()
        clock = live.now() if self.has_own_clock() else round((ahead() - self.ahead) / 10)
        key = (step, get_language(), self.changed_settings(), clock)
        made = [] if key in self.next else self.take(key, make, folder if self.last is None else None)
        self.last = self.next[key]
        if made:
            (value,) = made
        else:
            before = ahead()
            value = self.last.put_back()
            self.ahead += ahead() - before
            self.owe(self.last)
        self.used += 1
        self.last.used = self.used
        self.next, self.state = self.last.next, written()
        self.forget_the_least_used()
        return value

    def take(self, key, make, folder):
        """Take a step, or take it up where another process has taken it. Returns [what the step has returned] or []."""
        name = hashlib.sha256(repr(key).encode()).hexdigest()
        with folder(name) if folder else contextlib.nullcontext((None, True)) as (place, missing):
            if not missing:
                self.next[key] = Kept.read(place)
                return []
            self.load()
            value = make()
            self.next[key] = Kept(value)
            if place:
                self.next[key].write(place)
            return [value]

    def owe(self, kept):
        """Put the database of a step back: at once within a test, which may have threads; before it, when somebody
        asks the database or the test begins, since the next step may well bring another one."""
        self.forget_due()
        self.due = kept
        if self.is_set_up:
            self.settle()
        else:
            connection.execute_wrappers.append(self.settle_first)

    def settle(self):
        """Put the database back that is due."""
        kept = self.due
        self.forget_due()
        if kept:
            kept.database.backup(connection.connection)
            self.state = written()

    def forget_due(self):
        """Nothing is due any more."""
        self.due = None
        if self.settle_first in connection.execute_wrappers:
            connection.execute_wrappers.remove(self.settle_first)

    def settle_first(self, execute, *query):
        """A query is carried out."""
        self.settle()
        return execute(*query)

    def load(self):
        """Let the games be loaded that were so after the last step: a test begins alike, whoever has taken its
        steps."""
        self.settle()
        for game in self.last.loaded if self.last and self.is_known() else ():
            live.keep(game, lambda game=game: live.Warm(game)).ask(lambda loaded: loaded.n)

    def is_known(self):
        """Whether nothing but steps has happened since the test began."""
        if self.next is None or self.state != written():
            return False
        return self.patched() <= PATCHED and not self.patches._setitem and live._moment.get() is None

    def changed_settings(self):
        """The settings that the test has changed."""
        changed, holder = [], settings._wrapped
        while holder is not self.usual:
            changed.append(repr(sorted((name, value) for name, value in vars(holder).items() if name.isupper())))
            holder = holder.default_settings
        return tuple(changed)

    def has_own_clock(self):
        """Whether the test has a clock of its own."""
        return (id(live), "now") in self.patched()

    def patched(self):
        """What the test has patched."""
        return {(id(target), name) for target, name, _ in self.patches._setattr}

    def forget_the_least_used(self):
        """Keep so many steps and no more: of those that nothing follows, the one goes that was used longest ago."""
        many, last, waiting = 0, [], [self.first]
        while waiting:
            steps = waiting.pop()
            many += len(steps)
            last += [(kept.used, key, steps) for key, kept in steps.items() if not kept.next]
            waiting += [kept.next for kept in steps.values()]
        if many > MOST:
            _, key, steps = min(last, key=lambda each: each[0])
            del steps[key]


def ahead():
    """Seconds between the clock of the tests and the machine's."""
    return float(os.environ[testclock.AHEAD])


def forget():
    """Forget whatever is known of games and users beside the database: their numbers begin anew."""
    live.close_all()
    caches["local"].clear()
    for known in (deciding._seen, deciding._mends, futures._jobs, witness._examined, witness._reported):
        known.clear()
    for file in witness_files():
        file.unlink()


def written():
    """Another value whenever something was written into the database, by this thread or another one."""
    connection.ensure_connection()
    own = connection.connection
    return (id(own), own.total_changes, own.execute("PRAGMA data_version").fetchone())


def witness_files():
    """The files beside the database that hold what was acknowledged in each game."""
    place = witness.folder()
    return list(place.glob("*")) if place is not None and place.exists() else []


present = None  # on SQLite


def do(step, make, folder=None):
    """See Preparing.do."""
    return make() if present is None else present.do(step, make, folder)

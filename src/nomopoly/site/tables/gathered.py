"""What is written to one game, gathered while its rules run and stored afterwards in one short transaction.

While rules run nothing is locked in the database, so that other games are written to meanwhile. `Gathered` stands
between the runtime's Game and the database: what is put into it can be read back at once, and is in the database after
`store`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.db import transaction

from nomopoly.runtime.journal import canonical, check_follows
from nomopoly.site.tables import witness
from nomopoly.site.tables.journal import DatabaseBallots, DatabaseJournal, DatabaseOutcomes, Overtaken

if TYPE_CHECKING:
    from nomopoly.runtime.ballots import Ballot
    from nomopoly.site.shapes import Data


class GatheredJournal(DatabaseJournal):
    """The journal as it will be: the lines of the database, then those that wait to be stored."""

    def __init__(self, game_id: int) -> None:
        super().__init__(game_id)
        self.clear()

    def clear(self) -> None:
        """Forget what waits, and what was read of the database."""
        self.waiting: list[tuple[Data, str]] = []  # (line, its text)
        self.by_program: set[int] = set()  # numbers of those that programs of players have given
        self.begun = False
        # the text of the last line in the database, read once while it is written to
        self.ended: str | None = None

    def append(self, line: Data, data: bytes | None = None) -> None:
        """Add one sealed line, which waits until `store`. Raises JournalError if it does not follow the last one.

        `data`: the line as bytes, if somebody has made them already.
        """
        check_follows(line, self.last())
        self.waiting.append((line, data.decode() if data else canonical(line)))

    def lines(self, start: int = 0) -> Iterator[Data]:
        """The lines from entry `start` on."""
        if not self.is_new(start):
            yield from super().lines(start)
        for line, text in self.waiting[:]:
            if line["n"] >= start:
                yield json.loads(text)

    def is_new(self, n: int) -> bool:
        """Whether entry n, and all after it, waits to be stored."""
        return bool(self.waiting) and n >= self.waiting[0][0]["n"]

    def last(self) -> Data | None:
        """The last line, or None of an empty journal."""
        if self.waiting:
            return json.loads(self.waiting[-1][1])
        if not self.begun:
            return super().last()
        if self.ended is None:
            self.ended = self.last_text() or ""
        return json.loads(self.ended) if self.ended else None

    def head(self) -> tuple[int, str] | None:
        """Number and hash of the last entry; None of an empty journal."""
        if self.waiting:
            last = self.waiting[-1][0]
            return last["n"], last["hash"]
        if self.begun and (end := self.last()) is not None:
            return end["n"], end["hash"]
        return super().head()

    def stored_head(self) -> tuple[int, str] | None:
        """Number and hash of the last entry in the database."""
        return super().head()

    def store(self) -> None:
        """Write the lines that wait. Raises Overtaken where another process has written one of these numbers."""
        for line, text in self.waiting:
            self.create(line, text, line["n"] in self.by_program)


class GatheredBallots(DatabaseBallots):
    """The ballot box as it will be."""

    def __init__(self, game_id: int) -> None:
        super().__init__(game_id)
        self.clear()

    def clear(self) -> None:
        """Forget what waits and what was read."""
        self.waiting: dict[Any, Ballot] = {}  # key -> ballot
        self.salts: list[tuple[str, str]] = []
        self.read: list[Ballot] | None = None  # what the box held when it was last read

    def cast(self, ballot: Ballot) -> None:
        """Keep a ballot until `store`, in place of the player's earlier one on the same thing."""
        self.waiting[ballot.key] = ballot

    def ballots(self) -> Iterator[Ballot]:
        """All ballots, the latest of each player on each thing; notes what the database held, for `has_changed`."""
        self.read = list(super().ballots())
        latest = {ballot.key: ballot for ballot in self.read} | self.waiting
        return iter(latest.values())

    def opened(self, commitment: str, salt: str) -> None:
        """Keep the salt of a commitment until `store`."""
        self.salts.append((commitment, salt))

    def has_changed(self) -> bool:
        """Whether the box holds something else by now than what was read."""
        return self.read is not None and self.read != list(super().ballots())

    def store(self) -> None:
        """Write what waits."""
        for ballot in self.waiting.values():
            super().cast(ballot)
        for commitment, salt in self.salts:
            super().opened(commitment, salt)


class GatheredOutcomes(DatabaseOutcomes):
    """The outcomes as they will be."""

    def __init__(self, game_id: int, journal: GatheredJournal) -> None:
        super().__init__(game_id)
        self.journal = journal
        self.waiting: dict[int, str] = {}

    def put(self, n: int, outcome: Data, facts: Any = None) -> None:
        """Keep the outcome of an entry until it is stored, in place of an older one."""
        self.waiting[n] = json.dumps(outcome)

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on."""
        waiting = {n: json.loads(self.waiting[n]) for n in sorted(self.waiting) if n >= start}
        for n, outcome in () if self.journal.is_new(start) else super().get(start):
            yield n, waiting.pop(n, outcome)
        yield from waiting.items()

    def store(self) -> None:
        """Write what waits."""
        self.put_all(self.waiting)


class Gathered:
    """Journal, ballot box and outcomes of one game, and what the site notes with an entry (`also`)."""

    def __init__(self, game_id: int) -> None:
        self.journal = GatheredJournal(game_id)
        self.ballots = GatheredBallots(game_id)
        self.outcomes = GatheredOutcomes(game_id, self.journal)
        self.acts: list[Any] = []
        self.meanwhile: Data = {}  # what is read once while this is gathered
        self.begun = False

    def begin(self) -> None:
        """From now on things are gathered, until `end`."""
        if self.begun:
            raise RuntimeError("this game is being written to already: one order at a time")
        self.begun = self.journal.begun = True

    def end(self) -> None:
        """What was not stored is forgotten."""
        self.begun = False
        self.clear()

    def also(self, act: Callable[[], Any]) -> None:
        """Call act() in the transaction in which all this is stored: it writes to the database, and runs no rules."""
        if not self.begun:
            raise RuntimeError("nothing is being written to this game: write to the database at once")
        self.acts.append(act)

    def clear(self) -> None:
        """Forget what waits."""
        self.outcomes.waiting, self.acts, self.meanwhile = {}, [], {}
        self.journal.clear()
        self.ballots.clear()

    def __bool__(self) -> bool:
        """Whether anything waits to be stored."""
        ballots = self.ballots.waiting or self.ballots.salts
        return bool(self.journal.waiting or self.outcomes.waiting or ballots or self.acts)

    def store(self, head: tuple[int, str], alone: bool = False) -> Any:
        """Store all of it, if the journal in the database still ends with `head` (number, hash): else raise Overtaken.

        `alone`: the game's row has been locked since `head` was read, so that nobody else writes to it.

        Closing a vote counts what the box held: with a ballot that has come since, that is overtaken too.
        """
        with transaction.atomic(savepoint=False):
            counts = any(line["kind"] == "ballots" for line, _ in self.journal.waiting)
            if (not alone and self.journal.stored_head() != head) or (counts and self.ballots.has_changed()):
                raise Overtaken("another process has written to this game meanwhile: try again")
            self.journal.store()
            self.outcomes.store()
            self.ballots.store()
            for act in self.acts:
                act()
            if self.journal.waiting:
                transaction.on_commit(functools.partial(witness.keep_up, self.journal.game_id))
        self.clear()

    def store_outcomes(self) -> None:
        """Store the outcomes alone: a cache, which belongs to entries that are in the database already."""
        if self.outcomes.waiting:
            self.outcomes.store()
            self.outcomes.waiting = {}

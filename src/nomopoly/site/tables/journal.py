"""The journal of a game in the database: append-only lines behind the same interface as a file's.

How what an order writes is gathered first and stored in one short transaction: see gathered.py.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models.constants import OnConflict

from nomopoly.runtime.ballots import Ballot
from nomopoly.runtime.journal import MovedOn, canonical, check_follows, parse_line
from nomopoly.site.tables import prepared
from nomopoly.site.tables.models import Ballot as BallotRow
from nomopoly.site.tables.models import BallotSalt, Entry, Outcome

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


CHUNK = 500
FEW = 3  # rows that are sooner written one by one
LAST = prepared.Rows(lambda game: Entry.objects.filter(game=game).order_by("-n").values_list("line", flat=True)[:1])
HEAD = prepared.Rows(lambda game: Entry.objects.filter(game=game).order_by("-n").values_list("n", "hash")[:1])
AFTER = prepared.Rows(
    lambda game, n: Entry.objects.filter(game=game, n__gt=n).order_by("n").values_list("n", "line", "hash")[:CHUNK]
)
OUTCOMES_AFTER = prepared.Rows(
    lambda game, n: Outcome.objects.filter(game=game, n__gt=n).order_by("n").values_list("n", "outcome")[:CHUNK]
)
LINE = prepared.Insert(Entry, "game_id", "n", "line", "hash", "by_program")
OUTCOME = prepared.Insert(
    Outcome, "game_id", "n", "outcome", conflict=(OnConflict.UPDATE, ["game_id", "n"], ["outcome"])
)
BALLOTS = prepared.Rows(
    lambda game: BallotRow.objects.filter(game=game).order_by("pk").values(*(field.name for field in fields(Ballot)))
)


def entries_after(game_id: int, n: int) -> Iterator[tuple[int, str, str]]:
    """(number, line as text, hash) of the entries of a game after entry n, read in portions."""
    return prepared.in_portions(AFTER, CHUNK, game_id, n)


class Overtaken(MovedOn):
    """Another process has written to the game meanwhile: nothing was stored. Load the game again, and begin again."""


class DatabaseJournal:
    """The lines of one game."""

    def __init__(self, game_id: int) -> None:
        self.game_id = game_id

    def append(self, line: Data, data: bytes | None = None) -> None:
        """Write one sealed line. Raises JournalError if it does not follow the last one, and Overtaken.

        `data`: the line as bytes, if somebody has made them already.
        """
        check_follows(line, self.last())
        self.create(line, data.decode() if data else canonical(line))

    def create(self, line: Data, text: str, by_program: bool = False) -> None:
        """Write one line to the database. Raises Overtaken where another process has written that number; then nothing
        is kept of the transaction in which this is done."""
        try:
            with transaction.atomic(savepoint=False):
                LINE.write(game_id=self.game_id, n=line["n"], line=text, hash=line["hash"], by_program=by_program)
        except IntegrityError as error:
            raise Overtaken(f"entry {line['n']} is there already: another process wrote it") from error

    def lines(self, start: int = 0) -> Iterator[Data]:
        """The lines from entry `start` on, read in portions."""
        for n, line, _ in entries_after(self.game_id, start - 1):
            yield parse_line(line, f"entry {n}")

    def last(self) -> Data | None:
        """The last line, or None of an empty journal."""
        line = self.last_text()
        return json.loads(line) if line is not None else None

    def last_text(self) -> str | None:
        """The last line as it stands in the database, or None."""
        return LAST.first(self.game_id)

    def head(self) -> tuple[int, str] | None:
        """Number and hash of the last entry, cheaply: what tells whether a loaded game is up to date."""
        return HEAD.first(self.game_id)

    def lock(self) -> nullcontext[None]:
        """The unique number of an entry keeps two writers apart; who loses reads again."""
        return contextlib.nullcontext()


class DatabaseBallots:
    """The ballot box of one game (runtime.ballots.BallotBox)."""

    def __init__(self, game_id: int) -> None:
        self.game_id = game_id

    def cast(self, ballot: Ballot) -> None:
        """Keep a ballot in place of the player's earlier one on the same thing."""
        kept = asdict(ballot) | {"more": json.dumps(ballot.more)}
        key = {name: kept.pop(name) for name in ("closes", "about", "player")}
        BallotRow.objects.update_or_create(game_id=self.game_id, **key, defaults=kept)

    def ballots(self) -> Iterator[Ballot]:
        """All ballots, the latest of each player on each thing."""
        for row in BALLOTS.all(self.game_id):
            yield Ballot(**row | {"more": json.loads(row["more"])})

    def opened(self, commitment: str, salt: str) -> None:
        """Keep the salt of a commitment: with it the operator can prove what was counted."""
        BallotSalt.objects.create(game_id=self.game_id, commitment=commitment, salt=salt)


class DatabaseOutcomes:
    """What came of the entries of one game, kept for the pages."""

    def __init__(self, game_id: int) -> None:
        self.game_id = game_id

    def put(self, n: int, outcome: Data, facts: Any = None) -> None:
        """Keep the outcome of an entry, in place of an older one."""
        self.put_all({n: json.dumps(outcome)})

    def put_all(self, outcomes: dict[int, str]) -> None:
        """Keep {n: outcome as text}, in place of older ones."""
        if len(outcomes) <= FEW:
            for n, text in outcomes.items():
                OUTCOME.write(game_id=self.game_id, n=n, outcome=text)
            return
        rows = [Outcome(game_id=self.game_id, n=n, outcome=text) for n, text in outcomes.items()]
        Outcome.objects.bulk_create(
            rows, CHUNK, update_conflicts=True, unique_fields=["game", "n"], update_fields=["outcome"]
        )

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on, read in portions."""
        for n, outcome in prepared.in_portions(OUTCOMES_AFTER, CHUNK, self.game_id, start - 1):
            yield n, json.loads(outcome)

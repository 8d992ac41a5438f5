"""A witness of each game beside an SQLite database: a file with every entry that was acknowledged.

SQLite says nothing when the end of its log is lost: entries that players saw confirmed are simply not there any more.
The witness, `witness/<number of the game>.jsonl` in the data folder, gets every entry after the commit and before the
answer, flushed to the disk. When a game is taken up its journal is compared with it, and its chain is checked from the
first entry on. A game whose journal is not what it was is closed (`Damaged`) until its operator says
`nomopoly recover`.

With PostgreSQL there is no witness: it checks its own log.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Max
from django.utils.translation import gettext_noop

from nomopoly.runtime.journal import FIRST_HASH, FileJournal, JournalError, parse_line
from nomopoly.runtime.verify import check_line
from nomopoly.site.busy import Busy
from nomopoly.site.tables import prepared
from nomopoly.site.tables.journal import entries_after
from nomopoly.site.tables.models import Entry, Game

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.witness")
HASH = prepared.Rows(lambda game, n: Entry.objects.filter(game=game, n=n).values_list("hash", flat=True))
CLOSED = gettext_noop(
    "This game is closed: its journal on this site is not what it was. Nothing was done. "
    "The site's operator has been notified and can put it back."
)

_examined: dict[
    int, tuple[int, str]
] = {}  # game -> (number, hash) of the entry up to which this process has checked the chain
_reported: set[Any] = set()


class Damaged(Busy):
    """A game's journal in the database is not what was acknowledged. `problem` says to the operator what differs."""

    def __init__(self, problem: str) -> None:
        super().__init__(3600, CLOSED)
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


def folder() -> Path | None:
    """Where the witnesses are, or None where there are none: an SQLite database in a file has them."""
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite" or name == ":memory:" or "mode=memory" in str(name):
        return None
    return Path(name).parent / "witness"


def path_of(game_id: int) -> Path | None:
    """The file of a game's witness, or None."""
    place = folder()
    return None if place is None else place / f"{game_id}.jsonl"


@contextlib.contextmanager
def opened(path: Path) -> Iterator[FileJournal]:
    """The witness in a file, which is made if it is not there."""
    new = not path.exists()
    path.parent.mkdir(mode=0o700, exist_ok=True)
    file = FileJournal(path, durable=False)
    try:
        with file.lock():
            yield file
            file.flush()
        if new:
            flush_folder(path.parent)
    finally:
        file.close()


def flush_folder(place: Path) -> None:
    """See to it that a new file's name is on the disk too."""
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# ---- what was acknowledged


def keep_up(game_id: int) -> None:
    """Add to a game's witness what the database has beyond it. Called after each commit, before the answer.

    The entry is on the disk already: where the witness cannot be written, the operator is told, and the next entry
    tries again.
    """
    path = path_of(game_id)
    if path is None:
        return
    try:
        with opened(path) as file:
            last = file.last()
            for n, text, _ in entries_after(game_id, -1 if last is None else last["n"]):
                file.append(parse_line(text, f"entry {n}"), text.encode("utf-8", "surrogatepass"))
    except (OSError, JournalError) as error:
        log.error("the witness of game %s (%s) cannot be written: %s", game_id, path, error)


def forget(game_id: int) -> None:
    """Take the witness of a game away that has been deleted."""
    _examined.pop(game_id, None)
    path = path_of(game_id)
    if path is not None:
        path.unlink(missing_ok=True)


# ---- comparing


def examine(game_id: int) -> None:
    """Look at a game's journal before it is taken up. Raises Damaged where it is not what it was.

    The witness is read first: another process may add to both at any moment, and it adds to the database first.
    """
    last = last_acknowledged(game_id)
    try:
        head = check_chain(game_id)
        compare(game_id, head[0], last)
    except Damaged as damaged:
        _examined.pop(game_id, None)
        report(game_id, damaged.problem)
        raise
    _examined[game_id] = head
    keep_up(game_id)


def check_chain(game_id: int) -> tuple[int, str]:
    """Number and hash of the last entry of a chain that is in order, from what was checked before on. Raises
    Damaged."""
    n, last = _examined.get(game_id, (-1, FIRST_HASH))
    if n >= 0 and not is_there(game_id, n, last):
        n, last = -1, FIRST_HASH  # something else stands there now: look at all of it
    moment = -(2**62)
    for number, text, column in entries_after(game_id, n):
        try:
            line = parse_line(text, f"entry {number}")
            moment, _ = check_line(line, n + 1, last, moment)
        except JournalError as error:
            raise Damaged(str(error)) from error
        if (number, column) != (line["n"], line["hash"]):
            raise Damaged(f"entry {number}: its columns in the database are not those of its line")
        n, last = number, line["hash"]
    return n, last


def is_there(game_id: int, n: int, hash: str) -> bool:
    """Whether entry n of a game is the one with this hash."""
    return HASH.first(game_id, n) == hash


def last_acknowledged(game_id: int) -> Data | None:
    """The last line of a game's witness, or None where there is none. A damaged witness is put aside."""
    path = path_of(game_id)
    if path is None or not path.exists():
        return None
    try:
        with opened(path) as file:
            return file.last()
    except (OSError, JournalError) as error:
        aside = path.with_suffix(".damaged")
        os.replace(path, aside)
        log.error("the witness of game %s was damaged (%s): it is in %s, and a new one is begun", game_id, error, aside)
        return None


def compare(game_id: int, end: int, last: Data | None) -> None:
    """A journal that ends with the entry `end` against the `last` line of its witness, or None. Raises Damaged."""
    if last is None:
        return
    if last["n"] > end:
        first = end + 1
        which = f"entry {first}" if first == last["n"] else f"entries {first} to {last['n']}"
        was, is_ = ("was", "is") if first == last["n"] else ("were", "are")
        raise Damaged(f"{which} of its journal {was} acknowledged and {is_} missing from the database")
    if not is_there(game_id, last["n"], last["hash"]):
        raise Damaged(f"entry {last['n']} of its journal in the database is not the one that was acknowledged")


def report(game_id: int, problem: str) -> None:
    """Tell the operator once what is wrong with a game, and what to do."""
    if (game_id, problem) not in _reported:
        _reported.add((game_id, problem))
        log.error("%s", sentence(Game.objects.get(pk=game_id), problem))


def sentence(game: Game, problem: str) -> str:
    """What is wrong with a game, and what to do."""
    return (
        f"Game {game.slug} is closed: {problem}. Stop the site, keep a copy of its data, then: nomopoly recover "
        f"{game.slug}"
    )


def look_at_all() -> Iterator[str]:
    """For the start of the site: a sentence for each game whose database has lost what its witness has."""
    if folder() is None:
        return
    for game in Game.objects.order_by("pk"):
        last = last_acknowledged(game.pk)
        end = Entry.objects.filter(game=game).aggregate(end=Max("n"))["end"]
        try:
            compare(game.pk, -1 if end is None else end, last)
        except Damaged as damaged:
            yield sentence(game, damaged.problem)


def checkpoint() -> None:
    """Move what SQLite's log holds into the database itself, so that little is ever in the log alone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

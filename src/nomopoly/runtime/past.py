"""A game as it was after an entry, taken up from a snapshot of a time before."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from nomopoly.runtime.fold import Fold
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.journal import Journal, JournalError, Line
from nomopoly.runtime.outcomes import MemoryOutcomes, out_hash
from nomopoly.runtime.replay import first_line

Data = dict[str, Any]


def taken_up(
    journal: Journal, runtime: str, snapshot: Data, until: int, watch: Callable[[Game, Line], None] | None = None
) -> Game:
    """The game after entry `until`, from a snapshot (`host.take_snapshot`) after an entry up to that; only what lies
    between is read.

    No entry between them may be a strike: it would change what came before. `watch` sees the game before each entry.
    Raises JournalError if the snapshot is of another journal, or what follows does not follow from it.
    """
    lines = takewhile(lambda line: line["n"] <= until, journal.lines(snapshot["n"]))
    first = next(lines, None)
    if first is None or first["hash"] != snapshot["hash"]:
        raise JournalError("the snapshot does not belong to this journal: throw it away")
    fold = Fold(first_line(journal), make_runtime(runtime))
    try:
        game = Game(journal, fold, None, MemoryOutcomes())
        fold.restore(snapshot, first)
        for line in lines:
            if watch is not None:
                watch(game, line)
            follow(fold, line)
    except BaseException:
        fold.runtime.close()
        raise
    return game


def follow(fold: Fold, line: Line) -> None:
    """Carry out the next line as it was. Raises JournalError if something else comes of it."""
    if line["kind"] == "strike":
        raise JournalError(f"entry {line['n']} strikes another: take the game up from a later snapshot")
    if "limit" in line:
        fold.advance(line)
    elif out_hash(line, fold.take(line, known=MemoryOutcomes())) != line["out"]:
        raise JournalError(f"entry {line['n']} does not follow from the snapshot: throw it away")

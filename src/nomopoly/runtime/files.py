"""Games as files: writing one, verifying it, computing it again.

A file is a journal: JSON lines, gzipped, the same bytes for the same game. It holds every order, private trades too, and
all dice that have been rolled, but never a secret that has not been revealed. It is for the Admin and for an archive:
what a single viewer may see is in `Game.facts`.
"""

from __future__ import annotations

import json as json_format
import os
import time
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.runtime.host import Game, load_game
from nomopoly.runtime.journal import Journal, MemoryJournal, iso, read_file, write_file
from nomopoly.runtime.runtimes import Fault, Incident
from nomopoly.runtime.trust import safe_runtime
from nomopoly.runtime.verify import Differs, JournalFile, Verified, chained
from nomopoly.runtime.verify import verify as verify_lines

Data = dict[str, Any]


def export(journal: Journal, file: Path) -> int:
    """Write a journal as a file, whole or not at all. Returns how many entries it has."""
    half = file.with_name(file.name + ".part")
    try:
        count = write_file(half, journal.lines())
        os.replace(half, file)
    except OSError as error:
        raise CommandError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        half.unlink(missing_ok=True)
    return count


def verify(file: Path, runtime: str | None = None) -> int:
    """The command `verify`: say whether a file is in order, or name the first entry that differs (status 1)."""
    begun = time.perf_counter()
    try:
        found = verify_lines(JournalFile(file), runtime)
    except Differs as error:
        print(f"{file}: {error}")
        return 1
    print(f"{file}: {told(found)}, {time.perf_counter() - begun:.2f} s")
    return 0


def told(found: Verified) -> str:
    """What was verified, in words."""
    parts = [f"ok: {found.entries} entries follow from the rules and the dice ({found.runtime})"]
    if found.revealed:
        parts.append(f"{found.revealed} rolls' entropy checked against revealed secrets")
    if found.limits:
        parts.append(f"{found.limits} taken as given (they ran into a limit)")
    return ", ".join([*parts, f"last hash {found.last_hash}"])


def load_file(file: Path, to: int | None = None, runtime: str | None = None) -> Game:
    """The game in a file, in memory, as it was after entry `to` (default: the last). Its chain is checked first."""
    lines = list(chained(read_file(file)))
    if to is not None and not 0 <= to < len(lines):
        raise CommandError(f"{file}: there is no entry {to}: entries are numbered 0 to {len(lines) - 1}")
    journal = MemoryJournal(lines if to is None else lines[: to + 1])
    try:
        return load_game(journal, runtime=runtime or safe_runtime(lines))
    except (Fault, Incident) as fault:
        raise CommandError(f"{file}: the game does not open: {fault}") from fault


def replay(file: Path, to: int | None = None, runtime: str = "monty", json: bool = False) -> int:
    """The command `replay`: compute a game again and print where it stands."""
    game = load_file(file, to, runtime)
    state = game.state()
    if json:
        print(json_format.dumps({"n": game.n, "state_hash": game.state_hash(), "state": state}, indent=2))
    else:
        print(f"{game.title} ({game.edition}), after entry {game.n} of {iso(game.now)}")
        for id, kind, values in state["things"]:
            if kind == "player":
                place = (values.get("square") or {}).get("thing", "-")
                print(f"  {id}: ${values.get('money', 0)}, on {place}")
        print(f"  state {game.state_hash()}")
    game.runtime.close()
    return 0


def history_of(file: Path) -> list[Data]:
    """The moments at which the rulebook of the game in a file changed, oldest first (`Game.book_history`)."""
    game = load_file(file)
    history = game.book_history()
    game.runtime.close()
    return history

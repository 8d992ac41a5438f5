"""Games as files: writing one, verifying it, computing it again.

A file is a journal: JSON lines, gzipped, the same bytes for the same game. It holds every order, private trades too,
and all dice that have been rolled, but never a secret that has not been revealed. It is for the operator and for an
archive: a copy for a single viewer is made of `sealing.shown_line`, and can be verified but not played on.
"""

from __future__ import annotations

import contextlib
import json as json_format
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.rulebook.check import Problem, check_record, declared_by
from nomopoly.rulebook.history import History
from nomopoly.runtime.host import Game, load_game
from nomopoly.runtime.interpreters import Fault, Incident
from nomopoly.runtime.journal import Journal, Line, MemoryJournal, is_whole, iso, read_file, write_file
from nomopoly.runtime.trust import rule_code, safe_runtime
from nomopoly.runtime.verify import Differs, JournalFile, Verified, chained
from nomopoly.runtime.verify import verify as verify_lines

Data = dict[str, Any]


def export(journal: Journal, file: Path) -> int:
    """Write a journal as a file, whole or not at all. Returns how many entries it has."""
    with whole(file) as half:
        return write_file(half, journal.lines())


@contextlib.contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Within this, a file is written to a path beside it: it is there as a whole in the end, or not at all.

    Raises CommandError where it cannot be written.
    """
    half = half_of(file)
    try:
        yield half
        os.replace(half, file)
    except OSError as error:
        raise CommandError(f"{file}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):  # where there is no such folder, there is no such file
            half.unlink()


def half_of(file: Path) -> Path:
    """The path at which a file is written before it is whole. Raises CommandError for what is no file."""
    if file.is_dir():
        raise CommandError(f"{file}: cannot be written: it is a folder; name a file")
    if file.exists() and not file.is_file():
        raise CommandError(f"{file}: cannot be written: it is a device or a pipe; name a file")
    return file.with_name(file.name + ".part")


def verify_writable(file: Path) -> None:
    """Raise CommandError if a file cannot be written, before the work of hours that it is for."""
    half = half_of(file)
    try:
        half.touch()
        half.unlink()
    except OSError as error:
        raise CommandError(f"{file}: cannot be written: {error.strerror or error}") from error


SHORTEST_HEAD = 12  # characters of a hash that somebody has noted


def verify(file: Path, runtime: str | None = None, head: str | None = None) -> int:
    """The command `verify`: say whether a file is in order, or name the first entry that differs (status 1).

    `head`: a hash that was noted earlier (or its beginning), which must be that of an entry of this journal.
    """
    begun = time.perf_counter()
    noted = Noted(file, head)
    try:
        verified = verify_lines(noted, runtime)
    except Differs as error:
        print(in_one_line(f"{file}: {str(error).removeprefix(f'{file}: ')}"))
        return 1
    if head is not None and noted.n is None:
        print(
            f"{file}: the chain is in order, but no entry of it has the hash {head}: this is not the journal whose "
            "hash was "
            f"noted. Its last hash is {verified.last_hash}"
        )
        return 1
    print(f"{file}: {told(verified)}{noted.words()}, {time.perf_counter() - begun:.2f} s")
    return 0


class Noted(JournalFile):
    """The lines of a file, in which a noted hash is looked for meanwhile; `n` is the entry that has it."""

    def __init__(self, path: Path, head: str | None) -> None:
        super().__init__(path)
        self.head = None if head is None else head.strip().lower()
        self.n: int | None = None
        if self.head is not None and not re.fullmatch(rf"[0-9a-f]{{{SHORTEST_HEAD},64}}", self.head):
            raise CommandError(f"--head {head}: not a hash; at least its first {SHORTEST_HEAD} characters are wanted")

    def __iter__(self) -> Iterator[Line]:
        for line in super().__iter__():
            if self.head is not None and line["hash"].startswith(self.head):
                self.n = line["n"]
            yield line

    def words(self) -> str:
        """Which entry has the hash that was noted."""
        return "" if self.n is None else f", the noted hash is that of entry {self.n}"


def in_one_line(words: str) -> str:
    """Words that a file has put together, as one line that any terminal can show."""
    shown = "".join(each if each.isprintable() else " " for each in words)
    return " ".join(shown.split())


def problems_of(found: Verified, commons: list[tuple[str, str]]) -> Iterator[Problem]:
    """What the check of proposals finds in the rules that a verified journal leaves in force. Shipped programs are
    known."""
    records = found.state["rules"]
    declared = declared_by(records, commons)
    for record in records:
        if not rule_code(record["code"]):
            yield from check_record(record, declared, types=False)


def told(verified: Verified) -> str:
    """What was verified, in words."""
    if verified.whole:
        parts = [f"ok: {verified.entries} entries follow from the rules and the dice ({verified.runtime})"]
    else:
        shown = verified.entries - verified.withheld - verified.unproven
        parts = [
            f"ok: {verified.entries} entries in one chain, {shown} of them shown as they were committed to",
            f"{verified.carried_out} carried out again by the rules ({verified.runtime})",
        ]
    if verified.withheld:
        parts.append(f"{verified.withheld} withheld from this copy")
    if verified.unproven:
        parts.append(f"{verified.unproven} shown without proof")
    if verified.waiting:
        parts.append(f"the dice of {verified.waiting} wait for their secret to be revealed")
    if verified.revealed:
        parts.append(f"{verified.revealed} rolls' entropy checked against revealed secrets")
    if verified.limits:
        parts.append(f"{verified.limits} taken as given (they ran into a limit)")
    return ", ".join([*parts, f"last hash {verified.last_hash}"])


def load_file(file: Path, to: int | None = None, runtime: str | None = None) -> Game:
    """The game in a file, in memory, as it was after entry `to` (default: the last). Its chain is checked first."""
    lines = list(chained(read_file(file)))
    if not all(is_whole(line) for line in lines):
        raise CommandError(
            f"{file}: this is a copy for one viewer: verify it, or ask the operator for the whole journal"
        )
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


def history_of(file: Path) -> History:
    """The moments at which the rulebook of the game in a file changed."""
    game = load_file(file)
    history = History(game.book_history(), game.time_zone)
    game.runtime.close()
    return history

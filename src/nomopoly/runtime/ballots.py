"""The ballot box beside the journal: votes wait here, as durable as entries, until the moment at which they count.

A vote is no entry: when it was cast, and that it was, cannot be read off the journal. At the close all ballots enter it
as one `ballots` entry: by name where the rules open them then, as numbers and a commitment where they stay secret.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from nomopoly.runtime.journal import FileJournal, Journal, JournalError, canonical

Data = dict[str, Any]
ABSTAIN = "abstain"
MOST_SUBJECT = 100  # characters of what is voted on: the id of a thing, or words where rules let one vote on those


@dataclass(frozen=True)
class Ballot:
    """One player's vote on one thing; a later one takes its place."""

    about: str  # id of the thing that is voted on
    player: str
    choice: Any
    closes: str  # the event that it waits for
    sealed: bool  # whether it stays secret after the close
    at: int  # seconds since 1970
    more: Data = field(default_factory=dict)  # what was said in further fields of the vote
    joined: int | None = (
        None  # when the player had joined, in seconds since 1970; None in boxes from before it was kept
    )

    @property
    def key(self) -> tuple[str, str, str]:
        """What a later ballot has in common with the one it replaces."""
        return (self.closes, self.about, self.player)


class BallotBox(Protocol):
    """Where ballots wait; files, memory and the site's database do it alike."""

    def cast(self, ballot: Ballot) -> None:
        """Keep a ballot in place of the player's earlier one on the same thing; it is kept when this returns."""

    def ballots(self) -> Iterator[Ballot]:
        """All ballots, the latest of each player on each thing."""

    def opened(self, commitment: str, salt: str) -> None:
        """Keep the salt of a commitment: with it the operator can prove what was counted."""


class MemoryBallots:
    """A ballot box in memory, for scenarios and trials."""

    def __init__(self) -> None:
        self._ballots: dict[tuple[str, str, str], Ballot] = {}

    def cast(self, ballot: Ballot) -> None:
        """Keep a ballot."""
        self._ballots[ballot.key] = ballot

    def ballots(self) -> Iterator[Ballot]:
        """All ballots."""
        return iter(list(self._ballots.values()))

    def opened(self, commitment: str, salt: str) -> None:
        """Nobody will ask."""


class SeededBallots(MemoryBallots):
    """A ballot box for simulations, where nobody has anything to hide: its salts follow from a secret and from how many
    it made."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self._secret = secret
        self._made = 0

    def salt(self) -> str:
        """The next salt: 32 bytes as hex text."""
        self._made += 1
        return hashlib.sha256(f"{self._secret}:salt of ballots:{self._made}".encode()).hexdigest()


class FileBallots:
    """A ballot box in a file of JSON lines beside a journal, readable by its owner alone."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    def _append(self, line: Data) -> None:
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                size = file.tell()
                ended = size == 0 or self._last_byte() == b"\n"  # a line that a crash cut off stays one of its own
                try:
                    file.write((b"" if ended else b"\n") + canonical(line).encode() + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    os.ftruncate(file.fileno(), size)
                    raise
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}; the vote was not kept") from error

    def _last_byte(self) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read()

    def cast(self, ballot: Ballot) -> None:
        """Keep a ballot."""
        self._append(asdict(ballot))

    def ballots(self) -> Iterator[Ballot]:
        """All ballots. A last line that a crash cut off was never acknowledged."""
        latest: dict[tuple[str, str, str], Ballot] = {}
        if self.path.exists():
            for raw in self.path.read_bytes().split(b"\n"):
                line = read_line(raw)
                if line is not None and "about" in line:
                    ballot = Ballot(**line)
                    latest[ballot.key] = ballot
        return iter(latest.values())

    def opened(self, commitment: str, salt: str) -> None:
        """Keep the salt of a commitment."""
        self._append({"commitment": commitment, "salt": salt})


def read_line(raw: bytes) -> Data | None:
    """A line of the file, or None if it is empty or cut off."""
    try:
        line = json.loads(raw)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def box_beside(journal: Journal) -> BallotBox:
    """The ballot box that belongs to a journal."""
    if isinstance(journal, FileJournal):
        return FileBallots(journal.path.with_name(journal.path.name + ".ballots"))
    return MemoryBallots()


def counted(
    ballots: Iterable[Ballot],
    players: list[str],
    box: BallotBox,
    further: Iterable[str] = (),
    things: Collection[str] = (),
) -> Data:
    """What enters the journal of some ballots: those of present players, sealed ones as numbers with a commitment.

    Who abstains in a secret vote has not voted: how many did so enters nothing. `further`: the other fields of these
    votes; what was said in them stands beside the choice, without a name where the ballots are sealed. `things`: ids
    for which a choice must not be taken, where what is chosen is a word.

    Returns {"ballots": [[thing, choice, how many or player]], "commitment"}, and if there are further fields their
    names in "more" and what was said in them as a fourth part of those ballots that say anything.
    """
    places = {name: place for place, name in enumerate(players)}
    names = list(further)
    valid = sorted(
        (each for each in ballots if each.player in places and not (each.sealed and each.choice == ABSTAIN)),
        key=lambda each: (each.about, places[each.player]),
    )

    def row(ballot: Ballot, who: Any) -> list[Any]:
        said = [ballot.more.get(name) for name in names]
        word = isinstance(ballot.choice, str) and ballot.choice in things
        choice = {"word": ballot.choice} if word else ballot.choice
        return [ballot.about, choice, who, *([said] if any(each is not None for each in said) else [])]

    sealed = Counter((each.about, *(canonical(part) for part in row(each, None)[1:])) for each in valid if each.sealed)
    told: list[list[Any]] = [
        [about, json.loads(choice), many, *(json.loads(each) for each in said)]
        for (about, choice, _, *said), many in sorted(sealed.items())
    ]
    told += [row(each, each.player) for each in valid if not each.sealed]
    args: Data = {"ballots": told, **({"more": names} if names else {})}
    if sealed:
        salt = box.salt() if isinstance(box, SeededBallots) else secrets.token_hex(32)
        named = [row(each, each.player) for each in valid if each.sealed]
        args["commitment"] = hashlib.sha256(canonical([salt, named]).encode()).hexdigest()
        box.opened(args["commitment"], salt)
    return args

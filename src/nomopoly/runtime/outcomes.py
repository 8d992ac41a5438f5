"""What came of entries: as an act returns it, as pages keep it, and as a line of the journal is committed to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from nomopoly.runtime import sealing
from nomopoly.runtime.journal import Line, digest, digest_of_whole, packed, sealed_bytes, unpacked
from nomopoly.runtime.protocol import OVER

Data = dict[str, Any]


@dataclass
class Outcome:
    """What came of an entry: facts and changes, a refusal, or a fault.

    `n` is the entry's number (None if it was refused and left no line); `changes` are [thing, attribute, before,
    after].
    """

    n: int | None
    refused: str | None = None
    rule: str | None = None
    fault: Data | None = None
    broke: Data | None = None  # the fault of a rule that was left out, so that the entry could stand
    facts: list[Data] = field(default_factory=list)
    changes: list[list[Any]] = field(default_factory=list)
    rolls: bool = False
    waits: bool = False  # of a preview: whether the order would wait before it is carried out
    unused: list[Any] = field(default_factory=list)
    drawn: int = 0  # draws from the dice, hidden ones included
    code: str = ""  # by which a program recognises a refusal, see `kernel.world.refuse_as`; "" for most

    @property
    def ok(self) -> bool:
        """Whether it was carried out."""
        return self.refused is None and self.fault is None


class OutcomeStore(Protocol):
    """Where the outcomes of entries are kept for the pages: a cache that can be computed again from the journal."""

    def put(self, n: int, outcome: Data, facts: Any = None) -> None:
        """Keep the outcome of an entry, in place of an older one. `facts`: its facts, where `journal.written` has them
        already."""

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on."""


class MemoryOutcomes:
    """Outcomes in memory, packed: as objects they would be in the way of the collection of garbage."""

    def __init__(self) -> None:
        self._outcomes: dict[int, bytes] = {}

    def put(self, n: int, outcome: Data, facts: Any = None) -> None:
        """Keep the outcome of an entry."""
        self._outcomes[n] = packed(outcome if facts is None else {**outcome, "facts": facts})

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Numbers and outcomes from entry `start` on, in order."""
        for n in sorted(self._outcomes):
            if n >= start:
                yield n, unpacked(self._outcomes[n])


def result_of(n: int | None, outcome: Data) -> Outcome:
    """What came of an entry, as an act returns it; `outcome` as the runtime has it."""
    if "facts" in outcome:
        drawn = outcome.get("drawn", 0) + outcome.get("hidden", 0)
        return Outcome(
            n, facts=outcome["facts"], changes=outcome["changes"], unused=outcome.get("unused", []), drawn=drawn
        )
    return Outcome(
        n,
        refused=outcome.get("refused"),
        fault=outcome.get("fault"),
        rule=(outcome.get("fault") or outcome).get("rule") or None,
        facts=outcome.get("facts", []),
        changes=outcome.get("changes", []),
        unused=outcome.get("unused", []),
        code=outcome.get("code", ""),
    )


def out_hash(line: Line, outcome: Data) -> str:
    """What a line says of its outcome: a commitment in three parts, or its hash under the older recipe."""
    return sealing.out_of(line, outcome) if "salt" in line else outcome_hash(outcome)


def outcome_hash(outcome: Data) -> str:
    """The hash of an outcome: all of it but an interpreter's own words and sentences made for readers."""
    if "fault" in outcome:
        return digest({"fault": True})
    if "refused" in outcome:
        return digest({"refused": outcome["refused"], "rule": outcome["rule"]})
    found = {"facts": outcome["facts"], "changes": outcome["changes"], "rules": outcome.get("rules", [])}
    return digest(found) if found["rules"] else digest_of_whole(found)


def sealed(line: Line, prev: str, outcome: Data, content: bytes | None = None, facts: Any = None) -> bytes:
    """Seal a line with its outcome; returns it as canonical JSON. `content`, `facts`: see `sealing.seal`."""
    if "salt" in line:
        return sealing.seal(line, prev, outcome, content, facts)
    line["out"] = outcome_hash(outcome)
    return sealed_bytes(line, prev)


def ends_game(outcome: Data) -> bool:
    """Whether the game is over with this entry."""
    over = [now for id, name, _, now in outcome.get("changes", ()) if name == OVER and id == "game"]
    return bool(over) and over[0] is True  # an attribute changes once in an entry

"""Verifies a journal: that no line was altered, and that everything in it follows from the rules and the dice.

Chain and order of the lines, the hash of every outcome against what the rules make of the entry, strikes, and the dice
against each secret that is revealed. What ran into a limit of time or memory is taken as given.

A stranger's journal carries programs: they run in the sandbox unless each of them is that of a shipped edition.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomopoly.runtime.entropy import commitment, entropy
from nomopoly.runtime.host import (
    counts,
    open_data,
    outcome_hash,
    payload_of,
    state_difference,
    strike_fact,
    struck_numbers,
)
from nomopoly.runtime.journal import FIRST_HASH, JournalError, Line, moment_of, read_file, unaltered
from nomopoly.runtime.runtimes import Fault, Incident, Runtime, make_runtime
from nomopoly.runtime.trust import trusted, vouched, vouched_changes

Data = dict[str, Any]

KINDS = ("open", "join", "leave", "order", "withdraw", "tick", "ballots", "admin", "strike", "reveal")
BATCH = 10  # a call has its limit of time, whatever the number of entries
SNAPSHOTS = 32  # kept at most, for recomputing after a strike
SNAPSHOT_EVERY = 500


class Differs(JournalError):
    """A journal is not what it claims; `n` is the first entry that differs, or None where there is none to name."""

    def __init__(self, n: int | None, what: str) -> None:
        super().__init__(f"entry {n}: {what}" if n is not None else what)
        self.n = n


@dataclass
class Verified:
    """What is known of a journal that is in order."""

    entries: int
    runtime: str
    last_hash: str
    state: Data
    revealed: int  # entries whose dice have been checked against a revealed secret
    limits: int  # entries taken as given, because they ran into a limit


class JournalFile:
    """The lines of an exported journal, as often as one wants to read them."""

    def __init__(self, path: Path | str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Line]:
        return read_file(self.path)


def verify(lines: Iterable[Line], runtime: str | None = None) -> Verified:
    """Check a whole journal. Raises Differs with the first entry that differs, JournalError where it cannot be read.

    `runtime` None: cpython if every program in the journal is a shipped one, else the sandbox.
    """
    lines = list(lines) if isinstance(lines, Iterator) else lines
    verifier = Verifier(lines, runtime)
    collecting = gc.isenabled()
    gc.disable()  # nothing here goes in circles; looking for it would take a tenth of the time
    try:
        for line in chained(lines):
            verifier.take(line)
        return verifier.finish()
    finally:
        if collecting:
            gc.enable()
        verifier.close()


# ---- the lines themselves


def chained(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each checked to be unaltered and to follow the one before."""
    n, prev, at = -1, FIRST_HASH, -(2**62)
    try:
        for line in lines:
            n += 1
            at = check_line(line, n, prev, at)
            prev = line["hash"]
            yield line
    except Differs:
        raise
    except JournalError as error:
        raise Differs(None, f"cut off or damaged after entry {n}: {error}" if n >= 0 else str(error)) from error


def check_line(line: Line, n: int, prev: str, at: int) -> int:
    """One line against its place in the chain. Returns its moment. Raises Differs."""
    if "withheld" in line:
        raise Differs(
            n,
            "it is withheld from this copy, being private to others; all before it is in order. "
            "The Admin has the whole journal",
        )
    if not unaltered(line):
        raise Differs(n, "the line was altered: its hash is not that of what it says")
    if line["n"] != n:
        raise Differs(n, f"out of order: in its place stands entry {line['n']}")
    if line["prev"] != prev:
        raise Differs(n, "it does not follow the entry before: lines were altered, left out or put in another order")
    if line["kind"] not in KINDS or (line["kind"] == "open") != (n == 0):
        raise Differs(n, f"an entry of the kind '{line['kind']}' cannot stand here")
    moment = moment_of(line["at"])
    if moment < at:
        raise Differs(n, f"its moment {line['at']} is earlier than that of the entry before")
    return moment


# ---- what follows from them


class Verifier:
    """Computes a game anew, line by line, and compares."""

    def __init__(self, lines: Iterable[Line], runtime: str | None) -> None:
        self.lines = lines
        self.choose = runtime is None
        self.runtime: Runtime = make_runtime(runtime or "cpython")
        self.audit = False  # as long as all programs are shipped ones
        self.vouched = True  # and as long as all write by the verbs alone
        self.first: Line = {}
        self.n = -1
        self.last_hash = FIRST_HASH
        self.waiting: list[Line] = []
        self.strikes: list[tuple[int, int]] = []
        self.refused: set[int] = set()
        self.broken: set[int] = set()
        self.snapshots: dict[int, Data] = {}
        self.every = SNAPSHOT_EVERY
        self.rolled: list[tuple[int, str]] = []  # entropy since the last commitment
        self.promised = ""
        self.revealed = 0
        self.limits = 0

    def take(self, line: Line) -> None:
        """One more line, whose place in the chain has been checked."""
        kind = line["kind"]
        if not self.audit and not trusted(line):
            self.catch_up()
            self.audit = True
            if self.choose:
                self.enter_sandbox()
        if kind == "open":
            self.open(line)
        elif kind == "strike":
            self.catch_up()
            self.strike(line)
        elif line.get("limit"):
            self.catch_up()
            self.limits += 1
            self.broken.add(line["n"])
        else:
            self.waiting.append(line)
        if line.get("entropy") is not None:
            self.rolled.append((line["n"], line["entropy"]))
        if kind == "reveal":
            self.reveal(line)
        self.n, self.last_hash = line["n"], line["hash"]
        if len(self.waiting) >= BATCH:
            self.catch_up()

    def open(self, line: Line) -> None:
        """The first entry: the game begins."""
        self.first = line
        try:
            self.promised = line["args"]["commitment"]
            outcome = self.runtime.call("open", open_data(line))
            self.vouched = vouched(line)
        except (KeyError, TypeError, Fault) as error:
            raise Differs(0, f"the game does not open: {error}") from error
        self.compare(line, outcome)
        self.snapshots[0] = self.runtime.call("dump")

    def enter_sandbox(self) -> None:
        """From here on the journal carries programs that are not shipped ones: go on in the sandbox."""
        sandbox = make_runtime("monty")
        if self.first:
            commons = self.first["args"]["commons"]
            sandbox.call("restore", {"commons": commons, "state": self.runtime.call("dump")})
        self.runtime.close()
        self.runtime = sandbox

    def catch_up(self) -> None:
        """Carry out the lines that wait, and compare their outcomes."""
        done, self.waiting = self.waiting, []
        for line, outcome in zip(done, outcomes_of(self.runtime, done, self.audit, self.vouched), strict=True):
            self.compare(line, outcome)
            self.vouched = self.vouched and vouched_changes(outcome)
            if "fault" in outcome:
                self.broken.add(line["n"])
        if done and done[-1]["n"] // self.every > done[0]["n"] // self.every - (done[0]["n"] % self.every == 0):
            self.keep_snapshot(done[-1]["n"])

    @staticmethod
    def compare(line: Line, outcome: Data) -> None:
        """The recorded outcome against the computed one."""
        computed = outcome_hash(outcome)
        if computed != line["out"]:
            told = f"recorded {line['out']}, computed {computed} ({in_words(outcome)})"
            raise Differs(line["n"], f"its outcome is not what the rules make of it: {told}")

    def keep_snapshot(self, n: int) -> None:
        """Keep the state after an entry; of too many, every other one is let go."""
        self.snapshots[n] = self.runtime.call("dump")
        if len(self.snapshots) > SNAPSHOTS:
            self.snapshots = {at: self.snapshots[at] for at in list(self.snapshots)[::2]}
            self.every *= 2

    # ---- strikes

    def strike(self, line: Line) -> None:
        """Compute the game without the struck entry, from the last snapshot before it, and compare what it changed."""
        try:
            target, because = line["args"]["entry"], line["args"]["because"]
        except (KeyError, TypeError):
            raise Differs(line["n"], "a strike must say which entry and why") from None
        before, struck = struck_numbers(self.strikes), self.runtime.call("dump")
        if isinstance(target, bool) or not isinstance(target, int) or not 1 <= target < line["n"] or target in before:
            raise Differs(line["n"], f"entry {target!r} cannot be struck here")
        self.strikes.append((line["n"], target))
        now_struck = struck_numbers(self.strikes)
        start = min(before ^ now_struck)
        self.snapshots = {n: state for n, state in self.snapshots.items() if n < start}
        base = max(self.snapshots)
        commons = self.first["args"]["commons"]
        self.runtime.call("restore", {"commons": commons, "state": self.snapshots[base]})
        refused = {n for n in self.refused if n <= base}
        broken = {n for n in self.broken if n <= base}
        for batch in batches(self.between(base, line["n"])):
            wanted = [old for old in batch if counts(old, now_struck, broken)]
            for old, outcome in zip(wanted, outcomes_of(self.runtime, wanted, self.audit, self.vouched), strict=True):
                self.vouched = self.vouched and vouched_changes(outcome)
                if "refused" in outcome:
                    refused.add(old["n"])
                if "fault" in outcome:
                    broken.add(old["n"])
        told: Data = {
            "changes": state_difference(struck, self.runtime.call("dump")),
            "refused": sorted(refused - self.refused),
        }
        self.refused, self.broken = refused, broken
        self.compare(line, {"facts": [strike_fact(target, because, told)], "changes": told["changes"]})

    def between(self, after: int, before: int) -> Iterator[Line]:
        """The lines between two entries."""
        for line in self.lines:
            if line["n"] >= before:
                return
            if line["n"] > after:
                yield line

    # ---- dice

    def reveal(self, line: Line) -> None:
        """Check the dice since the last commitment against the secret that is published."""
        try:
            secret, following = line["args"]["secret"], line["args"]["commitment"]
            if secret is None:  # the game has moved to where its secret is not known
                self.rolled, self.promised = [], following
                return
            honest = commitment(secret) == self.promised
        except (KeyError, TypeError, ValueError):
            raise Differs(line["n"], "a reveal must publish a secret and the next commitment") from None
        if not honest:
            raise Differs(line["n"], "the secret it reveals is not the one that the game committed itself to")
        for n, found in self.rolled:
            if found != entropy(secret, self.first["args"]["id"], n):
                self.catch_up()
                raise Differs(n, "its dice do not come from the secret that was committed to")
        self.revealed += len(self.rolled)
        self.rolled, self.promised = [], following

    def finish(self) -> Verified:
        """The end of the journal."""
        if not self.first:
            raise Differs(None, "this journal does not begin with an open entry: it holds no game")
        self.catch_up()
        state = self.runtime.call("dump")
        return Verified(self.n + 1, self.runtime.name, self.last_hash, state, self.revealed, self.limits)

    def close(self) -> None:
        """Give the runtime back."""
        self.runtime.close()


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Lines in lists of BATCH; one that followed from a fault begins a new list, since it depends on the one before."""
    batch: list[Line] = []
    for line in lines:
        if "after" in line and batch:
            yield batch
            batch = []
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def outcomes_of(runtime: Runtime, lines: list[Line], audit: bool, vouched: bool) -> Iterator[Data]:
    """The outcomes of lines, a fault being one too. `vouched`: for all programs that are in force before them."""
    known = lines[0]["n"] - 1 if lines and vouched else None
    entries = [payload_of(line, None, "", audit, known) for line in lines]
    at_once = len(entries)
    while entries:
        try:
            outcomes = runtime.call("batch", {"entries": entries[:at_once]})
        except Fault as fault:
            broken = {"fault": {"rule": fault.rule, "line": fault.line, "message": fault.message}}
            outcomes = [*fault.results, broken]
        except Incident as incident:
            outcomes = incident.results
            if at_once == 1:
                raise JournalError(
                    f"entry {lines[-len(entries)]['n']}: {incident}. Try it on a faster machine"
                ) from None
            at_once = 1  # the guard is that of one entry: go on one by one
        yield from outcomes
        entries = entries[len(outcomes) :]


def in_words(outcome: Data) -> str:
    """An outcome in a few words, for a message."""
    if "fault" in outcome:
        return f"rule {outcome['fault']['rule']} breaks: {outcome['fault']['message']}"
    if "refused" in outcome:
        return f"it is refused: {outcome['refused']}"
    shown = json.dumps(outcome["facts"], ensure_ascii=False)
    return shown if len(shown) <= 300 else shown[:300] + "..."

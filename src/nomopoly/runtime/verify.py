"""Verifies a journal: that no line was altered, and that everything in it follows from the rules and the dice.

Chain and order of the lines, the hash of every outcome against what the rules make of the entry, strikes, and the dice
against each secret that is revealed. What ran into a limit of time or memory is taken as given.

A copy for one viewer (see `sealing`) is checked as far as it shows anything: its chain, every part shown against the
commitment in the chain, and the rules as long as nothing that they need is withheld.

A stranger's journal carries programs: they run in the sandbox unless each of them is that of a shipped edition.
"""

from __future__ import annotations

import contextlib
import gc
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomopoly.runtime import sealing
from nomopoly.runtime.corrections import state_difference, strike_fact
from nomopoly.runtime.entropy import commitment, entropy, entropy_of, first_draws
from nomopoly.runtime.fold import Fold
from nomopoly.runtime.interpreters import Fault, make_runtime
from nomopoly.runtime.interpreters.text import named, older_kernels
from nomopoly.runtime.journal import FIRST_HASH, JournalError, Line, is_whole, moment_of, read_file, unaltered
from nomopoly.runtime.outcomes import out_hash
from nomopoly.runtime.replay import counts, redrawn_by, struck_numbers
from nomopoly.runtime.shape import KINDS
from nomopoly.runtime.trust import trusted

Data = dict[str, Any]

NO_GAME = "this journal does not begin with an open entry: it holds no game"
BATCH = 40  # a call has its limit of time, whatever the number of entries
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
    waiting: int  # entries whose dice wait for the reveal of their secret
    carried_out: int  # entries that the rules have carried out again
    withheld: int  # entries of which this copy shows nothing
    unproven: int  # entries shown without what would prove them (see `sealing.unproven`)
    shown: int  # lines as a copy for one viewer has them

    @property
    def whole(self) -> bool:
        """Whether it is the journal itself, and not a copy for one viewer."""
        return not self.shown


class JournalFile:
    """The lines of an exported journal, as often as one wants to read them."""

    def __init__(self, path: Path | str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Line]:
        return read_file(self.path)


def verify(lines: Iterable[Line], runtime: str | None = None) -> Verified:
    """Check a whole journal. Raises Differs with the first entry that differs, JournalError where it cannot be read.

    `runtime` None: cpython if every program in the journal is a shipped one, else the sandbox. What this version's
    kernel does not make of it may be what an older one made, which is kept beside it: then `Verified.runtime` names
    that one.
    """
    lines = list(lines) if isinstance(lines, Iterator) else lines
    try:
        return verified_with("", lines, runtime)
    except Differs:
        for kernel in older_kernels():
            with contextlib.suppress(Differs):
                return verified_with(kernel, lines, runtime)
        raise


def verified_with(kernel: str, lines: Iterable[Line], runtime: str | None = None) -> Verified:
    """The same with one kernel alone ("": this version's)."""
    verifier = Verifier(lines, runtime, kernel)
    try:
        with without_collector():
            for line, content in checked(lines):
                verifier.take(line, content)
            return verifier.finish()
    finally:
        verifier.close()


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Carry out entries without looking for garbage that goes in circles: they make none, and to look takes time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# ---- the lines themselves


def chained(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each checked to be unaltered and to follow the one before."""
    return (line for line, _ in checked(lines))


def checked(lines: Iterable[Line]) -> Iterator[tuple[Line, bytes]]:
    """The same, each with what `sealing.content_of` says of it, if it is sealed like this."""
    n, prev, at = -1, FIRST_HASH, -(2**62)
    try:
        for line in lines:
            n += 1
            at, content = check_line(line, n, prev, at)
            prev = line["hash"]
            yield line, content
    except Differs:
        raise
    except JournalError as error:
        raise Differs(None, f"cut off or damaged after entry {n}: {error}" if n >= 0 else str(error)) from error


def check_line(line: Line, n: int, prev: str, at: int) -> tuple[int, bytes]:
    """One line against its place in the chain. Returns its moment, or that of the line before if it shows none, and
    what `sealing.content_of` says of it, if it is a whole line sealed like this.

    Raises Differs.
    """
    if line["n"] != n:
        raise Differs(n, f"out of order: in its place stands entry {line['n']}")
    whole = is_whole(line)
    problem, content = altered(line, whole)
    if problem:
        raise Differs(n, problem)
    if line["prev"] != prev:
        raise Differs(n, "it does not follow the entry before: lines were altered, left out or put in another order")
    entry = line if whole else sealing.shown_entry(line)
    if entry is None:
        return at, content
    if entry["kind"] not in KINDS or (entry["kind"] == "open") != (n == 0):
        raise Differs(n, f"an entry of the kind '{entry['kind']}' cannot stand here")
    moment = moment_of(entry["at"])
    if moment < at:
        raise Differs(n, f"its moment {entry['at']} is earlier than that of the entry before")
    return moment, content


def altered(line: Line, whole: bool) -> tuple[str, bytes]:
    """What is wrong with a line by itself, "" if nothing is; and its content, see `check_line`."""
    try:
        if not whole:
            return sealing.shown_right(line), b""
        if "salt" in line:
            content = sealing.sealed_right(line)
            return "" if content else sealing.ALTERED, content
        return "" if unaltered(line) else sealing.ALTERED, b""
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        return sealing.ALTERED, b""


# ---- what follows from them


Roll = tuple[int, bytes, str]  # an entry, what it is (nothing under the older recipe), its draws or its entropy


class Unfollowed(Exception):
    """The rules cannot be followed any further: they need something that a copy withholds."""


class Verifier:
    """Computes a game again, line by line, and compares."""

    def __init__(self, lines: Iterable[Line], runtime: str | None, kernel: str = "") -> None:
        self.lines = lines
        self.kernel = kernel
        self.asked_for = runtime
        self._fold: Fold | None = None
        self.n = -1
        self.last_hash = FIRST_HASH
        self.waiting: list[Line] = []
        self.broken: set[int] = set()
        self.snapshots: dict[int, tuple[Data, Line]] = {}
        self.every = SNAPSHOT_EVERY
        self.rolled: list[Roll] = []  # since the last commitment
        self.unseen: list[Roll] = []  # hidden draws since the last commitment to their secret
        self.promised = self.promised_hidden = ""
        self.former: dict[str, list[Roll]] = {}  # rolls from secrets that are not known yet, by commitment
        self.revealed = self.limits = self.carried_out = self.withheld = self.unproven = self.shown = 0
        self.redrawn: dict[int, Data] = {}
        self.following: bool = True  # whether the rules can still be followed
        self.gap = False  # whether a copy has withheld something that the rules may need

    @property
    def fold(self) -> Fold:
        """What the lines have come to. Raises Differs if the game has not been opened."""
        if self._fold is None:
            raise Differs(None, NO_GAME)
        return self._fold

    def take(self, line: Line, content: bytes = b"") -> None:
        """One more line, whose place in the chain has been checked; `content`: see `check_line`."""
        if is_whole(line):
            self.follow(line, content)
        else:
            self.take_shown(line)
        self.n, self.last_hash = line["n"], line["hash"]

    def take_shown(self, line: Line) -> None:
        """One more line of a copy: what it shows is followed, until the rules would need what it withholds."""
        whole = sealing.line_of(line)
        self.shown += 1
        self.withheld += bool(line.get("withheld"))
        self.unproven += sealing.unproven(line)
        if not self.following or (sealing.unproven(line) and line["n"]):
            self.gap = True
            if whole is not None:
                self.note_rolls(whole)
                if whole["kind"] == "reveal":
                    self.reveal(whole)
            return
        try:
            if whole is None:
                self.catch_up()
                self.gap = True
            else:
                self.follow(whole)
        except Unfollowed:
            self.following, self.waiting = False, []

    def follow(self, line: Line, content: bytes = b"") -> None:
        """One more line that the rules carry out again; `content`: see `check_line`."""
        kind = line["kind"]
        if kind == "open":
            self.open(line)
        else:
            self.watch_over(line)
        if kind == "strike":
            self.catch_up()
            self.strike(line)
            self.fold.advance(line)
        elif line.get("limit"):
            self.catch_up()
            self.limits += 1
            self.broken.add(line["n"])
            self.fold.advance(line)
        elif kind != "open":
            self.waiting.append(line)
        self.note_rolls(line, content)
        if kind == "reveal":
            self.reveal(line)
        if len(self.waiting) >= BATCH:
            self.catch_up()

    def watch_over(self, line: Line) -> None:
        """Where the first program comes that is not a shipped one, go on in the sandbox, and look for foul play."""
        if self.fold.trusted and not trusted(line):
            self.catch_up()
            self.fold.trusted = False
            if self.asked_for is None:
                self.fold.move(make_runtime(named("monty", self.kernel)))

    def open(self, line: Line) -> None:
        """The first entry: the game begins."""
        try:
            self.promised = line["args"]["commitment"]
            self.promised_hidden = line["args"].get("hidden_commitment", "")
            runtime = self.asked_for or ("cpython-watched" if trusted(line) else "monty")
            self._fold = Fold(line, make_runtime(named(runtime, self.kernel)))
            outcome = self.fold.open()
        except (KeyError, TypeError, Fault) as error:
            raise Differs(0, f"the game does not open: {error}") from error
        self.compare(line, outcome)
        self.keep_snapshot(line)

    def catch_up(self) -> None:
        """Carry out the lines that wait, and compare their outcomes."""
        done, self.waiting = self.waiting, []
        if not done:
            return
        for line, outcome in zip(done, self.fold.take_many(done), strict=True):
            if "shown" in line and outcome.get("refused") == "rolls":
                self.gap = True  # it drew what is hidden from this viewer
                continue
            self.compare(line, outcome)
            if "fault" in outcome:
                self.broken.add(line["n"])
        if done[-1]["n"] // self.every > done[0]["n"] // self.every - (done[0]["n"] % self.every == 0):
            self.keep_snapshot(done[-1])

    def compare(self, line: Line, outcome: Data) -> None:
        """The recorded outcome against the computed one. Raises Differs, or Unfollowed where something was withheld."""
        if "shown" in line:
            if not sealing.as_shown(line, outcome):
                if self.gap:
                    raise Unfollowed
                raise Differs(line["n"], f"it shows another outcome than the rules make of it: {in_words(outcome)}")
        else:
            computed = out_hash(line, outcome)
            if computed != line["out"]:
                both = f"recorded {line['out']}, computed {computed} ({in_words(outcome)})"
                raise Differs(line["n"], f"its outcome is not what the rules make of it: {both}")
        self.carried_out += 1

    def keep_snapshot(self, line: Line) -> None:
        """Keep what it has come to after a line; of too many, every other one is let go."""
        self.snapshots[line["n"]] = (self.fold.snapshot(), line)
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
        fold = self.fold
        strikes, trusted_so_far, vouched_so_far = fold.strikes, fold.trusted, fold.vouched
        before, struck, once_refused = struck_numbers(strikes), fold.state(), set(fold.refused)
        if isinstance(target, bool) or not isinstance(target, int) or not 1 <= target < line["n"] or target in before:
            raise Differs(line["n"], f"entry {target!r} cannot be struck here")
        strikes = [*strikes, (line["n"], target)]
        now_struck = struck_numbers(strikes)
        start = min(before ^ now_struck)
        self.snapshots = {n: state for n, state in self.snapshots.items() if n < start}
        base = max(self.snapshots)
        fold.restore(*self.snapshots[base])
        fold.strikes, fold.trusted, fold.vouched = strikes, trusted_so_far, vouched_so_far
        refused = {n for n in once_refused if n <= base}
        broken = {n for n in self.broken if n <= base}
        self.redrawn = redrawn_by([*self.between(base, line["n"]), line])
        for batch in batches(self.between(base, line["n"])):
            wanted = [old for old in batch if counts(old, now_struck, broken, refused) and "refused" not in old]
            for old, outcome in zip(wanted, fold.take_many(wanted, self.redrawn), strict=True):
                if "refused" in outcome:
                    refused.add(old["n"])
                if "fault" in outcome:
                    broken.add(old["n"])
        told: Data = {
            "changes": state_difference(struck, fold.state()),
            "refused": sorted(refused - once_refused),
        }
        fold.refused, self.broken = sorted(refused), broken
        outcome = {"facts": [strike_fact(target, because, told)], "changes": told["changes"]}
        self.compare(line, {**outcome, "veiled": fold.runtime.call("veiled", {"changes": told["changes"]})})

    def between(self, after: int, before: int) -> Iterator[Line]:
        """The lines between two entries; of a copy those that show what was ordered."""
        for line in self.lines:
            if line["n"] >= before:
                return
            whole = line if is_whole(line) else sealing.line_of(line)
            if line["n"] > after and whole is not None:
                yield whole

    # ---- dice

    def note_rolls(self, line: Line, content: bytes = b"") -> None:
        """Remember the dice of a line, until the secret that they come from is revealed; `content`: see
        `check_line`."""
        if line.get("entropy") is not None:
            self.rolled.append((line["n"], b"", line["entropy"]))
        if line.get("drawn"):
            self.rolled.append((line["n"], content or sealing.content_of(line, line["prev"]), line["drawn"]))
        if line.get("hidden"):
            self.unseen.append((line["n"], content or sealing.content_of(line, line["prev"]), line["hidden"]))

    def reveal(self, line: Line) -> None:
        """Check the dice since the last commitments against the secrets that are published."""
        try:
            args = line["args"]
            secret, following = args["secret"], args["commitment"]
            if secret is None:  # the game has moved to where its secret is not known
                self.former[self.promised] = self.rolled
            else:
                self.check_rolls(line["n"], secret, self.promised, self.rolled)
            self.rolled, self.promised = [], following
            if "hidden_commitment" in args:
                if args["hidden"] is not None:
                    self.check_rolls(line["n"], args["hidden"], self.promised_hidden, self.unseen)
                self.unseen, self.promised_hidden = [], args["hidden_commitment"]
            for earlier in args.get("earlier", ()):
                promised = commitment(earlier)
                self.check_rolls(line["n"], earlier, promised, self.former.pop(promised, []))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Differs(line["n"], "a reveal must publish a secret and the next commitment") from None

    def check_rolls(self, n: int, secret: str, promised: str, rolled: list[Roll]) -> None:
        """The dice of some lines against the secret that they must come from, published in entry `n`."""
        if commitment(secret) != promised:
            raise Differs(n, "the secret it reveals is not the one that the game committed itself to")
        for at, content, found in rolled:
            if content:
                honest = first_draws(entropy_of(secret, content), len(found) // 8) == found
            else:
                honest = found == entropy(secret, self.fold.first["args"]["id"], at)
            if not honest:
                if self.following:
                    self.catch_up()
                raise Differs(at, "its dice do not come from the secret that was committed to")
        self.revealed += len(rolled)

    def finish(self) -> Verified:
        """The end of the journal."""
        if self.n < 0:
            raise Differs(None, NO_GAME)
        if self.following:
            try:
                self.catch_up()
            except Unfollowed:
                self.following = False
        state = self.fold.state()
        rolled = {n for rolls in (self.rolled, self.unseen, *self.former.values()) for n, _, _ in rolls}
        return Verified(
            self.n + 1,
            self.fold.runtime.name,
            self.last_hash,
            state,
            self.revealed,
            self.limits,
            len(rolled),
            self.carried_out,
            self.withheld,
            self.unproven,
            self.shown,
        )

    def close(self) -> None:
        """Give the runtime back."""
        if self._fold is not None:
            self._fold.runtime.close()


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Lines in lists of BATCH; one that followed from a fault begins a new list, since it depends on the one before."""
    batch: list[Line] = []
    for line in lines:
        if ("after" in line or "limit" in line) and batch:
            yield batch
            batch = []
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def in_words(outcome: Data) -> str:
    """An outcome in a few words, for a message."""
    if "fault" in outcome:
        return f"rule {outcome['fault']['rule']} breaks: {outcome['fault']['message']}"
    if "refused" in outcome:
        return f"it is refused: {outcome['refused']}"
    shown = json.dumps(outcome["facts"], ensure_ascii=False)
    return shown if len(shown) <= 300 else shown[:300] + "..."

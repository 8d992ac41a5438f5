"""A journal computed again: which of its lines count, with which dice, and what comes of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from nomopoly.runtime import sealing
from nomopoly.runtime.entropy import DRAWS_A_BLOCK, Late, derived, entropy, entropy_of, first_draws
from nomopoly.runtime.fold import Fold, recorded_dice
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.journal import Journal, JournalError, Line
from nomopoly.runtime.outcomes import MemoryOutcomes, OutcomeStore

Data = dict[str, Any]
HIDDEN_DRAWS = "hidden draws"  # what the second secret is derived from the vault for
ENDLESS = 2**62  # a number that no entry has


def first_line(journal: Journal) -> Line:
    """The `open` entry of a journal. Raises JournalError if there is none."""
    line = next(iter(journal.lines()), None)
    if line is None or line["kind"] != "open":
        raise JournalError("this journal does not begin with an open entry: it holds no game")
    return line


def struck_numbers(strikes: list[tuple[int, int]]) -> set[int]:
    """Which entries are struck, given (entry, struck entry) pairs in order; a struck strike strikes nothing."""
    struck: set[int] = set()
    for n, target in reversed(strikes):
        if n not in struck:
            struck.add(target)
    return struck


def redrawn_by(lines: Iterable[Line]) -> dict[int, Data]:
    """What entries drew when they were computed again after strikes: {n: {"drawn", "hidden"}}, hex text each."""
    found: dict[int, Data] = {}
    for line in lines:
        for part, name in (("redrawn", "drawn"), ("redrawn_hidden", "hidden")):
            for n, words in line.get(part, {}).items():
                kept = found.setdefault(int(n), {})
                kept[name] = max(kept.get(name, ""), words, key=len)
    return found


def counts(line: Line, struck: set[int], broken: set[int], refused: Collection[int]) -> bool:
    """Whether a line is carried out when a game is computed without some entries; adds it to `broken` if it hit a
    limit.

    What followed from a fault (the pause) does so only if that entry still breaks. One that hit a limit does, unless
    the entry that made its rule what it was is struck, or refused now.
    """
    if line["n"] in struck or line["kind"] == "strike":
        return False
    if "limit" in line:
        since = line.get("limit_since") or 0
        if since not in struck and since not in refused:
            broken.add(line["n"])
        return False
    return "after" not in line or line["after"] in broken


def dice_of(content: bytes, secret: str | None, hidden: str | None, late: bool = False) -> Data:
    """The dice of an entry that is `content`: the entropy of its two streams, as far as the secrets are known, and the
    first open draws. `late`: the hidden one, which most entries do not draw from, as `entropy.Late`."""
    make: Any = Late if late else entropy_of
    found = entropy_of(secret, content) if secret is not None else None
    return {
        "entropy": found,
        "drawn": first_draws(found, DRAWS_A_BLOCK) if found is not None else None,
        "hidden_entropy": make(hidden, content) if hidden is not None else None,
        "hidden": "",
    }


def note_draws(line: Line, drawn: Data, dice: Data) -> None:
    """Write into a new line what its entry has drawn, and what a refusal or fault showed of it; not under the older
    recipe, whose lines hold their entropy."""
    if ("refused" in drawn or "facts" not in drawn) and drawn.get("dice"):
        line["dice"] = drawn["dice"]
    if "salt" not in line:
        return
    count = drawn.get("drawn", 0)
    if count and dice["entropy"]:
        line["drawn"] = dice["drawn"][: 8 * count] if count <= DRAWS_A_BLOCK else first_draws(dice["entropy"], count)
    if drawn.get("hidden") and dice["hidden_entropy"]:
        line["hidden"] = first_draws(dice["hidden_entropy"], drawn["hidden"])
        line["until"] = "the game is over"


class DiceAgain:
    """The entropy of entries that are computed again: they may draw more than they did when they were made."""

    def __init__(self, first: Line, lines: list[Line], secret: str | None, hidden: str | None) -> None:
        self._id = first["args"]["id"]
        reveals = [line for line in lines if line["kind"] == "reveal"]
        self._open = [(line["n"], line["args"]["secret"]) for line in reveals] + [(ENDLESS, secret)]
        self._hidden = [(line["n"], line["args"]["hidden"]) for line in reveals if "hidden" in line["args"]]
        self._hidden.append((ENDLESS, hidden))

    @staticmethod
    def _then(secrets: list[tuple[int, str | None]], n: int) -> str | None:
        """The secret from which an entry's dice came."""
        return next(secret for until, secret in secrets if n <= until)

    def of(self, line: Line) -> Data:
        """The entropy of a line, as far as its secrets are known."""
        secret = self._then(self._open, line["n"])
        if "salt" in line:
            found = dice_of(sealing.content_of(line, line["prev"]), secret, self._then(self._hidden, line["n"]))
            return {name: found[name] for name in ("entropy", "hidden_entropy")}
        if "entropy" in line or secret is None:
            return {}
        return {"entropy": entropy(secret, self._id, line["n"])}

    def note(self, redrawn: Data, line: Line, outcome: Data, recorded: Data) -> None:
        """Add to what a strike's line will say what an entry has drawn beyond what the journal holds."""
        if "salt" not in line:
            return
        dice = self.of(line)
        for part, name, source in (("redrawn", "drawn", "entropy"), ("redrawn_hidden", "hidden", "hidden_entropy")):
            count = outcome.get(name, 0)
            if 8 * count > len(recorded[name]) and dice[source] is not None:
                redrawn.setdefault(part, {})[str(line["n"])] = first_draws(dice[source], count)


def hidden_secret_of(vault: str | None) -> str | None:
    """The second secret of a game: of draws that are hidden from somebody. Not there where the vault is not."""
    return derived(vault, HIDDEN_DRAWS) if vault is not None else None


def run_through(
    fold: Fold,
    lines: list[Line],
    outcomes: OutcomeStore,
    *,
    strikes: list[tuple[int, int]] | None = None,
    secrets: tuple[str | None, str | None] = (None, None),
    known: OutcomeStore | None = None,
    watch: Callable[[Line], None] | None = None,
) -> None:
    """Bring a fold that stands at its opening to the end of some lines, and keep what comes of each.

    `strikes` stands in for the lines' own: then entries may draw more than they did, from `secrets` (the open and the
    hidden one); what they draw is in the fold's `redrawn`. `known`: outcomes that say where entries broke, which takes
    longer to find than all the rest. `watch` is called before each line.
    """
    fold.strikes = [(line["n"], line["args"]["entry"]) for line in lines if line["kind"] == "strike"]
    struck = struck_numbers(fold.strikes if strikes is None else strikes)
    dice = DiceAgain(fold.first, lines, *secrets) if strikes is not None else None
    redrawn = redrawn_by(lines)
    broken: set[int] = set()
    for line in lines:
        if watch is not None:
            watch(line)
        if "refused" in line and struck and line["n"] > min(struck):
            outcomes.put(line["n"], fold.as_private(line, {"refused": "refused when it was made", "rule": ""}))
            fold.advance(line)
        elif counts(line, struck, broken, fold.refused):
            recorded = recorded_dice(line, redrawn)
            outcome = fold.take(line, {**recorded, **dice.of(line)} if dice is not None else recorded, known)
            if dice is not None:
                dice.note(fold.redrawn, line, outcome, recorded)
            if "fault" in outcome:
                broken.add(line["n"])
            if "refused" in outcome and "refused" not in line:
                fold.refused.append(line["n"])
                outcome = fold.as_private(line, outcome)
            outcomes.put(line["n"], fold.with_sentences(outcome))
        else:
            fold.advance(line)


def folded(journal: Journal, runtime: str, outcomes: OutcomeStore | None = None, **how: Any) -> Fold:
    """What a whole journal comes to, in a new interpreter of this name; `how`: see `run_through`."""
    kept = MemoryOutcomes() if outcomes is None else outcomes
    fold = Fold(first_line(journal), make_runtime(runtime))
    kept.put(0, fold.open())
    run_through(fold, list(journal.lines(1)), kept, **how)
    return fold

"""Strikes and secrets: an entry that showed what nobody knew cannot be struck while what was drawn stands."""

from __future__ import annotations

from typing import Any

from nomopoly.runtime.fold import Fold
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.journal import Line
from nomopoly.runtime.outcomes import MemoryOutcomes, OutcomeStore
from nomopoly.runtime.replay import run_through

Data = dict[str, Any]
PLAYERS_DO_NOT = {"admin"}  # who may see what no player may


def shown_before(
    fold: Fold, again: Fold, lines: list[Line], outcomes: OutcomeStore, kept: MemoryOutcomes
) -> tuple[int, int] | None:
    """Which entry has shown what a strike would hide again, and which entry drew it; None if there is none.

    A secret is a value that no player sees and that an entry drew. `fold` is the game as it is, with its `outcomes`;
    `again` the game as it would be, with what it `kept`. What earlier strikes took away has been shown, too.
    """
    drawn = drawn_secrets(again, hidden_again(fold, again), kept)
    if not drawn:
        return None
    facts = {n: outcome.get("facts", ()) for n, outcome in kept.get(1)}
    for shown in (outcomes, *earlier_outcomes(fold, lines)):
        for n, outcome in shown.get(1):
            if outcome.get("facts", ()) != facts.get(n, ()):
                for drew, secret in drawn:
                    if n > drew and shows(outcome.get("facts", ()), secret):
                        return n, drew
    return None


def hidden_again(fold: Fold, again: Fold) -> list[list[Any]]:
    """[thing, attribute, None, value] of what no player would see, and what the game as it is does not hold."""
    held = {id: values for id, _, values in fold.state()["things"]}
    found = [
        [id, name, None, value]
        for id, _, values in again.state()["things"]
        for name, value in values.items()
        if held.get(id, {}).get(name) != value
    ]
    veiled = again.runtime.call("veiled", {"changes": found})
    return [found[place] for place, viewers in veiled if PLAYERS_DO_NOT.issuperset(viewers)]


def drawn_secrets(again: Fold, secrets: list[list[Any]], kept: MemoryOutcomes) -> list[tuple[int, list[Any]]]:
    """Of these values those that an entry drew: (its number, the words, numbers and things that the value is made of).

    What the facts of that entry name is no secret. Games of the older recipe do not say which draws are hidden.
    """
    wanted = {(id, name): leaves(value) for id, name, _, value in secrets}
    made: dict[tuple[str, str], tuple[int, bool]] = {}
    for n, outcome in kept.get(1) if wanted else ():
        draws = outcome.get("hidden", 0) if "salt" in again.first else outcome.get("drawn") is not None
        for id, name, _, after in outcome.get("changes", ()):
            secret = leaves(after)
            if secret and secret == wanted.get((id, name)):
                made[(id, name)] = (n, bool(draws) and not shows(outcome["facts"], secret))
    return [(n, wanted[of]) for of, (n, is_secret) in made.items() if is_secret]


def earlier_outcomes(fold: Fold, lines: list[Line]) -> list[MemoryOutcomes]:
    """What came of the entries before each strike, the last first: players saw it then."""
    found = []
    for place in reversed(range(len(fold.strikes))):
        seen = MemoryOutcomes()
        past = Fold(fold.first, make_runtime(fold.runtime.name))
        past.open()
        until = fold.strikes[place][0]
        run_through(past, [line for line in lines if line["n"] < until], seen)
        past.runtime.close()
        found.append(seen)
    return found


def shows(facts: Any, secret: list[Any]) -> bool:
    """Whether facts name all that a secret is made of, in a field or as a word of a sentence."""
    parts = [
        part for fact in facts for name in fact if name not in ("what", "event", "rule") for part in leaves(fact[name])
    ]
    words = {word.strip(".,;:()") for part in parts if type(part) is str for word in part.split()}
    return not [part for part in secret if part not in parts and part not in words]


def leaves(value: Any) -> list[Any]:
    """The words, numbers and ids in a value, as facts, changes and states have them; nothing, True and False say
    nothing."""
    if isinstance(value, dict):
        return leaves(value.get("thing", value.get("tuple")))
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None or isinstance(value, bool) else [value]

"""What holds of a name that no rule declares any more: a rulebook says it, so that rules can go that others lean on.

`absent("player", 0, "debts")` in any rule: where no rule gives players debts, they read as 0 and nothing is written.
"""

from typing import Any

from nomopoly.kernel.things import immutable
from nomopoly.kernel.world import declaring, world


def absent(of: str, otherwise: Any, *names: str) -> None:
    """Say what names stand for as long as no rule declares them: `absent("value", 0, "toll", "fine")`.

    `of`: "event" (it does not happen, and `do` returns `otherwise`; `can_happen` says False), "value" or "word"
    (`otherwise` is what it says), "kind" (what there is of it stays, nothing of it can be made, and ids begin with
    `otherwise`), or a kind of thing (its attributes of these names read `otherwise`, and what is put there is lost;
    `traits` does not name them).
    """
    program = declaring()
    if type(of) is not str or [each for each in names if type(each) is not str]:
        raise ValueError('absent("value", 0, "toll") says of what sort it is, what holds, and the names')
    if not immutable(otherwise):
        raise ValueError(
            f"what holds of {names[:1]} where no rule declares it is a number, a word, yes/no, a tuple or None"
        )
    program.absent.append((of, otherwise, names))


def silent(otherwise: Any) -> Any:
    """A word that nobody lends: it says `otherwise`, whatever it is asked."""

    def word(*of: Any, **more: Any) -> Any:
        return otherwise

    return word


def note_absences(index: Any, programs: Any) -> None:
    """Enter into an index what holds of the names that it lacks; of several rules that say it the first in order."""
    by_part = index.declarers
    known = {"event": by_part["events"], "value": by_part["values"], "word": by_part["words"], "kind": index.kinds}
    for program in programs:
        for of, otherwise, names in program.absent:
            own = known.get(of, index.attributes.get(of, {}))
            kept = index.absent.setdefault(of, {})
            for name in names:
                if name not in own and name not in kept:
                    kept[name] = otherwise


def is_absent(of: str, name: str) -> bool:
    """Whether no rule declares a name, and the rules say what holds then."""
    return name in world.index.absent.get(of, {})

"""What a host looks for after an entry in which programs have run that nobody vouches for: traces past the verbs.

Sandbox dialect; read into the interpreter after the kernel.
"""

from typing import Any

from nomopoly.kernel.budgets import MOST_CHANGED, MOST_TOLD
from nomopoly.kernel.game import EXTRA_WORDS, GUARDS
from nomopoly.kernel.orders import net_changes
from nomopoly.kernel.sorts import unfit_for_log
from nomopoly.kernel.things import declared, same
from nomopoly.kernel.world import world

LAST_CHANGE = [0]  # the last entry that changed the rulebook, as far as this runtime has seen


def audit() -> Any:
    """The first attribute whose object differs from the store, as (id, name), or None."""
    w = world
    defaults: Any = {}
    for id, member in w.things.items():
        kind = member.kind
        if kind not in defaults:
            defaults[kind] = [(name, attribute.default) for name, attribute in declared(kind).items()]
        values = w.store[id]
        absent = w.index.absent.get(kind, {})
        for name in absent:
            if not same(getattr(member, name), absent[name]):
                return (id, name)
        if member.id != id or w.kinds.get(kind, {}).get(id) is not member:
            return (id, "id" if member.id != id else "kind")
        for name, default in defaults[kind]:
            present = getattr(member, name)
            kept = values.get(name, default)
            if present is not kept and not same(present, kept):
                return (id, name)
    return None


def weigh(data: Any) -> int:
    """About how long data is as text. Raises ValueError if anything in it is not plain, or a number without bounds."""
    sort = type(data)
    if sort is dict:
        return sum([weigh(key) + weigh(data[key]) for key in data])
    if sort is list:
        return sum([weigh(part) for part in data]) + 2
    if sort is str:
        return len(data) + 2
    if data is None or sort is bool or (sort is int and -(10**40) < data < 10**40):
        return 5
    raise ValueError("a fact holds whole numbers, words, yes/no, things and tuples of these")


def look_at_facts() -> None:
    """Raise ValueError if the fields of an event have put something into a fact that pages read as something else."""
    for fact in world.facts:
        for name in ("what", "event", "rule", "depth", "only", "say"):
            reason = unfit_for_log(name, fact[name]) if name in fact else ""
            if reason:
                world.rule = fact["rule"] if type(fact["rule"]) is str else ""
                raise ValueError(reason)
        if fact["what"] == "told" and unfit_for_log("text", fact.get("text")):
            raise ValueError(unfit_for_log("text", fact.get("text")))


def search(entry: Any, refused: bool) -> None:
    """Raise ValueError if anything was written past the verbs, a refusal was caught, or far too much is told.

    The host vouches for the programs that were in force after the entry `vouched`, so that writes are not looked for.
    """
    w = world
    if w.entry.old_records is not None:
        LAST_CHANGE[0] = entry["n"]
    known = entry.get("vouched")
    sure = known is not None and LAST_CHANGE[0] <= known and not w.entry.ran
    broken = None if sure else audit()
    if broken is not None:
        if w.reached and w.culprit is None:
            w.culprit = w.reached[-1]
        raise ValueError(f"{broken[1]} of {broken[0]} was written past the verbs: use put")
    if not refused and w.refusal is not None:
        raise ValueError("a refusal was caught by a rule")
    if not refused:
        look_at_facts()
    if not refused and (weigh(w.facts) > 2 * MOST_TOLD or weigh(net_changes(w.undo)) > 2 * MOST_CHANGED):
        raise ValueError("too much happens at once: this entry has no end of facts or changes")


def probe(line: int) -> None:
    """Note that a line of a rule is reached: a runtime that looks for the place of a fault puts probes into the
    code."""
    w = world
    if w.seeks and w.culprit is None and w.reached and audit() is not None:
        w.culprit = w.reached[-1]
    if len(w.reached) > 1000:
        w.reached = w.reached[500:]
    w.reached.append((w.rule, line))


GUARDS.append(search)
EXTRA_WORDS["probe"] = probe

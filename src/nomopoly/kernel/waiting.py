"""Which orders wait: rules keep and sort them as they like, but carry out only what somebody has ordered.

What is kept here stands in a snapshot beside the hashed state: it follows from the journal, and of the orders
themselves it holds no more than their hashes.
"""

import hashlib
import json
from typing import Any

from nomopoly.kernel.things import Thing, declared
from nomopoly.kernel.world import world

MOST_TRIED_AGAIN = 100  # orders of one player that were refused and may be tried again
NOBODY = (
    "nobody has ordered this: carry_out takes an order that waits, as the event order-waits had it, and takes it once"
)


def digest_of(order: str, args: Any) -> str:
    """The hash of an order."""
    return hashlib.sha256(json.dumps([order, args], sort_keys=True).encode()).hexdigest()


def restore_waiting(n: int, before: Any) -> None:
    """Undo a change of what waits."""
    if before is None:
        world.waiting.pop(n, None)
    else:
        world.waiting[n] = before


def change_waiting(n: int, waits: Any) -> None:
    """Let the order of an entry wait, as (id of who gave it, hash, whether it was refused before), or no longer: None."""
    world.undo.append((restore_waiting, n, world.waiting.get(n)))
    restore_waiting(n, waits)


def let_wait(who: Any, order: str, args: Any) -> None:
    """Take note of the order of this entry."""
    change_waiting(world.n, (who.id, digest_of(order, args), False))


def waiting_entry(who: Any, order: Any, args: Any) -> int:
    """The number of the entry of an order that waits. Raises ValueError if there is none."""
    try:
        wanted = digest_of(order, json.loads(args)) if type(order) is str and type(args) is str else ""
    except ValueError:  # no JSON
        wanted = ""
    if type(who) is Thing:
        for n in sorted(world.waiting):
            if world.waiting[n][:2] == (who.id, wanted):
                return n
    raise ValueError(NOBODY)


def note_refusal(n: int) -> None:
    """An order was refused as it was carried out: it may be tried again, unless too many others may."""
    who, order, _ = world.waiting[n]
    change_waiting(n, (who, order, True))
    tried = [each for each in sorted(world.waiting) if world.waiting[each][0] == who and world.waiting[each][2]]
    if len(tried) > MOST_TRIED_AGAIN:
        change_waiting(tried[0], None)


def take_back(who: Any, order: Any) -> None:
    """A player has taken an order back: `order` is the id of the thing that rules keep it as, `order-<entry>`."""
    number = order.removeprefix("order-") if type(order) is str else ""
    if number.isdecimal() and len(number) < 20 and world.waiting.get(int(number), ("",))[0] == who.id:
        change_waiting(int(number), None)


def forget_waiting(who: Any) -> None:
    """A player leaves, and nothing of theirs waits any longer."""
    for n in [each for each in world.waiting if world.waiting[each][0] == who.id]:
        change_waiting(n, None)


def use_waiting(data: Any) -> None:
    """Take up what waits from a snapshot: [[entry, who, hash, refused before]].

    None: it is older, or shows what one player knows. Then the things that rules keep as orders are those that wait.
    """
    w = world
    w.waiting = {}
    for n, who, order, tried in data or ():
        w.waiting[n] = (who, order, tried)
    kept = w.kinds.get("order", {}) if data is None else {}
    for order in kept.values():
        if [name for name in ("entry", "owner", "what", "args") if name not in declared("order")]:
            return
        if type(order.owner) is Thing and type(order.entry) is int and type(order.args) is str:
            try:
                w.waiting[order.entry] = (order.owner.id, digest_of(order.what, json.loads(order.args)), False)
            except ValueError:  # no JSON: not what the event order-waits has
                continue

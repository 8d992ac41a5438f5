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


def restore_waiting(who: str, n: int, before: Any) -> None:
    """Undo a change of what waits."""
    mine = world.waiting.setdefault(who, {})
    if before is None:
        mine.pop(n, None)
    else:
        mine[n] = before


def change_waiting(who: str, n: int, waits: Any) -> None:
    """Let the order of an entry wait, as (hash, whether it was refused before), or no longer: None. `who` gave it."""
    world.undo.append((restore_waiting, who, n, world.waiting.get(who, {}).get(n)))
    restore_waiting(who, n, waits)


def let_wait(who: Any, order: str, args: Any) -> None:
    """Take note of the order of this entry."""
    change_waiting(who.id, world.n, (digest_of(order, args), False))


def waiting_entry(who: Any, order: Any, args: Any) -> int:
    """The number of the entry of an order that waits. Raises ValueError if there is none."""
    try:
        wanted = digest_of(order, json.loads(args)) if type(order) is str and type(args) is str else ""
    except ValueError:  # no JSON
        wanted = ""
    if type(who) is Thing:
        mine = world.waiting.get(who.id, {})
        same = [n for n in mine if mine[n][0] == wanted]
        if same:
            return min(same)
    raise ValueError(NOBODY)


def note_refusal(who: str, n: int) -> None:
    """An order was refused as it was carried out: it may be tried again, unless too many others may."""
    mine = world.waiting[who]
    change_waiting(who, n, (mine[n][0], True))
    tried = [each for each in mine if mine[each][1]]
    if len(tried) > MOST_TRIED_AGAIN:
        change_waiting(who, min(tried), None)


def take_back(who: Any, order: Any) -> None:
    """A player has taken an order back: `order` is the id of the thing that rules keep it as, `order-<entry>`."""
    number = order.removeprefix("order-") if type(order) is str else ""
    if number.isdecimal() and len(number) < 20 and int(number) in world.waiting.get(who.id, {}):
        change_waiting(who.id, int(number), None)


def forget_waiting(who: Any) -> None:
    """A player leaves, and nothing of theirs waits any longer."""
    for n in list(world.waiting.get(who.id, {})):
        change_waiting(who.id, n, None)


def use_waiting(data: Any) -> None:
    """Take up what waits from a snapshot: [[entry, who, hash, refused before]].

    None: it is older, or shows what one player knows. Then the things that rules keep as orders are those that wait.
    """
    w = world
    w.waiting = {}
    for n, who, order, tried in data or ():
        w.waiting.setdefault(who, {})[n] = (order, tried)
    for order in w.kinds.get("order", {}).values() if data is None else ():
        if [name for name in ("entry", "owner", "what", "args") if name not in declared("order")]:
            return
        if type(order.owner) is Thing and type(order.entry) is int and type(order.args) is str:
            try:
                digest = digest_of(order.what, json.loads(order.args))
                w.waiting.setdefault(order.owner.id, {})[order.entry] = (digest, False)
            except ValueError:  # no JSON: not what the event order-waits has
                continue

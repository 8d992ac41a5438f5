"""The state as data, and what of its changes is not for everybody.

`dump` and `restore_state` are the snapshot: all that a game is, as plain data; its hash is the hash of the game.
"""

from typing import Any

from nomopoly.kernel.budgets import heft
from nomopoly.kernel.clock import Timer, enter_timer, next_timer
from nomopoly.kernel.sorts import plain_data
from nomopoly.kernel.things import Thing, declared, dress, enter_thing, in_short, plain
from nomopoly.kernel.waiting import use_waiting
from nomopoly.kernel.world import world

MOST_DIGITS = 10**4000  # numbers that are longer cannot be written down


def owners(member: Any) -> Any:
    """The ids of those to whom a thing belongs: a player itself, a thing's `owner`, the parties of a deal."""
    if member.kind == "player":
        return (member.id,)
    if "parties" in declared(member.kind):
        return ids_in(member.parties)
    holder = getattr(member, "owner", None) if "owner" in declared(member.kind) else None
    if holder is None and member.kind == "question":
        return ids_in(member.asked)
    if holder is None and "author" in declared(member.kind):
        holder = member.author
    return (holder.id,) if type(holder) is Thing else ()


def ids_in(several: Any) -> Any:
    """The ids of the things in a tuple; none, if it is no tuple."""
    return tuple([each.id for each in several if type(each) is Thing]) if type(several) is tuple else ()


def open_to_all(show: Any, member: Any) -> bool:
    """Whether everybody sees what is shown like this: always, or since an attribute of the thing, named in `show`, is
    true."""
    if "all" in show:
        return True
    return bool([each for each in show if type(each) is str and getattr(member, each, False) is True])


def veiled(changes: Any) -> Any:
    """Which changes not everybody may see, and who may: [[place in the list, [viewers]]]."""
    found = []
    for place in range(len(changes)):
        id, name = changes[place][:2]
        member = world.things.get(id) or world.ghosts.get(id)
        attribute = declared(member.kind).get(name) if member is not None else None
        if attribute is not None and "all" not in attribute.show and not open_to_all(attribute.show, member):
            viewers = [*owners(member)] if id in world.things and "owner" in attribute.show else []
            found.append([place, ["admin", *viewers] if "admin" in attribute.show else viewers])
    return found


def packed(value: Any) -> Any:
    """A value for the snapshot: things and tuples are told apart from words and numbers."""
    sort = type(value)
    if sort is Thing:
        return {"thing": value.id}
    if sort is tuple:
        return {"tuple": [packed(part) for part in value]}
    if value is None or sort is bool or sort is str or (sort is int and -MOST_DIGITS < value < MOST_DIGITS):
        return value
    return plain(value) if plain_data(value) else {"odd": in_short(value)}  # of an old game: nothing keeps such today


def unpacked(data: Any) -> Any:
    """The value that `packed` made data of."""
    if type(data) is dict:
        if type(data.get("thing")) is str:
            return world.things.get(data["thing"]) or ghost_named(data["thing"])
        if type(data.get("tuple")) is list:
            return tuple([unpacked(part) for part in data["tuple"]])
        return data.get("odd", data)
    return data


def ghost_named(id: str) -> Any:
    """What is gone of this id, or None. Something that refers to it can read its attributes, which are None."""
    ghost = world.ghosts.get(id)
    if ghost is not None:
        dress(ghost)
    return ghost


def dump() -> Any:
    """Everything that the game is, as plain data."""
    w = world
    things = []
    for member in w.things.values():
        values = w.store[member.id]
        things.append([member.id, member.kind, {name: packed(values[name]) for name in values}])
    timers = []
    for timer in sorted(w.timers.values(), key=lambda each: each.place):  # what is undone changes their order
        fields = {name: packed(timer.fields[name]) for name in timer.fields}
        timers.append([timer.number, timer.at, timer.event, fields, timer.rule, timer.real, timer.record, timer.quiet])
    return {
        "n": w.n,
        "now": w.now,
        "title": w.title,
        "things": things,
        "ghosts": sorted([[ghost.id, ghost.kind] for ghost in w.ghosts.values()]),  # what is undone changes their order
        "counters": dict(w.counters),
        "timers": timers,
        "next_timer": w.next_timer,
        "rules": list(w.records.values()),
        # Not of what is hashed.
        "waiting": sorted([[n, who, *mine[n]] for who, mine in w.waiting.items() for n in mine]),
    }


def restore_state(data: Any, things: bool = True) -> None:
    """Draw all things anew from data (`things` False: they are there); the rulebook must be in force."""
    w = world
    if things:
        w.things, w.ghosts, w.store, w.kinds, w.places, w.placed = {}, {}, {}, {}, {}, -1
        for id, kind in data["ghosts"]:
            w.ghosts[id] = Thing(id, kind)  # which nobody sees before something is found to refer to it
        for id, kind, _ in data["things"]:
            enter_thing(Thing(id, kind), {})
        for id, _, values in data["things"]:
            w.store[id].update({name: unpacked(values[name]) for name in values})
            dress(w.things[id])
        w.size = sum([heft(kept[name]) for kept in w.store.values() for name in kept])
    w.counters = dict(data["counters"])
    w.timers, w.soonest, w.queue, w.timers_heft = {}, [], [], 0
    for number, at, event, fields, rule, real, *more in data["timers"]:
        enter_timer(Timer(number, at, event, {name: unpacked(fields[name]) for name in fields}, rule, real, more))
    w.next_timer = data["next_timer"]
    use_waiting(data.get("waiting"))
    w.n, w.now, w.title = data["n"], data["now"], data["title"]


def due() -> Any:
    """What is due next: {"at", "timer", "do", "quiet", "about": ids of the things it is about}, or None."""
    timer = next_timer()
    if timer is None:
        return None
    told = {"at": timer.at, "timer": timer.number, "do": timer.event, "quiet": timer.quiet, "rule": timer.rule}
    return {**told, "about": [plain(each) for each in timer.fields.values()]}

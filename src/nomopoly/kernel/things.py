"""Things and their attributes: all the state a game has, and the three verbs that change it.

A thing's attributes are read with a dot (`player.money`) and written by `put` alone. `world.store` holds the truth, the
objects mirror it: `audit` compares the two, so that a write past the verbs never survives its entry.
"""

from typing import Any

from nomopoly.kernel.budgets import (
    BYTES_A_STEP,
    FREE,
    MOST_DEEP,
    MOST_MOMENT,
    MOST_NUMBER,
    MOST_THINGS,
    MOST_THINGS_MADE,
    MOST_WORD,
    RESERVE,
    exhausted,
    grow,
    heft,
    owe,
    reserve,
    spend,
    spent,
)
from nomopoly.kernel.world import SPOKEN, covers, in_words, refuse, refuse_as, with_article, world, writable


class Thing:
    """One piece of a game: a player, a square, a proposal. `id` names it, `kind` tells what it is."""

    def __init__(self, id: str, kind: str) -> None:
        self.id = id
        self.kind = kind

    def __repr__(self) -> str:
        return self.id


SPOKEN.append(Thing)


def declared(kind: str) -> Any:
    """The attributes declared for things of a kind: a dict from name to Attribute."""
    return world.index.attributes.get(kind, {})


def traits(kind: str) -> Any:
    """The names of a kind's attributes, of whatever rule."""
    return list(declared(kind))


def fixed_traits(kind: str) -> Any:
    """The names of a kind's attributes that are declared as fixed: no proposal may speak of them."""
    return [each.name for each in declared(kind).values() if each.fixed]


def immutable(value: Any) -> bool:
    """Whether a value may be kept by a thing: nothing, a whole number, a word, yes/no, a thing, or a tuple of these."""
    sort = type(value)
    if sort is int:
        return -MOST_NUMBER <= value <= MOST_NUMBER
    if sort is str:
        return len(value) <= MOST_WORD
    if sort is tuple and weight_kept(value, MOST_DEEP) > MOST_WORD:
        heft(value)  # what is too long, or nested too deep, breaks off here
        return False
    return value is None or sort is bool or sort is Thing or sort is tuple


def weight_kept(value: Any, deep: int) -> int:
    """The weight of a tuple that a thing may keep, as `weight_of` has it; of any other more than MOST_WORD."""
    weight = 2
    for part in value:
        sort = type(part)
        if sort is str:
            weight += len(part) + 2
        elif sort is tuple and deep > 1:
            weight += weight_kept(part, deep - 1)
        else:
            weight += 5 if sort is Thing or (sort is not tuple and immutable(part)) else MOST_WORD
        if weight > MOST_WORD:
            break
    return weight


SORTS: Any = {  # what an attribute of a type holds, and how that is said
    "number": (int, "a whole number"),
    "money": (int, "a whole number"),
    "moment": (int, "a moment (seconds since 1970)"),
    "word": (str, "a word"),
    "yesno": (bool, "True or False"),
    "thing": (Thing, "a thing"),
    "list": (tuple, "a tuple"),
}
# attributes that are no fields of the event by which rules hear of a new thing: an event has such parts itself
UNBENT = ("kind", "id", "thing", "given", "trail", "rule", "via", "result", "but", "to", "caused_by")
HEAVY = {str: True, tuple: True}  # what a game holds only so much of
KEPT = (int, str, bool, Thing, tuple, type(None))  # what an attribute with neither type nor default holds


def sorts_of(type_name: str, default: Any) -> Any:
    """The Python types of what an attribute holds; None is always one of them. `type_name` "" is any type."""
    if type(default) is tuple:
        return (tuple, type(None))
    return (SORTS[type_name][0], type(None)) if type_name in SORTS else KEPT


def misfit(attribute: Any, value: Any) -> str:
    """Why an attribute cannot hold a value, as the end of a sentence; "" if it can."""
    sort = type(value)
    if sort not in attribute.sorts:
        wanted = SORTS["list" if tuple in attribute.sorts else attribute.type][1] if attribute.sorts is not KEPT else ""
        return f"must be {wanted or 'a whole number, a word, a thing or a tuple of these'}, or None: {in_short(value)}"
    if sort is int and attribute.type == "moment" and not 0 <= value <= MOST_MOMENT:
        return f"must be a moment (seconds since 1970, at most 10**11): {in_short(value)}"
    if not immutable(value):
        return "must be a whole number, a word, a thing or a tuple of these, not too long"
    if sort is tuple and attribute.type == "thing" and [part for part in value if type(part) is not Thing]:
        return "must be a tuple of things"
    return ""


def in_short(value: Any) -> str:
    """What a value is, for a message."""
    sort = type(value)
    if sort is int:
        return f"{value} is a number" if -MOST_NUMBER <= value <= MOST_NUMBER else "this number has too many digits"
    if sort is str:
        return f"{repr(value[:40])} is a word"
    if sort is tuple:
        return f"this is a tuple of {len(value)}"
    if sort is Thing:
        return f"{value.id} is a thing"
    return f"this is {value}" if value is None or sort is bool else "this is nothing that a game can keep"


def same(a: Any, b: Any) -> bool:
    """Whether two attribute values are the same (1 and True are not)."""
    return a is b or (type(a) is type(b) and a == b)


def write(thing: Any, name: str, value: Any) -> None:
    """Set an attribute in the store and on the object, without a trace; also what undoes a `put`."""
    setattr(thing, name, value)
    attribute = declared(thing.kind).get(name)
    values = world.store[thing.id]
    if attribute is not None and same(attribute.default, value):
        values.pop(name, None)
    else:
        values[name] = value


def keep_seal(thing: Any, attribute: Any) -> None:
    """Raise ValueError if the rule that runs may not write what is sealed now: nobody changes what is being voted
    on."""
    rule = world.rule or "kernel"
    if getattr(thing, "status", None) not in attribute.sealed or rule == "kernel":
        return
    named = attribute.written_by
    if rule not in named if named is not None else not [id for id in attribute.unsealed_by if covers(id, rule)]:
        raise ValueError(f"{attribute.name} of {thing.id} cannot be changed while it is {thing.status.lower()}")


def put(thing: Any, name: str, value: Any) -> None:
    """Set one attribute of a thing: the only way to change anything.

    `value` is a whole number, a word, yes/no, a thing, a tuple of these, or None.
    Raises ValueError if the attribute is not declared or the value is of another sort.
    """
    w = world
    if w.reading:
        writable()
    values = w.store.get(thing.id)
    if values is None:
        raise ValueError(f"{thing.id} no longer exists")
    attribute = w.index.attributes[thing.kind].get(name)
    if attribute is None:
        if name in w.index.absent.get(thing.kind, {}):
            return  # no rule knows of it
        raise ValueError(f"a {thing.kind} has no attribute '{name}'")
    sort, after = type(value), 0
    if sort is not attribute.sort and attribute.sealed:
        keep_seal(thing, attribute)
    fits = sort is attribute.sort or sort in attribute.sorts
    if sort is int:
        fits = fits and attribute.least <= value <= attribute.most
    elif sort in HEAVY:
        after = weight_kept(value, MOST_DEEP) if sort is tuple and value else heft(value)
        fits = fits and ((after <= MOST_WORD and attribute.type != "thing") or not misfit(attribute, value))
    if not fits:
        raise ValueError(f"{name} of {thing.id} {misfit(attribute, value)}")
    if sort is Thing and value.id not in w.things:
        raise ValueError(f"{value.id} no longer exists")
    old = getattr(thing, name)
    former = type(old)
    if old is value or (sort is former and sort is not Thing and old == value):
        return
    if sort in HEAVY or former in HEAVY:
        known = w.hefts.get(name, (w, 0))  # what was put last under this name is often what goes now
        grow(known[1] if known[0] is old else heft(old), after)
        w.hefts[name] = (value, after)
    w.undo.append((write, thing, name, old))
    setattr(thing, name, value)
    default = attribute.default
    if default is value or (sort is type(default) and default == value):
        values.pop(name, None)
    else:
        values[name] = value


def put_each(thing: Any, **attributes: Any) -> None:
    """Set several attributes of a thing, in this order."""
    for name in attributes:
        put(thing, name, attributes[name])


def dress(thing: Any, names: Any = None) -> None:
    """Give a thing every declared attribute, or those of some names, as the store has it; what goes in this entry keeps
    its last ones for so long."""
    values, attributes = world.store.get(thing.id, world.gone.get(thing.id)), declared(thing.kind)
    for name in attributes if names is None else names:
        setattr(thing, name, None if values is None else values.get(name, attributes[name].default))
    absent = world.index.absent.get(thing.kind, {})
    for name in absent:
        setattr(thing, name, absent[name])


def appear(thing: Any, values: Any, place: Any = None) -> None:
    """Enter a thing into the world; `place` brings it back to where it was in the sequence of all things."""
    w = world
    if w.ghosts.pop(thing.id, None) is not None:
        w.queue = []
    w.gone.pop(thing.id, None)
    enter_thing(thing, values)
    if place is not None:
        w.places[thing.id] = place
        w.things, w.kinds[thing.kind] = in_its_place(w.things, thing), in_its_place(w.kinds[thing.kind], thing)
    dress(thing)


def in_its_place(members: Any, thing: Any) -> Any:
    """Some things by id, one of them in its place in the sequence of all things; the others are in theirs."""
    place = world.places[thing.id]
    owe(len(members) // 5)
    return {**{id: members[id] for id in members if world.places[id] < place}, thing.id: thing, **members}


def enter_thing(thing: Any, values: Any) -> None:
    """Put a thing last in the sequence of all things; nothing of it can be read before it is dressed."""
    w = world
    w.store[thing.id] = values
    w.things[thing.id] = thing
    w.kinds.setdefault(thing.kind, {})[thing.id] = thing
    w.placed += 1
    w.places[thing.id] = w.placed


def vanish(thing: Any, ghost: bool = True) -> None:
    """Take a thing out of the world; its id stays known, and every attribute reads None once the entry is over.

    Under the first form of the language they do at once.
    """
    w = world
    w.things.pop(thing.id)
    w.places.pop(thing.id)
    w.queue = []
    w.kinds[thing.kind].pop(thing.id)
    last = w.store.pop(thing.id)
    if ghost:
        w.ghosts[thing.id] = thing
        if w.form > 1:
            w.gone[thing.id] = last
        dress(thing)


def let_go() -> None:
    """The entry is over: what has gone in it has no attributes any more."""
    w = world
    gone, w.gone = w.gone, {}
    for id in gone:
        dress(w.ghosts[id])


def unappear(thing: Any, gone: Any, last: Any, series: str, counter: int) -> None:
    """Undo `create`; `gone` had the id before, if any, and in this entry the attributes `last`."""
    vanish(thing, False)
    if gone is not None:
        world.ghosts[gone.id] = gone
        if last is not None:
            world.gone[gone.id] = last
        dress(gone)
    world.counters[series] = counter
    if not counter:
        world.counters.pop(series)  # as it was before the first of its kind


def create(kind: str, id: Any = None, **attributes: Any) -> Any:
    """Make a new thing and return it.

    Its id is the given one, or made by its kind: `#7` from the attribute that numbers it, else a running number
    that is never used twice (`offer-3`; `warrior-3` where a kind is `named` by an attribute that says which row of its
    catalogue a thing is of). Attributes not given are as that row has them, or have their defaults.
    """
    w = world
    writable()
    sort = w.index.kinds.get(kind)
    if sort is None:
        raise ValueError(f"there is no kind of thing called '{kind}'")
    if sort.absent:
        refuse(f"no rule says any more what {with_article(kind)} is")
    series = attributes[sort.named] if sort.named else kind
    prefix = series + "-" if sort.named else sort.prefix
    row = row_of(kind, series) if sort.named else None
    counter = w.counters.get(series, 0)
    if id is None:
        if sort.numbered:
            id = sort.prefix + str(attributes[sort.numbered])
        else:
            w.counters[series] = counter + 1
            id = prefix + str(counter + 1)
    elif sort.named and id.removeprefix(prefix).isdigit():
        w.counters[series] = max(counter, int(id.removeprefix(prefix)))
    if type(id) is not str or not 0 < len(id) <= 100 or not id.isprintable():
        raise ValueError("the id of a thing is a word of 1 to 100 characters")
    if id in w.things:
        raise ValueError(f"there already is a thing called {id}")
    if spent("things", 1) > MOST_THINGS_MADE:
        exhausted(f"too many things: an entry makes at most {MOST_THINGS_MADE}")
    if len(w.things) + len(w.ghosts) >= MOST_THINGS + reserve(RESERVE):
        exhausted(f"too many things: a game has at most {MOST_THINGS}, with those that are gone")
    gone = w.ghosts.get(id)
    thing = gone if gone is not None and gone.kind == kind else Thing(id, kind)
    w.undo.append((unappear, thing, gone, w.gone.get(id), series, counter))
    appear(thing, {})
    for name in w.index.attributes[kind] if row is not None else ():
        if hasattr(row, name):
            put(thing, name, getattr(row, name))
    for name in attributes:
        put(thing, name, attributes[name])
    return thing


def bear(e: Any) -> Any:
    """Effect of the event by which rules hear of a new thing: it is made as that says when nobody bends it any more."""
    w = world
    w.rule = w.maker  # what the rule that makes it may not write, it cannot have written like this
    said = {name: getattr(e, name, None) for name in declared(e.kind) if name not in UNBENT and name != e.kind}
    for name, attribute in declared(e.kind).items():
        if attribute.sealed and name in said and same(said[name], attribute.default):
            said.pop(name)
    e.thing = create(e.kind, e.id, **{**dict(e.given), **said})
    setattr(e, e.kind, e.thing)
    return e.thing


def beginning(kind: str, given: Any) -> Any:
    """The attributes that a new thing has: what is given, what its row of a catalogue says, or the defaults."""
    named = world.index.kinds[kind].named
    row = row_of(kind, given[named]) if named else None
    return {
        name: given[name] if name in given else getattr(row, name, attribute.default)
        for name, attribute in declared(kind).items()
    }


def destroy(thing: Any) -> None:
    """Take a thing out of the game for good. Its id is remembered: naming it is refused with 'no longer exists'."""
    w = world
    writable()
    if thing.id not in w.things:
        raise ValueError(f"{thing.id} no longer exists")
    if thing.id == "game":
        raise ValueError("the game itself cannot be destroyed")
    status = declared(thing.kind).get("status")
    if status is not None and status.sealed:
        keep_seal(thing, status)
    spend(len(w.things) // BYTES_A_STEP)
    grow(sum([heft(kept) for kept in w.store[thing.id].values()]), 0)
    w.undo.append((appear, thing, w.store[thing.id], w.places[thing.id]))
    vanish(thing)


def perish(e: Any) -> None:
    """Effect of the event by which rules hear that a thing goes, where no rule declares one."""
    world.language["destroy"](getattr(e, e._event.partition("-")[2] or "thing"))


def rows(catalogue: str, by: str = "") -> Any:
    """The rows of a catalogue, in book order: each has `id` and what its rule says of it. `by` one column, in order of
    that."""
    index = world.index
    if not by:
        return list(index.rows.get(catalogue, {}).values())
    if (catalogue, by) not in index.ordered:
        index.ordered[(catalogue, by)] = tuple(sorted(rows(catalogue), key=lambda each: getattr(each, by)))
    return index.ordered[(catalogue, by)]


def row_of(catalogue: str, id: Any) -> Any:
    """One row of a catalogue. Refuses what is not in it."""
    row = world.index.rows.get(catalogue, {}).get(id)
    if row is None:
        refuse(f"there is no {catalogue} called {id}")
    return row


def renew(thing: Any, *kept: str) -> None:
    """Give every attribute of a thing its default again, but those named."""
    for attribute in declared(thing.kind).values():
        if attribute.name not in kept:
            put(thing, attribute.name, attribute.default)


def was(thing: Any, name: str, before_chance: bool = False) -> Any:
    """What an attribute was when this entry began; with `before_chance`, when it first drew (now, if it has not)."""
    start = (world.first_draw if world.first_draw is not None else len(world.undo)) if before_chance else 0
    for step in world.undo[start:]:
        if step[0] is write and step[1] is thing and step[2] == name:
            return step[3]
    return getattr(thing, name)


def exists(thing: Any) -> bool:
    """Whether a thing is (still) in the game."""
    return thing is not None and thing.id in world.things


def find(id: Any) -> Any:
    """The thing of this id, or None."""
    return world.things.get(id)


def thing(id: str) -> Any:
    """The thing of this id. Refuses what is gone ('no longer exists') or never was ('no such ...')."""
    found = world.things.get(id)
    if found is None:
        if id in world.ghosts:
            refuse(f"{id} no longer exists")
        kind = named_like(in_words(id))
        if kind:
            refuse_as("no-thing:" + kind, f"no such {kind}: {id}")
        refuse_as("no-thing", f"nothing here is called {id}")
    return found


def named_like(id: str) -> str:
    """The kind of thing that an id would be of, by its beginning; "" if that says nothing."""
    for kind in world.index.kinds.values():
        if kind.prefix and id.startswith(kind.prefix):
            return kind.name
    return ""


def every(kind: str = "") -> list[Any]:
    """All things of a kind, or all there are, in order of their creation."""
    found = list((world.kinds.get(kind, {}) if kind else world.things).values())
    if len(found) > FREE:
        spend(len(found) // BYTES_A_STEP)
    return found


def count(kind: str) -> int:
    """How many things of a kind there are."""
    return len(world.kinds.get(kind, {}))


def plain(value: Any) -> Any:
    """A value as plain data: a thing becomes its id, a tuple a list."""
    sort = type(value)
    if sort is Thing:
        return value.id
    if sort is tuple or sort is list:
        return [plain(part) for part in value]
    if sort is dict:
        return {key: plain(value[key]) for key in value}
    return value

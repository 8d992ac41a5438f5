"""What somebody may see, and the state as data.

`view` is the only door to state and facts for pages, API, feeds and files. `dump` and `restore` are the snapshot: all
that a game is, as plain data; its hash is the hash of the game.
"""

from typing import Any

from nomopoly.kernel.clock import Timer, next_timer
from nomopoly.kernel.things import Thing, appear, declared, dress, every, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.world import roll_back, savepoint, world

# ---- views


def sees(viewer: str, attribute: Any, member: Any) -> bool:
    """Whether a viewer (a player's id, "admin" or "visitor") sees an attribute of a thing."""
    if "all" in attribute.show:
        return True
    if viewer == "admin" and "admin" in attribute.show:
        return True
    return "owner" in attribute.show and viewer in owners(member)


def owners(member: Any) -> Any:
    """The ids of those to whom a thing belongs: a player itself, a thing's `owner`, the parties of a deal."""
    if member.kind == "player":
        return (member.id,)
    if "parties" in declared(member.kind):
        return tuple([each.id for each in member.parties])
    holder = getattr(member, "owner", None) if "owner" in declared(member.kind) else None
    if holder is None and member.kind == "question":
        return tuple([each.id for each in member.asked])
    if holder is None and "author" in declared(member.kind):
        holder = member.author
    return (holder.id,) if holder is not None else ()


def shown_values(kind: str) -> Any:
    """The labelled values of a kind of thing, in order of name."""
    return [plan for plan in world.index.values.values() if plan.of == kind and plan.label]


def view_thing(viewer: str, member: Any, bare: bool = False) -> Any:
    """One thing as data, with what this viewer may see of it; None if nothing may be seen."""
    shown: dict[str, Any] = {"id": member.id, "kind": member.kind}
    attributes = declared(member.kind)
    hidden = 0
    for name in attributes:
        if sees(viewer, attributes[name], member):
            shown[name] = plain(getattr(member, name))
        else:
            hidden += 1
    if hidden and hidden == len(attributes):
        return None
    for plan in () if bare else shown_values(member.kind):
        shown[plan.name] = plain(read_safely(lambda: value(plan.name, member)))
    return shown


def read_safely(question: Any) -> Any:
    """What rules answer, or None if they break: one broken rule must not take a whole page away."""
    mark = savepoint()
    world.reading += 1
    try:
        answer = question()
    except Exception:
        world.refusal = answer = None
    roll_back(mark)
    return answer


def veiled(changes: Any) -> Any:
    """Which changes not everybody may see, and who may: [[place in the list, [viewers]]]."""
    found = []
    for place in range(len(changes)):
        id, name = changes[place][:2]
        member = world.things.get(id) or world.ghosts.get(id)
        attribute = declared(member.kind).get(name) if member is not None else None
        if attribute is not None and "all" not in attribute.show:
            viewers = [*owners(member)] if id in world.things and "owner" in attribute.show else []
            found.append([place, ["admin", *viewers] if "admin" in attribute.show else viewers])
    return found


def view(viewer: str, bare: bool = False) -> Any:
    """All that a viewer may see of the state: things, the attributes that are declared, markers of the board.

    `bare`: without what rules compute for it, for when one of them never ends.
    """
    things: dict[str, Any] = {}
    for member in world.things.values():
        shown = view_thing(viewer, member, bare)
        if shown is not None and (member.kind != "applicant" or viewer == "admin"):
            things[member.id] = shown
    return {
        "viewer": viewer,
        "now": world.now,
        "title": world.title,
        "things": things,
        "schema": schema(),
        "markers": () if bare else markers(),
    }


def schema() -> Any:
    """The declared attributes and labelled values by kind, for drawing pages."""
    found: dict[str, Any] = {}
    for kind in world.index.kinds:
        entries = [declared_entry(each, each.rule, each.summary, each.show) for each in declared(kind).values()]
        for plan in shown_values(kind):
            entry = declared_entry(plan, plan.definitions[0][1], False, ("all",))
            entries.append({**entry, "derived": True})
        found[kind] = entries
    return found


def declared_entry(plan: Any, rule: str, summary: bool, show: Any) -> Any:
    """What pages need to know of an attribute or a value."""
    section = world.records[rule]["section"] if rule in world.records else ""
    entry = {"name": plan.name, "label": plan.label, "type": plan.type, "rule": rule, "section": section}
    return {**entry, "summary": summary, "derived": False, "show": list(show)}


def markers() -> Any:
    """What rules draw on the board now."""
    found = []
    before = world.rule
    for kind, function, rule in world.index.markers:
        world.rule = rule
        for member in every(kind):
            drawn = read_safely(lambda: function(member))
            if type(drawn) is tuple and len(drawn) == 2:
                found.append({"square": member.id, "symbol": str(drawn[0]), "label": str(drawn[1]), "rule": rule})
    world.rule = before
    return found


# ---- the state as data


def packed(value: Any) -> Any:
    """A value for the snapshot: things and tuples are told apart from words and numbers."""
    sort = type(value)
    if sort is Thing:
        return {"thing": value.id}
    if sort is tuple:
        return {"tuple": [packed(part) for part in value]}
    return value


def unpacked(data: Any) -> Any:
    """The value that `packed` made data of."""
    if type(data) is dict:
        if "thing" in data:
            return world.things.get(data["thing"]) or world.ghosts[data["thing"]]
        return tuple([unpacked(part) for part in data["tuple"]])
    return data


def dump() -> Any:
    """Everything that the game is, as plain data."""
    w = world
    things = []
    for member in w.things.values():
        values = w.store[member.id]
        things.append([member.id, member.kind, {name: packed(values[name]) for name in values}])
    timers = []
    for timer in w.timers.values():
        fields = {name: packed(timer.fields[name]) for name in timer.fields}
        timers.append([timer.number, timer.at, timer.event, fields, timer.rule, timer.real])
    return {
        "n": w.n,
        "now": w.now,
        "title": w.title,
        "things": things,
        "ghosts": [[ghost.id, ghost.kind] for ghost in w.ghosts.values()],
        "counters": dict(w.counters),
        "timers": timers,
        "next_timer": w.next_timer,
        "rules": list(w.records.values()),
    }


def restore_state(data: Any) -> None:
    """Draw all things anew from data; the rulebook must be in force."""
    w = world
    w.things, w.ghosts, w.store = {}, {}, {}
    w.kinds = {}
    w.counters = dict(data["counters"])
    for id, kind in data["ghosts"]:
        ghost = Thing(id, kind)
        w.ghosts[id] = ghost
        dress(ghost)
    for id, kind, _ in data["things"]:
        appear(Thing(id, kind), {})
    for id, _, values in data["things"]:
        kept = w.store[id]
        for name in values:
            kept[name] = unpacked(values[name])
        dress(w.things[id])
    w.timers = {}
    for number, at, event, fields, rule, real in data["timers"]:
        w.timers[number] = Timer(number, at, event, {name: unpacked(fields[name]) for name in fields}, rule, real)
    w.next_timer = data["next_timer"]
    w.n = data["n"]
    w.now = data["now"]
    w.title = data["title"]


def due() -> Any:
    """What is due next: {"at", "timer", "do"}, or None."""
    timer = next_timer()
    return {"at": timer.at, "timer": timer.number, "do": timer.event} if timer is not None else None

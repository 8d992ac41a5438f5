"""What pages, forms and expectations ask of a game. Nothing here changes it.

Written in the sandbox dialect: it is loaded after the kernel, into the same namespace, and adds its calls to the
kernel's door (`kernel.game.call`).
"""

from typing import Any

from nomopoly.kernel.game import CALLS, begin_entry, redraw
from nomopoly.kernel.orders import choices_of, default_of, give_order, trial
from nomopoly.kernel.things import Thing, declared, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.views import read_safely, schema, veiled, view
from nomopoly.kernel.world import refuse, world


def labelled(thing: Any) -> Any:
    """A choice of a form as data."""
    if type(thing) is not Thing:
        return {"id": plain(thing), "label": str(plain(thing))}
    name = getattr(thing, "name", None) if "name" in declared(thing.kind) else None
    if name is None and "title" in declared(thing.kind):
        name = getattr(thing, "title", None)
    return {"id": thing.id, "label": f"{thing.id} {name}" if name else thing.id}


def actions(viewer: str, bare: bool = False) -> Any:
    """The actions of a viewer with their forms, and whether each is possible as things stand (`bare`: not asked)."""
    who = world.things.get(viewer)
    by = "admin" if viewer == "admin" else "player"
    if by == "player" and (who is None or who.kind != "player"):
        return []
    found = []
    for action in world.index.actions.values():
        if action.by == by:
            found.append(describe_action(action, None if by == "admin" else who, bare))
    return found


def describe_action(action: Any, who: Any, bare: bool) -> Any:
    """One action as data."""
    record = world.records.get(action.rule, {})
    fields = []
    sample: dict[str, Any] = {}
    lacking = False
    for key in action.form:
        field = action.form[key]
        listed = field.sort in ("thing", "choice") and not bare
        choices = read_safely(lambda: choices_of(field, who)) or () if listed else ()
        default = None if bare else plain(read_safely(lambda: default_of(field, who)))
        name = key.rstrip("_")
        shown = {part: getattr(field, part) for part in ("kind", "optional", "least", "most", "limit", "long")}
        label = field.label or name.replace("_", " ").capitalize()
        shown = {**shown, "name": name, "label": label, "type": field.sort, "default": default}
        fields.append({**shown, "choices": [labelled(each) for each in choices], "parts": list(field.parts)})
        if default is None and not field.optional and choices:
            default = plain(choices[0])
        if default is None and not field.optional and field.sort == "thing" and field.kind:
            lacking = True
        if default is None and not field.optional:
            default = {"number": field.least or 0, "thing": "game", "code": "", "goods": {}}.get(field.sort, "x")
        if default is not None:
            sample[name] = default
    if bare:
        reason, rule = (None, None)
    elif lacking:
        reason, rule = ("there is nothing to choose from", action.rule)
    else:
        reason, rule = refusal_of(who, action, sample)
        free = [field for field in action.form.values() if field.sort not in ("thing", "choice", "yesno")]
        if rule == action.rule and free:  # it may be what was made up here that the rule does not like
            reason, rule = None, None
    shown = {part: getattr(action, part) for part in ("label", "rule", "rolls", "hidden")}
    about = {part: record.get(part, "") for part in ("section", "section_title")}
    told = {"possible": reason is None, "reason": reason, "reason_rule": rule}
    return {**shown, **about, **told, "id": action.name, "desk": action.by == "admin", "fields": fields}


def refusal_of(who: Any, action: Any, sample: Any) -> Any:
    """Why an action with these fields would be refused now: (reason, rule), or (None, None)."""
    try:
        refusal, _, _ = trial(lambda: give_order(who, action.name, sample))
    except Exception:
        return (None, None)
    if refusal is None or refusal[0] == "rolls":
        return (None, None)
    return refusal


def peek(name: str, of: Any) -> Any:
    """A value or attribute by name, for expectations: the things by id."""
    w = world
    things = [w.things.get(each, each) if type(each) is str else each for each in of]
    if len(things) == 1 and type(things[0]) is Thing and name in declared(things[0].kind):
        return plain(getattr(things[0], name))
    if name not in w.index.values:
        refuse(f"there is no attribute or value '{name}'")
    if len(things) == 1 and type(things[0]) is Thing and things[0].kind == "game" and not w.index.values[name].of:
        return plain(value(name))
    return plain(value(name, *things))


def preview(data: Any) -> Any:
    """What an order would do now: {"refused", "rule"} or {"facts", "changes", "rolls"}; nothing is kept."""
    begin_entry({"n": world.n, "at": data["at"]})
    by = data.get("by")
    who = None if by is None else world.things.get(by)
    refusal, facts, changes = trial(lambda: give_order(who, data["do"], data.get("args") or {}))
    redraw()
    if refusal is not None and refusal[0] != "rolls":
        return {"refused": refusal[0], "rule": refusal[1] or ""}
    viewer = "admin" if by is None else by
    hidden = [place for place, viewers in veiled(changes) if viewer not in viewers]
    return {
        "facts": [fact for fact in facts if "only" not in fact or viewer in fact["only"]],
        "changes": [changes[place] for place in range(len(changes)) if place not in hidden],
        "rolls": refusal is not None,
    }


def read_moment(data: Any) -> None:
    """Set the clock for a reading call, so that a page shows what holds now."""
    world.now = max(world.now, data.get("now") or 0)


def read_view(data: Any) -> Any:
    """`view` at a moment."""
    kept = world.now
    read_moment(data)
    shown = view(data["viewer"], data.get("bare", False))
    world.now = kept
    return shown


def read_actions(data: Any) -> Any:
    """`actions` at a moment."""
    kept = world.now
    read_moment(data)
    begin_entry({"n": world.n, "at": world.now})
    shown = actions(data["viewer"], data.get("bare", False))
    world.now = kept
    return shown


def read_value(data: Any) -> Any:
    """A value or attribute: {"name", "of": [ids or numbers]} -> {"value"} or {"unknown": why}."""
    try:
        return {"value": peek(data["name"], data["of"])}
    except FileExistsError:
        reason = world.refusal[0]
        world.refusal = None
        return {"unknown": reason}


def describe(data: Any) -> Any:
    """What is declared: attributes, events with their fields and sentences, values, actions, clashes, calendar."""
    index = world.index
    return {
        "schema": schema(),
        "events": {
            name: {"fields": list(plan.fields), "fact": plan.fact, "say": plan.say}
            for name, plan in index.events.items()
        },
        "values": {name: plan.definitions[0][1] for name, plan in index.values.items()},
        "actions": {name: each.rule for name, each in index.actions.items()},
        "prefixes": [each.prefix for each in index.kinds.values() if each.prefix],
        "clashes": index.clashes,
        "calendar": list(index.calendar.values()),
        "declares": {id: declarations(world.programs[id]) for id in world.programs},
    }


def declarations(program: Any) -> Any:
    """What one rule declares, by name."""
    return {
        "handlers": [[station, name] for station, name, _, _ in program.stations],
        "attributes": [attribute.kind + "." + attribute.name for attribute in program.attributes],
        "events": [plan.name for plan in program.events],
        "values": [each[0] for each in program.values],
        "modifies": [each[0] for each in program.modifies],
        "actions": [each.name for each in program.actions],
        "overrides": program.overrides,
        "defers_to": program.defers_to,
    }


CALLS.update(
    {
        "preview": preview,
        "view": read_view,
        "actions": read_actions,
        "value": read_value,
        "describe": describe,
    }
)

"""Views: what a viewer may see of things, values, markers and numbers. `view` is the only door to state for pages, API,
feeds and files.

Written in the sandbox dialect, and loaded after the kernel into the same namespace.
"""

from typing import Any

from nomopoly.kernel.budgets import (
    MOST_DEEP,
    MOST_LABEL,
    MOST_NUMBER,
    MOST_TOLD_NUMBER,
    MOST_WORD,
    begin_budget,
    check_budget,
)
from nomopoly.kernel.state import open_to_all, owners
from nomopoly.kernel.things import Thing, declared, every, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.world import roll_back, savepoint, world
from nomopoly.runtime.older import (
    TOLD_OF_PROPOSALS,
    asked_by,
    checked,
    how_it_stands,
    unsaid,
    with_pages,
)

# ---- what is odd is shown as words

MOST_SYMBOL = 8  # characters
MOST_SIGN = 20
MOST_REASON = 2000  # characters of why something is refused
UNSHOWN = "something that cannot be shown"


def line_of(value: Any, most: int = MOST_LABEL) -> str:
    """Anything at all as a line of words, cut where it is too long."""
    words = " ".join([in_line(each) for each in value]) if type(value) in (tuple, list) else in_line(value)
    words = words if words.isprintable() else "".join([each if each.isprintable() else " " for each in words])
    return words if len(words) <= most else words[: most - 1] + "…"


def in_line(value: Any) -> str:
    """One value as words; what has none that are the same on every machine has none here."""
    sort = type(value)
    if sort is str:
        return str(value)
    if sort is bool:
        return "yes" if value else "no"
    if sort is int:
        return str(value) if -MOST_TOLD_NUMBER <= value <= MOST_TOLD_NUMBER else "a number of too many digits"
    if sort is Thing:
        return str(value.id)
    return "" if value is None else UNSHOWN


def shown_as(value: Any, depth: int = 0) -> Any:
    """A value as plain data that every page can show."""
    sort = type(value)
    if sort is int:
        return value if -MOST_TOLD_NUMBER <= value <= MOST_TOLD_NUMBER else in_line(value)
    if value is None or sort is str or sort is bool or sort is Thing:
        return plain(value)
    if depth < MOST_DEEP and sort is dict:
        return {in_line(key): shown_as(value[key], depth + 1) for key in value}
    if depth < MOST_DEEP and isinstance(value, (tuple, list)):
        return [shown_as(part, depth + 1) for part in value]
    return UNSHOWN


# What pages read by name, whatever a rule declares under that name: as a word (or the id of a thing), or as several.
READ_AS_WORD = {
    each: True
    for each in (
        "name title text status verdict outcome because changes run what args author owner to seller holder option_of "
        "square color card pause_because changes_instead run_instead"
    ).split()
}
READ_AS_WORDS = {each: True for each in "parties agreed asked".split()}
READ_AS_LIST = {each: True for each in "options give take transfers credit doubts items cards".split()}


def as_declared(attribute: Any, value: Any) -> Any:
    """A value of an attribute as data; one of another sort than the attribute declares, or pages read, as words."""
    sort, name = type(value), attribute.name
    if sort not in attribute.sorts or (sort is int and not attribute.least <= value <= attribute.most):
        value = line_of(value, MOST_WORD)
    elif sort is not int and sort is not str:
        value = shown_as(value)
    if name in READ_AS_WORD and value is not None and type(value) is not str:
        return line_of(value, MOST_WORD)
    if (name in READ_AS_WORDS or name in READ_AS_LIST) and value is not None and type(value) is not list:
        return [line_of(value, MOST_WORD)]
    return [in_line(each) for each in value] if name in READ_AS_WORDS and value is not None else value


def facts_for(viewer: str, facts: Any) -> Any:
    """The facts that a viewer may have, before anything has looked at what rules have put into them."""
    return [
        {name: shown_as(fact[name]) for name in fact}
        for fact in facts
        if fact.get("only") is None or (type(fact["only"]) in (tuple, list) and viewer in fact["only"])
    ]


# ---- views


def sees(viewer: str, show: Any, member: Any) -> bool:
    """Whether a viewer (a player's id, "admin" or "visitor") sees what a thing shows like this (see `attribute`)."""
    if open_to_all(show, member):
        return True
    if viewer == "admin" and "admin" in show:
        return True
    return "owner" in show and viewer in owners(member)


def shown_values(kind: str) -> Any:
    """The labelled values of a kind of thing, in order of name; none takes the place of its id and kind."""
    values = world.index.values
    return [
        values[name] for name in values if values[name].of == kind and values[name].label and name not in ("id", "kind")
    ]


def standing_values(kind: str) -> Any:
    """The values that say how things of a kind stand and have no label: pages read them all the same."""
    values = world.index.values
    return [
        values[name]
        for name in TOLD_OF_PROPOSALS
        if name in values and values[name].of == kind and not values[name].label
    ]


def kind_as_seen(viewer: str, kind: str, bare: bool) -> Any:
    """What `view_thing` wants to know of a kind: its attributes as they are by default, the names of those that this
    viewer does not see of every thing by whom they are shown to, and its labelled values."""
    attributes = declared(kind)
    defaults = {name: as_declared(attributes[name], attributes[name].default) for name in attributes}
    guarded: dict[Any, Any] = {}
    for each in attributes.values():
        if "all" not in each.show and not (viewer == "admin" and "admin" in each.show):
            guarded.setdefault(each.show, []).append(each.name)
    values = () if bare else [*shown_values(kind), *standing_values(kind)]
    return (defaults, guarded, values, attributes)


def view_thing(viewer: str, member: Any, about: Any) -> Any:
    """One thing as data, with what this viewer may see of it; None if nothing may be seen. `about`: see
    `kind_as_seen`."""
    defaults, guarded, values, attributes = about
    hidden = []
    for show in guarded:
        if not sees(viewer, show, member):
            hidden += guarded[show]
    if hidden and len(hidden) == len(defaults):
        return None
    kept = world.store[member.id]
    shown = {"id": member.id, "kind": member.kind, **defaults}
    for name, held in kept.items():
        if name in defaults:  # the store may still hold what is declared no more
            shown[name] = as_declared(attributes[name], held)
    for name in hidden:
        shown.pop(name)
    if values:
        add_values(shown, viewer, member, values)
    if member.kind == "emergency" or (member.kind == "proposal" and unsaid() and "phase" not in shown):
        shown = {**how_it_stands(shown), **shown}
    elif "phase" in shown and "phase" not in defaults:
        checked(shown)
    return shown


def add_values(shown: Any, viewer: str, member: Any, values: Any) -> None:
    """Add the values of a thing to what is shown of it, each as `read_safely` reads it."""
    mark = begin_reading(viewer)
    for plan in values:
        shown[plan.name] = shown_as(answer_of(mark, value, plan.name, member))
    end_reading(mark)


def begin_reading(viewer: Any) -> Any:
    """From here on `answer_of` asks rules, which only read. Returns what `answer_of` and `end_reading` want.

    For a viewer, values are without the contributions that are not shown to them.
    """
    mark = savepoint()
    world.reading += 1
    world.hides = None if viewer is None else hidden_from(viewer)
    return mark


def answer_of(mark: Any, function: Any, *asked: Any) -> Any:
    """What a function of rules answers, or None if it breaks: one broken rule must not take a whole page away."""
    begin_budget()
    try:
        return function(*asked)
    except (TimeoutError, MemoryError):  # the runtime's limits are no answer of a rule
        raise
    except Exception:
        check_budget()
        world.refusal = None
        roll_back(mark)
        world.reading += 1
        return None


def end_reading(mark: Any) -> None:
    """What `begin_reading` began is over."""
    world.hides = None
    roll_back(mark)


def hidden_from(viewer: str) -> Any:
    """Which contributions to values a viewer may not see: a function for `world.hides`."""
    return lambda show, of: not (of and type(of[0]) is Thing and sees(viewer, show, of[0]))


def read_safely(question: Any, viewer: Any = None) -> Any:
    """What rules answer to one question, or None if they break; `viewer`: see `begin_reading`."""
    mark = begin_reading(viewer)
    answer = answer_of(mark, question)
    end_reading(mark)
    return answer


def view(viewer: str, bare: bool = False) -> Any:
    """All that a viewer may see of the state: things, the attributes that are declared, markers of the board.

    `bare`: without what rules compute for it, for when one of them never ends.
    """
    things: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for member in world.things.values():
        if member.kind not in kinds:
            kinds[member.kind] = kind_as_seen(viewer, member.kind, bare)
        shown = view_thing(viewer, member, kinds[member.kind])
        if shown is not None and (member.kind != "applicant" or viewer == "admin"):
            things[member.id] = shown
    return {
        "viewer": viewer,
        "now": world.now,
        "title": world.title,
        "things": things,
        "schema": schema(),
        "markers": () if bare else markers(viewer, things),
        "pages": with_pages(),
    }


def schema() -> Any:
    """The declared attributes and labelled values by kind, for drawing pages."""
    found: dict[str, Any] = {}
    asking = asked_by()
    for kind in world.index.kinds:
        entries = [declared_entry(each, each.rule, each.summary, each.show) for each in declared(kind).values()]
        for plan in shown_values(kind):
            entry = declared_entry(plan, plan.definitions[0][1], False, ("all",))
            entries.append({**entry, "derived": True})
        found[kind] = [
            {**each, **asking[kind + "." + each["name"]]} if kind + "." + each["name"] in asking else each
            for each in entries
        ]
    return found


def declared_entry(plan: Any, rule: str, summary: bool, show: Any) -> Any:
    """What pages need to know of an attribute or a value."""
    section = world.records[rule]["section"] if rule in world.records else ""
    about = {"label": line_of(plan.label), "type": line_of(plan.type)}
    entry = {"name": plan.name, **about, "rule": rule, "section": section}
    return {**entry, "summary": bool(summary), "derived": False, "show": [in_line(each) for each in show]}


def markers(viewer: str, seen: Any = ()) -> Any:
    """What rules draw on the board now. `seen`: the things that the viewer sees; a marker of another one names none."""
    on_board = []
    mark = begin_reading(viewer)
    for kind, function, rule in world.index.markers:
        for member in every(kind):
            world.rule = rule
            drawn = answer_of(mark, function, member)
            if type(drawn) is tuple and len(drawn) in (2, 3):
                place = getattr(member, "square", None) if "square" in declared(member.kind) else member
                if type(place) is not Thing:
                    continue
                marked = {"symbol": line_of(drawn[0], MOST_SYMBOL), "label": line_of(drawn[1])}
                if len(drawn) == 3:
                    marked["sign"] = line_of(drawn[2], MOST_SIGN)
                if place is not member and member.id in seen:
                    marked["thing"] = member.id
                on_board.append({"square": place.id, "kind": kind, "rule": rule, **marked})
    end_reading(mark)
    return on_board


def counted_by(who: Any, viewer: str) -> Any:
    """What a player has that can be counted, as a viewer may see it: amounts of money, and numbers of the standings."""
    attributes = declared(who.kind)
    counted = [each for each in attributes.values() if each.summary or each.type == "money"]
    found = {each.name: getattr(who, each.name) for each in counted if sees(viewer, each.show, who)}
    for plan in shown_values(who.kind):
        if plan.type == "money":
            found[plan.name] = read_safely(lambda: value(plan.name, who), viewer)
    return {
        name: found[name] for name in found if type(found[name]) is int and -MOST_NUMBER <= found[name] <= MOST_NUMBER
    }


def numbers(data: Any) -> Any:
    """What players have that can be counted, at a moment: {player: [what all see, the owner, the Admin]}.

    For the owner and the Admin it says only what differs from what all see.
    """
    kept = world.now
    world.now = data["now"]
    told = {}
    for who in every("player"):
        for_all = counted_by(who, "visitor")
        told[who.id] = [for_all]
        for viewer in (who.id, "admin"):
            seen = counted_by(who, viewer)
            told[who.id].append({name: seen[name] for name in seen if for_all.get(name) != seen[name]})
    world.now = kept
    return told

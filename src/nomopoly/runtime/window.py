"""What pages, forms and expectations ask of a game, each by the view of who asks; and a scenario's opening state.

`view` is the only door to state for pages, API, feeds and files.

Written in the sandbox dialect: it is loaded after the kernel, into the same namespace, and adds its calls to the
kernel's door (`kernel.game.call`).
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
from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.dice import begin_draws
from nomopoly.kernel.events import destroy_by_rules
from nomopoly.kernel.game import CALLS, EXTRA_ACTS, begin_entry, redraw
from nomopoly.kernel.orders import as_kept, choices_of, conclude, default_of, give_order, net_changes, read_form
from nomopoly.kernel.rules import change_rulebook, run_once
from nomopoly.kernel.state import open_to_all, owners, veiled
from nomopoly.kernel.things import Thing, create, declared, every, find, plain, put
from nomopoly.kernel.values import value
from nomopoly.kernel.world import Stream, refuse, roll_back, savepoint, world
from nomopoly.runtime.older import (
    TOLD_OF_PROPOSALS,
    asked_by,
    checked,
    for_sale,
    how_it_stands,
    is_wanted,
    leaving,
    marks_of,
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
    """One thing as data, with what this viewer may see of it; None if nothing may be seen. `about`: see `kind_as_seen`."""
    defaults, guarded, values, attributes = about
    hidden = []
    for show in guarded:
        if not sees(viewer, show, member):
            hidden += guarded[show]
    if hidden and len(hidden) == len(defaults):
        return None
    kept = world.store[member.id]
    shown = {"id": member.id, "kind": member.kind, **defaults}
    for name, found in kept.items():
        if name in defaults:  # the store may still hold what is declared no more
            shown[name] = as_declared(attributes[name], found)
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
    w = world
    mark = savepoint()
    w.hides = hidden_from(viewer)
    w.reading += 1
    for plan in values:
        answer = None
        begin_budget()
        try:
            answer = value(plan.name, member)
        except Exception:
            check_budget()
            w.refusal = None
            roll_back(mark)
            w.reading += 1
        shown[plan.name] = shown_as(answer)
    w.hides = None
    roll_back(mark)


def hidden_from(viewer: str) -> Any:
    """Which contributions to values a viewer may not see: a function for `world.hides`."""
    return lambda show, of: not (of and type(of[0]) is Thing and sees(viewer, show, of[0]))


def read_safely(question: Any, viewer: Any = None) -> Any:
    """What rules answer, or None if they break: one broken rule must not take a whole page away.

    For a viewer, values are without the contributions that are not shown to them.
    """
    mark = savepoint()
    begin_budget()
    world.reading += 1
    if viewer is not None:
        world.hides = hidden_from(viewer)
    try:
        answer = question()
    except (TimeoutError, MemoryError):  # the runtime's limits are no answer of a rule
        raise
    except Exception:
        check_budget()
        world.refusal = answer = None
    world.hides = None
    roll_back(mark)
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
    found = []
    before = world.rule
    for kind, function, rule in world.index.markers:
        world.rule = rule
        for member in every(kind):
            drawn = read_safely(lambda: function(member), viewer)
            if type(drawn) is tuple and len(drawn) in (2, 3):
                place = getattr(member, "square", None) if "square" in declared(member.kind) else member
                if type(place) is not Thing:
                    continue
                marked = {"symbol": line_of(drawn[0], MOST_SYMBOL), "label": line_of(drawn[1])}
                if len(drawn) == 3:
                    marked["sign"] = line_of(drawn[2], MOST_SIGN)
                if place is not member and member.id in seen:
                    marked["thing"] = member.id
                found.append({"square": place.id, "kind": kind, "rule": rule, **marked})
    world.rule = before
    return found


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


# ---- forms

WEEKDAYS = (-1, 0, 1, 2, 3, 4, 5, 6)
MOST_TRIED = 8  # combinations of choices that are looked at to say whether an action is possible
MADE_UP = {  # what is said in a form, to see whether it was the silence that made a rule refuse it
    "words": "xx",
    "anything": "xx",
    "goods": {"money": 1},
    "changes": [{"enact": "999.999", "text": "xx"}],
    "code": "pass",
}


def trial(step: Any) -> Any:
    """Do something and undo it. Returns (refusal, facts, changes): refusal is (reason, rule) or None."""
    w = world
    mark = savepoint()
    begin_budget()
    kept = (w.open_draws, w.hidden_draws, w.forced, w.replays, w.first_draw, w.count)
    w.open_draws, w.hidden_draws = Stream(), Stream()
    begin_draws({})
    w.count = 0
    w.casting = True
    refusal = None
    try:
        step()
    except FileExistsError:
        refusal = w.refusal
    except Exception:
        w.refusal = None
        w.open_draws, w.hidden_draws, w.forced, w.replays, w.first_draw, w.count = kept
        w.casting = False
        roll_back(mark)
        raise
    check_budget()
    facts = w.facts[mark[1] :]
    changes = net_changes(w.undo[mark[0] :])
    w.refusal = None
    roll_back(mark)
    w.open_draws, w.hidden_draws, w.forced, w.replays, w.first_draw, w.count = kept
    w.casting = False
    return (refusal, facts, changes)


def known_to(viewer: str, choice: Any) -> bool:
    """Whether a viewer may know of a choice: of a thing of which there is something to see, or of no thing at all."""
    attributes = declared(choice.kind) if type(choice) is Thing else {}
    for each in attributes.values():
        if sees(viewer, each.show, choice):
            return True
    return not attributes


def labelled(viewer: str, thing: Any) -> Any:
    """A choice of a form as data."""
    if type(thing) is not Thing:
        id = thing if type(thing) in (str, bool) else shown_as(thing) if type(thing) is int else line_of(thing)
        return {"id": id, "label": line_of(thing)}
    attributes = declared(thing.kind)
    name = None
    for each in ("title", "name"):
        if each in attributes and sees(viewer, attributes[each].show, thing):
            name = getattr(thing, each) if getattr(thing, each) is not None else name
    return {"id": thing.id, "label": line_of(f"{thing.id} {in_line(name)}" if name else thing.id)}


def actions(viewer: str, bare: bool = False, untried: bool = False, only: Any = None) -> Any:
    """The actions of a viewer with their forms, and whether each is possible as things stand.

    `bare`: neither choices nor that, so that no rule is asked; `untried`: only the latter is not asked. `only`: the
    names of the actions that are wanted, if not all.
    """
    who = world.things.get(viewer)
    by = "admin" if viewer == "admin" else "player"
    if by == "player" and (who is None or who.kind != "player"):
        return []
    found = []
    for action in world.index.actions.values():
        if action.by in (by, "both") and (only is None or action.name in only):
            found.append(describe_action(action, None if by == "admin" else who, bare, untried))
    return found


def describe_action(action: Any, who: Any, bare: bool, untried: bool) -> Any:
    """One action as data."""
    record = world.records.get(action.rule, {})
    viewer = "admin" if who is None else who.id
    fields = []
    sample: dict[str, Any] = {}
    samples: Any = [{}]
    made_up: dict[str, Any] = {}  # what nobody has said yet
    lacking = unsaid = False
    form = world.index.forms[action.name]
    for key in in_order_of_page(action, form):
        field = form[key]
        listed = field.sort in ("thing", "choice") and not bare
        choices = read_safely(lambda: choices_of(field, who)) or () if listed else ()
        choices = [each for each in choices if known_to(viewer, each)]
        default = None if bare else plain(read_safely(lambda: default_of(field, who)))
        default = default if type(default) is str else shown_as(default) if type(default) in (int, bool) else None
        name = key.rstrip("_")
        shown = {part: getattr(field, part) for part in ("kind", "optional", "least", "most", "limit", "long")}
        shown = {part: shown[part] if type(shown[part]) is bool else as_number(shown[part]) for part in shown}
        shown["kind"] = in_line(field.kind)
        label = line_of(field.label) or name.replace("_", " ").capitalize()
        shown = {**shown, "name": name, "label": label, "type": field.sort, "default": default}
        if field.sort == "moment":
            shown = {**shown, "now": world.now}
        fields.append(
            {
                **shown,
                "wanted": is_wanted(action, name, field),
                "choices": [labelled(viewer, each) for each in choices],
                "parts": [in_line(each) for each in field.parts],
                "counted": [in_line(each) for each in field.counted],
            }
        )
        if default is None and not field.optional and choices:
            default = plain(choices[0])
        if default is None and not field.optional and listed and (field.kind or field.choices is not None):
            lacking = True
        samples = [{**each, name: plain(choice)} for choice in choices[:MOST_TRIED] for each in samples] or samples
        samples = samples[:MOST_TRIED]
        if default is None and field.sort in MADE_UP:
            made_up = {**made_up, name: MADE_UP[field.sort]}
        if default is None and (field.sort not in MADE_UP or not field.optional):
            unsaid = unsaid or field.sort not in ("thing", "choice", "yesno")
        if default is None and not field.optional:
            usual: Any = {"number": field.least or 0, "thing": "game", "code": "", "goods": {}, "moment": world.now}
            default = usual.get(field.sort, "x")
        if default is not None:
            sample[name] = default
    reason, rule = (None, None)
    if lacking and not bare:
        reason, rule = ("there is nothing to choose from", action.rule)
    elif not (bare or untried):
        reason, rule = refusal_of(who, action, sample)
        if rule == action.rule and unsaid:  # it may be what was made up here that the rule does not like
            reason, rule = None, None
        if reason and made_up and refusal_of(who, action, {**sample, **made_up}) != (reason, rule):
            reason, rule = None, None
        for other in samples:  # what the first choice does not allow another one may
            if reason is not None and refusal_of(who, action, {**sample, **other}) == (None, None):
                reason, rule = None, None
    shown = {part: getattr(action, part) for part in ("rule", "rolls", "hidden", "agrees", "task")}
    shown = {**{part: shown_as(shown[part]) for part in shown}, "label": line_of(action.label), **marks_of(action)}
    reason = reason if reason is None else line_of(reason, MOST_REASON)
    about = {part: record.get(part, "") for part in ("section", "section_title")}
    waits = who is not None and not action.at_once and not action.ballot and "order-waits" in world.index.events
    shown = {**shown, "waits": waits}
    told = {"possible": reason is None, "reason": reason, "reason_rule": rule}
    return {**shown, **about, **told, "id": action.name, "desk": who is None, "ballot": action.ballot, "fields": fields}


def in_order_of_page(action: Any, form: Any) -> Any:
    """The fields of a form in the order in which a page asks for them: of a vote first what it is about, then the choice."""
    if not action.ballot:
        return form
    subject, choice, further = parts_of_ballot(action, form)
    return [key for key in (subject, choice, *further) if key in form]


def as_number(content: Any) -> Any:
    """A limit of a form: a whole number, or None if it is none."""
    return content if type(content) is int and -MOST_NUMBER <= content <= MOST_NUMBER else None


def refusal_of(who: Any, action: Any, sample: Any) -> Any:
    """Why an action with these fields would be refused now: (reason, rule), or (None, None)."""
    try:
        refusal, _, _ = trial(lambda: give_order(who, action.name, sample))
    except (TimeoutError, MemoryError):
        raise
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
        return shown_as(getattr(things[0], name))
    if name not in w.index.values:
        refuse(f"there is no attribute or value '{name}'")
    if len(things) == 1 and type(things[0]) is Thing and things[0].kind == "game" and not w.index.values[name].of:
        return shown_as(value(name))
    if len(things) > 1 and things[0] is w.things["game"] and w.index.values[name].of != "game":
        things = things[1:]
    return shown_as(value(name, *things))


def preview(data: Any) -> Any:
    """What an order would do now: {"refused", "rule", "code"} or {"facts", "changes", "rolls"}; nothing is kept."""
    begin_entry({"n": world.n, "at": data["at"]})
    by = data.get("by")
    who = None if by is None else world.things.get(by)
    refusal, facts, changes = trial(lambda: give_order(who, data["do"], data.get("args") or {}))
    redraw()
    if refusal is not None and refusal[0] != "rolls":
        return {"refused": line_of(refusal[0], MOST_REASON), "rule": refusal[1] or "", "code": world.code}
    viewer = "admin" if by is None else by
    hidden = [place for place, viewers in veiled(changes) if viewer not in viewers]
    return {
        "facts": facts_for(viewer, facts),
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
    shown = actions(data["viewer"], data.get("bare", False), data.get("untried", False), data.get("only"))
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


def read_leaving(data: Any) -> Any:
    """When the rules take players out of the game: {player: [moment, [days of warning], what keeps them in]}."""
    kept = world.now
    read_moment(data)
    found: dict[str, Any] = {}
    for who in every("player"):
        told = read_safely(lambda: leaving(who))
        if type(told) is tuple and [type(part) for part in told] == [int, tuple, str]:
            found[who.id] = [told[0], [day for day in told[1] if type(day) is int], line_of(told[2], MOST_REASON)]
    world.now = kept
    return found


def describe(data: Any) -> Any:
    """What is declared: attributes, events with their fields and sentences, values, actions, clashes, calendar."""
    index = world.index
    return {
        "schema": schema(),
        "kinds": {each.name: line_of(each.label) or each.name for each in index.kinds.values()},
        "events": {
            name: {"fields": list(plan.fields), "fact": line_of(plan.fact), "say": line_of(plan.say, MOST_REASON)}
            for name, plan in index.events.items()
        },
        "values": {name: plan.definitions[0][1] for name, plan in index.values.items()},
        "words": {name: rule for name, (_, rule) in index.words.items()},
        "actions": {name: each.rule for name, each in index.actions.items()},
        "labels": {name: line_of(each.label) for name, each in index.actions.items() if each.label},
        "ballots": {name: ballot_of(each) for name, each in index.actions.items() if each.ballot},
        "posts": {in_line(each.posts): name for name, each in index.actions.items() if each.posts},
        "disrupting": [name for name, each in index.actions.items() if each.disrupts],
        "moments": {
            name: fields
            for name, form in index.forms.items()
            if (fields := [key.rstrip("_") for key in form if form[key].sort == "moment"])
        }
        | {name: list(plan.moments) for name, plan in index.events.items() if plan.moments},
        "private": [name for name, each in index.actions.items() if each.private is not False],
        "tasks": [name for name, each in index.actions.items() if each.task],
        "unseen": [  # what is done in passing: without a form, and without waiting for an update
            name
            for name, each in index.actions.items()
            if each.hidden and (each.at_once or "order-waits" not in index.events)
        ],
        "at_once": [name for name, each in index.actions.items() if each.at_once and not each.agrees],
        "prefixes": [each.prefix for each in index.kinds.values() if each.prefix]
        + [f"{type}-" for each in index.kinds.values() if each.named for type in index.rows.get(each.name, ())],
        "prices": prices(),
        "clashes": index.clashes,
        "calendar": [
            {**each, "since": world.records[each["rule"]]["since"]}
            for each in index.calendar.values()
            if each["weekday"] in WEEKDAYS and each["hour"] in range(24) and each["minute"] in range(60)
        ],
        "declares": {id: declarations(world.programs[id]) for id in world.programs},
    }


def prices() -> Any:
    """The rows of catalogues that have a price, each with its name, which a row of the same id elsewhere may have."""
    rows, sold = world.index.rows, for_sale()
    names: dict[str, Any] = {}
    for catalogue in rows:
        for each in rows[catalogue].values():
            for part in ("name", "text"):
                if getattr(each, part, None):
                    names.setdefault(part + " " + each.id, getattr(each, part))
    found = []
    for catalogue in rows:
        for each in rows[catalogue].values():
            if type(getattr(each, "price", None)) is int:
                about = {"catalogue": catalogue, "id": each.id, "rule": each.rule, "price": each.price}
                about = {**about, "for_sale": catalogue in sold}
                told = {part: line_of(names.get(part + " " + each.id, ""), MOST_REASON) for part in ("name", "text")}
                found.append({**about, **told})
    return found


def ballot_of(action: Any) -> Any:
    """How ballots of an action are kept: the event they wait for, the fields that say what they are about and what is
    chosen, further ones, whether what is chosen is a thing, and whether they stay secret."""
    form = world.index.forms[action.name]
    subject, choice, further = parts_of_ballot(action, form)
    things = choice in form and form[choice].sort == "thing"
    named = {"subject": subject.rstrip("_"), "choice": choice.rstrip("_"), "more": further, "things": things}
    return {"closes": action.ballot, **named, "sealed": action.sealed}


def read_ballot(data: Any) -> Any:
    """What a vote says, that the rules allow: {"about": id, "choice": plain, "more": {field: what was said}}.

    The fields hold what rules get, not what was typed: a number is a number, and what was left out its default.
    """
    begin_entry({"n": world.n, "at": data["at"]})
    action = world.index.actions[data["do"]]
    said = read_form(action, data.get("args") or {}, world.things.get(data["by"]))
    subject, choice, further = parts_of_ballot(action, world.index.forms[action.name])
    about = plain(said[subject]) if subject else None
    more = {key: {"thing": said[key].id} if type(said[key]) is Thing else plain(said[key]) for key in further}
    return {"about": "game" if about is None else str(about), "choice": plain(said.get(choice)), "more": more}


def declarations(program: Any) -> Any:
    """What one rule declares, by name."""
    return {
        "handlers": [[station, name] for station, name, _, _ in program.stations],
        "attributes": [attribute.kind + "." + attribute.name for attribute in program.attributes],
        "events": [plan.name for plan in program.events],
        "values": [each[0] for each in program.values],
        "words": [name for name, _ in program.words],
        "modifies": [each[0] for each in program.modifies],
        "actions": [each.name for each in program.actions],
        "rows": [[catalogue, row.id] for _, catalogue, row in program.rows],
        "overrides": program.overrides,
        "defers_to": program.defers_to,
    }


# ---- a scenario's opening state


def patch(things: Any, alone: bool = False) -> None:
    """Set a scenario's opening state, thing by thing: {id: {attribute: value}}, null takes a thing away.

    What is not there yet is made first, so that things can name each other. Rules hear of it as of the end of any entry.
    `alone`: what is numbered is made without those numbered below it.
    """
    for id in things:
        if things[id] is not None and id not in world.things:
            make_from_id(id, alone)
    for id in things:
        wanted = things[id]
        found: Any = world.things.get(id)
        if wanted is None:
            if found is None:
                refuse(f"given: nothing here is called {id}")
            destroy_by_rules(found)
            continue
        for name in wanted:
            attribute = declared(found.kind).get(name)
            if attribute is None and follows(found, name, wanted[name]):
                continue
            if attribute is None:
                refuse(f"given: a {found.kind} has no attribute '{name}'")
            put(found, name, as_kept(attribute, wanted[name]))
    game = world.things["game"]
    if game.paused and game.paused_at is None:  # a game that is paused at the start: its time stands still from now on
        put(game, "paused_at", world.now)
        put(game, "pause_kind", game.pause_kind or "admin")
    conclude()


def follows(found: Any, name: str, wanted: Any) -> bool:
    """Whether a value of a thing is as it is wanted already: a creature's kind follows from its id."""
    plan = world.index.values.get(name)
    return plan is not None and plan.of == found.kind and bool(plain(value(name, found)) == wanted)


MOST_GIVEN = 10000  # things of a kind whose numbers have no gaps


def make_from_id(id: str, alone: bool) -> Any:
    """Create a thing whose id tells its kind, and unless it is to be `alone` those numbered below it that are lacking."""
    for kind in world.index.kinds.values():
        rest = id[len(kind.prefix) :]
        if kind.prefix and id.startswith(kind.prefix) and rest.isdigit():
            if len(rest) > 9 or (kind.numbered and int(rest) > MOST_GIVEN):
                refuse(f"given: {id[:20]} is numbered too high: at most {MOST_GIVEN}")
            if kind.numbered:
                made = None
                for number in range(int(rest) if alone else 1, int(rest) + 1):
                    if kind.prefix + str(number) not in world.things:
                        made = create(kind.name, **{kind.numbered: number})
                return made
            world.counters[kind.name] = max(world.counters.get(kind.name, 0), int(rest))  # the next one is another
            return create(kind.name, id=id)
        for row in world.index.rows.get(kind.name, {}).values() if kind.named else ():
            if id == row.id or (id.startswith(row.id + "-") and id.removeprefix(row.id + "-").isdigit()):
                return create(kind.name, id=id, **{kind.named: row.id})
    refuse(f"given: nothing here is called {id}")


def put_in_force(args: Any) -> None:
    """In a copy of a game: what a proposal says holds from now on, and its program runs."""
    change_rulebook(args.get("changes") or [], args["by"])
    run_once(args.get("run") or "", args["by"], find(args.get("carrier")) or stand_in())
    conclude()


def stand_in() -> Any:
    """What stands for a proposal that nobody has made yet: one with nothing in it, of the player who came first."""
    if "proposal" not in world.index.kinds:
        return None
    made = Thing("proposal", "proposal")
    for name, attribute in declared("proposal").items():
        setattr(made, name, (every("player") or [None])[0] if name == "author" else attribute.default)
    return made


EXTRA_ACTS["given"] = lambda args: patch(args["things"], args.get("alone", False))
EXTRA_ACTS["put-in-force"] = put_in_force
CALLS.update(
    {
        "preview": preview,
        "ballot": read_ballot,
        "view": read_view,
        "actions": read_actions,
        "value": read_value,
        "describe": describe,
        "numbers": numbers,
        "leaving": read_leaving,
    }
)

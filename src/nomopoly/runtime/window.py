"""What pages, forms and expectations ask of a game, each by the view of who asks: the door to `views`, `forms` and
`opening`.

Written in the sandbox dialect: it is loaded after the kernel, into the same namespace, and adds its calls to the
kernel's door (`kernel.game.call`).
"""

from typing import Any

from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.fields import read_form
from nomopoly.kernel.game import CALLS, begin_entry, redraw
from nomopoly.kernel.index import contenders
from nomopoly.kernel.orders import give_order
from nomopoly.kernel.precedence import reason_between
from nomopoly.kernel.state import veiled
from nomopoly.kernel.things import Thing, every, plain
from nomopoly.kernel.world import mark_entry, world
from nomopoly.runtime.forms import WEEKDAYS, actions, in_order_of_page, peek, trial
from nomopoly.runtime.older import (
    for_sale,
    judgement_of,
    leaving,
)
from nomopoly.runtime.views import MOST_REASON, facts_for, in_line, line_of, numbers, read_safely, schema, view


def preview(data: Any) -> Any:
    """What an order would do now: {"refused", "rule", "code"} or {"facts", "changes", "rolls"}, and where that is asked
    (`waits`) whether it would wait until then; nothing is kept."""
    begin_entry({"n": world.n, "at": data["at"]})
    by = data.get("by")
    who = None if by is None else world.things.get(by)
    refusal, facts, changes = trial(lambda: give_order(who, data["do"], data.get("args") or {}))
    redraw()
    code = world.code
    waits = bool(data.get("waits")) and who is not None and would_wait(who, data["do"], data.get("args") or {})
    if refusal is not None and refusal[0] != "rolls":
        refused = {"refused": line_of(refusal[0], MOST_REASON), "rule": refusal[1] or "", "code": code}
        return {**refused, "waits": waits}
    viewer = "admin" if by is None else by
    hidden = [place for place, viewers in veiled(changes) if viewer not in viewers]
    return {
        "facts": facts_for(viewer, facts),
        "changes": [changes[place] for place in range(len(changes)) if place not in hidden],
        "rolls": refusal is not None,
        "waits": waits,
    }


def would_wait(who: Any, name: str, args: Any) -> bool:
    """Whether an order of a player would be put to those that wait, and the rules would not carry it out at once."""
    action = world.index.actions.get(name)
    if action is None or action.at_once or action.ballot or "order-waits" not in world.index.events:
        return False
    waiting: list[Any] = []

    def give() -> None:
        mark_entry(waits=True)
        give_order(who, name, args)
        waiting.extend([n for n in world.waiting.get(who.id, {}) if n == world.n])

    world.n += 1  # the entry that it would be
    try:
        trial(give)
    finally:
        world.n -= 1
    mark_entry(waits=False)
    redraw()
    return bool(waiting)


def order_waits(data: Any) -> bool:
    """Whether the order of an entry, {"n"}, waits until it is carried out."""
    return bool([n for mine in world.waiting.values() for n in mine if n == data["n"]])


def read_moment(data: Any) -> None:
    """Set the clock for a reading call, so that a page shows what holds now."""
    world.now = max(world.now, data.get("now") or 0)


def read_view(data: Any) -> Any:
    """`view` at a moment."""
    kept = world.now
    read_moment(data)
    shown = view(data["viewer"], data.get("bare", False), data.get("known"))
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


def read_reckoning(data: Any) -> Any:
    """What a value of a thing (`of`, its id) is made of, as a viewer may know it: [[rule, how, amount, divisor]], the
    definition first, as "base", and then what modifies it in the order in which that counts. None where there is
    nothing like that."""
    kept, rule = world.now, world.rule
    read_moment(data)
    plan, member = world.index.values.get(data["name"]), world.things.get(data["of"])
    found = None
    if plan is not None and member is not None:
        found = read_safely(lambda: parts_of(plan, member), data["viewer"])
    world.now, world.rule = kept, rule
    return found


def parts_of(plan: Any, member: Any) -> Any:
    """The definition of a value, and each contribution that this reader may see, band by band."""
    function, world.rule = plan.definitions[0]
    base = function(member)
    if type(base) is not int:
        return None
    bands: dict[str, Any] = {}
    parts = [[world.rule, "base", base, 1]]
    for function, world.rule, show in plan.modifies:
        if show == ("all",) or not world.hides(show, (member,)):
            part = function(member, base)
            if part is not None and part[0] in plan.bands:
                bands.setdefault(part[0], []).append([world.rule, *part])
    for band in plan.bands:
        parts.extend(bands.get(band, ()))
    return parts


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
        "notify": {name: list(plan.notify) for name, plan in index.events.items() if plan.notify},
        "values": {name: plan.definitions[0][1] for name, plan in index.values.items()},
        "reckoned": [name for name, plan in index.values.items() if plan.modifies],
        "words": {name: rule for name, (_, rule) in index.words.items()},
        "actions": {name: each.rule for name, each in index.actions.items()},
        "labels": {name: line_of(each.label) for name, each in index.actions.items() if each.label},
        "forms": {name: fields_of_form(each) for name, each in index.actions.items()},
        "ballots": {name: ballot_of(each) for name, each in index.actions.items() if each.ballot},
        "posts": {in_line(each.posts): name for name, each in index.actions.items() if each.posts},
        "disrupting": [name for name, each in index.actions.items() if each.disrupts],
        "moments": moments_of_fields(),
        "private": [name for name, each in index.actions.items() if each.private is not False],
        "tasks": [name for name, each in index.actions.items() if each.task],
        "judging": {name: how for name, each in index.actions.items() if (how := judgement_of(each))},
        "unseen": [  # what is done in passing: without a form, and without waiting for an update
            name
            for name, each in index.actions.items()
            if each.hidden and (each.at_once or "order-waits" not in index.events)
        ],
        "at_once": [name for name, each in index.actions.items() if each.at_once and not each.agrees],
        "prefixes": [each.prefix for each in index.kinds.values() if each.prefix]
        + [f"{type}-" for each in index.kinds.values() if each.named for type in index.rows.get(each.name, ())],
        "prices": prices(),
        "row_names": {id: line_of(name) for id, name in said_of_rows("name").items()},
        "clashes": clashes_in(index),
        "calendar": [
            {**each, "since": world.records[each["rule"]]["since"]}
            for each in index.calendar.values()
            if each["weekday"] in WEEKDAYS and each["hour"] in range(24) and each["minute"] in range(60)
        ],
    }


def moments_of_fields() -> Any:
    """The fields that are moments, by the name of their form or event."""
    forms = {
        name: fields
        for name, form in world.index.forms.items()
        if (fields := [key.rstrip("_") for key in form if form[key].sort == "moment"])
    }
    return forms | {name: list(plan.moments) for name, plan in world.index.events.items() if plan.moments}


def sayings(data: Any) -> Any:
    """The sentences alone that events declare, each with the fields in it that are moments."""
    moments = moments_of_fields()
    return {
        name: [line_of(plan.say, MOST_REASON), moments.get(name, [])]
        for name, plan in world.index.events.items()
        if plan.say
    }


def clashes_in(index: Any) -> Any:
    """Of each two rules that cannot both hold which one wins, and why."""
    found = []
    for what, part in (("attribute", "attributes"), ("event", "events"), ("row", "rows"), ("word", "words")):
        for name, programs in index.declarers[part].items():
            if len(programs) > 1:
                found.append((what, name, [program for program, _ in contenders(programs, part, name)]))
    known = {program.id: program for program in index.programs}
    for name, plan in index.events.items():
        if len(plan.ons) > 1:
            found.append(("on", name, [known[rule] for _, rule in plan.ons if rule in known]))
    for name, plan in index.values.items():
        if len(plan.definitions) > 1:
            found.append(("value", name, [known[rule] for _, rule in plan.definitions]))
    return [
        {"what": what, "name": name, "winner": order[0].id, "loser": each.id, "reason": reason_between(order[0], each)}
        for what, name, order in found
        for each in order[1:]
        if each.id != order[0].id
    ]


def said_of_rows(part: str) -> Any:
    """What the rows of all catalogues have as their `name` or `text`, by their ids: of several of one id, the first."""
    said: dict[str, Any] = {}
    for rows in world.index.rows.values():
        for each in rows.values():
            if getattr(each, part, None):
                said.setdefault(each.id, getattr(each, part))
    return said


def prices() -> Any:
    """The rows of catalogues that have a price, each with its name, which a row of the same id elsewhere may have."""
    rows, sold = world.index.rows, for_sale()
    said = {part: said_of_rows(part) for part in ("name", "text")}
    priced = []
    for catalogue in rows:
        for each in rows[catalogue].values():
            if type(getattr(each, "price", None)) is int:
                about = {"catalogue": catalogue, "id": each.id, "rule": each.rule, "price": each.price}
                about = {**about, "for_sale": catalogue in sold}
                told = {part: line_of(said[part].get(each.id, ""), MOST_REASON) for part in said}
                priced.append({**about, **told})
    return priced


def fields_of_form(action: Any) -> Any:
    """What the form of an action asks for, by field: its label, its sort ("money" for dollars), and the kind of the
    thing that is chosen ("" if none is)."""
    form = world.index.forms[action.name]
    return {
        key.rstrip("_"): [
            line_of(form[key].label) or key.rstrip("_"),
            "money" if form[key].money is True else form[key].sort,
            in_line(form[key].kind),
        ]
        for key in in_order_of_page(action, form)
    }


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


def declares(data: Any) -> Any:
    """What each rule declares, by name. To say it takes longer than all that `describe` says: it is asked for alone."""
    return {id: declarations(program) for id, program in world.programs.items()}


def declarations(program: Any) -> Any:
    """What one rule declares, by name."""
    return {
        "handlers": [[station, name] for name, station, _, _ in program.stations],
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


CALLS.update(
    {
        "preview": preview,
        "waits": order_waits,
        "ballot": read_ballot,
        "view": read_view,
        "actions": read_actions,
        "value": read_value,
        "reckoning": read_reckoning,
        "describe": describe,
        "declares": declares,
        "sayings": sayings,
        "numbers": numbers,
        "leaving": read_leaving,
    }
)

"""What the rules declare, and the index of it: who answers to which event, in which order.

Loading a rule's code fills its Program; `build_index` sorts the declarations of all programs by precedence (I.3 of the
games): a stated `overrides` or `defers_to` first, then the older present form, then the lower number. What a change of
the rulebook does not touch is taken over from the index before: the same comes of it as of a fresh start.
"""

from copy import copy
from typing import Any

from nomopoly.kernel.absence import note_absences
from nomopoly.kernel.beyond import BEYOND, CLOSED, NEVER_PREVENTED
from nomopoly.kernel.budgets import MOST_HEARD, MOST_MOMENT, MOST_NUMBER, spend
from nomopoly.kernel.casting import fields_heard
from nomopoly.kernel.precedence import in_order
from nomopoly.kernel.things import KEPT, UNBENT, bear, perish, sorts_of
from nomopoly.kernel.world import world

BANDS = ("set", "factor", "percent", "add", "at_least", "at_most")
ACTING = ("actions", "fields", "stations", "modifies", "markers", "calendar")  # parts that a suspension stops
PARTS = ("kinds", "attributes", "events", "rows", "asks", "catalogues", "values", "words", "absent", *ACTING)


class Program:
    """The declarations of one rule (or of a commons module), a list of each of PARTS.

    stations (event, station, function, per), values (name, function, of, bands, label, type), modifies (name, function,
    show), rows (catalogue and id, catalogue, row), fields (action, fields added to its form), asks ("kind.name" of an
    attribute or value, what it asks: see `asking`), catalogues (name, whether its rows are for sale), words (name,
    function) lent to all rules, absent (event, value, word or kind; what holds; names), markers (kind, function, rule),
    calendar (its parts by name); kinds, attributes, events and actions are Kind, Attribute, EventPlan and Action.
    """

    def __init__(self, id: str, since: int) -> None:
        self.id, self.since = id, since
        self.kinds: list[Any] = []
        self.attributes: list[Any] = []
        self.events: list[Any] = []
        self.actions: list[Any] = []
        for part in PARTS:
            setattr(self, part, [])
        self.by_name: dict[str, Any] = {}  # part -> what it declares there by name, once asked for
        self.names: dict[str, Any] = {}  # the namespace its code ran in
        self.own: dict[str, bool] = {}  # the names that its code gives a meaning, if it lends words
        self.suspended = False  # declared, but nothing of it acts
        self.overrides: list[str] = []
        self.defers_to: list[str] = []


class Attribute:
    """A declared property of every thing of a kind."""

    def __init__(
        self, kind: str, name: str, default: Any, label: str, show: Any, type: str, more: Any, rule: str
    ) -> None:
        self.kind, self.name, self.key = kind, name, kind + "." + name
        self.default = default
        self.label = label
        self.show = show
        self.type = type
        self.sorts = sorts_of("" if more.get("any") else type, default)  # Python types of what it holds
        self.least = 0 if type == "moment" else -MOST_NUMBER
        self.most = MOST_MOMENT if type == "moment" else MOST_NUMBER
        self.summary = more.get("summary", False)
        self.moment = more.get("moment", "")
        self.fixed = more.get("fixed", False)
        # The kinds of things, or the catalogue of words, that it may be granted; () for any.
        self.holds = more.get("holds", ())
        self.needed = more.get("needed", False)  # whether it is never granted to be nothing
        self.sealed = more.get("sealed", ())  # the values of `status` with which only some rules may write it
        self.sort = self.sorts[0] if self.sorts is not KEPT and not self.sealed else None  # of what needs no other look
        named = more.get("written_by")
        self.written_by = None if named is None else (rule, *named)
        self.unsealed_by = (rule.partition(".")[0], *more.get("unsealed_by", ()))  # in books that name no rules
        self.rule = rule


class Kind:
    """A declared kind of thing and how its ids are made."""

    def __init__(
        self, name: str, label: str, prefix: str, numbered: str, named: str, rule: str, page: bool = False
    ) -> None:
        self.name = self.key = name
        self.label = label
        self.page = page  # whether each of its things has a page of its own
        self.named, self.prefix, self.numbered, self.rule = named, prefix, numbered, rule
        self.absent = False  # no rule declares it any more


class EventPlan:
    """A declared event with its handlers in the order in which they are asked."""

    def __init__(self, name: str, fact: str, fields: Any, say: str, rule: str) -> None:
        self.name = self.key = name
        self.fact = fact
        self.sorts = fields  # field -> kind of its thing, or ""
        self.fields = tuple(fields)
        self.asked: dict[Any, bool] = {}  # sets of fields with which it is made to happen, as tuples
        self.say = say
        # Fields that its sentence says as dates, and fields that hold players who get a notice of it.
        self.moments, self.notify = (), ()
        self.rule = rule
        self.checks: list[Any] = []  # (function, rule id)
        self.insteads: list[Any] = []  # (function, rule id, per)
        self.ons: list[Any] = []
        self.afters: list[Any] = []
        self.owner = rule  # the rule that its fact names when no rule made it happen
        self.guarded = False
        self.bare = True  # no rule answers to it
        self.closed = name in CLOSED  # no rule makes it happen
        self.special = self.closed  # that, or an action: `do` looks at who may make it happen


class ValuePlan:
    """A computed quantity: the definition that holds, and what contributes to it, band by band."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.definitions: list[Any] = []  # (function, rule id); the first holds
        self.of = ""
        self.label = ""
        self.type = ""
        self.bands = BANDS
        self.modifies: list[Any] = []


class Index:
    """Everything the rules in force declare. Nothing in it changes once it is made: others share its parts."""

    def __init__(self) -> None:
        self.programs: list[Any] = []
        self.places: dict[str, int] = {}  # id of a program -> its place among them
        self.declarers: dict[str, Any] = {part: {} for part in PARTS}  # part -> {name -> the programs that declare it}
        self.held: dict[str, Any] = {"attributes": {}, "rows": {}}  # part -> {name -> the declaration that holds}
        self.kinds: dict[str, Any] = {}
        self.attributes: dict[str, Any] = {}
        self.events: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.words: dict[str, Any] = {}  # word that a rule lends -> (function, rule id)
        self.actions: dict[str, Any] = {}
        self.forms: dict[str, Any] = {}  # action -> {field name -> Field}
        self.rows: dict[str, Any] = {}  # catalogue -> {id -> row}
        self.asks: dict[str, Any] = {}  # "kind.name" of an attribute or value -> what it asks
        self.catalogues: dict[str, bool] = {}  # catalogue -> whether its rows are for sale
        self.ordered: dict[Any, Any] = {}  # (catalogue, column) -> its rows in that order, once asked for
        self.markers: list[Any] = []
        self.calendar: dict[str, Any] = {}
        self.absent: dict[str, Any] = {}  # event, value, word or kind -> {name that no rule declares: what holds of it}
        self.births: dict[str, str] = {}  # kind -> the event by which rules hear that a thing of it is made
        self.unasked: dict[str, Any] = {}  # such events, and those that a thing goes: event -> its fields
        self.loud: Any = None  # where no rule answers to events: the index in which they do


def named(program: Any, part: str) -> Any:
    """What a program declares in a part, by name: {name: [declarations]}. Nothing where the part is suspended."""
    if part not in program.by_name:
        found = program.by_name[part] = {}
        for each in getattr(program, part) if not program.suspended or part not in ACTING else ():
            name = each[0] if type(each) is tuple else each["name"] if type(each) is dict else each.key
            found.setdefault(name, []).append(each)
    return program.by_name[part]


def contenders(programs: Any, part: str, name: str) -> Any:
    """What those programs declare under a name: [(program, declaration)], in order of precedence."""
    return in_order([(program, each) for program in programs for each in named(program, part)[name]], name)


def unfit(program: Any, reason: str) -> None:
    """Raise ValueError for a declaration that the rulebook cannot hold; the fault names its rule."""
    world.rule = program.id
    raise ValueError(f"rule {program.id}: {reason}")


def build_index(programs: list[Any], before: Any, moved: Any = None) -> Any:
    """The index of all declarations of these programs, with what it has in common with the one before.

    `moved`: the ids of those that are other ones, have come or have gone, where that is known.
    """
    try:
        return renewed(before, programs, {**before.places, **placed(programs)} if moved is None else moved)
    except ValueError:
        if not before.programs:
            raise
    return renewed(Index(), programs, placed(programs))  # of several that are unfit the first in the book is named


def placed(programs: list[Any]) -> Any:
    """Where each of some programs stands: {id: place}."""
    return {programs[place].id: place for place in range(len(programs))}


def renewed(before: Any, programs: list[Any], ids: Any) -> Any:
    """An index of these programs, in which only what a changed one has to do with is made anew; `ids` has those of all
    that have changed."""
    index = Index()
    alike = len(programs) == len(before.programs) and not [id for id in ids if id not in before.places]
    index.programs, index.places = programs, before.places if alike else placed(programs)
    new, gone = others(index, before, ids), others(before, index, ids)
    moved = [*gone, *new]
    touched = {
        part: {name: True for each in moved if getattr(each, part) for name in named(each, part)} for part in PARTS
    }
    for part in PARTS:
        index.declarers[part] = declared_now(index, before, part, touched[part], gone, new)
    index_things(index, before, touched, new)
    for part in ("asks", "catalogues"):
        setattr(index, part, held(index, part, getattr(before, part), touched[part], lambda program, each: each[1]))
    index.words = held(index, "words", before.words, touched["words"], lambda program, each: (each[1], program.id))
    changed = index_absences(index, before, touched)
    index.actions = held(index, "actions", before.actions, touched["actions"], the_declaration)
    index_events(index, before, touched, changed["event"])
    index_values(index, before, {**touched["values"], **touched["modifies"], **changed["value"]})
    index.markers, index.calendar = before.markers, before.calendar
    if touched["markers"]:
        index.markers = [each for program in declaring_any(index, "markers") for each in program.markers]
    if touched["calendar"]:
        moments = [each for program in declaring_any(index, "calendar") for each in program.calendar]
        index.calendar = {each["name"]: each for each in moments}
    return index


def others(index: Any, before: Any, ids: Any) -> Any:
    """Those of an index's programs, of these ids and in their order, that another index does not have."""
    known = {id: before.programs[before.places[id]] for id in ids if id in before.places}
    mine = [index.programs[place] for place in sorted([index.places[id] for id in ids if id in index.places])]
    return [each for each in mine if known.get(each.id) is not each]


def declared_now(index: Any, before: Any, part: str, touched: Any, gone: Any, new: Any) -> Any:
    """Who declares what in a part: {name: [programs]}, names and programs in the order of the programs."""
    old = before.declarers[part]
    if not touched:
        return old
    out = {program.id: True for program in gone}
    found = {**old, **{name: [each for each in old.get(name, ()) if each.id not in out] for name in touched}}
    for program in new:
        for name in named(program, part):
            found[name].append(program)
    if gone and [(each.id, [*named(each, part)]) for each in gone] == [(each.id, [*named(each, part)]) for each in new]:
        return {**found, **{name: in_place(index, found[name]) for name in touched}}
    for name in touched:
        found[name] = in_place(index, found[name])
    return {name: found[name] for each in index.programs if getattr(each, part) for name in named(each, part)}


def in_place(index: Any, programs: Any) -> Any:
    """Programs, as a list or by their ids, in the order of all."""
    several = [*programs.values()] if type(programs) is dict else programs
    return sorted(several, key=lambda each: index.places[each.id]) if len(several) > 1 else several


def declaring_any(index: Any, part: str) -> Any:
    """All programs that declare anything in a part, in order."""
    return in_place(index, {each.id: each for those in index.declarers[part].values() for each in those})


def held(index: Any, part: str, old: Any, touched: Any, made: Any) -> Any:
    """What is `made` of the program and the declaration that hold, of each name in a part; of untouched names it is
    `old`."""
    if not touched:
        return old
    those = index.declarers[part]
    return with_new(old, those, touched, lambda name: made(*contenders(those[name], part, name)[0]))


def with_new(old: Any, names: Any, touched: Any, made: Any) -> Any:
    """What there is of each of some names, in their order: of those touched it is `made` anew, else it is `old`."""
    order = [*names]
    if order == [*old]:
        return {**old, **{name: made(name) for name in touched if name in old}}
    return {name: made(name) if name in touched else old[name] for name in order}


def index_things(index: Any, before: Any, touched: Any, new: Any) -> None:
    """Enter kinds, their attributes, and the rows of catalogues."""
    for part in ("kinds", "attributes", "rows", "ordered"):
        setattr(index, part, getattr(before, part))
    if touched["kinds"] or touched["absent"]:
        index.kinds = held(index, "kinds", before.kinds, {**touched["kinds"], **touched["absent"]}, the_declaration)
        keep_kinds(index)
    for program in new if not [kind for kind in before.kinds if kind not in index.kinds] else index.programs:
        for attribute in program.attributes:
            if attribute.kind not in index.kinds:
                unfit(program, f"attribute '{attribute.name}' is of an unknown kind '{attribute.kind}'")
    for part in ("attributes", "rows"):
        index.held[part] = held(index, part, before.held[part], touched[part], the_declaration)
    if index.kinds is not before.kinds or touched["attributes"]:
        index.attributes = {kind: {} for kind in index.kinds}
        for attribute in index.held["attributes"].values():
            index.attributes[attribute.kind][attribute.name] = attribute
    if touched["rows"]:
        index.rows, index.ordered = {}, {}
        for _, catalogue, row in index.held["rows"].values():
            index.rows.setdefault(catalogue, {})[row.id] = row


def the_declaration(program: Any, declaration: Any) -> Any:
    """What is held of a name where its declaration is all there is to it."""
    return declaration


def keep_kinds(index: Any) -> None:
    """Keep the kinds that no rule declares any more, where a rule says that what there is of them stays."""
    for program in declaring_any(index, "absent"):
        for of, prefix, names in program.absent:
            for name in names if of == "kind" else ():
                if name not in index.kinds:
                    index.kinds[name] = Kind(name, name.capitalize(), prefix or name + "-", "", "", program.id)
                    index.kinds[name].absent = True


def index_absences(index: Any, before: Any, touched: Any) -> Any:
    """Enter what holds of the names that no rule declares.

    Returns the names whose absence has begun or ended: {"event", "value": {name: True}}.
    """
    parts = ("kinds", "attributes", "events", "values", "words")
    index.absent = before.absent
    other = [part for part in parts if touched[part] and [*before.declarers[part]] != [*index.declarers[part]]]
    if touched["absent"] or other:
        index.absent = {}
        note_absences(index, declaring_any(index, "absent"))
    changed: dict[str, Any] = {"event": {}, "value": {}}
    for of in changed if index.absent is not before.absent else ():
        old, new = before.absent.get(of, {}), index.absent.get(of, {})
        changed[of] = {name: True for name in {**old, **new} if (name in old) != (name in new)}
    return changed


def index_events(index: Any, before: Any, touched: Any, other: Any) -> None:
    """Enter the events, each with the handlers that rules hang on it; `other`: those whose absence has begun or
    ended."""
    index_births(index)
    anew = {**touched["events"], **touched["actions"], **touched["fields"], **other}
    if [*before.unasked] != [*index.unasked]:
        anew.update({"create": True, "destroy": True})
    for one in (before, index):
        ballots = [one.actions[name].ballot for name in anew if name in one.actions]
        anew.update({name: True for name in ballots if name})
        anew.update({name: True for each in [*touched["stations"], *touched["events"]] for name in reached(one, each)})
        fields = {name: [[*each.unasked.get(name, ())] for each in (before, index)] for name in one.unasked}
        anew.update({name: True for name in fields if fields[name][0] != fields[name][1]})
    index.forms, index.events = before.forms, before.events
    if anew:
        index.forms = with_new(before.forms, index.actions, anew, lambda name: form_of(index, name))
        names = (*index.declarers["events"], *index.unasked)
        further = fields_heard(index)
        index.events = with_new(before.events, names, anew, lambda name: planned(index, name, further.get(name, {})))
        missed = index.absent.get("event", {})
        added = index.declarers["fields"]
        for program in in_place(index, {each.id: each for name in anew for each in added.get(name, ())}):
            for name, _ in program.fields:
                if name in anew and name not in index.actions and name not in missed:
                    unfit(program, f"there is no action '{name}'")
        index_stations(index, anew)


def form_of(index: Any, action: str) -> Any:
    """The form of an action: the fields that other rules add, those of the last rule first, and its own."""
    programs, form = index.declarers["fields"].get(action, ()), {}
    for fields in [fields for program in programs for _, fields in named(program, "fields")[action]][::-1]:
        form.update(fields)
    return {**form, **index.actions[action].form}


def planned(index: Any, name: str, further: Any) -> Any:
    """An event as it is declared, with its further fields and those of votes, before anybody answers to it."""
    if name in index.unasked:
        plan = EventPlan(name, "", index.unasked[name], "", "kernel")
        plan.ons, plan.owner, plan.closed = [(perish if name[:7] == "destroy" else bear, "kernel")], "kernel", True
        return plan
    event = contenders(index.declarers["events"][name], "events", name)[0][1]
    form = index.forms[name] if name in index.actions else {}
    sorts = {**further, **{key: form[key].kind for key in form if key not in event.sorts}, **event.sorts}
    plan = EventPlan(name, event.fact, sorts, event.say, event.rule)
    plan.moments, plan.notify, plan.special = event.moments, event.notify, plan.closed or name in index.actions
    return plan


def index_births(index: Any) -> None:
    """Note the events that a thing is made, and that one goes: rules wait for them, and none declares what is called
    so."""
    waiting, known = index.declarers["stations"], index.declarers["events"]
    awaited = {name: True for name in waiting if name not in known and name.partition("-")[0] in ("create", "destroy")}
    kinds = [each.name for each in index.kinds.values() if each.rule != "kernel"] if awaited else []
    for kind in kinds:
        own = "create-" + kind
        if "create" in awaited or own in awaited:
            name = index.births[kind] = "create " + kind if own in known else own  # rules have an event of that name
            fields = {each: "" for each in index.attributes[kind] if each not in UNBENT}
            index.unasked[name] = {**fields, "kind": "", "id": "", "given": "", "thing": kind, kind: kind}
    for kind in ["", *kinds] if kinds else ():
        name = "destroy-" + kind if kind else "destroy"
        if name in awaited:
            index.unasked[name] = {kind or "thing": kind}


def reached(index: Any, event: str) -> Any:
    """The events that a station names: "*" every action, `create` that a thing is made, `create-flag` one of a kind."""
    if event == "*":
        return [*index.actions]
    word, _, only = event.partition("-")
    if word != "create" or event in index.declarers["events"]:
        return [event]
    return [index.births.get(only, event)] if only else [*index.births.values()] or [event]


def index_stations(index: Any, anew: Any) -> None:
    """Hang the handlers on these events."""
    waiting, missed = index.declarers["stations"], index.absent.get("event", {})
    named_so = {**anew, **{"create-" + kind: True for kind in index.births}, "create": True, "*": True}
    programs = in_place(index, {each.id: each for name in named_so for each in waiting.get(name, ())})
    found: dict[Any, Any] = {}
    heard = [each[0] for program in index.programs for each in program.stations]
    many = {event: len(reached(index, event)) for event in {each: True for each in heard}}
    if sum([many[event] for event in heard]) > MOST_HEARD:
        unfit(programs[-1], f"more than {MOST_HEARD} handlers: each counts once for each event that it answers to")
    for program in programs:
        for event, station, function, per in program.stations:
            for name in reached(index, event) if event in named_so else ():
                if name in missed or name not in anew:
                    continue
                if name not in index.events:
                    unfit(program, f"there is no event '{name}'")
                if may_hear(index, program, event, name, station):
                    if per and per not in index.events[name].sorts:
                        unfit(program, f"event '{name}' has no field '{per}'")
                    found.setdefault((name, station), []).append((program, function, per))
    for name, station in found:
        plan, entries = index.events[name], in_order(found[(name, station)], name)
        spend(len(entries))
        heard = [(each[1], each[0].id, each[2])[: 3 if station == "instead" else 2] for each in entries]
        setattr(plan, station + "s", heard)
        plan.owner = heard[0][1] if station == "on" else plan.owner
        plan.bare, plan.guarded = False, plan.guarded or station in ("check", "instead")


def may_hear(index: Any, program: Any, event: str, name: str, station: str) -> bool:
    """Whether a rule that waits for an event (or "*") answers to the one of that name.

    Raises ValueError for the Admin's own acts, which are beyond the reach of rules.
    """
    if program.id == "kernel":
        return True
    if name in BEYOND or (name in NEVER_PREVENTED and station in ("check", "instead")):
        return False
    action = index.actions.get(name)
    if action is not None and action.rule == "kernel" and action.by == "admin":
        if event == "*":
            return False
        if station != "after" or name in ("pause", "resume"):
            unfit(program, f"'{name}' is beyond the reach of rules")
    return True


def index_values(index: Any, before: Any, anew: Any) -> None:
    """Find the definition of each value that holds, and what modifies it."""
    index.values = before.values
    if not anew:
        return
    defined, modified = index.declarers["values"], index.declarers["modifies"]
    for name in anew:
        if name in modified and name not in defined and name not in index.absent.get("value", {}):
            unfit(contenders(modified[name], "modifies", name)[0][0], f"there is no value '{name}'")
    index.values = with_new(before.values, defined, anew, lambda name: valued(index, name))


def valued(index: Any, name: str) -> Any:
    """The plan of a value."""
    plan = ValuePlan(name)
    for program, (_, function, of, bands, label, type) in contenders(index.declarers["values"][name], "values", name):
        plan.bands = plan.bands if plan.definitions or not bands else tuple(bands)
        plan.definitions.append((function, program.id))
        plan.of, plan.label, plan.type = plan.of or of, plan.label or label, plan.type or type
    entries = contenders(index.declarers["modifies"].get(name, ()), "modifies", name)
    plan.modifies = [(function, program.id, show) for program, (_, function, show) in entries]
    return plan


def quieted(index: Any, silent: str) -> Any:
    """The same index, but that one rule does not answer to events, or (`silent` "") only the kernel does."""
    quiet = copy(index)
    quiet.loud, quiet.events = index.loud or index, {}
    for name, plan in index.events.items():
        quiet.events[name] = plan if plan.bare else quieted_plan(plan, silent, name in index.actions)
    return quiet


def quieted_plan(plan: Any, silent: str, action: bool) -> Any:
    """The same event without those who are silent; what an action does stays, unless all rules are."""
    quiet = EventPlan(plan.name, plan.fact, plan.sorts, plan.say, plan.rule)
    for station in ("checks", "insteads", "ons", "afters"):
        stays = silent and station == "ons" and action
        those = getattr(plan, station)
        heard = [each for each in those if stays or (each[1] != silent if silent else each[1] == "kernel")]
        setattr(quiet, station, heard)
    quiet.owner, quiet.special = quiet.ons[0][1] if quiet.ons else plan.rule, plan.special
    quiet.guarded = len(quiet.checks) + len(quiet.insteads) > 0
    quiet.bare = not (quiet.guarded or quiet.ons or quiet.afters)
    return quiet

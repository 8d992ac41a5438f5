"""What the rules declare, and the index of it: who answers to which event, in which order.

Loading a rule's code fills its Program; `build_index` sorts the declarations of all programs by precedence (I.3 of the
games): a stated `overrides` or `defers_to` first, then the older present form, then the lower number.
"""

from copy import copy
from typing import Any

from nomopoly.kernel.absence import note_absences
from nomopoly.kernel.beyond import BEYOND, CLOSED, NEVER_PREVENTED
from nomopoly.kernel.budgets import MOST_MOMENT, MOST_NUMBER
from nomopoly.kernel.casting import let_hear
from nomopoly.kernel.precedence import in_order, note_clashes
from nomopoly.kernel.things import KEPT, UNBENT, bear, perish, sorts_of
from nomopoly.kernel.world import world

BANDS = ("set", "factor", "percent", "add", "at_least", "at_most")


class Program:
    """The declarations of one rule (or of a commons module)."""

    def __init__(self, id: str, since: int) -> None:
        self.id = id
        self.since = since
        self.names: dict[str, Any] = {}  # the namespace its code ran in
        self.stations: list[Any] = []  # (station, event, function, per)
        self.events: list[Any] = []  # EventPlans declared here
        self.attributes: list[Any] = []
        self.kinds: list[Any] = []
        self.values: list[Any] = []  # (name, function, of, bands, label, type)
        self.modifies: list[Any] = []  # (name, function, show)
        self.actions: list[Any] = []
        self.markers: list[Any] = []
        self.rows: list[Any] = []  # (catalogue and id, catalogue, row)
        self.fields: list[Any] = []  # (action, fields added to its form)
        self.asks: list[Any] = []  # ("kind.name" of an attribute or value, what it asks: see `asking`)
        self.catalogues: list[Any] = []  # (catalogue, whether its rows are for sale)
        self.words: list[Any] = []  # (name, function) lent to all rules
        self.absent: list[Any] = []  # (event, value, word or kind; what holds; names)
        self.own: list[str] = []  # the names that its code gives a meaning, if it lends words
        self.suspended = False  # declared, but nothing of it acts
        self.calendar: list[Any] = []
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
        self.page = page  # whether its things have pages of their own
        self.named = named
        self.prefix = prefix
        self.numbered = numbered
        self.rule = rule
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
    """Everything the rules in force declare."""

    def __init__(self) -> None:
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
        self.clashes: list[Any] = []
        self.absent: dict[str, Any] = {}  # event, value, word or kind -> {name that no rule declares: what holds of it}
        self.births: dict[str, str] = {}  # kind -> the event by which rules hear that a thing of it is made
        self.loud: Any = None  # where no rule answers to events: the index in which they do


def group(programs: list[Any], part: str) -> dict[str, Any]:
    """A part of all programs by name: {name: [(program, declaration)]}, each list in precedence order."""
    groups: dict[str, Any] = {}
    for program in programs:
        for declaration in getattr(program, part):
            name = declaration[0] if type(declaration) is tuple else declaration.key
            groups.setdefault(name, []).append((program, declaration))
    return {name: in_order(groups[name], name) for name in groups}


def holding(index: Any, programs: list[Any], part: str, clash: str = "") -> Any:
    """Of each name the declaration that holds, [(name, declaration, program)]; others of it are noted as a `clash`."""
    found = []
    for name, entries in group(programs, part).items():
        program, declaration = entries[0]
        found.append((name, declaration, program))
        if clash:
            note_clashes(index, clash, name, entries)
    return found


def unfit(program: Any, reason: str) -> None:
    """Raise ValueError for a declaration that the rulebook cannot hold; the fault names its rule."""
    world.rule = program.id
    raise ValueError(f"rule {program.id}: {reason}")


def keep_kinds(index: Any, programs: list[Any]) -> None:
    """Keep the kinds that no rule declares any more, where a rule says that what there is of them stays."""
    for program in programs:
        for of, prefix, names in program.absent:
            for name in names if of == "kind" else ():
                if name not in index.kinds:
                    index.kinds[name] = Kind(name, name.capitalize(), prefix or name + "-", "", "", program.id)
                    index.kinds[name].absent = True


def build_index(programs: list[Any]) -> Any:
    """Make the index of all declarations of these programs."""
    index = Index()
    for name, kind, _ in holding(index, programs, "kinds"):
        index.kinds[name] = kind
    keep_kinds(index, programs)
    index.attributes = {kind: {} for kind in index.kinds}
    for program in programs:
        for attribute in program.attributes:
            if attribute.kind not in index.kinds:
                unfit(program, f"attribute '{attribute.name}' is of an unknown kind '{attribute.kind}'")
    for _, attribute, _ in holding(index, programs, "attributes", "attribute"):
        index.attributes[attribute.kind][attribute.name] = attribute
    for name, event, _ in holding(index, programs, "events", "event"):
        index.events[name] = EventPlan(name, event.fact, event.sorts, event.say, event.rule)
        index.events[name].moments, index.events[name].notify = event.moments, event.notify
    for _, (_, catalogue, row), _ in holding(index, programs, "rows", "row"):
        index.rows.setdefault(catalogue, {})[row.id] = row
    index.asks = {key: asked for key, (_, asked), _ in holding(index, programs, "asks")}
    index.catalogues = {name: for_sale for name, (_, for_sale), _ in holding(index, programs, "catalogues")}
    acting = [program for program in programs if not program.suspended]
    for program in programs:
        for definition in program.values:
            index.values[definition[0]] = None  # which definition holds is found below
    for name, (_, function), program in holding(index, programs, "words", "word"):
        index.words[name] = (function, program.id)
    note_absences(index, programs)
    for name, action, _ in holding(index, acting, "actions"):
        index.actions[name], index.forms[name] = action, action.form
        index.events[name].special = True
    for program in acting:
        for name, fields in program.fields:
            if name not in index.actions and name in index.absent.get("event", {}):
                continue
            if name not in index.actions:
                unfit(program, f"there is no action '{name}'")
            index.forms[name] = {**fields, **index.forms[name]}
            plan = index.events[name]
            plan.sorts = {**{key: fields[key].kind for key in fields}, **plan.sorts}
            plan.fields = tuple(plan.sorts)
    let_hear(index)
    index_stations(index, acting)
    index_values(index, programs)
    for program in acting:
        index.markers.extend(program.markers)
        for moment in program.calendar:
            index.calendar[moment["name"]] = moment
    return index


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
        handlers = getattr(plan, station)
        heard = [each for each in handlers if stays or (each[1] != silent if silent else each[1] == "kernel")]
        setattr(quiet, station, heard)
    quiet.owner, quiet.special = quiet.ons[0][1] if quiet.ons else plan.rule, plan.special
    quiet.guarded = len(quiet.checks) + len(quiet.insteads) > 0
    quiet.bare = not (quiet.guarded or quiet.ons or quiet.afters)
    return quiet


def waited_for(index: Any, event: str) -> list[str]:
    """The events that a station names: "*" every action, `create` that a thing is made, `create-flag` one of a kind.

    The latter two are events where a rule waits for them, unless rules declare what is called so. So are `destroy` and
    `destroy-flag`, that a thing goes.
    """
    if event == "*":
        return list(index.actions)
    word, _, only = event.partition("-")
    if word not in ("create", "destroy"):
        return [event]
    kinds = [each.name for each in index.kinds.values() if each.rule != "kernel" and only in ("", each.name)]
    if word == "destroy" and event not in index.events and kinds:
        field = only or "thing"
        plan = index.events[event] = EventPlan(event, "", {field: only}, "", "kernel")
        plan.ons, plan.owner, plan.closed = [(perish, "kernel")], "kernel", True
    if word != "create" or (event in index.events and event not in index.births.values()) or not kinds:
        return [event]
    for kind in [each for each in kinds if each not in index.births]:
        name = "create-" + kind
        name = "create " + kind if name in index.events else name  # rules have an event of that name
        fields = {each: "" for each in index.attributes[kind] if each not in UNBENT}
        fields = {**fields, "kind": "", "id": "", "given": "", "thing": kind, kind: kind}
        plan = index.events[name] = EventPlan(name, "", fields, "", "kernel")
        plan.ons, plan.owner, plan.closed = [(bear, "kernel")], "kernel", True
        index.births[kind] = name
    return [index.births[kind] for kind in kinds]


def index_stations(index: Any, programs: list[Any]) -> None:
    """Hang the handlers on their events."""
    stations: dict[Any, Any] = {}
    for program in programs:
        for station, event, function, per in program.stations:
            for name in waited_for(index, event):
                if name in index.absent.get("event", {}):
                    continue
                if name not in index.events:
                    unfit(program, f"there is no event '{name}'")
                if program.id != "kernel" and (
                    name in BEYOND or (name in NEVER_PREVENTED and station in ("check", "instead"))
                ):
                    continue
                if name in index.actions and index.actions[name].rule == "kernel" and program.id != "kernel":
                    if event == "*" and index.actions[name].by == "admin":
                        continue  # the Admin's own acts are beyond the reach of rules
                    if index.actions[name].by == "admin" and (station != "after" or name in ("pause", "resume")):
                        unfit(program, f"'{name}' is beyond the reach of rules")
                if per and per not in index.events[name].sorts:
                    unfit(program, f"event '{name}' has no field '{per}'")
                stations.setdefault((name, station), []).append((program, function, per))
    for name, station in stations:
        entries = in_order(stations[(name, station)], name)
        plan = index.events[name]
        plan.bare = False
        heard = [(each[1], each[0].id, each[2])[: 3 if station == "instead" else 2] for each in entries]
        setattr(plan, station + "s", heard)
        if station == "on":
            plan.owner = heard[0][1]
            note_clashes(index, "on", name, entries)
        plan.guarded = len(plan.checks) + len(plan.insteads) > 0


def index_values(index: Any, programs: list[Any]) -> None:
    """Find the definition of each value that holds, and what modifies it."""
    for name, entries in group(programs, "values").items():
        plan = index.values[name] = ValuePlan(name)
        for program, (_, function, of, bands, label, type) in entries:
            plan.bands = plan.bands if plan.definitions or not bands else tuple(bands)
            plan.definitions.append((function, program.id))
            plan.of, plan.label, plan.type = plan.of or of, plan.label or label, plan.type or type
        note_clashes(index, "value", name, entries)
    for name, entries in group([each for each in programs if not each.suspended], "modifies").items():
        if name in index.absent.get("value", {}):
            continue
        if name not in index.values:
            unfit(entries[0][0], f"there is no value '{name}'")
        index.values[name].modifies = [(function, program.id, show) for program, (_, function, show) in entries]

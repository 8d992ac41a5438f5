"""Events and their four stations: check, instead, on, after."""

from typing import Any

from nomopoly.kernel.absence import is_absent
from nomopoly.kernel.beyond import CAUSE, OFFICIAL
from nomopoly.kernel.budgets import (
    FREE,
    MOST_EVENTS,
    MOST_FACTS,
    MOST_NESTED,
    MOST_NEWS,
    TOO_MUCH_TOLD,
    exhausted,
    spend,
    tell_of,
)
from nomopoly.kernel.index import EventPlan
from nomopoly.kernel.sorts import fit_for_log, fit_news
from nomopoly.kernel.things import UNBENT, Thing, beginning, create, declared, destroy, plain
from nomopoly.kernel.world import (
    SPOKEN,
    covers,
    in_words,
    mark_entry,
    refuse,
    roll_back,
    savepoint,
    with_article,
    world,
    writable,
)


class Event:
    """Something that happens: its declared fields, `trail` (the events that caused it) and `via` (what bent it)."""

    via: Any = ()
    result: Any = None  # what `@on` returned, for `@after`

    def __init__(self, plan: Any, fields: Any, trail: Any) -> None:
        self.name = self._event = plan.name
        self.trail = trail
        self.rule = world.rule  # the rule that made it happen
        for field in plan.fields:
            setattr(self, field, fields.get(field))

    def __repr__(self) -> str:
        return self._event

    def but(self, **changes: Any) -> Any:
        """The same event with other fields."""
        return bent(self, plan_of(self), {**fields_of(self), **changes})

    def to(self, name: str, **fields: Any) -> Any:
        """Another event in place of this one."""
        plan = plan_for_rules(name)
        return None if plan is None else bent(self, plan, fields)  # without that event it stays as it is

    def caused_by(self, name: str) -> bool:
        """Whether an event of that name is among its causes."""
        return name in [cause._event for cause in self.trail]


SPOKEN.append(Event)
MOST_ASKED = 8  # sets of fields that are remembered of an event


NOTHING = EventPlan("", "", {}, "", "")


def plan_of(e: Any) -> Any:
    """The declaration of an event with its handlers: out of the reach of rules, so not an attribute of the event."""
    return world.index.events[e._event]


def plan_for_rules(event: str) -> Any:
    """The declaration of an event that a rule names; None where rules say that it is absent. Raises ValueError for
    others."""
    plan = world.index.events.get(event)
    if plan is None and not is_absent("event", event):
        raise ValueError(f"there is no event '{event}'")
    if plan is not None and plan.closed:
        raise ValueError(f"'{event}' is beyond the reach of rules")
    return plan


def has_fields(plan: Any, given: Any) -> None:
    """Raise ValueError unless an event has all these fields."""
    for field in given:
        if field not in plan.sorts:
            raise ValueError(f"event '{plan.name}' has no field '{field}'")


def fields_of(e: Any) -> Any:
    """An event's fields as a dict."""
    return {field: getattr(e, field) for field in plan_of(e).fields}


def bent(e: Any, plan: Any, fields: Any) -> Any:
    """A new event that takes the place of `e`."""
    has_fields(plan, fields)
    other = Event(plan, fields, e.trail)
    other.via = (*e.via, world.rule)
    return other


def do(event: Any, may: bool = False, **fields: Any) -> Any:
    """Make an event happen. Returns what its `@on` returns.

    If it is refused, the whole action is undone; with `may=True` only the event is, and `do` says whether it happened.
    `event` may be a row of a catalogue with a column `event`: that event, in the name of the rule that declares the
    row.
    """
    w = world
    if type(event) is not str:
        return do_row(event, may, fields)
    if w.reading:
        writable()
    plan = w.index.events.get(event)
    if plan is None:
        if is_absent("event", event):
            return w.index.absent["event"][event]
        raise ValueError(f"there is no event '{event}'")
    given = tuple(fields)
    if given not in plan.asked:
        has_fields(plan, given)
        if len(plan.asked) < MOST_ASKED:
            plan.asked[given] = True
    if plan.special:
        if plan.closed:
            raise ValueError(f"'{event}' is beyond the reach of rules")
        if event in w.index.actions and fields.get("who") is not w.actor and w.rule != w.index.actions[event].rule:
            return do_for_another(plan, may, fields)
    return attempt(plan, fields) if may and not plan.bare else happen(plan, fields)


def do_for_another(plan: Any, may: bool, fields: Any) -> Any:
    """An action that a rule starts for somebody who has not ordered it: what is told of it says which rule did."""
    w = world
    rule, place = w.rule, len(w.facts)
    result = attempt(plan, fields) if may and not plan.bare else happen(plan, fields)
    if len(w.facts) > place and w.facts[place]["event"] == plan.name:
        mark_entry(made_by=[*w.entry.made_by, (w.facts[place], rule or "")])
    return result


def do_row(row: Any, may: bool, fields: Any) -> Any:
    """What a row says, in the name of its rule if it is a row of a rule in force: no rule is named in vain."""
    w = world
    before, program = w.rule, w.programs.get(row.rule)
    if program is not None and [each for _, _, each in program.rows if each is row]:
        w.rule = row.rule
    result = do(row.event, may, **fields)
    w.rule = before
    return result


def do_each(event: str, field: str, contents: Any, **fields: Any) -> None:
    """Make an event happen for each of several contents (a list or tuple) of one of its fields, one after the other."""
    w = world
    before = len(w.facts)
    spend(len(contents))
    plan = w.index.events.get(event)
    # But for the field, all say the same.
    alike = contents[1:] if plan is not None and plan.bare and None not in contents else []
    for content in contents[:1] if alike else contents:
        do(event, **{**fields, field: content})
    w.count += len(alike)
    if len(w.facts) > before:
        like = w.facts[before]
        for content in alike:
            another = {**like}
            another[field] = content.id if type(content) is Thing else plain(content)
            w.facts.append(another)


def unwatched(*events: str) -> bool:
    """Whether no rule has to do with these events but that one declares them: all that comes of them is facts."""
    known = world.index.events
    for event in events:
        if event not in known or not known[event].bare:
            return False
    return True


def can_happen(event: str) -> bool:
    """Whether a rule in force declares an event of that name."""
    return event in world.index.events


def attempt(plan: Any, fields: Any) -> bool:
    """Carry an event out if nothing refuses it; True if it happened."""
    mark, telling = savepoint(), world.telling
    world.declined = None
    try:
        return happen(plan, fields) is not False
    except FileExistsError:
        if world.refusal is None or world.refusal[0] == "rolls":
            raise
        world.declined, world.refusal = world.refusal[0], None
        roll_back(mark)
        world.telling = telling
        return False


def happen(plan: Any, fields: Any) -> Any:
    """Take an event through its stations. Returns the result of `@on`, False if it was prevented."""
    w = world
    w.count += 1
    if w.count > MOST_EVENTS:
        paradox()
    rule = w.rule
    if plan.bare:  # all that follows is a fact
        if plan.fact and (w.wanted is None or plan.fact in w.wanted):
            w.facts.append(told(plan.fact, plan.name, rule or plan.owner, fields))
        return True
    cause = w.event
    trail = cause.trail + (cause,) if cause is not None else ()
    if len(trail) >= MOST_NESTED:
        paradox()
    e = Event(plan, fields, trail)
    if plan.guarded:
        e = settle(e, plan)
        if e is False:
            return False
        if e.via:
            plan = plan_of(e)
            fields = fields_of(e)
    outer, level, telling, what = w.fact, w.level, w.telling, plan.fact
    if what:
        w.telling = True
        w.fact = {}
        if w.wanted is None or what in w.wanted:
            w.fact = told(what, plan.name, rule or plan.owner, fields)
            w.facts.append(w.fact)
        w.level = level + 1
    w.event = e
    index, result = w.index, None
    if plan.ons:
        function, w.rule = plan.ons[0]
        result = function(e)
    if w.index is not index:  # the event changed the rules: what follows from it follows by the new ones
        plan = w.index.events.get(plan.name, NOTHING)
    if plan.afters:
        w.telling = False
        e.result = result
        for function, w.rule in plan.afters:
            function(e)
    w.telling = telling
    w.event, w.rule = cause, rule
    w.fact, w.level = outer, level
    return True if result is None else result


def told(what: str, event: str, rule: str, fields: Any) -> Any:
    """What the log says of something."""
    fact = {"what": what, "event": event, "depth": world.level, "rule": rule}
    for field, content in fields.items():
        sort = type(content)
        if sort is Thing:
            fact[field] = content.id
        elif sort is int or (sort is str and len(content) <= FREE):
            fact[field] = content
        elif content is not None:
            fact[field] = plain(tell_of(content))
    return fact


def paradox() -> None:
    """Break off a chain of events without end; the rule that stands in it most often is named."""
    w = world
    tally: dict[str, int] = {}
    causes = (*w.event.trail, w.event) if w.event is not None else ()
    for rule in (*[cause.rule for cause in causes], w.rule):
        if rule:
            tally[rule] = tally.get(rule, 0) + 1
    if tally:
        most = max(tally.values())
        w.rule = [rule for rule in tally if tally[rule] == most][-1]
    raise ValueError("paradox: the rules set off one event after another without end")


def settle(e: Any, plan: Any) -> Any:
    """Ask the checks and replacements of an event until it stands. Returns it, or False if it is prevented."""
    w = world
    rule = w.rule
    w.reading += 1
    asked: dict[Any, bool] = {}
    while True:
        w.count += 1
        if w.count > MOST_EVENTS:
            paradox()
        if plan.checks:
            ask_checks(e, plan)
        other = next_replacement(e, plan, asked) if plan.insteads else None
        if other is None:
            break
        e = other
        if e is False:
            break
        if len(e.via) > MOST_NESTED:
            paradox()
        plan = plan_of(e)
    w.reading -= 1
    w.rule = rule
    return e


def ask_checks(e: Any, plan: Any) -> None:
    """Refuse the event if a check says no that no stated override defeats."""
    w = world
    noes = ayes = ()
    for function, w.rule in plan.checks:
        answer = function(e)
        if answer is True:
            ayes = (*ayes, w.rule)
        elif answer is not None and answer is not False:
            noes = (*noes, (answer, w.rule))
    for reason, owner in noes:
        if not [aye for aye in ayes if says_over(aye, owner)]:
            w.rule = owner
            refuse(reason)


def says_over(rule: str, other: str) -> bool:
    """Whether a rule states that it overrides another, or that other that it defers."""
    known = world.programs
    stated = [(id, other) for id in (known[rule].overrides if rule in known else ())]
    stated += [(id, rule) for id in (known[other].defers_to if other in known else ())]
    return bool([id for id, about in stated if covers(id, about)])


def next_replacement(e: Any, plan: Any, asked: dict[Any, bool]) -> Any:
    """The event that the first replacement not yet asked makes of it, False if prevented, None if none applies."""
    for function, owner, per in plan.insteads:
        key = (owner, plan.name, repr(plain(getattr(e, per))) if per else "")
        if key not in asked:
            asked[key] = True
            world.rule = owner
            other = function(e)
            if other is False or other is not None:
                return other
    return None


def note(**details: Any) -> None:
    """Add details to the fact of the event being carried out."""
    if world.reading:
        writable()
    fact = world.fact
    if fact is None:
        raise ValueError("there is no fact to add to here")
    plan, asked = None, ()  # of an event of which another rule says this
    if not world.telling:
        plan = world.index.events.get(fact.get("event", ""))  # where nobody wants the fact, nothing is in it
        if plan is not None and world.rule in (plan.owner, plan.rule):
            plan = None
        asked = fields_also_asked(plan.name) if plan is not None else ()
    fit_for_log(details)
    for name, content in details.items():
        others = plan is not None and name not in asked and (name == "only" or name in fact or name in plan.sorts)
        if name in CAUSE or others:
            raise ValueError(
                f"'{name}' says what happened by '{fact['event']}': it is not for rule {world.rule} to say"
            )
        fact[name] = content if type(content) is int else plain(tell_of(content))


def fields_also_asked(action: str) -> Any:
    """The fields that the rule that runs has added to the form of an action."""
    program = world.programs.get(world.rule)
    return [field for name, form in (program.fields if program is not None else ()) if name == action for field in form]


def fact(what: str, **details: Any) -> None:
    """Put a fact of its own into the log, with the rule that runs as its cause."""
    writable()
    if len(world.facts) >= MOST_FACTS:
        exhausted(TOO_MUCH_TOLD)
    wrong = [name for name in details if name in CAUSE]
    wrong += [what] if what in OFFICIAL and world.rule != "kernel" else []
    if wrong:
        raise ValueError(f"'{wrong[0]}' in the log is not for rules to say: it is what the game itself records")
    fit_for_log({"what": what, **details})
    world.facts.append(told(what, "", world.rule or "", details))


def tell(who: Any, text: str) -> None:
    """News: to a player, to several (a tuple), or to all (None)."""
    fit_news(who, text)
    text = in_words(tell_of(text))
    if len(text) > MOST_NEWS:
        exhausted(f"too long: news has at most {MOST_NEWS} characters")
    fact("told", text=text, only=(who,) if who is not None and type(who) is not tuple else who)


def actor() -> Any:
    """The player who gave the order being carried out; None on the clock and for the Admin."""
    return world.actor


def create_by_rules(kind: str, id: Any = None, **attributes: Any) -> Any:
    """Make a new thing and return it: `create("flag", owner=e.who)`. Attributes not given have their defaults.

    Rules that wait for `create-flag`, or for `create`, can refuse it, bend it or follow it: the attributes are fields
    of that event, and `e.thing` is the new thing in `@after`. Its id is given, or made by its kind: `#7`, `flag-3`.
    """
    name = world.index.births.get(kind)
    if name is None:
        return create(kind, id, **attributes)
    writable()
    plan = world.index.events[name]
    for attribute in attributes:
        if attribute not in declared(kind) and not is_absent(kind, attribute):
            raise ValueError(f"a {kind} has no attribute '{attribute}'")
    begins = beginning(kind, attributes)
    world.maker = world.rule
    own = tuple([(each, begins[each]) for each in begins if each in UNBENT or each == kind])
    made = happen(plan, {**begins, "thing": None, kind: None, "kind": kind, "id": id, "given": own})
    if made is False:
        refuse(f"a rule prevents that {with_article(kind)} is made")
    return made if type(made) is Thing else None


def destroy_by_rules(thing: Any) -> None:
    """Take a thing out of the game for good: by the event `destroy-<kind>` with the field `<kind>`, or by `destroy`
    with the field `thing`, where rules declare one of them; rules can hear both without that."""
    e = world.event
    fields = (("destroy-" + thing.kind, thing.kind), ("destroy", "thing"))
    plans = [(world.index.events[name], field) for name, field in fields if name in world.index.events]
    unmade = [plan for plan, _ in plans if plan.rule == "kernel"]  # none declares it, and a rule hears it
    causes = () if e is None else (*e.trail, e) if unmade else (e,)
    for plan, field in plans:
        if field in plan.sorts:
            if not [each for each in causes if each._event == plan.name and getattr(each, field) is thing]:
                if plan in unmade:
                    happen(plan, {field: thing})
                else:
                    do(plan.name, **{field: thing})
                return
            if not unmade:
                break
    destroy(thing)

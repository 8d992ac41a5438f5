"""Forms: the actions of a viewer, what each asks for, and whether it is possible now.

Written in the sandbox dialect, and loaded after the kernel into the same namespace.
"""

from typing import Any

from nomopoly.kernel.budgets import (
    MOST_NUMBER,
    begin_budget,
    check_budget,
)
from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.dice import begin_draws
from nomopoly.kernel.fields import choices_of, default_of
from nomopoly.kernel.orders import give_order, net_changes
from nomopoly.kernel.things import Thing, declared, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.world import mark_entry, refuse, roll_back, savepoint, world
from nomopoly.runtime.older import (
    is_wanted,
    marks_of,
)
from nomopoly.runtime.views import MOST_REASON, in_line, line_of, read_safely, sees, shown_as

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
    """Do something and undo it. Returns (refusal, facts, changes): refusal is (reason, rule) or None.

    Where a rule breaks it raises what that raised, and `world.rule` is that rule.
    """
    w = world
    mark = savepoint()
    begin_budget()
    kept = (w.open_draws, w.hidden_draws, w.forced, w.first_draw, w.count)
    begin_draws({})
    w.count = 0
    mark_entry(casting=True)
    refusal = None
    try:
        step()
    except FileExistsError:
        refusal = w.refusal
    except Exception:
        broken, w.refusal = w.rule, None
        w.open_draws, w.hidden_draws, w.forced, w.first_draw, w.count = kept
        mark_entry(casting=False)
        roll_back(mark)
        w.rule = broken
        raise
    check_budget()
    facts = w.facts[mark[1] :]
    changes = net_changes(w.undo[mark[0] :])
    w.refusal = None
    roll_back(mark)
    w.open_draws, w.hidden_draws, w.forced, w.first_draw, w.count = kept
    mark_entry(casting=False)
    return (refusal, facts, changes)


def known_to(viewer: str, choice: Any) -> bool:
    """Whether a viewer may know of a choice: of a thing of which there is something to see, or of no thing at all."""
    attributes = declared(choice.kind) if type(choice) is Thing else {}
    for each in attributes.values():
        if sees(viewer, each.show, choice):
            return True
    return not attributes


def known_among(viewer: str, choices: Any) -> Any:
    """Those of some choices of which a viewer may know, see `known_to`."""
    open_kinds: dict[str, bool] = {}  # whether everybody sees something of each thing of a kind
    known = []
    for choice in choices:
        if type(choice) is Thing:
            kind = choice.kind
            if kind not in open_kinds:
                shows = [each.show for each in declared(kind).values()]
                open_kinds[kind] = not shows or [show for show in shows if "all" in show] != []
            if not open_kinds[kind] and not known_to(viewer, choice):
                continue
        known.append(choice)
    return known


def labelled(viewer: str, choices: Any, called: Any = None) -> Any:
    """Choices of a form as data. `called`: a function of a word that can be chosen, what its rule calls it."""
    named: dict[str, Any] = {}  # kind -> the attributes by which its things are called, and who sees these
    labels = []
    for each in choices:
        if type(each) is not Thing:
            id = each if type(each) in (str, bool) else shown_as(each) if type(each) is int else line_of(each)
            said = read_safely(lambda: called(each)) if called is not None else None
            labels.append({"id": id, "label": line_of(said or each)})
            if said:
                labels[-1]["called"] = True  # by its rule: pages say it so
            continue
        kind, title = each.kind, None
        if kind not in named:
            attributes = declared(kind)
            named[kind] = [(name, attributes[name].show) for name in ("title", "name") if name in attributes]
        for name, show in named[kind]:
            content = getattr(each, name)
            if content is not None and sees(viewer, show, each):
                title = content
        labels.append({"id": each.id, "label": line_of(f"{each.id} {in_line(title)}") if title else each.id})
    return labels


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
    asking = rows_that_ask()
    for action in world.index.actions.values():
        if action.by in (by, "both") and (only is None or action.name in only):
            found.append(describe_action(action, None if by == "admin" else who, bare, untried, asking))
    return found


class Unread:
    """An order of which is known whose it is, and nothing else: a check that asks for a field breaks.

    An event has words of its own (`to`, `name`), which would answer for a field that is called so.
    """

    via: Any = ()
    trail: Any = ()

    def __init__(self, who: Any) -> None:
        self.who = who

    def caused_by(self, name: str) -> bool:
        """Whether an event of that name is among its causes."""
        return False


class Sample:
    """What an action is tried with, field by field, to see whether it is possible."""

    def __init__(self) -> None:
        self.usual: dict[str, Any] = {}  # what stands in the form, or the first choice
        self.others: Any = [{}]  # other choices, put together
        self.several = False  # whether that is a list of them
        self.made_up: dict[str, Any] = {}  # what nobody has said yet
        self.lacking = ""  # why there is nothing in a field in which one has to choose
        self.unsaid = False  # whether a player would have to say something first
        self.chosen: Any = []  # the fields with several things to choose from
        self.about: Any = None  # the thing that is refused for this reason, where others are refused for other ones

    def take(self, field: Any, name: str, choices: Any, default: Any, listed: bool) -> None:
        """Add a field: its choices are `listed`, and `default` stands in the form."""
        if default is None and not field.optional and choices and field.sort != "anything":
            default = plain(choices[0])
        limited = field.kind or field.choices is not None
        if default is None and not field.optional and listed and limited and not choices:
            nothing = f"there is no {what_is_chosen(field, name)} to choose from"
            self.lacking = self.lacking or (field.otherwise if field.sort == "thing" else "") or nothing
            self.several = field.sort == "anything"
        alone = choices[:MOST_TRIED] if field.sort != "anything" else ()
        self.chosen = [*self.chosen, name] if len(alone) > 1 and field.sort == "thing" else self.chosen
        several = [{**each, name: plain(choice)} for choice in alone for each in self.others]
        self.others = (several or self.others)[:MOST_TRIED]
        if default is None and field.sort in MADE_UP:
            self.made_up[name] = MADE_UP[field.sort]
        if default is None and (field.sort not in MADE_UP or field.sort == "goods" or not field.optional):
            self.unsaid = self.unsaid or field.sort not in ("thing", "choice", "yesno")
        if default is None and not field.optional:
            usual: Any = {"number": field.least or 0, "thing": "game", "code": "", "goods": {}, "moment": world.now}
            default = usual.get(field.sort, "x")
        if default is not None:
            self.usual[name] = default

    def refusal(self, who: Any, action: Any) -> Any:
        """Why the action is not possible: (reason, rule), or (None, None)."""
        if self.lacking:
            none = (self.lacking, action.rule)
            return (unread_refusal(who, action) if self.several else None) or none
        reason, rule = refusal_of(who, action, self.usual)
        if rule == action.rule and self.unsaid:  # it may be what was made up here that the rule does not like
            return self.refused_anyway(who, action)
        if reason and self.made_up and refusal_of(who, action, {**self.usual, **self.made_up}) != (reason, rule):
            return unread_refusal(who, action) or (None, None)
        for other in self.others:  # what the first choice does not allow another one may
            refusal = refusal_of(who, action, {**self.usual, **other}) if reason is not None else (reason, rule)
            if refusal == (None, None):
                return (None, None)
            if refusal != (reason, rule) and self.chosen:
                self.about = self.usual.get(self.chosen[0])
        return (reason, rule)

    def refused_anyway(self, who: Any, action: Any) -> Any:
        """Why the action is not possible whatever is said in it: (reason, rule), or (None, None)."""
        refusal: Any = (None, None)
        for other in self.others:
            refusal = refusal_of(who, action, {**self.usual, **other})
            if refusal[1] in (None, action.rule):
                return unread_refusal(who, action) or (None, None)
        return refusal


def what_is_chosen(field: Any, name: str) -> str:
    """What a field lets one choose, in words, by the label of its kind: "square", "bingo card"."""
    kind = world.index.kinds.get(field.kind) if type(field.kind) is str else None
    return in_line(kind.label if kind is not None else field.kind or field.label or name).replace("-", " ").lower()


def unread_refusal(who: Any, action: Any) -> Any:
    """What a check says that asks for no field of the action, so that it says so whatever stands in them: (reason,
    rule).

    None if there is none. A check that asks for one breaks here, and has no say.
    """
    before = world.rule
    said = [(said_by(check, Unread(who)), check[1]) for check in world.index.events[action.name].checks]
    world.rule = before
    if [reason for reason, _ in said if reason is True]:
        return None
    return next(iter([each for each in said if isinstance(each[0], str)]), None)


def said_by(check: Any, event: Any) -> Any:
    """What a check says of an event, or None if it breaks."""
    function, world.rule = check
    return read_safely(lambda: function(event))


def describe_action(action: Any, who: Any, bare: bool, untried: bool, asking: Any) -> Any:
    """One action as data. `asking`: see `rows_that_ask`."""
    record = world.records.get(action.rule, {})
    viewer = "admin" if who is None else who.id
    fields = []
    sample = Sample()
    form = world.index.forms[action.name]
    for key in in_order_of_page(action, form):
        field, name = form[key], key.rstrip("_")
        listed = (field.sort in ("thing", "choice") or field.choices is not None) and not bare
        choices = read_safely(lambda: choices_of(field, who)) or () if listed else ()
        choices = known_among(viewer, choices)
        default = None if bare else plain(read_safely(lambda: default_of(field, who)))
        default = default if type(default) is str else shown_as(default) if type(default) in (int, bool) else None
        labels = labelled(viewer, choices, field.called)
        fields.append(describe_field(field, name, default, is_wanted(action, name, field), labels))
        if not bare and field.optional and field.when is not None and read_safely(lambda: field.when(who)) is False:
            fields[-1]["idle"] = True  # pages do not ask for it
        sample.take(field, name, choices, default, listed)
    also = [key.rstrip("_") for key in form if key not in action.form]
    mark_asked(fields, also, asking)
    tried = not bare and (sample.lacking or not untried)
    reason, rule = sample.refusal(who, action) if tried else (None, None)
    reason = reason if reason is None else line_of(reason, MOST_REASON)
    about = line_of(sample.about) if reason is not None and type(sample.about) is str else None
    shown = {part: getattr(action, part) for part in ("rule", "rolls", "hidden", "agrees", "task")}
    shown = {**{part: shown_as(shown[part]) for part in shown}, "label": line_of(action.label), **marks_of(action)}
    place = {part: record.get(part, "") for part in ("section", "section_title")}
    waits = who is not None and not action.at_once and not action.ballot and "order-waits" in world.index.events
    shown = {**shown, "waits": waits, "may_ask": action.name in world.index.rows.get("asks", {})}
    told = {"possible": reason is None, "reason": reason, "reason_rule": rule, "reason_for": about}
    return {**shown, **place, **told, "id": action.name, "desk": who is None, "ballot": action.ballot, "fields": fields}


def mark_asked(fields: Any, also: Any, asking: Any) -> None:
    """Say of the fields that rows of a catalogue ask for (`asks`), as items do when they are used, for which choices
    that is: {"asked_by": the field of the choice, "asked_for": the choices, "also": whether nothing else wants it,
    "needed": whether one of them cannot do without}."""
    for chosen in [each for each in fields if each["type"] == "choice"]:
        offered = [each["id"] for each in chosen["choices"]]
        rows = [known for known in asking if [id for id in offered if id in known]]
        wanted = [name.rstrip("?") for known in rows for names in known.values() for name in names]
        for field in [each for each in fields if each is not chosen and each["name"] in wanted]:
            name = field["name"]
            asking = {id: [each for known in rows for each in known.get(id, ())] for id in offered}
            asked_for = [id for id in offered if name in asking[id] or name + "?" in asking[id]]
            needed = bool([id for id in asked_for if name in asking[id]])
            also_asked = {"also": name in also, "needed": needed}
            field.update({"asked_by": chosen["name"], "asked_for": asked_for, **also_asked})


def rows_that_ask() -> Any:
    """What the rows ask for, of each catalogue in which some do: [{row: [fields]}]."""
    asking = [{id: asks_of(row) for id, row in known.items()} for known in world.index.rows.values()]
    return [known for known in asking if [id for id in known if known[id]]]


def asks_of(row: Any) -> Any:
    """The fields that a row of a catalogue asks for; one that may be left out has a question mark ("square?")."""
    asks = getattr(row, "asks", None)
    return [each.rstrip("_") for each in asks if type(each) is str] if type(asks) is tuple else []


def describe_field(field: Any, name: str, default: Any, wanted: Any, choices: Any) -> Any:
    """One field of a form as data."""
    shown = {part: getattr(field, part) for part in ("kind", "optional", "least", "most", "limit", "long", "money")}
    shown = {part: shown[part] if type(shown[part]) is bool else as_number(shown[part]) for part in shown}
    shown["kind"], shown["priced"], shown["shows"] = in_line(field.kind), in_line(field.priced), in_line(field.shows)
    label = line_of(field.label) or name.replace("_", " ").capitalize()
    shown = {**shown, "name": name, "label": label, "type": field.sort, "default": default}
    if field.sort == "moment":
        shown["now"] = world.now
    parts, counted = [in_line(each) for each in field.parts], [in_line(each) for each in field.counted]
    return {**shown, "wanted": wanted, "choices": choices, "parts": parts, "counted": counted}


def in_order_of_page(action: Any, form: Any) -> Any:
    """The fields of a form in the order in which a page asks for them: its own before those that other rules add; of a
    vote first what it is about, then the choice."""
    if not action.ballot:
        return [*[key for key in form if key in action.form], *[key for key in form if key not in action.form]]
    subject, choice, further = parts_of_ballot(action, form)
    return [key for key in (subject, choice, *further) if key in form]


def as_number(content: Any) -> Any:
    """A limit of a form: a whole number, or None if it is none."""
    return content if type(content) is int and -MOST_NUMBER <= content <= MOST_NUMBER else None


def refusal_of(who: Any, action: Any, sample: Any) -> Any:
    """Why an action with these fields would be refused now: (reason, rule), or (None, None)."""
    rule = world.rule
    try:
        refusal, _, _ = trial(lambda: give_order(who, action.name, sample))
    except (TimeoutError, MemoryError):
        raise
    except Exception:
        world.rule = rule
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

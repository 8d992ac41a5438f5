"""Orders: actions with typed forms, questions and their answers, joining and leaving, and the Admin's own acts.

What stands here is beyond the reach of rules: who somebody is, pause and resume, and that a question can be answered.
"""

import json
from typing import Any

from nomopoly.kernel.beyond import BEYOND
from nomopoly.kernel.budgets import MOST_CHOICES, MOST_MOMENT, MOST_NUMBER, MOST_WORD, exhausted
from nomopoly.kernel.clock import at, cancel, pause, resume
from nomopoly.kernel.events import attempt, do, fact, happen
from nomopoly.kernel.index import EventPlan, quieted
from nomopoly.kernel.rules import attribute, declaring, event, kind, on
from nomopoly.kernel.sorts import fit_form, fit_line, fit_question, fit_words
from nomopoly.kernel.things import (
    Thing,
    create,
    declared,
    destroy,
    every,
    exists,
    find,
    misfit,
    plain,
    put,
    row_of,
    thing,
    write,
)
from nomopoly.kernel.waiting import change_waiting, forget_waiting, let_wait, note_refusal, take_back, waiting_entry
from nomopoly.kernel.world import (
    SPOKEN,
    in_words,
    refuse,
    refuse_as,
    roll_back,
    savepoint,
    with_article,
    world,
    writable,
)

MARKS = "rolls in_pause hidden private ballot sealed disrupts at_once posts agrees task by_rules".split()
NEWER_MARKS = ("weighty", "done")  # older books may have fields of these names


class Action:
    """An event that somebody may start, with its form."""

    def __init__(self, name: str, label: str, by: str, form: Any, rule: str, more: Any) -> None:
        self.name = name
        self.label = label
        self.by = by
        self.form = form  # field name -> Field
        self.rule = rule
        for mark in MARKS:
            setattr(self, mark, more.get(mark, False))
        self.weighty = more.get("weighty") is True
        self.done = more.get("done") or ""


CHOICE = dict(kind="", choices=None, default=None, optional=False, otherwise="")
FIELD = {**CHOICE, **dict(least=None, most=None, limit=0, long=False, wanted=False, parts=(), named=(), counted=())}


class Field:
    """One entry of a form."""

    def __init__(self, sort: str, label: str, more: Any) -> None:
        self.sort = sort
        self.label = label
        for part, usual in FIELD.items():
            setattr(self, part, more.get(part, usual))
        self.optional = self.optional or self.default is not None

    def __repr__(self) -> str:
        return f"a field: {self.sort}"


SPOKEN.append(Field)


def choose(kind: str, label: str = "", choices: Any = None, default: Any = None, optional: bool = False) -> Any:
    """A form field: one thing of a kind. `choices` and `default` are functions of who asks."""
    return Field("thing", label, {"kind": kind, "choices": choices, "default": default, "optional": optional})


def one_of(options: Any, label: str = "", default: Any = None, optional: bool = False, otherwise: str = "") -> Any:
    """A form field: one of some words (a tuple, or a function of who asks). `otherwise`: why another word is refused."""
    more = {"choices": options, "default": default, "optional": optional, "otherwise": otherwise}
    return Field("choice", label, more)


def words(
    label: str = "",
    limit: int = 40,
    long: bool = False,
    default: Any = None,
    optional: bool = False,
    wanted: bool = False,
) -> Any:
    """A form field: text of at most `limit` characters; `long` for several lines.

    `wanted=True`: who fills in the form has to say something, as a reason; what acts by itself (a scenario, another rule)
    may leave it out.
    """
    more = {"limit": limit, "long": long, "default": default, "optional": optional or wanted, "wanted": wanted}
    return Field("words", label, more)


def number(label: str = "", least: Any = 0, most: Any = None, default: Any = None, optional: bool = False) -> Any:
    """A form field: a whole number within limits."""
    return Field("number", label, {"least": least, "most": most, "default": default, "optional": optional})


def moment(label: str = "", default: Any = None, optional: bool = False) -> Any:
    """A form field: a date with its time, in the time zone of the game. Rules get a moment: a number of seconds, as of `now()`."""
    return Field("moment", label, {"least": 0, "most": MOST_MOMENT, "default": default, "optional": optional})


def yes_or_no(label: str = "", default: Any = None) -> Any:
    """A form field: a tick."""
    return Field("yesno", label, {"default": default, "optional": True})


def goods(label: str = "", parts: Any = ("money",), optional: bool = True, among: bool = False, **sorts: Any) -> Any:
    """A form field: money and lists of things, e.g. {"money": 60, "squares": ["#8"]}; `parts` names what may be in it.

    The parts in `named` hold words, such as the names of cards, those in `counted` a number, as money does. With `among`
    it is a deal among several, which the rule reads itself: {"transfers": [{"from": "Ann", "to": "Ben", "what": {"money": 60}}]}.
    """
    return Field("deal" if among else "goods", label, {**sorts, "parts": parts, "optional": optional})


def change_list(label: str = "", optional: bool = True) -> Any:
    """A form field: changes of the rulebook."""
    return Field("changes", label, {"optional": optional})


def program(label: str = "", optional: bool = True) -> Any:
    """A form field: a one-time program."""
    return Field("code", label, {"optional": optional, "limit": 100000, "long": True})


def anything(label: str = "", optional: bool = True) -> Any:
    """A form field of the desk: any value an attribute may have."""
    return Field("anything", label, {"optional": optional})


def action(action_id: str, label: str = "", by: str = "player", fact: str = "", say: str = "", **form: Any) -> Any:
    """`@action("buy-square", "Buy a square", square=choose("square"))`: an event that a player (or the Admin) may start.

    The function below is its effect and gets the event: `e.who` and the fields of the form. `fact` is its word in the
    log. `by`: "player", "admin" or "both". `rolls=True` says that it rolls dice and cannot be tried out; `in_pause=True`
    that a pause does not stop it; `private=True` that only who gives it sees the order and what comes of it in the log, and
    the players whom that names; `private="order"` that everybody sees what comes of it (or a function of its fields); `disrupts=True` that the game pauses if it breaks; `at_once=True` that it
    is carried out when it arrives, even where orders wait; `posts="HELP"` that a thread of the forum whose title begins so is such an order, by what the title says
    then and the text; `agrees="yes"` or `"no"` that it answers an offer to several (a thing with `parties`), its first
    field; `task=True` that what can be chosen in it waits at the Admin's desk, or that it waits for a player who can do
    it. `ballot="close"` makes it a vote on what its first field names, or if it has no other on the game, of which that
    field says what is chosen: it is checked at once, waits in the ballot box, can be changed, and is handed to that
    event when its moment comes, as `ballots`: a tuple of (thing, choice, player), or (thing, choice, how many) with
    `sealed=True`. Each further field of the vote, those that other rules add too, is a field of that event: a tuple of
    (thing, choice, player or how many, what was said in it).
    `weighty=True`: the Admin is shown what it would do before it is done; `done="{player} is in the game."` is what the
    Admin is told then. `by_rules=True` lets rules carry it out for a player who has not ordered it (`carry_out`).
    A field whose name is a word of Python ends in an underscore (`with_`).
    """
    owner = declaring()
    more = {key: form[key] for key in MARKS if key in form}
    more = {**more, **{key: form[key] for key in NEWER_MARKS if key in form and type(form[key]) is not Field}}
    fields = {key: form[key] for key in form if key not in more}
    fit_line("an action", action_id)
    label = label or action_id.replace("-", " ").capitalize()
    fit_words(f"the action '{action_id}'", {"label": label, "fact": fact, "by": by, "done": more.get("done")})
    fit_form(action_id, fields)
    owner.actions.append(Action(action_id, label, by, fields, owner.id, more))
    sorts = {"who": "player", **{key: fields[key].kind for key in fields}}
    owner.events.append(EventPlan(action_id, fact, sorts, say, owner.id))

    def keep(function: Any) -> Any:
        owner.stations.append(("on", action_id, function, ""))
        return function

    return keep


# ---- reading what was asked


def read_thing(kind: str, raw: Any, label: str) -> Any:
    """The thing that an id names; it must be of this kind, if one is given."""
    if type(raw) is Thing:
        return raw
    if type(raw) is not str:
        refuse(f"{label} must name {with_article(kind or 'thing')}")
    found = thing(raw)
    if kind and found.kind != kind:
        refuse(f"{label}: {raw} is {with_article(found.kind)}, not {with_article(kind)}")
    return found


def not_offered(action: Any, read: Any, who: Any) -> str:
    """Why an order cannot name a thing that rules have nothing against: a form without a kind is held to its choices."""
    form = world.index.forms[action.name]
    for name in form if world.form > 1 else ():
        field, found = form[name], read[name]
        if field.sort == "thing" and not field.kind and field.choices is not None and found is not None:
            if found not in choices_of(field, who):
                return f"{name.rstrip('_')}: {found.id} cannot be chosen here"
    return ""


def read_number(field: Any, raw: Any, label: str) -> int:
    """A whole number within the field's limits."""
    if type(raw) is str and raw.strip().removeprefix("-").isdecimal() and len(raw) < 30:
        raw = int(raw)
    if type(raw) is not int or not -MOST_NUMBER <= raw <= MOST_NUMBER:
        refuse(f"{label} must be a whole number")
    if field.least is not None and raw < field.least:
        refuse(f"{label} must be at least {field.least}")
    if field.most is not None and raw > field.most:
        refuse(f"{label} must be at most {field.most}")
    return raw


def read_words(field: Any, raw: Any, label: str) -> str:
    """Text without control characters, of a length that the field allows."""
    if type(raw) is not str:
        refuse(f"{label} must be text")
    text = raw if field.long else raw.strip()
    if not field.long and not text.isprintable():
        refuse(f"{label} may not hold control characters")
    if field.limit and len(text) > field.limit:
        refuse(f"{label} is too long: {len(text)} characters, at most {field.limit}")
    return text


def read_goods(field: Any, raw: Any, label: str) -> Any:
    """Money and things as a tuple of (part, content)."""
    if type(raw) is not dict:
        refuse(f"{label} must say what, for example money: 60")
    read = []
    for part in [each for each in field.parts if raw.get(each) is not None]:
        content = raw[part]
        if part == "money" or part in field.counted:
            read.append((part, read_number(Field("number", "", {"least": 0}), content, f"{label} {part}")))
        elif type(content) is not list:
            refuse(f"{label} {part} must be a list")
        elif part in field.named:
            read.append((part, tuple([read_words(field, each, label) for each in content])))
        elif part.removesuffix("s") in world.index.rows:
            read.append((part, tuple([row_of(part.removesuffix("s"), each).id for each in content])))
        else:
            read.append((part, tuple([read_thing("", each, label) for each in content])))
    for part in raw:
        if part not in field.parts:
            refuse(f"{label} cannot hold '{part}'; it can hold {', '.join(field.parts)}")
    return tuple(read)


def length_of(raw: Any) -> int:
    """How many characters plain data has, about."""
    sort = type(raw)
    if sort is list:
        return len(raw) + sum([length_of(part) for part in raw])
    if sort is dict:
        return len(raw) + sum([length_of(part) + length_of(raw[part]) for part in raw])
    return len(raw) if sort is str else 1


def read_field(field: Any, raw: Any, label: str, who: Any) -> Any:
    """One value of a form, as the rules want it."""
    if field.sort == "thing":
        return read_thing(field.kind, raw, label)
    if field.sort == "moment" and type(raw) is not int:
        refuse(f"{label} must be a moment, for example 2026-03-05T18:00")
    if field.sort == "number" or field.sort == "moment":
        return read_number(field, raw, label)
    if field.sort == "words" or field.sort == "code":
        return read_words(field, raw, label)
    if field.sort == "goods":
        return read_goods(field, raw, label)
    if field.sort == "yesno":
        return raw is True or raw == "true" or raw == "on" or raw == "yes"
    if field.sort == "choice":
        options = choices_of(field, who)
        if raw not in options:
            if not options and world.form > 2:
                refuse(field.otherwise or f"{label} must be one of what there is: there is none now")
            refuse(field.otherwise or f"{label} must be one of {', '.join([in_words(each) for each in options])}")
        return raw
    if length_of(raw) > MOST_WORD:
        refuse(f"{label} is too long: at most {MOST_WORD} characters")
    if field.sort == "changes" and (type(raw) is not list or [each for each in raw if type(each) is not dict]):
        refuse(f"{label} must be a list of changes")
    return raw


def choices_of(field: Any, who: Any) -> Any:
    """The legal choices of a field for somebody, as a list."""
    world.reading += 1
    choices = field.choices
    if choices is None:
        found = every(field.kind) if field.kind else []
    else:
        found = list(choices if type(choices) in (tuple, list) else choices(who))
    world.reading -= 1
    if len(found) > MOST_CHOICES:
        exhausted(f"too many choices: a field has at most {MOST_CHOICES}")
    return found


def default_of(field: Any, who: Any) -> Any:
    """What a field holds when nothing is said."""
    default = field.default
    if default is None or type(default) in (str, int, bool, Thing):
        return default
    world.reading += 1
    found = default(who)
    world.reading -= 1
    return found


def fields_asked(action: Any, args: Any) -> Any:
    """The fields of a form by the names that orders use. Refuses what is in no field."""
    names = {key.rstrip("_"): key for key in world.index.forms[action.name]}
    for given in args:
        if given not in names:
            refuse_as("no-field", f"{action.name} takes no '{given}'; it takes {', '.join(names) or 'nothing'}")
    return names


def read_form(action: Any, args: Any, who: Any) -> Any:
    """The fields of an order. Refuses unknown, missing and impossible ones by name."""
    read = {}
    form = world.index.forms[action.name]
    names = fields_asked(action, args)
    for name in names:
        field = form[names[name]]
        raw = args.get(name)
        if raw is None or (raw == "" and field.optional):
            raw = default_of(field, who)
        if raw is None:
            if not field.optional:
                refuse(f"{name} is missing")
            read[names[name]] = None
        else:
            read[names[name]] = read_field(field, raw, name, who)
    return read


def still_on() -> None:
    """Refuse everything in a game that has ended, where its rules say that games end, or that the operator has stopped."""
    game = world.things["game"]
    if game.operator_stop is not None:
        refuse(f"the operator of this site has stopped the game: {game.operator_stop}")
    if getattr(game, "over", False):
        refuse("the game is over")


def give_order(by: Any, name: str, args: Any) -> None:
    """Carry out what a player (or None: the Admin) asks for."""
    start_order(by, name, args)
    if name not in BEYOND:
        conclude()


def start_order(by: Any, name: str, args: Any) -> None:
    """The order itself; where orders wait (the event `order-waits`) and this one may, it is only put to those that wait."""
    w = world
    action = w.index.actions.get(name)
    side = "admin" if by is None else "player"
    if action is None or action.by not in (side, "both"):
        known = ", ".join([each.name for each in w.index.actions.values() if each.by in (side, "both")])
        whom = "the Admin" if by is None else "players"
        refuse_as("no-action", f"there is no action '{name}' for {whom}; there are {known}")
    game = w.things["game"]
    still_on()
    if game.paused and by is not None and not action.in_pause and not w.again:
        refuse("the game is paused")
    if action.ballot and not w.casting:
        refuse(f"{name} is no order: it is cast, and waits in the ballot box")
    w.actor = by
    if by is not None and name not in BEYOND and not w.index.events["order"].bare:
        happen(w.index.events["order"], {"who": by, "order": name, "waits": w.waits and not action.at_once})
    if w.waits and by is not None and not action.at_once and name not in BEYOND and "order-waits" in w.index.events:
        fields_asked(action, args)
        w.private = True
        let_wait(by, name, args)
        said = {"who": by, "order": name, "args": json.dumps(args, sort_keys=True), "entry": w.n}
        happen(w.index.events["order-waits"], said)
        return
    fields = read_form(action, args, by)
    strange = not_offered(action, fields, by)
    fields["who"] = by
    private = action.private
    private = private if type(private) in (bool, str) else private(fields)
    w.private, before = bool(private), len(w.facts)
    outside = (w.quiet, w.around)
    if private is True and w.form > 1:
        w.quiet, w.around = True, (w.fact, w.index.events[name].fact)
    happen(w.index.events[name], fields)
    w.quiet, w.around = outside
    if strange:
        w.rule = action.rule
        refuse(strange)
    if private is True and w.form > 1:
        own = w.index.events[name].fact
        keep_quiet(by, [each for each in w.facts[before:] if own is None or each["what"] != own])
    if name == "withdraw-order" and by is not None:
        take_back(by, args.get("order"))


def keep_quiet(by: Any, facts: Any) -> None:
    """What came of a private order beside its own fact is seen by who gave it, and by the players that it names."""
    for each in facts:
        if each.get("only") is None:
            named = [by.id if by is not None else "admin", *[each[name] for name in each if type(each[name]) is str]]
            each["only"] = [name for name in dict.fromkeys(named) if name == "admin" or name in world.kinds["player"]]


def carry_out(who: Any, order: str, args: str) -> Any:
    """Carry out an order that has waited, its fields as the event `order-waits` had them. Returns why it is refused, or None.

    It must wait: what was carried out waits no longer, what was refused may be tried again. Where that is done as the order arrives, it stays as private as a waiting one.
    """
    w = world
    writable()
    if who is None:
        raise ValueError("only orders of players wait: the Admin's acts are the Admin's own")
    given = given_by_rules(order)
    waiting = 0 if given else waiting_entry(who, order, args)
    mark = savepoint()
    if not given:
        change_waiting(waiting, None)
    before = (w.actor, w.waits, w.private)
    outside = (w.quiet, w.around)
    w.waits = False
    reason = None
    try:
        start_order(who, order, json.loads(args))
    except FileExistsError:
        if w.refusal is None or w.refusal[0] == "rolls":
            raise
        reason, w.refusal = w.refusal[0], None
        roll_back(mark)
        if not given:
            note_refusal(waiting)
    w.actor, w.waits = before[:2]
    w.quiet, w.around = outside
    w.private = before[2] or (w.private and reason is None)
    return reason


def given_by_rules(order: Any) -> bool:
    """Whether rules may give this order for somebody: it is marked so, or in a book without such marks (as they were before
    there were any) it is one that no form offers and that waits like others."""
    actions = world.index.actions
    action = actions.get(order) if type(order) is str else None
    if action is None or [each for each in actions.values() if each.by_rules]:
        return action is not None and action.by_rules is True
    return action.hidden is True and not action.at_once and action.rule != "kernel"


def orders_wait() -> int:
    """Whether orders given in this entry wait: then its number, by which they are known, else 0."""
    return int(world.n) if world.waits else 0


def conclude() -> None:
    """What an entry ends with: a pause it ends is over, and rules hear of it: `rules-changed` if the book has, `entry`."""
    w = world
    w.rule = None
    if w.again:
        resume()
    if w.alone:
        left_out()
    hear = attempt if w.stands else happen
    if w.old_records is not None and not w.index.events["rules-changed"].bare:
        hear(w.index.events["rules-changed"], {})
    if not w.index.events["entry"].bare:
        hear(w.index.events["entry"], {"who": w.actor})


def left_out() -> None:
    """Tell that an act of the way out stands without what a rule does after it, because that broke."""
    broken = world.alone
    left = "what rules do here" if broken["how"] != "rule" else "what it does here"
    say = f"Rule {broken['rule'] or '?'} broke: {left} was left out"
    place = {"number": broken["rule"], "line": broken["line"]}
    world.facts.append({"what": "left-out", "event": "", "rule": "", "depth": 0, **place, "say": say})
    silence()


def silence(all: bool = False) -> None:
    """Let only the kernel answer to what happens in this entry, or all rules but the one that has broken."""
    w = world
    w.undo.append((use_index, w.index))
    w.index = quieted(w.index, "" if all or w.alone["how"] != "rule" else w.alone["rule"])


def use_index(index: Any) -> None:
    """Put an index in force; also what ends a silence."""
    world.index = index


def player_named(name: Any) -> Any:
    """The player who gives an order. Refuses somebody who is not in the game."""
    found = find(name) if type(name) is str else None
    if found is None or found.kind != "player":
        refuse(f"not approved: {name} is not a player of this game")
    return found


# ---- questions


def ask(
    who: Any,
    text: str,
    options: Any,
    then: str,
    default: Any = None,
    by: Any = None,
    secret: bool = False,
    **about: Any,
) -> Any:
    """Ask a player (or several: a tuple) to choose one of `options`.

    When all have answered, or at the moment `by`, the event `then` happens with `answers`, a tuple of
    (player, answer), the default standing for who said nothing, and the fields `about`.
    """
    plan = world.index.events.get(then)
    for field in ("answers", *about):
        if plan is None or plan.closed or field not in plan.sorts:
            raise ValueError(f"there is no event '{then}' with a field '{field}'")
    asked = who if type(who) is tuple else (who,)
    fit_question(asked, text, options, default, by)
    more = {"deadline": by, "secret": secret, "about": tuple([(key, about[key]) for key in about])}
    question = create("question", asked=asked, text=text, options=tuple(options), then=then, default=default, **more)
    if by is not None:
        at(by, "question-lapses", question=question)
    return question


def close_question(question: Any) -> None:
    """Hand the answers to the event that waits for them."""
    given = dict(question.answers)
    answers = tuple([(each, given.get(each.id, question.default)) for each in question.asked if exists(each)])
    then, about = question.then, dict(question.about)
    cancel("question-lapses", question=question)
    destroy(question)
    do(then, answers=answers, **about)


def questions_to(who: Any) -> Any:
    """The questions that wait for somebody's answer."""
    return [each for each in every("question") if who in each.asked]


def answer_question(e: Any) -> None:
    """Effect of the action `answer`."""
    question = e.question
    if e.who not in question.asked:
        refuse("this question is not for you")
    options = [plain(option) for option in question.options]
    if e.answer not in options:
        refuse(f"answer must be one of {', '.join([str(option) for option in options])}")
    chosen = question.options[options.index(e.answer)]
    kept = tuple([each for each in question.answers if each[0] != e.who.id])
    put(question, "answers", (*kept, (e.who.id, chosen)))
    if not [each for each in question.asked if exists(each) and each.id not in dict(question.answers)]:
        close_question(question)


# ---- the Admin's own acts, and coming and going


def applicant_named(name: str) -> Any:
    """Who has asked to join under that name."""
    for applicant in every("applicant"):
        if applicant.name == name:
            return applicant
    refuse(f"nobody called {name} has asked to join")


def approve(e: Any) -> None:
    """Effect of `approve-player`: the applicant becomes a player."""
    destroy(applicant_named(e.player))
    do("join", who=create("player", id=e.player))


def remove(who: Any, because: str, how: str) -> None:
    """Take a player out of the game, by the rules on leaving."""
    do("remove", who=who, because=because, how=how)
    if exists(who):
        destroy(who)
    forget_waiting(who)


def whatever_rules_say(act: Any) -> None:
    """Do something that rules may add to but not refuse: where one does, it is done without them."""
    w = world
    mark = savepoint()
    try:
        act()
    except FileExistsError:
        if w.refusal is None or w.refusal[0] == "rolls" or w.refusal[1] in (None, "kernel"):
            raise
        w.refusal = None
        roll_back(mark)
        silence(all=True)
        act()


def grant(e: Any) -> None:
    """Effect of `grant`: set one attribute of one thing."""
    attribute = declared(e.thing.kind).get(e.attribute)
    if attribute is None:
        refuse_as("no-attribute", f"a {e.thing.kind} has no attribute '{e.attribute}'")
    if world.form > 2:  # what it cannot hold is refused before the log speaks of it
        fit_to_grant(attribute, as_kept(attribute, e.value))
    fact("granted", thing=e.thing, attribute=e.attribute, value=e.value, because=e.because)
    if "all" not in attribute.show:
        world.private = True
        world.facts[-1]["only"] = ["admin"]
    put(e.thing, e.attribute, as_kept(attribute, e.value))


def fit_to_grant(attribute: Any, kept: Any) -> None:
    """Refuse what an attribute can hold, but what would make no sense there: a player on a player, or nowhere."""
    holds = attribute.holds
    known = list(world.index.rows.get(holds, {})) if type(holds) is str else holds
    if kept is None and attribute.needed:
        refuse(f"{attribute.name} cannot be empty")
    for part in kept if type(kept) is tuple else (kept,):
        if type(part) is Thing and known and part.kind not in known:
            refuse(f"{attribute.name} must name {' or '.join([with_article(kind) for kind in known])}")
        if type(part) is str and known and part not in known:
            refuse(f"{attribute.name} must be one of {', '.join(known)}")


def as_kept(attribute: Any, raw: Any) -> Any:
    """A plain value as an attribute keeps it. Refuses what it cannot hold."""
    kept = thing_or_word(attribute, raw)
    reason = misfit(attribute, kept)
    if reason:
        refuse(f"{attribute.name} {reason}")
    return kept


def thing_or_word(attribute: Any, raw: Any) -> Any:
    """A plain value as the attribute keeps it: ids become things where the attribute holds things, lists tuples."""
    several = type(attribute.default) is tuple or attribute.type not in ("thing", "number", "money", "moment", "yesno")
    if type(raw) is list and several:
        return tuple([thing_or_word(attribute, each) for each in raw])
    if type(raw) is str and attribute.type == "thing":
        return thing(raw)
    if type(raw) is str and attribute.type == "list" and raw[:1] == "#":
        return thing(raw)
    if attribute.type == "thing" and raw is not None:
        refuse(f"{attribute.name} must name a thing")
    if attribute.type in ("number", "money", "moment") and type(raw) is not int and raw is not None:
        refuse(f"{attribute.name} must be a whole number")
    if attribute.type == "yesno" and type(raw) is not bool:
        refuse(f"{attribute.name} must be true or false")
    return raw


def declare_kernel() -> None:
    """Declare what every game has: the game, its players, applicants and questions, and the acts that no rule can take."""
    for name in ("game", "player", "applicant", "question"):
        kind(name, page=True)
    attribute("game", "paused", False, label="Paused")
    attribute("game", "paused_at", None, label="Paused since", moment="real")
    attribute("game", "pause_kind", label="Sort of pause")
    attribute("game", "resumed_at", None, show="nobody", moment="real")
    attribute("game", "pause_because", label="Why it is paused")
    attribute("game", "offsets", (), show="nobody")
    attribute("applicant", "name", "", label="Name", show="admin")
    labels = {"asked": "Asked", "text": "Question", "options": "Answers", "default": "Answer if none is given"}
    for name, default in (("asked", ()), ("text", ""), ("options", ()), ("default", None)):
        attribute("question", name, default, label=labels[name], show=("owner", "admin"))
    attribute("question", "deadline", None, label="Answered until", show=("owner", "admin"), moment="game")
    for name, default in (("then", ""), ("secret", False), ("about", ()), ("answers", ())):
        attribute("question", name, default, show="nobody")
    event("entry", who="player")
    event("order", who="player", order="", waits="")
    event("rules-changed")
    event("apply", "applied", say="{name} asks to join", name="")
    event("join", "joined", say="{who} joins the game", who="player")
    event("remove", "removed", say="{who} leaves the game", who="player", because="", how="")
    event("question-lapses", say="The time for an answer is over", question="question")
    on("apply")(lambda e: create("applicant", name=e.name) and None)
    on("question-lapses")(lambda e: close_question(e.question))
    form: Any = {"question": choose("question", choices=questions_to), "answer": anything(optional=False)}
    action("answer", "Answer a question", hidden=True, private="order", **form)(answer_question)
    because = words("Because", limit=2000, long=True, optional=True)
    form = {"by": "admin", "player": words("Player")}
    done = "{player} is in the game now, and has been told by mail."
    action("approve-player", "Approve a player", done=done, **form)(approve)
    form = {**form, "because": because, "fact": "declined-player", "say": "{player} may not join"}
    form = {**form, "weighty": True, "done": "{player} has been told by mail."}
    action("decline-player", "Decline a player", **form)(lambda e: destroy(applicant_named(e.player)))
    reason = words("Because", limit=2000, long=True, wanted=True)
    form = {"by": "admin", "because": reason, "kind_": anything(), "say": "The game is paused: {because}"}
    form = {**form, "weighty": True, "done": "The game is paused."}
    action("pause", "Pause the game", fact="paused", **form)(
        lambda e: pause(e.because or "", e.kind_ if e.kind_ in ("disruption", "outage") else "admin")
    )
    form = {"thing": choose("", "Thing"), "attribute": words("Attribute"), "value": anything("Value")}
    form = {**form, "because": reason, "weighty": True, "done": "Set."}
    action("grant", "Set an attribute", by="admin", **form)(grant)
    form = {"text": words("Ruling", limit=20000, long=True), "rules": anything("Rules concerned")}
    form = {**form, "weighty": True, "done": "The ruling is in the log."}
    action("rule", "Post a ruling", by="admin", fact="ruled", say="The Admin rules: {text}", **form)(lambda e: None)


def net_changes(undo: Any) -> Any:
    """What an entry changed in all: [[thing, attribute, before, after]]; a thing that came or went has attribute ""."""
    first: dict[Any, Any] = {}
    for step in undo:
        if step[0] is write:
            key = (step[1].id, step[2])
            if key not in first:
                first[key] = step
    changes = []
    for (id, name), (_, changed, _, before) in first.items():
        now = getattr(changed, name) if id in world.things else None
        if now is not before:
            old, new = plain(before), plain(now)
            if old != new:
                changes.append([id, name, old, new])
    return changes

"""Orders: actions with their forms, and how an order is started, carried out and concluded."""

import json
from copy import copy
from typing import Any

from nomopoly.kernel.beyond import BEYOND, STANDS
from nomopoly.kernel.clock import resume
from nomopoly.kernel.events import attempt, happen
from nomopoly.kernel.fields import (
    Field,
    fields_asked,
    not_offered,
    read_form,
)
from nomopoly.kernel.index import EventPlan, quieted
from nomopoly.kernel.sorts import fit_form, fit_line, fit_words
from nomopoly.kernel.things import (
    find,
    plain,
    write,
)
from nomopoly.kernel.waiting import change_waiting, let_wait, note_refusal, take_back, waiting_entry
from nomopoly.kernel.world import (
    declaring,
    mark_entry,
    refuse,
    refuse_as,
    roll_back,
    savepoint,
    world,
    writable,
)

YES_OR_NO = "rolls in_pause hidden private ballot sealed disrupts at_once posts agrees task by_rules weighty".split()
MARKS = {**dict.fromkeys(YES_OR_NO, False), "done": "", "also": (), "judges": ""}  # each with what holds without it


class Action:
    """An event that somebody may start, with its form."""

    def __init__(self, name: str, label: str, by: str, form: Any, rule: str, more: Any) -> None:
        self.name = self.key = name
        self.label = label
        self.by = by
        self.form = form  # field name -> Field
        self.rule = rule
        for mark, usual in MARKS.items():
            setattr(self, mark, more.get(mark) or usual)


def action(action_id: str, label: str = "", by: str = "player", fact: str = "", say: str = "", **form: Any) -> Any:
    """`@action("buy-square", "Buy a square", square=choose("square"))`: an event that a player (or the Admin) may
    start.

    The function below is its effect and gets the event: `e.who` and the fields of the form. `fact` is its word in the
    log. `by`: "player", "admin" or "both". `rolls=True` says that it rolls dice and cannot be tried out;
    `in_pause=True` that a pause does not stop it; `private=True` that only who gives it sees the order and what comes
    of it in the log, and the players whom that names; `private="order"` that everybody sees what comes of it (or a
    function of its fields); `disrupts=True` that the game pauses if it breaks; `at_once=True` that it is carried out
    when it arrives, even where orders wait; `posts="HELP"` that a thread of the forum whose title begins so is such an
    order, by what the title says then and the text; `agrees="yes"` or `"no"` that it answers an offer to several (a
    thing with `parties`), its first field; `task=True` that what can be chosen in it waits at the Admin's desk, or that
    it waits for a player who can do it. `ballot="close"` makes it a vote on what its first field names, or if it has no
    other on the game, of which that field says what is chosen: it is checked at once, waits in the ballot box, can be
    changed, and is handed to that event when its moment comes, as `ballots`: a tuple of (thing, choice, player), or
    (thing, choice, how many) with `sealed=True`. Each further field of the vote, those that other rules add too, is a
    field of that event: a tuple of (thing, choice, player or how many, what was said in it). `weighty=True`: the Admin
    is shown what it would do before it is done; `done="{player} is in the game."` is what the Admin is told then.
    `judges="accepts"`, `"implements"` (what players have voted for) or `"rejects"`: it decides on the proposal that its
    first field names, and has a button beside it. `by_rules=True` lets rules carry it out for a player who has not
    ordered it (`carry_out`). A field whose name is a word of Python ends in an underscore (`with_`).
    `also=(("act", "do"),)`: other names under which orders may send fields, as they once did.
    """
    owner = declaring()
    more = {key: form[key] for key in MARKS if key in form and type(form[key]) is not Field}  # else it is a field
    fields = {key: form[key] for key in form if key not in more}
    fit_line("an action", action_id)
    label = label or action_id.replace("-", " ").capitalize()
    said = {mark: more.get(mark) for mark in ("done", "judges")}
    said = {"label": label, "fact": fact, "by": by, **said, **dict(more.get("also") or ())}
    fit_words(f"the action '{action_id}'", said)
    fit_form(action_id, fields)
    owner.actions.append(Action(action_id, label, by, fields, owner.id, more))
    sorts = {"who": "player", **{key: fields[key].kind for key in fields}}
    owner.events.append(EventPlan(action_id, fact, sorts, say, owner.id))

    def keep(function: Any) -> Any:
        owner.stations.append((action_id, "on", function, ""))
        return function

    return keep


def still_on() -> None:
    """Refuse everything in a game that has ended, where its rules say that games end, or that the operator has
    stopped."""
    game = world.things["game"]
    if game.operator_stop is not None:
        refuse(f"the operator of this site has stopped the game: {game.operator_stop}")
    if getattr(game, "over", False):
        refuse("the game is over")


def by_own_names(action: Any, args: Any) -> Any:
    """The fields of an order by the names that the form has for them: see `also` of `action`."""
    for other, name in [each for each in dict(action.also).items() if each[0] in args]:
        if args.get(name) is not None:
            refuse(f"'{other}' is '{name}' by another name: say it once")
        args = {**{key: args[key] for key in args if key != other}, name: args[other]}
    return args


def give_order(by: Any, name: str, args: Any) -> None:
    """Carry out what a player (or None: the Admin) asks for."""
    start_order(by, name, args)
    if name not in BEYOND:
        conclude(attempt if by is None and name in STANDS else happen)


def start_order(by: Any, name: str, args: Any) -> None:
    """The order itself; where orders wait (the event `order-waits`) and this one may, it is only put to those that
    wait."""
    w = world
    action = w.index.actions.get(name)
    side = "admin" if by is None else "player"
    if action is None or action.by not in (side, "both"):
        known = ", ".join([each.name for each in w.index.actions.values() if each.by in (side, "both")])
        whom = "the Admin" if by is None else "players"
        refuse_as("no-action", f"there is no action '{name}' for {whom}; there are {known}")
    still_on()
    if w.things["game"].paused and by is not None and not action.in_pause and not w.given.get("again"):
        refuse("the game is paused")
    if action.ballot and not w.entry.casting:
        refuse(f"{name} is no order: it is cast, and waits in the ballot box")
    args = by_own_names(action, args)
    w.actor = by
    if by is not None and name not in BEYOND and not w.index.events["order"].bare:
        happen(w.index.events["order"], {"who": by, "order": name, "waits": w.entry.waits and not action.at_once})
    may_wait = by is not None and not action.at_once and name not in BEYOND
    if may_wait and w.entry.waits and "order-waits" in w.index.events:
        fields_asked(action, args)
        mark_entry(private=True)
        let_wait(by, name, args)
        said = {"who": by, "order": name, "args": json.dumps(args, sort_keys=True), "entry": w.n}
        happen(w.index.events["order-waits"], said)
        return
    fields = read_form(action, args, by)
    strange = not_offered(action, fields, by)
    fields["who"] = by
    private = action.private if type(action.private) in (bool, str) else action.private(fields)
    before, around = len(w.facts), w.entry.around
    if bool(private) != w.entry.private:
        mark_entry(private=bool(private))
    if private is True and w.form > 1:
        mark_entry(around=(w.fact, w.index.events[name].fact))
    happen(w.index.events[name], fields)
    if w.entry.around is not around:
        mark_entry(around=around)
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
    """Carry out an order that has waited, its fields as the event `order-waits` had them. Returns why it is refused, or
    None.

    It must wait: what was carried out waits no longer, what was refused may be tried again. Where that is done as the
    order arrives, it stays as private as a waiting one.
    """
    w = world
    writable()
    if who is None:
        raise ValueError("only orders of players wait: the Admin's acts are the Admin's own")
    given = given_by_rules(order)
    waiting = 0 if given else waiting_entry(who, order, args)
    mark = savepoint()
    if not given:
        change_waiting(who.id, waiting, None)
    before, actor, rule = copy(w.entry), w.actor, w.rule
    w.rule = rule if given or w.form < 6 else None  # it is its giver's, and not that of the rule which carries it out
    mark_entry(waits=False)
    reason = None
    try:
        start_order(who, order, json.loads(args))
    except FileExistsError:
        if w.refusal is None or w.refusal[0] == "rolls":
            raise
        reason, w.refusal = w.refusal[0], None
        roll_back(mark)
        if not given:
            note_refusal(who.id, waiting)
    w.actor, w.rule = actor, rule
    mark_entry(waits=before.waits, around=before.around, private=before.private or (w.entry.private and reason is None))
    return reason


def given_by_rules(order: Any) -> bool:
    """Whether rules may give this order for somebody: it is marked so, or in a book without such marks (as they were
    before there were any) it is one that no form offers and that waits like others."""
    actions = world.index.actions
    action = actions.get(order) if type(order) is str else None
    if action is None or [each for each in actions.values() if each.by_rules]:
        return action is not None and action.by_rules is True
    return action.hidden is True and not action.at_once and action.rule != "kernel"


def orders_wait() -> int:
    """Whether orders given in this entry wait: then its number, by which they are known, else 0."""
    return int(world.n) if world.entry.waits else 0


def conclude(hear: Any = happen) -> None:
    """What an entry ends with: a pause it ends is over, and rules hear of it: `rules-changed` if the book has, `entry`.

    `hear`: `happen`, or `attempt` where what they say does not undo it.
    """
    w = world
    w.rule = None
    if w.given.get("again"):
        resume()
    if w.given.get("alone"):
        left_out()
    if w.entry.old_records is not None and not w.index.events["rules-changed"].bare:
        hear(w.index.events["rules-changed"], {})
    if not w.index.events["entry"].bare:
        hear(w.index.events["entry"], {"who": w.actor})


def left_out() -> None:
    """Tell that an act of the way out stands without what a rule does after it, because that broke."""
    broken = world.given["alone"]
    left = "what rules do here" if broken["how"] != "rule" else "what it does here"
    say = f"Rule {broken['rule'] or '?'} broke: {left} was left out"
    place = {"number": broken["rule"], "line": broken["line"]}
    world.facts.append({"what": "left-out", "event": "", "rule": "", "depth": 0, **place, "say": say})
    silence()


def silence(all: bool = False) -> None:
    """Let only the kernel answer to what happens in this entry, or all rules but the one that has broken."""
    w = world
    w.undo.append((use_index, w.index))
    w.index = quieted(w.index, "" if all or w.given["alone"]["how"] != "rule" else w.given["alone"]["rule"])


def use_index(index: Any) -> None:
    """Put an index in force; also what ends a silence."""
    world.index = index


def player_named(name: Any) -> Any:
    """The player who gives an order. Refuses somebody who is not in the game."""
    found = find(name) if type(name) is str else None
    if found is None or found.kind != "player":
        refuse(f"not approved: {name} is not a player of this game")
    return found


def net_changes(undo: Any) -> Any:
    """What an entry changed in all: [[thing, attribute, before, after]]; a thing that came or went has attribute ""."""
    first: dict[Any, Any] = {}
    for step in undo:
        if step[0] is write:
            first.setdefault((step[1].id, step[2]), step)
    changes = []
    for (id, name), (_, changed, _, before) in first.items():
        now = getattr(changed, name) if id in world.things else None
        if now is not before:
            old, new = plain(before), plain(now)
            if old != new:
                changes.append([id, name, old, new])
    return changes

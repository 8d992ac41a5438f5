"""The kernel's door: one function, `call`, with plain data both ways.

A runtime loads the kernel, calls `open` or `restore`, and then `batch` for entries and the reading calls for pages.
When a call ends with an exception (a rule broke, or a limit was hit), the runtime calls `abort`, which undoes the
entry.
"""

from copy import copy
from typing import Any

from nomopoly.kernel.beyond import OFFICE
from nomopoly.kernel.budgets import COUNTERS, begin_budget, check_budget, steps_taken
from nomopoly.kernel.casting import counted_ballots
from nomopoly.kernel.clock import drop_timers, lapsed
from nomopoly.kernel.dice import begin_draws, drawn_so_far
from nomopoly.kernel.emergency import declare_emergency, operate
from nomopoly.kernel.events import attempt, happen
from nomopoly.kernel.fields import read_thing
from nomopoly.kernel.index import Index, Program
from nomopoly.kernel.language import WORDS
from nomopoly.kernel.orders import (
    conclude,
    give_order,
    net_changes,
    player_named,
    silence,
    start_order,
    still_on,
    use_index,
)
from nomopoly.kernel.persons import declare_kernel, remove, whatever_rules_say
from nomopoly.kernel.rules import by_name, change_rules, in_book_order, load_commons, load_rule
from nomopoly.kernel.state import due, dump, restore_state, veiled
from nomopoly.kernel.things import create, dress, let_go
from nomopoly.kernel.world import UNMARKED, mark_entry, refuse, roll_back, world


def prepare(data: Any) -> None:
    """Load the kernel's own declarations, the commons and the rulebook; `open` and `restore` do it where they are given
    one."""
    w = world
    w.language = {**WORDS, **COUNTERS}
    w.probes = data.get("probes")
    w.counted = data.get("counted") or {}
    w.seeks = bool(data.get("seeks"))
    if w.probes:
        w.language.update(EXTRA_WORDS)
    w.sources = data["commons"]
    w.index = Index()
    own = Program("kernel", -2)
    w.loading = own
    declare_kernel()
    declare_emergency()
    w.loading = None
    w.commons = [own]
    load_commons(data["commons"])
    records = in_book_order({record["id"]: by_name(record) for record in data["rules"]})
    change_rules(records, [*records])
    w.undo.clear()
    w.counted = {}


def open_game(data: Any) -> Any:
    """Begin a game: {"title", "at", "weekday", "commons": [[name, source]], "rules": [record]}. Rules' `@on("open")`
    set it up."""
    w = world
    if "rules" in data:
        prepare(data)
    w.title = data["title"]
    begin_entry({"n": 0, "at": data["at"], "entropy": data.get("entropy")})
    create("game", id="game", offsets=tuple([tuple(each) for each in data.get("offsets") or ()]))
    if "open" in w.index.events:
        happen(w.index.events["open"], {"weekday": data.get("weekday")})
    outcome = end_entry(None)
    outcome.pop("rules", None)
    return outcome


def restore(data: Any) -> None:
    """Take up a game from its snapshot: {"commons", "state"}."""
    if "commons" in data:
        more = {part: data.get(part) for part in ("probes", "counted", "seeks")}
        prepare({"commons": data["commons"], "rules": data["state"]["rules"], **more})
    restore_state(data["state"])


def begin_entry(entry: Any) -> None:
    """Clear away the last entry and set the moment, the number and the entropy of this one."""
    w = world
    begin_budget()
    w.clear()
    if "queued" in entry:
        mark_entry(waits=bool(entry["queued"]))
    w.given, w.n, w.now = entry, entry["n"], entry["at"]
    begin_draws(entry)


def end_entry(refusal: Any) -> Any:
    """The outcome of the entry, as data."""
    w = world
    if w.gone:
        let_go()
    if refusal is not None:
        outcome: Any = {"refused": refusal[0], "rule": refusal[1] or "", **drawn_so_far()}
        if w.code:
            outcome["code"] = w.code
        return {**outcome, "private": True} if w.entry.private else outcome
    if w.wanted is None:
        outcome = {"facts": w.facts, "changes": net_changes(w.undo)}
        veil = veiled(outcome["changes"])
        if veil:
            outcome["veiled"] = veil
        if w.first_draw is not None:
            outcome.update(drawn_so_far())
    else:
        outcome = {"facts": [fact for fact in w.facts if fact["what"] in w.wanted]} if w.facts else {"facts": []}
    if w.entry is not UNMARKED:
        say_marks(w.entry, outcome)
        redraw()
    if w.forced:
        outcome["unused"] = w.forced
    w.undo = []
    return outcome


def say_marks(entry: Any, outcome: Any) -> None:
    """Put into an outcome what is out of the ordinary about its entry."""
    w = world
    if entry.private:
        outcome["private"] = True
    if entry.old_records is not None:
        outcome["rules"] = changed_records(entry.old_records, w.records)
    if entry.ran:
        outcome["ran"] = entry.ran
    if entry.made_by and w.wanted is None:
        made = [[at, rule] for at in range(len(w.facts)) for fact, rule in entry.made_by if w.facts[at] is fact]
        if made:
            outcome["made"] = made


def redraw() -> None:
    """Draw all things anew where attributes have gone, or a program has run that no rule contains: it leaves no
    mark."""
    if world.entry.shrunk or world.entry.ran:
        restore_state(dump())


def changed_records(before: Any, after: Any) -> Any:
    """What an entry did to the rulebook: [[id, record as it is now or None]]."""
    other = [id for id in {**before, **after} if before.get(id) is not after.get(id)]
    return [[id, after.get(id)] for id in other if before.get(id) != after.get(id)]


def take_entry(entry: Any) -> Any:
    """One entry as a transaction. Returns its outcome: facts and changes, or a refusal."""
    w = world
    before = (w.n, w.now)
    begin_entry(entry)
    if entry.get("alone"):
        silence()
    try:
        dispatch(entry)
    except FileExistsError:
        if w.refusal is None:
            raise
        guard(entry, True)
        refusal = w.refusal
        roll_back((0, 0, None, None, None, 0, 0))
        w.refusal, w.n, w.now = None, *before
        redraw()
        return end_entry(refusal)
    if w.index.loud is not None:
        use_index(w.index.loud)
    guard(entry, False)
    return end_entry(None)


def guard(entry: Any, refused: bool) -> None:
    """Let a runtime look at what an entry has done, if programs may have run in it that nobody vouches for.

    Raises RuntimeError if a budget was exceeded, and a rule has hidden that.
    """
    check_budget()
    if entry.get("audit"):
        for look in GUARDS:
            look(entry, refused)


GUARDS: list[Any] = []
EXTRA_WORDS: dict[str, Any] = {}  # what a runtime adds to the language while it looks for the line of a fault
EXTRA_ACTS: dict[str, Any] = {}  # what a runtime adds to the acts of the Admin


def dispatch(entry: Any) -> None:
    """Find what an entry asks for, by its kind."""
    kind = entry["kind"]
    args = entry.get("args") or {}
    if type(args) is not dict:
        refuse("what an entry holds is given by name")
    name = entry.get("do") or ""
    if kind != "reveal" and kind != "operator":
        still_on()
    if kind == "tick" or kind == "ballots":
        tick(name, args)
        conclude(attempt)
    elif kind == "order":
        give_order(player_named(entry["by"]), name, args)
    elif kind == "admin":
        act_of_the_admin(name, args)
    elif kind == "withdraw":
        give_order(player_named(entry["by"]), "withdraw-order", {"order": f"order-{args.get('order')}"})
    elif kind == "join":
        happen(world.index.events["apply"], {"name": entry["by"]})
        mark_entry(private=True)
        for fact in world.facts:
            fact["only"] = ["admin"]
    elif kind == "operator":
        operate(name, args)
    elif kind == "leave":
        who = player_named(entry["by"])
        whatever_rules_say(lambda: remove(who, "", "left"))
        conclude(attempt)
    elif kind != "reveal" and kind != "strike":
        refuse(f"there are no entries of the kind '{kind}'")


def act_of_the_admin(name: str, args: Any) -> None:
    """What the Admin orders; of some acts rules have no say."""
    if name in EXTRA_ACTS:
        EXTRA_ACTS[name](args)
    elif name in OFFICE and name in world.index.actions:
        whatever_rules_say(lambda: start_order(None, name, args))
        conclude(attempt)
    else:
        give_order(None, name, args)


def tick(name: str, args: Any) -> None:
    """A moment is reached: a timer's event happens, or one that the calendar or a scenario starts.

    `ballots` are those that have waited for it (see `counted_ballots`).
    """
    w = world
    number = args.get("timer")
    if number is None:
        happen_named(name, args)
        return
    cast = counted_ballots(args)
    # after a correction what comes now may be known by another number: the dice stay those of the entry
    again = w.given.get("again")
    same = [] if number in w.timers or again else [each for each in w.timers.values() if each.event == name]
    number = min(same, key=lambda each: each.place).number if same else number
    timer = w.timers.get(number)
    held = timer is not None and w.things["game"].paused and not timer.real and not again
    if timer is None and again:
        return  # it has been set anew meanwhile, and comes by itself
    if timer is None or timer.event != name or timer.at > w.now or held:
        refuse(f"timer {number} is not running")
    drop_timers([number])
    plan = w.index.events.get(name)
    if plan is None or lapsed(timer) or [field for field in timer.fields if field not in plan.sorts]:
        return
    w.rule = timer.rule
    if timer.record is not None:
        plan = settled(plan, load_rule(timer.record))
    fields = {**{field: cast[field] for field in cast if field in plan.sorts}, **timer.fields}
    if not attempt(plan, fields) and w.declined is not None:  # it undoes the event alone: the clock must not stop
        tell_declined(name, {**timer.fields, "because": w.declined})


def tell_declined(name: str, said: Any) -> None:
    """What the clock wanted is refused: the event `<name>-refused` happens, if a rule declares it, with those of the
    fields that it has, and `because`."""
    plan = world.index.events.get(name + "-refused")
    if plan is not None:
        happen(plan, {field: said[field] for field in said if field in plan.sorts})


def settled(plan: Any, program: Any) -> Any:
    """The declaration of an event with its `@on` from the rule as it was when a timer was set."""
    made = copy(plan)
    made.ons = [(each[2], program.id) for each in program.stations if each[:2] == (plan.name, "on")]
    made.owner, made.bare = program.id, False
    return made


def happen_named(name: str, args: Any) -> None:
    """An event with its fields given as plain data, and with the ballots that have waited for it."""
    plan = world.index.events.get(name)
    if plan is None:
        refuse(f"there is no event '{name}'")
    sorts = plan.sorts
    if "ballots" in sorts or "ballots" in args:
        cast = counted_ballots(args)
        args = {field: args[field] for field in args if field not in ("ballots", "commitment", "more")}
        args = {**args, **cast} if "ballots" in sorts or cast["ballots"] else args
    fields = {}
    for field, content in args.items():
        if field not in sorts:
            refuse(f"event '{name}' has no field '{field}'")
        fields[field] = read_thing(sorts[field], content, field) if sorts[field] and content is not None else content
    happen(plan, fields)


def batch(data: Any) -> Any:
    """Carry out entries one after the other. Returns their outcomes.

    With "stop", a list of words, outcomes have no facts but those of these words and no changes, and the batch ends
    after the first entry that has such a fact or is refused: that is enough for simulations, and takes less time.
    """
    w = world
    w.results = []
    w.wanted = data.get("stop")
    for entry in data["entries"]:
        outcome = take_entry(entry)
        w.results.append(outcome)
        if w.wanted is not None and ("refused" in outcome or outcome["facts"]):
            break
    w.wanted = None
    return w.results


def abort(data: Any) -> Any:
    """After an exception: undo the entry. Returns the rule whose code ran, and the outcomes before it in the batch.

    With "lost" there is nothing to undo: the runtime takes the game up elsewhere.
    """
    w = world
    rule, drawn = w.rule, drawn_so_far()
    begin_budget()
    if data.get("lost"):
        return {"rule": rule or "", "results": w.results, **drawn}
    w.reading = 0
    w.loading = w.wanted = w.refusal = w.hides = w.known = None
    roll_back((0, 0, None, None, None, 0, 0))
    redraw()
    for member in list(w.things.values()):
        dress(member)
    return {"rule": rule or "", "results": w.results, **drawn}


CALLS = {
    "prepare": prepare,
    "open": open_game,
    "restore": restore,
    "batch": batch,
    "abort": abort,
    "due": lambda data: due(),
    "dump": lambda data: dump(),
    "records": lambda data: list(world.records.values()),
    "commons": lambda data: world.sources,
    "reached": lambda data: [world.culprit] if world.culprit else world.reached,
    "steps": lambda data: steps_taken(),
    "veiled": lambda data: veiled(data["changes"]),
    "ids": lambda data: {"things": {id: world.things[id].kind for id in world.things}, "gone": list(world.ghosts)},
}


def call(name: str, data: Any = None) -> Any:
    """The one way into a game: `name` is one of CALLS, `data` and the result are plain data."""
    if name != "batch" and name != "steps":
        begin_budget()
    return CALLS[name](data or {})

"""One future of a game: it goes on by its own calendar, and its players act. A simulation by weeks is the future of a
new game.

Written in the sandbox dialect: it is loaded after the kernel, `filling` and `player` into the same namespace
(`Runtime.add`), so that a future is one call, and so is a week of a simulation. It is a small host: it lets happen what
is due, counts votes, and pauses the game where a rule breaks.

The chance of an entry follows from the seed of the future and from what the entry is, not from what came before: so an
order rolls the same dice with a proposal in force and without it.
"""

import hashlib
import json
from typing import Any

from nomopoly.kernel.budgets import MOST_AT_ONE_MOMENT
from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.clock import clock_at, next_timer
from nomopoly.kernel.game import CALLS, abort, begin_entry, take_entry
from nomopoly.kernel.state import due, dump, restore_state
from nomopoly.kernel.things import Thing, dress, every, same
from nomopoly.kernel.world import world
from nomopoly.lab.filling import ASIDE, OPEN, luck, open_actions, start_luck
from nomopoly.lab.player import A_DAY, find_decisions, find_order, find_proposal, find_votes
from nomopoly.runtime.views import counted_by

MOST_ENTRIES = 20_000  # of one future, or of one week of a simulation
LOG_IN = "log-in"
NOTES = (LOG_IN, "note-vote")  # what is entered for who casts a ballot, where rules want that; the second if sealed
ABSTAINED = "abstain"
CLOSES_WAY_OUT = "emergency-closes"

BASES: dict[str, Any] = {}  # name -> where futures begin: a state and the rules in force
TABLE: dict[str, Any] = {}  # a simulation: its `future`, and the `seats`: [who sits there, how]


class Future:
    """A future as far as it has come."""

    def __init__(self, data: Any) -> None:
        self.seed = data["seed"]
        self.until = data["until"]
        self.offsets = data["offsets"]
        self.last = dict(data["last"])  # event of the calendar -> after which moment it comes
        self.noted = world.now
        self.soonest: Any = None  # see `next_of_calendar`
        self.ballots: dict[
            Any, Any
        ] = {}  # (closing event, subject, player) -> (action, subject, choice, further words)
        self.times: dict[str, int] = {}  # how often an entry of this description has been made
        self.steps: list[Any] = []  # [moment, kind, by, do, args] of all that players and the Admin have done
        self.troubles: list[Any] = []
        self.stopped = ""  # why it does not go on
        self.entries = 0
        self.orders = 0
        self.at_once = 0
        self.stained = False  # whether what was only tried may have left its mark on things
        self.keeps = data["keeps"]  # whether facts are kept
        self.rules: dict[str, int] = {}  # rule -> facts of it
        self.done: dict[str, int] = {}  # what has been carried out -> how often


# ---- entries


def enter(future: Any, kind: str, by: Any, do: Any, args: Any, at: int) -> str:
    """Carry out an entry. Returns why it is refused; "" if it is carried out or breaks, see `future.troubles`."""
    w = world
    look_for_marks(future)
    at = max(at, w.now)
    about = args.get("about")
    called = f"{kind}:{by}:{do}:{at}:{as_json(about) if about else about}"
    again = future.times[called] = future.times.get(called, 0) + 1
    own = hashlib.sha256(f"{future.seed}:{called}:{again}".encode()).hexdigest()
    unseen = hashlib.sha256(own.encode()).hexdigest()
    if "about" in args:
        args = {name: args[name] for name in args if name != "about"}
    entry = {"n": w.n + 1, "at": at, "kind": kind, "by": by, "do": do, "args": args}
    entry.update({"entropy": own, "hidden_entropy": unseen, "hidden": ""})
    if kind == "order" and "order-waits" in w.index.events:
        entry["queued"] = True
    w.wanted = None if future.keeps else ()
    w.results = []
    future.entries += 1
    try:
        outcome = take_entry(entry)
    except (TimeoutError, MemoryError):  # the limits of the machine: no future ends by them
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        told = abort({})
        trouble = {"rule": told["rule"], "message": message, "at": at, "do": do, "by": by}
        known = [each for each in future.troubles if each["rule"] == told["rule"] and each["message"] == message]
        steps = [] if known else [*future.steps]  # the first of its kind tells the way there
        future.troubles.append({**trouble, "entries": future.entries, "steps": steps})
        w.wanted = None
        return ""
    w.wanted = None
    if "refused" in outcome:
        return outcome["refused"] or "?"
    if do is not None:
        future.done[do] = future.done.get(do, 0) + 1
    for fact in outcome["facts"] if future.keeps else ():
        future.rules[fact["rule"]] = future.rules.get(fact["rule"], 0) + 1
    if future.entries >= MOST_ENTRIES:
        future.stopped = "long"
    return ""


def look_for_marks(future: Any) -> None:
    """Note whether what has been tried since the last entry began may have left its mark on things."""
    entry = world.entry
    future.stained = future.stained or entry.shrunk or len(entry.ran) > 0


def think(future: Any, at: int) -> None:
    """Begin to look for what to do at a moment; nothing is entered."""
    look_for_marks(future)
    begin_entry({"n": world.n, "at": at})


def as_json(about: Any) -> str:
    """What a timer is about, as JSON: for the most part it is one thing with a plain name."""
    id = about[0] if len(about) == 1 else None
    if type(id) is str and id.isascii() and id.isprintable() and '"' not in id and "\\" not in id:
        return '["' + id + '"]'
    return json.dumps(about)


def step(future: Any, at: int, kind: str, by: Any, do: str, args: Any) -> str:
    """What somebody does, and what follows if it breaks. Returns why it is refused, or ""."""
    before = len(future.troubles)
    if kind == "vote":
        return cast(future, at, by, do, args)
    future.steps.append([at, kind, by, do, args])
    reason = enter(future, kind, by, do, args, at)
    if reason:
        future.steps.pop()
    elif len(future.troubles) > before and (kind == "tick" or disrupts(do)):
        future.stopped = "broken"
    return reason


def disrupts(do: str) -> bool:
    """Whether the game pauses if this breaks."""
    action = world.index.actions.get(do)
    return action is not None and bool(action.disrupts)


def cast(future: Any, at: int, by: str, do: str, args: Any) -> str:
    """Put a ballot into the box."""
    action = world.index.actions.get(do)
    if action is None:
        return "there is no such vote"
    subject, choice, further = parts_of_ballot(action, world.index.forms[do])
    about = args.get(subject.rstrip("_"), "game") if subject else "game"
    said = [args.get(key.rstrip("_")) for key in further]
    future.steps.append([at, "vote", by, do, args])
    for note in NOTES[: 2 if action.sealed else 1]:
        if note in world.index.actions:
            enter(future, "order", by, note, {}, at)
    future.ballots[(action.ballot, about, by)] = (do, about, args.get(choice.rstrip("_")), said)
    future.done[do] = future.done.get(do, 0) + 1
    return ""


# ---- the clock


def next_begins(day: Any, after: int, offsets: Any) -> int:
    """When an event of the calendar begins next after a moment, by the clock of the game."""
    today = (after + clock_at(offsets, after)) // A_DAY
    for date in range(today, today + 9):
        begins = date * A_DAY + day["hour"] * 3600 + day["minute"] * 60
        begins -= clock_at(offsets, begins, True)
        if day["weekday"] in (-1, (date + 3) % 7) and begins > after:
            return begins
    return after + 7 * A_DAY


def next_of_calendar(future: Any) -> Any:
    """Which event of the calendar begins next: (when, its name), or None. It is worked out again where something that
    it hangs on has changed."""
    game, calendar = world.things["game"], world.index.calendar
    known = future.soonest
    if known is not None and known[0] is calendar and known[1] == game.paused and known[2] == game.resumed_at:
        return known[3]
    soonest = None
    for name, day in calendar.items():
        if day["weekday"] not in (-1, 0, 1, 2, 3, 4, 5, 6) or (game.paused and not day["real"]):
            continue
        after = future.last.setdefault(name, future.noted)
        after = after if day["real"] else max(after, game.resumed_at or 0)
        begins = next_begins(day, after, future.offsets)
        if soonest is None or begins < soonest[0]:
            soonest = (begins, name)
    future.soonest = (calendar, game.paused, game.resumed_at, soonest)
    return soonest


def next_thing(future: Any, until: int) -> Any:
    """What is due next, up to and including a moment: {"at", "do", "timer", "about", "quiet"}, or None."""
    timer, begins = next_timer(), next_of_calendar(future)
    if begins is not None and (timer is None or begins[0] < timer.at):
        return calendar_due(begins) if begins[0] <= until else None
    return due() if timer is not None and timer.at <= until else None


def calendar_due(begins: Any) -> Any:
    """An event of the calendar, as `due` has a timer's."""
    return {"at": begins[0], "do": begins[1], "timer": None, "about": [], "quiet": False}


def let_time_pass(future: Any, until: int) -> None:
    """Do everything that is due up to and including a moment."""
    before = None
    while not future.stopped and not at_an_end():
        found = next_thing(future, until)
        if found is None or found == before:
            break
        before = found
        at = max(found["at"], world.now)
        future.noted = at
        future.at_once = future.at_once + 1 if at == world.now else 0
        troubles = len(future.troubles)
        do_due(future, found, at)
        if len(future.troubles) > troubles and found["quiet"]:
            enter(future, "admin", "kernel", "hold", {"timer": found["timer"]}, at)
        elif len(future.troubles) > troubles:
            future.stopped = "broken"
        elif future.at_once >= MOST_AT_ONE_MOMENT:
            told = {"rule": found.get("rule", ""), "message": "paradox: one timer after another was set for one moment"}
            told = {**told, "at": at, "do": found["do"], "by": None, "entries": future.entries}
            future.troubles.append({**told, "steps": [*future.steps]})
            future.stopped = "broken"


def do_due(future: Any, found: Any, at: int) -> None:
    """Enter what is due, with the votes that have waited for it."""
    do = found["do"]
    args: dict[str, Any] = {"about": found["about"]}
    if found["timer"] is None:
        future.last[do], future.soonest = found["at"], None
        OPEN["shut"] = {}  # what nobody could vote on may be open now
    else:
        args["timer"] = found["timer"]
    votes = open_actions()["closing"].get(do)
    if votes:
        args = {**args, **counted_votes(future, do, found["about"], votes)}
    enter(future, "ballots" if votes else "tick", None, do, args, at)


def counted_votes(future: Any, do: str, about: Any, votes: Any) -> Any:
    """The ballots for a closing event, as an entry holds them; they are used up."""
    things = any_thing_chosen(votes)
    further: list[str] = []
    for action in votes:
        further += [key for key in parts_of_ballot(action, world.index.forms[action.name])[2] if key not in further]
    rows = []
    secret: dict[str, int] = {}
    places = {who.id: place for place, who in enumerate(every("player"))}
    mine = [key for key in future.ballots if key[0] == do and (not about or key[1] in (*about, "game"))]
    for place, key in sorted([(places.get(key[2], -1), key) for key in mine]):
        name, subject, choice, said = future.ballots.pop(key)
        action = world.index.actions.get(name)
        if place < 0 or action is None or (action.sealed and choice == ABSTAINED):
            continue
        own = parts_of_ballot(action, world.index.forms[name])[2]
        words = [said[own.index(each)] if each in own and own.index(each) < len(said) else None for each in further]
        word = type(choice) is str and not things and choice in world.things
        row = [subject, {"word": choice} if word else choice, key[2]]
        row = [*row, words] if [each for each in words if each is not None] else row
        if action.sealed:
            told = json.dumps([*row[:2], None, *row[3:]])
            secret[told] = secret.get(told, 0) + 1
        else:
            rows.append(row)
    numbered = []
    for told in sorted(secret):
        row = json.loads(told)
        row[2] = secret[told]
        numbered.append(row)
    return {"ballots": [*numbered, *rows], **({"more": further} if further else {})}


def any_thing_chosen(votes: Any) -> bool:
    """Whether what is chosen in one of these votes is a thing."""
    for action in votes:
        form = world.index.forms[action.name]
        choice = parts_of_ballot(action, form)[1]
        if choice in form and form[choice].sort == "thing":
            return True
    return False


def at_an_end() -> bool:
    """Whether the game is over or stopped."""
    game = world.things["game"]
    return game.operator_stop is not None or getattr(game, "over", False) is True


# ---- who acts


def look_in(future: Any, at: int) -> None:
    """Everybody signs in to the site, where rules want to know it: nobody stays away in a future, and when somebody was
    last here is hidden."""
    for who in every("player") if LOG_IN in world.index.actions else ():
        enter(future, "order", who.id, LOG_IN, {}, at)


def act(future: Any, who: Any, how: Any, at: int) -> None:
    """What one player does on one day: vote on what is open, and give an order."""
    think(future, at)
    start_luck(f"{future.seed}:{who.id}:{at}")
    if world.things["game"].paused:
        return
    votes = find_votes(who, how) if luck(100) < how["votes"] else []
    for do, args in votes:
        step(future, at, "vote", who.id, do, args)
    if luck(1000) >= how["often"] or future.stopped:
        return
    think(future, at)

    def given(who: Any, do: str, args: Any) -> Any:
        reason = step(future, at, "order", who.id, do, args)
        think(future, at)
        return (reason, None if reason else [])

    if how["policy"] == "random":  # what can be ordered is ordered at once
        found = find_order(who, how, given)
    else:
        found = find_order(who, how)
        if found is not None:
            step(future, at, "order", who.id, *found)
    if found is not None:
        future.orders += 1
    if how.get("proposes") and not future.stopped and not at_an_end():
        think(future, at)
        proposal = find_proposal(who, how)
        if proposal is not None:
            step(future, at, "order", who.id, *proposal)


def one_day(future: Any, hows: Any, begun: int) -> None:
    """Each player once, at a moment of their own, and the Admin in the end."""
    players = [who.id for who in every("player")]
    for place in range(len(players)):
        at = begun + A_DAY * place // (len(players) + 1)
        if at > future.until:
            return
        let_time_pass(future, at)
        who = world.things.get(players[place])
        if future.stopped or at_an_end():
            return
        if type(who) is not Thing or who.kind != "player":
            continue
        if turns_by_hand():
            step(future, at, "tick", None, "turn", {"who": who.id})
        if who.id not in hows:
            hows[who.id] = {**hows[""], "tried": {}, "chosen": {}, "voted": {}, "rests": {}}
        if not future.stopped and not at_an_end() and who.id in world.things:
            act(future, who, hows[who.id], at)
    at = begun + A_DAY * len(players) // (len(players) + 1)
    let_time_pass(future, min(at, future.until))
    if not future.stopped and not at_an_end():
        think(future, max(at, world.now))
        start_luck(f"{future.seed}:desk:{at}")

        def decided(who: Any, do: str, args: Any) -> Any:
            if future.stopped or at_an_end():
                return ("it is over", None)
            reason = step(future, at, "admin", "Admin", do, args)
            think(future, max(at, world.now))
            return (reason, None if reason else [])

        find_decisions(decided)


def turns_by_hand() -> bool:
    """Whether the Admin gives turns: nobody takes one, and no calendar starts them."""
    index = world.index
    return "turn" in index.events and "take-turn" not in index.actions and not index.calendar


# ---- the calls


def take_up(name: str) -> Any:
    """Begin where a base says. What the last future from there has left as it was stays."""
    base, w = BASES[name], world
    w.records, w.programs, w.index = base["rules"]
    other = base.pop("other", None)
    if other is None:
        w.things, w.ghosts, w.store, w.kinds = {}, {}, {}, {}
        restore_state(base["state"])
        base["ghosts"], base["places"], base["size"] = {**w.ghosts}, {**w.places}, w.size
        base["things"], base["store"] = {**w.things}, w.store
        base["values"] = {id: {**w.store[id]} for id in w.store}
    else:
        for id in other:
            base["store"][id] = {**base["values"][id]}
        w.things, w.ghosts, w.store, w.kinds = {**base["things"]}, {**base["ghosts"]}, base["store"], {}
        for id, member in w.things.items():
            w.kinds.setdefault(member.kind, {})[id] = member
        w.gone = {}
        for id in other:
            dress(w.things[id])
        w.places, w.placed = {**base["places"]}, len(w.things) - 1
        restore_state(base["state"], False)
        w.size = base["size"]
    w.store = {**base["store"]}
    begin_entry({"n": w.n, "at": w.now})
    OPEN["shut"], ASIDE["thing"] = {}, None  # no future knows of another one
    return base


def other_attributes(before: Any, now: Any) -> bool:
    """Whether things have other attributes by one index than by another, or other defaults."""
    for kind, known in before.attributes.items():
        found = now.attributes.get(kind, {})
        if len(found) != len(known) or now.absent.get(kind) != before.absent.get(kind):
            return True
        if [name for name in known if name not in found or not same(found[name].default, known[name].default)]:
            return True
    return False


def put_away(base: Any, future: Any) -> None:
    """Note which things a future has changed: the next one from there has all others as they are.

    Where it may have left anything else in them (attributes that rules have declared meanwhile), all is restored.
    """
    w = world
    if future.stained or other_attributes(base["rules"][2], w.index):
        return
    if [True for id, ghost in base["ghosts"].items() if w.ghosts.get(id) is not ghost]:
        return
    things, other = base["things"], []
    for id, before in base["values"].items():
        now: Any = w.store.get(id)
        still = w.things.get(id) is things[id] and now is base["store"][id] and len(now) == len(before)
        if not still or [True for name in before if now.get(name, things) is not before[name]]:
            other.append(id)
    if len(other) < len(things):
        base["other"] = other


def begin_base(data: Any) -> Any:
    """Make a base. `data`: {"name", "state"} of a state with the rules in force in this runtime, or {"name", "of",
    "proposal", "seed"}: another base with a proposal in force. Returns {} or {"refused"} or {"broke": {"rule",
    "message"}}.
    """
    w = world
    if "of" not in data:
        rules = (w.records, w.programs, w.index)
        BASES[data["name"]] = {"state": data["state"], "rules": rules}
        return {}
    take_up(data["of"])
    args = {**data["proposal"], "by": "admin"}
    asked = {"seed": data["seed"], "until": 0, "offsets": [], "last": {}, "keeps": False}
    future = Future(asked)
    reason = enter(future, "admin", "Admin", "put-in-force", args, w.now)
    if reason:
        return {"refused": reason}
    if future.troubles:
        return {"broke": {part: future.troubles[0][part] for part in ("rule", "message")}}
    BASES[data["name"]] = {"state": dump(), "rules": (w.records, w.programs, w.index)}
    return {}


def go_ahead(data: Any) -> Any:
    """Play one future. `data`: {"base", "seed", "until", "marks": moments at which numbers are read, "viewer",
    "offsets", "last", "how", "keeps", "aside": the id of a thing that nobody decides on, or None}, or with "script"
    those steps in place of what players choose.

    Returns {"numbers": at each mark and in the end, "over", "paused", "winner", "stopped", "troubles", "entries",
    "orders", "rules"}.
    """
    base = take_up(data["base"])
    ASIDE["thing"] = data["aside"]
    future = Future(data)
    viewer = data["viewer"]
    marks = [*data["marks"]]
    read = []
    hows: dict[str, Any] = {"": data["how"]}
    script = data.get("script")
    begun = world.now
    if script is not None:
        follow(future, script, marks)
    while script is None and begun < future.until and not future.stopped and not at_an_end():
        while marks and begun >= marks[0]:
            marks.pop(0)
            read.append(standing(viewer))
            look_in(future, begun)
        one_day(future, hows, begun)
        begun += A_DAY
    if not future.stopped:
        let_time_pass(future, future.until)
    end = standing(viewer)
    read += [end] * (len(marks) + 1)
    game = world.things["game"]
    winner = getattr(game, "winner", None)
    put_away(base, future)
    return {
        "numbers": read,
        "over": at_an_end(),
        "paused": bool(game.paused),
        "winner": winner.id if type(winner) is Thing else None,
        "stopped": future.stopped,
        "troubles": future.troubles,
        "entries": future.entries,
        "orders": future.orders,
        "rules": future.rules,
    }


def follow(future: Any, script: Any, weeks: Any) -> None:
    """Take the steps of a script, each at its moment; everybody signs in at the moments `weeks`, as in any future."""
    weeks = [*weeks]
    for at, kind, by, do, args in script:
        while weeks and at >= weeks[0] and not future.stopped:
            begins = weeks.pop(0)
            let_time_pass(future, begins)
            look_in(future, begins)
        let_time_pass(future, at)
        if future.stopped or at_an_end():
            return
        step(future, at, kind, by, do, args)


def begin_weeks(data: Any) -> Any:
    """Take seats at a game that has just been opened. `data`: {"seed", "offsets", "seats": [[player, how]]}."""
    w = world
    future = Future({**data, "until": w.now, "last": {}, "keeps": False})
    TABLE["future"] = future
    TABLE["seats"] = [[*seat] for seat in data["seats"]]
    let_time_pass(future, w.now)
    for name, _ in TABLE["seats"]:
        take_seat(future, name)
    return {"troubles": future.troubles}


def take_seat(future: Any, name: str) -> None:
    """Somebody asks to join, and the Admin approves."""
    enter(future, "join", name, None, {}, world.now)
    enter(future, "admin", "Admin", "approve-player", {"player": name}, world.now)


def play_week(data: Any) -> Any:
    """Play the next days of a simulation. `data`: {"days", "newcomers": names for those who take the place of who is
    out}.

    Returns {"took": how many newcomers, "entries", "stopped", "over", "done": what has been carried out in all -> how
    often, "never": the orders and votes that players may take by the rules of now and that none has, "troubles"}.
    """
    future, newcomers = TABLE["future"], [*data["newcomers"]]
    begun = future.until
    future.until, future.entries = begun + data["days"] * A_DAY, 0
    for seat in TABLE["seats"]:
        if seat[0] not in world.kinds["player"] and newcomers and not future.stopped and not at_an_end():
            seat[0] = newcomers.pop(0)
            take_seat(future, seat[0])
    hows = {"": TABLE["seats"][0][1]}
    for name, how in TABLE["seats"]:
        hows[name] = how
    while begun < future.until and not future.stopped and not at_an_end():
        one_day(future, hows, begun)
        begun += A_DAY
    if not future.stopped:
        let_time_pass(future, future.until)
    players = [each.name for each in world.index.actions.values() if each.by == "player"]
    return {
        "took": len(data["newcomers"]) - len(newcomers),
        "entries": future.entries,
        "stopped": future.stopped,
        "over": at_an_end(),
        "done": future.done,
        "never": sorted([name for name in players if name not in future.done]),
        "troubles": future.troubles,
    }


def standing(viewer: str) -> Any:
    """What players have that can be counted, as a viewer may see it, and the game itself: {id: {name: number}}."""
    told = {who.id: counted_by(who, viewer) for who in every("player")}
    return {**told, "game": counted_by(world.things["game"], viewer)}


CALLS["base"] = begin_base
CALLS["ahead"] = go_ahead
CALLS["seats"] = begin_weeks
CALLS["week"] = play_week

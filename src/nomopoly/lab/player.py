"""How somebody who plays by itself finds what to do next, by the forms that rules declare.

Written in the sandbox dialect: it is loaded after the kernel and `filling` into the same namespace and adds its calls
to the kernel's door, so that one call finds an order, however many are tried. What could not be done rests for some
days.
"""

from typing import Any

from nomopoly.kernel.budgets import begin_budget
from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.game import CALLS, begin_entry, redraw
from nomopoly.kernel.orders import give_order
from nomopoly.kernel.things import Thing, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.world import world
from nomopoly.lab.filling import (
    BREAKS,
    Form,
    asked,
    choices_known,
    likely,
    luck,
    open_actions,
    refused_already,
    some,
    start_luck,
)
from nomopoly.runtime.forms import trial

CASH_KEPT = 300  # dollars that a careful player keeps in hand
SHARE_KEPT = 90  # and per cent of what it has, at every order
TRIES, ENOUGH = 24, 3  # actions that are tried to find one order, and after how many one that can be done is enough
RESTING = 16  # actions: as many days as there are of these, squared, rests at most what could not be done
GOAL_RESTS = 3  # days that what one strives for rests, unless one has moved meanwhile
PROPOSING = 20  # per cent: how likely a bot makes a proposal when it can
DECIDING = 40  # per cent: how likely the Admin decides on something a day
FAILED, DONE = 1, 40  # how much one tires of an action that came to no order, and of one that was ordered
SELDOM, OFTEN = 5, 400  # per cent: what takes back is liked little, what rolls dice is what the game is about
HABIT = 20  # how much likelier an order of players makes an action than one that none has ordered
A_DAY = 86400
SAME_VOTES = 3  # in a row that are refused for one reason, after which nobody votes so on that day
VOTE_AGAIN = 7 * A_DAY  # seconds after which a bot votes on the same thing again
WORTH = ("square_price", "market_value")  # values that say what a square costs
TAKING_BACK = ("abandon", "break", "remove", "retract", "withdraw-order")


def as_tried(who: Any, name: str, raw: Any) -> Any:
    """What an order would come to: (why it is refused, or "", what it would change: a list of changes)."""
    w = world
    try:
        refusal, _, changes = trial(lambda: give_order(who, name, raw))
    except BREAKS:
        w.reading = 0
        begin_budget()
        return ("it breaks", None)
    return ("", changes) if refusal is None or refusal[0] == "rolls" else (refusal[0] or "?", None)


# ---- what to do


def likings(actions: Any, how: Any) -> Any:
    """How likely it is that each of some actions is tried: as often as players have ordered it, where that is known."""
    habits, goals, tried, factors = how.get("orders"), how.get("likes", {}), how["tried"], open_actions()["factors"]
    if habits is not None:
        return [1 + HABIT * habits.get(each.name, 0) for each in actions]
    for each in actions:
        if each.name not in factors:
            factor = SELDOM if each.name.startswith(TAKING_BACK) else OFTEN if each.rolls else 100
            factors[each.name] = 10 * factor
    names = [each.name for each in actions]
    return [1 + goals.get(name, 100) * factors[name] // (DONE + tried.get(name, 0)) for name in names]


def note_rest(form: Any, how: Any, place: str, failed: bool) -> None:
    """An action that has come to no order rests for a day, and for twice as long each time that it comes to none again.

    How long at most hangs on how many there are: of a few none rests. What a player strives for is tried again where
    one has moved. What was refused for one reason hangs together: where that reason is gone, all that rest for it wake;
    and one that comes to an order after it has rested wakes all that rules of its chapter declare.
    """
    action, rests, orders = form.action, how["rests"], open_actions()["orders"]
    before = rests.get(action.name)
    if before is not None and before[2] and (not failed or before[2] != form.reason):
        for name in rests:
            if rests[name][2] == before[2] and name != action.name:
                rests[name][:2] = [world.now, 1]
    goal = how.get("likes", {}).get(action.name, 100) > 100
    if failed:
        longest = GOAL_RESTS if goal else len(orders)
        days = min(longest, (len(orders) // RESTING) ** 2, longest if goal else 2 * before[1] if before else 1)
        if days:
            rests[action.name] = [world.now + days * A_DAY, days, form.reason, place if goal else None]
        for name in rests if goal and before is not None and before[2] == form.reason else ():
            if rests[name][2] == form.reason and rests[name][3] is not None:  # what else one strives for is as far
                rests[name] = [*rests[action.name]]
    elif before is not None:
        rests.pop(action.name)
        chapter = action.rule.partition(".")[0]
        for other in orders:
            rest = rests.get(other.name)
            if rest is not None and (goal or rest[1] <= 2 * before[1]) and other.rule.partition(".")[0] == chapter:
                rests.pop(other.name)
    if goal and not failed:  # what one strives for is a way: each step makes the next one possible
        for name in [name for name in rests if how["likes"].get(name, 100) > 100]:
            rests.pop(name)


def whereabouts(who: Any) -> str:
    """Where a player stands, and whatever other things it has as a part of itself: by what it is called."""
    kept = world.store[who.id]
    return " ".join(sorted([f"{name}:{kept[name].id}" for name in kept if type(kept[name]) is Thing]))


def rests_now(rest: Any, place: str) -> bool:
    """Whether an action that could not be done rests still."""
    return rest[0] > world.now and rest[3] in (None, place)


def find_order(who: Any, how: Any, last: Any = as_tried) -> Any:
    """An order that would be carried out as things stand: (action, fields), or None.

    `how`: {"policy", "avoids", "tried": {action: how often}, "chosen": {action field choice: how often}, "rests":
    {action: [until when, days, why, where one stood]}}, where what is tried is noted. `last`: what is done with a whole
    order: it is tried, or carried out.
    """
    if world.things["game"].paused:
        return None
    tried, rests, place_now = how["tried"], how["rests"], whereabouts(who)
    left = [each for each in open_actions()["orders"] if each.name not in how["avoids"]]
    left = [each for each in left if each.name not in rests or not rests_now(rests[each.name], place_now)]
    weights = likings(left, how)
    best, most = None, -1
    for tries in range(min(TRIES, len(left))):
        place = likely(weights)
        weights.pop(place)
        action = left.pop(place)
        if action.name in rests and rests_now(rests[action.name], place_now):
            continue  # something else has shown meanwhile that it cannot be done either
        form = Form(action, who, how)
        found = form.fill(last)
        tried[action.name] = tried.get(action.name, 0) + (FAILED if found is None else DONE)
        note_rest(form, how, place_now, found is None)
        if found is None:
            continue
        if how["policy"] == "random":
            best = form
            break
        worth = worth_of(who, found, how["policy"] == "careful")
        if worth is not None and worth > most:
            best, most = form, worth
        if best is not None and tries + 1 >= ENOUGH:
            break
    if best is None:
        return None
    for key in best.raw:
        mark = f"{best.action.name} {key} {best.raw[key]}"
        if len(mark) < 80:
            how["chosen"][mark] = how["chosen"].get(mark, 0) + 1
    return (best.action.name, best.raw)


def worth_of(who: Any, changes: Any, careful: bool) -> Any:
    """How much richer an order makes a player, in dollars; None if it leaves a careful one with too little.

    What is spent on something of one's own, whatever it is, is not lost: one has that instead.
    """
    gained = spent = 0
    mine = False
    for id, name, before, after in changes:
        if id == who.id and name == "money":
            gained += (after or 0) - (before or 0)
            spent = max(0, -gained)
            if careful and after < min(before, max(CASH_KEPT, before * SHARE_KEPT // 100)):
                return None
        elif name == "owner" and who.id in (before, after):
            gained += price_of(id) * (1 if after == who.id else -1)
        else:
            mine = mine or id == who.id or after == who.id
    return gained + spent if mine and gained < 0 else gained


def price_of(id: str) -> int:
    """What a square costs by the rules, in dollars; 0 if they do not say, and for anything else."""
    found = world.things.get(id)
    if found is not None and found.kind == "square":
        known = [name for name in WORTH if name in world.index.values]
        if known:
            price = asked(lambda: value(known[0], found))
            return price if type(price) is int else 0
    return 0


def find_votes(who: Any, how: Any) -> Any:
    """Votes to cast on what is open and has not been voted on for a week: [(action, fields)]."""
    found = []
    for action in open_actions()["ballots"]:
        if shut_for_all(action):
            continue
        form = world.index.forms[action.name]
        subject, _, _ = parts_of_ballot(action, form)
        reason = refused_already(action, {"who": who})
        subjects = choices_known(form[subject], who) if subject and not reason else [None]
        if reason or not subjects:
            same_refusal(action, who, reason or "there is nothing to vote on")
            continue
        for about in subjects:
            mark = f"{action.name} {about}"
            if world.now - how["voted"].get(mark, -VOTE_AGAIN) < VOTE_AGAIN:
                continue
            vote = Form(action, who, how)
            right = True
            for key in form:
                options = [plain(about)] if key == subject else ballot_choices(vote, key, form[key], how)
                right = right and bool(options) and vote.say(key, form[key], options[0])
            reason = as_tried(who, action.name, vote.raw)[0] if right else ""
            if right and not reason:
                how["voted"][mark] = world.now
                found.append((action.name, vote.raw))
            if same_refusal(action, who, reason):
                break
    return found


def same_refusal(action: Any, who: Any, reason: str) -> bool:
    """Note why a vote was refused, or that it was not. Returns whether it was for the same reason as the last one.

    On a new day the word of one other player is enough for a reason that nobody could vote for the day before.
    """
    known = open_actions()["shut"]
    day, before, times, last = known.get(action.name, (0, "", 0, ""))
    today = world.now // A_DAY
    again = reason != "" and before == reason
    if again and (day == today or who.id != last):
        times += 1
    elif not again or times < SAME_VOTES:
        times = 1
    else:
        times = SAME_VOTES - 1
    known[action.name] = (today, reason, times, who.id)
    return again and day == today


def shut_for_all(action: Any) -> bool:
    """Whether votes of this sort have been refused today for one reason, so often in a row that nobody tries again."""
    day, reason, times, _ = open_actions()["shut"].get(action.name, (0, "", 0, ""))
    return day == world.now // A_DAY and reason != "" and times >= SAME_VOTES


def ballot_choices(vote: Any, key: str, field: Any, how: Any) -> Any:
    """What to say in a field of a vote: as often as players have said it, where `how` knows that, else any of its
    choices."""
    options = vote.contents(key, field)
    known = how.get("habits", {}).get(vote.action.name + " " + key, {})
    liked = [each for each in vote.offered(key, field) if plain(each) in known] if known else []
    return [plain(liked[likely([known[plain(each)] for each in liked])])] if liked else options


def find_proposal(who: Any, how: Any) -> Any:
    """Now and then, a proposal that a number of a rule be a little higher or lower: (action, fields), or None.

    Not that it be 1: dice of one side always show doubles, and then turns have no end.
    """
    for action in open_actions()["amending"]:
        if luck(100) >= PROPOSING or action.name in how["avoids"]:
            continue
        numbers = numbers_of_rules()
        if not numbers:
            return None
        rule, name, content = numbers[luck(len(numbers))]
        other = max(2, content + (-1, 1)[luck(2)] * max(1, content // 10))
        said = {"title": f"{name} {other}", "text": f"Not {content} any more."}
        return (action.name, {**said, "changes": [{"amend": rule, "params": {name: other}}]})
    return None


def numbers_of_rules() -> Any:
    """All positive numbers of the rules in force: [(rule, name, number)]."""
    known = open_actions()
    if known["numbers"] is None:
        known["numbers"] = [
            (record["id"], name, record["params"][name])
            for record in world.records.values()
            for name in record["params"]
            if type(record["params"][name]) is int and record["params"][name] > 0
        ]
    return known["numbers"]


def find_decisions(last: Any = as_tried) -> Any:
    """Acts of the desk by which the Admin decides on some of what waits, by chance: [(act, fields)].

    `last`: what is done with a whole act: it is tried, or carried out.
    """
    found = []
    acts = [*open_actions()["desk"]]
    for action in some(acts, len(acts)):
        form = world.index.forms.get(action.name, {})
        needed = [key for key in form if not form[key].optional]
        if luck(100) >= DECIDING or not needed:
            continue
        blank = Form(action, None, {"chosen": {}})
        if not blank.offered(needed[0], form[needed[0]]):
            continue
        if blank.fill(last) is not None:
            found.append((action.name, blank.raw))
    return found


# ---- the calls


def bot_day(data: Any) -> Any:
    """What a player does next: {"votes", "proposal", "order": [action, fields] or None, and what it remembers}.

    `data`: {"who", "at", "seed", "policy", "avoids", "casts", "proposes", "likes", "says", "tried", "chosen", "voted",
    "rests"}.
    """
    begin_entry({"n": world.n, "at": data["at"]})
    start_luck(data["seed"])
    who = world.things.get(data["who"])
    found: dict[str, Any] = {"votes": [], "proposal": None, "order": None}
    if type(who) is Thing and who.kind == "player":
        found["order"] = find_order(who, data)
        if data["casts"]:
            found["votes"] = find_votes(who, data)
        if data["proposes"]:
            found["proposal"] = find_proposal(who, data)
    redraw()
    return {**found, **{part: data[part] for part in ("tried", "chosen", "voted", "rests")}}


def offers(data: Any) -> Any:
    """Orders that would be carried out now, at most one of each action: [[action, fields]].

    `data`: {"who", "at", "seed", "avoids", "most"}.
    """
    begin_entry({"n": world.n, "at": data["at"]})
    start_luck(data["seed"])
    who = world.things.get(data["who"])
    found: list[Any] = []
    wanted = open_actions()["orders"] if type(who) is Thing and not world.things["game"].paused else []
    for action in some(wanted, len(wanted)):
        if action.name not in data["avoids"] and len(found) < data["most"]:
            form = Form(action, who, {"chosen": {}})
            if form.fill(as_tried) is not None:
                found.append([action.name, form.raw])
    redraw()
    return found


def desk_day(data: Any) -> Any:
    """What the Admin decides on today: [[act, fields]]. `data`: {"at", "seed"}."""
    begin_entry({"n": world.n, "at": data["at"]})
    start_luck(data["seed"])
    found = find_decisions()
    redraw()
    return found


CALLS["bot-day"] = bot_day
CALLS["offers"] = offers
CALLS["desk-day"] = desk_day

"""How somebody who plays by itself finds what to do next, by the forms that rules declare.

Written in the sandbox dialect: it is loaded after the kernel into the same namespace (`Runtime.add`) and adds its calls to
the kernel's door, so that one call finds an order, however many are tried.

Nothing is tried that is known to fail. First an action is asked for with nothing said: what refuses it then, before it
has looked at any field, refuses it whatever is said. Then its fields are filled in one after the other, and each is asked
for with those before it: a choice that is refused is changed at once, and not when all others have been made.
"""

import hashlib
from typing import Any

from nomopoly.kernel.budgets import begin_budget
from nomopoly.kernel.casting import parts_of_ballot
from nomopoly.kernel.dice import begin_draws
from nomopoly.kernel.events import happen
from nomopoly.kernel.fields import choices_of, default_of, read_field
from nomopoly.kernel.game import CALLS, begin_entry, redraw
from nomopoly.kernel.index import EventPlan
from nomopoly.kernel.orders import give_order
from nomopoly.kernel.things import Thing, plain
from nomopoly.kernel.values import value
from nomopoly.kernel.world import mark_entry, roll_back, savepoint, world
from nomopoly.runtime.forms import known_to, trial
from nomopoly.runtime.views import read_safely

CASH_KEPT = 300  # dollars that a careful player keeps in hand
SHARE_KEPT = 90  # and per cent of what it has, at every order
TRIES, ENOUGH = 24, 3  # actions that are tried to find one order, and after how many one that can be done is enough
RESTING = (
    8  # of so many actions one is tried a day that could not be done before: so it rests at most a day for each so many
)
CHOICES = 4  # of a field that are tried
LISTS = 16  # and if it is a list, which is seldom right at once,
SAME_LISTS = 3  # unless it is refused for the same reason so often in a row
PROPOSING = 20  # per cent: how likely a bot makes a proposal when it can
DECIDING = 40  # per cent: how likely the Admin decides on something a day
FAILED, DONE = 1, 40  # how much one tires of an action that came to no order, and of one that was ordered
SELDOM, OFTEN = 5, 400  # per cent: what takes back is liked little, what rolls dice is what the game is about
HABIT = 20  # how much likelier an order of players makes an action than one that none has ordered
A_DAY = 86400
SAME_VOTES = 3  # in a row that are refused for one reason, after which nobody votes so on that day
VOTE_AGAIN = 7 * A_DAY  # seconds after which a bot votes on the same thing again
WORTH = ("square_price", "market_value")  # values that say what a square costs
NOT_FILLED = ("code", "changes", "deal")  # sorts of fields that a bot leaves empty
LENGTHS = (1, 2, 2, 2, 3, 3, 4, 5)  # how long a list is that it makes up
TAKING_BACK = ("abandon", "break", "remove", "retract", "withdraw-order")
OVERRULING = ("declare-winner", "grant", "hold", "remove-player", "strike")  # acts of the desk that a bot leaves alone
NAMES_MADE_UP = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")
MERSENNE = 2**31 - 1
MAKE_UP = ()  # what stands for something that is still to be made up

LUCK = {"state": 1}
ASIDE: dict[str, Any] = {"thing": None}  # the id of a thing that nobody chooses
OPEN: dict[str, Any] = {"index": None}  # what follows from the rules in force alone


# ---- chance, which has nothing to do with the dice of the game


def start_luck(seed: str) -> None:
    """Begin a row of draws: the same for the same seed."""
    LUCK["state"] = int(hashlib.sha256(seed.encode()).hexdigest()[:7], 16) + 1


def luck(outcomes: int) -> int:
    """A whole number from 0 to outcomes - 1."""
    LUCK["state"] = LUCK["state"] * 48271 % MERSENNE
    return LUCK["state"] * outcomes // MERSENNE


def likely(weights: Any) -> int:
    """A place in a list of weights, each as likely as its weight."""
    left = luck(sum(weights))
    for place in range(len(weights)):
        left -= weights[place]
        if left < 0:
            return place
    return len(weights) - 1


def some(pool: Any, many: int) -> Any:
    """So many different ones of a list, in any order; all, if there are no more."""
    left = [*pool]
    return [left.pop(luck(len(left))) for _ in range(min(many, len(left)))]


# ---- what the rules in force allow in principle


def open_actions() -> Any:
    """The actions that a bot may take by the rules in force: {"orders", "ballots", "amending", "desk"}; and in "closing"
    the votes that are counted at each event."""
    index = world.index
    if OPEN["index"] is not index:
        found: dict[str, Any] = {"index": index, "orders": [], "ballots": [], "amending": [], "desk": []}
        found = {**found, "probes": {}, "pools": {}, "shut": {}, "closing": {}, "numbers": None}
        for action in index.actions.values():
            sort = sort_of_action(action, index.forms[action.name])
            if sort:
                found[sort].append(action)
            if action.ballot:
                found["closing"].setdefault(action.ballot, []).append(action)
        OPEN.update(found)
    return OPEN


def sort_of_action(action: Any, form: Any) -> str:
    """In which list of `open_actions` an action is; "" for one that bots leave alone."""
    needed = [form[key] for key in form if not form[key].optional]
    unsaid = [each for each in needed if each.sort in NOT_FILLED]
    if action.by == "admin":
        decides = needed and needed[0].sort == "thing" and action.name not in OVERRULING
        lists = [each for each in needed if each.sort == "anything"]
        return "desk" if decides and not unsaid and not lists else ""
    if action.ballot:
        return "ballots"
    if [key for key in form if form[key].sort == "changes"]:
        return "amending"
    return "" if unsaid else "orders"


def probe_of(action: Any) -> Any:
    """The event of an action, to be asked for with some of its fields only: what looks at another one finds none."""
    probes = open_actions()["probes"]
    if action.name not in probes:
        plan = world.index.events[action.name]
        probe = EventPlan(plan.name, "", plan.sorts, "", plan.rule)
        for part in ("checks", "insteads", "ons", "afters", "owner", "guarded", "bare", "closed", "special"):
            setattr(probe, part, getattr(plan, part))
        probes[action.name] = probe
    return probes[action.name]


def refused_already(action: Any, said: Any) -> str:
    """Why an order is refused whatever its other fields say; "" if that hangs on them, or on dice."""
    w = world
    mark, telling = savepoint(), w.telling
    around = w.entry.around
    begin_budget()
    begin_draws({})
    w.count = 0
    w.actor = said["who"]
    reason = ""
    try:
        order = w.index.events["order"]
        if len(said) == 1 and not order.bare:
            happen(order, {"who": said["who"], "order": action.name, "waits": False})
        probe = probe_of(action)
        probe.fields = tuple(said)
        happen(probe, said)
    except FileExistsError:
        reason = w.refusal[0] if w.refusal is not None and w.refusal[0] != "rolls" else ""
    except (TimeoutError, MemoryError):  # the limits of the machine are no answer of a rule
        raise
    except Exception:  # it looks at a field of which nothing is said yet
        reason = "it never ends" if w.exhausted is not None else ""
    w.refusal = None
    if w.entry.around is not around:
        mark_entry(around=around)
    w.telling = telling
    roll_back(mark)
    return reason


# ---- a form


def pool_of(name: str, who: Any) -> Any:
    """What a list of that name may be made of, and in what order that stands side by side: (ids, all ids).

    `squares` holds each a `square`: the choices of some field of that kind or name, or all things of that kind.
    """
    name = name.removesuffix("s")
    world_ids = list(world.kinds.get(name, {}))
    fields = fields_of_kind(name)
    field = fields[luck(len(fields))] if fields else None
    if field is None:
        return (world_ids, world_ids)
    if field.sort == "number":
        ids: Any = list(range(field.least, min(field.most, field.least + 1000) + 1))
    else:
        ids = [plain(each) for each in choices_known(field, who)]
    if not ids:
        return (world_ids, world_ids)
    order = {world_ids[place]: place for place in range(len(world_ids))}
    return (ids, world_ids if not [each for each in ids if each not in order] else ids)


def fields_of_kind(name: str) -> Any:
    """The fields of all forms whose choices are of a kind or name."""
    known = open_actions()["pools"]
    if name not in known:
        forms = [world.index.forms[action.name] for action in OPEN["orders"]]
        fields = [(form[key], form[key].kind or key) for form in forms for key in form]
        known[name] = [
            field
            for field, kind in fields
            if kind == name and (field.sort in ("thing", "choice") or number_of_few(field))
        ]
    return known[name]


def number_of_few(field: Any) -> bool:
    """Whether a field is a number with limits at both ends."""
    return field.sort == "number" and type(field.least) is int and type(field.most) is int


def some_of(name: str, who: Any, lengths: Any = LENGTHS) -> Any:
    """Some of what a field of that name can hold, as a list: a choice and its neighbours, or several; None if there is nothing."""
    pool, around = pool_of(name, who)
    if not pool:
        return None
    many = lengths[luck(len(lengths))]
    if luck(2):
        start = max(0, around.index(pool[luck(len(pool))]) - luck(many))
        return around[start : start + many]
    return some(pool, many)


def choices_known(field: Any, who: Any) -> Any:
    """The choices of a field of which the player may know."""
    viewer = "admin" if who is None else who.id
    found = read_safely(lambda: choices_of(field, who)) or ()
    return [
        each for each in found if known_to(viewer, each) and (ASIDE["thing"] is None or plain(each) != ASIDE["thing"])
    ]


def goods_made_up(field: Any, who: Any) -> Any:
    """Some money and things, as an order names them."""
    made: dict[str, Any] = {}
    for part in field.parts:
        if luck(10) < 3:
            made[part] = (1, 5, 10)[luck(3)] if part in field.counted else some_of(part, who, (1, 2))
    if "money" in field.parts and (not made or "money" in made):
        made["money"] = (0, 10, 50)[luck(3)]
    return {part: made[part] for part in made if made[part] is not None}


def made_up_for(field: Any, key: str, who: Any) -> Any:
    """Something that a field may hold which has no choices."""
    if field.sort == "number":
        least = field.least if type(field.least) is int else 0
        most = field.most if type(field.most) is int else least + (1, 10, 100, 1000)[luck(4)]
        return least + luck(max(0, most - least) + 1)
    if field.sort == "moment":
        return world.now + 3600 * (1 + luck(24 * 30))
    if field.sort == "words":
        return f"{NAMES_MADE_UP[luck(len(NAMES_MADE_UP))]} {1 + luck(999)}"[: field.limit or 40]
    if field.sort == "yesno":
        return luck(2) == 0
    if field.sort == "anything":
        return some_of(key.rstrip("_"), who)
    return goods_made_up(field, who) if field.sort == "goods" else None


class Form:
    """A form that is being filled in: what has been said as rules get it, and as an order says it."""

    def __init__(self, action: Any, who: Any, how: Any) -> None:
        self.action = action
        self.who = who
        self.how = how
        self.said: dict[str, Any] = {"who": who}
        self.raw: dict[str, Any] = {}

    def contents(self, key: str, field: Any) -> Any:
        """What to try in a field, one after the other, as orders say it; None leaves it empty, MAKE_UP makes something up."""
        known = self.how.get("says", {}).get(self.action.name + ":" + key.rstrip("_"))
        if known is not None:
            return some(known, len(known))
        if field.optional and luck(2):
            return [None]
        if field.sort in ("thing", "choice"):
            return self.favourites(key, [plain(each) for each in choices_known(field, self.who)])
        tries = LISTS if field.sort == "anything" else CHOICES
        return [MAKE_UP] * tries if field.sort not in NOT_FILLED else [None]

    def favourites(self, key: str, choices: Any) -> Any:
        """A few choices, those first that have been chosen least."""
        chosen, likes = self.how["chosen"], self.how.get("likes", {})
        before = self.action.name + " " + key + " "
        left = [*choices]
        weights = [
            10 * likes.get(f"{self.action.name}:{key}:{each}", 100) // (1 + chosen.get(before + str(each), 0)) + 1
            for each in left
        ]
        found: list[Any] = []
        while left and len(found) < CHOICES:
            place = likely(weights)
            weights.pop(place)
            found.append(left.pop(place))
        return found

    def say(self, key: str, field: Any, content: Any) -> bool:
        """Put something into a field. False if it cannot hold that."""
        self.raw.pop(key.rstrip("_"), None)
        if content == MAKE_UP:
            content = made_up_for(field, key, self.who)
        if content is None and not field.optional:
            return False
        if content is None:
            self.said[key] = read_safely(lambda: default_of(field, self.who))
            return True
        self.raw[key.rstrip("_")] = content
        self.said[key] = content
        if field.sort != "choice":
            try:
                self.said[key] = read_field(field, content, key, self.who)
            except FileExistsError:
                world.refusal = None
                return False
        return True

    def fill(self, last: Any) -> Any:
        """Fill it in, field by field. Returns what `last` makes of the whole order, None if no try was right."""
        if refused_already(self.action, self.said):
            return None
        form = world.index.forms[self.action.name]
        keys = list(form)
        for key in keys:
            whole = key == keys[-1]
            found = self.fill_field(key, form[key], last if whole else None)
            if found is None or whole:
                return found
        return last(self.who, self.action.name, self.raw)[1]

    def fill_field(self, key: str, field: Any, last: Any) -> Any:
        """Try what a field may hold until it is not refused. Returns what `last` makes of the order, or True; else None.

        What is refused again for the same reason is given up: at once, or if it is a list, which is seldom right, soon.
        """
        before, again = "", 0
        for content in self.contents(key, field):
            if not self.say(key, field, content):
                continue
            if last is None:
                reason, found = refused_already(self.action, self.said), True
            else:
                reason, found = last(self.who, self.action.name, self.raw)
            if not reason:
                return found
            again = again + 1 if reason == before else 0
            before = reason
            if again == (SAME_LISTS if field.sort == "anything" else 1):
                break
        return None


def as_tried(who: Any, name: str, raw: Any) -> Any:
    """What an order would come to: (why it is refused, or "", what it would change: a list of changes)."""
    w = world
    try:
        refusal, _, changes = trial(lambda: give_order(who, name, raw))
    except (TimeoutError, MemoryError):
        raise
    except Exception:
        w.reading = 0
        return ("it breaks", None)
    return ("", changes) if refusal is None or refusal[0] == "rolls" else (refusal[0] or "?", None)


# ---- what to do


def liking(action: Any, how: Any) -> int:
    """How likely it is that an action is tried, against the others: as often as players have ordered it, where that is known."""
    habits, goal = how.get("orders"), how.get("likes", {}).get(action.name, 100)
    if habits is not None:
        return 1 + HABIT * habits.get(action.name, 0)
    tried = how["tried"]
    factor = SELDOM if action.name.startswith(TAKING_BACK) else OFTEN if action.rolls else 100
    return 1 + 10 * goal * factor // (DONE + tried.get(action.name, 0))


def note_rest(action: Any, how: Any, failed: bool) -> None:
    """An action that has come to no order rests for a day, and for twice as long each time that it comes to none again.

    How long at most hangs on how many there are: of a few none rests. What a player strives for is tried every day. One that
    comes to an order after it has rested wakes all that rules of its chapter declare: what hangs together becomes possible
    together.
    """
    rests, orders = how["rests"], open_actions()["orders"]
    if failed:
        most = 1 if how.get("likes", {}).get(action.name, 100) > 100 else len(orders)
        days = min(most, len(orders) // RESTING, 2 * rests.get(action.name, (0, 0))[1] or 1)
        if days:
            rests[action.name] = [world.now + days * A_DAY, days]
    elif action.name in rests:
        chapter = action.rule.partition(".")[0]
        for other in orders:
            if other.name in rests and other.rule.partition(".")[0] == chapter:
                rests.pop(other.name)


def find_order(who: Any, how: Any, last: Any = as_tried) -> Any:
    """An order that would be carried out as things stand: (action, fields), or None.

    `how`: {"policy", "avoids", "tried": {action: how often}, "chosen": {action field choice: how often}, "rests": {action:
    [until when, days]}}, where what is tried is noted. `last`: what is done with a whole order: it is tried, or carried out.
    """
    if world.things["game"].paused:
        return None
    tried, rests, now = how["tried"], how["rests"], world.now
    left = [
        each
        for each in open_actions()["orders"]
        if each.name not in how["avoids"] and (each.name not in rests or rests[each.name][0] <= now)
    ]
    weights = [liking(each, how) for each in left]
    best, most = None, -1
    for tries in range(min(TRIES, len(left))):
        place = likely(weights)
        weights.pop(place)
        action = left.pop(place)
        form = Form(action, who, how)
        found = form.fill(last)
        tried[action.name] = tried.get(action.name, 0) + (FAILED if found is None else DONE)
        note_rest(action, how, found is None)
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
            price = read_safely(lambda: value(known[0], found))
            return price if type(price) is int else 0
    return 0


def find_votes(who: Any, how: Any) -> Any:
    """Votes to cast on what is open and has not been voted on for a week: [(action, fields)]."""
    found = []
    for action in open_actions()["ballots"]:
        form = world.index.forms[action.name]
        subject, _, _ = parts_of_ballot(action, form)
        blank = Form(action, who, how)
        if shut_for_all(action):
            continue
        reason = refused_already(action, blank.said)
        if reason:
            same_refusal(action, reason)
            continue
        for about in choices_known(form[subject], who) if subject else [None]:
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
            if same_refusal(action, reason):
                break
    return found


def same_refusal(action: Any, reason: str) -> bool:
    """Note why a vote was refused, or that it was not. Returns whether it was for the same reason as the last one today."""
    known = open_actions()["shut"]
    day, before, times = known.get(action.name, (0, "", 0))
    again = reason != "" and day == world.now // A_DAY and before == reason
    known[action.name] = (world.now // A_DAY, reason, times + 1 if again else 1)
    return again


def shut_for_all(action: Any) -> bool:
    """Whether votes of this sort have been refused today for one reason, so often in a row that nobody tries again."""
    day, reason, times = open_actions()["shut"].get(action.name, (0, "", 0))
    return day == world.now // A_DAY and reason != "" and times >= SAME_VOTES


def ballot_choices(vote: Any, key: str, field: Any, how: Any) -> Any:
    """What to say in a field of a vote: as often as players have said it, where `how` knows that, else any of its choices."""
    options = vote.contents(key, field)
    known = how.get("habits", {}).get(vote.action.name + " " + key, {})
    liked = [each for each in choices_known(field, vote.who) if plain(each) in known] if known else []
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
        needed = [form[key] for key in form if not form[key].optional]
        if luck(100) >= DECIDING or not needed or not choices_known(needed[0], None):
            continue
        blank = Form(action, None, {"chosen": {}})
        if blank.fill(last) is not None:
            found.append((action.name, blank.raw))
    return found


# ---- the calls


def bot_day(data: Any) -> Any:
    """What a player does next: {"votes", "proposal", "order": [action, fields] or None, and what it remembers}.

    `data`: {"who", "at", "seed", "policy", "avoids", "casts", "proposes", "likes", "says", "tried", "chosen", "voted", "rests"}.
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

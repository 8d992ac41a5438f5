"""How the form of an action is filled in by somebody who plays by itself, and which actions there are for that.

Written in the sandbox dialect, and loaded after the kernel into the same namespace, before `player`.

Nothing is tried that is known to fail. First an action is asked for with nothing said: what refuses it then, before it
has looked at any field, refuses it whatever is said. Then its fields are filled in one after the other, and each is
asked for with those before it: a choice that is refused is changed at once, and not when all others have been made.
"""

import hashlib
from typing import Any

from nomopoly.kernel.budgets import begin_budget
from nomopoly.kernel.dice import begin_draws
from nomopoly.kernel.events import happen
from nomopoly.kernel.fields import choices_of, default_of, read_field
from nomopoly.kernel.index import EventPlan
from nomopoly.kernel.things import Thing, plain
from nomopoly.kernel.world import mark_entry, roll_back, savepoint, world
from nomopoly.runtime.forms import known_to
from nomopoly.runtime.views import read_safely

CHOICES = 4  # of a field that are tried
LISTS = 16  # and if it is a list, which is seldom right at once,
SAME, SAME_LISTS = 2, 4  # refusals for one reason, of a choice and of a list, after which one gives up
NOT_FILLED = ("code", "changes", "deal")  # sorts of fields that a bot leaves empty
LENGTHS = (1, 2, 2, 2, 3, 3, 4, 5)  # how long a list is that it makes up
OVERRULING = ("declare-winner", "grant", "hold", "remove-player", "strike")  # acts of the desk that a bot leaves alone
NAMES_MADE_UP = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")
MERSENNE = 2**31 - 1
MAKE_UP = ()  # what stands for something that is still to be made up

LUCK = {"state": 1}
ASIDE: dict[str, Any] = {"thing": None}  # the id of a thing that nobody chooses
# What follows from the rules in force alone; and in "shut" which votes have been refused lately.
OPEN: dict[str, Any] = {"index": None, "read": (None, None, None), "sorts": {}, "probes": {}, "shut": {}}
# What a rule breaks with: where a bot tries something, it is left alone then. Anything else is a fault of the kernel.
BREAKS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


# ---- chance, which has nothing to do with the dice of the game


def start_luck(seed: str) -> None:
    """Begin a row of draws: the same for the same seed."""
    LUCK["state"] = int(hashlib.sha256(seed.encode()).hexdigest()[:7], 16) + 1


def luck(outcomes: int) -> int:
    """A whole number from 0 to outcomes - 1."""
    state = LUCK["state"] = LUCK["state"] * 48271 % MERSENNE
    return state * outcomes // MERSENNE


def likely(weights: Any) -> int:
    """A place in a list of weights, each as likely as its weight."""
    left = luck(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return len(weights) - 1


def some(pool: Any, many: int) -> Any:
    """So many different ones of a list, in any order; all, if there are no more."""
    left = [*pool]
    return [left.pop(luck(len(left))) for _ in range(min(many, len(left)))]


# ---- what the rules in force allow in principle


def open_actions() -> Any:
    """The actions that a bot may take by the rules in force: {"orders", "ballots", "amending", "desk"}; and in
    "closing" the votes that are counted at each event."""
    index = world.index
    if OPEN["index"] is index:
        return OPEN
    attributes, actions, forms = OPEN["read"]
    if attributes is not index.attributes:
        OPEN["shown"] = {kind: True for kind in index.attributes if shown_to_all(index.attributes[kind])}
    if actions is not index.actions or forms is not index.forms:
        found: dict[str, Any] = {"orders": [], "ballots": [], "amending": [], "desk": []}
        found = {**found, "pools": {}, "closing": {}, "sorts": {}, "factors": {}}
        for action in index.actions.values():
            form, known = index.forms[action.name], OPEN["sorts"].get(action.name)
            if known is None or known[0] is not action or known[1] is not form:
                known = (action, form, sort_of_action(action, form))
            found["sorts"][action.name] = known
            if known[2]:
                found[known[2]].append(action)
            if action.ballot:
                found["closing"].setdefault(action.ballot, []).append(action)
        OPEN.update(found)
    OPEN.update({"index": index, "read": (index.attributes, index.actions, index.forms), "numbers": None})
    return OPEN


def shown_to_all(attributes: Any) -> bool:
    """Whether everybody may know of each thing of a kind with these attributes."""
    return not attributes or bool([each for each in attributes.values() if "all" in each.show])


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
    probes, plan = OPEN["probes"], world.index.events[action.name]
    if action.name not in probes or probes[action.name][0] is not plan:
        probe = EventPlan(plan.name, "", plan.sorts, "", plan.rule)
        for part in ("checks", "insteads", "ons", "afters", "owner", "guarded", "bare", "closed", "special"):
            setattr(probe, part, getattr(plan, part))
        probes[action.name] = (plan, probe)
    return probes[action.name][1]


def refused_already(action: Any, said: Any) -> str:
    """Why an order is refused whatever its other fields say; "" if that hangs on them, or on dice."""
    w = world
    mark, telling = savepoint(), w.telling
    around = w.entry.around
    begin_budget()
    if w.open_draws.entropy is not None or w.open_draws.recorded is not None:
        begin_draws({})
    w.count, w.actor, reason = 0, said["who"], ""
    try:
        order = w.index.events["order"]
        if len(said) == 1 and not order.bare:
            happen(order, {"who": said["who"], "order": action.name, "waits": False})
        probe = probe_of(action)
        probe.fields = tuple(said)
        happen(probe, said)
    except FileExistsError:
        reason = w.refusal[0] if w.refusal is not None and w.refusal[0] != "rolls" else ""
    except BREAKS:  # it looks at a field of which nothing is said yet
        reason = "it never ends" if w.exhausted is not None else ""
    w.refusal = None
    if w.entry.around is not around:
        mark_entry(around=around)
    w.telling = telling
    roll_back(mark)
    return reason


def asked(question: Any, broken: Any = None) -> Any:
    """What rules answer to one question; `broken` where they take more steps than they may. None where they break."""
    mark = savepoint()
    try:
        return read_safely(question)
    except BREAKS:
        world.refusal = None
        world.reading = 0
        roll_back(mark)
        begin_budget()
        return broken


# ---- a form


def pool_of(name: str, who: Any) -> Any:
    """What a list of that name may be made of, what of that is one's own (or all, if nothing is), and in what order all
    stands side by side: (ids, ids, all ids).

    `squares` holds each a `square`: the choices of some field of that kind or name, or all things of that kind.
    """
    name = name.removesuffix("s")
    world_ids = list(world.kinds.get(name, {}))
    fields = fields_of_kind(name)
    ids = offered_by(fields[luck(len(fields))], who) if fields else world_ids
    ids = ids or world_ids
    order = world.kinds.get(name, {})
    around = world_ids if not [each for each in ids if each not in order] else ids
    return (ids, [id for id in ids if owned_by_one(id, who)] or ids, around)


def offered_by(field: Any, who: Any) -> Any:
    """What a field can hold, as ids or numbers."""
    if field.sort == "number":
        return list(range(field.least, min(field.most, field.least + 1000) + 1))
    return [plain(each) for each in choices_known(field, who)]


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


def some_of(pools: Any, lengths: Any = LENGTHS) -> Any:
    """Some of what a field can hold, by `pool_of`, as a list: a choice and its neighbours, or several; None if there is
    nothing. Half of the time it is one's own with which one begins."""
    pool, around = pools[luck(2)], pools[2]
    if not pool:
        return None
    many = lengths[luck(len(lengths))]
    if luck(2):
        start = max(0, around.index(pool[luck(len(pool))]) - luck(many))
        return around[start : start + many]
    return some(pool, many)


def owned_by_one(id: Any, who: Any) -> bool:
    """Whether something belongs to a player."""
    return type(id) is str and id in world.things and getattr(world.things[id], "owner", None) is who


def choices_known(field: Any, who: Any) -> Any:
    """The choices of a field of which the player may know."""
    viewer = "admin" if who is None else who.id
    shown, aside = open_actions()["shown"], ASIDE["thing"]
    found = [
        each
        for each in asked(lambda: choices_of(field, who)) or ()
        if type(each) is not Thing or each.kind in shown or known_to(viewer, each)
    ]
    return found if aside is None else [each for each in found if plain(each) != aside]


def goods_made_up(field: Any, who: Any) -> Any:
    """Some money and things, as an order names them."""
    made: dict[str, Any] = {}
    for part in field.parts:
        if luck(10) < 3:
            made[part] = (1, 5, 10)[luck(3)] if part in field.counted else some_of(pool_of(part, who), (1, 2))
    if "money" in field.parts and (not made or "money" in made):
        made["money"] = (0, 10, 50)[luck(3)]
    return {part: made[part] for part in made if made[part] is not None}


def made_up_for(field: Any, key: str, who: Any, pools: Any) -> Any:
    """Something that a field may hold which has no choices. `pools` remembers for a while what lists are made of."""
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
        if key not in pools:
            pools[key] = pool_of(key.rstrip("_"), who)
        return some_of(pools[key])
    return goods_made_up(field, who) if field.sort == "goods" else None


class Form:
    """A form that is being filled in: what has been said as rules get it, and as an order says it."""

    def __init__(self, action: Any, who: Any, how: Any) -> None:
        self.action = action
        self.who = who
        self.how = how
        self.said: dict[str, Any] = {"who": who}
        self.raw: dict[str, Any] = {}
        self.reason = ""  # why it was refused last
        self.pools: dict[str, Any] = {}  # field -> what its lists are made of
        self.asked: dict[str, Any] = {}  # field -> its choices, once asked for

    def offered(self, key: str, field: Any) -> Any:
        """The choices of a field of which the player may know."""
        if key not in self.asked:
            self.asked[key] = choices_known(field, self.who)
        return self.asked[key]

    def contents(self, key: str, field: Any) -> Any:
        """What to try in a field, one after the other, as orders say it; None leaves it empty, MAKE_UP makes something
        up."""
        known = self.how.get("says", {}).get(self.action.name + ":" + key.rstrip("_"))
        if known is not None:
            return some(known, len(known))
        if field.optional and luck(2):
            return [None]
        if field.sort in ("thing", "choice"):
            return self.favourites(key, [plain(each) for each in self.offered(key, field)])
        options = getattr(self.said.get("question"), "options", None)
        if self.action.name == "answer" and key == "answer" and options:
            return self.favourites(key, [plain(each) for each in options])
        tries = LISTS if field.sort == "anything" else CHOICES
        return [MAKE_UP] * tries if field.sort not in NOT_FILLED else [None]

    def favourites(self, key: str, choices: Any) -> Any:
        """A few choices, those first that have been chosen least."""
        chosen, likes = self.how["chosen"], self.how.get("likes", {})
        before, sort = self.action.name + " " + key + " ", self.action.name + ":" + key + ":"
        left = [*choices]
        if [each for each in likes if each.startswith(sort)]:
            weights = [
                10 * likes.get(f"{sort}{each}", 100) // (1 + chosen.get(f"{before}{each}", 0)) + 1 for each in left
            ]
        else:
            weights = [1000 // (1 + chosen.get(f"{before}{each}", 0)) + 1 for each in left]
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
            content = made_up_for(field, key, self.who, self.pools)
        if content is None and not field.optional:
            return False
        if content is None:
            self.said[key] = asked(lambda: default_of(field, self.who))
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
        form = world.index.forms[self.action.name]
        keys = list(form)
        if not keys or self.action.name in self.how.get("rests", ()):  # else one may have luck
            self.reason = refused_already(self.action, self.said)
        if self.reason:
            return None
        for key in keys:
            whole = key == keys[-1]
            found = self.fill_field(key, form[key], last if whole else None)
            if found is None or whole:
                return found
        return last(self.who, self.action.name, self.raw)[1]

    def fill_field(self, key: str, field: Any, last: Any) -> Any:
        """Try what a field may hold until it is not refused. Returns what `last` makes of the order, or True; else
        None.

        What is refused again for the same reason is given up: at once, or if it is a list, which is seldom right, soon.
        """
        seen: dict[str, int] = {}
        most = SAME_LISTS if field.sort == "anything" else SAME
        for content in self.contents(key, field):
            if not self.say(key, field, content):
                continue
            if last is None:
                reason, found = refused_already(self.action, self.said), True
            else:
                reason, found = last(self.who, self.action.name, self.raw)
            if not reason:
                return found
            self.reason = reason
            seen[reason] = seen.get(reason, 0) + 1
            if seen[reason] == most:
                break
        return None

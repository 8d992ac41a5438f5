"""Views: what a viewer may see of things, values, markers and numbers. `view` is the only door to state for pages, API,
feeds and files.

Written in the sandbox dialect, and loaded after the kernel into the same namespace.
"""

from typing import Any

from nomopoly.kernel.budgets import (
    MOST_DEEP,
    MOST_LABEL,
    MOST_NUMBER,
    MOST_TOLD_NUMBER,
    MOST_WORD,
    begin_budget,
    check_budget,
)
from nomopoly.kernel.sorts import fit_value
from nomopoly.kernel.state import open_to_all, owners
from nomopoly.kernel.things import Thing, count, declared, every, plain
from nomopoly.kernel.values import bend, value
from nomopoly.kernel.world import roll_back, savepoint, world
from nomopoly.runtime.older import (
    TOLD_OF_PROPOSALS,
    asked_by,
    checked,
    how_it_stands,
    unsaid,
    with_pages,
)

# ---- what is odd is shown as words

MOST_SYMBOL = 8  # characters
MOST_SIGN = 20
MOST_REASON = 2000  # characters of why something is refused
FOR_ALL = ("all",)
AT_ONCE = 200  # things of which one question is asked
MANY = 500  # things in a view of which the host keeps answers; of fewer all is asked each time
UNSHOWN = "something that cannot be shown"


def line_of(value: Any, most: int = MOST_LABEL) -> str:
    """Anything at all as a line of words, cut where it is too long."""
    words = " ".join([in_line(each) for each in value]) if type(value) in (tuple, list) else in_line(value)
    words = words if words.isprintable() else "".join([each if each.isprintable() else " " for each in words])
    return words if len(words) <= most else words[: most - 1] + "…"


def in_line(value: Any) -> str:
    """One value as words; what has none that are the same on every machine has none here."""
    sort = type(value)
    if sort is str:
        return str(value)
    if sort is bool:
        return "yes" if value else "no"
    if sort is int:
        return str(value) if -MOST_TOLD_NUMBER <= value <= MOST_TOLD_NUMBER else "a number of too many digits"
    if sort is Thing:
        return str(value.id)
    return "" if value is None else UNSHOWN


def shown_as(value: Any, depth: int = 0) -> Any:
    """A value as plain data that every page can show."""
    sort = type(value)
    if sort is int:
        return value if -MOST_TOLD_NUMBER <= value <= MOST_TOLD_NUMBER else in_line(value)
    if value is None or sort is str or sort is bool or sort is Thing:
        return plain(value)
    if depth < MOST_DEEP and sort is dict:
        return {in_line(key): shown_as(value[key], depth + 1) for key in value}
    if depth < MOST_DEEP and isinstance(value, (tuple, list)):
        return [shown_as(part, depth + 1) for part in value]
    return UNSHOWN


# What pages read by name, whatever a rule declares under that name: as a word (or the id of a thing), or as several.
READ_AS_WORD = {
    each: True
    for each in (
        "name title text status verdict outcome because changes run what args author owner to seller holder option_of "
        "square color card pause_because changes_instead run_instead"
    ).split()
}
READ_AS_WORDS = {each: True for each in "parties agreed asked".split()}
READ_AS_LIST = {each: True for each in "options give take transfers credit doubts items cards".split()}


def as_declared(attribute: Any, value: Any) -> Any:
    """A value of an attribute as data; one of another sort than the attribute declares, or pages read, as words."""
    sort, name = type(value), attribute.name
    if sort not in attribute.sorts or (sort is int and not attribute.least <= value <= attribute.most):
        value = line_of(value, MOST_WORD)
    elif sort is not int and sort is not str:
        value = shown_as(value)
    if name in READ_AS_WORD and value is not None and type(value) is not str:
        return line_of(value, MOST_WORD)
    if (name in READ_AS_WORDS or name in READ_AS_LIST) and value is not None and type(value) is not list:
        return [line_of(value, MOST_WORD)]
    return [in_line(each) for each in value] if name in READ_AS_WORDS and value is not None else value


def facts_for(viewer: str, facts: Any) -> Any:
    """The facts that a viewer may have, before anything has looked at what rules have put into them."""
    return [
        {name: shown_as(fact[name]) for name in fact}
        for fact in facts
        if fact.get("only") is None or (type(fact["only"]) in (tuple, list) and viewer in fact["only"])
    ]


# ---- views


def sees(viewer: str, show: Any, member: Any) -> bool:
    """Whether a viewer (a player's id, "admin" or "visitor") sees what a thing shows like this (see `attribute`)."""
    if open_to_all(show, member):
        return True
    if viewer == "admin" and "admin" in show:
        return True
    return "owner" in show and viewer in owners(member)


def shown_values(kind: str) -> Any:
    """The labelled values of a kind of thing, in order of name; none takes the place of its id and kind."""
    values = world.index.values
    return [
        values[name] for name in values if values[name].of == kind and values[name].label and name not in ("id", "kind")
    ]


def standing_values(kind: str) -> Any:
    """The values that say how things of a kind stand and have no label: pages read them all the same."""
    values = world.index.values
    return [
        values[name]
        for name in TOLD_OF_PROPOSALS
        if name in values and values[name].of == kind and not values[name].label
    ]


class KindSeen:
    """What a viewer sees of the things of a kind, whichever of them it is."""

    def __init__(self, viewer: str, kind: str, bare: bool, place: int) -> None:
        self.kind = kind
        self.place = place  # among the kinds of a view
        attributes = declared(kind)
        for_all, self.guarded = by_who_sees(viewer, kind, attributes)
        self.attributes = for_all  # those that this viewer sees of every thing, or of some
        self.unseen = len(attributes) - len(for_all)  # how many others there are
        self.defaults = {name: as_declared(each, each.default) for name, each in for_all.items()}
        self.values: Any = [] if bare else [*shown_values(kind), *standing_values(kind)]
        # of those it is said how they stand, which hangs on all that is shown of them
        self.stands = kind in ("proposal", "emergency") or "phase" in [plan.name for plan in self.values]
        self.members: list[Any] = []  # which the viewer sees, as `view` finds them


def by_who_sees(viewer: str, kind: str, attributes: Any) -> Any:
    """The attributes of a kind but for those that a viewer sees of no thing of it, and in which of these that hangs on
    the thing: their names by `show`."""
    seen: dict[str, Any] = {}
    guarded: dict[Any, Any] = {}
    absent = world.index.absent.get(kind, {})
    for name, each in attributes.items():
        show = each.show
        if "all" in show or (viewer == "admin" and "admin" in show):
            seen[name] = each
        elif "owner" in show or [word for word in show if type(word) is str and (word in attributes or word in absent)]:
            seen[name] = each
            guarded[show] = [*guarded.get(show, ()), name]
    return (seen, guarded)


def hidden_from_viewer(viewer: str, member: Any, seen: Any) -> Any:
    """The names of those attributes of a thing that a viewer sees of other things of its kind alone."""
    hidden: list[str] = []
    for show in seen.guarded:
        if not sees(viewer, show, member):
            hidden += seen.guarded[show]
    return hidden


def attributes_held(member: Any, seen: Any) -> Any:
    """The attributes of a thing that are not as they are by default, as data."""
    kept = world.store[member.id]
    attributes = seen.attributes  # the store may still hold what is declared no more
    return {name: as_declared(attributes[name], kept[name]) for name in kept if name in attributes}


def whole_thing(member: Any, seen: Any, hidden: Any, mark: Any) -> Any:
    """All that is shown of a thing of which it is said how it stands, under `attributes_held`."""
    shown = {"id": member.id, "kind": member.kind, **seen.defaults, **attributes_held(member, seen)}
    shown = {name: shown[name] for name in shown if name not in hidden}
    for plan in seen.values:
        shown[plan.name] = shown_as(answer_of(mark, value, plan.name, member))
    if member.kind == "emergency" or (member.kind == "proposal" and unsaid() and "phase" not in shown):
        shown = {**how_it_stands(shown), **shown}
    elif "phase" in shown and "phase" not in seen.defaults:
        checked(shown)
    return shown


def begin_reading(viewer: Any) -> Any:
    """From here on `answer_of` asks rules, which only read. Returns what `answer_of` and `end_reading` want.

    For a viewer, values are without the contributions that are not shown to them.
    """
    mark = savepoint()
    world.reading += 1
    world.hides = None if viewer is None else hidden_from(viewer)
    return mark


def read_again(mark: Any) -> None:
    """Go on reading where an answer has broken off."""
    world.refusal = None
    roll_back(mark)
    world.reading += 1


def answer_of(mark: Any, function: Any, *asked: Any) -> Any:
    """What a function of rules answers, or None if it breaks: one broken rule must not take a whole page away."""
    begin_budget()
    try:
        return function(*asked)
    except (TimeoutError, MemoryError):  # the runtime's limits are no answer of a rule
        raise
    except Exception:
        check_budget()
        read_again(mark)
        return None


def answers_of_each(mark: Any, together: Any, alone: Any, members: Any) -> Any:
    """What rules answer of each of several things, each as `answer_of` has it.

    Some are asked at once, which takes less. Where one of these breaks, or all took more than one may, each is asked
    alone.
    """
    answers: list[Any] = []
    for start in range(0, len(members), AT_ONCE):
        several = members[start : start + AT_ONCE]
        begin_budget()
        found = None
        try:
            found = together(several)
        except (TimeoutError, MemoryError):
            raise
        except Exception:  # which one broke is asked below
            found = None
        if found is None or world.exhausted is not None:
            read_again(mark)
            found = [answer_of(mark, alone, member) for member in several]
        answers += found
    return answers


def values_of_each(mark: Any, plan: Any, members: Any) -> Any:
    """A value of each of several things, as data."""
    w = world
    name, modifies = plan.name, plan.modifies
    definition = plan.definitions[0]
    for_all = not [show for _, _, show in modifies if show != FOR_ALL]

    def together(several: Any) -> Any:  # as `value` has it
        w.reading += 1
        function, w.rule = definition
        found = [function(member) for member in several]
        for place in bent_places(modifies, several, found) if for_all else range(len(several)):
            found[place] = bend(plan, (several[place],), found[place])
        w.reading -= 1
        odd = [each for each in found if type(each) is not int or not -MOST_TOLD_NUMBER <= each <= MOST_TOLD_NUMBER]
        for answer in odd:
            fit_value(name, answer)
        return [shown_as(answer) for answer in found] if odd else found

    return answers_of_each(mark, together, lambda member: shown_as(value(name, member)), members)


def bent_places(modifies: Any, several: Any, bases: Any) -> Any:
    """The places of the things of which something modifies a value."""
    bent: dict[int, bool] = {}
    for function, world.rule, _ in modifies:
        for place, part in enumerate([function(member, base) for member, base in zip(several, bases, strict=True)]):
            if part is not None:
                bent[place] = True
    return list(bent)


def drawn_on_each(mark: Any, function: Any, rule: str, members: Any) -> Any:
    """What a rule draws on each of several things."""

    def alone(member: Any) -> Any:
        world.rule = rule
        return function(member)

    def together(several: Any) -> Any:
        world.rule = rule
        return [function(member) for member in several]

    return answers_of_each(mark, together, alone, members)


def end_reading(mark: Any) -> None:
    """What `begin_reading` began is over."""
    world.hides = None
    roll_back(mark)


def hidden_from(viewer: str) -> Any:
    """Which contributions to values a viewer may not see: a function for `world.hides`."""

    def hides(show: Any, of: Any) -> bool:
        if not of or type(of[0]) is not Thing:
            return True
        LOOKED[0] += 1
        return not sees(viewer, show, of[0])

    return hides


def read_safely(question: Any, viewer: Any = None) -> Any:
    """What rules answer to one question, or None if they break; `viewer`: see `begin_reading`."""
    mark = begin_reading(viewer)
    answer = answer_of(mark, question)
    end_reading(mark)
    return answer


def asked_once() -> Any:
    """A function for `world.known`: nothing changes while a page is drawn, so a value that is of nothing is found
    once."""
    answers: dict[str, Any] = {}
    own: dict[str, bool] = {}  # those that hang on who looks

    def known(name: str) -> Any:
        if name not in answers:
            world.known, before = None, LOOKED[0]
            try:
                answers[name] = value(name)
            finally:
                world.known = known
            if LOOKED[0] > before:
                own[name] = True
        elif name in own:
            LOOKED[0] += 1
        return answers[name]

    return known


LOOKED = [0]  # how often an answer has hung on who looks
DRAWN_FROM: list[Any] = [None, None, 0]  # the game, the index, and how often a page was drawn from other ones


def how_things_stand() -> Any:
    """What is another one once a thing of a kind has come or gone; that of "" once all is drawn anew, or the rules have
    changed."""
    w = world
    game = w.things["game"]
    if DRAWN_FROM[0] is not game or DRAWN_FROM[1] is not w.index:
        DRAWN_FROM[:] = [game, w.index, DRAWN_FROM[2] + 1]
    stands: dict[str, Any] = {"": DRAWN_FROM[2]}
    for kind, members in w.kinds.items():
        last = [*members][-1] if members else ""
        stands[kind] = [len(members), last, w.places.get(last)]
    return stands


def view(viewer: str, bare: bool = False, known: Any = None) -> Any:
    """All that a viewer may see of the state: things, the attributes that are declared, markers of the board.

    `bare`: without what rules compute for it, for when one of them never ends. Things are packed, as there may be
    thousands that are much alike: `seeing.unpacked` makes of "kinds", "rows" and "answers" one of each.
    `known`: what the host has at hand as long as things stand so, see `seeing.Answers`. Where there are MANY things
    that is left out, and it is told in "kept" which answers may be kept.
    """
    w = world
    kinds: dict[str, Any] = {}
    rows = []
    mark = begin_reading(viewer)
    w.known = asked_once()
    for member in w.things.values():
        kind = member.kind
        if kind == "applicant" and viewer != "admin":
            continue
        seen = kinds.get(kind)
        if seen is None:
            seen = kinds[kind] = KindSeen(viewer, kind, bare, len(kinds))
        hidden = hidden_from_viewer(viewer, member, seen) if seen.guarded else ()
        if len(hidden) == len(seen.defaults) and len(hidden) + seen.unseen:
            continue
        if seen.stands:
            rows.append((seen.place, member.id, whole_thing(member, seen, hidden, mark), ()))
        else:
            seen.members.append(member)
            rows.append((seen.place, member.id, attributes_held(member, seen), hidden))
    keeping = None if known is None or len(rows) < MANY else Keeping(known, kinds.values())
    asked = [() if seen.stands else seen.values for seen in kinds.values()]  # of the others all is told
    answers = [
        [
            values_of_each(mark, plan, seen.members)
            if keeping is None
            else keeping.asked("values", seen.kind, plan.name, lambda: values_of_each(mark, plan, seen.members))
            for plan in values
        ]
        for seen, values in zip(kinds.values(), asked, strict=True)
    ]
    on_board: Any = () if bare else markers(mark, {row[1]: True for row in rows}, keeping)
    w.known = None
    end_reading(mark)
    return {
        "viewer": viewer,
        "now": w.now,
        "title": w.title,
        "kinds": [
            [seen.kind, {}, []] if seen.stands else [seen.kind, seen.defaults, [plan.name for plan in seen.values]]
            for seen in kinds.values()
        ],
        "rows": rows,
        "answers": answers,
        "markers": on_board,
        "pages": with_pages(),
        **({} if keeping is None else {"kept": keeping.told()}),
    }


class Keeping:
    """Which answers the host has at hand, and which it may keep: those that everybody gets, who sees all things of the
    kind."""

    def __init__(self, known: Any, kinds: Any) -> None:
        self.stands = how_things_stand()
        self.known = known
        before = known.get("stands", {})
        self.moved = [kind for kind in {**before, **self.stands} if before.get(kind) != self.stands.get(kind)]
        self.whole = {seen.kind: True for seen in kinds if len(seen.members) == count(seen.kind)}
        self.kept: dict[str, Any] = {"values": [], "markers": []}  # [kind, name] of each

    def at_hand(self, part: str, kind: str, name: str) -> bool:
        """Whether the host has the answers to a question about all things of a kind, and nothing has come between."""
        kinds = self.known.get(part, {}).get(kind, {}).get(name)
        if kinds is None or kind not in self.whole:
            return False
        return not self.moved or not ("*" in kinds or [each for each in self.moved if each in kinds])

    def asked(self, part: str, kind: str, name: str, question: Any) -> Any:
        """The answers to a question about all things of a kind; None if the host has them."""
        if self.at_hand(part, kind, name):
            return None
        before = LOOKED[0]
        found = question()
        if kind in self.whole and LOOKED[0] == before:
            self.kept[part].append([kind, name])
        return found

    def told(self) -> Any:
        """What of this view may be kept, and how things stand."""
        return {"stands": self.stands, **self.kept}


def schema() -> Any:
    """The declared attributes and labelled values by kind, for drawing pages."""
    found: dict[str, Any] = {}
    asking = asked_by()
    for kind in world.index.kinds:
        entries = [declared_entry(each, each.rule, each.summary, each.show) for each in declared(kind).values()]
        for plan in shown_values(kind):
            entry = declared_entry(plan, plan.definitions[0][1], False, ("all",))
            entries.append({**entry, "derived": True})
        found[kind] = [
            {**each, **asking[kind + "." + each["name"]]} if kind + "." + each["name"] in asking else each
            for each in entries
        ]
    return found


def declared_entry(plan: Any, rule: str, summary: bool, show: Any) -> Any:
    """What pages need to know of an attribute or a value."""
    section = world.records[rule]["section"] if rule in world.records else ""
    about = {"label": line_of(plan.label), "type": line_of(plan.type)}
    entry = {"name": plan.name, **about, "rule": rule, "section": section}
    return {**entry, "summary": bool(summary), "derived": False, "show": [in_line(each) for each in show]}


def markers(mark: Any, seen: Any, keeping: Any) -> Any:
    """What rules draw on the board now, asked since `begin_reading` gave `mark`; with `keeping` [kind, rule, markers or
    None] of each. `seen`: the things that the viewer sees; a marker of another one names none."""
    if keeping is None:
        drawn = [drawn_by(mark, seen, kind, function, rule) for kind, function, rule in world.index.markers]
        return [marked for several in drawn for marked in several]
    return [
        [kind, rule, keeping.asked("markers", kind, rule, lambda: drawn_by(mark, seen, kind, function, rule))]
        for kind, function, rule in world.index.markers
    ]


def drawn_by(mark: Any, seen: Any, kind: str, function: Any, rule: str) -> Any:
    """The markers that a rule draws on things of a kind."""
    members = every(kind)
    drawn = drawn_on_each(mark, function, rule, members)
    on_board = []
    for place in [place for place in range(len(members)) if drawn[place] is not None]:
        if type(drawn[place]) is tuple and len(drawn[place]) in (2, 3):
            marked = marker_of(members[place], drawn[place], seen)
            if marked is not None:
                on_board.append({"square": marked.pop("square"), "kind": kind, "rule": rule, **marked})
    return on_board


def marker_of(member: Any, drawn: Any, seen: Any) -> Any:
    """A marker as data: the square on which it is, symbol and label, and what it is about; None if it is nowhere."""
    place = getattr(member, "square", None) if "square" in declared(member.kind) else member
    if type(place) is not Thing:
        return None
    marked = {"square": place.id, "symbol": line_of(drawn[0], MOST_SYMBOL), "label": line_of(drawn[1])}
    if len(drawn) == 3:
        marked["sign"] = line_of(drawn[2], MOST_SIGN)
    if place is not member and member.id in seen:
        marked["thing"] = member.id
    return marked


def counted_by(who: Any, viewer: str) -> Any:
    """What a player has that can be counted, as a viewer may see it: amounts of money, and numbers of the standings."""
    attributes = declared(who.kind)
    counted = [each for each in attributes.values() if each.summary or each.type == "money"]
    found = {each.name: getattr(who, each.name) for each in counted if sees(viewer, each.show, who)}
    for plan in shown_values(who.kind):
        if plan.type == "money":
            found[plan.name] = read_safely(lambda: value(plan.name, who), viewer)
    return {
        name: found[name] for name in found if type(found[name]) is int and -MOST_NUMBER <= found[name] <= MOST_NUMBER
    }


def numbers(data: Any) -> Any:
    """What players have that can be counted, at a moment: {player: [what all see, the owner, the Admin]}.

    For the owner and the Admin it says only what differs from what all see.
    """
    kept = world.now
    world.now = data["now"]
    told = {}
    for who in every("player"):
        for_all = counted_by(who, "visitor")
        told[who.id] = [for_all]
        for viewer in (who.id, "admin"):
            seen = counted_by(who, viewer)
            told[who.id].append({name: seen[name] for name in seen if for_all.get(name) != seen[name]})
    world.now = kept
    return told

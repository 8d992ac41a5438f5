"""An index that takes over what a change left alone is the same as one that is built from nothing, record by record."""

import minigames
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minigames import rule

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.interpreters import make_runtime

MADE_FOR_ONE = ("EventPlan", "ValuePlan", "Kind", "Index")  # what an index makes; all else in it is a program's own
CACHES = ("asked", "ordered", "loud")
ATOMS = {str, int, bool, type(None)}


# What rules say of one matter: any of it may come and go with any other.
def hears(*events, stations=("check", "instead", "on", "after")):
    return [f'@{station}("{event}")\ndef heard_{station}(e):\n    pass' for station in stations for event in events]


THEMES = {
    "births": [
        'kind("flag")',
        'kind("flag", label="Banner", prefix="banner")',
        'kind("sea-cow")',
        'attribute("flag", "hue", 3)',
        'attribute("flag", "age", 3)',
        'attribute("sea-cow", "hue", 4)',
        'event("create-flag", who="player")',
        'event("create")',
        'event("destroy", thing="")',
        *hears("create", "create-flag", "create-sea-cow", stations=("after", "check")),
        *hears("destroy", "destroy-flag", "create-player", stations=("after",)),
        'absent("event", False, "create-flag", "destroy-flag")',
        'absent("event", False, "create")',
        'absent("kind", "#", "flag")',
        'absent("flag", 0, "hue")',
    ],
    "actions": [
        '@action("raise", "Raise", n=number("N"))\ndef raise_it(e):\n    pass',
        '@action("raise", "Raise it", by="admin", more=words("More"))\ndef raise_all(e):\n    pass',
        '@action("lower")\ndef lower(e):\n    pass',
        'also_asks("raise", why=number("Why", optional=True))',
        'also_asks("raise", how=number("How", optional=True))',
        'also_asks("lower", how=number("How", optional=True), who=number("Who", optional=True))',
        *hears("*", "raise", stations=("check", "instead", "after")),
        *hears("pause", stations=("after", "check")),
        *hears("remove", "emergency-vote", "approve-player", stations=("check", "after")),
        'absent("event", False, "raise")',
        'event("raise", "risen")',
        'overrides("1")',
        'defers_to("2")',
    ],
    "ballots": [
        'event("counted", ballots="")',
        'event("counted", "told", more="", ballots="")',
        '@action("cast", ballot="counted", on=words("On"), choice=one_of(("yes", "no")), more=words("More"))\n'
        "def cast(e):\n    pass",
        '@action("cast", ballot="elsewhere", on=words("On"))\ndef cast_on(e):\n    pass',
        '@action("also-cast", ballot="counted", on=words("On"), choice=one_of(("yes", "no")))\ndef '
        "also_cast(e):\n    pass",
        'also_asks("cast", why=number("Why", optional=True))',
        'also_asks("also-cast", how=number("How", optional=True))',
        *hears("counted", stations=("on", "after")),
        '@instead("counted", per="why")\ndef per_why(e):\n    pass',
        'absent("event", False, "counted", "cast")',
    ],
    "values": [
        '@value("toll", of="player", label="Toll")\ndef toll(who):\n    return 3',
        '@value("toll", bands=("add", "set"))\ndef bare_toll():\n    return 4',
        '@value("fee", of="player", asks="raise")\ndef fee(who):\n    return 4',
        '@modify("toll")\ndef more(*of):\n    return add(1)',
        '@modify("toll", show="admin")\ndef less(*of):\n    return add(-1)',
        '@modify("fee")\ndef fees(*of):\n    return add(1)',
        'absent("value", 0, "toll")',
        'absent("value", 1, "toll", "fee")',
        'overrides("1")',
        'defers_to("2")',
    ],
    "things": [
        'kind("rock")',
        'kind("rock", label="Stone")',
        'attribute("rock", "hue", 3)',
        'attribute(("rock", "player"), "hue", 4)',
        'attribute("player", "owner", None, type="player", asks="raise-flag")',
        'absent("rock", 0, "hue")',
        'absent("player", 0, "hue", "owner")',
        'absent("kind", "#", "rock")',
        'row("sort", "big", price=3)',
        'row("sort", "big", price=4)',
        'row("sort", "small", price=4)',
        'row("rock", "small", price=4)',
        'catalogue("sort", for_sale=True)',
        'catalogue("sort")',
        '@marker("rock")\ndef shown(e):\n    return ("*", "1")',
        '@marker("player")\ndef shown_too(e):\n    return ("*", "2")',
        'calendar("noon", hour=12)',
        'calendar("noon", hour=13, weekday=2)',
        'calendar("night")',
    ],
    "words": [
        "@word\ndef greet():\n    return 1",
        "@word\ndef greet():\n    return 2",
        "@word\ndef part():\n    return greet()",
        'absent("word", None, "greet")',
        'absent("word", None, "part", "greet")',
        *hears("entry", stations=("after",)),
        'overrides("1")',
        'defers_to("2")',
    ],
    "order": [
        'event("step", "stepped", who="player")',
        'event("step", who="player", n="")',
        *hears("step"),
        '@instead("step", per="who")\ndef per_who(e):\n    pass',
        '@instead("step", per="n")\ndef per_n(e):\n    pass',
        'absent("event", False, "step")',
        *[f'overrides("{id}")' for id in ("1", "2.1", "kernel")],
        *[f'defers_to("{id}")' for id in ("1", "2.1", "3")],
    ],
}
# What most of the others need, in a rule that stands among them.
GROUND = {
    theme: [line for line in THEMES[theme] if line.split("(")[0] in ("kind", "event", "@action", "@value")][:3]
    for theme in THEMES
}
SPACE = "\n\n\n"
NUMBERS = ("1.1", "1.2", "2.1", "2.2", "3.1")
BOOKS = {name: load_edition(name) for name in editions()}
picks = st.integers(0, 10_000)


def programs(lines):
    return st.lists(st.sampled_from(lines), max_size=4, unique=True).map(SPACE.join)


def small_changes(theme):
    """Several at once, of one rule each: a line comes, a line goes, or all at once."""
    sorts = st.sampled_from(("add", "add", "add", "drop", "drop", "repeal", "suspend", "age"))
    change = st.tuples(sorts, st.sampled_from(NUMBERS), st.sampled_from(THEMES[theme]), st.integers(0, 5))
    return st.lists(change, min_size=1, max_size=2)


def large_changes(theme):
    sorts = st.sampled_from(("repeal", "enact", "amend", "extend", "extend", "suspend", "age", "number"))
    return st.tuples(sorts, picks, picks, programs(THEMES[theme]))


def told(part, made):
    """A part of an index as plain data and the objects that programs brought, in order; `made`: the types of what an
    index makes."""
    sort = type(part)
    if sort in ATOMS:
        return part
    if sort is dict:
        return [(name, each if type(each) in ATOMS else told(each, made)) for name, each in part.items()]
    if sort is list or sort is tuple:
        return [each if type(each) in ATOMS else told(each, made) for each in part]
    if sort in made:
        return sort.__name__, [(name, told(each, made)) for name, each in vars(part).items() if name not in CACHES]
    return id(part)


class Kernel:
    """A kernel with a rulebook and no game; `take` changes the book, and compares the index with one built from
    nothing."""

    def __init__(self, records, commons=()):
        self.names = make_runtime("cpython")._names
        self.names["call"]("prepare", {"commons": list(commons), "rules": records})
        self.world = self.names["world"]
        self.made = {self.names[name] for name in MADE_FOR_ONE}
        self.n = 1
        self.told = None

    def differing(self, records):
        """The rules that are other ones, as who changes the book names them; now and then all there are."""
        known = self.world.records
        return [id for id in {**records, **known} if not self.n % 3 or records.get(id) is not known.get(id)]

    def take(self, records):
        """Put records in force if they can be. Whether they could."""
        names, world = self.names, self.world
        before = (world.index, world.records, world.programs)
        now = told(world.index, self.made) if self.told is None else self.told
        names["begin_entry"]({"n": self.n, "at": minigames.START})
        self.n += 1
        message = from_nothing = None
        real, seen = names["build_index"], []

        def twice(programs, before, moved=None):
            seen.append(list(programs))
            return real(programs, before, moved)

        names["build_index"] = twice
        try:
            names["change_rules"](names["in_book_order"](records), self.differing(records), strict=True)
        except (ValueError, NameError, KeyError, AttributeError, TypeError) as error:
            message = (str(error), world.rule)
        names["build_index"] = real
        after = world.index
        if seen:
            world.rule = None
            try:
                fresh = real(seen[0], names["Index"]())
            except ValueError as error:
                from_nothing = (str(error), world.rule)
            else:
                self.told = told(fresh, self.made)
                assert message is not None or told(after, self.made) == self.told
            assert from_nothing == message
        self.refused = message and message[0]
        if message is not None:
            names["roll_back"]((0, 0, None, None, None, 0, 0))
            assert (world.index, world.records, world.programs) == before
            assert told(world.index, self.made) == now  # nothing of what was tried has got into it
            self.told = now
        else:
            names["end_entry"](None)
        return message is None


def changed_small(records, change):
    """Records of a small book after a change of one rule."""
    what, id, line, place = change
    old = records.get(id)
    if what == "add":
        made = old or rule(id, since=place)
        return {**records, id: {**made, "code": (made["code"] + SPACE + line).strip()}}
    if what == "drop" and old is not None:
        left = old["code"].split(SPACE)
        return {**records, id: {**old, "code": SPACE.join([*left[:place], *left[place + 1 :]])}}
    if what == "suspend" and old is not None:
        return {**records, id: {**old, "suspended": not old.get("suspended", False)}}
    if what == "age" and old is not None:
        return {**records, id: {**old, "since": old["since"] + place}}
    return {each: records[each] for each in records if each != id}


def changed_large(records, change, n):
    """Records of an edition's book after a change of one rule, or of two that change places."""
    what, first, second, code = change
    ids = list(records)
    id, other = ids[first % len(ids)], ids[second % len(ids)]
    old = records[id]
    if what == "repeal":
        return {each: records[each] for each in records if each != id}
    if what == "enact":
        made = f"{records[other]['section']}.{90 + first % 9}"
        return {**records, made: {**old, "id": made, "code": code or old["code"], "since": n}}
    if what == "amend":
        return {**records, id: {**old, "code": records[other]["code"], "params": records[other]["params"], "since": n}}
    if what == "extend":
        return {**records, id: {**old, "code": old["code"] + SPACE + code, "since": n}}
    if what == "suspend":
        return {**records, id: {**old, "suspended": not old.get("suspended", False)}}
    if what == "age":
        return {**records, id: {**old, "since": records[other]["since"] + second % 3}}
    numbers = {name: number + 1 if type(number) is int else number for name, number in old["params"].items()}
    return {**records, id: {**old, "params": numbers, "since": n}}


ALL = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("theme", THEMES)
def test_of_small_books(theme):
    accepted = []

    @settings(ALL, max_examples=60)
    @given(st.lists(small_changes(theme), min_size=4, max_size=16))
    def play(steps):
        ground = rule("2.1", SPACE.join(GROUND[theme]))
        kernel, records = Kernel([ground]), {"2.1": ground}
        for changes in steps:
            after = records
            for change in changes:
                after = changed_small(after, change)
            if kernel.take(after):
                records = after
                accepted.append(after)

    play()
    assert len(accepted) > 200


NEEDED = [  # what one rule declares, what another does with it, and what is said when the first goes alone
    ('kind("flag")', 'attribute("flag", "hue", 3)', "attribute 'hue' is of an unknown kind 'flag'"),
    ('event("step")', '@on("step")\ndef heard(e):\n    pass', "there is no event 'step'"),
    (
        '@value("toll")\ndef toll():\n    return 4',
        '@modify("toll")\ndef more(*of):\n    return add(1)',
        "there is no value 'toll'",
    ),
    (
        '@action("raise")\ndef raise_it(e):\n    pass',
        'also_asks("raise", why=number("Why", optional=True))',
        "there is no action 'raise'",
    ),
]


@pytest.mark.parametrize(("needed", "needing", "sentence"), NEEDED, ids=[sentence for *_, sentence in NEEDED])
def test_what_another_rule_needs_does_not_go_alone(needed, needing, sentence):
    both = {"1.1": rule("1.1", needed), "1.2": rule("1.2", needing)}
    kernel = Kernel(list(both.values()))
    assert not kernel.take({"1.2": both["1.2"]})
    assert kernel.refused == f"rule 1.2: {sentence}"
    assert kernel.take({})


@pytest.mark.parametrize("event", ["create-flag", "destroy-flag"])
def test_an_absence_that_begins_and_ends_silences_and_wakes_those_who_wait(event):
    codes = ('kind("flag")', hears(event, stations=("after",))[0], f'absent("event", False, "{event}")')
    records = {f"1.{at}": rule(f"1.{at}", code) for at, code in enumerate(codes)}
    waiting = {id: records[id] for id in ("1.0", "1.1")}
    kernel = Kernel(list(waiting.values()))
    for book in (records, waiting):
        assert kernel.take(book)


def test_rows_are_sorted_again_when_they_are_others():
    records = {
        id: rule(id, f'row("sort", "{name}", price={price})') for id, name, price in (("1.1", "a", 1), ("1.2", "b", 2))
    }
    kernel = Kernel(list(records.values()))

    def dearest():
        return kernel.names["rows"]("sort", "price")[-1].id

    assert dearest() == "b"
    for id, change, wanted in (("1.1", ("price=1", "price=3"), "a"), ("1.1", ("price=3", "price=2"), "b")):
        records = {**records, id: {**records[id], "code": records[id]["code"].replace(*change)}}
        assert kernel.take(records)
        assert dearest() == wanted
    assert kernel.take({"1.1": records["1.1"]})
    assert dearest() == "a"


@pytest.mark.parametrize("edition", editions())
def test_of_the_editions(edition):
    book = BOOKS[edition]
    accepted = []

    @settings(ALL, max_examples=8)
    @given(
        st.sampled_from(tuple(THEMES)).flatmap(lambda theme: st.lists(large_changes(theme), min_size=3, max_size=10))
    )
    def play(changes):
        kernel = Kernel(book.records, book.commons)
        records = dict(kernel.world.records)
        for change in changes:
            after = changed_large(records, change, kernel.n)
            if kernel.take(after):
                records = after
                accepted.append(change[0])

    play()
    assert len(accepted) > 20, accepted


INSIDE = """
def plain_index(index):
    events = {
        name: [plan.say, plan.fields, plan.owner, plan.guarded, plan.bare, plan.closed, plan.special]
        + [[each[1] for each in getattr(plan, part)] for part in ("checks", "insteads", "ons", "afters")]
        for name, plan in index.events.items()
    }
    values = {
        name: [plan.of, plan.label, plan.bands] + [[each[1] for each in part] for part in (plan.definitions, plan.modifies)]
        for name, plan in index.values.items()
    }
    things = {kind: [[name, each.rule] for name, each in those.items()] for kind, those in index.attributes.items()}
    others = [[*index.actions], [[name, [*form]] for name, form in index.forms.items()], index.absent, index.births]
    more = [[name, [*those]] for name, those in index.rows.items()]
    words = {name: rule for name, (_, rule) in index.words.items()}
    return [[*events], events, [*values], values, [*things], things, others, more, words, [*index.kinds], index.calendar]


def renew_and_compare(data):
    begin_entry({"n": world.n + 1, "at": world.now})
    try:
        records = in_book_order({record["id"]: record for record in data["rules"]})
        change_rules(records, [*{**world.records, **records}], True)
    except (ValueError, NameError):
        roll_back((0, 0, None, None, None, 0, 0))
        return "refused"
    end_entry(None)
    fresh = build_index(world.index.programs, Index())
    return "same" if plain_index(world.index) == plain_index(fresh) else "other"


CALLS["renew"] = renew_and_compare
"""


@pytest.mark.parametrize("theme", THEMES)
def test_in_the_sandbox(theme):
    ground = rule("2.1", SPACE.join(GROUND[theme]))
    runtime = make_runtime("monty")
    runtime.call("prepare", {"commons": [], "rules": [ground]})
    runtime.add(INSIDE)
    answers = []

    @settings(ALL, max_examples=4)
    @given(st.lists(small_changes(theme), min_size=4, max_size=12))
    def play(steps):
        records = {"2.1": ground}
        for changes in steps:
            after = records
            for change in changes:
                after = changed_small(after, change)
            answers.append(runtime.call("renew", {"rules": list(after.values())}))
            assert answers[-1] != "other"
            records = after if answers[-1] == "same" else records

    try:
        play()
    finally:
        runtime.close()
    assert answers.count("same") > 5

"""Transactions, news and changes of the rules in the rule language, in both interpreters."""

import minigames
import pytest
from minigames import START, done, rule
from stepping import MARK, go, opener, rebuilt, trace


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    yield from opener(request.param)


# ---- transactions


def test_may_undoes_the_event_alone(make):
    game = make(
        rule(
            "1.1",
            MARK
            + """
@on("step")
def f(e):
    mark(e, e.n)
    if e.n == 3:
        refuse("three")


@action("try-all")
def g(e):
    mark(e, tuple([do("step", may=True, who=e.who, n=n) for n in (2, 3, 4)]))
""",
        )
    )
    outcome = done(game.order("Ann", "try-all", {}, START))
    assert trace(game) == [2, 4, [True, False, True]]
    assert [fact["n"] for fact in outcome.facts] == [2, 4], "what did not happen leaves no fact"
    before = game.state_hash()
    assert go(game, n=3).refused == "three"
    assert game.state_hash() == before


def test_may_catches_refusals_and_no_faults(make):
    code = "@on('step')\ndef f(e):\n    1 // 0\n\n\n@action('try')\ndef g(e):\n    do('step', may=True, who=e.who)"
    outcome = make(rule("1.1", code)).order("Ann", "try", {}, START)
    assert outcome.fault["rule"] == "1.1"


@pytest.mark.parametrize(
    ("code", "fine"),
    [
        ("@on('step')\ndef f(e):\n    if e.n < 190:\n        do('step', who=e.who, n=e.n + 1)", True),
        ("@on('step')\ndef f(e):\n    if e.n < 210:\n        do('step', who=e.who, n=e.n + 1)", False),
        (
            "@on('step')\ndef f(e):\n    if e.n == 0:\n        for i in range(4900):\n            do('step', "
            "who=e.who, n=1)",
            True,
        ),
        (
            "@on('step')\ndef f(e):\n    if e.n == 0:\n        for i in range(5100):\n            do('step', "
            "who=e.who, n=1)",
            False,
        ),
        ("@instead('step', per='n')\ndef f(e):\n    return e.but(n=e.n + 1)", False),
    ],
)
def test_paradox(make, code, fine):
    game = make(rule("1.1", code))
    before = game.state_hash()
    outcome = go(game, n=0)
    assert outcome.ok == fine
    if not fine:
        assert "paradox" in outcome.fault["message"]
        assert outcome.fault["rule"] == "1.1"
        assert game.state_hash() == before


# ---- news


def test_news_to_one_is_seen_by_that_one_alone(make):
    game = make(rule("1.1", "@action('hint')\ndef f(e):\n    tell(e.who, 'psst')\n    tell(None, 'hear, hear')"))
    done(game.order("Ann", "hint", {}, START))
    seen = {viewer: str(game.facts(viewer)[-1]["facts"]) for viewer in ("Ann", "Ben", "visitor", "admin")}
    assert ["psst" in seen[viewer] for viewer in seen] == [True, False, False, False]
    assert all("hear, hear" in facts for facts in seen.values())


# ---- changing the rules

STEP = "@on('step')\ndef f(e):\n    put(e.who, 'money', {})"


def test_amending_starts_the_age_anew_unless_it_is_clerical(make):
    game = make(rule("1.1", STEP.format(1)), rule("1.2", STEP.format(2)))
    done(go(game))
    assert game.value("money", "Ann") == 1
    done(game.admin("change", {"run": "amend('1.1', text='Better words.', clerical=True)"}, START))
    done(go(game))
    assert game.value("money", "Ann") == 1, "clerical changes do not count"
    done(minigames.change(game, {"amend": "1.1", "text": "Other words."}))
    done(go(game))
    assert game.value("money", "Ann") == 2, "the older form goes first now"
    since = {record["id"]: record["since"] for record in game.records()}
    assert since["1.1"] == game.n - 1
    assert since["1.2"] == 0


@pytest.mark.parametrize(
    ("taken", "wanted", "gets"),
    [
        ((), "1.5", "1.5"),
        (("1.5",), "1.5", "1.6"),
        (("1.5", "1.6"), "1.5", "1.7"),
        (("1.9",), "1.9", "1.10"),
        (("X.1",), "X.1", "X.2"),
        (("1.5/fort",), "1.5/fort", "1.5/fort-2"),
        (("1.5/fort", "1.5/fort-2"), "1.5/fort", "1.5/fort-3"),
    ],
)
def test_a_taken_number_is_passed_over(make, taken, wanted, gets):
    game = make(*(rule(id) for id in taken))
    outcome = done(minigames.change(game, {"enact": wanted, "text": "New."}))
    assert [fact["number"] for fact in outcome.facts if fact["what"] == "enacted"] == [gets]
    assert gets in {record["id"] for record in game.records()}


def test_nothing_of_an_old_form_survives(make):
    full = """
event("old", who="player")
attribute("player", "old", 1)


@action("old-act")
def a(e):
    put(e.who, "money", 99)


@value("old-value")
def v():
    return 1


@modify("new-value")
def m(base):
    return add(100)


@marker("player")
def k(who):
    return ("o", "old")


@check("step")
def c(e):
    return "old no"


@after("step")
def f(e):
    put(e.who, "money", 77)
"""
    game = make(rule("1.1", full), rule("1.2", "@value('new-value')\ndef v():\n    return 1"))
    assert go(game).refused == "old no"
    assert game.value("new-value") == 101
    done(minigames.change(game, {"amend": "1.1", "code": "@after('step')\ndef f(e):\n    put(e.who, 'money', 5)"}))
    done(go(game))
    assert game.value("money", "Ann") == 5
    described = str([game.describe(), game.view("Ann"), game.actions("Ann")])
    assert "old" not in described.replace("hold", "")
    assert game.value("new-value") == 1
    done(minigames.change(game, {"repeal": "1.1"}))
    done(game.admin("grant", {"thing": "Ann", "attribute": "money", "value": 10}, START))
    done(go(game))
    assert game.value("money", "Ann") == 10
    assert rebuilt(game) == [game.state_hash()] * 2


def test_what_follows_from_a_change_of_rules_follows_by_the_new_ones(make):
    act = MARK + "event('decree', who='player')\n\n\n@action('decree')\ndef a(e):\n    do('law', who=e.who)\n\n\n"
    act += "event('law', who='player')\n\n\n@on('law')\ndef f(e):\n    repeal('1.2')\n    enact('1.3', code=rule.new)"
    act = act.replace("event('decree', who='player')\n\n\n", "")
    new = MARK + "@after('law')\ndef g(e):\n    mark(e, 'new')"
    game = make(rule("1.1", act, new=new), rule("1.2", MARK + "@after('law')\ndef g(e):\n    mark(e, 'old')"))
    outcome = done(game.order("Ann", "decree", {}, START))
    assert trace(game) == ["new"]
    assert [fact["what"] for fact in outcome.facts] == ["repealed", "enacted"]
    assert rebuilt(game) == [game.state_hash()] * 2


def test_a_refused_change_leaves_the_old_rules_in_force(make):
    game = make(rule("1.1", STEP.format(1)))
    before = game.state_hash()
    assert minigames.change(game, {"amend": "1.1", "code": STEP.format(2)}, run="refuse('no')").refused == "no"
    assert minigames.change(game, {"amend": "1.1", "code": STEP.format(2)}, {"repeal": "7.7"}).refused
    assert minigames.change(game, {"amend": "1.1", "code": "x = ("}).fault["rule"] == "1.1"
    assert minigames.change(game, {"amend": "1.1", "code": "@on('none')\ndef f(e):\n    pass"}).fault is not None
    assert game.state_hash() == before
    done(go(game))
    assert game.value("money", "Ann") == 1


FAULTY = [
    ("@on('step')\ndef f(e):\n    x = 1\n    y = 1 // 0\n    return y", 4),
    ("@on('step')\ndef f(e):\n    if e.n is None:\n        return e.nothing\n", 4),
    ("def g(n):\n    return n.nothing\n\n\n@after('step')\ndef f(e):\n    g(1)\n", 2),
    ("@check('step')\ndef f(e):\n    return nothing\n", 3),
    ("@instead('step')\ndef f(e):\n    return e.but(zork=1)\n", 3),
    ("@instead('step')\ndef f(e):\n    return e.to('zork')\n", 3),
    ("@on('step')\ndef f(e):\n    do('zork')\n", 3),
    ("@on('step')\ndef f(e):\n    do('step', zork=1)\n", 3),
    ("@on('step')\ndef f(e):\n    put(e.who, 'zork', 1)\n", 3),
    ("@on('step')\ndef f(e):\n    create('zork')\n", 3),
    ("@on('step')\ndef f(e):\n    value('zork')\n", 3),
    ("@on('step')\ndef f(e):\n    chance.pick(())\n", 3),
]


@pytest.mark.parametrize(("code", "line"), FAULTY, ids=[each[0] for each in FAULTY])
def test_a_fault_names_rule_and_line(make, code, line):
    outcome = go(make(rule("1.1", code)))
    assert (outcome.fault["rule"], outcome.fault["line"]) == ("1.1", line)


def test_a_rule_without_code_is_kept_by_the_players(make):
    game = make(rule("1.1", text="Be nice."))
    done(go(game))
    assert game.records()[-1]["code"] == ""


EACH = """
@action("visit", fact="visited")
def visit(e):
    do_each("step", "n", (3, None, 5), who=e.who)
    do_each("step", "who", every("player"), n=7)
    do_each("step", "n", (), who=e.who)
    put(e.who, "trace", (*e.who.trace, unwatched("step"), unwatched("step", "go"), unwatched("nothing")))
"""
LISTENER = rule("3.1", MARK + "@after('step')\ndef heard(e):\n    mark(e, f'heard {e.n}')\n")


def test_do_each_is_do_again_and_again_whether_rules_listen_or_not(make):
    quiet, watched = make(rule("2.1", EACH)), make(rule("2.1", EACH), LISTENER)
    first, second = (done(game.order("Ann", "visit", {}, game.now)) for game in (quiet, watched))
    assert first.facts == second.facts
    assert [fact.get("n") for fact in first.facts[1:]] == [3, None, 5, 7, 7]
    assert [fact["who"] for fact in first.facts[1:]] == ["Ann", "Ann", "Ann", "Ann", "Ben"]
    assert trace(quiet) == [True, False, False]
    assert trace(watched) == ["heard 3", "heard None", "heard 5", "heard 7", False, False, False]
    assert trace(watched, "Ben") == ["heard 7"]


def test_do_each_comes_to_an_end(make):
    more = rule(
        "2.1", "@action('many')\ndef many(e):\n    do_each('step', 'n', list(range(6000)), who=e.who)\n    do('step')\n"
    )
    outcome = make(more).order("Ann", "many", {}, START)
    assert "paradox" in outcome.fault["message"]


RING = """
kind("stop")
attribute("stop", "next", None, type="thing")


@value("next")
def after_it(stop):
    return stop.next


@action("walk", steps=number())
def walk(e):
    stops = [create("stop") for _ in range(3)]
    for at in range(3):
        put(stops[at], "next", stops[(at + 1) % 3])
    put(e.who, "trace", tuple(along("next", find("stop-1"), e.steps)))
"""
SKIPS = rule(
    "3.1", "@modify('next')\ndef skip(stop, base):\n    return set(base.next) if stop.id == 'stop-1' else None\n"
)


@pytest.mark.parametrize(
    ("rules", "steps", "way"),
    [((), 0, "1"), ((), 1, "12"), ((), 5, "123123"), ((SKIPS,), 1, "13"), ((SKIPS,), 4, "13131")],
)
def test_along_goes_from_what_a_value_says_to_what_it_says_of_that(make, rules, steps, way):
    game = make(rule("2.1", RING), *rules)
    done(game.order("Ann", "walk", {"steps": steps}, game.now))
    assert trace(game) == [f"stop-{number}" for number in way]


WRITES = "@value('next')\ndef writing(stop):\n    put(stop, 'next', None)\n    return stop\n"


@pytest.mark.parametrize(
    ("code", "message"), [("overrides('2.1')\n" + WRITES, "may only read"), ("", "there is no value 'zork'")]
)
def test_along_only_reads_and_wants_a_value_that_there_is(make, code, message):
    ring = RING if code else RING.replace('along("next"', 'along("zork"')
    game = make(rule("2.1", ring), rule("3.1", code))
    outcome = game.order("Ann", "walk", {"steps": 2}, game.now)
    assert message in outcome.fault["message"]
    assert trace(game) == []


TELLS = """
kind("stop")


@action("look")
def look(e):
    create("stop")
    put(e.who, "trace", (*[each for each in traits("player") if each == "money"], *[each.id for each in every()]))
    said = [words for number, words in prose() if number == rule.id]
    fact("said", words=said[0])
    destroy(find("stop-1"))


event("destroy", who="player")  # not of things: it has no field for one


@on("destroy")
def never(e):
    refuse("nothing is destroyed")
"""


def test_rules_can_read_the_book_and_go_through_all_things(make):
    game = make(rule("2.1", TELLS, text="Wait {days} days at {places}.", days=3, places=[4, 5]))
    outcome = done(game.order("Ann", "look", {}, game.now))
    assert outcome.facts[-1]["words"] == "Wait 3 days at [4, 5]."
    assert {"money", "game", "Ann", "Ben", "stop-1"} <= set(trace(game))
    assert "stop-1" not in game.view("admin")


SAYS = rule("2.1", "row('part', 'one', event='step')\n")
DOES = """
@action("visit", fact="visited")
def visit(e):
    for part in rows("part"):
        do(part, may=True, who=e.who, n=1)
    do("step", who=e.who, n=2)
"""


def test_what_a_row_says_happens_in_the_name_of_its_rule(make):
    game = make(SAYS, rule("3.1", DOES))
    facts = done(game.order("Ann", "visit", {}, game.now)).facts
    assert [(fact["rule"], fact["n"]) for fact in facts[1:]] == [("2.1", 1), ("3.1", 2)]


FEIGNED = """
from collections import namedtuple

event("made", "made")
ROW = namedtuple("Row", ("rule", "event"))("0.2", "made")


@on("step")
def f(e):
    do(ROW)
"""


def test_nobody_makes_up_a_row_to_act_in_the_name_of_a_rule(make):
    facts = done(go(make(rule("1.1", FEIGNED)))).facts
    assert [fact["rule"] for fact in facts if fact["what"] == "made"] == ["1.1"]

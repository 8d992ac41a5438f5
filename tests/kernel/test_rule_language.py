"""The rule language, clause by clause, in both interpreters: each test is a small rulebook and what follows from it."""

import minigames
import pytest
from minigames import START, done, rule
from stepping import MARK, go, opener, rebuilt, trace

from nomopoly.runtime.interpreters import Fault


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    yield from opener(request.param)


# ---- stations


def test_the_four_stations_in_their_order(make):
    """Checks and replacements only read, so their order shows in what they let through."""
    game = make(
        rule("1.1", MARK + "@on('step')\ndef f(e):\n    mark(e, 'on ' + str(e.n))\n    return e.n"),
        rule("1.2", MARK + "@after('step')\ndef f(e):\n    mark(e, 'after ' + str(e.result))"),
        rule("1.3", "@instead('step')\ndef f(e):\n    return e.but(n=e.n + 1)"),
        rule("1.4", "@check('step')\ndef f(e):\n    if e.n == 5:\n        return 'five'"),
    )
    done(go(game, n=1))
    assert trace(game) == ["on 2", "after 2"]
    assert go(game, n=5).refused == "five", "the check comes before the replacement"
    assert go(game, n=4).refused == "five", "and again after it"


@pytest.mark.parametrize("station", ["check", "instead"])
@pytest.mark.parametrize(
    "write", ["put(e.who, 'money', 1)", "create('question')", "do('step', who=e.who)", "tell(None, 'x')", "chance.die()",
              "fact('x')", "note(x=1)", "at(now(), 'step')", "cancel('step')", "pause()", "enact('9.9')", "run_once('1')"],
)  # fmt: skip
def test_checks_and_replacements_only_read(make, station, write):
    game = make(rule("1.1", f"@{station}('step')\ndef f(e):\n    {write}"))
    outcome = go(game)
    assert outcome.fault is not None
    assert outcome.fault["rule"] == "1.1"
    assert "read" in outcome.fault["message"]


def test_instead_to_another_event(make):
    game = make(
        rule("1.1", MARK + "event('rest', 'rested', who='player')\n\n\n@on('rest')\ndef f(e):\n    mark(e, e.via)"),
        rule("1.2", "@instead('step')\ndef f(e):\n    if e.n == 3:\n        return e.to('rest', who=e.who)"),
    )
    outcome = done(go(game, n=3))
    assert trace(game) == [["1.2"]], "via tells which rule bent it"
    assert [fact["what"] for fact in outcome.facts] == ["rested"]
    done(go(game, n=4))
    assert trace(game) == [["1.2"]]


def test_instead_prevents(make):
    game = make(
        rule(
            "1.1",
            MARK + "@on('step')\ndef f(e):\n    mark(e, 'on')\n\n\n@after('step')\ndef g(e):\n    mark(e, 'after')",
        ),
        rule("1.2", "@instead('step')\ndef f(e):\n    return False"),
    )
    outcome = done(go(game))
    assert trace(game) == []
    assert outcome.facts == []


def test_each_replacement_once_per_event_and_object(make):
    """Two rules that would bend an event back and forth for ever each get it once; `per` counts objects apart."""
    game = make(
        rule("1.1", MARK + "@on('step')\ndef f(e):\n    mark(e, (e.n, len(e.via)))"),
        rule("1.2", "@instead('step')\ndef f(e):\n    return e.but(n=e.n + 1)"),
        rule("1.3", "@instead('step')\ndef f(e):\n    return e.but(n=e.n + 10)"),
    )
    done(go(game, n=0))
    assert trace(game) == [[11, 2]]
    game = make(
        rule("1.1", MARK + "@on('step')\ndef f(e):\n    mark(e, e.n)"),
        rule("1.2", "@instead('step', per='n')\ndef f(e):\n    if e.n < 5:\n        return e.but(n=e.n + 1)"),
    )
    done(go(game, n=0))
    assert trace(game) == [5], "once for each n"


def test_of_two_ons_one_wins_and_all_afters_follow(make):
    game = make(
        rule(
            "1.2",
            MARK + "@on('step')\ndef f(e):\n    mark(e, 'second')\n\n\n@after('step')\ndef g(e):\n    mark(e, 'b')",
        ),
        rule(
            "1.1",
            MARK + "@on('step')\ndef f(e):\n    mark(e, 'first')\n\n\n@after('step')\ndef g(e):\n    mark(e, 'a')",
        ),
    )
    done(go(game))
    assert trace(game) == ["first", "a", "b"]
    clash = [each for each in game.clashes() if each["name"] == "step"]
    assert clash == [{"what": "on", "name": "step", "winner": "1.1", "loser": "1.2", "reason": "lower number"}]


# ---- precedence

PRECEDENCE = [
    # rules as (number, since, lines of their code), who wins, why
    ([("1.1", 0, ""), ("1.2", 0, "")], "1.1", "lower number"),
    ([("1.10", 0, ""), ("1.9", 0, "")], "1.9", "lower number"),
    ([("IX.1", 0, ""), ("X.1", 0, "")], "IX.1", "lower number"),
    ([("XL.1", 0, ""), ("XXX.1", 0, "")], "XXX.1", "lower number"),
    ([("1.1", 3, ""), ("1.2", 0, "")], "1.2", "older form"),
    ([("1.1", 0, ""), ("1.2", 3, "overrides('1.1')")], "1.2", "says it overrides 1.1"),
    ([("1.1", 0, "defers_to('1.2')"), ("1.2", 3, "")], "1.2", "1.1 says it defers to 1.2"),
    ([("1.1/fort", 0, ""), ("2.1", 3, "overrides('1.1')")], "2.1", "says it overrides 1.1"),
    ([("1.1", 0, ""), ("2.1", 3, "overrides('1')")], "2.1", "says it overrides 1"),
    ([("11.1", 0, ""), ("2.1", 3, "overrides('1')")], "11.1", "older form"),
    ([("1.11", 0, ""), ("2.1", 3, "overrides('1.1')")], "1.11", "older form"),
    ([("1.1/a", 0, ""), ("1.1", 0, "")], "1.1", "lower number"),
    ([("1.1/b", 0, ""), ("1.1/a", 0, "")], "1.1/a", "lower number"),
]


@pytest.mark.parametrize(("rules", "winner", "reason"), PRECEDENCE, ids=[str(each[0]) for each in PRECEDENCE])
def test_precedence(make, rules, winner, reason):
    code = MARK + "@on('step')\ndef f(e):\n    mark(e, rule.id)\n\n\n@value('v')\ndef v():\n    return rule.id\n"
    game = make(*(rule(id, lines + "\n" + code, since=since) for id, since, lines in rules))
    done(go(game))
    assert trace(game) == [winner]
    assert game.value("v") == winner
    clashes = [each for each in game.clashes() if each["name"] in ("step", "v")]
    assert [(each["winner"], each["reason"]) for each in clashes] == [(winner, reason)] * 2


@pytest.mark.parametrize(
    ("yes", "no", "refused"),
    [
        ("return True", "return 'no'", True),
        ("return True", "return None", False),
        ("return True", "return False", False),
        ("return None", "return 'no'", True),
    ],
)
@pytest.mark.parametrize("stated", ["", "overrides('1.1')", "overrides('7')"])
def test_a_no_stands_unless_a_yes_says_that_it_overrides_that_rule(make, yes, no, refused, stated):
    game = make(
        rule("1.1", f"@check('step')\ndef f(e):\n    {no}"),
        rule("1.2", f"{stated}\n\n\n@check('step')\ndef f(e):\n    {yes}"),
    )
    outcome = go(game)
    defeated = stated == "overrides('1.1')" and yes == "return True"
    assert (outcome.refused is not None) == (refused and not defeated)
    if outcome.refused:
        assert (outcome.refused, outcome.rule) == ("no", "1.1")


def test_a_no_that_defers_is_defeated_by_a_yes(make):
    game = make(
        rule("1.1", "defers_to('1.2')\n\n\n@check('step')\ndef f(e):\n    return 'no'"),
        rule("1.2", "@check('step')\ndef f(e):\n    return True"),
    )
    done(go(game))


# ---- values

MODIFIERS = [
    # contributions (in order of rules), what 100 becomes
    (["add(5)"], 105),
    (["percent(30)"], 130),
    (["percent(30)", "percent(20)"], 150),  # percentages are summed
    (["percent(-150)"], -50),
    (["factor(2)", "factor(3)"], 600),
    (["factor(1, 3)"], 33),
    (["factor(1, 3)", "factor(3)"], 100),  # rounded once
    (["factor(1, 8)"], 13),  # one half up
    (["factor(1, 8)", "percent(100)"], 25),  # rounded once, when all bands have had their say
    (["factor(1, 8)", "add(1)", "at_most(14)"], 14),
    (["factor(1, 8)", "at_least(12)"], 13),
    (["factor(1, 8)", "at_least(13)"], 13),
    (["factor(1, 8)", "at_most(12)"], 12),
    (["set(7)"], 7),
    (["set(7)", "set(8)"], 7),  # precedence decides
    (["add(5)", "factor(2)", "set(50)", "percent(10)"], 115),  # band by band: set, factor, percent, add
    (["at_least(150)", "at_most(120)"], 120),
    (["at_least(150)", "at_least(160)"], 160),
    (["at_most(50)", "at_most(60)"], 50),
    (["None"], 100),
    (["None", "add(1)"], 101),
]


@pytest.mark.parametrize(("contributions", "result"), MODIFIERS, ids=[str(each[0]) for each in MODIFIERS])
def test_values_and_their_modifiers(make, contributions, result):
    rules = [
        rule(f"1.{at + 2}", f"@modify('toll')\ndef m(who, base):\n    return {contribution}")
        for at, contribution in enumerate(contributions)
    ]
    game = make(rule("1.1", "@value('toll', of='player')\ndef toll(who):\n    return 100"), *rules)
    assert game.value("toll", "Ann") == result


def test_the_order_of_the_bands_is_part_of_the_value(make):
    source = "@value('toll', bands=['add', 'factor'])\ndef toll():\n    return 100"
    more = (
        rule("1.2", "@modify('toll')\ndef m(base):\n    return factor(2)"),
        rule("1.3", "@modify('toll')\ndef m(base):\n    return add(5)"),
    )
    game = make(rule("1.1", source), *more)
    assert game.value("toll") == 210
    done(minigames.change(game, {"amend": "1.1", "code": source.replace("['add', 'factor']", "['factor', 'add']")}))
    assert game.value("toll") == 205


def test_a_modifier_sees_the_base_and_returns_a_contribution(make):
    game = make(
        rule("1.1", "@value('toll')\ndef toll():\n    return 100"),
        rule("1.2", "@modify('toll')\ndef m(base):\n    return base + 1"),
    )
    with pytest.raises(Fault, match="returns set, factor, percent"):
        game.value("toll")


@pytest.mark.parametrize(
    ("sum", "result"),
    [
        ("share(501, 1, 2)", 251),
        ("share(200, 15)", 30),
        ("share(-5, 1, 2)", -2),
        ("share(5, 1, 2)", 3),
        ("share(1, 1, 3)", 0),
    ],
)
def test_shares_round_half_up(make, sum, result):
    game = make(rule("1.1", f"@value('v')\ndef v():\n    return {sum}"))
    assert game.value("v") == result


def test_a_setting_is_the_rules_own_number(make):
    game = make(
        rule("1.1", "setting('fee')", fee=40),
        rule("1.2", "@modify('fee')\ndef m(base):\n    return percent(50)"),
    )
    assert game.value("fee") == 60
    done(minigames.change(game, {"amend": "1.1", "params": {"fee": 50}}))
    assert game.value("fee") == 75


# ---- attributes, kinds


def test_a_rule_rewords_the_prose_of_others_and_their_age_stays(make):
    prose = {**rule("3.1", ""), "text": "From Square #1 to Square #12; Square #1."}
    game = make(
        prose, rule("3.2", "@action('rename')\ndef rename(e):\n    tell(None, str(reword('Square #1', 'the first')))")
    )
    outcome = done(game.order("Ann", "rename", {}, at=START))
    assert [fact["text"] for fact in outcome.facts if fact["what"] == "told"] == ["['3.1']"]
    records = {record["id"]: record for record in game.records()}
    assert records["3.1"]["text"] == "From the first to Square #12; the first."
    assert records["3.1"]["since"] == 0


def test_values_of_things_stay_when_their_rule_goes_and_come_back_with_it(make):
    declared = {"text": "x", "code": "attribute('player', 'luck', 3)"}
    game = make(rule("1.1", "@action('lucky')\ndef f(e):\n    put(e.who, 'luck', 9)"))
    never = game.state_hash()
    done(minigames.change(game, {"enact": "1.2", **declared}))
    assert (game.value("luck", "Ann"), game.value("luck", "Ben")) == (3, 3)
    done(minigames.change(game, {"repeal": "1.2"}))
    assert game.state_hash() == never, "a default leaves no trace: the state is that of a game that never had it"
    done(minigames.change(game, {"enact": "1.2", **declared}))
    done(game.order("Ann", "lucky", {}, START))
    done(minigames.change(game, {"repeal": "1.2"}))
    assert game.order("Ben", "lucky", {}, START).fault is not None
    with pytest.raises(KeyError):
        game.value("luck", "Ann")
    assert rebuilt(game) == [game.state_hash()] * 2
    done(minigames.change(game, {"enact": "1.2", "text": "x", "code": "attribute('player', 'luck', 4)"}))
    assert (game.value("luck", "Ann"), game.value("luck", "Ben")) == (9, 4)
    assert rebuilt(game) == [game.state_hash()] * 2


@pytest.mark.parametrize("value", ["5", "-10**18", "'word'", "True", "None", "e.who", "(1, 'x', (e.who, None))", "()"])
def test_what_a_thing_can_keep(make, value):
    game = make(
        rule(
            "1.1",
            f"attribute('player', 'kept')\n\n\n@action('keep')\ndef f(e):\n    put(e.who, 'kept', 'first')\n"
            f"    put(e.who, 'kept', {value})",
        )
    )
    done(game.order("Ann", "keep", {}, START))
    assert game.value("kept", "Ann") != "first"
    assert rebuilt(game) == [game.state_hash()] * 2


def test_true_is_not_one(make):
    code = (
        "attribute('player', 'kept')\n\n\n@action('keep')\ndef f(e):\n    put(e.who, 'kept', 1)\n"
        "    put(e.who, 'kept', True)"
    )
    game = make(rule("1.1", code))
    done(game.order("Ann", "keep", {}, START))
    assert game.value("kept", "Ann") is True


def test_kinds_number_their_things_and_never_use_a_number_twice(make):
    game = make(
        rule(
            "1.1",
            """
kind("ship", prefix="ship-")
kind("berth", prefix="%", numbered="place")
attribute("berth", "place", 0)


@action("build")
def build(e):
    create("ship")
    create("berth", place=7)


@action("sink", ship=choose("ship"))
def sink(e):
    destroy(e.ship)
""",
        )
    )
    done(game.order("Ann", "build", {}, START))
    assert game.view("Ann")["things"]["%7"]["place"] == 7
    done(game.order("Ann", "sink", {"ship": "ship-1"}, START))
    assert game.order("Ann", "sink", {"ship": "ship-1"}, START).refused == "ship-1 no longer exists"
    assert game.order("Ann", "sink", {"ship": "ship-2"}, START).refused == "no such ship: ship-2"
    assert game.order("Ann", "sink", {"ship": "%8"}, START).refused == "no such berth: %8"
    assert game.order("Ann", "sink", {"ship": "Zoe"}, START).refused == "nothing here is called Zoe"
    assert game.order("Ann", "sink", {"ship": "Ben"}, START).refused == "ship: Ben is a player, not a ship"
    assert "there already is a thing called %7" in game.order("Ann", "build", {}, START).fault["message"]
    done(game.admin("change", {"run": "destroy(thing('%7'))"}, START))
    done(game.order("Ann", "build", {}, START))
    assert "ship-2" in game.view("Ann")["things"]
    assert rebuilt(game) == [game.state_hash()] * 2
    assert "there still are things" in minigames.change(game, {"repeal": "1.1"}).fault["message"]


def test_rows_of_a_catalogue_by_a_column(make):
    game = make(
        rule("1.1", "row('step', 'late', place=20)"),
        rule("1.2", "row('step', 'early', place=10)"),
        rule("1.3", "@value('book')\ndef a():\n    return ' '.join([each.id for each in rows('step')])"),
        rule("1.4", "@value('places')\ndef b():\n    return ' '.join([each.id for each in rows('step', by='place')])"),
        rule("1.5", "@value('none')\ndef c():\n    return len(rows('house', by='place'))"),
    )
    assert [game.value(name) for name in ("book", "places", "none")] == ["late early", "early late", 0]
    done(minigames.change(game, {"enact": "1.6", "text": "x", "code": "row('step', 'first', place=1)"}))
    assert game.value("places") == "first early late"


def test_markers(make):
    game = make(rule("1.1", "@marker('player')\ndef m(who):\n    if who.money > 10:\n        return ('!', who.id)"))
    assert game.view("Ann")["markers"] == []
    done(game.admin("grant", {"thing": "Ben", "attribute": "money", "value": 11}, START))
    assert game.view("Ann")["markers"] == [
        {"square": "Ben", "kind": "player", "symbol": "!", "label": "Ben", "rule": "1.1"}
    ]


@pytest.mark.parametrize("field", ["choose('player', optinal=True)", "number(mony=True)", "words(wantd=True)"])
def test_a_field_refuses_an_option_that_it_has_not(make, field):
    with pytest.raises(Fault, match="a field of a form has no '(optinal|mony|wantd)'"):
        make(rule("1.1", f"@action('f', x={field})\ndef f(e):\n    pass"))

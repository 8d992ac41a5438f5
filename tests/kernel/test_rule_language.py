"""The rule language, clause by clause, in both interpreters: each test is a small rulebook and what follows from it."""

import minigames
import pytest
from minigames import CHANGING, START, done, rule

from nomopoly.runtime.host import Game, load_game, take_snapshot
from nomopoly.runtime.interpreters import Fault

BASE = rule(
    "0.2",
    """
attribute("player", "money", 10, type="money")
attribute("player", "trace", ())
event("step", "stepped", who="player", n="")


def mark(e, word):
    put(e.who, "trace", (*e.who.trace, word))


@action("go", n=number(optional=True, least=None))
def go(e):
    do("step", who=e.who, n=e.n)
""",
)
# What other rules write with: rules have no functions in common, so each test's rules say it themselves.
MARK = "def mark(e, word):\n    put(e.who, 'trace', (*e.who.trace, word))\n\n\n"


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    """Opens small games with BASE and CHANGING in them, in one interpreter and then in the other."""
    opened: list[Game] = []

    def opener(*rules: dict, base: bool = True, **more) -> Game:
        given = (CHANGING, BASE, *rules) if base else (CHANGING, *rules)
        opened.append(minigames.small_game(*given, runtime=request.param, **more))
        return opened[-1]

    yield opener
    for game in opened:
        game.runtime.close()


def go(game: Game, by: str = "Ann", **args):
    return game.order(by, "go", args, game.now)


def trace(game: Game, of: str = "Ann") -> list:
    return game.value("trace", of)


def rebuilt(game: Game) -> list[str]:
    copies = [
        load_game(game.journal, runtime=game.runtime.name),
        load_game(game.journal, runtime=game.runtime.name, snapshot=take_snapshot(game)),
    ]
    return [copy.state_hash() for copy in copies]


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


# ---- time

CLOCK = rule(
    "1.1",
    MARK
    + """
attribute("player", "until", None, moment="game")
attribute("player", "fixed", None, moment="real")
event("ring", who="player", word="")
calendar("dawn", hour=6)


@action("wait", n=number())
def wait(e):
    at(now() + e.n, "ring", who=e.who, word="game")
    at(now() + e.n, "ring", real=True, who=e.who, word="real")
    put(e.who, "until", now() + e.n)
    put(e.who, "fixed", now() + e.n)


@action("forget")
def forget(e):
    cancel("ring", who=e.who)


@on("ring")
def ring(e):
    mark(e, (e.word, now()))


@on("dawn")
def dawn(e):
    for each in every("player"):
        put(each, "trace", (*each.trace, ("dawn", now())))
""",
)


def test_timers_fire_at_their_moments_in_order(make):
    game = make(CLOCK)
    done(game.order("Ann", "wait", {"n": 50}, START))
    done(game.order("Ben", "wait", {"n": 20}, START))
    assert game.due() == START + 20
    assert [outcome.ok for outcome in game.run_due(START + 49)] == [True, True]
    assert trace(game, "Ben") == [["game", START + 20], ["real", START + 20]]
    assert trace(game) == []
    done(game.order("Ann", "forget", {}, START + 49))
    assert game.run_due(START + 60) == []
    assert rebuilt(game) == [game.state_hash()] * 2


def test_a_pause_puts_off_game_time_alone(make):
    game = make(CLOCK)
    done(game.order("Ann", "wait", {"n": 50}, START))
    done(game.admin("pause", {"because": "lunch"}, START + 10))
    assert go(game).refused == "the game is paused"
    game.run_due(START + 1000)
    assert trace(game) == [["real", START + 50]]
    done(game.admin("resume", {}, START + 1010))
    assert (game.value("until", "Ann"), game.value("fixed", "Ann")) == (START + 1050, START + 50)
    game.run_due(START + 1049)
    assert len(trace(game)) == 1
    game.run_due(START + 1050)
    assert trace(game)[1] == ["game", START + 1050]
    assert rebuilt(game) == [game.state_hash()] * 2


def test_an_outage_is_a_pause_and_what_came_meanwhile_in_real_time_comes_a_day_later(make):
    game = make(CLOCK)
    done(game.order("Ann", "wait", {"n": 50}, START))
    done(game.order("Ben", "wait", {"n": 9000}, START))
    for outcome in game.outage(START + 20, START + 7220):
        done(outcome)
    assert not game.paused()
    assert (game.value("until", "Ann"), game.value("fixed", "Ann")) == (START + 7250, START + 7220 + 86400)
    assert (game.value("until", "Ben"), game.value("fixed", "Ben")) == (START + 16200, START + 9000), "not in it"
    game.run_due(START + 7249)
    assert trace(game) == []
    game.run_due(START + 7220 + 86400)
    rung = [each for each in trace(game) if each[0] != "dawn"]
    assert rung == [["game", START + 7250], ["real", START + 7220 + 86400]]
    assert trace(game, "Ben")[:2] == [["real", START + 9000], ["game", START + 16200]]
    assert rebuilt(game) == [game.state_hash()] * 2


def test_a_vote_that_ends_in_an_outage_goes_on_for_a_day_after_it(make):
    game = make(CLOCK)
    done(game.admin("pause", {"kind": "disruption"}, START))
    done(game.admin("emergency-propose", {"title": "A way out"}, START))
    closes = START + 120 * 3600
    for outcome in game.outage(closes - 60, closes + 7200):
        done(outcome)
    later = closes + 7200 + 86400
    (proposal,) = [each for each in game.view("visitor")["things"].values() if each["kind"] == "emergency"]
    assert proposal["closes_at"] == later
    done(game.order("Ann", "emergency-vote", {"on": proposal["id"], "choice": "yes"}, later - 1))
    game.run_due(later + 1)
    assert game.value("outcome", proposal["id"]) == "implemented"
    assert not game.paused()


def test_an_outage_in_a_pause_is_no_second_one(make):
    game = make(CLOCK)
    done(game.order("Ann", "wait", {"n": 50}, START))
    done(game.admin("pause", {"because": "lunch"}, START + 10))
    (outcome,) = game.outage(START + 20, START + 7220)
    done(outcome)
    assert (game.value("pause_because", "game"), game.value("paused_at", "game")) == ("lunch", START + 10)
    assert game.value("fixed", "Ann") == START + 7220 + 86400
    done(game.admin("resume", {}, START + 8010))
    assert game.value("until", "Ann") == START + 8050
    assert rebuilt(game) == [game.state_hash()] * 2


def test_the_calendar_starts_events(make):
    game = make(CLOCK)
    dawn = START - 9 * 3600 + 30 * 3600  # Tuesday 06:00
    assert game.due() == dawn
    game.run_due(dawn + 86400)
    assert trace(game) == [["dawn", dawn], ["dawn", dawn + 86400]]


def test_a_timer_that_the_rules_refuse_is_over_and_the_clock_goes_on(make):
    game = make(CLOCK, rule("1.2", "@check('ring')\ndef f(e):\n    if e.who.id == 'Ann':\n        return 'not now'"))
    done(game.order("Ann", "wait", {"n": 5}, START))
    done(game.order("Ben", "wait", {"n": 6}, START))
    game.run_due(START + 10)
    assert trace(game) == []
    assert len(trace(game, "Ben")) == 2
    assert game.due() > START + 10


def test_a_calendar_moment_that_the_rules_refuse_goes_by(make):
    game = make(CLOCK, rule("1.2", "@check('dawn')\ndef f(e):\n    return 'no dawn'"))
    done(game.order("Ann", "wait", {"n": 86400 * 2}, START))
    game.run_due(START + 86400 * 3)
    assert [each[0] for each in trace(game)] == ["game", "real"]


def test_a_fault_on_the_clock_pauses_the_game_and_is_not_tried_for_ever(make):
    game = make(CLOCK, rule("1.2", "@after('ring')\ndef f(e):\n    1 // 0"))
    done(game.order("Ann", "wait", {"n": 5}, START))
    outcomes = game.run_due(START + 10)
    assert game.paused()
    assert "rule 1.2 broke" in game.value("pause_because", "game")
    assert len(outcomes) <= 3
    assert trace(game) == []


def test_a_timer_about_a_thing_that_is_gone_does_nothing(make):
    game = make(CLOCK)
    done(game.order("Ann", "wait", {"n": 5}, START))
    done(game.leave("Ann", START))
    assert all(outcome.ok for outcome in game.run_due(START + 10))


# ---- questions

ASKING = rule(
    "1.1",
    """
event("decided", "decided", answers="", topic="")
attribute("game", "result", ())


@action("poll", within=number(optional=True), secret=yes_or_no())
def poll(e):
    ask(tuple(every("player")), "Well?", ("yes", "no"), "decided", default="no", by=now() + e.within if e.within else None,
        secret=e.secret, topic="tea")


@on("decided")
def decided(e):
    put(thing("game"), "result", (e.topic, e.answers))
""",
)


def answer(game: Game, by: str, word: str, question: str = "question-1"):
    return game.order(by, "answer", {"question": question, "answer": word}, game.now)


def test_a_question_waits_for_all_answers(make):
    game = make(ASKING)
    done(game.order("Ann", "poll", {}, START))
    assert answer(game, "Ann", "maybe").refused == "answer must be one of yes, no"
    done(answer(game, "Ann", "no"))
    done(answer(game, "Ann", "yes"))  # one may think better of it
    assert game.value("result", "game") == []
    assert rebuilt(game) == [game.state_hash()] * 2
    done(answer(game, "Ben", "no"))
    assert game.value("result", "game") == ["tea", [["Ann", "yes"], ["Ben", "no"]]]
    assert answer(game, "Ben", "no").refused == "question-1 no longer exists"


def test_at_the_deadline_the_default_stands_for_who_said_nothing(make):
    game = make(ASKING)
    done(game.order("Ann", "poll", {"within": 100}, START))
    done(answer(game, "Ben", "yes"))
    game.run_due(START + 99)
    assert game.value("result", "game") == []
    game.run_due(START + 100)
    assert game.value("result", "game") == ["tea", [["Ann", "no"], ["Ben", "yes"]]]


def test_who_has_left_is_not_waited_for(make):
    game = make(ASKING, players=("Ann", "Ben", "Cid"))
    done(game.order("Ann", "poll", {}, START))
    done(answer(game, "Ann", "yes"))
    done(game.leave("Cid", START))
    done(answer(game, "Ben", "yes"))
    assert game.value("result", "game") == ["tea", [["Ann", "yes"], ["Ben", "yes"]]]


def test_a_question_is_for_those_asked_alone(make):
    one = rule("1.2", "@action('whisper')\ndef f(e):\n    ask(e.who, 'You?', ('a',), 'decided', topic='x')")
    game = make(ASKING, one)
    done(game.order("Ann", "whisper", {}, START))
    assert answer(game, "Ben", "a").refused == "this question is not for you"
    assert "question-1" in game.view("Ann")["things"]
    assert "question-1" not in game.view("Ben")["things"]
    assert "question-1" not in str(game.actions("Ben"))


def test_a_choice_says_why_another_word_is_refused(make):
    plain = rule("1.1", "@action('paint', tint=one_of(('red', 'blue')))\ndef f(e):\n    pass")
    told = rule("1.2", "@action('mix', tint=one_of(('red',), otherwise='not yours: no such tin'))\ndef f(e):\n    pass")
    game = make(plain, told)
    assert game.order("Ann", "paint", {"tint": "green"}, START).refused == "tint must be one of red, blue"
    assert game.order("Ann", "mix", {"tint": "green"}, START).refused == "not yours: no such tin"
    done(game.order("Ann", "mix", {"tint": "red"}, START))


# ---- chance

ROLLS = rule(
    "1.1",
    """
attribute("game", "rolled")


@action("roll", what=one_of(("die", "dice", "percent", "pick", "sample", "card")), fact="rolled", rolls=True)
def roll(e):
    found = {
        "die": lambda: chance.die(20),
        "dice": lambda: chance.dice((6, 8)),
        "percent": lambda: chance.percent(50),
        "pick": lambda: chance.pick(every("player")),
        "sample": lambda: chance.sample(("a", "b", "c"), 2),
        "card": lambda: chance.card(("KS", "10H")),
    }[e.what]()
    put(thing("game"), "rolled", found)
""",
)
DRAWS = [
    ("die", [17], 17),
    ("dice", [6, 8], [6, 8]),
    ("percent", [True], True),
    ("percent", [False], False),
    ("pick", ["Ben"], "Ben"),
    ("sample", ["c", "a"], ["c", "a"]),
    ("card", ["10H"], "10H"),
]
IMPOSSIBLE = [("die", [21]), ("die", [0]), ("die", ["6"]), ("die", [True]), ("dice", [6, 9]), ("percent", [1]), ("pick", ["Zoe"]),
              ("sample", ["a", "a"]), ("card", ["AS"])]  # fmt: skip


def roll(game: Game, what: str, draws: list | None = None):
    return game.submit("order", "Ann", "roll", {"what": what}, START, **({"draws": draws} if draws else {}))


@pytest.mark.parametrize(("what", "draws", "result"), DRAWS)
def test_prescribed_draws(make, what, draws, result):
    game = make(ROLLS)
    outcome = done(roll(game, what, draws))
    assert game.value("rolled", "game") == result
    assert outcome.facts[0]["dice"] == (result if isinstance(result, list) else [result])
    assert outcome.unused == []


@pytest.mark.parametrize(("what", "draws"), IMPOSSIBLE)
def test_an_impossible_draw_is_an_error(make, what, draws):
    outcome = roll(make(ROLLS), what, draws)
    assert outcome.fault is not None
    assert "is not possible here" in outcome.fault["message"]


def test_unused_draws_are_told(make):
    assert roll(make(ROLLS), "die", [3, 4]).unused == [4]


def test_rolls_are_those_of_the_dice_page(make):
    from nomopoly.runtime.entropy import draws, entropy_of
    from nomopoly.runtime.sealing import content_of

    game = make(ROLLS)
    outcome = done(roll(game, "dice"))
    line = list(game.journal.lines())[outcome.n]
    expected = [each + 1 for each in draws(entropy_of(minigames.SECRET, content_of(line, line["prev"])), [6, 8])]
    assert game.value("rolled", "game") == expected


def test_a_preview_never_rolls(make):
    game = make(ROLLS)
    before = game.state_hash()
    previewed = game.preview("Ann", "roll", {"what": "die"}, START)
    assert previewed.rolls
    assert game.state_hash() == before


def test_a_preview_ends_before_what_nobody_may_know_and_nothing_is_drawn_for_that(make):
    code = """
attribute("game", "told", "")
attribute("game", "secret", "KS", show="nobody")

@action("tell")
def tell_it(e):
    chance.unforeseen()
    put(thing("game"), "told", thing("game").secret)
"""
    game = make(rule("1.1", code))
    previewed = game.preview("Ann", "tell", {}, START)
    assert previewed.rolls
    assert previewed.changes == []
    outcome = done(game.submit("order", "Ann", "tell", {}, START, draws=[1]))
    assert outcome.unused == [1]
    assert game.value("told", "game") == "KS"


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
            "@on('step')\ndef f(e):\n    if e.n == 0:\n        for i in range(4900):\n            do('step', who=e.who, n=1)",
            True,
        ),
        (
            "@on('step')\ndef f(e):\n    if e.n == 0:\n        for i in range(5100):\n            do('step', who=e.who, n=1)",
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
event("made", "made")


class Row:
    rule = "0.2"
    event = "made"


@on("step")
def f(e):
    do(Row)
"""


def test_nobody_makes_up_a_row_to_act_in_the_name_of_a_rule(make):
    facts = done(go(make(rule("1.1", FEIGNED)))).facts
    assert [fact["rule"] for fact in facts if fact["what"] == "made"] == ["1.1"]

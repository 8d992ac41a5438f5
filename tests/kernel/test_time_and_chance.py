"""Time, questions and chance in the rule language, in both interpreters."""

import minigames
import pytest
from minigames import START, done, rule
from stepping import MARK, go, opener, rebuilt, trace

from nomopoly.runtime.host import Game


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    yield from opener(request.param)


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


@pytest.mark.parametrize(
    "change",
    [{"repeal": "1.1"}, {"amend": "1.1", "code": 'event("decided", answers="")'}],
    ids=["its rule has gone", "its event has another form"],
)
def test_nothing_comes_of_a_question_that_no_rule_waits_for_any_more(make, change):
    game = make(ASKING, rule("1.2", "@action('idle')\ndef f(e):\n    pass"))
    for within in (50, 100):
        done(game.order("Ann", "poll", {"within": within}, START))
    done(minigames.change(game, change))
    done(answer(game, "Ann", "yes"))
    done(answer(game, "Ben", "yes"))
    assert all(outcome.ok for outcome in game.run_due(START + 200))
    assert not game.paused()
    assert "question-2" not in game.view("Ann")["things"]
    assert rebuilt(game) == [game.state_hash()] * 2


def test_a_choice_says_why_another_word_is_refused(make):
    plain = rule("1.1", "@action('paint', tint=one_of(('red', 'blue')))\ndef f(e):\n    pass")
    told = rule("1.2", "@action('mix', tint=one_of(('red',), otherwise='not yours: no such tin'))\ndef f(e):\n    pass")
    game = make(plain, told)
    assert game.order("Ann", "paint", {"tint": "green"}, START).refused == "tint must be one of red, blue"
    assert game.order("Ann", "mix", {"tint": "green"}, START).refused == "not yours: no such tin"
    done(game.order("Ann", "mix", {"tint": "red"}, START))


@pytest.mark.parametrize(
    ("called", "labels"),
    [
        ("lambda word: {'red': 'red, like a rose', 'blue': None}[word]", ["red, like a rose", "blue"]),
        ("lambda word: {'red': every('player')}[word]", ["Ann Ben", "blue"]),  # blue: it breaks
        ("lambda word: put(thing('game'), 'paint', word) or 'wet'", ["red", "blue"]),
        ("5", ["red", "blue"]),
        ("lambda: 'x'", ["red", "blue"]),
    ],
)
def test_a_choice_says_what_pages_call_it_and_is_what_it_is(make, called, labels):
    game = make(
        rule(
            "1.1",
            f"attribute('game', 'paint', '')\n@action('paint', tint=one_of(('red', 'blue'), called={called}))\n"
            "def f(e):\n    put(thing('game'), 'paint', e.tint)",
        )
    )
    choices = next(each for each in game.actions("Ann") if each["id"] == "paint")["fields"][0]["choices"]
    assert [each["label"] for each in choices] == labels
    assert [each["id"] for each in choices] == ["red", "blue"]
    assert [each.get("called", False) for each in choices] == [each not in ("red", "blue") for each in labels]
    done(game.order("Ann", "paint", {"tint": "red"}, START))
    assert game.view("Ann")["things"]["game"]["paint"] == "red"
    assert game.order("Ann", "paint", {"tint": labels[0]}, START).ok is (labels[0] == "red")


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

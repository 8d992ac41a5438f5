"""Words about the rulebook itself and about when its moments come, in both interpreters."""

import minigames
import pytest
from minigames import CHANGING, done, rule

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import Game, load_game, open_game, replay, take_snapshot

FLAGS = rule(
    "1.1",
    """
kind("flag", prefix="flag-")
attribute("flag", "owner", None, type="thing")
attribute("flag", "color", "red")
attribute("flag", "size", 1)
attribute("player", "money", 10)


@action("plant", color=words("Color", optional=True))
def plant(e):
    flag = create("flag", owner=e.who, **({"color": e.color} if e.color else {}))
    fact("planted", flag=flag, color=flag.color, size=flag.size)


@action("take", flag=choose("flag"))
def take(e):
    destroy(e.flag)
""",
)


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    """Opens small games in one interpreter and then in the other; at the end each is computed anew and must be the
    same."""
    opened: list[Game] = []

    def opener(*rules: dict) -> Game:
        opened.append(minigames.small_game(CHANGING, *rules, runtime=request.param))
        return opened[-1]

    yield opener
    for game in opened:
        copies = [
            replay(game.journal, game.runtime.name, game.secret),
            load_game(game.journal, runtime=game.runtime.name, snapshot=take_snapshot(game)),
        ]
        assert {copy.state_hash() for copy in copies} == {game.state_hash()}
        for each in (game, *copies):
            each.runtime.close()


def plant(game: Game, by: str = "Ann", **args):
    return game.order(by, "plant", args, game.now)


@pytest.fixture(params=minigames.RUNTIMES)
def make_edition(request):
    """Opens games of a shipped edition with more rules in it."""
    opened: list[Game] = []

    def opener(edition: str, *rules: dict) -> Game:
        book = load_edition(edition)
        book = type(book)(book.edition, book.title, [*book.records, *rules], book.commons)
        game = open_game(
            book, title="T", game_id="t", runtime=request.param, at=minigames.START, secret=minigames.SECRET
        )
        opened.append(game)
        game.checks = False
        return minigames.with_players(game, ("Ann", "Ben"))

    yield opener
    for game in opened:
        game.runtime.close()


# ---- all rules and their numbers


PRICES = (
    rule("2.1", "@value('rent')\ndef rent():\n    return rule.price", price=10),
    rule("2.2/fort", "@value('fort')\ndef fort():\n    return rule.price", text="A fort: ${price}.", price=300, size=2),
    rule("3.1", "@value('toll')\ndef toll():\n    return rule.price", price=7),
)
DOUBLE = """
@action("double", by="admin", section=words(optional=True))
def double(e):
    change_rulebook([
        {"amend": each.id, "params": {name: 2 * number for name, number in each.numbers if name == "price"}}
        for each in rules(e.section or "")
        if [name for name, _ in each.numbers if name == "price"]
    ])
"""


def test_one_rule_amends_the_numbers_of_many(make):
    game = make(*PRICES, rule("9.1", DOUBLE))
    outcome = done(game.admin("double", {}, game.now))
    assert [fact["number"] for fact in outcome.facts if fact["what"] == "amended"] == ["2.1", "2.2/fort", "3.1"]
    assert [game.value(name) for name in ("rent", "fort", "toll")] == [20, 600, 14]
    done(game.admin("double", {"section": "2.2"}, game.now))
    assert [game.value(name) for name in ("rent", "fort", "toll")] == [20, 1200, 14]


def test_a_program_that_runs_once_knows_what_carries_it(make):
    carrying = """
kind("motion", prefix="M")
attribute("motion", "author", None, type="thing")
attribute("player", "money", 10)


@action("move-it", program=program())
def move_it(e):
    motion = create("motion", author=e.who)
    run_once(e.program, by=motion.id)
"""
    game = make(rule("1.1", carrying))
    done(
        game.order(
            "Ben",
            "move-it",
            {"program": "def reward(who):\n    put(motion.author, 'money', 90)\nreward(None)"},
            game.now,
        )
    )
    assert game.value("money", "Ben") == 90


# ---- a rule amended in part


TOLL = """
# what it costs
@value("toll")
def toll():
    return rule.price


@action(
    "call",
    by="admin",
)
def call(e):
    fact("called", text=helper(e))


def helper(e):
    text = '''a
def helper(e):
b'''
    return text
"""


def amend(game: Game, **parts):
    return minigames.change(game, {"amend": "4.1", **parts})


def program_of(game: Game) -> str:
    return next(record["code"] for record in game.records() if record["id"] == "4.1")


def test_one_function_is_replaced_and_the_rest_stays(make):
    game = make(rule("4.1", TOLL, price=7, size=2))
    before = program_of(game)
    done(amend(game, functions="def helper(e):\n    return 'new'"))
    assert program_of(game) == before[: before.index("def helper(e)")] + "def helper(e):\n    return 'new'"
    assert done(game.admin("call", {}, game.now)).facts[-1]["text"] == "new"
    done(
        amend(
            game,
            functions="@value('toll')\ndef toll():\n    return rule.price * 2\n\n\n@value('due')\ndef due():\n    "
            "return 1",
        )
    )
    assert (game.value("toll"), game.value("due")) == (14, 1)
    assert program_of(game).count("def ") == 4
    assert "# what it costs" not in program_of(game), "what stands above a function goes with it"


def test_numbers_and_functions_are_dropped(make):
    game = make(rule("4.1", TOLL, price=7, size=2, more=3))
    done(amend(game, params={"size": None, "price": 8}))
    assert next(each for each in game.records() if each["id"] == "4.1")["params"] == {"price": 8, "more": 3}
    done(amend(game, drop=["more", "toll"]))
    assert next(each for each in game.records() if each["id"] == "4.1")["params"] == {"price": 8}
    assert "toll" not in program_of(game)
    assert done(game.admin("call", {}, game.now)).facts[-1]["text"] == "a\ndef helper(e):\nb"
    assert amend(game, drop=["nothing"]).refused == "rule 4.1 has neither a number nor a function 'nothing'"


def test_a_program_amends_a_rule_in_part(make):
    game = make(rule("4.1", TOLL, price=7, size=2))
    done(
        minigames.change(
            game,
            run="amend('4.1', functions=\"def helper(e):\\n    return 'run'\", drop=('size',), params={'price': 9})",
        )
    )
    assert done(game.admin("call", {}, game.now)).facts[-1]["text"] == "run"
    assert game.value("toll") == 9


# ---- when it comes


PAYDAY = """
calendar("payday", weekday=6, hour=2, minute=30)
calendar("daily", hour=9)
attribute("game", "paid", ())
event("note-it")


@on("payday")
def paid(e):
    put(thing("game"), "paid", (*thing("game").paid, now()))


@value("next_payday")
def next_payday():
    return next_moment("payday")


@value("next_day")
def next_day():
    return next_moment("daily")
"""


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"])
def test_rules_know_when_a_moment_of_the_calendar_comes(zone, runtime):
    """A year of Sundays at half past two, at which clocks are changed: what rules are told is when the clock comes."""
    book = Book("small", "A small game", [rule("1.1", PAYDAY)], [])
    game = open_game(
        book, title="S", game_id="s", runtime=runtime, time_zone=zone, at=minigames.START, secret=minigames.SECRET
    )
    told = []
    for _ in range(54):
        told.append(game.value("next_payday"))
        assert game.value("next_day") > game.now
        while game.next_due()["do"] == "daily":
            assert game.next_due()["at"] == game.value("next_day")
            done(game.submit_due(game.next_due()))
        done(game.submit_due(game.next_due()))
    assert game.value("paid", "game") == told
    again = replay(game.journal, runtime, game.secret)
    assert again.state_hash() == game.state_hash()
    for each in (game, again):
        each.runtime.close()


@pytest.mark.parametrize(("edition", "first", "then"), [("mail", 6 * 24 + 11, 7 * 24), ("ii", 2 * 24 + 15, 3 * 24)])
def test_rules_know_when_the_next_update_comes(make_edition, edition, first, then):
    game = make_edition(edition)
    assert game.value("next_update") == minigames.START + first * 3600
    game.run_due(minigames.START + first * 3600)
    assert game.value("next_update") == minigames.START + (first + then) * 3600


def test_an_earlier_form_of_a_rule_is_restored(make):
    """A proposal names the form by its moment; the journal, and those who vote, have what it says."""
    game = make(rule("4.1", TOLL, price=7, size=2))
    opening = next(record for record in game.records() if record["id"] == "4.1")
    done(amend(game, text="Other words.", params={"price": 8, "more": 1}, drop=["size", "toll"]))
    done(amend(game, params={"price": 9}))
    done(minigames.change(game, {"restore": "4.1"}))
    assert next(each for each in game.records() if each["id"] == "4.1")["params"] == {"price": 8, "more": 1}
    done(minigames.change(game, {"restore": "4.1", "from": 0}))
    found = next(each for each in game.records() if each["id"] == "4.1")
    assert {part: found[part] for part in ("text", "code", "params")} == {
        part: opening[part] for part in ("text", "code", "params")
    }
    assert game.value("toll") == 7
    line = list(game.journal.lines(game.n))[0]
    assert line["args"]["changes"][0]["amend"] == "4.1"
    assert "no such rule" in minigames.change(game, {"restore": "9.9", "from": "start"}).refused
    assert "nothing would change" in minigames.change(game, {"restore": "4.1", "from": "start"}).refused
    assert "Not a moment" in minigames.change(game, {"restore": "4.1", "from": "then"}).refused
    done(minigames.change(game, {"repeal": "4.1"}))
    done(minigames.change(game, {"restore": "4.1", "from": "start"}))
    assert game.value("toll") == 7


def test_what_rules_hear_of_a_new_thing_is_all_it_will_be(make):
    """Defaults and what its row of a catalogue says too: so that a rule can bend them."""
    game = make(
        rule(
            "1.1",
            "kind('unit', named='type')\nattribute('unit', 'type', '')\nattribute('unit', 'points', 0)\n"
            "attribute('unit', 'color', 'red')\nattribute('unit', 'thing', 'own')\nattribute('unit', 'unit', 3)\n"
            "row('unit', 'imp', points=7)\n\n\n"
            "@action('make', by='admin')\ndef f(e):\n    made = create('unit', type='imp', thing='mine')\n"
            "    fact('made', unit=made, points=made.points, color=made.color, thing=made.thing, own=made.unit)",
        ),
        rule(
            "1.2", "@instead('create-unit')\ndef f(e):\n    return e.but(points=e.points + 1, color=e.color + 'dish')"
        ),
    )
    (made,) = done(game.admin("make", {}, game.now)).facts
    assert {name: made[name] for name in ("unit", "points", "color", "thing", "own")} == {
        "unit": "imp-1", "points": 8, "color": "reddish", "thing": "mine", "own": 3,
    }  # fmt: skip


def test_who_may_not_write_what_is_voted_on_may_not_make_it_either(make):
    """That a rule waits for the new thing opens no way round a seal."""
    sealed = rule(
        "1.1",
        "kind('motion')\nattribute('motion', 'status', 'voting', sealed=('voting',))\n"
        "attribute('motion', 'title', '', sealed=('voting',))",
    )
    forge = "@action('forge', by='admin')\ndef f(e):\n    create('motion', title='mine')"
    hear = (
        "\n\n\n@after('create-motion')\ndef g(e):\n    pass\n\n\n@instead('create-motion')\ndef h(e):\n    return "
        "e.but(title='x')"
    )
    for program in (forge, forge + hear):
        game = make(sealed, rule("2.1", program))
        assert "cannot be changed while it is voting" in game.admin("forge", {}, game.now).fault["message"]


def test_what_may_be_made_without_a_word_may_be_made_where_rules_hear_of_it(make):
    sealed = rule(
        "1.1",
        "kind('motion')\nattribute('motion', 'status', 'voting', sealed=('voting',))\nattribute('motion', "
        "'author', '')",
    )
    forge = "@action('make', by='admin')\ndef f(e):\n    create('motion', author='me')"
    hear = "\n\n\n@after('create-motion')\ndef g(e):\n    pass"
    for program in (forge, forge + hear):
        game = make(sealed, rule("2.1", program))
        done(game.admin("make", {}, game.now))
        assert game.value("author", "motion-1") == "me"

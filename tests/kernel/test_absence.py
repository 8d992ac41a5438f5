"""What rules say of names that no rule declares, in both interpreters: how those who use them fare, and what comes
back."""

import minigames
import pytest
from minigames import CHANGING, change, done, rule

from nomopoly.runtime.host import Game, load_game, take_snapshot

DEBTS = rule(
    "B.1",
    """
kind("flag")
attribute("flag", "height", 3)
attribute("player", "debts", 0)
event("owe", "owed", who="player", amount="")


@on("owe")
def owe(e):
    put(e.who, "debts", e.who.debts + e.amount)
    return e.amount


@value("rate")
def rate():
    return 5


@modify("rate")
def more(base):
    return add(1)


@word
def twice(amount):
    return 2 * amount


@action("lend")
def lend(e):
    do("owe", who=e.who, amount=1)
""",
)
USER = rule(
    "A.1",
    """
attribute("player", "seen", 0)


@after("owe")
def hear(e):
    put(e.who, "seen", e.who.seen + e.amount)


@modify("rate")
def most(base):
    return at_most(9)


also_asks("lend", why=words("Why"))


@action("go")
def go(e):
    owed = do("owe", may=True, who=e.who, amount=4)
    put(e.who, "debts", e.who.debts + 1)
    later = at(now() + 60, "owe", who=e.who, amount=1)
    known, flags = "debts" in traits("player"), [each.height for each in every("flag")]
    possible, waits = can_happen("owe"), pending(later)
    fact("found", owed=owed, debts=e.who.debts, rate=value("rate"), twice=twice(3), possible=possible, waits=waits, known=known, flags=flags)


@action("raise-flag")
def raise_flag(e):
    create("flag", height=7)
""",
)
ABSENT = rule(
    "Z.1",
    """
absent("kind", "", "flag")
absent("event", False, "owe", "lend")
absent("value", 2, "rate")
absent("word", 0, "twice")
absent("player", 1, "debts")
absent("flag", 0, "height")
""",
)
PRESENT = {
    "owed": True,
    "debts": 5,
    "rate": 6,
    "twice": 6,
    "possible": True,
    "known": True,
    "waits": True,
    "flags": [7],
}
GONE = {
    "owed": False,
    "debts": 1,
    "rate": 2,
    "twice": 0,
    "possible": False,
    "known": False,
    "waits": False,
    "flags": [0],
}


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    opened: list[Game] = []

    def opener(*rules: dict, **more) -> Game:
        opened.append(minigames.small_game(CHANGING, *rules, runtime=request.param, **more))
        return opened[-1]

    yield opener
    for game in opened:
        game.runtime.close()


def go(game: Game) -> dict:
    """What the order `go` found."""
    outcome = done(game.order("Ann", "go", {}, game.now))
    (told,) = [each for each in outcome.facts if each["what"] == "found"]
    return {name: told[name] for name in PRESENT}


def same_after_a_replay(game: Game) -> None:
    for more in ({}, {"snapshot": take_snapshot(game)}):
        copy = load_game(game.journal, runtime=game.runtime.name, **more)
        assert copy.state_hash() == game.state_hash()
        copy.runtime.close()


def test_what_is_declared_holds_whatever_is_said_of_its_absence(make):
    game = make(USER, DEBTS, ABSENT)
    done(game.order("Ann", "raise-flag", {}, game.now))
    assert go(game) == PRESENT
    assert game.value("seen", "Ann") == 4
    assert game.describe()["words"] == {"twice": "B.1"}


def test_rules_do_without_what_is_gone_and_it_is_there_again_with_its_rule(make):
    game = make(USER, DEBTS, ABSENT)
    done(game.order("Ann", "raise-flag", {}, game.now))
    assert go(game) == PRESENT
    done(change(game, {"repeal": "B.1"}))
    assert go(game) == GONE
    assert game.value("seen", "Ann") == 4
    same_after_a_replay(game)
    done(change(game, {"enact": "B.1", "text": DEBTS["text"], "code": DEBTS["code"]}))
    again = go(game)
    assert (again["debts"], again["flags"], again["rate"]) == (10, [7], 6), "what things had is still there"
    same_after_a_replay(game)


def test_of_what_no_rule_knows_nothing_is_made(make):
    game = make(USER, DEBTS, ABSENT)
    done(change(game, {"repeal": "B.1"}))
    refused = game.order("Ann", "raise-flag", {}, game.now)
    assert "no rule says any more what a flag is" in str(refused.refused)


def test_without_such_a_rule_it_is_a_fault(make):
    game = make(USER, DEBTS)
    assert change(game, {"repeal": "B.1"}).fault is not None


def test_what_is_said_of_an_absence_is_no_memory(make):
    wrong = rule("Z.2", 'absent("value", [], "rate")')
    game = make(USER, DEBTS)
    assert change(game, {"enact": "Z.2", "text": "w", "code": wrong["code"]}).fault is not None

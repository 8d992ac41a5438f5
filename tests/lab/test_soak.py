"""The soak finds what it looks for, and finds nothing in a game where all is well."""

import random

import minigames
import pytest
from minigames import START, done, rule

from nomopoly.lab import soak

MASK = """
attribute("player", "money", 10)
attribute("player", "mask", 7, label="Mask", show=("owner", "admin"))


@action("hide", mask=number())
def hide(e):
    put(e.who, "mask", e.mask)
"""
SHOWN = """
@value("guess", of="player", label="Guess")
def guess(who):
    return who.mask % 2
"""


def masked(*rules):
    game = minigames.small_game(rule("1.1", MASK), *rules)
    done(game.order("Ann", "hide", {"mask": 4}, START))
    return game


def test_a_short_game_of_ii_is_in_order(capsys):
    assert soak.main("ii", 1, first=3, weeks=1, players=3) == 0
    assert capsys.readouterr().out.startswith("ok ii, seed 3: 1 weeks, 2 updates, ")


def test_what_is_wrong_is_told_and_the_status_says_so(capsys, monkeypatch):
    monkeypatch.setattr(soak, "unexplained_money", lambda *_: ["entry 5: money from nowhere"])
    assert soak.main("original", 1, weeks=1, players=2) == 1
    assert "FAILED original, seed 1" in (out := capsys.readouterr().out)
    assert "\n  entry 5: money from nowhere\n" in out


def test_what_everybody_sees_must_not_hang_on_what_is_hidden_from_them():
    assert soak.leaks(masked(), random.Random(1)) == []
    found = soak.leaks(masked(rule("1.2", SHOWN)), random.Random(1))
    assert "visitor sees guess of Ann otherwise, which hangs on a secret (entry 5)" in found
    assert "Ben sees guess of Ann otherwise, which hangs on a secret (entry 5)" in found
    assert not [each for each in found if each.startswith("Ann sees guess of Ann")]


PAIRS = """
@value("friends", of="player", label="Friends")
def friends(who):
    return len([1 for a in range(many) for b in range(300)])


def looked_at(who):
    return [each for each in every("player") if value("friends", each) > 0]


@action("greet", "Greet", friend=choose("player", "Friend", choices=looked_at))
def greet(e):
    pass
"""


def test_what_a_page_could_not_ask_of_a_greater_game_is_found():
    game = minigames.small_game(rule("1.1", "many = 2" + PAIRS))
    assert soak.dear_questions(game) == []
    game = minigames.small_game(rule("1.1", "many = 60" + PAIRS))
    assert soak.dear_questions(game) == [
        f"the choices of greet: friend, for Ann: 36127 of 160000 steps are taken (entry {game.n})"
    ]
    game = minigames.small_game(rule("1.1", "many = 900" + PAIRS))
    assert [each.split(":")[0] for each in soak.dear_questions(game)] == [
        "the choices of greet",
        "the value friends, for Ann",
    ]
    assert game.view("Ann")["things"]["Ben"]


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        ([{"event": "pay", "who": "Ann", "to": "Ben", "amount": 40}], []),
        ([{"event": "lose", "who": "Ann", "amount": 40}, {"event": "gain", "who": "Ben", "amount": 40}], []),
        ([{"event": "reset", "who": who} for who in ("Ann", "Ben")], []),
        ([{"event": "join", "who": who} for who in ("Ann", "Ben")], []),
        (
            [{"event": "lose", "who": "Ann", "amount": 40}],
            ["entry 9: the money of Ben changes by 40, told is 0"],
        ),
        (
            [{"event": "pay", "who": "Ann", "to": "$admin", "amount": 40}],
            [
                "entry 9: the money of Ben changes by 40, told is 0",
                "entry 9: the money of $admin changes by 0, told is 40",
            ],
        ),
    ],
)
def test_every_change_of_money_is_told(facts, wrong):
    changes = [["Ann", "money", 100, 60], ["Ben", "money", 100, 140], ["Ben", "square", "#1", "#2"]]
    assert soak.unexplained_money([(9, {"facts": facts, "changes": changes})]) == wrong


def test_a_fine_goes_to_nobody_where_no_account_is():
    """`nomopoly soak iv` failed by each fine."""
    outcome = {"facts": [{"event": "fine", "who": "Ann", "amount": 40}], "changes": [["Ann", "money", 100, 60]]}
    assert soak.unexplained_money([(9, outcome)], {"Ann", "game"}) == []


def test_a_runtime_that_comes_to_something_else_is_found(monkeypatch):
    really = soak.verify

    def otherwise(lines, runtime):
        found = really(lines, runtime)
        if runtime == "monty":
            found.state["title"] = "Another game"
        return found

    monkeypatch.setattr(soak, "verify", otherwise)
    wrong, _ = soak.soak("ii", 1, weeks=1, players=2)
    assert wrong == ["in monty it comes to another state"]


def test_a_journal_that_does_not_verify_is_found(monkeypatch):
    def differs(lines, runtime):
        raise soak.Differs(7, "its outcome is not what the rules make of it")

    monkeypatch.setattr(soak, "verify", differs)
    wrong, _ = soak.soak("ii", 1, weeks=1, players=2)
    assert wrong[0] == "in cpython it does not verify: entry 7: its outcome is not what the rules make of it"

"""Simulations: the same seed gives the same game, in both runtimes, and the same as a plain loop."""

import importlib.util
import json
from pathlib import Path

import minigames
import pytest

from nomopoly.errors import CommandError
from nomopoly.lab.report import main, report
from nomopoly.lab.simulate import play_weeks, player_names, secret_of, simulate
from nomopoly.lab.weeks import simulate_weeks
from nomopoly.rulebook.source import Book, load_edition

ROOT = Path(__file__).parents[2]


def plain_original():
    """The hand-written loop of the benchmark."""
    spec = importlib.util.spec_from_file_location("plain_original", ROOT / "bench" / "plain_original.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_same_seed_gives_the_same_game_in_both_runtimes():
    here = simulate("original", players=4, turns=300, seed=5)
    there = simulate("original", players=4, turns=300, seed=5, runtime="monty")
    assert here["state_hash"] == there["state_hash"]
    assert here["money"] == there["money"]
    assert here["turns"] == 300
    assert here["faults"] == []


def test_weeks_with_sealed_votes_are_the_same_for_the_same_seed():
    journals = []
    for _ in range(2):
        game, _told = play_weeks("iv", players=4, weeks=2, seed=5, proposes=True)
        journals.append(list(game.journal.lines()))
        game.runtime.close()
    assert any("commitment" in line["args"] for line in journals[0] if line["kind"] == "ballots")
    assert journals[0] == journals[1]


def test_another_seed_gives_another_game():
    assert simulate("original", turns=50, seed=1)["state_hash"] != simulate("original", turns=50, seed=2)["state_hash"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_comes_out_as_a_plain_loop_does(seed):
    result = simulate("original", players=6, turns=500, seed=seed)
    money, squares, _ = plain_original().play(player_names(6), 500, secret_of(seed), first_entry=13)
    assert result["money"] == money
    assert result["squares"] == squares


@pytest.mark.parametrize("edition", ["mail", "ii"])
@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_turns_buy_squares_where_orders_wait_for_updates_too(edition, runtime):
    """As `turn:` and `order:` of scenarios do: the game has begun, and an order is carried out at once."""
    result = simulate(edition, players=3, turns=30, seed=2, runtime=runtime)
    assert sum(len(squares) for squares in result["squares"].values()) > 6
    assert result["faults"] == []


def test_careful_players_keep_money_where_no_turn_says_what_is_for_sale():
    careful = simulate("mail", players=3, turns=60, seed=2, policy="careful")
    assert sum(len(squares) for squares in careful["squares"].values()) > 3
    assert all(money >= 300 for money in careful["money"].values())


def test_money_spent_is_what_the_squares_cost():
    for policy in ("greedy", "random", "careful"):
        result = simulate("original", players=5, turns=400, seed=9, policy=policy)
        for name, money in result["money"].items():
            assert money == 1000 - sum(10 * int(square[1:]) for square in result["squares"][name])


def test_the_policies_differ():
    careful = simulate("original", players=4, turns=400, seed=3, policy="careful")
    greedy = simulate("original", players=4, turns=400, seed=3, policy="greedy")
    assert all(money >= 300 for money in careful["money"].values())
    assert sum(careful["money"].values()) > sum(greedy["money"].values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"edition": "chess"}, "there is no edition 'chess'"),
        ({"players": 0}, "--players must be from 1 to 1000: not 0"),
        ({"turns": -1}, "--turns must be from 0 to 10000000: not -1"),
        ({"turns": 10**9}, "--turns must be from 0 to 10000000: not 1000000000"),
        ({"policy": "wild"}, "there is no policy 'wild'"),
        ({"runtime": "pypy"}, "there is no runtime 'pypy'"),
        ({"weeks": 3, "turns": 5}, "not both"),
    ],
)
def test_what_makes_no_game_is_refused(words, message):
    with pytest.raises(CommandError, match=message):
        main(**{"edition": "original", **words})


def test_json(capsys):
    assert main("original", players=2, turns=10, seed=4, as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["turns"] == 10
    assert told["seconds"] >= 0
    assert len(told["state_hash"]) == 64
    assert list(told["money"]) == ["Ann", "Ben"]
    assert told["faults"] == []


def test_a_rule_that_breaks_is_told(capsys):
    from nomopoly.rulebook.source import load_edition

    book = load_edition("original")
    broken = {**book.records[0], "id": "X.1", "section": "X", "code": "@after('land')\ndef f(e):\n    return 1 // 0"}
    book.records.append(broken)
    result = simulate("original", players=2, turns=3, book=book)
    assert [fault["rule"] for fault in result["faults"]] == ["X.1"] * 3
    assert result["faults"][0]["line"] == 3


def test_a_game_by_the_calendar_says_what_nobody_did():
    game, told = play_weeks("original", players=2, weeks=1, seed=3)
    taken = {line["do"] for line in game.journal.lines(1) if line["kind"] == "order"}
    assert told["never"]
    assert not taken & set(told["never"])
    assert "leave-game" in told["never"]
    assert "accept" not in told["never"]
    assert f"never taken: {', '.join(told['never'])}" in report(told)
    game.runtime.close()


POINTS = """
attribute("player", "points", 3, label="Points", summary=True)


@action("score", "Score")
def score(e):
    put(e.who, "points", e.who.points + 1)
"""


def test_a_game_without_turns_money_and_squares_is_told_by_its_own_numbers():
    record = minigames.rule("1.1", POINTS)
    book = Book("points", "Points", [record], load_edition("original").commons)
    with pytest.raises(CommandError, match="there is no event 'turn'.: give --weeks"):
        simulate("points", book=book)
    told = report(simulate_weeks("points", players=2, weeks=1, policy="random", book=book)).splitlines()
    assert told[1].startswith("  Ann: Points: ")
    assert int(told[1].rpartition(" ")[2]) > 3
    assert "$" not in "".join(told)
    assert "squares" not in "".join(told)


def test_rules_of_ones_own_are_played_by_their_path(tmp_path):
    head = 'section("1", "Points")\n\nrule("1.1", """Anybody may score.""")\n'
    (tmp_path / "talk.py").write_text(head + POINTS)
    game, told = play_weeks(str(tmp_path / "talk.py"), players=2, weeks=1)
    game.runtime.close()
    assert (told["money"], told["squares"]) == ({}, {})
    assert "Points" in told["standing"]["Ann"]


MONEY = """
attribute("player", "money", None, label="Money")


@after("join")
def first_money(e):
    put(e.who, "money", 5)
"""


def test_money_that_begins_with_no_plain_number_is_in_the_result(tmp_path):
    """It was left out: of an attribute the first number was looked for, to say whether there is any money."""
    head = 'section("1", "Points")\n\nrule("1.1", """Anybody may score.""")\n'
    (tmp_path / "talk.py").write_text(head + POINTS + MONEY)
    game, told = play_weeks(str(tmp_path / "talk.py"), players=2, weeks=1)
    game.runtime.close()
    assert told["money"] == {"Ann": 5, "Ben": 5}

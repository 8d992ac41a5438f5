"""A kernel that has read a rulebook and played by it begins the next game of that book as one that has just read it."""

import json

import minigames
import pytest
import shipped

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.interpreters import cpython
from nomopoly.runtime.scenarios.play import run

SCENARIO = {"scenario": "Somebody moves", "edition": "original", "players": ["Ann"], "steps": [{"turn": "Ann"}]}


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(cpython, "_spare", {})


def opened(edition, **more):
    return open_game(
        load_edition(edition), title="T", game_id="t", runtime="cpython-timed", at=1772442000, secret="17" * 32, **more
    )


def all_of(game):
    """What there is to see of a game: its lines, its state, what its rules declare."""
    minigames.with_players(game, ("Ann", "Ben"))
    game.run_due(game.now + 9 * 86400, most=40)
    state, lines = game.state(), list(game.journal.lines())
    return json.dumps([lines, state, game.describe(), game.records()])


@pytest.mark.parametrize("edition", editions())
def test_games_in_a_kernel_that_was_used_are_like_those_in_a_fresh_one(edition):
    fresh = all_of(opened(edition))
    kept = []
    for where, data in shipped.of_edition(edition)[::25]:
        assert run(data, where, "cpython").failure is None
        kept += list(cpython._spare.values())
    assert kept, "no kernel was kept"
    game = opened(edition)
    assert any(game.runtime._names is each.names for each in kept)
    assert all_of(game) == fresh


def test_a_kernel_is_kept_once_its_game_is_over_and_no_sooner():
    game = opened("original")
    assert not cpython._spare
    names = game.runtime._names
    game.runtime.close()
    other = opened("original")
    assert other.runtime._names is names
    assert opened("original").runtime._names is not names, "two games never share one"
    with pytest.raises(RuntimeError, match="this game is closed"):
        game.records()


@pytest.mark.parametrize(
    "told",
    [
        {"run": "tell(None, 'hello')"},
        {"run": "1 // 0"},
        {"changes": [{"repeal": "VII.2"}]},
        {"changes": [{"enact": "XX.1", "text": "A rule.", "code": "event('x')"}]},
    ],
)
def test_what_ran_or_changed_in_a_game_is_in_no_other(told):
    game = opened("original")
    outcome = game.submit("admin", "Admin", "put-in-force", {**told, "by": "admin"}, game.now)
    assert outcome.refused is None
    game.runtime.close()
    again = opened("original")
    assert again.runtime._names is not game.runtime._names or "repeal" in str(told)
    assert again.records() == load_edition("original").records
    minigames.with_players(again, ("Ann",))
    assert "x" not in again.describe()["events"]


@pytest.mark.parametrize("change", [{"repeal": "VII.2"}, {"amend": "VII.2", "text": "Words alone."}])
def test_what_is_declared_is_asked_again_when_a_rule_has_changed_without_a_program(change):
    def described(game):
        game.describe()
        outcome = game.submit("admin", "Admin", "put-in-force", {"changes": [change], "by": "admin"}, game.now)
        assert outcome.refused is None
        return game.describe()

    game = opened("original")
    before = game.describe()
    game.runtime.close()
    fresh = open_game(
        load_edition("original"), title="T", game_id="t", runtime="cpython", at=1772442000, secret="17" * 32
    )
    assert described(opened("original")) == described(fresh)
    assert opened("original").describe() == before


def test_which_rules_run_is_noted_for_each_game_by_itself():
    first, second = set(), set()
    for ran in (first, second):
        cpython.watching.append(ran)
        try:
            assert run(SCENARIO).failure is None
        finally:
            cpython.watching.pop()
    assert first == second
    assert "VII.1" in first

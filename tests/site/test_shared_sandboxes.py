"""Tests of the site share sandbox workers: whoever begins with one finds the game as in a worker of its own."""

import measured
import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import load_game, open_game, take_snapshot
from nomopoly.runtime.interpreters import MontyRuntime, monty, shared
from nomopoly.runtime.journal import MemoryJournal

MONDAY = 1772442000


@pytest.fixture(autouse=True)
def cold(monkeypatch):
    """Nothing is kept of other tests; no test here asks a database."""
    monkeypatch.setattr(shared, "_spare", {})
    yield
    for book in shared._spare.values():
        book.stack.close()


def opened():
    """A game of the first edition that has begun."""
    return open_game(load_edition("original"), title="T", game_id="t", at=MONDAY, secret="17" * 32)


def played(game):
    """The same with a player who has moved."""
    assert game.join("Ann", game.now).ok
    assert game.admin("approve-player", {"player": "Ann"}, game.now).ok
    game.run_due(game.now + 9 * 86400, most=40)
    return game


def taken_up(game):
    """The same game in another runtime, from its snapshot."""
    return load_game(MemoryJournal(list(game.journal.lines())), secret=game.secret, snapshot=take_snapshot(game))


def test_games_of_one_book_each_leave_a_worker_and_no_more_are_kept_than_wanted(monkeypatch):
    monkeypatch.setattr(shared, "MOST_SPARE", 2)
    games = [opened() for _ in range(3)]
    sessions = [game.runtime._session for game in games]
    assert len({id(session) for session in sessions}) == 3
    for game in games:
        game.runtime.close()
    assert [book.session for book in shared._spare.values()] == sessions[1:]
    again = [opened() for _ in range(3)]
    assert [game.runtime._session for game in again[:2]] == sessions[:0:-1], "the last one first"
    assert again[2].runtime._session not in sessions
    before = len(measured.workers())
    for game in again:
        game.runtime.close()
    assert len(measured.workers()) <= before


def test_a_game_that_is_taken_up_begins_in_a_worker_that_was_kept():
    game = played(opened())
    lines, state, described = list(game.journal.lines()), game.state(), game.describe()
    session, other = game.runtime._session, taken_up(game)
    assert other.runtime._session is not session
    game.runtime.close()
    third = taken_up(other)
    assert third.runtime._session is session
    assert (list(third.journal.lines()), third.state(), third.describe()) == (lines, state, described)
    for each in (other, third):
        each.runtime.close()
    fresh = opened()
    assert fresh.runtime._session in (session, other.runtime._session)
    assert "player" not in fresh.things().values()
    fresh.runtime.close()


def test_a_book_that_players_have_changed_is_another_book():
    game = opened()
    change = {"changes": [{"repeal": "VII.2"}], "by": "admin"}
    assert game.submit("admin", "Admin", "put-in-force", change, game.now).ok
    session = game.runtime._session
    other = taken_up(game)
    game.runtime.close()
    fresh = opened()
    assert fresh.runtime._session is session, "begun again, with the book as it was"
    assert fresh.records() == load_edition("original").records
    assert "VII.2" not in {record["id"] for record in other.records()}
    for each in (other, fresh):
        each.runtime.close()


def test_who_wants_other_limits_gets_another_worker(monkeypatch):
    game = opened()
    session = game.runtime._session
    game.runtime.close()
    monkeypatch.setattr(monty, "SECONDS", 1.5)
    other = opened()
    assert other.runtime._session is not session
    other.runtime.close()


def test_it_is_the_sandbox_by_its_name():
    game = opened()
    assert (game.runtime.name, isinstance(game.runtime, MontyRuntime)) == ("monty", True)
    game.runtime.close()

"""A kernel that has read a rulebook and played by it begins the next game of that book as one that has just read it,
in both interpreters."""

from functools import cache

import minigames
import pytest
import shipped

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.interpreters import cpython, monty, shared
from nomopoly.runtime.journal import canonical
from nomopoly.runtime.scenarios.play import run

SCENARIO = {"scenario": "Somebody moves", "edition": "original", "players": ["Ann"], "steps": [{"turn": "Ann"}]}


SHARING = {"cpython": "cpython-timed", "monty": "monty-shared"}


@pytest.fixture(autouse=True)
def spare(monkeypatch):
    """spare(interpreter) -> what is kept of games that are over: kernels, or workers."""
    for module in (cpython, shared):
        monkeypatch.setattr(module, "_spare", {})
    yield kept_now
    for book in shared._spare.values():
        book.stack.close()


def opened(edition, interpreter="cpython", **more):
    return open_game(
        load_edition(edition),
        title="T",
        game_id="t",
        runtime=SHARING.get(interpreter, interpreter),
        at=1772442000,
        secret="17" * 32,
        **more,
    )


def kernel_of(game):
    """What a game shares with others: its kernel, or its worker."""
    return game.runtime._session if game.runtime.name == "monty-shared" else game.runtime._names


def all_of(game):
    """What there is to see of a game: its lines, its state, what its rules declare."""
    minigames.with_players(game, ("Ann", "Ben"))
    game.run_due(game.now + 9 * 86400, most=40)
    state, lines = game.state(), list(game.journal.lines())
    return canonical([lines, state, game.describe(), game.records()])


@cache
def in_a_fresh_kernel(edition):
    """All of a game of an edition in a kernel that was never used."""
    return all_of(opened(edition))


def kept_now(interpreter):
    """What is kept of games that are over: kernels, or workers."""
    books = shared._spare if interpreter == "monty" else cpython._spare
    return [getattr(each, "session" if interpreter == "monty" else "names") for each in books.values()]


@pytest.mark.parametrize("interpreter", SHARING)
@pytest.mark.parametrize("edition", editions())
def test_games_in_a_kernel_that_was_used_are_like_those_in_a_fresh_one(edition, interpreter):
    fresh = in_a_fresh_kernel(edition)
    kept = []
    scenarios = shipped.of_edition(edition)
    for where, data in scenarios[::25]:
        assert run(data, where, interpreter).failure is None
        kept += kept_now(interpreter)
    assert kept, "no kernel was kept"
    game = opened(edition, interpreter)
    for where, data in scenarios[1::25]:
        if any(kernel_of(game) is each for each in kept):
            break
        game.runtime.close()  # a new one: the last scenario has changed rules, and so spoilt its kernel
        assert run(data, where, interpreter).failure is None
        kept += kept_now(interpreter)
        game = opened(edition, interpreter)
    assert any(kernel_of(game) is each for each in kept)
    now = all_of(game)
    game.runtime.close()
    if now != fresh:  # a difference of megabytes takes minutes to show
        first = next(
            (at for at, (one, two) in enumerate(zip(now, fresh, strict=False)) if one != two), min(len(now), len(fresh))
        )
        around = slice(max(first - 300, 0), first + 300)
        assert now[around] == fresh[around]


@pytest.mark.parametrize("interpreter", SHARING)
def test_a_kernel_is_kept_once_its_game_is_over_and_no_sooner(interpreter, spare):
    game = opened("original", interpreter)
    assert not spare(interpreter)
    kernel = kernel_of(game)
    game.runtime.close()
    other = opened("original", interpreter)
    assert kernel_of(other) is kernel
    third = opened("original", interpreter)
    assert kernel_of(third) is not kernel, "two games never share one"
    with pytest.raises(RuntimeError, match="this game is closed"):
        game.state()
    for each in (other, third):
        each.runtime.close()


@pytest.mark.parametrize("interpreter", SHARING)
@pytest.mark.parametrize(
    "told",
    [
        {"run": "tell(None, 'hello')"},
        {"run": "1 // 0"},
        {"changes": [{"repeal": "VII.2"}]},
        {"changes": [{"enact": "XX.1", "text": "A rule.", "code": "event('x')"}]},
    ],
)
def test_what_ran_or_changed_in_a_game_is_in_no_other(told, interpreter):
    game = opened("original", interpreter)
    kernel = kernel_of(game)
    outcome = game.submit("admin", "Admin", "put-in-force", {**told, "by": "admin"}, game.now)
    assert outcome.refused is None
    game.runtime.close()
    again = opened("original", interpreter)
    assert kernel_of(again) is not kernel or "repeal" in str(told)
    assert again.records() == load_edition("original").records
    minigames.with_players(again, ("Ann",))
    assert "x" not in again.describe()["events"]
    again.runtime.close()


def test_a_worker_that_was_killed_or_in_which_a_rule_broke_is_kept_for_nobody(spare):
    game = opened("original", "monty")
    game.runtime._session.feed_run("1 + 1")
    game.runtime._revive()  # as after a kill
    assert game.describe() == opened("original").describe()
    game.runtime.close()
    assert spare("monty") == []
    game = opened("original", "monty")
    broken = game.submit("admin", "Admin", "put-in-force", {"run": "while True: pass", "by": "admin"}, game.now)
    assert broken.fault or broken.refused
    game.runtime.close()
    assert spare("monty") == []


def test_a_worker_that_has_ended_while_it_was_kept_is_replaced(spare):
    game = opened("original", "monty")
    game.runtime.close()
    (session,) = spare("monty")
    shared._spare[next(iter(shared._spare))].stack.close()
    again = opened("original", "monty")
    assert kernel_of(again) is not session
    assert again.describe() == opened("original").describe()
    again.runtime.close()


def test_a_small_book_that_was_read_in_the_session_of_its_game_is_given_to_no_other(spare, monkeypatch):
    monkeypatch.setattr(shared.SharedRuntime, "small_book", monty.SMALL_BOOK)
    rules = minigames.rule("1.1", "action('pay')\n@after('pay')\ndef pay(e):\n    1 // 0")
    for _ in range(2):
        game = minigames.small_game(rules, runtime="monty-shared")
        assert game.order("Ann", "pay", {}, game.now).fault
        assert set(game.things()) >= {"Ann", "Ben"}, "what was there before is there after the fault"
        game.runtime.close()
        game = minigames.small_game(rules, runtime="monty-shared")
        game.runtime.close()
        assert spare("monty") == []


@pytest.mark.parametrize("interpreter", SHARING)
@pytest.mark.parametrize("change", [{"repeal": "VII.2"}, {"amend": "VII.2", "text": "Words alone."}])
def test_what_is_declared_is_asked_again_when_a_rule_has_changed_without_a_program(change, interpreter):
    def described(game):
        game.describe()
        outcome = game.submit("admin", "Admin", "put-in-force", {"changes": [change], "by": "admin"}, game.now)
        assert outcome.refused is None
        return game.describe()

    game = opened("original", interpreter)
    before = game.describe()
    game.runtime.close()
    fresh = open_game(
        load_edition("original"), title="T", game_id="t", runtime="cpython", at=1772442000, secret="17" * 32
    )
    other = opened("original", interpreter)
    assert described(other) == described(fresh)
    other.runtime.close()
    assert opened("original", interpreter).describe() == before


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

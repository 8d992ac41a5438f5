"""Workers of the sandbox are bounded, renewed when calls have left too much behind, and dumped no oftener than it
pays."""

import threading
import time

import pytest
from minigames import ADDING, START, done, small_game

from nomopoly.runtime.interpreters import SandboxBusy, monty


@pytest.fixture
def game():
    game = small_game(ADDING, runtime="monty")
    yield game
    game.runtime.close()


@pytest.fixture
def one_worker(monkeypatch):
    """A pool of its own with a single worker."""
    monkeypatch.setattr(monty, "MOST_WORKERS", 1)
    monkeypatch.setattr(monty, "CHECKOUT_WAIT", 0.3)
    monkeypatch.setattr(monty, "_pool", None)
    yield
    monty._pool.__exit__(None, None, None)


def add(game, many=1):
    done(game.order("Ann", "add", {"many": many}, START))


# ---- bounded


def test_who_finds_all_workers_at_work_waits_and_is_told(one_worker):
    first = monty.MontyRuntime()
    begun = time.monotonic()
    with pytest.raises(SandboxBusy, match="all sandboxes of this process are at work"):
        monty.MontyRuntime()
    assert 0.2 < time.monotonic() - begun < 20
    first.close()
    monty.MontyRuntime().close()


def test_who_waits_gets_the_worker_that_comes_free(one_worker, monkeypatch):
    monkeypatch.setattr(monty, "CHECKOUT_WAIT", 60.0)
    first, found = monty.MontyRuntime(), []
    waiting = threading.Thread(target=lambda: found.append(monty.MontyRuntime()))
    waiting.start()
    time.sleep(0.2)
    assert not found
    first.close()
    waiting.join(60)
    found[0].close()


def test_nobody_queues_behind_a_long_queue(one_worker, monkeypatch):
    monkeypatch.setattr(monty, "CHECKOUT_WAIT", 60.0)
    monkeypatch.setattr(monty, "_waiting", threading.BoundedSemaphore(1))
    first, found = monty.MontyRuntime(), []
    waiting = threading.Thread(target=lambda: found.append(monty.MontyRuntime()))
    waiting.start()
    time.sleep(0.2)
    begun = time.monotonic()
    with pytest.raises(SandboxBusy):
        monty.MontyRuntime()
    assert time.monotonic() - begun < 30, "told at once"
    first.close()
    waiting.join(60)
    found[0].close()


def test_a_game_that_lost_its_worker_goes_on_when_one_is_free(one_worker, game):
    add(game, 3)
    game.runtime._stack.close()
    other = monty.MontyRuntime()
    with pytest.raises(SandboxBusy):
        game.order("Ann", "add", {"many": 4}, START)
    other.close()
    add(game, 5)
    assert game.value("total", "Ann") == 8


# ---- renewed


def renewals(monkeypatch):
    """A list that grows by one each time that an interpreter is renewed."""
    found, renew = [], monty.MontyRuntime._renew

    def counted(runtime):
        renew(runtime)
        found.append(runtime._calls)

    monkeypatch.setattr(monty.MontyRuntime, "_renew", counted)
    return found


def test_an_interpreter_is_renewed_after_many_calls_and_nobody_notices(game, monkeypatch):
    monkeypatch.setattr(monty, "RENEWED_AFTER", 10)
    found = renewals(monkeypatch)
    for _ in range(20):
        add(game)
        before = game.state_hash()
        assert game.state_hash() == before
    assert len(found) >= 4
    assert game.value("total", "Ann") == 20
    again = small_game(ADDING)
    for _ in range(20):
        add(again)
    assert again.fold.records() == game.fold.records()
    assert again.state_hash() == game.state_hash()


def test_what_calls_leave_behind_does_not_travel_on(game, monkeypatch):
    """Without renewal the memory of a worker, and with it every checkpoint, grows with each call."""
    runtime = game.runtime
    for _ in range(4000):
        runtime._raw_call("due", None)
    grown = len(runtime._dumped())
    monkeypatch.setattr(monty, "RENEWED_AFTER", 1)
    runtime.call("due")
    assert len(runtime._dumped()) < grown - 100_000


def test_it_is_renewed_when_its_dump_has_grown(game, monkeypatch):
    monkeypatch.setattr(monty, "CHECKPOINT_EVERY", 1)
    found = renewals(monkeypatch)
    add(game)
    assert not found
    game.runtime._raw_call("batch", {"entries": []})
    game.runtime._feed("left_behind = ['x' * 40 + str(n) for n in range(60000)]")
    add(game)
    add(game)
    add(game)
    assert len(found) == 1, "once: it is small again"
    assert game.value("total", "Ann") == 4


def test_what_was_added_stays(game, monkeypatch):
    monkeypatch.setattr(monty, "RENEWED_AFTER", 2)
    game.runtime.add("MORE = [1]\nCALLS['more'] = lambda data: MORE\n")
    for _ in range(6):
        add(game)
    assert game.runtime.call("more") == [1]


@pytest.mark.parametrize("method", ["_dumped", "_take_book"])
def test_where_renewing_fails_the_old_interpreter_goes_on(game, monkeypatch, method):
    add(game, 2)
    monkeypatch.setattr(monty, "RENEWED_AFTER", 1)
    really, left = getattr(monty.MontyRuntime, method), [1]

    def fails(runtime, *args):
        if left.pop() if left else 0:
            raise monty.WorkerDied("killed")
        return really(runtime, *args)

    monkeypatch.setattr(monty.MontyRuntime, method, fails)
    found = renewals(monkeypatch)
    add(game, 3)
    assert not left
    assert found
    assert game.value("total", "Ann") == 5


# ---- checkpoints


@pytest.mark.parametrize("entry", [0.0003, 0.001, 0.02])
def test_checkpoints_cost_a_tenth_at_most(game, monkeypatch, entry):
    """A clock by which an entry takes so many seconds, and a dump 0.05."""
    clock, dumps = [0.0], []
    raw_call, dumped = monty.MontyRuntime._raw_call, monty.MontyRuntime._dumped

    def call(runtime, name, data):
        clock[0] += entry
        return raw_call(runtime, name, data)

    def dump(runtime):
        clock[0] += 0.05
        dumps.append(clock[0])
        return dumped(runtime)

    add(game)
    monkeypatch.setattr(monty.MontyRuntime, "_raw_call", call)
    monkeypatch.setattr(monty.MontyRuntime, "_dumped", dump)
    monkeypatch.setattr(monty.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(monty.MontyRuntime, "_pace", 0.05 / len(game.runtime._checkpoint))
    enough = int(1.2 / entry) if entry > 0.0005 else 2100
    for _ in range(enough):
        game.runtime.call("batch", {"entries": []})
    assert dumps, "and they are made"
    assert 0.05 * len(dumps) <= 0.11 * clock[0]

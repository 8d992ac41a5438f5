"""Sandbox workers that are killed from outside: a dead worker costs a second try that nobody sees."""

import os
import random
import signal
import threading

import pytest
from minigames import ADDING, START, done, rule, small_game

from nomopoly.runtime import host
from nomopoly.runtime.interpreters import SandboxGone, WorkerDied, monty

BREAKING = rule(
    "1.2",
    """
@action("break")
def breaks(e):
    put(e.who, "total", -1)
    1 // 0

@action("fill")
def fill(e):
    sorted([str(n) for n in range(10000000)])
""",
)


@pytest.fixture
def game():
    game = small_game(ADDING, BREAKING, runtime="monty")
    yield game
    game.runtime.close()


def workers() -> list[int]:
    """The worker processes of this process."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent, state = file.read().rpartition(")")[2].split()[1::-1]
            with open(f"/proc/{name}/cmdline") as file:
                words = file.read()
        except OSError:  # it has ended meanwhile
            continue
        if int(parent) == os.getpid() and "monty" in words and state != "Z":
            found.append(int(name))
    return found


def kill_workers() -> int:
    """Kill them all. Returns how many there were."""
    found = workers()
    for number in found:
        os.kill(number, signal.SIGKILL)
    return len(found)


def total(game: host.Game) -> int:
    return game.value("total", "Ann")


def test_a_worker_killed_between_two_orders_is_not_noticed(game):
    for _ in range(3):
        assert kill_workers()
        done(game.order("Ann", "add", {"many": 5}, START))
    assert total(game) == 15
    assert kill_workers()
    assert total(game) == 15


class Killing:
    """Something of a session that kills the worker before or after it is used for the n-th time."""

    def __init__(self, runtime, method: str, after: bool, when: int, monkeypatch) -> None:
        self.left = when
        really = monty.in_worker

        def in_worker(work, *args, **options):
            mine = getattr(work, "__name__", "") == method
            self.left -= mine
            if mine and not self.left and not after:
                assert kill_workers()
            found = really(work, *args, **options)
            if mine and not self.left and after:
                assert kill_workers()
            return found

        monkeypatch.setattr(monty, "in_worker", in_worker)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("method", "when"), [("feed_run", 1), ("feed_run", 3), ("dump", 1), ("load_session", 1)])
@pytest.mark.parametrize("do", ["add", "break", "fill"])
def test_a_worker_killed_at_any_moment_of_an_order(game, monkeypatch, do, method, when, after):
    """Whatever it is killed at, the order ends as it would have, and the game is where it would be."""
    args = {"many": 5} if do == "add" else {}
    monkeypatch.setattr(monty, "CHECKPOINT_EVERY", 2)
    for _ in range(2):
        done(game.order("Ann", "add", {"many": 1}, START))
    Killing(game.runtime, method, after, when, monkeypatch)
    outcome = game.order("Ann", do, args, START)
    monkeypatch.undo()
    assert (outcome.fault is None) == (do == "add")
    if do == "break":
        assert outcome.fault["message"] == "ZeroDivisionError: division by zero"
        assert "limit" not in game.journal.last()
    done(game.order("Ann", "add", {"many": 1}, START))
    assert total(game) == 3 + (5 if do == "add" else 0)
    again = host.load_game(game.journal, runtime="cpython", secret=game.secret)
    assert again.state_hash() == game.state_hash()


def test_workers_killed_all_the_time(game):
    """A hundred orders while workers are killed at random: each is carried out once, none is a fault."""
    chance = random.Random(4)
    for _ in range(100):
        killer = threading.Timer(chance.uniform(0, 0.04), kill_workers)  # before, in the middle of, or after the order
        killer.start()
        done(game.order("Ann", "add", {"many": 1}, START))
        killer.join()
    assert total(game) == 100


def test_a_machine_on_which_no_worker_lives_says_so(game, monkeypatch):
    before, n = total(game), game.n

    def dies(work, *args, **options):
        raise WorkerDied("killed")

    monkeypatch.setattr(monty, "in_worker", dies)
    with pytest.raises(SandboxGone, match="killed as soon as they start"):
        game.order("Ann", "add", {"many": 1}, START)
    monkeypatch.undo()
    assert (total(game), game.n) == (before, n), "nothing was done, and the next call works"


@pytest.mark.parametrize("name", ["restore", "view", "dump"])
def test_what_reads_is_put_off_when_worker_after_worker_is_killed(game, name, monkeypatch):
    """It is no fault of a rule, and nothing was done."""
    runtime = game.runtime
    call_once = runtime._call_once

    def killed(called, data):
        if called == name:
            raise WorkerDied("killed")
        return call_once(called, data)

    monkeypatch.setattr(runtime, "_call_once", killed)
    with pytest.raises(SandboxGone, match="again and again"):
        runtime.call(name, {})

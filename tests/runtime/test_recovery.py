"""A sandbox worker that is replaced: what it had done is done again, however long that takes, and a busy machine breaks
no rule."""

import pytest
from minigames import START, done, rule, small_game

from nomopoly.runtime.interpreters import Fault, Incident, monty

COUNTING = rule(
    "1.1",
    """
attribute("player", "total", 0)

@action("sum-up", to=number("To"))
def sum_up(e):
    total = 0
    for n in range(e.to):
        total = (total + n) % 1000
    put(e.who, "total", e.who.total + total + 1)

@action("break")
def breaks(e):
    1 // 0
""",
)
MANY = 30_000  # steps of a loop: some milliseconds in the sandbox


@pytest.fixture
def game():
    game = small_game(COUNTING, runtime="monty")
    yield game
    game.runtime.close()


def limit(game, seconds: float) -> None:
    """Let the calls of this game have so much time."""
    game.runtime._seconds = seconds
    game.runtime._recover()


def short(game, seconds: float, monkeypatch) -> None:
    """Let what is entered in this game have so little time; what is asked of it has all the time there is."""
    really, usual = game.runtime.call, game.runtime._seconds

    def call(name, data=None, hurry=0):
        if name != "batch":
            return really(name, data, hurry)
        limit(game, seconds)
        try:
            return really(name, data, hurry)
        finally:
            assert game.runtime._seconds == seconds, "the longer time is for a second try alone"
            limit(game, usual)

    monkeypatch.setattr(game.runtime, "call", call)


def total(game) -> int:
    """What Ann has summed up."""
    return game.value("total", "Ann")


def order(n: int, do: str, to: int | None = None) -> dict:
    entry = {"n": n, "at": START, "kind": "order", "by": "Ann", "do": do, "args": {} if to is None else {"to": to}}
    return {**entry, "audit": True, "vouched": None}


def test_what_went_well_is_done_again_whatever_time_it_takes(game):
    """The entries of one call have its time together; done again, each has more than it needs."""
    n = game.n
    with pytest.raises(Fault) as broken:
        game.runtime.call(
            "batch", {"entries": [order(n + 1, "sum-up", 5), order(n + 2, "sum-up", 7), order(n + 3, "break")]}
        )
    assert len(broken.value.results) == 2
    assert total(game) > 2

    slow = [order(n + 3 + at, "sum-up", MANY) for at in range(6)]
    for entry in slow:
        game.runtime.call("batch", {"entries": [entry]})
    usual = game.runtime._seconds
    limit(game, usual)
    before = total(game)
    game.runtime._seconds = 0.001  # far less than any of them takes, and there are six to do again
    game.runtime._since = [("batch", {"entries": slow})]
    game.runtime._recover()
    limit(game, usual)
    assert total(game) > before


def test_what_the_machine_does_not_finish_has_a_second_longer_try(game, monkeypatch):
    monkeypatch.setattr(monty, "PATIENCE", 10_000)
    begun = total(game)
    short(game, 0.002, monkeypatch)
    done(game.order("Ann", "sum-up", {"to": MANY}, START))
    assert total(game) > begun
    before = game.state_hash()
    assert game.order("Ann", "break", {}, START).fault["message"].startswith("ZeroDivisionError")
    assert game.state_hash() == before


def test_what_it_does_not_finish_then_is_an_incident_and_no_outcome(game, monkeypatch, caplog):
    """Nothing is entered, the operator is notified, and the same order goes well on another day."""
    monkeypatch.setattr(monty, "PATIENCE", 1)
    begun, n = total(game), game.n
    short(game, 0.002, monkeypatch)
    with pytest.raises(Incident) as incident:
        game.order("Ann", "sum-up", {"to": MANY}, START)
    assert incident.value.rule in ("1.1", "")
    assert [record.levelname for record in caplog.records if record.name == "nomopoly.incidents"] == ["ERROR"]
    assert (game.n, game.journal.last()["n"], total(game)) == (n, n, begun)
    monkeypatch.undo()
    done(game.order("Ann", "sum-up", {"to": MANY}, START))
    assert total(game) > begun


@pytest.fixture
def dumped(monkeypatch):
    """The sizes of the dumps that are made of workers from now on."""
    really, sizes = monty.MontyRuntime._dumped, []

    def dump(runtime):
        memory = really(runtime)
        sizes.append(len(memory))
        return memory

    monkeypatch.setattr(monty.MontyRuntime, "_dumped", dump)
    return sizes


def played(game):
    """The hash of a game after somebody has summed up, and an order has broken; the worker was replaced then."""
    done(game.order("Ann", "sum-up", {"to": 9}, START))
    assert game.order("Ben", "break", {}, START).fault["line"] == 12
    done(game.order("Ben", "sum-up", {"to": 3}, START))
    game.runtime._revive()
    said = game.state_hash()
    game.runtime.close()
    return said


def test_a_small_rulebook_is_read_where_the_game_goes_on(dumped, monkeypatch):
    monkeypatch.setattr(monty.MontyRuntime, "_pace", 1.0)  # a dump takes longer than all that is done again
    small = played(small_game(COUNTING, runtime="monty"))
    assert dumped == []
    monkeypatch.setattr(monty, "_books", {})
    monkeypatch.setattr(monty.MontyRuntime, "small_book", -1)
    assert played(small_game(COUNTING, runtime="monty")) == small
    assert len(dumped) == 1, "a book that is no small one is dumped once it is read"


def test_what_takes_longer_than_a_dump_is_done_again_once(game, dumped, monkeypatch):
    monkeypatch.setattr(monty, "CHECKPOINT_AFTER", 10**9)
    monkeypatch.setattr(monty.MontyRuntime, "_pace", 0.0)
    done(game.order("Ann", "sum-up", {"to": MANY}, START))
    monkeypatch.setattr(monty.MontyRuntime, "_remember", lambda *_: None)
    before = game.state_hash()
    game.runtime._revive()
    assert len(dumped) == 1
    assert game.runtime._since == []
    game.runtime._revive()
    assert game.state_hash() == before


def test_a_small_rulebook_that_is_read_slowly_has_more_time(monkeypatch):
    really, sessions = monty.MontyRuntime._raw_call, []

    def call(runtime, name, data):
        if name == "prepare":
            sessions.append(runtime._session)
            if len(sessions) == 1:
                runtime._feed("1 // 0  # as the guard of time breaks off, in the middle of reading")
        return really(runtime, name, data)

    usual = played(small_game(COUNTING, runtime="monty"))
    monkeypatch.setattr(monty, "_books", {})
    monkeypatch.setattr(monty.MontyRuntime, "_raw_call", call)
    assert played(small_game(COUNTING, runtime="monty")) == usual
    assert sessions[0] is not sessions[1]

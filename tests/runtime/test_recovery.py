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

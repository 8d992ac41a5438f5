"""How a game stands (paused, stopped, over, what is due): asked in one call, and kept until something happens."""

import pytest
from minigames import CHANGING, RUNTIMES, START, done, rule, small_game

from nomopoly.runtime.copies import copy_of
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.reading import STANDS

BELL = """
attribute("game", "over", False)
event("ring")


@action("wind", seconds=number("Seconds"))
def wind(e):
    at(now() + e.seconds, "ring")


@action("end")
def end(e):
    put(thing("game"), "over", True)


@on("ring")
def ring(e):
    pass
"""


class Counted:
    """A runtime that notes what it is asked."""

    def __init__(self, runtime, monkeypatch):
        self.names = []
        call = runtime.call
        monkeypatch.setattr(runtime, "call", lambda name, *more: self.names.append(name) or call(name, *more))


def all_of(game):
    """What the game says of itself; alone, it would say the same."""
    told = (game.due(), game.over(), game.paused(), game.stopped(), game.disrupted())
    alone = {name: game.runtime.call(*asked) for name, asked in STANDS.items()}
    assert {name: game._stands(name) for name in STANDS} == alone
    return told


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_it_is_asked_once_until_something_happens(runtime, monkeypatch):
    game = small_game(CHANGING, rule("1.1", BELL), runtime=runtime)
    done(game.order("Ann", "wind", {"seconds": 60}, START))
    counted = Counted(game.runtime, monkeypatch)
    assert all((game.due() == START + 60, not game.over(), not game.paused(), not game.stopped()))
    game.view("Ann", START)
    assert (game.due(), game.over()) == (START + 60, False)
    assert counted.names == ["together", "view"]
    assert game.order("Ann", "wind", {"seconds": "soon"}, START).refused
    assert game.due() == START + 60


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_whatever_changes_it_is_seen_at_once(runtime):
    game = small_game(CHANGING, rule("1.1", BELL), runtime=runtime)
    assert all_of(game) == (None, False, False, False, False)
    done(game.order("Ann", "wind", {"seconds": 60}, START))
    assert all_of(game) == (START + 60, False, False, False, False)
    game.run_due(START + 60)
    assert all_of(game) == (None, False, False, False, False)
    done(game.admin("pause", {"kind": "disruption"}, START + 60))
    assert all_of(game) == (None, False, True, False, True)
    done(game.admin("resume", {}, START + 70))
    done(game.operate("stop", "Spam", START + 80))
    assert all_of(game)[2:4] == (True, True)
    done(game.operate("resume", "", START + 90))
    ended = game.n + 1
    done(game.order("Ann", "end", {}, START + 90))
    assert all_of(game)[1] is True
    done(game.strike(ended, "It was not to end.", START + 100))
    assert all_of(game) == (None, False, False, False, False)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_copy_sees_what_came_from_elsewhere(runtime):
    copy = copy_of(small_game(CHANGING, rule("1.1", BELL), runtime=runtime), runtime=runtime)
    assert copy.over() is False
    entry = {"n": copy.n + 1, "at": START, "kind": "order", "by": "Ann", "do": "end", "args": {}, "entropy": "00" * 32}
    assert "facts" in copy.enter(entry)
    assert all_of(copy)[1] is True


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_where_a_rule_breaks_the_rest_is_told_all_the_same(runtime):
    broken = "@value('over')\ndef over():\n    return 1 // value('day')\n\n\n@value('day')\ndef day():\n    return 0\n"
    game = small_game(CHANGING, rule("1.1", broken), runtime=runtime)
    assert (game.paused(), game.stopped()) == (False, False)
    with pytest.raises(Fault, match="ZeroDivisionError"):
        game.over()
    done(game.operate("stop", "Spam", START + 80))
    assert (game.stopped(), game.due()) == (True, None)

"""Things that are gone, and what is tried out with their names: undoing leaves no trace, so that replay is exact."""

import pytest
from minigames import RUNTIMES, START, done, rule, small_game

from nomopoly.runtime.host import replay

SPIRITS = rule(
    "1.1",
    """
kind("spirit")
kind("stone")

@action("make", sort=words("Sort"), name=words("Name"))
def make(e):
    create(e.sort, id=e.name)

@action("unmake", name=words("Name"))
def unmake(e):
    destroy(thing(e.name))

@action("name-gone", name=words("Name"))
def name_gone(e):
    thing(e.name)
""",
)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("sort", ["spirit", "stone"])
def test_trying_out_the_name_of_what_is_gone_leaves_no_trace(runtime, sort):
    game = small_game(SPIRITS, runtime=runtime)
    for name in ("Una", "Dea"):
        done(game.order("Ann", "make", {"sort": "spirit", "name": name}, START))
    for name in ("Una", "Dea"):
        done(game.order("Ann", "unmake", {"name": name}, START))
    before = game.state_hash()
    assert game.preview("Ann", "make", {"sort": sort, "name": "Una"}, START).ok
    assert game.state_hash() == before
    assert "no longer exists" in game.order("Ann", "name-gone", {"name": "Una"}, START).refused
    again = replay(game.journal, runtime, game.secret)
    assert again.state_hash() == before
    for each in (game, again):
        each.runtime.close()

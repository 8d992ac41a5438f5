"""What a thing keeps is looked at and weighed in one walk: it comes to what both come to one after the other."""

import minigames
import pytest
from minigames import rule

from nomopoly.kernel.budgets import MOST_DEEP, MOST_NUMBER, MOST_WORD, begin_budget, weight_of
from nomopoly.kernel.things import Thing, immutable, weight_kept

SQUARE = Thing("#1", "square")
DEEP: tuple = ()
for _ in range(MOST_DEEP - 1):
    DEEP = (DEEP,)
WIDE: tuple = (1,)  # few tuples in memory, and more to go through than anybody waits for
for _ in range(MOST_DEEP - 1):
    WIDE = (WIDE,) * 8
KEPT = [
    (),
    (1, None, True, "a word", SQUARE),
    (("event", "turn", (("who", SQUARE),)), ("event", "turn", ())),
    (-MOST_NUMBER, MOST_NUMBER, "x" * 1000),
    ("x" * (MOST_WORD - 4),),
    (1,) * ((MOST_WORD - 2) // 5),
    DEEP,
]
SIZES = """
CALLS["sizes"] = lambda data: [world.size, sum([heft(values[name]) for values in world.store.values() for name in values])]
"""
NOT_KEPT = [(MOST_NUMBER + 1,), (1.5,), ([],), ((1, {}),), (SQUARE, print)]
TOO_MUCH = [("x" * (MOST_WORD - 3),), (1,) * (MOST_WORD // 5), (DEEP,), WIDE]


@pytest.mark.parametrize("value", KEPT)
def test_what_is_kept_weighs_what_it_weighs_elsewhere(value):
    assert immutable(value)
    assert weight_kept(value, MOST_DEEP) == weight_of(value, MOST_WORD, MOST_DEEP)


@pytest.mark.parametrize("value", NOT_KEPT)
def test_what_is_of_another_sort_is_not_kept(value):
    assert not immutable(value)


@pytest.mark.parametrize("value", TOO_MUCH)
def test_what_is_too_long_or_too_deep_breaks_off(value):
    with pytest.raises(RuntimeError, match="too"):
        immutable(value)
    begin_budget()  # what has broken off breaks off at every further step


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_the_size_of_a_game_is_that_of_what_it_keeps_whatever_came_between(runtime):
    """The weight of what goes is remembered from when it came: also where that was undone, or another thing's."""
    code = """
attribute("player", "list", ())


@action("set", "Set", many=number(), fails=yes_or_no())
def set_it(e):
    for who in every("player"):
        put(who, "list", tuple(range(e.many)))
    do("try", may=True, who=e.who)
    if e.fails:
        refuse("no")


event("try", who="player")


@on("try")
def try_it(e):
    put(e.who, "list", (1,) * 500)
    refuse("never")
"""
    game = minigames.small_game(rule("1.1", code), players=("Ann", "Ben"), runtime=runtime)
    for many, fails in ((300, False), (7, True), (40, False), (0, False), (90, False), (3, True), (12, False)):
        game.order("Ann", "set", {"many": many, "fails": fails}, minigames.START)
    game.runtime.add(SIZES)
    size, weighed = game.runtime.call("sizes")
    assert size == weighed > 0
    game.runtime.close()

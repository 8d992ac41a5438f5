"""A journal writes the parts of what it holds in the order of their names. Rules that look at numbers of rules or at
what an order was given, one after the other, find them so from the start: else a replay would come to something else."""

import json

import pytest
from minigames import RUNTIMES, SECRET, done, rule, small_game

from nomopoly.runtime.host import load_game, take_snapshot

LOOKING = rule(
    "1.1",
    """
event("seen", "{words}", words="text")


@action("look", given=change_list("What"))
def look(e):
    found = [part for part in rule]
    found = found + [name for each in rules("1") for name, number in each.numbers]
    found = found + [words for id, words in prose()]
    found = found + [[name for name in each] for each in e.given]
    found = found + [[name for name in each["params"]] for each in e.given]
    fact("seen", words=str(found))
""",
    text="{b} and {a}.",
    b="{a}",
    a="1",
)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_numbers_and_fields_are_found_in_one_order_for_good(runtime):
    game = small_game(LOOKING, runtime=runtime)

    def look(game):
        given = [{"text": "A rule.", "params": {"y": 1, "x": 2}, "enact": "9.1"}]
        return done(game.order("Ann", "look", {"given": given}, game.now)).facts

    first = look(game)
    assert "'x', 'y'" in json.dumps(first)
    kept = take_snapshot(game)
    for more in ({}, {"snapshot": kept}):
        copy = load_game(game.journal, runtime=runtime, secret=SECRET, **more)
        assert look(copy) == first
        copy.runtime.close()
    game.runtime.close()

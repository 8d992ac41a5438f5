"""A journal writes the parts of what it holds in the order of their names. Rules that look at numbers of rules or at
what an order was given, one after the other, find them so from the start: else a replay would come to something else."""

import json

import pytest
from minigames import CHANGING, RUNTIMES, SECRET, change, done, rule, small_game

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


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_numbers_of_rules_have_one_order_however_they_were_made(runtime):
    game = small_game(CHANGING, rule("1.1", b=1, a=2), runtime=runtime)
    done(change(game, {"enact": "1.2", "text": "A rule.", "params": {"y": 1, "x": 2}}))
    done(change(game, {"amend": "1.2", "params": {"b": 3}}))
    done(change(game, {"amend": "1.2", "params": {"x": None, "c": 4}}))
    copy = load_game(game.journal, runtime=runtime, secret=SECRET, snapshot=take_snapshot(game))
    for each in (game, copy):
        found = {record["id"]: list(record["params"]) for record in each.runtime.call("records")}
        assert (found["1.1"], found["1.2"]) == (["a", "b"], ["b", "c", "y"])
        each.runtime.close()

"""A refusal for a name that the game does not know carries a code, whatever its words are."""

import pytest
from minigames import START, rule, small_game

from nomopoly.runtime.outcomes import outcome_hash

RULE = rule(
    "1.1",
    """
kind("cup", prefix="cup-")
attribute("player", "total", 0)

@action("fill", "Fill", cup=choose("cup", "Cup"))
def fill(e):
    put(e.who, "total", e.who.total + 1)

@action("look", "Look", name=words("Name"))
def look(e):
    thing(e.name)

@action("shout", "Shout")
def shout(e):
    refuse("there is no action 'shout'")
""",
)


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_what_is_unknown_is_refused_with_a_code(runtime):
    game = small_game(RULE, runtime=runtime)
    for do, args, code in (
        ("fly", {}, "no-action"),
        ("shout", {"loudly": 1}, "no-field"),
        ("fill", {"cup": "cup-9"}, "no-thing:cup"),
        ("look", {"name": "Zoe"}, "no-thing"),
        ("shout", {}, ""),  # a rule's own words are no code, whatever they are
    ):
        assert game.order("Ann", do, args, START).code == code, do
        assert game.preview("Ann", do, args, START).code == code, do
    grant = {"thing": "Ann", "attribute": "luck", "value": 1, "because": "why"}
    assert game.admin("grant", grant, START).code == "no-attribute"
    assert game.n == game.journal.last()["n"], "nothing of it left a line"
    game.runtime.close()


def test_the_code_is_no_part_of_what_is_hashed():
    game = small_game(RULE, runtime="cpython")
    entry = {"n": 1, "at": START, "kind": "order", "by": "Ann", "do": "fly", "args": {}}
    outcome = game.runtime.call("batch", {"entries": [entry]})[0]
    assert outcome["code"] == "no-action"
    assert outcome_hash(outcome) == outcome_hash({**outcome, "code": "another"})

"""What broke is said in plain words, by both interpreters in the same ones."""

import pytest
from django.test import override_settings
from django.utils.translation import override
from minigames import RUNTIMES, START, rule, small_game

from nomopoly.site.said import fault_said

SLIPS = {
    "5 + who.mood": "'+' does not work between a number and nothing",
    "5 ** who.mood": "'**' does not work between a number and nothing",
    "5 - who": "'-' does not work between a number and a thing",
    "who.mood < 5": "'<' does not work between nothing and a number",
    "who.mood.owner": "it reads 'owner' where there is nothing",
    "who.mood[0]": "nothing has no parts to pick from, go through or count",
    "len(who.mood)": "nothing has no parts to pick from, go through or count",
    "'a' + 5": "'+' does not work between a word and a number",
    "5 // 0": "division by zero",
    "[1][3]": "it picks a place in a list that is too short",
    "{'a': 1}['b']": "KeyError: 'b'",
    "int('x')": "invalid literal for int() with base 10: 'x'",
}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_python_says_of_a_slip_is_said_in_plain_words(runtime):
    told = {}
    for at, slip in enumerate(SLIPS):
        code = (
            f'attribute("player", "mood", None)\n\n\n@action("go", "Go")\ndef go(e):\n    who = e.who\n    x = {slip}\n'
        )
        game = small_game(rule("1.1", code), runtime=runtime)
        told[slip] = fault_said(game.order("Ann", "go", {}, START + at).fault["message"])
        game.runtime.close()
    assert told == SLIPS


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_and_in_the_readers_language():
    with override("de"):
        message = "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"
        assert fault_said(message) == "mit '+' lassen sich diese beiden nicht verbinden: eine Zahl, nichts"


@pytest.mark.parametrize("message", ["", "Error", "TypeError: ", "TypeError: 'x", "ValueError: it is 100% of %(left)s"])
def test_what_is_no_such_message_is_left_as_it_is(message):
    assert fault_said(message) in (message, message.partition(": ")[2])

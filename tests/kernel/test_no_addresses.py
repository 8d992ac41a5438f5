"""What a rule makes words of is the same in two runs and both interpreters."""

import os
import subprocess
import sys

import pytest
from minigames import CHANGING, START, done, rule, small_game

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition

WORDS = [
    "str(e)",
    "repr(e)",
    "f'{e}'",
    "str(e.trail)",
    "str((e, e.who))",
    "str(words('a'))",
    "str([number()])",
    "str(rule)",
]
WORDS += [
    "str(thing('Ann'))",
    "str({'a': e.who})",
    "str({'a': 1}.keys())",
    "str(range(3))",
    "str((1, 'a', None, True))",
]
CODE = "event('told-it')\n\n\n@action('go')\ndef go(e):\n    do('told-it')\n\n\n@on('told-it')\ndef told_it(e):\n    e = e.trail[0]\n"
BOOK = load_edition("original")


def said(runtime):
    lines = "".join(f"    tell(None, {each})\n" for each in WORDS)
    game = small_game(CHANGING, rule("1.1", CODE + lines, bonus=4), runtime=runtime)
    facts = done(game.order("Ann", "go", {}, START)).facts
    game.runtime.close()
    return [fact["text"] for fact in facts if fact["what"] == "told"]


def test_words_are_the_same_in_both_interpreters_and_under_another_hash_seed():
    here = said("cpython")
    assert said("monty") == here
    assert not [each for each in here if " at 0x" in each or " object" in each]
    code = (
        "import sys; sys.path[:0] = ['tests', 'tests/kernel']; import test_no_addresses as t; print(t.said('cpython'))"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == str(here)


FUNCTIONS = ["refuse", "players", "e.but", "'x'.upper", "lambda: 1", "map(int, (1,))", "(x for x in (1,))", "str"]


@pytest.mark.parametrize("shown", ["str({})", "repr({})", "f'{{{}}}'", "refuse({})", "tell(None, {})", "name_of({})"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_is_made_words_of(shown, function):
    function = f"({function})" if "f'" in shown else function
    function = function.replace("'x'", '"x"')
    code = f"@after('land')\ndef f(e):\n    {shown.format(function)}\n"
    found = check_changes([{"enact": "X.1", "text": "T", "code": code}], "", BOOK.records, BOOK.commons)
    assert [each for each in found if each.level == "error" and each.line == 3], found

"""What a rule makes words of is the same in two runs and both interpreters."""

import os
import subprocess
import sys

import pytest
from minigames import CHANGING, RUNTIMES, SECRET, START, done, rule, small_game

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import load_game, take_snapshot

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
CODE = (
    "event('told-it')\n\n\n@action('go')\ndef go(e):\n    do('told-it')\n\n\n@on('told-it')\ndef told_it(e):\n    "
    "e = e.trail[0]\n"
)
BOOK = load_edition("original")


WORDLESS = {  # a function, or something made of one at run time, and what is wrong with it
    "x = refuse": "this has no words",
    "x = str": "this has no words",
    "x = type(e)": "this has no words",
    "x = e.but": "this has no words",
    "x = {'a': players_of}": "this has no words",
    "x = (1, [tell])": "this has no words",
    "x = {refuse: 1}.keys()": "this has no words",
    "x = iter((1, 2))": "this has no words",
    "x = {'a', 'b', 'c'}": "this has no words",
    "x = caught()": "an error has no words",
    "x = (caught(), 1)": "an error has no words",
}
SHOWN = ["str(x)", "repr(x)", "f'{x}'", "f'{[x]}'", "f'{x!r}'", "'%s' % x", "'%s %s' % (1, x)", "format(x)"]
SHOWN += ["','.join([str(y) for y in (x,)])", "tell(None, str({1: x}))", "refuse(x)", "name_of(x)"]
ELSE = {
    "x = caught().args": "an error has no words",
    "x = hash('a')": "hash is not for rules",
    "x = id(e)": "id is not for rules",
    "x = ascii(e)": "ascii is not for rules",
    "x = dir(e)": "dir is not for rules",
    "x = e.__doc__": "__doc__ is not for rules",
    "x = 'a'.__str__()": "__str__ is not for rules",
    "x = refuse.__name__": "__name__ is not for rules",
}
HELP = """
def players_of(x):
    return x


def caught():
    try:
        int("x")
    except ValueError as error:
        return error


"""


def small(runtime, lines):
    return small_game(CHANGING, rule("1.1", HELP + CODE + lines, bonus=4), runtime=runtime)


def taken_up(game):
    """The game from its snapshot."""
    again = load_game(game.journal, runtime=game.runtime.name, snapshot=take_snapshot(game), secret=SECRET)
    again.checks = False
    game.runtime.close()
    return again


def said(runtime, later=False):
    game = small(runtime, "".join(f"    tell(None, {each})\n" for each in WORDS))
    game = taken_up(game) if later else game
    facts = done(game.order("Ann", "go", {}, START)).facts
    game.runtime.close()
    return [fact["text"] for fact in facts if fact["what"] == "told"]


def tried(runtime, later=False):
    """What each way says that makes words of something that has none."""
    cases = [f"{made}\n        {shown}" for made in WORDLESS for shown in SHOWN] + [*ELSE]
    lines = ""
    for case in cases:
        lines += (
            f"    try:\n        {case}\n        tell(None, 'words')\n    except ValueError:\n        tell(None, "
            "'none')\n"
        )
    game = small(runtime, lines)
    game = taken_up(game) if later else game
    facts = done(game.order("Ann", "go", {}, START)).facts
    game.runtime.close()
    answers = [fact["text"] for fact in facts if fact["what"] == "told"]
    return [case for case, answer in zip(cases, answers, strict=True) if answer != "none"]


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_has_no_words_has_none_anywhere(runtime, later):
    assert tried(runtime, later) == []


@pytest.mark.parametrize("made", ["x = refuse", "x = caught()", "x = {'a', 'b'}"])
def test_it_is_the_same_fault_everywhere(made):
    found = []
    for runtime in RUNTIMES:
        code = CODE + f"    {made}\n    tell(None, str(x))\n"
        game = small_game(CHANGING, rule("1.1", HELP + code), runtime=runtime)
        fault = game.order("Ann", "go", {}, START).fault
        assert WORDLESS.get(made, "this has no words") in fault["message"]
        found.append(fault)
        game.runtime.close()
    assert found[0] == found[1]


def test_words_are_the_same_in_both_interpreters_and_under_another_hash_seed():
    here = said("cpython")
    assert said("monty") == here
    assert not [each for each in here if " at 0x" in each or " object" in each]
    code = (
        "import sys; sys.path[:0] = ['tests', 'tests/kernel']; import test_no_addresses as t; "
        "print((t.said('cpython'), t.tried('cpython')))"
    )
    assert said("monty", later=True) == said("cpython", later=True) == here
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == str((here, []))


FUNCTIONS = ["refuse", "players", "e.but", "'x'.upper", "lambda: 1", "map(int, (1,))", "(x for x in (1,))", "str"]


@pytest.mark.parametrize("shown", ["str({})", "repr({})", "f'{{{}}}'", "refuse({})", "tell(None, {})", "name_of({})"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_is_made_words_of(shown, function):
    function = f"({function})" if "f'" in shown else function
    function = function.replace("'x'", '"x"')
    code = f"@after('land')\ndef f(e):\n    {shown.format(function)}\n"
    found = check_changes([{"enact": "X.1", "text": "T", "code": code}], "", BOOK.records, BOOK.commons)
    assert [each for each in found if each.level == "error" and each.line == 3], found

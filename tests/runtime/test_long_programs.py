"""Programs that one interpreter could read and the other could not: both refuse them alike, and the check says so
first."""

import pytest
from minigames import CHANGING, change, small_game

from nomopoly.rulebook.check import check_program
from nomopoly.rulebook.outline import Declared
from nomopoly.rulebook.readable import MOST_JUMPED
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.counted import counted

BODY = "    x = 1 + now()\n"
CALLS = "    f(*x, **y)\n"  # of all that was tried, the longest in the sandbox for what it is
DEEP = "nested too deeply"
LONG = "this block is too long"
UNREADABLE = {
    "a chain of and": ("x = " + " and ".join(["(1 or 0)"] * 2500), DEEP),
    "a chain of or": ("x = " + " or ".join(["0"] * 210), DEEP),
    "or within or": ("x = " + "(" * 100 + "1 or 0" + ") or 0" * 100, DEEP),
    "if": ("if now():\n" + BODY * 2000, LONG),
    "for": ("for i in (1,):\n" + BODY * 2000, LONG),
    "one of two": ("x = 1 if now() else [" + ",".join(["now()"] * 6000) + "]", LONG),
}
READABLE = {
    "a chain of and": "x = " + " and ".join(["1"] * 140),
    "or within or": "x = " + "(" * 70 + "1 or 0" + ") or 0" * 70,
    "if": "if now():\n" + BODY * 490,
    "calls": "x = y = 0\nif x:\n" + CALLS * 495,
    "texts": "x = 0\nif now():\n" + "    y = f'{x}{x}{x}'\n" * 320,
    "lists": "x = ()\nfor i in x:\n" + "    x = [*x, *x]\n" * 420,
    "a long program": "def f():\n" + BODY * 5000 + "f()\n",
}


def became(code, runtime):
    """The fault of enacting a program with the check off; "" if there is none."""
    game = small_game(CHANGING, runtime=runtime)
    game.checks = False
    try:
        outcome = change(game, {"enact": "9.1", "text": "A rule.", "code": code})
        assert outcome.refused is None
        return outcome.fault["message"] if outcome.fault else ""
    finally:
        game.runtime.close()


@pytest.mark.parametrize(("code", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_one_interpreter_cannot_read_is_refused_by_both_in_the_same_words(code, words):
    said = became(code, "cpython")
    assert words in said
    assert became(code, "monty") == said


@pytest.mark.parametrize(("code", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_the_check_refuses_it(code, words):
    found = [each.message for each in check_program("9.1", code, {}, Declared(), types=False) if each.level == "error"]
    assert any(words in each for each in found), found


@pytest.mark.parametrize("code", READABLE.values(), ids=READABLE)
def test_what_is_not_so_long_runs_in_both(code):
    assert became(code, "cpython") == became(code, "monty") == ""


def test_no_shipped_program_is_near_the_limit():
    codes = {record["code"] for edition in editions() for record in load_edition(edition).records}
    assert not any("raise SyntaxError" in counted(code) for code in codes)
    assert max(len(code) for code in codes) < 20 * MOST_JUMPED

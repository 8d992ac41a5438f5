"""The check warns of refusals after a draw, and of none that cannot come after one."""

import ast

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.draws import refusals_after_draws
from nomopoly.rulebook.source import editions, load_edition

BOOK = load_edition("original")
TOP = "@action('gamble')\ndef gamble(e):\n"
WARNED = {
    "directly": ("    if chance.die(6) < 6:\n        refuse('lost')\n", [4]),
    "what the dice say": ("    refuse(str([chance.die(6) for each in players()]))\n", [3]),
    "later": ("    face = chance.die(6)\n    for each in players():\n        refuse(f'{face}')\n", [5]),
    "by a function that draws": ("    roll()\n    refuse('lost')\n\n\ndef roll():\n    return chance.die(6)\n", [4]),
    "in both branches": (
        "    if e.who:\n        chance.die(6)\n    else:\n        chance.die(8)\n    refuse('no')\n",
        [7],
    ),
    "a test": ("    if not chance.percent(5):\n        gain(e.who, 1)\n    else:\n        refuse('no')\n", [6]),
    "twice": ("    x = chance.pick([1, 2])\n    if x == 1:\n        refuse('a')\n    refuse('b')\n", [5, 6]),
}
FINE = {
    "before": "    if e.who.money < 5:\n        refuse('too little')\n    gain(e.who, chance.die(6))\n",
    "in another branch": "    if e.who.money < 5:\n        refuse('too little')\n    else:\n        chance.die(6)\n",
    "another function": "    gain(e.who, 1)\n\n\ndef roll():\n    return chance.die(6)\n\n\ndef no():\n    "
    "refuse('no')\n",
    "nothing drawn": "    chance.unforeseen()\n    refuse('no')\n",
}


def warned(code):
    found = check_changes([{"enact": "X.1", "text": "Words.", "code": code}], "", BOOK.records, BOOK.commons)
    return [
        each.line for each in found if each.level == "warning" and each.message.startswith("Refuse before you roll")
    ]


@pytest.mark.parametrize("name", WARNED)
def test_a_refusal_after_a_draw_is_warned_about(name):
    code, lines = WARNED[name]
    assert warned(TOP + code) == lines


@pytest.mark.parametrize("name", FINE)
def test_other_refusals_are_not(name):
    assert warned(TOP + FINE[name]) == []


def test_shipped_rules_refuse_before_they_roll():
    codes = {(name, record["id"]): record["code"] for name in editions() for record in load_edition(name).records}
    assert {rule: lines for rule, code in codes.items() if (lines := refusals_after_draws(ast.parse(code)))} == {}

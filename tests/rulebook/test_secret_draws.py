"""The check warns of draws that everybody sees although nothing comes of them but what is hidden, and of no others."""

import time

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.outline import declared_by, parse
from nomopoly.rulebook.secrecy import draws_that_tell
from nomopoly.rulebook.source import editions, load_edition

BOOK = load_edition("iv")
TOP = """
attribute("player", "role", "", show="owner")
attribute("player", "trap", False, show="admin")
attribute("square", "treasure", 0, show="nobody")
attribute("player", "luck", 0)
event("begin-plot")
event("plot-fails", who="player", only="")


@on("begin-plot")
def begin(e):
"""
WARNED = {
    "who it is": ('put(chance.pick(players()), "role", "traitor")', "role"),
    "by a name": ('one = chance.pick(players())\n    put(one, "role", "traitor")', "role"),
    "what it is": ('for who in players():\n        put(who, "role", chance.pick(("spy", "judge")))', "role"),
    "several": ('for who in chance.sample(players(), 2):\n        put(who, "trap", True)', "trap"),
    "if": ('for who in players():\n        if chance.percent(30):\n            put(who, "trap", True)', "trap"),
    "news for one": (
        'one = chance.pick(players())\n    put(one, "role", "spy")\n    tell(one, f"{name_of(one)}, you are a spy")',
        "role",
    ),
    "a helper that draws": (
        'put(someone(), "role", "spy")\n\n\ndef someone():\n    return chance.pick(players())',
        "role",
    ),
    "a helper that writes": (
        'mark(chance.pick(squares()))\n\n\ndef mark(place):\n    put(place, "treasure", 5)',
        "treasure",
    ),
    "a helper that does both": ('plot()\n\n\ndef plot():\n    put(chance.pick(players()), "role", "spy")', "role"),
    "a sum": ('one = chance.die(6) + 1\n    put(squares()[one], "treasure", one * 10)', "treasure"),
}
FINE = {
    "hidden already": 'put(chance.hidden.pick(players()), "role", "traitor")',
    "seen by all": 'put(chance.pick(players()), "luck", 1)',
    "seen besides": 'one = chance.pick(players())\n    put(one, "role", "spy")\n    gain(one, 5)',
    "told to all": 'one = chance.pick(players())\n    put(one, "role", "spy")\n    tell(None, name_of(one))',
    "nothing comes of it": "chance.die(6)",
    "in a note for some": 'note(only=("admin",))\n    put(chance.pick(players()), "role", "spy")',
    "whether": 'for who in players():\n        if chance.percent(3):\n            put(who, "trap", True)\n           '
    " gain(who, 5)",
    "a helper that shows": 'mark(chance.pick(players()))\n\n\ndef mark(who):\n    put(who, "role", "spy")\n    '
    "gain(who, 5)",
}


def warned(changes, run=""):
    found = check_changes(changes, run, BOOK.records, BOOK.commons)
    return [each.message for each in found if "everybody reads in the log" in each.message]


def rule(code):
    return [{"enact": "3.20", "text": "Words.", "code": TOP + "    " + code}]


@pytest.mark.parametrize("name", WARNED)
def test_a_draw_that_tells_a_secret_is_warned_about(name):
    code, attribute = WARNED[name]
    (message,) = warned(rule(code))
    assert f"'{attribute}'" in message
    assert "write chance.hidden." in message


@pytest.mark.parametrize("name", FINE)
def test_other_draws_are_not(name):
    assert warned(rule(FINE[name])) == []


def test_an_event_that_is_for_some_alone_has_hidden_draws():
    code = (
        FINE["nothing comes of it"]
        + '\n\n\n@on("plot-fails")\ndef fails(e):\n    put(chance.pick(players()), "role", "")'
    )
    assert warned(rule(code)) == []


@pytest.mark.parametrize(("private", "warnings"), [("True", 0), ('"order"', 1), ("False", 1)])
def test_a_private_order_has_hidden_draws(private, warnings):
    order = (
        f'\n\n\n@action("plot", private={private})\ndef order(e):\n    put(e.who, "role", chance.pick(("spy", '
        '"judge")))'
    )
    assert len(warned(rule("pass" + order))) == warnings


def test_in_a_game_of_the_first_form_it_has_not():
    order = '@action("plot", private=True)\ndef order(e):\n    put(e.who, "role", chance.pick(("spy", "judge")))'
    book = [{"id": "1", "code": TOP + "    pass\n\n\n" + order}]
    for commons, warnings in (([], 0), ([("language", "LANGUAGE = 2\n")], 0), ([("old", "X = 2\n")], 1)):
        declared = declared_by(book, commons)
        assert len(draws_that_tell(parse(book[0]["code"]), declared)) == warnings


def test_a_program_that_runs_once_is_looked_at_too():
    (message,) = warned(rule("pass"), 'put(chance.pick(players()), "role", "traitor")')
    assert "write chance.hidden.pick(...)" in message
    assert warned(rule("pass"), 'put(chance.hidden.pick(players()), "role", "traitor")') == []


@pytest.mark.parametrize("edition", editions())
def test_shipped_rules_draw_in_secret_what_is_secret(edition):
    book = load_edition(edition)
    declared = declared_by(book.records, book.commons)
    assert [
        (each["id"], found) for each in book.records for found in draws_that_tell(parse(each["code"]), declared)
    ] == []


def test_a_program_that_leads_round_in_circles_is_read_at_once():
    pairs = "\n\n\n".join(f"def f{n}(who):\n    f{n + 1}(who)\n    f{n + 1}(who)" for n in range(200))
    code = (
        TOP
        + "    f0(chance.pick(players()))\n"
        + "    put(chance.pick(players()), 'role', '')\n" * 500
        + "\n\n"
        + pairs
    )
    code += "\n\n\ndef f200(who):\n    put(who, 'role', 'spy')\n    f0(who)"
    before = time.process_time()
    warned([{"enact": "3.20", "text": "Words.", "code": code}])
    assert time.process_time() - before < 5

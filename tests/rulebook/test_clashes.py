"""Clashes: who wins, why, and that the kernel decides the same."""

from nomopoly.kernel.index import Index, build_index
from nomopoly.kernel.rules import load_rule
from nomopoly.kernel.world import world
from nomopoly.rulebook.clashes import clashes
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.window import clashes_in


def record(id, code, since=0):
    return {
        "id": id, "section": id.partition(".")[0], "section_title": "", "title": "", "text": "Words.", "params": {"n": 1},
        "code": code, "since": since, "made_by": "opening",
    }  # fmt: skip


LAND = '@on("land")\ndef f(e):\n    pass\n'
RENT = '@value("rent", of="square")\ndef f(place):\n    return 1\n'
SET = '@modify("rent")\ndef f(place, base):\n    return set(1)\n'


def told(*records):
    return [str(each) for each in clashes(records)]


def test_the_shipped_book_agrees_with_itself():
    assert clashes(load_edition("original").records) == []


def test_the_older_form_wins():
    assert told(record("I.1", LAND, 5), record("II.1", LAND, 3)) == [
        "II.1 and I.1 both say what happens on 'land': II.1 wins (older form)"
    ]


def test_then_the_lower_number():
    assert told(record("IX.2", RENT), record("X.1", RENT)) == [
        "IX.2 and X.1 both define the value 'rent': IX.2 wins (lower number)"
    ]


def test_what_a_rule_says_goes_first():
    assert told(record("I.1", LAND), record("X.1", LAND + 'overrides("I")\n', 9)) == [
        "X.1 and I.1 both say what happens on 'land': X.1 wins (says it overrides I)"
    ]
    assert told(record("I.1", LAND + 'defers_to("X.1")\n'), record("X.1", LAND, 9)) == [
        "X.1 and I.1 both say what happens on 'land': X.1 wins (I.1 says it defers to X.1)"
    ]


def test_settings_actions_attributes_and_modifiers_that_set():
    action = '@action("land", "Land")\ndef f(e):\n    pass\n'
    assert told(record("I.1", LAND), record("I.2", action))[0].startswith("I.1 and I.2 both say what happens on 'land'")
    setting = 'setting("n")\n'
    assert told(record("I.1", setting), record("I.2", setting)) == [
        "I.1 and I.2 both define the value 'n': I.1 wins (lower number)"
    ]
    mood = 'attribute(("player", "square"), "mood", "")\n'
    assert told(record("I.1", mood), record("I.2", 'attribute("square", "mood", "")')) == [
        "I.1 and I.2 both declare 'square.mood': I.1 wins (lower number)"
    ]
    assert told(record("I.1", SET), record("I.2", SET)) == [
        "I.1 and I.2 both set the value 'rent': I.1 wins (lower number)"
    ]


def test_rows_of_catalogues():
    row = 'row("unit", "archer", attack=3)\n'
    assert told(record("I.1", row), record("I.2", 'row("unit", "elf", attack=3)\n')) == []
    assert told(record("I.1", row), record("I.2", row + 'row("unit", name)\n')) == [
        "I.1 and I.2 both declare the row 'unit archer': I.1 wins (lower number)"
    ]


def test_one_rule_does_not_clash_with_itself_nor_a_broken_program_with_anything():
    assert told(record("I.1", LAND + LAND), record("I.2", "def ("), record("I.3", "x" * 200_000)) == []


def test_the_kernel_finds_the_same():
    code = 'event("land", who="player")\nkind("square")\nattribute("square", "mood", "")\nsetting("n")\n'
    code += 'row("unit", "elf", attack=3)\n'
    records = [
        record("I.1", LAND + code, 4),
        record("I.2", LAND + RENT + 'row("unit", "elf", attack=4)\n', 2),
        record("I.10", LAND + RENT + 'overrides("I.2")', 7),
        record("II.1", 'defers_to("I.1")\nattribute("square", "mood", "")\nsetting("n")\n' + LAND, 1),
    ]
    world.__init__()
    try:
        from nomopoly.kernel.language import WORDS

        world.language = dict(WORDS)
        world.index = Index()
        found = clashes_in(build_index([load_rule(each) for each in records], Index()))
    finally:
        world.__init__()
    mine = [vars(each) for each in clashes(records)]
    assert sorted(mine, key=str) == sorted(found, key=str)

"""Section modules: parsed, written back, and what is wrong with them."""

import ast
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomopoly.errors import CommandError
from nomopoly.rulebook.source import (
    SourceError,
    editions,
    load_edition,
    number_key,
    parse_module,
    prose,
    trim,
    write_module,
)

MODULE = '''"""Section VIII."""

section("VIII", "Ownership")

rule("VIII.2", """
A name has {longest} letters.
""", title="Naming", longest=40)


@check("name-square")  # a comment of the code
def may_name(e):
    return rule.longest


# This comment belongs to neither rule.
rule("VIII.3", """
Kept by the players.
""")
'''


def test_code_until_the_next_rule_belongs_to_a_rule():
    first, second = parse_module(MODULE)
    assert first == {
        "id": "VIII.2",
        "section": "VIII",
        "section_title": "Ownership",
        "title": "Naming",
        "text": "A name has {longest} letters.",
        "params": {"longest": 40},
        "code": '@check("name-square")  # a comment of the code\ndef may_name(e):\n    return rule.longest',
        "since": 0,
        "made_by": "opening",
    }
    assert second["code"] == ""
    assert second["title"] == ""


def test_line_ends_of_other_systems():
    assert parse_module(MODULE.replace("\n", "\r\n")) == parse_module(MODULE)


def test_what_looks_like_a_comment_inside_a_text_stays():
    code = 'TEXT = """\n# not a comment"""'
    module = f'section("I", "A")\nrule("I.1", "words")\n{code}\nrule("I.2", "more")\n'
    assert parse_module(module)[0]["code"] == code


def test_signs_that_only_some_take_for_line_ends():
    module = 'section("I", "A")\nrule("I.1", "a\\u2028b")\nX = "\u2028"\nY = 2\nrule("I.2", "more")\nZ = 3\n'
    assert [record["code"] for record in parse_module(module)] == ['X = "\u2028"\nY = 2', "Z = 3"]


BAD = [
    ("x = 1", "m.py: line 1: code before the first rule(...)"),
    ('"""Doc."""\nx = 1', "m.py: line 2: code before the first rule(...)"),
    (
        'rule("I.1", "words")',
        'm.py: line 1: rule(...) before section(...): write section("VIII", "Ownership") above it',
    ),
    ('section("I")', 'm.py: line 1: write section("VIII", "Ownership")'),
    ('section("I", "A")\nrule("I.1")', "m.py: line 2: the prose of rule I.1 is missing"),
    ('section("I", "A")\nrule("I.1", title="T")', "m.py: line 2: the prose of rule I.1 is missing"),
    ('section("I", "A")\nrule("I.1", " \\n")', "m.py: line 2: the prose of rule I.1 is missing"),
    ('section("I", "A")\nrule()', "m.py: line 2: the rule's number is missing"),
    ('section("I", "A")\nrule(1.1, "words")', "m.py: line 2: the rule's number is missing"),
    ('section("I", "A")\nrule("I 1!", "words")', "m.py: line 2: 'I 1!' is no rule number"),
    ('section("I", "A")\nrule("P12", "words")', "m.py: line 2: 'P12' is no rule number"),
    ('section("I", "A")\nrule("I.1", "words", 7)', "m.py: line 2: the numbers of rule I.1 need names"),
    ('section("I", "A")\nrule("I.1", "a", n=x)', "m.py: line 2: rule(...) takes plain words and numbers alone"),
    ('section("I", "A")\nrule("I.1", "a", **x)', "m.py: line 2: rule(...) takes no **"),
    ('section("I", "A")\nrule("I.1", "a")\n\nrule("I.1", "b")', "m.py: line 4: rule I.1 stands here twice"),
    (
        'section("I", "A")\nrule("I.1", "a"); x = 1',
        "m.py: line 2: begin each rule(...), and its code, on a line of its own",
    ),
    (
        'section("I", "A")\nrule("I.1", "a")\nsection("II", "B")\nx = 1',
        "m.py: line 4: code right after section(...): it belongs under a rule(...)",
    ),
    ('section("I", "A")\nrule("I.1", "a")\ndef f(:\n', "m.py: line 3: this is not Python: "),
    ('section("I", "A")\nrule("I.1", "a\0b")', "m.py: line 1: this is not Python: "),
    ("x = " + "-" * 100_000 + "1", "m.py: line 1: this cannot be read: "),
    ("x = 1" + "+1" * 100_000, "m.py: line 1: this cannot be read: "),
    ("(" * 1000, "m.py: line 1: this is not Python: too many nested parentheses"),
    ("x = '\ud800'", "m.py: line 1: this cannot be read: "),
]


@pytest.mark.parametrize(("source", "message"), BAD)
def test_errors_name_file_and_line(source, message):
    with pytest.raises(SourceError) as error:
        parse_module(source, "m.py")
    assert str(error.value).startswith(message)


names = st.text(string.ascii_lowercase, min_size=1, max_size=8).filter(
    lambda name: name.isidentifier() and name != "title"
)
words = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
numbers = st.one_of(st.integers(), st.booleans(), words, st.tuples(st.integers(), words))
PROGRAMS = [
    "",
    "# only a comment",
    "x = 1\n# at the end",
    '@on("land")\ndef land(e):\n    pay(e.who, 5)\n\n\n# between\ndef other():\n    return "{curly}"',
    'X = """\n# inside\n\nrule("I.9", "no")\n"""',
    'attribute("player", "mood", "", label="Mood — ✓")\n\tX = 1'.replace("\n\t", "\n"),
]


def is_keyword(name):
    try:
        ast.parse(f"f({name}=1)")
    except SyntaxError:
        return True
    return False


@st.composite
def books(draw):
    records = []
    for at in range(draw(st.integers(0, 5))):
        section = str(1 + at // 2)
        records.append(
            {
                "id": f"{section}.{at + 1}" + draw(st.sampled_from(["", "/row", "/two words"])),
                "section": section,
                "section_title": f"Part {section}",
                "title": draw(words),
                "text": draw(words.map(lambda text: text.strip("\n")).filter(str.strip)),
                "params": draw(st.dictionaries(names.filter(lambda name: not is_keyword(name)), numbers, max_size=3)),
                "code": draw(st.sampled_from(PROGRAMS)),
                "since": 0,
                "made_by": "opening",
            }
        )
    return records


@given(books(), words)
def test_a_module_written_and_read_again_is_the_same(records, docstring):
    assert parse_module(write_module(records, docstring)) == records


@pytest.mark.parametrize("code", ["x = 1\n\n", 'rule("I.2", "no")', "x = (", "   x = 1"])
def test_programs_that_would_read_differently_are_not_written(code):
    record = {**parse_module('section("I", "A")\nrule("I.1", "words")')[0], "code": code}
    with pytest.raises(SourceError):
        write_module([record])


@pytest.mark.parametrize("edition", editions())
def test_shipped_editions_load_in_order(edition):
    book = load_edition(edition)
    assert book.edition == edition
    assert book.title
    assert [record["id"] for record in book.records] == sorted([r["id"] for r in book.records], key=number_key)
    assert all(source for _, source in book.commons)
    assert parse_module(write_module(book.records)) == book.records


def test_the_original_edition_has_its_27_rules_and_one_of_what_is_gone():
    book = load_edition("original")
    assert len({record["id"] for record in book.records}) == 28
    assert list(dict.fromkeys(record["section"] for record in book.records)) == [
        "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "D",
    ]  # fmt: skip


def test_an_unknown_edition_names_those_there_are():
    with pytest.raises(CommandError, match="there is no edition 'nope': there are .*original"):
        load_edition("nope")


def test_rule_numbers_sort_as_readers_do():
    ordered = ["9.9", "9.10", "9.10/a", "IX.2", "IX.10", "X.1", "XIV.4", "12.7", "12.7/warrior", "12.8"]
    assert sorted(ordered[3:7], key=number_key) == ordered[3:7]
    assert sorted(["9.10", "9.9", "9.10/a"], key=number_key) == ["9.9", "9.10", "9.10/a"]
    assert sorted(["12.8", "12.7/warrior", "12.7"], key=number_key) == ["12.7", "12.7/warrior", "12.8"]


@pytest.mark.parametrize(
    ("text", "params", "shown"),
    [
        ("{days} days", {"days": 7}, "7 days"),
        ("by ${flat}, or {pct}%", {"flat": 1500, "pct": 30}, "by $1500, or 30%"),
        ("{unknown} and {} and { and } and {{days}}", {"days": 7}, "{unknown} and {} and { and } and {7}"),
        ("open: {free}, {list}", {"free": True, "list": (1, "two")}, "open: yes, 1, two"),
    ],
)
def test_prose_has_the_numbers_filled_in(text, params, shown):
    assert prose({"text": text, "params": params}) == shown


def test_trim_takes_blank_lines_alone():
    assert trim("\n  \n\n  x = 1\n\n y\n \n") == "  x = 1\n\n y"
    assert trim(" \n\n") == ""

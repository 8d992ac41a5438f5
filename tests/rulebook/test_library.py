"""The rules of the library: each does what its example says, and what a game is offered fits what its rules declare."""

import re
from dataclasses import replace

import pytest

from nomopoly.errors import CommandError
from nomopoly.lab.forecast import changed_book, play_example
from nomopoly.rulebook import library
from nomopoly.rulebook.check import check_once
from nomopoly.rulebook.outline import declared_by
from nomopoly.rulebook.source import Book, editions, load_edition

EMPTY = "scenario: nothing\nedition: {}\nplayers: [Ann, Ben]\nsteps: [{{advance: 1h}}]\n"
GAP = re.compile(r"[#$]?\{\w+\}")
FILES = [each for each in library.shipped() if each.example]


def fitting(edition):
    book = load_edition(edition)
    return book, library.recipes(declared_by(book.records, book.commons))


def changes_of(entries, section="LX"):
    """One change for each rule of the library."""
    return [
        {"enact": f"{section}.{at}", "text": each.text, "params": each.params, "code": each.code}
        for at, each in enumerate(entries, 1)
        if each.text
    ]


def with_rules(book, entries):
    return Book(book.edition, book.title, changed_book(book.records, changes_of(entries)), book.commons)


@pytest.mark.parametrize("edition", editions())
def test_every_game_is_offered_recipes_that_pass_the_check(edition):
    book, offered = fitting(edition)
    assert [each.recipe for each in offered] == list(library.RECIPES)
    for each in offered:
        problems = check_once(changes_of([each]), each.run, book.records, book.commons)
        assert [(problem.line, problem.message) for problem in problems if problem.level == "error"] == [], each.name


@pytest.mark.parametrize("edition", editions())
def test_the_recipes_of_a_game_come_into_force_together(edition):
    book, offered = fitting(edition)
    once = "\n".join(each.run for each in offered if each.run)
    result = play_example(with_rules(book, offered), once, EMPTY.format(edition))
    assert result.failure is None, result.failure


def test_what_a_program_asks_a_dictionary_is_no_attribute():
    """`.get` was named as an attribute that the game lacks."""
    book = load_edition("original")
    code = """
@after("bought")
def count(e):
    many = {}
    for who in players():
        many[who] = many.get(who, 0) + who.luck
"""
    entry = library.Entry("x", title="X", about="X", text="X", code=code, run="")
    found = library.missing(entry, declared_by(book.records, book.commons))
    assert sorted(found) == [("attribute", "luck"), ("event", "bought")]


@pytest.mark.parametrize("entry", FILES, ids=lambda each: each.name)
def test_a_rule_does_what_its_example_says(entry):
    book = load_edition(entry.edition)
    assert library.missing(entry, declared_by(book.records, book.commons)) == []
    result = play_example(with_rules(book, [entry]), entry.run, entry.example)
    assert result.failure is None, result.failure


@pytest.mark.parametrize("entry", FILES, ids=lambda each: each.name)
def test_an_example_fails_without_its_rule(entry):
    assert play_example(load_edition(entry.edition), "", entry.example).failure is not None


@pytest.mark.parametrize("entry", library.shipped(), ids=lambda each: each.name)
def test_german_says_the_same_with_the_same_numbers(entry):
    german = library.here(entry, "de")
    assert [german.title, german.about] != [entry.title, entry.about]
    assert sorted(GAP.findall(german.text)) == sorted(GAP.findall(entry.text))
    assert replace(german, title=entry.title, about=entry.about, text=entry.text) == entry
    assert library.here(entry, "en") == entry


def test_a_rule_of_ones_own_with_the_name_of_a_shipped_one_is_said_as_it_is():
    mine = library.read("loan", "title: Mine\nabout: A loan.\ntext: A loan.\n")
    assert library.here(mine, "de") == mine


@pytest.mark.parametrize("edition", editions())
def test_a_rule_of_which_a_game_lacks_nothing_passes_its_check(edition):
    book = load_edition(edition)
    declared = declared_by(book.records, book.commons)
    fits = [each for each in library.shipped() if not library.missing(each, declared)]
    assert len(fits) >= 16
    for each in fits:
        assert check_once(changes_of([each]), each.run, book.records, book.commons) == [], each.name


@pytest.mark.parametrize("edition", editions())
def test_a_rule_declares_nothing_that_a_rule_of_the_game_declares_already(edition):
    book = load_edition(edition)
    declared = declared_by(book.records, book.commons)
    known = {*declared.events, *declared.kinds, *declared.values}
    known |= {(kind, name) for name, kinds in declared.attributes.items() for kind in kinds}
    for each in library.shipped():
        own = set(re.findall(r'(?:\bevent|\bkind|\bcalendar|@action|@value)\(\s*"([\w-]+)"', each.code))
        own |= set(re.findall(r'\battribute\("([\w-]+)", "([\w-]+)"', each.code))
        assert own or not re.search("attribute|@action|calendar", each.code), each.name
        if not library.missing(each, declared):
            assert own & known == set(), each.name


def test_squares_without_owners_are_named_also_where_all_of_them_are_gone_through():
    book = load_edition("iv")
    declared = declared_by(book.records, book.commons)
    for name in ("for_the_poorest", "auction"):
        entry = next(each for each in library.shipped() if each.name == name)
        assert library.missing(entry, declared) == [("attribute of a square", "owner")]
        problems = check_once(changes_of([entry]), "", book.records, book.commons)
        assert {(each.level, each.message) for each in problems} == {("warning", "a square has no attribute 'owner'")}


def test_what_a_game_lacks_is_named():
    book = load_edition("iv")
    rent = next(each for each in library.shipped() if each.name == "rent")
    assert library.missing(rent, declared_by(book.records, book.commons)) == [("attribute of a square", "owner")]
    book = load_edition("original")
    rent = next(each for each in library.shipped() if each.name == "rent_buildings")
    assert ("kind of thing", "building") in library.missing(rent, declared_by(book.records, book.commons))


def test_rules_are_found_by_their_words_events_and_things():
    assert "rent" in [each.name for each in library.search(library.shipped(), "SQUARE owner pays")]
    assert "tax" in [each.name for each in library.search(library.shipped(), "calendar")]
    assert library.search(library.shipped(), "no such words") == []


@pytest.mark.parametrize(
    ("text", "why"),
    [("title: T\nabout: A\n", "the text is missing"), ("title: T\ntext: A\n", "the about is missing"),
     ("titel: T\n", "a rule of the library has no titel"), ("- 1\n", "begin with title")],
)  # fmt: skip
def test_a_file_that_is_none_says_why(text, why):
    with pytest.raises(CommandError, match=why):
        library.read("mine", text)

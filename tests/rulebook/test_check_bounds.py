"""A check takes time in proportion to the text, and says no more than can be read."""

import measured
import pytest

from nomopoly.rulebook.check import check_changes, check_once
from nomopoly.rulebook.source import load_edition

BOOK = load_edition("original")
SECONDS = 0.7  # of work, measured


def check(changes, run=""):
    return check_changes(changes, run, BOOK.records, BOOK.commons)


def enact(code="", text="It is so.", number="IX.9"):
    return {"enact": number, "text": text, "code": code}


def unknown_names(count):
    return "def f(e):\n" + "\n".join(f"    here_{n} = nowhere_{n} + never_{n}.part_{n}" for n in range(count))


CHAIN = "def f0(e):\n    tell(None, 'x')\n" + "\n".join(f"def f{n}(e):\n    f{n - 1}(e)" for n in range(1, 3000))
FIELDS = "\n".join(f"event('x{n}', y=1)" for n in range(2500)) + "\ndef f(e):\n" + "    e.y\n" * 4000
ATTRIBUTES = (
    "\n".join(f"attribute('player', 'q{n}', 0)" for n in range(1200))
    + "\ndef f(e):\n"
    + "\n".join(f"    create('player', z{n}=1)" for n in range(1800))
)


@pytest.mark.parametrize(
    "changes",
    [
        [enact(unknown_names(1800))],
        [enact(CHAIN)],
        [enact(FIELDS)],
        [enact(ATTRIBUTES)],
        [enact(text="{a}" * 10_000)],
        [enact(text=" ".join(f"{{a{n}}}" for n in range(7000)))],
        [enact(text="x", number=f"9.{n}") for n in range(500)],
        [enact("def f(e):\n    return " + "a" * 90_000)],
    ],
    ids=["names", "chain", "fields", "attributes", "numbers", "more numbers", "rules", "one name"],
)
def test_a_check_takes_time_in_proportion_to_the_text(changes):
    with measured.within(SECONDS):
        problems = check(changes)
    assert len(problems) <= 101
    assert sum(len(str(each)) for each in problems) < 50_000


def test_the_first_hundred_problems_are_shown_and_the_others_counted():
    problems = check([enact(unknown_names(1500))])
    assert len(problems) == 101
    assert problems[-1].message == "and 4,400 more problems"
    assert {each.level for each in problems} == {"error"}


def test_many_warnings_do_not_hide_an_error():
    code = "def f(e):\n" + "    raise e\n" * 300 + "    nonesuch\n"
    problems = check([enact(code)])
    assert problems[0].message.startswith("'nonesuch' is not known here")
    assert problems[-1].message.startswith("and ")


def test_only_the_first_names_get_a_hint():
    problems = check([enact("def f(e):\n" + "    plyers()\n" * 60)])
    hints = [each for each in problems if "did you mean 'players'" in each.message]
    assert len(hints) == 40
    assert len(problems) == 60


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([enact(text="x" * 50_001)], "its text is too long: 50,001 characters, at most 50,000"),
        ([{**enact(), "title": "x" * 501}], "its title is too long: 501 characters, at most 500"),
        ([enact("x = 1\n" * 20_000)], "the program is too long: 120000 characters, at most 100000"),
        (
            [enact("#" * 90_000, number=f"9.{n}") for n in range(3)],
            "the programs are too long together: 270,000 characters, at most 250,000. Make two proposals of it",
        ),
        (
            [enact(text="x" * 50_000, number=f"9.{n}") for n in range(9)],
            "the texts are too long together: 450,000 characters, at most 400,000. Make two proposals of it",
        ),
        (
            [enact(number=f"9.{n}") for n in range(501)],
            "too many changes: 501, at most 500 in one proposal. Make two of it",
        ),
    ],
)
def test_what_is_too_long_is_refused_with_a_sentence(changes, sentence):
    assert [each.message for each in check(changes)] == [sentence]


def test_a_check_that_was_made_is_remembered(monkeypatch):
    changes = [enact("def f(e):\n    return plyers()")]
    first = check_once(changes, "", BOOK.records, BOOK.commons)
    monkeypatch.setattr("nomopoly.rulebook.check.check_changes", None)
    assert check_once(changes, "", BOOK.records, BOOK.commons) == first
    with pytest.raises(TypeError):
        check_once(changes, "x = 1", BOOK.records, BOOK.commons)

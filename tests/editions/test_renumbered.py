"""No outcome hangs on the number of a rule: with all rules under other numbers the scenarios of an edition hold too.

Some of them are played here; all of them in `make soak`.
"""

import os
from functools import cache

import pytest
import shipped

from nomopoly.rulebook.check import check_book
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.scenarios import form, play

from .renumbering import renumbered_book, renumbered_scenario, renumbering

EVERY = 1 if os.environ.get("NOMOPOLY_SOAK") else 40
PLAYED = [
    (folder.parent.name, where, data)
    for folder in form.shipped()
    for where, data in shipped.of_edition(folder.parent.name)[::EVERY]
]


@cache
def renumbered(edition):
    book = load_edition(edition)
    return renumbered_book(book), renumbering(book)


@pytest.mark.parametrize("numbers", ["its own", "fresh"])
@pytest.mark.parametrize("edition", editions())
def test_a_shipped_book_has_no_problems(edition, numbers):
    """Under both numbers one after the other: most programs name no rule, and have been looked through for type errors
    then."""
    book = load_edition(edition) if numbers == "its own" else renumbered(edition)[0]
    assert check_book(book.records, book.commons) == []


@pytest.mark.parametrize("edition", editions())
def test_no_number_is_left(edition):
    old = {record["id"] for record in load_edition(edition).records}
    assert not {record["id"] for record in renumbered(edition)[0].records} & old


@pytest.mark.parametrize(("edition", "where", "data"), PLAYED, ids=[data["scenario"] for _, _, data in PLAYED])
def test_scenario_under_other_numbers(edition, where, data):
    book, change = renumbered(edition)
    assert play.run(renumbered_scenario(data, change), where, "cpython", book=book).failure is None


def test_references_are_renumbered_with_the_rules():
    change = renumbering(load_edition("mail"))
    numbers = [change(number) for number in ("X.2", "II.8/x", "D.1", "XX.3", "XXXVII.1", "#10", "v-8", "I.M", "X.25")]
    assert numbers == ["110.102", "102.108/x", "130.101", "120.103", "XXXVII.1", "#10", "v-8", "I.M", "X.25"]

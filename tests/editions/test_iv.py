"""Edition `iv`: all its rules are there, in order, and its scenarios hold in both runtimes."""

import pytest

from nomopoly.rulebook.check import check_book
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import scenarios

LAST = {1: 4, 2: 3, 3: 5, 4: 3, 5: 2, 6: 1, 7: 9, 8: 3, 9: 10, 10: 4, 11: 3, 12: 9}
ROWS = ["12.7/warrior", "12.8/fort", "12.9/attack", "12.9/move", "12.9/recruit-warrior"]
FOLDER = next(folder for folder in scenarios.shipped() if folder.parent.name == "iv")
SCENARIOS = [each for path in scenarios.find([FOLDER]) for each in scenarios.load(path)]


def test_every_rule_is_in_the_book_in_order():
    numbers = [record["id"] for record in load_edition("iv").records]
    assert [id for id in numbers if "/" not in id] == [f"{s}.{r}" for s in LAST for r in range(1, LAST[s] + 1)]
    assert sorted(id for id in numbers if "/" in id) == ROWS


def test_every_rule_has_prose_and_a_heading():
    for record in load_edition("iv").records:
        assert len(record["text"]) > 15, record["id"]
        assert record["title"], record["id"]


def test_the_check_finds_nothing_in_the_shipped_book():
    book = load_edition("iv")
    assert check_book(book.records, book.commons) == []


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize(("where", "data"), SCENARIOS, ids=[data["scenario"] for _, data in SCENARIOS])
def test_scenario(where, data, runtime):
    assert scenarios.run(data, where, runtime).failure is None

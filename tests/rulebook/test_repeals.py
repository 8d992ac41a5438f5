"""How many rules of each edition can be repealed alone, by the check. `nomopoly soak EDITION --repeals` plays on
without each."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import editions, load_edition

WANTED = 90  # per cent
STEP = {"mail": 4, "ii": 5}  # one rule in so many is looked at, as the check of a large book takes a tenth of a second


@pytest.mark.parametrize("edition", editions())
def test_nearly_every_rule_can_be_repealed_alone(edition):
    book = load_edition(edition)
    looked_at = [each["id"] for each in book.records if each["code"]][:: STEP.get(edition, 1)]
    problems = {id: check_changes([{"repeal": id}], "", book.records, book.commons) for id in looked_at}
    leaned_on = {id: [str(each) for each in found] for id, found in problems.items() if found}
    assert 100 * len(leaned_on) <= (100 - WANTED) * len(looked_at), leaned_on


def test_without_what_is_said_of_absences_most_rules_lean_on_others():
    """So that the test above can fail."""
    book = load_edition("original")
    bare = [each for each in book.records if "absent(" not in each["code"]]
    silent = [each["id"] for each in bare if not check_changes([{"repeal": each["id"]}], "", bare, book.commons)]
    assert len(silent) < len(bare) * 6 // 10

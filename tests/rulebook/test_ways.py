"""What the check says of changes after which nobody can propose, vote, or count votes."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition


def said(edition, *changes, run=""):
    book = load_edition(edition)
    return {(each.rule, each.message) for each in check_changes(list(changes), run, book.records, book.commons)}


@pytest.mark.parametrize(
    ("edition", "rule", "sentence"),
    [
        ("original", "IX.1", "after these changes no player can propose anything any more"),
        ("mail", "IX.1", "after these changes no player can propose anything any more"),
        ("iv", "9.1", "after these changes no player can propose anything any more"),
        ("iv", "9.5", "after these changes nobody can vote any more"),
        ("iv", "9.6", "after these changes no vote by 'vote' is ever counted"),
        ("iv", "9.7", "after these changes the Admin can put no proposal into effect any more"),
        ("original", "IX.3", "after these changes the Admin can put no proposal into effect any more"),
    ],
)
def test_who_leaves_no_way_to_change_the_rules_is_warned(edition, rule, sentence):
    assert (rule, sentence) in said(edition, {"repeal": rule})
    assert (rule, sentence) in said(edition, run=f'repeal("{rule}")')


def test_what_is_declared_elsewhere_at_once_is_not_missed():
    book = load_edition("iv")
    voting = next(each for each in book.records if each["id"] == "9.5")
    moved = {"enact": "9.11"} | {part: voting[part] for part in ("title", "text", "code")}
    assert not [words for _, words in said("iv", {"repeal": "9.5"}, moved) if "vote" in words]


def test_other_rules_that_go_give_no_such_warning():
    assert not said("iv", {"repeal": "8.3"})
    assert not said("iv", {"repeal": "9.9"})

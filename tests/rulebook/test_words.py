"""The list of words of an edition holds what its rules can say, and nothing that would break."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition
from nomopoly.rulebook.words import words_of

EDITIONS = ("original", "mail", "ii", "iv")


def listed(edition, sort):
    book = load_edition(edition)
    return [each["name"] for each in words_of(book.records, book.commons) if each["sort"] == sort]


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_shared_word_is_listed_that_needs_what_no_rule_declares(edition):
    book = load_edition(edition)
    code = "def f():\n" + "".join(f"    {name}(*())\n" for name in listed(edition, "shared"))
    found = check_changes([{"enact": "99.1", "text": "T", "code": code}], "", book.records, book.commons)
    assert [each.message for each in found if "which no rule declares" in each.message] == []


def test_what_is_afforded_is_a_word_where_a_rule_says_what_may_be_spent():
    assert [edition for edition in EDITIONS if "must_afford" in listed(edition, "shared")] == ["ii"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_game_can_win_take_a_question_back_and_count_ballots(edition):
    assert {"win", "withdraw_question", "tally"} <= set(listed(edition, "shared"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_sentences_of_the_log_have_gaps_and_no_names_of_fields_in_braces(edition):
    book = load_edition(edition)
    found = words_of(book.records, book.commons)
    assert [each["text"] for each in found if each["sort"] in ("event", "fact") and "{" in each["text"]] == []
    assert [each for each in found if each["name"] == "paid" and "… pays … $…" in each["text"]]


def test_a_value_that_takes_some_contributions_alone_says_which():
    book = load_edition("mail")
    found = {each["name"]: each["text"] for each in words_of(book.records, book.commons) if each["sort"] == "value"}
    assert found["rent_due"].endswith("the rent value of the square. Rules may bend it by set, add, at_least only.")
    assert "may bend it" not in found["rent_part"]

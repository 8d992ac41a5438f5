"""A comparison is a correct one whatever is compared, and takes time in proportion to a budget."""

import measured
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomopoly.rulebook import diff
from nomopoly.rulebook.diff import RuleDiff, budget, diff_books, diff_lines, diff_words, earlier_of, is_coarse, later_of
from nomopoly.rulebook.source import load_edition

SECONDS = 0.4  # of work, measured
WORDS = st.lists(st.sampled_from(["a", "b", "rent", "| ", "\n", " ", ". ", "é", "$5", "\t", "\r\n"]), max_size=60).map(
    "".join
)


def is_comparison(tokens, old, new):
    return earlier_of(tokens) == old and later_of(tokens) == new


def timed(compare, old, new):
    with measured.within(SECONDS):
        tokens = compare(old, new)
    assert is_comparison(tokens, old, new)
    return tokens


@pytest.fixture(autouse=True)
def forgotten():
    diff._compared.clear()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a b " * 500, "a c " * 500),
        ("a b " * 20_000, "a c " * 20_000),
        ("It is so. " * 200_000, "It is so! " * 100_000),
        ("|" * 20_000, "|a" * 20_000),
        ("a. " * 20_000, "b. a. " * 10_000),
        ("a" * 1_000_000, "a" * 999_999 + "b"),
        ("\n" * 30_000, " \n" * 20_000),
    ],
)
@pytest.mark.parametrize("compare", [diff_words, diff_lines])
def test_nasty_texts_are_compared_in_time(compare, old, new):
    timed(compare, old, new)


def test_an_honest_text_of_a_thousand_words_is_compared_word_by_word():
    words = [f"word{number * 7919 % 400}" for number in range(1500)]
    old = " ".join(words)
    new = old.replace("word7 ", "term7 ").replace("word300 word", "word300 and word")
    tokens = timed(diff_words, old, new)
    assert not is_coarse(old, new)
    assert len(tokens) > 10
    assert sum(len(text) for mark, text in tokens if mark == "same") > 0.9 * len(old)


def test_what_is_too_long_for_words_is_compared_by_sentences():
    old = "".join(f"Sentence {number} is so. " + "a b " * 400 for number in range(5))
    new = old.replace("Sentence 3", "Phrase 3")
    old_worse, new_worse = "b a " * 900 + "Kept. " + old, "a c " * 900 + "Kept. " + new
    tokens = timed(diff_words, old_worse, new_worse)
    assert is_coarse(old_worse, new_worse)
    assert any(mark == "same" and "Sentence 2 is so." in text for mark, text in tokens)


@settings(max_examples=300, deadline=None)
@given(WORDS, WORDS, st.sampled_from([0, 30, 300, 3_000_000]))
def test_a_comparison_gives_both_texts_back(old, new, work):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diff, "MOST_WORK", work)
        diff._compared.clear()
        for compare in (diff_words, diff_lines):
            tokens = compare(old, new)
            assert is_comparison(tokens, old, new)
            assert all(text for _, text in tokens)
    diff._compared.clear()


def nasty_rule(number, word):
    record = {**load_edition("original").records[0], "id": f"X.{number}", "title": "", "params": {}, "code": ""}
    return {**record, "text": f"{number} " + f"a {word} " * 50}


def test_a_page_of_many_nasty_rules_has_one_budget():
    changed = diff_books([nasty_rule(n, "b") for n in range(200)], [nasty_rule(n, "c") for n in range(200)]).changed
    assert len(changed) == 200
    with measured.within(3 * SECONDS), budget():
        for each in changed:
            assert is_comparison(each.text, each.before["text"], each.after["text"])
        assert changed[-1].coarse
    assert not RuleDiff("changed", nasty_rule(999, "b"), nasty_rule(999, "c")).coarse, "alone there is time for it"


def test_many_rules_that_go_and_come_are_looked_at_in_time():
    old = [nasty_rule(n, "b") for n in range(60)]
    new = [nasty_rule(n, "c") for n in range(100, 160)]
    with measured.within(SECONDS):
        found = diff_books(old, [*new, {**old[7], "id": "Y.1"}])
    assert [each.id for each in found.rules if each.mark == "moved" and each.old_id == "X.7"] == ["Y.1"]

"""Precedence that nobody should state: over itself, over the kernel, both ways, over what there is not."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

BOOK = load_edition("original")


def enacted(code, number="X.1"):
    return {"enact": number, "text": "Words.", "code": code}


def problems(*changes):
    found = check_changes(list(changes), "", BOOK.records, BOOK.commons)
    return [f"{each.level}: {each.message}" for each in found]


@pytest.mark.parametrize("word", ["overrides", "defers_to"])
def test_no_rule_goes_before_itself(word):
    assert problems(enacted(f"{word}('X.1')")) == [
        "error: X.1 is this rule itself: it goes neither before nor behind itself"
    ]


def test_no_rule_goes_before_the_kernel():
    assert problems(enacted("overrides('kernel')\n\n\n@on('emergency-closes')\ndef no(e):\n    return None")) == [
        "error: what belongs to the kernel goes before every rule: take this line out"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("overrides('X.2')", "overrides('X.1')"),
        ("overrides('X.2')", "overrides('X')"),
        ("defers_to('X.2')", "defers_to('X.1')"),
        ("overrides('X.2')\ndefers_to('X.2')", ""),
        ("overrides('X')\ndefers_to('X.2')", ""),
    ],
)
def test_of_two_rules_only_one_goes_first(one, other):
    found = problems(enacted(one), enacted(other, "X.2"))
    assert "error: X.1 is to go before X.2 and X.2 before X.1: say one of the two" in found


def test_a_new_rule_may_not_contradict_one_in_force():
    first = BOOK.records[0]["id"]
    book = [{**BOOK.records[0], "code": "overrides('X.1')"}, *BOOK.records[1:]]
    found = check_changes([enacted(f"overrides('{first}')")], "", book, BOOK.commons)
    assert [each.message for each in found if each.level == "error"] == [
        f"X.1 is to go before {first} and {first} before X.1: say one of the two"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [("overrides('X.2')", "defers_to('X.1')"), ("overrides('X')", ""), ("overrides('VIII')\ndefers_to('VI.4')", "")],
)
def test_a_whole_section_may_be_named(one, other):
    assert problems(enacted(one), enacted(other, "X.2")) == []


@pytest.mark.parametrize("number", ["VI.99", "XX", "X", "X.1/a"])
def test_a_rule_that_there_is_not_is_pointed_out(number):
    assert [each[:25] for each in problems(enacted(f"overrides('{number}')"))] == ["warning: there is no rule"]


@pytest.mark.parametrize(
    "code",
    [
        "overrides('kernel')\nattribute('game', 'paused', True)",
        "overrides('kernel')\n\n\n@on('end-disruption')\ndef no(e):\n    refuse('never')",
    ],
)
@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_what_the_kernel_declares_holds_against_a_book_that_was_never_checked(code, runtime):
    game = open_game(BOOK, title="T", runtime=runtime, at=0)
    game.checks = False
    game.join("Ann", 1)
    game.admin("approve-player", {"player": "Ann"}, 2)
    game.order("Ann", "propose", {"title": "T", "changes": [enacted(code)]}, 3)
    assert game.admin("accept", {"on": "P1"}, 4).ok
    assert not game.paused()
    assert game.admin("pause", {"kind": "disruption"}, 5).ok
    assert game.paused()
    assert game.admin("resume", {}, 6).ok
    assert not game.paused()

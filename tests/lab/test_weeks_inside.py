"""Weeks of an edition played inside the interpreter: the same game for the same seed, in both runtimes."""

import pytest

from nomopoly.errors import CommandError
from nomopoly.lab.report import main, report
from nomopoly.lab.weeks import simulate_weeks
from nomopoly.rulebook.source import load_edition

SAME = ("state_hash", "entries", "turns", "updates", "never", "money", "faults")


@pytest.mark.parametrize(
    ("edition", "policy"), [("original", "greedy"), ("iv", "careful"), ("mail", "random"), ("ii", "mixed")]
)
def test_the_same_seed_gives_the_same_weeks_in_both_runtimes_and_nothing_breaks(edition, policy):
    here, there = (simulate_weeks(edition, 4, 3, 5, runtime, policy) for runtime in ("cpython", "monty"))
    assert {name: here[name] for name in SAME} == {name: there[name] for name in SAME}
    assert here["faults"] == []
    assert here["turns"] >= 8
    assert here["state_hash"] != simulate_weeks(edition, 4, 3, 8, "cpython", policy)["state_hash"]


def test_bots_take_most_of_what_there_is_and_the_rest_is_named():
    told = simulate_weeks("ii", 8, 6, 2, "cpython", "mixed")
    assert told["updates"] == 12
    assert "leave-game" in told["never"]
    assert not {"buy-square", "propose", "vote", "take-card"} & set(told["never"])
    assert f"never taken: {', '.join(told['never'])}" in report(told)


def test_somebody_new_comes_for_who_is_out():
    book = load_edition("original")
    code = """
calendar("doom", weekday=2, hour=3)
event("doom")


@on("doom")
def out(e):
    for who in every("player"):
        if who.id == "Ann":
            remove(who, "gone", "left")
"""
    book.records.append({**book.records[0], "id": "X.1", "section": "X", "code": code})
    told = simulate_weeks("original", 2, 4, 1, book=book)
    assert told["faults"] == []
    assert set(told["money"]) == {"Ben", "Cid"}


def test_a_rule_that_breaks_is_told_and_play_ends_there():
    book = load_edition("iv")
    book.records.append(
        {**book.records[0], "id": "X.1", "section": "X", "code": "@after('turn')\ndef bad(e):\n    1 // 0\n"}
    )
    told = simulate_weeks("iv", 2, 4, 1, book=book)
    assert {fault["rule"] for fault in told["faults"]} == {"X.1"}
    assert "rule X.1 broke: ZeroDivisionError" in report(told)


def test_nonsense_is_refused_and_the_command_says_how_it_went(capsys):
    with pytest.raises(CommandError, match="--weeks must be from 1"):
        simulate_weeks("iv", weeks=0)
    assert main("iv", players=2, weeks=1, policy="mixed") == 0
    assert "iv: 1 weeks" in capsys.readouterr().out

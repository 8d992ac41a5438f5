"""Edition `mail`: all its sections are there, in order, and its scenarios hold.

All scenarios are played in both interpreters.
"""

import pytest
import shipped

from nomopoly.lab.simulate import play_weeks
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.verify import verify

SCENARIOS = shipped.of_edition("mail")
LAST = {
    "I": 6, "II": 9, "III": 3, "IV": 6, "V": 4, "VI": 8, "VII": 6, "VIII": 13, "IX": 9, "X": 7, "XI": 2, "XII": 1, "XIII": 13,
    "XIV": 2, "XV": 3, "XVI": 1, "XVII": 4, "XVIII": 5, "XIX": 14, "XX": 3, "XXI": 6, "XXII": 8, "XXIII": 1, "XXVII": 6,
    "XXVIII": 8, "XXXII": 5, "XXXIII": 5, "XXXIV": 2, "XXXVI": 7, "D": 29,
}  # fmt: skip


def test_every_rule_is_in_the_book_in_order():
    numbers = [record["id"] for record in load_edition("mail").records if "/" not in record["id"]]
    assert numbers == [f"{section}.{number}" for section in LAST for number in range(1, LAST[section] + 1)]


def test_every_rule_has_prose_and_a_heading():
    for record in load_edition("mail").records:
        assert len(record["text"]) > 15, record["id"]
        assert record["title"], record["id"]


@pytest.mark.parametrize("runtime", shipped.RUNTIMES)
@pytest.mark.parametrize(("where", "data"), SCENARIOS, ids=[data["scenario"] for _, data in SCENARIOS])
def test_scenario(where, data, runtime):
    assert shipped.failure(where, data, runtime) is None


def test_bots_play_weeks_alike_in_both_interpreters_and_nothing_breaks():
    told = {}
    for runtime in ("cpython", "monty"):
        game, told[runtime] = play_weeks("mail", players=4, weeks=3, seed=3, runtime=runtime, proposes=True)
        if runtime == "cpython":
            assert verify(game.journal.lines()).entries == game.n + 1
        game.runtime.close()
    assert told["cpython"]["faults"] == []
    assert told["cpython"]["state_hash"] == told["monty"]["state_hash"]
    assert (told["cpython"]["updates"], told["cpython"]["turns"] > 0) == (3, True)

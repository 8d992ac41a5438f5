"""Edition `ii`: all its sections are there, in order, its scenarios hold, every Decision has one.

All scenarios are played in both interpreters.
"""

import re

import pytest
import shipped

from nomopoly.lab.simulate import play_weeks
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.scenarios.play import Play
from nomopoly.runtime.verify import verify

SCENARIOS = shipped.of_edition("ii")
LAST = {
    "I": 3, "II": 3, "III": 5, "IV": 3, "V": 2, "VI": 18, "VII": 4, "VIII": 6, "IX": 5, "X": 2, "XI": 4, "XII": 2, "XIII": 5,
    "XIV": 6, "XV": 2, "XVI": 2, "XVII": 4, "XVIII": 5, "XIX": 5, "XX": 2, "XXI": 8, "XXII": 5, "XXIII": 2, "XXIV": 2, "XXV": 5,
    "XXVI": 6, "XXVII": 1, "XXVIII": 5, "XXIX": 5, "XXX": 1, "XXXI": 3, "XXXII": 3, "XXXIII": 6, "XXXIV": 4, "XXXV": 5, "D": 17,
}  # fmt: skip


def test_every_rule_is_in_the_book_in_order():
    numbers = [record["id"] for record in load_edition("ii").records if "/" not in record["id"]]
    assert numbers == [f"{section}.{number}" for section in LAST for number in range(1, LAST[section] + 1)]


def test_every_rule_has_prose_and_a_heading():
    for record in load_edition("ii").records:
        assert len(record["text"]) > (2 if record["id"] == "XXV.4" else 15), record["id"]
        assert record["title"], record["id"]


@pytest.mark.parametrize(("letter", "last"), [("B", 92), ("D", 165)])
def test_every_decision_is_named_by_a_scenario(letter, last):
    said = " ".join(data["scenario"] for _, data in SCENARIOS)
    named = set()
    for first, end in re.findall(rf"\b{letter}(\d+)(?:\s*(?:to|-|–)\s*{letter}?(\d+))?", said):
        named |= set(range(int(first), int(end or first) + 1))
    assert [n for n in range(1, last + 1) if n not in named] == []


@pytest.mark.parametrize("runtime", shipped.RUNTIMES)
@pytest.mark.parametrize(("where", "data"), SCENARIOS, ids=[data["scenario"] for _, data in SCENARIOS])
def test_scenario(where, data, runtime):
    assert shipped.failure(where, data, runtime) is None


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_bots_play_weeks_alike_in_both_interpreters_and_nothing_breaks(policy):
    told = {}
    for runtime in ("cpython", "monty"):
        game, told[runtime] = play_weeks("ii", players=4, weeks=2, seed=3, runtime=runtime, policy=policy)
        if runtime == "cpython":
            assert verify(game.journal.lines()).entries == game.n + 1
        game.runtime.close()
    assert told["cpython"]["faults"] == []
    assert told["cpython"]["state_hash"] == told["monty"]["state_hash"]
    assert told["cpython"]["updates"] == 4


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_before_a_proposal_is_public_the_log_tells_nobody_else_what_the_admin_does_to_it(runtime):
    steps = [
        {"propose": {"by": "Ann", "as": "P1", "title": "Unclear", "text": "Something."}},
        {"propose": {"by": "Ben", "as": "P2", "title": "Worse", "text": "Something else."}},
        {"propose": {"by": "Cid", "as": "P3", "title": "Clear", "text": "This."}},
        {"admin": {"do": "reject", "on": "P1", "because": "say what"}},
        {"admin": {"do": "veto", "on": "P2", "because": "destructive"}},
        {"until": "first-update"},
        {"admin": {"do": "reject", "on": "P3", "because": "say why"}},
    ]
    play = Play({"scenario": "A log", "edition": "ii", "players": ["Ann", "Ben", "Cid"], "steps": steps}, runtime)
    play.run()
    acts = {
        who: [e["args"]["on"] for e in play.host.facts(who) if e["do"] in ("reject", "veto")]
        for who in ("Ann", "Cid", "admin")
    }
    play.close()
    assert acts == {"Ann": ["P1", "P3"], "Cid": ["P3"], "admin": ["P1", "P2", "P3"]}

"""Edition `original`: all its rules are there, in order, and its scenarios hold in both runtimes."""

import random
from dataclasses import replace

import pytest
import shipped

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

RULES = [
    "I.1",
    "I.2",
    "I.3",
    "I.4",
    "I.5",
    "II.1",
    "II.2",
    "III.1",
    "IV.1",
    "IV.2",
    "IV.3",
    "IV.4",
    "V.1",
    "VI.1",
    "VI.2",
    "VI.3",
    "VI.4",
    "VII.1",
    "VII.2",
    "VIII.1",
    "VIII.2",
    "VIII.3",
    "VIII.4",
    "IX.1",
    "IX.2",
    "IX.3",
    "IX.4",
    "D.1",
]
SCENARIOS = shipped.of_edition("original")


def test_every_rule_is_in_the_book_in_order():
    assert [record["id"] for record in load_edition("original").records] == RULES


def test_every_rule_has_prose_and_a_heading():
    for record in load_edition("original").records:
        assert len(record["text"]) > 30, record["id"]
        assert record["title"], record["id"]


@pytest.mark.parametrize("runtime", shipped.RUNTIMES)
@pytest.mark.parametrize(("where", "data"), SCENARIOS, ids=[data["scenario"] for _, data in SCENARIOS])
def test_scenario(where, data, runtime):
    assert shipped.failure(where, data, runtime) is None


def test_a_piece_goes_the_same_way_whether_rules_listen_to_its_steps_or_not():
    book = load_edition("original")
    code = "@after('pass')\ndef look(e):\n    value('successor', e.square)\n"
    listener = {**book.records[-1], "id": "X.1", "code": code}
    dice = random.Random(1)
    rolls = [[dice.randint(1, 6) for _ in range(40)] for _ in range(60)]  # another book has other dice
    runs = []
    for records in (book.records, [*book.records, listener]):
        game = open_game(replace(book, records=records), title="Way", game_id="way", at=0, secret="00" * 32)
        game.join("Ann", 0)
        game.admin("approve-player", {"player": "Ann"}, 0)
        runs.append([game.tick(at, "turn", {"who": "Ann"}, draws=rolls[at]) for at in range(60)])
    plain, watched = runs
    assert [outcome.facts for outcome in plain] == [outcome.facts for outcome in watched]
    assert [outcome.changes for outcome in plain] == [outcome.changes for outcome in watched]
    assert max(sum(fact["what"] == "passed" for fact in outcome.facts) for outcome in plain) > 10

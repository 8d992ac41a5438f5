"""What the check says of events that notify players."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition

BOOK = load_edition("iv")
WAVE = """
event("wave", {fact}{say}who="player", guests="", notify={notify})


@after("join")
def greet(e):
    do("wave", who=e.who, guests=players())
"""


def problems(code):
    """What the check says of a rule with this code."""
    found = check_changes([{"enact": "9.20", "text": "Players wave.", "code": code}], "", BOOK.records, BOOK.commons)
    return [f"{each.level}: {each.message}" for each in found]


def wave(notify, fact='"waved", ', say='say="{who} waves", '):
    """The same of an event with this `notify`."""
    return problems(WAVE.replace("{fact}", fact).replace("{say}", say).replace("{notify}", notify))


@pytest.mark.parametrize("notify", ['"who"', '("who", "guests")', "()"])
def test_an_event_may_notify_those_in_its_fields(notify):
    assert wave(notify) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"notify": '"whom"'}, "notify= names fields of the event that hold players (who, guests)"),
        ({"notify": "5"}, "notify= names fields of the event that hold players (who, guests)"),
        ({"notify": '("who", 5)'}, "notify= names fields of the event that hold players (who, guests)"),
        ({"notify": '"who"', "say": ""}, "an event with notify= needs a word for the log and a sentence"),
        ({"notify": '"who"', "fact": ""}, "an event with notify= needs a word for the log and a sentence"),
    ],
)
def test_an_event_that_could_tell_nobody_is_refused(wrong, said):
    assert any(said in each for each in wave(**wrong))

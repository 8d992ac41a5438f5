"""What rules declare, told in sentences: of several kinds at once, and with what is no plain content."""

import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.rulebook.wording.form import NotInForm, to_form
from nomopoly.rulebook.wording.program import program
from nomopoly.rulebook.wording.read import read
from nomopoly.rulebook.wording.tell import tell


def record(code):
    """A rule of a player's."""
    about = {"id": "99.1", "section": "99", "section_title": "", "title": "T", "since": 0, "made_by": "P1"}
    return {**about, "text": "T", "params": {}, "code": code}


def told(code):
    """What a rule says in sentences in a game of `iv`."""
    book = load_edition("iv")
    rule = record(code)
    return [each["text"] for each in tell(rule, [*book.records, rule], book.commons)]


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ('("player", "unit")', "Every player and every unit has “Mood”, glad at first."),
        ('("game", "player", "unit")', "The game, every player and every unit has “Mood”, glad at first."),
        ('("unit",)', "Every unit has “Mood”, glad at first."),
        ('"unit"', "Every unit has “Mood”, glad at first."),
    ],
)
def test_an_attribute_of_several_kinds(kinds, said):
    code = f'attribute({kinds}, "mood", "glad", label="Mood")'
    assert told(code) == [said]
    [part] = read(record(code))
    assert program([part.sentence]) == (code, {})
    if kinds != '"unit"':
        with pytest.raises(NotInForm):
            to_form([part.sentence])


@pytest.mark.parametrize("kinds", ["()", '("unit", 5)', '("unit", name)', "5", "None"])
def test_kinds_that_are_no_words_are_left_to_the_program(kinds):
    for code in (f'attribute({kinds}, "mood", "glad", label="Mood")', f"kind({kinds})"):
        assert [each for each in told(code) if not each.startswith("What this does cannot be told")] == []


@pytest.mark.parametrize(
    ("say", "said"),
    [
        ("{who} gets {points} points.", "they get 5 points"),
        ("{who} always gets {points} points", "“score” happens (who: them; points: 5)"),
        ("{who} carries {points} points", "“score” happens (who: them; points: 5)"),
        ("{points} points for {who}", "“score” happens (who: them; points: 5)"),
    ],
)
def test_an_event_is_told_in_the_words_of_the_log_where_its_verb_fits(say, said):
    declared = f'event("score", "scored", say="{say}", who="player", points=0)\n\n\n'
    code = '@action("play", "Play")\ndef play(e):\n    do("score", who=e.who, points=5)\n'
    assert told(declared + code)[-1] == f"When a player chooses “Play”, {said}."

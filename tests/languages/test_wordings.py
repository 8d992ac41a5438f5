"""Sentences recognised by their wording, and said again in another language."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomopoly.languages import wordings
from nomopoly.languages.wordings import COMMANDS, HOUSE, again, gaps_of

GERMAN = {
    "{label} must be at least {least}": "{label}: das muss mindestens {least} sein",
    "{label} must name {a_thing}": "{label}: nenne etwas von der Art „{a_thing}“",
    "there is no event '{event}'": "es gibt kein Ereignis '{event}'",
    "there is no event '{event}'{known}": "es gibt kein Ereignis '{event}'{known}",
    ": did you mean '{found}'?": ": meinst du '{found}'?",
    "The game is paused.": "Das Spiel ist angehalten.",
    "the game is over": "das Spiel ist zu Ende",
    "the game itself cannot be destroyed": "das Spiel selbst kann nicht entfernt werden",
}
LISTED = [
    (context, each) for context, listed in json.loads(wordings.LIST.read_text("utf-8")).items() for each in listed
]


def german(text, contexts=(HOUSE,)):
    return again(text, contexts, lambda context, wording: GERMAN.get(wording, wording))


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("Price must be at least 3", "Price: das muss mindestens 3 sein"),
        ("Square must name a square.", "Square: nenne etwas von der Art „square“."),
        ("there is no event 'lnad': did you mean 'land'?", "es gibt kein Ereignis 'lnad': meinst du 'land'?"),
        ("The game is paused.", "Das Spiel ist angehalten."),
        ("The game itself cannot be destroyed.", "Das Spiel selbst kann nicht entfernt werden."),
        ("you have only $5", "you have only $5"),
        ("no", "no"),
        ("", ""),
    ],
)
def test_a_sentence_is_said_again_and_others_stay_as_they_are(english, said):
    assert german(english) == said


def test_a_context_knows_its_own_sentences_alone():
    assert german("the game is over", (COMMANDS,)) == "the game is over"


@pytest.mark.parametrize(("context", "wording"), LISTED)
def test_each_wording_is_recognised_whatever_fills_it(context, wording):
    filled = wording.format(**{name: f"<{name}>" for name in gaps_of(wording)})
    if 3 < len(filled) <= wordings.LONGEST:
        found = wordings.recognised(filled, (context,))
        assert found is not None
        assert found[1].format(**found[2]) == filled


@given(st.text(string.ascii_letters + " '{}:%.", max_size=wordings.LONGEST))
def test_whatever_is_said_without_a_translation_stays_as_it_is(text):
    assert again(text, (HOUSE, COMMANDS), lambda _context, wording: wording).casefold() == text.casefold()

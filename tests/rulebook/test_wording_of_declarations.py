"""What rules declare, told in sentences: of several kinds at once, and with what is no plain content."""

import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.rulebook.wording import menus
from nomopoly.rulebook.wording.form import NotInForm, to_form
from nomopoly.rulebook.wording.offers import offers
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


def test_a_check_that_returns_false_forbids_nothing():
    [said] = told('@check("pay")\ndef poor(e):\n    if e.amount > 5:\n        return False\n')
    assert "there is nothing against it" in said
    assert "gives a reason" not in said


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


def called(edition, name):
    """The clause by which an event of an edition is chosen."""
    book = load_edition(edition)
    return menus.event_label(name, offers(book.records, book.commons))


@pytest.mark.parametrize(
    ("edition", "name", "said"),
    [
        ("original", "buy-square", "a player buys a square (buy square)"),  # the price is known as it happens
        ("original", "name-square", "a player names a square (name square)"),
        ("original", "roll", "a player rolls"),
        ("original", "remove-player", "the Admin removes a player from the game (remove player)"),
        ("original", "destroy-offer", "an offer is gone (destroy offer)"),
        ("original", "turn", "“turn” happens for a player"),
        ("mail", "buy-shares", "a player does “Buy shares” (buy shares)"),
        ("mail", "fine", "somebody is fined an amount"),
        ("mail", "accuse", "a player accuses a player (the defendant): a charge"),
        ("mail", "use-fake-vomit", "a player uses “Fake Vomit” (use fake vomit)"),
        ("mail", "roll-dodge", "a player rolls dice against the rent (roll dodge)"),
        ("ii", "spawn", "a creature appears on a square (spawn)"),
        ("ii", "trade-in-cards", "a player trades in cards for an item (trade in cards)"),
        ("ii", "count", "“count” happens"),
    ],
)
def test_an_event_is_a_clause_of_what_is_known_before_it_happens(edition, name, said):
    assert called(edition, name) == said


def test_what_is_or_is_not_so_is_quoted_where_a_noun_stands():
    declared = "".join(f'attribute("player", "{each}", False, label="{each.title()}")\n' for each in ("glad", "merry"))
    code = '\n\n@after("roll")\ndef follows(e):\n    put(e.who, "glad", e.who.merry)\n'
    assert told(declared + code)[-1] == "When a player rolls, their “glad” becomes their “merry”."


def test_only_events_are_offered_to_which_a_rule_answers_or_which_it_makes_happen():
    book = load_edition("original")
    near = menus.around({"form": "when", "event": "land", "if": None, "then": []}, offers(book.records, book.commons))
    when, made = ({each["id"] for each in menus.names("event", near, of)} for of in ("", "made"))
    assert {"land", "grant", "suspend", "open"} <= when
    assert not when & {"emergency-vote", "emergency-closes", "operator-stop", "operator-resume"}
    assert when - made == {
        "grant",
        "approve-player",
        "decline-player",
        "rule",
        "suspend",
        "reinstate",
        "hold",
        "end-outage",
        "emergency-propose",
    }

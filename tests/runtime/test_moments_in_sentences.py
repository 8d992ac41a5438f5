"""The log says a moment of a form as a date in the time zone of the game; what programs read stays a number."""

import pytest
from minigames import START, Book, done, open_game, rule, with_players

from nomopoly.runtime.host import load_game
from nomopoly.runtime.log import fill_sentence

CODE = """
@action("lend", "Lend", fact="lent", say="{who} lends {much} until {until}", much=number("Much"), until=moment("Until"))
def lend(e):
    do("owe", who=e.who, until=e.until)


event("owe", "owes", say="{who} owes until {until}", who="player", until="moment")
"""


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_a_sentence_says_the_date(zone):
    book = Book("small", "S", [rule("1.1", CODE)], [])
    game = with_players(open_game(book, title="S", runtime="cpython", at=START, time_zone=zone), ("Ann",))
    done(game.order("Ann", "lend", {"much": START, "until": "2026-03-05T18:00"}, START))
    fact = game.facts("Ann")[-1]["facts"][0]
    assert fact["say"] == f"Ann lends {START} until 2026-03-05 18:00 {zone}"
    assert type(fact["until"]) is int
    assert game.facts("Ann")[-1]["facts"][1]["say"] == f"Ann owes until 2026-03-05 18:00 {zone}"
    assert list(load_game(game.journal, runtime="cpython").outcomes.get()) == list(game.outcomes.get())


def test_an_article_fits_the_word_that_follows():
    assert (
        fill_sentence("{who} builds a {what} on {where}", {"who": "Ann", "what": "atm", "where": "#5"})
        == "Ann builds an atm on #5"
    )
    assert fill_sentence("{who} builds a {what}", {"who": "Ann", "what": "mall"}) == "Ann builds a mall"
    assert fill_sentence("a {what} for {who}", {"what": "atm", "who": "Ann"}) == "an atm for Ann"


def test_a_field_without_content_leaves_no_word():
    assert fill_sentence("{what} is done{again}", {"what": "P1", "again": None}) == "P1 is done"
    assert fill_sentence("{what} is done{again}", {"what": "P1"}) == "P1 is done"
    assert fill_sentence("{what} is done{again}", {"what": "P1"}, holes=True) == "P1 is done{again}"

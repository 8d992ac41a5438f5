"""The log says a moment of a form as a date in the time zone of the game; what programs read stays a number."""

import pytest
from minigames import START, Book, done, open_game, rule, with_players

CODE = """
@action("lend", "Lend", fact="lent", say="{who} lends {much} until {until}", much=number("Much"), until=moment("Until"))
def lend(e):
    pass
"""


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_a_sentence_says_the_date(zone):
    book = Book("small", "S", [rule("1.1", CODE)], [])
    game = with_players(open_game(book, title="S", runtime="cpython", at=START, time_zone=zone), ("Ann",))
    done(game.order("Ann", "lend", {"much": START, "until": "2026-03-05T18:00"}, START))
    fact = game.facts("Ann")[-1]["facts"][0]
    assert fact["say"] == f"Ann lends {START} until 2026-03-05 18:00 {zone}"
    assert type(fact["until"]) is int

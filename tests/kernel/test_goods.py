"""Goods that hold words: in both interpreters."""

import pytest
from minigames import RUNTIMES, done, rule, small_game

SHOP = rule(
    "1.1",
    """
attribute("player", "had", ())


@action("buy", what=goods("What", parts=("money", "cards"), named=("cards",)))
def buy(e):
    put(e.who, "had", e.what)
""",
)


@pytest.fixture(params=RUNTIMES)
def game(request):
    game = small_game(SHOP, runtime=request.param)
    yield game
    game.runtime.close()


def test_a_part_that_holds_words_takes_words_that_name_nothing(game):
    done(game.order("Ann", "buy", {"what": {"money": 5, "cards": ["KS", "10H"]}}, game.now))
    assert game.value("had", "Ann") == [["money", 5], ["cards", ["KS", "10H"]]]


@pytest.mark.parametrize("cards", ["KS", [5], ["a\nb"]])
def test_and_nothing_else(game, cards):
    assert game.order("Ann", "buy", {"what": {"cards": cards}}, game.now).refused

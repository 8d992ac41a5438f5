"""An order that was given in private stays private, whatever a correction makes of it."""

import pytest
from minigames import CHANGING, rule, small_game

from nomopoly.runtime.host import load_game
from nomopoly.runtime.journal import MemoryJournal

AUCTIONS = """
kind("auction", prefix="auction-")
kind("bid", prefix="bid-")
attribute("bid", "owner", None, type="thing", show="owner")
attribute("bid", "amount", 0, show="owner")


@action("put-up", fact="put-up")
def put_up(e):
    create("auction")


@action("bid", private=True, auction=choose("auction"), amount=number("Amount"))
def bid(e):
    create("bid", owner=e.who, amount=e.amount)


@action("knock", private=True, rolls=True, word_=words("Word"))
def knock(e):
    if chance.die(2) and e.word_ == "Mumble":
        refuse("nobody is at home")
"""

WHISPER = """
attribute("player", "word", "", show="owner")


@action("whisper", private=True, word=words("Word"))
def whisper(e):
    put(e.who, "word", e.word)
"""


@pytest.fixture(params=["cpython", "monty"])
def game(request):
    return small_game(CHANGING, rule("1.1", AUCTIONS), players=("Ann", "Ben"), runtime=request.param)


def strike(game, entry):
    assert game.strike(entry, "a slip", game.now + 1, confirm=game.strike_preview(entry)["hash"]).ok


def seen(game, viewer):
    return str([(each["do"], each["args"], each["refused"]) for each in game.facts(viewer)])


def again(game):
    return load_game(MemoryJournal(list(game.journal.lines())), runtime=game.runtime.name)


def test_a_bid_that_a_strike_makes_impossible_tells_nobody_else_what_was_bid(game):
    put_up = game.order("Ann", "put-up", {}, game.now)
    assert game.order("Ben", "bid", {"auction": "auction-1", "amount": 4711}, game.now).ok
    assert "4711" not in seen(game, "Ann")
    strike(game, put_up.n)
    for told in (game, again(game)):
        assert "4711" in seen(told, "Ben")
        assert "4711" not in seen(told, "Ann")
        assert "4711" not in seen(told, "visitor")
        assert "'bid'" not in seen(told, "Ann")


def test_what_was_refused_after_a_roll_stays_private_after_a_strike(game):
    put_up = game.order("Ann", "put-up", {}, game.now)
    game.order("Ben", "knock", {"word": "Mumble"}, game.now)
    assert "Mumble" not in seen(game, "Ann")
    strike(game, put_up.n)
    for told in (game, again(game)):
        assert "Mumble" in seen(told, "Ben")
        assert "Mumble" not in seen(told, "Ann")


def test_an_order_whose_action_has_gone_with_a_strike_tells_nobody_else_what_it_said(game):
    enacted = game.admin("change", {"changes": [{"enact": "1.2", "text": "T", "code": WHISPER}]}, game.now)
    assert game.order("Ben", "whisper", {"word": "Zanzibar"}, game.now).ok
    assert "Zanzibar" not in seen(game, "Ann")
    strike(game, enacted.n)
    for told in (game, again(game)):
        assert "Zanzibar" in seen(told, "Ben")
        assert "Zanzibar" not in seen(told, "Ann") + seen(told, "admin")

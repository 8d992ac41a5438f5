"""What is drawn in a private order comes from the second secret, and only who may see what comes of it sees the
draw."""

import json

import minigames
import pytest
from minigames import RUNTIMES, START, done, rule

from nomopoly.runtime.copies import copy_of
from nomopoly.runtime.host import load_game, open_game
from nomopoly.runtime.sealing import shown_line
from nomopoly.runtime.verify import verify

PRIVATE = """
attribute("player", "card", 0, show="owner")
attribute("player", "money", 0)
event("order-waits", who="player", order="", args="", entry=0)
event("roll", "rolled", who="player")


@action("seek", "Seek", fact="sought", private=True, at_once=True, odds=number("Odds", default=0))
def seek(e):
    put(e.who, "card", chance.die(1000000))
    do("roll", who=e.who)
    if e.odds:
        refuse(f"you draw {e.who.card}")


@on("roll")
def roll(e):
    chance.dice((20, 20))


@action("break", "Break", private=True, at_once=True)
def breaks(e):
    return {}[chance.die(1000000)]


@action("show", "Show", fact="shown", private="order", at_once=True)
def show(e):
    put(e.who, "money", chance.die(1000000))


@action("both", "Both", fact="both", at_once=True)
def both(e):
    put(e.who, "money", chance.die(1000000))


@action("later", "Later", fact="later", private=True)
def later(e):
    put(e.who, "card", chance.die(1000000))


@action("silent", "Without a word", private=True)
def silent(e):
    put(e.who, "card", chance.die(1000000))


kind("waiting")
attribute("waiting", "order", "")
attribute("waiting", "who", None, type="thing")
attribute("waiting", "args", "", show="nobody")


@on("order-waits")
def wait(e):
    create("waiting", who=e.who, order=e.order, args=e.args)


@action("update", "Update", by="admin", fact="updated")
def update(e):
    for each in every("waiting"):
        carry_out(each.who, each.order, each.args)
    put(thing("game"), "lucky", chance.die(1000000))


attribute("game", "lucky", 0)
"""


def seeking(runtime="cpython", commons=()):
    """A game with private orders that draw."""
    book = minigames.Book("small", "A small game", [rule("1.1", PRIVATE)], list(commons))
    game = open_game(book, title="Small", game_id="small", runtime=runtime, at=START, secret=minigames.SECRET)
    game.checks = False
    return minigames.with_players(game, ("Ann", "Ben"))


def last(game):
    return list(game.journal.lines())[-1]


def all_that(game, viewer):
    """What a viewer has of the last entry: the log, and the copy of its line that they may take away."""
    line, outcome = last(game), dict(game.outcomes.get(game.n))[game.n]
    return json.dumps([game.facts(viewer, game.n), shown_line(line, outcome, viewer)])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_draws_of_a_private_order_come_from_the_second_secret(runtime):
    game = seeking(runtime)
    done(game.order("Ann", "seek", {}, START))
    line, card = last(game), game.value("card", "Ann")
    assert line.get("drawn", "") == ""
    assert len(line["hidden"]) == 3 * 8
    assert line["until"] == "the game is over"
    for viewer in ("Ben", "visitor", "admin"):
        assert str(card) not in all_that(game, viewer)
        assert line["hidden"] not in all_that(game, viewer)
    assert game.view("Ann")["things"]["Ann"]["card"] == str(card)
    own, rolled = game.facts("Ann")[-1]["facts"]
    assert ("dice" in own, len(rolled["dice"])) == (False, 2)  # the order's own fact is public
    assert [fact["what"] for fact in game.facts("Ben")[-1]["facts"]] == ["sought"]
    assert verify(game.journal.lines(), runtime).state == game.state()
    again = load_game(game.journal, runtime=runtime, secret=game.secret, vault=game.vault)
    assert again.facts("Ann")[-1] == game.facts("Ann")[-1]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_private_order_that_ends_after_its_draws_tells_none_of_them_to_others(runtime):
    game = seeking(runtime)
    refused = game.order("Ann", "seek", {"odds": 1}, START)
    drawn = refused.refused.removeprefix("you draw ")
    assert refused.n == game.n
    assert ("dice" in last(game), last(game).get("drawn", "")) == (False, "")
    for viewer in ("Ben", "visitor"):
        assert drawn not in all_that(game, viewer)
    broken = game.order("Ann", "break", {}, START)
    drawn = broken.fault["message"].removeprefix("KeyError: ").strip("'")
    assert int(drawn) > 0
    assert ("dice" in last(game), last(game).get("drawn", "")) == (False, "")
    for viewer in ("Ben", "visitor"):
        assert drawn not in all_that(game, viewer)
    verify(game.journal.lines(), runtime)


@pytest.mark.parametrize("name", ["show", "both"])
def test_what_comes_of_an_order_for_all_to_see_is_drawn_from_the_first(name):
    game = seeking()
    done(game.order("Ann", "seek", {}, START))
    done(game.order("Ann", name, {}, START))
    assert (len(last(game)["drawn"]), "hidden" in last(game)) == (8, False)
    assert game.facts("visitor")[-1]["facts"][0]["dice"] == [game.value("money", "Ann")]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_of_an_update_the_draws_of_private_orders_alone_are_hidden(runtime):
    game = minigames.with_players(seeking(runtime), ("Cid",))
    done(game.order("Ann", "later", {}, START))
    done(game.order("Ben", "later", {}, START))
    done(game.order("Cid", "silent", {}, START))
    done(game.admin("update", {}, START))
    line = last(game)
    assert (len(line["drawn"]), len(line["hidden"])) == (8, 24)
    cards = [str(game.value("card", name)) for name in ("Ann", "Ben", "Cid")]
    assert [card in all_that(game, "Ann") for card in cards] == [False, False, False]
    assert [card in all_that(game, "visitor") for card in cards] == [False, False, False]
    assert str(game.value("lucky", "game")) in all_that(game, "visitor")
    verify(game.journal.lines(), runtime)


def test_in_a_game_of_the_first_form_they_stay_as_they_were():
    game = seeking(commons=[("old", "def win(who):\n    pass\n")])
    done(game.order("Ann", "seek", {}, START))
    assert (len(last(game)["drawn"]), "hidden" in last(game)) == (24, False)
    assert verify(game.journal.lines(), "cpython").state == game.state()


def test_a_copy_for_trying_things_out_rolls_such_draws_anew():
    game = seeking()
    one, other = copy_of(game, secret="11" * 32), copy_of(game, secret="22" * 32)
    for each in (one, other):
        done(each.order("Ann", "seek", {}, START))
    assert one.value("card", "Ann") != other.value("card", "Ann")
    one.runtime.close()
    other.runtime.close()

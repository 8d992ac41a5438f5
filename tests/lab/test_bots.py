"""Bots play any edition by the forms it declares."""

import minigames
import pytest
from minigames import rule

from nomopoly.errors import CommandError
from nomopoly.lab.bots import Bot
from nomopoly.lab.simulate import play_weeks, simulate

EDITIONS = ("original", "iv")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("policy", ["random", "greedy", "careful"])
def test_weeks_of_play_are_the_same_in_both_interpreters_and_break_nothing(edition, policy):
    told = {}
    for runtime in ("cpython", "monty"):
        game, told[runtime] = play_weeks(edition, players=3, weeks=2, seed=7, runtime=runtime, policy=policy)
        game.runtime.close()
    assert told["cpython"]["state_hash"] == told["monty"]["state_hash"]
    assert told["cpython"]["entries"] == told["monty"]["entries"]
    assert told["cpython"]["faults"] == []
    assert told["cpython"]["turns"] >= 6


def test_another_seed_is_another_game():
    hashes = set()
    for seed in (1, 2):
        game, told = play_weeks("iv", players=2, weeks=1, seed=seed, policy="random")
        game.runtime.close()
        hashes.add(told["state_hash"])
    assert len(hashes) == 2


def test_a_greedy_bot_buys_and_a_careful_one_keeps_something():
    money, squares = {}, {}
    for policy in ("greedy", "careful"):
        game, told = play_weeks("original", players=2, weeks=8, policy=policy)
        game.runtime.close()
        money[policy] = min(told["money"].values())
        squares[policy] = sum(len(owned) for owned in told["squares"].values())
    assert squares["greedy"] > squares["careful"] > 0
    assert money["careful"] > money["greedy"]


def test_bots_vote_and_propose():
    game, _ = play_weeks("iv", players=3, weeks=4, policy="random", proposes=True)
    proposals = [thing for thing in game.view("admin")["things"].values() if thing["kind"] == "proposal"]
    game.runtime.close()
    assert len(proposals) > 3
    assert [each for each in proposals if each["yes_votes"]]


def test_a_bot_gives_no_order_that_is_refused():
    game, _ = play_weeks("iv", players=2, weeks=1, policy="careful")
    now = game.now
    outcomes = [outcome for n in range(20) for outcome in Bot("Ann", "random", n).play(game, now)]
    game.runtime.close()
    assert outcomes
    assert all(outcome.ok for outcome in outcomes)


SHELF = """
kind("jar", prefix="J")
attribute("jar", "owner", None, type="thing")
attribute("player", "money", 100)
attribute("player", "set", 0)


@after("join")
def jars(e):
    for _ in range(6):
        create("jar")


@check("take")
def two_in_a_row(e):
    if len(e.jars) != 2 or int(e.jars[1][1:]) != int(e.jars[0][1:]) + 1:
        return "two in a row"


@action("take", "Take two jars", jars=anything("Jars", optional=False))
def take(e):
    put(e.who, "set", e.who.set + 1)


@action("dance", "Dance")
def dance(e):
    pass


@action("waste", "Throw a coin away")
def waste(e):
    put(e.who, "money", e.who.money - 1)


@action("gamble", "Bet half of it on oneself")
def gamble(e):
    put(e.who, "money", e.who.money // 2)
    put(e.who, "set", e.who.set + 1)
"""


def played(policy, days=60):
    """How often one bot has ordered what, in a game of a few actions."""
    game = minigames.small_game(rule("1.1", SHELF), players=("Ann",))
    bot = Bot("Ann", policy)
    for day in range(days):
        bot.play(game, minigames.START + day)
    orders = [line["do"] for line in game.journal.lines(1) if line["kind"] == "order"]
    return {name: orders.count(name) for name in ("take", "dance", "waste", "gamble")}


def test_a_bot_fills_in_lists_and_comes_by_everything():
    assert all(often > 5 for often in played("random").values())


def test_a_greedy_bot_throws_nothing_away_but_spends_on_itself_and_a_careful_one_keeps_most():
    greedy, careful = played("greedy"), played("careful")
    assert greedy["waste"] == 0
    assert greedy["gamble"] > 0
    assert careful["gamble"] == 0
    assert careful["dance"] > 0


ENDLESS = """
@after("join")
def jars(e):
    create("jar")


def never(who):
    while True:
        pass


@action("ask", "Ask", jar=choose("jar", "Jar", choices=never))
def ask(e):
    pass


@action("spin", "Spin")
def spin(e):
    never(e.who)


kind("jar", prefix="J")


@action("give", "Give jars", jar=anything("Jars", optional=False))
def give(e):
    pass


@action("dance", "Dance")
def dance(e):
    pass
"""


def test_what_takes_too_many_steps_is_not_ordered_and_keeps_no_bot_from_the_rest():
    game = minigames.small_game(rule("1.1", ENDLESS), players=("Ann",))
    bot = Bot("Ann", "random")
    orders = [outcome for day in range(20) for outcome in bot.play(game, minigames.START + day)]
    game.runtime.close()
    assert all(outcome.ok for outcome in orders)
    assert {line["do"] for line in game.journal.lines(1) if line["kind"] == "order"} == {"give", "dance"}


def test_bots_of_mixed_policies_play_by_the_calendar_alone():
    game, told = play_weeks("iv", players=3, weeks=1, policy="mixed")
    game.runtime.close()
    assert told["faults"] == []
    with pytest.raises(CommandError, match="--weeks"):
        simulate("original", policy="mixed")


@pytest.mark.parametrize(("wanted", "message"), [({"weeks": 0}, "--weeks"), ({"players": 0}, "--players")])
def test_numbers_that_make_no_game_are_refused(wanted, message):
    with pytest.raises(CommandError, match=message):
        play_weeks("iv", **wanted)

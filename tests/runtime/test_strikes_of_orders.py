"""Taking out an order that has waited: the rest of the update happens as it did, with the dice that it had."""

import minigames

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

MONDAY = 1772442000  # 2026-03-02 09:00 UTC
DAY = 86400


def a_game():
    """A game of edition ii in its first update: Ann and Ben have named a square each, Cid has ordered nothing."""
    game = open_game(load_edition("ii"), title="T", game_id="t", runtime="cpython", at=MONDAY, secret=minigames.SECRET)
    for name in ("Ann", "Ben", "Cid"):
        assert game.join(name, MONDAY).ok
        assert game.admin("approve-player", {"player": name}, MONDAY).ok
    orders = []
    for name, square in (("Ann", "#7"), ("Ben", "#8")):
        assert game.admin("grant", {"thing": square, "attribute": "owner", "value": name}, MONDAY).ok
        orders.append(game.order(name, "name-square", {"square": square, "name": f"Of {name}"}, MONDAY).n)
    game.run_due(MONDAY + 4 * DAY)
    return game, orders


def rolls(game):
    return [
        (fact["who"], fact["dice"])
        for entry in game.facts("admin")
        for fact in entry["facts"]
        if fact["what"] == "rolled"
    ]


def things(game):
    return game.view("admin")["things"]


def test_one_of_two_orders_is_taken_out_and_the_rest_of_the_update_stays():
    game, (first, _) = a_game()
    before, squares = (
        rolls(game),
        {id: each.get("square") for id, each in things(game).items() if each["kind"] == "player"},
    )
    assert len(before) >= 3
    assert {change[0] for change in game.strike_preview(first)["changes"]} <= {"#7", "Ann", "game"}
    assert game.strike(first, "a test", MONDAY + 4 * DAY).ok
    assert things(game)["#7"]["name"] is None
    assert things(game)["#8"]["name"] == "Of Ben"
    assert things(game)["game"]["update"] == 1
    assert {id: each.get("square") for id, each in things(game).items() if each["kind"] == "player"} == squares
    assert rolls(game) == before


def test_both_orders_are_taken_out_and_the_update_stays():
    game, orders = a_game()
    before = rolls(game)
    for n in orders:
        assert game.strike(n, "a test", MONDAY + 4 * DAY).ok
    assert [things(game)[id]["name"] for id in ("#7", "#8")] == [None, None]
    assert things(game)["game"]["update"] == 1
    assert rolls(game) == before
    game.run_due(MONDAY + 7 * DAY)
    assert things(game)["game"]["update"] == 2

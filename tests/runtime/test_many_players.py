"""A step of an update holds the same, however many players there are: the agenda is not written anew with each of
them."""

import json

import minigames
from minigames import START, done, rule

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import open_game

WEEK = 7 * 86_400
STEPPING = rule(
    "1.1",
    """
for name in ("agenda", "agenda_lists", "agenda_places", "following", "agenda_aside"):
    attribute("game", name, (), show="nobody")
attribute("game", "agenda_timer", None, show="nobody")
attribute("player", "steps", ())
event("step", who="player")
event("jump", who="player")
event("rest")


@after("entry")
def go_on(e):
    carry_on()


@on("step")
def step(e):
    put(e.who, "steps", (*e.who.steps, "step"))
    if e.who.id == "Ann":
        follow_each("jump", "who", every("player"))
        follow("rest")


@on("jump")
def jump(e):
    put(e.who, "steps", (*e.who.steps, "jump"))


@on("rest")
def rest(e):
    for who in every("player"):
        put(who, "steps", (*who.steps, "rest"))


@action("walk", by="both")
def walk(e):
    follow_each("step", "who", every("player"))
    follow("rest")


@action("go-away", "Go away")
def leave(e):
    remove(e.who)
""",
)


def update_of(players):
    """Characters of the hidden and open changes of each entry of the first update, and its entries."""
    book = load_edition("ii")
    game = open_game(book, title="T", game_id="t", runtime="cpython", at=START, secret=minigames.SECRET)
    game.checks = False
    names = [f"Player {n}" for n in range(players)]
    minigames.with_players(game, names)
    for name in names:
        done(game.order(name, "buy-square", {}, game.now))
    begun = game.n
    game.run_due(game.now + 4 * 86_400)
    changes = [outcome["changes"] for _, outcome in game.outcomes.get(begun + 1)]
    lists = [change for each in changes for change in each if change[:2] == ["game", "agenda_lists"]]
    assert [change[3] for change in lists if change[3]]  # it has come to the turns
    return [sum(len(json.dumps(change)) for change in each if change[0] == "game") for each in changes], game


def test_what_a_step_of_an_update_changes_in_the_game_does_not_grow_with_players():
    few, _ = update_of(5)
    many, game = update_of(40)
    assert len(many) > 40 + 40
    assert sum(many) / len(many) < 1.2 * sum(few) / len(few)
    assert game.value("agenda_lists", "game") == [] == game.value("agenda_places", "game")


def agenda_game(runtime="cpython"):
    commons = [module for module in load_edition("ii").commons if module[0] in ("language", "board", "agenda")]
    book = Book("small", "Small", [STEPPING], commons)
    game = open_game(book, title="T", game_id="t", runtime=runtime, at=START, secret=minigames.SECRET)
    game.checks = False
    return minigames.with_players(game, ("Ann", "Ben", "Cid"))


def test_lists_within_lists_are_done_in_order():
    for runtime in minigames.RUNTIMES:
        game = agenda_game(runtime)
        done(game.order("Ben", "walk", {}, START))
        game.run_due(START)
        steps = {who: game.value("steps", who) for who in ("Ann", "Ben", "Cid")}
        assert steps["Ann"] == ["step", "jump", "rest", "rest"]
        assert steps["Ben"] == steps["Cid"] == ["jump", "rest", "step", "rest"]
        told = [line["do"] for line in game.journal.lines() if line["kind"] == "tick"]
        assert told == ["step", "jump", "jump", "jump", "rest", "step", "step", "rest"]
        assert [game.value(name, "game") for name in ("agenda", "agenda_lists", "agenda_places", "following")] == [
            []
        ] * 4
        game.runtime.close()


def test_a_list_goes_on_after_a_pause_and_past_who_has_left():
    game = agenda_game()
    done(game.order("Ben", "walk", {}, START))
    done(game.admin("pause", {"because": "x"}, START))
    assert game.value("agenda", "game") or game.value("agenda_lists", "game")
    game.run_due(START + 60)
    before = [line["do"] for line in game.journal.lines() if line["kind"] == "tick"]
    done(game.leave("Cid", START + 60))
    done(game.admin("resume", {}, START + 120))
    game.run_due(START + 120)
    assert len(before) < 2
    assert (game.value("steps", "Ann"), game.value("steps", "Ben")) == (
        ["step", "jump", "rest", "rest"],
        ["jump", "rest", "step", "rest"],
    )

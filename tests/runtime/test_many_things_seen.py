"""A view of hundreds of things: rules are asked of many at once, and say of each what they would say of it alone."""

import sys

import pytest
from minigames import RUNTIMES, rule, small_game

from nomopoly.kernel.budgets import MOST_STEPS
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

SQUARES = 450  # more than are asked at once, and no whole number of times
BOOK = rule(
    "1.1",
    f"""
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
attribute("square", "owner", None, type="thing")
attribute("square", "mined", False, show="owner")
attribute("square", "oil", 0, show="nobody")
attribute("square", "lucky", False)
attribute("square", "gold", 3, show="lucky")
attribute("game", "price", 10)
event("open")


@on("open")
def begin(e):
    for number in range(1, {SQUARES} + 1):
        create("square", number=number)
    put(find("#7"), "oil", 5)
    put(find("#9"), "lucky", True)


@value("price")
def price():
    return thing("game").price


@value("cost", of="square", bands=("percent", "add"), label="Cost")
def cost(place):
    return place.number * value("price")


@modify("cost")
def dear(place, base):
    if place.number % 100 == 0:
        return add(1)


@modify("cost", show=("owner",))
def mined(place, base):
    if place.mined:
        return add(1000)


@value("tax", of="square", label="Tax")
def tax(place):
    return value("cost", place) // 10


@modify("tax")
def none_at_all(place, base):
    if place.number == 300:
        return set(0)


@value("part", of="square", label="Part")
def part(place):
    return 1000 // (place.number - 250)


@value("whole", of="square", label="Whole")
def whole(place):
    return sum([1 for _ in range({MOST_STEPS} // 100)]) and place.number


@value("stubborn", of="square", label="Stubborn")
def stubborn(place):
    try:
        return sum([1 for _ in range({MOST_STEPS} // 100)]) and place.number
    except Exception:
        return -1


@value("large", of="square", label="Large")
def large(place):
    return 10**45 if place.number == 5 else (place, "a") if place.number == 6 else None


@marker("square")
def flag(place):
    if 1000 // (place.number - 250) == 500:
        return ("F", f"a flag for {{value('cost', place)}}")


@action("claim", square=choose("square"))
def claim(e):
    put(e.square, "owner", e.who)
    put(e.square, "mined", True)


@action("reprice", price=number("Price"))
def reprice(e):
    put(thing("game"), "price", e.price)
""",
)


@pytest.fixture(scope="module", params=RUNTIMES)
def game(request):
    made = small_game(BOOK, runtime=request.param)
    made.order("Ann", "claim", {"square": "#20"}, made.now)
    yield made
    made.runtime.close()


def test_each_thing_has_its_own_answers(game):
    things = game.view("visitor")["things"]
    squares = [things[f"#{number}"] for number in range(1, SQUARES + 1)]
    assert [each["number"] for each in squares] == list(range(1, SQUARES + 1))
    assert [each["cost"] for each in squares] == [n * 10 + (n % 100 == 0) for n in range(1, SQUARES + 1)]
    assert [each["tax"] for each in squares] == [0 if n == 300 else n for n in range(1, SQUARES + 1)]
    assert [each["kind"] for each in things.values() if each["id"] == "Ann"] == ["player"]


def test_where_one_breaks_the_others_have_theirs(game):
    things = game.view("visitor")["things"]
    assert [things[f"#{n}"]["part"] for n in (249, 250, 251, 450)] == [-1000, None, 1000, 5]
    assert [things[f"#{n}"]["large"] for n in (4, 5, 6, 7)] == [None, None, ["#6", "a"], None]


def test_each_has_a_budget_of_its_own(game):
    things = game.view("visitor")["things"]
    for name in ("whole", "stubborn"):
        assert [things[f"#{n}"][name] for n in range(1, SQUARES + 1)] == list(range(1, SQUARES + 1))


def test_markers_stand_where_they_are_drawn(game):
    drawn = game.view("visitor")["markers"]
    assert [(each["square"], each["label"]) for each in drawn] == [("#252", "a flag for 2520")]


def test_what_is_seen_hangs_on_the_thing_and_on_who_looks(game):
    seen = {viewer: game.view(viewer)["things"] for viewer in ("Ann", "Ben", "visitor", "admin")}
    assert [seen[viewer]["#20"].get("mined") for viewer in seen] == [True, None, None, None]
    assert [seen[viewer]["#20"]["cost"] for viewer in seen] == [1200, 200, 200, 200]
    assert [seen[viewer]["#9"].get("gold") for viewer in seen] == [3, 3, 3, 3]
    assert not [id for id, each in seen["visitor"].items() if "oil" in each or ("gold" in each and id != "#9")]


def test_what_was_known_for_one_page_is_asked_again_for_the_next(game):
    before = game.view("visitor")["things"]["#10"]["cost"]
    game.order("Ann", "reprice", {"price": 20}, game.now)
    after = game.view("visitor")["things"]["#10"]["cost"]
    game.order("Ann", "reprice", {"price": 10}, game.now)
    assert (before, after) == (100, 200)


def test_the_first_square_is_looked_for_once():
    """VI.2 of `original` marks it, and asks of each square whether it is that."""
    game = open_game(load_edition("original"), title="T", game_id="x", runtime="cpython", at=0, secret="2a" * 32)
    asked = []
    sys.setprofile(lambda frame, event, _: asked.append(event) if frame.f_code.co_name == "start_square" else None)
    try:
        game.view("visitor")
    finally:
        sys.setprofile(None)
    assert asked == ["call", "return"]

"""Markers of the board: a symbol, what it means, a sign of a place; and of what stands there, which thing that is."""

import pytest
from minigames import RUNTIMES, rule, small_game

BOOK = rule(
    "1.1",
    """
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
kind("unit", prefix="unit-")
attribute("unit", "square", None, type="thing")
attribute("unit", "owner", None, type="thing")
kind("mine", prefix="mine-")
attribute("mine", "square", None, type="thing", show="nobody")


event("open")


@on("open")
def begin(e):
    place = create("square", number=1)
    create("unit", square=place)
    create("mine", square=place)


@marker("square")
def place(square):
    return ("Z", "the Zoo", "paw")


@marker("unit")
def unit(piece):
    return ("U", "a unit")


@marker("mine")
def mine(piece):
    return ("M", "a mine")
""",
)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_marker_names_its_sign_and_the_thing_that_the_viewer_sees(runtime):
    game = small_game(BOOK, runtime=runtime)
    markers = {each["symbol"]: each for each in game.view("Ann")["markers"]}
    game.runtime.close()
    shown = {"square": "#1", "rule": "1.1"}
    assert markers["Z"] == shown | {"kind": "square", "symbol": "Z", "label": "the Zoo", "sign": "paw"}
    assert markers["U"] == shown | {"kind": "unit", "symbol": "U", "label": "a unit", "thing": "unit-1"}
    assert markers["M"] == shown | {"kind": "mine", "symbol": "M", "label": "a mine"}

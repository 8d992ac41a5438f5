"""What rules draw by `chance.hidden` nobody reads anywhere who may not know it: in a program that runs once, in an
event without a fact of its own, and in a function that either calls."""

import json

import minigames
import pytest
from minigames import RUNTIMES, START, done

from nomopoly.runtime.sealing import shown_line
from nomopoly.runtime.verify import verify

PLAYERS = ("Ann", "Ben", "Cid", "Dot")
PLOT = """
attribute("player", "traitor", False, show="owner")
attribute("game", "word", "", show="nobody")
event("plot")
event("plot-begins", "plot-began", say="The plot begins")


def choose_traitor():
    return chance.{bag}pick(every("player"))


@action("begin", "Begin", by="admin")
def begin(e):
    do("plot-begins")


@on("plot-begins")
def begin_plot(e):
    do("plot")


@on("plot")
def plot(e):
    put(choose_traitor(), "traitor", True)
    put(thing("game"), "word", chance.{bag}pick(("MARGATE", "RAMSGATE")))
"""
ONCE = (
    "put(chance.{bag}pick(every('player')), 'traitor', True)\nput(thing('game'), 'word', "
    "chance.{bag}pick(('MARGATE', 'RAMSGATE')))"
)


def played(how, bag, runtime):
    """A game in which a traitor and a word were drawn."""
    rules = (minigames.CHANGING, minigames.rule("1.1", PLOT.replace("{bag}", bag)))
    game = minigames.small_game(*rules, runtime=runtime, players=PLAYERS)
    if how == "run":
        done(minigames.change(game, run=ONCE.replace("{bag}", bag)))
    else:
        done(game.admin("begin", {}, START))
    (traitor,) = [name for name in PLAYERS if game.value("traitor", name)]
    return game, traitor


def all_that(game, viewer):
    """What a viewer has of the last entry: the log, the copy of its line that they may take away, and the state."""
    entry = [each for each in game.facts(viewer) if each["n"] == game.n]
    things = {name: each for name, each in game.view(viewer)["things"].items() if viewer == name or name == "game"}
    line, outcome = list(game.journal.lines())[-1], dict(game.outcomes.get(game.n))[game.n]
    copy = shown_line(line, outcome, viewer)
    return json.dumps([[each["facts"] for each in entry], copy.get("shown"), things])


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("how", ["run", "event"])
def test_a_hidden_draw_is_in_nothing_that_others_see(how, runtime):
    game, traitor = played(how, "hidden.", runtime)
    for viewer in (*[name for name in PLAYERS if name != traitor], "visitor"):
        seen = all_that(game, viewer)
        assert "GATE" not in seen
        assert traitor not in seen.replace(viewer, "")
    line = list(game.journal.lines())[-1]
    assert (line.get("drawn", ""), len(line["hidden"])) == ("", 16)
    assert '"traitor": true' in all_that(game, traitor)
    verify(list(game.journal.lines()), runtime)


@pytest.mark.parametrize("how", ["run", "event"])
def test_an_open_draw_stands_in_the_log_for_everybody(how):
    game, traitor = played(how, "", "cpython")
    line = list(game.journal.lines())[-1]
    assert len(line["drawn"]) == 16
    assert not line.get("hidden")

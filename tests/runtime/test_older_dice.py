"""Games whose dice are of the older recipe, and what a rule cannot make others believe."""

import itertools
import json

import minigames
import pytest
from minigames import RUNTIMES, START, done, rule
from test_dice_and_secrets import GAMBLES, copy_for, gambling, last, texts_in

from nomopoly.runtime.host import load_game, open_game
from nomopoly.runtime.log import view_entry
from nomopoly.runtime.verify import verify

# ---- the older recipe


def older_game():
    book = minigames.Book("small", "A small game", [rule("1.1", GAMBLES)], [])
    game = open_game(
        book, title="Small", game_id="small", runtime="cpython", at=START, secret=minigames.SECRET, recipe=1
    )
    game.checks = False
    minigames.with_players(game, ("Ann", "Ben"))
    for _ in range(3):
        done(game.order("Ann", "roll", {}, START))
    return game


def test_journals_of_the_older_recipe_verify_as_before():
    game = older_game()
    assert all("entropy" in line and "salt" not in line for line in game.journal.lines(1))
    game.reveal(START)
    assert verify(game.journal.lines()).revealed == 8


def test_a_running_game_of_the_older_recipe_goes_on_with_two_secrets():
    game = older_game()
    old = game.secret
    assert game.move_in(START, [old]).ok
    assert last(game)["args"]["secret"] is None
    assert game.secret != old
    for _ in range(3):
        done(game.order("Ann", "roll", {}, START))
        done(game.order("Ann", "deal", {}, START))
    assert {"salt", "hidden"} <= last(game).keys()
    assert verify(game.journal.lines()).waiting > 6
    taken_up = load_game(game.journal, runtime="cpython", secret=game.secret, vault=game.vault, earlier=game.earlier)
    assert (taken_up.recipe, taken_up.earlier) == (2, [old])
    outcome = taken_up._renew(START, {"secret": taken_up.secret}, hidden=True)  # as at the end of the game
    assert outcome.ok
    assert last(taken_up)["args"]["earlier"] == [old]
    assert verify(taken_up.journal.lines()).waiting == 0
    for viewer in ("visitor", "Ann"):
        found = verify(copy_for(taken_up, viewer))
        assert found.unproven > 5
        assert not [text for line in copy_for(taken_up, viewer)[:9] for text in texts_in(line) if text == old]


def test_the_log_of_an_older_game_hides_hashes_of_what_is_hidden():
    game = older_game()
    done(game.order("Ann", "deal", {}, START))
    assert game.facts("Ben")[-1]["out"] == ""
    done(game.order("Ann", "roll", {}, START))
    assert game.facts("Ben")[-1]["out"] == last(game)["out"]


def test_twins_that_differ_in_a_secret_look_the_same_but_for_their_seals():
    """Two games, the same but for an amount that nobody else may see: all that others get of both is equal, hashes
    aside."""

    def seen(amount):
        game = gambling()
        done(game.order("Ann", "save", {"amount": amount}, START))
        done(game.order("Ben", "save", {"amount": 4}, START))
        for viewer in ("visitor", "Ben", "admin"):
            yield without_seals(copy_for(game, viewer))
            yield without_seals(game.facts(viewer))
            yield game.view(viewer)

    for one, other in itertools.zip_longest(seen(111), seen(4711)):
        assert one == other


def without_seals(data):
    """Data with every hash and salt left out."""
    if isinstance(data, dict):
        return {without_seals(key): without_seals(data[key]) for key in data}
    if isinstance(data, list):
        return [without_seals(part) for part in data]
    return "-" if isinstance(data, str) and len(data) == 64 else data


def test_an_entry_shows_to_each_what_the_log_shows():
    game = gambling()
    done(game.order("Ann", "deal", {}, START))
    outcome = dict(game.outcomes.get())[game.n]
    assert view_entry(last(game), outcome, "Ann", 1, None)["changes"]
    assert view_entry(last(game), outcome, "Ben", 1, None)["changes"] == []


MAKES_UP = """
attribute("player", "card", "KS", show="owner")


@action("invent", fact="invented")
def invent(e):
    enact(str(thing("Ann").card) + ".1", text="x", code="(")
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_number_of_a_rule_that_never_was_tells_nobody_anything(runtime):
    game = minigames.small_game(rule("1.1", MAKES_UP), runtime=runtime)
    assert "KS" in game.order("Ben", "invent", {}, START).fault["rule"]
    assert game.facts("visitor")[-1]["fault"] == {"rule": "", "line": 0, "message": "", "unknown": True}
    assert "KS.1" not in json.dumps([game.facts("visitor"), copy_for(game, "visitor")])


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("error", ["TimeoutError", "MemoryError"])
def test_a_rule_cannot_pass_for_the_guard_of_the_machine(runtime, error):
    game = minigames.small_game(
        rule("1.1", f"@action('late')\ndef late(e):\n    raise {error}('x')\n"), runtime=runtime
    )
    assert game.order("Ann", "late", {}, START).fault["message"] == f"RuntimeError: {error}"

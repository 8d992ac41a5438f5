"""A strike hides nothing again that an entry has shown, and that nobody knew before: the hand of a finished round."""

import minigames
import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

MONDAY = 1772442000  # 2026-03-02 09:00 UTC


@pytest.fixture(scope="module")
def finished():
    """A game of edition ii with dice of its own, in which Ann has played a round of blackjack: (game, dealt,
    stopped)."""
    game = open_game(load_edition("ii"), title="T", game_id="t", runtime="cpython", at=MONDAY, secret=minigames.SECRET)
    game.run_due(MONDAY)  # the first week begins
    for name in ("Ann", "Ben", "Cid"):
        assert game.join(name, MONDAY).ok
        assert game.admin("approve-player", {"player": name}, MONDAY).ok
    assert game.admin("grant", {"thing": "#1", "attribute": "buildings", "value": ["casino"]}, MONDAY).ok
    dealt = game.order("Ann", "play-blackjack", {"bet": 100}, MONDAY)
    assert dealt.ok
    stopped = game.order("Ann", "blackjack-stop", {}, MONDAY)
    assert stopped.ok
    return game, dealt.n, stopped.n


def test_the_end_of_a_round_is_not_struck_alone_and_its_dealing_is(finished):
    game, dealt, stopped = finished
    numbers = {entry["n"]: entry["number"] for entry in game.facts("admin")}
    why = (
        f"entry {numbers[stopped]} has shown what nobody would know again: strike what drew it, entry {numbers[dealt]}"
    )
    assert game.strike_preview(stopped)["impossible"] == why
    assert game.strike(stopped, "a test", MONDAY).refused == why
    assert game.strike(dealt, "a test", MONDAY).ok
    struck = game.n
    assert game.strike(stopped, "it is refused already", MONDAY).ok
    assert "hand-1" not in game.view("admin")["things"]
    again = game.strike(struck, "the round counts after all", MONDAY)
    assert again.refused == why, "the dealing comes back without its end, and all have seen the dealer's cards"
    assert game.strike(struck + 1, "first the end", MONDAY).ok
    assert game.strike(struck, "then the dealing", MONDAY).ok
    assert "hand-1" not in game.view("admin")["things"]

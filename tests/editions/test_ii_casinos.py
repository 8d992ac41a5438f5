"""Edition `ii`: what nobody may learn of a casino round before it is over, and that its deck holds each card once."""

import pytest

from nomopoly.runtime.copies import as_seen, copy_of
from nomopoly.runtime.scenarios.play import Play

GIVEN = {
    "#12": {"block": "block-1", "buildings": ["casino"], "buried": ["KS", "AH"]},
    "block-1": {"type": "government", "squares": ["#12"]},
    "Ann": {"square": "#12", "items": ["shovel"]},
}


@pytest.fixture
def played():
    """A function that plays steps at a casino and gives the game; it is closed afterwards."""
    opened = []

    def play(*steps):
        data = {"scenario": "casino", "edition": "ii", "players": ["Ann", "Ben"], "given": GIVEN, "steps": list(steps)}
        opened.append(Play(data, "cpython"))
        opened[-1].run()
        return opened[-1]

    yield play
    for each in opened:
        each.close()


def order(**said):
    return {"order": {"by": "Ann", **said}}


def test_a_preview_does_not_show_the_hidden_card(played):
    play = played({**order(do="play-blackjack", bet=100), "draws": ["10S", "7H", "KS", "9D"]})
    for do, args in (("blackjack-stop", {}), ("leave-game", {})):
        shown = play.host.preview("Ann", do, args, play.now)
        assert "7H" not in repr((shown.facts, shown.changes)), do
    assert play.host.preview("Ann", "blackjack-stop", {}, play.now).rolls
    assert play.host.value("hole", "hand-1") == "7H"
    for viewer in ("Ann", "Ben", "admin", "visitor"):
        assert "7H" not in repr(play.host.view(viewer, play.now)), viewer


def test_a_preview_does_not_dig_up_cards(played):
    shown = played({"expect": {"Ann": {"items": ["shovel"]}}}).host.preview("Ann", "use-item", {"item": "shovel"}, 0)
    assert shown.rolls
    assert "KS" not in repr((shown.facts, shown.changes))


def test_the_log_does_not_show_cards_of_an_open_round(played):
    play = played({**order(do="play-blackjack", bet=100), "draws": ["10S", "7H", "KS", "9D"]})
    for viewer, hidden in (("Ann", ["7H"]), ("Ben", ["7H", "10S", "9D", "KS"]), ("visitor", ["7H", "10S", "9D", "KS"])):
        entry = play.host.facts(viewer)[-1]
        assert "bet" in [fact["what"] for fact in entry["facts"]]
        assert not [card for card in hidden if card in repr(entry)], viewer


def test_each_card_comes_once_in_a_round(played):
    play = played(order(do="play-poker", bet=1))
    game = play.host
    for at in range(1, 31):
        first = game.value("cards", f"hand-{at}")
        assert len(set(first)) == 5
        changed = game.submit("order", "Ann", "poker-exchange", {"discard": first}, play.now)
        (last,) = [fact["cards"] for fact in changed.facts if fact["what"] in ("won-bet", "lost-bet")]
        assert len(set(first + last)) == 10
        again = {"thing": "Ann", "attribute": "casino_plays", "value": 0, "because": "again"}
        assert game.submit("admin", "Admin", "grant", again, play.now).ok
        assert game.submit("order", "Ann", "play-poker", {"bet": 1}, play.now).ok


def test_the_desk_offers_what_can_be_rejected(played):
    play = played(
        {"admin": {"do": "grant", "thing": "#5", "attribute": "name", "value": "Pier", "because": "a test"}},
        order(do="apply-patent", sort="game", name="Doors", text="One in three wins."),
        {"propose": {"by": "Ben", "title": "Salt", "text": "The sea is salty."}},
    )
    (action,) = [each for each in play.host.actions("admin", play.now) if each["id"] == "reject"]
    (choices,) = [field["choices"] for field in action["fields"] if field["name"] == "on"]
    assert sorted(each["id"] for each in choices) == ["#5", "P1", "patent-1"]


def test_a_round_goes_on_in_a_trial_that_knows_nothing_of_the_hidden_card(played):
    play = played({**order(do="play-blackjack", bet=100), "draws": ["10S", "7H", "KS", "9D"]})
    state, _ = as_seen(play.host.state(), play.host.view("Ann", play.now), "seed")
    assert "7H" not in repr(state)
    trial = copy_of(play.host, state, runtime="cpython")
    try:
        stopped = trial.submit("order", "Ann", "blackjack-stop", {}, play.now)
        assert stopped.ok, (stopped.refused, stopped.fault)
        (dealer,) = [fact["dealer"] for fact in stopped.facts if fact.get("dealer")]
        assert dealer[0] == "10S"
        assert None not in dealer
    finally:
        trial.runtime.close()


def test_what_is_done_at_once_does_not_wait_beside_orders_that_do(played):
    play = played({"expect": {"Ann": {"casino_plays": 0}}})
    game = play.host
    waits = game.submit("order", "Ann", "buy-item", {"item": "flower"}, play.now, queued=True)
    at_once = game.submit("order", "Ann", "play-roulette", {"bet": 10, "number": 3}, play.now, queued=True)
    assert waits.ok
    assert at_once.ok
    assert game.value("casino_plays", "Ann") == 1
    assert game.value("items", "Ann") == ["shovel"]

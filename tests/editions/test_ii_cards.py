"""Edition `ii`: what a card is, only its holder learns from the log (XIV.2, XIV.5, XIV.6, XXIV.2/shovel); forms offer
what can be had."""

import json

import pytest

from nomopoly.runtime.scenarios.play import Play

FULL = ["2C"] * 12


def logs(given, *steps):
    """What Ann, Ben, a visitor and the Admin may read of these steps, as text."""
    play = Play(
        {"scenario": "secrets", "edition": "ii", "players": ["Ann", "Ben"], "given": given, "steps": list(steps)},
        "cpython",
    )
    try:
        play.run()
        return {
            viewer: json.dumps([entry for entry in play.host.facts(viewer) if entry["do"] != "given"])
            for viewer in ("Ann", "Ben", "visitor", "admin")
        }
    finally:
        play.close()


DRAWS = {"turn": "Ann", "draws": [1, 1, "5D", 1, 2]}
BURIES = {"order": {"by": "Ann", "do": "bury-card", "card": "5D"}}


@pytest.mark.parametrize(
    ("given", "steps"),
    [
        ({"#60": {}}, [DRAWS]),
        ({"#60": {}, "Ann": {"cards": FULL}}, [DRAWS]),
        ({"Ann": {"cards": ["5D"]}}, [BURIES]),
        ({"Ann": {"cards": ["5D"]}}, [{**BURIES, "queued": True}, {"until": "update", "draws": ["Ann", 1, 2, 1, 2]}]),
        (
            {"#1": {"buried": ["5D", "5D"]}, "Ann": {"items": ["shovel"], "cards": FULL * 2}},
            [{"order": {"by": "Ann", "do": "use-item", "item": "shovel"}, "draws": ["5D"]}],
        ),
    ],
    ids=["drawn", "too many", "buried", "buried in an update", "dug up"],
)
def test_the_card_is_told_to_its_holder_alone(given, steps):
    seen = logs(given, *steps)
    assert "5D" in seen["Ann"]
    assert "5D" not in seen["Ben"]
    assert "5D" not in seen["visitor"]


def test_others_hear_of_a_card_that_is_received_and_not_of_one_that_is_buried():
    assert '"drew"' in logs({"#60": {}}, DRAWS)["Ben"]
    full = logs({"#60": {}, "Ann": {"cards": FULL}}, DRAWS)
    for word in ("drew", "buried"):
        assert word not in full["Ben"]
    assert "buried" in full["Ann"]


def offered(given, name):
    """What the form of an action offers Ann: {field: ids}."""
    steps = [{"expect": {"Ben": {"health": 100}}}]
    play = Play(
        {"scenario": "forms", "edition": "ii", "players": ["Ann", "Ben"], "given": given, "steps": steps}, "cpython"
    )
    try:
        play.run()
        (action,) = [each for each in play.host.actions("Ann", play.now) if each["id"] == name]
    finally:
        play.close()
    return {field["name"]: [each["id"] for each in field["choices"]] for field in action["fields"]}


COLUMNS = [[1, 2, 3, 4, 5], [16, 17, 18, 19, 20], [31, 32, 33, 34, 35], [46, 47, 48, 49, 50], [61, 62, 63, 64, 65]]


@pytest.mark.parametrize(
    ("marked", "cards", "prizes"),
    [([], [], None), ([33], ["bingo-1"], ["center"]), ([33, 1, 5, 61, 65], ["bingo-1"], ["center", "corners"])],
)
def test_only_bingo_prizes_that_are_won_are_offered(marked, cards, prizes):
    given = {
        "Ann": {"items": ["bingo-1"]},
        "bingo-1": {"owner": "Ann", "columns": COLUMNS, "marked": marked},
        "bingo-2": {"owner": "Ben", "columns": COLUMNS, "marked": [1, 2, 3, 4, 5]},
        "Ben": {"items": ["bingo-2"]},
    }
    fields = offered(given, "trade-in-bingo")
    assert fields["card"] == cards
    if prizes is not None:
        assert fields["prize"] == prizes


def test_only_missiles_of_ones_own_silos_and_squares_in_reach_are_offered():
    silo = {"owner": "Ann", "block": "block-1", "buildings": ["missile-silo"]}
    given = {
        "#6": silo | {"missiles": ["chemical"]},
        "#7": silo,
        "#8": {"owner": "Ben", "buildings": ["missile-silo"], "missiles": ["icbm"]},
        "block-1": {"type": "government", "squares": ["#6", "#7"]},
    }
    fields = offered(given, "fire-missile")
    assert fields["square"] == ["#6"]
    assert fields["missile"] == ["chemical"]
    assert {"#5", "#6", "#7", "#8"} <= set(fields["target"])
    assert not {"#1", "#10", "#20"} & set(fields["target"])


def test_the_targets_of_many_missiles_are_found_within_the_budget_of_a_page():
    """After 43 weeks of play the missiles of two silos took more steps than a page may."""
    silo = {"owner": "Ann", "buildings": ["missile-silo"], "missiles": ["cruise", "chemical", "biological"]}
    fields = offered({f"#{n}": silo for n in range(6, 30)}, "fire-missile")
    assert fields["square"] == [f"#{n}" for n in range(6, 30)]
    assert {f"#{n}" for n in range(6, 30)} <= set(fields["target"])

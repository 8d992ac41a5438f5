"""Edition `iv`: all its rules are there, in order, and its scenarios hold in both runtimes."""

import pytest
import shipped

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.scenarios.play import Play

LAST = {1: 4, 2: 3, 3: 5, 4: 3, 5: 2, 6: 1, 7: 9, 8: 3, 9: 10, 10: 4, 11: 3, 12: 9, "D": 3}
ROWS = ["12.7/warrior", "12.8/fort", "12.9/attack", "12.9/move", "12.9/recruit-warrior"]
SCENARIOS = shipped.of_edition("iv")


def test_every_rule_is_in_the_book_in_order():
    numbers = [record["id"] for record in load_edition("iv").records]
    assert [id for id in numbers if "/" not in id] == [f"{s}.{r}" for s in LAST for r in range(1, LAST[s] + 1)]
    assert sorted(id for id in numbers if "/" in id) == ROWS


def test_every_rule_has_prose_and_a_heading():
    for record in load_edition("iv").records:
        assert len(record["text"]) > 15, record["id"]
        assert record["title"], record["id"]


@pytest.mark.parametrize("runtime", shipped.RUNTIMES)
@pytest.mark.parametrize(("where", "data"), SCENARIOS, ids=[data["scenario"] for _, data in SCENARIOS])
def test_scenario(where, data, runtime):
    assert shipped.failure(where, data, runtime) is None


GROWTH = [
    data
    for _, data in SCENARIOS
    if data["scenario"].startswith("iv, Growth: ") and data["scenario"] != "iv, Growth: a level that wins"
]
MEANS = ("propose", "vote", "advance", "until")
EMPTY = {"P1": {"changes": [{"enact": "99.1", "text": "Words."}]}, "P2": {"changes": [{"repeal": "99.1"}]}}


def played(data, empty):
    """The state after a growth scenario's proposals alone, or after proposals that put in and take out words alone.

    Dice have one side, so that chance is the same in both.
    """
    steps = []
    for step in data["steps"]:
        said = step.get("admin", {})
        if said.get("do") == "implement" and "fault" not in step:
            steps.append({"admin": {"do": "implement", "on": said["on"]} if empty else said})
        elif "propose" in step and empty:
            said = {key: step["propose"][key] for key in ("by", "as", "title")}
            steps.append({"propose": {**said, **EMPTY[said["as"]]}})
        elif set(step) & set(MEANS):
            steps.append({"advance": "3d"} if "until" in step else {key: step[key] for key in step if key != "draws"})
    steps.append({"expect": {alias: {"outcome": "implemented"} for alias in ("P1", "P2")}})
    play = Play({**data, "steps": steps}, "cpython", once='amend("8.2", params={"dice": 1})')
    play.run()
    state = play.host.state()
    play.host.view("visitor")
    play.close()
    gone = {"n", "now", "counters", "ghosts", "next_timer"}
    kept = {key: state[key] for key in state if key not in gone}
    kept["things"] = [each for each in state["things"] if each[1] != "proposal"]
    kept["timers"] = sorted(repr(each[1:]) for each in state["timers"])
    return kept


@pytest.mark.parametrize("data", GROWTH, ids=[data["scenario"] for data in GROWTH])
def test_what_was_repealed_leaves_the_state_of_a_game_that_never_had_it(data):
    assert played(data, empty=False) == played(data, empty=True)


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_an_action_is_possible_if_any_choice_allows_it_and_not_where_there_is_none(runtime):
    given = {"fort-1": {"owner": "Ann", "square": "#3"}, "fort-2": {"owner": "Ann", "square": "#3"}}
    steps = [{"order": {"by": "Ann", "do": "command-recruit-warrior", "unit": fort}} for fort in given]
    for done, expected in ((1, (True, None)), (2, (False, "fort-1 is recovering"))):
        data = {"scenario": "T", "edition": "iv", "players": ["Ann", "Ben"], "given": given, "steps": steps[:done]}
        play = Play(data, runtime)
        play.run()
        told = {each["id"]: each for each in play.host.actions("Ann", play.now)}
        play.close()
        found = told["command-recruit-warrior"]
        assert found["possible"] is expected[0]
        assert (found["reason"] or "").startswith(expected[1] or "")
        assert (told["use-item"]["possible"], told["use-item"]["reason"]) == (False, "there is no item to choose from")


def attacked(given, runtime="cpython"):
    """What the form of an attack offers Ann."""
    data = {"scenario": "targets", "edition": "iv", "players": ["Ann", "Ben"], "given": given}
    play = Play(data | {"steps": [{"advance": "0s"}]}, runtime)
    play.run()
    (attack,) = play.host.actions("Ann", play.now, False, ("command-attack",))
    (target,) = [field for field in attack["fields"] if field["name"] == "target"]
    play.close()
    return [choice["id"] for choice in target["choices"]]


def test_what_can_be_attacked_lists_the_pieces_of_others_before_ones_own():
    given = {"warrior-1": {"owner": "Ann", "square": "#3"}, "fort-1": {"owner": "Ann", "square": "#3"}}
    given["warrior-2"] = {"owner": "Ben", "square": "#4"}
    given["warrior-3"] = {"owner": "Ben", "square": "#5"}
    assert attacked(given) == ["warrior-2", "fort-1"]
    given["warrior-4"] = {"owner": "Ann", "square": "#2"}
    assert attacked(given) == ["warrior-2", "warrior-1", "warrior-4", "fort-1"]


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_a_hundred_warriors_have_targets(runtime):
    """After half a year of play the targets of fifteen among a hundred took more steps than a page may."""
    given = {
        f"warrior-{n}": {"owner": "Ann" if n <= 30 else "Ben", "square": f"#{1 + n * 7 % 10 + 10 * (n > 30)}"}
        for n in range(1, 101)
    }
    assert sorted(attacked(given, runtime)) == sorted(given)

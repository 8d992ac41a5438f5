"""What all timers of a game hold is known without adding it up, whatever becomes of them."""

import minigames
import pytest
from minigames import RUNTIMES, START, done

SET = """
event("ring", words="")


@action("set", "Set", text=words("What", limit=1000), many=number("How many"), fails=yes_or_no())
def set_them(e):
    for each in range(e.many):
        at(now() + days(1) + each, "ring", words=e.text)
    if e.fails:
        refuse("no")


@action("clear", "Clear", text=words("What", limit=1000))
def clear(e):
    cancel("ring", words=e.text)
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_timers_that_were_set_cancelled_undone_or_run_leave_room_for_as_many_again(runtime):
    game = minigames.small_game(minigames.rule("1.1", SET), runtime=runtime)
    full = {"text": "x" * 1000, "many": 900}
    for place in range(12):  # 900,000 characters each time, of which a game holds a few million
        assert game.order("Ann", "set", {**full, "fails": "true"}, START + place * 100).refused == "no"
        done(game.order("Ann", "set", full, START + place * 100))
        done(game.order("Ann", "clear", {"text": "x" * 1000}, START + place * 100 + 1))
    done(game.order("Ann", "set", {"text": "y", "many": 5}, START + 5000))
    game.run_due(START + 3 * 86400)
    assert game.state()["timers"] == []

"""No rule bears the name by which the game's own part is known: what is so called is not bound by what binds rules."""

import minigames
import pytest
from minigames import START, rule

NEVER = "@check('remove')\ndef never(e):\n    return 'nobody leaves'"
CHANGE = rule("9.1", '@action("change", changes=anything())\ndef change(e):\n    change_rulebook(e.changes)')


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_rule_cannot_pass_for_the_game_itself(runtime):
    game = minigames.small_game(CHANGE, runtime=runtime)
    outcome = game.order("Ann", "change", {"changes": [{"enact": "kernel", "code": NEVER}]}, START)
    assert "no rule has the number 'kernel'" in str(outcome.fault)
    assert "kernel" not in game.records()
    assert game.leave("Ben", START).refused is None
    game.runtime.close()


def test_nor_can_one_of_a_book_that_is_opened():
    with pytest.raises(Exception, match="no rule has the number 'kernel'"):
        minigames.small_game(CHANGE, rule("kernel", NEVER))

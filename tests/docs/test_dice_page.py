"""The ten lines of docs/dice.md give the rolls that the program makes."""

import re
from pathlib import Path

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import sealing
from nomopoly.runtime.host import open_game
from nomopoly.site.play.views.about import TEN_LINES

PAGE = Path(__file__).parents[2] / "docs" / "dice.md"
SECRET = "5a" * 32


def test_the_page_of_a_game_shows_the_same_lines():
    assert re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1] == TEN_LINES


def test_ten_lines_check_a_roll():
    lines = {}
    exec(re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1], lines)
    game = open_game(
        load_edition("original"), title="Dice", game_id="dice", runtime="cpython", at=1_772_442_000, secret=SECRET
    )
    assert lines["commitment"](SECRET) == game.commitment
    game.join("Ann", game.now)
    game.admin("approve-player", {"player": "Ann"}, game.now)
    rolled = 0
    for _ in range(60):
        outcome = game.tick(game.now + 60, "turn", {"who": "Ann"})
        line = list(game.journal.lines(outcome.n))[0]
        shown = sealing.shown_line(line, dict(game.outcomes.get(outcome.n))[outcome.n], "visitor")
        entry = {key: shown[key] for key in shown if key not in ("hash", "shown")}
        entropy = lines["entropy"](SECRET, entry)
        dice = [face for fact in outcome.facts if fact["what"] == "rolled" for face in fact["dice"]]
        assert dice == [lines["draw"](entropy, at, 6) + 1 for at in range(len(dice))]
        rolled += len(dice)
    assert rolled > 120

"""The examples of docs/research.md do what they say."""

import importlib.util
import re
from pathlib import Path

from nomopoly.lab.outlook import futures
from nomopoly.lab.simulate import play_weeks
from nomopoly.lab.tables import COLUMNS

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


def test_the_examples_run_one_after_the_other():
    names = {}
    try:
        for example in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            if "lab.env" not in example or importlib.util.find_spec("pettingzoo"):
                exec(example, names)
    finally:
        names["game"].runtime.close()


def test_the_tables_are_those_that_are_written():
    told = dict(re.findall(r"^\| (\w+) \| [^:|]+: ([\w, ]+) \|$", PAGE, re.MULTILINE))
    assert {name: tuple(columns.split(", ")) for name, columns in told.items()} == COLUMNS


def test_what_futures_return_is_written():
    """Each name of the first two floors, and no other, stands in the table."""
    game, _ = play_weeks("original", players=2, weeks=1, seed=5)
    breaks = '@after("land")\ndef breaks(e):\n    1 // 0\n'
    proposal = {"changes": [{"enact": "XX.1", "text": "It breaks.", "code": breaks}]}
    told = futures(game, proposal, futures=1, weeks=1, runtime="cpython")
    game.runtime.close()
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", PAGE, re.MULTILINE)
    written = {name: about for names, about in rows for name in re.findall(r"`(\w+)`", names)}
    assert written.keys() == told.keys()
    assert told["troubles"]["then"]
    inner = {"wealth": told["wealth"], "ends": told["ends"]["now"], "troubles": told["troubles"]["then"][0]}
    inner["players_then"] = {**told["players_then"][0], **told["players_then"][0]["difference"]}
    for name, known in inner.items():
        assert set(known) <= set(re.findall(r"`(\w+)`", written[name])), name

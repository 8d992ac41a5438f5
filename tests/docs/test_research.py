"""The examples of docs/research.md do what they say."""

import importlib.util
import re
from pathlib import Path

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

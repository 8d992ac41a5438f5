"""The scripts of docs/research draw what they found."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "research"
ASKED = {"rent": ["--futures", "2", "--weeks", "1"], "amendments": ["--games", "2", "--weeks", "1"]}
ASKED["proposer"] = ["--weeks", "1", "--futures", "1"]


@pytest.mark.parametrize("name", ASKED)
def test_a_plot_is_drawn(name, tmp_path):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    made.main([*ASKED[name], "--out", str(tmp_path / "plot.svg")])
    drawn = (tmp_path / "plot.svg").read_text()
    assert "<svg" in drawn
    assert "<!-- 0.9" not in drawn, "a part of a week on the axis of weeks"

"""The game of docs/own-game.md: whole as it stands there, checked, played, and shown without a board."""

import re
from pathlib import Path

import pytest

from nomopoly import cli
from nomopoly.lab.weeks import simulate_weeks
from nomopoly.rulebook import own, source

PAGE = Path(__file__).parents[2] / "docs" / "own-game.md"
FILE = re.compile(r"^`(talk/[\w./]+)`.*?\n\n```\w+\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def talk(tmp_path, monkeypatch):
    """The folder of the page."""
    monkeypatch.setattr(source, "OWN", {})
    monkeypatch.setattr(own, "OWN", source.OWN)
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "talk"


def test_the_game_of_the_page_has_no_problems(talk, capsys):
    assert sorted(each.name for each in talk.iterdir()) == [
        "changes.py",
        "contents.py",
        "players.py",
        "scenarios",
        "texts",
    ]
    assert cli.run(["check", str(talk)]) == 0
    assert capsys.readouterr().out == f"{talk}: no problems\n"


def test_its_scenario_passes_and_bots_play_it(talk, monkeypatch, capsys):
    from nomopoly.runtime.scenarios import keys

    monkeypatch.setattr(keys, "OWN", source.OWN)
    assert cli.run(["scenario", "--edition", str(talk)]) == 0
    assert "2 passed, 0 failed" in capsys.readouterr().out
    played = simulate_weeks("talk", players=3, weeks=4, policy="random", book=own.load_rules(talk)[0])
    assert played["faults"] == []
    assert played["standing"]["Ann"].startswith("Points: ")


def test_each_name_of_a_shared_module_is_there():
    known = set(source.commons_texts()) - {"__init__"}
    table = PAGE.read_text(encoding="utf-8").partition("### What the commons lend")[2].partition("\n\nThey decide")[0]
    told = {name for row in table.splitlines()[4:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == known

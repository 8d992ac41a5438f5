"""The scripts of docs/research do what they say, in small."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "research"


def script(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("name", ["rent", "amendments", "proposer"])
def test_a_plot_without_its_library_is_refused_before_anything_is_played(name, monkeypatch, capsys):
    made = script(name)
    monkeypatch.setattr(made, "play_weeks", lambda *_, **__: pytest.fail("it plays first"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        made.main(["--out", "plot.svg"])
    assert "--out needs the extra 'lab': pip install nomopoly[lab]" in capsys.readouterr().err


def test_no_games_are_no_sample(capsys):
    with pytest.raises(SystemExit):
        script("amendments").main(["--games", "0"])
    assert "--games must be 1 or more: not 0" in capsys.readouterr().err


def test_rent_makes_the_game_end_sooner(capsys):
    """Of so few futures chance decides more than a usual rent does: this one takes all that somebody has."""
    found = script("rent").main(["--futures", "3", "--weeks", "4", "--rent", "100000"])
    assert [len(numbers) for numbers in found.values()] == [4, 4]
    assert all(numbers == sorted(numbers) for numbers in found.values())
    assert sum(found["with rent"]) > sum(found["without rent"])
    assert "with rent: of 15 futures" in capsys.readouterr().out


def test_amendments_change_inequality(capsys):
    found = script("amendments").main(["--games", "3", "--weeks", "1"])
    assert len({rule for rule, _, _ in found}) > 1
    assert "3 games: less equal in" in capsys.readouterr().out


@pytest.mark.parametrize(("amounts", "thousandths"), [([5, 5, 5], 0), ([0, 0, 0, 9], 750), ([], 0), ([1, 3], 250)])
def test_inequality_is_measured(amounts, thousandths):
    assert script("amendments").gini(amounts) == thousandths


def test_the_bot_proposes_what_its_futures_like(capsys):
    proposed, wealth = script("proposer").main(["--weeks", "2", "--futures", "2"])
    assert len(wealth) == 2
    assert set(wealth[0]) == {"Ann", "Ben", "Cid"}
    assert all(accepted for *_, accepted in proposed)
    assert "in the end: Ann $" in capsys.readouterr().out

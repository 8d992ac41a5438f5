"""A game as tables: everything that happened once, and nothing that the viewer may not see."""

import csv
import errno
import sys

import minigames
import pytest
from minigames import rule

from nomopoly.errors import CommandError
from nomopoly.lab import tables as module
from nomopoly.lab.tables import COLUMNS, main, safe_cell, tables, write

TOWN = """
attribute("player", "money", 100, label="Money", type="money")
attribute("player", "hand", "", label="Hand", show=("owner",))
attribute("player", "hat", "")


@action("earn", "Earn", amount=number(), fact="earned")
def earn(e):
    put(e.who, "money", e.who.money + e.amount)
    put(e.who, "hat", "red")


@action("draw", "Draw a card")
def draw(e):
    put(e.who, "hand", "the queen of hearts")
"""


@pytest.fixture(scope="module")
def game():
    made = minigames.small_game(rule("1.1", TOWN), players=("Ann", "Ben"))
    made.order("Ann", "earn", {"amount": 7}, made.now + 60)
    made.order("Ben", "draw", {}, made.now + 60)
    made.admin("enact", {}, made.now)
    yield made
    made.runtime.close()


def test_what_happened_is_in_the_tables(game):
    found = tables(game, "admin")
    assert [row[2:] for row in found["balances"]] == [("Ann", "money", 100, 107)]
    assert [row[2:] for row in found["holdings"] if row[2] == "Ann"] == [("Ann", "hat", '""', '"red"')]
    assert ("order", "Ann", "earn", '{"amount": 7}', False, None) in [row[4:] for row in found["entries"]]
    hashes = {line["n"]: line["hash"] for line in game.journal.lines(1)}
    known = [(entry["n"], entry["number"], hashes[entry["n"]]) for entry in game.facts("admin", 1)]
    assert [row[:3] for row in found["entries"]] == known
    assert [row[2] for row in found["rules"]] == ["1.1"]
    assert all(len(row) == len(COLUMNS[name]) for name, rows in found.items() for row in rows)


def test_differences_add_up_after_a_strike():
    made = minigames.small_game(rule("1.1", TOWN), players=("Ann", "Ben"))
    try:
        first = made.order("Ann", "earn", {"amount": 7}, made.now + 60)
        made.order("Ann", "earn", {"amount": 5}, made.now + 60)
        assert made.strike(first.n, "a mistake", made.now + 60).ok
        found = tables(made, "admin")
        assert [row[2:] for row in found["balances"]] == [("Ann", "money", 100, 105)]
        assert [row[3:] for row in found["holdings"] if row[2] == "Ann"] == [("hat", '""', '"red"')]
        assert "strike" in [row[4] for row in found["entries"]]
    finally:
        made.runtime.close()


@pytest.mark.parametrize(("viewer", "sees"), [("visitor", False), ("Ann", False), ("Ben", True)])
def test_nothing_hidden_is_in_them(game, viewer, sees):
    told = str({name: rows for name, rows in tables(game, viewer).items() if name != "rules"})
    assert ("queen of hearts" in told) == sees


def test_they_are_files_of_a_folder(game, tmp_path, capsys):
    assert main(game, tmp_path / "out", "visitor", "csv") == 0
    assert {file.stem for file in (tmp_path / "out").iterdir()} == set(COLUMNS)
    with (tmp_path / "out" / "balances.csv").open(newline="") as file:
        assert list(csv.reader(file))[0] == list(COLUMNS["balances"])
    assert "balances.csv: 1 rows" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@after('land')", "\t=1", "\r=1", "\n=1", "\uff1d1"])
def test_no_text_is_a_formula_of_a_spreadsheet(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("cell", [-5, 0, None, True, "-5", "Ann", '{"a": "=1"}', "a=1", ""])
def test_numbers_and_other_texts_stay_as_they_are(cell):
    assert safe_cell(cell) is cell


def test_what_players_have_written_is_guarded_in_csv(game, tmp_path):
    found = tables(game) | {
        "rules": [(3, 0, "1.2", "=SUM(A1)", "-", "{}", "@after('land')")],
        "balances": [(3, 0, "Ann", "money", -7, 2)],
    }
    write(found, tmp_path)
    rows = {name: list(csv.reader((tmp_path / f"{name}.csv").open(newline="")))[1:] for name in ("rules", "balances")}
    assert rows["rules"] == [["3", "0", "1.2", "'=SUM(A1)", "'-", "{}", "'@after('land')"]]
    assert rows["balances"] == [["3", "0", "Ann", "money", "-7", "2"]]


def test_what_cannot_be_done_is_said(game, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CommandError, match="extra 'lab'"):
        write(tables(game), tmp_path, "parquet")
    with pytest.raises(CommandError, match="no format 'xls'"):
        write(tables(game), tmp_path, "xls")
    with pytest.raises(CommandError, match="there is no player 'Zoe'"):
        main(game, tmp_path, "Zoe", "csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        write(tables(game), tmp_path / "file")


@pytest.mark.parametrize(
    ("stopped_by", "told"), [(KeyboardInterrupt(), ""), (OSError(errno.ENOSPC, "No space left on device"), "No space")]
)
def test_who_is_stopped_in_the_middle_leaves_nothing_half_written(game, tmp_path, monkeypatch, stopped_by, told):
    (tmp_path / "facts.csv").write_text("of yesterday\n")
    writer, made = csv.writer, []

    class Stopped:
        def __init__(self, file):
            made.append(file)
            self.below = writer(file)
            self.writerow = self.below.writerow

        def writerows(self, rows):
            if len(made) == 3:
                raise stopped_by
            self.below.writerows(rows)

    monkeypatch.setattr(module.csv, "writer", Stopped)
    with pytest.raises(CommandError if told else KeyboardInterrupt, match=told or None):
        write(tables(game), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["facts.csv"]
    assert (tmp_path / "facts.csv").read_text() == "of yesterday\n"

"""The tables of a game as Parquet are those of CSV."""

from pyarrow import parquet

from nomopoly.lab.tables import tables, write
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game


def test_parquet_is_the_same(tmp_path):
    game = open_game(load_edition("original"), title="Tables", game_id="tables", runtime="cpython", at=1_772_442_000)
    game.join("Ann", game.now)
    game.admin("approve-player", {"player": "Ann"}, game.now)
    found = tables(game, "admin")
    assert not found["votes"]
    write(found, tmp_path, "parquet")
    read = parquet.read_table(tmp_path / "balances.parquet").to_pylist()
    assert read
    assert [tuple(row.values()) for row in read] == found["balances"]
    for name, column, kind in (("entries", "fault", "string"), ("votes", "many", "int64"), ("votes", "by", "string")):
        schema = parquet.read_schema(tmp_path / f"{name}.parquet")
        assert str(schema.field(column).type) == kind, "also where no row has anything in it: games are put together"

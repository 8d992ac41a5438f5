"""After an upgrade that changes results, a game goes on with the kernel that it was played with, if the operator says
so."""

import gzip

import pytest
from django.db import connection

from nomopoly.runtime.interpreters import text
from nomopoly.runtime.verify import JournalFile, verify
from nomopoly.site import files, keeping
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game

OLD = "0123456789abcdef"
DIE = "else number_below(most, veiled) + 1)"


@pytest.fixture
def upgraded(tmp_path, monkeypatch, game, ann):
    """A site with a game that the version before has played, whose dice showed the other side."""
    source = text.kernel_source()
    turned = source.replace(DIE, "else most - number_below(most, veiled))")
    assert turned != source
    (tmp_path / f"{OLD}.py.gz").write_bytes(gzip.compress(turned.encode()))
    monkeypatch.setattr(text, "KERNELS", tmp_path)
    for module, name in ((files, "opened"), (keeping, "looked_at")):
        monkeypatch.setattr(module, name, lambda data, new=False: None)
    Game.objects.filter(pk=game.pk).update(kernel=OLD)
    live.close_all()
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    assert domain.desk_act(game, "reject", {"on": "P1"}).ok
    Game.objects.filter(pk=game.pk).update(kernel="")
    live.close_all()
    yield game
    live.close_all()
    text.source_of.cache_clear()


def test_the_operator_is_told_and_lets_the_game_go_on_as_it_was(upgraded, ann, tmp_path, capsys):
    assert keeping.verify_all(tmp_path) == 1
    told = capsys.readouterr().out
    assert "friday: entry " in told
    assert f"With the kernel {OLD}, which is kept beside this version's, it does not" in told
    assert "1 games would change: say --keep" in told
    assert Game.objects.get().kernel == ""
    assert keeping.verify_all(tmp_path, keep=True) == 0
    assert f"friday: goes on with the kernel {OLD}" in capsys.readouterr().out
    game = Game.objects.get()
    assert game.kernel == OLD
    live.close_all()
    assert ann.get("/g/friday/").status_code == 200
    assert domain.order(game, "Ann", "propose", {"title": "Two", "text": "Words."}).ok
    assert live.of(game).ask(lambda running: running.runtime.name) == f"monty@{OLD}"
    assert keeping.verify_all(tmp_path) == 0
    assert "Every game comes to the same." in capsys.readouterr().out
    assert ann.get("/g/friday/?at=2").status_code == 200
    file = tmp_path / "friday.jsonl.gz"
    files.export_game("friday", file, tmp_path)
    assert verify(JournalFile(file)).runtime.endswith(OLD)


def test_a_game_that_no_kernel_explains_is_named(upgraded, tmp_path, capsys):
    (tmp_path / f"{OLD}.py.gz").unlink()
    assert keeping.verify_all(tmp_path, keep=True) == 1
    told = capsys.readouterr().out
    assert "1 games would change: keep the version that they were played with." in told
    assert Game.objects.get().kernel == ""


def test_games_are_verified_in_tables_that_know_of_no_kernels(game, ann, tmp_path, monkeypatch, capsys):
    """A site of a version that kept none: the new version verifies its games before it brings the tables up to date."""
    monkeypatch.setattr(keeping, "looked_at", lambda data: None)
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tables_game DROP COLUMN kernel")
    try:
        assert keeping.verify_all(tmp_path) == 0
        assert "friday: " in capsys.readouterr().out
    finally:  # on PostgreSQL the tables are emptied after a test, and keep their columns
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE tables_game ADD COLUMN kernel varchar(40) DEFAULT '' NOT NULL")

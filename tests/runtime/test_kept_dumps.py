"""What the sandbox has read is kept in a folder for the next process; what is not whole there is read again."""

import pytest
from minigames import START, original

from nomopoly.runtime.interpreters import dumps, monty


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(dumps, "folder", tmp_path / "dumps")
    monkeypatch.setattr(dumps, "WORTH", 0.0)
    return tmp_path / "dumps"


@pytest.fixture
def another_process(monkeypatch):
    """another_process(): from now on nothing is in memory, and what is read is counted in the list that comes back."""
    read = []
    counted = monty.counted_programs
    monkeypatch.setattr(monty, "counted_programs", lambda book: read.append(book) or counted(book))

    def begin():
        monkeypatch.setattr(monty, "_books", {})
        monkeypatch.setattr(monty, "_kernels", {})
        return read

    return begin


def played():
    """(the state's hash, what Ann sees) after an entry in the sandbox."""
    game = original("monty")
    gift = {"thing": "Ann", "attribute": "money", "value": 17, "because": "a test"}
    assert game.admin("grant", gift, START).ok
    said = game.state_hash(), game.view("Ann")
    game.runtime.close()
    return said


def test_the_next_process_reads_nothing_and_plays_the_same(folder, another_process):
    read = another_process()
    first = played()
    assert len(read) == 1
    assert len(list(folder.iterdir())) == 2  # the kernel and the book
    read = another_process()
    assert played() == first
    assert len(read) == 1


def test_what_is_not_whole_is_read_again(folder, another_process):
    another_process()
    first = played()
    for file, content in zip(sorted(folder.iterdir()), (b"", b"x" * 5000), strict=True):
        file.write_bytes(content)
    read = another_process()
    assert played() == first
    assert len(read) == 2
    for file in folder.iterdir():
        content = bytearray(file.read_bytes())
        content[3] ^= 1  # of the hash in front
        file.write_bytes(content)
    another_process()
    assert played() == first


def test_a_disk_that_takes_nothing_stops_no_game(folder, another_process):
    folder.write_text("this is no folder")
    another_process()
    assert played() == played()


def test_another_version_of_the_code_has_dumps_of_its_own(folder, another_process, monkeypatch):
    another_process()
    played()
    monkeypatch.setattr(dumps, "_made_by", lambda: b"another")
    read = another_process()
    played()
    assert len(read) == 2


def test_only_so_many_are_kept_and_not_what_is_read_at_once(folder, monkeypatch):
    monkeypatch.setattr(dumps, "MOST_FILES", 3)
    for number in range(5):
        dumps.keep(f"book {number}", b"memory" * 100, 1.0)
        dumps.kept("book 0")  # what is used stays
    assert len(list(folder.iterdir())) == 3
    assert dumps.kept("book 0") == dumps.kept("book 4") == b"memory" * 100
    assert dumps.kept("book 2") is None
    monkeypatch.setattr(dumps, "WORTH", 0.5)
    dumps.keep("small", b"memory", 0.4)
    assert dumps.kept("small") is None


def test_without_a_folder_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(dumps, "folder", None)
    dumps.keep("book", b"memory", 9.0)
    assert dumps.kept("book") is None

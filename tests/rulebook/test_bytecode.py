"""What is made of the programs that come with this version is the same whether it was made now or kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nomopoly.rulebook import bytecode
from nomopoly.rulebook.bytecode import kept
from nomopoly.rulebook.source import load_edition, shipped_editions
from nomopoly.runtime import counted


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where bytecode is kept: a folder that is empty."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def files(place):
    return [each for each in place.rglob("*") if each.is_file()]


def never():
    raise AssertionError("it was kept")


def test_what_is_kept_is_not_made_again(place):
    made = {"pay()": ("count(); pay()", compile("1 + 1", "<string>", "eval"))}
    assert kept("some", "text", lambda: made) is made
    again = kept("some", "text", never)
    assert again == made
    assert eval(again["pay()"][1]) == 2
    assert len(files(place)) == 1


@pytest.mark.parametrize("other", ["another text", None])
def test_of_another_text_or_by_other_code_it_is_made_again(place, monkeypatch, other):
    kept("some", "text", lambda: 1)
    if other is None:
        monkeypatch.setattr(bytecode, "makers", lambda: b"another version")
    assert kept("some", other or "text", lambda: 2) == 2
    assert kept("some", other or "text", never) == 2
    assert len(files(place)) == 1, "what is older is no longer kept"


@pytest.mark.parametrize("damage", [lambda all: all[:-1], lambda all: b"", lambda all: all[:70] + b"?" + all[71:]])
def test_what_is_damaged_is_made_again(place, damage):
    kept("some", "text", lambda: ["a", "b"] * 20)
    (file,) = files(place)
    file.write_bytes(damage(file.read_bytes()))
    assert kept("some", "text", lambda: ["c"]) == ["c"]
    assert kept("some", "text", never) == ["c"]


def test_where_no_bytecode_is_written_nothing_is(place, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [kept("some", "text", lambda: 1), kept("some", "text", lambda: 2)] == [1, 2]
    assert files(place) == []


def test_a_disk_that_takes_nothing_is_no_error(place, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bytecode.tempfile, "NamedTemporaryFile", full)
    assert [kept("some", "text", lambda: 1), kept("some", "text", lambda: 2)] == [1, 2]


@pytest.mark.parametrize("edition", ["", *shipped_editions()])
def test_kept_programs_are_those_that_would_be_made_now(edition):
    programs = counted.ready(edition)
    made = counted.made_ready(edition)
    assert programs == made
    assert {text: code.co_code for text, code in programs.values()} == {
        text: code.co_code for text, code in made.values()
    }
    if edition:
        assert {record["code"] for record in load_edition(edition).records} == set(programs)


def test_a_process_reads_what_another_one_has_kept(tmp_path):
    """A real run of the command: the second one makes nothing, and says the same."""
    program = (
        "import sys; from nomopoly.runtime import counted; from nomopoly.rulebook import source\n"
        "if sys.argv[1:]:\n    counted.with_counters = source.load_folder = None\n"
        "book = source.load_edition('original')\n"
        "print(hash(tuple(counted.counted(each['code']) for each in book.records if each['code'])), len(book.records))"
    )
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    said = [
        subprocess.run(
            [sys.executable, "-c", program, *more], env=environment, capture_output=True, text=True, check=True
        )
        for more in ([], ["again"])
    ]
    assert said[0].stdout == said[1].stdout
    assert {Path(each).name.split(".")[0] for each in files(tmp_path) if ".cpython" in str(each)} >= {
        "edition-original"
    }

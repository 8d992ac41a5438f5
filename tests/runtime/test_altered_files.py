"""Files that are no journals, or not the journal they were: one line, status 1, bounded time and memory."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import altered
import measured
import pytest
from altered import Alterer, judge, played, written

from nomopoly import cli
from nomopoly.runtime.journal import JournalError, read_file, seal
from nomopoly.runtime.sealing import chain

SECONDS = 1.0  # of work, measured at the slowest
COUNT = 300 if os.environ.get("NOMOPOLY_SOAK") else 36


@pytest.fixture(scope="module")
def lines() -> list[dict]:
    return played()


def test_altered_files_are_found():
    counted, wrong, longest = altered.run(COUNT)
    assert not wrong, "\n".join(wrong)
    assert counted["found"] > COUNT * 0.7
    assert longest < 5 * SECONDS * measured.slowness()


def test_each_way_of_altering_is_tried(lines):
    assert len(Alterer(lines).ways) <= 36


def test_an_honest_file_is_in_order(lines, tmp_path):
    assert judge(tmp_path / "x", written(lines), lines)[0] == "same"
    assert judge(tmp_path / "x", gzip.compress(written(lines)), lines)[0] == "same"


def verify(capsys, path, *words):
    status = cli.run(["verify", str(path), *words])
    told = capsys.readouterr()
    return status, told.out + told.err


def test_a_chain_sealed_again_is_told_by_the_hash_that_was_noted(lines, tmp_path, capsys):
    path, noted = tmp_path / "x", lines[9]["hash"]
    path.write_bytes(written(lines))
    assert verify(capsys, path, "--head", noted)[0] == 0
    status, told = verify(capsys, path, "--head", noted[:12].upper())
    assert (status, "the noted hash is that of entry 9" in told) == (0, True)
    assert f"last hash {lines[-1]['hash']}" in told
    path.write_bytes(written(lines[:9]))
    status, told = verify(capsys, path, "--head", noted)
    assert status == 1
    assert "no entry of it has the hash" in told
    for odd in ("", "xyz", noted[:5], noted + "0"):
        status, told = verify(capsys, path, "--head", odd)
        assert (status, "not a hash" in told) == (1, True)


@pytest.mark.parametrize("packed", [True, False])
def test_what_unpacks_to_too_much_is_not_unpacked(lines, tmp_path, monkeypatch, packed, capsys):
    path = tmp_path / "x"
    data = written(lines)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert len(list(read_file(path))) == len(lines)
    longest = max(map(len, data.splitlines()))
    monkeypatch.setenv("NOMOPOLY_LINE_MB", str((longest - 100) / 2**20))
    with pytest.raises(JournalError, match=r"line 1: longer than \d+ bytes: set NOMOPOLY_LINE_MB higher"):
        list(read_file(path))
    monkeypatch.setenv("NOMOPOLY_LINE_MB", "")
    monkeypatch.setenv("NOMOPOLY_JOURNAL_MB", str((len(data) - 100) / 2**20))
    with pytest.raises(JournalError, match=rf"line {len(lines)}: too large when unpacked: set NOMOPOLY_JOURNAL_MB"):
        list(read_file(path))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak of a program of its own")
def test_a_bomb_takes_little_memory(tmp_path):
    """One gigabyte of blanks in one megabyte."""
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b" " * 2**24, compresslevel=6) * 64)
    # The peak of the program itself: `ru_maxrss` of a new process begins with that of the process that started it.
    code = (
        "import sys; from nomopoly import cli; status = cli.run(sys.argv[1:]);"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM:'));"
        "print(status, int(peak.split()[1]) // 1024)"
    )
    with measured.within(2.0, measured.worked):
        command = [sys.executable, "-c", code, "verify", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    status, megabytes = map(int, done.stdout.splitlines()[-1].split())
    assert status == 1
    assert "line 1: longer than" in done.stdout
    assert megabytes < 200


ODD_SHAPES = {
    "n": [None, "1", True, 1.0, -1, 10**40],
    "at": [None, 5, "", "yesterday", "2026-03-05", "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z"],
    "kind": [None, [], {}, "nothing"],
    "by": [5, [], {}],
    "do": [5, [], {}],
    "args": [None, [], "x", 5],
    "out": [None, "", "x" * 64, 5],
    "after": ["1", None, -1],
    "queued": ["yes", 1],
    "draws": [5, "x", {}],
    "limit": [5, []],
}


@pytest.mark.parametrize("name", ODD_SHAPES)
def test_a_field_of_an_odd_shape_is_named(lines, tmp_path, name):
    for odd in ODD_SHAPES[name]:
        line = seal({**lines[3], name: odd}, lines[2]["hash"])
        path = tmp_path / "x"
        path.write_bytes(written([*lines[:3], line]))
        with pytest.raises(JournalError, match=f"line 4: not a journal entry: '{name}' is not"):
            list(read_file(path))


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("time_zone", "../../etc/passwd"),
        ("time_zone", "America"),
        ("time_zone", None),
        ("commons", [["x"]]),
        ("commons", {}),
    ]
    + [("rules", [5]), ("rules", [{"id": "1"}]), ("rules", None), ("title", 5), ("id", None), ("edition", [])],
)
def test_an_opening_of_an_odd_shape_is_named(lines, tmp_path, name, odd):
    first = seal({**lines[0], "args": {**lines[0]["args"], name: odd}}, "0" * 64)
    path = tmp_path / "x"
    path.write_bytes(written([first]))
    with pytest.raises(JournalError, match=f"line 1: not a journal entry: '{name}' of the game is not"):
        list(read_file(path))


@pytest.mark.parametrize("number", ["200000000", "9" * 5000])
def test_a_thing_numbered_too_high_ends_at_once(lines, tmp_path, capsys, number):
    more = {**lines[-1], "n": len(lines), "kind": "admin", "by": "Admin", "do": "given", "out": "0" * 64}
    more["args"] = {"things": {f"#{number}": {"owner": "Ann"}}}
    path = tmp_path / "x"
    path.write_bytes(written([*lines, chain(more, lines[-1]["hash"])]))
    status, told = verify(capsys, path)
    assert status == 1
    assert "is numbered too high: at most 10000" in told


def test_what_a_file_says_is_shown_as_one_line(lines, tmp_path, capsys):
    first = {**lines[0], "args": {**lines[0]["args"], "kernel": "x"}}
    other = seal({**lines[1], "by": "An\nn\u202e\ud800"}, first["hash"])
    path = tmp_path / "x"
    path.write_bytes(json.dumps(seal(first, "0" * 64)).encode() + b"\n" + json.dumps(other).encode() + b"\n")
    status, told = verify(capsys, path)
    assert (status, told.count("\n")) == (1, 1)
    told.encode()

"""Alters an exported game in many ways, and counts what `nomopoly verify` makes of it: for test_altered_files.py and
the soak.

python altered.py COUNT [SEED]: prints how many were found, missed, ended in a traceback, or took too long or too much.

An alteration that changes nothing that counts (a blank between two fields, a byte of the gzip header) is not one that
has to be found: what has to be the same is the journal that is read from the file. A chain that is sealed again to its
end is in order by itself: it is found by the hash of its last entry, which was noted before.
"""

import contextlib
import copy
import gzip
import io
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import measured

from nomopoly import cli
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.journal import FIRST_HASH, JournalError, read_file, seal
from nomopoly.runtime.sealing import chain

START = 1772442000
ODD = (
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "\ud800", "\u202e", "\x00\n", "#200000000", "9" * 40, [], {}, [[]], [{}],
    {"": None}, {"a": {"b": []}}, [1, "x"], float("inf"), "2026-13-01T00:00:00Z", "9999-12-31T23:59:59Z", "../../etc",
    {"things": {"#200000000": {}}}, ["open"], "open", "strike", "x" * 100_000,
)  # fmt: skip


def played() -> list[dict]:
    """The lines of a game with orders, refusals, a strike and a revealed secret."""
    game = open_game(load_edition("original"), title="T", game_id="t", runtime="cpython", at=START, secret="17" * 32)
    for name in ("Ann", "Ben"):
        game.join(name, START)
        game.admin("approve-player", {"player": name}, START)
    for at in range(5):
        for name in ("Ann", "Ben"):
            game.order(name, "propose", {"title": f"Proposal {at}", "text": "Words."}, game.now + 60)
            made = [id for id in game.view("admin")["things"] if id.startswith("P")][-1]
            game.admin("reject", {"on": made, "because": "no"}, game.now + 60)
        if at == 2:
            game.reveal(game.now + 60)
            game.strike(6, "a mistake", game.now + 60)
    return list(game.journal.lines())


def written(lines: list[dict]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def places(data, path=()):
    """The ways to everything in some data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def set_at(data, path, value):
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


class Alterer:
    """Makes altered files of one journal, each from a seed."""

    def __init__(self, lines: list[dict]) -> None:
        self.lines = lines
        self.ways = [
            self.a_byte, self.gzip_byte, self.cut_off, self.gzip_cut_off, self.a_field, self.a_field_sealed, self.a_value,
            self.a_value_sealed, self.a_field_gone, self.dropped, self.doubled, self.swapped, self.resealed, self.rewritten,
            self.bomb, self.deep, self.noise, self.added,
        ]  # fmt: skip

    def make(self, seed: int) -> tuple[str, bytes]:
        """(the name of the way, the altered file)"""
        self.chance = random.Random(seed)
        way = self.ways[seed % len(self.ways)]
        return way.__name__, way()

    def copy(self) -> list[dict]:
        return copy.deepcopy(self.lines)

    def sealed(self, lines: list[dict], start: int, count: int | None = None) -> list[dict]:
        """The chain sealed again from a line on, as many lines as wanted."""
        for at in range(start, len(lines) if count is None else min(start + count, len(lines))):
            prev = lines[at - 1]["hash"] if at else FIRST_HASH
            chain(lines[at], prev) if "salt" in lines[at] else seal(lines[at], prev)
        return lines

    def some(self, first: int = 0) -> int:
        return self.chance.randrange(first, len(self.lines))

    def a_byte(self) -> bytes:
        data = bytearray(written(self.lines))
        data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
        return bytes(data)

    def gzip_byte(self) -> bytes:
        data = bytearray(gzip.compress(written(self.lines), mtime=0))
        data[self.chance.randrange(2, len(data))] ^= 1 << self.chance.randrange(8)
        return bytes(data)

    def cut_off(self) -> bytes:
        data = written(self.lines)
        return data[: self.chance.randrange(len(data) - 1)]

    def gzip_cut_off(self) -> bytes:
        data = gzip.compress(written(self.lines), mtime=0)
        return data[: self.chance.randrange(2, len(data) - 1)]

    def field(self, lines: list[dict]) -> int:
        """Give a field of a line an odd value."""
        at = self.some()
        name = self.chance.choice(sorted(lines[at]))
        old = lines[at][name]
        lines[at][name] = self.chance.choice([odd for odd in ODD if odd != old or type(odd) is not type(old)])
        return at

    def value(self, lines: list[dict]) -> int:
        """Give something within the arguments of a line an odd value."""
        at = self.chance.choice([0, self.some(), self.some()])
        way = self.chance.choice([path for path in places(lines[at]["args"]) if path] or [("more",)])
        set_at(lines[at]["args"], way, self.chance.choice(ODD))
        return at

    def a_field(self) -> bytes:
        lines = self.copy()
        self.field(lines)
        return written(lines)

    def a_field_sealed(self) -> bytes:
        lines = self.copy()
        with contextlib.suppress(TypeError, UnicodeEncodeError, ValueError):
            self.sealed(lines, self.field(lines))
        return written(lines)

    def a_value(self) -> bytes:
        lines = self.copy()
        self.value(lines)
        return written(lines)

    def a_value_sealed(self) -> bytes:
        lines = self.copy()
        return written(self.sealed(lines, self.value(lines)))

    def a_field_gone(self) -> bytes:
        lines = self.copy()
        at = self.some()
        del lines[at][self.chance.choice(sorted(lines[at]))]
        if self.chance.random() < 0.5 and {"prev", "hash", "out"} <= lines[at].keys():
            self.sealed(lines, at)
        return written(lines)

    def dropped(self) -> bytes:
        lines = self.copy()
        lines.pop(self.chance.randrange(len(lines) - 1))
        return written(lines)

    def doubled(self) -> bytes:
        lines = self.copy()
        at = self.some()
        lines.insert(at, lines[at])
        return written(lines)

    def swapped(self) -> bytes:
        lines = self.copy()
        one, two = self.chance.sample(range(len(lines)), 2)
        lines[one], lines[two] = lines[two], lines[one]
        return written(lines)

    def resealed(self) -> bytes:
        """An order by another player, and the chain sealed again for some lines, or to its end."""
        lines = self.copy()
        at = self.chance.choice([line["n"] for line in lines if line["kind"] == "order"])
        lines[at]["by"] = "Ben" if lines[at]["by"] == "Ann" else "Ann"
        return written(self.sealed(lines, at, self.chance.choice([1, 2, 5, None])))

    def rewritten(self) -> bytes:
        """Another game altogether, in order from its first line on: what only the noted hash tells from the true
        one."""
        lines = self.copy()[: self.some(3)]
        return written(lines)

    def bomb(self) -> bytes:
        """Little that unpacks to much, as one line, as many, or behind honest ones."""
        line = self.chance.choice([b"\0", b"\n", b"[", b'{"n":0}\n', b" "])
        out = io.BytesIO()
        with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
            if self.chance.random() < 0.5:
                file.write(written(self.lines[: self.some()]))
            for _ in range(40):
                file.write(line * (2**20 // len(line)))
        return out.getvalue()

    def deep(self) -> bytes:
        lines = self.copy()
        depth = self.chance.choice([101, 500, 3000, 50_000])
        inner = b"[" * depth + b"]" * depth
        at = self.some(1)
        raw = [json.dumps(line).encode() for line in lines]
        raw[at] = raw[at].replace(b'"args": {', b'"args": {"deep": ' + inner + b", ", 1).replace(b", }", b"}")
        return b"\n".join([*raw, b""])

    def noise(self) -> bytes:
        return self.chance.choice(
            [b"", b"\x1f\x8b", b"\n", self.chance.randbytes(500), b"[]\n", b'"x"\n', b"\xff\xfe\n"]
        )

    def added(self) -> bytes:
        """One more entry that nobody gave."""
        lines = self.copy()
        more = {
            **lines[-1],
            "n": len(lines),
            "args": {"because": "x"},
            "do": self.chance.choice(["pause", "given", "x"]),
        }
        if more["do"] == "given":
            more["args"] = {"things": {self.chance.choice(["#200000000", "#" + "9" * 5000, "#-1", "zz"]): {}}}
        return written([*lines, seal(more, lines[-1]["hash"])])


def same(file: Path, lines: list[dict]) -> bool:
    """Whether what is read from a file is the journal that it was."""
    try:
        return list(read_file(file)) == lines
    except (JournalError, Exception):
        return False


def judge(file: Path, data: bytes, lines: list[dict]) -> tuple[str, float, str]:
    """What the command makes of an altered file: (found, same, by its noted hash, missed, traceback), seconds of work,
    its words."""
    file.write_bytes(data)
    words = io.StringIO()
    begun = time.process_time()
    try:
        with contextlib.redirect_stdout(words), contextlib.redirect_stderr(words):
            status = cli.run(["verify", str(file)])
            if status == 0 and not same(file, lines):
                head = cli.run(["verify", str(file), "--head", lines[-1]["hash"]])
                status = "by its noted hash" if head == 1 else "missed"
    except BaseException as error:  # whatever comes out of the command is what this looks for
        return f"traceback: {type(error).__name__}", time.process_time() - begun, str(error)
    told = words.getvalue()
    try:
        told.encode()
    except UnicodeEncodeError:
        return "traceback: a terminal cannot show this", time.process_time() - begun, told
    if status == 1:
        status = "found" if told.count("\n") == 1 else "more than one line"
    return "same" if status == 0 else status, time.process_time() - begun, told


def run(count: int, first: int = 0) -> tuple[Counter, list[str], float]:
    """(what became of so many files, what should not have been, the most seconds of work for one)"""
    lines = played()
    alterer, counted, wrong, longest = Alterer(lines), Counter(), [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            way, data = alterer.make(seed)
            verdict, seconds, told = judge(Path(folder) / "game.jsonl", data, lines)
            counted[verdict] += 1
            longest = max(longest, seconds)
            if verdict not in ("found", "same", "by its noted hash"):
                wrong.append(f"seed {seed} ({way}): {verdict} after {seconds:.1f} s: {told[:300]}")
    return counted, wrong, longest


if __name__ == "__main__":
    counted, wrong, longest = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    memory = measured.peak() // 1024
    print(", ".join(f"{many} {what}" for what, many in counted.most_common()), f"{longest:.1f} s at most, {memory} MB")
    print("\n".join(wrong))
    sys.exit(bool(wrong))

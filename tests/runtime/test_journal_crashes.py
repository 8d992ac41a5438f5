"""Whatever happens to the writer, every entry that was acknowledged is there again when the game is loaded."""

import contextlib
import datetime
import errno
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import minigames
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from minigames import START, done

from nomopoly.runtime import journal as journals
from nomopoly.runtime import sealing
from nomopoly.runtime.host import Game, load_game, open_game
from nomopoly.runtime.journal import (
    FIRST_HASH,
    FileJournal,
    JournalError,
    MemoryJournal,
    canonical,
    digest,
    digest_of_whole,
    encoded,
    encoded_quickly,
    iso,
    moment_of,
    packed,
    parse_line,
    read_file,
    sealed_bytes,
    unaltered,
    unpacked,
)
from nomopoly.runtime.outcomes import MemoryOutcomes

SEEDS = range(12)


def new_game(path: Path) -> Game:
    book = minigames.load_edition("original")
    game = open_game(
        book,
        title="T",
        game_id="t",
        journal=FileJournal(path, durable=False),
        runtime="cpython",
        at=START,
        secret=minigames.SECRET,
    )
    return minigames.with_players(game, ("Ann", "Ben"))


def play(game: Game, seed: int, entries: int) -> None:
    """Some entries of a game: the same for the same seed."""
    chosen = random.Random(seed)
    for _ in range(entries):
        who = chosen.choice(("Ann", "Ben"))
        done(game.tick(game.now + chosen.randrange(60), "turn", {"who": who}))
        game.order(who, "buy-square", {}, game.now)


def load(path: Path) -> Game:
    return load_game(FileJournal(path), runtime="cpython", secret=minigames.SECRET)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> bytes:
    """The file of a game."""
    path = tmp_path_factory.mktemp("journal") / "game.jsonl"
    play(new_game(path), 0, 12)
    return path.read_bytes()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_line_cut_off_is_put_aside_and_the_rest_is_there(written, tmp_path, seed):
    """The writer dies in the middle of a line: it was never acknowledged."""
    lines = written.splitlines(keepends=True)
    chosen = random.Random(seed)
    whole = chosen.randrange(5, len(lines))
    torn = lines[whole][: chosen.randrange(1, len(lines[whole]))]
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(lines[:whole]) + torn)

    game = load(path)
    assert game.n == whole - 1
    assert path.read_bytes() == b"".join(lines[:whole])
    assert (tmp_path / "game.jsonl.torn").read_bytes() == torn
    before = game.state_hash()
    play(game, seed, 2)
    again = load(path)
    assert again.state_hash() == game.state_hash() != before
    assert [line["n"] for line in again.journal.lines()] == list(range(again.n + 1))


def test_a_line_whose_end_alone_is_missing_was_not_acknowledged_either(written, tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(written[:-1])
    assert load(path).n == len(written.splitlines()) - 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_line_is_named_and_nothing_is_written_after_it(written, tmp_path, seed):
    lines = written.splitlines(keepends=True)
    chosen = random.Random(seed)
    at = chosen.randrange(1, len(lines))
    damaged = bytearray(lines[at])
    damaged[chosen.randrange(len(damaged) - 1)] = 0xFF  # no text at all
    data = b"".join([*lines[:at], bytes(damaged), *lines[at + 1 :]])
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(JournalError, match=rf"game\.jsonl( line {at + 1})?: not a journal entry"):
        load(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("room", [0, 1, 100, -1])
def test_a_full_disk(tmp_path, monkeypatch, room):
    """Part of a line, or none of it, can be written: the order fails, is not in the game, and the next one works."""
    path = tmp_path / "game.jsonl"
    game = new_game(path)
    play(game, 1, 3)
    before, n, view = game.state_hash(), game.n, game.view("Ann")
    really = os.write

    def full(descriptor, data):
        if room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return really(descriptor, data[:room])

    monkeypatch.setattr(journals.os, "write", full)
    with pytest.raises(JournalError, match="No space left on device; entry .* was not kept"):
        game.order("Ann", "propose", {"title": "Lost"}, game.now)
    monkeypatch.setattr(journals.os, "write", really)

    assert (game.state_hash(), game.n, game.view("Ann")) == (before, n, view), "what was not kept has not happened"
    assert load(path).state_hash() == before
    done(game.order("Ann", "propose", {"title": "Kept"}, game.now))
    assert load(path).state_hash() == game.state_hash()
    assert load(path).value("title", "P1") == "Kept"


def test_a_disk_that_cannot_flush(tmp_path, monkeypatch):
    path = tmp_path / "game.jsonl"
    new_game(path)
    game = load(path)
    before = game.state_hash()

    def broken(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(journals.os, "fsync", broken)
    with pytest.raises(JournalError, match="Input/output error; entry .* was not kept"):
        game.order("Ann", "propose", {"title": "Perhaps"}, game.now)
    monkeypatch.undo()
    again = load(path)
    assert game.state_hash() == again.state_hash() == before, "it was not acknowledged, so it has not happened"
    done(game.order("Ann", "propose", {"title": "Kept"}, game.now))
    assert load(path).state_hash() == game.state_hash()


def test_what_is_written_together_is_read_at_once_and_lost_together(tmp_path, monkeypatch):
    path = tmp_path / "game.jsonl"
    new_game(path)
    journal = FileJournal(path, durable=False)
    game = load_game(journal)
    with journal.lock():
        done(game.order("Ann", "propose", {"title": "One"}, game.now))
        done(game.order("Ann", "propose", {"title": "Two"}, game.now))
        assert path.read_bytes().count(b"\n") == game.n - 1, "they wait"
        assert [line["n"] for line in journal.lines(game.n - 1)] == [game.n - 1, game.n]
    kept, n = game.state_hash(), game.n
    assert load(path).state_hash() == kept

    def full(descriptor, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    lost = pytest.raises(JournalError, match=f"No space left on device; entry {n + 2} was not kept")
    with lost, journal.lock():
        done(game.order("Ann", "propose", {"title": "Three"}, game.now))
        done(game.order("Ann", "propose", {"title": "Four"}, game.now))
        monkeypatch.setattr(journals.os, "write", full)
    monkeypatch.undo()
    with pytest.raises(JournalError, match="load it again"):
        game.order("Ann", "propose", {"title": "Five"}, game.now)
    assert (load(path).state_hash(), load(path).n) == (kept, n)


def test_of_two_writers_the_second_must_load_again(tmp_path):
    path = tmp_path / "game.jsonl"
    one = new_game(path)
    two = load(path)
    done(one.order("Ann", "propose", {"title": "First"}, one.now))
    before = path.read_bytes()
    with pytest.raises(JournalError, match="load it again"):
        two.order("Ben", "propose", {"title": "Second"}, two.now)
    assert path.read_bytes() == before
    two = load(path)
    done(two.order("Ben", "propose", {"title": "Second"}, two.now))
    with pytest.raises(JournalError, match="load it again"):
        one.order("Ann", "propose", {"title": "Third"}, one.now)
    with pytest.raises(JournalError, match="load it again"):
        one.strike(1, "x", one.now)
    assert load(path).state_hash() == two.state_hash()


def test_a_journal_refuses_a_line_that_does_not_follow():
    game = minigames.original()
    lines = list(game.journal.lines())
    with pytest.raises(JournalError, match="does not follow"):
        MemoryJournal(lines[:3]).append(lines[4])
    with pytest.raises(JournalError, match="already holds a game"):
        open_game(minigames.load_edition("original"), title="T", journal=MemoryJournal(lines), at=START)
    with pytest.raises(JournalError, match="open entry"):
        load_game(MemoryJournal(lines[1:]), runtime="cpython")
    with pytest.raises(JournalError, match="holds no game"):
        load_game(MemoryJournal(), runtime="cpython")


def test_the_wrong_secret_is_refused():
    game = minigames.original()
    with pytest.raises(JournalError, match="not the secret"):
        load_game(game.journal, runtime="cpython", secret="00" * 32)


def test_a_snapshot_of_another_journal_is_refused(tmp_path):
    from nomopoly.runtime.host import take_snapshot

    game, other = new_game(tmp_path / "a.jsonl"), minigames.original()
    play(game, 2, 2)
    with pytest.raises(JournalError, match="snapshot does not belong"):
        load_game(other.journal, runtime="cpython", snapshot=take_snapshot(game))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b"[]\n", b'"x"\n', b"\x1f\x8b", b"x" * 100, b'{"n": 0}\n', b"[" * 50000 + b"\n"]
)
def test_what_is_no_journal_is_told(tmp_path, data):
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(JournalError, match="game.jsonl"):
        list(read_file(path))


WRITER = textwrap.dedent(
    """
    import sys
    sys.path[:0] = sys.argv[2:]
    from test_journal_crashes import load, play
    game = load(sys.argv[1])
    print("ready", flush=True)
    for seed in range(10**6):
        play(game, seed, 1)
        print(game.n, game.last_hash, flush=True)  # what has been acknowledged
    """
)


@pytest.mark.parametrize("seed", range(3))
def test_a_writer_that_is_killed(tmp_path, seed):
    """A process writes and is killed at some moment: what it had acknowledged is there, word for word."""
    path = tmp_path / "game.jsonl"
    new_game(path)
    here = Path(__file__).parent
    paths = [str(here), str(here.parent), *[each for each in sys.path if each]]
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    told = ["ready"]
    wanted = random.Random(seed).randrange(3, 30)
    for line in writer.stdout:
        told.append(line)
        if len(told) > wanted:
            break
    writer.send_signal(signal.SIGKILL)
    rest, problems = writer.communicate()
    acknowledged = [line.split() for line in [*told[2:], *rest.splitlines(keepends=True)] if line.endswith("\n")]
    assert acknowledged, problems
    game = load(path)
    hashes = {line["n"]: line["hash"] for line in game.journal.lines()}
    for n, last_hash in acknowledged:
        assert hashes[int(n)] == last_hash
    play(game, 99, 2)
    assert load(path).state_hash() == game.state_hash()


def test_two_processes_write_by_turns(tmp_path):
    """Both load again when the other has moved on: the chain never branches, no acknowledged entry is lost."""
    path = tmp_path / "game.jsonl"
    new_game(path)
    games = [load(path), load(path)]
    chosen = random.Random(5)
    kept = []
    for number in range(20):
        which = chosen.randrange(2)
        title = f"Proposal {number}"
        try:
            done(games[which].order("Ann", "propose", {"title": title}, START))
        except JournalError:
            games[which] = load(path)
            done(games[which].order("Ann", "propose", {"title": title}, START))
        kept.append(title)
    final = load(path)
    titles = [line["args"]["title"] for line in final.journal.lines() if line["do"] == "propose"]
    assert titles == kept
    assert final.state_hash() == games[which].state_hash()


WORDS = st.text(st.characters(codec="utf-8"), max_size=20)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.sampled_from(["\u2028", "\x7f", '"\\/', "\ufffd\U0001f600"]),
    lambda part: st.lists(part, max_size=5) | st.dictionaries(WORDS, part, max_size=5),
)


@given(DATA)
def test_the_quick_hash_is_the_hash(data):
    assert digest_of_whole(data) == digest(data)


def test_half_a_character_has_a_hash_too():
    assert digest_of_whole({"a": "\ud800"}) == digest({"a": "\ud800"})


@given(st.dictionaries(WORDS, DATA | st.floats(), max_size=5))
@example({"a": 1e999, "b": 1e-7, "c": 10**40, "d": "\ud800"})
def test_lines_are_read_as_they_were_written(more):
    line = {**more, "n": 0, "at": "", "kind": "", "hash": "", "prev": "", "out": ""}
    text = canonical(line)
    assert canonical(parse_line(text, "here")) == text


def test_lines_are_the_same_bytes_in_file_and_memory(written):
    for raw in written.splitlines():
        assert canonical(json.loads(raw)).encode() == raw


ARGS = st.dictionaries(WORDS, DATA | st.floats(allow_nan=False) | st.just(1e16), max_size=4)


@given(ARGS, st.none() | st.lists(st.just(1e-7), max_size=1))
@example({"a": 1e16}, None)
@example({"a": [1e16]}, None)
@example({}, [1e-7])
def test_a_sealed_line_is_canonical_and_holds_its_hash(args, draws):
    line = {"n": 1, "at": "2026-03-05T00:00:00Z", "kind": "order", "by": "Ann", "do": "go", "args": args, "out": "0"}
    if draws:
        line["draws"] = draws
    data = sealed_bytes(line, FIRST_HASH)
    assert data.decode() == canonical(line)
    assert line["hash"] == digest({key: line[key] for key in line if key != "hash"})
    assert unaltered(line)
    assert not unaltered({**line, "n": 2})


MARKS = {
    "drawn": "0" * 16,
    "hidden": "1" * 8,
    "until": "the game is over",
    "dice": [1, "é"],
    "limit": "time",
    "limit_since": None,
    "alone": {"rule": "1.1", "line": 3, "how": "all"},
    "refused": True,
    "draws": [3, 1e-7],
    "queued": True,
    "after": 4,
    "again": 3,
}


@given(ARGS, st.sets(st.sampled_from(sorted(MARKS))), DATA)
@example({"a": {"kind": 1, "prev": 2}, "kind": ',"kind":'}, {"drawn", "queued"}, [])
@example({}, {"drawn", "draws"}, ["\ud800"])
def test_a_line_of_three_parts_is_canonical_whatever_was_written_before(args, marks, told):
    line = {"n": 1, "at": "2026-03-05T00:00:00Z", "kind": "order", "by": "Ann", "do": "go", "args": args}
    line |= {"salt": "5a" * 32} | {name: MARKS[name] for name in marks}
    outcome = {"facts": [{"what": "told", "event": "go", "of": told}], "changes": [["Ann", "word", "", "\u2028"]]}
    data = sealing.seal(line, FIRST_HASH, outcome, facts=journals.written(outcome["facts"]))
    assert data.decode() == canonical(line)
    assert sealing.sealed_right(line)
    assert line["out"] == sealing.out_of(line, outcome)


def test_facts_that_are_written_go_beside_what_cannot_be_written_quickly():
    facts = [{"what": "told", "event": "go", "text": "é"}]
    both = {"facts": journals.written(facts), "changes": [["Ann", "word", "", "\ud800"]]}
    assert encoded_quickly(both) == encoded({**both, "facts": facts})
    kept = MemoryOutcomes()
    kept.put(3, {"facts": facts, "changes": both["changes"]}, both["facts"])
    assert dict(kept.get()) == {3: {**both, "facts": facts}}


@given(DATA)
@example({"a": "\ud800"})
@example(["\udfff", {"\ud800": 1}])
def test_packed_data_comes_back(data):
    assert unpacked(packed(data)) == data


@pytest.mark.parametrize("odd", [[], {}, None, 3, "", "yesterday", "2026-13-01T00:00:00Z"])
def test_what_is_no_moment_is_refused(odd):
    with pytest.raises(JournalError, match="not a moment"):
        moment_of(odd)


@pytest.mark.parametrize("zone", ["Z", "+00:00", "+02:00", ""])
@pytest.mark.parametrize("time", ["00:00:00", "23:59:59", "12:30", "12:30:07.5", "123007", "24:00:00", "12:30:60"])
@pytest.mark.parametrize("day", ["1970-01-01", "2026-03-05", "20260305", "2026-W10-4", "2026-13-01", "2026-03-5"])
def test_a_moment_is_what_python_says_of_it(day, time, zone):
    text = f"{day}T{time}{zone}"
    try:
        expected = int(datetime.datetime.fromisoformat(text).timestamp())
    except ValueError:
        with pytest.raises(JournalError, match="not a moment"):
            moment_of(text)
    else:
        assert moment_of(text) == expected


@given(st.integers(0, 10**11))
def test_a_moment_is_written_and_read(moment):
    assert iso(moment) == f"{datetime.datetime.fromtimestamp(moment, datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"
    text = iso(moment)
    assert moment_of(text) == moment, "as it was written just now"
    journals.KNOWN.clear()
    assert moment_of(text) == moment, "as somebody else has written it"


def test_of_all_moments_a_few_are_remembered():
    for moment in range(3 * journals.MOST_KNOWN):
        assert moment_of(iso(moment)) == moment
        assert len(journals.KNOWN) <= journals.MOST_KNOWN


@pytest.mark.parametrize("held", [1, 2])
def test_flush_brings_to_the_disk_what_is_written_or_waits(tmp_path, monkeypatch, held):
    """Also where the lines were written at once: with the lock held a single time they do not wait."""
    flushed = []
    monkeypatch.setattr(journals.os, "fsync", flushed.append)
    source = minigames.small_game().journal
    journal = FileJournal(tmp_path / "game.jsonl", durable=False)
    with contextlib.ExitStack() as stack:
        for _ in range(held):
            stack.enter_context(journal.lock())
        for line in source.lines():
            journal.append(line)
        assert not flushed
        journal.flush()
        assert len(flushed) == 1
        journal.flush()
        assert len(flushed) == 1, "there is nothing more to bring to the disk"

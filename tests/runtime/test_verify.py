"""A journal that was tampered with is found out, and the entry is named."""

import copy

import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import files
from nomopoly.runtime.entropy import commitment
from nomopoly.runtime.fold import state_digest
from nomopoly.runtime.host import Game, open_game
from nomopoly.runtime.journal import FIRST_HASH, MemoryJournal, seal, write_file
from nomopoly.runtime.outcomes import out_hash
from nomopoly.runtime.sealing import chain
from nomopoly.runtime.trust import safe_runtime, trusted
from nomopoly.runtime.verify import Differs, verify

START = 1772442000
SECRET = "17" * 32


def new_game(runtime: str = "cpython") -> Game:
    game = open_game(load_edition("original"), title="T", game_id="t", runtime=runtime, at=START, secret=SECRET)
    for name in ("Ann", "Ben"):
        game.join(name, START)
        game.admin("approve-player", {"player": name}, START)
    return game


def play(game: Game, rounds: int = 3) -> None:
    for at in range(rounds):
        for name in ("Ann", "Ben"):
            game.order(name, "propose", {"title": f"Proposal {at}", "text": "Words (and more words)."}, game.now + 60)
            made = [id for id in game.view("admin")["things"] if id.startswith("P")][-1]
            judged = game.admin("reject", {"on": made, "because": "no"}, game.now + 60)
            for fact in judged.facts:
                if fact["what"] == "option":
                    game.order(name, "buy-square", {"square": fact["square"]}, game.now + 60)


@pytest.fixture(scope="module")
def played() -> Game:
    game = new_game()
    play(game)
    game.reveal(game.now + 60)
    play(game, 1)
    return game


@pytest.fixture
def lines(played: Game) -> list[dict]:
    return copy.deepcopy(list(played.journal.lines()))


def chain_anew(lines: list[dict], start: int) -> list[dict]:
    """A forger's work: the hashes from an entry on made to fit again."""
    for at in range(start, len(lines)):
        prev = lines[at - 1]["hash"] if at else FIRST_HASH
        chain(lines[at], prev) if "salt" in lines[at] else seal(lines[at], prev)
    return lines


def judgement(lines: list[dict]) -> int:
    return next(line["n"] for line in lines if line["do"] == "reject")


def buying(lines: list[dict]) -> int:
    return next(line["n"] for line in lines if line["do"] == "buy-square")


@pytest.mark.parametrize("runtime", [None, "cpython", "monty"])
def test_an_honest_journal_is_in_order(played, lines, runtime):
    found = verify(iter(lines), runtime)
    assert found.entries == len(lines)
    assert state_digest(found.state) == played.state_hash()
    reveal = next(line["n"] for line in lines if line["kind"] == "reveal")
    rolled = [line["n"] for line in lines if "drawn" in line]
    assert found.revealed == len([n for n in rolled if n < reveal]) > 4
    assert found.waiting == len([n for n in rolled if n > reveal]) > 1
    assert found.runtime == (runtime or "cpython")


def test_an_altered_line(lines):
    lines[6]["at"] = "2030-01-01T00:00:00Z"
    with pytest.raises(Differs, match="entry 6: the line was altered") as caught:
        verify(lines)
    assert caught.value.n == 6


def test_an_altered_line_with_hashes_made_to_fit(lines):
    n = buying(lines)
    other = next(line["by"] for line in lines if line["kind"] == "order" and line["by"] != lines[n]["by"])
    lines[n]["by"] = other
    with pytest.raises(Differs, match=f"entry {n}: its outcome is not what the rules make of it") as caught:
        verify(chain_anew(lines, n))
    assert "recorded" in str(caught.value)
    assert "computed" in str(caught.value)


def test_a_forged_outcome(lines):
    lines[9]["out"] = "0" * 64
    with pytest.raises(Differs, match=f"entry 9: its outcome is not what the rules make of it: recorded {'0' * 64}"):
        verify(chain_anew(lines, 9))


def test_a_line_left_out(lines):
    lines.pop(7)
    with pytest.raises(Differs, match="entry 7: out of order: in its place stands entry 8"):
        verify(lines)


def test_two_lines_changed_places(lines):
    lines[7], lines[8] = lines[8], lines[7]
    with pytest.raises(Differs, match="entry 7: out of order"):
        verify(lines)


def test_a_moment_earlier_than_the_one_before(lines):
    lines[8]["at"] = "2020-01-01T00:00:00Z"
    with pytest.raises(Differs, match="entry 8: its moment 2020-01-01T00:00:00Z is earlier"):
        verify(chain_anew(lines, 8))


def test_a_moment_that_is_none(lines):
    lines[8]["at"] = "yesterday"
    with pytest.raises(Differs, match="entry 8: not a moment"):
        verify(chain_anew(lines, 8))


def test_dice_of_another_secret(lines):
    """The forger rolls dice of their own and computes all that follows from them: the revealed secret tells."""
    forger = new_game()
    forger.secret = "23" * 32
    play(forger)
    forged = copy.deepcopy(list(forger.journal.lines()))
    reveal = {"n": len(forged), "at": forged[-1]["at"], "kind": "reveal", "by": None, "do": None}
    reveal["args"] = {"secret": SECRET, "commitment": commitment("42" * 32)}
    reveal["salt"] = "0" * 64
    reveal["out"] = out_hash(reveal, {"facts": [], "changes": []})
    forged.append(reveal)
    rolled = next(line["n"] for line in forged if "drawn" in line)
    with pytest.raises(Differs, match=f"entry {rolled}: its dice do not come from the secret"):
        verify(chain_anew(forged, len(forged) - 1))


def test_a_secret_that_was_not_committed_to(lines):
    n = next(line["n"] for line in lines if line["kind"] == "reveal")
    lines[n]["args"]["secret"] = "23" * 32
    with pytest.raises(Differs, match=f"entry {n}: the secret it reveals is not the one"):
        verify(chain_anew(lines, n))


def test_struck_entries():
    game = new_game()
    play(game)
    first = buying(list(game.journal.lines()))
    game.strike(first, "a slip", game.now + 60)
    strike = game.n
    play(game, 1)
    game.strike(judgement(list(game.journal.lines())), "another", game.now + 60)
    game.strike(strike, "it was no slip", game.now + 60)
    play(game, 1)
    lines = list(game.journal.lines())
    assert state_digest(verify(lines).state) == game.state_hash()
    lines[strike]["out"] = "0" * 64
    with pytest.raises(Differs, match=f"entry {strike}: its outcome"):
        verify(chain_anew(lines, strike))


def test_a_strike_of_an_entry_that_is_not_there():
    game = new_game()
    game.strike(2, "a slip", game.now + 60)
    lines = list(game.journal.lines())
    lines[-1]["args"]["entry"] = 99
    with pytest.raises(Differs, match="entry 5: entry 99 cannot be struck here"):
        verify(chain_anew(lines, 5))


def test_faults_and_accepted_programs():
    game = new_game("monty")
    code = "@after('land')\ndef burst(e):\n    return 1 // 0"
    game.order("Ann", "propose", {"title": "x", "changes": [{"enact": "X.1", "text": "t", "code": code}]}, game.now + 1)
    assert game.admin("accept", {"on": "P1"}, game.now + 1).fault["rule"] == "X.1"
    game.admin("accept", {"on": "P1", "changes": [{"amend": "VIII.3", "params": {"option_time": 9}}]}, game.now + 1)
    lines = list(game.journal.lines())
    found = verify(lines)
    assert found.runtime == "monty"
    assert state_digest(found.state) == game.state_hash()


def test_only_shipped_programs_run_outside_the_sandbox(lines):
    assert safe_runtime(lines) == "cpython"
    lines[0]["args"]["rules"][3]["code"] += "\nimport os"
    assert safe_runtime(lines) == "monty"
    assert not trusted({"kind": "order", "do": "propose", "args": {"run": "import os"}})
    assert not trusted({"kind": "admin", "do": "grant", "args": {"thing": "P1", "attribute": "run", "text": "f()"}})
    assert trusted({"kind": "order", "do": "propose", "args": {"text": "f()"}})
    assert trusted(
        {"kind": "order", "do": "propose", "args": {"changes": [{"amend": "XIX.3/bison", "params": {"dice": 1}}]}}
    )


# ---- files


def test_the_command_names_the_entry(lines, tmp_path, capsys):
    whole = tmp_path / "whole.jsonl.gz"
    write_file(whole, iter(lines))
    assert files.verify(whole) == 0
    assert f"ok: {len(lines)} entries" in capsys.readouterr().out
    lines[9]["by"] = "Cid"
    write_file(whole, iter(lines))
    assert files.verify(whole) == 1
    assert "entry 9: the line was altered" in capsys.readouterr().out


def test_a_file_that_was_cut_off(lines, tmp_path, capsys):
    import gzip

    write_file(tmp_path / "whole.gz", iter(lines))
    text = gzip.decompress((tmp_path / "whole.gz").read_bytes())
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(text[: text.rindex(b'{"args"') + 20])
    assert files.verify(cut) == 1
    assert f"cut off or damaged after entry {len(lines) - 2}" in capsys.readouterr().out
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes((tmp_path / "whole.gz").read_bytes()[:-200])
    assert files.verify(damaged) == 1
    assert "cut off or damaged after entry" in capsys.readouterr().out
    (tmp_path / "empty").write_bytes(b"")
    assert files.verify(tmp_path / "empty") == 1
    assert files.verify(tmp_path / "missing") == 1
    assert "there is no such file" in capsys.readouterr().out


def test_replay_up_to_an_entry(played, lines, tmp_path, capsys):
    whole = tmp_path / "whole.jsonl.gz"
    assert files.export(MemoryJournal(lines), whole) == len(lines)
    assert files.replay(whole) == 0
    assert played.state_hash() in capsys.readouterr().out
    assert files.replay(whole, to=4, runtime="cpython", json=True) == 0
    assert '"n": 4' in capsys.readouterr().out
    with pytest.raises(files.CommandError, match="there is no entry 999"):
        files.replay(whole, to=999)
    assert len(files.history_of(whole)) == 1


def test_the_history_of_a_file_is_in_the_zone_of_its_game(tmp_path):
    game = open_game(load_edition("original"), title="T", game_id="t", at=START, secret=SECRET, time_zone="Asia/Tokyo")
    files.export(game.journal, tmp_path / "tokyo.jsonl.gz")
    history = files.history_of(tmp_path / "tokyo.jsonl.gz")
    assert history.clock(START) == "2026-03-02 18:00:00"


def test_the_same_game_is_the_same_file(lines, tmp_path):
    files.export(MemoryJournal(lines), tmp_path / "a.gz")
    files.export(MemoryJournal(lines), tmp_path / "b.gz")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()

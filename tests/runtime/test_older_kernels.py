"""A game that was played with an older kernel goes on with it, and verifies, as long as that kernel is kept beside the
present one."""

import gzip
import runpy
from pathlib import Path

import pytest

from nomopoly.errors import CommandError
from nomopoly.lab import futures
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import files
from nomopoly.runtime.host import load_game, open_game, take_snapshot
from nomopoly.runtime.interpreters import make_runtime, text
from nomopoly.runtime.journal import MemoryJournal, write_file
from nomopoly.runtime.verify import Differs, verified_with, verify

START = 1772442000
OLD = "0123456789abcdef"
DIE = "else number_below(most, veiled) + 1)"


@pytest.fixture
def older(tmp_path, monkeypatch):
    """A kernel that is kept, in which each die shows its other side."""
    source = text.kernel_source()
    assert source.count(DIE) == 1
    turned = source.replace(DIE, "else most - number_below(most, veiled))")
    (tmp_path / f"{OLD}.py.gz").write_bytes(gzip.compress(turned.encode()))
    monkeypatch.setattr(text, "KERNELS", tmp_path)
    yield OLD
    text.source_of.cache_clear()


def played(runtime):
    """A game of a few moves."""
    game = open_game(load_edition("original"), title="T", game_id="t", runtime=runtime, at=START, secret="17" * 32)
    game.join("Ann", START)
    game.admin("approve-player", {"player": "Ann"}, START)
    for at in range(3):
        assert game.order("Ann", "propose", {"title": f"Proposal {at}", "text": "Words."}, game.now + 60).ok
        assert game.admin("reject", {"on": f"P{at + 1}", "because": "no"}, game.now + 60).ok
    return game


def walked(game):
    """What each entry has changed: where the dice led, turn by turn."""
    return [outcome["changes"] for _, outcome in game.outcomes.get()]


def test_dice_fall_as_they_did(older):
    now, then = played("cpython"), played(f"cpython@{older}")
    assert walked(now) != walked(then)
    assert next(then.journal.lines())["args"]["kernel"] == older
    assert then.runtime.name == f"cpython@{older}"
    assert played(f"monty@{older}").state_hash() == then.state_hash()


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_its_futures_are_played_with_its_kernel(older, runtime):
    work = futures.prepare(played(f"cpython@{older}"), None, 2, 1)
    worker = futures.Worker(work, runtime)
    assert worker.ready(runtime).name == f"{runtime}@{older}"
    assert all("lost" not in worker.play(seed) for seed in work.seeds)
    worker.close()


def test_a_game_is_taken_up_with_its_kernel(older):
    then = played(f"cpython@{older}")
    for runtime in (f"cpython@{older}", f"monty@{older}", f"cpython-timed@{older}"):
        for snapshot in (None, take_snapshot(then)):
            again = load_game(MemoryJournal(list(then.journal.lines())), runtime=runtime, snapshot=snapshot)
            assert again.state_hash() == then.state_hash()
            assert again.order("Ann", "propose", {"title": "Next", "text": "Words."}, again.now + 60).ok
            again.runtime.close()


def test_both_kernels_serve_side_by_side(older):
    """What a process remembers of a rulebook is remembered for each kernel."""
    then, now = played(f"monty@{older}"), played("monty")
    again, once_more = played(f"monty@{older}"), played("monty")
    assert again.state_hash() == then.state_hash() != now.state_hash() == once_more.state_hash()
    timed = played("cpython-timed"), played(f"cpython-timed@{older}"), played("cpython-timed")
    for each in timed:
        each.runtime.close()
    assert played("cpython-timed").state_hash() == now.state_hash()


@pytest.mark.parametrize("runtime", [None, "cpython", "monty"])
def test_a_journal_of_an_older_kernel_verifies_and_says_so(older, runtime, tmp_path, capsys):
    lines = list(played(f"cpython@{older}").journal.lines())
    assert verify(lines, runtime).runtime.endswith(f"@{older}")
    assert verify(iter(lines), runtime).entries == len(lines)
    with pytest.raises(Differs, match="its outcome is not what the rules make of it"):
        verified_with("", lines, runtime)
    file = tmp_path / "old.jsonl.gz"
    write_file(file, lines)
    assert files.verify(file, runtime) == 0
    assert f"@{older})" in capsys.readouterr().out


def test_what_no_kernel_makes_differs_as_this_version_says(older):
    lines = list(played(f"cpython@{older}").journal.lines())
    text.KERNELS.joinpath(f"{OLD}.py.gz").unlink()
    with pytest.raises(Differs, match="its outcome is not what the rules make of it"):
        verify(lines)
    with pytest.raises(CommandError, match=f"the kernel {OLD[::-1]} is not part of this version"):
        make_runtime(f"monty@{OLD[::-1]}")._raw_call("ids", None)


def test_keeping_a_kernel_keeps_what_it_does(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(text, "KERNELS", tmp_path / "kernels")
    now = played("cpython").state_hash()
    runpy.run_path(str(Path(__file__).parents[2] / "tools" / "keep_kernel.py"), run_name="__main__")
    file = Path(capsys.readouterr().out.strip())
    assert text.older_kernels() == [text.kernel_version()] == [file.name.removesuffix(".py.gz")]
    assert gzip.decompress(file.read_bytes()).decode() == text.kernel_source()
    assert played(f"cpython@{text.kernel_version()}").state_hash() == now


def test_each_kernel_that_is_kept_can_play():
    """Those of this version, none of which is this version's own."""
    for kernel in text.older_kernels():
        assert kernel != text.kernel_version()
        assert played(f"cpython@{kernel}").state_hash() == played(f"monty@{kernel}").state_hash()

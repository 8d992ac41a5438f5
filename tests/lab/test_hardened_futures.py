"""Futures in hardened workers: the same as in the sandbox seed by seed, whatever a proposal does to its worker."""

import os
import signal
import sys
from pathlib import Path

import minigames
import pytest
from minigames import rule
from test_futures import BREAKS, RAISE, TOWN

sys.path.insert(0, str(Path(__file__).parents[1] / "runtime"))

import hostile

from nomopoly.errors import CommandError
from nomopoly.lab import futures as playing
from nomopoly.lab.answers import Begun, Told, verified
from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime.interpreters import WorkerDied, hardened

OTHERWISE = "chance.hidden.die(6).real"  # numbers of CPython have parts that those of the sandbox have not
ALL = bool(os.environ.get("HOSTILE"))
BEFORE = {
    "numbers": [{"Ann": {"money": 1}, "game": {}}],
    "over": False,
    "paused": False,
    "winner": None,
    "stopped": "",
    "entries": 1,
    "orders": 0,
    "rules": {},
    "troubles": [
        {
            "rule": "1",
            "message": "m",
            "at": 1,
            "do": "x",
            "by": None,
            "entries": 1,
            "steps": [[1, "tick", None, "x", {}]],
        }
    ],
}


@pytest.fixture(scope="module")
def town():
    game = minigames.small_game({**rule("1.1", TOWN), "params": {"wage": 5}}, players=("Ann", "Ben", "Cid"))
    game.run_due(minigames.START + 2 * 86400)
    yield game
    game.runtime.close()


def played(game, proposal=None, number=4, weeks=1, workers=1, runtime="hardened", progress=None):
    return playing.play_all(playing.prepare(game, proposal, number, weeks), workers, runtime, progress)


def hardened_workers():
    """The hardened processes of this process."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            parent = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and str(hardened.CELL) in Path(f"/proc/{name}/cmdline").read_text():
                found.append(int(name))
        except OSError:  # it has ended meanwhile
            continue
    return found


@pytest.mark.parametrize("proposal", [None, RAISE, BREAKS])
def test_seed_by_seed_it_is_what_the_sandbox_says(town, proposal):
    assert played(town, proposal, 4, 2) == played(town, proposal, 4, 2, runtime="monty")


def test_a_future_of_a_whole_edition_is_what_the_sandbox_says():
    game, _ = play_weeks("ii", players=3, weeks=2, seed=5)
    assert played(game, None, 1, 1) == played(game, None, 1, 1, runtime="monty")


def test_one_that_is_killed_costs_what_it_had_in_hand(town):
    killed = []

    def kill(done):
        if done == 2:
            for pid in hardened_workers():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
        return True

    assert played(town, RAISE, 6, workers=2, progress=kill) == played(town, RAISE, 6, runtime="cpython")
    assert killed
    assert not hardened_workers()


def test_where_there_is_none_the_sandbox_plays(town, monkeypatch, tmp_path):
    wanted = played(town, RAISE, 2)
    monkeypatch.setattr(hardened, "CELL", tmp_path / "nothing.py")
    asked = []
    monkeypatch.setattr(
        playing, "start", lambda kind, kernel, start=playing.start: asked.append(kind) or start(kind, kernel)
    )
    assert played(town, RAISE, 2) == wanted
    assert asked == ["hardened", "monty"]


def test_what_ends_each_worker_is_left_to_the_sandbox_soon(town, monkeypatch):
    wanted = played(town, RAISE, 6, runtime="cpython")
    asked = []

    def ended(self, name, data=None, hurry=0):
        asked.append(name)
        raise WorkerDied("it is gone")

    monkeypatch.setattr(hardened.HardenedRuntime, "call", ended)
    assert played(town, RAISE, 6) == wanted
    assert len(asked) == playing.GIVEN_UP


@pytest.mark.parametrize(
    "change",
    [
        {"numbers": []},
        {"numbers": [{"Ann": {"money": "1"}}]},
        {"numbers": [{"Ann": {"money": 1.5}}]},
        {"numbers": [{"Ann": {"money": True}}]},
        {"numbers": [{"Ann": {"money": 2**70}}]},
        {"numbers": [{"Ann" * 200: {"money": 1}}]},
        {"winner": 7},
        {"over": 1},
        {"stopped": "else"},
        {"entries": None},
        {"rules": {"1.1": []}},
        {"more": 1},
        {"troubles": [{**BEFORE["troubles"][0], "steps": [[1, "tick", None, "x", {"a": "y" * 200_000}]]}]},
        {"troubles": [{**BEFORE["troubles"][0], "message": "y" * 5000}]},
        {"troubles": [{**BEFORE["troubles"][0], "steps": [[1, "tick", None]]}]},
    ],
)
def test_an_answer_of_another_shape_is_none(change):
    assert verified(Told, BEFORE) == BEFORE
    with pytest.raises(WorkerDied, match=r"no answer|too much"):
        verified(Told, {**BEFORE, **change})


@pytest.mark.parametrize("told", [None, [], 7, {"refused": 7}, {"broke": {"rule": "1"}}, {"else": ""}])
def test_a_beginning_of_another_shape_is_none(told):
    assert verified(Begun, {}) == {}
    assert verified(Begun, {"refused": "no"}) == {"refused": "no"}
    with pytest.raises(WorkerDied):
        verified(Begun, told)


def hostile_codes():
    """The cores of hostile programs at an action of their own: a few of them, with HOSTILE set all."""
    every = 1 if ALL else 29
    for number, (kind, core) in enumerate(hostile.CORES):
        if number % every == 3 % every and core != OTHERWISE:
            program = core.replace("~", "\n")
            for word, now in (("HANDWORD", "str(thing('Ben').hand)"), ("ME", "e.who"), ("BIG", "10**9"), ("N", "3")):
                program = hostile.replaced(program, word, now)
            body = hostile.indented(program.replace("FILE", "/etc/passwd").replace("TOUCH", "/tmp/never-touched"))
            head = "attribute('player', 'word', '')\nattribute('player', 'several', ())\n"
            yield kind, core, head + f"@action('go', fact='went')\ndef go(e):\n{body}\n"


@pytest.mark.parametrize(("kind", "core", "code"), list(hostile_codes()))
def test_hostile_programs_do_no_harm_and_accepted_ones_do_the_same_in_the_sandbox(town, kind, core, code):
    changes = [{"enact": "9.1", "text": "x", "code": code}]
    told = []
    for runtime in ("hardened", "monty"):
        try:
            (each,) = played(town, {"changes": changes}, 1, 1, runtime=runtime)
            if "then" in each:  # interpreters say in their own words what went wrong
                each["then"] = {**each["then"], "troubles": len(each["then"]["troubles"])}
            told.append(each)
        except CommandError as error:
            told.append(str(error).partition(":")[0])
    assert told[0] == told[1] or any(each.level == "error" for each in town.check(changes, ""))
    assert not Path("/tmp/never-touched").exists()
    assert not hardened_workers()


def test_what_the_check_refuses_has_no_future(town, monkeypatch):
    monkeypatch.setattr(town, "checks", True)
    with pytest.raises(CommandError, match="does not pass the check: .*nothing_known"):
        played(town, {"changes": [{"enact": "9.1", "text": "x", "code": "nothing_known(1)"}]})


def test_nobody_decides_on_the_proposal_itself_meanwhile():
    game, _ = play_weeks("original", players=2, weeks=1, seed=5)
    change = {"title": "Richer", "text": "Richer.", "changes": [{"amend": "IV.1", "params": {"start_money": 2000}}]}
    assert game.order("Ann", "propose", change, game.now).ok
    id = next(id for id, thing in game.view("visitor")["things"].items() if thing.get("title") == "Richer")
    found = []
    for aside in (None, id):
        work = playing.prepare(game, {**change, "id": aside}, 4, 2)
        (first, *more) = playing.play_all(work, 1, "cpython")
        worker = playing.Worker(work, "cpython")
        try:
            runtime = worker.ready("cpython")
            runtime.call("ahead", work.asked(work.seeds[0], "now"))
            found.append(runtime.call("dump")["things"])
        finally:
            worker.close()
        assert first
        assert more
    decided = [next(values.get("status") for each, _, values in things if each == id) for things in found]
    assert decided == ["judged", None]

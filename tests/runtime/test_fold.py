"""One fold: lines taken in one call come to what they come to one by one, and a snapshot stays what it was."""

import json

import pytest
from minigames import RUNTIMES, SECRET, START, done, rule, small_game

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.fold import Fold
from nomopoly.runtime.host import load_game, open_game
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.journal import JournalError, MemoryJournal
from nomopoly.runtime.outcomes import MemoryOutcomes, out_hash
from nomopoly.runtime.replay import run_through

ACTS = """
attribute("player", "money", 0, label="Money")

@action("work", "Work")
def work(e):
    put(e.who, "money", e.who.money + chance.die())

@action("break", "Break")
def breaks(e):
    put(e.who, "money", 1 // 0)
"""


def played(runtime):
    """A game with entries that hold, with rolls, and some that break."""
    game = small_game(rule("1.1", ACTS), runtime=runtime)
    for at in range(12):
        game.order("Ann", "break" if at % 5 == 2 else "work", {}, START + at)
    return game


def fold_of(lines, runtime):
    """A fold that stands at the opening."""
    fold = Fold(lines[0], make_runtime(runtime))
    fold.open()
    return fold


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_lines_taken_together_come_to_what_they_come_to_one_by_one(runtime):
    game = played(runtime)
    lines = list(game.journal.lines())
    assert len(lines) > 15
    alone, together = fold_of(lines, runtime), fold_of(lines, runtime)
    for line in lines[1:]:
        alone.take(line)
    found = list(together.take_many(lines[1:]))
    assert [out_hash(line, outcome) for line, outcome in zip(lines[1:], found, strict=True)] == [
        line["out"] for line in lines[1:]
    ]
    assert sum("fault" in outcome for outcome in found) == 2
    assert together.snapshot() == alone.snapshot()
    assert together.state_hash() == game.state_hash()
    for fold in (alone, together, game.fold):
        fold.runtime.close()


def test_a_snapshot_stays_what_it_was_when_its_fold_goes_on():
    game = played("cpython")
    lines = list(game.journal.lines())
    fold = fold_of(lines, "cpython")
    half = len(lines) // 2
    for line in lines[1:half]:
        fold.take(line)
    snapshot = fold.snapshot()
    before = json.dumps(snapshot)
    list(fold.take_many(lines[half:]))
    assert json.dumps(snapshot) == before
    fold.restore(snapshot, lines[half - 1])
    list(fold.take_many(lines[half:]))
    assert fold.state_hash() == game.state_hash()
    assert fold.given == game.fold.given


def test_votes_of_a_strangers_journal_that_are_none_count_for_nothing():
    game = played("cpython")
    line = {
        "n": game.n + 1,
        "at": "2026-03-05T00:00:00Z",
        "kind": "ballots",
        "by": None,
        "do": "close",
        "hash": "0" * 64,
    }
    for odd in (5, ["x", [], [7], [["x"]]], {"a": 1}, None):
        game.fold.note({**line, "args": {"ballots": odd}}, {"facts": []})
        assert game.fold.last_counts == {"close": {}}
    game.fold.note({**line, "args": {"ballots": [["proposal-1", 3]]}}, {"facts": []})
    assert list(game.fold.last_counts["close"]) == ["proposal-1"]


def test_a_fold_goes_on_in_another_interpreter():
    game = played("cpython")
    game.fold.move(make_runtime("monty"))
    assert game.runtime.name == "monty"
    done(game.order("Ann", "work", {}, START + 60))
    game.runtime.close()


@pytest.mark.parametrize(
    ("edition", "runtime"), [*((edition, "cpython") for edition in editions()), ("original", "monty")]
)
def test_sentences_that_are_asked_for_alone_are_those_that_are_described(edition, runtime):
    game = open_game(load_edition(edition), title="T", runtime=runtime, at=START, secret=SECRET)
    alone = fold_of(list(game.journal.lines()), runtime)
    alone.runtime.call = calling(alone.runtime.call, asked := [])
    sayings = alone.sayings()
    assert asked == ["sayings"]
    assert sayings == {name: event["say"] for name, event in game.describe()["events"].items() if event["say"]}
    assert len(sayings) > 20
    for fold in (alone, game.fold):
        fold.runtime.close()


def test_a_game_computed_again_asks_for_sentences_once_for_each_rulebook():
    """`describe` takes long in the sandbox: a game of many changes is loaded without it."""
    game = small_game(rule("1.1", ACTS))
    done(game.order("Ann", "work", {}, START))
    said = 'event("sung", "sung", say="{who} sang.", who="player")\n\n@action("sing", "Sing")\ndef sing(e):\n'
    changes = [{"enact": "2.1", "text": "Sing.", "code": said + '    do("sung", who=e.who)'}]
    done(game.submit("admin", "Admin", "put-in-force", {"changes": changes, "by": "admin"}, game.now))
    done(game.order("Ann", "sing", {}, game.now))
    again = fold_of(list(game.journal.lines()), "cpython")
    again.runtime.call = calling(again.runtime.call, asked := [])
    kept = MemoryOutcomes()
    run_through(again, list(game.journal.lines(1)), kept)
    assert dict(kept.get())[game.n] == dict(game.outcomes.get())[game.n]
    assert dict(kept.get())[game.n]["says"] == {"sung": "{who} sang."}
    assert [name for name in asked if name != "batch"] == ["sayings", "sayings"]


def test_what_each_rule_declares_is_asked_for_alone_and_again_after_a_change():
    game = small_game(rule("1.1", ACTS))
    game.runtime.call = calling(game.runtime.call, asked := [])
    assert game.declares()["1.1"]["actions"] == ["work", "break"]
    assert game.declares()["1.1"]["rows"] == []
    assert asked == ["declares"]
    changes = [{"enact": "2.1", "text": "Rows.", "code": 'row("toy", "ball", name="ball")'}]
    done(game.submit("admin", "Admin", "put-in-force", {"changes": changes, "by": "admin"}, game.now))
    assert game.declares()["2.1"]["rows"] == [["toy", "ball"]]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_a_rule_does_before_it_repeals_itself_keeps_its_sentence(runtime):
    code = """
event("sung", "sung", say="{who} sang.", who="player")
@action("sing", "Sing once")
def sing(e):
    do("sung", who=e.who)
    repeal("2.1")
"""
    game = small_game(rule("1.1", ACTS), rule("2.1", code), runtime=runtime)
    done(game.order("Ann", "work", {}, START))
    done(game.order("Ann", "sing", {}, game.now))
    assert "2.1" not in [each["id"] for each in game.records()]
    facts = game.facts("visitor")[-1]["facts"]
    assert [each["say"] for each in facts if each["event"] == "sung"] == ["Ann sang."]
    again = fold_of(list(game.journal.lines()), runtime)
    run_through(again, list(game.journal.lines(1)), kept := MemoryOutcomes())
    assert dict(kept.get())[game.n]["says"] == dict(game.outcomes.get())[game.n]["says"] == {"sung": "{who} sang."}
    for fold in (again, game.fold):
        fold.runtime.close()


def calling(call, asked):
    """A call of a runtime that notes what is asked."""

    def noted(name, *args):
        asked.append(name)
        return call(name, *args)

    return noted


@pytest.mark.parametrize("entry", [0, -1, True, None, "3", 3.0, [3], 10**30])
def test_what_is_no_number_of_an_entry_cannot_be_struck(entry):
    game = small_game(rule("1.1", ACTS))
    assert game.strike(entry, "x", START).refused.startswith(f"there is no entry {entry!r} to strike")
    assert f"entries are numbered 1 to {game.n}" in game.strike_preview(entry)["impossible"]
    assert "to strike" in game.strike(game.n + 1, "x", START).refused


def test_a_journal_that_does_not_begin_with_its_opening_holds_no_game():
    lines = list(small_game(rule("1.1", ACTS)).journal.lines())
    for wrong in ([], lines[1:]):
        with pytest.raises(JournalError, match="does not begin with an open entry"):
            load_game(MemoryJournal(wrong))

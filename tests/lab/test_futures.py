"""A thousand futures: the same everywhere, in pairs, with nothing in them that the asker may not see."""

import gettext
import inspect
import json
import os
import re
import signal

import minigames
import pytest
from hypothesis import given
from hypothesis import strategies as st
from minigames import done, rule

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.lab import futures as playing
from nomopoly.lab import outlook
from nomopoly.lab.outlook import futures, percentile, words
from nomopoly.languages import spoken
from nomopoly.runtime.files import export

TOWN = """
attribute("player", "money", 100, label="Money", type="money", summary=True)
attribute("player", "hand", 0, label="Hand", show=("owner",))
attribute("game", "over", False)
attribute("game", "winner", None, type="thing")
calendar("payday", weekday=-1, hour=12)
event("payday")


@after("join")
def deal_one(e):
    put(e.who, "hand", 7000 + len(every("player")))


@on("payday")
def pay(e):
    for who in every("player"):
        put(who, "money", who.money + rule.wage)


@action("gamble", "Throw a die for ten dollars", fact="gambled", rolls=True)
def gamble(e):
    put(e.who, "money", e.who.money + (10 if chance.die() > 3 else -10))


@action("rest", "Rest", fact="rested")
def rest(e):
    pass
"""
BOOM = """
attribute("player", "fuse", 0)


@after("rest")
def burn(e):
    put(e.who, "fuse", e.who.fuse + 1)


@check("gamble")
def boom(e):
    if e.who.fuse > 1:
        return e.who.fuse.nothing
"""
MEADOW = """
kind("flag")
attribute("flag", "colour", None, type="word")
attribute("player", "seen", None, type="thing")
attribute("player", "points", 0, label="Points", summary=True)


@after("join")
def own_flag(e):
    create("flag", colour="green")


@action("plant", "Plant the flag")
def plant(e):
    if find("flag-9") is None:
        put(e.who, "seen", create("flag", id="flag-9", colour="red"))


@action("pull", "Pull the flag out")
def pull(e):
    put(e.who, "points", e.who.points + (1 if e.who.seen is not None and e.who.seen.colour == "red" else 100))
    if find("flag-9") is not None:
        destroy(thing("flag-9"))


calendar("school", weekday=-1, hour=12)
event("school")


@on("school")
def learn(e):
    if rule_since("2.1") is None:
        enact("2.1", text="Wit.", code='attribute("player", "wit", 7)')


@action("think", "Think")
def think(e):
    put(e.who, "points", e.who.points + 10000 * getattr(e.who, "wit", 0))
"""
RAISE = {"changes": [{"amend": "1.1", "params": {"wage": 8}}]}
BREAKS = {"changes": [{"enact": "2.1", "text": "Who has rested twice never throws again.", "code": BOOM}]}


@pytest.fixture(scope="module")
def town():
    """A game of three players, some days old."""
    game = minigames.small_game({**rule("1.1", TOWN), "params": {"wage": 5}}, players=("Ann", "Ben", "Cid"))
    game.run_due(minigames.START + 2 * 86400)
    yield game
    game.runtime.close()


def played(game, proposal=None, number=4, weeks=1, workers=1, runtime="cpython", **more):
    return playing.play_all(playing.prepare(game, proposal, number, weeks, **more), workers, runtime)


def test_the_result_is_the_same_with_any_number_of_workers_and_in_both_interpreters(town):
    alone = played(town, RAISE, 6)
    assert alone == played(town, RAISE, 6, workers=2, runtime="monty")
    assert alone[:3] == played(town, RAISE, 3)
    assert len({json.dumps(each["now"]) for each in alone}) > 1


def test_futures_begin_at_the_last_entry_whenever_somebody_has_asked_what_they_could_do(town):
    before = playing.prepare(town, RAISE, 1, 1)
    town.preview("Ann", "rest", {}, town.now + 3600)
    assert playing.prepare(town, RAISE, 1, 1) == before


@pytest.mark.parametrize("learns", [True, False], ids=["rules-change", "things-come-and-go"])
def test_a_future_knows_nothing_of_the_one_before(learns):
    """What a future leaves as it was, the next one has without drawing it anew: not what came, went or was declared."""
    code = MEADOW if learns else MEADOW.partition('calendar("school"')[0]
    game = minigames.small_game(rule("1.1", code), players=("Ann", "Ben", "Cid"))
    for do in ("plant", "pull"):
        assert game.order("Ann", do, {}, minigames.START).refused is None
    work = playing.prepare(game, {"changes": []}, 12, 1)
    worker = playing.Worker(work, "cpython")
    before, reused = [], False
    for seed in work.seeds:
        before.append(worker.play(seed))
        bases = worker.made["cpython"]._names["BASES"]
        reused = reused or any("other" in each for each in bases.values())
    worker.close()
    assert reused or learns
    for seed, found in zip(work.seeds, before, strict=True):
        alone = playing.Worker(work, "cpython")
        assert alone.play(seed) == found
        alone.close()
    assert len({json.dumps(each["now"]["numbers"]) for each in before}) > 6
    game.runtime.close()


def test_a_number_that_a_proposal_takes_away_is_not_compared(town):
    """Everybody would lose all their money under it, and so be worse off."""
    without = TOWN.replace('attribute("player", "money", 100, label="Money", type="money", summary=True)\n', "")
    without = without.partition('@on("payday")')[0] + '@action("rest", "Rest", fact="rested")\ndef rest(e):\n    pass\n'
    told = futures(town, {"changes": [{"amend": "1.1", "code": without}]}, futures=3, weeks=1, runtime="cpython")
    assert (told["gone"], told["wealth"], told["players_then"]) == (["Money"], None, [])
    lines = "\n".join(words(told))
    assert "Money: there is none under the proposal" in lines
    assert "would lose" not in lines


def test_a_proposal_that_changes_nothing_makes_no_difference(town):
    for each in played(town, {"changes": []}, 4):
        assert each["now"] == each["then"]
    told = futures(town, {"changes": []}, 4, 1, runtime="cpython")
    assert {each["difference"]["mean"] for each in told["players_then"]} == {0}
    assert any("Ann: there is no difference" in line for line in words(told))


def test_futures_with_a_proposal_throw_the_same_dice(town):
    told = futures(town, RAISE, 5, 1, runtime="cpython")
    for each in told["players_then"]:
        assert each["difference"] == {"middle": 21, "from": 21, "to": 21, "mean": 21, "up": 5, "down": 0, "same": 0}
        assert each["now"]["from"] < each["now"]["to"]
    lines = list(words(told))
    assert any("Ben +$21, all of them between +$21 and +$21" in line for line in lines)
    assert any("Ann, Ben, Cid would gain" in line for line in lines)
    assert [len(point) for point in told["fans"]["Ann"]["now"]] == [5, 5]


def test_nothing_hidden_is_in_the_work_of_somebody_who_may_not_see_it(town):
    for viewer, secrets in (("Ann", 1), ("visitor", 0), ("admin", 0)):
        work = playing.prepare(town, None, 1, 1, viewer)
        for state in work.states:
            hands = {id: values.get("hand") for id, kind, values in state["things"] if kind == "player"}
            assert hands["Ann"] == (7001 if secrets else None)
            assert {hands["Ben"], hands["Cid"]} & {7002, 7003} == set()
        assert "7002" not in json.dumps([work.states, work.how, work.about])


def test_what_is_struck_is_nobodys_habit():
    game = minigames.small_game({**rule("1.1", TOWN), "params": {"wage": 5}}, players=("Ann", "Ben"))
    gambled = [done(game.order("Ann", "gamble", {}, game.now + 60)).n for _ in range(25)]
    for _ in range(25):
        done(game.order("Ben", "rest", {}, game.now + 60))
    assert playing.habits(game, "visitor", 2)["orders"] == {"gamble": 25, "rest": 25}
    for n in gambled[:5]:
        assert game.strike(n, "a mistake", game.now + 60).ok
    assert playing.habits(game, "visitor", 2)["orders"] == {"gamble": 20, "rest": 25}
    game.runtime.close()


def test_what_breaks_is_found_with_the_shortest_way_there(town):
    told = futures(town, BREAKS, 6, 2, runtime="cpython")
    assert told["troubles"]["now"] == []
    (found,) = told["troubles"]["then"]
    assert found["rule"] == "2.1"
    assert "no attribute 'nothing'" in found["message"]
    steps = [step[3] for step in found["way"]]
    assert steps == ["rest", "rest", "gamble"]
    assert len({step[2] for step in found["way"]}) == 1
    assert any("the shortest way there: day" in line for line in words(told))


def test_a_proposal_that_cannot_be_in_force_is_told(town):
    with pytest.raises(CommandError, match="breaks at once"):
        played(town, {"changes": [], "run": "put(every('game')[0], 'nothing', 1)"})
    with pytest.raises(CommandError, match=r"does not fit|refused"):
        played(town, {"changes": [{"amend": "7.7", "params": {"wage": 1}}]})


def test_a_worker_that_is_killed_costs_nothing_but_what_it_had_in_hand(town):
    killed = []

    def kill(done):
        if done == 2:
            killed.append(kill_workers())
        return True

    work = playing.prepare(town, RAISE, 5, 1)
    assert playing.play_all(work, 2, "monty", kill) == played(town, RAISE, 5)
    assert killed[0] >= 1


def kill_workers():
    """Kill the sandbox processes of this process. Returns how many there were."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat, open(f"/proc/{name}/cmdline") as words:
                parent = stat.read().rpartition(")")[2].split()[1]
                found += [int(name)] if int(parent) == os.getpid() and "monty" in words.read() else []
        except OSError:  # it has ended meanwhile
            continue
    for number in found:
        os.kill(number, signal.SIGKILL)
    return len(found)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"number": 0}, "--futures must be from 1"),
        ({"weeks": 99}, "--weeks must be from 1 to 52"),
        ({"workers": 65}, "--workers must be from 1 to 64"),
        ({"viewer": "Zoe"}, "there is no player 'Zoe'"),
    ],
)
def test_nonsense_is_refused(town, wanted, message):
    with pytest.raises(CommandError, match=message):
        played(town, None, **wanted)


def test_the_rest_is_left_out_when_somebody_stops_it(town):
    assert len(playing.play_all(playing.prepare(town, None, 9, 1), 1, "cpython", lambda done: done < 3)) == 3


def test_percentiles_are_numbers_that_are_there_and_the_middle_is_the_median():
    assert [percentile([1, 2, 3, 40], share) for share in (5, 50, 95)] == [1, 2, 40]
    assert [percentile(list(range(1, 51)), share) for share in (5, 25, 75, 95)] == [2, 12, 39, 49]
    assert [percentile(each, 50) for each in ([7], [1, 4], [-4, -1], [1, 2, 40])] == [7, 2, -2, 2]


@pytest.mark.parametrize("many", [19, 20, 50, 77, 100, 1000])
def test_the_next_future_lies_between_the_limits_in_nine_of_ten(many):
    """By the ranks alone: one more future is as likely to come at any place between those that are there."""
    numbers = list(range(many))
    between = percentile(numbers, 95) - percentile(numbers, 5)  # places between the limits, of many + 1
    assert 0.9 <= between / (many + 1) < 0.95


def test_few_futures_have_no_limits_of_nine_in_ten(town):
    few, enough = ("\n".join(words(futures(town, None, many, 1, runtime="cpython"))) for many in (18, 19))
    assert "with all of them between $" in few
    assert "with 90 % between $" in enough
    assert "90 %" not in few


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30).map(sorted), st.sampled_from([5, 25, 50, 75, 95]))
def test_a_loss_is_stated_as_a_gain_of_the_same_size(numbers, share):
    lost = sorted([-each for each in numbers])
    assert percentile(numbers, share) == -percentile(lost, 100 - share)


def test_no_rule_of_a_proposal_runs_outside_the_sandbox_unless_one_says_so():
    assert playing.Worker(None).kind == "hardened"
    assert inspect.signature(futures).parameters["runtime"].default == "hardened"


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("futures nosuch", "nosuch"),
        ("futures GAME --futures 0", "--futures must be from 1"),
        ("futures GAME --proposal nowhere.yaml", "nowhere.yaml"),
        ("futures GAME --weeks two", "two"),
        ("futures GAME --viewer Zoe", "Zoe"),
        ("tables GAME", "--out"),
        ("tables GAME --out x --format xls", "xls"),
    ],
)
def test_bad_words_end_with_one_line(town, asked, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    export(town.journal, tmp_path / "GAME")
    assert cli.run(asked.split()) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert named in told.err


def test_what_cannot_be_written_is_told_before_anything_is_played(town, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(outlook, "need_arrow", lambda: None)
    monkeypatch.setattr(outlook, "played_by", None)
    export(town.journal, tmp_path / "GAME")
    (tmp_path / "file").touch()
    for wrong in (tmp_path, tmp_path / "nowhere" / "x.parquet", tmp_path / "file" / "x.parquet", "/dev/null"):
        assert cli.run(["futures", str(tmp_path / "GAME"), "--parquet", str(wrong)]) == 1
        assert "cannot be written" in capsys.readouterr().err
    assert cli.run(["tables", str(tmp_path / "GAME"), "--out", str(tmp_path / "file")]) == 1
    assert "it is no folder" in capsys.readouterr().err


def test_in_how_many_the_game_halts_early_is_told_beside_what_players_have(town):
    code = '@after("payday")\ndef end(e):\n    put(thing("game"), "over", True)\n'
    told = futures(town, {"changes": [{"enact": "99.1", "text": "One payday is enough.", "code": code}]}, 2, 1)
    assert told["ends"]["then"]["halted"] == 2
    assert [each for each in words(told) if "in 2 of 2 the game halts early under the proposal" in each]


def test_the_command_says_it_in_words_and_as_json(town, capsys, tmp_path):
    export(town.journal, tmp_path / "GAME")
    (tmp_path / "raise.yaml").write_text(json.dumps(RAISE))
    assert cli.run(["futures", str(tmp_path / "GAME"), "--futures", "2", "--weeks", "1"]) == 0
    assert "\nWhat becomes of the game: it ends in 0 of 2, a rule breaks" in capsys.readouterr().out
    asked = ["futures", str(tmp_path / "GAME"), "--proposal", str(tmp_path / "raise.yaml"), "--futures", "2"]
    assert cli.run([*asked, "--weeks", "1"]) == 0
    assert "Ben +$21" in capsys.readouterr().out
    assert cli.run([*asked, "--weeks", "1", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == futures(town, RAISE, 2, 1, runtime="cpython")


def test_the_command_takes_an_open_proposal_by_its_id_and_leaves_it_aside(capsys, tmp_path):
    game = minigames.original()
    proposal = {"title": "More", "changes": [{"amend": "IV.1", "params": {"start_money": 9}}]}
    assert game.order("Ann", "propose", proposal, game.now).ok
    export(game.journal, tmp_path / "GAME")
    asked = ["futures", str(tmp_path / "GAME"), "--futures", "2", "--weeks", "1", "--json", "--proposal"]
    assert cli.run([*asked, "P1"]) == 0
    proposal = playing.open_proposal(game, "P1")
    assert playing.prepare(game, proposal, 1, 1).aside == "P1"
    assert json.loads(capsys.readouterr().out) == futures(game, proposal, 2, 1, runtime="cpython")
    assert cli.run([*asked, "P7"]) == 1
    told = capsys.readouterr().err
    assert told == "nomopoly: 'P7' is no file, and no open proposal of this game: open are P1\n"
    assert game.tick(game.now, "accept", {"on": "P1"}).ok
    with pytest.raises(CommandError, match="'P1' is no file, .*: there is none"):
        playing.open_proposal(game, "P1")
    game.runtime.close()


def test_what_the_command_says_is_whole_in_german_and_fits_one_of_a_sort(town, monkeypatch):
    told = futures(town, RAISE, 1, 1, viewer="visitor", runtime="cpython")
    told |= {"lost": ["the machine ended it"], "made_up": 1, "beginnings": 8}
    told["idle"]["then"] = [f"9.{n}" for n in range(outlook.LONGEST_WAY + 1)]
    lines = list(words(told))
    assert lines[0].endswith("; weeks: 1, futures: 1")
    assert not [line for line in lines if re.search(r"\b1 (futures|orders|things|weeks)\b", line)]
    monkeypatch.setattr(spoken, "language", lambda: "de")
    monkeypatch.setattr(spoken, "messages", lambda: gettext.translation("django", str(spoken.LOCALE), ["de"]))
    german = "\n".join(spoken.said(line) for line in lines)
    assert "\n  Gewinner: Ann, Ben, Cid (in zwei" in german
    assert " und 1 weitere\n" in german
    assert "auf 8 Arten ausgedacht; ausgedachte Dinge: 1\n" in german
    assert "die Maschine brachte 1 von 2 nicht zu Ende" in german
    assert not re.search(r"\b(and|more|ways|futures|weeks)\b", german), german

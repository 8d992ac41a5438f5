"""Secret votes: nobody learns how anybody voted, no vote is lost, and a game with votes can be computed again."""

import dataclasses
import hashlib
import json
import re
import stat

import minigames
import pytest
from minigames import SECRET, START, done

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.ballots import Ballot, FileBallots, MemoryBallots, counted
from nomopoly.runtime.host import Game, load_game, open_game, replay
from nomopoly.runtime.journal import FileJournal, MemoryJournal, canonical
from nomopoly.runtime.verify import verify

HOUR, DAY = 3600, 86400
VIEWERS = ("Ben", "Cid", "admin", "visitor")
BROKEN = "@after('land')\ndef broken_landing(e):\n    return 1 // len([])"


def game_of_iv(runtime="cpython", players=("Ann", "Ben", "Cid"), leave_out=(), rules=(), **more) -> Game:
    """A game of edition iv, if need be without some of its rules and with others; Ann has proposed P1 where she can."""
    book = load_edition("iv")
    records = [record for record in book.records if record["section"] not in leave_out]
    book = Book(book.edition, book.title, [*records, *rules], book.commons)
    game = open_game(book, title="T", game_id="t", runtime=runtime, at=START, secret=SECRET, **more)
    minigames.with_players(game, players)
    if "9" not in leave_out:
        done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    return game


def vote(game, by, choice, on="P1", at=START + HOUR):
    return done(game.cast(by, "vote", {"on": on, "choice": choice}, at))


def lines_of(game):
    return list(game.journal.lines())


def everything(game, viewer, now):
    """All that a viewer can ask a game for."""
    return {
        "view": game.view(viewer, now),
        "facts": game.facts(viewer),
        "actions": game.actions(viewer, now),
        "history": game.book_history(),
        "preview": dataclasses.asdict(game.preview("Ben", "vote", {"on": "P1", "choice": "no"}, now)),
        "refusal": game.preview("Ben", "retract-proposal", {"on": "P1"}, now).refused,
        "due": game.next_due(),
    }


# ---- secrecy


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_until_the_close_a_game_is_the_same_whatever_was_voted_and_whether_anybody_did(runtime):
    games = {}
    for choice in ("yes", "no", "abstain", None):
        games[choice] = game = game_of_iv(runtime)
        if choice is not None:
            vote(game, "Ann", choice)
            vote(game, "Ann", choice, at=START + 2 * HOUR)
        done(game.order("Ben", "take-turn", {}, START + 3 * HOUR))
    silent = games.pop(None)
    now = START + 4 * HOUR
    for choice, game in games.items():
        assert lines_of(game) == lines_of(silent)  # an export for anybody holds some of these lines
        assert game.state_hash() == silent.state_hash()
        for viewer in VIEWERS:
            assert everything(game, viewer, now) == everything(silent, viewer, now)
        assert game.view("Ann", now)["ballots"] == {"P1": choice}
    assert silent.view("Ann", now)["ballots"] == {}


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_vote_of_somebody_long_away_shows_only_that_they_were_here(runtime):
    games = {choice: game_of_iv(runtime) for choice in ("yes", "no", None)}
    now = START + 3 * DAY
    for choice, game in games.items():
        if choice is not None:
            vote(game, "Ann", choice, at=now)
        done(game.order("Ben", "build", {"building": "fort"}, now + HOUR))
    assert lines_of(games["yes"]) == lines_of(games["no"])

    def seen(game, viewer):
        view = game.view(viewer, now + HOUR)
        if viewer == "admin":
            del view["things"]["Ann"]["last_login"]
        facts = [
            {key: each for key, each in entry.items() if key not in ("n", "hash", "prev", "out")}
            for entry in game.facts(viewer)
            if entry["do"] != "log-in"
        ]
        return view, facts

    for viewer in VIEWERS:
        assert seen(games["yes"], viewer) == seen(games[None], viewer)
        numbers = [entry["number"] for entry in games["yes"].facts(viewer) if entry["number"] is not None]
        assert numbers == list(range(len(numbers)))
    assert [entry for entry in games["yes"].facts("Ben") if entry["do"] == "log-in"] == []


def test_after_the_close_only_two_numbers_and_a_commitment_are_in_the_journal():
    game = game_of_iv(players=("Ann", "Ben", "Cid", "Dora", "Eve"))
    for name, choice in (("Ann", "yes"), ("Ben", "no"), ("Cid", "yes"), ("Dora", "abstain")):
        vote(game, name, choice)
    game.run_due(START + 5 * DAY)
    line = next(line for line in lines_of(game) if line["kind"] == "ballots")
    assert set(line["args"]) == {"timer", "ballots", "commitment"}
    assert line["args"]["ballots"] == [["P1", "no", 1], ["P1", "yes", 2]]
    assert line["by"] is None
    assert re.fullmatch("[0-9a-f]{64}", line["args"]["commitment"])
    for name in ("Ann", "Ben", "Cid", "Dora", "Eve"):
        assert name not in json.dumps([line, game.facts("visitor", line["n"])[:1]])
    numbers = [entry["number"] for entry in game.facts("visitor") if entry["number"] is not None]
    assert numbers == list(range(len(numbers)))
    assert not [fact for entry in game.facts("admin") for fact in entry["facts"] if fact["what"] == "voted"]
    assert game.view("Ben")["ballots"] == {"P1": "no"}
    assert game.view("admin")["ballots"] == game.view("visitor")["ballots"] == {}


def test_abstaining_leaves_no_more_behind_than_not_voting():
    closes = []
    for choice in ("abstain", None):
        game = game_of_iv()
        if choice:
            vote(game, "Ann", choice)
        game.run_due(START + 5 * DAY)
        closes.append(next(line for line in lines_of(game) if line["kind"] == "ballots"))
    assert closes[0] == closes[1]
    assert closes[0]["args"]["ballots"] == []


def test_only_the_voter_is_told_of_a_vote():
    outcome = vote(game_of_iv(), "Ann", "yes")
    assert outcome.n is None
    assert [fact["only"] for fact in outcome.facts] == [["Ann"]]


# ---- the box


def ballot(player="Ann", choice="yes", at=0, **more) -> Ballot:
    return Ballot(
        **{"about": "P1", "closes": "voting-closes", "sealed": True, **more}, player=player, choice=choice, at=at
    )


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_a_later_ballot_takes_the_place_of_an_earlier_one(kind, tmp_path):
    box = FileBallots(tmp_path / "box") if kind == "file" else MemoryBallots()
    box.cast(ballot(choice="yes", at=1))
    box.cast(ballot(player="Ben", choice="no", at=2))
    box.cast(ballot(choice="yes", about="P2", at=3))
    box.cast(ballot(choice="no", at=4))
    kept = {(each.about, each.player): each.choice for each in box.ballots()}
    assert kept == {("P1", "Ann"): "no", ("P1", "Ben"): "no", ("P2", "Ann"): "yes"}


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_line_that_a_crash_cut_off_takes_no_other_vote_with_it(cut, tmp_path):
    path = tmp_path / "box"
    FileBallots(path).cast(ballot(choice="yes"))
    whole = path.read_bytes()
    FileBallots(path).cast(ballot(player="Ben", choice="no"))
    path.write_bytes(path.read_bytes()[: -cut - 1])
    assert path.read_bytes().startswith(whole)
    again = FileBallots(path)
    assert [each.player for each in again.ballots()] == ["Ann"]
    again.cast(ballot(player="Cid", choice="no"))
    again.cast(ballot(choice="no"))
    again.opened("c", "s")
    assert {each.player: each.choice for each in FileBallots(path).ballots()} == {"Ann": "no", "Cid": "no"}


def test_a_box_is_for_its_owners_eyes_and_survives_the_program(tmp_path):
    journal = FileJournal(tmp_path / "game.jsonl")
    game = game_of_iv(journal=journal)
    vote(game, "Ann", "yes")
    vote(game, "Ben", "yes")
    path = tmp_path / "game.jsonl.ballots"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    journal.close()
    again = load_game(FileJournal(tmp_path / "game.jsonl"), runtime="cpython", secret=SECRET)
    vote(again, "Ben", "no", at=START + 2 * HOUR)
    vote(again, "Cid", "yes", at=START + 2 * HOUR)
    again.run_due(START + 5 * DAY)
    assert (again.value("yes_votes", "P1"), again.value("no_votes", "P1")) == (2, 1)


def test_votes_of_those_who_left_do_not_count_nor_of_those_who_came_back():
    found = counted([ballot(), ballot("Ben"), ballot("Cid", "no")], ["Cid", "Ann"], MemoryBallots())
    assert found["ballots"] == [["P1", "no", 1], ["P1", "yes", 1]]
    game = game_of_iv(players=("Ann", "Ben", "Cid", "Dora"))
    for name in ("Ann", "Ben", "Cid", "Dora"):
        vote(game, name, "yes")
    done(game.order("Ben", "leave-game", {}, START + DAY))
    done(game.leave("Cid", START + DAY))
    done(game.join("Cid", START + 2 * DAY))
    done(game.admin("approve-player", {"player": "Cid"}, START + 2 * DAY))
    assert game.view("Cid")["ballots"] == {}
    game.run_due(START + 5 * DAY)
    assert game.value("yes_votes", "P1") == 2


def test_who_leaves_and_returns_in_the_second_of_the_vote_has_not_voted():
    game = game_of_iv()
    for name in ("Ann", "Ben", "Cid"):
        vote(game, name, "yes", at=START + DAY)
    done(game.leave("Cid", START + DAY))
    done(game.join("Cid", START + DAY))
    done(game.admin("approve-player", {"player": "Cid"}, START + DAY))
    assert game.value("joined_at", "Cid") == START + DAY
    assert game.own_ballots("Cid") == {}
    game.run_due(START + 5 * DAY)
    assert game.value("yes_votes", "P1") == 2


def test_the_commitment_can_be_checked_with_the_salt(tmp_path):
    game = game_of_iv(ballots=FileBallots(tmp_path / "box"))
    for name, choice in (("Cid", "yes"), ("Ann", "no"), ("Ben", "abstain")):
        vote(game, name, choice)
    game.run_due(START + 5 * DAY)
    told = next(line["args"]["commitment"] for line in lines_of(game) if line["kind"] == "ballots")
    opened = json.loads((tmp_path / "box").read_text().splitlines()[-1])
    assert opened["commitment"] == told

    def committed(named):
        return hashlib.sha256(canonical([opened["salt"], named]).encode()).hexdigest()

    assert committed([["P1", "no", "Ann"], ["P1", "yes", "Cid"]]) == told
    assert committed([["P1", "yes", "Ann"], ["P1", "no", "Cid"]]) != told
    assert opened["salt"] not in json.dumps(lines_of(game))


# ---- time


@pytest.mark.parametrize("late", [0, 1, DAY])
def test_a_vote_from_the_closing_second_on_is_refused_even_if_the_clock_has_not_come_round(late):
    game = game_of_iv()
    vote(game, "Ben", "yes", at=START + 5 * DAY - 1)
    outcome = game.cast("Cid", "vote", {"on": "P1", "choice": "no"}, START + 5 * DAY + late)
    assert "closed" in outcome.refused
    game.run_due(START + 6 * DAY)
    assert (game.value("yes_votes", "P1"), game.value("no_votes", "P1")) == (1, 0)
    assert game.own_ballots("Cid") == {}


def test_after_an_outage_turns_come_later_and_votes_close_a_day_after_the_return():
    game = game_of_iv()
    due = game.value("turn_due_at", "Ann")
    vote(game, "Ann", "yes")
    game.outage(START + 4 * DAY, START + 6 * DAY)
    assert [game.value("turn_due_at", name) for name in ("Ann", "Ben", "Cid")] == [due + 2 * DAY] * 3
    assert game.value("closes_at", "P1") == START + 7 * DAY
    assert game.value("paused", "game") is False
    vote(game, "Ben", "no", at=START + 7 * DAY - 1)
    game.run_due(START + 7 * DAY)
    assert game.value("status", "P1") == "Dead"
    assert not [line for line in lines_of(game) if line["do"] == "automatic-turn" and line["at"] < "2026-03-09T09"]


# ---- computing again


@pytest.fixture(scope="module")
def voted() -> Game:
    game = game_of_iv()
    done(game.order("Ben", "build", {"building": "fort"}, START + HOUR))
    done(
        game.order(
            "Ben", "propose", {"title": "Two", "changes": [{"amend": "8.3", "params": {"turn_fine": 50}}]}, START
        )
    )
    done(game.admin("implement", {"on": "P2"}, START + HOUR))
    for name, first, second in (("Ann", "yes", "no"), ("Ben", "no", "yes"), ("Cid", "yes", "yes")):
        vote(game, name, first, at=START + DAY)
        vote(game, name, second, on="P2", at=START + DAY)
    game.run_due(START + 6 * DAY)
    assert game.value("turn_fine") == 50
    return game


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_game_with_votes_is_verified_and_computed_again(voted, runtime):
    assert verify(lines_of(voted), runtime).entries == voted.n + 1
    again = replay(MemoryJournal(lines_of(voted)), runtime, SECRET)
    assert again.state_hash() == voted.state_hash()
    assert (again.value("yes_votes", "P1"), again.value("no_votes", "P1")) == (2, 1)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_what_is_struck_before_a_vote_changes_no_count(voted, runtime):
    game = replay(MemoryJournal(lines_of(voted)), runtime, SECRET)
    built = next(line["n"] for line in lines_of(game) if line["do"] == "build")
    done(game.strike(built, "not yet", game.now))
    assert [game.value(name, "P2") for name in ("yes_votes", "no_votes", "outcome")] == [2, 1, "implemented"]
    assert game.refused == []
    assert verify(lines_of(game), runtime).entries == game.n + 1


def test_a_close_that_is_struck_is_held_again_with_the_same_ballots():
    game = game_of_iv()
    vote(game, "Ann", "yes")
    game.run_due(START + 5 * DAY)
    closed = next(line["n"] for line in lines_of(game) if line["kind"] == "ballots")
    done(game.strike(closed, "by mistake", START + 5 * DAY))
    assert game.value("status", "P1") == "Voting"
    assert "closed" in game.cast("Ben", "vote", {"on": "P1", "choice": "no"}, game.now).refused
    game.run_due(START + 5 * DAY)
    assert [game.value(name, "P1") for name in ("status", "yes_votes", "no_votes")] == ["Pending", 1, 0]


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_without_the_proposal_its_votes_count_nothing(voted, runtime):
    game = replay(MemoryJournal(lines_of(voted)), runtime, SECRET)
    proposed = next(line["n"] for line in lines_of(game) if line["args"].get("title") == "Two")
    done(game.strike(proposed, "against the rules", game.now))
    assert game.value("turn_fine") == 100
    assert game.value("yes_votes", "P1") == 2


# ---- the way out that no rule can break


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize(("ayes", "paused"), [(("Ann", "Ben"), False), (("Ann",), True)])
def test_without_sections_9_and_10_a_disruption_ends_by_the_kernels_vote(runtime, ayes, paused):
    game = game_of_iv(runtime, leave_out=("9", "10"), rules=[minigames.rule("13.1", BROKEN)])
    assert game.order("Ann", "take-turn", {}, START).fault["rule"] == "13.1"
    assert game.disrupted()
    at = START + HOUR
    before = game.state_hash()
    assert "paused" in game.order("Ben", "take-turn", {}, at).refused
    assert game.state_hash() == before
    made = done(game.admin("propose", {"title": "Away with it", "changes": [{"repeal": "13.1"}]}, at))
    way_out = next(fact["proposal"] for fact in made.facts if fact["what"] == "proposed")
    for name in ("Ann", "Ben", "Cid"):
        done(game.order(name, "emergency-vote", {"on": way_out, "choice": "yes" if name in ayes else "no"}, at))
    done(game.cast("Cid", "vote", {"on": way_out, "choice": "abstain" if ayes == ("Ann", "Ben") else "no"}, at + 1))
    assert game.view("Ben")["things"][way_out]["yes_votes"] is None
    game.run_due(at + 120 * HOUR)
    assert game.paused() is paused
    assert ("13.1" in [record["id"] for record in game.records()]) is paused
    line = next(line for line in lines_of(game) if line["kind"] == "ballots")
    assert not re.search("Ann|Ben|Cid", json.dumps(line))
    verify(lines_of(game), runtime)


@pytest.mark.parametrize("how", ["1 // 0", "refuse('never')"])
def test_a_rule_that_breaks_in_proposals_does_not_stop_the_way_out(how):
    """What the rules refuse to the Admin stays refused: they can suspend the rule."""
    breaks = f"@check('propose')\ndef lock(e):\n    if now() > rule.begins:\n        {how}\n"
    game = game_of_iv("cpython", rules=[minigames.rule("13.1", BROKEN), minigames.rule("13.2", breaks, begins=START)])
    assert game.order("Ann", "take-turn", {}, START).fault["rule"] == "13.1"
    made = game.admin("propose", {"title": "Away with it", "changes": [{"repeal": "13.1"}]}, START + HOUR)
    ways = [id for id, kind in game.things().items() if kind == "emergency"]
    assert (made.refused, ways) == ((None, ["emergency-1"]) if "//" in how else ("never", []))


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_suspended_rule_lets_the_undone_turn_be_taken(runtime):
    game = game_of_iv(runtime, rules=[minigames.rule("13.1", BROKEN)])
    assert game.order("Ann", "take-turn", {}, START).fault
    assert game.run_again(START + HOUR).fault
    assert game.disrupted()
    done(game.admin("suspend", {"rule": "13.1"}, START + HOUR))
    done(game.admin("run-again", {}, START + 2 * HOUR))
    assert not game.paused()
    assert game.value("last_turn", "Ann") == START + 2 * HOUR
    verify(lines_of(game), runtime)
    assert replay(game.journal, runtime, SECRET).state_hash() == game.state_hash()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_striking_the_turn_that_broke_ends_the_disruption(runtime):
    game = game_of_iv(runtime, rules=[minigames.rule("13.1", BROKEN)])
    broken = game.order("Ann", "take-turn", {}, START + HOUR)
    assert broken.fault
    assert game.disrupted()
    done(game.strike(broken.n, "it broke", START + 2 * HOUR))
    assert not game.paused()
    assert game.value("money", "Ann") == 10000
    verify(lines_of(game), runtime)


OPEN_VOTE = """
kind("proposal", prefix="P")
for name, default in (("status", "voting"), ("changes", "[]"), ("run", ""), ("yes_votes", None), ("no_votes", None)):
    attribute("proposal", name, default)
event("count", proposal="proposal", ballots="")


@action("put-up", by="admin")
def put_up(e):
    proposal = create("proposal", changes='[{"repeal": "1.2"}]')
    at(now() + days(1), "count", real=True, proposal=proposal)
    way_out(proposal, now() + days(1))


@action("vote", ballot="count", in_pause=True, on=choose("proposal"), choice=one_of(("yes", "no", "abstain")))
def vote(e):
    pass


@on("count")
def count_them(e):
    pass
"""


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize(("ayes", "status"), [(("Ann", "Ben"), "accepted"), (("Ann",), "rejected")])
def test_where_the_rules_do_not_count_the_kernel_counts_open_ballots(runtime, ayes, status):
    stumble = minigames.rule("1.2", "@action('stumble', disrupts=True)\ndef stumble(e):\n    1 // 0")
    book = (minigames.rule("1.1", OPEN_VOTE), stumble)
    game = minigames.small_game(*book, runtime=runtime, players=("Ann", "Ben", "Cid"))
    assert game.order("Ann", "stumble", {}, START).fault
    assert game.disrupted()
    done(game.admin("put-up", {}, START + HOUR))
    for name in ("Ann", "Ben", "Cid"):
        vote(game, name, "yes" if name in ayes else "no", at=START + 2 * HOUR)
    outcomes = game.run_due(START + 3 * DAY)
    assert [outcome.ok for outcome in outcomes] == [True, True]
    assert game.paused() is (status == "rejected")
    assert ("1.2" in [record["id"] for record in game.records()]) is (status == "rejected")
    counted = [len(ayes), 3 - len(ayes)]
    assert [game.value(name, "P1") for name in ("status", "yes_votes", "no_votes")] == [status, *counted]
    verify(lines_of(game), runtime)


ELECTION = """
attribute("player", "noted", 0, show="nobody")
event("close", ballots="")


@action("call", by="admin")
def call(e):
    at(now() + days(1), "close")


@action("elect", ballot="close", sealed=True, who_=choose("player"))
def elect(e):
    pass


@action("note-vote", hidden=True, private=True)
def note_vote(e):
    put(e.who, "noted", e.who.noted + 1)


@on("close")
def count_them(e):
    for about, choice, many in e.ballots:
        fact("counted", about=about, choice=choice, votes=many)
"""


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_ballot_with_one_field_is_about_the_game_and_a_later_one_takes_its_place(runtime):
    game = minigames.small_game(minigames.rule("1.1", ELECTION), runtime=runtime)
    minigames.with_players(game, ("Cid",))
    done(game.admin("call", {}, START))
    for by, choice in (("Ann", "Ben"), ("Ben", "Ben"), ("Ann", "Cid"), ("Cid", "Cid")):
        done(game.cast(by, "elect", {"who": choice}, START + HOUR))
    assert game.own_ballots("Ann") == {"game": "Cid"}
    assert [game.value("noted", name) for name in ("Ann", "Ben", "Cid")] == [2, 1, 1]
    assert "Cid" not in str([entry for entry in game.facts("Ben") if entry["do"] == "note-vote"])
    (closed,) = game.run_due(START + DAY)
    counted = [(fact["about"], fact["choice"], fact["votes"]) for fact in closed.facts if fact["what"] == "counted"]
    assert sorted(counted) == [("game", "Ben", 1), ("game", "Cid", 2)]
    verify(lines_of(game), runtime)

"""Rules run before anything is locked: what an order writes is stored in one short transaction, whole or not at all."""

import threading
import time

import clockwork
import pytest
from django.db import connection, connections, transaction

from nomopoly.site import busy
from nomopoly.site.busy import Busy
from nomopoly.site.clock import Worker
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.journal import DatabaseJournal, Overtaken
from nomopoly.site.tables.models import Ballot, Entry, Game, Outcome

NOW = 1_800_000_000


@pytest.fixture
def bells(monkeypatch):
    """bells(slug) is a game with Ann in it, whose rules do nothing but ring bells; the clock stands at NOW."""
    monkeypatch.setattr(live, "now", lambda: NOW)
    monkeypatch.setattr(domain, "load_edition", clockwork.book)
    return lambda slug: clockwork.bell_game(slug, NOW)


@pytest.fixture
def no_row_locks():
    if connection.features.has_select_for_update:
        pytest.skip("here the other one waits for the row")


def done(game):
    return [line["do"] for line in DatabaseJournal(game.pk).lines(3)]


def in_thread(act):
    """What act() gives in a thread of its own, or the exception that ended it."""
    found = []

    def go():
        try:
            found.append(act())
        except Exception as error:
            found.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=go)
    thread.start()
    thread.join(20)
    assert found, "it still waits"
    return found[0]


def write(warm, act):
    """act(running game) within one writing."""
    with warm.writing() as running:
        act(running)


def test_while_rules_run_other_games_are_written_to(bells):
    slow, other = bells("slow"), bells("other")
    with live.of(slow).writing() as running:
        assert running.order("Ann", "touch", {}, NOW).ok
        outcome = in_thread(lambda: domain.order(other, "Ann", "touch", {}))
        assert outcome.ok
        assert done(slow) == [], "nothing is stored before the end"
    assert (done(slow), done(other)) == (["touch"], ["touch"])


def test_rules_do_not_run_in_the_transaction(bells, monkeypatch):
    game = bells("outside")
    if connection.features.has_select_for_update:
        pytest.skip("here the row is locked all along")
    within = []
    runtime = live.of(game).ask(lambda running: running.runtime)
    call = runtime.call
    monkeypatch.setattr(runtime, "call", lambda *args: within.append(connection.in_atomic_block) or call(*args))
    assert domain.order(game, "Ann", "touch", {}).ok
    assert within
    assert not any(within)


def test_what_waits_is_read_back_at_once(bells):
    game = bells("read")
    with live.of(game).writing() as running:
        for _ in range(3):
            assert running.order("Ann", "touch", {}, NOW).ok
        warm = live.of(game)
        assert [line["n"] for line in running.journal.lines(3)] == [3, 4, 5]
        assert warm.journal.head() == (5, running.last_hash)
        assert [entry["n"] for entry in warm.facts("visitor", 3)] == [3, 4, 5]
        assert not Outcome.objects.filter(game=game, n=5).exists()
    assert Outcome.objects.filter(game=game, n=5).exists()


def test_who_is_overtaken_stores_nothing(bells, no_row_locks):
    game, notes = bells("overtaken"), []
    slower, faster = live.Warm(game.pk), live.Warm(game.pk)

    def act(running):
        assert running.order("Ann", "wind", {"after": 10, "every": 1, "times": 1}, NOW).ok
        slower.also(lambda: notes.append("noted"))
        with faster.writing() as first:
            assert first.order("Ann", "touch", {}, NOW).ok

    with pytest.raises(Overtaken):
        write(slower, act)
    assert (done(game), notes) == (["touch"], [])
    assert slower.ask(lambda game: game.n) == 3, "it has read again"
    for warm in (slower, faster):
        warm.drop()


def test_an_order_that_is_overtaken_begins_again(bells, monkeypatch, no_row_locks):
    game, times = bells("again"), [2]
    store = live.Warm.store

    def overtaken(self, *args, **named):
        if times[0]:
            times[0] -= 1
            other = live.Warm(game.pk)
            other.fresh().order("Ann", "touch", {}, NOW)
            other.gathered.store((other.game.n - 1, other.game.journal.waiting[-1][0]["prev"]))
            other.drop()
        return store(self, *args, **named)

    monkeypatch.setattr(live.Warm, "store", overtaken)
    assert domain.order(game, "Ann", "touch", {}).ok
    assert done(game) == ["touch"] * 3
    times[0] = 100
    with pytest.raises(Busy, match="again and again"):
        domain.order(game, "Ann", "touch", {})
    assert done(game) == ["touch"] * 3 + ["touch"] * domain.MOST_BEGINNINGS


def test_a_vote_that_comes_while_votes_are_counted_is_counted(people, keeper, start_second, no_row_locks):
    game, _ = start_second("Ann", "Ben", edition="iv")
    vote = {"game_id": game.pk, "closes": "x", "about": "P1", "choice": "yes", "sealed": False, "at": 1}
    Ballot.objects.create(player="Ann", **vote)
    last = live.of(game).n

    def act(running):
        assert [each.player for each in running.ballots.ballots()] == ["Ann"]
        line = {**running.journal.last(), "n": last + 1, "prev": running.last_hash, "kind": "ballots"}
        running.journal.append(line)
        Ballot.objects.create(player="Ben", **vote)

    with pytest.raises(Overtaken):
        write(live.of(game), act)
    assert not Entry.objects.filter(game=game, n=last + 1).exists()


def test_a_transaction_that_fails_leaves_nothing(bells):
    game = bells("fails")

    def fail():
        raise RuntimeError("the disk is full")

    def act(running):
        assert running.order("Ann", "touch", {}, NOW).ok
        live.of(game).also(fail)

    with pytest.raises(RuntimeError):
        write(live.of(game), act)
    assert done(game) == []
    assert live.of(game).n == 2
    assert domain.order(game, "Ann", "touch", {}).ok


def test_one_order_at_a_time_and_no_notes_without_one(bells):
    game = bells("one")
    warm = live.of(game)
    with pytest.raises(RuntimeError, match="one order at a time"):
        write(warm, lambda _: write(warm, lambda _: None))
    with pytest.raises(RuntimeError, match="nothing is being written"):
        live.of(game).also(lambda: None)


# ---- waits are bounded


def test_who_waits_too_long_for_a_game_is_told_so(game, ann, monkeypatch):
    monkeypatch.setattr(live, "WAIT", 0.3)
    page = {}
    with live.of(game).turn():

        def ask():
            page["log"] = ann.get("/g/friday/log/")
            page["act"] = ann.post("/g/friday/act/propose/", {"title": "Tea", "send": "1"})
            page["api"] = ann.get("/api/v1/g/friday/log")

        in_thread(ask)
        assert sorted(page) == ["act", "api", "log"], "answered while somebody is still at the game"
    for name, answer in page.items():
        assert answer.status_code == 503, name
        assert int(answer["Retry-After"]) > 0
        assert "This game is busy" in answer.content.decode(), name
    assert 'value="Tea"' in page["act"].content.decode()
    assert ann.get("/g/friday/log/").status_code == 200


def test_an_order_catches_up_in_portions_that_are_kept(bells, monkeypatch):
    game = bells("behind")
    clockwork.wind(game, NOW, 10, 1, 50)
    monkeypatch.setattr(live, "now", lambda: NOW + 1000)
    monkeypatch.setattr(domain, "CATCH_UP_SECONDS", -1)
    for portion in (1, 2):
        with pytest.raises(Busy, match="Behind|behind is catching up"):
            domain.order(game, "Ann", "touch", {})
        assert done(game) == ["wind"] + ["ring"] * domain.AT_ONCE * portion
    assert domain.order(game, "Ann", "touch", {}).ok
    assert done(game) == ["wind"] + ["ring"] * 50 + ["touch"]


def test_the_clock_does_the_rest(bells, monkeypatch):
    game = bells("rest")
    clockwork.wind(game, NOW, 10, 1, 30)
    monkeypatch.setattr(live, "now", lambda: NOW + 1000)
    monkeypatch.setattr(domain, "CATCH_UP_SECONDS", -1)
    with pytest.raises(Busy):
        domain.order(game, "Ann", "touch", {})
    Worker().round()
    assert domain.order(game, "Ann", "touch", {}).ok


def test_the_clock_waits_for_no_busy_game(bells, monkeypatch):
    games = [bells(slug) for slug in ("held", "free")]
    for game in games:
        clockwork.wind(game, NOW, 10)
    monkeypatch.setattr(live, "now", lambda: NOW + 20)
    with live.of(games[0]).turn():
        begun = time.monotonic()
        in_thread(Worker().round)
        assert time.monotonic() - begun < live.WAIT / 2
    assert [done(game) for game in games] == [["wind"], ["wind", "ring"]]


def test_only_one_long_work_at_a_time(monkeypatch):
    monkeypatch.setattr(busy, "WORK_WAIT", 0.1)
    with busy.work():
        answer = in_thread(lambda: busy.work().__enter__())
    assert isinstance(answer, Busy)


def test_a_games_row_is_written_with_its_entry(bells):
    game = bells("row")
    clockwork.wind(game, NOW, 100)
    assert Game.objects.get(pk=game.pk).due == NOW + 100
    with transaction.atomic():
        assert domain.order(game, "Ann", "touch", {}).ok, "within another transaction too"

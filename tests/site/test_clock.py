"""The clock: what is due happens at its moment, in order and once, whoever is killed; and an outage fines nobody."""

import datetime
import json
import os
import random
import subprocess
import sys
import threading
import time

import clockwork
import nursery
import pytest
from django.db import connection, connections
from django.utils import timezone

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import host
from nomopoly.runtime.interpreters import Incident
from nomopoly.runtime.journal import moment_of
from nomopoly.site import files
from nomopoly.site.busy import Busy, busy_of
from nomopoly.site.clock import Worker
from nomopoly.site.errands import ENTRIES_AT_ONCE
from nomopoly.site.tables import domain, life, live
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Entry, Game, Life, Once

HOUR, DAY = 3600, 24 * 3600
NOW = 1_800_000_000


@pytest.fixture
def at(monkeypatch):
    """at(seconds) sets the clock on the wall, counted from NOW."""

    def set_to(seconds):
        monkeypatch.setattr(live, "now", lambda: NOW + seconds)

    monkeypatch.setattr(domain, "load_edition", clockwork.book)
    set_to(0)
    return set_to


def told(game, kinds=("tick", "admin", "order")):
    """[(what, when counted from NOW)] of a journal, without how Ann came."""
    lines = [line for line in DatabaseJournal(game.pk).lines(3) if line["kind"] in kinds]
    return [(line["do"], moment_of(line["at"]) - NOW) for line in lines]


# ---- one worker


def test_what_is_due_happens_at_its_moment_however_late_the_worker_wakes(at):
    game = clockwork.bell_game("late", NOW)
    clockwork.wind(game, NOW, 10, 600, 4)
    worker = Worker()
    worker.round()
    assert told(game) == [("wind", 0)]
    at(1300)
    worker.round()
    assert told(game) == [("wind", 0), ("ring", 10), ("ring", 610), ("ring", 1210)]
    at(1805)
    worker.round()
    worker.round()
    assert told(game)[4:] == []
    at(1900)
    worker.round()
    assert told(game)[4:] == [("ring", 1810)]
    game.refresh_from_db()
    assert game.due is None


def test_what_is_due_happens_before_an_order_of_the_same_second(at):
    game = clockwork.bell_game("order", NOW)
    clockwork.wind(game, NOW, 10)
    at(10)
    assert domain.order(game, "Ann", "touch", {}).ok
    assert told(game) == [("wind", 0), ("ring", 10), ("touch", 10)]
    at(20)
    clockwork.wind(game, NOW + 20, 10)
    at(500)
    assert domain.desk_act(game, "pause", {}).ok, "it comes before what is due, which is put off"
    assert told(game)[3:] == [("wind", 20), ("pause", 500)]


def test_who_has_waited_longest_comes_first_and_nobody_waits_for_anothers_backlog(at, monkeypatch):
    long = clockwork.bell_game("long", NOW)
    clockwork.wind(long, NOW, 10, 1, 2 * ENTRIES_AT_ONCE + 5)
    games = {second: clockwork.bell_game(f"short{second}", NOW) for second in (30, 20, 40)}
    for second, game in games.items():
        clockwork.wind(game, NOW, second)
    seen = []
    attend = Worker.attend
    monkeypatch.setattr(
        Worker, "attend", lambda self, game, moment: (seen.append(game.slug), attend(self, game, moment))
    )
    at(100)
    worker = Worker()
    assert worker.round() == 4
    assert seen == ["long", "short20", "short30", "short40"]
    assert [len(told(game)) for game in (long, *games.values())] == [1 + ENTRIES_AT_ONCE, 2, 2, 2]
    assert (worker.round(), worker.round(), worker.round()) == (1, 1, 0)
    assert told(long) == [("wind", 0), *(("ring", 10 + number) for number in range(2 * ENTRIES_AT_ONCE + 5))]


def test_a_broken_game_stops_no_other_and_is_left_alone_for_a_while(at, monkeypatch, caplog):
    monkeypatch.setattr("nomopoly.site.clock.HOLD_BACK", (600, 3600))  # however slowly this test gets on
    broken = clockwork.bell_game("broken", NOW)
    whole = clockwork.bell_game("whole", NOW)
    for game in (broken, whole):
        clockwork.wind(game, NOW, 10, 100, 2)
    Entry.objects.filter(game=broken, n=2).update(line="{")
    live.close_all()
    at(20)
    worker = Worker()
    assert worker.round() == 2
    assert told(whole) == [("wind", 0), ("ring", 10)]
    assert "the clock of game broken" in caplog.text
    at(120)
    assert worker.round() == 1, "the broken one is left alone"
    assert told(whole)[2:] == [("ring", 110)]
    assert worker.time_to_next() > 1, "nor is it waited for"
    worker.failed[broken.pk] = (1, time.monotonic() - 1)
    assert worker.round() == 1
    assert worker.failed[broken.pk][0] == 2


def test_what_else_the_clock_does_may_break(at, monkeypatch, caplog):
    game = clockwork.bell_game("beside", NOW)
    clockwork.wind(game, NOW, 10)
    done = []
    monkeypatch.setattr("nomopoly.site.clock.CHORES", ((lambda: 1 // 0, 3), (lambda: done.append(1), 3600)))
    at(20)
    worker = Worker()
    assert (worker.round(), worker.round()) == (1, 0)
    assert done == [1], "now and then, not every time"
    assert "ZeroDivisionError" in caplog.text


def test_a_chore_that_finds_a_game_at_work_is_no_error(at, monkeypatch, caplog):
    def look():
        raise Busy(5, "This game is busy.")

    monkeypatch.setattr("nomopoly.site.clock.CHORES", ((look, 3),))
    with caplog.at_level("INFO"):
        Worker().round()
    assert "the clock: look: This game is busy." in caplog.text
    assert "Traceback" not in caplog.text


def test_forms_that_were_sent_long_ago_are_forgotten(at, people):
    user, today = people("ann").user, timezone.now()
    for days in (1, 13, 15, 400):
        Once.objects.create(user=user, token=f"{days} days ago", created=today - datetime.timedelta(days=days))
    Worker().round()
    assert sorted(Once.objects.values_list("token", flat=True)) == ["1 days ago", "13 days ago"]


def test_a_worker_wakes_when_something_is_due(at):
    game = clockwork.bell_game("soon", int(time.time()))
    clockwork.wind(game, int(time.time()), 2)
    assert 0 < Worker().time_to_next() <= 2
    Game.objects.update(due=int(time.time()) + 1000)
    assert Worker().time_to_next() == 3
    Game.objects.update(due=None)
    assert Worker().time_to_next() == 3


def test_a_game_that_another_has_seen_to_is_not_claimed(at):
    game = clockwork.bell_game("claimed", NOW)
    clockwork.wind(game, NOW, 10)
    at(20)
    assert len(domain.run_due(game, NOW + 20, claim=True)) == 1
    assert domain.run_due(game, NOW + 20, claim=True) is None


@pytest.mark.rows_locked
def test_a_game_that_another_is_at_is_passed_by(at):
    games = [clockwork.bell_game(slug, NOW) for slug in ("taken", "free")]
    for game in games:
        clockwork.wind(game, NOW, 10)
    at(20)
    taken, go = threading.Event(), threading.Event()

    def hold():
        warm = live.Warm(games[0].pk)
        with warm.writing():
            taken.set()
            go.wait(20)
        warm.drop()
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert taken.wait(20)
        worker = Worker()
        worker.round()
        assert [len(told(game)) for game in games] == [1, 2]
        assert worker.failed == {}
    finally:
        go.set()
        thread.join()
    worker.round()
    assert [len(told(game)) for game in games] == [2, 2]


# ---- an outage


def alive(at, seconds):
    at(seconds)
    life.sign(NOW + seconds)


def test_an_outage_is_entered_as_a_pause_before_anything_is_done(at, caplog):
    game = clockwork.bell_game("away", NOW)
    clockwork.wind(game, NOW, 100, HOUR, 4)
    alive(at, 0)
    alive(at, 60)
    at(2 * DAY)
    Worker().round()
    away = "the site was away from 2027-01-15T08:01:00+00:00 to 2027-01-17T08:00:00+00:00: 1 games"
    assert away in caplog.messages, "as a host reads moments"
    assert told(game) == [("wind", 0), ("pause", 60), ("end-outage", 2 * DAY)]
    view = live.of(game).view("visitor")["things"]
    assert view["Ann"]["until"] == NOW + 100 - 60 + 2 * DAY
    assert view["game"]["paused"] is False
    at(2 * DAY + 50)
    Worker().round()
    assert told(game)[3:] == [("ring", 2 * DAY + 40)]


def test_two_days_without_a_server_fine_nobody_and_cut_no_vote_short(at, monkeypatch):
    monkeypatch.setattr(domain, "load_edition", load_edition)
    game = domain.start_game(None, edition="iv", title="IV", slug="iv", at=NOW)
    with live.of(game).writing() as running:
        for name in ("Ann", "Ben", "Cid"):
            assert running.join(name, NOW).ok
            assert running.admin("approve-player", {"player": name}, NOW).ok
    alive(at, 0)
    propose = {"title": "Tea", "text": "At five.", "changes": [{"enact": "13.1", "text": "Tea is at five."}]}
    assert domain.order(game, "Ann", "propose", propose).ok

    def due():
        things = live.of(game).view("Ann")["things"]
        return [things[name]["turn_due_at"] - NOW for name in ("Ann", "Ben", "Cid")]

    assert due() == [120 * HOUR] * 3
    Life.objects.update(at=NOW + 100 * HOUR)
    at(148 * HOUR)
    Worker().round()
    assert told(game)[-2:] == [("pause", 100 * HOUR), ("end-outage", 148 * HOUR)]
    assert due() == [168 * HOUR] * 3
    things = live.of(game).view("Ann")["things"]
    assert (things["P1"]["status"], things["P1"]["closes_at"] - NOW) == ("Voting", 172 * HOUR), "a day after the return"
    assert [things[name]["money"] for name in ("Ann", "Ben", "Cid")] == [things["Ann"]["money"]] * 3
    alive(at, 148 * HOUR + 60)
    assert domain.order(game, "Ben", "vote", {"on": "P1", "choice": "yes"}).ok
    assert domain.order(game, "Cid", "vote", {"on": "P1", "choice": "yes"}).ok
    Life.objects.update(at=NOW + 172 * HOUR)
    at(172 * HOUR)
    Worker().round()
    assert live.of(game).view("Ann")["things"]["P1"]["status"] == "Pending"


def test_what_was_due_before_the_outage_happens_before_it(at):
    game = clockwork.bell_game("before", NOW)
    clockwork.wind(game, NOW, 50)
    clockwork.wind(game, NOW, 60)
    clockwork.wind(game, NOW, 61)
    alive(at, 0)
    alive(at, 60)
    at(2 * HOUR)
    Worker().round()
    at(2 * HOUR + 5)
    Worker().round()
    times = told(game)[3:]
    assert times == [("ring", 50), ("ring", 60), ("pause", 60), ("end-outage", 2 * HOUR), ("ring", 2 * HOUR + 1)]


def test_what_came_in_real_time_in_an_outage_comes_a_day_after_it(at):
    game = clockwork.bell_game("real", NOW)
    clockwork.wind(game, NOW, 100, do="wind-real")
    clockwork.wind(game, NOW, DAY, do="wind-real")
    alive(at, 60)
    at(3 * HOUR)
    Worker().round()
    alive(at, 4 * HOUR)
    Life.objects.update(at=NOW + 2 * DAY)  # always there
    at(2 * DAY)
    Worker().round()
    assert told(game)[4:] == [("ring", DAY), ("ring", DAY + 3 * HOUR)]


def test_an_outage_in_a_pause_is_no_second_pause(at):
    game = clockwork.bell_game("paused", NOW)
    clockwork.wind(game, NOW, 100, do="wind-real")
    clockwork.wind(game, NOW, 200)
    alive(at, 10)
    assert domain.desk_act(game, "pause", {"because": "lunch"}).ok
    at(3 * HOUR)
    Worker().round()
    assert told(game)[2:] == [("pause", 10), ("end-outage", 3 * HOUR)]
    assert live.of(game).view("visitor")["things"]["game"]["pause_because"] == "lunch"
    assert domain.desk_act(game, "resume", {}).ok
    assert live.of(game).view("visitor")["things"]["Ann"]["until"] == NOW + 200 - 10 + 3 * HOUR


def test_an_order_that_comes_first_after_an_outage_enters_it(at):
    game = clockwork.bell_game("first", NOW)
    clockwork.wind(game, NOW, 100)
    alive(at, 0)
    at(2 * HOUR)
    assert domain.order(game, "Ann", "touch", {}).ok
    assert told(game) == [("wind", 0), ("pause", 0), ("end-outage", 2 * HOUR), ("touch", 2 * HOUR)]
    Worker().round()
    assert len(told(game)) == 4


def test_a_silence_of_an_hour_is_none_and_games_without_a_clock_enter_none(at):
    game = clockwork.bell_game("short", NOW)
    clockwork.wind(game, NOW, 100)
    still = clockwork.bell_game("still", NOW)
    alive(at, 0)
    at(HOUR)
    Worker().round()
    assert told(game) == [("wind", 0), ("ring", 100)]
    at(3 * HOUR)
    Worker().round()
    assert told(still) == []


def test_two_outages_before_a_game_has_its_turn_are_one(at):
    game = clockwork.bell_game("twice", NOW)
    clockwork.wind(game, NOW, 100)
    alive(at, 0)
    life.sign(NOW + 2 * HOUR)  # and it goes away again before the game is seen to
    at(5 * HOUR)
    Worker().round()
    assert told(game) == [("wind", 0), ("pause", 0), ("end-outage", 5 * HOUR)]


def test_a_game_that_was_imported_was_away_since_its_last_entry(at):
    game = clockwork.bell_game("old", NOW)
    clockwork.wind(game, NOW, 100)
    lines = list(DatabaseJournal(game.pk).lines())
    at(5 * DAY)
    copy = files.store(lines, "copy", None)
    life.sign(NOW + 5 * DAY)
    Worker().round()
    assert told(copy) == [("wind", 0), ("pause", 0), ("end-outage", 5 * DAY)]
    at(5 * DAY + 100)
    Worker().round()
    assert told(copy)[3:] == [("ring", 5 * DAY + 100)]


def test_the_sign_of_life_never_goes_back(at):
    life.sign(NOW + 100)
    life.sign(NOW)
    assert Life.objects.get().at == NOW + 100
    life.sign(NOW + 110)
    assert Life.objects.get().at == NOW + 100, "not written every time"
    life.sign(NOW + 130)
    assert Life.objects.get().at == NOW + 130


# ---- many processes


class Works:
    """A database of its own, and programs that work on it."""

    def __init__(self, folder):
        self.environment = {**os.environ, "NOMOPOLY_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
        self.log = (folder / "log").open("w+")
        self.clocks = []
        self.teller = None

    def make(self):
        done = nursery.run(self.words("make"), env=self.environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def ask(self, what):
        """What another process finds there: "tell" or "due"."""
        if self.teller is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.log, "text": True}
            self.teller = nursery.start(self.words("tell"), env=self.environment, **pipes)
        print(what, file=self.teller.stdin, flush=True)
        answer = self.teller.stdout.readline()
        assert answer, self.said()
        return json.loads(answer)

    def words(self, what):
        return [clockwork.__file__, what]

    def start(self, kill_at=0):
        environment = {**self.environment, "KILL_AT": str(kill_at)}
        clock = nursery.start(self.words("work"), env=environment, stdout=self.log, stderr=self.log)
        self.clocks.append(clock)
        return clock

    def until_done(self, seconds=900):
        """Wait until all the bells have rung; returns what the journals hold."""
        until = time.monotonic() + seconds
        while any(due is not None for due in self.ask("due").values()):
            assert time.monotonic() < until, self.said()
            time.sleep(0.2)
        return self.ask("tell")

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def close(self):
        if self.teller:
            self.teller.communicate()  # nothing more comes in: it ends
        for clock in self.clocks:
            clock.kill()
            clock.wait(300)
        self.log.close()


@pytest.fixture
def works(tmp_path):
    made = Works(tmp_path)
    url = os.environ.get("DATABASE_URL")
    name = f"works_{os.getpid()}_{time.monotonic_ns()}"
    if url:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        before, _, after = url.partition("?")
        made.environment["DATABASE_URL"] = f"{before.rpartition('/')[0]}/{name}{'?' if after else ''}{after}"
    yield made
    made.close()
    if url:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def check(found, expected):
    for slug, moments in expected.items():
        game = found[slug]
        assert game["ticks"] == moments, "each thing due once, in order, at its moment"
        assert game["rung"] == [[number, moment] for number, moment in enumerate(moments)]
        assert game["numbers"] == list(range(len(game["numbers"])))
        assert game["same"]


def test_several_clocks_killed_at_random_do_each_thing_once(works):
    chance = random.Random(7)
    expected = works.make()
    for _ in range(3):
        works.start()
    for _ in range(6):
        time.sleep(chance.uniform(0.3, 1.2))
        victim = chance.choice([clock for clock in works.clocks if clock.poll() is None])
        victim.kill()
        works.start()
    check(works.until_done(), expected)
    assert sum(clock.wait(300) == -9 for clock in works.clocks if clock.poll() is not None) == 6


def test_a_clock_killed_in_the_middle_of_an_entry_has_done_nothing(works):
    expected = works.make()
    done = 0
    for kill_at in (1, 7, ENTRIES_AT_ONCE, 2 * ENTRIES_AT_ONCE + 3):
        assert works.start(kill_at).wait(900) == -9, works.said()
        found = works.ask("tell")
        rung = sum(len(game["ticks"]) for game in found.values())
        assert rung - done == (kill_at - 1) // ENTRIES_AT_ONCE * ENTRIES_AT_ONCE
        done = rung
        for slug, game in found.items():
            assert game["same"]
            assert game["ticks"] == expected[slug][: len(game["ticks"])]
    last = [works.start(), works.start()]
    check(works.until_done(), expected)
    for clock in last:
        clock.terminate()
    assert [clock.wait(300) for clock in last] == [0, 0], "told to end, they do"
    assert "The clock is running" in works.said()


def test_what_the_machine_does_not_finish_is_tried_again_and_then_pauses_that_game_alone(at, monkeypatch):
    """An incident is no outcome: three of them pause the game, the pause names the rule, and the clock goes on
    elsewhere."""
    slow, other = clockwork.bell_game("slow", NOW), clockwork.bell_game("swift", NOW)
    for game in (slow, other):
        clockwork.wind(game, NOW, 10, 600, 1)
    at(20)
    honest = host.Game.submit_due

    def submit_due(running, found, *args, **more):
        if running.id == live.of(slow).ask(lambda each: each.id):
            raise Incident("1.1", 3, "it ran for more than 5 s", [])
        return honest(running, found, *args, **more)

    monkeypatch.setattr(host.Game, "submit_due", submit_due)
    worker = Worker()
    worker.round()
    assert told(slow) == [("wind", 0)]
    assert told(other) == [("wind", 0), ("ring", 10)]
    for _ in range(2):
        worker.failed[slow.pk] = (worker.failed[slow.pk][0], 0)  # the pause between two tries is over
        worker.round()
    assert [what for what, _ in told(slow)] == ["wind", "pause", "hold"]
    assert live.of(slow).value("pause_kind", "game") == "disruption"
    assert "rule 1.1, line 3" in live.of(slow).value("pause_because", "game")


def test_an_order_that_the_machine_does_not_finish_is_503(at):
    busy = busy_of(Incident("1.1", 3, "it ran for more than 5 s", []))
    assert busy.retry_after == 30
    assert "Try again" in busy.sentence


def test_the_admins_pause_comes_before_what_is_due(at):
    game = clockwork.bell_game("stormy", NOW)
    assert domain.order(game, "Ann", "wind", {"after": 5, "every": 0, "times": 50}).ok
    at(60)
    assert domain.desk_act(game, "pause", {"because": "a storm"}).ok
    game_now = live.of(game)
    assert game_now.view("Ann")["things"]["Ann"]["rung"] == []
    domain.run_due(game, NOW + 120)
    assert game_now.view("Ann")["things"]["Ann"]["rung"] == []
    assert domain.desk_act(game, "resume", {}).ok
    at(200)
    domain.run_due(game, NOW + 200)
    assert len(game_now.view("Ann")["things"]["Ann"]["rung"]) == 50


# ---- what the clock of a site loads


def test_the_clock_of_a_site_loads_neither_demos_nor_bots():
    """What is done for them beside is registered by those who start a clock."""
    program = (
        "from nomopoly.site.serve import prepare; prepare(None); import sys, nomopoly.site.clock, nomopoly.demo\n"
        "print([name for name in sys.modules if name.startswith(('nomopoly.demo.', 'nomopoly.lab.bots'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_chores_of_others_are_registered_with_the_clock(at):
    at(0)
    done = []
    worker = Worker(chores=[(lambda: done.append(1), 3600)])
    worker.round()
    worker.round()
    assert done == [1]

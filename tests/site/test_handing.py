"""Two processes that serve one site, and a clock: what is about a game goes to the one that has it."""

import contextlib
import http.client
import json
import os
import re
import signal
import threading
import time

import kills
import nursery
import pytest
from fresh import own_database

SECONDS = 120  # of patience, however busy the machine is


class Two:
    """The processes `first`, `second` and `clock`."""

    def __init__(self, folder, database):
        self.log = (folder / "log").open("a+")
        self.folder = folder / "data"
        self.folder.mkdir()
        self.ports = {name: kills.free_port() for name in ("first", "second", "clock")}
        self.running = {}
        self.database = database
        self.keys = self.made()

    def environment(self, name):
        given = {"NOMOPOLY_DATA": str(self.folder), "PYTHONUNBUFFERED": "1"}
        own = {"NOMOPOLY_HERE": f"http://127.0.0.1:{self.ports[name]}", "NOMOPOLY_METRICS_PORT": str(self.ports[name])}
        return {**os.environ, **given, **self.database, **own}

    def made(self):
        done = nursery.run([kills.__file__, "make"], env=self.environment("first"), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def start(self, *names):
        for name in names:
            words = ["clock"] if name == "clock" else ["serve", str(self.ports[name])]
            command = [kills.__file__, *words]
            self.running[name] = nursery.start(command, env=self.environment(name), stdout=self.log, stderr=self.log)
        for name in names:
            until(lambda name=name: name == "clock" or self.ask(name, "/health/ready")[0] == 200)
            until(lambda name=name: name == "clock" or self.metric(name, "nomopoly_can_be_home") == 1)

    def end(self, name, by=signal.SIGKILL):
        self.running[name].send_signal(by)
        self.running[name].wait(SECONDS)

    def ask(self, name, path, body=None, headers=None):
        """(status, text) of a request to one process; (0, "") where it does not answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[name], timeout=SECONDS)
        with contextlib.closing(connection):
            try:
                connection.request("GET" if body is None else "POST", path, body, headers or {})
                answer = connection.getresponse()
                return answer.status, answer.read().decode()
            except (OSError, http.client.HTTPException):
                return 0, ""

    def mark(self, name, word, headers=None):
        """Let Ann give an order through a process. Returns its status."""
        sent = {"Authorization": f"Bearer {self.keys['Ann']}", "Content-Type": "application/json"} | (headers or {})
        body = json.dumps({"fields": {"word": word}})
        return self.ask(name, "/api/v1/g/bells/act/mark", body, sent)[0]

    def metric(self, name, what):
        found = re.search(rf"^{re.escape(what)} (\S+)$", self.ask(name, "/metrics")[1], re.M)
        return float(found[1]) if found else 0.0

    def has_it(self, name):
        return self.metric(name, "nomopoly_games_home") == 1

    def handed(self, name, result="answered"):
        return self.metric(name, f'nomopoly_handed_over_total{{result="{result}"}}')

    def close(self):
        for process in self.running.values():
            process.kill()
            process.wait()
        self.log.close()


def until(true, seconds=SECONDS):
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < seconds, "it never came"
        time.sleep(0.05)


@pytest.fixture
def two(tmp_path):
    with contextlib.ExitStack() as stack:
        made = Two(tmp_path, stack.enter_context(own_database("homes")))
        stack.callback(made.close)
        yield made


def test_a_game_has_one_home_and_the_others_and_the_clock_hand_over_to_it(two):
    two.start("first", "second", "clock")
    assert two.mark("first", "one") == 200
    assert two.has_it("first")
    assert two.mark("second", "two") == 200
    assert (two.handed("second"), two.metric("second", "nomopoly_games_warm")) == (1, 0)
    hears_news(two)
    assert two.metric("second", "nomopoly_games_warm") == 0
    until(lambda: two.handed("clock", "errand") >= 3)
    assert two.has_it("first")
    assert two.ask("second", "/homes/bells/due/", "{}")[0] == 404
    # A header that none of ours has signed is a stranger's: the game is not handed on, and the order is right all the
    # same.
    before = two.handed("second")
    assert two.mark("second", "three", {"X-Nomopoly-Handed": "of a stranger"}) == 200
    assert (two.handed("second"), two.metric("second", "nomopoly_games_warm")) == (before, 1)
    assert two.mark("first", "four") == 200  # the home takes up what another process has written beside it


def hears_news(two):
    """Listen through the process that has not got the game, until an order at the other one is heard of."""
    connection = http.client.HTTPConnection("127.0.0.1", two.ports["second"], timeout=SECONDS)
    with contextlib.closing(connection):
        connection.request("GET", "/g/bells/news/", headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert (stream.status, stream.headers["Content-Type"]) == (200, "text/event-stream")
        assert two.mark("first", "heard of") == 200
        while not (line := stream.readline()).startswith(b"data:"):
            assert line
    assert int(line.removeprefix(b"data:")) > 0


def test_the_games_of_a_process_that_is_killed_are_taken_over(two):
    two.start("first", "second")
    assert two.mark("first", "one") == 200
    two.end("first")
    assert two.mark("second", "two") == 200
    assert two.has_it("second")
    assert two.handed("second", "gone") in (0, 1)
    two.start("first")
    assert two.mark("first", "three") == 200
    assert two.handed("first") == 1
    # The proxy in front sends the game to the first one again: after a while it has it again.
    for number in range(30):
        assert two.mark("first", f"more {number}") == 200
    assert two.has_it("first")
    assert not two.has_it("second")


def test_who_is_told_to_end_leaves_without_an_error(two):
    two.start("first", "second")
    assert two.mark("first", "one") == 200
    statuses, stop = [], threading.Event()

    def play():
        while not stop.is_set():
            statuses.append(two.mark("second", f"word {len(statuses)}"))

    player = threading.Thread(target=play)
    player.start()
    until(lambda: len(statuses) > 3)
    listening = [http.client.HTTPConnection("127.0.0.1", two.ports[name], timeout=SECONDS) for name in two.running]
    for connection in listening:
        connection.request("GET", "/g/bells/news/", headers={"Accept": "text/event-stream"})
    streams = [connection.getresponse() for connection in listening]
    two.end("first", signal.SIGTERM)
    for stream in streams:  # each ends as it should, and a browser asks again
        assert b"retry: 3000" in stream.read()
    ended = len(statuses)
    until(lambda: len(statuses) > ended + 3)
    stop.set()
    player.join()
    assert set(statuses) == {200}
    assert two.has_it("second")

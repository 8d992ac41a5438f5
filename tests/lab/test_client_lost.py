"""The client for bots where the site is restarted: what is asked for is done once, and nothing that happens is missed."""

import http.server
import itertools
import json
import threading

import pytest

from nomopoly.lab import client
from nomopoly.lab.client import Client, Refused


class Site(http.server.ThreadingHTTPServer):
    """A site whose answers are those that a test puts into `answers`, by address; the last one is given for ever."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.answers = {}
        self.asked = []


class Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.server.asked.append((path, self.headers.get("Idempotency-Key")))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/news" and self.headers.get("Accept") == "text/event-stream":
            path = "/stream"
        left = self.server.answers[path]
        answer = left.pop(0) if len(left) > 1 else left[0]
        if answer == "lost":  # it was carried out, say, and the site ended before it answered
            self.close_connection = True
            return
        if answer == "broken":  # it ends in the middle of what it says
            self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{")
            self.close_connection = True
            return
        status, told, headers = (*answer, {})[:3] if isinstance(answer, tuple) else (200, answer, {})
        body = json.dumps(told).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *told):
        """Say nothing."""


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(client, "PATIENCE", 0.01)
    made = Site()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def bot(site):
    return Client(f"http://127.0.0.1:{site.server_port}", "key")


@pytest.mark.parametrize("lost", ["lost", "broken"])
def test_an_order_whose_answer_is_lost_is_given_again_under_the_same_word(site, bot, lost):
    site.answers["/act/nod"] = [lost, lost, {"say": "Ann nods."}]
    assert bot.order("nod") == {"say": "Ann nods."}
    words = [word for path, word in site.asked if path == "/act/nod"]
    assert len(words) == 3
    assert len(set(words)) == 1, "the site would carry the order out again"
    assert words[0]


def test_an_order_that_is_never_answered_ends_with_an_error_of_the_connection(site, bot):
    site.answers["/act/nod"] = ["broken"]
    with pytest.raises(OSError, match="broke off"):
        bot.order("nod")
    assert len(site.asked) == client.TRIES


def entries(*numbers):
    return {"pages": 1, "entries": [{"number": number, "say": str(number)} for number in reversed(numbers)]}


@pytest.mark.parametrize("lost", ["lost", "broken", (502, {}), (503, {})])
def test_events_go_on_through_a_restart_at_any_moment(site, bot, lost):
    # each of the addresses fails once the bot listens: longer than one request is tried again
    gone = [lost] * (client.TRIES + 1)
    site.answers["/news"] = [{"news": 1}, *gone, {"news": 3}]
    site.answers["/stream"] = ["broken", *gone]
    site.answers["/log"] = [entries(1), *gone, entries(2, 3)]
    heard = [entry["number"] for entry in itertools.islice(bot.events(after=0), 3)]
    assert heard == [1, 2, 3]


def test_a_key_that_opens_nothing_ends_the_events(site, bot):
    site.answers["/news"] = [{"news": 1}]
    site.answers["/stream"] = ["lost"]
    site.answers["/log"] = [(401, {"error": "This key opens nothing"})]
    with pytest.raises(Refused, match="opens nothing"):
        next(bot.events(after=0))


def test_a_proxy_may_say_until_when_to_wait(site, bot):
    site.answers["/actions"] = [(503, {}, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), []]
    assert bot.actions() == []

"""The client for bots where the site is restarted: what is asked for is done once, and nothing that happens is missed."""

import collections
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
        self.queries = collections.defaultdict(list)


class Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.server.queries[path].append(query)
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
        body = told.encode() if isinstance(told, str) else json.dumps(told).encode()
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


def page(of, *numbers):
    return {"pages": of, "entries": [{"number": number, "hash": f"hash {number}"} for number in numbers]}


def entries(*numbers):
    return page(1, *reversed(numbers))


@pytest.mark.parametrize("lost", ["lost", "broken", (502, {}), (503, {})])
def test_events_go_on_through_a_restart_at_any_moment(site, bot, lost):
    # each of the addresses fails once the bot listens: longer than one request is tried again
    gone = [lost] * (client.TRIES + 1)
    site.answers["/news"] = [{"news": 1}, *gone, {"news": 3}]
    site.answers["/stream"] = ["broken", *gone]
    site.answers["/log"] = [entries(1), *gone, entries(2, 3)]
    heard = [entry["number"] for entry in itertools.islice(bot.events(after=0), 3)]
    assert heard == [1, 2, 3]


def test_what_happens_between_two_pages_is_heard_once_and_in_order(site, bot):
    # entries 5 and 6 come after page 1 was read, and push 3 and 4 to page 2, where they are told once more
    site.answers["/news"] = [{"news": 4}, {"news": 6}]
    site.answers["/stream"] = ["lost"]
    site.answers["/log"] = [page(2, 4, 3), page(3, 4, 3), page(3, 2, 1), entries(5, 6)]
    assert [entry["number"] for entry in itertools.islice(bot.events(after=0), 6)] == [1, 2, 3, 4, 5, 6]


def test_an_entry_that_is_told_otherwise_meanwhile_is_heard_once(site, bot):
    site.answers["/news"] = [{"news": 2}, {"news": 3}]
    site.answers["/stream"] = ["lost"]
    struck = page(2, 2, 1)
    struck["entries"][0]["struck"] = 3
    site.answers["/log"] = [page(2, 2), struck, entries(3)]
    assert [entry["number"] for entry in itertools.islice(bot.events(after=0), 3)] == [1, 2, 3]


def test_an_entry_for_oneself_alone_is_heard_once_though_it_moves_to_the_next_page(site, bot):
    own = {"number": None, "hash": "hash of her own"}
    site.answers["/news"] = [{"news": 2}, {"news": 3}]
    site.answers["/stream"] = ["lost"]
    first, second = page(2, 2), page(2, 1)
    site.answers["/log"] = [
        first | {"entries": [*first["entries"], own]},
        second | {"entries": [own, *second["entries"]]},
    ]
    site.answers["/log"] += [entries(3)]
    assert [entry["number"] for entry in itertools.islice(bot.events(after=0), 4)] == [1, None, 2, 3]


def test_what_comes_after_a_strike_is_asked_for_by_hash_as_numbers_are_others_then(site, bot):
    site.answers["/news"] = [{"news": 2}, {"news": 7}]
    site.answers["/stream"] = ["lost"]
    site.answers["/log"] = [entries(1, 2), {"pages": 1, "entries": [{"number": 2, "hash": "hash of the strike"}]}]
    assert [entry["hash"] for entry in itertools.islice(bot.events(after=""), 3)][-1] == "hash of the strike"
    assert site.queries["/log"][:2] == ["page=1&after=", "page=1&after=hash+2"]


def test_names_with_any_characters_may_stand_in_an_address(site, bot):
    site.answers["/players/Zo%C3%AB%20Lee"] = [{"name": "Zoë Lee"}]
    assert bot.get("/players/Zoë Lee") == {"name": "Zoë Lee"}
    assert bot.get("/players/Zo%C3%AB%20Lee") == {"name": "Zoë Lee"}


def test_a_key_as_it_stands_in_a_file_does(site):
    site.answers["/actions"] = [[]]
    assert Client(f"http://127.0.0.1:{site.server_port}/", " key\n").actions() == []


@pytest.mark.parametrize("wrong", ["a\nb", "a\r\nX-More: b", "a\tb", "a\0", "\u2014"])
def test_a_key_or_word_that_no_header_can_hold_is_refused_in_words_and_nothing_is_sent(site, bot, wrong):
    with pytest.raises(ValueError, match="^the key has .* copy it once more, without line breaks$"):
        Client(bot.address, wrong)
    with pytest.raises(ValueError, match="^the Idempotency-Key has .* take letters and digits, without line breaks$"):
        bot.order("nod", word=wrong)
    assert site.asked == []


@pytest.mark.parametrize("status", [200, 404])
def test_an_address_that_is_none_of_the_api_is_told_so(site, bot, status):
    site.answers["/actions"] = [(status, "<!DOCTYPE html><p>A page", {"Content-Type": "text/html"})]
    with pytest.raises(Refused, match="/api/v1/g/<slug>") as told:
        bot.actions()
    assert told.value.status == status


def test_a_word_of_ones_own_goes_with_an_order(site, bot):
    site.answers["/act/nod"] = [{"say": "Ann nods."}]
    bot.order("nod", word="first")
    assert site.asked == [("/act/nod", "first")]


def test_a_key_that_opens_nothing_ends_the_events(site, bot):
    site.answers["/news"] = [{"news": 1}]
    site.answers["/stream"] = ["lost"]
    site.answers["/log"] = [(401, {"error": "This key opens nothing"})]
    with pytest.raises(Refused, match="opens nothing"):
        next(bot.events(after=0))


def test_a_proxy_may_say_until_when_to_wait(site, bot):
    site.answers["/actions"] = [(503, {}, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), []]
    assert bot.actions() == []

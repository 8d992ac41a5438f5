"""`nomopoly doctor`: what stands between a site and the world, in sentences that say what to do."""

import http.server
import os
import ssl
import threading
import time
import urllib.error

import pytest
from django.test import Client

from nomopoly.site import doctor
from nomopoly.site.tables.models import Game

SITE = "https://play.example.org"
BEHIND = {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_FOR": "203.0.113.7", "REMOTE_ADDR": "203.0.113.7"}


@pytest.fixture
def found(settings, monkeypatch):
    """found(headers that the site gets of its proxy) is what the doctor says of it."""
    settings.NOMOPOLY_ADDRESS, settings.ALLOWED_HOSTS = SITE, ["play.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

    def ask(host="play.example.org", **headers):
        def fetch(url):
            assert url == f"{SITE}/health/proxy"
            answer = Client(SERVER_NAME=host, **headers).get("/health/proxy")
            return answer.status_code, answer.content

        monkeypatch.setattr(doctor, "fetch", fetch)
        return list(doctor.proxy(None))

    return ask


@pytest.mark.parametrize(
    ("change", "level", "words"),
    [
        ({}, "ok", "the proxy says who asks"),
        ({"HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.7"}, "ok", "the proxy says who asks"),
        ({"HTTP_X_FORWARDED_PROTO": "http"}, "WRONG", "let it set X-Forwarded-Proto"),
        ({"HTTP_X_FORWARDED_FOR": ""}, "WRONG", "let it set X-Forwarded-For"),
        ({"REMOTE_ADDR": "172.18.0.1"}, "WRONG", "set FORWARDED_ALLOW_IPS"),
        ({"host": "127.0.0.1"}, "WRONG", "let the proxy hand on Host"),
    ],
)
def test_what_the_proxy_hands_on(db, found, change, level, words):
    [(said, sentence)] = found(**BEHIND | change)
    assert (said, words in sentence) == (level, True), sentence


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((502, b"Bad gateway"), "answers 502: start the site"),
        ((200, b"<h1>Welcome to nginx</h1>"), "is not this version of the site"),
        ((200, b"[1]"), "is not this version of the site"),
    ],
)
def test_what_else_may_answer(found, monkeypatch, answer, words):
    [(level, sentence)] = doctor.judged(SITE, *answer)
    assert (level, words in sentence) == ("WRONG", True), sentence


@pytest.mark.parametrize(
    ("reason", "level", "words"),
    [
        (ssl.SSLCertVerificationError("it has expired"), "WRONG", "renew it"),
        (ConnectionRefusedError(111, "refused"), "look", "nothing answers"),
    ],
)
def test_what_answers_nothing(settings, monkeypatch, reason, level, words):
    def fetch(url):
        raise urllib.error.URLError(reason)

    settings.NOMOPOLY_ADDRESS = SITE
    monkeypatch.setattr(doctor, "fetch", fetch)
    [(said, sentence)] = doctor.proxy(None)
    assert (said, words in sentence) == (level, True), sentence


def test_a_site_without_tls_is_not_asked(settings):
    """What its address lacks is said of the address."""
    settings.NOMOPOLY_ADDRESS = "http://127.0.0.1:8000"
    assert list(doctor.proxy(None)) == []


def test_an_answer_is_fetched_with_its_status_by_no_other_proxy(monkeypatch):
    class Refuses(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(400)

        def log_message(self, *_):
            pass

    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with http.server.HTTPServer(("127.0.0.1", 0), Refuses) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert doctor.fetch(f"http://127.0.0.1:{server.server_port}/health/proxy")[0] == 400


@pytest.mark.parametrize(("state", "level"), [(0, "ok"), (1, "ok"), (doctor.CLOCK_IS_LOOSE, "look"), (None, None)])
def test_whether_the_machines_clock_follows_another(db, monkeypatch, state, level):
    monkeypatch.setattr(doctor, "clock_state", lambda: state)
    assert [said for said, _ in doctor.time_of_day(None)] == ([level] if level else [])


def test_a_clock_that_went_back_is_told(game, monkeypatch):
    monkeypatch.setattr(doctor, "clock_state", lambda: None)
    assert list(doctor.time_of_day(None)) == []
    Game.objects.filter(pk=game.pk).update(moved=time.time() + 864_000)
    [(level, sentence)] = doctor.time_of_day(None)
    assert (level, "behind the last move in friday" in sentence) == ("WRONG", True), sentence


@pytest.mark.parametrize(
    ("names", "days", "told"),
    [
        ([], 0, []),
        (["site-2027-03-01.tar.gz.part"], 0, []),
        (["site-2027-03-01.tar.gz"], 1, [("ok", "there are backups in")]),
        (["site-2027-03-01.tar.gz.age", "site-2027-03-02.tar.gz.age"], 3, [("WRONG", "is 3 days old")]),
    ],
)
def test_the_doctor_says_that_nightly_backups_have_ended(tmp_path, names, days, told):
    (tmp_path / "backups").mkdir()
    for older, name in enumerate(reversed(names)):
        (tmp_path / "backups" / name).touch()
        at = time.time() - (days + older) * 86_400 - 60
        os.utime(tmp_path / "backups" / name, (at, at))
    found = list(doctor.backups(tmp_path / "data"))
    assert [(level, words in sentence) for (level, sentence), (_, words) in zip(found, told, strict=True)] == [
        (level, True) for level, _ in told
    ]


def test_asking_for_the_clock_changes_and_breaks_nothing():
    assert doctor.clock_state() in (None, 0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("name", "said", "look", "words"),
    [
        ("EMAIL_URL", "", doctor.mail, "go to nobody"),
        ("NOMOPOLY_SECRET_KEY", "short", doctor.key, "has 5 characters, which can be guessed"),
    ],
)
def test_what_the_environment_says_too_little_of(monkeypatch, tmp_path, name, said, look, words):
    monkeypatch.setenv(name, said)
    [(level, sentence)] = look(tmp_path)
    assert level != "ok"
    assert words in sentence


def test_error_pages_that_tell_too_much_are_wrong(settings):
    settings.NOMOPOLY_ADDRESS, settings.ALLOWED_HOSTS, settings.HTTPS = SITE, ["play.example.org"], True
    settings.DEBUG = True
    assert [level for level, told in doctor.address(None) if "NOMOPOLY_DEBUG" in told] == ["WRONG"]


def test_a_pattern_of_hosts_is_no_address_for_mails(settings):
    settings.NOMOPOLY_ADDRESS, settings.ALLOWED_HOSTS = "https://*", ["*"]
    [(level, sentence)] = doctor.address(None)
    assert (level, "set NOMOPOLY_ADDRESS" in sentence) == ("WRONG", True)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [(0, "Nothing must be mended."), (1, "One thing must be mended."), (2, "2 things must be mended.")],
)
def test_how_many_things_must_be_mended(monkeypatch, capsys, tmp_path, wrong, told):
    monkeypatch.setattr(doctor, "everything", lambda data: [("WRONG", "something")] * wrong)
    assert doctor.doctor(tmp_path) == (1 if wrong else 0)
    assert capsys.readouterr().out.splitlines()[-1] == told

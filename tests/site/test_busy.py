"""Who would have to wait too long is answered 503 with Retry-After, and keeps what was typed."""

import sqlite3

import pytest
from django.db import OperationalError, connection

from nomopoly.runtime.interpreters import monty
from nomopoly.site.busy import Busy, busy_of
from nomopoly.site.notices.worker import Worker
from nomopoly.site.tables import domain, live

WAIT = "Friday is catching up with its clock."


@pytest.fixture
def slow(monkeypatch):
    """slow(error) lets every order end in this error."""

    def let(error):
        def raising(*args, **more):
            raise error

        monkeypatch.setattr(domain, "order", raising)

    return let


def no_connection(name):
    """The error of a database whose pool has no connection to give: the driver's own is its cause."""
    error = OperationalError("couldn't get a connection after 8.00 sec")
    error.__cause__ = type(name, (Exception,), {})()
    return error


def cut_off(words, state):
    """The error of a server of PostgreSQL that ends: the driver's own, which bears a state or None, is its cause."""
    error = OperationalError(words)
    error.__cause__ = type("OperationalError", (Exception,), {"sqlstate": state})()
    return error


def locked():
    error = OperationalError("database is locked")
    error.__cause__ = sqlite3.OperationalError("database is locked")
    return error


def test_a_form_that_has_to_wait_comes_back_with_what_was_typed(game, ann, slow):
    slow(Busy(7, WAIT))
    typed = {"title": 'Bread & "Circuses"', "text": "Line one\nLine two", "once": "abc"}
    page = ann.post("/g/friday/act/buy-square/?from=board", {**typed, "square": "#1", "send": "1"})
    assert page.status_code == 503
    assert page["Retry-After"] == "7"
    words = page.content.decode()
    assert WAIT in words
    assert 'action="/g/friday/act/buy-square/?from=board"' in words
    assert 'name="title" value="Bread &amp; &quot;Circuses&quot;"' in words
    assert "Line one\nLine two" in words
    assert 'name="once" value="abc"' in words


def test_a_program_gets_the_same_as_json(game, ann, slow):
    slow(Busy(7, WAIT))
    answer = ann.post("/api/v1/g/friday/act/buy-square", {"fields": {}}, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "7")
    assert answer.json() == {"error": WAIT, "retry_after": 7}


def to_page(client):
    return client.post("/g/friday/act/buy-square/", {"square": "#1", "send": "1"})


def to_api(client):
    return client.post("/api/v1/g/friday/act/buy-square", {"fields": {}}, content_type="application/json")


@pytest.mark.parametrize("send", [to_page, to_api])
@pytest.mark.parametrize(
    "error",
    [locked(), no_connection("PoolTimeout"), no_connection("TooManyRequests")],
    ids=["lock", "connections", "queue"],
)
def test_a_lock_that_is_not_to_be_had_is_no_fault_of_the_site(game, ann, slow, send, error):
    slow(error)
    answer = send(ann)
    assert answer.status_code == 503
    assert "The site is busy" in answer.content.decode()


@pytest.mark.parametrize("send", [to_page, to_api])
@pytest.mark.parametrize(
    "error",
    [
        cut_off("terminating connection due to administrator command", "57P01"),
        cut_off("the database system is starting up", "57P03"),
        cut_off("connection failure", "08006"),
        cut_off("consuming input failed: server closed the connection unexpectedly", None),
    ],
    ids=["ended", "starting", "failed", "gone"],
)
def test_a_database_that_starts_anew_is_no_fault_of_the_site(game, ann, slow, send, error):
    slow(error)
    answer = send(ann)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "if it was done, it is not done twice" in answer.content.decode()


@pytest.mark.rows_locked
@pytest.mark.django_db(transaction=True)
def test_a_page_whose_connection_is_cut_off_says_so_by_another_one(game, ann, monkeypatch):
    def ending(*args, **more):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    monkeypatch.setattr(domain, "order", ending)
    answer = to_page(ann)
    assert answer.status_code == 503
    assert 'name="square" value="#1"' in answer.content.decode()


@pytest.mark.parametrize("send", [to_page, to_api])
def test_who_gets_no_sandbox_is_told_to_come_again(game, ann, send, monkeypatch):
    """The one worker that there may be is at another game."""
    live.close_all()
    monkeypatch.setattr(monty, "MOST_WORKERS", 1)
    monkeypatch.setattr(monty, "CHECKOUT_WAIT", 0.2)
    with monkeypatch.context() as patch:
        patch.setattr(monty, "_pool", None)
        other = monty.MontyRuntime()
        answer = send(ann)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert "The rules of many games are being carried out" in answer.content.decode()
        other.close()
        assert send(ann).status_code != 503, "the worker is free"
        live.close_all()
        monty._pool.__exit__(None, None, None)


@pytest.mark.parametrize("send", [to_page, to_api])
def test_other_faults_of_the_database_stay_what_they_are(game, ann, slow, send):
    slow(OperationalError("no such table: tables_game"))
    ann.raise_request_exception = False
    assert send(ann).status_code == 500
    assert busy_of(ValueError("is locked")) is None


def test_a_session_that_cannot_be_stored_has_to_wait_too(game, people, monkeypatch):
    from django.contrib.sessions.backends.db import SessionStore

    def raising(*args, **more):
        raise locked()

    domain.change_game(game, visibility="private")
    guest = people("guest")
    monkeypatch.setattr(SessionStore, "save", raising)
    guest.raise_request_exception = False
    page = guest.get(f"/g/friday/join/?invitation={game.invitation}")
    assert page.status_code == 503
    assert page["Retry-After"]


def test_no_password_comes_back(client, monkeypatch):
    from allauth.account.views import LoginView

    def raising(*args, **more):
        raise locked()

    monkeypatch.setattr(LoginView, "post", raising)
    page = client.post("/account/login/", {"login": "ann@example.org", "password": "hush-hush-hush"})
    assert page.status_code == 503
    assert "hush-hush" not in page.content.decode()


def test_reading_has_to_wait_too(game, ann, monkeypatch):
    def raising(*args, **more):
        raise Busy(5, WAIT)

    monkeypatch.setattr(live.Warm, "view", raising)
    page = ann.get("/g/friday/rules/")
    assert page.status_code == 503
    assert "Try again" in page.content.decode()


def test_work_beside_the_games_that_has_to_wait_is_one_line_of_the_log(caplog, db):
    def lost():
        raise cut_off("server closed the connection unexpectedly", None)

    def broken():
        raise ZeroDivisionError

    Worker(((lost, 0), (broken, 0))).round()
    told = [(line.levelname, line.getMessage().split(":")[0], bool(line.exc_info)) for line in caplog.records]
    assert ("WARNING", "lost has to wait", False) in told
    assert ("ERROR", "broken", True) in told

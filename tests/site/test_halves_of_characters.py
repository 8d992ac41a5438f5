"""A game of before halves of characters (lone surrogates) were refused: every page, feed and answer of it is whole."""

import json

import pytest
from django.test import Client
from pagewords import seated, text
from test_odd_games import addresses

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import take_snapshot
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Outcome, Snapshot

# While the game comes about, \ue123 stands for the half of a character that it holds then.
CODE = """
attribute("player", "motto", "", label="Motto")
attribute("square", "sign", "", label="Sign", show="owner")
kind("flag", prefix="flag-")
attribute("flag", "title", "", label="Title")
event("answered", "answered", answers="")


def motto(who):
    return who.motto


@action("say", "Say", fact="said", say="{who} says {what_}", what_=words("Words", long=True, optional=True, default=motto))
def say(e):
    put(e.who, "motto", e.what_)
    put(find("#2"), "sign", e.what_)
    put(create("flag"), "title", e.what_)
    note(more=(e.what_, 5))
    tell(None, e.what_)
    tell(e.who, e.what_)
    ask(e.who, e.what_, (e.what_, "no"), "answered", default=e.what_, by=now() + days(9))


@action("no", "No")
def no(e):
    refuse(e.who.motto)


@action("break", "Break")
def breaks(e):
    return {}[e.who.motto]


@marker("square")
def mark(square):
    return (square.sign[:3], square.sign)


@value("boast", of="player", label="Boast")
def boast(who):
    return who.motto * 2
"""


@pytest.fixture
def old_game(keeper, people, monkeypatch):
    """A game with halves in all that rules have made: a rule could once make one, though no order could hold it."""
    monkeypatch.setattr("django.conf.settings.NOMOPOLY_RUNTIME", "cpython")  # the sandbox has never let one in
    monkeypatch.setattr("nomopoly.site.api.door.Limit.allow_request", lambda *_: True)
    edition = load_edition("iv")
    record = {"id": "98.1", "section": "98", "section_title": "Halves", "title": "Odd", "text": "Say it.", "params": {}}
    record |= {"code": CODE, "since": 0, "made_by": "opening"}
    with monkeypatch.context() as patch:
        patch.setattr(
            domain, "load_edition", lambda name: Book("iv", "Odd", [*edition.records, record], edition.commons)
        )
        game = domain.start_game(keeper.user, edition="iv", title="Odd", slug="odd", at=live.now() - 3600)
    for name in ("Ann", "Ben"):
        seated(game, people(name.lower()), name)
    with live.of(game).writing() as running:
        for do, args in (("say", {"what": "x \ue123 y"}), ("no", {}), ("break", {})):
            outcome = running.submit("order", "Ann", do, args, live.now())
            assert do != "say" or outcome.ok, outcome
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "a", "changes": []}).ok
    with live.of(game).writing() as running:
        blob = json.dumps(take_snapshot(running), separators=(",", ":")).encode()
        live.of(game).keep_snapshot(running.n, blob, running.runtime.name)
    live.close_all()
    for row in Outcome.objects.filter(game=game):
        row.outcome = row.outcome.replace("\\ue123", "\\ud83d")
        row.save()
    row = Snapshot.objects.get(game=game)
    row.blob = bytes(row.blob).replace(b"\\ue123", b"\\ud83d")
    assert b"\\ud83d" in row.blob
    row.save()
    return game


def test_every_page_feed_and_answer_is_whole(old_game, keeper, people):
    viewers = {"visitor": Client(), "Ann": people("ann"), "Ben": people("ben"), "Admin": keeper}
    broken = {}
    for address in addresses(old_game, keeper, of_today=True):
        for viewer, browser in viewers.items():
            try:
                answer = browser.get(address, HTTP_X_FORWARDED_FOR=viewer)
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                problem = f"status {answer.status_code}" if answer.status_code >= 500 else ""
                if "export" not in address:
                    body.decode()
            except UnicodeError as error:
                problem = repr(error)[:200]
            if problem:
                broken[f"{viewer} {address}"] = problem
    assert broken == {}


def test_the_words_are_there_with_a_sign_for_what_is_none(old_game, people):
    shown = people("ben").get(f"{old_game.address}players/Ann/").content.decode()
    assert "x \ufffd y" in shown
    log = text(people("ben").get(f"{old_game.address}log/"))
    assert "Ann says x \ufffd y" in log


def test_orders_go_on_and_their_answers_are_whole(old_game, people):
    for do in ("say", "no", "break"):
        for address in (f"/api/v1/g/odd/act/{do}?preview=true", f"/api/v1/g/odd/act/{do}"):
            answer = people("ann").post(address, {}, content_type="application/json")
            assert answer.status_code in (200, 409, 422), answer.content
            answer.content.decode()

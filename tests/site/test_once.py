"""What is sent with a token is one order, wherever it breaks: before the commit, at it, or after it."""

import json
import threading

import pytest
from django.db import connection, transaction
from django.test import Client
from pagewords import propose, text, token

from nomopoly.site.api import told
from nomopoly.site.play.models import Comment, Thread
from nomopoly.site.play.views import acts
from nomopoly.site.tables import domain, live, readings
from nomopoly.site.tables.models import Entry, Game, Once

ACT = "/api/v1/g/{}/act/{}"
BREAKING = """@action("break-it", "Break it")
def break_it(e):
    put(e.who, "money", 1 // 0)
"""


class Broken(Exception):
    """Something fails that has nothing to do with the order."""


@pytest.fixture
def browser(ann):
    """Ann's browser, which shows a page for what breaks, as a real one would."""
    ann.raise_request_exception = False
    return ann


def give(client, do, key, slug="friday", **fields):
    sent = json.dumps({"fields": fields})
    return client.post(ACT.format(slug, do), sent, content_type="application/json", headers={"Idempotency-Key": key})


def proposed(game):
    """The titles that were proposed, by the journal."""
    lines = [json.loads(line) for line in Entry.objects.filter(game=game).order_by("n").values_list("line", flat=True)]
    return [line["args"]["title"] for line in lines if line["do"] == "propose"]


def breaks(*args, **more):
    raise Broken


AFTER = [(told, "entry_of"), (acts.once.sendings, "answered")]
BEFORE = [(readings, "missed"), (readings, "missing"), (domain, "note"), (domain.sent, "keep")]


@pytest.mark.parametrize("place", AFTER, ids=lambda place: place[1])
def test_what_breaks_after_the_commit_leads_to_the_first_answer(browser, game, monkeypatch, place):
    monkeypatch.setattr(*place, breaks)
    assert give(browser, "propose", "k1", title="Once").status_code == 500
    assert proposed(game) == ["Once"]
    monkeypatch.undo()
    again = give(browser, "propose", "k1", title="Once")
    assert (again.status_code, again.json()["args"]["title"], again.json()["by"]) == (200, "Once", "Ann")
    assert give(browser, "propose", "k1", title="Once").json() == again.json()
    assert give(browser, "propose", "k1", title="Twice").status_code == 422
    assert proposed(game) == ["Once"]


@pytest.mark.parametrize("place", BEFORE, ids=lambda place: place[1])
def test_what_breaks_before_the_commit_has_not_happened(browser, game, monkeypatch, place):
    monkeypatch.setattr(*place, breaks)
    assert give(browser, "propose", "k1", title="Once").status_code == 500
    assert proposed(game) == []
    assert not Once.objects.exists()
    monkeypatch.undo()
    assert give(browser, "propose", "k1", title="Once").status_code == 200
    assert proposed(game) == ["Once"]


def test_a_fault_has_its_entry_and_its_answer(browser, game):
    """A rule that breaks leaves an entry: the same key finds its answer, another one tries again."""
    change = {"enact": "X.1", "text": "It breaks.", "code": BREAKING}
    assert domain.order(game, "Ann", "propose", {"title": "Breaks", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    first = give(browser, "break-it", "k1")
    n = live.of(game).n
    again = give(browser, "break-it", "k1")
    assert (first.status_code, again.status_code) == (409, 409)
    assert again.json() == first.json()
    assert live.of(game).n == n
    assert give(browser, "break-it", "k2").status_code == 409
    assert live.of(game).n == n + 1


def test_a_vote_has_its_answer_too(start_second, people, monkeypatch):
    game, go = start_second("Ann", "Ben", edition="iv")
    browser = people("ann")
    browser.raise_request_exception = False
    propose(game)
    go(1)
    really = acts.once.sendings.answered
    monkeypatch.setattr(acts.once.sendings, "answered", breaks)
    assert give(browser, "vote", "k1", "second", on="P1", choice="yes").status_code == 500
    monkeypatch.setattr(acts.once.sendings, "answered", really)
    again = give(browser, "vote", "k1", "second", on="P1", choice="yes")
    assert (again.status_code, again.json()) == (200, {"entry": None, "cast": {"on": "P1", "choice": "yes"}})


def test_a_form_whose_page_breaks_after_the_commit_was_sent(browser, game, monkeypatch):
    page = browser.get("/g/friday/act/propose/?title=x")
    sent = {"title": "Once", "text": "", "once": token(page)}
    monkeypatch.setattr(acts, "told", breaks)
    assert browser.post("/g/friday/act/propose/", sent).status_code == 500
    monkeypatch.undo()
    seen = browser.post("/g/friday/act/propose/", sent, follow=True)
    assert "Already done" in text(seen)
    assert seen.redirect_chain[-1][0] == "/g/friday/log/"
    assert proposed(game) == ["Once"]


def test_a_form_sent_four_times_at_once_is_one_order(ann, game):
    sent = {"title": "Once", "text": "", "once": token(ann.get("/g/friday/act/propose/?title=x"))}
    together, answers = threading.Barrier(4), []

    def send():
        client = Client()
        client.cookies = ann.cookies
        together.wait()
        answers.append(client.post("/g/friday/act/propose/", sent).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [303] * 4
    assert proposed(game) == ["Once"]


def test_words_are_said_once(browser, game, monkeypatch):
    monkeypatch.setattr(acts.once.sendings, "answered", breaks)
    said = {"body": "Hello", "title": "Hi", "once": token(browser.get("/g/friday/forum/new/"))}
    assert browser.post("/g/friday/forum/new/", said).status_code == 500
    monkeypatch.undo()
    browser.post("/g/friday/forum/new/", said)
    assert (Thread.objects.count(), Comment.objects.count()) == (1, 1)


def test_a_game_is_started_once(keeper):
    start = {"edition": "original", "title": "Ours", "slug": "ours"}
    with domain.sent.sending(keeper.user, "k1", lambda n, done: ""):
        domain.start_game(keeper.user, **start)
    with domain.sent.sending(keeper.user, "k1", lambda n, done: ""), pytest.raises(domain.sent.AlreadyDone):
        domain.start_game(keeper.user, **start | {"slug": "ours-2"})
    assert Game.objects.filter(title="Ours").count() == 1


def test_what_is_noted_beside_an_order_does_not_use_its_token_up(browser, game):
    """That a player is here is an entry of its own."""
    with domain.sent.sending(browser.user, "k1", lambda n, done: ""), domain.sent.aside(), transaction.atomic():
        domain.sent.keep(5)
    assert not Once.objects.exists()


@pytest.mark.parametrize(
    ("first", "then", "told"), [("en", "en", True), ("de", "de", True), ("en", "de", False), ("de", "en", False)]
)
def test_a_first_result_is_told_again_in_the_readers_language_or_not_at_all(game, ann, first, then, told):
    sent = {"body": "Words", "once": token(ann.get("/g/friday/notes/"))}
    said = ann.post("/g/friday/notes/", sent, follow=True, HTTP_ACCEPT_LANGUAGE=first)
    kept = {str(each) for each in said.context["messages"]} if said.context else set()
    again = ann.post("/g/friday/notes/", sent, follow=True, HTTP_ACCEPT_LANGUAGE=then)
    page = again.content.decode()
    assert {"en": "Already done.", "de": "Schon"}[then] in page
    assert "\x1f" not in page
    assert kept
    assert all((each in page) is told for each in kept)

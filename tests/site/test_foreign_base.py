"""The frame of all pages, the account's pages and those that keep order, in a language that nobody speaks."""

import re
from pathlib import Path

import foreign
import pytest
from django.core import mail
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from pagewords import token

from nomopoly.site import declared, door, limits, names
from nomopoly.site.busy import SITE_BUSY, Busy
from nomopoly.site.lobby import trust
from nomopoly.site.tables import domain

AT = "/g/friday/"
CONDUCT = f"{AT}admin/conduct/"
SITE = Path(door.__file__).parent
HERE = {"HTTP_ACCEPT_LANGUAGE": foreign.CODE}


@pytest.fixture
def left(abroad):
    """left(response): what of a page is outside of the message files, beside the title of the game."""

    def look(response):
        assert response.status_code != 302
        return abroad(response.content.decode().replace("Friday", ""))

    return look


def test_the_pages_of_an_account(left, ann, game):
    for path in ("keys/", "feeds/", "close/"):
        assert left(ann.get(f"/settings/{path}", **HERE)) == [], path
    made = ann.post("/settings/keys/", {"name": "Bot", "game": "friday", "scope": "read"}, **HERE)
    assert "nomo_" in made.content.decode()
    assert left(made) == []
    page = ann.post("/settings/keys/", {"name": "Bot", "game": "friday", "scope": "read"}, **HERE)
    assert "‹You have a key of this name" in page.content.decode()
    assert left(page) == []
    for do in ("renew", "renew", "close"):
        sent = {"do": do, "once": token(ann.get("/settings/feeds/"))}
        assert left(ann.post("/settings/feeds/", sent, follow=True, **HERE)) == [], do
    wrong = ann.post("/settings/close/", {"words": "name", "confirm": "x"}, **HERE)
    assert "‹That is not the address" in wrong.content.decode()
    assert left(wrong) == []
    closed = ann.post("/settings/close/", {"words": "former", "confirm": "ann@example.org"}, **HERE)
    assert closed.status_code == 303
    assert "‹Nomopoly: your account is closed›" in [each.subject for each in mail.outbox]


def test_the_door_of_the_site(left):
    browser = Client()
    assert left(browser.get("/account/login/", **HERE)) == []
    asked = browser.post("/account/login/code/", {"email": "new@example.org"}, **HERE)
    assert left(browser.get(asked.url, **HERE)) == []
    assert "is your code›" in mail.outbox[-1].subject
    assert re.search(r"‹Type this code.*›\s+\S+\s+‹It holds", mail.outbox[-1].body)
    assert left(browser.get("/nowhere/", **HERE)) == []
    for name in ("privacy", "terms", "contact"):
        assert left(browser.get(f"/{name}/", **HERE)) == [], name


def test_what_the_operator_says_of_themselves(left, settings, tmp_path):
    settings.DATA, settings.NOMOPOLY_CONTACT = tmp_path, "club@example.org"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "privacy.md").write_text("We are the club.", "utf-8")
    assert left(Client().get("/privacy/", **HERE)) == []
    assert left(Client().get("/contact/", **HERE)) == []


def test_the_frame_of_a_game_and_its_order(left, ann, bob, keeper, people, game):
    assert left(ann.get(f"{AT}report/", **HERE)) == []
    sent = {"sort": "proposal", "about": "P99", "because": "x"}
    refused = ann.post(f"{AT}report/", sent | {"once": token(ann.get(f"{AT}report/"))}, **HERE)
    assert "‹There is nothing like that" in refused.content.decode()
    assert left(refused) == []
    sent = {"sort": "name", "about": "Bob", "because": "x"}
    assert ann.post(f"{AT}report/", sent | {"once": token(ann.get(f"{AT}report/"))}, **HERE).status_code == 303
    assert left(keeper.get(CONDUCT, **HERE)) == []
    for more in ({"do": "warn"}, {"do": "mute", "days": "1"}, {"do": "mute", "days": "3"}, {"do": "mute"}):
        fields = {"player": "Bob", "because": "Insults", "once": token(keeper.get(CONDUCT))} | more
        assert left(keeper.post(CONDUCT, fields, follow=True, **HERE)) == [], more
    assert left(keeper.post(f"{CONDUCT}hear/", {"name": "Zoe"}, **HERE)) == []
    assert left(people("eve").get(CONDUCT, **HERE)) == [], "a 403 of who is not the Admin"
    assert left(people("eve").get(f"{AT}holiday/", **HERE)) == [], "a 403 of who is no player"
    assert left(people("eve").get("/operator/", follow=True, **HERE)) == []
    keeper.user.is_staff = True
    keeper.user.save()
    assert left(keeper.get("/operator/", follow=True, **HERE)) == [], "without a second factor"


PAUSED = {"paused": True, "paused_at": 1_772_442_000, "pause_because": "a rule broke"}


@pytest.mark.parametrize(
    "state",
    [
        {"over": True, "winner": "Zoe"},
        {"over": True, "winner": None},
        PAUSED,
        PAUSED | {"paused_at": None},
        PAUSED | {"paused_at": None, "pause_because": "holidays"},
        PAUSED | {"pause_because": "holidays"},
        {"paused": True},
    ],
)
@pytest.mark.parametrize("role", ["admin", "player"])
def test_what_stands_above_a_game(abroad, state, role):
    game = {"address": AT, "slug": "friday", "decider": "‹the Admin›", "visibility": "public"}
    fault = {"rule": "301", "line": 3, "message": "it broke"} if state.get("pause_because") == "a rule broke" else None
    seat = {"membership": {"player": "Zoe"}, "hosts": True, "trial": None}
    context = {"game": game, "fault": fault, "seat": seat, "role": role, "player_name": "Zoe", "applied": True}
    with translation.override(foreign.CODE):
        context |= {"view": {"things": {"game": state}}, "comes_in": True, "user": {"is_authenticated": True}}
        assert abroad(render_to_string("game_base.html", context)) == []
        seat["trial"] = {"fields": {"draft": 3}}
        page = render_to_string("game_base.html", context)
        assert abroad(page) == []
        assert "‹Back to your proposal›" in page


def test_what_has_to_wait_and_what_comes_back(left, ann, game, monkeypatch):
    def raising(*args, **more):
        raise Busy(7, SITE_BUSY)

    monkeypatch.setattr(domain, "order", raising)
    page = ann.post(f"{AT}act/propose/", {"title": "A", "text": "B", "send": "1"}, **HERE)
    assert page.status_code == 503
    assert f"‹{SITE_BUSY}›" in page.content.decode()
    assert left(page) == []
    fields = {"fields": {"title": "A", "text": "B"}}
    told = ann.post("/api/v1/g/friday/act/propose", fields, content_type="application/json", **HERE)
    assert told.json()["error"] == SITE_BUSY, "programs are told it in English"
    stranger = Client()
    stranger.cookies["sessionid"] = "long-gone"
    back = stranger.post(f"{AT}act/propose/", {"title": "A", "text": "B"}).url
    stranger.force_login(ann.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = stranger.get(f"/again/{re.search('again%2F(.+)%2F', back)[1]}/", **HERE)
    assert page.status_code == 200
    assert left(page) == []
    assert left(stranger.get("/again/nothing/", **HERE)) == []


def test_a_page_that_breaks(left, monkeypatch):
    def breaking(*args, **more):
        raise ValueError("it broke")

    monkeypatch.setattr(trust, "own_words", breaking)
    page = Client(raise_request_exception=False).get("/privacy/", **HERE)
    assert page.status_code == 500
    assert 'lang="ar" dir="rtl"' in page.content.decode()
    assert left(page) == []


def test_programs_are_told_everything_in_english(abroad, ann, game):
    ann.user.language = foreign.CODE
    ann.user.save()
    told = ann.get("/api/v1/g/nowhere", **HERE)
    assert told.status_code == 404
    assert "‹" not in told.content.decode()
    assert "‹" in ann.get("/g/nowhere/").content.decode()


def test_sentences_of_refusals(abroad, people):
    user = people("ann").user
    with translation.override(foreign.CODE):
        limits.note(user, "report", 20)
        assert foreign.untranslated(f"<p>{limits.refusal(user, 'report')}</p>") == []
        for name, others in (("Аnn", []), ("A\u200bnn", []), ("Bo0b", ["Boob"])):
            refusal = names.refusal(name, others)
            assert refusal, name
            assert foreign.untranslated(f"<p>{refusal}</p>") == []
        fields = [{"name": "n", "label": "N", "type": "number", "optional": False}]
        for sent in ({}, {"n": "many"}):
            _, problems = declared.read({"fields": fields}, sent)
            assert foreign.untranslated(f"<p>{problems[0]}</p>") == []


def test_all_that_only_players_can_is_known_to_the_message_files():
    """What callers say is put into a sentence, so that no marks stand around it where it is written."""
    said = set()
    for folder in ("play", "lobby", "trial", "desk"):
        for path in (SITE / folder).rglob("*.py"):
            said |= set(re.findall(r'(?:need_player|outsider)\("([^"]+)"\)', path.read_text()))
    assert said <= set(door.DEEDS)

"""The site in other languages: chosen by the browser or by the reader, and whole."""

import ast
import re
from pathlib import Path

import allauth
import foreign
import pytest
from django.contrib.auth import get_user_model
from django.test import override_settings
from django.utils.translation import gettext, ngettext, override
from pagewords import text

import nomopoly
from nomopoly.site import said
from nomopoly.site.tables import domain

PAGES = ("/", "/games/", "/guide/", "/language/", "/account/login/", "/privacy/")


@pytest.fixture
def german():
    """The operator offers German."""
    with override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")]):
        yield


@pytest.mark.django_db
@override_settings(LANGUAGES=[("en", "English")])
def test_only_what_the_operator_offers_is_spoken(client):
    page = client.get("/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert '<html lang="en"' in page
    assert "/language/" not in page


@pytest.mark.django_db
def test_the_browser_says_the_language_until_the_reader_does(client, german):
    asked = {"HTTP_ACCEPT_LANGUAGE": "de-CH,de;q=0.9,en;q=0.1"}
    assert '<html lang="de"' in client.get("/", **asked).content.decode()
    assert '<html lang="en"' in client.get("/").content.decode()
    assert client.post("/language/", {"language": "en", "next": "/games/"}, **asked)["Location"] == "/games/"
    assert '<html lang="en"' in client.get("/", **asked).content.decode()
    assert client.post("/language/", {"language": "de", "next": "https://elsewhere.example/"})["Location"] == "/"


@pytest.mark.django_db
def test_the_choice_goes_with_the_account(client, german):
    user = get_user_model().objects.create_user("ann@example.org")
    client.force_login(user)
    client.post("/language/", {"language": "de", "next": "/me/"})
    client.cookies.pop("django_language")
    assert '<html lang="de"' in client.get("/games/").content.decode()
    client.post("/language/", {"language": "klingon"})
    assert '<html lang="de"' in client.get("/games/").content.decode()


@pytest.mark.parametrize("domain", foreign.message_files().DOMAINS)
def test_german_is_complete(domain):
    made = foreign.message_files()
    assert list(made.missing("de", domain)) == []
    renewed = made.place("de", domain, "po").read_bytes() == made.as_po(made.renewed("de", domain))
    compiled = made.place("de", domain, "mo").read_bytes() == made.as_mo(made.translated("de", domain))
    assert (renewed, compiled) == (True, True), "run tools/messages.py"


def test_no_message_stands_within_an_f_string():
    """Before Python 3.12 those who gather the messages do not see it there."""
    within = [
        f"{file}:{call.lineno}"
        for file in Path(nomopoly.__file__).parent.rglob("*.py")
        for text in ast.walk(ast.parse(file.read_text()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(("_", "gettext")) and call.args
        if isinstance(call.args[0], ast.Constant)
    ]
    assert within == []


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_no_word_of_a_page_is_outside_of_the_message_files(client, abroad, address):
    html = client.get(address, HTTP_ACCEPT_LANGUAGE=foreign.CODE).content.decode()
    assert 'lang="ar" dir="rtl"' in html
    assert abroad(html) == []


@pytest.mark.parametrize("path", ["log/?since=soon", "players/Ann/account/?from=soon", "rules/?at=soon"])
def test_what_cannot_be_read_is_said_in_the_readers_language(ann, game, german, path):
    page = ann.get(f"/g/friday/{path}", HTTP_ACCEPT_LANGUAGE="de")
    assert page.status_code == 400
    assert "Kein Zeitpunkt: soon" in text(page)


def test_a_page_that_is_not_in_a_game_leads_back_to_it(ann, game, people):
    assert 'href="/g/friday/">' in ann.get("/g/friday/log/9999/").content.decode()
    domain.change_game(game, visibility="private")
    assert 'href="/g/friday/">' not in people("eve").get("/g/friday/log/9999/").content.decode()


def test_what_another_package_says_formally_is_restated():
    """This site says du; pages of the log-in said Sie."""
    made = foreign.message_files()
    ours = made.read(made.restated("de"), "de")
    assert made.restated("de").with_suffix(".mo").read_bytes() == made.as_mo(ours)
    theirs = made.read(Path(allauth.__file__).parent / "locale/de/LC_MESSAGES/django.po", "de")
    formal = re.compile(r"\b(Sie|Ihr(e[mnrs]?)?|Ihnen)\b")
    found = [each for each in theirs if each.id and not each.fuzzy and formal.search(str(each.string))]
    assert len(found) > 40
    with override("de"):
        for each in found:
            restated = ngettext(*each.id, 2) if each.pluralizable else gettext(each.id)
            assert not formal.search(restated), each.id
    for each in ours:
        assert list(each.check()) == []


@pytest.mark.parametrize(
    ("refusal", "german"),
    [
        ("check: rule IX.8, line 2: there is no rule X.1", "Regel IX.8, Zeile 2: es gibt keine Regel X.1"),
        ("check: rule IX.8: there is no rule X.1", "Regel IX.8: es gibt keine Regel X.1"),
        ("check: one-time program, line 1: there is no rule X.1", "einmaliges Programm, Zeile 1: es gibt keine Regel X.1"),
        ("check: there is no rule X.1", "es gibt keine Regel X.1"),
        ("there is no rule X.1", "es gibt keine Regel X.1"),
    ],
)  # fmt: skip
def test_where_a_program_is_refused_and_why_is_in_the_readers_language(refusal, german):
    with override("de"):
        assert said.refusal_said(refusal) == german
    assert said.refusal_said(refusal) == refusal.removeprefix("check: ")


@pytest.mark.parametrize(
    ("was", "now"),
    [(("one", "eins"), (("one", "%(count)s"), ("eins", ""))), ((("one", "%(count)s"), ("eins", "zwei")), ("one", "eins"))],
    ids=["gains a plural", "loses it"],
)  # fmt: skip
def test_a_wording_that_gains_or_loses_its_plural_keeps_what_it_had(monkeypatch, was, now):
    made = foreign.message_files()
    known, asked = made.Catalog(locale="de"), made.Catalog()
    known.add(*was)
    asked.add(now[0])
    monkeypatch.setattr(made, "translated", lambda language, domain: known)
    monkeypatch.setattr(made, "said", lambda domain: asked)
    assert made.renewed("de", "django").get("one").string == now[1]
    assert b"msgid" in made.as_po(made.renewed("de", "django"))

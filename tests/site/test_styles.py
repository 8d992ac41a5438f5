"""How a page comes by its style sheets: a new browser gets them with the page, one that has them an address that
stays."""

import base64
import hashlib
import html
import re

import pytest
from django.test import Client, override_settings

from nomopoly.site import styles

PAGES = ("/", "/games/", "/guide/", "/account/login/")


@pytest.mark.parametrize("page", PAGES)
def test_a_new_browser_paints_with_what_the_page_brings_along(db, page):
    answer = Client().get(page)
    content = answer.content.decode()
    brought = re.findall(r"<style>([^<]*)</style>", content)
    assert brought
    for each in brought:  # and the policy lets it
        digest = base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert not re.search(r'rel="stylesheet"(?![^>]*media="print")', content), "nothing to wait for"


def test_it_fetches_all_of_them_for_the_pages_to_come(db):
    client = Client()
    later = re.findall(r'<link rel="stylesheet" href="([^"]+)" media="print">', client.get("/").content.decode())
    assert len(later) == len(styles.ALL)
    for each in later:
        assert client.get(html.unescape(each))["Cache-Control"] == styles.FOR_EVER
    again = client.get("/")
    assert b"<style>" not in again.content
    assert b'media="print"' not in again.content
    links = re.findall(r'<link rel="stylesheet" href="([^"]+)">', again.content.decode())
    assert links
    assert set(links) <= set(later)
    assert "sha256" not in again["Content-Security-Policy"]


def test_all_style_sheets_that_pages_name_are_known(db):
    named = {
        name
        for file in styles.Path(styles.__file__).parent.rglob("templates/**/*.html")
        for name in re.findall(r"{% (?:style|stamped) '([^']+)' %}", file.read_text())
    }
    assert named == set(styles.ALL)


def test_what_has_another_stamp_is_not_kept_for_ever(db):
    client = Client()
    for end in ("", "?v=", "?v=000000000000"):
        assert "immutable" not in client.get(f"/static/play/board.css{end}")["Cache-Control"]


def test_after_a_release_with_other_styles_a_browser_is_new_again(db, monkeypatch):
    client = Client()
    client.get("/")
    monkeypatch.setattr(styles, "release", lambda: "other")
    assert b"<style>" in client.get("/").content
    assert b"<style>" not in client.get("/").content


def test_a_browser_without_cookies_always_gets_them(db):
    for _ in range(2):
        client = Client()
        assert b"<style>" in client.get("/").content
        assert "Cookie" in client.get("/")["Vary"]


@override_settings(SESSION_COOKIE_SECURE=True)
def test_the_cookie_says_nothing_of_anybody(db):
    one, other = Client(), Client()
    one.get("/", secure=True), other.get("/", secure=True)
    cookies = [client.cookies["styles"] for client in (one, other)]
    assert cookies[0].value == cookies[1].value == styles.release()
    assert all(cookie["secure"] and cookie["httponly"] and cookie["samesite"] == "Lax" for cookie in cookies)

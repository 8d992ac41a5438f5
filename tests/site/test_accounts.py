"""Signing up, logging in and out: by code, telling nobody who has an account."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from pagewords import text

User = get_user_model()


def code():
    """The code in the mail sent last."""
    return re.search(r"^([A-Z0-9]+(?:-[A-Z0-9]+)*)$", mail.outbox[-1].body, re.MULTILINE).group(1)


def sign_up(address):
    browser = Client()
    answer = browser.post("/account/signup/", {"email": address})
    assert answer.status_code == 303
    return browser, answer


def test_an_address_and_a_code_make_an_account():
    browser, answer = sign_up("new@example.org")
    page = browser.get(answer.url)
    assert "code" in text(page)
    assert mail.outbox[-1].to == ["new@example.org"]
    answer = browser.post(answer.url, {"code": code()})
    assert answer.status_code == 303
    assert "Nothing waits for you" in text(browser.get("/me/"))


def test_a_wrong_code_is_refused():
    browser, answer = sign_up("new@example.org")
    answer = browser.post(answer.url, {"code": "XXXXXX"})
    assert answer.status_code == 200
    assert browser.get("/me/").status_code == 302


def test_logging_in_by_code_leads_back():
    User.objects.create_user("old@example.org").emailaddress_set.create(
        email="old@example.org", verified=True, primary=True
    )
    browser = Client()
    assert browser.get("/games/new/").url == "/account/login/?next=/games/new/"
    asked = browser.post("/account/login/code/", {"email": "old@example.org", "next": "/games/new/"})
    answer = browser.post(asked.url, {"code": code(), "next": "/games/new/"})
    assert answer.status_code == 303
    assert browser.get("/games/new/").status_code == 200


@pytest.mark.parametrize("path", ["/account/login/code/", "/account/signup/", "/account/password/reset/"])
def test_nobody_learns_which_addresses_have_an_account(path):
    User.objects.create_user("old@example.org").emailaddress_set.create(
        email="old@example.org", verified=True, primary=True
    )
    known = Client().post(path, {"email": "old@example.org"})
    unknown = Client().post(path, {"email": "other@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)


def test_a_wrong_password_says_the_same_for_every_address():
    User.objects.create_user("old@example.org", "a good long one").emailaddress_set.create(
        email="old@example.org", verified=True, primary=True
    )
    known = Client().post("/account/login/", {"login": "old@example.org", "password": "wrong wrong"})
    unknown = Client().post("/account/login/", {"login": "other@example.org", "password": "wrong wrong"})
    assert known.status_code == unknown.status_code == 200
    assert "not correct" in text(known)
    assert text(known).replace("old@", "") == text(unknown).replace("other@", "")


def test_passwords_cannot_be_tried_without_end():
    browser = Client()
    answers = [
        browser.post("/account/login/", {"login": "old@example.org", "password": f"wrong {n}"}) for n in range(12)
    ]
    assert "Too many" in text(answers[-1]) or answers[-1].status_code == 429


def test_get_never_logs_out(people):
    browser = people("ann")
    browser.get("/account/logout/")
    assert browser.get("/me/").status_code == 200


def test_settings_are_kept(people):
    browser = people("ann")
    answer = browser.post("/settings/", {"time_zone": "Europe/Berlin", "text_view": "on"}, follow=True)
    assert "Your settings are kept" in text(answer)
    browser.user.refresh_from_db()
    assert (browser.user.time_zone, browser.user.text_view) == ("Europe/Berlin", True)
    refused = browser.post("/settings/", {"time_zone": "Mars/Olympus"})
    assert "Mars/Olympus is not a time zone" in text(refused)


@pytest.mark.parametrize("path", ["/account/2fa/", "/account/email/", "/account/sessions/", "/account/password/set/"])
def test_pages_of_an_account_are_drawn_in_our_frame(people, path):
    answer = people("ann").get(path, follow=True)
    assert answer.status_code == 200
    assert "Skip to the page" in text(answer)


def test_signing_up_from_a_page_leads_back_to_it():
    browser = Client()
    page = browser.get("/guide/")
    assert 'href="/account/signup/?next=%2Fguide%2F"' in page.content.decode()
    answer = browser.post("/account/signup/", {"email": "new@example.org", "next": "/guide/"})
    answer = browser.post(answer.url, {"code": code()})
    assert (answer.status_code, answer.url) == (303, "/guide/")

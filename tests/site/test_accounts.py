"""Signing up, logging in and out: by code, telling nobody who has an account."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.translation import gettext
from pagewords import text

from nomopoly.site.accounts import newcomers
from nomopoly.site.post import languages

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


def test_mails_go_on_in_the_language_in_which_one_came_in():
    browser = Client(headers={"Accept-Language": "de-CH,de;q=0.9"})
    for address, chosen in (("new@example.org", "de"), ("old@example.org", "en")):
        if chosen == "en":
            User.objects.create_user(address, language="en").emailaddress_set.create(
                email=address, verified=True, primary=True
            )
        asked = browser.post("/account/login/code/", {"email": address})
        browser.post(asked.url, {"code": code()})
        user = User.objects.get(email=address)
        assert user.language == chosen
        with languages.of(user):
            assert gettext("Rules") == ("Regeln" if chosen == "de" else "Rules")
        browser.post("/account/logout/")


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
    assert browser.get("/games/new/").url == "/account/login/?next=%2Fgames%2Fnew%2F"
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


def test_who_asks_for_many_codes_is_not_said_to_have_failed():
    said = [text(Client().post("/account/login/code/", {"email": "old@example.org"}, follow=True)) for _ in range(4)]
    assert "Too many tries in a short time. Wait five minutes, then try again." in said[-1]
    assert "failed" not in said[-1]
    assert "Too many tries" not in said[-2]


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
    assert 'href="/account/login/?next=%2Fguide%2F"' in page.content.decode()
    answer = browser.post("/account/signup/", {"email": "new@example.org", "next": "/guide/"})
    answer = browser.post(answer.url, {"code": code()})
    assert (answer.status_code, answer.url) == (303, "/guide/")


# ---- the one door


def ask(browser, address, **more):
    """Ask for a code at the door. Returns the address of the page where it is typed."""
    answer = browser.post("/account/login/code/", {"email": address, **more})
    assert answer.status_code == 303
    return answer.url


@pytest.mark.parametrize("path", ["/account/login/", "/account/signup/", "/account/login/code/"])
def test_there_is_one_door_with_one_field(path):
    page = Client().get(f"{path}?next=/guide/").content.decode()
    assert page.count('name="email"') == 1
    assert page.index('name="email"') < page.index('name="password"')
    assert 'name="next" value="/guide/"' in page


def test_an_address_without_an_account_gets_the_same_code_page_mail_and_way_on():
    User.objects.create_user("old@example.org").emailaddress_set.create(
        email="old@example.org", verified=True, primary=True
    )
    pages, mails = [], []
    for name in ("old", "new"):
        browser = Client()
        where = ask(browser, f"{name}@example.org", next="/guide/")
        pages.append(text(browser.get(where)).replace(f"{name}@", ""))
        mails.append(mail.outbox[-1].body.replace(code(), ""))
        assert browser.post(where, {"code": code(), "next": "/guide/"}).url == "/guide/"
        assert browser.get("/me/").status_code == 200
    assert pages[0] == pages[1]
    assert mails[0] == mails[1]


def test_the_mail_says_where_one_was_going_and_never_leads_elsewhere():
    ask(Client(), "ann@example.org", next="/g/friday/join/?invitation=abc")
    assert "http://testserver/g/friday/join/?invitation=abc" in mail.outbox[-1].body
    ask(Client(), "ben@example.org", next="https://elsewhere.example/")
    assert "elsewhere" not in mail.outbox[-1].body


def test_a_code_can_be_sent_again_and_the_old_one_is_void():
    browser = Client()
    where = ask(browser, "new@example.org", next="/guide/")
    first = code()
    again = browser.post(where, {"action": "resend", "next": "/guide/"})
    assert (len(mail.outbox), again.url) == (2, where)
    assert "A new code is on its way" in text(browser.get(where))
    assert first != code()
    assert browser.post(where, {"code": first}).status_code == 200
    assert browser.post(where, {"code": code(), "next": "/guide/"}).url == "/guide/"


def test_another_address_can_be_given_while_a_code_is_on_its_way():
    browser = Client()
    where = ask(browser, "wrong@example.org", next="/guide/")
    door = re.search(r'href="([^"]+)">Another address', browser.get(where).content.decode()).group(1)
    page = browser.get(door)
    assert 'name="next" value="/guide/"' in page.content.decode()
    where = ask(browser, "right@example.org", next="/guide/")
    assert mail.outbox[-1].to == ["right@example.org"]
    assert browser.post(where, {"code": code(), "next": "/guide/"}).url == "/guide/"
    assert browser.get("/me/").wsgi_request.user.email == "right@example.org"


def test_an_expired_code_leads_back_to_the_door_with_the_way_on(monkeypatch):
    browser = Client()
    where = ask(browser, "new@example.org", next="/guide/")
    session = browser.session
    session["account_login"]["state"]["stages"]["login_by_code"]["data"]["at"] -= 3600
    session.save()
    answer = browser.post(where, {"code": code(), "next": "/guide/"}, follow=True)
    assert "This code has expired" in text(answer)
    assert 'name="next" value="/guide/"' in answer.content.decode()


def test_too_many_wrong_codes_lead_back_to_the_door_with_the_way_on():
    browser = Client()
    where = ask(browser, "new@example.org", next="/guide/")
    answers = [browser.post(where, {"code": "XXXXXX", "next": "/guide/"}, follow=True) for _ in range(3)]
    assert 'name="next" value="/guide/"' in answers[-1].content.decode()
    assert 'name="email"' in answers[-1].content.decode()
    assert "Those were too many wrong codes. Ask for a new one." in text(answers[-1])
    assert "Wait" not in text(answers[-1])
    browser.post(ask(browser, "new@example.org"), {"code": code()})
    assert browser.get("/me/").status_code == 200  # a new code is sent and taken at once


def test_the_zone_of_the_browser_is_taken_unless_one_is_chosen():
    for _ in range(2):
        browser = Client()
        where = ask(browser, "new@example.org", time_zone="Europe/Berlin")
        browser.post(where, {"code": code()})
        user = User.objects.get(email="new@example.org")
        assert user.time_zone == "Europe/Berlin"
    User.objects.update(time_zone="Asia/Tokyo")
    browser = Client()
    browser.post(ask(browser, "new@example.org", time_zone="Europe/Berlin"), {"code": code()})
    assert User.objects.get().time_zone == "Asia/Tokyo"


def test_a_zone_that_is_none_is_no_matter():
    browser = Client()
    browser.post(ask(browser, "new@example.org", time_zone="Mars/Olympus"), {"code": code()})
    assert User.objects.get().time_zone == ""


def test_only_confirmed_addresses_are_kept():
    browser = Client()
    browser.post(ask(browser, "real@example.org"), {"code": code()})
    ask(Client(), "typo@example.org")
    User.objects.create_user("operator@example.org", is_staff=True)
    User.objects.update(date_joined=timezone.now() - timedelta(days=3))
    ask(Client(), "fresh@example.org")
    newcomers.forget_unconfirmed()
    assert set(User.objects.values_list("email", flat=True)) == {
        "real@example.org",
        "operator@example.org",
        "fresh@example.org",
    }


def test_a_closed_account_is_not_opened_again_by_its_address():
    User.objects.create_user("gone@example.org", is_active=False)
    browser = Client()
    where = ask(browser, "gone@example.org")
    assert "Type the code" in text(browser.get(where))
    assert "no code" in mail.outbox[-1].body
    assert browser.post(where, {"code": "XXXXXX"}).status_code == 200


def test_a_password_still_opens_the_door():
    User.objects.create_user("old@example.org", "a good long one").emailaddress_set.create(
        email="old@example.org", verified=True, primary=True
    )
    answer = Client().post(
        "/account/login/", {"login": "old@example.org", "password": "a good long one", "next": "/guide/"}
    )
    assert answer.url == "/guide/"


def test_who_resets_the_password_of_no_account_is_told_so_and_of_none_that_was(client):
    client.post("/account/password/reset/", {"email": "nobody@example.org"})
    told = mail.outbox[-1]
    assert told.to == ["nobody@example.org"]
    assert "No account that is open on this site has it" in " ".join(told.body.split())

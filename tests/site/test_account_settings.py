"""What is mine: taking my data along, closing the account, changing the address, sessions, a second factor."""

import json
import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from pagewords import fresh_code, text
from test_accounts import code

from nomopoly.site.accounts import address, closing, takeout
from nomopoly.site.order.models import Complaint
from nomopoly.site.post import office
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Membership

User = get_user_model()
CLOSE = "/settings/close/"
DATA = "/settings/data/"


def seat(client, game):
    return Membership.objects.get(game=game, user=client.user)


def log_in_by_code(address):
    browser = Client()
    asked = browser.post("/account/login/code/", {"email": address})
    return browser, browser.post(asked.url, {"code": code()})


# ---- the way there


@pytest.mark.parametrize(
    "path",
    ["/account/email/", "/account/password/change/", "/account/2fa/", "/account/sessions/", DATA, CLOSE],
)
def test_everything_is_reached_from_the_settings(people, path):
    assert f'href="{path}"' in people("ann").get("/settings/").content.decode()
    assert 'href="/settings/" aria-current="page"' in people("ann").get("/settings/").content.decode()
    assert people("ann").get(path, follow=True).status_code == 200
    assert Client().get(path).url.startswith("/account/login/")


# ---- my data


def test_my_data_is_all_there(ann, keeper, game):
    domain.order(game, "Ann", "propose", {"title": "Rent", "text": "Let there be rent."})
    ann.post("/g/friday/proposals/1/comment/", {"body": "Mine is good"})
    ann.post("/g/friday/proposals/new/", {"save": "1", "title": "Not finished"})
    ann.post("/settings/", {"time_zone": "Europe/Berlin"})
    ann.get("/g/friday/")
    answer = ann.get(DATA)
    assert answer["Content-Disposition"] == 'attachment; filename="nomopoly-my-data.json"'
    told = json.loads(answer.content)
    assert told["account"]["email"] == "ann@example.org"
    assert told["account"]["time_zone"] == "Europe/Berlin"
    assert told["addresses"] == [{"email": "ann@example.org", "verified": True, "primary": True}]
    assert [(each["game"], each["player"], each["status"]) for each in told["games"]] == [("friday", "Ann", "approved")]
    assert [(each["do"], each["args"]["title"]) for each in told["games"][0]["orders"]] == [("propose", "Rent")]
    assert [each["body"] for each in told["comments"]] == ["Mine is good"]
    assert [each["fields"]["title"] for each in told["drafts"]] == ["Not finished"]
    assert [each["game"] for each in told["visits"]] == ["friday"]
    assert json.loads(keeper.get(DATA).content)["offices"][0]["game"] == "friday"


def test_my_data_is_mine_alone(ann, bob, keeper, game):
    domain.order(game, "Bob", "propose", {"title": "Bobs own idea"})
    bob.post("/g/friday/proposals/new/", {"save": "1", "title": "Bobs secret draft"})
    offered = domain.order(game, "Bob", "trade", {"with": "Ann", "give": {"money": 60}, "take": {"squares": ["#8"]}})
    assert offered.refused
    Authenticator.objects.create(user=ann.user, type="totp", data={"secret": "TOPSECRET"})
    for told in (ann.get(DATA).content.decode(), keeper.get(DATA).content.decode()):
        assert "Bobs" not in told
        assert "bob@example.org" not in told
        assert game.secret not in told
        assert game.invitation not in told
        assert "TOPSECRET" not in told
        assert "password" not in told


def test_every_table_that_knows_a_user_is_in_the_file_or_left_out_for_a_reason():
    """Who adds a table of users decides in accounts/takeout.py whether its rows go into the download."""
    known = {table for table, _, _ in takeout.OWN} | set(takeout.APART)
    ours = {
        model._meta.label_lower
        for model in apps.get_models()
        if model.__module__.startswith("nomopoly.")
        for field in model._meta.concrete_fields
        if field.related_model is User
    }
    assert ours == known


# ---- closing


def close(client, **more):
    return client.post(CLOSE, {"words": "name", "confirm": client.user.email} | more, follow=True)


def test_closing_wants_the_address_typed_in(ann, game):
    page = ann.get(CLOSE)
    assert "Friday" in text(page)
    refused = close(ann, confirm="someone@example.org")
    assert "That is not the address of this account" in text(refused)
    assert 'value="someone@example.org"' in refused.content.decode()
    assert seat(ann, game).status == "approved"
    assert User.objects.filter(email="ann@example.org").exists()


def test_closing_leaves_the_games_and_erases_the_account(ann, game):
    elsewhere = log_in_by_code("ann@example.org")[0]
    assert elsewhere.get("/me/").status_code == 200
    domain.order(game, "Ann", "propose", {"title": "Rent"})
    ann.post("/g/friday/proposals/1/comment/", {"body": "Stays here"})
    number = seat(ann, game).pk
    mail.outbox.clear()
    answer = close(ann, confirm=" Ann@Example.org ")
    assert "Your account is closed" in text(answer)
    assert not User.objects.filter(email__icontains="ann@").exists()
    for browser in (ann, elsewhere):
        assert browser.get("/me/").status_code == 302
    left = Membership.objects.get(pk=number)
    assert (left.user_id, left.player, left.status) == (None, "Ann", "left")
    assert "Ann" not in live.of(game).view("visitor")["things"]
    page = text(Client().get("/g/friday/proposals/1/"))
    assert "Stays here" in page
    assert re.search(r"Ann \s*,", page)
    assert "Ann" in text(Client().get("/g/friday/players/"))
    assert [each.to for each in mail.outbox] == [["ann@example.org"]]
    assert "your account is closed" in mail.outbox[0].subject


def test_closing_erases_the_mails_that_went_to_the_address(ann, game):
    """Invitations from before the account are nobody's rows."""
    for to in ("ann@example.org", "Ann@example.org", "joann@example.org"):
        office.put(to, "You are invited", "Come in")
    close(ann, confirm="ann@example.org")
    assert [each.to for each in Letter.objects.all()] == ["joann@example.org"]


def test_closing_ends_the_offer_of_an_office(people, game):
    """The address stayed with the game that had offered it."""
    domain.offer_office(game, "Eve@example.org")
    close(people("eve"))
    game.refresh_from_db()
    assert game.successor == ""


def test_closing_ends_the_invitations_in_ones_name(keeper, ann, game):
    """“Kay invites you” stood above the way into a game by the table."""
    domain.change_game(game, admin=None, office="table", host="Kay")
    close(keeper)
    game.refresh_from_db()
    assert (game.starter, game.host) == (ann.user, "")


def test_closing_twice_finds_nobody(ann):
    page = {"words": "name", "confirm": "ann@example.org"}
    assert ann.post(CLOSE, page).status_code == 303
    assert ann.post(CLOSE, page).url.startswith("/account/login/")


def test_closing_takes_the_name_off_ones_words_if_wanted(ann, bob, game):
    domain.order(game, "Bob", "propose", {"title": "Rent"})
    ann.post("/g/friday/proposals/1/comment/", {"body": "By whom?"})
    bob.post("/g/friday/proposals/1/comment/", {"body": "By me"})
    close(ann, words="former")
    page = text(Client().get("/g/friday/proposals/1/"))
    assert "Former player" in page
    assert re.search(r"Bob \s*,", page)
    assert not re.search(r"Ann \s*,", page)


def test_whatever_people_say_can_lose_its_name():
    """Who adds a table of talk adds it to TALK in accounts/closing.py."""
    talk = {
        model
        for model in apps.get_models()
        if model.__module__.startswith("nomopoly.")
        and (
            {"user", "name"} <= (names := {field.name for field in model._meta.concrete_fields})
            and names & {"body", "title"}
        )
    }
    assert talk == set(closing.TALK)


def test_closing_works_in_a_pause_and_after_the_end(ann, bob, game):
    domain.desk_act(game, "pause", {"because": "holidays"})
    close(ann)
    assert "Ann" not in live.of(game).view("visitor")["things"]
    domain.desk_act(game, "resume", {})
    domain.desk_act(game, "declare-winner", {"because": "enough"})
    number = seat(bob, game).pk
    assert "Your account is closed" in text(close(bob))
    assert Membership.objects.get(pk=number).user_id is None
    assert "Bob" in live.of(game).view("visitor")["things"]


def test_a_wish_to_join_is_taken_back(people, game, keeper):
    eve = people("eve")
    domain.ask_to_join(game, eve.user, "Eve")
    close(eve)
    assert "Eve" not in text(keeper.get("/g/friday/admin/"))
    assert not [each for each in live.of(game).view("admin")["things"].values() if each["kind"] == "applicant"]
    assert "The Admin: decline" not in text(keeper.get("/g/friday/log/"))


def test_no_rule_holds_a_player_whose_account_is_closed(ann, game):
    held = {
        "enact": "X.1",
        "text": "Nobody goes.",
        "code": '@check("remove")\ndef stay(e):\n    return "nobody goes"\n',
    }
    domain.order(game, "Ann", "propose", {"title": "Stay", "changes": [held]})
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    assert "did not let go" not in text(close(ann))
    assert not User.objects.filter(email="ann@example.org").exists()
    assert "Ann" not in live.of(game).view("visitor")["things"]


def test_the_admin_hands_over_or_confirms(keeper, ann, game):
    page = keeper.get(CLOSE)
    assert "stay without an Admin" in text(page)
    assert 'href="/g/friday/admin/"' in page.content.decode()
    assert "Hand over the office first" in text(close(keeper))
    game.refresh_from_db()
    assert game.admin_id == keeper.user.pk
    close(keeper, no_admin="on")
    game.refresh_from_db()
    assert game.admin is None
    assert Client().get("/g/friday/").status_code == 200
    assert ann.post("/g/friday/act/propose/", {"title": "Still here"}).status_code == 303


def test_the_office_of_a_game_that_is_over_binds_nobody(keeper, game):
    domain.desk_act(game, "declare-winner", {"because": "enough"})
    assert "stay without an Admin" not in text(keeper.get(CLOSE))
    close(keeper)
    assert not User.objects.exists()


def test_who_has_a_password_types_it_before_leaving_for_good(ann, game):
    ann.user.set_password("a good long one")
    ann.user.save()
    browser = Client()
    assert (
        browser.post("/account/login/", {"login": "ann@example.org", "password": "a good long one"}).status_code == 303
    )
    asked = browser.get(CLOSE)
    assert asked.url.startswith("/account/reauthenticate/")
    assert browser.get(DATA).url.startswith("/account/reauthenticate/")
    answer = browser.post(asked.url, {"password": "a good long one", "next": CLOSE})
    assert answer.url == CLOSE
    assert "Close the account" in text(browser.get(CLOSE))


# ---- the address


def test_a_new_address_is_confirmed_by_a_code_and_the_old_one_is_told(people):
    browser = people("ann")
    mail.outbox.clear()
    assert "then the old one is told" in text(browser.get("/account/email/"))
    answer = browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert [each.to for each in mail.outbox] == [["ann@example.org"]]
    assert "change its address to new@example.org" in mail.outbox[-1].body
    wrong = browser.post(answer.url, {"code": "XXXXXX"})
    assert "That is not the code" in text(wrong)
    assert len(mail.outbox) == 1
    answer = browser.post(answer.url, {"code": code()})
    assert [each.to for each in mail.outbox] == [["ann@example.org"], ["new@example.org"]]
    browser.user.refresh_from_db()
    assert browser.user.email == "ann@example.org"
    assert browser.post(answer.url, {"code": "XXXXXX"}).status_code == 200
    answer = browser.post(answer.url, {"code": code()})
    assert answer.status_code == 303
    browser.user.refresh_from_db()
    assert browser.user.email == "new@example.org"
    assert list(browser.user.emailaddress_set.values_list("email", "primary", "verified")) == [
        ("new@example.org", True, True)
    ]
    notice = mail.outbox[-1]
    assert notice.to == ["ann@example.org"]
    assert "from ann@example.org to new@example.org" in notice.body


def test_a_code_for_the_present_address_holds_for_three_tries_and_ten_minutes(people, monkeypatch):
    browser = people("ann")
    for _ in range(address.MOST_TRIES):
        browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
        sent = code()
        for _ in range(address.MOST_TRIES):
            over = browser.post("/account/email/present/", {"code": "XXXXXX"})
        assert over.url == "/account/email/"
        assert browser.post("/account/email/present/", {"code": sent}).url == "/account/email/"
    browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    sent, now = code(), time.time()
    monkeypatch.setattr(address.time, "time", lambda: now + address.HOLDS + 1)
    late = browser.post("/account/email/present/", {"code": sent}, follow=True)
    assert "This code has expired" in text(late)
    browser.user.refresh_from_db()
    assert browser.user.email == "ann@example.org"
    assert {tuple(each.to) for each in mail.outbox} == {("ann@example.org",)}


def test_who_has_just_logged_in_with_a_code_reads_the_present_address(client, people):
    people("ann")
    answer = client.post("/account/login/code/", {"email": "ann@example.org"})
    client.post(answer.url, {"code": code()})
    mail.outbox.clear()
    client.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert [each.to for each in mail.outbox] == [["new@example.org"]]


def test_an_address_of_somebody_else_is_not_taken_and_not_told(people):
    people("bob")
    browser = people("ann")
    mail.outbox.clear()
    taken = browser.post("/account/email/", {"action_add": "", "email": "bob@example.org"})
    free = people("ann").post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert (taken.status_code, taken.url) == (free.status_code, free.url)
    browser.user.refresh_from_db()
    assert browser.user.email == "ann@example.org"


def test_what_is_no_address_is_said(people):
    answer = people("ann").post("/account/email/", {"action_add": "", "email": "not an address"})
    assert "valid email address" in text(answer)


def test_who_has_a_password_types_it_before_changing_the_address(people):
    browser = people("ann")
    browser.user.set_password("a good long one")
    browser.user.save()
    browser.force_login(browser.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    mail.outbox.clear()
    answer = browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert answer.url.startswith("/account/reauthenticate/")
    assert mail.outbox == []


# ---- sessions


def test_sessions_are_listed_and_the_others_ended(people):
    people("ann")
    here, there = log_in_by_code("ann@example.org")[0], log_in_by_code("ann@example.org")[0]
    page = here.get("/account/sessions/")
    assert len(json.loads(here.get(DATA).content)["sessions"]) == 2
    assert text(page).count("127.0.0.1") == 2
    assert "Current" in text(page)
    here.post("/account/sessions/")
    assert here.get("/me/").status_code == 200
    assert there.get("/me/").status_code == 302


# ---- a second factor


def test_a_second_factor_is_asked_for_once_it_is_set_up(people):
    browser = people("ann")
    page = browser.get("/account/2fa/totp/activate/")
    assert page.status_code == 200
    secret = browser.session[totp.SECRET_SESSION_KEY]
    assert secret in page.content.decode()
    assert browser.post("/account/2fa/totp/activate/", {"code": fresh_code(secret)}).status_code == 303
    assert Authenticator.objects.filter(user=browser.user, type="totp").exists()
    assert mail.outbox[-1].to == ["ann@example.org"]
    again, answer = log_in_by_code("ann@example.org")
    assert answer.url.startswith("/account/2fa/authenticate/")
    assert again.get("/me/").status_code == 302
    assert again.post(answer.url, {"code": "000000"}).status_code == 200
    assert again.get("/me/").status_code == 302


def test_who_has_just_set_up_a_second_factor_sees_the_recovery_codes_at_once(people):
    browser = people("ann")
    browser.get("/account/2fa/totp/activate/")
    secret = browser.session[totp.SECRET_SESSION_KEY]
    seen = browser.post("/account/2fa/totp/activate/", {"code": fresh_code(secret)}, follow=True)
    assert [each for each, _ in seen.redirect_chain] == ["/account/2fa/recovery-codes/"]
    spare = Authenticator.objects.get(user=browser.user, type="recovery_codes").wrap().get_unused_codes()
    assert spare[0] in seen.content.decode()


def test_a_recovery_code_opens_the_door_once(people):
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    browser = people("ann")
    Authenticator.objects.create(user=browser.user, type="totp", data={"secret": totp.generate_totp_secret()})
    spare = RecoveryCodes.activate(browser.user).generate_codes()[0]
    for expected in (200, 302):
        mail.outbox.clear()
        again, answer = log_in_by_code("ann@example.org")
        again.post(answer.url, {"code": spare})
        assert again.get("/me/").status_code == expected


def test_who_has_lost_their_second_factor_reads_that_a_recovery_code_does(people):
    ann = people("ann").user
    Authenticator.objects.create(user=ann, type="totp", data={"secret": totp.generate_totp_secret()})
    again, answer = log_in_by_code("ann@example.org")
    assert "or one of your recovery codes" in text(again.get(answer.url))


def test_a_passkey_form_that_is_sent_by_enter_says_what_to_press(people):
    browser = people("ann")
    browser.get("/account/2fa/webauthn/add/")
    assert "There is no key yet. Press the button" in text(
        browser.post("/account/2fa/webauthn/add/", {"name": "Phone"})
    )


def test_a_game_whose_admin_is_gone_says_so(keeper, ann, game):
    domain.change_game(game, host="Kay")
    wish = Complaint.objects.create(game=game, user=ann.user, sort="name", about="Bob", because="Rude")
    refused = close(keeper)
    assert "tick that these games stay without an Admin" in text(refused)
    close(keeper, no_admin="on")
    game.refresh_from_db()
    assert (game.admin, game.host) == (None, "")
    assert "Without an Admin now." in text(ann.get("/g/friday/"))
    assert "Nobody is the Admin of this game now" in text(ann.get("/g/friday/about/"))
    assert "The Admin of this game has left" in text(ann.get("/g/friday/log/"))
    wish.refresh_from_db()
    assert wish.for_operator

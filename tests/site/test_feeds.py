"""Calendars and feeds: public moments for all, one's own at a secret address that can be renewed."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from icalendar import Calendar
from pagewords import grant, seated, text, token

from nomopoly.site.accounts.models import FeedAddress
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
FEEDS = "/settings/feeds/"
RULES = """attribute("player", "nap", None, label="Nap, until; then", type="moment", show="owner")
calendar("bell", weekday=0, hour=9)
calendar("gong", weekday=1, hour=9, real=True)
event("bell")
event("gong")
event("tea-time", answers="")


@action("ask-me", "Ask me", private=True)
def ask_me(e):
    ask(e.who, "Tea or coffee?", ("tea", "coffee"), then="tea-time", default="tea", by=now() + days(1))
"""


@pytest.fixture
def moments(game, ann):
    """An option of Ann's on #5, a nap that only she knows of, a question to her, and a bell on Mondays at 9."""
    changes = [{"enact": "X.1", "text": "There are naps.", "code": RULES}]
    assert domain.order(game, "Ann", "propose", {"title": "Naps", "changes": changes}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    at = {"option": live.now() + 86400, "nap": live.now() + 7200}
    grant(game, "#5", "name", "Elm; Court, " + "x" * 80)
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", at["option"])
    grant(game, "Ann", "nap", at["nap"])
    assert domain.order(game, "Ann", "ask-me", {}).ok
    return at


def events(answer):
    """The file as another program reads it: {summary: moment}."""
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answer["Cache-Control"]
    body = answer.content
    assert body.endswith(b"END:VCALENDAR\r\n")
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    assert b"\n" not in body.replace(b"\r\n", b"")
    calendar = Calendar.from_ical(body)
    assert calendar["version"] == "2.0"
    assert calendar["prodid"]
    assert calendar.subcomponents, "RFC 5545 wants at least one part"
    found = calendar.walk("VEVENT")
    assert all(event["uid"] and event["dtstamp"] for event in found)
    assert len({event["uid"] for event in found}) == len(found)
    return {str(event["summary"]): event for event in found}


def secret_address(browser):
    browser.post(FEEDS, {"do": "renew"})
    return f"/feeds/{FeedAddress.objects.get(user=browser.user).token}/"


def test_the_public_calendar_is_the_same_for_all(ann, keeper, moments):
    assert f'href="{AT}calendar.ics"' in ann.get(AT).content.decode()
    for reader in (ann, keeper, Client()):
        found = events(reader.get(f"{AT}calendar.ics"))
        option = next(event for name, event in found.items() if "#5" in name)
        assert str(option["summary"]).startswith("Friday: #5 Elm; Court, xxx")
        assert option["dtstart"].dt.timestamp() == moments["option"]
        assert option["url"] == "http://testserver/g/friday/squares/5/"
        assert not any("Nap" in name or "Tea" in name for name in found)


def test_what_comes_every_week_is_in_it_until_a_pause(game, moments):
    calendar = Calendar.from_ical(Client().get(f"{AT}calendar.ics").content)
    bells = [event["dtstart"].dt for event in calendar.walk("VEVENT") if event["summary"] == "Friday: Bell"]
    assert len(bells) == 8
    assert {(bell.weekday(), bell.hour, bell.minute) for bell in bells} == {(0, 9, 0)}
    assert bells[0].timestamp() > live.now()
    domain.desk_act(game, "pause", {"because": "holidays"})
    found = events(Client().get(f"{AT}calendar.ics"))
    assert {str(event["status"]) for event in found.values()} == {"TENTATIVE"}
    assert "Friday: Bell" not in found
    assert "Friday: Gong" in found, "what goes by the real calendar goes on in a pause"
    domain.desk_act(game, "resume", {})
    domain.desk_act(game, "declare-winner", {"because": "enough"})
    assert events(Client().get(f"{AT}calendar.ics")) == {}


def test_a_private_game_has_no_calendar_for_others(ann, game, moments):
    domain.change_game(game, visibility="private")
    assert Client().get(f"{AT}calendar.ics").status_code == 404
    assert events(Client().get(secret_address(ann) + "calendar.ics"))


def test_own_moments_at_a_secret_address(ann, people, game, moments):
    found = events(Client().get(secret_address(ann) + "calendar.ics"))
    assert found["Friday: Ann: nap, until; then"]["dtstart"].dt.timestamp() == moments["nap"]
    assert found["Friday: You may buy #5"]["dtstart"].dt.timestamp() == moments["option"]
    assert "Friday: Tea or coffee?" in found
    assert not any("Bell" in name for name in found)
    bob = people("bob")
    seated(game, bob, "Bob")
    assert not any(
        "nap" in name or "Tea" in name for name in events(Client().get(secret_address(bob) + "calendar.ics"))
    )


def test_the_log_as_one_sees_it(ann, game, moments):
    public = Client().get(f"{AT}log/feed.atom").content.decode()
    own = Client().get(secret_address(ann) + "friday/log.atom")
    assert own["Content-Type"].startswith("application/atom+xml")
    for feed in (public, own.content.decode()):  # what RFC 4287 asks of a feed
        for name in ("id", "title", "updated", "author"):
            assert ElementTree.fromstring(feed).find(f"{{http://www.w3.org/2005/Atom}}{name}") is not None, name
    assert own.content.decode().count("<entry>") == public.count("<entry>") + 2  # the nap, and the question
    ids = re.findall(r"<id>([^<]*)</id>", own.content.decode())
    assert len(ids) == len(set(ids))
    assert Client().get(secret_address(ann) + "nothing/log.atom").status_code == 404


def test_addresses_are_renewed_and_closed(ann):
    page = ann.get(FEEDS)
    assert "You have no secret addresses" in text(page)
    assert not FeedAddress.objects.exists()
    sent = {"do": "renew", "once": token(page)}
    ann.post(FEEDS, sent)
    first = FeedAddress.objects.get().token
    ann.post(FEEDS, sent)
    assert FeedAddress.objects.get().token == first
    page = ann.get(FEEDS)
    assert f"http://testserver/feeds/{first}/calendar.ics" in text(page)
    assert f"http://testserver/feeds/{first}/friday/log.atom" in text(page)
    assert "Renew this address" in text(page)
    second = secret_address(ann)
    assert first not in second
    assert Client().get(f"/feeds/{first}/calendar.ics").status_code == 404
    assert Client().get(second + "calendar.ics").status_code == 200
    ann.post(FEEDS, {"do": "close"})
    assert Client().get(second + "calendar.ics").status_code == 404
    assert Client().get(second + "friday/log.atom").status_code == 404


def test_who_is_shut_out_has_no_feeds(ann):
    at = secret_address(ann)
    ann.user.is_active = False
    ann.user.save()
    assert Client().get(at + "calendar.ics").status_code == 404


def test_settings_and_what_waits_lead_there(ann):
    for page in ("/settings/", "/me/"):
        assert f'href="{FEEDS}"' in ann.get(page).content.decode()
    assert Client().get(FEEDS).status_code == 302
    assert "Disallow: /feeds/" in Client().get("/robots.txt").content.decode()


def test_a_program_that_fetches_a_feed_is_nobody_who_is_there(ann, game):
    code = """attribute("player", "last_login", None, type="moment")


@action("log-in", "Log in", hidden=True)
def log_in(e):
    put(e.who, "last_login", now())
"""
    changes = [{"enact": "X.1", "text": "Who is here is noted.", "code": code}]
    assert domain.order(game, "Ann", "propose", {"title": "Here", "changes": changes}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    at, n = secret_address(ann), live.of(game).n
    Client().get(at + "friday/log.atom")
    Client().get(at + "calendar.ics")
    assert live.of(game).n == n
    ann.get(AT)
    assert live.of(game).n == n + 1


def test_control_characters_are_no_part_of_the_feed(ann, game):
    assert domain.desk_act(game, "rule", {"text": "So\x01 it\x1f is\ufffe and\rso\x0b on"}).ok
    answer = Client().get(f"{AT}log/feed.atom")
    assert answer.status_code == 200
    assert "So it is and so on" in answer.content.decode()
    assert ElementTree.fromstring(answer.content) is not None

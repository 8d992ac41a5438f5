"""Moments with their zones: the reader's, and the game's beside it where they differ; UTC where moments are
compared."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import testclock
from django.test import Client
from pagewords import accept, propose, seated, text

from nomopoly.site.notices import mailing, making
from nomopoly.site.notices.models import Notice, Wish
from nomopoly.site.play import words
from nomopoly.site.play.models import Comment
from nomopoly.site.post import office
from nomopoly.site.post.models import Mailbox
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Membership

ZONED = re.compile(r"\d{4} \d\d:\d\d (?:UTC|[A-Z]{3,4})")


@pytest.fixture
def berlin(keeper):
    """A game in Berlin."""
    return domain.start_game(keeper.user, edition="ii", title="Zoned", slug="zoned", time_zone="Europe/Berlin")


@pytest.fixture
def in_utc(people):
    """The browser of somebody who has chosen UTC."""
    reader = people("eve")
    reader.user.time_zone = "UTC"
    reader.user.save()
    return reader


WRITTEN = r"\w+ \d+ \w+ \d{4} \d\d:\d\d"


def test_who_has_no_zone_reads_the_time_of_the_game(berlin, people):
    assert not people("eve").user.time_zone
    for reader in (Client(), people("eve")):
        coming = text(reader.get("/g/zoned/")).partition("Coming up")[2].partition("As a calendar")[0]
        assert re.search(r"A new week \w+ \d+ \w+ \d{4} 00:00 CES?T \(in ", coming)
        assert "UTC" not in coming
        assert "in the game" not in coming


def test_a_browser_says_its_zone_by_a_cookie(berlin):
    reader = Client()
    assert b'zone.js" data-cookie="zone"' in reader.get("/g/zoned/").content
    reader.cookies["zone"] = "America/New_York"
    page = reader.get("/g/zoned/")
    assert b'data-cookie="' not in page.content
    coming = text(page).partition("Coming up")[2]
    assert re.search(rf"A new week {WRITTEN} E[SD]T \(in [^)]*\) {WRITTEN} CES?T in the game", coming)


@pytest.mark.parametrize("said", ["", "Nowhere/Town", "../../etc/passwd", "America", "x" * 3000, "a\\0b"])
def test_what_is_no_zone_is_no_matter(berlin, said):
    reader = Client()
    reader.cookies["zone"] = said
    page = reader.get("/g/zoned/")
    assert page.status_code == 200
    assert re.search(rf"A new week {WRITTEN} CES?T", text(page))


def test_the_zone_of_an_account_counts_more_than_that_of_the_browser(berlin, in_utc):
    in_utc.cookies["zone"] = "America/New_York"
    assert re.search(rf"A new week {WRITTEN} UTC", text(in_utc.get("/g/zoned/")))


def test_what_is_to_come_is_told_in_the_time_of_the_game_too(berlin, in_utc):
    coming = text(in_utc.get("/g/zoned/")).partition("Coming up")[2]
    assert re.search(
        r"A new week \w+ \d+ \w+ \d{4} 2[23]:00 UTC \(in [^)]*\) \w+ \d+ \w+ \d{4} 00:00 CES?T in the game", coming
    )


@pytest.mark.parametrize("path", ["log/", "players/Ann/account/", "answers/"])
def test_a_day_that_one_types_is_one_of_the_game_and_the_page_says_so(berlin, people, path):
    """To who reads by another clock; the moments beside it are in theirs."""
    reader = people("ann")
    seated(berlin, reader, "Ann")
    for zone, told in (("America/New_York", True), ("Europe/Berlin", False), ("", False)):
        reader.user.time_zone = zone
        reader.user.save()
        page = reader.get(f"/g/zoned/{path}")
        assert page.status_code == 200
        assert ("In the time zone of the game: Europe/Berlin" in text(page)) is told, zone


def test_where_both_have_one_zone_it_is_told_once(keeper):
    domain.start_game(keeper.user, edition="ii", title="Here", slug="here", time_zone="UTC")
    assert "in the game" not in text(Client().get("/g/here/")).partition("Coming up")[2].partition("As a calendar")[0]


def test_moments_that_are_compared_are_there_in_utc(berlin, in_utc):
    page = text(in_utc.get("/g/zoned/rules/diff/", {"from": "start"}))
    assert re.search(r"UTC \w+ \d+ \w+ \d{4} \d\d:\d\d UTC to \w+ \d+ \w+ \d{4} \d\d:\d\d UTC", page)


def test_talk_says_its_zone(game, ann):
    propose(game)
    ann.post("/g/friday/proposals/1/comment/", {"body": "Well."})
    written = Comment.objects.get().written
    assert f"{written:%-d} {written:%B} {written:%Y} {written:%H:%M} UTC Well." in text(
        Client().get("/g/friday/proposals/1/")
    )


def test_the_overview_says_who_runs_the_game(game, keeper):
    assert "Run by an Admin." in text(Client().get("/g/friday/"))
    domain.change_game(game, host="Keeper K.")
    assert "Admin: Keeper K." in text(Client().get("/g/friday/"))


NAMED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d [\w/]+")  # as the game says a moment


@pytest.fixture
def option(start_second, people):
    """A game in Berlin, in which Ann has come by an option: (her browser, the entry, the fact)."""
    game, _ = start_second("Ann", "Ben", slug="zoned", edition="original", zone="Europe/Berlin")
    ann = people("ann")
    ann.user.time_zone = "America/New_York"
    ann.user.save()
    for number in range(1, 6):  # whoever proposes what is accepted takes a turn
        propose(game)
        accept(game, f"P{number}")
    entries = list(live.of(game).facts("visitor"))
    found = [(entry, fact) for entry in entries for fact in entry["facts"] if fact.get("event") == "option"]
    assert found, [entry["do"] for entry in entries]
    return ann, *found[-1]


def test_a_moment_within_a_sentence_of_the_log_is_in_the_readers_zone(option):
    ann, entry, fact = option
    here = datetime.fromtimestamp(fact["until"], ZoneInfo("America/New_York"))
    said = f"{here:%a} {here.day} {here:%B} {here:%Y} {here:%H:%M} {here:%Z}"
    told = f'until <span class="in-words"><time datetime="{here.isoformat()}">{said}</time></span>'
    for path in ("log/", f"log/{entry['number']}/"):
        page = ann.get(f"/g/zoned/{path}")
        assert told in page.content.decode(), path
        assert not NAMED.search(text(page))


def test_the_api_and_the_feed_keep_the_clock_of_the_game(option):
    ann, entry, fact = option
    said = f"until {datetime.fromtimestamp(fact['until'], ZoneInfo('Europe/Berlin')):%Y-%m-%d %H:%M} Europe/Berlin"
    assert said in fact["say"]
    assert said in ann.get(f"/api/v1/g/zoned/log/{entry['number']}").json()["say"]
    assert said in ann.get("/g/zoned/log/feed.atom").content.decode()


def test_a_moment_that_is_no_field_of_its_fact_stays_as_it_was_typed():
    typed = "Ann says: 2026-12-02 22:28 Europe/Berlin, 2026-12-02 22:28 ../../etc"
    assert words.moments_in(typed, {"until": 5, "text": typed}, "Europe/Berlin") == {}
    there = int(datetime(2026, 12, 2, 22, 28, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    found = words.moments_in(typed, {"until": there}, "Europe/Berlin")
    assert list(found) == ["2026-12-02 22:28 Europe/Berlin"]
    assert "21:28 UTC</time>" in found["2026-12-02 22:28 Europe/Berlin"]


def test_an_update_is_named_by_the_day_of_the_game_too(start_second, people):
    game, go = start_second("Ann", "Ben", zone="Europe/Berlin")
    go(4)
    ann = people("ann")
    ann.user.time_zone = "America/New_York"
    ann.user.save()
    both = r"Update 1 ?, Wed \d+ \w+ \d{4} \d\d:\d\d E[SD]T Thu \d+ \w+ \d{4} 00:00 CES?T in the game"
    for path in ("log/", "log/week/1/"):
        assert re.search(both, text(ann.get(f"{game.address}{path}")))


ZONES = pytest.mark.parametrize(("zone", "here"), [("", "Europe/Berlin"), ("America/New_York", "America/New_York")])


@ZONES
@pytest.mark.parametrize("how", ["mail", "digest"])
def test_a_mail_tells_of_a_deadline_by_the_readers_clock_or_by_the_games(
    start_second, people, told, mailoutbox, zone, here, how
):
    game, go = start_second("Ann", "Ben", zone="Europe/Berlin")
    ann = people("ann").user
    ann.time_zone = zone
    ann.save()
    told()
    Wish.objects.create(user=ann, game=None, kind="news", how=how)
    until = live.now() + 10 * 86_400
    Notice.objects.all().delete()
    Notice.objects.create(
        user=ann,
        game=game,
        kind="news",
        cause="x",
        text="Look",
        path="",
        until=until,
        made=live.present(),
        due=live.present(),
    )
    del mailoutbox[:]
    office.box_of(ann)
    Mailbox.objects.filter(user=ann).update(digest_hour=0)
    go(1)
    told()
    (mail,) = [each for each in mailoutbox if each.to == ["ann@example.org"]]
    assert f"(until {datetime.fromtimestamp(until, ZoneInfo(here)):%a %-d %B %Y %H:%M %Z})" in mail.body


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])
def test_the_daily_mail_is_that_of_the_day_on_which_it_was_looked_for(game, ann, zone):
    """Midnight comes between the look and the mail: the next day has its own all the same."""
    user = ann.user
    user.time_zone = zone
    user.save()
    Wish.objects.create(user=user, game=None, kind="news", how="digest")
    office.box_of(user)
    Mailbox.objects.filter(user=user).update(digest_hour=18)
    today = datetime.fromtimestamp(live.now(), ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    midnight = today + timedelta(days=1)
    last = datetime.fromtimestamp(midnight.timestamp() - 1, UTC)
    for looked, put in ((last, midnight), (midnight.replace(hour=20), midnight.replace(hour=20))):
        testclock.set_clock(put.timestamp())
        told = {"text": "Look", "path": "", "made": looked, "due": looked}
        Notice.objects.create(user=user, game=game, kind="news", cause=str(looked), **told)
        assert mailing.mail_user(user, looked) == 1, looked


@ZONES
def test_a_warning_of_removal_is_told_by_the_readers_clock_or_by_the_games(keeper, people, zone, here):
    game = domain.start_game(keeper.user, edition="iv", title="Zoned", slug="zoned", time_zone="Europe/Berlin")
    seated(game, people("ann"), "Ann")
    ann = people("ann").user
    ann.time_zone = zone
    ann.save()
    at = live.now() + 86_400
    making.warn(Membership.objects.get(player="Ann"), at, 1, "")
    said = Notice.objects.get(kind="removal").text
    assert f"removed on {datetime.fromtimestamp(at, ZoneInfo(here)):%a %-d %B %Y %H:%M %Z}," in said

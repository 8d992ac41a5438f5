"""Holidays: said by a player, shown to who plays, with mails held and warnings put off, and heard by rules that declare
it."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import testclock
from django.test import Client
from django.utils import translation
from pagewords import DAY, grant, propose, seated, text, token

from nomopoly.rulebook import library
from nomopoly.site.accounts import takeout
from nomopoly.site.notices import calling, mailing, making
from nomopoly.site.notices.models import Notice, Watch
from nomopoly.site.post.models import Call, Target
from nomopoly.site.tables import domain, holidays, idle, live
from nomopoly.site.tables.models import Holiday, Membership

AT = "/g/friday/holiday/"
ENDS = ("2026-12-30T23:00", "2027-03-28T22:00")  # midnights in Berlin, the second one after a day of 23 hours


@pytest.fixture(autouse=True)
def noon(clock):
    testclock.set_clock(testclock.coming_noon())


def the_day(later):
    """A day from today on, as a form has it."""
    return (datetime.fromtimestamp(live.now(), UTC) + timedelta(days=later)).strftime("%Y-%m-%d")


def go_away(client, first=0, last=6, address=AT, **more):
    """Send the form. Returns the page that follows."""
    sent = {"since": the_day(first), "until": the_day(last), "hold": "1", "once": token(client.get(address))} | more
    return client.post(address, sent, follow=True)


def mailed(outbox, name, words):
    return [each for each in outbox if each.to == [f"{name}@example.org"] and words in each.body]


def test_it_is_shown_to_who_plays_and_to_nobody_else(game, ann, ben, keeper):
    assert "At most 14 days in a year" in text(ben.get(AT))
    done = text(go_away(ben, 2, 6))
    assert "Your holiday is kept" in done
    assert "Ben will be away from" in done
    for reader, address in ((ann, "players/"), (keeper, "players/Ben/"), (ben, "players/Ben/"), (ann, "holiday/")):
        assert "will be away from" in text(reader.get(f"/g/friday/{address}", follow=True)), address
    assert "away" not in text(Client().get("/g/friday/players/"))
    assert 'id="away"' not in Client().get("/g/friday/players/Ben/").content.decode()
    assert keeper.get(AT).status_code == 403
    assert Client().get(AT).status_code == 302
    with live.clock_at(live.now() + 3 * DAY):
        assert "Ben is away until" in text(ann.get("/g/friday/players/Ben/"))
    with live.clock_at(live.now() + 7 * DAY):
        assert "away until" not in text(ann.get("/g/friday/players/Ben/"))


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        ("yesterday", "2026-05-06", "Give both days as a date"),
        ("", "", "Give both days as a date"),
        (-1, 3, "The first day is past"),
        (5, 4, "The last day comes before the first one"),
        (1, 15, "You can be away for 14 days in a year; 14 days of them are left"),
        (380, 382, "more than a year ahead"),
    ],
)
def test_days_that_are_none_are_refused_and_nothing_typed_is_lost(ben, first, last, reason):
    sent = [each if isinstance(each, str) else the_day(each) for each in (first, last)]
    page = go_away(ben, since=sent[0], until=sent[1], hold="")
    assert 'role="alert"' in page.content.decode()
    assert reason in text(page)
    assert all(f'value="{each}"' in page.content.decode() for each in sent)
    assert "checked" not in page.content.decode().partition('name="hold"')[2][:40]
    assert not Holiday.objects.exists()


def test_fourteen_days_a_year_and_one_holiday_at_a_time(game, ben):
    go_away(ben, 0, 9)
    seat = Holiday.objects.get().seat
    assert holidays.take(seat, the_day(20), the_day(21)) == {
        "reason": "You have a holiday already. End that one first."
    }
    with live.clock_at(live.now() + 20 * DAY):
        assert "4 days of them are left" in holidays.take(seat, the_day(0), the_day(5))["reason"]
        assert isinstance(holidays.take(seat, the_day(1), the_day(4)), Holiday)
    with live.clock_at(live.now() + 400 * DAY):
        assert isinstance(holidays.take(seat, the_day(1), the_day(14)), Holiday)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])
@pytest.mark.parametrize("second", [0, 1, 6 * 3600, 12 * 3600, 12 * 3600 + 1, DAY - 3601])
def test_a_day_of_a_holiday_is_one_of_the_calendar_at_whatever_hour_it_begins(game, ben, zone, second):
    """Also where clocks are put forward or back on one of them."""
    game.time_zone = zone
    game.save()
    seat = Membership.objects.get(player="Ben")
    for month, day in ((3, 25), (10, 20)):
        Holiday.objects.all().delete()
        first = datetime(datetime.fromtimestamp(live.now(), UTC).year + 1, month, day, tzinfo=ZoneInfo(zone))
        last, again, fourth, fifth = (f"{first + timedelta(days=days):%Y-%m-%d}" for days in (9, 12, 15, 16))
        with live.clock_at(int(first.timestamp()) + second):
            assert isinstance(holidays.take(seat, f"{first:%Y-%m-%d}", last), Holiday)
        with live.clock_at(int((first + timedelta(days=11)).timestamp())):
            assert holidays.days_left(seat, live.now()) == 4
            assert "4 days of them are left" in holidays.take(seat, again, fifth)["reason"]
            assert isinstance(holidays.take(seat, again, fourth), Holiday)
            assert holidays.days_left(seat, live.now()) == 0


def test_ended_early_only_the_days_spent_count(game, ann, ben):
    go_away(ben, 0, 9)
    with live.clock_at(live.now() + 2 * DAY):
        page = ben.get(AT)
        done = ben.post(AT, {"end": "1", "once": token(page)}, follow=True)
        assert "there is no holiday any more" in text(done)
        assert "away" not in text(ann.get("/g/friday/players/"))
        assert holidays.days_left(Holiday.objects.get().seat, live.now()) == 12
    assert holidays.end(Holiday.objects.get().seat) is None


def test_one_that_never_began_is_forgotten(ben):
    go_away(ben, 3, 5)
    assert holidays.end(Holiday.objects.get().seat) is None
    assert not Holiday.objects.exists()


def test_mails_wait_until_the_player_is_back_and_come_as_one(game, ann, ben, told, mailoutbox):
    go_away(ben, 0, 6)
    start = live.now()
    Target.objects.create(
        user=ben.user, sort="json", url="https://example.org/hook", made=datetime.fromtimestamp(start, UTC)
    )
    Target.objects.create(
        user=ben.user, sort="push", url="https://example.org/push", made=datetime.fromtimestamp(start, UTC)
    )
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 3}}).ok
    told()
    calling.call_all()
    with live.clock_at(start + 6 * DAY):
        told()
        assert mailed(mailoutbox, "ben", "offer by Ann") == []
        assert Notice.objects.get(user=ben.user, kind="asked").mail == "waiting"
        assert "offer by Ann" in text(ben.get("/me/notices/"))
    with live.clock_at(start + 3600):
        calling.call_all()
    assert {call.target.sort for call in Call.objects.filter(told__icontains="offer by Ann")} == {"json"}
    with live.clock_at(Holiday.objects.get().until + 60):
        mailing.mail_all()
        mailing.mail_all()
    assert Notice.objects.get(user=ben.user, kind="asked").mail in ("sent", "gone")


def test_what_still_holds_is_mailed_on_the_return(game, ann, ben, told, mailoutbox):
    go_away(ben, 0, 4)
    propose(game, title="While Ben was away")
    told()
    Notice.objects.filter(user=ben.user, kind="proposal").update(kind="news")
    with live.clock_at(live.now() + 4 * DAY):
        mailing.mail_all()
        assert mailed(mailoutbox, "ben", "While Ben was away") == []
    with live.clock_at(Holiday.objects.get().until + 60):
        mailing.mail_all()
        mailing.mail_all()
    assert len(mailed(mailoutbox, "ben", "While Ben was away")) == 1


def test_who_wants_mails_meanwhile_gets_them(game, ann, ben, told, mailoutbox):
    go_away(ben, 0, 6, hold="")
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 3}}).ok
    told()
    assert len(mailed(mailoutbox, "ben", "offer by Ann")) == 1


def test_the_others_are_told_once_and_not_of_one_that_was_taken_back(game, ann, ben, told):
    go_away(ben, 2, 6)
    told()
    told()
    notices = Notice.objects.filter(kind="away")
    assert [each.user for each in notices] == [ann.user]
    assert notices[0].text.startswith("Ben will be away from")
    assert mailing.still_holds(notices[0])
    holidays.end(Holiday.objects.get().seat)
    assert not mailing.still_holds(notices[0])


def test_a_warning_of_removal_waits_for_the_return_unless_that_is_too_late(people, keeper, mailoutbox):
    iv = domain.start_game(keeper.user, edition="iv", title="Fourth", slug="fourth", at=live.now())
    ben, cid, start = seated(iv, people("ben"), "Ben"), seated(iv, people("cid"), "Cid"), live.now()
    with live.clock_at(start + 8 * DAY):
        assert isinstance(holidays.take(cid.user.memberships.get(), the_day(0), the_day(13)), Holiday)
        assert isinstance(holidays.take(ben.user.memberships.get(), the_day(0), the_day(9)), Holiday)
    warned = {}
    for day in (15, 17, 20.5):
        with live.clock_at(int(start + day * DAY)):
            idle.warn()
        with live.clock_at(int(start + day * DAY) + 20 * 60):
            mailing.mail_all()
        found = [mail for mail in mailoutbox if "will be out" in mail.subject]
        warned[day] = sorted(mail.to[0].partition("@")[0] for mail in found)
    assert warned == {15: ["cid"], 17: ["cid"], 20.5: ["ben", "cid", "cid"]}


def test_rules_hear_of_it_only_where_the_rulebook_says_so(people, keeper, ann, ben, game):
    before = game.entries.count()
    go_away(ben, 0, 3)
    holidays.end(Holiday.objects.get().seat)
    assert game.entries.count() == before

    iv = domain.start_game(keeper.user, edition="iv", title="Fourth", slug="fourth", at=live.now())
    dora = seated(iv, people("dora"), "Dora")
    rule = next(each for each in library.shipped() if each.name == "holiday")
    change = {"enact": "13.1", "section": "Holidays", "text": rule.text, "params": rule.params, "code": rule.code}
    assert domain.order(iv, "Dora", "propose", {"title": "Holidays", "text": "Away", "changes": [change]}).ok
    assert domain.order(iv, "Dora", "vote", {"on": "P1", "choice": "yes"}).ok
    start = live.now()
    with live.clock_at(start + 6 * DAY):
        domain.run_due(iv, live.now())
        outcome = domain.desk_act(iv, "implement", {"on": "P1"})
        assert outcome.ok, outcome
        address = "/g/fourth/holiday/"
        page = dora.get(address)
        assert "The rules of this game hear of it" in text(page)
        refused = go_away(dora, 0, 20, address)
        assert "you can be away for 14 days in a year, and that would be more" in text(refused)
        assert "/g/fourth/rules/13.1/" in refused.content.decode()
        assert not Holiday.objects.filter(seat__game=iv).exists()
        assert "Your holiday is kept" in text(go_away(dora, 0, 9, address))
        assert "On holiday" in text(dora.get("/g/fourth/players/Dora/"))
        money = live.of(iv).view("Dora")["things"]["Dora"]["money"]
    with live.clock_at(start + 14 * DAY):
        domain.run_due(iv, live.now())
        taken = [entry for entry in live.of(iv).facts("visitor") if entry["do"] == "automatic-turn"]
        assert [fact for fact in taken[-1]["facts"] if fact["what"] == "fined"] == []
        assert [fact for fact in taken[0]["facts"] if fact["what"] == "fined"] != []
        assert live.of(iv).view("Dora")["things"]["Dora"]["money"] >= money
        holidays.end(dora.user.memberships.get())
        assert live.of(iv).view("Dora")["things"]["Dora"].get("away_until") is None


def test_it_is_among_what_one_takes_along(ben):
    go_away(ben, 0, 3)
    told = takeout.everything_of(ben.user)["games"][0]["holidays"]
    assert [set(each) for each in told] == [{"since", "until", "hold", "made"}]
    json.dumps(told, default=str)


def test_a_double_click_keeps_one(ben):
    sent = {"since": the_day(0), "until": the_day(3), "once": token(ben.get(AT))}
    ben.post(AT, sent)
    assert "Already done" in text(ben.post(AT, sent, follow=True))
    assert Holiday.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "from Thu 31 December 2026 to Sun 28 March 2027"), ("de", "Do 31. Dezember 2026 bis So 28. März 2027")],
)
def test_its_days_are_those_of_the_game_in_the_words_of_the_reader(game, ben, language, said):
    game.time_zone = "Europe/Berlin"
    since, until = (int(datetime.fromisoformat(f"{each}+00:00").timestamp()) for each in ENDS)
    seat = Membership.objects.get(player="Ben")
    with live.clock_at(since - DAY), translation.override(language):
        assert said in holidays.in_words(Holiday(seat=seat, since=since, until=until), game)


def test_a_look_at_the_game_follows_a_holiday(game, ann, ben):
    with live.clock_at(live.now() + 60):
        while making.look_all():
            pass
    go_away(ben, 2, 3)
    assert Watch.objects.get(game=game).look_at is not None


def test_a_program_goes_on_holiday_too(game, ann, ben):
    def post(path, **sent):
        return ben.post(f"/api/v1/g/friday/holiday{path}", sent, content_type="application/json")

    assert ben.get("/api/v1/g/friday/holiday").json() is None
    late = post("", since=the_day(4), until=the_day(2))
    assert (late.status_code, late.json()["refused"]) == (409, "The last day comes before the first one.")
    made = post("", since=the_day(2), until=the_day(4), hold=False)
    assert made.status_code == 200, made.content
    assert made.json() == ben.get("/api/v1/g/friday/holiday").json()
    assert made.json()["hold"] is False
    assert post("/end").status_code == 200
    assert not Holiday.objects.exists()

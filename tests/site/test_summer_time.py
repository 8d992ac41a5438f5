"""Games whose clocks go forward or back: weeks, updates, days and calendars go by the wall clock of the game's time
zone."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from icalendar import Calendar
from pagewords import DAY, SECOND, grant, text

from nomopoly.runtime.journal import moment_of
from nomopoly.site import formats
from nomopoly.site.tables import domain, live, readings
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import StandingAnswer

CHANGES = {  # the Sunday on which clocks are put forward or back
    "Berlin, forward": ("Europe/Berlin", "2026-03-29"),
    "Berlin, back": ("Europe/Berlin", "2026-10-25"),
    "New York, forward": ("America/New_York", "2026-03-08"),
    "New York, back": ("America/New_York", "2026-11-01"),
    "Santiago, forward, where that midnight does not exist": ("America/Santiago", "2026-09-06"),
}


@pytest.fixture(params=CHANGES.values(), ids=CHANGES)
def changing(request, start_second, people):
    """A game from the Monday before the change: the game, what lets days go by, its zone, that Monday's midnight."""
    name, sunday = request.param
    zone = ZoneInfo(name)
    midnight = datetime.fromisoformat(sunday).replace(tzinfo=zone) - timedelta(days=6)
    game, go = start_second("Ann", at=int(midnight.timestamp()) + 9 * 3600, zone=name)
    ann = people("ann").user
    ann.time_zone = name
    ann.save()
    return game, go, zone, midnight


def first_second(day, zone):
    """The moment at which a day begins: where its midnight does not exist, the next one."""
    return int(datetime.combine(day, datetime.min.time(), zone).timestamp())


def test_updates_are_at_the_first_second_of_their_days(changing, people):
    game, go, zone, midnight = changing
    go(14)
    days = [(midnight + timedelta(days=days)).date() for days in (3, 6, 10, 13)]
    begun = {}
    for entry in live.of(game).facts("Ann"):
        for id, name, _, value in entry["changes"]:
            if (id, name) == ("game", "update"):
                begun[value] = entry["at"]
    assert begun == {number: first_second(day, zone) for number, day in enumerate(days, 1)}
    for week in (1, 2):
        told = text(people("ann").get(f"{SECOND}log/week/{week}/"))
        for number in (2 * week - 1, 2 * week):
            shown = datetime.fromtimestamp(begun[number], zone)
            assert f"Update {number}, {shown:%a} {shown.day} {shown:%B %Y %H:%M %Z}" in told


def test_a_day_of_the_charts_is_one_of_the_wall_clock(changing):
    game, go, zone, midnight = changing
    for _ in range(9 * 2):
        go(0.5)
    readings.recount_all()
    entered = {datetime.fromtimestamp(moment_of(line["at"]), zone).date() for line in DatabaseJournal(game.pk).lines()}
    seen = live.of(game).ask(lambda running: readings.seen(game, "visitor", running, live.now()))
    kept = [datetime.fromtimestamp(at, zone).date() for at, _ in seen]
    assert kept == sorted(entered)


def test_the_day_of_the_game_changes_at_midnight(changing, people):
    game, go, zone, midnight = changing
    for days in (6, 7):  # the day on which the clocks change, and the first one of the week after it
        begins = first_second((midnight + timedelta(days=days)).date(), zone)
        for moment, day in ((begins - 1, days), (begins, days + 1)):
            go((moment - live.now()) / DAY)
            assert live.now() == moment
            assert f"Day {day}, week {2 if day == 8 else 1}. " in text(people("ann").get(SECOND))


def test_the_calendar_names_the_moments_that_come(changing, people):
    game, go, zone, midnight = changing
    found = Calendar.from_ical(people("ann").get(f"{SECOND}calendar.ics").content).walk("VEVENT")
    begins = {str(event["summary"]): [] for event in found}
    for event in found:
        begins[str(event["summary"])].append(int(event["dtstart"].dt.timestamp()))
    weeks = range(8)
    for what, weekday in (("A new week", 7), ("Proposals close", 3), ("Voting opens", 4), ("Voting closes", 6)):
        days = [(midnight + timedelta(days=weekday + 7 * week)).date() for week in weeks]
        assert begins[f"Second: {what}"] == [first_second(day, zone) for day in days], what


def test_votes_close_at_the_first_second_of_their_sundays_and_the_table_says_so(changing, people):
    """Of the week with the change and of the one after: who reads in the zone of the game reads its hour and its
    abbreviation."""
    game, go, zone, midnight = changing
    for week in (1, 2):
        assert domain.order(game, "Ann", "propose", {"title": f"Of week {week}", "text": "Words"}).ok
        for _ in range(4):
            go(1)  # to Friday: voting is open
        sunday = (midnight + timedelta(days=7 * week - 1)).date()
        closes = first_second(sunday, zone)
        shown = datetime.fromtimestamp(closes, zone)
        assert f"Voting closes {shown:%a} {shown.day} {shown:%B %Y %H:%M %Z}" in text(people("ann").get(SECOND))
        domain.run_due(game, closes - 1)
        assert live.of(game).view("Ann")["things"][f"P{week}"]["status"] == "voting"
        domain.run_due(game, closes)
        assert live.of(game).view("Ann")["things"][f"P{week}"]["status"] != "voting"
        go((first_second(sunday + timedelta(days=1), zone) + 9 * 3600 - live.now()) / 86_400)


def test_a_day_that_is_named_lasts_to_its_last_second(changing, people):
    """For an answer that is left until then, and for an account that is shown until then."""
    game, go, zone, midnight = changing
    ann, sunday = people("ann"), (midnight + timedelta(days=6)).date()
    last = first_second(sunday + timedelta(days=1), zone) - 1
    ann.post(f"{SECOND}answers/", {"question": "Tea?", "answer": "yes", "until": sunday.isoformat()})
    assert StandingAnswer.objects.get().until == last
    for moment, money in ((last, 111), (last + 1, 222)):
        go((moment - live.now()) / DAY)
        assert live.now() == moment
        grant(game, "Ann", "money", money)
    shown = text(ann.get(f"{SECOND}players/Ann/account/", {"to": sunday.isoformat()}))
    assert "Balance: $111" in shown
    assert ann.get(f"{SECOND}players/Ann/account.csv", {"to": sunday.isoformat()}).content.strip().endswith(b",111")
    assert "Balance: $222" in text(ann.get(f"{SECOND}players/Ann/account/"))


@pytest.mark.parametrize(
    ("zone", "first", "names"),
    [
        ("Europe/Berlin", "2026-10-25T02:30:00+02:00", ("Sun 25 October 2026 02:30 CEST", "Sun 25 October 2026 02:30 CET")),
        ("America/New_York", "2026-11-01T01:30:00-04:00", ("Sun 1 November 2026 01:30 EDT", "Sun 1 November 2026 01:30 EST")),
    ],
)  # fmt: skip
def test_the_hour_that_comes_twice_is_told_by_its_zone(zone, first, names):
    at = moment_of(first)
    with timezone.override(zone):
        assert (formats.clock(at), formats.clock(at + 3600)) == names
    assert (formats.clock_in(at, zone), formats.clock_in(at + 3600, zone)) == names

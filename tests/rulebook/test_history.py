"""The history of a book: moments by any name, versions, ages."""

import datetime

import pytest

from nomopoly.rulebook.history import NO_CHANGE, History, HistoryError


def second(text):
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC).timestamp())


def record(id, text, since=0):
    return {
        "id": id, "section": "I", "section_title": "One", "title": "", "text": text, "params": {}, "code": "",
        "since": since, "made_by": "opening",
    }  # fmt: skip


OPENING = second("2026-03-02T09:00:00")
FIRST = second("2026-03-05T18:20:16")
SECOND = second("2026-03-09T03:53:07")
THIRD = second("2026-03-20T12:00:00")
LATER = second("2026-04-01T00:00:00")


def moment(number, at, cause, records):
    return {
        "moment": number,
        "n": number * 10,
        "at": at,
        "cause": {"kind": cause, "id": None, "by": None},
        "records": records,
    }


@pytest.fixture
def history():
    return History(
        [
            moment(0, OPENING, "opening", [record("I.1", "one"), record("I.2", "two")]),
            moment(1, FIRST, "proposal", [record("I.1", "one!", 10), record("I.2", "two")]),
            moment(
                2, SECOND, "correction", [record("I.1", "One!", 10), record("I.2", "two"), record("I.3", "three", 20)]
            ),
            moment(3, THIRD, "strike", [record("I.1", "One!", 10), record("I.2", "two")]),
        ],
        now=LATER,
    )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("0", 0),
        ("2", 2),
        ("start", 0),
        ("now", 3),
        ("2026-03-02T09:00:00", 0),
        ("2026-03-02T09:00", 0),
        ("2026-03-05T18:20:15", 0),
        ("2026-03-05T18:20:16", 1),
        ("2026-03-05 18:20:16", 1),
        ("2026-03-05T20:20:16+02:00", 1),
        ("2026-03-05T20:20:16 02:00", 1),
        ("2026-03-05T18:20:16Z", 1),
        ("2026-03-09", 1),
        ("2026-03-10", 2),
        ("2026-04-01", 3),
        (" now ", 3),
    ],
)
def test_moments_by_any_name(history, name, found):
    assert history.find(name) == found
    assert history.records(name) == history.moments[found]["records"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("yesterday", "Not a moment: yesterday"),
        ("", "Not a moment: "),
        ("-1", "Not a moment: -1"),
        ("2026-13-01", "Not a moment: 2026-13-01"),
        ("2026-03-05T25:00", "Not a moment: "),
        ("0001-01-01T00:00+23:00", "No rules at second -"),
        ("x" * 500, "Not a moment: " + "x" * 60 + "..."),
        ("4", "No history number 4: the first is 0, the last is 3"),
        ("9" * 5000, "No history number 999"),
        ("2026-03-02", "No rules at 2026-03-02 00:00:00: the first moment is 2026-03-02 09:00:00"),
        ("0001-01-01", "No rules at 0001-01-01 00:00:00: "),
        ("2026-04-01T00:00:01", "the last is 2026-04-01 00:00:00"),
        ("9999-12-31", "the last is 2026-04-01 00:00:00"),
    ],
)
def test_what_is_no_moment(history, name, message):
    with pytest.raises(HistoryError) as error:
        history.find(name)
    assert message in str(error.value)


def test_the_time_zone_of_the_game():
    history = History([moment(0, OPENING, "opening", [])], "Europe/Paris", now=LATER)
    assert history.clock(OPENING) == "2026-03-02 10:00:00"
    assert history.find("2026-03-02T10:00:00") == 0
    with pytest.raises(HistoryError, match="No rules at 2026-03-02 09:59:59"):
        history.find("2026-03-02T09:59:59")
    with pytest.raises(HistoryError, match="There is no time zone 'Mars/../x'"):
        History([moment(0, OPENING, "opening", [])], "Mars/../x")


@pytest.mark.parametrize(
    ("zone", "day", "first", "last"),
    [
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00", "2026-03-29T21:59:59"),  # 23 hours
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00", "2026-10-25T22:59:59"),  # 25 hours
        ("America/New_York", "2026-03-08", "2026-03-08T05:00:00", "2026-03-09T03:59:59"),
        ("America/New_York", "2026-11-01", "2026-11-01T04:00:00", "2026-11-02T04:59:59"),
        ("America/Santiago", "2026-09-05", "2026-09-05T04:00:00", "2026-09-06T03:59:59"),  # no midnight follows
        ("America/Santiago", "2026-04-04", "2026-04-04T03:00:00", "2026-04-05T03:59:59"),  # 23:59:59 comes twice
        ("UTC", "2028-02-29", "2028-02-29T00:00:00", "2028-02-29T23:59:59"),
        ("UTC", "9999-12-31", "9999-12-31T00:00:00", "9999-12-31T23:59:59"),
    ],
)
def test_a_day_goes_by_the_wall_clock(zone, day, first, last):
    history = History([moment(0, OPENING, "opening", [])], zone, now=LATER)
    assert (history.read(day), history.read(day, last=True)) == (second(first), second(last))


def test_a_moment_has_no_end_of_its_day(history):
    for name in ("2026-03-05T18:20", "2026-03-05T18:20:16", "2026-03-05T20:20:16+02:00", "2026-03-05T20:20:16 02:00"):
        assert history.read(name, last=True) == history.read(name)


def test_the_last_change_is_compared_by_default(history):
    span = history.compare()
    assert (span.from_moment, span.to_moment) == (2, 3)
    assert span.heading == "Rule changes from 2026-03-09 03:53:07 to 2026-03-20 12:00:00"
    assert [(each.id, each.mark) for each in span.diff.changed] == [("I.3", "gone")]
    assert [each["cause"]["kind"] for each in span.causes] == ["strike"]


def test_comparing_any_two(history):
    span = history.compare("start", "2026-03-09T04:00:00")
    assert span.heading == "Rule changes from 2026-03-02 09:00:00 to 2026-03-09 04:00:00"
    assert [(each.id, each.mark) for each in span.diff.changed] == [("I.1", "changed"), ("I.3", "new")]
    assert [each["moment"] for each in span.causes] == [1, 2]
    assert span.notice == ""
    turned = history.compare("2026-03-09T04:00:00", "start")
    assert (turned.from_moment, turned.to_moment) == (0, 2)
    assert "exchanged" in turned.notice


@pytest.mark.parametrize(("a", "b"), [("1", "1"), ("2026-03-06", "2026-03-07"), ("3", "now"), ("start", "0")])
def test_nothing_between(history, a, b):
    span = history.compare(a, b)
    assert span.heading == NO_CHANGE == "No rules changed between these moments"
    assert span.diff.changed == []


def test_one_default_of_two(history):
    assert history.compare(later="2").from_moment == 1
    assert history.compare(later="start").heading == NO_CHANGE
    assert history.compare("1").to_moment == 3


def test_versions_of_a_rule(history):
    assert [(each.moment, each.record and each.record["text"]) for each in history.versions("I.1")] == [
        (0, "one"), (1, "one!"), (2, "One!"),
    ]  # fmt: skip
    assert [(each.moment, each.record and each.record["text"]) for each in history.versions("I.3")] == [
        (2, "three"), (3, None),
    ]  # fmt: skip
    assert history.versions("I.9") == []
    assert history.touched(2) == ["I.1", "I.3"]


def test_ages_do_not_count_clerical_changes(history):
    assert history.present_since("I.1") == FIRST
    assert history.age("I.1", THIRD) == THIRD - FIRST
    assert history.age("I.2", THIRD) == THIRD - OPENING
    assert history.present_since("I.3", 2) == SECOND
    with pytest.raises(HistoryError, match=r"There is no rule I\.3"):
        history.age("I.3", LATER)


def test_a_book_without_history():
    with pytest.raises(HistoryError, match="no history"):
        History([])

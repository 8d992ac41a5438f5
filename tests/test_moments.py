"""The clock of the tests: it begins at one moment for each test, and programs that a test starts have the same."""

import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import testclock
from django.utils import timezone

from nomopoly.site.tables import live

CLOCKS = {
    "the clock": time.time,
    "dates": lambda: datetime.now(UTC).timestamp(),
    "the games": live.now,
    "the database": lambda: timezone.now().timestamp(),
}
ELSEWHERE = """
import json, os, threading, time
from datetime import UTC, datetime
os.environ["DJANGO_SETTINGS_MODULE"] = "nomopoly.site.settings"
import django
django.setup()
from nomopoly.site.tables import live
shown = [time.time(), datetime.now(UTC).timestamp(), live.now()]
thread = threading.Thread(target=lambda: shown.append(time.time()))
thread.start()
thread.join()
print(json.dumps(shown))
"""


@pytest.mark.parametrize("shown", CLOCKS.values(), ids=CLOCKS)
def test_each_test_begins_at_the_same_moment(shown):
    assert -1 <= shown() - testclock.beginning() < 30


def test_time_goes_on():
    before = time.time()
    time.sleep(0.05)
    assert 0.05 <= time.time() - before < 30


def test_a_program_that_a_test_starts_has_the_same_clock():
    before = time.time()
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert all(before - 1 <= shown <= time.time() for shown in json.loads(done.stdout)), done.stdout


def test_the_soak_looks_at_each_weekday_at_ends_and_at_both_changes_of_the_clocks():
    lines = (Path(testclock.__file__).parent / "moments.txt").read_text().splitlines()
    rows = [line.split(maxsplit=2) for line in lines if not line.startswith("#")]
    moments = [(testclock.seconds(moment), ZoneInfo(zone)) for moment, zone, _ in rows]
    assert {datetime.fromtimestamp(at, zone).weekday() for at, zone in moments} == set(range(7))
    a_second_later = {datetime.fromtimestamp(at + 1, UTC).isoformat() for at, _ in moments}
    assert {f"{day}T00:00:00+00:00" for day in ("2026-05-01", "2027-01-01", "2028-03-01")} < a_second_later
    changes = {}
    for at, zone in moments:
        before, after = (datetime.fromtimestamp(second, zone).utcoffset() for second in (at, at + 1))
        if before != after:
            changes.setdefault(zone.key, []).append(after > before)
    assert changes == {"Europe/Berlin": [True, False], "America/New_York": [True, False]}


def test_a_moment_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("NOMOPOLY_TEST_NOW", "Sunday")
    with pytest.raises(SystemExit, match="write one like 2028-02-29T23:30:00"):
        testclock.beginning()


@pytest.mark.parametrize(
    ("words", "moment"),
    [("2028-02-29T23:30:00", "2028-02-29T23:30:00Z"), ("2026-03-29T01:59:00+01:00", "2026-03-29T00:59:00Z")],
)
def test_a_moment_without_an_offset_is_in_utc(monkeypatch, words, moment):
    monkeypatch.setenv("NOMOPOLY_TEST_NOW", words)
    assert testclock.beginning() == datetime.fromisoformat(moment).timestamp()

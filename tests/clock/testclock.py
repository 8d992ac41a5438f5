"""The clock of the tests: each test begins at the same moment, whatever day it is, and time goes on from there.

The moment is NOMOPOLY_TEST_NOW, as ISO 8601 (UTC where it names no offset), or USUAL. What a test starts as a program
of its own has the same clock: this folder is on its PYTHONPATH, where Python looks for `sitecustomize`.
"""

import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine

USUAL = "2026-09-23T10:00:00"  # a Wednesday, with a date that takes room
AHEAD = "NOMOPOLY_TEST_AHEAD"  # seconds between the machine's clock and the tests', for programs that are started

travelling = None


def beginning() -> float:
    """The moment at which each test begins, in seconds since 1970."""
    words = os.environ.get("NOMOPOLY_TEST_NOW") or USUAL
    try:
        return seconds(words)
    except ValueError as error:
        sys.exit(
            f"NOMOPOLY_TEST_NOW is no moment: write one like 2028-02-29T23:30:00 or 2026-03-29T01:59:00+01:00 ({error})"
        )


def coming_noon() -> float:
    """The first noon (UTC) after each test begins, for tests that count days and must not run past midnight."""
    later = datetime.fromtimestamp(beginning(), UTC) + timedelta(hours=12)
    return later.replace(hour=12, minute=0, second=0, microsecond=0).timestamp()


def seconds(words: str) -> float:
    """Seconds since 1970 of a moment in ISO 8601."""
    moment = datetime.fromisoformat(words)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def really() -> float:
    """What the machine's own clock shows, in seconds since 1970."""
    return time_machine.escape_hatch.time.time() if travelling else time.time()


def set_clock(moment: float) -> None:
    """Let it be this moment now, here and in every program that is started from here."""
    global travelling
    folder, path = str(Path(__file__).parent), os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if folder not in path:
        os.environ["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, path)])
    os.environ[AHEAD] = repr(moment - really())
    if travelling is None:
        travelling = time_machine.travel(moment, tick=True).start()
    else:
        travelling.move_to(moment)
    time.time()  # from the first question on time goes on


def follow() -> None:
    """In a program that a test has started: go by the clock of the tests."""
    if AHEAD in os.environ:
        set_clock(really() + float(os.environ[AHEAD]))

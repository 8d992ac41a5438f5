"""What begins next by the calendar is the same in a future as in the game, whatever the clocks of its zone do."""

from datetime import UTC, datetime

import pytest

from nomopoly.lab.ahead import next_begins
from nomopoly.lab.futures import Worker, play_all, prepare
from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime.calendar import next_time
from nomopoly.runtime.moments import offsets_of

CHANGES = {  # a moment shortly before clocks are put forward or back
    "Berlin, forward": ("Europe/Berlin", "2026-03-29"),
    "Berlin, back": ("Europe/Berlin", "2026-10-25"),
    "Nuuk, forward, over midnight": ("America/Nuuk", "2026-03-29"),
    "Nuuk, back, over midnight": ("America/Nuuk", "2026-10-25"),
    "Santiago, forward, where that midnight does not exist": ("America/Santiago", "2026-09-06"),
    "Lord Howe, by half an hour": ("Australia/Lord_Howe", "2026-10-04"),
}


@pytest.mark.parametrize(("zone", "day"), CHANGES.values(), ids=CHANGES)
def test_a_future_has_the_calendar_of_the_game(zone, day):
    change = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
    offsets = offsets_of(zone, change - 7 * 86400)
    differ = []
    for after in range(change - 86400, change + 86400, 1200):
        for weekday, hour, minute in ((-1, 23, 30), (-1, 0, 0), (-1, 2, 15), (5, 23, 30), (6, 0, 30), (0, 12, 0)):
            moment = {"weekday": weekday, "hour": hour, "minute": minute}
            if next_begins(moment, after, offsets) != next_time(weekday, hour, minute, zone, after):
                differ.append((datetime.fromtimestamp(after, UTC).isoformat(), moment))
    assert not differ


def test_nobody_is_taken_for_gone_because_it_is_hidden_when_they_were_here():
    """`iv` takes out who has not signed in for three weeks. It looks again whenever the rules change, and a visitor does
    not see who was here when: any proposal seemed to end the game at once."""
    game, _ = play_weeks("iv", players=3, weeks=4)
    try:
        work = prepare(game, {"changes": [{"enact": "14.1", "text": "Nothing."}]}, 2, 4, "visitor")
        for each in play_all(work, runtime="cpython"):
            assert len([who for who in each["then"]["numbers"][0] if who != "game"]) == 3
            assert each["now"]["numbers"] == each["then"]["numbers"]
    finally:
        game.runtime.close()


COUNTED = """
attribute("player", "seen", 0, label="Seen", summary=True)


@after("log-in")
def count_it(e):
    put(e.who, "seen", e.who.seen + 1)
"""


def test_a_way_that_is_played_again_has_everybody_sign_in_each_week_too():
    game, _ = play_weeks("iv", players=3, weeks=1)
    try:
        work = prepare(game, {"changes": [{"enact": "14.1", "text": "It counts.", "code": COUNTED}]}, 1, 5, "visitor")
        way = [[work.until - 60, "order", "Ann", "log-in", {}]]
        told = Worker(work, "cpython").again("1", "then", way)
        assert [told["numbers"][-1][who]["seen"] for who in ("Ann", "Ben", "Cid")] == [6, 5, 5]
    finally:
        game.runtime.close()

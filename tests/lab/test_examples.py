"""The examples that are written of what was tried: their moments are read as they were meant."""

from zoneinfo import ZoneInfo

import pytest

from nomopoly.lab import examples
from nomopoly.runtime.scenarios.play import Play

BACK = 1792890000  # 2026-10-25 03:00 summer time in Berlin, when it is 02:00 for the second time


@pytest.mark.parametrize("moment", [BACK + 1800 * number for number in range(-4, 5)])
def test_a_moment_of_an_example_is_read_as_it_was_meant_when_clocks_go_back(moment):
    written = examples.clock(moment, ZoneInfo("Europe/Berlin"))
    steps = [{"turn": "Ann"}]
    example = {"scenario": "S", "edition": "original", "time_zone": "Europe/Berlin", "start": written, "steps": steps}
    assert Play(example, "cpython").now == moment, written


def test_a_moment_of_an_example_names_no_offset_where_it_need_not():
    assert examples.clock(BACK - 3600, ZoneInfo("Europe/Berlin")) == "2026-10-25T02:00:00"
    assert examples.clock(BACK, ZoneInfo("Europe/Berlin")) == "2026-10-25T02:00:00+01:00"

"""What six friends stumbled over who sat down at games of all editions for months: each has a test, here where no
other has it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pagewords import accept, propose, things, token

import nomopoly.site


def test_programs_on_pages_can_be_scrolled_with_the_keyboard():
    templates = [*Path(nomopoly.site.__file__).parent.rglob("*.html")]
    programs = [found for each in templates for found in re.findall(r"<pre\b[^>]*>", each.read_text())]
    assert len(programs) > 20
    assert [each for each in programs if 'tabindex="0"' not in each] == []


MEET = """attribute("player", "meets", 0)


@action("meet", "Meet", when=moment("When", default={}))
def meet(e):
    put(e.who, "meets", e.when)
"""


@pytest.mark.parametrize(
    ("default", "shown"),
    [
        ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30"),
        ("2026-10-25T02:30:15+01:00", "2026-10-25T02:30:15"),  # the second hour of that name
        ("2026-10-25T02:30:00+01:00", "2026-10-25T02:30:00"),
        ("2026-12-24T18:00:07+01:00", "2026-12-24T18:00:07"),
        ("2026-12-24T18:00:00+01:00", "2026-12-24T18:00"),
    ],
)
def test_the_default_of_a_moment_is_sent_as_it_is_meant(start_second, people, default, shown):
    meant = int(datetime.fromisoformat(default).timestamp())
    game, _ = start_second("Ann", edition="original", zone="Europe/Berlin")
    propose(game, changes=[{"enact": "X.1", "text": "Words.", "code": MEET.format(meant)}])
    accept(game, "P1")
    form = people("ann").get(f"{game.address}act/meet/")
    assert f'value="{shown}"' in form.content.decode()
    for typed, kept in ((shown, meant), ("2026-12-24T19:00", int(datetime(2026, 12, 24, 18, tzinfo=UTC).timestamp()))):
        people("ann").post(f"{game.address}act/meet/", {"when": typed, "once": token(form)})
        assert things(game)["Ann"]["meets"] == kept
        form = people("ann").get(f"{game.address}act/meet/")

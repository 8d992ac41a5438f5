"""Games that earlier versions have played (earlier/, by the day of the version) are taken in, and all their pages can be
read: a journal carries its own rulebook, and what its rules say is what was said then."""

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
import testclock

from nomopoly.site import files
from nomopoly.site.tables import live, seats
from nomopoly.site.tables.models import Game

ALIKE = 1  # pages of one sort that are read
AFTERWARDS = datetime(2026, 12, 5, 12, tzinfo=UTC).timestamp()  # their last entries were on 28 November
FILES = sorted(Path(__file__).with_name("earlier").glob("*.jsonl.gz"))
EDITIONS = [file for file in FILES if file.name.startswith("2026-11-22")]  # one of each
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def afterwards(clock):
    """A site that takes in a game is not earlier than the game."""
    testclock.set_clock(max(testclock.beginning(), AFTERWARDS))


def day(file):
    """What a test calls such a file: its day and edition."""
    return file.name.partition(".")[0]


@pytest.fixture
def earlier(request, people, keeper, monkeypatch, tmp_path):
    """A game of an earlier version on this site: its Admin is the keeper, and Ann has her seat."""
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    # Some days' rules wrote what is refused since then.
    assert files.import_game(request.param, "earlier", "keeper@example.org", tmp_path, accept_problems=True) == 0
    game = Game.objects.get(slug="earlier")
    yield game
    live.close_all()


def pages_of(client):
    """The addresses below the game that one gets to by links, with the status of each, and from where: one of each sort."""
    waiting, seen, sorts = [("/g/earlier/", "")], {}, Counter()
    while waiting:
        address, source = waiting.pop(0)
        sort = re.sub(r"(?:rules|sections)/[A-Z][^?]+|\d+|=[^&]*", "/", address)
        if address in seen or sorts[sort] >= ALIKE:
            continue
        sorts[sort] += 1
        answer = client.get(address, follow=True)
        seen[address] = (answer.status_code, source)
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            links = re.findall(r'href="(/g/earlier/[^"#]*)', answer.content.decode())
            waiting += [(link.replace("&amp;", "&"), address) for link in links]
    return seen


@pytest.mark.parametrize("earlier", FILES, indirect=True, ids=day)
def test_it_can_be_read_and_played(request, earlier, people, keeper):
    for viewer in ("Ann", "admin"):
        assert forms_of(earlier, viewer), viewer
    if request.node.callspec.params["earlier"] not in EDITIONS:
        return
    ann = people("ann")
    seat = next(each for each in seats.free(earlier) if each.player == "Ann")
    assert ann.post(seats.link(earlier, seat), follow=True).status_code == 200
    for reader, client in (("the Admin", keeper), ("Ann", ann)):
        pages = pages_of(client)
        assert len(pages) > 20, (reader, list(pages))
        broken = {address: told for address, told in pages.items() if told[0] != 200}
        assert broken == {}, reader


def forms_of(game, viewer):
    """The actions of a game; the form of each was made for a viewer, as it is asked for alone, tried and untried."""
    running = live.of(game)
    actions = running.ask(lambda running: list(running.describe()["actions"]))
    for action in actions:
        for untried in (True, False):
            asked = {"viewer": viewer, "now": 0, "untried": untried, "only": [action]}
            running.ask(lambda running, asked=asked: running.runtime.call("actions", asked))
    return actions

"""The table as it was, from snapshots at a spacing: the same as from the beginning, and of what lies near alone."""

import pytest

from nomopoly.runtime import fold
from nomopoly.runtime.host import replay
from nomopoly.runtime.outcomes import MemoryOutcomes
from nomopoly.site.tables import domain, live, waypoints
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Waypoint


@pytest.fixture
def narrow(monkeypatch):
    monkeypatch.setattr(waypoints, "SPACING", 5)
    monkeypatch.setattr(live, "SNAPSHOT_EVERY", 5)


def propose(game, times):
    for number in range(times):
        assert domain.order(game, "Ann", "propose", {"title": f"Number {number}", "text": "Words."}).ok


def computed(game, entry, monkeypatch):
    """(the state after an entry, how many lines were carried out for it), as the site computes it."""
    taken = []
    whole = fold.Fold.take
    with monkeypatch.context() as patch:
        patch.setattr(
            fold.Fold, "take", lambda self, line, *more, **named: taken.append(1) or whole(self, line, *more, **named)
        )
        runtime = live.of(game).ask(lambda running: running.runtime.name)
        past = waypoints.as_it_was(game.pk, runtime, entry, entry, lambda running, line: None)
    try:
        return past.state_hash(), len(taken)
    finally:
        past.runtime.close()


def from_the_beginning(game, entry):
    past = replay(DatabaseJournal(game.pk), "monty", until=entry, known=MemoryOutcomes())
    try:
        return past.state_hash()
    finally:
        past.runtime.close()


def test_what_was_is_computed_from_nearby(game, ann, narrow, monkeypatch):
    propose(game, 17)
    last = live.of(game).n
    for entry in (4, 7, 10, last):
        state, carried_out = computed(game, entry, monkeypatch)
        assert state == from_the_beginning(game, entry), entry
        assert carried_out <= 5, entry


def test_corrections_hold_from_where_they_were_made(game, ann, narrow, monkeypatch):
    propose(game, 8)
    strike = domain.desk_act(game, "strike", {"entry": 6, "because": "A slip."}).n
    propose(game, 7)
    for entry in (strike - 1, strike, strike + 1, live.of(game).n):
        state, carried_out = computed(game, entry, monkeypatch)
        assert state == from_the_beginning(game, entry), entry
        assert carried_out <= 5, entry


def test_an_older_game_gets_them_when_somebody_looks(game, ann, narrow, monkeypatch):
    propose(game, 17)
    waypoints.forget(game.pk)
    live.of(game).facts("visitor")
    before, carried_out = computed(game, 16, monkeypatch)
    assert carried_out == 16
    assert list(Waypoint.objects.filter(game=game).order_by("n").values_list("n", flat=True)) == [5, 10, 15]
    assert computed(game, 16, monkeypatch) == (before, 1)


def test_one_that_does_not_fit_is_thrown_away(game, ann, narrow, monkeypatch):
    propose(game, 12)
    other = Waypoint.objects.filter(game=game).order_by("n").first()
    Waypoint.objects.filter(game=game).exclude(pk=other.pk).update(blob=other.blob)
    entry = live.of(game).n
    state, _ = computed(game, entry, monkeypatch)
    assert state == from_the_beginning(game, entry)

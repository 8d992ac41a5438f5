"""What another process has appended to a game is taken up where it is loaded already, and no journal is read again for
it."""

import json

import pytest

from nomopoly.runtime import host
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Entry
from nomopoly.site.tables.witness import Damaged


@pytest.fixture
def loads(monkeypatch):
    """The games that were loaded, by number."""
    made = []
    load = host.load_game
    monkeypatch.setattr(
        host, "load_game", lambda journal, **more: made.append(journal.game_id) or load(journal, **more)
    )
    return made


@pytest.fixture
def other(game, ann, loads):
    """The game as another process has it loaded."""
    warm = live.Warm(game.pk)
    for each in (warm, live.of(game)):
        each.view("Ann")
    loads.clear()
    yield warm
    warm.drop()


def shown(warm):
    """What is to be the same in every process, at whatever second it is asked."""
    views = warm.ask(lambda game: [game.view(viewer, game.now) for viewer in ("Ann", "visitor")])
    return warm.head, warm.state_hash(), views, warm.ask(lambda game: game.facts("Ann"))


def test_orders_votes_and_the_clock_are_followed(game, ann, other, loads):
    for number in range(3):
        assert domain.order(game, "Ann", "propose", {"title": f"Proposal {number}", "text": "Words."}).ok
        assert shown(other) == shown(live.of(game))
    assert domain.desk_act(game, "accept", {"on": "P3"}).ok  # which has a turn, with dice
    assert shown(other) == shown(live.of(game))
    assert loads == []


def test_rules_that_change_are_followed(game, ann, other, loads):
    change = {"amend": "VIII.3", "text": "A bonus of another kind."}
    assert domain.order(game, "Ann", "propose", {"title": "A bonus", "text": "More.", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    assert other.records() == live.of(game).records()
    assert other.describe() == live.of(game).describe()
    assert shown(other) == shown(live.of(game))
    assert loads == []


def test_who_has_followed_writes_on(game, ann, other, loads):
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    with other.writing() as running:
        assert running.order("Ann", "propose", {"title": "Two", "text": "Words."}, live.now()).ok
    assert shown(other) == shown(live.of(game))
    assert loads == []


def test_after_a_strike_and_with_new_secrets_the_game_is_loaded_again(game, ann, other, loads):
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    last = live.of(game).n
    loads.clear()
    with live.of(game).writing() as running:
        running.strike(last, "a test", live.now())
    assert shown(other) == shown(live.of(game))
    assert loads == [game.pk]
    with live.of(game).writing() as running:
        running.reveal(live.now())
    assert shown(other) == shown(live.of(game))
    assert other.ask(lambda each: each.secret) == live.of(game).ask(lambda each: each.secret)
    assert loads == [game.pk] * 2


def test_where_the_journal_does_not_go_on_nothing_is_believed(game, ann, other, loads):
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    entry = Entry.objects.filter(game=game).latest("n")
    line = json.loads(entry.line)
    Entry.objects.filter(pk=entry.pk).update(line=json.dumps({**line, "prev": "0" * 64}))
    with other.turn(), pytest.raises(Damaged):
        other.fresh()
    assert loads == []
    assert other.game is None

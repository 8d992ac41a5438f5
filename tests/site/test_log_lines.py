"""The rows of the log: who is given which entry, what corrections rewrite, and how much is read for a window."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomopoly.runtime import shape
from nomopoly.runtime.log import Log as LogInMemory
from nomopoly.site.play.views.log import KINDS
from nomopoly.site.tables import domain, lines, live, prepared
from nomopoly.site.tables.models import Game, LogLine

SECRET = "Zanzibar marmalade"


def in_memory(game, viewer):
    """The log as the runtime makes it from the whole journal: what the rows have to agree with."""

    def read(running):
        log = LogInMemory()
        log.read_on(viewer, running.journal, running.outcomes, running.strikes)
        return log.entries

    return live.of(game).ask(read)


def agrees(game, *viewers):
    """Check that the rows give each viewer what the journal gives them, no more and no less."""
    for viewer in viewers:
        log, whole = live.of(game).facts(viewer), in_memory(game, viewer)
        assert list(log) == whole, viewer
        assert len(log) == len(whole), viewer
        assert list(log[::-1]) == whole[::-1], viewer
        assert [log[-3:], log[:2], log[-1]] == [whole[-3:], whole[:2], whole[-1]], viewer
        assert log[::-1][1:4] == whole[::-1][1:4], viewer


def rows_of(game):
    return set(LogLine.objects.filter(game=game).values_list(*lines.NAMES))


def rows_that_say(game, words):
    """Who is given rows whose text or words hold these words."""
    rows = LogLine.objects.filter(game=game)
    return {row.viewer for row in rows if words.casefold() in row.text.casefold()}


@pytest.fixture
def second(start_second):
    """A game in which what is ordered before an update is known to its player alone."""
    game, _ = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", {"title": SECRET, "text": SECRET}).ok
    return game


def test_the_rows_say_what_the_journal_says(game, ann, ben):
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words."}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    agrees(game, "Ann", "Ben", "visitor", "admin", "Nobody of that name")


def test_a_log_is_read_part_by_part(game, ann, ben, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 2)
    for name in ("AFTER", "BEFORE"):
        monkeypatch.setattr(lines, name, prepared.Rows(getattr(lines, name).make))
    assert live.of(game).n > 3
    agrees(game, "Ann", "visitor", "admin")


def test_of_entries_that_are_far_apart_no_others_are_told(game, ann, ben):
    whole = in_memory(game, "admin")
    log = live.of(game).facts("admin")
    assert list(log.where(n=[whole[0]["n"], whole[-1]["n"]])) == [whole[0], whole[-1]]
    assert list(log.where(n=[whole[1]["n"], whole[3]["n"]])) == [whole[1], whole[3]]


def test_no_row_gives_another_what_one_alone_may_see(second):
    agrees(second, "Ann", "Ben", "visitor", "admin")
    assert rows_that_say(second, SECRET) <= {"Ann", "admin"}
    assert "Ann" in rows_that_say(second, SECRET)
    for viewer in ("Ben", "visitor", "former"):
        log = live.of(second).facts(viewer)
        assert SECRET not in json.dumps(list(log))
        assert list(log.search("zanzibar")) == []
        assert list(log.search("", ["Zanzibar"])) == []
    assert len(live.of(second).facts("Ann").search("zanz marm")) == 1


def test_nothing_is_found_by_words_of_what_one_may_not_see(second):
    mine = [each["n"] for each in live.of(second).facts("Ann").having("about:Ann")]
    others = [each["n"] for each in live.of(second).facts("Ben").having("about:Ann")]
    hidden = [each["n"] for each in live.of(second).facts("Ann").search("zanzibar")]
    assert set(hidden) <= set(mine)
    assert not set(hidden) & set(others)


def test_a_row_that_is_wrong_gives_nobody_more(second):
    """What a row's reader sees is made anew by the door of the log: even a row for everybody opens nothing."""
    hidden = live.of(second).facts("Ann").search("zanzibar")[0]["n"]
    LogLine.objects.filter(game=second, n=hidden, viewer="Ann").update(viewer="Ben")
    assert SECRET not in json.dumps(list(live.of(second).facts("Ben")))


def test_one_game_is_not_searched_for_another(game, keeper):
    one = game
    other = domain.start_game(keeper.user, edition="original", title="Another", slug="another", at=live.now() - 3600)
    assert domain.desk_act(one, "rule", {"text": SECRET, "rules": ""}).ok
    assert len(live.of(one).facts("visitor").search("marmalade")) == 1
    assert list(live.of(other).facts("visitor").search("marmalade")) == []


def test_a_correction_rewrites_what_it_changes_and_leaves_the_rest(game, ann, ben):
    numbers = [domain.order(game, who, "propose", {"title": who, "text": "Words."}).n for who in ("Ann", "Ben", "Ann")]
    before = dict(LogLine.objects.filter(game=game).values_list("pk", "n"))
    strike = domain.desk_act(game, "strike", {"entry": numbers[1], "because": "A slip."})
    assert strike.ok, strike
    agrees(game, "Ann", "Ben", "visitor", "admin")
    log = live.of(game).facts("visitor")
    assert log.where(n=numbers[1])[0]["struck"] == strike.n
    assert [each["n"] for each in log.where(standing=True, kind="order", do="propose")] == [numbers[0], numbers[2]]
    after = dict(LogLine.objects.filter(game=game).values_list("pk", "n"))
    untouched = {n for n in before.values() if n < numbers[1]}
    assert untouched <= {n for pk, n in after.items() if pk in before}
    undone = domain.desk_act(game, "strike", {"entry": strike.n, "because": "It was none."})
    assert undone.ok, undone
    assert live.of(game).facts("visitor").where(n=numbers[1])[0]["struck"] is None
    agrees(game, "Ann", "Ben", "visitor", "admin")


def test_rows_that_are_missing_are_made_when_somebody_reads(second):
    there = rows_of(second)
    lines.forget(second.pk)
    live.forget(second.pk)
    agrees(second, "Ann", "Ben", "admin")
    assert rows_of(second) == there
    assert Game.objects.get(pk=second.pk).lined == live.of(second).ask(lambda running: running.n)


def test_an_upgrade_writes_the_rows_of_the_games_there_are(second):
    import importlib

    from django.apps import apps

    there = rows_of(second)
    assert there
    lines.forget(second.pk)
    importlib.import_module("nomopoly.site.tables.migrations.0021_lines_there_are").those_there_are(apps, None)
    assert rows_of(second) == there
    assert Game.objects.get(pk=second.pk).lined == max(row[0] for row in there)


def test_a_window_reads_as_many_entries_as_it_shows(game, ann, ben, monkeypatch):
    """Counted: the number of queries and of entries made for a window does not grow with the log."""
    made = []
    whole = lines.viewed
    monkeypatch.setattr(lines, "viewed", lambda line, *more: made.append(line["n"]) or whole(line, *more))

    def look():
        made.clear()
        log = live.of(game).facts("Ann")
        with CaptureQueriesContext(connection) as queries:
            len(log), log[-1:], log[::-1][:2], list(log.search("propose")[::-1][:2])
        return len(queries), len(made)

    for title in ("One", "Two", "Three"):
        assert domain.order(game, "Ann", "propose", {"title": title, "text": "Words."}).ok
    few = look()
    for title in ("Four", "Five", "Six", "Seven", "Eight"):
        assert domain.order(game, "Ann", "propose", {"title": title, "text": "Words."}).ok
    assert look() == few
    assert few[1] == 5


def test_the_filter_names_every_kind_of_entry_for_people():
    assert set(KINDS) == set(shape.KINDS)


@pytest.mark.parametrize("viewer", ["visitor", "Ann"])
def test_strikes_are_looked_up_and_not_looked_for(game, ann, viewer):
    """Each page of a game asks for them: what follows the news counts them in."""
    if connection.vendor != "sqlite":  # PostgreSQL reads a small table from its beginning
        return
    strikes = live.of(game).facts(viewer).where(kind="strike")
    assert "USING INDEX log_lines_by_kind" in strikes.rows.values_list("n").explain()

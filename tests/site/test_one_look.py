"""A page asks once whether another process has written to its game; whoever comes next sees what it wrote."""

import json

import pytest
from django.db import connection
from pagewords import seated, started, text, token

from nomopoly.runtime.interpreters import MontyRuntime
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Entry


@pytest.fixture
def fourth(keeper, people):
    game = started(keeper, "iv", "fourth", title="Fourth", since=3600)
    for name in ("ann", "ben"):
        seated(game, people(name), name.title())
    return game


def looks(client, path):
    """What a page asks the database for the number and hash of the last entry."""
    asked = []

    def note(execute, sql, *more):
        asked.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(note):
        assert client.get(path, follow=True).status_code == 200
    return [sql for sql in asked if sql.startswith("SELECT") and '"tables_entry"."hash"' in sql.partition(" FROM ")[0]]


@pytest.mark.parametrize("path", ["", "act/", "rules/", "log/", "players/", "proposals/", "market/"])
def test_a_page_looks_once(fourth, people, path):
    ann = people("ann")
    looks(ann, f"/g/fourth/{path}")
    assert len(looks(ann, f"/g/fourth/{path}")) == 1, path


def by_another_process(game, act):
    """Let act() write as another process would: what is loaded here does not hear of it."""
    here = live._warm.pop(game.pk, None)
    act()
    live._warm.pop(game.pk).drop()
    if here is not None:
        live._warm[game.pk] = here


def test_the_next_page_shows_what_another_process_wrote(fourth, people):
    ben = people("ben")
    assert "Nonsense" not in text(ben.get("/g/fourth/proposals/", follow=True))
    sent = {"title": "Nonsense", "text": "Be sensible"}
    by_another_process(fourth, lambda: domain.order(fourth, "Ann", "propose", sent))
    assert "Nonsense" in text(ben.get("/g/fourth/proposals/", follow=True))


def test_within_a_request_the_game_stays_as_it_was_at_the_first_question(fourth):
    def answer(request):
        before = warm.n
        by_another_process(fourth, lambda: domain.order(fourth, "Ann", "log-in", {}))
        assert warm.n == before, "a page is not torn"
        with warm.writing() as game:
            assert game.n > before, "but whoever writes looks again"
        return warm.n

    warm = live.of(fourth)
    n = warm.n
    assert live.one_look(answer)(None) > n
    assert json.loads(Entry.objects.filter(game=fourth).order_by("-n").first().line)["n"] == warm.n


def test_an_order_that_waits_draws_no_view_and_tries_nothing_else(start_second, people, monkeypatch):
    """Both took most of its time."""
    _, go = start_second("Ann", "Ben")
    go(4)
    ann = people("ann")
    page = ann.get("/g/second/act/deposit/")
    asked, really = [], MontyRuntime.call

    def call(runtime, name, *more, **options):
        asked.append(name)
        return really(runtime, name, *more, **options)

    monkeypatch.setattr(MontyRuntime, "call", call)
    sent = {"amount": "5", "send": "1", "once": token(page)}
    assert ann.post("/g/second/act/deposit/", sent).status_code == 303
    assert "batch" in asked
    assert not {"view", "preview", "records"} & set(asked), asked

"""Who will soon be out of a game is looked for where something happened or a mail is due, and nowhere else."""

from datetime import UTC, datetime

import pytest
from pagewords import seated

from nomopoly.site.notices import mailing
from nomopoly.site.tables import domain, idle, live
from nomopoly.site.tables.models import Entry, Game

DAY = 86_400
MONDAY = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
MANY = 300


@pytest.fixture
def fourth(keeper, people):
    """A game of `iv` in which Ann and Ben are: it takes out who was not here for three weeks, and writes 7 days and 1
    before."""
    with live.clock_at(MONDAY):
        game = domain.start_game(keeper.user, edition="iv", title="Fourth", slug="fourth", at=MONDAY)
        for name in ("ann", "ben"):
            seated(game, people(name), name.title())
    return game


def warnings(mailoutbox):
    return sorted(mail.to[0] for mail in mailoutbox if "out of the game in" in mail.subject)


def looked_at(moment, monkeypatch):
    """The games that are asked at this moment."""
    found = []
    of = live.of

    def asked(game):
        found.append(game.slug)
        return of(game)

    with live.clock_at(moment), monkeypatch.context() as patch:
        patch.setattr(live, "of", asked)
        idle.warn()
    with live.clock_at(moment + 20 * 60):
        mailing.mail_all()
    return sorted(set(found))


def test_a_quiet_site_costs_one_query_whatever_the_number_of_games(
    fourth, django_assert_num_queries, monkeypatch, mailoutbox
):
    assert looked_at(MONDAY, monkeypatch) == ["fourth"]
    row = Game.objects.get(pk=fourth.pk)
    assert (row.idle_n, row.idle_at) == (live.of(fourth).n, MONDAY + 7 * DAY), "a week ahead at most"
    same = {"edition": "iv", "time_zone": "UTC", "due": row.due, "idle_n": 1, "idle_at": MONDAY + 2 * DAY}
    games = Game.objects.bulk_create([Game(slug=f"quiet-{k}", title=f"Quiet {k}", **same) for k in range(MANY)])
    Entry.objects.bulk_create([Entry(game=game, n=n, line="{}", hash="") for game in games for n in (0, 1)])
    with live.clock_at(MONDAY + DAY), monkeypatch.context() as patch, django_assert_num_queries(1):
        patch.setattr(idle, "warn_players", lambda game: pytest.fail(f"{game} is asked"))
        idle.warn()
    Entry.objects.create(game=games[7], n=2, line="{}", hash="")
    assert looked_at(MONDAY + DAY, monkeypatch) == ["quiet-7"], "something has happened there"
    assert looked_at(MONDAY + DAY, monkeypatch) == ["quiet-7"], "it cannot be taken up, so it is not noted as seen"


def test_a_mail_comes_in_a_quiet_game_when_it_is_due(fourth, monkeypatch, mailoutbox):
    with live.clock_at(MONDAY + 60):
        assert domain.order(fourth, "Ann", "log-in", {}).ok
    asked, moments = [], [MONDAY + hour * 3600 for hour in range(6, 21 * 24, 6)]
    for moment in moments:
        if looked_at(moment, monkeypatch):
            asked.append((moment - MONDAY) / DAY)
            noted = Game.objects.get(pk=fourth.pk)
            assert moment < noted.idle_at <= moment + 7 * DAY
    assert warnings(mailoutbox) == ["ann@example.org"] * 2 + ["ben@example.org"] * 2
    assert len(asked) <= 6, asked


def test_what_happens_is_looked_at_at_once(fourth, monkeypatch):
    assert looked_at(MONDAY, monkeypatch) == ["fourth"]
    assert looked_at(MONDAY + 3600, monkeypatch) == []
    with live.clock_at(MONDAY + DAY):
        assert domain.order(fourth, "Ann", "log-in", {}).ok
    assert looked_at(MONDAY + DAY + 60, monkeypatch) == ["fourth"]
    assert looked_at(MONDAY + DAY + 61, monkeypatch) == []

"""Queries that are composed once say the same as the ORM, for every game and row, and are as safe."""

import pytest
from django.db import IntegrityError, connection
from django.db.models.constants import OnConflict
from django.test.utils import CaptureQueriesContext
from test_api import act, bearer

from nomopoly.site.notices import making, reading
from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain, lines, live, prepared
from nomopoly.site.tables.models import Entry, Game, Membership, Once, Outcome

MOST_OF_AN_ORDER = {
    "postgresql": 23,
    "sqlite": 27,
}  # statements; SQLite's witness and what it need not wait for are in it


def test_models_come_as_the_orm_makes_them(game, ann, bob):
    asked = prepared.Rows(
        lambda game, player: Membership.objects.filter(game=game, player=player).select_related("user", "game__admin")
    )
    for seat in Membership.objects.filter(game=game).select_related("user"):
        ours, theirs = asked.first(game.pk, seat.player), Membership.objects.get(pk=seat.pk)
        assert ours == theirs
        for field in Membership._meta.concrete_fields:
            assert getattr(ours, field.attname) == getattr(theirs, field.attname)
        with CaptureQueriesContext(connection) as queries:
            assert (ours.user.email, ours.game.title, ours.game.earlier) == (seat.user.email, game.title, [])
            assert ours.game.admin.pk == game.admin_id
        assert not queries.captured_queries
        ours.answer = "changed"
        ours.save()
        assert Membership.objects.get(pk=seat.pk).answer == "changed"
    assert asked.first(game.pk, "Nobody") is None
    assert asked.all(game.pk + 1, "Ann") == []


def test_values_come_as_the_orm_makes_them(game, ann, bob):
    entries = Entry.objects.filter(game=game).order_by("n")
    for shape in (
        lambda rows: rows.values_list("n", "by_program"),
        lambda rows: rows.values_list("hash", flat=True),
        lambda rows: rows.values("n", "line"),
    ):
        made = prepared.Rows(lambda game, n: shape(Entry.objects.filter(game=game, n__gte=n).order_by("n")))
        for n in (0, 2, 10**6):
            assert made.all(game.pk, n) == list(shape(entries.filter(n__gte=n)))


def test_a_row_is_written_once(keeper, game):
    user = game.admin
    once = prepared.Insert(Once, "user_id", "token", "result", "where", "created")
    row = {"user_id": user.pk, "token": "a%sb'", "result": "\N{SNOWMAN}", "where": "", "created": live.present()}
    assert once.write(**row) == 1
    kept = Once.objects.get(user=user)
    assert {name: getattr(kept, name) for name in row} == row
    again = prepared.Insert(Once, *row, conflict=(OnConflict.IGNORE,))
    assert again.write(**row | {"result": "other"}) == 0
    assert Once.objects.get(user=user).result == "\N{SNOWMAN}"
    with pytest.raises(IntegrityError):
        once.write(**row)


def test_a_row_takes_the_place_of_an_older_one(game):
    put = prepared.Insert(
        Outcome, "game_id", "n", "outcome", conflict=(OnConflict.UPDATE, ["game_id", "n"], ["outcome"])
    )
    for text in ('{"a": 1}', '{"a": 2}'):
        put.write(game_id=game.pk, n=7777, outcome=text)
        assert [row.outcome for row in Outcome.objects.filter(game=game, n=7777)] == [text]


def test_an_update_is_of_its_rows_alone(game):
    other = domain.start_game(game.admin, edition="original", title="Other", slug="other")
    assert prepared.update(Game, "due", "over", "earlier").write(id=game.pk, due=None, over=True, earlier=["a"]) == 1
    assert Game.objects.values_list("due", "over", "earlier").get(pk=game.pk) == (None, True, ["a"])
    assert not Game.objects.get(pk=other.pk).over
    assert prepared.update(Game, "due", "over", "earlier").write(id=0, due=None, over=True, earlier=[]) == 0


# ---- where they are used


def test_an_order_asks_few_questions(ann, game):
    program = bearer(ann, game)
    act(program, "propose", headers={"Idempotency-Key": "first"}, title="First")
    with CaptureQueriesContext(connection) as queries:
        assert act(program, "propose", headers={"Idempotency-Key": "second"}, title="Second").status_code == 200
    asked = [each["sql"] for each in queries.captured_queries]
    assert len(asked) <= MOST_OF_AN_ORDER[connection.vendor], "\n".join(asked)


@pytest.mark.rows_locked
def test_who_writes_to_a_game_has_its_row_for_a_bounded_time(game):
    with live.of(game).writing(), connection.cursor() as cursor:
        cursor.execute("SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout'")
        assert cursor.fetchone() == (live.WAIT * 1000,)


def test_what_every_page_counts_is_what_the_orm_counts(game, ann, bob):
    def counted():
        for viewer in ("", "visitor", "Ann", "Bob", "admin"):
            log = lines.Log(game.pk, viewer)
            assert log.strikes() == [n for n, _, _ in log.where(kind="strike").moments()]
            assert len(log) == log.rows.count()
        found = [reading.unread(user) for user in (ann.user, bob.user, game.admin)]
        assert found == [reading.of(user).filter(read=None).count() for user in (ann.user, bob.user, game.admin)]
        return found

    assert counted() == [0, 0, 0]
    now = live.now()
    for place, (user, kind, due, mail) in enumerate(
        [
            (ann.user, "vote", now - 60, "waiting"),
            (ann.user, "desk", now - 60, "waiting"),
            (ann.user, "proposal", now, "waiting"),
            (ann.user, "proposal", now + 600, "waiting"),
            (ann.user, "proposal", now - 60, "gone"),
            (game.admin, "desk", now - 60, "waiting"),
            (game.admin, "vote", now - 60, "waiting"),
        ]
    ):
        Notice.objects.create(user=user, game=game, kind=kind, cause=str(place), due=making.moment(due), mail=mail)
    assert counted() == [2, 0, 1]
    Notice.objects.filter(kind="proposal").update(read=making.moment(now))
    assert counted() == [1, 0, 1]
    assert domain.order(game, "Ann", "propose", {"title": "One", "text": "Words"}).ok
    assert domain.strike(game, live.of(game).n, "By mistake").ok
    assert lines.Log(game.pk, "Ann").strikes() == [live.of(game).n]
    counted()

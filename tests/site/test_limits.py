"""How much one person may do here in an hour or a day: the table of limits.py, kept in the database."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from nomopoly.site import limits
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain
from nomopoly.site.tables.models import Deed, Game


def new_game(client, slug, invite=""):
    sent = {"edition": "original", "title": slug, "slug": slug, "visibility": "public", "time_zone": "UTC"}
    return client.post("/games/new/", {**sent, "invite": invite})


def test_a_person_starts_five_games_a_day(people):
    eve = people("eve")
    for number in range(5):
        assert new_game(eve, f"g{number}").status_code == 303
    page = new_game(eve, "g5")
    assert page.status_code == 200
    assert "At most 5 new games in a day: try again in 24 hours." in page.content.decode()
    assert 'value="g5"' in page.content.decode(), "what was typed is kept"
    assert not Game.objects.filter(slug="g5").exists()
    assert new_game(people("dot"), "g6").status_code == 303, "others may"
    Deed.objects.update(at=timezone.now() - timedelta(days=1, seconds=1))
    assert new_game(eve, "g5").status_code == 303


def test_forty_people_are_invited_a_day(people):
    eve = people("eve")
    addresses = "\n".join(f"someone{number}@example.org" for number in range(20))
    assert new_game(eve, "g0", addresses).status_code == 303
    assert new_game(eve, "g1", addresses).status_code == 303
    assert len(mail.outbox) == 40
    page = new_game(eve, "g2", "another@example.org")
    assert "At most 40 invitations by mail in a day" in page.content.decode()
    assert len(mail.outbox) == 40
    assert new_game(eve, "g2").status_code == 303, "without mails it may be opened"


def test_forty_posts_an_hour_are_written(game, ann):
    ann.post("/g/friday/forum/new/", {"title": "Tea", "body": "At five."})
    for number in range(39):
        ann.post("/g/friday/forum/1/", {"body": f"Cup {number}"})
    assert Comment.objects.count() == 40
    page = ann.post("/g/friday/forum/1/", {"body": "One more cup"})
    assert "At most 40 posts in an hour" in page.content.decode()
    assert "One more cup" in page.content.decode()
    page = ann.post("/g/friday/forum/new/", {"title": "Coffee", "body": "At six."})
    assert "At most 40 posts in an hour" in page.content.decode()
    assert Comment.objects.count() == 40
    key = {"body": "By the API"}
    answer = ann.post("/api/v1/g/friday/forum/1", key, content_type="application/json")
    assert answer.status_code == 409
    assert "At most 40 posts" in answer.json()["refused"]


def test_announcements_are_mailed_five_times_a_day(game, keeper, ann):
    for number in range(6):
        page = keeper.post("/g/friday/forum/new/", {"title": f"T{number}", "body": "Hear.", "announcement": "1"})
    assert "At most 5 announcements by mail in a day" in page.content.decode()
    assert keeper.post("/g/friday/forum/new/", {"title": "Quiet", "body": "Hear."}).status_code == 303


def test_the_office_is_offered_five_times_a_day(game, keeper):
    for number in range(6):
        page = keeper.post("/g/friday/admin/hand-over/", {"to": f"heir{number}@example.org", "confirm": "Friday"})
    assert len(mail.outbox) == 5
    assert Deed.objects.filter(what="office").count() == 5
    assert page.status_code == 200


def test_one_asks_twenty_times_a_day_to_join(game, people):
    eve = people("eve").user
    for _ in range(20):
        limits.note(eve, "wish")
    outcome = domain.ask_to_join(game, eve, "Eve")
    assert outcome.refused == "At most 20 requests to join a game in a day: try again in 24 hours."


def test_old_deeds_are_forgotten(people):
    eve = people("eve").user
    limits.note(eve, "post")
    Deed.objects.update(at=timezone.now() - timedelta(days=3))
    limits.note(eve, "game")
    assert [each.what for each in Deed.objects.all()] == ["game"]


@pytest.mark.parametrize("what", limits.LIMITS)
def test_nobody_is_no_person(what):
    assert limits.refusal(None, what) is None
    limits.note(None, what)
    assert not Deed.objects.exists()

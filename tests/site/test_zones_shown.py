"""Moments with their zones: the reader's, and the game's beside it where they differ; UTC where moments are compared."""

import re

import pytest
from django.test import Client
from pagewords import propose, text

from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain

ZONED = re.compile(r"\d{4} \d\d:\d\d (?:UTC|[A-Z]{3,4})")


@pytest.fixture
def berlin(keeper):
    """A game in Berlin; the reader of a page without an account has UTC."""
    return domain.start_game(keeper.user, edition="ii", title="Zoned", slug="zoned", time_zone="Europe/Berlin")


def test_what_is_to_come_is_told_in_the_time_of_the_game_too(berlin):
    coming = text(Client().get("/g/zoned/")).partition("Coming up")[2]
    assert re.search(
        r"Monday \w+ \d+ \w+ \d{4} 2[23]:00 UTC \(in [^)]*\) \w+ \d+ \w+ \d{4} 00:00 CES?T in the game", coming
    )


def test_where_both_have_one_zone_it_is_told_once(keeper):
    domain.start_game(keeper.user, edition="ii", title="Here", slug="here", time_zone="UTC")
    assert "in the game" not in text(Client().get("/g/here/")).partition("Coming up")[2].partition("As a calendar")[0]


def test_moments_that_are_compared_are_there_in_utc(berlin):
    page = text(Client().get("/g/zoned/rules/diff/", {"from": "start"}))
    assert re.search(r"UTC \w+ \d+ \w+ \d{4} \d\d:\d\d UTC to \w+ \d+ \w+ \d{4} \d\d:\d\d UTC", page)


def test_talk_says_its_zone(game, ann):
    propose(game)
    ann.post("/g/friday/proposals/1/comment/", {"body": "Well."})
    written = Comment.objects.get().written
    assert f"{written:%-d} {written:%B} {written:%Y} {written:%H:%M} UTC Well." in text(
        Client().get("/g/friday/proposals/1/")
    )


def test_the_overview_says_who_runs_the_game(game, keeper):
    assert "Run by an Admin." in text(Client().get("/g/friday/"))
    domain.change_game(game, host="Keeper K.")
    assert "Admin: Keeper K." in text(Client().get("/g/friday/"))

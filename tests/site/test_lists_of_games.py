"""Home and /games/: most active first, filters, pages, from rows of the database alone; the count of what waits on
every page."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from pagewords import seated, text

from nomopoly.site.lobby import listing
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game, Membership

DAY = 86_400


@pytest.fixture
def many(keeper):
    """Two games with entries, and thirty rows without any."""
    now = live.now()
    for slug, title, edition, days in (("old", "Old one", "original", 9), ("new", "New one", "iv", 2)):
        domain.start_game(keeper.user, edition=edition, title=title, slug=slug, at=now - days * DAY)
    for at in range(30):
        Game.objects.create(slug=f"row-{at}", title=f"Row {at}", edition="mail", invitation="x", secret="", moved=at)
    Game.objects.create(slug="hidden", title="Hidden", edition="ii", invitation="x", secret="", visibility="private")
    Game.objects.filter(slug="row-3").update(over=True)
    Game.objects.filter(slug="row-4").update(closed=True)


def titles(page):
    return re.findall(r"<h3><a [^>]*><bdi>([^<]*)", page.content.decode())


def test_the_most_active_come_first_and_the_rest_on_further_pages(many):
    first, second = Client().get("/games/"), Client().get("/games/?page=2")
    assert titles(first)[:3] == ["New one", "Old one", "Row 29"]
    assert (len(titles(first)), len(titles(second))) == (listing.PAGE, 12)
    assert "Page 1 of 2" in text(first)
    assert 'rel="next"' in first.content.decode()
    assert not set(titles(first)) & set(titles(second))
    assert "Hidden" not in text(first) + text(second)
    assert titles(Client().get("/games/?page=77")) == titles(second)


def test_somebody_who_moves_brings_their_game_to_the_front(many, people):
    old = Game.objects.get(slug="old")
    assert titles(Client().get("/games/"))[0] == "New one"
    seated(old, people("ann"), "Ann")
    page = Client().get("/games/")
    assert titles(page)[0] == "Old one"
    assert "1 player," in text(page)


def test_the_clock_alone_is_no_move(keeper):
    game = domain.start_game(keeper.user, edition="ii", title="Weeks", slug="weeks", at=live.now() - 30 * DAY)
    before = game.moved
    assert domain.run_due(game, live.now())
    game.refresh_from_db()
    assert game.moved == before


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("state=over", ["Row 3"]),
        ("state=open&q=row+4", []),
        ("state=running&q=row+4", ["Row 4"]),
        ("edition=iv", ["New one"]),
        ("q=one&order=long", ["New one", "Old one"]),
        ("q=one&state=nonsense&edition=iv", ["New one"]),
    ],
)
def test_filters(many, asked, expected):
    page = Client().get(f"/games/?{asked}")
    assert sorted(titles(page)) == sorted(expected)
    if not expected:
        assert "No public game is like that" in text(page)


def test_lists_touch_no_sandbox(many, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(live, "of", lambda game: pytest.fail("a game was loaded"))
    with django_assert_max_num_queries(8):
        assert Client().get("/games/").status_code == 200
    assert Client().get("/").status_code == 200


def test_home_shows_finished_games_and_a_way_into_the_demo(demos, many):
    page = Client().get("/")
    assert "Finished games worth reading" in text(page)
    assert "/games/new/?from=row-3" in page.content.decode()
    assert 'href="/g/demo/join/">Play now' in page.content.decode()
    assert "by the house" in text(page)
    assert "“Play now” gives you a seat" in text(page)
    assert "5 players" in text(Client().get("/games/?q=Friday"))


def test_home_takes_a_player_of_the_demo_back_to_their_seat(demos, people):
    pat = people("pat")
    Membership.objects.create(game=Game.objects.get(slug="demo"), user=pat.user, player="Pat", status="approved")
    page = pat.get("/")
    assert 'href="/g/demo/">Play on' in page.content.decode()
    assert "“Play on” takes you to your seat at The Friday Table" in text(page)
    assert "Play now" not in text(page)


def test_what_waits_is_counted_on_every_page_and_in_its_title(people, keeper, ann, game):
    domain.order(game, "Ann", "propose", {"title": "On me", "text": "Words."})
    for path in ("/", "/games/", "/guide/", "/settings/"):
        page = keeper.get(path).content.decode()
        assert "<title>(1) " in page, path
        assert re.search(r'href="/me/">Me\s*<span class="count">1</span>', page), path
    for path in ("", "invite/", "admin/", "rules/"):
        assert "<title>(1) " in keeper.get(f"/g/friday/{path}").content.decode(), path
    domain.desk_act(game, "reject", {"on": "P1"})
    assert "<title>Games" in keeper.get("/games/").content.decode()
    assert "<title>(" not in Client().get("/").content.decode()


def test_no_page_loads_a_cold_game_for_a_count(keeper, game, ann):
    domain.order(game, "Ann", "propose", {"title": "On me", "text": "Words."})
    assert "<title>(1) " in keeper.get("/games/").content.decode()
    live.close_all()
    assert "<title>(1) " in keeper.get("/games/").content.decode()
    assert not live.is_warm(game)


def test_nobody_is_asked_to_join_a_game_that_they_are_in(many, keeper, people):
    """Not players, the Admin, somebody who waits for an answer, nor somebody who was removed."""
    old, new = Game.objects.get(slug="old"), Game.objects.get(slug="new")
    ann, ben = people("ann"), people("ben")
    seated(old, ann, "Ann")
    domain.ask_to_join(new, ben.user, "Ben", "")

    def beside(client, slug):
        ways = re.search(rf'<p>\s*(<a href="/g/{slug}/">.*?)</p>', client.get("/games/").content.decode(), re.S)
        return " ".join(re.sub("<[^>]*>", "", ways[1]).split())

    assert beside(Client(), "old") == "Look at it · Ask to join"
    assert (beside(ann, "old"), beside(ann, "new")) == ("Play on · You play as Ann.", "Look at it · Ask to join")
    assert beside(ben, "new") == "Look at it · You have asked to join."
    assert beside(keeper, "new") == "Look at it · You are its Admin."
    keeper.post("/g/old/admin/remove-player/", {"player": "Ann", "because": "rude", "confirm": "yes"})
    assert beside(ann, "old") == "Look at it · The Admin has removed you from this game."


def test_how_long_ago_and_since_when_is_said_in_german(many):
    moved = live.now() - 8 * DAY - 60
    Game.objects.update(moved=moved, created=datetime.fromtimestamp(moved, UTC))
    told = text(Client().get("/games/", headers={"accept-language": "de"})).replace("\xa0", " ")
    assert "Letzter Zug 1 Woche, 1 Tag her" in told
    assert re.search(r"Seit dem \d+\. [A-Z]", told)

"""Bots at a game: seated and taken away by who has started it, at the pace of people, marked as what they are."""

import random
import re

import pytest
from pagewords import text, things, token

from nomopoly.demo import seats
from nomopoly.site.tables import bots, deciding, domain, live
from nomopoly.site.tables.models import BotSeat, Membership, TableQuestion

INVITE = "/g/friday/invite/"


@pytest.fixture
def solo(keeper, monkeypatch):
    """A game by the house in which Kim plays alone, and a clock to put on."""
    clock = [1_772_442_000]
    monkeypatch.setattr(live, "now", lambda: clock[0])

    def begin(office="house", edition="original"):
        game = domain.start_game(
            keeper.user, edition=edition, title="Friday", slug="friday", office=office, at=clock[0]
        )
        assert domain.ask_to_join(game, keeper.user, "Kim", invited=True).ok
        keeper.get("/g/friday/")
        return game, clock

    return begin


def add(browser):
    return browser.post(INVITE, {"bot": "add", "once": token(browser.get(INVITE))}, follow=True)


def test_the_starter_gives_bots_a_seat_and_takes_them_away(solo, keeper, people):
    game, _ = solo()
    page = add(keeper)
    assert "A bot has taken a seat" in text(page)
    assert "Bot Ash" in text(page)
    assert things(game)["Bot Ash"]["kind"] == "player"
    assert "Bot Birch" in text(add(keeper))
    gone = keeper.post(INVITE, {"bot": "Bot Ash", "once": token(keeper.get(INVITE))}, follow=True)
    assert "Bot Ash has left the game" in text(gone)
    assert "Bot Ash" not in things(game)
    assert [bot.seat.player for bot in bots.bots_of(game)] == ["Bot Birch"]
    assert "Bot Cedar" in text(add(keeper))  # a name is never given twice
    assert people("eve").post(INVITE, {"bot": "add"}).status_code == 403


def test_bots_are_marked_before_they_have_done_anything(solo, keeper):
    solo()
    add(keeper)
    rows = keeper.get("/g/friday/players/").content.decode().split("<tr")
    marked = [row for row in rows if re.search(r'<span class="tag[^>]*>\s*bot', row)]
    assert len(marked) == 1
    assert "Bot Ash" in marked[0]


def test_there_are_not_too_many(solo, keeper):
    game, _ = solo()
    for _ in range(bots.MOST):
        assert bots.put(game).ok
    assert "At most" in bots.put(game).refused
    assert 'value="add"' not in keeper.get(INVITE).content.decode()


def test_a_game_begins_with_bots(keeper):
    page = keeper.get("/games/new/")
    sent = {"title": "Alone", "edition": "original", "office": "house", "bots": "2", "once": token(page)}
    keeper.post("/games/new/", sent)
    assert Membership.objects.filter(game__slug="alone", status="approved").count() == 2


def test_they_play_one_at_a_time_and_minutes_apart(solo, monkeypatch):
    game, clock = solo()
    assert bots.put(game).ok
    assert bots.put(game).ok
    acted = []
    monkeypatch.setattr(seats, "act", lambda bot: acted.append(bot.seat.player))
    seats.attend()
    assert acted == []  # it is not their time yet
    clock[0] += bots.FIRST
    seats.attend()
    assert len(acted) == 1
    seats.attend()
    seats.attend()
    assert sorted(acted) == ["Bot Ash", "Bot Birch"]
    assert all(60 <= each.next_at - clock[0] <= 240 for each in BotSeat.objects.all())


def test_where_nobody_looks_at_the_game_any_more_they_stop(solo, monkeypatch):
    game, clock = solo()
    assert bots.put(game).ok
    clock[0] += 60
    assert bots.due(clock[0]) is not None
    game_visits = Membership.objects.get(player="Kim").user
    from nomopoly.site.tables.models import Visit

    Visit.objects.filter(user=game_visits).delete()
    assert bots.due(clock[0]) is None


def test_a_bot_proposes_to_change_a_number_and_so_moves(solo, monkeypatch):
    game, clock = solo()
    assert bots.put(game).ok
    random.seed(5)
    for _ in range(40):
        clock[0] += 300
        seats.attend()
        if any(thing["kind"] == "proposal" for thing in things(game).values()):
            break
    proposal = next(thing for thing in things(game).values() if thing["kind"] == "proposal")
    assert proposal["author"] == "Bot Ash"
    assert "amend" in proposal["changes"]
    assert proposal["verdict"] in ("accepted", "rejected")
    assert things(game)["Bot Ash"]["square"] != "#1"
    entry = next(each for each in live.of(game).facts("visitor") if each["do"] == "propose")
    assert entry["n"] in set(game.entries.filter(by_program=True).values_list("n", flat=True))


def test_bots_vote_at_the_table(solo):
    game, clock = solo("table")
    assert bots.put(game).ok
    assert domain.order(game, "Kim", "propose", {"title": "On me", "text": "Words."}).ok
    deciding.attend()
    question = TableQuestion.objects.get()
    clock[0] += 60
    seats.attend()
    assert [each.seat.player for each in question.answers.all()] == ["Bot Ash"]
    assert deciding.answer(question, Membership.objects.get(player="Kim"), "yes") is None
    question.refresh_from_db()
    assert question.settled


def test_a_bot_votes_where_the_rules_hold_a_vote(solo):
    game, clock = solo(edition="iv")
    assert bots.put(game).ok
    assert domain.order(game, "Kim", "propose", {"title": "On me", "text": "Words."}).ok
    clock[0] += 60
    seats.attend()
    assert live.of(game).view("Bot Ash")["ballots"]


def test_a_bot_that_comes_late_in_a_busy_game_breaks_nothing(solo, monkeypatch):
    from nomopoly.site.busy import Busy

    game, clock = solo()
    assert bots.put(game).ok
    clock[0] += 60

    def busy(bot):
        raise Busy(5, "busy")

    monkeypatch.setattr(seats, "act", busy)
    seats.attend()
    assert bots.due(clock[0]) is None  # put off

"""Edition ii on the site: who is approved during a week comes in when the next one begins; who does nothing is
warned."""

from datetime import UTC, datetime

import pytest
from pagewords import text

from nomopoly.site.notices import mailing
from nomopoly.site.tables import domain, idle, live
from nomopoly.site.tables.models import Membership

DAY = 86_400
MONDAY = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
MIDNIGHT = MONDAY - 9 * 3600


def go_to(game, moment):
    """Let the clock of a game run, in steps as the real one does."""
    with live.clock_at(moment):
        while domain.run_due(game):
            pass


def seat(game, client, name, moment):
    with live.clock_at(moment):
        assert domain.ask_to_join(game, client.user, name).ok
        assert domain.desk_act(game, "approve-player", {"player": name}).ok


def status(name):
    return Membership.objects.get(player=name).status


@pytest.fixture
def weekly(keeper, people):
    """A weekly game in which Ann, Ben and Cid play; it is Friday of its first week."""
    game = domain.start_game(keeper.user, edition="ii", title="Weekly", slug="weekly", at=MONDAY)
    for name in ("Ann", "Ben", "Cid"):
        seat(game, people(name.lower()), name, MONDAY)
    go_to(game, MIDNIGHT + 4 * DAY)
    return game


def test_a_newcomer_waits_for_the_next_week_and_keeps_the_seat(weekly, people, mailoutbox):
    dora = people("dora")
    seat(weekly, dora, "Dora", MIDNIGHT + 4 * DAY)
    assert "when its next week begins" in mailoutbox[-1].body
    for page in ("", "act/", "players/", "rules/", "log/"):
        with live.clock_at(MIDNIGHT + 4 * DAY):
            shown = dora.get(f"/g/weekly/{page}", follow=True)
        assert shown.status_code == (403 if page == "act/" else 200), page
        assert "You are approved as Dora" in text(shown) or page not in ("", "act/")
        assert "Ask to join" not in text(shown)
    with live.clock_at(MIDNIGHT + 4 * DAY):
        home, front = dora.get("/g/weekly/"), dora.get("/")
        assert "You are approved as Dora, and will be in the game from its next week on" in text(home)
        assert "Ask to join" not in text(home)
        assert front.status_code == 200
        assert domain.leave(weekly, Membership.objects.get(player="Cid")).ok
    assert (status("Dora"), status("Cid")) == ("approved", "left")
    go_to(weekly, MIDNIGHT + 7 * DAY)
    assert live.of(weekly).view("visitor")["things"]["Dora"]["money"] == 10000
    with live.clock_at(MIDNIGHT + 7 * DAY):
        assert "You are approved as Dora" not in text(dora.get("/g/weekly/"))
        assert dora.get("/g/weekly/act/").status_code == 200


def test_a_newcomer_keeps_the_seat_when_something_is_struck(weekly, people):
    seat(weekly, people("dora"), "Dora", MIDNIGHT + 4 * DAY)
    with live.clock_at(MIDNIGHT + 4 * DAY + 60):
        granted = domain.desk_act(
            weekly, "grant", {"thing": "Ann", "attribute": "money", "value": 5, "because": "A slip"}
        )
        assert domain.strike(weekly, granted.n, "A slip").ok
    assert status("Dora") == "approved"


def test_who_does_nothing_is_told_by_mail_once_a_week_before_it_is_too_much(weekly, people, mailoutbox):
    sunday = MIDNIGHT + 6 * DAY
    for week, expected in ((1, 0), (2, 1)):
        go_to(weekly, MIDNIGHT + week * 7 * DAY)
        with live.clock_at(MIDNIGHT + week * 7 * DAY + 60):
            if week == 1:
                assert domain.order(weekly, "Cid", "buy-square", {}).ok
            idle.warn()
            idle.warn()
        with live.clock_at(MIDNIGHT + week * 7 * DAY + 30 * 60):
            mailing.mail_all()
        told = [mail for mail in mailoutbox if "out of the game in 7 days" in mail.subject]
        assert sorted(mail.to[0] for mail in told) == ["ann@example.org", "ben@example.org"][: 2 * expected]
    with live.clock_at(sunday + 8 * DAY + 120):
        assert domain.order(weekly, "Ann", "buy-square", {}).ok
    go_to(weekly, MIDNIGHT + 21 * DAY)
    assert (status("Ann"), status("Ben"), status("Cid")) == ("approved", "left", "approved")

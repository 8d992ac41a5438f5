"""An election by the pages: bids, secret votes, the result; and a net worth of which others do not see all."""

import pytest
from pagewords import text, token

from nomopoly.site.tables import domain, live

DAY = 86400
MONDAY = 1772442000 - 9 * 3600  # 2026-03-02 00:00 UTC
AT = "/g/second/"


@pytest.fixture
def second(keeper, people, monkeypatch):
    """A game of edition ii in week 3, on a Monday morning, with Ann, Ben and Cid in it; the function lets days go by."""
    clock = [MONDAY + 9 * 3600]
    monkeypatch.setattr(live, "now", lambda: clock[0])
    game = domain.start_game(keeper.user, edition="ii", title="Second", slug="second", at=clock[0])
    for name in ("Ann", "Ben", "Cid"):
        assert domain.ask_to_join(game, people(name.lower()).user, name).ok
        assert domain.desk_act(game, "approve-player", {"player": name}).ok
    assert domain.desk_act(game, "grant", {"thing": "game", "attribute": "week", "value": 3}).ok

    def go(days):
        clock[0] += int(days * DAY)
        domain.run_due(game, clock[0])

    return game, go


def order(client, action, **fields):
    page = client.get(f"{AT}act/{action}/")
    return client.post(f"{AT}act/{action}/", fields | {"once": token(page)}, follow=True)


def test_an_election_from_the_bids_to_the_result(second, people):
    game, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    assert "Vote for a Governor" in text(cid.get(f"{AT}act/"))
    assert "there is no election" in text(order(cid, "vote-governor", candidate="Ann"))
    order(ann, "bid-for-governor", amount="432")
    order(ben, "bid-for-governor", amount="567")
    assert "Ann : bid for candidacy as Governor (amount 432)" in text(ann.get(f"{AT}log/"))
    for page in ("log/", "players/Ann/", ""):
        assert "candidacy as Governor (" not in text(cid.get(AT + page))
        assert "432" not in text(cid.get(AT + page)).replace(",", "")
    go(3)
    assert "is a candidate, with a bid of $432" in text(cid.get(f"{AT}log/"))
    order(cid, "vote-governor", candidate="Ben")
    assert "nobody else sees it" in text(order(cid, "vote-governor", candidate="Ann"))
    assert live.of(game).view("Cid")["ballots"] == {"game": "Ann"}
    assert "note that one has voted" in text(cid.get(f"{AT}log/"))
    assert "note that one has voted" not in text(ben.get(f"{AT}log/"))
    go(3)
    assert "Ann is elected Governor" in text(cid.get(f"{AT}log/"))
    go(1)
    seen = live.of(game).view("Cid")["things"]
    assert (seen["game"]["governor"], seen["Ann"]["in_office"], seen["Ben"]["in_office"]) == ("Ann", True, False)


def test_others_see_a_net_worth_without_what_is_secret(second, people):
    game, _ = second
    assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "bank_balance", "value": 2345}).ok
    assert "13,345" in text(people("ann").get(f"{AT}players/Ann/")).replace("13345", "13,345")
    seen = text(people("ben").get(f"{AT}players/Ann/")).replace("11000", "11,000")
    assert "11,000" in seen
    assert "2,345" not in seen
    assert "2345" not in seen
    assert "13,345" not in seen
    assert "13345" not in seen

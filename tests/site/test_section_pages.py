"""A section of the rules as the game stands: offices and since when, votes, what its things are, what came of it."""

import pytest
from django.test import Client
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


def test_an_election_and_the_office_on_the_page_of_their_section(second, people):
    _, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    where = f"{AT}sections/XXXV/"
    assert "Bid for candidacy as Governor" in text(ann.get(where))
    order(ann, "bid-for-governor", amount="432")
    order(ben, "bid-for-governor", amount="567")
    assert "432" not in text(cid.get(where))
    go(3)
    seen = text(cid.get(where))
    assert "Candidates Ben , Ann" in seen
    assert "Ben is a candidate, with a bid of $567" in seen
    assert "You have not voted yet" in seen
    assert "Your vote: Vote for a Governor" in text(cid.get(AT))
    assert "vote: Vote for a Governor" in text(cid.get("/me/"))
    order(cid, "vote-governor", candidate="Ann")
    assert "Your vote: Ann . You can change it until the votes are counted" in text(cid.get(where))
    assert "Your vote: Vote for a Governor" not in text(cid.get(AT))
    assert "You have not voted yet" in text(ben.get(where))
    assert "Your vote" not in text(Client().get(where))
    go(3)
    assert "Ann is elected Governor. Votes: Ben 0 , Ann 1" in text(cid.get(where)).replace(" .", ".")
    go(1)
    seen = text(Client().get(where))
    assert "Governor Ann since Mon 9 March 2026 00:00 UTC , entry" in seen
    assert 'sections/XXXV/">Governor</a>' in cid.get(f"{AT}players/").content.decode()
    assert "Vote for a Governor" not in seen


def test_things_that_a_section_declares_are_listed_as_far_as_one_sees_them(second, people):
    game, _ = second
    assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "cards", "value": ["QH", "2S"]}).ok
    mine, others = text(people("ann").get(f"{AT}sections/XIV/")), text(people("ben").get(f"{AT}sections/XIV/"))
    assert "QH , 2S" in mine
    assert "QH" not in others
    assert "Number of cards" in others
    assert people("ann").get(f"{AT}sections/XCIX/").status_code == 404


def test_sections_are_reached_from_the_rules_and_the_actions(second, people):
    ann = people("ann")
    for path, section in (("act/", "XX"), ("act/", "XIX"), ("rules/", "XXX"), ("players/Ann/", "XII")):
        assert f'href="{AT}sections/{section}/"' in ann.get(AT + path).content.decode()

"""A section of the rules as the game stands: offices and since when, votes, what its things are, what came of it."""

import pytest
from django.test import Client
from pagewords import SECOND, accept, grant, order, propose, text

from nomopoly.site.tables import domain


@pytest.fixture
def second(start_second):
    """Ann, Ben and Cid play, and it is week 3."""
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "game", "week", 3)
    return game, go


def test_an_election_and_the_office_on_the_page_of_their_section(second, people):
    _, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    where = f"{SECOND}sections/XXXV/"
    assert "Bid for candidacy as Governor" in text(ann.get(where))
    order(ann, "bid-for-governor", amount="432")
    order(ben, "bid-for-governor", amount="567")
    assert "432" not in text(cid.get(where))
    go(3)
    seen = text(cid.get(where))
    assert "Candidates Ben , Ann" in seen
    assert "Ben is a candidate, with a bid of $567" in seen
    assert "You have not voted yet" in seen
    assert "Your vote: Vote for a Governor" in text(cid.get(SECOND))
    assert "vote: Vote for a Governor" in text(cid.get("/me/"))
    order(cid, "vote-governor", candidate="Ann")
    assert "Your vote: Ann . You can change it until the votes are counted" in text(cid.get(where))
    assert "Your vote: Vote for a Governor" not in text(cid.get(SECOND))
    assert "You have not voted yet" in text(ben.get(where))
    assert "Your vote" not in text(Client().get(where))
    go(3)
    assert "Ann is elected Governor. Votes: Ben 0 , Ann 1" in text(cid.get(where)).replace(" .", ".")
    go(1)
    seen = text(Client().get(where))
    assert "Governor Ann since Mon 9 March 2026 00:00 UTC , entry" in seen
    assert 'sections/XXXV/">Governor</a>' in cid.get(f"{SECOND}players/").content.decode()
    assert "Vote for a Governor" not in seen


def test_things_that_a_section_declares_are_listed_as_far_as_one_sees_them(second, people):
    game, _ = second
    assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "cards", "value": ["QH", "2S"]}).ok
    mine, others = text(people("ann").get(f"{SECOND}sections/XIV/")), text(people("ben").get(f"{SECOND}sections/XIV/"))
    assert "QH , 2S" in mine
    assert "QH" not in others
    assert "Number of cards" in others
    assert people("ann").get(f"{SECOND}sections/XCIX/").status_code == 404


def test_sections_are_reached_from_the_rules_and_the_actions(second, people):
    ann = people("ann")
    for path, section in (("act/", "XX"), ("act/", "XIX"), ("rules/", "XXX"), ("players/Ann/", "XII")):
        assert f'href="{SECOND}sections/{section}/"' in ann.get(SECOND + path).content.decode()


def test_things_are_called_by_the_label_of_their_kind(ann, game):
    code = """
kind("raffle-lot", label="Raffle ticket", prefix="raffle-")
attribute("raffle-lot", "owner", None, label="Owner", type="thing")
kind("balloon", prefix="balloon-")
attribute("balloon", "owner", None, label="Owner", type="thing")
"""
    run = 'for who in players():\n    create("raffle-lot", owner=who)\n    create("balloon", owner=who)\n'
    propose(game, changes=[{"enact": "IV.9", "text": "Players have tickets and balloons.", "code": code}], run=run)
    accept(game, "P1")
    page = text(ann.get("/g/friday/sections/IV/"))
    assert "Raffle ticket (1)" in page
    assert "Raffle lot" not in page
    assert "Balloons (1)" in page

"""Blocks, buildings and missiles by the pages: what a form offers, what is refused in words, and what is told."""

import re

import pytest
from pagewords import SECOND, grant, order, text, things, token

LINE = ["#3", "#4", "#5"]


@pytest.fixture
def ground(start_second):
    """Ann has a block of three in a row, and #7 in a block of the Government."""
    game, go = start_second("Ann", "Ben")
    for square in (*LINE, "#7"):
        grant(game, square, "owner", "Ann")
    return game, go


def built(people, go):
    order(people("ann"), "make-block", type="industrial", squares=LINE)
    order(people("ann"), "make-block", type="government", squares=["#7"])
    go(3)


def test_squares_of_a_block_are_ticked_on_the_form_and_offered_on_their_card(ground, people):
    game, go = ground
    ann = people("ann")
    page = ann.get(f"{SECOND}act/make-block/")
    assert "industrial ($500)" in text(page)
    assert 'type="checkbox" name="squares" value="#4"' in page.content.decode()
    assert "act/make-block/?squares=%234" in ann.get(f"{SECOND}squares/4/").content.decode()
    page = ann.get(f"{SECOND}act/make-block/?squares=%234").content.decode()
    assert 'value="#4" checked' in page
    assert 'value="#3" checked' not in page
    order(ann, "make-block", type="industrial", squares=LINE)
    waiting = text(ann.get(f"{SECOND}act/")).partition("waiting for the next update")[2][:300]
    assert re.search(r"Make a block: industrial, #3 ?, #4 ?, #5", waiting), waiting
    ben = text(people("ben").get(f"{SECOND}act/"))
    assert "not yours: you own no square" in ben
    go(3)
    assert "New industrial block: #3 , #4 , #5" in text(people("ben").get(f"{SECOND}log/"))


def test_a_form_offers_what_may_stand_there_with_its_price(ground, people):
    _, go = ground
    built(people, go)
    ann = people("ann")
    page = text(ann.get(f"{SECOND}act/build/"))
    assert "ATM ($50)" in page
    assert "House" not in page  # which stands in no industrial block
    assert "#7" not in page.partition("Square #3")[2].partition("Building")[0]
    refused = text(order(ann, "build", square="#5", building="missile-silo"))
    assert "a Missile Silo stands in the centre of its block, on #4" in refused
    order(ann, "build", square="#3", building="atm")
    go(3)
    assert "An ATM is built on #3" in text(people("ben").get(f"{SECOND}log/"))


def test_fuel_has_a_price_where_it_is_sold_alone(ground, people):
    game, go = ground
    page = text(people("ann").get(f"{SECOND}squares/3/"))
    assert "Price of 100 fuel" not in page.partition("What is not so here")[0]
    grant(game, "#7", "buildings", ["gas-station"])
    assert "Price of 100 fuel" in text(people("ann").get(f"{SECOND}squares/7/"))
    assert things(game)["#3"]["fuel_sold"] is None


def test_missiles_are_told_by_their_names(ground, people):
    game, go = ground
    built(people, go)
    grant(game, "#4", "buildings", ["missile-silo"])
    grant(game, "#5", "owner", "Ben")
    ann, ben = people("ann"), people("ben")
    order(ann, "buy-missile", square="#4", missile="icbm")
    go(3)
    assert "An ICBM is made on #4" in text(ben.get(f"{SECOND}log/"))
    order(ann, "fire-missile", square="#4", missile="icbm", target="#7")
    assert "an ICBM from #4 at #7" in text(ben.get(SECOND))
    order(ben, "agree", on="agreement-1")
    go(4)
    told = text(ben.get(f"{SECOND}log/"))
    assert "an ICBM is fired from #4 at #7" in told
    assert "icbm" not in told


def test_what_is_refused_at_once_does_not_say_that_it_waits(ground, people):
    game, go = ground
    built(people, go)
    grant(game, "#4", "buildings", ["missile-silo"])
    grant(game, "#4", "missiles", ["cruise"])
    ann = people("ann")
    form = f"{SECOND}act/fire-missile/"
    fired = {"square": "#4", "missile": "icbm", "target": "#20", "preview": "1"}
    waiting = text(ann.post(form, fired | {"once": token(ann.get(form))}))
    assert "there is no such missile" in waiting
    assert "Order it all the same" in waiting
    grant(game, "#5", "owner", "Ben")
    asking = text(ann.post(form, fired | {"once": token(ann.get(form))}))
    assert "there is no such missile" in asking
    assert "Order it all the same" not in asking

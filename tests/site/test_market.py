"""The market: only where rules sell something or let players offer it to everybody."""

import pytest
from django.test import Client
from pagewords import grant, order, seated, text

from nomopoly.site.tables import domain

STALLS = """
kind("stall")
attribute("stall", "seller", None, type="thing", show="nobody")
attribute("stall", "price", 0, label="Price", type="money")
attribute("stall", "what", "", label="What")


@action("put-up", "Put something up", what=words("What"), price=number("Price", least=1))
def put_up(e):
    create("stall", seller=e.who, price=e.price, what=e.what)


@action("buy-from-stall", "Buy from a stall", fact="bought", say="{who} pays ${price} at a stall", stall=choose("stall", "Stall"))
def buy_from_stall(e):
    note(price=e.stall.price)
    do("pay", who=e.who, to=e.stall.seller, amount=e.stall.price)
    destroy(e.stall)
"""


def test_an_edition_without_sales_has_no_market(game, ann):
    assert "market/" not in ann.get("/g/friday/").content.decode()
    assert "Nothing is on offer" in text(ann.get("/g/friday/market/"))


@pytest.fixture
def second(start_second):
    game, _ = start_second("Ann", "Ben")
    return game


def test_what_the_rules_sell_has_its_price_its_rule_and_its_form(second, people):
    page = Client().get("/g/second/market/")
    assert 'href="/g/second/market/"' in page.content.decode()
    seen = text(page)
    assert seen.index("For sale") < seen.index("Vehicles")
    assert "Flower $10 Rule&nbsp;XXXIII.5/flower" in seen
    assert "Nothing is on offer" in seen
    assert "act/buy-item" not in page.content.decode()
    mine = people("ann").get("/g/second/market/").content.decode()
    assert 'href="/g/second/act/buy-item/?item=flower"' in mine
    form = people("ann").get("/g/second/act/buy-item/?item=flower").content.decode()
    assert 'value="flower" selected' in form


def test_an_offer_between_two_is_no_deal_yet(second):
    game = second
    assert "Nothing yet" in text(Client().get("/g/second/market/"))
    assert domain.order(game, "Ann", "transfer", {"to": "Ben", "what": {"money": 10}}).ok
    assert "Nothing yet" in text(Client().get("/g/second/market/"))


SHARES = """
kind("share")
attribute("share", "owner", None, label="Owner", type="thing")
attribute("share", "seller", None, label="Seller", type="thing")
attribute("share", "price", None, label="Price", type="money")


@action("issue", "Issue a share")
def issue(e):
    create("share", owner=e.who)


@action("offer-share", "Offer a share", share=choose("share", "Share"), price=number("Price", least=1))
def offer_share(e):
    put(e.share, "seller", e.who)
    put(e.share, "price", e.price)
"""


def test_what_somebody_keeps_is_not_on_offer(game, ann, people):
    change = {"enact": "X.1", "section": "Additions", "text": "There are shares.", "code": SHARES}
    assert domain.order(game, "Ann", "propose", {"title": "Shares", "text": "x", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    assert domain.order(game, "Ann", "issue", {}).ok
    assert "Nothing is on offer" in text(ann.get("/g/friday/market/"))
    assert domain.order(game, "Ann", "offer-share", {"share": "share-1", "price": 60}).ok
    assert "$60" in text(ann.get("/g/friday/market/"))


def test_a_rule_that_lets_players_offer_to_all_makes_a_market(game, ann, people):
    change = {"enact": "X.1", "section": "Additions", "text": "There are stalls.", "code": STALLS}
    ben = people("ben")
    seated(game, ben, "Ben")
    assert domain.order(game, "Ann", "propose", {"title": "Stalls", "text": "x", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    assert "market/" in ben.get("/g/friday/").content.decode()
    assert domain.order(game, "Ann", "put-up", {"what": "A song", "price": 60}).ok
    page = ben.get("/g/friday/market/")
    assert "A song" in text(page)
    assert "$60" in text(page)
    assert "somebody" in text(page).partition("On offer")[2].partition("Sold and traded")[0]
    assert "Ann" not in text(page).partition("On offer")[2].partition("Sold and traded")[0]
    assert 'act/buy-from-stall/?stall=stall-1"' in page.content.decode()
    assert domain.order(game, "Ben", "buy-from-stall", {"stall": "stall-1"}).ok
    page = text(ben.get("/g/friday/market/"))
    assert "Nothing is on offer" in page
    assert "Ben pays $60 at a stall" in page


def test_a_fee_is_no_price_and_nobody_sells_what_belongs_to_nobody(start_second, people):
    game, go = start_second("Ann", "Ben")
    ann = people("ann")
    order(ann, "apply-patent", sort="item", name="Umbrella", text="Keeps dry.", price="50")
    go(3)
    assert domain.desk_act(game, "accept", {"on": "patent-1"}).ok
    market = ann.get("/g/second/market/")
    assert "Nothing yet" in text(market).partition("Sold and traded last")[2]
    assert "act/buy-item/?item=patent-1" in market.content.decode()
    grant(game, "patent-1", "owner", None)
    assert "act/buy-item/?item=patent-1" not in ann.get("/g/second/market/").content.decode()

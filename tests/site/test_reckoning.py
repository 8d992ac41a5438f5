"""How a value comes about: each part with its rule, as whoever looks may know it, and what it comes to."""

import re

import pytest
from django.test import Client
from pagewords import SECOND, accept, grant, propose, text

from nomopoly.site.tables import domain, live


def rows(page):
    """The parts on a page: [(what stands for the rule, what it does)], and what it comes to."""
    table = page.content.decode().partition('id="reckoning"')[2].partition("</section>")[0]
    cells = re.findall(r"<tr>\s*<t[dh][^>]*>(.*?)</t[dh]>\s*<t[dh][^>]*>(.*?)</t[dh]>\s*</tr>", table, re.S)
    return [
        tuple(" ".join(re.sub(r"<[^>]+>", " ", cell).replace("&nbsp;", " ").split()) for cell in row) for row in cells
    ]


@pytest.fixture
def second(start_second):
    game, go = start_second("Ann", "Ben")
    for attribute, value in (("money", 5000), ("health", 30), ("bank_balance", 2345)):
        assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": attribute, "value": value}).ok
    return game


def test_a_net_worth_is_told_term_by_term(second, people):
    ann = people("ann")
    page = ann.get(f"{SECOND}players/Ann/")
    assert 'href="?of=net_worth#reckoning"' in page.content.decode()
    assert 'id="reckoning"' not in page.content.decode()
    *parts, total = rows(ann.get(f"{SECOND}players/Ann/?of=net_worth"))
    assert ("Rule XXX.1/money Money", "+ $5,000") in parts
    assert ("Rule XXX.1/health Health", "+ $300") in parts
    assert ("Rule XXX.1/bank In the bank", "+ $2,345") in parts
    sums = sum(int(re.sub(r"[^\d-]", "", does)) for _, does in parts[1:])
    assert total == ("Comes to", f"${sums:,}")
    assert live.of(second).view("Ann")["things"]["Ann"]["net_worth"] == sums


def test_others_learn_no_part_that_is_not_shown_to_them(second, people):
    for viewer in (people("ben"), Client()):
        page = viewer.get(f"{SECOND}players/Ann/?of=net_worth")
        *parts, total = rows(page)
        assert total == ("Comes to", "$5,300")
        assert not any("XXX.1/bank" in rule for rule, _ in parts)
        assert "2,345" not in text(page)
        assert "2345" not in text(page)


@pytest.mark.parametrize("name", ["money", "bank_balance", "nothing", "__class__", "x" * 300, "cards"])
def test_what_is_no_such_value_is_told_like_none(second, people, name):
    page = people("ben").get(f"{SECOND}players/Ann/", {"of": name})
    assert page.status_code == 200
    assert 'id="reckoning"' not in page.content.decode()


def test_what_squares_are_worth_is_told_too_after_a_rule_bends_it(game, ann):
    square = "/g/friday/squares/12/"
    assert 'href="?of=market_value#reckoning"' not in ann.get(square).content.decode()
    code = '@modify("market_value")\ndef dear(square, base):\n    return percent(50)\n\n\n'
    more = '@modify("market_value")\ndef cap(square, base):\n    return at_most(170)\n'
    changes = [
        {"enact": "X.1", "title": "Dear", "text": "Squares are dear.", "code": code},
        {"enact": "X.2", "title": "Not too dear", "text": "At most $170.", "code": more},
    ]
    propose(game, title="Dear", changes=changes)
    accept(game, "P1")
    assert 'href="?of=market_value#reckoning"' in ann.get(square).content.decode()
    assert rows(ann.get(f"{square}?of=market_value")) == [
        ("Rule", "What it does"),
        ("Rule V.1 Market value", "$120"),
        ("Rule X.1 Dear", "+50 %"),
        ("Rule X.2 Not too dear", "at most $170"),
        ("Comes to", "$170"),
    ]


def test_a_part_that_breaks_takes_no_page_away(game, ann):
    code = '@modify("market_value")\ndef odd(square, base):\n    return add(1 // (square.number - 40))\n'  # no roll leads there
    propose(game, title="Odd", changes=[{"enact": "X.1", "text": "Odd.", "code": code}])
    accept(game, "P1")
    assert ann.get("/g/friday/squares/40/?of=market_value").status_code == 200
    assert rows(ann.get("/g/friday/squares/41/?of=market_value"))[-1] == ("Comes to", "$411")


def test_the_api_has_the_parts(second, people):
    found = people("ann").get("/api/v1/g/second/reckoning", {"thing": "Ann", "name": "net_worth"}).json()
    assert ["XXX.1/bank", "add", 2345, 1] in found["parts"]
    assert found["total"] == live.of(second).view("Ann")["things"]["Ann"]["net_worth"]
    others = Client().get("/api/v1/g/second/reckoning", {"thing": "Ann", "name": "net_worth"}).json()
    assert "2345" not in str(others)
    assert Client().get("/api/v1/g/second/reckoning", {"thing": "Ann", "name": "money"}).status_code == 404
    assert Client().get("/api/v1/g/second/reckoning", {"thing": "Zoe", "name": "net_worth"}).status_code == 404
    grant(second, "Ann", "money", 1)

"""Accounts of the game that are nobody's: their list, their statements, and who is told of them."""

import codecs
import csv
import io

import pytest
from django.test import Client
from pagewords import SECOND, grant, seated, text, well

from nomopoly.site.play.account import signs
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
TAX = """kind("account", prefix="$")
attribute("account", "money", 0, label="Money", type="money")
attribute("account", "best_bid", 0, label="Best bid", type="money")
attribute("account", "bidder", None, label="Bidder", type="thing", show="nobody")
event("tax", "taxed", say="{who} pays {to} ${amount}", who="player", to="account", amount="")


@on("tax")
def collect(e):
    debit(e.who, e.amount)
    credit(e.to, e.amount)


@action("pay-tax", "Pay the tax", amount=number("Amount", least=1))
def pay_tax(e):
    do("tax", who=e.who, to=thing("$government"), amount=e.amount)


@action("close-account", "Close the account", by="admin")
def close_account(e):
    destroy(thing("$government"))
"""


@pytest.fixture
def government(game, ann):
    """An account that the rules of this game have, with two payments."""
    changes = [{"enact": "X.1", "text": "There is a government.", "code": TAX}]
    run = 'create("account", id="$government", best_bid=35, bidder=thing("Ann"))'
    assert domain.order(game, "Ann", "propose", {"title": "Tax", "changes": changes, "run": run}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    for amount in (30, 12):
        assert domain.order(game, "Ann", "pay-tax", {"amount": amount}).ok


def test_without_accounts_there_is_no_menu_item(ann):
    assert "accounts/" not in ann.get(AT).content.decode()
    assert "no accounts but those of its players" in text(ann.get(f"{AT}accounts/"))
    assert ann.get(f"{AT}accounts/government/").status_code == 404


def test_an_account_is_found_by_the_id_that_programs_read(ann, government):
    listed = ann.get("/api/v1/g/friday/accounts").json()["accounts"]
    assert [each["id"] for each in listed] == ["$government"]
    told = [ann.get(f"/api/v1/g/friday/accounts/{name}").json() for name in ("$government", "government")]
    assert told[0] == told[1]
    assert told[0]["balance"] == 42
    assert text(ann.get(f"{AT}accounts/$government/")) == text(ann.get(f"{AT}accounts/government/"))


def test_accounts_are_listed_for_all(ann, keeper, government):
    for reader in (ann, keeper, Client()):
        assert f'href="{AT}accounts/"' in reader.get(AT).content.decode()
        page = reader.get(f"{AT}accounts/")
        assert f'href="{AT}accounts/government/"' in page.content.decode()
        assert "$42" in text(page)
        assert "Best bid: $35" in text(page)


def test_the_statement_adds_up_and_never_tells_the_bidder(ann, keeper, government):
    page = Client().get(f"{AT}accounts/government/")
    assert "Statement of account of Government" in text(page)
    assert "Ann pays the Government account $12" in text(page)
    assert "Balance: $42" in text(page)
    assert "Best bid $35" in text(page)
    assert "X.1" in text(page)
    for reader in (ann, keeper, Client()):
        assert "Bidder" not in text(reader.get(f"{AT}accounts/government/"))
    assert "Brought forward: $42" in text(Client().get(f"{AT}accounts/government/?from=2999-01-01"))
    assert Client().get(f"{AT}accounts/government/?from=soon").status_code == 400
    assert Client().get(f"{AT}accounts/nothing/").status_code == 404


def test_as_csv(government):
    answer = Client().get(f"{AT}accounts/government.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].endswith('-government.csv"')
    assert answer.content.startswith(codecs.BOM_UTF8), "else spreadsheets take it for another alphabet"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["other party"], row["amount"], row["balance"]) for row in rows] == [
        ("Ann", "30", "30"),
        ("Ann", "12", "42"),
    ]
    assert not [row for row in rows if "$" in row["what"] and "$government" in row["what"]]
    assert "/accounts/government.csv" in Client().get(f"{AT}accounts/government/").content.decode()


def test_the_player_sees_the_other_party_as_a_link(government):
    page = Client().get(f"{AT}players/Ann/account/").content.decode()
    assert f'<a href="{AT}accounts/government/"><bdi>the Government account</bdi></a>' in page


def test_an_account_that_is_gone_keeps_its_address(game, keeper, government):
    assert domain.desk_act(game, "close-account", {}).ok
    assert "$government" not in live.of(game).view("visitor")["things"]
    page = keeper.get(f"{AT}accounts/government/")
    assert page.status_code == 200
    assert "no longer exists" in text(page)
    assert "Balance: $42" in text(page)


def test_programs_read_them_too(government):
    api = "/api/v1/g/friday/accounts"
    assert [each["id"] for each in Client().get(api).json()["accounts"]] == ["$government"]
    told = Client().get(f"{api}/government").json()
    assert told["account"] == "$government"
    assert told["balance"] == 42
    assert [line["amount"] for line in told["lines"]] == [30, 12]


def test_what_is_no_money_does_not_spoil_the_reckoning_of_an_entry():
    facts = [
        {"what": "paid", "who": "Ann", "to": "Dot", "amount": 240},
        {"what": "healed", "who": "Ann", "amount": 15},
        {"what": "paid", "who": "$bank", "to": "Ann", "amount": 1000},
    ]
    assert [amount for _, amount in signs(facts, "Ann", 775)] == [-240, 15, 1000]
    assert [(fact["what"], amount) for fact, amount in signs(facts, "Ann", 760)] == [("paid", -240), ("paid", 1000)]
    assert signs(facts, "Ann", 3) is None


def test_what_somebody_had_before_they_left_is_gone_when_they_come_back(start_second, people):
    game, go = start_second("Ann", "Ben")
    grant(game, "Ann", "money", 4321)
    for _ in range(2):
        well(domain.order(game, "Ann", "leave-game", {}))
        go(0.1)
        seated(game, people("ann"), "Ann")
    page = text(people("ann").get(f"{SECOND}players/Ann/account/"))
    assert "What Ann had before leaving the game – -$4,321 $0" in page
    assert "What Ann had before leaving the game – -$10,000 $0" in page
    assert "Not told to you" not in page
    assert page.count("Ann gets $10,000") == 3
    rows = people("ann").get(f"{SECOND}players/Ann/account.csv").content.decode()
    assert ",What Ann had before leaving the game,,,-4321,0" in rows

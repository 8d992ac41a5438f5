"""What would come of a proposal, on its page: now, and as it looked when it was made; rules overruled, and all the
money."""

from django.test import Client
from pagewords import accept, grant, propose, text

from nomopoly.site.notices import making
from nomopoly.site.play.models import Foreseen
from nomopoly.site.tables import domain, live

AT = "/g/friday/proposals/1/"
GIFT = "for each in players():\n    gain(each, 500)\n"


def part(client, heading, page=AT):
    """What a page of a proposal says under a heading, up to the next part of it."""
    told = text(client.get(page))
    return told.partition(heading)[2].partition("Discussion")[0] if heading in told else ""


def test_the_sum_of_all_money_is_told_before_and_after(game, ann, ben):
    propose(game, title="A gift", run=GIFT)
    money = sum(each.get("money") or 0 for each in live.of(game).view("visitor")["things"].values())
    told = part(Client(), "If it were accepted now")
    assert f"All the money in the game: from ${money:,} to ${money + 1000:,}" in told
    propose(game, title="From hand to hand", run='pay(thing("Ann"), thing("Ben"), 7)\n')
    told = part(Client(), "If it were accepted now", "/g/friday/proposals/2/")
    assert "$993" in told
    assert "All the money" not in told


def test_rules_that_would_be_overruled_are_named(game, ann):
    code = 'overrides("V.1")\n\n@value("market_value", of="square")\ndef worth(square):\n    return 7\n'
    propose(
        game, title="Seven", changes=[{"enact": "XX.1", "text": "A square is worth $7. Overrules V.1.", "code": code}]
    )
    told = part(Client(), "If it were accepted now")
    assert "Clash: This (XX.1) would win over V.1, because it says it overrides V.1." in told
    assert 'href="/g/friday/rules/V.1/">Read V.1' in Client().get(AT).content.decode()


def test_what_was_foreseen_when_it_was_made_is_kept_and_stays_when_it_is_decided(game, ann, ben, told):
    told()
    propose(game, title="A gift", run=GIFT)
    at = told()
    kept = Foreseen.objects.get(game=game, proposal="P1")
    assert abs(kept.at - at) < 3600
    grant(game, "Ann", "money", 2000)
    assert "As it looked on" in part(Client(), "If it were accepted now")
    then = part(Client(), "As it looked on")
    assert "$1,000 to $1,500" in then
    assert "$2,000 to $2,500" not in then
    assert "$2,000 to $2,500" in part(Client(), "If it were accepted now").partition("As it looked on")[0]
    accept(game, "P1")
    told()
    page = text(Client().get(AT))
    assert "If it were accepted now" not in page
    assert "$1,000 to $1,500" in part(Client(), "As it looked on")
    assert Foreseen.objects.count() == 1


def test_what_is_as_it_was_is_told_once(game, ann, ben, told):
    told()
    propose(game, title="A gift", run=GIFT)
    told()
    assert "As it looked on" not in text(Client().get(AT))
    assert "Drawn up" in part(Client(), "If it were accepted now")


def test_what_only_some_see_is_not_kept(start_second, told):
    second, go = start_second("Ann", "Ben")
    told()
    grant(second, "Ann", "cards", ["ace of spades"])
    propose(second, title="A gift", run='for each in players():\n    put(each, "cards", ())\n')
    go(4)
    told()
    kept = Foreseen.objects.get(game=second)
    assert "spades" not in kept.data
    page = text(Client().get("/g/second/proposals/1/"))
    assert "when it could first be seen" in page, "it was made days before that"
    assert "when it was made" not in page


def test_a_forecast_that_breaks_keeps_no_notice_back(game, ann, ben, told, monkeypatch):
    told()
    monkeypatch.setattr("nomopoly.site.play.foreseen.draw_up", lambda seat, found: 1 / 0)
    propose(game, title="A gift", run=GIFT)
    told()
    assert not Foreseen.objects.exists()
    assert making.Notice.objects.filter(kind="proposal", user__email="ben@example.org").exists()
    assert domain.order(game, "Ann", "retract-proposal", {"on": "P1"}) is not None


def test_the_api_has_both(game, ann, ben, told):
    told()
    propose(game, title="A gift", run=GIFT)
    told()
    found = Client().get("/api/v1/g/friday/proposals/1").json()
    assert found["foreseen"]["money"][1] - found["foreseen"]["money"][0] == 1000
    assert found["foreseen"]["clashes"] == []
    assert found["forecast"]["money"] == found["foreseen"]["money"]


def test_what_a_verdict_that_counts_later_comes_to_is_foreseen(start_second, people):
    game, go = start_second("Ann", "Ben", edition="mail")
    propose(game, title="A gift", run=GIFT)
    propose(game, title="Odd", run='pay(thing("Ann"), thing("Ben"), 5000)\nrefuse("no")\n')
    told = part(people("ben"), "If it were accepted now", "/g/second/proposals/1/")
    assert "$1,000 to $1,500" in told
    assert "Nothing changes at once" not in told
    accept(game, "P1")
    assert "$1,000 to $1,500" in part(people("ben"), "If it were accepted now", "/g/second/proposals/1/")
    assert "It could not be put into effect: no" in part(people("ben"), "If it were", "/g/second/proposals/2/")
    go(7)
    page = text(people("ben").get("/g/second/proposals/1/"))
    assert "If it were accepted now" not in page


def test_where_the_table_decides_it_is_the_table_that_would_accept(game, ann):
    domain.change_game(game, admin=None, office="table")
    propose(game, title="A gift", run=GIFT)
    told = part(Client(), "If it were accepted now")
    assert "The table has accepted P1" in told
    assert "The Admin" not in told

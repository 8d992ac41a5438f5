"""An election by the pages: bids, secret votes, the result; and a net worth of which others do not see all."""

import re

import pytest
from django.core import mail
from pagewords import SECOND, grant, order, propose, text

from nomopoly.site.notices import making
from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain, live


@pytest.fixture
def second(start_second):
    """Ann, Ben and Cid play, and it is week 3."""
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "game", "week", 3)
    return game, go


def test_an_election_from_the_bids_to_the_result(second, people):
    game, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    assert "Vote for a Governor" in text(cid.get(f"{SECOND}act/"))
    assert "there is no election" in text(order(cid, "vote-governor", candidate="Ann"))
    order(ann, "bid-for-governor", amount="432")
    order(ben, "bid-for-governor", amount="567")
    assert "You bid $432 for candidacy" in text(ann.get(f"{SECOND}log/"))
    for page in ("log/", "players/Ann/", ""):
        assert "candidacy as Governor (" not in text(cid.get(SECOND + page))
        assert "432" not in text(cid.get(SECOND + page)).replace(",", "")
    go(3)
    assert "is a candidate, with a bid of $432" in text(cid.get(f"{SECOND}log/"))
    order(cid, "vote-governor", candidate="Ben")
    assert "Vote for Ann?" in text(cid.post(f"{SECOND}act/vote-governor/", {"candidate": "Ann", "preview": "1"}))
    kept = "Your vote: Ann. You can change it until Sun 8 March 2026 00:00 UTC."
    assert kept in text(order(cid, "vote-governor", candidate="Ann"))
    assert kept in text(cid.get(f"{SECOND}act/vote-governor/"))
    assert "Your vote:" not in text(ben.get(f"{SECOND}act/vote-governor/"))
    assert live.of(game).view("Cid")["ballots"] == {"game": "Ann"}
    assert "Cid: vote for a Governor" in text(cid.get(f"{SECOND}log/"))
    assert "Cid: vote for a Governor" not in text(ben.get(f"{SECOND}log/"))
    go(3)
    assert "Ann is elected Governor" in text(cid.get(f"{SECOND}log/"))
    go(1)
    seen = live.of(game).view("Cid")["things"]
    assert (seen["game"]["governor"], seen["Ann"]["in_office"], seen["Ben"]["in_office"]) == ("Ann", True, False)


def test_others_see_a_net_worth_without_what_is_secret(second, people):
    game, _ = second
    assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "bank_balance", "value": 2345}).ok
    assert "13,345" in text(people("ann").get(f"{SECOND}players/Ann/")).replace("13345", "13,345")
    seen = text(people("ben").get(f"{SECOND}players/Ann/")).replace("11000", "11,000")
    assert "11,000" in seen
    assert "2,345" not in seen
    assert "2345" not in seen
    assert "13,345" not in seen
    assert "13345" not in seen


def test_who_has_not_voted_is_told_a_day_before_the_vote_closes_and_in_each_election(second, people, told):
    game, go = second

    def letters(name):
        found = Notice.objects.filter(user__email=f"{name}@example.org", kind="vote", path="act/vote-governor/")
        return [(each.until, each.due.timestamp()) for each in found.exclude(mail="gone").order_by("pk")]

    def election():
        order(people("ann"), "bid-for-governor", amount="10")
        order(people("ben"), "bid-for-governor", amount="20")
        go(3)
        making.look_all()
        closes = live.of(game).view("Cid")["things"]["game"]["vote_closes"]
        assert 2 * 86400 < closes - live.now() < 3 * 86400
        assert "your vote: Vote for a Governor" in text(people("cid").get(SECOND)).replace("Your vote", "your vote")
        return closes

    making.look_all()
    first = election()
    assert letters("cid") == [(first, first - 86400)]
    order(people("cid"), "vote-governor", candidate="Ben")
    go(2.1)
    told()
    assert not [each for each in mail.outbox if each.to == ["cid@example.org"] and "vote: Vote for" in each.body]
    assert [each for each in mail.outbox if each.to == ["ann@example.org"] and "vote: Vote for" in each.body]
    go(16)
    second_one = election()
    assert second_one > first
    assert (second_one, second_one - 86400) in letters("cid")


def test_a_candidate_who_has_left_is_offered_no_more(second, people):
    game, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    order(ann, "bid-for-governor", amount="432")
    order(ben, "bid-for-governor", amount="567")
    go(3)
    form = f"{SECOND}act/vote-governor/"
    assert "Ben" in re.findall(r'name="candidate" value="(\w+)"', cid.get(SECOND).content.decode())
    assert domain.order(game, "Ben", "leave-game", {}).ok
    assert re.findall(r'name="candidate" value="(\w+)"', cid.get(SECOND).content.decode()) == ["Ann"]
    assert re.findall(r'<option value="(\w+)"', cid.get(form).content.decode()) == ["Ann"]


def test_what_the_governor_vetoes_is_not_called_the_admins(second, people):
    game, go = second
    propose(game, title="Rain")
    for attribute, value in (("governor", "Ben"), ("governor_until", 6)):
        grant(game, "game", attribute, value)
    go(4)
    order(people("ben"), "governor-veto", on="P1")
    page = text(people("ann").get(f"{SECOND}proposals/1/"))
    assert "Ben : “ the Governor has vetoed it ”" in page
    assert "The Admin: “" not in page


def test_a_sum_in_a_refusal_is_written_as_everywhere(second, people):
    refused = text(order(people("ann"), "bid-for-governor", amount="12345"))
    assert "Ann has $10,000 and needs $12,345" in refused

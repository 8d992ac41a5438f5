"""What several players have to agree to, by the pages: who is asked, what for, and what each is told."""

import pytest
from django.test import Client
from pagewords import SECOND, accept, grant, order, propose, text, things, token, well

from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain

LINE = ("#3", "#4", "#5")


@pytest.fixture
def second(start_second):
    """Ann has #3 and #5, Cid #4 between them; Ben has nothing."""
    game, go = start_second("Ann", "Ben", "Cid")
    for square, owner in zip(LINE, ("Ann", "Cid", "Ann"), strict=True):
        grant(game, square, "owner", owner)
    return game, go


def asked(people):
    """Ann asks Cid for an industrial block."""
    return order(people("ann"), "make-block", type="industrial", squares=list(LINE))


def test_who_asks_others_is_told_that_they_see_it_at_once(second, people):
    ann = people("ann")
    page = ann.get(f"{SECOND}act/make-block/")
    assert "unless others have to agree: they are asked at once" in text(page)
    assert "waits for the next update." in text(ann.get(f"{SECOND}act/build/"))
    sent = {"type": "industrial", "squares": list(LINE), "preview": "1", "once": token(page)}
    seen = text(ann.post(f"{SECOND}act/make-block/", sent))
    assert "Cid will be asked at once." in seen
    assert "nobody but you and the Admin sees it" not in seen
    told = text(asked(people))
    assert "Ann asks for agreement (agreement 1): #3, #4, #5 as an industrial block" in told
    assert "nobody but you and the Admin sees it" not in told


def test_who_is_asked_reads_what_for_before_they_answer(second, people):
    asked(people)
    cid = people("cid")
    assert "An agreement by Ann: #3, #4, #5 as an industrial block" in text(cid.get(SECOND))
    sent = {"on": "agreement-1", "preview": "1"}
    seen = text(cid.post(f"{SECOND}act/agree/", sent))
    assert "Accept the agreement by Ann: #3, #4, #5 as an industrial block?" in seen
    assert "Agreed from" not in seen
    assert "industrial block" not in text(people("ben").get(SECOND))


def test_what_all_have_agreed_to_is_told_and_can_no_longer_be_withdrawn(second, people):
    game, go = second
    asked(people)
    told = text(order(people("cid"), "agree", on="agreement-1"))
    assert "All agree (agreement 1): #3, #4, #5 as an industrial block. It waits with the orders of Ann" in told
    for name in ("ann", "cid"):
        page = text(people(name).get(f"{SECOND}trades/"))
        assert "all have agreed" in page
        assert "Withdraw" not in page
        assert "Open until" not in page
    go(3)
    assert things(game)["#4"]["block"] == "block-1"
    for name in ("ann", "ben"):
        assert "New industrial block: #3 , #4 , #5" in text(people(name).get(SECOND))


def test_the_parties_alone_read_who_has_agreed_and_to_what(start_second, people):
    game, _ = start_second("Ann", "Ben", "Cid", "Dot")
    for square, owner in zip(LINE, ("Ann", "Cid", "Ben"), strict=True):
        grant(game, square, "owner", owner)
    asked(people)
    order(people("cid"), "agree", on="agreement-1")
    for name in ("ann", "ben", "cid"):
        told = text(people(name).get(f"{SECOND}log/"))
        assert "Cid agrees ( agreement 1 ): #3 , #4 , #5 as an industrial block" in told
        assert "Cid: agree" not in told
    for client in (people("dot"), Client()):
        assert "agree" not in text(client.get(f"{SECOND}log/")).casefold()


def test_a_form_of_agreements_shows_no_offer(second, people):
    asked(people)
    order(people("ben"), "transfer", to="Cid", **{"what-money": "60"})
    cid = people("cid")
    page = text(cid.get(f"{SECOND}act/agree/"))
    assert "agreement 1: #3, #4, #5 as an industrial block" in page
    assert "$60" not in page
    page = text(cid.get(f"{SECOND}act/accept-trade/"))
    assert "offer 1: you get $60" in page
    assert "industrial block" not in page
    assert "$60" not in text(cid.get(f"{SECOND}act/trade/"))


def test_the_dock_says_why_one_cannot_agree_any_more(second, people):
    game, _ = second
    asked(people)
    grant(game, "#4", "owner", "Ben")
    dock = text(people("cid").get(SECOND)).partition("Waiting for you")[2].partition("The board")[0]
    assert "Not possible now: " in dock
    assert "Accept" not in dock
    assert "Decline" in dock


def test_the_list_of_actions_says_of_which_agreement_its_reason_speaks(second, people):
    game, _ = second
    asked(people)
    for square, owner in (("#6", "Ann"), ("#7", "Cid"), ("#8", "Ann")):
        grant(game, square, "owner", owner)
    order(people("ann"), "make-block", type="industrial", squares=["#6", "#7", "#8"])
    grant(game, "#4", "owner", "Ben")
    grant(game, "#7", "owner", None)
    page = text(people("cid").get(f"{SECOND}act/"))
    assert "Agree : agreement 1: Ben owns some of the squares and has not agreed" in page


def test_what_waits_to_be_carried_out_says_what_it_is(second, people):
    order(people("ben"), "transfer", to="Cid", **{"what-money": "60"})
    asked(people)
    assert "Ben offers Cid a trade ( offer 1 ): Ben gives $60." in text(people("cid").get(SECOND))
    order(people("cid"), "agree", on="agreement-1")
    told = text(order(people("cid"), "accept-trade", offer="offer-1"))
    assert "All agree ( offer 1 ): Ben gives $60. It waits with the orders of Ben" in told
    waits = text(people("ben").get(f"{SECOND}act/"))
    assert "Carry out what all have agreed to: offer 1, you give $60" in waits
    waits = text(people("ann").get(f"{SECOND}act/"))
    told = "Carry out what all have agreed to: agreement 1, #3, #4, #5 as an industrial block"
    assert told in waits.replace(" ,", ",")


DEAL = {
    "deal-0-from": "Ann",
    "deal-0-to": "Ben",
    "deal-0-money": "10",
    "deal-0-squares": "#3",
    "deal-1-from": "Ben",
    "deal-1-to": "Cid",
    "deal-1-money": "50",
    "deal-2-from": "Cid",
    "deal-2-to": "Ann",
    "deal-2-squares": "#4",
}


def test_a_deal_among_three_says_who_hands_over_what_before_it_is_offered(second, people):
    seen = text(people("ann").post(f"{SECOND}act/trade/", DEAL | {"preview": "1"}))
    assert "Offer a trade: Ann to Ben: $10, #3; Ben to Cid: $50; Cid to Ann: #4?" in seen


def test_who_agrees_first_is_told_with_what_it_is_about_and_to_the_parties_alone(second, people):
    game, _ = second
    order(people("ann"), "trade", **DEAL)
    told = text(order(people("ben"), "agree", on="agreement-1"))
    assert "Ben agrees (agreement 1): Ann to Ben: $10, #3; Ben to Cid: $50; Cid to Ann: #4." in told
    assert "agreed is" not in told
    log = text(people("cid").get(f"{SECOND}log/"))
    assert "Ben agrees" in log
    assert "Ben: agree" not in log
    assert "agree" not in text(people("visitor").get(f"{SECOND}log/")).replace("Offers and agreements", "")


def test_a_notice_of_money_says_what_for_as_the_log_does(second, people, told):
    game, go = second
    asked(people)
    order(people("cid"), "agree", on="agreement-1")
    go(7)
    told()
    said = [*Notice.objects.filter(user__email="cid@example.org").values_list("text", flat=True)]
    assert "Weekly incomes: The Admin account pays Cid $4." in said
    assert "Cid pays the Admin account $500." in said  # its line in the log begins with the block


def test_what_some_share_without_having_to_agree_waits_for_nobody(game, ann, ben):
    code = """
kind("matter", prefix="matter-", page=True)
attribute("matter", "author", None, type="thing", show="owner")
attribute("matter", "parties", (), label="Among", show="owner")

@action("whisper", "Whisper", private=True, to=choose("player", "To"))
def whisper(e):
    create("matter", author=e.who, parties=(e.who, e.to))
"""
    propose(game, changes=[{"enact": "X.1", "text": "Players whisper.", "code": code}])
    accept(game, "P1")
    well(domain.order(game, "Ann", "whisper", {"to": "Ben"}))
    assert ben.get("/g/friday/things/matter-1/").status_code == 200, "it is his as well"
    assert "A matter by Ann" not in text(ben.get("/g/friday/"))
    assert "Matter 1" not in text(ben.get("/g/friday/trades/"))

"""What several players have to agree to, by the pages: who is asked, what for, and what each is told."""

import pytest
from pagewords import SECOND, grant, order, text, things, token

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
    sent = {"type": "industrial", "squares": list(LINE), "preview": "1", "once": token(page)}
    seen = text(ann.post(f"{SECOND}act/make-block/", sent))
    assert "This asks Cid , and is seen there at once" in seen
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

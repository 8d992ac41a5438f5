"""A game of edition mail on the site: its update, its questions, its verdicts and its shop."""

import re

import pytest
from pagewords import SECOND, accept, grant, order, propose, text, things, token

from nomopoly.site.tables import domain


@pytest.fixture
def mail(start_second):
    """Ann and Ben play."""
    return start_second("Ann", "Ben", edition="mail")


def test_a_question_of_the_rules_is_answered_by_its_form(mail, people):
    game, go = mail
    ann = people("ann")
    grant(game, "Ann", "items", ["warp-bubble"])
    assert "waits for the next update" in text(order(ann, "use-item", item="warp-bubble", square="#45"))
    go(7)
    assert things(game)["Ann"]["square"] == "#45"
    before = things(game)["Ann"]["money"]
    form = ann.get(f"{SECOND}act/answer/").content.decode()
    assert '<option value="fine"' in form
    assert '<option value="hat"' in form
    (question,) = [id for id, thing in things(game, "Ann").items() if thing["kind"] == "question"]
    order(ann, "answer", question=question, choice="fine")
    go(7)
    assert before - things(game)["Ann"]["money"] == 5 + 50  # and the fine for a White square
    assert things(game)["Ann"]["items"] == []


def test_a_verdict_waits_for_the_update_and_is_no_task_meanwhile(mail, people, keeper):
    game, go = mail
    propose(game, changes=[{"amend": "VII.5", "params": {"lap_money": 500}}])
    assert "1 proposal waiting for the Admin" in text(people("ben").get(SECOND))
    accept(game, "P1")
    assert "waiting for the Admin" not in text(people("ben").get(SECOND))
    desk = text(keeper.get(f"{SECOND}admin/"))
    assert "accepted, not yet in effect" in desk
    assert "Reject, with a reason" in desk
    go(7)
    assert things(game)["P1"]["status"] == "judged"
    assert "P1: A thing" not in text(keeper.get(f"{SECOND}admin/"))


def test_each_week_has_its_report(mail, people):
    game, go = mail
    order(people("ann"), "buy-shares", number="10")
    order(people("ben"), "buy-shares", number="2000")
    go(7)
    report = text(people("ben").get(f"{SECOND}log/week/1/"))
    assert "buys 10 shares" in report
    assert "Ben cannot buy shares: " in report
    assert "The update is over" in report


def test_what_is_ordered_cannot_be_taken_back_and_no_button_offers_it(mail, people):
    ann = people("ann")
    assert "take it back" not in text(order(ann, "buy-shares", number="10"))
    page = ann.get(f"{SECOND}act/")
    assert "Your orders, waiting for the next update" in text(page)
    assert "Take back" not in text(page)
    assert "move-order" not in page.content.decode()


def test_the_shop_is_a_market_with_prices_and_forms(mail, people):
    page = people("ann").get(f"{SECOND}market/").content.decode()
    assert "Warp Bubble" in page
    assert f'{SECOND}act/buy-product/?product=warp-bubble"' in page
    assert f'{SECOND}act/buy-product/?product=impersonator-2000"' not in page
    assert f'href="{SECOND}market/"' in people("ann").get(SECOND).content.decode()


def test_what_happens_to_a_square_is_told(mail, people):
    game, go = mail
    order(people("ann"), "paint-square", square="#2", color="Red")
    go(7)
    assert "#2 is painted Red" in text(people("ben").get(f"{SECOND}log/"))


def test_shares_are_handed_over_by_their_number(mail, people):
    game, go = mail
    grant(game, "Ann", "shares", 30)
    form = people("ann").get(f"{SECOND}act/transfer/")
    assert 'name="what-shares"' in form.content.decode()
    sent = {"to": "Ben", "what-shares": "10", "once": token(form)}
    assert people("ann").post(f"{SECOND}act/transfer/", sent).status_code == 303
    go(7)
    assert (things(game)["Ann"]["shares"], things(game)["Ben"]["shares"]) == (20, 10)


def test_powers_are_called_by_their_names(mail, people):
    game, go = mail
    assert "The Government" in text(people("ann").get(f"{SECOND}accounts/"))
    assert domain.order(game, "Ann", "register-to-vote", {}).ok
    go(7)
    page = text(people("ann").get(f"{SECOND}log/"))
    assert "The Government account" not in page
    assert re.search(r"pays the Government \$\d", page)
    assert "pays The" not in page


def test_who_leaves_is_asked_how(mail, people):
    game, go = mail
    grant(game, "#12", "owner", "Ann")
    ann = people("ann")
    page = ann.get(f"{SECOND}leave/", follow=True)
    assert page.redirect_chain[-1][0] == f"{SECOND}act/leave-game/"
    assert "Heir" in text(page)
    ways = page.content.decode().partition('<select name="way"')[2].partition("</select>")[0]
    offered = re.findall(r'<option value="([^"]*)"( selected)?', ways)
    names = ("", "1", "2", "3", "4", "5")
    assert offered == [(name, "") for name in names]  # none is chosen beforehand
    for typed in ({}, {"way": ""}):
        assert "“Who gets what you leave” is missing" in text(order(ann, "leave-game", confirm="Ann", **typed))
    for typed in ({}, {"confirm": "Ben"}):
        refused = order(ann, "leave-game", way="5", heir="Ben", **typed)
        assert "Type your name in this game, Ann, to leave it" in text(refused)
        assert '<option value="5" selected' in refused.content.decode()  # what was typed stays
    assert "Ann" in things(game)
    preview = order(ann, "leave-game", way="5", heir="Ben", confirm="Ann", preview="1")
    assert 'name="confirm" value="Ann"' in preview.content.decode()
    order(ann, "leave-game", way="5", heir="Ben", confirm="Ann")
    go(7)
    assert "Ann" not in things(game)
    assert things(game)["#12"]["owner"] == "Ben"
    assert ann.get(f"{SECOND}leave/").status_code == 403


def test_things_and_orders_are_called_as_people_call_them(mail, people):
    game, go = mail
    grant(game, "#3", "owner", "$charity")
    grant(game, "Ann", "money", 2000)
    board = text(people("ann").get(SECOND)).partition("The board")[2].partition("What happened last")[0]
    assert "owned by Charity" in board
    assert "$charity" not in board
    order(people("ann"), "buy-product", product="extra-die")
    order(people("ben"), "donate-square", square="#3")
    go(7)
    log = text(people("ben").get(f"{SECOND}log/"))
    assert "Ann buys Extra Die for $50" in log
    assert "Ben cannot donate a square to Charity: " in log
    assert "Items Extra Die" in text(people("ann").get(f"{SECOND}players/Ann/"))
    statement = text(people("ann").get(f"{SECOND}accounts/government/"))
    assert "Statement of account of The Government" in statement
    assert "Ann buys Extra Die for $50" in statement
    for told in (log, statement):
        assert "extra-die" not in told
        assert "$government" not in told


def test_what_one_can_give_to_somebody_is_possible(mail, people):
    possible, _, rest = (
        text(people("ann").get(f"{SECOND}act/")).partition("Players II")[2].partition("Not possible now")
    )
    for action in ("Hand something over", "Offer a trade"):
        assert action in possible
        assert action not in rest


def test_the_admin_lets_a_game_go_on_in_which_a_rule_has_stopped_time(mail, keeper):
    game, _ = mail
    desk = f"{SECOND}admin/"
    assert "Resume the game not now: the game is not paused" in text(keeper.get(desk))
    grant(game, "game", "time_stopped", True)
    assert "the game is not paused" not in text(keeper.get(desk))
    asked = keeper.post(f"{desk}resume/", {"once": token(keeper.get(desk))})
    keeper.post(f"{desk}resume/", {"once": token(asked), "confirm": "yes"})
    assert things(game)["game"]["time_stopped"] is False


def test_a_patent_among_other_things_is_called_by_its_product(start_second, people):
    """The Corporation sold a "patent hot-spring-bath"."""
    game, _ = start_second("Ann", "Ben", edition="mail")
    grant(game, "$corporation", "leftovers", ["v-8", "patent hot-spring-bath", "30 shares", "patent nothing"])
    ben = people("ben")
    for path in ("accounts/", "accounts/corporation/"):
        assert "V-8 , the patent of Hot Spring Bath , 30 shares , patent nothing" in text(ben.get(SECOND + path)), path

"""Offers and agreements by the pages: seen and answered by their parties alone; deals among three without
JavaScript."""

import re

import pytest
from django.test import Client
from pagewords import SECOND, grant, seated, text, things, token

from nomopoly.site.play import tryouts
from nomopoly.site.said import refusal_said
from nomopoly.site.tables import domain, live


@pytest.fixture
def second(start_second):
    """Ann, Ben and Cid play; Ann has #7 and #17, Ben #18."""
    game, go = start_second("Ann", "Ben", "Cid")
    for square, owner in (("#7", "Ann"), ("#17", "Ann"), ("#18", "Ben")):
        grant(game, square, "owner", owner)
    return game, go


def answer(client, id, word, **more):
    page = client.get(f"{SECOND}trades/{id}/")
    return client.post(f"{SECOND}trades/{id}/", {"answer": word, "once": token(page), **more}, follow=True)


def offer(game, **more):
    said = {"with": "Ben", "give": {"squares": ["#7"]}, "take": {"money": 300}} | more
    assert domain.order(game, "Ann", "trade", said).ok


def test_an_offer_is_seen_by_its_parties_alone(second, people, keeper):
    game, _ = second
    offer(game, words="Just for you")
    mine, theirs = text(people("ann").get(f"{SECOND}trades/")), text(people("ben").get(f"{SECOND}trades/"))
    for seen in (mine, theirs):
        assert "Just for you" in seen
        assert "$300" in seen
        assert "#7" in seen
        assert "Mon 9 March 2026 09:00" in seen
    assert "waits for others" in mine
    assert "waits for your answer" in theirs
    assert "$10,000 → $9,700" in theirs
    for other in (people("cid"), keeper, Client()):
        for path in ("", "trades/", "trades/offer-1/", "act/", "log/", "players/Ann/"):
            seen = text(other.get(SECOND + path, follow=True))
            assert "Just for you" not in seen
            assert "offer 1" not in seen.casefold()
    assert people("cid").get(f"{SECOND}trades/offer-1/").status_code == 404
    assert keeper.get(f"{SECOND}trades/offer-1/").status_code == 403
    assert "No offer or agreement of yours is open" in text(people("cid").get(f"{SECOND}trades/"))


def test_what_wants_an_answer_waits_for_who_has_to_give_it(second, people):
    game, _ = second
    offer(game)
    ben = people("ben")
    assert 'trades/offer-1/">An offer by Ann' in ben.get(SECOND).content.decode()
    assert "an offer by Ann" in text(ben.get("/me/"))
    assert "an offer by Ann" not in text(people("ann").get("/me/"))
    assert "by Ann" in text(ben.get(f"{SECOND}act/"))
    answer(ben, "offer-1", "accept")
    assert "an offer by Ann" not in text(ben.get("/me/"))


def test_accepting_shows_first_what_it_would_do(second, people):
    game, go = second
    offer(game)
    ben = people("ben")
    page = text(ben.get(f"{SECOND}trades/1/"))
    assert "If you accept" in page
    assert "Ann gives Ben #7" in page
    seen = text(answer(ben, "1", "accept"))
    assert "You have said yes" in seen
    assert "all have agreed" in seen
    assert things(game, "Ann")["#7"]["owner"] == "Ann"
    go(3)
    assert things(game, "Ann")["#7"]["owner"] == "Ben"
    assert ben.get(f"{SECOND}trades/1/").status_code == 404


def test_declining_and_taking_back(second, people):
    game, _ = second
    offer(game)
    assert "You have said no" in text(answer(people("ben"), "offer-1", "decline"))
    assert "offer-1" not in things(game, "Ann")
    offer(game)
    ann = people("ann")
    page = ann.get(f"{SECOND}trades/offer-2/")
    assert "Withdraw" in text(page)
    assert "Accept" not in text(page)
    refused = ann.post(f"{SECOND}trades/offer-2/", {"answer": "accept", "once": token(page)})
    assert "You cannot answer" in text(refused)
    assert "It is taken back" in text(answer(ann, "offer-2", "withdraw"))
    log = text(people("ben").get(f"{SECOND}log/"))
    assert ("Ben turns down offer 1" in log, "Ann withdraws offer 2" in log) == (True, True)
    assert "offer-2" not in things(game, "Ann")
    assert ann.post(f"{SECOND}trades/offer-1/", {"answer": "withdraw"}).status_code == 404


def test_what_can_no_longer_be_kept_is_said_and_refused(second, people):
    game, _ = second
    offer(game, take={"money": 300})
    assert domain.desk_act(game, "grant", {"thing": "Ben", "attribute": "money", "value": 200}).ok
    for name in ("ann", "ben"):
        assert "Ben has $200 and would pay $300" in text(people(name).get(f"{SECOND}trades/offer-1/"))
    assert domain.desk_act(game, "grant", {"thing": "#7", "attribute": "owner", "value": "Cid"}).ok
    assert "#7 does not belong to Ann" in text(people("ann").get(f"{SECOND}trades/"))


def test_what_is_lacking_tells_nothing_of_a_hidden_hand(second, people):
    game, _ = second
    offer(game, give={"money": 5}, take={"cards": ["KS"]})
    seen = text(people("ann").get(f"{SECOND}trades/offer-1/"))
    assert "KS" in seen
    assert "could not be carried out" not in seen


def test_an_agreement_is_answered_with_what_else_its_form_asks(second, people):
    game, _ = second
    ann, ben = people("ann"), people("ben")
    assert domain.order(game, "Ann", "make-block", {"type": "residential", "squares": ["#17", "#18"]}).ok
    assert "an agreement by Ann" in text(ben.get("/me/"))
    page = ben.get(f"{SECOND}trades/agreement-1/")
    assert "On credit" in text(page)
    assert "On credit" not in text(ann.get(f"{SECOND}trades/agreement-1/"))
    assert "to answer" in text(ann.get(f"{SECOND}trades/"))
    assert people("cid").get(f"{SECOND}trades/agreement-1/").status_code == 404
    answer(ben, "agreement-1", "accept", on_credit="on")
    assert things(game, "Ann")["agreement-1"]["credit"] == ["Ben"]
    assert things(game, "Ann")["agreement-1"]["complete"] is True
    assert "Decline" not in text(ben.get(f"{SECOND}trades/agreement-1/"))
    refused = ben.post(f"{SECOND}trades/agreement-1/", {"answer": "decline", "once": "late"})
    assert "You cannot answer" in text(refused)


def test_a_deal_among_three_is_made_by_the_form(second, people):
    game, go = second
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    page = ann.get(f"{SECOND}act/trade/")
    assert "Among three or more" in text(page)
    rows = {
        "deal-0-from": "Ann",
        "deal-0-to": "Ben",
        "deal-1-from": "Ben",
        "deal-1-to": "Cid",
        "deal-1-money": "50",
    }
    page = ann.post(f"{SECOND}act/trade/", {**rows, "more": "deal", "once": token(page)})
    shown = page.content.decode()
    assert 'name="deal-2-from"' in shown
    assert 'name="deal-0-squares" value="#7"' in shown  # hers to tick, since it is known that she gives
    assert 'name="deal-0-squares" value="#18"' not in shown
    assert 'value="50"' in shown
    rows |= {"deal-0-squares": ["#7", "#17"], "deal-2-from": "Cid", "deal-2-to": "", "deal-2-money": "75"}
    page = ann.post(f"{SECOND}act/trade/", {**rows, "preview": "1", "once": token(page)})
    assert "say who gives, and to whom" in text(page)
    assert 'name="deal-0-squares" value="#17" checked' in page.content.decode()
    rows["deal-2-to"] = "Ann"
    page = ann.post(f"{SECOND}act/trade/", {**rows, "preview": "1", "once": token(page)})
    assert "Nothing has been done yet" in text(page)
    assert "Ben, Cid will be asked at once" in text(page)
    german = text(ann.post(f"{SECOND}act/trade/", {**rows, "preview": "1"}, headers={"Accept-Language": "de"}))
    assert "Ben, Cid werden sofort gefragt" in german
    assert german.count(" Von ") == german.count(" An ") == 3
    assert " Bis " not in german
    ann.post(f"{SECOND}act/trade/", {**rows, "once": token(page)})
    deal = things(game, "Ann")["agreement-1"]
    assert deal["transfers"] == [
        ["Ann", "Ben", [["squares", ["#7", "#17"]]]],
        ["Ben", "Cid", [["money", 50]]],
        ["Cid", "Ann", [["money", 75]]],
    ]
    seen = text(cid.get(f"{SECOND}trades/agreement-1/"))
    assert "$50 from Ben" in seen
    assert "$75 to Ann" in seen
    answer(ben, "agreement-1", "accept")
    assert "an agreement by Ann" in text(cid.get("/me/"))
    answer(cid, "agreement-1", "accept")
    go(3)
    assert things(game, "Ann")["#7"]["owner"] == "Ben"
    assert things(game, "Ann")["#17"]["owner"] == "Ben"


def test_an_amount_that_is_none_is_refused_and_stays(second, people):
    ann = people("ann")
    page = ann.get(f"{SECOND}act/trade/")
    rows = {"deal-0-from": "Ann", "deal-0-to": "Ben", "deal-0-money": "much", "preview": "1", "once": token(page)}
    page = ann.post(f"{SECOND}act/trade/", rows)
    assert "must be a whole number" in text(page)
    assert 'value="much"' in page.content.decode()


def test_an_amount_below_nothing_is_refused_in_the_words_of_its_field(game, ann, people):
    seated(game, people("ben"), "Ben")
    sent = {"with": "Ben", "give-money": "-5", "preview": "page", "once": token(ann.get("/g/friday/act/trade/"))}
    page = ann.post("/g/friday/act/trade/", sent, follow=True)
    assert "You give: money must be at least 0." in text(page)
    assert 'value="-5"' in page.content.decode()


def test_offers_of_the_first_edition_have_the_page_too(game, ann, people):
    ben = people("ben")
    seated(game, ben, "Ben")
    assert domain.desk_act(game, "grant", {"thing": "#5", "attribute": "owner", "value": "Ann"}).ok
    give = {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 40}}
    assert domain.order(game, "Ann", "trade", give).ok
    assert "Open until" in text(ben.get("/g/friday/trades/"))
    page = ben.get("/g/friday/trades/offer-1/")
    ben.post("/g/friday/trades/offer-1/", {"answer": "accept", "once": token(page)})
    assert things(game, "Ann")["#5"]["owner"] == "Ben"
    assert domain.order(game, "Ben", "trade", {"with": "Ann", "give": {"squares": ["#5"]}, "take": {"money": 9}}).ok
    assert domain.order(game, "Ben", "decline-trade", {"offer": "offer-2"}).ok
    assert "Ben withdraws offer 2" in text(ann.get("/g/friday/log/"))


def test_only_players_have_offers(second):
    assert Client().get(f"{SECOND}trades/").status_code == 403


def test_the_dock_tells_what_an_offer_is_about(second, people):
    game, _ = second
    offer(game)
    assert "An offer by Ann: you give $300 and get #7" in text(people("ben").get(SECOND))
    assert "you give $300" not in text(people("cid").get(SECOND))


def test_who_gives_something_away_is_asked_about_what_it_is(second, people):
    ann = people("ann")
    page = ann.get(f"{SECOND}act/transfer/")
    assert "What: items : nothing to choose from" in text(page)
    sent = {"to": "Ben", "what-money": "50", "what-squares": "#7", "preview": "page", "once": token(page)}
    asked = text(ann.post(f"{SECOND}act/transfer/", sent, follow=True))
    assert "Give something away to Ben: $50, #7?" in asked
    sent = {"with": "Ben", "give-money": "50", "take-squares": "#18", "preview": "page", "once": token(page)}
    asked = text(ann.post(f"{SECOND}act/trade/", sent, follow=True))
    assert "Offer a trade with Ben: you give $50, you take #18?" in asked


def test_the_form_of_an_answer_tells_the_offer_in_words(second, people):
    game, _ = second
    offer(game)
    told = text(people("ben").get(f"{SECOND}act/accept-trade/", {"offer": "offer-1"}))
    assert "Takes $300" in told
    assert "Gives #7" in told
    assert "money 300" not in told


def test_what_the_rules_tell_some_stands_on_their_own_pages(second, people, keeper):
    game, _ = second
    offer(game, words="Just for you")
    heading = "What the rules have told you"
    for name in ("Ann", "Ben"):
        own = text(people(name.lower()).get(f"{SECOND}players/{name}/")).partition(heading)[2]
        assert "Ann offers Ben a trade ( offer 1 )" in own.partition("Not everybody is told this")[0]
    others = [("ann", "Ben"), ("cid", "Cid"), ("cid", "Ann")]
    pages = [people(who).get(f"{SECOND}players/{name}/") for who, name in others]
    for page in (*pages, keeper.get(f"{SECOND}players/Ann/"), Client().get(f"{SECOND}players/Ann/")):
        assert heading not in text(page)


def test_what_two_have_agreed_on_is_told_where_it_is_carried_out(second, people):
    game, go = second
    assert domain.order(game, "Ann", "transfer", {"to": "Ben", "what": {"money": 50}}).ok
    answer(people("ben"), "offer-1", "accept")
    go(7)
    page = text(people("cid").get(f"{SECOND}log/")).replace(" ;", ";").replace(" .", ".")
    assert "What Ann and Ben have agreed on is carried out; Ann pays Ben $50." in page
    assert "An order is carried out: Ann pays" not in page


def test_a_look_ahead_says_to_neither_party_that_nothing_comes_of_what_they_have_agreed_on(second, people):
    game, _ = second
    offer(game)
    answer(people("ben"), "offer-1", "accept")
    running = live.of(game)
    for viewer in ("Ann", "Ben"):
        tried = {"id": "P9", "changes": [], "run": "pass"}
        outcome = running.kept(
            ("tried", viewer), lambda whole, as_seen=running.view(viewer): tryouts.in_force(whole, as_seen, tried)
        )
        assert outcome.ok
        assert not [fact for fact in outcome.facts if "Nothing came of" in fact.get("text", "")]
    order = next(id for id, thing in things(game, "Ann").items() if thing["kind"] == "order")
    assert things(game, "Ann")["offer-1"]["complete"]
    assert domain.order(game, "Ann", "withdraw-order", {"order": order}).ok
    assert "offer-1" not in things(game, "Ann"), "who takes the order back takes back what was agreed on"
    assert "Nothing came of offer" in text(people("ben").get(f"{SECOND}log/"))


def test_that_nothing_comes_of_it_stands_within_a_sentence(second, people):
    game, go = second
    offer(game)
    answer(people("ben"), "offer-1", "accept")
    grant(game, "#7", "owner", "Cid")
    go(3)
    assert re.search(r"to Ann ?; nothing came of offer 1", text(people("ann").get(f"{SECOND}log/")))


def test_a_refusal_calls_an_offer_that_is_gone_an_offer():
    assert refusal_said("offer-1 no longer exists") == "offer 1 no longer exists"
    assert refusal_said("#12 no longer exists") == "#12 no longer exists"


def test_the_page_of_an_entry_calls_an_offer_that_is_gone_an_offer(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="iv")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 3}}).ok
    assert domain.order(game, "Ben", "accept-trade", {"offer": "offer-1"}).ok
    number = next(iter(live.of(game).facts("Ben").where(do="accept-trade")))["number"]
    entry = text(people("ben").get(f"{SECOND}log/{number}/"))
    assert "Offer 1 " in entry
    assert "Offer offer 1" not in entry
    assert "offer-1" not in entry


def test_in_a_pause_no_button_answers_an_offer(keeper, people):
    """*Decline* was offered and then refused; the dock gave the reason for *Accept* alone. In German it was *Decline* too."""
    game = domain.start_game(keeper.user, edition="iv", title="Fourth", slug="fourth")
    ann, ben = people("ann"), people("ben")
    seated(game, ann, "Ann")
    seated(game, ben, "Ben")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}, "take": {"money": 3}}).ok
    german = {"headers": {"Accept-Language": "de"}}
    seen = [
        text(client.get(f"/g/fourth/{path}", **german)) for client in (ann, ben) for path in ("trades/", "trades/1/")
    ]
    assert ["Zurückziehen" in page for page in seen] == [True, True, False, False]
    assert ["Ablehnen" in page for page in seen] == [False, False, True, True]
    assert domain.desk_act(game, "pause", {"because": "Holidays"}).ok
    for client in (ann, ben):
        for path in ("", "trades/", "trades/1/"):
            page = client.get(f"/g/fourth/{path}").content.decode()
            assert 'name="answer"' not in page
            assert ">Decline</button>" not in page
            if path or client is ben:
                assert "the game is paused" in text(client.get(f"/g/fourth/{path}"))

"""What a week of edition mail tells its players: forms without idle fields, names for ids, what an order really does."""

import re

import pytest
from pagewords import SECOND, accept, grant, order, propose, text, things, token

from nomopoly.site.play import sentences, words
from nomopoly.site.tables import domain, live


@pytest.fixture
def mail(start_second):
    """Ann and Ben play."""
    return start_second("Ann", "Ben", edition="mail")


def lines(game, viewer="Ann"):
    """The log as somebody reads it, newest first."""
    from test_lines_of_weeks import lines_of

    return [line for _, line in lines_of(game, viewer)][::-1]


def asked(client, action, **fields):
    """What the form asks before it is sent."""
    page = client.post(f"{SECOND}act/{action}/", fields | {"preview": "1"})
    found = re.search(r'id="preview-title"[^>]*>(.*?)</h2>', page.content.decode(), re.S)
    return " ".join(found[1].replace("&#x27;", "'").split()), text(page)


def closed_up(page):
    """The text of a page without the gaps that markup leaves before commas and colons."""
    return text(page).replace(" ,", ",").replace(" :", ":")


def form(client, action):
    """The form of an action as the page has it."""
    page = client.get(f"{SECOND}act/{action}/").content.decode()
    return page[page.index("<form", page.index("<main")) :]


def test_a_newcomer_is_told_of_the_square(mail):
    game, _ = mail
    assert any(re.match(r"Ann joins the game, .*gets #2\b", line) for line in lines(game))


def test_handing_over_is_possible_from_the_first_day(mail, people):
    ann = people("ann")
    assert "Not possible now" not in text(ann.get(f"{SECOND}act/transfer/"))
    assert ann.get(f"{SECOND}act/").content.decode().count(f'href="{SECOND}act/transfer/"') == 1


def test_only_what_an_item_asks_for_is_asked(mail, people):
    game, _ = mail
    ann = people("ann")
    grant(game, "Ann", "items", ["warp-bubble"])
    assert 'name="square"' in form(ann, "use-item")
    assert 'name="victim"' not in form(ann, "use-item")
    grant(game, "Ann", "items", ["v-8"])
    assert 'name="square"' not in form(ann, "use-item")
    grant(game, "Ann", "items", ["fake-vomit"])
    assert re.findall(r'<option value="(#\d+)"', form(ann, "use-item")) == ["#1"], "where she is, and no other square"
    assert "(optional)" in form(ann, "use-item")
    grant(game, "Ann", "items", ["disguise-kit", "warp-bubble"])
    assert 'name="victim"' in form(ann, "use-item")
    assert "(optional)" not in form(ann, "use-item")


def test_a_ride_asks_for_nothing_that_makes_no_difference(mail, people):
    game, _ = mail
    ann = people("ann")
    page = form(ann, "taxi")
    assert 'value="#1"' not in page, "she is there"
    assert [name for name in ("from", "extra", "bot") if f'name="{name}"' in page] == []
    grant(game, "Ann", "items", ["bot"])
    grant(game, "Ann", "stood", ["#5"])
    grant(game, "#9", "blockbuster", [["by", "Ben"], ["due", 2], ["paid", []]])
    page = form(ann, "taxi")
    assert [name for name in ("from", "extra", "bot") if f'name="{name}"' in page] == ["from", "extra", "bot"]


def test_what_is_idle_counts_all_the_same_if_it_is_sent(mail, people):
    assert asked(people("ann"), "taxi", to="#5", **{"from": "#1"})[0] == "Take a taxi to #5 from #1 for $40?"
    assert asked(people("ann"), "taxi", to="#5")[0] == "Take a taxi to #5 for $40?"


def test_orders_that_wait_say_what_they_are_in_words(mail, people):
    game, _ = mail
    ann = people("ann")
    grant(game, "Ann", "items", ["warp-bubble"])
    order(ann, "use-item", item="warp-bubble", square="#9")
    order(ann, "taxi", to="#5", **{"from": "#1"})
    page = closed_up(ann.get(f"{SECOND}act/"))
    assert "Use an item: Warp Bubble, #9" in page
    assert "Take a taxi to #5 from #1" in page
    assert "Ann: take a taxi (to #5, from #1)." in lines(game)


def test_an_offer_waits_where_the_rules_let_it_wait(mail, people):
    question, page = asked(people("ann"), "trade", **{"with": "Ben", "give-money": "50", "take-squares": "#3"})
    assert question == "Offer a trade with Ben: you give $50, you take #3?"
    assert "It is carried out at the next update" in page
    assert "will be asked at once" not in page


def test_what_is_done_as_it_arrives_does_not_say_that_it_waits(mail, people):
    game, _ = mail
    ann = people("ann")
    grant(game, "Ann", "items", ["eye-opener"])
    assert "next update, as things stand then" not in asked(ann, "use-item", item="eye-opener")[1]
    assert "waits for the next update" not in text(order(ann, "use-item", item="eye-opener"))
    assert things(game)["Ann"]["items"] == []


def test_only_what_partners_have_can_be_asked_for(mail, people):
    game, _ = mail
    grant(game, "Ben", "items", ["fake-vomit", "v-8"])
    page = form(people("ann"), "trade")
    takes = page[page.index("You take: squares") :]
    assert "#3 ($30), of Ben" in takes
    assert "#10" not in takes, "The Government trades with nobody"
    assert "Fake Vomit, of Ben" in takes
    assert "V-8, of Ben" in takes


def test_a_patent_is_handed_over_by_its_form(mail, people):
    game, go = mail
    grant(game, "v-8", "patent", "Ann")
    ann = people("ann")
    page = ann.get(f"{SECOND}act/transfer/")
    assert 'name="what-patents" value="v-8"' in page.content.decode()
    question, _ = asked(ann, "transfer", to="Ben", **{"what-patents": "v-8", "what-money": "5"})
    assert question == "Hand something over to Ben: $5, patent V-8?", "and no price: it is handed over"
    sent = {"to": "Ben", "what-patents": "v-8", "once": token(page)}
    assert ann.post(f"{SECOND}act/transfer/", sent).status_code == 303
    go(7)
    assert things(game)["v-8"]["patent"] == "Ben"
    assert "Ann hands over to Ben: the patent of V-8." in lines(game)


def test_an_offer_says_shares_and_patents_for_what_they_are(mail, people):
    game, go = mail
    grant(game, "v-8", "patent", "Ann")
    grant(game, "Ann", "shares", 20)
    grant(game, "Ben", "items", ["fake-vomit"])
    give, take = {"shares": 10, "patents": ["v-8"]}, {"items": ["fake-vomit"]}
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": give, "take": take}).ok
    assert "Offer a trade with Ben: you give patent V-8, 10 shares, you take Fake Vomit" in closed_up(
        people("ann").get(f"{SECOND}act/")
    )
    go(7)
    page = text(people("ben").get(f"{SECOND}trades/"))
    assert "10 shares" in page
    assert "patent V-8" in page
    grant(game, "Ben", "items", [])
    assert "Ben has no Fake Vomit" in text(people("ben").get(f"{SECOND}trades/"))


def test_a_failed_order_is_told_in_the_words_of_its_form(mail, people):
    game, go = mail
    order(people("ann"), "taxi", to="#5", **{"from": "#1"})
    order(people("ann"), "taxi", to="#9", **{"from": "#1"})
    go(7)
    assert any(line.startswith("Ann cannot take a taxi: not there: ") for line in lines(game))


def test_who_gets_a_bid_wrong_sees_the_highest_one_before(mail, people):
    game, go = mail
    grant(game, "#26", "owner", "$government")
    grant(game, "$corporation", "money", 1000)
    go(2)
    go(6)
    ann = people("ann")
    assert "#26 ($260), of The Government, highest bid: $130" in text(ann.get(f"{SECOND}act/bid/"))
    assert asked(ann, "bid", lot="#26", amount="131")[0] == "Bid in an auction: #26, $131?"
    question, page = asked(ann, "bid-job", job="taxi-driver", amount="0")
    assert question == "Bid for Taxi Driver: $0?"
    assert "Order it: Bid for a job" in page
    assert any(line.startswith("#26 is called: going once") for line in lines(game))
    assert any(line.startswith("The Head GIPPer is offered by the Government") for line in lines(game))
    order(ann, "bid", lot="#26", amount="131")
    go(7)
    assert "$131 is bid for #26." in lines(game, "Ben")
    assert not [line for line in lines(game, "Ben") if "The clock: order" in line]


def test_a_question_says_until_when_and_what_holds_without_an_answer(mail, people):
    game, go = mail
    grant(game, "Ann", "items", ["warp-bubble"])
    order(people("ann"), "use-item", item="warp-bubble", square="#45")
    go(7)
    page = text(people("ann").get(SECOND))
    assert re.search(r"or a fine of \$5 more\? until \w+ \d", page)
    assert "Without an answer: hat" in page
    assert "question 1" not in page
    assert any(
        line.endswith("a question to Ann: The Zoo: a Souvenir Hat, or a fine of $5 more?") for line in lines(game)
    )
    assert any("Ann uses the Warp Bubble, lands on #45" in line for line in lines(game))
    order(people("ann"), "answer", question="zoo", choice="hat")
    assert lines(game)[0] == "Ann answers: hat, gets a Souvenir Hat."


def test_a_question_to_all_is_told_and_answered_by_name(mail, people):
    game, go = mail
    for number in range(1, 25):
        grant(game, f"#{number}", "color", "Khaki")
    grant(game, "#60", "color", "White")
    grant(game, "phantom", "square", "#2")
    go(7)
    page = text(people("ann").get(SECOND))
    assert "Which Experimental Technology do you want?" in page
    assert "Warp Bubble" in page
    assert asked(people("ann"), "answer", question="science", choice="warp-bubble")[0].endswith(
        "Your answer: Warp Bubble?"
    )
    assert any(line.startswith("The Phantom Piece rolls ") for line in lines(game)), "also if TISSSG has met it"
    assert any(line.startswith("TISSSG rolls ") for line in lines(game))
    assert any(line.startswith("The Corporate Player rolls ") for line in lines(game))


def test_a_piece_that_is_gone_keeps_its_article(mail):
    game, go = mail
    grant(game, "#60", "color", "White")
    go(7)
    end = 'for each in ("corporate-player", "phantom"):\n    if find(each):\n        do("destroy-creature", creature=find(each))\n'
    propose(game, run=end)
    accept(game, "P1")
    go(7)
    assert not {"corporate-player", "phantom"} & set(things(game))
    told = " ".join(lines(game))
    assert "The Corporate Player rolls " in told
    assert "The Phantom Piece rolls " in told
    assert not re.findall(r"(?<!the )(?<!The )(?:Corporate Player|Phantom Piece).{9}", told)


def test_a_fact_about_several_repeats_nobodys_amount():
    paid = {"what": "paid", "who": "Ann", "amount": 5}
    assert not sentences.repeated(paid | {"who": ["Ann", "Ben"]}, {"who": "Ann", "amount": 5})
    assert sentences.repeated(paid, {"who": "Ann", "price": 5})


def test_who_goes_bankrupt_by_a_fine_is_told_so(mail, people):
    game, go = mail
    grant(game, "Ann", "money", 20)
    go(7)
    line = next(each for each in lines(game, "Ben") if "Ann loses $50 for #2" in each)
    assert ", is Bankrupt: owes $50, loses #2 to the Government" in line


def test_the_white_fine_says_for_which_square(mail):
    game, go = mail
    go(7)
    assert "The fine for White squares: Ann loses $50 for #2; Ben loses $50 for #3." in lines(game)


def test_a_blockbuster_says_where_it_is_put_and_changes_read_as_words(mail, people):
    game, go = mail
    grant(game, "Ann", "items", ["blockbuster", "fake-vomit"])
    question, page = asked(people("ann"), "use-item", item="blockbuster", square="#9")
    assert question == "Use an item: Blockbuster, #9?"
    assert "A Blockbuster is put on #9" in page
    assert "Items from Blockbuster, Fake Vomit to Fake Vomit" in page
    assert "Blockbuster by Ann, due 2, paid nothing" in page


def test_labels_with_names_in_them_keep_their_capitals(mail):
    game, _ = mail
    grant(game, "Ann", "dues", 5)
    assert lines(game)[0] == "The Admin sets Dues paid to the WETHA of Ann from $0 to $5."
    assert words.within("Free for a Best Friend from") == "Free for a Best Friend from"
    assert words.within("Shares") == "shares"


def test_a_creature_and_a_product_are_called_by_their_names(mail, people):
    game, _ = mail
    page = people("ann").get(f"{SECOND}act/transfer/").content.decode()
    assert '<option value="corporate-player" translate="no">Corporate Player</option>' in page
    view = live.of(game).view("Ann")
    assert words.thing_name(view, "v-8") == "V-8"
    assert words.thing_name(view, "Ann") == "Ann"


def test_who_pledges_is_told_as_such(mail):
    game, go = mail
    assert domain.order(game, "Ann", "pay-dues", {"amount": 7}).ok
    assert domain.order(game, "Ben", "declare-freemason", {}).ok
    go(7)
    assert "Ann pledges $7 to the WETHA." in lines(game)
    assert [line for line in lines(game) if line.startswith("Ben is a Freemason")]


def test_what_is_counted_and_emptied_every_week_is_no_news(mail, people):
    _, go = mail
    go(8)
    page = people("ann").get(SECOND).content.decode()
    fed = page[page.index('id="feed"') :]
    assert "The update is over" in fed
    shown = re.sub(r"<details.*?</details>", "", fed, flags=re.S)
    for each in ("It is counted how long", "counts no more", "are counted anew"):
        assert each not in shown


def test_a_dispute_is_called_by_its_charge(mail, people, keeper):
    game, go = mail
    accused = {"defendant": "Ben", "charge": "Loud snoring", "sort": "chains", "pounds": 20}
    assert domain.order(game, "Ann", "accuse", accused).ok
    go(7)
    assert "Decide a dispute: D1, Loud snoring" in text(keeper.get(SECOND))
    assert "D1, charge: Loud snoring" in text(people("ben").get(f"{SECOND}act/choose-court/"))


def test_the_desk_calls_accounts_by_their_names(mail, people, keeper):
    page = keeper.get(f"{SECOND}admin/offer-job/")
    assert re.search(r'<option value="\$government"[^>]*>The Government</option>', page.content.decode())


def test_an_offer_of_the_corporate_player_is_told_once(mail):
    game, go = mail
    grant(game, "tisssg", "sane", True)  # who else may destroy it
    told: list[str] = []
    for _ in range(12):  # until the dice take it to a square of Ben's, who does not keep them all
        grant(game, "$corporation", "money", 9000)
        for number in range(4, 60):
            if number % 5 and number not in (28, 53):
                grant(game, f"#{number}", "owner", "Ben")
        go(7)
        told = [line for line in lines(game) if "Corporate Player" in line and "Do you sell?" in line]
        if told:
            break
    assert told
    assert all(line.count("offers") == line.count("Do you sell?") for line in told)


def test_the_market_says_what_can_be_bid_for(mail, people):
    game, go = mail
    grant(game, "#13", "owner", "$government")
    assert "Nothing is on offer" in text(people("ann").get(f"{SECOND}market/"))
    go(7)
    page = people("ann").get(f"{SECOND}market/")
    assert "Nothing is on offer" not in text(page)
    assert f'href="{SECOND}act/bid/?lot=%2313"' in page.content.decode()
    assert "#13 ($130), of The Government, highest bid" in text(page)
    assert f'href="{SECOND}act/bid-job/?job=' in page.content.decode()
    told = people("ann").get(f"/api/v1{SECOND}market").json()["bidding"]
    assert ("bid", "#13") in [(each["action"], each["id"]) for each in told]


def test_a_penalty_says_what_refusing_it_brings(mail, people):
    game, go = mail
    accused = {"defendant": "Ben", "charge": "Noise", "sort": "pay", "amount": 500, "to": "$government"}
    assert domain.order(game, "Ann", "accuse", accused).ok
    go(14)
    asked = [each["text"] for each in things(game, "admin").values() if each["kind"] == "question"]
    wanted = (
        "D1: you have lost, and are to pay $500 to The Government. Do you pay, or refuse and carry 90 pounds of Chains?"
    )
    assert asked == [wanted]


def test_an_item_in_a_sentence_is_called_as_people_call_it(mail):
    game, go = mail
    grant(game, "Ann", "items", ["v-8", "paint-maroon", "paint-navy"])
    grant(game, "Ann", "square", "#45")
    for do, args in (
        ("use-item", {"item": "v-8", "victim": "Ben"}),
        ("feed-elephant", {"item": "paint-maroon"}),
        ("transfer", {"to": "Ben", "what": {"items": ["paint-navy"]}}),
        ("transfer", {"to": "Ben", "what": {"items": ["paint-lime"]}}),
        ("transfer", {"to": "Ben", "what": {"patents": ["v-8"]}}),
    ):
        assert domain.order(game, "Ann", do, args).refused is None, do
    go(7)
    told = "\n".join(lines(game))
    assert re.search(r"\bAnn uses V-8\b", told), told
    assert "Ann feeds the elephant with a can of Maroon paint" in told
    assert "Ann hands over to Ben: a can of Navy paint." in told
    assert "Ann has not got a can of Lime paint" in told
    assert "Ann does not hold the patent of V-8" in told
    assert not re.search(r"paint-|\bv-8\b|(?:with|got|Ben:) A can of", told)


def test_what_begins_with_its_owner_or_an_article_gets_no_article_more():
    told = [
        words.in_a_sentence(name, "Ann buys ", "product")
        for name in ("Chez Cato's Cake", "Cato's Cake", "Warp Bubble", "Cake", "A can of Navy paint", "TISSSG")
    ]
    assert told == [
        "Chez Cato's Cake",
        "Cato's Cake",
        "the Warp Bubble",
        "the cake",
        "a can of Navy paint",
        "TISSSG",
    ]
    assert words.in_a_sentence("A can of Navy paint", "", "product") == "A can of Navy paint"


def test_whose_a_square_is_is_said_in_words_where_an_order_fails(mail):
    game, go = mail
    grant(game, "Ann", "landed", ["#9"])
    assert domain.order(game, "Ann", "buy-square", {"square": "#9"}).refused is None
    grant(game, "#9", "owner", "$government")
    said = words.numbered_in(live.of(game).view("Ann"), "owned: #9 belongs to $government")
    assert said == "owned: #9 belongs to The Government"
    go(7)
    assert "Ann cannot buy a square: owned: #9 belongs to the Government." in lines(game)


def test_who_chooses_a_court_is_told_in_a_sentence(mail):
    game, go = mail
    said = {"defendant": "Ben", "charge": "Noise", "sort": "chains", "pounds": 5}
    assert domain.order(game, "Ann", "accuse", said).ok
    go(7)
    dispute = next(id for id, each in things(game).items() if each["kind"] == "dispute")
    assert domain.order(game, "Ann", "choose-court", {"dispute": dispute, "court": "corporate"}).ok
    assert f"Ann chooses the corporate court for {dispute}." in lines(game)


def test_a_rule_amended_twice_at_once_is_named_once():
    facts = [{"event": "rulebook", "what": "amended", "number": number} for number in ("II.3", "II.5", "II.3")]
    said = sentences.rules_by_rules({"kind": "tick", "facts": facts})
    assert said == list(dict.fromkeys(said))
    assert len(said) == 2


def test_what_is_left_to_the_corporation_is_called_with_its_price(mail, people):
    game, go = mail
    grant(game, "Ann", "items", ["v-8"])
    grant(game, "hot-spring-bath", "patent", "Ann")
    assert '<option value="5" translate="no">all to one player, the heir</option>' in form(people("ann"), "leave-game")
    assert domain.order(game, "Ann", "leave-game", {"way": 2}).ok
    go(7)
    ben = people("ben")
    page = form(ben, "buy-leftover")
    assert [each in page for each in (">V-8 ($60)<", ">the patent of Hot Spring Bath ($48)<")] == [True, True]
    question, page = asked(ben, "buy-leftover", lot="patent hot-spring-bath")
    assert question.endswith(": the patent of Hot Spring Bath for $48?")
    assert "Ben buys the patent of Hot Spring Bath from The Corporation for $48" in page


def test_who_is_removed_is_removed_by_the_admin_and_what_they_had_is_known(mail, people):
    game, go = mail
    grant(game, "Ben", "items", ["v-8"])
    grant(game, "hot-spring-bath", "patent", "Ben")
    assert domain.desk_act(game, "remove-player", {"player": "Ben", "because": "rude"}).ok
    assert lines(game)[0].startswith("The Admin removes Ben from the game: rude; Ben leaves the game; ")
    bag = "Grab Bag 1 (V-8, the patent of Hot Spring Bath)"
    assert text(people("ann").get(f"{SECOND}things/grab-bag-1/")).startswith(f"{bag} · Second")
    go(7)
    assert any(f"{bag} is called: going once" in line for line in lines(game))

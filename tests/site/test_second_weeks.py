"""Some weeks of a game of edition ii: what a player is told, and what waits for them, as the updates go by."""

import re

from django.test import Client
from pagewords import DAY, MONDAY, SECOND, grant, order, seated, text, things, token

from nomopoly.site.notices.models import Notice
from nomopoly.site.play import calendars
from nomopoly.site.tables import domain


def test_news_to_one_player_stand_in_their_log_and_in_no_other(start_second, people, keeper):
    _, go = start_second("Ann", "Ben", "Cid")
    go(15)
    assert re.search(r"The lottery numbers of the week are \d+(, \d+){6}\.", text(people("ann").get(SECOND)))
    news = "You have done nothing in 2 weeks; after one more the rules take you out of the game"
    for path in ("", "log/", "players/Ann/"):
        assert news in text(people("ann").get(SECOND + path)), path
    for other in (keeper, Client()):
        assert news not in text(other.get(SECOND))


def test_a_square_that_one_may_buy_waits_until_it_is_ordered_or_declined(start_second, people):
    game, go = start_second("Ann", "Ben")
    ann = people("ann")
    assert "Nothing waits for you" in text(ann.get(SECOND))
    grant(game, "Ann", "options", ["#7"])
    grant(game, "#7", "option_queue", ["Ann"])
    page = ann.get(SECOND)
    assert "Buy a square: #7" in text(page)
    assert "act/buy-square/?square=%237" in page.content.decode()
    assert "Buy a square: #7" in text(ann.get("/me/"))
    assert "Nothing waits for you" in text(people("ben").get(SECOND))
    order(ann, "buy-square", square="#7")
    assert "Nothing waits for you" in text(ann.get(SECOND))
    go(4)
    assert things(game)["#7"]["owner"] == "Ann"


def test_who_comes_in_next_week_has_nothing_to_do_before(start_second, people):
    game, go = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "of it"}).ok
    go(4)
    seated(game, people("late"), "Late")
    assert "your vote on P1" in text(people("ben").get("/me/"))
    told = text(people("late").get("/me/"))
    assert "Nothing waits for you" in told
    assert "You are approved as Late , and will be in the game from its next week on" in told
    assert "/act/" not in people("late").get("/me/").content.decode()
    go(4)
    assert "You are Late" in text(people("late").get("/me/"))


def test_an_order_that_waits_says_what_speaks_against_it_now(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(4)
    ann = people("ann")
    assert domain.order(game, "Ann", "deposit", {"amount": 100}).ok
    told = "As things stand it would be refused: that is done at the Bank, or where there is an ATM."
    assert told in text(ann.get(f"{SECOND}act/"))
    assert domain.order(game, "Ann", "switch-vehicle", {"vehicle": "clogs"}).ok
    assert text(ann.get(f"{SECOND}act/")).count("As things stand it would be refused") == 1


def test_the_log_tells_its_giver_all_of_an_order_that_waits(start_second, people):
    game, _ = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "make-block", {"type": "residential", "squares": ["#1", "#2"]}).ok
    assert "Ann : make a block (type residential, squares #1 , #2 )." in text(people("ann").get(f"{SECOND}log/"))


def test_a_proposal_is_retracted_as_long_as_the_rules_let_its_author(start_second, people):
    game, go = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "of it"}).ok
    ann, page = people("ann"), f"{SECOND}proposals/1/"
    assert "Retract it" in text(ann.get(page))
    asked = text(ann.get(f"{page}retract/"))
    assert "Retract More ?" in asked
    assert "Nobody votes on it then" in asked
    assert "its votes are never told" not in asked
    assert "Retract it" not in text(people("ben").get(page))
    go(4.2)
    assert "Yes" in text(ann.get(page))  # it is voted on
    assert "Retract it" not in text(ann.get(page))
    assert "only as long as the rules let them" in text(ann.get(f"{page}retract/"))


def test_who_comes_in_next_week_may_introduce_themselves(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(4)
    late = seated(game, people("late"), "Late")
    assert "will be in the game from its next week on" in text(late.get(SECOND))
    assert "Introduce yourself" in text(late.get(f"{SECOND}forum/"))
    page = late.post(f"{SECOND}forum/introductions/", {"once": "x"}, follow=True)
    assert page.status_code == 200
    assert "Introductions" in text(page)


def test_the_page_of_a_proposal_foresees_what_it_would_do(start_second, people):
    game, go = start_second("Ann", "Ben", "Cid")
    assert domain.order(game, "Ann", "propose", {"title": "Rain", "run": "for who in players():\n    gain(who, 10)"}).ok
    assert domain.order(game, "Ben", "propose", {"title": "Bad", "run": "thing('#99')"}).ok
    assert domain.order(game, "Cid", "propose", {"title": "Sun", "text": "May it shine"}).ok
    go(4)
    rain, bad, sun = (text(people("ann").get(f"{SECOND}proposals/{number}/")) for number in (1, 2, 3))
    assert "If it were accepted now" in rain
    assert "Ann gets $10" in rain
    assert "could not be put into effect" not in rain
    assert "It could not be put into effect" in bad
    assert "If it were accepted now" not in sun


def test_who_would_leave_is_told_what_becomes_of_what_they_have(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ann")
    told = text(people("ann").get(f"{SECOND}leave/"))
    assert "What would happen now" in told
    assert "Ann leaves the game" in told
    assert "#7 : Owner from Ann to nothing" in told
    assert "#7" not in text(people("ben").get(f"{SECOND}leave/"))


def test_what_is_chosen_from_bears_the_names_of_the_rules(start_second, people):
    start_second("Ann")
    page = people("ann").get(f"{SECOND}act/switch-vehicle/").content.decode()
    assert re.findall(r"<option value=\"(car|clogs|pogo-stick)\"[^>]*>([^<]*)<", page) == [
        ("car", "Car ($500)"),
        ("clogs", "Clogs ($50)"),
        ("pogo-stick", "Pogo stick ($150)"),
    ]


def test_a_copy_of_the_game_knows_its_limits_and_its_days(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(0.5)
    grant(game, "Ann", "money", 4000)
    ann = people("ann")
    assert "Make a proposal" in text(ann.get(f"{SECOND}proposals/"))
    page = ann.get(f"{SECOND}try/")
    copy = ann.post(f"{SECOND}try/", {"once": token(page)})
    assert "Make a proposal" in text(ann.get(f"{copy['Location']}proposals/"))
    changes = [{"amend": "XIII.1", "params": {"price_factor": 30}}]
    assert domain.order(game, "Ben", "propose", {"title": "Dear", "changes": changes}).ok
    go(4)
    told = text(ann.get(f"{SECOND}proposals/1/"))
    assert "It could not be put into effect" not in told
    assert "Credit limit" not in told


def test_a_pause_tells_when_the_vote_on_the_way_out_ends(start_second, people):
    game, go = start_second("Ann", "Ben")
    assert domain.desk_act(game, "pause", {"because": "it broke", "kind": "disruption"}).ok
    told = text(people("ann").get(SECOND))
    assert re.search(r"The game is paused since \S.{5,40} because it broke", told)
    assert "Voting closes Sun 8 March 2026 00:00 UTC" in told


def test_a_gift_is_told_once_and_an_order_by_what_it_does(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(0.5)
    assert domain.order(game, "Ann", "transfer", {"to": "Ben", "what": {"money": 50}}).ok
    assert domain.order(game, "Ben", "accept-trade", {"offer": "offer-1"}).ok
    assert domain.order(game, "Ann", "apply-patent", {"sort": "item", "name": "Umbrella", "text": "Keeps dry."}).ok
    go(4)
    told = text(Client().get(f"{SECOND}log/"))
    assert "Ann pays Ben $50" in told
    assert "Ann gives Ben $50" not in told
    assert "Ann applies for a patent on Umbrella" in told


def test_who_draws_a_card_is_told_so_once(start_second, people):
    game, go = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", {"title": "Nothing", "text": "At all."}).ok
    go(4.5)
    for who in ("ann", "ben"):
        page = people(who).get(f"{SECOND}proposals/1/")
        people(who).post(f"{SECOND}proposals/1/vote/", {"choice": "yes", "once": token(page)})
    go(4)
    mine, theirs = (text(people(who).get(f"{SECOND}log/")) for who in ("ann", "ben"))
    assert re.search(r"Ann receives (?:10|[2-9AJKQ])[CDHS]", mine)
    assert not re.search(r"Ann receives (?:10|[2-9AJKQ])[CDHS][^;.]*, receives a card", mine)
    assert "Ann receives a card" in theirs


def test_news_do_not_count_the_squares_that_one_passes(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(8)
    people("ann").get("/me/notices/")
    told = text(people("ann").get("/me/notices/"))
    assert "passing #" not in told
    assert "leaving #" not in told


def test_what_waits_with_others_is_named_by_its_own_name_at_the_desk(start_second, people, keeper):
    game, go = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "apply-patent", {"sort": "item", "name": "Umbrella", "text": "Keeps dry."}).ok
    go(4)
    page = keeper.post(f"{SECOND}admin/accept/", {"on": "patent-1", "once": token(keeper.get(f"{SECOND}admin/"))})
    told = text(page)
    assert "Ann : Items Umbrella" in told
    assert "patent-1" not in told.partition("This would happen")[2].partition("Patent")[0]
    assert "in the game from" not in told


def test_the_desk_says_what_its_invitation_does(start_second, keeper):
    start_second("Ann")
    assert "gives a name and is in the game" in text(keeper.get(f"{SECOND}admin/"))


def test_a_statement_has_its_sums_as_people_write_them(start_second, people):
    start_second("Ann")
    told = text(people("ann").get(f"{SECOND}players/Ann/account/"))
    assert "gets $10,000" in told
    assert "$10000" not in told


def test_of_several_squares_one_may_buy_the_dock_offers_each_until_it_is_settled(start_second, people):
    game, _ = start_second("Ann", "Ben")
    ann = people("ann")
    for square in ("#7", "#9"):
        grant(game, square, "option_queue", ["Ann"])
    grant(game, "Ann", "options", ["#7", "#9"])
    grant(game, "Ann", "square", "#3")  # on neither of them: nothing stands in the form by itself
    page = text(ann.get(SECOND))
    assert "Buy a square: #7" in page
    assert "Buy for $175" in page
    assert "no such square" not in page
    order(ann, "decline-square", square="#7")
    page = text(ann.get(SECOND)).partition("What you can do")[0]
    assert "Buy a square: #9" in page
    assert "Buy a square: #7" not in page
    order(ann, "decline-square", square="#9")
    assert "Nothing waits for you" in text(ann.get(SECOND))


def test_who_goes_on_foot_again_is_told_so_in_a_sentence(start_second):
    game, go = start_second("Ann", "Ben")
    go(0.5)
    assert domain.order(game, "Ann", "switch-vehicle", {"vehicle": "clogs"}).ok
    go(4)
    assert domain.order(game, "Ann", "switch-vehicle", {"vehicle": "on-foot"}).ok
    go(4)
    told = text(Client().get(f"{SECOND}log/"))
    assert "Ann chooses a method of transport: on foot" in told
    assert "by on foot" not in told


def test_a_question_names_the_square_where_its_kind_stands_and_the_card_after_it(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(0.5)
    grant(game, "Ann", "cards", ["10H"])
    page = people("ann").post(f"{SECOND}act/place-card/", {"card": "10H", "square": "#10", "preview": "1"})
    assert "Put a card on #10: 10H?" in text(page)


def test_an_offer_calls_items_by_their_names(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(0.5)
    grant(game, "Ann", "items", ["auto-shuffler", "jetpack"])
    offer = {"with": "Ben", "give": {"items": ["auto-shuffler", "jetpack"]}}
    assert domain.order(game, "Ann", "trade", offer).ok
    told = text(people("ann").get(f"{SECOND}log/"))
    assert "gives Auto-shuffler, Jetpack" in told


def test_who_loses_a_square_is_told_so_where_no_sentence_names_them(start_second, people, told):
    game, go = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ben")
    go(0.5)
    run = 'for each in squares():\n    if each.owner is not None:\n        put(each, "owner", None)'
    assert domain.order(game, "Ann", "propose", {"title": "Common land", "run": run}).ok
    go(4.5)
    assert domain.order(game, "Ann", "vote", {"on": "P1", "choice": "yes"}).ok
    go(2)
    assert things(game)["#7"]["owner"] is None
    told()
    said = [*Notice.objects.filter(user__email="ben@example.org").values_list("text", flat=True)]
    assert [each for each in said if "P1 is enacted." in each and "#7" in each and "was Ben" in each], said
    said = [*Notice.objects.filter(user__email="ann@example.org").values_list("text", flat=True)]
    assert not [each for each in said if "#7" in each and "was Ben" in each]


def test_the_minimum_payment_of_a_credit_card_waits_until_enough_is_paid(start_second, people):
    game, go = start_second("Ann", "Ben")
    grant(game, "Ann", "credit_card", True)
    grant(game, "Ann", "credit_balance", 400)
    ann, ben = people("ann"), people("ben")
    waits = "the minimum payment of your credit card"
    assert waits not in text(ann.get(SECOND)).casefold()
    go(7)
    assert waits in text(ann.get(SECOND)).casefold()
    assert waits in text(ann.get("/me/")).casefold()
    assert waits not in text(ben.get(SECOND)).casefold()
    due = {each["what"].casefold() for each in calendars.own_moments(game, "Ann")}
    assert waits in due
    assert not {each["what"] for each in calendars.own_moments(game, "Ben") if "payment" in each["what"]}
    assert domain.order(game, "Ann", "pay-credit-card", {"amount": 50}).ok
    go(3.2)
    assert waits not in text(ann.get(SECOND)).casefold()


def test_a_choice_from_the_lottery_waits_until_it_is_made(start_second, people):
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "Ann", "lottery_choices", 1)
    grant(game, "Cid", "lottery_rights", 1)  # which has no end
    ann, ben, cid = people("ann"), people("ben"), people("cid")
    waits = "your choice from the lottery"
    assert waits in text(ann.get(SECOND)).casefold()
    assert waits in text(ann.get("/me/")).casefold()
    assert [each["at"] for each in calendars.own_moments(game, "Ann") if each["what"].casefold() == waits] == [
        MONDAY + 6 * DAY
    ]
    for other in (ben, cid):
        assert waits not in text(other.get(SECOND)).casefold()
    form = text(ann.get(f"{SECOND}act/use-lottery-right/"))
    for right in ("Eliminate a player", "Take over a player", "Two votes on each proposal"):
        assert right in form
    page = text(order(ann, "use-lottery-right", prize="take-over", target="Ben"))
    assert "Use a right from the lottery: Take over a player, Ben" in page
    assert waits not in text(ann.get(SECOND)).casefold()  # it is made, and waits for the update
    go(3.5)
    assert "Ann takes over Ben" in text(ann.get(f"{SECOND}log/"))
    assert waits not in text(ann.get(SECOND)).casefold()


def test_a_choice_from_the_lottery_waits_again_when_its_order_is_taken_back_or_refused(start_second, people):
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "Ann", "lottery_choices", 1)
    ann = people("ann")
    waits = "your choice from the lottery"
    assert "target is missing" in text(order(ann, "use-lottery-right", prize="eliminate"))
    go(3.5)
    assert waits in text(ann.get(SECOND)).casefold()
    go(3)
    assert waits not in text(ann.get(SECOND)).casefold()
    assert things(game)["Ann"]["double_votes_week"] == 1


def test_a_program_that_is_none_is_refused_by_its_line_without_a_word_for_clerks(start_second, people):
    start_second("Ann", "Ben")
    code = "this is ( no program"
    refused = text(order(people("ann"), "apply-patent", sort="game", name="Doors", text="Bet 10", code=code))
    assert "Refused: line 1: this is not Python" in refused
    assert "check:" not in refused


def test_what_an_order_would_make_is_told_in_words(start_second, people):
    game, go = start_second("Ann", "Ben")
    grant(game, "Ann", "cards", ["2C"])
    ann = people("ann")
    page = ann.post(f"{SECOND}act/buy-lottery-ticket/", {"card": "2C", "preview": "1"})
    assert "Items ticket 1" in text(page)
    assert "ticket-1" not in text(page)

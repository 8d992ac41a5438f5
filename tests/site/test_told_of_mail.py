"""What edition mail tells of what was asked, traded, left and paid: to whom it concerns, and as it was."""

import re

import pytest
from pagewords import SECOND, grant, order, text, things, well

from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain


@pytest.fixture
def mail(start_second):
    """Ann, Ben and Cid play."""
    return start_second("Ann", "Ben", "Cid", edition="mail")


def lines(game, viewer):
    """The log as somebody reads it."""
    from test_lines_of_weeks import lines_of

    return [line for _, line in lines_of(game, viewer)]


def test_a_trade_that_fails_is_known_to_who_has_failed_alone(mail):
    game, go = mail
    grant(game, "#12", "owner", "Ben")
    offer = {"with": "Ben", "give": {"money": 700}, "take": {"squares": ["#12"]}}
    well(domain.order(game, "Ann", "trade", offer))
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#4"]}}))
    go(7)
    grant(game, "Ann", "money", 300)
    well(domain.order(game, "Ben", "accept-trade", {"offer": "offer-1"}))
    go(7)
    assert "Ann cannot offer a trade: not yours: #4 does not belong to Ann." in lines(game, "Ann")
    assert "Ben cannot accept a trade: cannot afford: Ann has $300 and needs $700." in lines(game, "Ben")
    for viewer in ("Cid", "visitor"):
        assert not [line for line in lines(game, viewer) if "trade" in line or "700" in line]


def test_a_question_answered_by_its_kind_waits_no_longer(mail, people):
    game, go = mail
    for number in range(2, 30):
        grant(game, f"#{number}", "color", "Khaki")
    grant(game, "tisssg", "square", "#40")
    go(7)
    asked = "Which Experimental Technology do you want?"
    assert asked in text(people("ann").get("/me/"))
    well(domain.order(game, "Ann", "answer", {"question": "science", "choice": "warp-bubble"}))
    assert asked not in text(people("ann").get("/me/"))
    assert asked in text(people("ben").get("/me/"))
    grant(game, "$government", "money", 3000)
    for name in ("Ben", "Cid"):
        well(domain.order(game, name, "answer", {"question": "science", "choice": "none"}))
    told = next(line for line in lines(game, "Cid") if "buys the Warp Bubble" in line)
    assert told.endswith("Ann buys the Warp Bubble for $500; the Government pays the Corporation $500.")


def test_a_statement_names_each_square_that_cost_something(mail, people):
    game, go = mail
    for square in ("#12", "#13"):
        grant(game, square, "owner", "Ann")
    go(7)
    page = text(people("ann").get(f"{SECOND}players/Ann/account/"))
    assert re.findall(r"Ann loses \$50 for (#\d+)", page) == ["#2", "#12", "#13"]
    assert things(game)["Ann"]["money"] == 850
    assert "Balance: $850" in page


def test_an_order_to_trade_says_which_way_things_go(mail, people):
    ann = people("ann")
    order(ann, "trade", **{"with": "Ben", "give-money": "", "take-squares": ["#3"]})
    order(ann, "trade", **{"with": "Cid", "give-shares": "0", "take-money": "30"})
    page = text(ann.get(f"{SECOND}act/"))
    assert "Offer a trade with Ben : you take #3" in page
    assert "Offer a trade with Cid : you take $30" in page


def test_friends_who_are_parted_are_told_of_as_two(mail):
    game, go = mail
    for one, other in (("Ann", "Ben"), ("Ben", "Ann")):
        well(domain.order(game, one, "declare-best-friend", {"player": other}))
    go(7)
    assert "Ann and Ben are Best Friends." in lines(game, "Cid")
    well(domain.order(game, "Ben", "leave-game", {"way": 1}))
    go(7)
    told = next(line for line in lines(game, "Cid") if line.startswith("Ben leaves the game"))
    assert "; Ben and Ann are no longer Best Friends" in told


def test_the_end_of_teams_is_told_as_what_follows(mail, people):
    game, go = mail
    well(domain.order(game, "Cid", "leave-game", {"way": 5, "heir": "Ann"}))
    go(7)
    told = next(line for line in lines(game, "Ann") if line.startswith("Cid leaves the game"))
    assert "leaves the" in told
    assert "; there are no Teams any more. " in told
    well(domain.desk_act(game, "declare-winner", {"player": "Ann", "because": "enough"}))
    page = text(people("ann").get(f"{SECOND}end/"))
    assert "it ended with the rules it began with" not in page


def test_the_favorite_name_is_one_that_there_is(mail, people):
    game, _ = mail
    assert "no square has a name yet" in text(people("ann").get(f"{SECOND}act/vote-favorite/"))
    grant(game, "#12", "name", "Old Mill")
    page = people("ann").get(f"{SECOND}act/vote-favorite/").content.decode()
    assert re.findall(r'<option value="(#[^"]+)"', page) == ["#12"]
    assert "Old Mill" in page


def test_who_waits_for_a_leaver_is_told_that_it_is_over(mail, told):
    game, go = mail
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    well(domain.order(game, "Cid", "accuse", {"defendant": "Ann", "charge": "Noise", "sort": "chains", "pounds": 5}))
    go(7)
    well(domain.desk_act(game, "remove-player", {"player": "Ann", "because": "silent"}))
    go(0.1)
    told()
    said = {(each.user.email, each.text) for each in Notice.objects.all()}
    assert ("ben@example.org", "Offer 1 has lapsed.") in said
    assert ("cid@example.org", "D1 is dropped, as Ann leaves the game.") in said
    assert "Offer 1" not in " ".join(lines(game, "Cid"))


def test_an_offer_says_until_when_it_can_be_accepted(mail, people):
    game, go = mail
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    go(7)
    for page in (SECOND, f"{SECOND}trades/", f"{SECOND}trades/offer-1/"):
        assert "Sun 15 March 2026 20:00 UTC" in text(people("ben").get(page)), page
    assert "until" not in things(game, "Cid").get("offer-1", {})


def test_what_waits_for_an_update_that_is_left_out_waits_for_the_next(mail, people):
    game, go = mail
    grant(game, "Ann", "items", ["warp-bubble"])
    well(domain.order(game, "Ann", "use-item", {"item": "warp-bubble", "square": "#45"}))
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    go(7)
    well(domain.desk_act(game, "pause", {"because": "a holiday"}))
    go(7)
    well(domain.desk_act(game, "resume", {}))
    assert "until Sun 22 March 2026 20:00 UTC" in text(people("ann").get(SECOND))
    assert "Sun 22 March 2026 20:00 UTC" in text(people("ben").get(f"{SECOND}trades/"))


def test_everybody_is_told_that_the_tornado_comes(mail, told):
    game, go = mail
    well(domain.desk_act(game, "tornado", {}))
    go(0.1)
    told()
    notices = Notice.objects.filter(text="The Tornado will strike in the next update.")
    said = [(each.user.email, each.kind) for each in notices]
    assert sorted(said) == [(f"{name}@example.org", "called") for name in ("ann", "ben", "cid")]


def test_the_admin_is_not_asked_to_decide_where_a_trial_is_sure(mail, people, keeper):
    game, go = mail
    for defendant in ("Ben", "Cid"):
        accused = {"defendant": defendant, "charge": f"Noise of {defendant}", "sort": "pay", "amount": 9, "to": "Ann"}
        well(domain.order(game, "Ann", "accuse", accused))
    go(7)
    for dispute, court, names in (("D2", "corporate", ("Ann", "Cid")), ("D1", "government", ("Ann", "Ben"))):
        for name in names:
            well(domain.order(game, name, "choose-court", {"dispute": dispute, "court": court}))
    desk = text(keeper.get(f"{SECOND}admin/"))
    assert "Noise of Ben" in desk
    assert "Noise of Cid" not in desk
    well(domain.desk_act(game, "judge-dispute", {"on": "D1", "winner": "Ben"}))
    go(7)
    assert "D1: you have lost, and are to pay $9 to Ben." in text(people("ann").get(SECOND))


def test_who_gets_what_a_leaver_leaves_is_told(mail, told):
    game, go = mail
    grant(game, "Ann", "items", ["v-8"])
    grant(game, "hot-spring-bath", "patent", "Ann")
    well(domain.order(game, "Ann", "leave-game", {"way": 5, "heir": "Ben"}))
    well(domain.order(game, "Cid", "leave-game", {}))
    go(7)
    told()
    everybody = lines(game, "visitor")
    line = next(each for each in everybody if each.startswith("Ann leaves the game"))
    assert "; Ben gets what Ann leaves: #2, V-8, the patent of Hot Spring Bath; " in line
    assert any("the Government gets what Cid leaves: #4; " in each for each in everybody)
    assert Notice.objects.filter(user__email="ben@example.org", text__contains="Ben gets what Ann leaves: #2").exists()


def test_a_dispute_that_is_tried_has_its_number(mail):
    game, go = mail
    for defendant in ("Ben", "Cid"):
        accused = {"defendant": defendant, "charge": "Noise", "sort": "chains", "pounds": 5}
        well(domain.order(game, "Ann", "accuse", accused))
    go(7)
    for name, dispute in (("Ann", "D1"), ("Ben", "D1"), ("Ann", "D2"), ("Cid", "D2")):
        well(domain.order(game, name, "choose-court", {"dispute": dispute, "court": "government"}))
    go(7)
    tried = [line for line in lines(game, "Ann") if "$150" in line]
    assert [line.partition(";")[0] for line in tried] == [f"D{number} is before Government Court" for number in (1, 2)]


def test_each_bundle_of_money_that_a_leaver_leaves_is_in_the_statement(mail, people):
    game, go = mail
    grant(game, "Ann", "money", 2550)
    grant(game, "Ann", "items", ["v-8", "v-8"])
    well(domain.desk_act(game, "remove-player", {"player": "Cid", "because": "so that Ben gets all"}))
    well(domain.order(game, "Ann", "leave-game", {"way": 3}))
    go(7)
    page = text(people("ben").get(f"{SECOND}players/Ben/account/"))
    assert len(re.findall(r"Ben gets of what Ann leaves: [^+]*\$200 .*?\+\$200", page)) == 12
    assert re.search(r"Ben gets of what Ann leaves: \$150 .*?\+\$150 \$3,550", page)


def test_an_answer_to_an_offer_that_is_over_says_which(mail, people):
    game, go = mail
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    go(7)
    well(domain.order(game, "Ben", "accept-trade", {"offer": "offer-1"}))
    assert "Accept the offer by Ann: you get $5" in text(people("ben").get(SECOND))
    well(domain.desk_act(game, "remove-player", {"player": "Ann", "because": "silent"}))
    page = text(people("ben").get(SECOND))
    assert "Accept a trade: offer 1" in page
    assert "by the game" not in page


def test_why_no_offer_can_be_made_is_said_in_the_readers_language(mail, people):
    game, _ = mail
    well(domain.desk_act(game, "pause", {"because": "a holiday"}))
    ann = people("ann")
    ann.user.language = "de"
    ann.user.save()
    page = text(ann.get(f"{SECOND}trades/"))
    assert "jetzt nicht: das Spiel ist angehalten" in page
    assert "the game is paused" not in page


def test_in_a_pause_no_court_can_be_chosen(mail, people):
    game, go = mail
    well(domain.order(game, "Ann", "accuse", {"defendant": "Ben", "charge": "Noise", "sort": "chains", "pounds": 5}))
    go(7)
    assert 'value="corporate"' in people("ann").get(SECOND).content.decode()
    well(domain.desk_act(game, "pause", {"because": "a holiday"}))
    page = people("ann").get(SECOND)
    assert "You may choose a court for D1" in text(page)
    assert "Not possible now: the game is paused" in text(page)
    for court in ("government", "corporate"):
        assert f'value="{court}"' not in page.content.decode()

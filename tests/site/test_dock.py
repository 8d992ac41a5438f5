"""The dock: what waits, by when it falls due, each with its buttons; and what it says where nothing waits."""

import html
import re

import pytest
from pagewords import SECOND, accept, grant, propose, text

from nomopoly.site.tables import domain, live

AT = "/g/friday/"
DRINKS = """
@action("offer-drinks", "Offer drinks", by="admin")
def offer_drinks(e):
    ask(tuple(players()), "Tea or coffee?", ("tea", "coffee"), then="pour", default="tea", by=now() + days(2))

event("pour", "poured", say="{who} gets {answers}", answers="")
"""


def items(browser, at=AT):
    """What the dock says: [(text, [what stands on its buttons])]."""
    page = browser.get(at).content.decode()
    found = re.findall(r'<li id="due-[^"]*" class="dock-item.*?</li>', page, re.S)
    return [(words(re.split(r'<div class="dock-buttons">', each)[0]), buttons(each)) for each in found]


def words(markup):
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", markup).split()))


def buttons(markup):
    return [
        words(each)
        for each in re.findall(r"<button[^>]*>(.*?)</button>|<a class=\"btn[^>]*>.*?</a>", markup, re.S) or []
    ]


def press(browser, label, at=AT):
    """Press a button of the dock and confirm: (the question, the page that follows)."""
    page = browser.get(at).content.decode()
    form = next(
        each for each in re.findall(r"<form.*?</form>", page, re.S) if f">{label}</button>" in " ".join(each.split())
    )
    sent = {name: html.unescape(value) for name, value in re.findall(r'name="([\w-]+)" value="([^"]*)"', form)}
    asked = browser.post(re.search(r'action="([^"]+)"', form)[1], sent, follow=True)
    confirm = re.search(r'<section class="preview confirm".*?</section>', asked.content.decode(), re.S)[0]
    fields = {name: html.unescape(value) for name, value in re.findall(r'name="([\w-]+)" value="([^"]*)"', confirm)}
    done = browser.post(re.search(r'<form method="post" action="([^"]+)"', confirm)[1], fields, follow=True)
    return words(re.search(r"<h2.*?</h2>", confirm, re.S)[0]), done


def option(game, square, hours, who="Ann"):
    grant(game, square, "option_of", who)
    grant(game, square, "option_until", live.now() + hours * 3600)


def test_options_stand_by_when_they_end_with_what_they_cost(ann, game):
    option(game, "#9", 48)
    option(game, "#5", 24)
    option(game, "#40", 72)
    grant(game, "Ann", "money", 200)
    found = items(ann)
    assert [re.search(r"#\d+", said)[0] for said, _ in found] == ["#5", "#9", "#40"]
    assert found[0][1] == ["Buy for $50", "Decline to buy"]
    assert "cannot afford" in found[2][0]
    assert found[2][1] == ["Decline to buy"]
    question, page = press(ann, "Buy for $50")
    assert question == "Buy #5 for $50?"
    assert "Ann buys #5 for $50" in text(page)
    question, page = press(ann, "Decline to buy")
    assert question == "Decline to buy #9?"
    assert "Ann declines" in text(page)


def test_a_question_has_its_answers(ann, bob, game):
    propose(game, title="Drinks", changes=[{"enact": "X.1", "text": "There are drinks.", "code": DRINKS}])
    accept(game, "P1")
    assert domain.desk_act(game, "offer-drinks", {}).ok
    [choices] = [choices for said, choices in items(ann) if said.startswith("Tea or coffee?")]
    assert choices == ["tea", "coffee"]
    question, _ = press(ann, "coffee")
    assert question == "Tea or coffee? Your answer: coffee?"
    assert not any("Tea" in said for said, _ in items(ann))
    press(bob, "tea")
    assert live.of(game).facts("visitor")[-1]["facts"][-1]["answers"] == [["Ann", "coffee"], ["Bob", "tea"]]


def test_an_offer_is_accepted_in_place(ann, ben, game):
    grant(game, "#8", "owner", "Ben")
    sent = {"with": "Ben", "give": {"money": 60}, "take": {"squares": ["#8"]}}
    assert domain.order(game, "Ann", "trade", sent).ok
    [(said, choices)] = items(ben)
    assert said.startswith("An offer by Ann")
    assert choices == ["Accept", "Decline"]
    assert items(ann) == []
    question, _ = press(ben, "Accept")
    assert question == "Accept the offer by Ann: you give #8 and get $60?"
    assert live.of(game).view("visitor")["things"]["Ben"]["money"] == 1060


def test_a_turn_is_earned_by_the_customary_proposal_which_lists_fold(ann, keeper, game):
    page = text(ann.get(AT))
    assert "Nothing waits for you." in page
    assert "Propose “A turn, please”" in page
    press(ann, "Propose “A turn, please”")
    page = text(ann.get(AT))
    assert "Your proposal P1 A turn, please waits for its judgement." in page
    assert "Propose “A turn, please”" not in page
    [(said, _)] = items(keeper)
    assert said == "P1 by Ann: A turn, please"
    assert f'href="{AT}admin/accept/?on=P1"' in keeper.get(AT).content.decode()
    assert domain.desk_act(game, "reject", {"on": "P1", "because": "x"}).ok
    propose(game, title="Something else")
    listed = text(ann.get(f"{AT}proposals/"))
    assert "1 proposal that only wanted a turn" in listed
    assert "Something else" in listed


def test_rules_without_a_custom_offer_none(ann, game):
    propose(game, title="No custom", changes=[{"amend": "IX.4", "code": ""}])
    accept(game, "P1")
    assert "A turn, please" not in text(ann.get(AT))


def test_a_vote_is_cast_from_the_dock(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="iv")
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "Words"}).ok
    turn = next(choices for said, choices in items(people("ben"), SECOND) if "turn" in said)
    assert turn == ["⚂ Take a turn"]
    vote = next((said, choices) for said, choices in items(people("ben"), SECOND) if "P1" in said)
    assert vote[0].startswith("Your vote on P1: More")
    assert vote[1] == ["Yes", "No", "Abstain"]
    question, page = press(people("ben"), "No", SECOND)
    assert question == "Vote No on P1, “More”?"
    assert "Your vote: No. You can change it until" in text(page)
    assert not any("P1" in said for said, _ in items(people("ben"), SECOND))
    question, page = press(people("ben"), '<span class="die-sign" aria-hidden="true">⚂</span> Take a turn', SECOND)
    assert question == "Take a turn?"
    assert "Ben takes a turn, rolls" in text(page)
    again = text(people("ben").get(SECOND))
    assert "Take a turn: too soon: your next turn is possible from" in again


def test_a_game_that_is_over_announces_nothing(ann, game):
    option(game, "#5", 24)
    assert domain.desk_act(game, "declare-winner", {"because": "enough"}).ok
    page = text(ann.get(AT))
    assert items(ann) == []
    assert "Coming up" not in page
    assert "Next:" not in page


@pytest.mark.parametrize("edition", ["iv", "mail", "ii"])
def test_a_game_of_turns_that_is_over_announces_none(start_second, people, keeper, edition):
    game, _ = start_second("Ann", "Ben", edition=edition)
    assert domain.desk_act(game, "declare-winner", {"player": "Ann", "because": "x"}).ok
    assert live.of(game).view("visitor")["things"]["game"]["over"]
    page = text(people("ben").get(SECOND))
    assert items(people("ben"), SECOND) == []
    assert "turn possible" not in page
    assert "utomatic turn" not in page
    assert "Next" not in page


def test_what_was_typed_stands_in_quotes_in_the_question(ann, game):
    asked = text(
        ann.post(f"{AT}act/propose/", {"title": "A turn, please", "text": "x", "preview": "page"}, follow=True)
    )
    assert "Make a proposal: “A turn, please”" in asked

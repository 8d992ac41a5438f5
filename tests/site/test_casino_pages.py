"""A casino round by the pages, and patents: applying, accepting, and what the rule's page says of it."""

import re

import pytest
from pagewords import SECOND, order, text

from nomopoly.site.tables import domain, live

BAD = "@after('land')\ndef f(e):\n    print(e)\n"
GOOD = """@action("open-door", "Open a door", at_once=True, rolls=True, bet=number("Bet", least=1))
def open_door(e):
    place_bet(e.who, "three-doors", e.bet, 10)
    settle_bet(e.who, "three-doors", e.who.square, e.bet, 3 * e.bet if chance.one_in(3) else 0)
"""


@pytest.fixture
def second(start_second):
    """Ann and Ben play."""
    return start_second("Ann", "Ben")


PATENT = {"sort": "game", "name": "Three Doors", "text": "Bet up to $10. One door in three pays 3 times the bet."}


def test_a_patent_becomes_a_rule_that_names_it(second, people):
    game, go = second
    ann = people("ann")
    assert "waits for the next update" in text(order(ann, "apply-patent", code=GOOD, **PATENT))
    go(3)
    assert domain.desk_act(game, "accept", {"on": "patent-1"}).ok
    page = text(ann.get(f"{SECOND}rules/XXXIV.p1/"))
    assert "Three Doors" in page
    assert "Patent 1: Three Doors" in page
    assert "A correction by the Admin" not in page
    newest = text(ann.get(SECOND)).partition("Rules made last")[2]
    assert "Three Doors" in newest
    assert "proposal patent" not in newest
    assert "proposals/patent-1" not in ann.get(SECOND).content.decode()
    assert ann.get(f"{SECOND}rules/history/").status_code == 200
    assert "there is no casino" in text(ann.get(f"{SECOND}act/open-door/")).replace(
        "there is none on your square", "there is no casino"
    )


def test_a_program_that_could_not_be_carried_out_is_refused_when_it_is_handed_in(second, people):
    game, _ = second
    seen = text(order(people("ann"), "apply-patent", code=BAD, **PATENT))
    assert "print" in seen
    assert not [each for each in live.of(game).view("Ann")["things"].values() if each["kind"] == "order"]


def test_a_round_of_blackjack_by_the_pages(second, people):
    game, _ = second
    ann = people("ann")
    assert domain.desk_act(game, "grant", {"thing": "#1", "attribute": "buildings", "value": ["casino"]}).ok
    seen = text(order(ann, "play-blackjack", bet="100"))
    hand = live.of(game).view("Ann")["things"]["hand-1"]
    assert f"your cards are {' '.join(hand['cards'])}" in seen
    assert f"the dealer shows {hand['dealer'][0]}" in seen
    assert "your cards" not in text(people("ben").get(f"{SECOND}log/")).casefold()
    order(ann, "blackjack-stop")
    log = text(people("ben").get(f"{SECOND}log/"))
    assert f"at blackjack (with {' '.join(hand['cards'])}, the dealer has {hand['dealer'][0]} " in log


def test_where_the_wheel_stops_is_told_with_the_bet(second, people):
    game, _ = second
    assert domain.desk_act(game, "grant", {"thing": "#1", "attribute": "buildings", "value": ["casino"]}).ok
    seen = text(order(people("ann"), "play-roulette", bet="20", color="red"))
    assert re.search(r"Ann bets \$20 at roulette, (loses \$20|gets \$40) at roulette \(the number is \d+\)", seen)


def test_a_patent_that_is_rejected_is_told_with_what_comes_back(second, people):
    game, go = second
    order(people("ann"), "apply-patent", **PATENT)
    go(3)
    assert domain.desk_act(game, "reject", {"on": "patent-1", "because": "stupid"}).ok
    log = text(people("ben").get(f"{SECOND}log/"))
    assert re.search(r"Ann gets no patent on Three Doors: stupid; the Admin account pays Ann \$50 ?\.", log)

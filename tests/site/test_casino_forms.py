"""What a player meets at a casino: forms that can be filled in without knowing the rules, a dock that shows the round,
and a feed that says what came of it."""

import re

import pytest
from pagewords import SECOND, grant, order, text, things

from nomopoly.site.play import words
from nomopoly.site.tables import domain, queries


@pytest.fixture
def casino(start_second):
    """Ann and Ben stand at a casino; Ann has some cards and items."""
    game, go = start_second("Ann", "Ben")
    grant(game, "#1", "buildings", ["casino"])
    grant(game, "Ann", "cards", ["KS", "10H", "AC", "5D", "6C"])
    grant(game, "Ann", "items", ["flower", "weighted-die", "auto-shuffler"])
    return game, go


def test_the_dock_shows_the_round_and_all_ways_on(casino, people):
    game, _ = casino
    ann = people("ann")
    order(ann, "play-blackjack", bet="100")
    hand = things(game, "Ann")["hand-1"]
    dock = text(ann.get(SECOND)).partition("Waiting for you")[2].partition("What you can do")[0]
    assert "Round at a casino: Game blackjack" in dock
    assert f"Cards {', '.join(hand['cards'])}" in dock
    assert "Draw a card at blackjack" in dock
    assert "Stop at blackjack" in dock
    assert hand["cards"][0] not in text(people("ben").get(SECOND))


def test_cards_of_a_hand_are_ticked(casino, people):
    game, _ = casino
    ann = people("ann")
    order(ann, "play-poker", bet="25")
    hand = things(game, "Ann")["hand-1"]["cards"]
    page = ann.get(f"{SECOND}act/poker-exchange/").content.decode()
    assert re.findall(r'type="checkbox" name="discard" value="(\w+)"', page) == hand
    dock = ann.get(SECOND).content.decode().partition('id="waiting"')[2].partition("What you can do")[0]
    assert f'href="{SECOND}act/poker-exchange/"' in dock
    assert f'action="{SECOND}act/poker-exchange/"' not in dock  # which would exchange none
    order(ann, "poker-exchange", discard=hand[:2])
    told = text(people("ben").get(f"{SECOND}log/"))
    kept = re.search(r"at poker \(with ([\w ]+)\)", told)[1].split()
    assert kept[:3] == hand[2:]


def test_what_is_won_is_told_once_and_a_loss_is_borne_by_the_owner(casino, people):
    game, _ = casino
    grant(game, "#1", "owner", "Ben")
    grant(game, "#1", "block", None)
    for _ in range(3):
        order(people("ann"), "play-roulette", bet="50", color="red")
    lines = re.findall(r"Ann bets \$50 at roulette[^.]*\.", text(people("ben").get(f"{SECOND}log/")))
    assert len(lines) == 3
    for line in lines:
        assert line.count("$100") <= 1, line
        assert "$-" not in line
        assert "; The" not in line


def test_an_item_asks_for_what_it_needs_alone(casino, people):
    ann = people("ann")
    page = ann.get(f"{SECOND}act/use-item/").content.decode()
    form = page.partition("<form")[2]
    assert form.index('name="item"') < form.index('name="target"')
    assert 'name="proposal"' not in page  # nothing that Ann has asks for one
    assert "For: Flower" in text(ann.get(f"{SECOND}act/use-item/"))
    page = ann.get(f"{SECOND}act/use-item/?item=flower").content.decode()
    assert 'name="target"' in page
    assert 'name="cards"' not in page
    page = ann.get(f"{SECOND}act/use-item/?item=auto-shuffler").content.decode()
    assert re.findall(r'type="checkbox" name="cards" value="(\w+)"', page) == ["KS", "10H", "AC", "5D", "6C"]
    assert 'name="target"' not in page


def test_a_form_says_what_each_thing_is_that_can_be_chosen(casino, people):
    page = text(people("ann").get(f"{SECOND}act/use-item/"))
    assert "What each of them is" in page
    assert "given to another player as a token of friendship" in page
    assert "Hammer" not in page  # which Ann has not


def test_a_grant_that_changes_nothing_says_so(casino, people):
    game, _ = casino
    grant(game, "#1", "buildings", ["casino"])
    assert "The Admin: grant" not in text(people("ann").get(f"{SECOND}log/"))
    again = {"thing": "Ann", "attribute": "blackjack_option", "value": False, "because": "a test"}
    assert domain.desk_act(game, "grant", again).ok
    page = text(people("ann").get(f"{SECOND}log/"))
    assert re.search(r"sets blackjack option of Ann ?, which stays as it is", page)


def test_who_gets_a_flower_is_told_from_whom(casino, people):
    _, go = casino
    order(people("ann"), "use-item", item="flower", target="Ben")
    go(3)
    assert "gives Ben a flower" in text(people("ben").get(f"{SECOND}log/"))


def test_what_can_be_bought_has_its_price(casino, people):
    ann = people("ann")
    assert "Flower ($10)" in text(ann.get(f"{SECOND}act/buy-item/"))
    assert "Weighted die ($100)" in text(ann.get(f"{SECOND}act/buy-item/"))


def test_blackjack_on_the_board_is_traded_in_by_ticks(casino, people):
    game, go = casino
    grant(game, "Ann", "blackjack_option", True)
    order(people("ann"), "trade-in-blackjack", cards=["KS", "AC"])
    before = things(game)["Ann"]["money"]
    go(3)
    assert "Ann trades in KS, AC for $" in text(people("ben").get(f"{SECOND}log/"))
    assert things(game)["Ann"]["money"] > before


def test_things_are_called_by_their_number_and_new_ones_are_known_by_their_kind():
    made = {"name": "made_at", "type": "moment"}
    view = {
        "things": {"bingo-1": {"kind": "bingo-card"}, "Ann-1": {"kind": "player"}},
        "schema": {"card": [made | {"label": "Made"}], "deed": [made | {"label": "Drawn up"}]},
    }
    assert words.thing_name(view, "bingo-1") == "bingo 1"
    assert words.thing_name(view, "Ann-1") == "Ann-1"
    [known, unknown] = queries.readable(
        view, [["deed-3", "made_at", None, 1789128156], ["D3", "made_at", None, 1789128156]], {}
    )
    assert known[1] == "Drawn up"
    assert unknown[1] == "made at"  # which kinds call differently
    assert known[3] == unknown[3] == "Fri 11 September 2026 12:02 UTC"


def test_whom_an_item_is_for_is_chosen(casino, people):
    game, _ = casino
    grant(game, "Ann", "items", ["flower", "hammer"])
    page = people("ann").get(f"{SECOND}act/use-item/").content.decode()
    target = re.search(r'<select[^>]* name="target".*?</select>', page, re.DOTALL)[0]
    assert re.findall(r'value="([^"]+)"', target) == ["Ann", "Ben"]
    refused = text(people("ann").post(f"{SECOND}act/use-item/", {"item": "hammer", "target": "#5"}, follow=True))
    assert "a hammer hits another player or a creature" in refused


def test_a_casino_offers_what_its_owner_has_patented_alone(casino, people):
    game, go = casino
    grant(game, "#1", "owner", "Ann")
    for name, item in (("ann", "Umbrella"), ("ben", "Parasol")):
        order(people(name), "apply-patent", sort="item", name=item, text="Keeps dry.", price="50")
    go(3)
    for patent in ("patent-1", "patent-2"):
        assert domain.desk_act(game, "accept", {"on": patent}).ok
    grant(game, "Ben", "square", "#1")
    umbrella = next(id for id, each in things(game).items() if each.get("name") == "Umbrella")
    page = text(people("ben").get(f"{SECOND}things/{umbrella}/"))
    assert "Umbrella · Second" in page[:30]
    assert "Owner Ann" in page
    form = text(people("ben").get(f"{SECOND}act/buy-item/"))
    assert "Umbrella, of Ann ($50)" in form
    assert "Parasol" not in form
    said = domain.order(game, "Ben", "buy-item", {"item": "hat"})
    go(3)
    assert said.ok
    assert "Ben cannot buy an item: nothing of that name is sold here" in text(people("ben").get(f"{SECOND}log/"))

"""The addresses of waiting orders: each is taken back or moved by the number of its entry, by its owner alone."""

import pytest
from pagewords import DAY, SECOND, grant, order, text

from nomopoly.site.tables import domain, live


@pytest.fixture
def second(start_second):
    """Ann and Ben play, and Ann has #7."""
    game, _ = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ann")
    return game


def waits(game, owner):
    """The numbers of the entries of somebody's waiting orders, in their order."""
    mine = [each for each in live.of(game).view(owner)["things"].values() if each["kind"] == "order"]
    return [int(each["id"][6:]) for each in sorted(mine, key=lambda each: each["place"])]


def three(people):
    """Ann's browser, after three orders of hers that wait: One, Two, Three."""
    ann = people("ann")
    for said in ("One", "Two", "Three"):
        order(ann, "name-square", square="#7", name=said)
    return ann


def send(client, n, what, **fields):
    return client.post(f"{SECOND}act/queue/{n}/{what}/", fields, follow=True)


def test_an_order_is_moved_before_another_and_behind_all(second, people):
    ann = three(people)
    first, middle, last = waits(second, "Ann")
    assert "The order is moved" in text(send(ann, last, "move", before=first))
    assert waits(second, "Ann") == [last, first, middle]
    send(ann, last, "move", before=middle)
    assert waits(second, "Ann") == [first, last, middle]
    send(ann, first, "move")
    assert waits(second, "Ann") == [last, middle, first]


def test_an_order_is_taken_back_once(second, people):
    ann = three(people)
    first, middle, last = waits(second, "Ann")
    assert "The order is taken back" in text(send(ann, middle, "withdraw"))
    assert waits(second, "Ann") == [first, last]
    assert send(ann, middle, "withdraw").status_code == 404


def test_the_buttons_of_the_page_lead_there(second, people):
    ann = three(people)
    first, middle, _ = waits(second, "Ann")
    page = ann.get(f"{SECOND}act/").content.decode()
    assert f'action="{SECOND}act/queue/{first}/withdraw/"' in page
    form = page.partition(f'action="{SECOND}act/queue/{middle}/move/"')[2].partition("</form>")[0]
    assert f'name="before" value="{first}"' in form


def test_a_place_that_is_not_there_is_refused_and_nothing_moves(second, people):
    ann = three(people)
    before = waits(second, "Ann")
    page = send(ann, before[0], "move", before="999")
    assert "No other order 999 of yours waits" in text(page)
    assert 'id="refusal"' in page.content.decode()
    assert waits(second, "Ann") == before


def test_the_orders_of_others_are_not_there(second, people):
    three(people)
    first, *_ = before = waits(second, "Ann")
    for what in ("withdraw", "move"):
        assert send(people("ben"), first, what).status_code == 404
        assert people("eve").post(f"{SECOND}act/queue/{first}/{what}/").status_code == 403
        assert people("ann").get(f"{SECOND}act/queue/{first}/{what}/").status_code == 405
    assert waits(second, "Ann") == before


def test_where_orders_stand_for_good_the_refusal_is_the_rules(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="mail")
    ann = people("ann")
    grant(game, "#7", "owner", "Ann")
    order(ann, "name-square", square="#7", name="One")
    first = waits(game, "Ann")[0]
    assert "cannot be taken back" in text(send(ann, first, "withdraw"))
    assert "leave waiting orders as they are" in text(send(ann, first, "move"))
    assert waits(game, "Ann") == [first]


ISSUE = '@action("issue", "Issue a bond", fact="issued")\ndef issue(e):\n    gain(e.who, 5)\n'
BONDS = {"enact": "XL.1", "section": "S", "text": "Bonds.", "code": ISSUE}


def put(game, change):
    """Put a change of the rules into force. Returns what came of it."""
    with live.of(game).writing() as running:
        running.checks = False
        outcome = running.admin("put-in-force", {"changes": [change], "by": "P1"}, live.now())
    assert outcome.ok, outcome
    return outcome


def test_an_order_whose_rule_has_been_struck_says_so_and_lists_no_actions(second, people):
    enacted = put(second, BONDS)
    order(people("ann"), "issue")
    confirm = live.of(second).strike_preview(enacted.n)["hash"]
    assert domain.strike(second, enacted.n, "a slip", confirm).ok
    log = text(people("ann").get(f"{SECOND}log/"))
    assert "refused since a correction (no rule in force has this action any more)." in log
    assert "trade-in-cards" not in log
    others = text(people("ben").get(f"{SECOND}log/"))
    assert "refused since a correction" not in others, "it waited, and nobody else knew of it"


def test_an_order_whose_rule_has_gone_says_so_and_lists_no_actions(second, people):
    put(second, BONDS)
    ann = people("ann")
    order(ann, "issue")
    put(second, {"repeal": "XL.1"})
    told = "Issue As things stand it would be refused: no rule in force has this action any more Take back"
    assert told in text(ann.get(f"{SECOND}act/"))
    domain.run_due(second, live.now() + 4 * DAY)
    log = text(ann.get(f"{SECOND}log/")).replace("&#x27;", "'")
    assert "Ann cannot issue: there is no action 'issue' for players." in log
    assert "trade-in-cards" not in log

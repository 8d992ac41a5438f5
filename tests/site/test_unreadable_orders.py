"""An order that waits for the update, with a field that nobody could read: refused when it is given."""

import pytest
from pagewords import SECOND, order, text, well

from nomopoly.site.tables import domain, live

TRANSFER = {"to": "Ben", "what": {"money": 5}}


@pytest.fixture(params=["mail", "ii"])
def game(request, start_second):
    return start_second("Ann", "Ben", edition=request.param)[0]


def waiting(game):
    return [each for each in live.of(game).view("Ann")["things"].values() if each["kind"] == "order"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"what": {"money": "lots"}}, "what money must be a whole number"),
        ({"what": "lots"}, "what must say what, for example money: 60"),
        ({"to": ["Ben"]}, "to must name a "),
    ],
)
def test_what_is_no_sum_and_names_nobody_does_not_wait(game, wrong, reason):
    outcome = domain.order(game, "Ann", "transfer", TRANSFER | wrong)
    assert outcome.refused.startswith(reason)
    assert waiting(game) == []


def test_what_can_be_read_waits(start_second):
    game, _go = start_second("Ann", "Ben", edition="mail")
    well(domain.order(game, "Ann", "transfer", TRANSFER | {"what": {"money": "5"}}))
    assert len(waiting(game)) == 1


def test_a_number_and_words_that_are_none_are_refused(start_second):
    game, _go = start_second("Ann", "Ben", edition="ii")
    assert domain.order(game, "Ann", "deposit", {"amount": "lots"}).refused == "amount must be a whole number"
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": 7}).refused == "name must be text"


def test_a_form_that_is_left_all_the_same_keeps_what_was_typed(start_second, people):
    start_second("Ann", "Ben", edition="ii")
    page = order(people("ann"), "deposit", amount="lots")
    assert "must be a whole number, not lots" in text(page)
    assert 'value="lots"' in page.content.decode()
    assert "waiting for the next update" not in text(people("ann").get(f"{SECOND}act/"))

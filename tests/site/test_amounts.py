"""Amounts in the forms of `ii`, as people write them: each reads the same, and nonsense stays where it was typed."""

import re
from html import unescape

import pytest
from pagewords import SECOND, grant, text, token, well

from nomopoly.site import declared
from nomopoly.site.tables import domain, live

WRITTEN = ("$1,500", "1500", "1 500", "1,500", "$1500", "$1,500.00")
NONSENSE = ("lots", "15OO", "1.5", "$", "1,500 or so")


@pytest.fixture
def game(start_second):
    """A game of `ii` in which Ann and Ben have something to trade, to build on and to bid for."""
    game, _go = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ann")
    grant(game, "#8", "owner", "Ben")
    return game


def amounts(game):
    """The fields of all actions that are numbers: [(action, the name of its input)]."""
    actions = live.of(game).actions("Ann")
    return [
        (action, each["input"]) for action in actions for each in declared.inputs(action) if each["look"] == "number"
    ]


def form_of(action, name, typed):
    """A form as it is sent, with an amount in one field, and the first choice wherever one has to choose."""
    fields = {
        each["input"]: str(each["choices"][0]["id"] if each.get("choices") else "a")
        for each in declared.inputs(action)
        if not each["optional"] and each["look"] != "number"
    }
    numbers = {each["input"]: "1" for each in declared.inputs(action) if each["look"] == "number"}
    return fields | numbers | {name: typed}


@pytest.mark.parametrize("typed", WRITTEN)
def test_every_amount_is_read_as_people_write_it(game, typed):
    found = amounts(game)
    assert {"deposit", "trade", "transfer", "buy-fuel", "pay-credit-card"} <= {action["id"] for action, _ in found}
    for action, name in found:
        args, problems = declared.read(action, form_of(action, name, typed))
        field, _, part = name.partition("-")
        read = args[name] if name in args else args[field][part]
        assert (read, problems) == (1500, []), f"{action['id']}: {name}"


@pytest.mark.parametrize("typed", NONSENSE)
def test_nonsense_stays_where_it_was_typed_and_the_page_says_what_to_do(game, people, typed):
    ann = people("ann")
    for action, name in amounts(game):
        address = f"{SECOND}act/{action['id']}/"
        for looked_at in ({}, {"preview": "page"}):  # sent, and tried out
            sent = form_of(action, name, typed) | looked_at | {"once": token(ann.get(address))}
            answer = ann.post(address, sent, follow=True)
            page = unescape(answer.content.decode())
            assert f"must be a whole number, not {typed}." in unescape(text(answer)), f"{action['id']}: {name}"
            assert re.search(rf'name="{re.escape(name)}"[^>]*value="{re.escape(typed)}"', page), (
                f"{action['id']}: {name}"
            )


def test_a_gift_of_an_amount_is_offered(game, people):
    ann = people("ann")
    address = f"{SECOND}act/trade/"
    sent = {"with": "Ben", "give-money": "$1,500", "once": token(ann.get(address))}
    assert "$1,500" in text(ann.post(address, sent | {"preview": "page"}, follow=True))
    ann.post(address, sent)
    offer = next(each for each in live.of(game).view("Ann")["things"].values() if each["kind"] == "offer")
    assert offer["give"] == [["money", 1500]]
    well(domain.order(game, "Ben", "accept-trade", {"offer": offer["id"]}))

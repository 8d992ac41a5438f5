"""The table, actions and squares in a language that nobody speaks: no wording of the site outside of the message
files."""

import foreign
import pytest
from django.test import Client
from pagewords import SECOND, accept, grant, order, propose

from nomopoly.site.tables import domain, live

AT = "/g/friday/"
MARK = '@marker("square", "Luck", "L")\ndef luck(it):\n    return number(it) == 4 and ("L", "a lucky square")\n'


def main(html):
    """What a page says beside its frame; of a part that a script asks for, all of it."""
    return "<main" + html.split("<main")[1].split("<footer")[0] if "<main" in html else html


@pytest.fixture
def left(abroad):
    """left(browser, path, **sent): what a page says outside of the message files; with fields, that which answers a
    form."""

    def ask(browser, path, **sent):
        asked = {"HTTP_ACCEPT_LANGUAGE": foreign.CODE, "follow": True}
        fragment = {"HTTP_X_FRAGMENT": "confirm"} if sent.pop("fragment", None) else {}
        answer = browser.post(path, sent, **asked, **fragment) if sent else browser.get(path, **asked)
        return abroad(main(answer.content.decode()))

    return ask


@pytest.mark.django_db
def test_the_table_and_its_squares(left, keeper, ann, ben, game):
    grant(game, "#4", "owner", "Ann")
    grant(game, "#4", "name", "Baltic")
    grant(game, "Ben", "square", "#4")
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", live.now() + 86400)
    propose(game, title="More of it", changes=[{"enact": "X.1", "text": "There are drinks."}])
    for browser in (ann, ben, keeper, Client()):
        for path in ("", "?text=1", "?text=0"):
            assert left(browser, AT + path) == [], path
    accept(game, "P1")
    assert domain.order(game, "Ann", "take-turn", {})
    for path in (
        "",
        "board/table/",
        "squares/4/",
        "squares/4/?card=1",
        "squares/3/",
        "act/",
        "act/?q=buy",
        "act/?q=zzz",
    ):
        assert left(ann, AT + path) == [], path
    for path in (
        "board/table/?at=1",
        "squares/4/?at=1",
        "squares/4/?at=1&card=1",
        "board/table/?at=99999",
        "?at=never",
    ):
        assert left(ann, AT + path) == [], path
    for path in (
        "squares/999/",
        "act/no-such-thing/",
        "playback.json",
        "act/?command=fly",
        "act/?command=name-square+a+b+c",
    ):
        assert left(ann, AT + path) == [], path


@pytest.mark.django_db
def test_the_form_of_an_action(left, ann, ben, game):
    grant(game, "#4", "owner", "Ann")
    ways = {"square": "#4", "name": "Baltic"}
    for path in ("act/name-square/", "act/name-square/?square=%234", "act/take-turn/", "act/leave-game/", "act/trade/"):
        assert left(ann, AT + path) == [], path
    assert left(ann, AT + "act/name-square/", **ways, preview="yes") == []
    assert left(ann, AT + "act/name-square/", **ways, preview="yes", fragment="yes") == []
    assert left(ann, AT + "act/name-square/", preview="yes") == []
    assert left(ann, AT + "act/name-square/", square="#5", name="x", preview="yes", fragment="yes") == []
    assert left(ann, AT + "act/take-turn/", preview="yes") == []


@pytest.mark.django_db
def test_orders_and_offers_that_wait(left, start_second, people):
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "#7", "owner", "Ann")
    ann = people("ann")
    for said in ("One", "Two"):
        order(ann, "name-square", square="#7", name=said)
    offer = {"with": "Ben", "give": {"squares": ["#7"]}, "take": {"money": 300}}
    assert domain.order(game, "Ann", "trade", offer).ok
    for browser in (ann, people("ben"), people("cid")):
        for path in ("", "act/", "squares/7/"):
            assert left(browser, SECOND + path) == [], path
    assert left(ann, f"{SECOND}act/name-square/", square="#7", name="Three", preview="yes") == []
    assert left(ann, f"{SECOND}act/name-square/", square="#8", name="Three", preview="yes") == []
    for path in ("act/queue/1/withdraw/", "act/queue/999/move/"):
        assert left(ann, SECOND + path, before="999") == [], path
    go(2)
    assert left(ann, SECOND) == []

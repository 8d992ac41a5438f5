"""Every page that links lead to, in a language that nobody speaks: no wording of the site outside of the message
files."""

import re
from urllib.parse import urljoin, urlsplit

import foreign
import pytest
from django.test import Client
from pagewords import accept, propose

NO_PAGES = re.compile(
    r"/(static|api/v1|account|operator)/|\.(md|json|jsonl\.gz|csv|atom|ics|xml|txt)$|/export/\?|feed|/learn"
)
NAMES = re.compile(
    r"\b(Friday|Ann|Ben|Second|[IVX]+\.?\d*)\b"
)  # in titles of windows and in attributes nothing can be marked
LINK = re.compile(r'<a\b[^>]*\bhref="([^"#]*)')
IN_GUIDE = re.compile(r"^/(guide/rules|guide/playing|library|about|terms|privacy|contact)/")


def sort_of(address):
    """What kind of page an address is: pages that differ in a number or a name alone are one."""
    parts = urlsplit(address)
    path = re.sub(r"/(squares|log|proposals|players|sections|forum|act|accounts)/[^/?]+", r"/\1/one", parts.path)
    path = re.sub(r"/rules/[IVX].*", "/rules/one", path)
    keys = sorted(re.findall(r"(\w+)=", parts.query))
    return path, tuple(keys)


def pages_from(browser, start, most=250):
    """Yields (address, answer as text) of the pages that links lead to, one of each kind."""
    waiting, known = [start], {sort_of(start)}
    while waiting and most:
        address = waiting.pop(0)
        most -= 1
        answer = browser.get(address, HTTP_ACCEPT_LANGUAGE=foreign.CODE, follow=True)
        if "text/html" not in answer["Content-Type"]:
            continue
        html = answer.content.decode()
        yield address, html
        for link in LINK.findall(html):
            there = urljoin(address, link.replace("&amp;", "&"))
            if there.startswith("/") and not NO_PAGES.search(there) and sort_of(there) not in known:
                known.add(sort_of(there))
                waiting.append(there)


def left_in_english(abroad, browser, start):
    """What the pages say that links lead to, outside of the message files: ["address place: words"]."""
    left = []
    for address, html in pages_from(browser, start):
        for place, words in abroad(html):
            window = re.sub(r"^\(\d+\) | ·.*", "", words)  # of a word of the rules, which is the heading too
            if place == "title." and re.search(
                f'translate="no"[^<>]*>{re.escape(window)}<', html.replace("Nomopoly ", "")
            ):
                continue
            if re.search(r"[A-Za-z]{2,}", NAMES.sub("", words)):
                left.append(f"{address} {place}: {words}")
    return left


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["visitor", "player", "admin"])
def test_no_page_speaks_english(abroad, who, keeper, ann, ben, game):
    propose(game, title="More of it", changes=[{"enact": "X.1", "text": "There are drinks."}])
    propose(game, title="Less", changes=[{"amend": "VIII.3", "params": {"option_time": 3}}])
    accept(game, "P2")
    propose(game, title="More", changes=[{"enact": "X.2", "text": "Drinks are free.", "params": {"price": 3}}])
    browser = {"visitor": Client(), "player": ann, "admin": keeper}[who]
    assert left_in_english(abroad, browser, game.address) == []


@pytest.mark.django_db
def test_no_page_of_a_game_with_weeks_speaks_english(abroad, start_second, people):
    game, go = start_second("Ann", "Ben")
    propose(game, title="More of it", changes=[{"enact": "X.98", "section": "X", "text": "There are drinks."}])
    go(9)
    assert left_in_english(abroad, people("ann"), game.address) == []

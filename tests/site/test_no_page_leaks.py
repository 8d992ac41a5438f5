"""Every page of a game, drawn for everybody who may open it: what is planted for some is on no page of others."""

import re
from collections import Counter

import pytest
from django.test import Client
from pagewords import SECOND, order

from nomopoly.site.tables import domain

START = ["", "log/", "log/feed.atom", "calendar.ics", "act/", "trades/", "proposals/", "forum/", "players/", "export/"]
START += [
    "board/table/",
    "rules/",
    "rules.md",
    "rules/history/",
    "rules/diff/",
    "rules/VIII.3/",
    "notes/",
    "answers/",
    "admin/",
    "news/",
    "words.json",
]
START += ["playback.json?entry=3", "market/", "accounts/", "about/", "dice/", "rulings/", "log/?q=PLANTED", "?at=now"]
ALIKE = 2  # pages of one sort that are drawn
ALONE = ("Ann",)
SEEN_BY = {  # what is planted: who may read it
    "PLANTED-NOTE": ALONE,
    "PLANTED-DRAFT": ALONE,
    "PLANTED-ANSWER": ALONE,
    "PLANTED-NAME": ("Ann", "Admin"),
    "PLANTED-WORDS": ("Ann", "Cid", "Admin"),
    "PLANTED-BALLOT": ("Ann", "Admin"),
    "PLANTED-MESSAGE": ("Admin", "Eve"),
}


@pytest.fixture
def planted(start_second, people):
    """Ann has secrets of many sorts: some with Cid, some with the Admin, some alone; Eve has asked to join."""
    game, _ = start_second("Ann", "Ben", "Cid")
    ann, new = people("ann"), f"{SECOND}proposals/new/?door=program"
    ann.post(f"{SECOND}notes/", {"body": "PLANTED-NOTE"})
    ann.post(new, {"save": "1", "title": "PLANTED-DRAFT"})
    ann.post(f"{SECOND}answers/", {"question": "name-square", "answer": "square=#9, name=PLANTED-ANSWER"})
    order(ann, "name-square", square="#3", name="PLANTED-NAME")
    order(ann, "trade", **{"with": "Cid", "give-money": "5", "words": "PLANTED-WORDS"})
    ann.post(new, {"submit": "1", "title": "PLANTED-BALLOT", "text": "It is public on Thursday."})
    domain.ask_to_join(game, people("eve").user, "Eve", "PLANTED-MESSAGE")
    return game


def pages_of(client):
    """All pages below the game that one gets to by links, as text: at most a few of each sort."""
    waiting, seen, sorts, drawn = [SECOND + path for path in START], set(), Counter(), {}
    while waiting:
        address = waiting.pop(0)
        sort = re.sub(r"(?:rules|sections)/[^?]+|\d+|=[^&]*", "/", address)
        if address in seen or (sorts[sort] >= ALIKE and address not in START):
            continue
        seen.add(address)
        sorts[sort] += 1
        answer = client.get(address, follow=True)
        told = b"".join(answer.streaming_content) if answer.streaming else answer.content
        drawn[address] = told.decode(errors="replace")
        links = re.findall(r'href="(/g/second/[^"#]*)', drawn[address])
        waiting += [link.replace("&amp;", "&") for link in links if "code=1" not in link]
    return drawn


def test_what_is_planted_is_on_no_page_of_others(planted, people, keeper):
    for reader in ("Ann", "Ben", "Cid", "Admin", "visitor"):
        drawn = pages_of({"Admin": keeper, "visitor": Client()}.get(reader) or people(reader.lower()))
        assert len(drawn) > 40, (reader, list(drawn))
        leaks = [
            (word, address)
            for address, page in drawn.items()
            for word, readers in SEEN_BY.items()
            if word in page and reader not in readers
        ]
        assert leaks == [], reader
        found = {word for word in SEEN_BY if any(word in page for page in drawn.values())}
        assert found >= {word for word, readers in SEEN_BY.items() if reader == readers[0]}, reader

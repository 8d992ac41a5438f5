"""Every page of a game, drawn for everybody who may open it: what is planted for some is on no page of others, and what
is planted in another game is on none."""

import re
from collections import Counter

import pytest
from django.test import Client
from pagewords import SECOND, order, text

from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain
from nomopoly.site.tables.models import Fault, Game

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


# ---- what is another game's

IN_BOTH = ("forum/1/", "proposals/1/", "players/Ann/", "squares/1/", "log/1/", "admin/conduct/", "admin/webhooks/")
IN_BOTH += (
    "admin/settings/",
    "try/",
    "log/?player=Ann",
    "holiday/",
    "piece/",
    "forum/new/",
    "report/",
    "proposals/new/",
)
FOR_PROGRAMS = ("", "log", "forum", "proposals", "players", "notes", "drafts", "answers", "trials", "calendar", "end")
FOR_PROGRAMS += (
    "forum/1",
    "proposals/1",
    "log/1",
    "muted",
    "actions",
    "view",
    "admin",
    "admin/settings",
    "admin/conduct",
)


def plant(slug, people, keeper):
    """Ann and the Admin do and say in a game all that they can, with one word in it."""
    ann, ben, at = people("ann"), people("ben"), f"/g/{slug}/"
    game = Game.objects.get(slug=slug)
    assert domain.order(game, "Ann", "propose", {"title": "PLANTED-PROPOSAL", "text": "PLANTED-TEXT"}).ok
    for client, path, sent in (
        (ann, "notes/", {"body": "PLANTED-NOTE"}),
        (ann, "proposals/new/?door=program", {"save": "1", "title": "PLANTED-DRAFT"}),
        (ann, "answers/", {"question": "name-square", "answer": "square=#9, name=PLANTED-ANSWER"}),
        (ann, "forum/new/", {"title": "PLANTED-THREAD", "body": "PLANTED-POST"}),
        (ben, "forum/1/", {"body": "PLANTED-REPLY"}),
        (ben, "proposals/1/comment/", {"body": "PLANTED-COMMENT"}),
        (ben, "log/1/question/", {"body": "PLANTED-QUESTION"}),
        (ann, "try/", {"title": "PLANTED-TRIAL", "text": "Words"}),
        (ann, "report/", {"sort": "name", "about": "Ben", "because": "PLANTED-REPORT"}),
        (keeper, "admin/conduct/", {"do": "mute", "player": "Ann", "days": "3", "because": "PLANTED-MUTE"}),
        (keeper, "admin/conduct/", {"do": "warn", "player": "Ann", "because": "PLANTED-WARNING"}),
        (keeper, "admin/webhooks/", {"sort": "json", "url": "https://hooks.example.org/PLANTED"}),
    ):
        assert client.post(at + path, sent).status_code in (200, 303), path
    said = Comment.objects.get(game=game, body="PLANTED-POST")
    ben.post(f"{at}forum/posts/{said.pk}/mind/", {"do": "report", "because": "PLANTED-RUDE"})
    ben.post(f"{at}forum/posts/{said.pk}/mind/", {"do": "mute"})
    ben.post(f"{at}proposals/1/watch/", {"watch": "1"})
    assert domain.ask_to_join(game, people("eve").user, "Eve", "PLANTED-MESSAGE").ok
    Fault.objects.create(game=game, n=1, rule="VIII.3", line=1, message="PLANTED-FAULT")


def test_what_is_said_in_one_game_is_on_no_page_of_another(start_second, people, keeper):
    for slug in ("before", "second", "later"):
        start_second("Ann", "Ben", slug=slug, edition="original")
        if slug != "second":
            plant(slug, people, keeper)
            continue
        assert domain.order(Game.objects.get(slug=slug), "Ann", "propose", {"title": "T", "text": "W"}).ok
        assert people("ann").post(f"{SECOND}forum/new/", {"title": "Tea", "body": "At five"}).status_code == 303
    everybody = {"ann": people("ann"), "ben": people("ben"), "keeper": keeper, "visitor": Client()}
    planted = set()
    for name, client in everybody.items():
        for slug in ("second", "before") if name in ("ann", "keeper") else ("second",):
            pages = [f"/g/{slug}/{path}" for path in (*START, *IN_BOTH)]
            pages += [f"/api/v1/g/{slug}/{path}".rstrip("/") for path in FOR_PROGRAMS]
            for address in pages:
                answer = client.get(address, follow=True)
                told = b"".join(answer.streaming_content) if answer.streaming else answer.content
                found = set(re.findall(r"PLANTED-[A-Z]+", told.decode(errors="replace")))
                assert slug != "second" or not found, (name, address)
                planted |= found
    assert len(planted) >= 15, sorted(planted)
    assert everybody["ann"].post(f"{SECOND}forum/1/", {"body": "Or six"}).status_code == 303, "silent elsewhere alone"
    assert "At five" in text(everybody["ben"].get(f"{SECOND}forum/1/")), "muted elsewhere alone"

"""Every page of a game, drawn for everybody who may open it: what is planted for some is on no page of others, and what
is planted in another game is on none."""

import re
from collections import Counter

import pytest
from django.test import Client
from pagewords import SECOND, order, text

from nomopoly.site.accounts import keys
from nomopoly.site.notices.models import Notice
from nomopoly.site.order.models import Silence
from nomopoly.site.play import foreseen, watched
from nomopoly.site.play.models import Comment, Draft, Example, Forum, Mute, Report, Successor, Thread
from nomopoly.site.tables import deciding, domain, live, queries
from nomopoly.site.tables.models import Entry, Fault, Game, TableQuestion

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
    change = {"enact": "XX.1", "section": "More", "text": "PLANTED-RULE"}
    said = {"title": "PLANTED-PROPOSAL", "text": "PLANTED-TEXT", "changes": [change]}
    assert domain.order(game, "Ann", "propose", said).ok
    Successor.objects.create(game=game, newer="P2", older="P1")
    Example.objects.create(game=game, proposal="P1", text="PLANTED-EXAMPLE")
    Forum.objects.create(game=game, readers="players")
    Entry.objects.filter(game=game).update(by_program=True)
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
        (keeper, "proposals/1/mend/", {"title": "PLANTED-MENDED", "text": "PLANTED-TEXT"}),
        (keeper, "admin/webhooks/", {"sort": "json", "url": "https://hooks.example.org/PLANTED"}),
    ):
        assert client.post(at + path, sent).status_code in (200, 303), path
    said = Comment.objects.get(game=game, body="PLANTED-POST")
    ben.post(f"{at}forum/posts/{said.pk}/mind/", {"do": "report", "because": "PLANTED-RUDE"})
    ben.post(f"{at}forum/posts/{said.pk}/mind/", {"do": "mute"})
    ben.post(f"{at}proposals/1/watch/", {"watch": "1"})
    assert Report.objects.filter(comment=said, settled=False).exists()
    assert domain.ask_to_join(game, people("eve").user, "Eve", "PLANTED-MESSAGE").ok
    Fault.objects.create(game=game, n=1, rule="VIII.3", line=1, message="PLANTED-FAULT")


def rows_elsewhere():
    """Addresses below a game by the numbers of what another one has."""
    said = Comment.objects.get(game__slug="before", body="PLANTED-POST").pk
    draft = Draft.objects.filter(game__slug="before").first().pk
    return f"forum/posts/{said}/", f"forum/posts/{said}/mend/", f"proposals/new/?door=program&draft={draft}"


def test_what_is_said_in_one_game_is_on_no_page_of_another(start_second, people, keeper):
    for slug in ("before", "second", "later"):
        others = () if slug == "second" else ("Zedekiah",)
        start_second("Ann", "Ben", *others, slug=slug, edition="original")
        game = Game.objects.get(slug=slug)
        if slug != "second":
            plant(slug, people, keeper)
            foreseen.keep(game, "P1")
            continue
        for title in ("One", "Two"):
            assert domain.order(game, "Ann", "propose", {"title": title, "text": "W"}).ok
        foreseen.keep(game, "P1")
        assert people("ann").post(f"{SECOND}forum/new/", {"title": "Tea", "body": "At five"}).status_code == 303
    everybody = {"ann": people("ann"), "ben": people("ben"), "keeper": keeper, "visitor": Client()}
    planted = set()
    for name, client in everybody.items():
        for slug in ("second", "before") if name in ("ann", "keeper") else ("second",):
            pages = [f"/g/{slug}/{path}" for path in (*START, *IN_BOTH, *rows_elsewhere())]
            pages += [f"/api/v1/g/{slug}/{path}".rstrip("/") for path in FOR_PROGRAMS]
            for address in pages:
                answer = client.get(address, follow=True)
                told = b"".join(answer.streaming_content) if answer.streaming else answer.content
                found = set(re.findall(r"PLANTED-[A-Z]+|XX\.1|Zedekiah", told.decode(errors="replace")))
                assert slug != "second" or not found, (name, address)
                planted |= found
    assert len(planted) >= 19, sorted(planted)
    page = text(everybody["ben"].get(f"{SECOND}proposals/1/"))
    assert "There is a newer version" not in page
    assert "Watch this proposal" in page
    assert "by their program" not in text(keeper.get(f"{SECOND}log/"))
    assert "has reported" not in text(keeper.get(f"{SECOND}admin/"))
    assert "At five" in text(Client().get(f"{SECOND}forum/1/")), "it is open to all"
    assert everybody["ann"].post(f"{SECOND}forum/1/", {"body": "Or six"}).status_code == 303, "silent elsewhere alone"
    assert "At five" in text(everybody["ben"].get(f"{SECOND}forum/1/")), "muted elsewhere alone"


def test_what_one_game_has_is_changed_from_no_page_of_another(start_second, people, keeper):
    start_second("Ann", "Ben", edition="original")
    start_second("Ann", "Ben", "Zedekiah", slug="before", edition="original")
    plant("before", people, keeper)
    keeper.post("/g/before/forum/introductions/")
    second = Game.objects.get(slug="second")
    assert domain.order(second, "Ann", "propose", {"title": "One", "text": "W"}).ok
    said, fault = Comment.objects.get(body="PLANTED-POST"), Fault.objects.get()
    mind = f"forum/posts/{said.pk}/mind/"
    for client, path, sent in (
        (people("ann"), f"forum/posts/{said.pk}/", {"body": "x"}),
        (people("ann"), f"forum/posts/{said.pk}/", {"delete": "1"}),
        (keeper, f"forum/posts/{said.pk}/mend/", {"text": "x"}),
        *((keeper, mind, {"do": do, "because": "x"}) for do in ("hide", "report", "mute", "leave")),
        (keeper, f"admin/faults/{fault.pk}/settled/", {}),
        (keeper, "admin/conduct/hear/", {"name": "Ann"}),
        (people("ben"), "forum/unmute/", {"name": "Ann"}),
        (people("ben"), "proposals/1/watch/", {"do": "stop"}),
    ):
        client.post(SECOND + path, sent)
    about = f"/api/v1{SECOND}posts/{said.pk}"
    for client, do in ((keeper, "/hide"), (people("ben"), "/report"), (people("ann"), ""), (people("ann"), "/delete")):
        answer = client.post(about + do, {"because": "x", "body": "x"}, content_type="application/json")
        assert answer.status_code in (403, 404), do
    assert Comment.objects.filter(pk=said.pk, body="PLANTED-POST", hidden=False, deleted=False).exists()
    assert Report.objects.get().settled is False
    assert Fault.objects.get().settled is None
    assert Silence.objects.get().name == "Ann"
    assert Mute.objects.get().name == "Ann"
    assert list(watched.watchers(Game.objects.get(slug="before"))["P1"].values()) == [people("ben").user]
    assert watched.watchers(second) == {}
    keeper.post("/g/before/proposals/1/watch/", {"do": "stop"})
    assert watched.watchers(Game.objects.get(slug="before")), "somebody else has stopped"
    keeper.post(f"{SECOND}forum/introductions/")
    assert Thread.objects.filter(introductions=True).count() == 2
    assert domain.ask_to_join(second, people("eve").user, "Zedekiah").ok, "that name is another game's"
    assert not queries.complaints(second).exists()


def test_a_key_of_one_game_tells_and_marks_no_notices_of_another(start_second, people):
    other, _ = start_second("Ann", slug="before", edition="original")
    second, _ = start_second("Ann", edition="original")
    user = people("ann").user
    for game, words in ((other, "PLANTED-NOTICE"), (second, "Of this game")):
        told = {"kind": "proposal", "cause": "x", "text": words, "path": "", "mail": "none", "due": live.present()}
        Notice.objects.create(user=user, game=game, **told)
    shown, _ = keys.make(user, game=second, name="bot", scope="play")
    program = Client(headers={"Authorization": f"Bearer {shown}"})
    assert [each["text"] for each in program.get("/api/v1/me/notices").json()["notices"]] == ["Of this game"]
    assert program.post("/api/v1/me/notices/read", "{}", content_type="application/json").json() == {"seen": 1}
    assert Notice.objects.get(game=other).read is None


def test_one_table_is_asked_nothing_of_another(people):
    games = [
        domain.start_game(people("keeper").user, edition="original", title=slug, slug=slug, office="table")
        for slug in ("before", "second")
    ]
    for game in games:
        assert domain.ask_to_join(game, people("ann").user, "Ann", invited=True).ok
    choices = [["yes", "Yes", "rule", {"text": "x"}], ["no", "No", "", {}]]
    open_for = {"opened": live.now(), "closes": live.now() + 3600}
    TableQuestion.objects.create(game=games[0], about="x", text="PLANTED-TABLE", choices=choices, **open_for)
    asked = [len(deciding.asked_of(game.memberships.get())) for game in games]
    assert asked == [1, 0]

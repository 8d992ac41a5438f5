"""Every page, feed, file and answer of the API, of games full of oddities, for everybody: whole, quick and not too
long."""

import gzip
import json
import os
import time
import traceback
from types import SimpleNamespace
from urllib.parse import quote

import measured
import oddgames
import pytest
from django.test import Client
from pagewords import DAY, seated

from nomopoly.runtime import older
from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.verify import verify
from nomopoly.site.accounts.models import FeedAddress
from nomopoly.site.api.routes import api
from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain, idle, live, queries

SOAK = os.environ.get("NOMOPOLY_SOAK") == "1"
SEEDS = range(int(os.environ.get("ODD_SEEDS", "60" if SOAK else "1")))
SEEDS_TODAY = range(int(os.environ.get("ODD_SEEDS", "60" if SOAK else "0")))  # each takes a minute
SECONDS = 2.0  # of work, several times what any page takes
BYTES = 1_000_000
EDITIONS = ("original", "iv", "ii", "mail")
PAGES = """admin/grant/ admin/grant/?thing=home admin/grant/?thing=1&attribute=name board/table/ squares/1/ squares/2/ squares/99999/ act/ act/answer/ act/odd-act/ market/ trades/ answers/ rules/ rules.md
rules.json rules/98.1/ rules/98.1.json rules/98.1.md rules/history/ rules/diff/ sections/98/ rulings/ proposals/ proposals.csv proposals/new/
proposals/1/ proposals/1.json proposals/1/diff/ players/ players/Ann/ players/Ben/account/ players/Ann/account.csv accounts/
accounts/admin/ accounts/admin.csv log/ log/?q=odd log/?player=Ann log/?square=2 log/?rule=98.1 log/week/1/ log/feed.atom forum/ forum/1/
forum/new/ calendar.ics notes/ about/ dice/ export/ admin/ admin/strike/ admin/grant/ admin/rule/ admin/settings/
admin/accept/ admin/pause/ try/ join/ leave/ players/A%2FB/ players/%00/ players/%3F%23/ squares/1/?at=%00 act/storm-1/
rules/98.1%2F..%2F1/ sections/%25/ trades/%2E%2E/ log/?q=%00%23 log/?player=%2F log/?rule=%3F log/99999999999/ accounts/a%2Fb/
rules/%22%27/ forum/99999999999/ proposals/99999999999/"""
PAST = [
    "?at=now",
    "?at=start",
    "?at=2026-03-02",
    "?at=2026-03-02T10:00",
    "?at=%00",
    "?at=9999-12-31",
    "?at=1e9",
    "?at=-1",
    "?at=%ED%A0%80",
    "board/table/?at=now",
    "board/table/?at=start",
    "players/?at=start",
    "accounts/?at=now",
    "squares/1/?at=start",
    "admin/strike/7/",
    "admin/strike/9/",
    "admin/strike/0/",
    "admin/strike/99999999999/",
    "export/?file=journal",
]
ELSEWHERE = ("/", "/games/", "/me/", "/settings/data/", "/settings/feeds/")


def addresses(game, keeper, of_today):
    """Every kind of page of a game and around it; how an old game was is told by a journal that nobody would write
    today."""
    things = live.of(game).view("admin")["things"]
    found = [f"{game.address}{page}" for page in PAGES.split()]
    found += [f"{game.address}log/{number}/" for number in range(max(1, live.of(game).n - 12), live.of(game).n)]
    deals = [each["id"] for each in things.values() if each["kind"] in ("offer", "agreement", "hand")][:4]
    found += [f"{game.address}trades/{quote(id, safe='')}/" for id in deals]
    found += [game.address, *ELSEWHERE]
    named = [("players", "player"), ("sections", "section"), ("accounts", "account"), ("trades", "odd-thing")]
    for page, kind in named:
        found += [f"{game.address}{page}/{quote(id, safe='')}/" for id, each in things.items() if each["kind"] == kind][
            -4:
        ]
    found += [f"{game.address}{page}" for page in PAST if of_today]
    token = FeedAddress.objects.get_or_create(user=keeper.user, defaults={"token": "x" * 20})[0].token
    found += [f"/feeds/{token}/calendar.ics", f"/feeds/{token}/odd/log.atom"]
    parts = {"slug": "odd", "number": "1", "name": "Ann", "account": "admin", "id": "98.1", "n": "9"}
    for path, methods in api.get_openapi_schema()["paths"].items():
        if "get" in methods and (of_today or "strike" not in path):
            address = path
            for name, part in parts.items():
                address = address.replace("{" + name + "}", part)
            found += [address]
    return found


def unverified(body):
    """What is wrong with an exported journal, in the words of `nomopoly verify`; "" if it is in order."""
    lines = [json.loads(line) for line in gzip.decompress(body).decode().splitlines()]
    try:
        return "" if verify(lines).entries == len(lines) else "the journal lacks entries"
    except JournalError as error:
        return f"journal: {error}"


def problems_of(game, people, keeper, of_today):
    """What is wrong with the pages: {(what, where in the code): an address}."""
    found = {}
    viewers = {"visitor": Client(), "Ann": people("ann"), "Ben": people("ben"), "Admin": keeper}
    for address in addresses(game, keeper, of_today):
        for viewer, browser in viewers.items():
            begun = time.thread_time()
            try:
                answer = browser.get(address, HTTP_X_FORWARDED_FOR=viewer)
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                problem = "" if answer.status_code < 500 else f"status {answer.status_code}"
            except Exception as error:
                frames = [each for each in traceback.extract_tb(error.__traceback__) if "nomopoly" in each.filename]
                last = frames[-1] if frames else None
                where = f"{last.filename.rpartition('/nomopoly/')[2]}:{last.lineno}" if last else ""
                body, problem = b"", f"{type(error).__name__}: {str(error)[:150]} at {where}"
            taken = time.thread_time() - begun
            if not problem and taken > SECONDS and taken > SECONDS * measured.slowness():
                problem = f"over {SECONDS} s of work: {address}"
            if not problem and "file=journal" in address:
                problem = unverified(body)
            if not problem and len(body) > BYTES:
                problem = f"over {BYTES} bytes: {address}"
            if problem:
                found.setdefault(problem, f"{viewer} {address}")
    return found


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    """The API answers as often as it is asked; what is looked at here are pages, and not the sandbox."""
    monkeypatch.setattr("django.conf.settings.NOMOPOLY_RUNTIME", os.environ.get("ODD_RUNTIME", "cpython"))
    monkeypatch.setattr("nomopoly.site.api.door.Limit.allow_request", lambda *_: True)


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_of_an_old_game_stay_whole(keeper, people, seed, monkeypatch):
    edition = EDITIONS[seed % 4]
    game, done = oddgames.begun(keeper, people, seed, edition, monkeypatch)
    assert done > 0
    assert problems_of(game, people, keeper, of_today=False) == {}


if SEEDS_TODAY:  # an empty list of seeds would be a test left out

    @pytest.mark.parametrize("seed", SEEDS_TODAY)
    def test_pages_of_a_game_of_today_stay_whole(keeper, people, seed):
        edition = EDITIONS[(seed + 2) % 4]
        game, done = oddgames.proposed(keeper, people, 1000 + seed, edition)
        assert done > 0
        assert problems_of(game, people, keeper, of_today=True) == {}


def test_a_last_login_that_is_a_word_keeps_nobody_out_and_no_warning_back(keeper, people, monkeypatch):
    """An old game may hold such; its moments are those that are moments."""
    game = domain.start_game(keeper.user, edition="iv", title="Odd", slug=oddgames.SLUG, at=live.now() - 3600)
    seated(game, people("ann"), "Ann")
    assert domain.is_here(game, "Ann"), "the rules want to know, and now there is a moment"
    values = {"login_limit": None}
    monkeypatch.setattr(older, "world", SimpleNamespace(form=3, index=SimpleNamespace(values=values)))
    monkeypatch.setattr(older, "value", lambda name: 48)
    moment, stages, stays = older.leaving(SimpleNamespace(last_login="long ago", joined_at=live.now() - DAY))
    idle.warn_player(queries.players_seated(game).get(), moment, stages, stays)
    (told,) = Notice.objects.filter(kind="removal")
    assert told.user.email == "ann@example.org"

"""Live news: who hears what. Nothing but a number goes over the wire, and of a secret not even the moment."""

import asyncio
import json

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.test import Client
from pagewords import SECOND, grant, order, propose, text, token

from nomopoly.site import news
from nomopoly.site.accounts import keys
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game

AT = "/g/friday/"
SECRET = "PLANTED"
QUIET = 3.5  # seconds in which no event has come: looks are made once in one


def count(browser, at=AT):
    return browser.get(f"{at}news/").json()["news"]


class Page:
    """An open page that listens, as the wire sees it."""

    def __init__(self, wire, browser, path, seen, key=""):
        cookies = "; ".join(f"{name}={each.value}" for name, each in browser.cookies.items())
        self.scope = {
            "type": "http", "method": "GET", "path": path, "query_string": f"seen={seen}".encode(), "http_version": "1.1",
            "headers": [(b"accept", b"text/event-stream"), (b"host", b"testserver"), (b"cookie", cookies.encode())],
            "client": ("192.0.2.1", 1), "server": ("testserver", 80), "scheme": "http",
        }  # fmt: skip
        if key:
            self.scope["headers"].append((b"authorization", f"Bearer {key}".encode()))
        self.wire = ApplicationCommunicator(wire, self.scope)
        self.told = []

    async def open(self):
        await self.wire.send_input({"type": "http.request"})
        start = await self.wire.receive_output(60)
        return start["status"], dict(start["headers"])

    async def hear(self, seconds):
        """The next event that comes within so many seconds; None if none does."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            if await self.wire.receive_nothing(min(0.1, seconds)):
                continue
            message = await self.wire.receive_output(1)
            self.told.append(message.get("body", b""))
            if b"data:" in self.told[-1]:
                return self.told[-1]
        return None

    async def close(self):
        await self.wire.send_input({"type": "http.disconnect"})
        await self.wire.wait(60)


@pytest.fixture
def wire():
    return news.Wire(ASGIHandler())


def test_the_number_grows_with_what_a_viewer_may_see(ann, ben, game):
    before = count(ann), count(ben), count(Client())
    propose(game)
    assert (count(ann), count(ben), count(Client())) == tuple(each + 1 for each in before)
    assert f'data-news="{count(ann)}"' in ann.get(AT).content.decode()


def test_an_order_that_waits_is_news_for_nobody_else(start_second, people):
    game, _ = start_second("Ann", "Ben")
    ann, ben, stranger = people("ann"), people("ben"), Client()
    before = [count(each, SECOND) for each in (ann, ben, stranger)]
    n = live.of(game).n
    page = order(ann, "name-square", square="#7", name=SECRET)
    assert live.of(game).n == n + 1, text(page)
    after = [count(each, SECOND) for each in (ann, ben, stranger)]
    assert [later - earlier for earlier, later in zip(before, after, strict=True)] == [1, 0, 0]


def test_events_come_to_whom_they_concern_and_hold_nothing_but_a_number(start_second, people, wire):
    """Ann's order waits for the update: she hears of it in another window, Ben and a stranger hear nothing at all."""
    game, _ = start_second("Ann", "Ben")
    ann, ben, stranger = people("ann"), people("ben"), Client()
    seen = {each: count(each, SECOND) for each in (ann, ben, stranger)}

    async def listen():
        pages = [Page(wire, each, f"{SECOND}news/", seen[each]) for each in (ann, ben, stranger)]
        for page in pages:
            status, headers = await page.open()
            assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
        assert await pages[1].hear(QUIET) is None, "nothing is new yet"
        await sync_to_async(order)(ann, "name-square", square="#7", name=SECRET)
        assert await pages[0].hear(30) == f"id: {seen[ann] + 1}\ndata: {seen[ann] + 1}\n\n".encode()
        assert await pages[1].hear(QUIET) is None
        assert await pages[2].hear(0.5) is None
        await sync_to_async(domain.desk_act)(game, "rule", {"text": f"{SECRET} for all to see"})
        assert await pages[1].hear(30) == f"id: {seen[ben] + 1}\ndata: {seen[ben] + 1}\n\n".encode()
        assert await pages[2].hear(30)
        for page in pages:
            await page.close()
        return b"".join(part for page in pages for part in page.told)

    told = async_to_sync(listen)()
    assert SECRET.encode() not in told
    assert not wire.watch.listeners, "who has gone is forgotten"


def test_a_strike_that_hides_an_entry_is_news_all_the_same(start_second, wire):
    """Ann's order to bury a card is refused before all eyes, as the card is gone. The Admin strikes what took it away:
    now she has buried it, which nobody else sees. Others see as many entries as before."""
    game, go = start_second("Ann", "Ben")
    go(4)
    grant(game, "Ann", "cards", ["5S"])
    assert domain.order(game, "Ann", "bury-card", {"card": "5S"}).ok
    grant(game, "Ann", "cards", [])
    taken = live.of(game).n
    go(4)
    assert domain.desk_act(game, "rule", {"text": "So be it"}).ok  # which enters that the site was away
    entries, seen = len(live.of(game).facts("visitor")), count(Client(), SECOND)
    last = Client().get(f"/api/v1{SECOND}log").json()["entries"][0]

    async def listen():
        page = Page(wire, Client(), f"{SECOND}news/", seen)
        await page.open()
        assert (await sync_to_async(domain.strike)(game, taken, "it was hers")).ok
        told = await page.hear(30)
        await page.close()
        return told

    assert async_to_sync(listen)() == f"id: {count(Client(), SECOND)}\ndata: {count(Client(), SECOND)}\n\n".encode()
    assert len(live.of(game).facts("visitor")) == entries
    (told,) = Client().get(f"/api/v1{SECOND}log?after={last['hash']}").json()["entries"]
    assert (told["kind"], told["number"]) == ("strike", last["number"]), "numbers move up, hashes stay"


def test_what_came_while_the_page_was_drawn_is_told_at_once(ann, game, wire):
    seen = count(ann)
    propose(game)

    async def listen():
        page = Page(wire, ann, f"{AT}news/", seen)
        await page.open()
        told = await page.hear(30)
        await page.close()
        return told

    assert async_to_sync(listen)() == f"id: {seen + 1}\ndata: {seen + 1}\n\n".encode()


def test_a_page_that_has_seen_what_a_restored_site_has_not_hears_of_it(ann, game, wire):
    now = count(ann)

    async def listen():
        page = Page(wire, ann, f"{AT}news/", now + 3)
        await page.open()
        told = await page.hear(30)
        await page.close()
        return told

    assert async_to_sync(listen)() == f"id: {now}\ndata: {now}\n\n".encode()


def test_a_private_game_is_not_there_for_others(people, keeper, wire):
    domain.start_game(
        keeper.user, edition="original", title="Hidden", slug="hidden", at=live.now() - 60, visibility="private"
    )

    async def listen(browser):
        page = Page(wire, browser, "/g/hidden/news/", 0)
        status, _ = await page.open()
        if status == 200:
            await page.close()
        return status

    assert async_to_sync(listen)(people("eve")) == 404
    assert async_to_sync(listen)(Client()) == 404
    assert async_to_sync(listen)(keeper) == 200
    assert people("eve").get("/g/hidden/news/").status_code == 404


def test_a_key_that_is_revoked_hears_no_more(ann, game, wire):
    (revoked, key), (kept, _) = [keys.make(ann.user, game=game, name=name, scope="read") for name in ("one", "two")]

    async def listen():
        pages = [Page(wire, Client(), "/api/v1/g/friday/news", 99, key=shown) for shown in (revoked, kept)]
        opened = [(await page.open())[0] for page in pages]
        await sync_to_async(keys.revoke)(key)
        await pages[0].wire.wait(30)  # it is over by itself
        await sync_to_async(propose)(game)
        again = (await Page(wire, Client(), "/api/v1/g/friday/news", 99, key=revoked).open())[0]
        over = pages[1].wire.future.done()
        await pages[1].close()
        return opened, again, over

    assert async_to_sync(listen)() == ([200, 200], 401, False)
    assert not wire.watch.listeners


def test_who_is_logged_out_elsewhere_hears_no_more(ann, ben, game, wire):
    async def listen():
        pages = [Page(wire, each, f"{AT}news/", 99) for each in (ann, ben, Client())]
        opened = [(await page.open())[0] for page in pages]
        await sync_to_async(ann.session.flush)()
        await pages[0].wire.wait(30)  # it is over by itself
        await asyncio.sleep(2 * news.LOOK_EVERY)
        over = [page.wire.future.done() for page in pages]
        for page in pages[1:]:
            await page.close()
        return opened, over

    assert async_to_sync(listen)() == ([200, 200, 200], [True, False, False])


@pytest.mark.parametrize("closed", [{"visibility": "private"}, None])
def test_who_listens_to_a_game_that_is_closed_or_gone_hears_no_more(ann, game, wire, closed):
    rows = Game.objects.filter(pk=game.pk)

    async def listen():
        page = Page(wire, Client(), f"{AT}news/", 99)
        await page.open()
        assert await page.hear(30)
        await sync_to_async(lambda: rows.update(**closed) if closed else rows.delete())()
        if closed:
            await sync_to_async(propose)(game)
        await page.wire.wait(30)  # it is over by itself
        heard = await page.hear(0.5)
        return heard, (await Page(wire, Client(), f"{AT}news/", 99).open())[0]

    assert async_to_sync(listen)() == (None, 404)
    assert not wire.watch.listeners


def test_one_address_has_so_many_connections_and_no_more(ann, game, wire, monkeypatch):
    monkeypatch.setattr(news, "MOST_OF_ONE", 2)

    async def listen():
        pages = [Page(wire, ann, f"{AT}news/", 0) for _ in range(3)]
        found = [(await page.open())[0] for page in pages]
        for page in pages[:2]:
            await page.close()
        again = Page(wire, ann, f"{AT}news/", 0)
        found.append((await again.open())[0])
        await again.close()
        return found

    assert async_to_sync(listen)() == [200, 200, 204, 200]


def test_who_only_asks_gets_the_number(ann, game):
    answer = ann.get(f"{AT}news/")
    assert list(json.loads(answer.content)) == ["news"]
    assert answer["Cache-Control"] == "private, no-store"


def test_a_page_that_fetches_itself_is_no_visit(ann, game):
    ann.get(AT)
    propose(game)
    kept = dict(ann.session)[f"visit-{game.pk}"]
    assert ann.get(AT, headers={"X-Live": "1"}).status_code == 200
    assert dict(ann.session)[f"visit-{game.pk}"] == kept


def test_a_page_that_fetches_itself_takes_no_message_away(ann, game):
    """The page that the reader's own order leads to shows it, whichever of the two is quicker."""
    grant(game, "#4", "owner", "Ann")
    page = ann.get(f"{AT}act/name-square/?square=%234")
    ann.post(f"{AT}act/name-square/", {"square": "#4", "name": "Well", "once": token(page)})
    assert 'id="notice"' not in ann.get(AT, headers={"X-Live": "1"}).content.decode()
    assert 'id="notice"' in ann.get(AT).content.decode()
    assert 'id="notice"' not in ann.get(AT).content.decode()

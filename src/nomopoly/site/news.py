"""Live news: an open page hears within seconds that there is something new for its reader to see, and fetches itself.

`/g/<slug>/news/` (for programs `/api/v1/g/<slug>/news`) answers JSON: {"news": 57}, a number that grows with each entry
that this viewer may see. Asked for `text/event-stream`, the same address goes on telling that number whenever it grows.
Nothing else is told: what is new the page reads from itself, through the viewer's own view. An entry of which this
viewer may not know changes nothing here, not even the moment of an event.

Why server-sent events: news goes one way, browsers connect again by themselves, and it is plain HTTP that passes
proxies. Where events do not come (another kind of server, too many connections) the page asks for the JSON every 30
seconds.

How it holds neither a thread nor a database connection for each open page: `Wire` stands before Django. It lets Django
answer the JSON, as for any other page, which says who may hear what; when that request is over it keeps the connection
as one task of the event loop. One thread of the process asks the database once in a second for the last entries of all
games that are listened to, in one query, so that what another process writes is heard too; and only where one has
moved, for what each viewer may see.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qs

from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.db import close_old_connections
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from nomopoly.site.accounts import keys, signed_in
from nomopoly.site.busy import Busy
from nomopoly.site.door import seated
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data, Receive, Scope, Send
    from nomopoly.site.tables import lines


log = logging.getLogger("nomopoly.news")
PATH = re.compile(r"/g/[^/]+/news/|/api/v1/g/[^/]+/news")
LOOK_EVERY = 1.0  # seconds
CONNECTION_SECONDS = 600  # then the browser connects again, and its right to look is checked again
STILL_HERE = 20  # seconds after which an empty line is sent, so that nobody in between takes the connection for dead
MOST_LISTENERS = 1000  # of one process
MOST_OF_ONE = 8  # of one address
PATIENCE = 0.5  # seconds to wait for a game that is busy: the next look will do
ABOUT = "nomopoly.news"  # under which the view tells the wire, in the scope of the request, whose game and view it is


@require_safe
@seated("overview", present=False)
def news(request: HttpRequest, seat: Seat) -> JsonResponse:
    """A number that grows with each entry of the log that this viewer may know of, and with no other."""
    response = JsonResponse(listened(request, seat))
    response["Cache-Control"] = "private, no-store"
    return response


def listened(request: HttpRequest, seat: Seat, key: int | None = None) -> dict[str, int]:
    """The answer to a request for a game's news; if it asks for events, `Wire` keeps the connection open and sends
    them, as long as there is the key (its number) or the session with which it came."""
    scope = request.scope if isinstance(request, ASGIRequest) else None
    if isinstance(scope, dict):
        session = request.session.session_key if request.user.is_authenticated else None
        scope[ABOUT] = (seat.game.pk, seat.viewer, session if key is None else key)
    return {"news": number_of(seat.live.facts(seat.viewer))}


def number_of(entries: lines.Log | lines.Kept) -> int:
    """The number that grows with a viewer's log.

    It is how many entries there are, and for each strike as many more as the journal had before it: a strike may take
    entries from a viewer's sight, as what an order came to is another thing then, and would not be heard of.
    """
    return len(entries) + sum(entries.strikes())


Pair: TypeAlias = tuple[int, str]  # a game and whose view of it


@dataclass(eq=False)
class Listener:
    """One open page."""

    game: int
    viewer: str
    seen: int
    address: str
    key: int | str | None = None  # with what it came: the key of a program, or the session of who is signed in
    revoked: bool = False  # whether that, or the game, is not open to it any more
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    news: int = 0
    looked: bool = False  # whether what came since the page was drawn has been looked for


class Watch:
    """Who listens in this process, and the one thread that looks for news."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        # (game, viewer) -> the game's last entry, and who may see it, when it was looked at; of the thread
        self.heads: dict[Pair, tuple[int, str]] = {}
        self.thread = ThreadPoolExecutor(1, "news")
        self.task: asyncio.Task[None] | None = None

    def has_room(self, address: str) -> bool:
        """Whether one more page may listen, in this process and from this network address."""
        mine = sum(each.address == address for each in self.listeners)
        return len(self.listeners) < MOST_LISTENERS and mine < MOST_OF_ONE

    def add(self, listener: Listener) -> None:
        """Let a page listen, and begin to look for news if nobody listened before."""
        self.listeners.add(listener)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.look_on())

    async def look_on(self) -> None:
        """Look again and again, as long as anybody listens."""
        loop = asyncio.get_running_loop()
        while self.listeners:
            wanted = {(each.game, each.viewer) for each in self.listeners}
            new = {(each.game, each.viewer) for each in self.listeners if not each.looked}
            shown = {each.key for each in self.listeners if each.key is not None}
            revoked: set[int | str] = set()
            closed: set[Pair] = set()
            try:
                revoked = await loop.run_in_executor(self.thread, revoked_of, shown) if shown else revoked
                found, closed = await loop.run_in_executor(self.thread, self.look, wanted, new)
            except Exception:  # whatever it is, the pages that listen hear of it by the next look
                log.exception("no news could be read")
                found = {}
            for each in self.listeners:
                if each.key in revoked or (each.looked and (each.game, each.viewer) in closed):
                    each.revoked = True
                    each.heard.set()
                elif (each.game, each.viewer) in found:
                    first, each.looked, each.news = not each.looked, True, found[each.game, each.viewer]
                    if each.news > each.seen or (first and each.news < each.seen):  # a restored site has seen less
                        each.heard.set()
            await asyncio.sleep(LOOK_EVERY)

    def look(self, wanted: set[Pair], new: set[Pair]) -> tuple[dict[Pair, int], set[Pair]]:
        """({(game, viewer): the number for them}, of games that have new entries and of new listeners; those whose game
        is gone, or may be seen by others than before). Runs in the thread."""
        close_old_connections()
        try:
            heads = queries.heads({game for game, _ in wanted})
            closed = {
                (game, viewer)
                for (game, viewer), (_, visibility) in self.heads.items()
                if game not in heads or heads[game][1] != visibility
            }
            self.heads = {pair: head for pair, head in self.heads.items() if pair in wanted and pair not in new}
            found = {}
            for game, viewer in wanted:
                if game in heads and heads[game] != self.heads.get((game, viewer)):
                    number = counted(game, viewer)
                    if number is not None:
                        self.heads[game, viewer] = heads[game]
                        found[game, viewer] = number
            return found, closed
        finally:
            close_old_connections()


def revoked_of(shown: set[int | str]) -> set[int | str]:
    """Which of these keys (their numbers) and sessions open nothing any more. Runs in the thread."""
    close_old_connections()
    try:
        numbers = {each for each in shown if isinstance(each, int)}
        sessions = {each for each in shown if isinstance(each, str)}
        return shown - keys.open_still(numbers) - signed_in.open_still(sessions)
    finally:
        close_old_connections()


def counted(game: int, viewer: str) -> int | None:
    """The number of a game (its id) for a viewer; None where it is busy, or cannot be read."""
    with live.patience(PATIENCE):
        try:
            return number_of(live.keep(game, lambda: live.Warm(game)).facts(viewer))
        except Busy:
            return None
        except Exception:
            log.exception("game %s: what is new cannot be read", game)
            return None


class Wire:
    """The ASGI application: Django, and before it the connections that wait for news."""

    def __init__(self, django: ASGIHandler) -> None:
        self.django = django
        self.watch = Watch()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one that waits for news stays open as a stream of events.

        Django checks who asks first. Too many listeners get 204, and the browser asks from time to time instead.
        """
        if not wants_events(scope):
            await self.django(scope, receive, send)
            return
        answer: list[Mapping[str, Any]] = []
        await self.django(scope, receive, collected(answer))
        address = (scope.get("client") or ("", 0))[0]
        if ABOUT not in scope:  # the game is not there for them
            for message in answer:
                await send(message)
        elif not self.watch.has_room(address):  # the browser gives events up, and asks
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
        else:
            game, viewer, key = scope[ABOUT]
            await self.tell(Listener(game, viewer, seen_before(scope), address, key), receive, send)

    async def tell(self, listener: Listener, receive: Receive, send: Send) -> None:
        """Send events until the browser goes, what it came with opens nothing any more, or its time is over."""
        gone, left = asyncio.create_task(until_gone(receive)), asyncio.create_task(leaving().wait())
        self.watch.add(listener)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
            await send(part(b"retry: 3000\n\n"))
            until = time.monotonic() + CONNECTION_SECONDS
            while time.monotonic() < until and not left.done():
                heard = asyncio.create_task(listener.heard.wait())
                await asyncio.wait({heard, gone, left}, timeout=STILL_HERE, return_when=asyncio.FIRST_COMPLETED)
                heard.cancel()
                if gone.done():
                    return
                if listener.revoked:
                    break
                if listener.heard.is_set():
                    listener.heard.clear()
                    listener.seen = listener.news
                    await send(part(f"id: {listener.seen}\ndata: {listener.seen}\n\n".encode()))
                else:
                    await send(part(b":\n\n"))
            await send({"type": "http.response.body", "body": b""})
        finally:
            self.watch.listeners.discard(listener)
            gone.cancel()
            left.cancel()


_leaving: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Event] = (
    weakref.WeakKeyDictionary()
)  # event loop -> the event that this process has been told to end


def leaving() -> asyncio.Event:
    """The event of this loop that is set once the process has been told to end: what would go on for long ends then."""
    return _leaving.setdefault(asyncio.get_running_loop(), asyncio.Event())


def leave() -> None:
    """Let what goes on for long end, so that its browser asks another process. Any thread may call this."""
    for loop, event in list(_leaving.items()):
        with contextlib.suppress(RuntimeError):  # that loop is closed
            loop.call_soon_threadsafe(event.set)


def wants_events(scope: Scope) -> bool:
    """Whether a connection asks for news as it comes."""
    if scope["type"] != "http" or scope["method"] != "GET" or not PATH.fullmatch(scope["path"]):
        return False
    return b"text/event-stream" in dict(scope["headers"]).get(b"accept", b"")


def seen_before(scope: Scope) -> int:
    """The number with which a page was drawn, or of which the browser heard last."""
    last = dict(scope["headers"]).get(b"last-event-id") or parse_qs(scope["query_string"]).get(b"seen", [b""])[0]
    return int(last) if last.isdigit() and len(last) < 10 else 0


EVENTS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def part(body: bytes) -> Data:
    """A part of an answer that goes on."""
    return {"type": "http.response.body", "body": body, "more_body": True}


async def until_gone(receive: Receive) -> None:
    """Wait until the browser has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def collected(answer: list[Mapping[str, Any]]) -> Send:
    """A `send` that keeps what it is given."""

    async def keep(message: Mapping[str, Any]) -> None:
        answer.append(message)

    return keep

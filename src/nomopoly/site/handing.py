"""Requests about a game are handed over to the process that is its home, where several serve the site (see
tables/homes.py).

`Handing` stands before the site in each process. What is about a game that has its home elsewhere goes there as it
came, with a header that says, signed with the site's key, for which process it is meant, which request it belongs to,
and who the client is; the answer comes back as it is given, news as they come. What was handed over is handed on no
further. Where the home is gone, this process takes the game over; an order whose answer was cut off is answered with
503, and can be sent again: what has a token is done once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
import logging
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.db import DatabaseError, connections

from nomopoly.site import news
from nomopoly.site.busy import CUT_OFF
from nomopoly.site.tables import homes
from nomopoly.site.watch import metrics

if TYPE_CHECKING:
    from httpcore import AsyncConnectionPool, ConnectionPool, Response  # an extra, see below

    from nomopoly.site.news import Wire
    from nomopoly.site.shapes import Data, Receive, Scope, Send


T = TypeVar("T")
Headers: TypeAlias = dict[bytes, bytes]
log = logging.getLogger("nomopoly.homes")
GAME = re.compile(r"/(?:(?:api/v1/)?g/|feeds/[^/]+/|homes/)([^/]+)(?:/|$)")
HEADER = b"x-nomopoly-handed"
WHY = b"x-nomopoly-home"  # in an answer 421: "gone" or "elsewhere"
SALT = "nomopoly.handed"
ERRANDS = "/homes/"  # what processes of the site ask of one another
AGE = 300  # seconds that a signed header holds
MOST_BYTES = 4_000_000  # of a request; one that is larger is answered where it came
TIMES = {"connect": 2.0, "read": 120.0, "write": 20.0, "pool": 20.0}  # seconds
MISDIRECTED = 421
HANDED = "nomopoly.handed"  # in the scope of a request that was handed over: what its header says
# What belongs to one connection, or is added by each server itself.
HOP = {b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
ADDED = {b"date", b"server"}


def begin(address: str) -> None:
    """From now on this process hands over, and is handed to at this address. Wants the extra `postgres`."""
    import httpcore

    def is_up() -> bool:
        times, headers = dict.fromkeys(TIMES, 2.0), [("host", own_host())]
        try:
            with httpcore.ConnectionPool() as pool:
                answer = pool.request("GET", f"{address}/health/live", headers=headers, extensions={"timeout": times})
        except broken():
            return False
        return answer.status == 200

    homes.begin(address, is_up)


@functools.cache
def unreached() -> tuple[type[Exception], ...]:
    """The errors that mean that a process was not reached: nothing was done there."""
    import httpcore

    return httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.PoolTimeout


@functools.cache
def broken() -> tuple[type[Exception], ...]:
    """The errors that mean that a connection broke, or that no answer came: what was done there is not known."""
    import httpcore

    return httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException


# ---- the header


def digest(method: str, path: str) -> str:
    """A mark of a request, which tells nothing of what it asks."""
    return hashlib.sha256(f"{method} {path}".encode("utf-8", "surrogateescape")).hexdigest()


class Handed(TypedDict):
    """What the header of a request says that was handed over."""

    to: str  # the process that it is for
    by: str  # the process that has handed it over; "" for an errand
    what: str  # a mark of the request
    client: Sequence[str | int] | None  # address and port of who sent it
    scheme: str


def signed(
    place: homes.Place,
    method: str,
    path: str,
    by: str = "",
    client: Sequence[str | int] | None = None,
    scheme: str = "http",
) -> str:
    """The header of a request that is handed over to a place."""
    told: Handed = {"to": place.process, "by": by, "what": digest(method, path), "client": client, "scheme": scheme}
    return signing.dumps(told, salt=SALT)


def read(header: bytes, method: str, path: str) -> Handed | None:
    """What a header says that was signed by a process of this site for this request, or None."""
    try:
        told: Handed = signing.loads(header.decode("ascii", "replace"), salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return None
    return told if told["what"] == digest(method, path) else None


def target_of(scope: Scope) -> str:
    """The path of a request with its query, as it came."""
    path = scope.get("raw_path") or scope["path"].encode()
    return (path + b"?" + scope["query_string"] if scope["query_string"] else path).decode("latin-1")


# ---- the application


class CutOff(Exception):
    """The home has not answered what it was handed: whether it was done is not known."""


class Elsewhere(Exception):
    """This is not the home of the game, or it cannot be reached: nothing was done.

    `why` is "gone" (the process is no more), "elsewhere" (it has not this game any more) or "silent" (it does not
    answer).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Handing:
    """The ASGI application: the site, and before it what is handed over to other processes."""

    def __init__(self, site: Wire) -> None:
        self.site = site
        self.threads = ThreadPoolExecutor(4, "homes")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it over to the process that keeps the game it is about.

        Where that process is silent or gone, this one answers. A request that was cut off halfway is done again here
        only if that does no harm; otherwise its sender reads that nobody knows whether it was done.
        """
        found = GAME.match(scope["path"]) if scope["type"] == "http" else None
        if found is None or not homes.is_kept():
            await self.site(scope, receive, send)
            return
        slug = found[1]
        headers: Headers = dict(scope["headers"])
        if HEADER in headers or scope["path"].startswith(ERRANDS):
            await self.take(slug, headers.get(HEADER, b""), scope, receive, send)
            return
        body = Body(receive)
        for _ in range(2):
            place = homes.remembered(slug) or await self.ask(homes.find, slug)
            if place is homes.HERE:
                homes.came(slug, "")
            if place is None or place is homes.HERE or not await body.read(headers):
                break
            try:
                await self.hand_over(place, scope, body, send)
                metrics.HANDED.labels("answered").inc()
                return
            except Elsewhere as elsewhere:
                metrics.HANDED.labels(elsewhere.why).inc()
                homes.forget(slug)
                if elsewhere.why == "silent":
                    break
                if elsewhere.why == "gone":
                    await self.ask(homes.gone, place.process)
            except CutOff:
                metrics.HANDED.labels("cut_off").inc()
                scope[CUT_OFF] = not can_be_done_again(scope, headers)
                break
        await self.site(scope, body.again, send)

    async def ask(self, question: Callable[..., T], *words: str) -> T | None:
        """question(*words), which asks the database, in a thread; None where that does not answer."""
        return await asyncio.get_running_loop().run_in_executor(
            self.threads, functools.partial(asked, question, *words)
        )

    async def take(self, slug: str, header: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what another process has handed over. A header that none of ours has signed counts for nothing."""
        told = read(header, scope["method"], target_of(scope))
        if told is None:
            await self.site(scope, receive, send)
            return
        place = homes.remembered(slug) or await self.ask(homes.find, slug)
        if told["to"] != homes.name() or place not in (homes.HERE, None):
            why = b"elsewhere" if told["to"] == homes.name() else b"gone"
            await send({"type": "http.response.start", "status": MISDIRECTED, "headers": [(WHY, why)]})
            await send({"type": "http.response.body"})
            return
        if told["by"] and homes.came(slug, told["by"]):
            await self.ask(homes.give, slug, told["by"])
        client = tuple(told["client"]) if told["client"] else None
        await self.site({**scope, "client": client, "scheme": told["scheme"], HANDED: told}, receive, send)

    async def hand_over(self, place: homes.Place, scope: Scope, body: Body, send: Send) -> None:
        """Let a request be answered at its home. Raises Elsewhere and CutOff, as long as nothing was answered."""
        import httpcore

        path = target_of(scope)
        header = signed(place, scope["method"], path, homes.name(), scope.get("client"), scope["scheme"])
        headers = [(key, value) for key, value in scope["headers"] if key not in HOP and key != b"content-length"]
        headers += [(HEADER, header.encode()), (b"content-length", b"%d" % len(body.content))]
        request = httpcore.Request(
            scope["method"],
            httpcore.URL(**parts(place.address), target=path.encode("latin-1")),
            headers=headers,
            content=body.content,
            extensions={"timeout": TIMES},
        )
        try:
            response = await pool().handle_async_request(request)
        except unreached() as error:
            raise Elsewhere("gone" if was_refused(error) else "silent") from error
        except broken() as error:
            raise CutOff from error
        try:
            if response.status == MISDIRECTED:
                raise Elsewhere(why_not(response))
            await passed_on(response, body, send)
        finally:
            await response.aclose()


def own_host() -> str:
    """A name by which the site answers."""
    name = settings.ALLOWED_HOSTS[0] if settings.ALLOWED_HOSTS else "localhost"
    return "localhost" if name in ("*", "") else name.lstrip(".")


def was_refused(error: BaseException | None) -> bool:
    """Whether nobody listens any more where a connection was wanted: then that process is gone."""
    while error is not None and not isinstance(error, ConnectionRefusedError):
        error = error.__cause__ or error.__context__
    return error is not None


def why_not(answer: Response) -> str:
    """Why a process does not take what it was handed: "gone" or "elsewhere"."""
    return dict(answer.headers).get(WHY, b"elsewhere").decode("ascii", "replace")


def asked(question: Callable[..., T], *words: str) -> T | None:
    """What a question to the database answers; None if it could not be asked."""
    try:
        return question(*words)
    except DatabaseError as error:
        log.warning("where a game has its home could not be read: %s", error)
        return None
    finally:
        connections.close_all()


def parts(address: str) -> Data:
    """An address as httpcore wants it."""
    found = urlsplit(address)
    return {"scheme": found.scheme, "host": found.hostname, "port": found.port}


@functools.cache
def pool() -> AsyncConnectionPool:
    """The connections of this process to others: as many as there are requests, and some are kept."""
    import httpcore

    return httpcore.AsyncConnectionPool(max_connections=None, max_keepalive_connections=50, keepalive_expiry=30.0)


def can_be_done_again(scope: Scope, headers: Headers) -> bool:
    """Whether a request whose answer was cut off may simply be carried out here: it changes nothing, or is done
    once."""
    return scope["method"] in ("GET", "HEAD", "OPTIONS") or b"idempotency-key" in headers


async def passed_on(response: Response, body: Body, send: Send) -> None:
    """Send an answer on, part by part as it comes, until it ends, the client goes, or this process does while it passes
    news on."""

    headers = [(key.lower(), value) for key, value in response.headers if key.lower() not in HOP | ADDED]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    ends: set[asyncio.Task[Any]] = {asyncio.create_task(news.until_gone(body.receive))}
    if (b"content-type", b"text/event-stream") in headers:
        ends.add(asyncio.create_task(news.leaving().wait()))
    try:
        parts = aiter(response.aiter_stream())
        while True:
            part = asyncio.ensure_future(anext(parts, None))
            await asyncio.wait({part, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if not part.done():
                part.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await part
                break
            if part.result() is None:
                break
            await send({"type": "http.response.body", "body": part.result(), "more_body": True})
    except broken() as error:
        log.warning("an answer was cut off while it was handed on: %s", error)
        raise
    finally:
        for each in ends:
            each.cancel()
    await send({"type": "http.response.body", "body": b""})


class Body:
    """What a client sends, read once and given out again as often as somebody asks."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.messages: list[Data] = []
        self.given = 0
        self.content = b""
        self.whole = False

    async def read(self, headers: Headers) -> bool:
        """Read all of it. Returns whether that was possible: not where it is too large, or the client has gone."""
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > MOST_BYTES:
            return False
        while not self.whole and sum(len(each.get("body", b"")) for each in self.messages) <= MOST_BYTES:
            message = await self.receive()
            self.messages.append(message)
            if message["type"] == "http.disconnect":
                break
            self.whole = not message.get("more_body", False)
        self.content = b"".join(each.get("body", b"") for each in self.messages)
        return self.whole

    async def again(self) -> Data:
        """What the site receives: what was read already, then what comes."""
        if self.given < len(self.messages):
            self.given += 1
            return self.messages[self.given - 1]
        return await self.receive()


# ---- errands: what a clock asks of a home


@functools.cache
def sync_pool() -> ConnectionPool:
    """The connections to the other processes, for code that is not asynchronous."""
    import httpcore

    return httpcore.ConnectionPool(max_connections=16, keepalive_expiry=30.0)


def errand(slug: str, what: str, **words: object) -> Any:
    """Ask the home of a game to do something there. Returns what it says (data), or None where this process may do it
    itself.

    Raises CutOff where the home was at it and has not answered.
    """

    if settings.NOMOPOLY_HERE == "off":
        return None
    place = homes.find(slug, take=False)
    if place is None or place is homes.HERE:
        return None
    path = f"{ERRANDS}{slug}/{what}/"
    body = json.dumps(words).encode()
    headers: list[tuple[bytes | str, bytes | str]] = [
        ("host", own_host()),
        ("content-type", "application/json"),
        (HEADER, signed(place, "POST", path)),
    ]
    try:
        answer = sync_pool().request(
            "POST", place.address + path, headers=headers, content=body, extensions={"timeout": TIMES}
        )
    except unreached() as error:
        homes.forget(slug)
        if was_refused(error):
            homes.gone(place.process)
        return None
    except broken() as error:
        homes.forget(slug)
        raise CutOff(f"the process that has {slug} has not answered") from error
    if answer.status in (404, MISDIRECTED):
        homes.forget(slug)
        if why_not(answer) == "gone":
            homes.gone(place.process)
        return None
    if answer.status != 200:
        raise CutOff(f"the process that has {slug} answered {answer.status}")
    metrics.HANDED.labels("errand").inc()
    return json.loads(answer.content)

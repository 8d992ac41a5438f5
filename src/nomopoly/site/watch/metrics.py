"""What the site measures, for Prometheus at `/metrics`: what this process did, and how the whole site is by its
database.

Labels have few values: never a player, an address or the name of an action, which rules make up.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec

from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    make_wsgi_app,
    start_http_server,
)

from nomopoly.errors import CommandError
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.busy import busy_of
from nomopoly.site.shapes import Respond

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

P = ParamSpec("P")

REGISTRY = CollectorRegistry()
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30)

ORDERS = Histogram(
    "nomopoly_order_seconds",
    "Time that an order or an act of the desk took, by what became of it",
    ["what", "result"],
    buckets=BUCKETS,
    registry=REGISTRY,
)
ENTRIES = Counter("nomopoly_entries", "Entries of journals that this process has stored", registry=REGISTRY)
HANDED = Counter(
    "nomopoly_handed_over",
    "Requests that this process handed over to the process that has the game, by what became of it",
    ["result"],
    registry=REGISTRY,
)
TAKEN = Counter("nomopoly_games_taken", "Games whose home this process became", registry=REGISTRY)
REQUESTS = Histogram(
    "nomopoly_request_seconds",
    "Time that a request took, by view and class of status",
    ["view", "method", "status"],
    buckets=(0.05, 0.1, 0.3, 1, 5),
    registry=REGISTRY,
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def timed(what: str) -> Callable[[Callable[P, Outcome]], Callable[P, Outcome]]:
    """Measure an operation of the domain that returns an Outcome."""

    def wrap(operation: Callable[P, Outcome]) -> Callable[P, Outcome]:
        @functools.wraps(operation)
        def inner(*args: P.args, **named: P.kwargs) -> Outcome:
            begun, result = time.perf_counter(), "error"
            try:
                outcome = operation(*args, **named)
                result = "done" if outcome.ok else "fault" if outcome.fault else "refused"
                return outcome
            except Exception as error:
                result = "busy" if busy_of(error) is not None else "error"
                raise
            finally:
                ORDERS.labels(what, result).observe(time.perf_counter() - begun)

        return inner

    return wrap


def requests(get_response: Respond) -> Respond:
    """The middleware that measures requests."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match is not None else ""
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        REQUESTS.labels(view or "none", method, status).observe(time.perf_counter() - begun)
        return response

    return answer


for standard in (ProcessCollector, PlatformCollector, GCCollector):
    standard(registry=REGISTRY)


def serve(port: int) -> bool:
    """Show a clock's metrics, which serves no pages, at a port of 127.0.0.1 (NOMOPOLY_METRICS_PORT); nowhere at 0.

    Raises CommandError where another program has that port.
    """
    if port:
        try:
            server, _ = start_http_server(port, addr="127.0.0.1", registry=REGISTRY)
        except OSError as error:
            raise CommandError(
                f"the clock cannot show its metrics at 127.0.0.1, port {port}: {error.strerror}. "
                "Say another NOMOPOLY_METRICS_PORT: each clock of a machine needs its own"
            ) from error
        server.set_app(without_connection(make_wsgi_app(REGISTRY)))
    return bool(port)


def without_connection(app: WSGIApplication) -> WSGIApplication:
    """The same program, which keeps no connection to the database: each answer has a thread of its own, and the pool
    does not get back what a thread still has at its end."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return app(environ, start_response)
        finally:
            connections.close_all()

    return answer

"""What the site measures, for Prometheus at `/metrics`: what this process did, and how the whole site is by its database.

Labels have few values: never a player, an address or the name of an action, which rules make up.
"""

import functools
import os
import time

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily

from nomopoly.site.busy import busy_of
from nomopoly.site.watch import memory

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


def timed(what):
    """Measure an operation of the domain that returns an Outcome."""

    def wrap(operation):
        @functools.wraps(operation)
        def inner(*args, **named):
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


def requests(get_response):
    """The middleware that measures requests."""

    def answer(request):
        begun = time.perf_counter()
        response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match is not None else ""
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        REQUESTS.labels(view or "none", method, status).observe(time.perf_counter() - begun)
        return response

    return answer


# ---- the site as it is


class Site:
    """What the database says; the same in every process of the site."""

    def collect(self):
        """What is measured in the database; only `up` 0 if it does not answer."""
        from nomopoly.site import health
        from nomopoly.site.order import operating

        if health.database_problem():
            yield gauge("up", "Whether the database is there and up to date", 0)
            return
        yield gauge("up", "Whether the database is there and up to date", 1)
        told = operating.state()
        for name, (key, help) in READINGS.items():
            if told[key] is not None:
                yield gauge(name, help, told[key])
        yield from letters()


READINGS = {  # metric -> (what operating.state() calls it, what it is)
    "clock_silent_seconds": ("clock_silent_seconds", "Seconds since the last sign of life of a clock"),
    "due_games": ("games_due", "Games in which something is due"),
    "due_lateness_seconds": ("latest_due_seconds", "How late what is due longest is"),
    "letters_waiting": ("letters_waiting", "Mails that wait to be sent"),
    "games": ("games", "Games"),
    "games_running": ("games_running", "Games that are not over"),
    "games_without_admin": ("games_without_admin", "Running games whose Admin is missing"),
    "accounts": ("accounts", "Accounts that are open"),
    "accounts_blocked": ("accounts_blocked", "Accounts that are blocked or closed"),
    "faults_open": ("faults_open", "Faults of rules that nobody has settled"),
    "reports_open": ("reports_open", "Reports that wait for an operator"),
}


def letters():
    """How the outbox is, beyond how much waits in it."""
    from django.utils import timezone

    from nomopoly.site.post.models import Letter

    waiting = Letter.objects.filter(sent=None, next_try__isnull=False)
    oldest = waiting.order_by("made").values_list("made", flat=True).first()
    age = 0 if oldest is None else max(0, (timezone.now() - oldest).total_seconds())
    yield gauge("letter_oldest_seconds", "Age of the mail that waits longest", age)
    yield gauge("letters_refused", "Waiting mails that were tried in vain", waiting.filter(tries__gt=0).count())
    given_up = Letter.objects.filter(sent=None, next_try=None).count()
    yield gauge("letters_given_up", "Mails of the last month that were given up", given_up)


class Sandbox:
    """The workers of the sandbox of this process, and the games that it keeps warm. Memory is measured where there is /proc."""

    def collect(self):
        """What is measured in this process: warm games, workers, their memory in bytes."""
        from nomopoly.site.tables import homes, live

        yield gauge("games_warm", "Games that this process keeps loaded", live.count_warm())
        yield gauge("can_be_home", "Whether other processes hand games over to this one", bool(homes.name()))
        yield gauge("games_home", "Games whose home this process is", homes.count())
        workers, taken = memory.of_sandboxes()
        yield gauge("sandbox_workers", "Workers of the sandbox of this process", workers)
        yield gauge("sandbox_memory_bytes", "Memory of these workers", taken)


def gauge(name, help, value):
    """A measure that goes up and down."""
    return GaugeMetricFamily(f"nomopoly_{name}", help, value=value)


for collector in (Site(), Sandbox()):
    REGISTRY.register(collector)
for standard in (ProcessCollector, PlatformCollector, GCCollector):
    standard(registry=REGISTRY)


def serve(environ=os.environ):
    """Show a clock's metrics, which serves no pages, at 127.0.0.1:NOMOPOLY_METRICS_PORT, where that is set."""
    port = environ.get("NOMOPOLY_METRICS_PORT", "")
    if port:
        start_http_server(int(port), addr="127.0.0.1", registry=REGISTRY)
    return bool(port)

"""What is measured of the site as it is: by its database, and of this process. What this process does is counted in
watch/metrics.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop
from prometheus_client.core import GaugeMetricFamily

from nomopoly.site import health
from nomopoly.site.order import operating
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import homes, live
from nomopoly.site.watch import memory
from nomopoly.site.watch.metrics import REGISTRY


class Site:
    """What the database says; the same in every process of the site."""

    def collect(self) -> Iterator[Any]:
        """What is measured in the database; only `up` 0 if it does not answer."""
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
    "clock_silent_seconds": ("clock_silent_seconds", gettext_noop("Seconds since the last sign of life of a clock")),
    "due_games": ("games_due", gettext_noop("Games in which something is due")),
    "due_lateness_seconds": ("latest_due_seconds", gettext_noop("How many seconds late what is due longest is")),
    "letters_waiting": ("letters_waiting", gettext_noop("Mails that wait to be sent")),
    "games": ("games", gettext_noop("Games")),
    "games_running": ("games_running", gettext_noop("Games that are not over")),
    "games_without_admin": ("games_without_admin", gettext_noop("Running games whose Admin is missing")),
    "accounts": ("accounts", gettext_noop("Accounts that are open")),
    "accounts_blocked": ("accounts_blocked", gettext_noop("Accounts that are blocked or closed")),
    "faults_open": ("faults_open", gettext_noop("Faults of rules that nobody has settled")),
    "reports_open": ("reports_open", gettext_noop("Reports that wait for an operator")),
}


def letters() -> Iterator[GaugeMetricFamily]:
    """How the outbox is, beyond how much waits in it."""
    waiting = Letter.objects.filter(sent=None, next_try__isnull=False)
    oldest = waiting.order_by("made").values_list("made", flat=True).first()
    age = 0 if oldest is None else max(0, (timezone.now() - oldest).total_seconds())
    yield gauge("letter_oldest_seconds", "Age of the mail that waits longest", age)
    yield gauge("letters_refused", "Waiting mails that were tried in vain", waiting.filter(tries__gt=0).count())
    given_up = Letter.objects.filter(sent=None, next_try=None).count()
    yield gauge("letters_given_up", "Mails of the last month that were given up", given_up)


class Sandbox:
    """The workers of the sandbox of this process, and the games that it keeps warm. Memory is measured where there is
    /proc."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """What is measured in this process: warm games, workers, their memory in bytes."""
        yield gauge("games_warm", "Games that this process keeps loaded", live.count_warm())
        yield gauge("can_be_home", "Whether other processes hand games over to this one", bool(homes.name()))
        yield gauge("games_home", "Games whose home this process is", homes.count())
        workers, taken = memory.of_sandboxes()
        yield gauge("sandbox_workers", "Workers of the sandbox of this process", workers)
        yield gauge("sandbox_memory_bytes", "Memory of these workers", taken)


def gauge(name: str, help: str, value: int | float) -> GaugeMetricFamily:
    """A measure that goes up and down."""
    return GaugeMetricFamily(f"nomopoly_{name}", help, value=value)


def begin() -> None:
    """Let all of it be among the metrics."""
    for collector in (Site(), Sandbox()):
        REGISTRY.register(collector)

"""What a machine that watches the site asks: is it alive, is it ready, and what waits.

`/health/live` answers as long as the process does. `/health/ready` is 503 while the database is not there, or not as
this version has it, so that a proxy sends nobody here. `/health/` is ready, and says besides whether the clock runs and
how much waits; 503 where the clock stands still or the disk is full. `/health/proxy` says whether the proxy in front
tells who asks, and by HTTPS. Nothing of it tells about games or people.
"""

from __future__ import annotations

import enum
import shutil
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from nomopoly.site.post.models import Letter
from nomopoly.site.tables import live
from nomopoly.site.tables.models import Game, Life

LEAST_DISK = 50 * 2**20  # bytes
STANDS_STILL = 120  # seconds without a sign of life, of which there is one every 30


def answer(told: dict[Any, Any], status: int) -> JsonResponse:
    """An answer of a check of health, which nobody keeps."""
    response = JsonResponse(told, status=status)
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """Whether this process answers."""
    return answer({"live": True}, 200)


@require_safe
def proxy(request: HttpRequest) -> JsonResponse:
    """What the proxy in front has told of who asks, for `nomopoly doctor`."""
    return answer({"https": request.is_secure(), "visitor": visitor_known(request)}, 200)


def visitor_known(request: HttpRequest) -> str:
    """Whether a proxy in front has said who asks: "told", "not believed" (FORWARDED_ALLOW_IPS) or "not told"."""
    said = request.headers.get("X-Forwarded-For", "")
    if not said:
        return "not told"
    return "told" if request.META.get("REMOTE_ADDR") in [each.strip() for each in said.split(",")] else "not believed"


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Whether this process can serve pages."""
    problem = database_problem()
    return answer({"ready": not problem, "problem": problem}, 503 if problem else 200)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """How the site is."""
    problem = database_problem()
    if problem:
        return answer({"ready": False, "problem": problem}, 503)
    told = state()
    if told["late"]:
        problem = "the clock stands still: run `nomopoly clock`, or `nomopoly serve` without --no-clock"
    elif shutil.disk_usage(settings.DATA).free < LEAST_DISK:
        problem = "the disk of the data folder is full: make room, or nothing can be kept"
    return answer({"ready": True, "problem": problem} | told, 503 if problem else 200)


class Form(enum.Enum):
    """Whether the tables are as this version has them."""

    FITS = enum.auto()
    EMPTY = enum.auto()
    OLDER = enum.auto()
    NEWER = enum.auto()


WRONG_FORM = {  # what a command says of a database that it leaves as it is, in the folder `data`
    Form.EMPTY: "{data}: there is no site here yet: `nomopoly serve` begins one, `nomopoly restore` makes one from "
    "a backup",
    Form.OLDER: "this database is as an older version has it, and was left so. Use that version for this, or start "
    "`nomopoly serve` of this one: it brings the database up to date. Make a backup with the older version before",
    Form.NEWER: "this database is as a newer version has it: use that version, or restore a backup from before it "
    "into a new folder or database",
}


def form() -> Any:
    """The form of the database. Raises DatabaseError where it does not answer."""
    return form_with(frozenset(MigrationRecorder(connection).applied_migrations()))


@lru_cache(4)
def form_with(applied: frozenset[tuple[str, str]]) -> Any:
    """The form of a database in which these migrations have been carried out, which the present one is: to compare them
    with those of this version takes much longer than to read them."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    if not applied:
        return Form.EMPTY
    if executor.migration_plan(graph.leaf_nodes()):
        return Form.OLDER
    replaced = {old for each in executor.loader.replacements.values() for old in each.replaces}
    ours = {app for app, _ in graph.nodes}
    unknown = {each for each in applied - set(graph.nodes) - replaced if each[0] in ours}
    return Form.NEWER if unknown else Form.FITS


def place() -> str:
    """Where the database is, in words: its file, or its name and its machine."""
    named = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(named["NAME"])
    return f"{named['NAME']} at {named['HOST'] or 'this machine'}"


def database_problem() -> Any:
    """What is wrong with the database, in words; "" if nothing is."""
    try:
        found = form()
        if found in (Form.EMPTY, Form.OLDER):
            return "the database is not up to date: start `nomopoly serve`"
        if found == Form.NEWER:
            return "this process is of an older version than the database: end it, and start the newer version"
    except DatabaseError:
        return "the database does not answer"
    return ""


def state() -> dict[Any, Any]:
    """How the clock and the post are doing, in numbers: seconds and counts."""
    now = live.now()
    sign = Life.objects.filter(pk=1).values_list("at", flat=True).first()
    due = Game.objects.filter(due__lte=now)
    oldest = due.order_by("due").values_list("due", flat=True).first()
    silent = None if sign is None else max(0, now - sign)
    return {
        "clock_silent_seconds": silent,
        "games_due": due.count(),
        "latest_due_seconds": 0 if oldest is None else now - oldest,
        "letters_waiting": Letter.objects.filter(sent=None, next_try__isnull=False).count(),
        "late": oldest is not None and now - oldest > STANDS_STILL and (silent is None or silent > STANDS_STILL),
    }

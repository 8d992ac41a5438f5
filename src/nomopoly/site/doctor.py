"""What is wrong with a set-up, in sentences that say what to do."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import smtplib
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nomopoly.errors import CommandError
from nomopoly.site import files

if TYPE_CHECKING:
    pass


LEAST_DISK = 500 * 2**20  # bytes
LEAST_KEY = 32  # characters
MOST_SKEW = 5  # seconds
PATIENCE = 10  # seconds for an answer at the site's own address
CLOCK_IS_LOOSE = 5  # what adjtimex says of a clock that follows no other (TIME_ERROR)
LATE_BACKUP = 2  # days
SLOW_SANDBOX = 5.0  # seconds for a small game


def doctor(data: Path) -> int:
    """Look at the set-up of a site, and print a line for each thing looked at. Returns 1 if something must be
    mended."""
    found = list(everything(data))
    for level, told in found:
        print(f"{level:8}{told}", flush=True)
    wrong = sum(level == "WRONG" for level, _ in found)
    if wrong > 1:
        print(f"{wrong} things must be mended.")
    else:
        print("One thing must be mended." if wrong else "Nothing must be mended.")
    return 1 if wrong else 0


def everything(data: Path) -> Iterator[Any]:
    """(level, sentence) of each thing that is looked at: ok, look (at it) or WRONG."""
    yield "ok", f"Python {sys.version.split()[0]}"
    yield from sandbox()
    try:
        files.opened(data)
    except CommandError as error:
        yield "WRONG", str(error)
        return
    except Exception as error:
        yield (
            "WRONG",
            f"the database cannot be opened ({type(error).__name__}: {error}): look at DATABASE_URL and at the "
            f"folder {data}",
        )
        return
    for look in (database, time_of_day, disk, key, address, proxy, mail, pages, clock, backups, journals):
        yield from look(Path(data))


def sandbox() -> Iterator[tuple[str, str]]:
    """Whether rules can be carried out, and how quickly."""
    from nomopoly.rulebook.source import load_edition
    from nomopoly.runtime.host import open_game

    began = time.perf_counter()
    try:
        game = open_game(load_edition("original"), title="A trial", game_id="doctor", runtime="monty", at=1_772_442_000)
        game.join("Ann", game.now)
        game.runtime.close()
    except Exception as error:
        yield (
            "WRONG",
            f"the sandbox does not work ({type(error).__name__}: {error}): install Nomopoly again, with pydantic-monty",
        )
        return
    took = time.perf_counter() - began
    if took > SLOW_SANDBOX:
        yield (
            "look",
            f"the sandbox took {took:.1f} s for a small game: this machine is slow or busy; NOMOPOLY_SECONDS gives "
            "orders more time",
        )
    else:
        yield "ok", f"the sandbox works ({took:.1f} s for a small game)"


def database(data: Path) -> Iterator[tuple[str, str]]:
    """Which database it is, and whether its clock and ours agree."""
    from django.db import connection

    if connection.vendor != "postgresql":
        yield "ok", f"SQLite in {data}: right for clubs; for many games at once use PostgreSQL (DATABASE_URL)"
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        skew = abs(float(cursor.fetchone()[0]) - time.time())
    if skew > MOST_SKEW:
        yield (
            "WRONG",
            f"the database's clock differs by {skew:.0f} s from this machine's: let both follow a time server",
        )
    else:
        yield "ok", "PostgreSQL answers, and its clock agrees"


def time_of_day(data: Path) -> Iterator[tuple[str, str]]:
    """Whether this machine's clock follows another one, where the system tells, and is past what has happened."""
    from nomopoly.site.tables.models import Game

    last = Game.objects.order_by("-moved").first()
    if last is not None and last.moved - time.time() > MOST_SKEW:
        at = datetime.fromtimestamp(last.moved, UTC)
        yield (
            "WRONG",
            f"this machine's clock is behind the last move in {last.slug} ({at:%Y-%m-%d %H:%M} UTC): set it right. "
            "Until it has caught up, time stands still in that game",
        )
    found = clock_state()
    if found == CLOCK_IS_LOOSE:
        yield (
            "look",
            "this machine's clock follows no time server, so that moments drift: `timedatectl set-ntp true`, or "
            "install chrony",
        )
    elif found is not None:
        yield "ok", "this machine's clock follows a time server"


def clock_state() -> int | None:
    """What Linux says of its clock (adjtimex, asked without changing anything); None where it says nothing."""
    try:
        found = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(1024))
    except (OSError, AttributeError):
        return None
    return None if found < 0 else found


def disk(data: Path) -> Iterator[tuple[str, str]]:
    """Whether there is room."""
    free = shutil.disk_usage(data).free
    told = f"{free / 2**20:,.0f} MB are free where {data} is"
    yield ("ok", told) if free > LEAST_DISK else ("WRONG", f"{told}: make room, or nothing can be kept soon")


def key(data: Path) -> Iterator[tuple[str, str]]:
    """Whether the installation has a secret key of its own."""
    path = data / "secret-key"
    given = os.environ.get("NOMOPOLY_SECRET_KEY", "")
    if given and len(given) < LEAST_KEY:
        yield "WRONG", f"NOMOPOLY_SECRET_KEY has {len(given)} characters, which can be guessed: take 50 random ones"
    elif given:
        yield "ok", "the key of the installation comes from NOMOPOLY_SECRET_KEY"
    elif path.stat().st_mode & 0o077:
        yield "WRONG", f"{path} can be read by other accounts of this machine: chmod 600 {path}"
    else:
        yield "ok", f"{path} is readable by its owner alone"


def address(data: Path) -> Iterator[tuple[str, str]]:
    """Whether links lead to the site, and over HTTPS."""
    from django.conf import settings

    told, parts = settings.NOMOPOLY_ADDRESS, urlsplit(settings.NOMOPOLY_ADDRESS)
    hosts = settings.ALLOWED_HOSTS
    if (parts.hostname or "*")[0] in "*.":
        yield "WRONG", f"links in mails lead to {told}, which is no address: set NOMOPOLY_ADDRESS=https://your.host"
        return
    if settings.DEBUG:
        yield "WRONG", "error pages show everybody what the program was at: remove NOMOPOLY_DEBUG"
    if parts.hostname in ("127.0.0.1", "localhost", "::1"):
        yield (
            "look",
            f"links in mails lead to {told}, which only this machine reaches: set NOMOPOLY_HOSTS, or "
            "NOMOPOLY_ADDRESS=https://your.host",
        )
        return
    if parts.hostname not in hosts and "*" not in hosts:
        yield (
            "WRONG",
            f"NOMOPOLY_ADDRESS names {parts.hostname}, which is not among NOMOPOLY_HOSTS ({', '.join(hosts)}): the "
            "site would refuse it",
        )
    elif parts.scheme != "https" or not settings.HTTPS:
        yield (
            "WRONG",
            f"{told} is not served as HTTPS: put a proxy with TLS in front, set NOMOPOLY_HTTPS=1, and begin "
            "NOMOPOLY_ADDRESS with https://",
        )
    else:
        yield "ok", f"links lead to {told}"


def proxy(data: Path) -> Iterator[Any]:
    """Whether the site answers at its address as the world reaches it, and what the proxy in front tells it of who
    asks."""
    from django.conf import settings

    told = settings.NOMOPOLY_ADDRESS
    if not told.startswith("https://"):
        return
    try:
        status, body = fetch(f"{told}/health/proxy")
    except OSError as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLError):
            yield "WRONG", f"the certificate at {told} does not hold ({reason}): renew it, with the whole chain"
        else:
            yield (
                "look",
                f"nothing answers at {told} ({reason}): start the site and the proxy, and look at the name and the "
                "firewall; "
                "some networks do not reach themselves from inside",
            )
        return
    yield from judged(told, status, body)


def judged(told: str, status: int | None, body: bytes) -> Iterator[tuple[str, str]]:
    """What an answer of `/health/proxy` at the site's address says of the proxy."""
    try:
        answer = json.loads(body) if status == 200 else {}
        known = answer["visitor"] if status == 200 else ""
    except (ValueError, KeyError, TypeError):
        yield "WRONG", f"what answers at {told} is not this version of the site: look at the proxy's address of it"
        return
    if status == 400:
        yield "WRONG", f"{told} answers 400: let the proxy hand on Host, and name it in NOMOPOLY_HOSTS"
    elif status != 200:
        yield "WRONG", f"{told} answers {status}: start the site, and look at the address by which the proxy reaches it"
    elif not answer["https"]:
        yield (
            "WRONG",
            f"the proxy does not say that {told} is HTTPS: let it set X-Forwarded-Proto, and set NOMOPOLY_HTTPS=1",
        )
    elif known == "not told":
        yield (
            "WRONG",
            "the proxy does not say who asks, so that all visitors share their limits: let it set X-Forwarded-For",
        )
    elif known == "not believed":
        yield (
            "WRONG",
            "the site does not believe the proxy who asks, so that all visitors share their limits: "
            "set FORWARDED_ALLOW_IPS to the proxy's address",
        )
    else:
        yield "ok", f"the site answers at {told}, and the proxy says who asks"


def fetch(url: str) -> tuple[Any, Any] | tuple[int, bytes]:
    """(Status, body) of what answers at an address, asked directly. Raises OSError."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read(10_000)
    except urllib.error.HTTPError as error:
        return error.code, error.read(10_000)


def mail(data: Path) -> Iterator[tuple[str, str]]:
    """Whether mails go out."""
    from django.conf import settings

    if not os.environ.get("EMAIL_URL"):
        yield (
            "look",
            f"mails are written to {settings.EMAIL_FILE_PATH} and go to nobody: set "
            "EMAIL_URL=smtp://user:password@host:587?tls=1",
        )
        return
    from django.core.mail import get_connection

    try:
        connection = get_connection(patient=False)
        connection.open()
        connection.close()
    except (smtplib.SMTPException, OSError) as error:
        yield "WRONG", f"the mail server does not take us in ({type(error).__name__}: {error}): look at EMAIL_URL"
        return
    told = f"the mail server at {settings.EMAIL_HOST} takes us in"
    sender = settings.DEFAULT_FROM_EMAIL
    yield (
        ("look", f"{told}, but mails come from {sender}: set NOMOPOLY_MAIL_FROM")
        if "@localhost" in sender
        else ("ok", told)
    )


def pages(data: Path) -> Iterator[tuple[str, str]]:
    """Whether the site names its operator."""
    from nomopoly.site.lobby import trust

    if missing := trust.missing():
        told = ", ".join(f"{data / 'pages' / name}.md" for name in missing)
        yield "look", f"say who runs the site, and how to reach them: write {told}, and set NOMOPOLY_CONTACT"
    else:
        yield "ok", "privacy, terms and contact are filled in"


def clock(data: Path) -> Iterator[tuple[str, str]]:
    """Whether somebody watches the clock."""
    from nomopoly.site import health

    found = health.state()
    if found["clock_silent_seconds"] is None:
        yield "look", "no clock has run yet: `nomopoly serve` runs one, or `nomopoly clock` beside `serve --no-clock`"
    elif found["late"]:
        yield (
            "WRONG",
            f"the clock has stood still for {found['clock_silent_seconds']} s while {found['games_due']} games wait: "
            "run `nomopoly clock`",
        )
    else:
        yield (
            "ok",
            f"the clock ran {found['clock_silent_seconds']} s ago; {found['games_due']} games and "
            f"{found['letters_waiting']} letters wait",
        )


def backups(data: Path) -> Iterator[tuple[str, str]]:
    """Whether the nightly backups go on, where the unit of systemd has begun them."""
    folder = data.resolve().with_name("backups")  # as deploy/systemd/nomopoly-backup.service has it
    made = [each.stat().st_mtime for each in folder.glob("site-*.tar.gz*") if each.suffix != ".part"]
    if not made:
        return
    days = int((time.time() - max(made)) / 86_400)
    if days >= LATE_BACKUP:
        yield (
            "WRONG",
            f"the last backup in {folder} is {days} days old: see what `systemctl status nomopoly-backup` says",
        )
    else:
        yield "ok", f"there are backups in {folder}: copy them to another machine"


def journals(data: Path) -> Iterator[tuple[str, Any] | tuple[str, str]]:
    """Whether every game's journal is what was acknowledged."""
    from nomopoly.site.tables import witness

    damaged = list(witness.look_at_all())
    for told in damaged:
        yield "WRONG", told
    if not damaged:
        yield "ok", "every journal is what was acknowledged"

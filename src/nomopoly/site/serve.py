"""Serves the site: the database brought up to date, the clock running."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import pwd
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import LazySettings

from nomopoly.languages.spoken import said
from nomopoly.site.bymail import TRY_LATER

COLLECTED = (10_000, 20, 20)  # objects after which the collector of circles looks, and how seldom at older ones
MIGRATING = 0x6E6F6D6F  # which lock of PostgreSQL a process holds that brings the database up to date
CLOCK_SECONDS = 10  # for what the clock is at when the site ends
SWITCH_EVERY = 0.001  # seconds after which a request that is computing lets another one go on


def prepare(data: Path | None) -> LazySettings:
    """Set Django up on a data folder, if it is not set up yet: to do it again would give the log other handlers.

    Raises CommandError where the environment says what no site can have.
    """
    if data is not None:
        os.environ["NOMOPOLY_DATA"] = str(data)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
    import django
    from django.apps import apps
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured

    from nomopoly.errors import CommandError

    folder = Path(os.environ.get("NOMOPOLY_DATA", "data"))
    folder.mkdir(0o700, parents=True, exist_ok=True)  # what is secret is in the database too
    must_be_ours(folder)
    try:
        if settings.DATABASES["default"]["ENGINE"].endswith("postgresql") and find_spec("psycopg") is None:
            raise CommandError("DATABASE_URL wants the extra `postgres`: pip install 'nomopoly[postgres]'")
        if not apps.ready:
            django.setup()
    except (ImproperlyConfigured, ValueError) as error:
        raise CommandError(f"the environment says what cannot be: {error}") from error
    return settings


def must_be_ours(folder: Path) -> None:
    """Raises CommandError where this account cannot write what a site keeps in its folder."""
    from nomopoly.errors import CommandError

    needed = ["nomopoly.sqlite3*", "witness", "witness/*"]
    needed += [] if os.environ.get("EMAIL_URL") else ["mail"]  # where mails are written to files
    for path in (folder, *(path for each in needed for path in folder.glob(each))):
        if os.access(path, os.W_OK) or not path.exists():  # SQLite takes its files away when it closes
            continue
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            raise CommandError(
                f"{path} is where nothing can be written: the units of systemd let the site write in "
                "/var/lib/nomopoly alone, and a disk with errors is mounted read-only"
            )
        try:
            account = pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            account = str(os.getuid())
        raise CommandError(
            f"{path} cannot be written by the account {account}. Say as root: chown -R {account}: {folder}"
        )


def has_database(data: Path) -> bool:
    """Whether there may be a site: the environment names its PostgreSQL, or its file is in the data folder."""
    return bool(os.environ.get("DATABASE_URL")) or (Path(data) / "nomopoly.sqlite3").exists()


def looked_at(data: Path) -> None:
    """Set Django up on the data folder of a site, whose database stays as it is, whichever version has made it. Raises
    CommandError where there is no such folder, or its database does not answer."""
    from nomopoly.errors import CommandError

    data = Path(data)
    if not data.is_dir():
        raise CommandError(f"{data}: there is no such folder; say --data, or start the site with `nomopoly serve`")
    prepare(data)
    must_answer()


def must_answer() -> None:
    """Raises CommandError where the database does not answer."""
    from django.db import DatabaseError, connection

    from nomopoly.errors import CommandError
    from nomopoly.site import health

    alone = connection.copy()
    alone.settings_dict["OPTIONS"].pop("pool", None)  # which would try again and again, and not say why
    try:
        alone.ensure_connection()
    except DatabaseError as error:
        why = str(error).partition("\n")[0]
        raise CommandError(f"the database {health.place()} does not answer: {why}") from error
    finally:
        alone.close()


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    clock: bool = True,
    make_games: Callable[[Any], Any] | None = None,
    chores: tuple[tuple[Callable[[], Any], int], tuple[Callable[[], Any], int]] | tuple[()] = (),
) -> None:
    """Serve until stopped. Without `clock`, others run it.

    `make_games` is called with the moment (seconds since 1970) once the database is up to date, before anybody is
    served. `chores` are registered with the clock, see nomopoly.site.clock. Raises CommandError where nobody can
    listen at that address, before anything else is done.
    """
    settings = prepare(data)
    must_be_free(host, port)
    must_answer()
    sys.setswitchinterval(SWITCH_EVERY)
    bring_up_to_date()
    from nomopoly.site.tables import witness
    from nomopoly.site.watch import logs

    for sentence in witness.look_at_all():
        logs.show(sentence)
    named = f"[{host}]" if ":" in host else host
    if not any(map(os.environ.get, ("NOMOPOLY_ADDRESS", "NOMOPOLY_HOSTS"))):
        settings.NOMOPOLY_ADDRESS = f"http://{named}:{port}"
        settings.SERVED_AT.write_text(f"{settings.NOMOPOLY_ADDRESS}\n", encoding="ascii")
    asked_as = "127.0.0.1" if host in ("0.0.0.0", "::") else named  # what watches a container asks from within it
    if asked_as not in settings.ALLOWED_HOSTS:
        settings.ALLOWED_HOSTS.append(asked_as)
    from nomopoly.site import handing
    from nomopoly.site.clock import Worker
    from nomopoly.site.notices.worker import Worker as Notices
    from nomopoly.site.tables import live

    if make_games is not None:
        make_games(live.now())
    worker = Worker(chores=chores)
    thread = threading.Thread(target=worker.run, name="clock", daemon=True)
    notices = Notices()
    if clock:
        thread.start()
        notices.start()
    if settings.NOMOPOLY_HERE != "off":
        handing.begin(settings.NOMOPOLY_HERE or own_address(host, port))
    logs.show(f"Nomopoly is at http://{named}:{port}/")
    if settings.EMAIL_BACKEND.endswith("FileAndConsole"):
        logs.show(f"Mails, log-in codes among them, are shown here and kept in {settings.EMAIL_FILE_PATH}")
    gc.collect()
    gc.freeze()  # what is loaded by now stays: the collector need not walk through it again and again
    gc.set_threshold(*COLLECTED)
    with ended_by_sigterm():
        try:
            listen(host, port)
        finally:
            worker.stop.set()
            notices.end()
            if clock:
                thread.join(timeout=CLOCK_SECONDS)
            close()


def listen(host: str, port: int) -> None:
    """Answer whoever asks, until this process is told to end."""
    from nomopoly.site.server import server_at

    server = server_at(host, port)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started:  # it has said why
        sys.exit(3)


def close() -> None:
    """Let go of the games and of the database: the last one to close it tidies up the files of SQLite."""
    from django.db import connections

    from nomopoly.site.tables import homes, live

    homes.end()
    live.close_all(wait=1)
    connections.close_all()


@contextlib.contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end this process once what is within is through. A server that was told so raises it again when it
    has ended, and nothing after it would be done. A second one ends the process at once."""
    told = []

    def note(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        told.append(number)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, note)
    yield
    if told:
        signal.raise_signal(signal.SIGTERM)


def must_be_free(host: str, port: int) -> None:
    """Raises CommandError where a server cannot listen: another one does, say, or the address is not this machine's."""
    from nomopoly.errors import CommandError

    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise CommandError(
            f"nobody can listen at {host}, port {port}: {reason}. "
            "Say another --host or --port, or end what listens there"
        ) from error


def bring_up_to_date() -> None:
    """Carry out the migrations that the database lacks. Of processes that start at once one does, and the others
    wait. Raises CommandError where a newer version has made it."""
    from django.core.management import call_command

    from nomopoly.errors import CommandError
    from nomopoly.site import health

    with alone_at_migrations():
        if health.form() == health.Form.NEWER:
            raise CommandError(health.WRONG_FORM[health.Form.NEWER])
        call_command("migrate", interactive=False, verbosity=0)


@contextlib.contextmanager
def alone_at_migrations() -> Iterator[None]:
    """Wait until no other process of the site migrates its database, and keep others waiting within.

    On PostgreSQL by a lock of a transaction of a connection beside the one that migrates, so that it holds behind a
    pooler too; on SQLite by a lock of the data folder. Whoever is killed lets go.
    """
    from django.conf import settings
    from django.db import connection

    if connection.vendor == "sqlite":
        folder = os.open(settings.DATA, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)
        return
    beside = connection.copy()
    beside.settings_dict["OPTIONS"].pop("pool", None)  # that of the site may be of one connection
    try:
        beside.set_autocommit(False)
        with beside.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 0")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATING])
        yield
    finally:
        beside.close()


def own_address(host: str, port: int) -> str:
    """At which other processes reach the one that listens there: where it listens everywhere, by the machine's own
    name."""
    if host in ("0.0.0.0", "::", ""):
        try:
            host = socket.gethostbyname(socket.gethostname())
        except OSError:
            host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run_clock(
    data: Path, chores: tuple[tuple[Callable[[], Any], int], tuple[Callable[[], Any], int]] | tuple[()] = ()
) -> None:
    """A clock without a server, beside `serve --no-clock`; there may be several. `chores` are registered with it.
    Raises CommandError where there is no such folder, or its database does not answer."""
    looked_at(data)
    from nomopoly.site import clock

    clock.run(chores)


def run_mail(data: Path, host: str, port: int, smtp: bool, pipe: bool) -> int:
    """Take in mail: the one on standard input (`pipe`), or all that comes to an address until stopped. Returns the exit
    status. A pipe that can take in nothing asks for the mail again, so that none is lost over a typing error."""
    from nomopoly.errors import CommandError

    try:
        ready_for_mail(data)
    except CommandError as error:
        if not pipe:
            raise
        print(f"nomopoly: {said(str(error))}", file=sys.stderr)
        return TRY_LATER
    from nomopoly.site.bymail import ways
    from nomopoly.site.tables import live
    from nomopoly.site.watch import logs

    try:
        if pipe:
            return ways.from_pipe()
        server = ways.controller(host, port, smtp)
        server.start()
        logs.show(f"Nomopoly takes {'SMTP' if smtp else 'LMTP'} at {host}:{port}")
        stopped = threading.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: stopped.set())
        stopped.wait()
        server.stop()
        return 0
    finally:
        live.close_all()


def ready_for_mail(data: Path) -> None:
    """Set Django up to take in mail. Raises CommandError where that cannot be: there is no such folder, say, or its
    database is that of another version."""
    from nomopoly.errors import CommandError

    looked_at(data)
    from django.conf import settings

    from nomopoly.site import health

    if health.form() != health.Form.FITS:
        raise CommandError(
            f"the database {health.place()} is not that of this version: see what `nomopoly doctor` says"
        )

    if "@" not in settings.NOMOPOLY_REPLY_TO:
        raise CommandError("set NOMOPOLY_REPLY_TO to the address at which mail comes in, as in play@games.example.org")

"""A site that is told no address is at the one where it is served, for the commands beside it too."""

import asyncio
import contextlib
import errno
import io
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import emptysite
import nursery
import pytest
from aiosmtpd.controller import Controller
from django.core.mail import EmailMessage

from nomopoly.site.accounts import mail

ASK = "from nomopoly.site.serve import prepare; print(prepare(None).NOMOPOLY_ADDRESS)"
USUAL = "http://127.0.0.1:8000"


def environment(folder, **more):
    """The environment of a program of a site that is told nothing but its folder."""
    unset = ("NOMOPOLY_ADDRESS", "NOMOPOLY_HOSTS", "NOMOPOLY_HTTPS", "DATABASE_URL")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "NOMOPOLY_DATA": str(folder), "PYTHONUNBUFFERED": "1", **more}


def address(folder, **more):
    """The address of the site as a command beside it knows it."""
    done = nursery.run(["-c", ASK], env=environment(folder, **more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextlib.contextmanager
def serving(folder, port, *words, clock=False, **more):
    """While this lasts the site is served. Says where it says that it is."""
    if not (folder / emptysite.NAME).exists():
        shutil.copy(emptysite.database(), folder / emptysite.NAME)
    command = ["-m", "nomopoly", "serve", *(() if clock else ("--no-clock",)), "--port", str(port), *words]
    server = nursery.start(command, env=environment(folder, **more), stdout=subprocess.PIPE, text=True)
    try:
        yield next(line.strip() for line in server.stdout if line.startswith("Nomopoly is at"))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


@pytest.fixture
def served(tmp_path, free_tcp_port):
    """(folder, port) of a site that is served."""
    with serving(tmp_path, free_tcp_port):
        yield tmp_path, free_tcp_port


def test_what_watches_a_container_asks_from_within_it(tmp_path, free_tcp_port):
    """Where it listened everywhere, and had a name, it said 400, so that the container was never well."""
    with serving(tmp_path, free_tcp_port, "--host", "0.0.0.0", NOMOPOLY_HOSTS="play.example.org"):
        assert answers_at(free_tcp_port) == 200


def answers_at(port):
    """The status with which the site there says that it is alive, once it listens."""
    for _ in range(1200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live", timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.05)
    pytest.fail("it never listened")


class Full(io.StringIO):
    """A log on a full disk."""

    def flush(self):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_log_on_a_full_disk_stops_nothing(tmp_path, free_tcp_port, monkeypatch):
    """A site whose lines could not be written did not start, and who asked for a code got none."""
    monkeypatch.setattr(sys, "stderr", Full())
    sender = mail.FileAndConsole(file_path=tmp_path / "mail")
    assert sender.send_messages([EmailMessage("Your code", "123456", to=["ann@example.org"])]) == 1
    monkeypatch.undo()
    shutil.copy(emptysite.database(), tmp_path / emptysite.NAME)
    with open("/dev/full", "wb") as full:
        words = ["-m", "nomopoly", "serve", "--no-clock", "--port", str(free_tcp_port)]
        server = nursery.start(words, env=environment(tmp_path), stdout=full, stderr=full)
    try:
        assert answers_at(free_tcp_port) == 200
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def test_a_site_at_an_address_of_ipv6_is_found_there(tmp_path, free_tcp_port):
    try:
        socket.create_server(("::1", free_tcp_port), family=socket.AF_INET6).close()
    except OSError:
        return  # this machine has none
    with serving(tmp_path, free_tcp_port, "--host", "::1") as told:
        assert told == f"Nomopoly is at http://[::1]:{free_tcp_port}/"
        assert address(tmp_path) == f"http://[::1]:{free_tcp_port}"


def test_commands_beside_a_site_know_where_it_is(served, tmp_path):
    folder, port = served
    assert address(folder) == f"http://127.0.0.1:{port}"
    assert address(folder, NOMOPOLY_HOSTS="play.example.org", NOMOPOLY_HTTPS="1") == "https://play.example.org"
    assert address(folder, NOMOPOLY_ADDRESS="https://games.example.org/") == "https://games.example.org"


class SlowBox:
    """A mail server that takes its time to say that it has a mail."""

    def __init__(self):
        self.mails = 0
        self.has_one = threading.Event()

    async def handle_DATA(self, server, session, envelope):
        self.mails += 1
        self.has_one.set()
        await asyncio.sleep(2)
        return "250 OK"


def test_a_letter_under_way_when_the_site_ends_is_sent_once(tmp_path, free_tcp_port_factory):
    """SIGTERM ended it in the middle of everything: who had the letter by then got it again after the next start."""
    shutil.copy(emptysite.database(), tmp_path / emptysite.NAME)
    put = (
        "import django; django.setup(); from nomopoly.site.post import office; office.put('ann@example.org', 'S', 'T')"
    )
    done = nursery.run(["-c", put], env=environment(tmp_path, DJANGO_SETTINGS_MODULE="nomopoly.site.settings"))
    assert done.returncode == 0
    site, post = free_tcp_port_factory(), free_tcp_port_factory()
    box = SlowBox()
    mail_server = Controller(box, hostname="127.0.0.1", port=post)
    mail_server.start()
    try:
        with serving(tmp_path, site, clock=True, EMAIL_URL=f"smtp://127.0.0.1:{post}"):
            assert box.has_one.wait(60)
        left = sorted(path.name for path in tmp_path.glob(f"{emptysite.NAME}*"))
        with contextlib.closing(sqlite3.connect(tmp_path / emptysite.NAME)) as database:
            letters = database.execute("SELECT tries, next_try, sent IS NOT NULL FROM post_letter").fetchall()
    finally:
        mail_server.stop()
    assert (box.mails, letters) == (1, [(1, None, 1)])
    assert left == [emptysite.NAME], "the last one that closes the database tidies up its files"


def test_where_it_was_never_served_it_is_the_usual_one(tmp_path):
    assert address(tmp_path) == USUAL
    for wrong in (b"", b"\xff"):
        (tmp_path / "served-at").write_bytes(wrong)
        assert address(tmp_path) == USUAL


def test_where_somebody_else_listens_nothing_is_begun(tmp_path):
    """It said that it was there, ran the clock for a while, and ended."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        words = ["-m", "nomopoly", "serve", "--port", str(other.getsockname()[1])]
        done = nursery.run(words, env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    told = done.stderr.splitlines()[-1]
    assert told.startswith("nomopoly: nobody can listen at 127.0.0.1, port ")
    assert "Address already in use. Say another" in told
    assert not (tmp_path / emptysite.NAME).exists()

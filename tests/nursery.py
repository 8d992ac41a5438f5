"""Programs in processes of their own that begin quickly: each is forked from one process that has loaded what it needs.

To start Python, and to load Django and a site, takes two seconds of a core, and the tests start some two hundred
programs. `start` and `run` are what `subprocess.Popen` and `subprocess.run` are, for programs in Python: named without
the interpreter, as [FILE, ...], ["-m", MODULE, ...] or ["-c", PROGRAM, ...]. Each is a real process, with an environment
and settings of its own, and may be killed.

There are two such processes. One has loaded the site as well, and has forgotten its settings: a program reads those of
its own environment. A few names of the environment are read, or decide something, while the site is loaded; a program
for which one of them is another one comes from the process that has loaded libraries alone.
"""

import atexit
import functools
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import types
from contextlib import ExitStack
from pathlib import Path

LIBRARIES = [
    "aiosmtpd.smtp",
    "asgiref.sync",
    "asgiref.wsgi",
    "asyncio",
    "attr",
    "cryptography.fernet",
    "cyclopts",
    "django.contrib.staticfiles.finders",
    "django.core.mail",
    "django.core.management.commands.migrate",
    "django.core.serializers.json",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.db.models",
    "django.forms",
    "django.http",
    "django.middleware.csrf",
    "django.template.defaulttags",
    "django.template.loader_tags",
    "django.test",
    "django.urls",
    "django.views.generic",
    "email.mime.multipart",
    "fido2.server",
    "http_ece",
    "icalendar",
    "jinja2",
    "mailparser_reply",
    "markdown_it",
    "msgspec",
    "nh3",
    "nomopoly.rulebook.source",
    "prometheus_client",
    "py_vapid",
    "pydantic",
    "pydantic_monty",
    "requests",
    "ruamel.yaml",
    "sqlparse",
    "uvicorn",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "whitenoise.base",
]
SITE = [
    "allauth.account.middleware",
    "allauth.account.templatetags.account",
    "django.conf.urls.i18n",
    "django.contrib.auth.backends",
    "django.contrib.messages.middleware",
    "django.contrib.sessions.backends.db",
    "django.contrib.sessions.middleware",
    "django.core.asgi",
    "django.middleware.clickjacking",
    "django.middleware.common",
    "django.middleware.gzip",
    "django.middleware.locale",
    "django.middleware.security",
    "nomopoly.cli",
    "nomopoly.demo",
    "nomopoly.site.clock",
    "nomopoly.site.lobby.templatetags.nomopoly",
    "nomopoly.site.notices.worker",
    "nomopoly.site.play.templatetags.play",
    "nomopoly.site.serve",
    "nomopoly.site.tables.idle",
    "nomopoly.site.urls",
]
READ_AT_LOAD = [
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_MESSAGES",
    "NOMOPOLY_DEBUG",
    "NOMOPOLY_DUMPS",
    "NOMOPOLY_HTTPS",
    "NOMOPOLY_LOG",
    "NOMOPOLY_MAIL_PROVIDER",
    "NOMOPOLY_MEMORY",
    "NOMOPOLY_SANDBOXES",
    "NOMOPOLY_SECONDS",
    "NOMOPOLY_WARM_GAMES",
]
LENGTH = 8  # bytes of a number that is sent


class Process:
    """A program that runs; as `subprocess.Popen`, as far as tests need it."""

    def __init__(self, args, pid, end, stdin=None, stdout=None, stderr=None):
        self.args, self.pid, self.returncode, self._end = args, pid, None, end
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr

    def poll(self):
        """How it ended: its status, or the number of a signal below zero; None while it runs."""
        if self.returncode is None and select.select([self._end], [], [], 0)[0]:
            self._read_end()
        return self.returncode

    def wait(self, timeout=None):
        """Wait until it ends; how, see `poll`. Raises subprocess.TimeoutExpired after so many seconds."""
        if self.returncode is None:
            if not select.select([self._end], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self._read_end()
        return self.returncode

    def _read_end(self):
        said = os.read(self._end, 100)
        self.returncode = int(said or -signal.SIGKILL)  # where nothing is said the nursery itself was killed
        os.close(self._end)

    def communicate(self, timeout=None):
        """Let nothing more come in, and wait until it ends. Returns what it has said: (output, errors), None for what
        is no pipe.

        Raises subprocess.TimeoutExpired after so many seconds.
        """
        if self.stdin:
            self.stdin.close()
        pipes, said = (self.stdout, self.stderr), [None, None]

        def read(number, pipe):
            with pipe:
                said[number] = pipe.read()

        readers = [threading.Thread(target=read, args=each, daemon=True) for each in enumerate(pipes) if each[1]]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return tuple(said)

    def send_signal(self, number):
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        """Tell it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self):
        """End it."""
        self.send_signal(signal.SIGKILL)


def read_at_load(environment):
    """What of an environment decides how the site is loaded."""
    usual = {"DJANGO_SETTINGS_MODULE": "nomopoly.site.settings"}
    return usual | {name: environment[name] for name in READ_AT_LOAD if environment.get(name)}


@functools.cache
def environment_of_site():
    """The environment in which the site is loaded for many programs: that of the first one."""
    return {**os.environ, **read_at_load(os.environ)}


@functools.cache
def nursery(site):
    """(the socket by which programs are asked for, a lock that holds while one is); with the site, or with libraries
    alone."""
    here, there = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, __file__, str(there.fileno()), *(["site"] if site else [])],
        env=environment_of_site() if site else None,
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
    )
    there.close()
    atexit.register(lambda: (here.close(), process.wait()))
    return here, threading.Lock()


def start(words, *, env=None, cwd=None, stdin=None, stdout=None, stderr=None, text=False):
    """Start a program, as subprocess.Popen does. Returns its Process."""
    env = os.environ if env is None else env
    site = "NOMOPOLY_DUMPS" in env and read_at_load(env) == read_at_load(environment_of_site())
    asked = {
        "words": list(map(str, words)),
        "env": {**env},
        "cwd": str(cwd or os.getcwd()),
    }
    said = json.dumps(asked).encode()
    with ExitStack() as stack:
        theirs, ours = [], []
        for number, given in enumerate((stdin, stdout, stderr)):
            mine = None
            if given == subprocess.PIPE:
                pair = os.pipe()
                given, own = pair if number == 0 else pair[::-1]
                stack.callback(os.close, given)
                mine = os.fdopen(
                    own, ("w" if number == 0 else "r") + ("" if text else "b"), **({} if text else {"buffering": -1})
                )
            elif given == subprocess.DEVNULL:
                given = stack.enter_context(open(os.devnull, "r+b"))
            elif given == subprocess.STDOUT:
                given = theirs[1]
            given = number if given is None else given
            theirs.append(given if isinstance(given, int) else given.fileno())
            ours.append(mine)
        end, told = os.pipe()
        stack.callback(os.close, told)
        door, lock = nursery(site)
        with lock:
            socket.send_fds(door, [len(said).to_bytes(LENGTH, "big")], [*theirs, told])
            door.sendall(said)
            pid = int.from_bytes(received(door, LENGTH), "big")
    return Process(asked["words"], pid, end, *ours)


def run(words, *, timeout=None, capture_output=False, stdout=None, stderr=None, text=False, **more):
    """Run a program to its end, as subprocess.run does. Returns a subprocess.CompletedProcess."""
    if capture_output:
        stdout = stderr = subprocess.PIPE
    process = start(words, stdout=stdout, stderr=stderr, text=text, **more)
    try:
        said = process.communicate(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, *said)


# ---- the nursery


def received(door, count):
    """So many bytes; fewer only where the other side has closed."""
    said = b""
    while len(said) < count and (more := door.recv(count - len(said))):
        said += more
    return said


def next_program(door):
    """What one forked process is to do, which returns from here; the nursery itself stays until nobody asks."""
    ends = {}

    def tell_ends(*_):
        while ends:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:  # another signal came meanwhile, and told of the last one
                return
            if not pid:
                return
            os.write(ends[pid], str(os.waitstatus_to_exitcode(status)).encode())
            os.close(ends.pop(pid))

    signal.signal(signal.SIGCHLD, tell_ends)
    while True:
        length, given, *_ = socket.recv_fds(door, LENGTH, 4)
        if not length:
            os._exit(0)
        asked = json.loads(received(door, int.from_bytes(length, "big")))
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        pid = os.fork()
        if not pid:
            for each in ends.values():
                os.close(each)
            return asked, given
        ends[pid] = given.pop()
        for each in given:
            os.close(each)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        door.sendall(pid.to_bytes(LENGTH, "big"))


def become(asked, given):
    """Be the program that was asked for."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    for number in range(3):
        os.dup2(given[number], number)
    for each in given:
        os.close(each)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    if os.environ.get("PYTHONUNBUFFERED"):
        sys.stdout.reconfigure(write_through=True)
    if "testclock" in sys.modules:
        sys.modules["testclock"].follow()
    first, *more = asked["words"]
    if first == "-c":
        sys.argv, sys.path[0] = ["-c", *more[1:]], ""
        sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(more[0], "<string>", "exec"), vars(sys.modules["__main__"]))
    elif first == "-m":
        sys.argv, sys.path[0] = more, asked["cwd"]
        runpy.run_module(more[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv, sys.path[0] = [first, *more], str(Path(first).resolve().parent)
        runpy.run_path(first, run_name="__main__")


def load_modules():
    """Load the site; its settings are set up."""
    import django

    django.setup()
    for module in SITE:
        importlib.import_module(module)


def load_site():
    """Load the site with the settings of a folder that is gone afterwards, and forget whatever hangs on them."""
    from django.conf import empty, settings
    from django.db import connections

    with tempfile.TemporaryDirectory() as folder:
        os.environ["NOMOPOLY_DATA"] = folder
        load_modules()
    package, _, name = settings.SETTINGS_MODULE.rpartition(".")
    del sys.modules[settings.SETTINGS_MODULE], vars(sys.modules[package])[name]
    settings._wrapped = empty
    connections.__init__()
    del connections.settings


def main():
    import gc
    import random

    from django.conf import settings

    door = socket.socket(fileno=int(sys.argv[1]))
    for library in LIBRARIES:
        importlib.import_module(library)
    if sys.argv[2:]:
        load_site()
    assert not settings.configured, "the settings are those of a program, and none runs yet"
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # as in the tests themselves, see conftest.py
    asked, given = next_program(door)
    door.close()
    random.seed()
    become(asked, given)


if __name__ == "__main__":
    main()

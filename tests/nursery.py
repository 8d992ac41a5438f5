"""Programs in processes of their own that begin quickly: each is forked from one process that has loaded the libraries.

To start Python, and to load Django and what else a site needs, takes more than a second of a core, two thirds of which
go into libraries; the tests start some two hundred programs. `start` and `run` are what `subprocess.Popen` and
`subprocess.run` are, for programs in Python: named without the interpreter, as [FILE, ...], ["-m", MODULE, ...] or
["-c", PROGRAM, ...]. Each is a real process, with an environment and settings of its own, and may be killed. None of
our modules that read the environment is loaded beforehand.
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


@functools.cache
def nursery():
    """(the socket by which programs are asked for, a lock that holds while one is)."""
    here, there = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, __file__, str(there.fileno())], pass_fds=[there.fileno()], stdin=subprocess.DEVNULL
    )
    there.close()
    atexit.register(lambda: (here.close(), process.wait()))
    return here, threading.Lock()


def start(words, *, env=None, cwd=None, stdin=None, stdout=None, stderr=None, text=False):
    """Start a program, as subprocess.Popen does. Returns its Process."""
    asked = {
        "words": list(map(str, words)),
        "env": {**(os.environ if env is None else env)},
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
        door, lock = nursery()
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
            pid, status = os.waitpid(-1, os.WNOHANG)
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


def main():
    import gc
    import random

    from django.conf import settings

    door = socket.socket(fileno=int(sys.argv[1]))
    for library in LIBRARIES:
        importlib.import_module(library)
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

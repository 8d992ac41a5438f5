"""The inside of a hardened worker: CPython that has given away everything but its own memory and two pipes.

Run as a script by `hardened`, in a process of its own with an empty environment. It reads the kernel, shuts itself in,
says so, and then answers calls. Programs of rules come in only after that. Nothing here imports the rest of the
program: whatever a rule gets hold of, it finds no more than Python's own modules, and no system call to use them with.
"""

import builtins
import collections
import copy
import ctypes
import dataclasses
import datetime
import functools
import hashlib
import itertools
import json
import marshal
import math
import os
import re
import resource
import signal
import struct
import sys
import typing
from importlib.machinery import BuiltinImporter, FrozenImporter

LENGTH = struct.Struct("!I")  # before each message
KILL_PROCESS, ALLOW = 0x80000000, 0x7FFF0000  # of libseccomp
EQUAL, MASKED_EQUAL = 4, 7
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
PROT_EXEC = 4
MOST_OPEN = 1 << 16  # descriptors of a process that begins
NICE = 10
MOST_FRAME = 1 << 20  # bytes of a recursion that are asked of the system at once

# What it may still ask of the system, whatever happens: memory, the time, and its end.
FREE = (
    *("brk", "munmap", "mremap", "madvise", "futex", "sched_yield", "getrandom", "sigaltstack", "restart_syscall"),
    *("rt_sigreturn", "rt_sigprocmask", "clock_gettime", "clock_gettime64", "gettimeofday", "time"),
    *("exit", "exit_group"),
)
# And what only with one argument: [call, which argument, how it is compared, with what, and to what].
BOUND = (
    ("read", 0, EQUAL, 0, 0),
    ("write", 0, EQUAL, 1, 0),
    ("mmap", 2, MASKED_EQUAL, PROT_EXEC, 0),
    ("mprotect", 2, MASKED_EQUAL, PROT_EXEC, 0),
)
MODULES = {
    each.__name__: each
    for each in (collections, copy, dataclasses, datetime, functools, hashlib, itertools, json, math, re, typing)
}
SHUT = frozenset(  # what the sandbox has not either, so that a rule finds the same words in both
    [
        "BaseExceptionGroup",
        "BlockingIOError",
        "BrokenPipeError",
        "BufferError",
        "BytesWarning",
        "ChildProcessError",
        "ConnectionAbortedError",
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",
        "DeprecationWarning",
        "EOFError",
        "EncodingWarning",
        "EnvironmentError",
        "ExceptionGroup",
        "FloatingPointError",
        "FutureWarning",
        "GeneratorExit",
        "IOError",
        "ImportWarning",
        "IndentationError",
        "InterruptedError",
        "PendingDeprecationWarning",
        "ProcessLookupError",
        "ReferenceError",
        "ResourceWarning",
        "RuntimeWarning",
        "StopAsyncIteration",
        "SyntaxWarning",
        "SystemError",
        "TabError",
        "UnicodeError",
        "UnicodeTranslateError",
        "UnicodeWarning",
        "UserWarning",
        "Warning",
        "aiter",
        "anext",
        "ascii",
        "breakpoint",
        "bytearray",
        "callable",
        "classmethod",
        "compile",
        "copyright",
        "credits",
        "delattr",
        "dir",
        "exit",
        "globals",
        "help",
        "input",
        "issubclass",
        "license",
        "memoryview",
        "open",
        "quit",
        "staticmethod",
        "super",
        "vars",
    ]
)

counted: dict[str, str] = {}  # program of a rule -> with its counters
compiled: dict[str, typing.Any] = {}
same_namedtuple = functools.lru_cache(4096)(collections.namedtuple)


class Compared(ctypes.Structure):
    """How an argument of a system call is compared: `struct scmp_arg_cmp`."""

    _fields_ = [
        ("arg", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


# ---- shutting in


def shut_in(memory: int, seconds: int) -> None:
    """Give away what no rule needs. Raises OSError or AttributeError if the system cannot."""
    for name, limit in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_NOFILE", 0),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_MEMLOCK", 0),
        ("RLIMIT_MSGQUEUE", 0),
    ):
        resource.setrlimit(getattr(resource, name), (limit, limit))
    sys.path[:], sys.path_hooks[:] = [], []
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter]
    sys.path_importer_cache.clear()
    sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]


def filter_calls(library: ctypes.CDLL) -> None:
    """Let no system call through but the few above, for good: any other one ends the process. Raises OSError."""
    library.seccomp_init.restype = ctypes.c_void_p
    made = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(KILL_PROCESS)))
    if not made:
        raise OSError("no filter can be made")
    allowed = ctypes.c_uint32(ALLOW)
    for name in FREE:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # others are not there on this machine
            agreed(library.seccomp_rule_add_array(made, allowed, number, 0, None))
    for name, argument, how, first, second in BOUND:
        number = library.seccomp_syscall_resolve_name(name.encode())
        compared = Compared(argument, how, first, second)
        agreed(library.seccomp_rule_add_array(made, allowed, number, 1, ctypes.byref(compared)))
    agreed(library.seccomp_load(made))  # with no_new_privs


def agreed(status: int) -> None:
    """Raise OSError for a status that is none of success."""
    if status < 0:
        raise OSError(-status, os.strerror(-status))


def own_process() -> None:
    """Be ended with whoever started this, be read by nobody, and let others go first. Raises OSError."""
    os.nice(NICE)
    system = ctypes.CDLL(None, use_errno=True)
    for what, content in ((PR_SET_PDEATHSIG, signal.SIGKILL), (PR_SET_DUMPABLE, 0)):
        if system.prctl(what, content, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")


# ---- messages


def read_exactly(many: int) -> bytes:
    """So many bytes of what the host says. Ends the process where there are no more."""
    parts = []
    while many:
        part = os.read(0, min(many, MOST_FRAME))
        if not part:
            os._exit(0)
        parts.append(part)
        many -= len(part)
    return b"".join(parts)


def heard() -> typing.Any:
    """The next message of the host."""
    return marshal.loads(read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0]))


def say(message: typing.Any) -> None:
    """Tell the host something."""
    told = json.dumps(message).encode()
    told = LENGTH.pack(len(told)) + told
    while told:
        told = told[os.write(1, told) :]


# ---- programs


def with_counters(code: str) -> str:
    """A program with its counters: the host makes them."""
    if code not in counted:
        say({"count": code})
        counted[code] = heard()
    return counted[code]


def imported(name: str, *more: typing.Any) -> typing.Any:
    """What `import` finds in a rule."""
    if name not in MODULES:
        raise ModuleNotFoundError(f"No module named '{name}'")
    return MODULES[name]


BUILTINS = {name: getattr(builtins, name) for name in dir(builtins) if name not in SHUT} | {"__import__": imported}


def carried_out(source: str, names: dict[str, typing.Any]) -> None:
    """What `exec` does for the kernel: programs of rules, which are carried out again and again, are compiled once."""
    names["__builtins__"] = BUILTINS
    if source not in compiled:
        compiled[source] = compile(source, "<string>", "exec")
    exec(compiled[source], names)


def answer(call: typing.Any, name: str, data: typing.Any) -> dict[str, typing.Any]:
    """What a call of the kernel comes to."""
    try:
        return {"done": call(name, data)}
    except (Exception, SystemExit, GeneratorExit) as error:
        kind, message = type(error).__name__, str(error)
        return {"fault": [call("abort", None)["rule"], kind, message[:2000]]}


def main() -> None:
    """Take in the kernel, shut in, and answer until the host has no more to ask."""
    parts = heard()
    sys.setrecursionlimit(parts["recursion"])
    names: dict[str, typing.Any] = {"exec": carried_out}
    exec(parts["kernel"], names)
    names["namedtuple"] = same_namedtuple
    names["READERS"].append(with_counters)
    hashlib.sha256(b"loads what it needs").hexdigest()
    try:
        library = ctypes.CDLL("libseccomp.so.2")
        own_process()
        shut_in(parts["memory"], parts["seconds"])
        os.closerange(3, MOST_OPEN)  # newer versions of libffi keep their own file open
        filter_calls(library)
    except (OSError, AttributeError, ValueError) as error:
        say({"open": f"{type(error).__name__}: {error}"})
        return
    say({"shut": True})
    while True:
        kind, *said = heard()
        if kind == "add":
            exec(compile(said[0], "<added>", "exec"), names)
            say({"done": None})
        else:
            counted.update(said[2])
            say(answer(names["call"], said[0], said[1]))


if __name__ == "__main__":
    main()

"""Dumps of sandbox workers that have read a kernel or a rulebook, kept in a folder: the next process begins with them.

Reading an edition takes a second or two, loading its dump a few hundredths. Where no folder is named, nothing is kept.
A dump is the memory in which rules are carried out: only who may write the database may write into that folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import tempfile
import zlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from nomopoly.rulebook.bytecode import makers

WORTH = 0.5  # seconds that reading took: what is read faster is read again
MOST_FILES = 64  # a megabyte or two each; those that were used last stay
QUICK = 1  # zlib's level: a quarter of the size for a tenth of a second

folder: Path | None = Path(os.environ["NOMOPOLY_DUMPS"]) if os.environ.get("NOMOPOLY_DUMPS") else None


def keep_in(place: Path) -> None:
    """Keep dumps in this folder from now on, unless NOMOPOLY_DUMPS names another one."""
    global folder
    if not os.environ.get("NOMOPOLY_DUMPS"):
        folder = place


@cache
def _made_by() -> bytes:
    """What a dump hangs on beside the text that was read: our own code, the sandbox, Python and the machine."""
    return makers() + f"{version('pydantic-monty')} {platform.machine()}".encode()


def _file_of(key: str) -> Path | None:
    return folder and folder / hashlib.sha256(_made_by() + key.encode()).hexdigest()


def kept(key: str) -> bytes | None:
    """The dump that is kept under this key; None if there is none that can be used."""
    file = _file_of(key)
    if file is None:
        return None
    try:
        content = file.read_bytes()
        os.utime(file)
        dump = zlib.decompress(content[32:])
    except (OSError, zlib.error):
        return None
    return dump if hashlib.sha256(dump).digest() == content[:32] else None


def keep(key: str, dump: bytes, seconds: float) -> None:
    """Keep a dump of what took so many seconds to read. A disk that takes nothing costs the next process its time
    alone."""
    file = _file_of(key)
    if file is None or seconds < WORTH:
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix="new-", delete=False) as new:
            new.write(hashlib.sha256(dump).digest() + zlib.compress(dump, QUICK))
        os.replace(new.name, file)
        _forget_the_oldest(file.parent)


def _forget_the_oldest(place: Path) -> None:
    files = sorted(place.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for file in files[MOST_FILES:]:
        file.unlink(missing_ok=True)

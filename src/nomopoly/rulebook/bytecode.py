"""What is made of the programs that come with this version, kept where Python keeps its bytecode of them.

To put counters into an edition's programs, and to compile them and the kernel, takes one to two seconds of a process;
to read what an earlier one has kept, a few hundredths. It is trusted as bytecode is: who may write there may write the
programs. Where Python keeps no bytecode (PYTHONDONTWRITEBYTECODE, a folder that cannot be written), each process makes
it for itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.resources
import importlib.util
import marshal
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")
PACKAGES = ("kernel", "rulebook", "rulebook.dialect", "runtime", "runtime.interpreters")
LONG = 32  # bytes of a hash


@cache
def makers() -> bytes:
    """The hash of what makes anything here: the code of these packages, and Python."""
    whole = hashlib.sha256(sys.version.encode())
    for package in PACKAGES:
        for file in sorted(importlib.resources.files(f"nomopoly.{package}").iterdir(), key=lambda each: each.name):
            if file.name.endswith(".py"):
                whole.update(file.read_bytes())
    return whole.digest()


def kept(name: str, source: str, make: Callable[[], Made]) -> Made:
    """What `make` makes of a text: as an earlier process has kept it, or made now, and kept.

    `name`: what it is called, one for each file; `source`: the text it is made of. It must be of what `marshal` writes:
    words, numbers, tuples, dicts, code.
    """
    file = Path(importlib.util.cache_from_source(str(Path(__file__).with_name(f"{name}.made"))))
    key = hashlib.sha256(makers() + source.encode()).digest()
    with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
        content = file.read_bytes()
        if content[:LONG] == key and content[LONG : 2 * LONG] == hashlib.sha256(content[2 * LONG :]).digest():
            return marshal.loads(content[2 * LONG :])  # type: ignore[no-any-return]
    made = make()
    if not sys.dont_write_bytecode:
        with contextlib.suppress(OSError):
            written = marshal.dumps(made)  # type: ignore[arg-type]  # of what it may be, see above
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", delete=False) as new:
                new.write(key + hashlib.sha256(written).digest() + written)
            os.chmod(new.name, 0o644)  # as bytecode: who may read the programs may read it
            os.replace(new.name, file)
    return made

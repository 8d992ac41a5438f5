"""An empty site: a database in which nothing has happened yet.

Its migrations take six seconds of a core, and dozens of processes of the tests begin with it: it is made once for these
migrations, kept in .pytest_cache and copied. On PostgreSQL each is migrated.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

import nomopoly.site
from nomopoly.rulebook.source import shipped_editions
from nomopoly.runtime.counted import ready
from nomopoly.runtime.interpreters.text import kernel_code

KEPT = Path(__file__).parents[1] / ".pytest_cache"
NAME = "nomopoly.sqlite3"  # as in a site's folder
# Most of its tables are empty, each with a page of its own: in smaller ones it is a third of the size, which is copied often.
SMALL = ("PRAGMA journal_mode=DELETE", "PRAGMA page_size=1024", "VACUUM", "PRAGMA journal_mode=WAL")
MIGRATE = [sys.executable, "-m", "django", "migrate", "--verbosity", "0", "--settings", "nomopoly.site.settings"]


def database() -> Path:
    """The file of the database, which the first process makes."""
    files = sorted(Path(nomopoly.site.__file__).parent.glob("**/migrations/*.py"))
    others = sorted(f"{each.name} {each.version}" for each in distributions() if each.name.lower().startswith("django"))
    key = hashlib.sha256(" ".join([*others, *SMALL]).encode())
    for file in files:
        key.update(file.name.encode() + file.read_bytes())
    kept = KEPT / f"empty-{key.hexdigest()[:16]}.sqlite3"
    KEPT.mkdir(parents=True, exist_ok=True)
    with open(kept.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            with tempfile.TemporaryDirectory() as folder:
                environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
                subprocess.run(MIGRATE, env={**environment, "NOMOPOLY_DATA": folder}, check=True)
                with contextlib.closing(sqlite3.connect(Path(folder) / NAME, isolation_level=None)) as database:
                    for statement in SMALL:
                        database.execute(statement)
                made = shutil.copy(Path(folder) / NAME, kept.with_suffix(".new"))
                os.replace(made, kept)
    return kept


def arrange() -> None:
    """Let the site that this process works for begin with an empty database, if it has none."""
    from django.conf import settings
    from django.core.management import call_command

    if "DATABASE_URL" in os.environ:
        call_command("migrate", interactive=False, verbosity=0)
    elif not os.path.exists(settings.DATABASES["default"]["NAME"]):
        shutil.copy(database(), settings.DATABASES["default"]["NAME"])


if __name__ == "__main__":
    database()
    for edition in ("", *shipped_editions()):  # with bytecode, see nomopoly/rulebook/bytecode.py
        ready(edition)
    kernel_code()

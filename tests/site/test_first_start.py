"""Processes of a site that start at the same moment, with a database that nobody has set up yet, in a folder that others
cannot read."""

import subprocess

import nursery
from fresh import own_database

PROGRAM = """
import sys
from pathlib import Path
from nomopoly.site.serve import bring_up_to_date, prepare
prepare(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
bring_up_to_date()
from nomopoly.site.tables.models import Game
print(Game.objects.count(), flush=True)
"""


def test_several_that_start_at_once_set_the_database_up_once(tmp_path, monkeypatch):
    with own_database("first_start") as told:
        for name, value in told.items():
            monkeypatch.setenv(name, value)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        starting = [nursery.start(["-c", PROGRAM, str(tmp_path / "data")], **pipes) for _ in range(3)]
        for each in starting:
            assert each.stdout.readline() == "ready\n", each.stderr.read()
        for each in starting:
            each.stdin.write("go\n")
            each.stdin.flush()
        ends = [each.communicate(timeout=120) for each in starting]
        assert [(each.returncode, out) for each, (out, _) in zip(starting, ends)] == [(0, "0\n")] * 3, ends
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0, "who has a key, a password and a hand is in there"

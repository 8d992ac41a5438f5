"""Programs that are forked are processes as others are."""

import json
import os
import signal
import subprocess
import sys
import time

import nursery
import pytest
import testclock

TELL = "import json, os, sys, time; print(json.dumps([sys.argv, os.environ.get('WORD'), os.getcwd(), time.time(), __name__]))"


def test_a_program_has_its_words_environment_folder_and_the_clock_of_the_tests(tmp_path):
    (tmp_path / "tell.py").write_text(TELL)
    testclock.set_clock(testclock.beginning() + 86400)
    for words, argv in ((["-c", TELL, "a b"], ["-c", "a b"]), ([tmp_path / "tell.py"], [str(tmp_path / "tell.py")])):
        done = nursery.run(words, env={**os.environ, "WORD": "x"}, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        told, word, folder, now, name = json.loads(done.stdout)
        assert (told, word, folder, name) == (argv, "x", str(tmp_path), "__main__")
        assert 0 <= now - testclock.beginning() - 86400 < 600


def test_how_a_program_ends_is_told():
    assert nursery.run(["-c", "import sys; sys.exit(3)"]).returncode == 3
    broken = nursery.run(["-c", "1 / 0"], capture_output=True, text=True)
    assert broken.returncode == 1
    assert "ZeroDivisionError" in broken.stderr
    running = nursery.start(["-c", "import time; time.sleep(600)"])
    assert running.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(0.01)
    running.kill()
    assert running.wait(60) == running.poll() == -signal.SIGKILL
    running.terminate()  # it has ended: nobody else who has its number now is told anything


def test_a_program_reads_and_writes_while_it_runs(tmp_path):
    program = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"
    with open(tmp_path / "errors", "w") as errors:
        running = nursery.start(
            ["-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    for word in ("one", "two"):
        print(word, file=running.stdin, flush=True)
        assert running.stdout.readline() == f"{word.upper()}\n"
    running.stdin.close()
    assert running.wait(60) == 0
    running.stdout.close()


def test_what_one_program_loads_or_changes_no_other_one_sees():
    # newer versions of libffi keep their own file open in every process that has loaded them
    program = """import os, sys
files = sorted(os.listdir('/proc/self/fd'))[:-1]
own = [each for each in files if 'libffi' not in os.readlink('/proc/self/fd/' + each)]
print('HERS' in os.environ, 'colorsys' in sys.modules, own)"""
    nursery.run(["-c", "import os, colorsys; os.environ['HERS'] = '1'"])
    done = nursery.run(["-c", program], capture_output=True, text=True)
    assert done.stdout == "False False ['0', '1', '2']\n", (
        "but for the listing itself it has the three usual files alone"
    )


def test_many_run_at_once():
    running = [
        nursery.start(["-c", f"import time; time.sleep(0.2); raise SystemExit({number})"]) for number in range(8)
    ]
    begun = time.monotonic()
    assert [each.wait(600) for each in running] == list(range(8))
    assert time.monotonic() - begun < 600


OWN = """
import django, json
django.setup()
from django.conf import settings
from django.core import signing
from django.db import connection
from nomopoly.site.tables.seats import signer

name = connection.settings_dict["NAME"]
print(json.dumps([str(settings.DATA), str(name), settings.NOMOPOLY_ADDRESS, signing.dumps(1)[-20:], signer().sign("1")]))
"""


@pytest.mark.parametrize("more", [{}, {"NOMOPOLY_HTTPS": "1"}], ids=["usual", "with a name that is read at load"])
def test_a_program_has_the_settings_of_its_own_environment(tmp_path, more):
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "nomopoly.site.settings"} | more
    signed = set()
    for name in ("one", "other"):
        own = {"NOMOPOLY_DATA": str(tmp_path / name), "NOMOPOLY_HOSTS": f"{name}.example.org"}
        done = nursery.run(["-c", OWN], env=environment | own, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        data, database, address, *words = json.loads(done.stdout)
        assert (data, database) == (str(tmp_path / name), str(tmp_path / name / "nomopoly.sqlite3"))
        assert address == f"http{'s' if more else ''}://{name}.example.org"
        signed.update(words)
    assert len(signed) == 4, "each site has a key of its own"


READS = """
import json, os, re, sys

from django.conf import LazySettings, settings

import nursery

assert settings.DATA, "the settings have read the environment; now the site is loaded"
asked, read, get_setting = set(), set(), LazySettings.__getattribute__


class Environment(dict):
    def __getitem__(self, name):
        asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        asked.add(name)
        return super().__contains__(name)

    def get(self, name, default=None):
        asked.add(name)
        return super().get(name, default)


def get(self, name):
    read.add(name)
    return get_setting(self, name)


os.environ, environment = Environment(os.environ), os.environ
LazySettings.__getattribute__ = get
nursery.load_modules()
os.environ, LazySettings.__getattribute__ = environment, get_setting

module = sys.modules.pop("nomopoly.site.settings")
names = set(re.findall("^[A-Z_]+", module.__doc__, re.MULTILINE))
others = dict.fromkeys(names, "1") | dict.fromkeys(("NOMOPOLY_ADDRESS", "NOMOPOLY_HERE"), "http://127.0.0.1:1")
others["EMAIL_URL"] = "smtp://127.0.0.1:1"
environment.update({name: others[name] for name in names - set(nursery.READ_AT_LOAD)})
import nomopoly.site.settings as other

print(json.dumps([
    sorted(name for name in asked if name in names or name.startswith(("LANG", "LC_", "NOMOPOLY_"))),
    sorted(name for name in read if name.isupper() and getattr(module, name, None) != getattr(other, name, None)),
    sorted(names),
]))
"""


def test_what_of_the_environment_is_read_while_the_site_is_loaded_is_known(tmp_path):
    environment = {"DJANGO_SETTINGS_MODULE": "nomopoly.site.settings", **os.environ, "NOMOPOLY_DATA": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join([os.path.dirname(nursery.__file__), environment.get("PYTHONPATH", "")])
    fresh = subprocess.run([sys.executable, "-c", READS], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (fresh.returncode, fresh.stderr) == (0, "")
    asked, hang_on_others, names = json.loads(fresh.stdout)
    assert "NOMOPOLY_SECONDS" in asked
    assert len(names) > 25
    assert set(asked) <= set(nursery.READ_AT_LOAD)
    # These are read again: for a connection, and for each signal.
    assert set(hang_on_others) <= {"DATA", "DATABASES", "DEBUG"}

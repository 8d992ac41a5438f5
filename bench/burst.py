"""Many requests at once: how many of them fail, and how many wait for longer.

    DATABASE_URL=postgresql://... python bench/burst.py --at-once 32,200

Serves a fresh game of `original` from the database of DATABASE_URL (default: SQLite in a folder of its own), which has
to be empty, and sends so many requests for its overview at the same moment. Prints, for each number, how many answers
had which status, and the median and the longest wait in seconds.
"""

import argparse
import collections
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

PORT = 8765
MAKE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.contrib.auth import get_user_model
from nomopoly.site.tables import domain
from nomopoly.site.tables.models import Game
user, _ = get_user_model().objects.get_or_create(email="burst@example.org")
if not Game.objects.exists():
    domain.start_game(user, edition="original", title="Burst", slug="burst")
"""


def ask(address):
    """(status, seconds) of one request."""
    begun = time.perf_counter()
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    return status, time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", default="8,32,200")
    asked = parser.parse_args()
    environment = {
        "NOMOPOLY_DATA": tempfile.mkdtemp(),
        "DJANGO_SETTINGS_MODULE": "nomopoly.site.settings",
        **os.environ,
    }
    subprocess.run([sys.executable, "-c", MAKE], env=environment, check=True)
    words = ["-m", "uvicorn", "nomopoly.site.asgi:application", "--port", str(PORT), "--log-level", "warning"]
    server = subprocess.Popen([sys.executable, *words], env=environment, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{PORT}/g/burst/"
        for _ in range(100):
            try:
                ask(address)
                break
            except OSError:
                time.sleep(0.2)
        for many in map(int, asked.at_once.split(",")):
            with ThreadPoolExecutor(many) as threads:
                found = list(threads.map(ask, [address] * many))
            waits = [seconds for _, seconds in found]
            statuses = dict(collections.Counter(status for status, _ in found))
            print(f"{many} at once: {statuses}, median {statistics.median(waits):.2f} s, longest {max(waits):.2f} s")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()

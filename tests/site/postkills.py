"""Puts letters in, lets workers send them to a mail server of its own on 127.0.0.1, and kills the workers as they send
(SIGKILL).

python postkills.py [--letters N] [--kills N] [--workers N] [--seed S]

Each letter has a number. Last, what has arrived is counted: status 1 if one is lost, or if more arrived twice than
workers were killed (a worker that dies between sending a letter and noting it leaves that one to be sent again, and no
other). Without kills this is the measure of how fast letters go out. The other words are what it starts by itself: put,
send, free, left.
"""

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from aiosmtpd.controller import Controller

sys.path.insert(0, str(Path(__file__).parents[1]))

import emptysite
import nursery

# ---- what runs in processes of its own


def put(letters):
    """Put that many letters in, as notices do."""
    from django.db import transaction

    from nomopoly.site.post import office

    emptysite.arrange()
    with transaction.atomic():
        for number in range(int(letters)):
            office.put("ann@example.org", f"Your turn {number}", "Take it. " * 40, headers={"X-Number": str(number)})


def send(port):
    """Send what is due; prints how many this took on, in how many seconds, and the most memory that it had, in MB."""
    import resource

    from django.conf import settings

    from nomopoly.site.post import office

    settings.EMAIL_BACKEND = "nomopoly.site.post.backend.Patient"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", int(port)
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    begun, taken = time.perf_counter(), 0
    while more := office.deliver():
        taken += more
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps([taken, time.perf_counter() - begun, memory]))


def free():
    """Let the time go by after which what the dead had taken is there for others."""
    from django.utils import timezone

    from nomopoly.site.post.models import Letter

    Letter.objects.filter(next_try__isnull=False).update(next_try=timezone.now())


def left():
    """Prints how many letters are not noted as sent."""
    from nomopoly.site.post.models import Letter

    print(Letter.objects.filter(sent=None).count())


# ---- the mail server, and who is killed


class Box:
    """What has arrived: how often each number."""

    def __init__(self):
        self.arrived = Counter()

    async def handle_DATA(self, server, session, envelope):
        line = next(each for each in envelope.content.split(b"\r\n") if each.startswith(b"X-Number: "))
        self.arrived[int(line.partition(b": ")[2])] += 1
        return "250 taken"


def begin(environment, *words):
    """Start a process with one of the words above."""
    return nursery.start([__file__, *words], env=environment, stdout=subprocess.PIPE)


def ask(environment, *words):
    """What such a process prints."""
    process = begin(environment, *words)
    said = process.communicate(timeout=600)[0]
    assert process.returncode == 0, words
    return json.loads(said) if said else None


def wait_until(true, seconds=120):
    """Until something is so; a busy machine takes its time."""
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.005)


def run(letters=300, kills=6, workers=2, seed=1):
    """All of it. Returns what was wrong."""
    chance, box = random.Random(seed), Box()
    with socket.socket() as free_port:
        free_port.bind(("127.0.0.1", 0))
        port = free_port.getsockname()[1]
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    running, killed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NOMOPOLY_DATA": folder, "DJANGO_SETTINGS_MODULE": "nomopoly.site.settings"}
        try:
            ask(environment, "put", letters)
            running = [begin(environment, "send", port) for _ in range(workers if kills else 0)]
            while killed < kills and box.arrived.total() < letters:
                wanted = box.arrived.total() + chance.randrange(1, 4)
                wait_until(lambda wanted=wanted: box.arrived.total() >= min(wanted, letters))
                time.sleep(chance.uniform(0, 0.01))
                victim = running.pop(0)
                killed += victim.poll() is None
                victim.send_signal(signal.SIGKILL)
                victim.communicate()
                running.append(begin(environment, "send", port))
            for each in running:
                each.communicate(timeout=600)
            ask(environment, "free")
            taken, seconds, memory = ask(environment, "send", port)
            unsent = ask(environment, "left")
        finally:
            for each in running:
                if each.poll() is None:
                    each.kill()
            server.stop()
    lost = [number for number in range(letters) if not box.arrived[number]]
    twice = box.arrived.total() - len(box.arrived)
    print(f"{letters} letters, {killed} workers killed: {len(lost)} lost, {twice} arrived once more")
    print(f"the last worker: {taken} letters in {seconds:.1f} s, {memory:.0f} MB at most")
    problems = [f"lost: {number}" for number in lost]
    problems += [f"{twice} arrived once more, and {killed} workers were killed"] if twice > killed else []
    problems += [f"{unsent} letters are not noted as sent"] if unsent else []
    return problems + (["no worker was killed at all"] if kills and not killed else [])


def main():
    kinds = {"put": put, "send": send, "free": free, "left": left}
    if sys.argv[1:2] and sys.argv[1] in kinds:
        import django

        django.setup()
        kinds[sys.argv[1]](*sys.argv[2:])
        return
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in {"letters": 300, "kills": 6, "workers": 2, "seed": 1}.items():
        words.add_argument(f"--{name}", type=int, default=usual)
    problems = run(**vars(words.parse_args()))
    print("\n".join(problems[:40]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()

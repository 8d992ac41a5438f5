"""Lets workers make the notices of a game and put their mails in, and kills them as they do (SIGKILL).

python makekills.py [--kills N] [--seed S]

The same game is told of by a worker that nobody kills. Status 1 if a notice is lost or there twice, if a mail tells of
one that no other mail tells of twice, or if the killed ones tell of anything else. The other words are what it starts
by itself: play, tell, made.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import emptysite
import nursery

FIRST = 1_772_442_000  # a Monday morning
LATER = 400  # seconds after which a game that a dead worker had taken is there for others
PLAYERS = ("Ann", "Ben", "Cid", "Dot")
ORDERS = 12

# ---- what runs in processes of its own


def play():
    """A game in which much has happened of which nobody has been told."""
    from django.contrib.auth import get_user_model

    from nomopoly.site.tables import domain, live

    emptysite.arrange()
    users = get_user_model().objects
    with live.clock_at(FIRST):
        admin = users.create(email="admin@example.org")
        game = domain.start_game(admin, edition="original", title="Kills", slug="kills", at=FIRST)
        for name in PLAYERS:
            user = users.create(email=f"{name.lower()}@example.org")
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
    tell(FIRST + 60)
    for at in range(ORDERS):
        with live.clock_at(FIRST + 100 + at):
            who = PLAYERS[at % len(PLAYERS)]
            assert domain.order(game, who, "propose", {"title": f"Proposal {at}", "text": "Words."}).ok
            if at % 2:
                assert domain.desk_act(game, "accept", {"on": f"P{at + 1}"}).ok
    live.close_all()


def tell(at):
    """Make all notices that are due, and put their mails in."""
    from nomopoly.site.notices import mailing, making
    from nomopoly.site.tables import live

    print("begun", flush=True)
    with live.clock_at(int(at)):
        while making.look_all():
            pass
    with live.clock_at(int(at) + 20 * 60):
        mailing.mail_all()


def made():
    """Prints what there is: [notices as [user, kind, cause, mail], lines of the mails to each user]."""
    from nomopoly.site.notices.models import Notice
    from nomopoly.site.post.models import Letter

    notices = Notice.objects.order_by("pk").values_list("user__email", "kind", "cause", "mail")
    lines = {}
    for letter in Letter.objects.exclude(subject__contains="Welcome"):
        told = [line for line in letter.text.splitlines() if line.startswith("* ")]
        lines[letter.to] = sorted(lines.get(letter.to, []) + told)
    print(json.dumps([list(notices), lines]))


# ---- who is killed


def begin(folder, *words):
    """Start a process with one of the words above."""
    environment = {**os.environ, "NOMOPOLY_DATA": folder, "DJANGO_SETTINGS_MODULE": "nomopoly.site.settings"}
    environment.pop("DATABASE_URL", None)
    return nursery.start([__file__, *words], env=environment, stdout=subprocess.PIPE)


def ask(folder, *words):
    """What such a process prints."""
    process = begin(folder, *words)
    said = process.communicate(timeout=600)[0]
    assert process.returncode == 0, words
    return said


def run(kills=6, seed=1):
    """All of it. Returns what was wrong."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        played, alone, killed = (str(Path(place) / name) for name in ("played", "alone", "killed"))
        os.mkdir(played)
        ask(played, "play")
        shutil.copytree(played, alone)
        begun = time.monotonic()
        ask(alone, "tell", FIRST + 1000)
        whole = time.monotonic() - begun
        wanted = json.loads(ask(alone, "made"))
        died, again = 0, 0
        while died < kills:
            if not again % 6:  # each half dozen of the killed begins anew
                shutil.rmtree(killed, ignore_errors=True)
                shutil.copytree(played, killed)
            worker = begin(killed, "tell", FIRST + 1000 + LATER * (again % 6))
            worker.stdout.readline()
            time.sleep(chance.uniform(0, whole / 2))
            died += worker.poll() is None
            worker.send_signal(signal.SIGKILL)
            worker.communicate()
            again += 1
            if not again % 6 or died == kills:
                ask(killed, "tell", FIRST + 1000 + LATER * 7)
                wrong = differences(wanted, json.loads(ask(killed, "made")))
                if wrong:
                    return wrong
    mailed = sum(len(lines) for lines in wanted[1].values())
    assert mailed, "there was nothing to tell"
    print(
        f"{died} workers killed as they made {len(wanted[0])} notices, {mailed} of them mailed: none lost, none "
        "there twice"
    )
    return []


def differences(wanted, found):
    """What differs between what was to be told, and what is told by those of whom some were killed."""
    wrong = []
    for what, one, two in zip(("notices", "mails"), wanted, found, strict=True):
        one, two = (sorted(each) if isinstance(each, list) else each for each in (one, two))
        if one != two:
            wrong.append(f"{what}: {one} were wanted, {two} are there")
    return wrong


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in ("play", "tell", "made"):
        import django

        django.setup()
        {"play": play, "tell": tell, "made": made}[sys.argv[1]](*sys.argv[2:])
        sys.exit(0)
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    found = run(**vars(parser.parse_args()))
    for each in found:
        print(each)
    sys.exit(bool(found))

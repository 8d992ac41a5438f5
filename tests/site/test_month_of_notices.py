"""Weeks of play by bots: what all players are mailed through a local server, and what not. The soak plays a month."""

import os
import re
import socket
from collections import Counter
from email import policy
from email.parser import BytesParser

import pytest
from aiosmtpd.controller import Controller
from pagewords import grant

from nomopoly.lab.bots import LEAVING, Bot
from nomopoly.site.notices.models import Notice
from nomopoly.site.post import office
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import domain, life, live

NAMES = ("Ann", "Ben", "Cid", "Dot")
POLICIES = ("greedy", "random", "careful", "random")
DAYS = 28 if os.environ.get("NOMOPOLY_SOAK") else 9
LOOKS = 4  # a day
PAUSE = {22: {"because": "A day off"}, 26: {}}  # at these looks the Admin pauses, and resumes
SECRET = "the planted ace"


class Box:
    """A mail server that keeps what it is given: [(to, subject, text)]."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, _server, _session, envelope):
        said = BytesParser(policy=policy.default).parsebytes(envelope.content)
        parts = "".join(part.get_content() for part in said.walk() if part.get_content_maintype() == "text")
        self.mails += [(to.partition("@")[0], str(said["Subject"]), parts) for to in envelope.rcpt_tos]
        return "250 taken"


@pytest.fixture
def box(settings):
    """A local mail server, to which the site sends."""
    kept = Box()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.EMAIL_HOST, settings.EMAIL_PORT = free.getsockname()
    server = Controller(kept, hostname=settings.EMAIL_HOST, port=settings.EMAIL_PORT)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    yield kept
    server.stop()


@pytest.mark.parametrize("edition", ["ii", "iv"])
def test_of_weeks_of_play_everybody_is_mailed_each_thing_once_as_long_as_it_holds(
    edition, box, start_second, told, people, keeper
):
    game, go = start_second(*NAMES, edition=edition)
    if edition == "ii":
        grant(game, "Ann", "cards", [SECRET])
    bots = [Bot(name, policy, name, avoids=LEAVING) for name, policy in zip(NAMES, POLICIES, strict=True)]
    known = set()
    for look in range(DAYS * LOOKS):
        if look in PAUSE:
            assert domain.desk_act(game, "resume" if look == max(PAUSE) else "pause", PAUSE[look]).ok
        for _ in range(24 // LOOKS):
            life.sign(live.now())
            go(1 / 24)
        with domain.acting(game) as running:
            bots[look % len(bots)].play(running, live.now())
        told()
        while office.deliver():
            pass
        sent = Notice.objects.filter(mail="sent", kind__in=("asked", "due", "vote")).exclude(pk__in=known)
        for notice in sent:
            known.add(notice.pk)
            assert open_to(game, notice) is not False, (notice.kind, notice.text, notice.path)

    letters = Letter.objects.all()
    assert all(each.sent for each in letters)
    assert Counter(to for to, _, _ in box.mails) == Counter(each.to.partition("@")[0] for each in letters)
    told_once = Counter(Notice.objects.filter(kind__in=("asked", "vote")).values_list("user", "kind", "path", "text"))
    assert [what for what, often in told_once.items() if often > 1 and "/answer/" not in what[2]] == []
    assert {"asked", "happened"} <= set(Notice.objects.filter(mail="sent").values_list("kind", flat=True))
    for name in NAMES:
        mails = [text for to, _, text in box.mails if to == name.lower()]
        assert 0 < len(mails) <= 8 * DAYS / 7 + 4, f"{name}: {len(mails)} mails in {DAYS} days"
        if name != "Ann":
            assert SECRET not in "".join(mails)


def open_to(game, notice):
    """Whether what a notice is about waits for its reader still, found without the notices; None where it names no
    thing."""
    name = notice.user.email.partition("@")[0].capitalize()
    view = live.of(game).view(name)
    offer, vote = re.search(r"trades/([\w-]+)/", notice.path), re.search(r"proposals/(\d+)/", notice.path)
    if offer:
        thing = view["things"].get(offer[1], {})
        return name in thing.get("parties", ()) and name not in thing.get("agreed", ())
    if vote:
        proposal = view["things"][f"P{vote[1]}"]
        return proposal["closes_at"] > live.now() and proposal["id"] not in view.get("ballots", {})
    return None

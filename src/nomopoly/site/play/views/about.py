"""About a game: the Admin's own words, how its dice are checked, and its journal as a file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.runtime.sealing import shown_line
from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import pages, talk, words
from nomopoly.site.tables.journal import DatabaseJournal, DatabaseOutcomes

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


TEN_LINES = """import hashlib, hmac, json

def entropy(secret, entry):
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.digest(bytes.fromhex(secret), text.encode(), "sha256").hex()

def draw(entropy, number, outcomes):
    block = hashlib.sha256(f"{entropy}:{number // 8}".encode()).hexdigest()
    at = number % 8 * 8
    return int(block[at : at + 8], 16) * outcomes >> 32

commitment = lambda secret: hashlib.sha256(bytes.fromhex(secret)).hexdigest()
"""


@require_safe
@seated("about")
def about(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page that says what this game is, and who runs it."""
    entries = seat.live.facts(seat.viewer)
    return pages.show(
        seat,
        "play/about.html",
        words=words.markdown(seat.game.about),
        host=seat.game.host,
        readers=talk.readers(seat.game).label,
        numbers=[
            (_("Opened"), formats.moment(entries.opened_at())),
            (_("Entries in the log"), len(entries)),
            (_("Players now"), len(pages.players(seat.view))),
            (_("Rules in force"), len(seat.live.records())),
            (_("Times the rules have changed"), len(seat.live.book_history()) - 1),
            (_("Entries in which dice were rolled"), len(entries.having("dice"))),
        ],
    )


@require_safe
@seated("about")
def dice(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which anybody can check the dice."""
    entries = seat.live.facts(seat.viewer)
    rolled = entries.where(open_to_all=True).having("dice")[-1:]
    return pages.show(
        seat,
        "play/dice.html",
        id=(opening := entries[0]["args"])["id"],
        older="hidden_commitment" not in opening,
        **published(entries),
        head=seat.live.head,
        ten_lines=TEN_LINES,
        example=rolled[-1] if rolled else None,
    )


def published(entries: Log | Kept) -> dict[str, list[Any]]:
    """What a log says of the secrets of the dice: {"commitments", "secrets"}, each [(entry, which draws, hex text)]."""
    found: Data = {"commitments": [], "secrets": []}
    for entry in entries.where(kind=("open", "reveal")):
        args = entry["args"]
        for part, names in (
            ("commitments", (("commitment", "open"), ("hidden_commitment", "hidden"))),
            ("secrets", (("secret", "open"), ("hidden", "hidden"))),
        ):
            found[part] += [(entry, draws, args[name]) for name, draws in names if args.get(name)]
        found["secrets"] += [(entry, "earlier", secret) for secret in args.get("earlier", ())]
    return found


def journal_lines(seat: Seat) -> Iterator[Data]:
    """The journal as this viewer may have it: every part of it that they may see, each with what proves it.

    That somebody asked to join stays once they were approved, since nothing could be carried out again without it.
    """
    seat.live.ask(lambda running: running.n)  # what came of each entry is there, once the game has been taken up
    outcomes = dict(DatabaseOutcomes(seat.game.pk).get())
    lines = list(DatabaseJournal(seat.game.pk).lines())
    approved = {line["args"].get("player") for line in lines if line["do"] == "approve-player"}
    for line in lines:
        known = line["kind"] == "join" and line["by"] in approved
        yield shown_line(line, outcomes.get(line["n"], {}), seat.viewer, known)


@require_safe
@seated("about")
def export(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page about the journal, or the journal itself as a file."""
    if request.GET.get("file") != "journal":
        withheld = sum(1 for line in journal_lines(seat) if "withheld" in line)
        return pages.show(seat, "play/export.html", withheld=withheld, entries=seat.live.n + 1)
    return journal_file(seat)


def journal_file(seat: Seat) -> HttpResponse:
    """The journal as this viewer may have it, as a gzipped file."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in journal_lines(seat))
    body = gzip.compress(text.encode(), mtime=0)
    return pages.plain_file(body, "application/gzip", f"{seat.game.slug}.jsonl.gz")

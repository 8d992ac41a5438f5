"""About a game: the Admin's own words, how its dice are checked, and its journal as a file."""

import gzip
import json

from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import pages, words
from nomopoly.site.tables.journal import DatabaseJournal

TEN_LINES = """import hashlib, hmac

def entropy(secret, game_id, n):
    return hmac.digest(bytes.fromhex(secret), f"{game_id}:{n}".encode(), "sha256").hex()

def draw(entropy, number, outcomes):
    block = hashlib.sha256(f"{entropy}:{number // 8}".encode()).hexdigest()
    at = number % 8 * 8
    return int(block[at : at + 8], 16) * outcomes >> 32

commitment = lambda secret: hashlib.sha256(bytes.fromhex(secret)).hexdigest()
"""


@require_safe
@seated("about")
def about(request, seat):
    entries = seat.live.facts(seat.viewer)
    rolls = sum(1 for entry in entries for fact in entry["facts"] if fact.get("dice"))
    return pages.show(
        seat,
        "play/about.html",
        words=words.markdown(seat.game.about),
        numbers=[
            ("Opened", words.moment(entries[0]["at"])),
            ("Entries in the log", len(entries)),
            ("Players now", len(pages.players(seat.view))),
            ("Rules in force", len(seat.live.records())),
            ("Times the rules have changed", len(seat.live.book_history()) - 1),
            ("Rolls of the dice", rolls),
        ],
    )


@require_safe
@seated("about")
def dice(request, seat):
    entries = seat.live.facts(seat.viewer)
    revealed = [entry for entry in entries if entry["kind"] == "reveal"]
    rolled = [
        entry for entry in entries if any(fact.get("dice") for fact in entry["facts"]) and entry["number"] is not None
    ]
    return pages.show(
        seat,
        "play/dice.html",
        id=entries[0]["args"]["id"],
        commitments=[(entries[0], entries[0]["args"]["commitment"])]
        + [(entry, entry["args"]["commitment"]) for entry in revealed],
        secrets=[(entry, entry["args"]["secret"]) for entry in revealed],
        head=seat.live.head,
        ten_lines=TEN_LINES,
        example=rolled[-1] if rolled else None,
    )


def journal_lines(seat):
    """The journal as this viewer may have it: an order that is private to others is withheld but for its hashes.

    That somebody asked to join stays, since nothing could be replayed without it.
    """
    seen = {entry["n"] for entry in seat.live.facts(seat.viewer)}
    for line in DatabaseJournal(seat.game.pk).lines():
        kept = ("n", "at", "kind", "prev", "out", "hash")
        yield (
            line
            if line["n"] in seen or line["kind"] == "join"
            else {key: line[key] for key in kept} | {"withheld": True}
        )


@require_safe
@seated("about")
def export(request, seat):
    if request.GET.get("file") != "journal":
        withheld = sum(1 for line in journal_lines(seat) if "withheld" in line)
        return pages.show(seat, "play/export.html", withheld=withheld, entries=seat.live.n + 1)
    return journal_file(seat)


def journal_file(seat):
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in journal_lines(seat))
    body = gzip.compress(text.encode(), mtime=0)
    return pages.plain_file(body, "application/gzip", f"{seat.game.slug}.jsonl.gz")

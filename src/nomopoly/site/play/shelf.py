"""The library of rules: those that come with the program, those that the operators of the site have added, and those of
games that players have offered and the operators have accepted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from nomopoly.errors import CommandError
from nomopoly.rulebook import library
from nomopoly.rulebook.library import Entry
from nomopoly.rulebook.outline import declared_by
from nomopoly.rulebook.source import prose, read_text
from nomopoly.rulebook.words import sentence_of
from nomopoly.site import limits
from nomopoly.site.play import books
from nomopoly.site.play.models import Example, LibraryRule

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Commons, Data
    from nomopoly.site.tables.models import Game


LONGEST = 60_000  # characters of a program or a prose that is offered


def of_row(row: LibraryRule) -> Entry:
    """A row as a rule of the library."""
    return library.Entry(
        row.slug, row.title, row.about, row.text, row.params, row.code, row.run, "", row.edition, row.example
    )


def entries(wanted: str = "") -> list[Any]:
    """The rules of the library that hold all words of what is looked for, by the title that the reader sees."""
    every = [*library.shipped(), *(of_row(row) for row in LibraryRule.objects.filter(accepted=True))]
    found = [each for each in every if library.search((each, here(each)), wanted)]
    return sorted(found, key=lambda each: (here(each).title.casefold(), each.name))


def here(entry: Entry) -> Entry:
    """A rule of the library as the reader's language says it."""
    return library.here(entry, get_language() or "en")


def find(name: str) -> Entry | None:
    """A rule of the library, or None."""
    row = LibraryRule.objects.filter(slug=name, accepted=True).first()
    return of_row(row) if row else next((each for each in library.shipped() if each.name == name), None)


def held(name: str) -> dict[Any, Any] | None:
    """Where a rule holds or held: {"game", "rule", "since"}, None where that is not known or not public."""
    row = LibraryRule.objects.filter(slug=name).select_related("game").first()
    if row is None or row.game is None or row.game.visibility != "public":
        return None
    return {"game": row.game, "rule": row.rule, "since": row.held_since}


def lacking(entry: Entry, records: list[Data], commons: Commons) -> list[Any]:
    """What a rule names that a game does not declare, in words."""
    return [f"{what} “{name}”" for what, name in library.missing(entry, declared_by(records, commons))]


def may_offer(seat: Seat, record: Data | None) -> bool:
    """Whether the viewer can offer a rule of this game to the library."""
    public = seat.game.visibility == "public" and not seat.trial and seat.role in ("player", "former")
    return public and record is not None and record["made_by"] != "opening" and not is_offered(seat.game, record["id"])


def is_offered(game: Game, rule: str) -> bool:
    """Whether a rule of a game is in the library already."""
    return LibraryRule.objects.filter(game=game, rule=rule).exists()


def offer(seat: Seat, id: str) -> str:
    """Offer a rule of a game to the library. Returns why not, or ""."""
    record = next((each for each in seat.live.records() if each["id"] == id), None)
    if record is None or not may_offer(seat, record):
        return _(
            "This rule cannot be offered: it is one that players have made, in a public game, and not offered before."
        )
    if len(record["code"]) + len(record["text"]) > LONGEST:
        return _("This rule is too long for the library.")
    if refusal := limits.refusal(seat.user, "library"):
        return refusal
    limits.note(seat.user, "library")
    title = record["title"] or f"Rule {id} of {seat.game.title}"
    kept = Example.objects.filter(game=seat.game, proposal=record["made_by"]).first()
    LibraryRule.objects.create(
        slug=free_name(title), title=title[:200], about=sentence_of(record)[:500] or prose(record)[:500],
        text=record["text"], params=record["params"], code=record["code"], edition=seat.game.edition,
        example=kept.text if kept else "", game=seat.game, rule=id, user=seat.user,
        held_since=datetime.fromtimestamp(books.began(record, books.history(seat)), UTC),
    )  # fmt: skip
    return ""


def free_name(title: str) -> str:
    """A name for a rule that no other one has."""
    name = slugify(title)[:60] or "rule"
    taken = {each.name for each in library.shipped()} | set(LibraryRule.objects.values_list("slug", flat=True))
    return next(each for each in (name, *(f"{name}-{at}" for at in range(2, 10_000))) if each not in taken)


# ---- for operators


def to_text(entry: Entry) -> str:
    """A rule as the text of its file."""
    parts = {"title": entry.title, "about": entry.about, "text": entry.text, "params": entry.params}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items() if value]
    for name, program in (("code", entry.code), ("run", entry.run)):
        lines += [f"{name}: |", *(f"  {line}".rstrip() for line in program.split("\n"))] if program else []
    return "\n".join(lines) + "\n" + (f"---\n{entry.example}" if entry.example else "")


def offered() -> list[Any]:
    """What players have offered, and nobody has decided yet."""
    return list(LibraryRule.objects.filter(accepted=False).select_related("game"))


def add(file: Path) -> str:
    """Put a file into the library. Returns its name. Raises CommandError."""
    path = Path(file)
    entry = library.read(path.stem, read_text(path))
    name = free_name(path.stem)
    LibraryRule.objects.create(
        slug=name, title=entry.title[:200], about=entry.about[:500], text=entry.text, params=entry.params,
        code=entry.code, run=entry.run, edition=entry.edition, example=entry.example, accepted=True,
    )  # fmt: skip
    return name


def decide(name: str, accepted: bool) -> None:
    """Take an offered rule into the library, or take a rule out of it. Raises CommandError."""
    row = LibraryRule.objects.filter(slug=name).first()
    if row is None:
        raise CommandError(f"there is no rule {name} that was added or offered")
    if accepted:
        row.accepted = True
        row.save(update_fields=["accepted"])
    else:
        row.delete()

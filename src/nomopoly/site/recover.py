"""Puts a game back whose journal in the database is not what was acknowledged: its entries come from its witness."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomopoly.errors import CommandError
from nomopoly.runtime.entropy import commitment, new_secret
from nomopoly.runtime.host import load_game
from nomopoly.runtime.journal import JournalError, canonical, moment_of, parse_line, read_file, write_file
from nomopoly.runtime.verify import chained, check_line
from nomopoly.site import files

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


ELSEWHERE = (
    "Votes that were waiting, seats, forum and settings are not in a journal: what was lost of these with the "
    "entries is not "
    "put back. Look at the game's desk before you start the site again."
)


def recover(slug: str, data: Path, as_it_is: bool = False) -> int:
    """Make the journal of a game what its witness says; with `as_it_is`, take the database's for the truth instead."""
    files.opened(data)
    from nomopoly.site.tables import witness

    game = files.find(slug)
    path = witness.path_of(game.pk)
    if path is None or not path.exists():
        raise CommandError(f"{slug}: there is no witness of this game, so there is nothing to put it back from")
    if as_it_is:
        return begin_again(game, path)
    try:
        lines = list(chained(read_file(path)))
    except JournalError as error:
        raise CommandError(
            f"{path}: the witness is not in order itself: {error}. To go on with the database as it is, say --as-it-is"
        ) from error
    changed, left_out = put_back(game, lines, path)
    if changed or left_out:
        recompute(game)
    told = f"{changed} entries put back" if changed else "no entry was missing or altered"
    print(f"{game.title}: {told}; its journal ends with entry {lines[-1]['n']}, hash {lines[-1]['hash']}")
    if left_out:
        print(
            f"{left_out} entries of the database did not follow from that: they are in {path.with_suffix('.left-out')}"
        )
    if changed:
        print(ELSEWHERE)
    return 0


def begin_again(game: Game, path: Path) -> int:
    """Put the witness aside and begin a new one from the database, if that is in order."""
    from nomopoly.site.tables import witness

    try:
        n, last = witness.check_chain(game.pk)
    except witness.Damaged as damaged:
        raise CommandError(
            f"{game.slug}: the database is not in order either: {damaged.problem}. Restore a copy of it, or import "
            "the game"
        ) from damaged
    aside = path.with_name(f"{path.stem}.{secrets.token_hex(4)}.aside")
    path.rename(aside)
    recompute(game)
    witness.keep_up(game.pk)
    print(f"{game.title}: goes on after entry {n}, hash {last}. What was acknowledged beyond that is in {aside}")
    return 0


def put_back(game: Game, lines: list[Data], path: Path) -> tuple[int, int]:
    """Write the lines of the witness into the database. Returns how many were changed, and how many of it left out."""
    from django.db import transaction

    from nomopoly.site.tables.models import Entry

    with transaction.atomic():
        there = dict(Entry.objects.filter(game=game).values_list("n", "line"))
        changed = [line for line in lines if there.get(line["n"]) != canonical(line)]
        beyond = [n for n in sorted(there) if n > lines[-1]["n"]]
        rest = follow(lines[-1], [there[n] for n in beyond])
        if rest:
            write_file(path.with_suffix(".left-out"), iter(rest))
            Entry.objects.filter(game=game, n__gte=rest[0]["n"]).delete()
        for line in changed:
            values = {"line": canonical(line), "hash": line["hash"]}
            Entry.objects.update_or_create(game=game, n=line["n"], defaults=values)
    return len(changed), len(rest)


def follow(last: Data, texts: list[Any]) -> list[Data] | list[Any]:
    """Of lines that come after `last`: those that do not follow from it, in order."""
    lines = [parse_line(text, "a line of the database") for text in texts]
    moment = moment_of(last["at"])
    for at, line in enumerate(lines):
        try:
            moment, _ = check_line(line, last["n"] + 1, last["hash"], moment)
        except JournalError:
            return lines[at:]
        last = line
    return []


def recompute(game: Game) -> None:
    """Throw away what was computed from another journal, and compute it again."""
    from django.db import transaction

    from nomopoly.site.tables import lines, readings, waypoints
    from nomopoly.site.tables.journal import DatabaseBallots, DatabaseJournal, DatabaseOutcomes
    from nomopoly.site.tables.models import Outcome, Snapshot

    with transaction.atomic():
        Snapshot.objects.filter(game=game).delete()
        Outcome.objects.filter(game=game).delete()
        readings.forget(game)
        lines.forget(game.pk)
        waypoints.forget(game.pk)
        again = partial(
            load_game,
            DatabaseJournal(game.pk),
            outcomes=DatabaseOutcomes(game.pk),
            ballots=DatabaseBallots(game.pk),
            runtime=game.runtime,
        )
        try:
            running = again(secret=game.secret)
        except JournalError:  # its secret was changed by an entry that was lost, and lost with it
            game.secret = new_secret()
            running = again()
            running.submit("reveal", None, None, {"secret": None, "commitment": commitment(game.secret)}, running.now)
        game.due = running.due()
        game.over = game.due is None and running.over()
        game.save(update_fields=["secret", "due", "over"])
        running.runtime.close()

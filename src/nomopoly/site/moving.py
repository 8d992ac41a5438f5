"""One game as a file that moves to another site with all that the site keeps of it, and goes on there as if nothing had
happened.

The file is a gzipped tar like a backup's (keeping.py): `manifest.json`, `journal.jsonl.gz` as `nomopoly export` writes
it, and `tables/<app>.<model>.jsonl` with the rows that belong to the game, `tables.game` with its secrets among them.
Whose account a row belongs to stays behind: players take up their seats by the links that the new site gives
(tables/seats.py).
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.models import EmailField

from nomopoly import __version__
from nomopoly.errors import CommandError
from nomopoly.runtime import files as journals
from nomopoly.runtime.host import load_game
from nomopoly.runtime.interpreters.text import named
from nomopoly.runtime.journal import MemoryJournal, read_file
from nomopoly.site import files, keeping
from nomopoly.site.tables.slugs import check_slug, free_slug

if TYPE_CHECKING:
    from django.db.models import Field, Model

    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


GAME = "tables.game"
JOURNAL = "journal.jsonl.gz"
# What moves, each after what it points to.
MOVES = (
    "tables.membership",
    "tables.botseat",
    "tables.standinganswer",
    "tables.holiday",
    "tables.tablequestion",
    "tables.tableanswer",
    "tables.ballot",
    "tables.ballotsalt",
    "tables.fault",
    "play.thread",
    "play.forum",
    "play.comment",
    "play.example",
    "play.foreseen",
    "play.successor",
    "desk.mended",
)
# What stays: it belongs to an account or to the old site, or the new one computes it from the journal.
STAYS = {
    "accounts.apikey": "an account's",
    "bymail.received": "an account's",
    "desk.namesseen": "the Admin's reading",
    "notices.notice": "an account's",
    "notices.watch": "made anew",
    "notices.watched": "an account's",
    "notices.wish": "an account's",
    "order.complaint": "to the operators of the old site",
    "order.silence": "of an account",
    "play.draft": "an account's",
    "play.libraryrule": "the old site's library",
    "play.mute": "an account's",
    "play.note": "an account's",
    "play.report": "an account's",
    "post.letter": "mails of the old site",
    "post.target": "hooks of the old site",
    "tables.entry": "in the journal",
    "tables.logline": "computed",
    "tables.outcome": "computed",
    "tables.reading": "computed",
    "tables.snapshot": "computed",
    "tables.visit": "an account's",
    "tables.waypoint": "computed",
    "trial.trial": "an account's",
}
RECKONED = ("recount", "lined", "idle_n", "idle_at")  # of what a site has in its own database
OFFICES = ("admin_id", "starter_id", "successor", "successor_until")
OWN = ("id", "slug", *OFFICES, "due", "moved", "away_since", "away_until", "demo", *RECKONED)


# ---- out


def pack(slug: str, file: Path, data: Path) -> int:
    """Write a game as a file that moves. It must have been stopped, or two sites would play on. Raises CommandError."""
    files.opened(data)
    game = files.find(slug)
    if not is_stopped(game):
        raise CommandError(
            f"{slug} goes on here: stop it first, with `nomopoly stop {slug} --because 'It moves to ...'`, and let "
            "it go on there "
            f"with `nomopoly resume`"
        )
    from nomopoly.site.order import acts, operating
    from nomopoly.site.tables.journal import DatabaseJournal

    with keeping.at_one_moment(), tempfile.TemporaryDirectory() as folder:
        count = journals.export(DatabaseJournal(game.pk), Path(folder, JOURNAL))
        rows = write_rows(game, Path(folder))
        manifest = {
            "form": keeping.FORM,
            "version": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "game": slug,
            "migrations": keeping.applied(),
            "rows": rows,
        }
        Path(folder, "manifest.json").write_text(json.dumps(manifest, indent=1), "utf-8")
        keeping.write_archive(Path(folder), file)
    acts.note(None, operating.MOVED, f"game {slug}", f"Written to {file.name}")
    print(
        f"{file}: {count} entries of {game.title} and its secrets. Keep it as you keep passwords; on the new site: "
        "nomopoly import"
    )
    return 0


def is_stopped(game: Game) -> bool:
    """Whether an operator has stopped a game, or it is over."""
    from nomopoly.site.tables import live

    try:
        stands = live.of(game).view("admin")["things"]["game"]
    finally:
        live.close_all()
    return bool(stands.get("over")) or stands.get("operator_stop") is not None


def write_rows(game: Game, folder: Path) -> Data:
    """Write the rows of a game, each table as a file. Returns {table: rows}."""
    from django.apps import apps

    Path(folder, "tables").mkdir()
    counts = {}
    for label in (GAME, *MOVES):
        model = apps.get_model(label)
        rows = model._base_manager.filter(**{way_to_game(model): game.pk}).order_by("pk")
        counts[label] = keeping.write_table(rows, Path(folder, "tables", f"{label}.jsonl"), but=users_of(model))
    return counts


def users_of(model: type[Any]) -> list[Any]:
    """The columns of a table that hold accounts, or addresses of mail."""
    fields = model._meta.concrete_fields
    return [each.attname for each in fields if label_of(each) == "accounts.user" or isinstance(each, EmailField)]


def label_of(field: Field[Any, Any]) -> str:
    """The table that a column points to; "" if it points to none."""
    return field.related_model._meta.label_lower if field.related_model is not None else ""


def way_to_game(model: type[Any]) -> str:
    """How a query gets from a table to its game: "pk", "game_id", "seat__game_id"."""
    if model._meta.label_lower == GAME:
        return "pk"
    ways = {label_of(each): each for each in model._meta.concrete_fields}
    if GAME in ways:
        return ways[GAME].attname
    step = next(each for label, each in ways.items() if label in MOVES)
    return f"{step.name}__{way_to_game(step.related_model)}"


# ---- in


def take_in(file: Path, slug: str | None, admin: str | None, data: Path, accept_problems: bool = False) -> int:
    """Take up a game that moves here, as it was stopped there. Its journal is verified and its programs checked. Raises
    CommandError."""
    check_slug(slug)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        manifest = keeping.unpacked(file, folder)
        if "game" not in manifest:
            raise CommandError(f"{file}: this is a backup of a whole site: `nomopoly restore` takes it")
        verified = files.checked(folder / JOURNAL, file, accept_problems)
        files.opened(data, new=True)
        if manifest.get("migrations") != [list(each) for each in keeping.applied()]:
            raise CommandError(
                f"{file}: it was made by version {manifest.get('version')}, and this is {__version__}: bring both "
                "sites to the same one"
            )
        office = files.account(admin) if admin else None
        with in_one_sentence(file):
            (row,) = keeping.read_rows(folder / "tables" / f"{GAME}.jsonl")
            if office is not None:
                row["office"] = "person"
            game = store(folder, manifest["rows"], row, slug or free_slug(row["slug"]), office)
    print(f"{game.title}: {verified.entries} entries, at {game.address}")
    files.tell_what_is_left(game, verified)
    return 0


@contextlib.contextmanager
def in_one_sentence(file: Path) -> Iterator[None]:
    """Within this, whatever is wrong with the tables of a file ends in one CommandError."""
    from django.core.exceptions import ValidationError
    from django.db import DatabaseError

    try:
        yield
    except (KeyError, ValueError, TypeError, AttributeError, OSError, ValidationError, DatabaseError) as error:
        if isinstance(error, CommandError):
            raise
        what = f"{type(error).__name__}: {error}"
        raise CommandError(f"{file}: the tables in it are damaged, and nothing was taken in ({what})") from error


def store(folder: Path, counts: dict[str, int], row: Data, slug: str, admin: User | None) -> Game:
    """Keep a game and its rows, in one transaction. `counts`: how many rows each table has."""
    import secrets

    from django.apps import apps
    from django.db import transaction

    from nomopoly.site.tables import witness
    from nomopoly.site.tables.lines import catch_up
    from nomopoly.site.tables.models import Game
    from nomopoly.site.tables.signals import game_opened

    if Game.objects.filter(slug=slug).exists():
        raise CommandError(f"there is a game '{slug}' already: say another --slug")
    lines = list(read_file(folder / JOURNAL))
    kept = {name: row[name] for name in ("secret", "vault", "earlier")}
    options = {"runtime": named("monty", row["kernel"]), "vault": row["vault"] or None}
    running = load_game(MemoryJournal(lines), **kept | options)
    own = {"slug": slug, "admin": admin, "invitation": secrets.token_urlsafe(12), "recount": True}
    values = {name: value for name, value in keeping.values_of(Game)(row).items() if name not in OWN} | own
    with transaction.atomic():
        game = Game.objects.create(**values | files.columns_of(running))
        files.keep_lines(game, running)
        places = {GAME: {row["id"]: game.pk}}
        for label in MOVES:
            places[label] = read_rows(apps.get_model(label), folder, places)
            if len(places[label]) != counts.get(label, 0):
                raise ValueError(f"{label} has {len(places[label])} rows of {counts.get(label, 0)}")
        game_opened.send(sender=Game, game=game)
    catch_up(game.pk, running)
    running.runtime.close()
    witness.keep_up(game.pk)
    return game


def read_rows(model: type[Model], folder: Path, places: dict[str, dict[int, int]]) -> dict[int, int]:
    """Write the rows of a table, which point to what is here what they pointed to there. Returns {number there: number
    here}."""
    label = model._meta.label_lower
    path = folder / "tables" / f"{label}.jsonl"
    pointing = {each.attname: label_of(each) for each in model._meta.concrete_fields if label_of(each) in places}
    old, made = [], []
    values_of = keeping.values_of(model)
    for row in keeping.read_rows(path) if path.exists() else ():
        old.append(row.pop("id"))
        moved = {name: places[where][row[name]] for name, where in pointing.items()}
        made.append(model(**values_of(row) | moved))
    return dict(zip(old, [each.pk for each in model._base_manager.bulk_create(made, keeping.AT_ONCE)], strict=True))

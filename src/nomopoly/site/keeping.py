"""A site as one file, and a site from that file: every table, the key that signs sessions and addresses in mails, the
operator's pages.

The file is a gzipped tar: `manifest.json` (when it was made, by which version, up to which migrations, rows of each
table), `tables/<app>.<model>.jsonl` with one row a line, `secret-key`, `push-key.pem` and `pages/*.md` where they are.
It is the same for SQLite and PostgreSQL, so that a site can move from the one to the other. What can be computed again
(snapshots) and sessions are left out.

A backup is of one moment, while the site goes on. A restored site begins with the tables as they were then, in the form
that they had, and is brought up to date afterwards: a backup of an older version can be restored by a newer one.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

from django.apps.registry import Apps
from django.db.migrations.executor import MigrationExecutor

from nomopoly import __version__
from nomopoly.errors import CommandError
from nomopoly.runtime.files import whole
from nomopoly.site import files
from nomopoly.site.serve import looked_at, prepare

if TYPE_CHECKING:
    from django.db.migrations.graph import MigrationGraph
    from django.db.models import Field, Model, QuerySet

    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


FORM = 1
LEFT_OUT = (
    "contenttypes.contenttype",
    "auth.permission",
    "sessions.session",
    "tables.snapshot",
    "tables.process",
    "tables.home",
    "order.kept",
    "order.knock",
)
AT_ONCE = 500
KEY = "secret-key"
KEY_GIVEN = "NOMOPOLY_SECRET_KEY"  # in the environment, instead of the file
OTHERS = ("push-key.pem", "pages/*.md")  # files of the data folder that are kept besides


# ---- making one


def backup(file: Path, data: Path) -> int:
    """Write a site as one file, while it runs; to standard output where `file` is `-`. Prints how many games and
    accounts it has."""
    files.opened(data)
    with at_one_moment(), tempfile.TemporaryDirectory() as folder:
        counts = write_tables(Path(folder))
        manifest = {
            "form": FORM,
            "version": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "migrations": applied(),
            "rows": counts,
        }
        Path(folder, "manifest.json").write_text(json.dumps(manifest, indent=1), "utf-8")
        copy_files(Path(data), Path(folder), () if KEY_GIVEN in os.environ else (KEY,))
        write_archive(Path(folder), file)
    told = f"{file}: {counts['tables.game']} games, {counts['accounts.user']} accounts, {sum(counts.values())} rows"
    if KEY_GIVEN in os.environ:
        told += f". The key of the installation is not in it: keep {KEY_GIVEN} too"
    print(told, file=sys.stderr if str(file) == "-" else sys.stdout)
    return 0


def copy_files(source: Path, target: Path, more: tuple[()] | tuple[str] = ()) -> None:
    """Copy what a data folder holds beside its database, as far as the other folder lacks it; readable by its owner
    alone."""
    for pattern in (*OTHERS, *more):
        for path in source.glob(pattern):
            copy = target / path.relative_to(source)
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                with open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    file.write(path.read_bytes())


@contextlib.contextmanager
def at_one_moment() -> Iterator[None]:
    """Within this, the database is read as it is now, and nobody waits for it."""
    from django.db import connection, transaction

    if connection.vendor == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "copy.sqlite3")
            source = sqlite3.connect(connection.settings_dict["NAME"])
            target = sqlite3.connect(copy)
            with contextlib.closing(source), contextlib.closing(target):
                source.backup(target)
            connection.close()
            name, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], copy
            try:
                yield
            finally:
                connection.close()
                connection.settings_dict["NAME"] = name
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def kept_models(apps: Apps) -> list[Any]:
    """The models whose tables are in a backup."""
    found = [
        model for model in apps.get_models(include_auto_created=True) if model._meta.managed and not model._meta.proxy
    ]
    return [model for model in found if model._meta.label_lower not in LEFT_OUT]


def write_tables(folder: Path) -> dict[Any, Any]:
    """Write each table as a file. Returns {table: rows}."""
    from django.apps import apps

    Path(folder, "tables").mkdir()
    counts = {}
    for model in kept_models(apps):
        label = model._meta.label_lower
        counts[label] = write_table(model._base_manager.order_by("pk"), Path(folder, "tables", f"{label}.jsonl"))
    return counts


def write_table(rows: QuerySet[Any], path: Path, but: Iterable[str] = ()) -> int:
    """Write rows, one a line, without the columns `but`. Returns how many."""
    fields = [field for field in rows.model._meta.concrete_fields if field.attname not in but]
    count = 0
    with open(path, "w", encoding="utf-8") as lines:
        for row in rows.iterator(AT_ONCE):
            lines.write(json.dumps({field.attname: plain(field, row) for field in fields}) + "\n")
            count += 1
    return count


def plain(field: Field[Any, Any], row: Model) -> Any:
    """The value of a column as JSON has it."""
    value = field.value_from_object(row)
    return value if value is None or type(value) in (str, int, float, bool, list, dict) else field.value_to_string(row)


def applied() -> list[Any]:
    """The migrations that the database has: [[app, name]]."""
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def write_archive(folder: Path, file: Path) -> None:
    """Put the files of a folder into a gzipped tar, the manifest first; nothing half-written stands under its name."""
    names = ["manifest.json", *sorted(each.name for each in folder.iterdir() if each.name != "manifest.json")]
    if str(file) == "-":
        with tarfile.open(fileobj=sys.stdout.buffer, mode="w|gz") as archive:
            for name in names:
                archive.add(folder / name, name)
        return
    private = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with whole(file) as part, open(os.open(part, private, 0o600), "wb") as target:
        with tarfile.open(fileobj=target, mode="w|gz") as archive:
            for name in names:
                archive.add(folder / name, name)
        target.flush()
        os.fsync(target.fileno())


# ---- taking one up


def restore(file: Path, data: Path) -> int:
    """Make a site from a backup, in a folder (or a PostgreSQL database) that holds none yet; from standard input where
    `file` is `-`.

    Raises CommandError.
    """
    with tempfile.TemporaryDirectory() as folder:
        manifest = unpacked(file, Path(folder))
        if "game" in manifest:
            raise CommandError(f"{file}: this is one game that moves: `nomopoly import` takes it")
        must_be_empty(data)
        if Path(folder, KEY).exists():  # what was encrypted with it is read with no other one
            Path(data, KEY).unlink(missing_ok=True)
        copy_files(Path(folder), Path(data), (KEY,))
        with whole_or_not(Path(data)):
            executor = migrated(manifest)
            counts = read_tables(executor, Path(folder), manifest)
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    told = look_through()
    print(
        f"{data}: {counts['tables.game']} games, {counts['accounts.user']} accounts, as they were at "
        f"{manifest['made']}{told}"
    )
    return 0


def must_be_empty(data: Path) -> None:
    """Set Django up on a folder for a new site. Raises CommandError where a site has begun there: a database without
    tables is none, nor is a key beside it; `nomopoly doctor` leaves both in an empty folder."""
    prepare(data)
    from django.db import connection

    from nomopoly.site import health

    if health.form() != health.Form.EMPTY:
        if connection.vendor == "sqlite":
            raise CommandError(f"{data}: there is a site in this folder already; say --data with another one")
        raise CommandError("the database is not empty: restore into a new one")


@contextlib.contextmanager
def whole_or_not(data: Path) -> Iterator[None]:
    """Within this a new database is filled. If that ends early, a folder does not keep half of it, so that one can
    begin again; a database elsewhere has to be emptied."""
    from django.db import connection

    try:
        yield
    except BaseException:
        if connection.vendor == "sqlite":
            connection.close()
            for path in data.glob("nomopoly.sqlite3*"):
                path.unlink()
        raise


def unpacked(file: Path, folder: Path | str) -> Data:
    """Unpack a backup. Returns its manifest. Raises CommandError if it is no backup, or one of a newer version."""
    piped = str(file) == "-"
    if not (piped or file.exists()):
        raise CommandError(f"{file}: there is no such file")
    if not piped and file.is_dir():
        raise CommandError(f"{file}: this is a folder: name the file of a backup")
    try:
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|*") if piped else tarfile.open(file, "r:*") as archive:
            for member in archive:
                take_out(archive, member, Path(folder))
        manifest = json.loads(Path(folder, "manifest.json").read_text("utf-8"))
        form = manifest["form"]
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError) as error:
        why = str(error).partition(":\n")[0]  # tarfile goes on with what each way of packing has against it
        raise CommandError(f"{file}: this is no backup, or it is damaged: {why}") from None
    if form != FORM:
        raise CommandError(
            f"{file}: this was made by version {manifest.get('version')}: install that one or a later one"
        )
    return manifest


def take_out(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Take one file of a backup out, as a file below a folder and nothing else. Raises ValueError.

    Python's own filters for this came with 3.11.4.
    """
    place = PurePosixPath(member.name)
    if place.is_absolute() or ".." in place.parts or not (member.isfile() or member.isdir()):
        raise ValueError(f"it holds '{member.name}', which no backup has")
    if member.isdir():
        (folder / place).mkdir(parents=True, exist_ok=True)
        return
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    with cast("IO[bytes]", archive.extractfile(member)) as source, open(folder / place, "xb") as target:
        shutil.copyfileobj(source, target)


def migrated(manifest: Data) -> MigrationExecutor:
    """Bring an empty database to the form that the backup's had. Raises CommandError where that is unknown."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    wanted = [tuple(each) for each in manifest["migrations"]]
    known = executor.loader.graph.nodes
    replaced = {old for each in executor.loader.replacements.values() for old in each.replaces}
    unknown = [each for each in wanted if each not in known and each not in replaced]
    if unknown:
        raise CommandError(
            f"the backup was made by a later version ({manifest['version']}), which knows {'.'.join(unknown[0])}: "
            "install that one"
        )
    executor.migrate(last_of(wanted, executor.loader.graph))
    return MigrationExecutor(connection)


def last_of(wanted: list[tuple[Any, ...]], graph: MigrationGraph) -> list[Any]:
    """The last of these migrations of each app: who goes there passes the others on the way."""
    known = [each for each in wanted if each in graph.nodes]
    followed = {parent.key for each in known for parent in graph.node_map[each].parents if parent.key[0] == each[0]}
    return [each for each in known if each not in followed]


def read_tables(executor: MigrationExecutor, folder: Path, manifest: Data) -> Data:
    """Write the rows of a backup into the tables. Returns {table: rows}; raises CommandError if one is missing."""
    from django.core.management.color import no_style
    from django.db import connection, transaction

    wanted = [tuple(each) for each in manifest["migrations"]]
    state = executor.loader.project_state(last_of(wanted, executor.loader.graph))
    models = kept_models(state.apps)
    counts = {}
    with connection.constraint_checks_disabled(), transaction.atomic():
        for model in models:
            label = model._meta.label_lower
            path = Path(folder, "tables", f"{label}.jsonl")
            model._base_manager.all().delete()  # what migrations have put there
            counts[label] = read_table(model, path) if path.exists() else 0
            if counts[label] != manifest["rows"].get(label, 0):
                raise CommandError(
                    f"{label}: {counts[label]} rows of {manifest['rows'].get(label)}: the backup is damaged"
                )
        connection.check_constraints()
        with connection.cursor() as cursor:
            for command in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(command)
    return counts


def read_table(model: type[Model], path: Path) -> int:
    """Write the rows of one file. Returns how many."""
    from django.db import connection

    made = values_of(model)
    if connection.vendor == "postgresql":
        return copied_in(model, map(made, read_rows(path)))
    count, batch = 0, []
    for row in read_rows(path):
        batch.append(model(**made(row)))
        count += 1
        if len(batch) == AT_ONCE:
            model._base_manager.bulk_create(batch)
            batch = []
    model._base_manager.bulk_create(batch)
    return count


def copied_in(model: type[Model], rows: map[Any]) -> int:
    """Write rows, each {column: value}, as PostgreSQL takes in many: in one stream. Returns how many."""
    from django.db import connection

    quoted = connection.ops.quote_name
    count, wanted = 0, []
    with connection.cursor() as cursor, contextlib.ExitStack() as stack:
        for row in rows:
            if not count:
                fields = {field.attname: field for field in model._meta.concrete_fields}
                wanted = [fields[name] for name in row]
                names = ", ".join(quoted(field.column or "") for field in wanted)
                into = " ".join(("COPY", quoted(model._meta.db_table), "(" + names + ")", "FROM STDIN"))
                stream = stack.enter_context(cursor.copy(into))
            values = zip(wanted, row.values(), strict=True)
            stream.write_row([field.get_db_prep_save(value, connection) for field, value in values])
            count += 1
    return count


def read_rows(path: Path) -> Iterator[Any]:
    """The rows of one file, each {column: value as JSON has it}."""
    with open(path, encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def values_of(model: type[Model]) -> Callable[[Data], Data]:
    """What makes of a row, as JSON has it, the columns that the table has, as the table has them."""
    fields = {field.attname: value_of(field) for field in model._meta.concrete_fields}
    return lambda row: {name: fields[name](value) for name, value in row.items() if name in fields}


def value_of(field: Field[Any, Any]) -> Callable[[Any], Any]:
    """What makes a column's value of one from JSON."""
    from django.db.models import ForeignKey

    target = field.target_field if isinstance(field, ForeignKey) else field
    if target.get_internal_type() == "JSONField":
        return lambda value: value
    return lambda value: None if value is None else target.to_python(value)


def look_through() -> str:
    """Check each game's chain, and begin its witness. Returns what to report."""
    from nomopoly.site.tables import witness
    from nomopoly.site.tables.models import Game

    damaged = []
    for game in Game.objects.order_by("pk"):
        try:
            witness.check_chain(game.pk)
            witness.keep_up(game.pk)
        except witness.Damaged as error:
            damaged.append(f"{game.slug}: {error.problem}")
    return ". Not in order: " + "; ".join(damaged) if damaged else ""


# ---- before an upgrade


def verify_all(data: Path, runtime: str | None = None, keep: bool = False) -> int:
    """Compute every game of the site again with this version, and say which would come to something else, and where.

    Returns 1 if one would. Nothing is written, but with `keep` that such a game goes on with the kernel that it was
    played with: an older version goes on serving the site meanwhile, so that its tables are read, and not brought up to
    date.
    """
    looked_at(data)
    from django.db import DatabaseError

    from nomopoly.runtime.journal import JournalError
    from nomopoly.site.tables.models import Game

    try:
        games = games_there()
    except DatabaseError as error:
        raise CommandError(f"{data}: there is no site here yet, or its database does not answer: {error}") from None
    wrong = left = 0
    for game in games:
        try:
            print(f"{game.slug}: {verified_again(game, runtime)} entries come to the same", flush=True)
        except JournalError as error:
            kernel = kernel_of(game, runtime)
            wrong += not kernel
            left += bool(kernel and not keep)
            told = f" With the kernel {kernel}, which is kept beside this version's, it does not" if kernel else ""
            print(f"{game.slug}: {error}.{told}", flush=True)
            if kernel and keep:
                Game.objects.filter(pk=game.pk).update(kernel=kernel)
                print(f"{game.slug}: goes on with the kernel {kernel}", flush=True)
    if wrong:
        print(f"{wrong} games would change: keep the version that they were played with.")
    if left:
        print(f"{left} games would change: say --keep, and they go on with the kernel that they were played with.")
    if not wrong and not left:
        print("Every game comes to the same.")
    return 1 if wrong or left else 0


def games_there() -> list[Game]:
    """The games of a site, by address. The version that has made its tables may know of no older kernels: then all are
    played with its own."""
    from django.db import connection

    from nomopoly.site.tables.models import Game

    with connection.cursor() as cursor:
        columns = {each.name for each in connection.introspection.get_table_description(cursor, Game._meta.db_table)}
    games = Game.objects.order_by("slug")
    if "kernel" in columns:
        return list(games.only("slug", "kernel"))
    return [Game(pk=pk, slug=slug) for pk, slug in games.values_list("pk", "slug")]


def verified_again(game: Game, runtime: str | None) -> int:
    """How many entries of a game come to the same, with the kernel that it is played with. Raises JournalError."""
    from nomopoly.runtime.verify import verified_with
    from nomopoly.site.tables.journal import DatabaseJournal

    return verified_with(game.kernel, list(DatabaseJournal(game.pk).lines()), runtime).entries


def kernel_of(game: Game, runtime: str | None) -> str:
    """The version of an older kernel, kept beside this version's, that a game was played with; "" if there is none."""
    from nomopoly.runtime.interpreters.text import older_kernels
    from nomopoly.runtime.verify import Differs, verified_with
    from nomopoly.site.tables.journal import DatabaseJournal

    lines = list(DatabaseJournal(game.pk).lines())
    for kernel in older_kernels():
        with contextlib.suppress(Differs):
            verified_with(kernel, lines, runtime)
            return kernel
    return ""

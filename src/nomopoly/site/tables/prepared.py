"""Queries that every order asks: composed once by the ORM, and then only filled in.

To compose one takes the ORM 0.3 to 1.5 ms, several times what asking it costs, and an order asks some twenty. So a
query is written as ever, with gaps for what differs, and its SQL is kept:

    SEAT = Rows(lambda game, user: Membership.objects.filter(game=game, user=user))
    seat = SEAT.first(game.pk, user.pk)

What is filled in is what the column holds (numbers, texts): no models and no lists. Ask once for a few rows; where a
query is asked now and then, the ORM is quick enough.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import Expression
from django.db.models.query import FlatValuesListIterable, ValuesIterable, ValuesListIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper
    from django.db.models.constants import OnConflict
    from django.db.models.sql.compiler import SQLCompiler

Parts = TypeVar("Parts")  # what was composed
Row = TypeVar("Row")  # what a query says of a row: a model, a tuple, a dict, a value
Value: TypeAlias = Any  # what a column holds: a number, a text, a moment
Converters: TypeAlias = Mapping[int, tuple[Sequence[Callable[..., Value]], Any]]  # by the place in a row


class Gap(Expression):
    """Where something is to be filled in: `name` is the number of a parameter, or the name of a column."""

    def __init__(self, name: int | str) -> None:
        super().__init__(output_field=models.Field())
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        """A place in the query, with the gap itself as its parameter."""
        return "%s", (self,)


def filled(parameters: Iterable[Any], values: Any) -> tuple[Value, ...]:
    """The parameters of a query with its gaps filled in: `values[name of the gap]`."""
    return tuple(values[each.name] if isinstance(each, Gap) else each for each in parameters)


def database() -> BaseDatabaseWrapper:
    """The connection of this thread. (`django.db.connection` looks it up at each use.)"""
    return connections[DEFAULT_DB_ALIAS]


def cursor_of(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """A cursor for statements that come again and again: PostgreSQL keeps what it has parsed and planned, for each
    connection."""
    if connection.vendor != "postgresql":
        return connection.cursor()
    import psycopg

    connection.ensure_connection()
    wrap = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    cursor: Any = psycopg.Cursor(connection.connection)  # the driver has its own
    return wrap(cursor)


class Kept(Generic[Parts]):
    """What was composed once, for each kind of database: `compose(connection)` makes it."""

    def __init__(self) -> None:
        self.composed: dict[str, Parts] = {}

    def parts(self, connection: BaseDatabaseWrapper) -> Parts:
        """What was composed for this kind of database."""
        if connection.vendor not in self.composed:
            self.composed[connection.vendor] = self.compose(connection)
        return self.composed[connection.vendor]

    def compose(self, connection: BaseDatabaseWrapper) -> Parts:
        """Compose it."""
        raise NotImplementedError


class Rows(Kept[tuple[str, Sequence[Any], Converters, Callable[[Sequence[Value]], Row]]], Generic[Row]):
    """A query for rows. `make(*gaps)` composes it as a QuerySet: of models, of `values_list`, or
    `select_for_update`."""

    def __init__(self, make: Callable[..., models.QuerySet[Any, Row]]) -> None:
        super().__init__()
        self.make = make

    def compose(
        self, connection: BaseDatabaseWrapper
    ) -> tuple[str, Sequence[Any], Converters, Callable[[Sequence[Value]], Row]]:
        """(SQL, parameters, converters of values, what makes of a row what the query says)."""
        queryset = self.make(*map(Gap, range(self.make.__code__.co_argcount)))
        compiler = queryset.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, _, _ in compiler.select])
        return sql, parameters, converters, reader(queryset, compiler)

    def all(self, *values: Value) -> list[Row]:
        """The rows with these values filled in, as a list."""
        connection = database()
        sql, parameters, converters, read = self.parts(connection)
        with cursor_of(connection) as cursor:
            cursor.execute(sql, filled(parameters, values))
            rows = cursor.fetchall()
        if not converters:
            return [read(row) for row in rows]
        return [read(converted(row, converters, connection)) for row in rows]

    def first(self, *values: Value) -> Row | None:
        """The first of the rows; None if there is none. The query itself sees to it that there are few."""
        return next(iter(self.all(*values)), None)


def in_portions(rows: Rows[Row], most: int, game: int, after: int) -> Iterator[Row]:
    """All rows of a game whose first column is greater than `after`, where `rows` gives `most` of them at a time, in
    the order of that column."""
    while True:
        some: list[Any] = rows.all(game, after)
        yield from some
        if len(some) < most:
            return
        after = some[-1][0]


def converted(row: Sequence[Value], converters: Converters, connection: BaseDatabaseWrapper) -> list[Value]:
    """A row with its values as models have them."""
    values = list(row)
    for at, (several, column) in converters.items():
        for convert in several:
            values[at] = convert(values[at], column, connection)
    return values


def reader(queryset: models.QuerySet[Any, Row], compiler: SQLCompiler) -> Callable[[Sequence[Value]], Any]:
    """What makes of a row what a query says: one value, a tuple, a dict, or a model with those that were selected with
    it."""
    kind = queryset._iterable_class
    if kind is FlatValuesListIterable:
        return itemgetter(0)
    if kind is ValuesListIterable:
        return tuple
    if kind is ValuesIterable:
        columns = queryset.query.values_select
        return lambda row: dict(zip(columns, row, strict=True))
    known = compiler.klass_info
    first, last = (known["select_fields"][at] for at in (0, -1))
    names = [column.target.attname for column, _, _ in compiler.select[first : last + 1]]
    related = get_related_populators(known, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of later Django

    def model(row: Sequence[Value]) -> models.Model:
        made = queryset.model.from_db(DEFAULT_DB_ALIAS, names, row[first : last + 1])
        for each in related:
            each.populate(row, made)
        return made

    return model


class Writes(Kept[tuple[str, Sequence[Any]]]):
    """A statement that writes one row. `model` and the names of the columns that are given, as models have them
    (`game_id`)."""

    def __init__(self, model: type[models.Model], *names: str) -> None:
        super().__init__()
        self.model = model
        self.fields = self.named(names)

    def named(self, names: Iterable[str]) -> list[models.Field[Any, Any]]:
        """The fields with these columns."""
        by_name = {field.attname: field for field in self.model._meta.concrete_fields}
        return [by_name[name] for name in names]

    def write(self, **values: Value) -> int:
        """Execute the statement with these values. Returns how many rows were written."""
        connection = database()
        sql, parameters = self.parts(connection)
        columns = {
            field.attname: field.get_db_prep_save(values.pop(field.attname), connection=connection)
            for field in self.fields
        }
        with cursor_of(connection) as cursor:
            cursor.execute(sql, filled(parameters, columns | values))
            return cursor.rowcount

    def gaps(self) -> dict[str, Gap]:
        """{column: its gap}."""
        return {field.attname: Gap(field.attname) for field in self.fields}


Conflict: TypeAlias = "tuple[()] | tuple[OnConflict] | tuple[OnConflict, Sequence[str], Sequence[str]]"


class Insert(Writes):
    """A new row. What a row that is there already means: an IntegrityError, or with `conflict` (`OnConflict`, unique
    columns, columns that are taken from the new row) what that says."""

    def __init__(self, model: type[models.Model], *names: str, conflict: Conflict = ()) -> None:
        super().__init__(model, *names)
        self.conflict = conflict

    def compose(self, connection: BaseDatabaseWrapper) -> tuple[str, Sequence[Any]]:
        """(SQL, parameters)."""
        on, unique, update = (*self.conflict, (), ())[:3] if self.conflict else (None, (), ())
        query = InsertQuery(
            self.model, on_conflict=on, update_fields=self.named(update), unique_fields=self.named(unique)
        )
        query.insert_values(self.fields, [self.model(**self.gaps())], raw=True)
        ((sql, parameters),) = query.get_compiler(connection=connection).as_sql()
        return sql, parameters


class Update(Writes):
    """New values for the rows of which the columns `by` hold what is given with them."""

    def __init__(self, model: type[models.Model], *names: str, by: Sequence[str] = ("id",)) -> None:
        super().__init__(model, *names)
        self.by = by

    def compose(self, connection: BaseDatabaseWrapper) -> tuple[str, Sequence[Any]]:
        """(SQL, parameters)."""
        query = UpdateQuery(self.model)
        query.add_q(models.Q(**{name: Gap(name) for name in self.by}))
        gaps: dict[str, Any] = self.gaps()  # as good as any value of a column
        query.add_update_fields([(field, None, gap) for field, gap in zip(self.fields, gaps.values(), strict=True)])
        return query.get_compiler(connection=connection).as_sql()


@functools.cache
def update(model: type[models.Model], *names: str, by: Sequence[str] = ("id",)) -> Update:
    """The statement that gives some columns of a model new values."""
    return Update(model, *names, by=by)

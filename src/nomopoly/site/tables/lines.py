"""The log of a game as a viewer may see it, read from the database a window at a time.

The rows (`LogLine`) say who may know of which entry, and by what it is found. They are written in the transaction that
stores the entry, and written again where a correction changes them. What a row's reader sees of the entry is made from
the journal and the outcome when it is read, by the same door as ever: `runtime.log.view_entry`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from django.db import connection, transaction
from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet
from django.db.models.constants import OnConflict
from django.db.models.expressions import RawSQL

from nomopoly.runtime.lines import EVERYBODY, Row, is_public, rows_of, text_of, token, viewed, words_of
from nomopoly.runtime.replay import struck_numbers
from nomopoly.site.tables import prepared
from nomopoly.site.tables.models import Entry, Game, LogLine, Outcome

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.gathered import Gathered, GatheredJournal, GatheredOutcomes


CHUNK = 250  # entries in memory at once
GREATEST = 2**31 - 1  # number of an entry that a column holds
MOST_SOUGHT = 8  # words of a search
NAMES = tuple(field.name for field in fields(Row))
LONGEST_NAME = 100  # of viewers and actions: nobody has a longer one
FEW = 3  # rows that are sooner read or written one by one
LAST_NUMBER = prepared.Rows(
    lambda game, n: (
        LogLine.objects.filter(game_id=game, n__lt=n, number__isnull=False)
        .order_by("-n")
        .values_list("number", flat=True)[:1]
    )
)
LINE = prepared.Rows(lambda game, n: Entry.objects.filter(game=game, n=n).values_list("n", "line"))
OUTCOME = prepared.Rows(lambda game, n: Outcome.objects.filter(game=game, n=n).values_list("n", "outcome"))
ONE = prepared.Rows(lambda game, viewer, n: rows_for(game, viewer).filter(n=n))
ROW = prepared.Insert(LogLine, "game_id", *NAMES, conflict=(OnConflict.IGNORE,))


# ---- reading

S = TypeVar("S")
Some: TypeAlias = S | Iterable[S] | None  # one, or one of several, or any


class Log:
    """The entries that one viewer may see, or some of them: a sequence that is read from the database when it is used.

    Narrowed by `where`, `having` and `search`; a slice is a list of entries, but `[::-1]`, which is the same from its
    end.
    """

    def __init__(
        self, game_id: int, viewer: str, rows: QuerySet[LogLine] | None = None, backwards: bool = False
    ) -> None:
        self.game_id = game_id
        self.viewer = viewer
        self.whole = rows is None
        self.narrow = rows
        self.backwards = backwards
        self.counted: int | None = None

    @functools.cached_property
    def rows(self) -> Any:
        """The query for its rows."""
        return rows_for(self.game_id, self.viewer) if self.whole else self.narrow

    def narrowed(self, rows: Any) -> Any:
        """This log with other rows (a query), for the same viewer and in the same direction."""
        return Log(self.game_id, self.viewer, rows, self.backwards)

    def where(
        self,
        *,
        kind: Some[str] = None,
        but: str | None = None,
        by: str | None = None,
        do: Some[str] = None,
        number: Some[int] = None,
        n: Some[int] = None,
        since: int | None = None,
        until: int | None = None,
        after: int | None = None,
        before: int | None = None,
        number_after: int | None = None,
        open_to_all: bool = False,
        standing: bool = False,
    ) -> Log:
        """Those of a kind (or one of several), of all but one, by somebody, of an action, with a number or n (or one of
        several), between two moments, after or before entry n, with a greater number, with one at all, that are not
        struck."""
        wanted = {
            "kind__in": (kind,) if isinstance(kind, str) else kind,
            "by": by,
            "do__in": (do,) if isinstance(do, str) else do,
            "number__in": possible(number),
            "n__in": possible(n),
            "at__gte": since,
            "at__lte": until,
            "n__gt": bounded(after),
            "n__lt": bounded(before),
            "number__gt": bounded(number_after),
            "number__isnull": False if open_to_all else None,
            "struck__isnull": True if standing else None,
        }
        rows = self.rows.filter(**{name: value for name, value in wanted.items() if value is not None})
        return self.narrowed(rows if but is None else rows.exclude(kind=but))

    def having(self, *words: Any) -> Log:
        """Those that are found by one of these words, see `runtime.lines.words_of`."""
        return self.narrowed(self.rows.filter(found(self.game_id, "words", [[token(word)] for word in words])))

    def search(self, text: str, ids: Iterable[str] = ()) -> Log:
        """Those in which all words of a text occur, or their beginnings; and those that speak of one of these
        things."""
        sought = [f"{word}*" for word in re.findall(r"\w+", text.casefold())[:MOST_SOUGHT]]
        if not sought and not ids:
            return self.narrowed(self.rows.none())
        either = found(self.game_id, "text", [sought]) if sought else Q(pk__in=())
        if ids:
            either |= found(self.game_id, "words", [[token(f"about:{id}")] for id in ids])
        return self.narrowed(self.rows.filter(either))

    def __len__(self) -> int:
        if self.counted is None:
            self.counted = count_of(self.game_id, self.viewer) if self.whole else self.rows.count()
        return self.counted

    def __bool__(self) -> bool:
        return self.rows.exists()

    def __iter__(self) -> Iterator[Data]:
        last = None
        while True:
            rows = self.rows
            if last is not None:
                rows = rows.filter(n__lt=last) if self.backwards else rows.filter(n__gt=last)
            some = list(rows.order_by("-n" if self.backwards else "n")[:CHUNK])
            yield from self.entries(some)
            if len(some) < CHUNK:
                return
            last = some[-1].n

    def __reversed__(self) -> Iterator[Data]:
        return iter(self[::-1])

    def __getitem__(self, wanted: Any) -> Any:
        if isinstance(wanted, slice):
            if wanted.step == -1 and wanted.start is None and wanted.stop is None:
                return Log(self.game_id, self.viewer, None if self.whole else self.rows, not self.backwards)
            return self.window(wanted)
        at = wanted if wanted >= 0 else -wanted - 1
        rows = self.rows.order_by("-n" if self.backwards != (wanted < 0) else "n")[at : at + 1]
        some = self.entries(list(rows))
        if not some:
            raise IndexError("the log has no such entry")
        return some[0]

    def window(self, wanted: slice[Any, Any, Any]) -> list[Data]:
        """The entries of a slice, without reading the others."""
        if wanted.step not in (None, 1):
            return list(self)[wanted]
        if wanted.stop is None and wanted.start is not None and wanted.start < 0:  # the last ones
            return self.entries(list(self.rows.order_by("n" if self.backwards else "-n")[: -wanted.start])[::-1])
        start, stop, _ = wanted.indices(len(self))
        return (
            self.entries(list(self.rows.order_by("-n" if self.backwards else "n")[start:stop])) if start < stop else []
        )

    def opened_at(self) -> int | None:
        """The moment of the first one, without what happened."""
        return self.rows.order_by("n").values_list("at", flat=True).first()

    def one(self, n: int) -> Any:
        """Entry n; None if they may not see it. For the whole log of a viewer."""
        return next(iter(self.entries(ONE.all(self.game_id, self.viewer, n))), None)

    def last_n(self) -> Any:
        """The n of the last one."""
        return self.rows.order_by("-n").values_list("n", flat=True).first()

    def last_number(self) -> int | None:
        """The greatest number of them."""
        return self.rows.order_by("-number").filter(number__isnull=False).values_list("number", flat=True).first()

    def moments(self) -> Any:
        """(n, number, moment) of each, oldest first, without what happened."""
        return self.rows.order_by("n").values_list("n", "number", "at")

    def numbers(self, wanted: Any = None) -> dict[int, int | None]:
        """{n: number by which everybody knows the entry}, of these entries (n) or of all; None for what not everybody
        sees."""
        rows = self.rows if wanted is None else self.rows.filter(n__in=list(wanted))
        return dict(rows.values_list("n", "number"))

    def counts(self, name: str) -> dict[int, int | None]:
        """{what: how many} of a column: `do`, `by` or `kind`."""
        return dict(self.rows.values_list(name).annotate(Count("pk")).order_by())

    def kinds(self) -> list[Any]:
        """The kinds of entries that there are, in the order in which they first came."""
        found = self.rows.values("kind").annotate(first=Min("n")).order_by("first")
        return [each["kind"] for each in found]

    def entries(self, rows: list[Any]) -> list[Data]:
        """What the viewer sees of these rows, in their order. A row of which they see nothing is left out."""
        wanted = [row.n for row in rows]
        lines, outcomes = stored(self.game_id, wanted)
        found = []
        for row in rows:
            if row.n not in lines:
                continue
            line, outcome = json.loads(lines[row.n]), json.loads(outcomes.get(row.n, "{}"))
            numbers = numbers_named(self.game_id, line)
            entry = viewed(line, outcome, self.viewer, row.number, row.struck, numbers)
            if entry is not None:
                found.append(entry)
        return found


def stored(game_id: Any, wanted: Any) -> Any:
    """Lines and outcomes of these entries (n), as texts: ({n: line}, {n: outcome})."""
    if len(wanted) == 1:
        return dict(LINE.all(game_id, *wanted)), dict(OUTCOME.all(game_id, *wanted))
    lines, outcomes = (model.objects.filter(game_id=game_id, n__in=wanted) for model in (Entry, Outcome))
    return dict(lines.values_list("n", "line")), dict(outcomes.values_list("n", "outcome"))


def possible(wanted: Any) -> Any:
    """Of a number or several those that the database can hold: no entry has another."""
    if wanted is None:
        return None
    return [each for each in ((wanted,) if isinstance(wanted, int) else wanted) if 0 <= each <= GREATEST]


def bounded(number: int | None) -> int | None:
    """A bound that the database can hold."""
    return number if number is None else max(-1, min(number, GREATEST))


def rows_for(game_id: int, viewer: str) -> QuerySet[LogLine]:
    """The rows of a game for one viewer: their own, and for all other entries those for everybody."""
    mine = LogLine.objects.filter(game_id=game_id, n=OuterRef("n"), viewer=viewer)
    for_all = Q(viewer=EVERYBODY) & (Q(others=False) | ~Exists(mine))
    return LogLine.objects.filter(for_all | Q(viewer=viewer), game_id=game_id).defer("text", "words")


def count_of(game_id: int, viewer: str) -> int:
    """How many entries of a game a viewer may see: those with a number, and those that are theirs alone."""
    last = LogLine.objects.filter(game_id=game_id).aggregate(last=Max("number"))["last"]
    alone = LogLine.objects.filter(game_id=game_id, viewer=viewer, alone=True).exclude(viewer=EVERYBODY)
    return (0 if last is None else last + 1) + alone.count()


def numbers_named(game_id: int, line: Data) -> dict[int, int | None]:
    """The number by which everybody knows the entry that a strike strikes: {n: number}."""
    if line["kind"] != "strike":
        return {}
    n = line["args"]["entry"]
    return dict(LogLine.objects.filter(game_id=game_id, n=n).values_list("n", "number"))


def found(game_id: int, column: str, alternatives: list[list[str]]) -> Q:
    """The rows in whose `column` all terms of one of the alternatives occur, by the database's index. A term with `*`
    at its end is the beginning of a word."""
    if connection.vendor == "postgresql":
        from django.contrib.postgres.search import SearchQuery, SearchVector  # which need its driver

        sought = either_of(alternatives, " & ", " | ", lambda term, begins: f"'{term}'" + (":*" if begins else ""))
        query = SearchQuery(sought, config="simple", search_type="raw")
        rows = LogLine.objects.filter(game_id=game_id).annotate(sought=SearchVector(column, config="simple"))
        return Q(pk__in=rows.filter(sought=query).values("pk"))
    sought = either_of(
        alternatives, " AND ", " OR ", lambda term, begins: f'{column} : "{term}"' + ("*" if begins else "")
    )
    asked = f"scope : g{int(game_id)} AND ({sought})"
    return Q(pk__in=RawSQL("SELECT rowid FROM tables_logtext WHERE tables_logtext MATCH %s", [asked]))


def either_of(alternatives: list[list[str]], both: str, either: str, written: Callable[[str, bool], str]) -> str:
    """Terms in the language of a database's index; written(term, begins) is one of them."""
    told = [both.join(written(term.rstrip("*"), term[-1:] == "*") for term in terms) for terms in alternatives]
    return either.join(f"({each})" for each in told)


# ---- the same in memory


class Kept(list[Any]):
    """A log that is held in memory (a trial copy's), asked in the same way."""

    def where(
        self,
        *,
        kind: Some[str] = None,
        but: str | None = None,
        by: str | None = None,
        do: Some[str] = None,
        number: Some[int] = None,
        n: Some[int] = None,
        since: int | None = None,
        until: int | None = None,
        after: int | None = None,
        before: int | None = None,
        number_after: int | None = None,
        open_to_all: bool = False,
        standing: bool = False,
    ) -> Kept:
        """See `Log.where`."""
        kinds, dos = ((each,) if isinstance(each, str) else each for each in (kind, do))
        ns, numbers = ((each,) if isinstance(each, int) else each for each in (n, number))
        return Kept(
            each
            for each in self
            if (kinds is None or each["kind"] in kinds)
            and each["kind"] != but
            and (by is None or each["by"] == by)
            and (dos is None or each["do"] in dos)
            and (numbers is None or each["number"] in numbers)
            and (ns is None or each["n"] in ns)
            and (since is None or each["at"] >= since)
            and (until is None or each["at"] <= until)
            and (after is None or each["n"] > after)
            and (before is None or each["n"] < before)
            and (number_after is None or (each["number"] is not None and each["number"] > number_after))
            and not (open_to_all and each["number"] is None)
            and not (standing and each["struck"])
        )

    def having(self, *words: Any) -> Kept:
        """See `Log.having`."""
        wanted = set(words)
        return Kept(each for each in self if not wanted.isdisjoint(words_of(each)))

    def search(self, text: str, ids: Iterable[str] = ()) -> Kept:
        """See `Log.search`."""
        sought = re.findall(r"\w+", text.casefold())[:MOST_SOUGHT]
        about = {f"about:{id}" for id in ids}

        def fits(entry: Data) -> bool:
            words = re.findall(r"\w+", text_of(entry).casefold())
            told = sought and all(any(word.startswith(each) for word in words) for each in sought)
            return told or not about.isdisjoint(words_of(entry))

        return Kept(each for each in self if fits(each))

    def __getitem__(self, wanted: Any) -> Any:
        found = super().__getitem__(wanted)
        return Kept(found) if isinstance(wanted, slice) else found

    def opened_at(self) -> int | None:
        """See `Log.opened_at`."""
        return self[0]["at"] if self else None

    def one(self, n: int) -> Any:
        """See `Log.one`."""
        return next((each for each in self if each["n"] == n), None)

    def last_n(self) -> Any:
        """See `Log.last_n`."""
        return self[-1]["n"] if self else None

    def last_number(self) -> int | None:
        """See `Log.last_number`."""
        return max((each["number"] for each in self if each["number"] is not None), default=None)

    def moments(self) -> list[Any]:
        """See `Log.moments`."""
        return [(each["n"], each["number"], each["at"]) for each in self]

    def numbers(self, wanted: Any = None) -> dict[int, int | None]:
        """See `Log.numbers`."""
        return {each["n"]: each["number"] for each in self if wanted is None or each["n"] in wanted}

    def kinds(self) -> list[Any]:
        """See `Log.kinds`."""
        return list(dict.fromkeys(each["kind"] for each in self))

    def counts(self, name: str) -> dict[str, int]:
        """See `Log.counts`."""
        found: Data = {}
        for each in self:
            found[each[name] or ""] = found.get(each[name] or "", 0) + 1
        return found


# ---- writing


def row_of(game_id: int, row: Row) -> LogLine:
    """A row for the database, which holds no NUL in PostgreSQL and no more than so much."""
    values = {
        name: value.replace("\0", " ") if isinstance(value, str) else value for name, value in asdict(row).items()
    }
    return LogLine(game_id=game_id, **values | {"by": values["by"][:LONGEST_NAME], "do": values["do"][:LONGEST_NAME]})


def rows_from(
    game_id: int,
    lines: Iterator[Any] | list[Data],
    outcomes: Iterator[tuple[int, Data]],
    strikes: list[tuple[int, int]],
    last: int,
) -> Iterator[LogLine]:
    """The rows of entries, read on one after the other. `outcomes`: (n, outcome) from the first of them on; `last`: the
    number of the last entry before them that everybody sees; `strikes`: see `struck_numbers`."""
    struck = {target: n for n, target in strikes if n not in struck_numbers(strikes)}
    outcomes, numbers = iter(outcomes), {}
    at, outcome = -1, {}
    for line in lines:
        n = line["n"]
        while at < n:
            at, outcome = next(outcomes, (n + 1, {}))
        came = outcome if at == n else {}
        number = None
        if is_public(came):
            number = last = last + 1
        numbers[n] = number
        if line["kind"] == "strike" and line["args"]["entry"] not in numbers:
            numbers |= numbers_named(game_id, line)
        for row in rows_of(line, came, number, struck.get(n), numbers):
            if len(row.viewer) <= LONGEST_NAME:
                yield row_of(game_id, row)


def last_number(game_id: int, before: int) -> int:
    """The number of the last entry before entry n that everybody sees; -1 if there is none."""
    found = LAST_NUMBER.first(game_id, before)
    return -1 if found is None else found


def planned(row: Game, game: Running, head: tuple[int, str], gathered: Gathered) -> Callable[[], Any] | None:
    """What is to be written of the entries made since `head`: called before anything is locked, returns act().

    The act belongs into the transaction that stores the entries, and that notes in the game's row that they are
    `lined`. None if far more rows are missing than these: `catch_up` writes them.
    """
    if any(line["kind"] == "strike" for line, _ in gathered.journal.waiting):
        fresh, stale = corrected(row.pk, gathered.journal, gathered.outcomes, game.strikes)
    elif head[0] - row.lined < CHUNK:
        first = row.lined + 1
        written = gathered.journal.lines(first), gathered.outcomes.get(first)
        fresh = list(rows_from(row.pk, *written, game.strikes, last_number(row.pk, first)))
        stale = []
    else:
        return None

    def act() -> None:
        for at in range(0, len(stale), CHUNK):
            LogLine.objects.filter(pk__in=stale[at : at + CHUNK]).delete()
        if len(fresh) <= FEW:
            for each in fresh:
                ROW.write(game_id=each.game_id, **{name: getattr(each, name) for name in NAMES})
        else:
            LogLine.objects.bulk_create(fresh, CHUNK, ignore_conflicts=True)

    return act


def corrected(
    game_id: int, journal: GatheredJournal, outcomes: GatheredOutcomes, strikes: Any
) -> tuple[list[Any], list[int]]:
    """(the rows that a correction makes, the keys of those that it makes wrong): what stays as it was is left alone."""
    there = {}
    for old in LogLine.objects.filter(game_id=game_id).iterator(2000):
        there[old.n, old.viewer] = (old.pk, fingerprint(old))
    fresh = []
    for new in rows_from(game_id, journal.lines(), outcomes.get(), strikes, -1):
        known = there.get((new.n, new.viewer))
        if known is not None and known[1] == fingerprint(new):
            del there[new.n, new.viewer]
        else:
            fresh.append(new)
    return fresh, [pk for pk, _ in there.values()]


def fingerprint(row: LogLine) -> int:
    """What tells whether two rows say the same."""
    return hash(tuple(getattr(row, name) for name in NAMES))


def catch_up(game_id: int, game: Running) -> None:
    """Write the rows that are missing, some entries at a time, each lot in a transaction of its own: after an upgrade,
    an import, or where another process wrote the entries alone. `game`: the runtime's Game, at the end of its
    journal."""
    while (lined := Game.objects.values_list("lined", flat=True).get(pk=game_id)) < game.n:
        first = lined + 1
        lines = list(islice(game.journal.lines(first), CHUNK))
        outcomes = game.outcomes.get(first)
        fresh = list(rows_from(game_id, lines, outcomes, game.strikes, last_number(game_id, first)))
        with transaction.atomic():
            LogLine.objects.bulk_create(fresh, CHUNK, ignore_conflicts=True)
            Game.objects.filter(pk=game_id, lined=lined).update(lined=lines[-1]["n"])


def forget(game_id: int) -> None:
    """Throw the rows of a game away: it has been computed in another way. They are made again when somebody reads
    it."""
    LogLine.objects.filter(game_id=game_id).delete()
    Game.objects.filter(pk=game_id).update(lined=-1)

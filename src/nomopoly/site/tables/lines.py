"""The log of a game as a viewer may see it, read from the database a window at a time.

The rows (`LogLine`) say who may know of which entry, and by what it is found. They are written in the transaction that
stores the entry, and written again where a correction changes them. What a row's reader sees of the entry is made from
the journal and the outcome when it is read, by the same door as ever: `runtime.log.view_entry`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar, Unpack

from django.db import connection, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
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
LAST_OPEN = prepared.Rows(
    lambda game: (
        LogLine.objects.filter(game_id=game, number__isnull=False)
        .order_by("-number")
        .values_list("number", flat=True)[:1]
    )
)
ALONE = prepared.Rows(
    lambda game, viewer: (
        LogLine.objects.filter(game_id=game, viewer=viewer, alone=True)
        .exclude(viewer=EVERYBODY)
        .values("game_id")
        .annotate(many=Count("pk"))
        .values_list("many", flat=True)
    )
)
STRIKES = prepared.Rows(
    lambda game, viewer: rows_for(game, viewer).filter(kind="strike").exclude(kind="tick").values_list("n", flat=True)
)
LINE = prepared.Rows(lambda game, n: Entry.objects.filter(game=game, n=n).values_list("n", "line"))
OUTCOME = prepared.Rows(lambda game, n: Outcome.objects.filter(game=game, n=n).values_list("n", "outcome"))
ONE = prepared.Rows(lambda game, viewer, n: rows_for(game, viewer).filter(n=n))
AFTER = prepared.Rows(lambda game, viewer, n: rows_for(game, viewer).filter(n__gt=n).order_by("n")[:CHUNK])
BEFORE = prepared.Rows(lambda game, viewer, n: rows_for(game, viewer).filter(n__lt=n).order_by("-n")[:CHUNK])
LINES = prepared.Rows(
    lambda game, first, last: Entry.objects.filter(game=game, n__gte=first, n__lte=last).values_list("n", "line")
)
OUTCOMES = prepared.Rows(
    lambda game, first, last: Outcome.objects.filter(game=game, n__gte=first, n__lte=last).values_list("n", "outcome")
)
CLOSE = 2  # times as many entries as are wanted: then all that lie between them are read
ROW = prepared.Insert(LogLine, "game_id", *NAMES, conflict=(OnConflict.IGNORE,))


# ---- reading

S = TypeVar("S")
Some: TypeAlias = S | Iterable[S] | None  # one, or one of several, or any


class Wanted(TypedDict, total=False):
    """Which entries are wanted; None and what is not said leaves them as they are."""

    kind: Some[str]
    but: str | None  # of all kinds but this one
    by: str | None  # by whom
    do: Some[str]  # an action
    number: Some[int]
    n: Some[int]
    since: int | None  # a moment
    until: int | None  # a moment
    after: int | None  # an n
    before: int | None  # an n
    number_after: int | None
    open_to_all: bool  # that have a number
    standing: bool  # that are not struck


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
    def rows(self) -> QuerySet[LogLine]:
        """The query for its rows."""
        return rows_for(self.game_id, self.viewer) if self.narrow is None else self.narrow

    def narrowed(self, rows: QuerySet[LogLine]) -> Log:
        """This log with other rows (a query), for the same viewer and in the same direction."""
        return Log(self.game_id, self.viewer, rows, self.backwards)

    def where(self, **by: Unpack[Wanted]) -> Log:
        """Those that are wanted."""
        kinds = several(by.get("kind"))
        only = {
            "kind__in": kinds,
            "by": by.get("by"),
            "do__in": several(by.get("do")),
            "number__in": possible(by.get("number")),
            "n__in": possible(by.get("n")),
            "at__gte": by.get("since"),
            "at__lte": by.get("until"),
            "n__gt": bounded(by.get("after")),
            "n__lt": bounded(by.get("before")),
            "number__gt": bounded(by.get("number_after")),
            "number__isnull": False if by.get("open_to_all") else None,
            "struck__isnull": True if by.get("standing") else None,
        }
        rows = self.rows.filter(**{name: value for name, value in only.items() if value is not None})
        if by.get("but") is not None:
            rows = rows.exclude(kind=by["but"])
        if kinds and "tick" not in kinds:
            rows = rows.exclude(kind="tick")  # says nothing more, but the index of kinds is of all others
        return self.narrowed(rows)

    def having(self, *words: str) -> Log:
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
            some = self.chunk(last)
            yield from self.entries(some)
            if len(some) < CHUNK:
                return
            last = some[-1].n

    def chunk(self, last: int | None) -> list[LogLine]:
        """The rows that come after entry `last` in the direction of this log, or the first ones: as many as are in
        memory at once."""
        if self.whole:
            if self.backwards:
                return list(BEFORE.all(self.game_id, self.viewer, GREATEST + 1 if last is None else last))
            return list(AFTER.all(self.game_id, self.viewer, -1 if last is None else last))
        rows = self.rows
        if last is not None:
            rows = rows.filter(n__lt=last) if self.backwards else rows.filter(n__gt=last)
        return list(rows.order_by("-n" if self.backwards else "n")[:CHUNK])

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

    def one(self, n: int) -> Data | None:
        """Entry n; None if they may not see it. For the whole log of a viewer."""
        return next(iter(self.entries(ONE.all(self.game_id, self.viewer, n))), None)

    def last_n(self) -> int | None:
        """The n of the last one."""
        return self.rows.order_by("-n").values_list("n", flat=True).first()

    def last_number(self) -> int | None:
        """The greatest number of them."""
        return self.rows.order_by("-number").filter(number__isnull=False).values_list("number", flat=True).first()

    def moments(self) -> QuerySet[LogLine, tuple[int, int | None, int]]:
        """(n, number, moment) of each, oldest first, without what happened."""
        return self.rows.order_by("n").values_list("n", "number", "at")

    def strikes(self) -> list[int]:
        """The n of each strike among them."""
        if self.whole:
            return STRIKES.all(self.game_id, self.viewer)
        return [n for n, _, _ in self.where(kind="strike").moments()]

    def numbers(self, wanted: Iterable[int] | None = None) -> dict[int, int | None]:
        """{n: number by which everybody knows the entry}, of these entries (n) or of all; None for what not everybody
        sees."""
        rows = self.rows if wanted is None else self.rows.filter(n__in=list(wanted))
        return dict(rows.values_list("n", "number"))

    def counts(self, name: str) -> dict[str, int]:
        """{what: how many} of a column: `do`, `by` or `kind`."""
        return dict(self.rows.values_list(name).annotate(Count("pk")).order_by())

    def kinds(self) -> list[str]:
        """The kinds of entries that there are, in the order in which they first came."""
        found = self.rows.values("kind").annotate(first=Min("n")).order_by("first")
        return [each["kind"] for each in found]

    def entries(self, rows: Iterable[LogLine]) -> list[Data]:
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


def stored(game_id: int, wanted: list[int]) -> tuple[dict[int, str], dict[int, str]]:
    """Lines and outcomes of these entries (n), as texts: ({n: line}, {n: outcome})."""
    if len(wanted) == 1:
        return dict(LINE.all(game_id, *wanted)), dict(OUTCOME.all(game_id, *wanted))
    if wanted and (last := max(wanted)) - (first := min(wanted)) < CLOSE * len(wanted):
        return dict(LINES.all(game_id, first, last)), dict(OUTCOMES.all(game_id, first, last))
    lines = Entry.objects.filter(game_id=game_id, n__in=wanted).values_list("n", "line")
    return dict(lines), dict(Outcome.objects.filter(game_id=game_id, n__in=wanted).values_list("n", "outcome"))


def several(wanted: Some[str]) -> Collection[str] | None:
    """One word, or several, as several."""
    return wanted if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)


def possible(wanted: Some[int]) -> list[int] | None:
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
    last = LAST_OPEN.first(game_id)
    return (0 if last is None else last + 1) + (ALONE.first(game_id, viewer) or 0)


def entry_of_hash(game_id: int, hash: str) -> int | None:
    """The n of the entry of a game that has this hash, which is looked for from the last one backwards; None if there
    is none."""
    return Entry.objects.filter(game_id=game_id, hash=hash).order_by("-n").values_list("n", flat=True).first()


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


def fits(entry: Data, by: Wanted) -> bool:
    """Whether an entry is one that is wanted."""
    kinds, actions = several(by.get("kind")), several(by.get("do"))
    numbers, ns = possible(by.get("number")), possible(by.get("n"))
    name, since, until = by.get("by"), by.get("since"), by.get("until")
    after, before, number_after = by.get("after"), by.get("before"), by.get("number_after")
    return (
        (kinds is None or entry["kind"] in kinds)
        and entry["kind"] != by.get("but")
        and (name is None or entry["by"] == name)
        and (actions is None or entry["do"] in actions)
        and (numbers is None or entry["number"] in numbers)
        and (ns is None or entry["n"] in ns)
        and (since is None or entry["at"] >= since)
        and (until is None or entry["at"] <= until)
        and (after is None or entry["n"] > after)
        and (before is None or entry["n"] < before)
        and (number_after is None or (entry["number"] is not None and entry["number"] > number_after))
        and not (by.get("open_to_all") and entry["number"] is None)
        and not (by.get("standing") and entry["struck"])
    )


class Kept(list[Any]):
    """A log that is held in memory (a trial copy's), asked in the same way."""

    def where(self, **by: Unpack[Wanted]) -> Kept:
        """See `Log.where`."""
        return Kept(each for each in self if fits(each, by))

    def having(self, *words: str) -> Kept:
        """See `Log.having`."""
        wanted = set(words)
        return Kept(each for each in self if not wanted.isdisjoint(words_of(each)))

    def search(self, text: str, ids: Iterable[str] = ()) -> Kept:
        """See `Log.search`."""
        sought = re.findall(r"\w+", text.casefold())[:MOST_SOUGHT]
        about = {f"about:{id}" for id in ids}

        def speaks_of(entry: Data) -> bool:
            words = re.findall(r"\w+", text_of(entry).casefold())
            told = sought and all(any(word.startswith(each) for word in words) for each in sought)
            return told or not about.isdisjoint(words_of(entry))

        return Kept(each for each in self if speaks_of(each))

    def __getitem__(self, wanted: Any) -> Any:
        found = super().__getitem__(wanted)
        return Kept(found) if isinstance(wanted, slice) else found

    def opened_at(self) -> int | None:
        """See `Log.opened_at`."""
        return self[0]["at"] if self else None

    def one(self, n: int) -> Data | None:
        """See `Log.one`."""
        return next((each for each in self if each["n"] == n), None)

    def last_n(self) -> int | None:
        """See `Log.last_n`."""
        return self[-1]["n"] if self else None

    def last_number(self) -> int | None:
        """See `Log.last_number`."""
        return max((each["number"] for each in self if each["number"] is not None), default=None)

    def moments(self) -> list[tuple[int, int | None, int]]:
        """See `Log.moments`."""
        return [(each["n"], each["number"], each["at"]) for each in self]

    def strikes(self) -> list[int]:
        """See `Log.strikes`."""
        return [each["n"] for each in self if each["kind"] == "strike"]

    def numbers(self, wanted: Iterable[int] | None = None) -> dict[int, int | None]:
        """See `Log.numbers`."""
        these = None if wanted is None else set(wanted)
        return {each["n"]: each["number"] for each in self if these is None or each["n"] in these}

    def kinds(self) -> list[str]:
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
    game_id: int, journal: GatheredJournal, outcomes: GatheredOutcomes, strikes: list[tuple[int, int]]
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

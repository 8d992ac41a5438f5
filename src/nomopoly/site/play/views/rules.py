"""The rulebook: the whole of it, one rule, its history, and two moments compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from nomopoly.errors import CommandError
from nomopoly.kernel.world import covers
from nomopoly.rulebook.diff import RuleDiff, diff_lines, diff_words
from nomopoly.rulebook.export import to_json, to_markdown
from nomopoly.rulebook.history import History
from nomopoly.rulebook.lent import words_of
from nomopoly.rulebook.source import prose
from nomopoly.site.door import seated
from nomopoly.site.play import books, loglines, pages, proposals, readback, rulings, shelf
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.rulebook.history import Version
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


A_PAGE = 100  # moments of the history


def book_at(seat: Seat, asked: str) -> tuple[Any, Any, None] | tuple[Any, Any, Any]:
    """The rulebook's history, the records of the moment asked for, and that moment; None for now."""
    book = books.history(seat)
    if not asked or asked == "now":
        return book, seat.live.records(), None
    moment, at = book.locate(asked)
    return book, book.moments[moment]["records"], at


@require_safe
@seated("rules")
def rules(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The rulebook: as it is, as it was, or as it is searched."""
    asked, wanted = request.GET.get("at", "").strip(), request.GET.get("q", "").strip()
    try:
        book, records, at = book_at(seat, asked)
    except CommandError as error:
        return pages.bad_request(seat, str(error))
    matching = books.matching(records, wanted) if wanted else records
    rows = books.rows_of(records)
    described = [books.described(record, rows, book) for record in matching]
    return pages.show(
        seat,
        "play/rules.html",
        sections=books.sections(described),
        contents=books.sections(records),
        at=at,
        asked=asked,
        q=wanted,
        code="code" in request.GET,
        found=len(matching),
    )


@require_safe
@seated("rules")
def rules_twin(request: HttpRequest, seat: Seat, kind: str) -> HttpResponse:
    """The rulebook as Markdown or JSON."""
    try:
        _, records, _ = book_at(seat, request.GET.get("at", "").strip())
    except CommandError as error:
        return pages.bad_request(seat, str(error))
    return twin(seat, records, kind, "code" in request.GET)


def twin(seat: Seat, records: list[Data], kind: str, code: bool) -> HttpResponse:
    """Rules as Markdown or JSON."""
    if kind == "md":
        return pages.plain_file(to_markdown(records, seat.game.title, code=code), "text/markdown; charset=utf-8")
    return pages.plain_file(to_json(records, seat.game.title, seat.game.edition, code=code), "application/json")


@require_safe
@seated("rules")
def rule(request: HttpRequest, seat: Seat, id: str) -> HttpResponse:
    """The page of one rule."""
    book, records, _ = book_at(seat, "")
    versions = book.versions(id)
    if not versions:
        raise Http404(gettext("There is no rule %(id)s, and there never was.") % {"id": id})
    record = next((each for each in records if each["id"] == id), None)
    last = next(version.record for version in versions[::-1] if version.record)
    entries = seat.live.facts(seat.viewer)
    caused = entries.where(standing=True).having(f"rule:{id}")
    before, after = books.neighbours(id, records)
    return pages.show(
        seat,
        "play/rule.html",
        rule=books.described(record or last, books.rows_of(records), book),
        record=record,
        told=readback.of_rule(seat, record or last),
        may_offer=shelf.may_offer(seat, record),
        ended=versions[-1] if record is None else None,
        ended_by=books.cause_words(versions[-1].cause, seat.view),
        versions=told_versions(seat, versions)[::-1],
        declares=declared(seat, id),
        words=words_of([record]) if record else [],
        clashes=proposals.clashes_with(id, records) if record else [],
        lines=loglines.lines(seat, caused[-12:][::-1]),
        caused=len(caused),
        age=live.now() - books.began(record, book) if record else None,
        before=before,
        after=after,
        waiting_proposals=proposals_on(seat.view, id),
        rulings=rulings.about_rule(entries, id),
    )


def told_versions(seat: Seat, versions: Iterable[Version]) -> list[Data]:
    """Each version of a rule with its cause in words and what it changed, oldest first."""
    told = []
    previous = None
    for version in versions:
        told.append(
            {
                "moment": version.moment,
                "at": version.at,
                "cause": books.cause_words(version.cause, seat.view),
                "record": version.record,
                "diff": RuleDiff("changed", previous, version.record) if previous or version.record else None,
                "first": previous is None,
            }
        )
        previous = version.record
    return told


def declared(seat: Seat, id: str) -> list[Any] | list[tuple[str, Any]]:
    """What a rule declares, in words: [(what, names)]."""
    everything = seat.live.declares()
    of_rule = dict(everything.get(id, {}))
    for key, other in (("overridden_by", "overrides"), ("given_way_by", "defers_to")):
        of_rule[key] = [
            rule for rule, said in everything.items() if any(covers(each, id) for each in said.get(other, ()))
        ]
    words = {
        "attributes": gettext("Attributes"),
        "actions": gettext("Actions"),
        "events": gettext("Events"),
        "values": gettext("Values"),
        "modifies": gettext("Changes values"),
        "overrides": gettext("Overrides"),
        "overridden_by": gettext("Overridden by"),
        "defers_to": gettext("Gives way to"),
        "given_way_by": gettext("Goes before"),
    }
    told = [(label, of_rule[key]) for key, label in words.items() if of_rule.get(key)]
    stations = [f"{station} {name}" for station, name in of_rule.get("handlers", ())]
    return [*told, (gettext("Listens"), stations)] if stations else told


def proposals_on(view: Data, id: str) -> list[Any]:
    """Open proposals that would change this rule."""
    return [each for each in proposals.listed(view) if each["open"] and id in each["rules"]]


@require_safe
@seated("rules")
def rule_twin(request: HttpRequest, seat: Seat, id: str, kind: str) -> HttpResponse:
    """One rule as Markdown or JSON."""
    records = [record for record in seat.live.records() if record["id"] == id]
    if not records:
        raise Http404(gettext("There is no rule %(id)s.") % {"id": id})
    return twin(seat, records, kind, code=True)


@require_safe
@seated("rules")
def history(request: HttpRequest, seat: Seat) -> HttpResponse:
    """How the rules have changed, moment by moment."""
    book = books.history(seat)
    page = Paginator(book.moments[::-1], A_PAGE).get_page(request.GET.get("page"))
    moments = [
        {
            "moment": each["moment"],
            "at": each["at"],
            "cause": books.cause_words(each["cause"], seat.view),
            "touched": book.touched(each["moment"]) if each["moment"] else [],
            "size": size_of(book, each["moment"]),
            "rules": len(each["records"]),
        }
        for each in page
    ]
    return pages.show(seat, "play/history.html", moments=moments, page=page, last=len(book) - 1)


def size_of(book: History, moment: int) -> str:
    """How much changed at a moment: words and lines of program added and removed."""
    if moment == 0:
        return ""
    count = {"added": 0, "removed": 0}
    lines = {"added": 0, "removed": 0}
    was, now = ({record["id"]: record for record in records} for records in book.apart(moment))
    empty = {"text": "", "params": {}, "code": ""}
    for id in {**was, **now}:
        before, after = was.get(id, empty), now.get(id, empty)
        if before is after or before == after:
            continue
        for mark, text in diff_words(prose(before), prose(after)):
            if mark != "same":
                count[mark] += len(text.split())
        for mark, text in diff_lines(before["code"], after["code"]):
            if mark != "same":
                lines[mark] += len(text.splitlines())
    told = gettext("+%(added)s −%(removed)s words")
    if any(lines.values()):
        told = gettext("+%(added)s −%(removed)s words, +%(more)s −%(fewer)s lines of program")
    return told % {**count, "more": lines["added"], "fewer": lines["removed"]}


@require_safe
@seated("rules")
def compare(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The rules of two moments beside each other."""
    asked = request.GET
    book = books.history(seat)
    try:
        span = book.compare(asked.get("from", "").strip() or None, asked.get("to", "").strip() or None)
    except CommandError as error:
        return pages.bad_request(seat, str(error), gettext("Comparison of the rules"))
    everything = asked.get("show", "all") != "changed"
    changed = {id(each): number for number, each in enumerate(span.diff.changed, 1)}
    sections = [
        (number, title, [(each, changed.get(id(each))) for each in rules if everything or each.mark != "same"])
        for number, title, rules in span.diff.sections()
    ]
    moments = {"first": book.clock(span.from_at), "last": book.clock(span.to_at)}
    heading = gettext("No rules changed between these moments")
    if span.diff.changed:
        heading = gettext("Rule changes from %(first)s to %(last)s") % moments
    return pages.show(
        seat,
        "play/compare.html",
        span=span,
        heading=heading,
        causes=[books.cause_words(each["cause"], seat.view) for each in span.causes],
        sections=[section for section in sections if section[2]],
        changes=len(changed),
        last=len(book) - 1,
        everything=everything,
        code="code" in asked,
        sides=asked.get("view") == "sides",
        zone=seat.game.time_zone,
    )

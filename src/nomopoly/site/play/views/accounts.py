"""Statements of account: of players, and of the accounts of the game that are nobody's."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.errors import CommandError
from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import account as statements
from nomopoly.site.play import books, pages, sentences, words
from nomopoly.site.play.views.players import find as find_player
from nomopoly.site.said import said
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.play.account import Line
    from nomopoly.site.play.sentences import Teller
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


A_PAGE = 100  # entries
MOST_CORRECTIONS = 20


@require_safe
@seated("accounts")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The accounts of the game that are nobody's."""
    found = queries.accounts(seat.view)
    return pages.show(seat, "play/accounts.html", accounts=[(thing, labelled(seat.view, thing)) for thing in found])


@require_safe
@seated("accounts")
def account(request: HttpRequest, seat: Seat, id: str) -> HttpResponse:
    """The statement of an account."""
    id, thing, entries = find(seat, id)
    return page(
        request,
        seat,
        id,
        thing,
        entries,
        name=(thing or {}).get("name") or words.plain(id[1:]).capitalize(),
        gone=thing is None,
        facts=labelled(seat.view, thing) if thing else [],
        up=(_("Accounts"), f"{seat.game.address}accounts/"),
        as_csv=f"{seat.game.address}accounts/{words.escape_path(id[1:])}.csv",
    )


@require_safe
@seated("accounts")
def account_csv(request: HttpRequest, seat: Seat, id: str) -> HttpResponse:
    """The statement of an account as a table."""
    id, thing, entries = find(seat, id)
    return csv_file(request, seat, id[1:], statement_of(seat, id, thing, moves(entries, id)))


@require_safe
@seated("players")
def of_player(request: HttpRequest, seat: Seat, name: str) -> HttpResponse:
    """The statement of a player."""
    name, thing, entries = find_player(request, seat, name)
    path = f"{seat.game.address}players/{words.escape_path(name)}/"
    return page(request, seat, name, thing, entries, name=name, up=(name, path), as_csv=path + "account.csv")


@require_safe
@seated("players")
def of_player_csv(request: HttpRequest, seat: Seat, name: str) -> HttpResponse:
    """The statement of a player as a table."""
    name, thing, entries = find_player(request, seat, name)
    return csv_file(request, seat, name, statement_of(seat, name, thing, moves(entries, name)))


# ---- what they share


def find(seat: Seat, name: str) -> tuple[str, Any, Any]:
    """An account of the game by its id, with or without the `$`: (id, thing or None if it is gone, entries)."""
    id, entries = f"${name.removeprefix('$')}", seat.live.facts(seat.viewer)
    thing = seat.view["things"].get(id)
    known = thing in queries.accounts(seat.view)
    if not known and not entries.having(f"change:{id}.money"):
        raise Http404(_("This game has no account %(name)s.") % {"name": name})
    return id, thing, entries


def labelled(view: Data, thing: Data) -> list[Any]:
    """What is known of an account beside its name and money, where that is anything: [(attribute, value)]."""
    return [
        (each, thing[each["name"]])
        for each in view["schema"].get(thing["kind"], ())
        if each["label"] and each["name"] not in ("money", "name") and not pages.says_nothing(thing.get(each["name"]))
    ]


def page(
    request: HttpRequest, seat: Seat, id: str, thing: Data, entries: Log | Kept, **context: object
) -> HttpResponse:
    """One page of a statement, the last one first; in it the oldest line stands first."""
    unread, since, until = None, None, None
    try:
        since, until = span(request, seat)
    except CommandError as error:  # all of it is shown, with what was typed to be mended
        unread = f"{said(str(error))}."
    moved = moves(entries, id)
    shown = Paginator(moved.where(since=since, until=until)[::-1], A_PAGE).get_page(request.GET.get("page"))
    window = list(shown)[::-1]
    if window:
        brought, lines = around(seat, id, thing, entries, window[0]["n"], window[-1]["n"])
    else:
        before = moves(entries, id, unseen=False).where(until=since - 1) if since is not None else ()
        brought, lines = statements.balance_after(before[-1:], id), []
    forward = brought if since is not None or shown.has_next() else None
    return pages.show(
        seat,
        "play/account.html",
        status=400 if unread else 200,
        refusal=unread,
        corrections=entries.where(kind="strike", standing=True)[-MOST_CORRECTIONS:],
        lines=lines,
        forward=forward,
        forward_at=request.GET.get("from", "").strip() if not shown.has_next() else "",
        from_=request.GET.get("from", "").strip(),
        to_=request.GET.get("to", "").strip(),
        last=lines[-1].balance if lines else forward,
        page=shown,
        **context,
    )


def moves(entries: Log | Kept, id: str, unseen: bool = True) -> Any:
    """The entries that moved the money of a player or an account, corrections apart; `unseen`: also those in which no
    change says so."""
    sought = (f"change:{id}.money", f"even:{id}")
    return entries.where(standing=True, but="strike").having(*sought[: 2 if unseen else 1])


def around(seat: Seat, id: str, thing: Data, entries: Log | Kept, first: int, last: int) -> tuple[int, list[Line]]:
    """The balance before some of the entries, the first and the last of which are named, and their lines. They are read
    with the changes before and after them, which say what entries without a change come to."""
    changed = moves(entries, id, unseen=False)
    before, after = changed.where(before=first)[-1:], changed.where(after=last)[:1]
    near = moves(entries, id).where(
        after=before[0]["n"] if before else None, before=after[0]["n"] + 1 if after else None
    )
    brought = statements.balance_after(before, id)
    lines = statement_of(seat, id, thing, near, brought, newest=not after)
    earlier = [line.balance for line in lines if line.entry["n"] < first]
    return (earlier or [brought])[-1], [line for line in lines if first <= line.entry["n"] <= last]


def csv_file(request: HttpRequest, seat: Seat, name: str, lines: list[Line]) -> HttpResponse:
    """A statement as a CSV file, of a player or an account of this name."""
    try:
        chosen = between(request, seat, lines)
    except CommandError as error:
        return pages.bad_request(seat, str(error))
    rows: list[list[object]] = [["moment", "entry", "what", "rule", "other party", "amount", "balance"]]
    if chosen["forward"] is not None:
        rows.append(["", "", _("Brought forward"), "", "", "", chosen["forward"]])
    for line in chosen["lines"]:
        at = formats.local(line.entry["at"]).isoformat()
        rows.append([at, line.entry["number"], line.say, line.rule, line.party, line.amount, line.balance])
    return pages.csv_file(rows, f"{seat.game.slug}-{name}.csv")


def statement_of(
    seat: Seat, id: str, thing: Data, entries: list[Any], balance: int = 0, newest: bool = True
) -> list[Line]:
    """The lines of these entries, which follow one another. `balance` before them; `newest`: none comes after them."""
    kind = thing["kind"] if thing else ("" if id[:1] == "$" else "player")
    schema = seat.view["schema"].get(kind, ())
    declared: Data = next((each for each in schema if each["name"] == "money"), {})
    money = thing.get("money") if thing and newest else None
    lines = statements.statement(entries, id, money, rule_of_money=declared.get("rule", ""), balance=balance)
    teller = sentences.Teller(seat)
    return [replace(line, say=in_plain_words(teller, line)) for line in lines]


def in_plain_words(teller: Teller, line: Line) -> str:
    """What a line says, without markup, with things called as people call them."""
    teller.begin(line.entry)
    return " ".join(html.unescape(strip_tags(teller.linked(line.say, line.fact))).split())


def span(request: HttpRequest, seat: Seat) -> tuple[int | None, int | None]:
    """The moments between which a statement is wanted, None for no bound. Raises CommandError for what is no moment."""
    book = books.history(seat)
    begin, end = request.GET.get("from", "").strip(), request.GET.get("to", "").strip()
    since = book.read(begin) if begin else None
    return since, book.read(end, last=True) if end else None


def between(request: HttpRequest, seat: Seat, lines: list[Line]) -> dict[Any, Any]:
    """The lines of the wanted time, and the balance brought forward. Raises CommandError for what is no moment."""
    since, until = span(request, seat)
    chosen = [
        line
        for line in lines
        if (since is None or line.entry["at"] >= since) and (until is None or line.entry["at"] <= until)
    ]
    before = [line for line in lines if since is not None and line.entry["at"] < since]
    forward = (before[-1].balance if before else 0) if since is not None else None
    return {"lines": chosen, "forward": forward, "last": chosen[-1].balance if chosen else forward}

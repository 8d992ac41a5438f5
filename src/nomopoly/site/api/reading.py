"""What can be read of a game: what its pages show, under the same names."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router
from ninja.params.functions import Query

from nomopoly.rulebook.clashes import clashes
from nomopoly.rulebook.export import to_data
from nomopoly.rulebook.words import search
from nomopoly.site import news
from nomopoly.site.api import told
from nomopoly.site.api.door import enter, key_of
from nomopoly.site.door import Seat
from nomopoly.site.play import (
    board,
    books,
    charts,
    foreseen,
    loglines,
    pages,
    proposals,
    reckoning,
    talk,
    tasks,
    tryouts,
)
from nomopoly.site.play.squares import actions_at, rules_about
from nomopoly.site.play.views import about, accounts, log, players, rules, sections, vocabulary
from nomopoly.site.play.views.proposals import fits
from nomopoly.site.shapes import Data
from nomopoly.site.tables import live, queries
from nomopoly.site.tables.lines import Kept, Log, entry_of_hash

MOST = 200  # entries on one page
LENGTH_OF_HASH = 64

game = Router(tags=["The game"])


@game.get("/g/{slug}", summary="The game in short")
def overview(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """What its overview says: who you are here, whether it is paused or over, what waits for you, who plays and how
    they stand, the moments to come, the Admin's own words.

    All moments of this API are seconds since 1970, all amounts whole numbers."""
    seat = enter(request, slug)
    view = seat.view
    entries = seat.live.facts(seat.viewer)
    fault = queries.last_fault(seat)
    return {
        "slug": seat.game.slug,
        "title": seat.game.title,
        "edition": seat.game.edition,
        "visibility": seat.game.visibility,
        "time_zone": seat.game.time_zone,
        "address": seat.game.address,
        "about": seat.game.about,
        "you": {"role": seat.role, "player": seat.player_name},
        "opened": entries.opened_at(),
        "now": live.now(),
        "said": pages.state_words(seat, entries.opened_at()),
        "state": view["things"]["game"],
        "fault": fault
        and {"rule": fault.rule, "line": fault.line, "message": fault.message if seat.role == "admin" else ""},
        "waiting": tasks.waiting(seat),
        "standing": [
            {"player": player["id"]} | {each["name"]: value for each, value in values}
            for player, _, values, _ in pages.standing(seat)
        ],
        "coming": pages.coming(seat),
        "entries": len(entries),
        "rules": len(seat.live.records()),
        "commitment": seat.live.commitment,
    }


@game.get("/g/{slug}/news", summary="Whether there is something new, and as events whenever there is")
def how_many(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """`news` is a number that grows with each entry of the log that you may see. Asked for with `Accept:
    text/event-stream`, the same address goes on telling that number whenever it grows; `/log?after=` then says what has
    happened. `seen`, or the header `Last-Event-ID`: the number that you know."""
    key = key_of(request)
    return news.listened(request, enter(request, slug), None if key is None else key.pk)


@game.get("/g/{slug}/view", summary="Everything you may see of the state")
def view(request: HttpRequest, slug: str, at: str = "") -> Data:
    """All things of the game by their ids, what the rules declare of them (`schema`), and the markers on the board.

    `at`: as it was at a moment (`2026-05-06`, `2026-05-06T18:20:16`, `start`), as far as you could have seen it."""
    seat = enter(request, slug)
    return pages.Past(seat, at).view if at else seat.view


@game.get("/g/{slug}/squares", summary="The board, square by square")
def squares(request: HttpRequest, slug: str, at: str = "") -> list[Any]:
    """Every square with its attributes, who stands there (`here`), and what rules have marked it with.

    `at`: the board as it was at a moment."""
    seat = enter(request, slug)
    return [told.square(each) for each in board.squares_of(pages.Past(seat, at).view if at else seat.view)]


@game.get("/g/{slug}/squares/{int:number}", summary="One square")
def square(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """A square, the rules that name it, what you can do with it, and its history, newest first. One that is gone has
    `square` null."""
    seat = enter(request, slug)
    id = f"#{number}"
    entries = loglines.about(seat, id)
    found = next((each for each in board.squares_of(seat.view) if each.id == id), None)
    if found is None and not entries:
        raise Http404(f"There is no square {id}, and there never was.")
    return {
        "square": found and told.square(found),
        "rules": [record["id"] for record in rules_about(seat, id)],
        "actions": [{part: each[part] for part in ("action", "field", "choice")} for each in actions_at(seat, id)],
        "log": told.Log(seat).about(entries),
    }


@game.get("/g/{slug}/reckoning", summary="How a value comes about")
def how_it_comes_about(request: HttpRequest, slug: str, thing: str = "", name: str = "") -> dict[Any, Any]:
    """What a value of a thing (its id, and the value's name) is made of, as far as you may know: `parts` are [rule,
    how, amount, divisor], the definition first (how: `base`), then what modifies it (`set`, `factor`, `percent`, `add`,
    `at_least`, `at_most`) in the order in which that counts; `total` is what it comes to."""
    seat = enter(request, slug)
    found = seat.view["things"].get(thing)
    parts = reckoning.parts_of(seat, found, name) if found else None
    if not parts:
        raise Http404(f"Nothing of {thing} is reckoned by rules as {name}.")
    return {"parts": parts, "total": found[name]}


# ---- players

people = Router(tags=["Players"])


@people.get("/g/{slug}/players", summary="Who plays, and who has played")
def all_players(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Players in order of joining with all their attributes that you may see; then former players, with when and why
    they left. `bot`: they act, at least at times, through a program of theirs."""
    seat = enter(request, slug)
    entries = seat.live.facts(seat.viewer)
    bots = queries.bots(seat.game, entries)
    return {
        "players": [thing | {"bot": thing["id"] in bots} for thing in pages.players(seat.view)],
        "former": [
            {"name": each["name"], "at": each["entry"]["at"], "how": each["how"], "because": each["because"]}
            for each in players.former_players(seat, entries)
        ],
    }


@people.get("/g/{slug}/players/{path:name}/account", summary="A statement of account")
def account(
    request: HttpRequest, slug: str, name: str, begin: str = Query("", alias="from"), end: str = Query("", alias="to")
) -> dict[Any, Any]:
    """Each change of a player's money: moment, entry, rule, other party, amount, and the balance after it; the last
    balance is what they have. `from` and `to` are moments; then `forward` is the balance brought forward."""
    seat = enter(request, slug)
    name, thing, entries = players.find(request, seat, name)
    return {"player": name} | statement(request, seat, name, thing, entries)


@people.get("/g/{slug}/players/{path:name}/chart", summary="What a player has had, day by day")
def player_chart(request: HttpRequest, slug: str, name: str) -> dict[Any, Any]:
    """The amounts of money that the chart of a player's page draws, as far as you see them; `lines` is empty before the
    second day."""
    seat = enter(request, slug)
    name, thing, _ = players.find(request, seat, name)
    return told.chart(charts.of_player(seat, name, thing))


@people.get("/g/{slug}/chart", summary="What all players have had, day by day")
def chart(request: HttpRequest, slug: str, of: str = "") -> dict[Any, Any]:
    """One attribute of all players: that of the name `of`, or the first of `choices`."""
    return told.chart(charts.of_players(enter(request, slug), of))


@people.get("/g/{slug}/accounts", summary="The accounts of the game")
def all_accounts(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Accounts that are nobody's, such as `$admin`, with all their attributes that you may see."""
    return {"accounts": queries.accounts(enter(request, slug).view)}


@people.get("/g/{slug}/accounts/{path:account}", summary="A statement of an account of the game")
def game_account(
    request: HttpRequest,
    slug: str,
    account: str,
    begin: str = Query("", alias="from"),
    end: str = Query("", alias="to"),
) -> dict[Any, Any]:
    """The same for an account of the game, named by its id, or by that without the `$`."""
    seat = enter(request, slug)
    id, thing, entries = accounts.find(seat, account)
    return {"account": id} | statement(request, seat, id, thing, entries)


def statement(request: HttpRequest, seat: Seat, id: str, thing: Data, entries: Log | Kept) -> dict[Any, Any]:
    """The account of a player or thing as data: what it began with, each payment, what is left."""
    chosen = accounts.between(request, seat, accounts.statement_of(seat, id, thing, accounts.moves(entries, id)))
    return {
        "forward": chosen["forward"],
        "balance": chosen["last"],
        "lines": [
            {
                "at": line.entry["at"],
                "entry": line.entry["number"],
                "say": line.say,
                "rule": line.rule,
                "party": line.party,
                "amount": line.amount,
                "balance": line.balance,
            }
            for line in chosen["lines"]
        ],
    }


@people.get("/g/{slug}/players/{path:name}", summary="One player")
def player(request: HttpRequest, slug: str, name: str) -> dict[Any, Any]:
    """A player's attributes, possessions, proposals and log entries, newest first. Another spelling of the name
    redirects; a former player has `player` null."""
    seat = enter(request, slug)
    name, thing, entries = players.find(request, seat, name)
    return {
        "name": name,
        "player": thing,
        "bot": name in queries.bots(seat.game, entries),
        "possessions": {
            label: [thing["id"] for thing, _ in things]
            for label, things in players.possessions(seat.view, name, seat.live.describe()["kinds"])
        },
        "proposals": [each["number"] for each in proposals.listed(seat.view) if each.get("author") == name],
        "log": told.Log(seat).about(loglines.about(seat, name)),
    }


# ---- the log

record = Router(tags=["Log"])


@record.get("/g/{slug}/log", summary="What happened")
def entries(
    request: HttpRequest,
    slug: str,
    player: str = "",
    square: str = "",
    rule: str = "",
    kind: str = "",
    since: str = "",
    q: str = "",
    after: str = Query("", pattern=r"^((-?[0-9]{1,30})?|[0-9a-f]{64})$"),
    page: int = 1,
    size: int = Query(60, ge=1, le=MOST),
) -> dict[Any, Any]:
    """Entries, newest first: who, when, what was asked (`do`, `args`), what followed (`facts`, `changes`), and `say`,
    all of it in one sentence. `number` counts what everybody may see; entries for you alone have none.

    Filters as on the page: `player`, `square`, `rule`, `kind`, `since` (a moment), `q` (words in the sentence).
    `after`: only what came after an entry, for programs that follow the game: its `hash`, or its number, which a strike
    may change. `unsearched`: always 0, all entries are searched."""
    seat = enter(request, slug)
    told_log = told.Log(seat)
    asked = {"player": player, "square": square, "rule": rule, "kind": kind, "since": since, "q": q}
    found = told_log.entries
    if after:
        found = found.where(after=place_of(seat, after))
    found = log.filtered(seat, found, {name: value.strip() for name, value in asked.items()}, None)
    pager = Paginator(found[::-1], size)
    shown = pager.get_page(page)
    return {
        "count": pager.count,
        "page": shown.number,
        "pages": pager.num_pages,
        "entries": [told_log.entry(entry) for entry in shown],
        "unsearched": 0,
    }


def place_of(seat: Seat, entry: str) -> int:
    """Where in the journal an entry stands, by its hash or by the number that everybody sees. Raises Http404 if there
    is none."""
    if len(entry) == LENGTH_OF_HASH:
        n = entry_of_hash(seat.game.pk, entry)
    else:
        n = seat.live.facts(seat.viewer).where(number=int(entry)).last_n()
    if n is None:
        raise Http404(f"There is no entry {entry} in this game.")
    return n


@record.get("/g/{slug}/log/{int:number}", summary="One entry")
def entry(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """An entry by its number, with the questions that were asked about it."""
    seat = enter(request, slug)
    found = find_entry(seat, number)
    return told.Log(seat).entry(found) | {"comments": told.comments(talk.about(seat, f"entry-{found['n']}"))}


def find_entry(seat: Seat, number: int) -> Data:
    """The entry of that number, as this viewer sees it; 404 if there is none."""
    return log.numbered(seat, number)


@record.get("/g/{slug}/dice", summary="How the dice can be checked")
def dice(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """The commitments to the secrets of the dice, the secrets revealed so far, and a program that rolls them again.

    `head` is the last line of the journal and its hash: note it down, and `nomopoly verify FILE --head HASH` says later
    whether a journal is still the one that it was taken from."""
    seat = enter(request, slug)
    n, last_hash = seat.live.head
    entries = seat.live.facts(seat.viewer)
    found = about.published(entries)
    return {
        "game": entries[0]["args"]["id"],
        "commitments": [
            {"entry": entry["number"], "draws": draws, "commitment": text}
            for entry, draws, text in found["commitments"]
        ],
        "secrets": [
            {"entry": entry["number"], "draws": draws, "secret": text} for entry, draws, text in found["secrets"]
        ],
        "head": {"n": n, "hash": last_hash},
        "program": about.TEN_LINES,
    }


@record.get("/g/{slug}/export", summary="The journal as a file")
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """The journal as you may have it: lines of JSON, compressed with gzip. `nomopoly verify` reads it. What is private
    to others is withheld but for a commitment in the chain."""
    return about.journal_file(enter(request, slug))


# ---- the rulebook

book = Router(tags=["Rules"])


@book.get("/g/{slug}/rules", summary="The rulebook")
def rulebook(request: HttpRequest, slug: str, at: str = "", code: bool = False, q: str = "") -> dict[Any, Any]:
    """Every rule in force: number, title, prose (`prose` has its numbers filled in), whether a program carries it out,
    since when it has had this form, and the proposals behind it.

    `at`: the book of a history number, a moment, `start` or `now`. `code`: the programs as well. `q`: only rules with
    these words."""
    seat = enter(request, slug)
    history, records, moment = rules.book_at(seat, at.strip())
    found = books.matching(records, q) if q else records
    described = [
        told.rule(each, code)
        | {"began": books.began(each, history), "proposals": books.proposals_behind(each["id"], history)}
        for each in found
    ]
    return to_data([], seat.game.title, seat.game.edition) | {"at": moment, "rules": described}


@book.get("/g/{slug}/sections/{path:section}", summary="A section of the rules, and how it stands")
def one_section(request: HttpRequest, slug: str, section: str) -> dict[Any, Any]:
    """What the rules of a section say of the game and of players now, the things that they have made, and what you can
    do by it."""
    seat = enter(request, slug)
    records = [each for each in seat.live.records() if each["section"] == section]
    if not records:
        raise Http404(f"There is no section {section} in the rules of this game.")
    possible, impossible = pages.menu_of_actions(seat) if seat.role == "player" else ([], [])
    entries = seat.live.facts(seat.viewer).where(standing=True)
    ids = {each["id"] for each in records}
    game, table = seat.view["things"]["game"], sections.table_of_players(seat.view, section)
    return {
        "section": section,
        "title": records[0]["section_title"],
        "rules": [each["id"] for each in records],
        "game": {each["name"]: value for each, value, _ in sections.facts_of_game(seat.view, game, section, entries)},
        "players": {player["id"]: {each["name"]: value for each, value in row} for player, _, row in table[1]}
        if table
        else {},
        "things": {kind: things for kind, _, things in sections.kinds_of(seat.view, section)},
        "actions": [each["id"] for each in possible if each["section"] == section],
        "impossible": {each["id"]: each["reason"] for each in impossible if each["section"] == section},
        "log": told.Log(seat).about(sections.made_by(entries, ids), sections.A_PAGE),
    }


@book.get("/g/{slug}/words", summary="The words that rules can say")
def words(request: HttpRequest, slug: str, q: str = "") -> dict[Any, Any]:
    """Every word of this game: its name, its sort (word, chance, part, shared, event, action, value, attribute, kind or
    fact), what it takes, what it is in a line, an example, and who declares it: the kernel, a shared module or a rule.

    `q`: only words with these words in their name or line."""
    every = vocabulary.entries(enter(request, slug))
    return {"words": search(every, q[: vocabulary.LONGEST]) if q.strip() else every}


@book.get("/g/{slug}/rules/history", summary="When the rulebook changed")
def history(request: HttpRequest, slug: str) -> list[Any]:
    """Every moment at which the book changed, newest first: its number (0 is the opening), when, why, and the rules
    touched."""
    seat = enter(request, slug)
    found = books.history(seat)
    return [
        {
            "number": each["moment"],
            "at": each["at"],
            "cause": told.cause(each["cause"], seat.view),
            "rules": found.touched(each["moment"]) if each["moment"] else [],
        }
        for each in found.moments[::-1]
    ]


@book.get("/g/{slug}/rules/diff", summary="The rulebook at two moments, compared")
def compare(
    request: HttpRequest,
    slug: str,
    begin: str = Query("", alias="from"),
    end: str = Query("", alias="to"),
    show: str = "changed",
    code: bool = False,
) -> dict[Any, Any]:
    """`from` and `to` are history numbers, moments, dates, `start` or `now`; by default the last change. `show=all`
    gives the rules that are the same as well. Texts are lists of [mark, text]: same, added or removed."""
    seat = enter(request, slug)
    span = books.history(seat).compare(begin.strip() or None, end.strip() or None)
    return {
        "heading": span.heading,
        "notice": span.notice,
        "from": {"number": span.from_moment, "at": span.from_at},
        "to": {"number": span.to_moment, "at": span.to_at},
        "causes": [told.cause(each["cause"], seat.view) | {"at": each["at"]} for each in span.causes],
        "rules": [told.compared(each, code) for each in (span.diff.rules if show == "all" else span.diff.changed)],
    }


@book.get("/g/{slug}/rules/{path:id}", summary="One rule")
def rule(request: HttpRequest, slug: str, id: str) -> dict[Any, Any]:
    """A rule with its program, its versions with what each changed, what it declares, rules it clashes with, and open
    proposals that would change it. A repealed rule has `rule` null."""
    seat = enter(request, slug)
    history, records, _ = rules.book_at(seat, "")
    versions = history.versions(id)
    if not versions:
        raise Http404(f"There is no rule {id}, and there never was.")
    present = next((each for each in records if each["id"] == id), None)
    return {
        "rule": present and told.rule(present) | {"began": books.began(present, history)},
        "versions": [
            {
                "number": each["moment"],
                "at": each["at"],
                "cause": told.cause(versions[place].cause, seat.view),
                "rule": each["record"] and told.rule(each["record"]),
                "diff": told.compared(each["diff"]),
            }
            for place, each in enumerate(rules.told_versions(seat, versions))
        ][::-1],
        "declares": rules.declared(seat, id),
        "clashes": [str(each) for each in clashes(records) if id in (each.winner, each.loser)] if present else [],
        "proposals": [each["number"] for each in rules.proposals_on(seat.view, id)],
    }


# ---- proposals

votes = Router(tags=["Proposals"])


@votes.get("/g/{slug}/proposals", summary="All proposals")
def all_proposals(request: HttpRequest, slug: str, status: str = "", by: str = "", rule: str = "") -> list[Any]:
    """Proposals, newest first, with their words and changes. Filters as on the page: `status`, `by`, `rule`."""
    seat = enter(request, slug)
    asked = {"status": status.strip(), "by": by.strip(), "rule": rule.strip()}
    return [
        each | {"outcome": proposals.outcome_words(each)} for each in proposals.listed(seat.view) if fits(each, asked)
    ]


@votes.get("/g/{slug}/proposals/{int:number}", summary="One proposal")
def proposal(request: HttpRequest, slug: str, number: int) -> Data:
    """A proposal, how it would change the rules (or has changed them), what it would do if it passed now (`forecast`),
    what everybody could see coming when it was made (`foreseen`),
    rules that have changed since it was written, its history in the log, and what people say about it."""
    seat = enter(request, slug)
    found = find_proposal(seat, number)
    diff, against = proposals.difference(seat, found)
    now = foreseen.draw_up(seat, found)
    then = foreseen.kept_of(seat, found)
    example = tryouts.example_of(seat, found)
    entries = loglines.about(seat, found["id"])
    return found | {
        "outcome": proposals.outcome_words(found),
        "hash": proposals.content_hash(found),
        "example": example and {"scenario": example.text, "failure": example.failure or None},
        "against": against,
        "diff": None if diff is None else [told.compared(each) for each in diff.changed],
        "forecast": now and told.foreseen(now),
        "foreseen": then and told.foreseen(then["data"]) | {"at": then["at"]},
        "moved_on": [each.then["id"] for each in proposals.moved_on(seat, found)],
        "log": told.Log(seat).about(entries),
        "comments": told.comments(talk.about(seat, found["id"])),
    }


def find_proposal(seat: Seat, number: int) -> Data:
    """The proposal of that number, as this viewer sees it; 404 if there is none."""
    found = next((each for each in proposals.listed(seat.view) if each["number"] == number), None)
    if found is None:
        raise Http404(f"There is no proposal {number} in this game.")
    return found

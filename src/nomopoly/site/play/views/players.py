"""Who plays, what they have, and how they came by it."""

import csv
import io

from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from nomopoly.errors import CommandError
from nomopoly.site.door import seated
from nomopoly.site.play import account as accounts
from nomopoly.site.play import books, pages, sentences, words
from nomopoly.site.tables import queries

APART = ("player", "question", "offer", "proposal", "applicant", "game")


@require_safe
@seated("players")
def players(request, seat):
    entries = seat.live.facts(seat.viewer)
    return pages.show(
        seat,
        "play/players.html",
        summary=pages.summary(seat.view),
        standing=pages.standing(seat),
        former=former_players(seat, entries),
        bots=queries.bots(seat.game, entries),
        applicants=queries.applicants(seat.game) if seat.role == "admin" else [],
        joined={fact["who"]: entry["at"] for entry in entries for fact in entry["facts"] if fact["what"] == "joined"},
    )


def former_players(seat, entries):
    """Who has left: name, entry, and why, last one first."""
    gone = {}
    for entry in entries:
        if entry["struck"]:
            continue
        for fact in entry["facts"]:
            who = fact.get("who")
            if fact["what"] == "removed" and seat.view["things"].get(who, {}).get("kind") != "player":
                gone[who] = {
                    "name": who,
                    "entry": entry,
                    "because": fact.get("because") or "",
                    "how": fact.get("how") or "",
                }
    return list(gone.values())[::-1]


def find(request, seat, name):
    """The player of this name, now or once: (name, thing or None), or a redirection to the right spelling."""
    entries = seat.live.facts(seat.viewer)
    known = [thing["id"] for thing in pages.players(seat.view)]
    known += [
        fact["who"] for entry in entries for fact in entry["facts"] if fact["what"] == "joined" and not entry["struck"]
    ]
    if name in known:
        return name, seat.view["things"].get(name), entries
    for other in known:
        if other.casefold() == name.strip().casefold():
            query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
            return redirect(words.quoted_path(path_with(request.path, name, other)) + query), None, None
    raise Http404("Nobody of that name has played here.")


def path_with(path, name, other):
    head, _, rest = path.partition("/players/")
    return f"{head}/players/{other}{rest[len(name) :]}"


@require_safe
@seated("players")
def player(request, seat, name):
    name, thing, entries = find(request, seat, name)
    if entries is None:
        return name
    mine = [entry for entry in entries if sentences.mentions(entry, name)]
    return pages.show(
        seat,
        "play/player.html",
        name=name,
        player=thing,
        colour=next((at for at, each in enumerate(pages.players(seat.view)) if each["id"] == name), 0),
        own=seat.player_name == name and seat.role == "player",
        bot=name in queries.bots(seat.game, entries),
        sections=by_section(seat, thing) if thing else [],
        possessions=possessions(seat.view, name),
        proposals=[
            each for each in seat.view["things"].values() if each["kind"] == "proposal" and each.get("author") == name
        ][::-1],
        lines=sentences.lines(seat, mine[-30:][::-1]),
        left=next((each for each in former_players(seat, entries) if each["name"] == name), None),
        has_account="money" in (thing or {"money": 0}),
    )


def by_section(seat, thing):
    """The declared attributes of a player, by section of the rules: [(title, [(attribute, value)])]."""
    titles = {record["section"]: record["section_title"] for record in seat.live.records()}
    found = {}
    for attribute in seat.view["schema"].get(thing["kind"], ()):
        if attribute["name"] in thing and (attribute["label"] or thing[attribute["name"]] is not None):
            found.setdefault(attribute["section"], []).append((attribute, thing[attribute["name"]]))
    return [(section, titles.get(section, ""), rows) for section, rows in found.items()]


def possessions(view, name):
    """Things whose attributes name a player, by what they say: [(label, [things])]."""
    found = {}
    for thing in view["things"].values():
        if thing["kind"] in APART:
            continue
        for attribute in view["schema"].get(thing["kind"], ()):
            if attribute["type"] == "thing" and thing.get(attribute["name"]) == name:
                label = f"{attribute['label'] or attribute['name']}: {thing['kind']}s"
                found.setdefault(label, []).append(thing)
    return list(found.items())


@require_safe
@seated("players")
def account(request, seat, name):
    name, thing, entries = find(request, seat, name)
    if entries is None:
        return name
    try:
        chosen = between(request, seat, statement_of(seat, name, thing, entries))
    except CommandError as error:
        return pages.bad_request(seat, str(error))
    return pages.show(
        seat,
        "play/account.html",
        name=name,
        player=thing,
        corrections=[entry for entry in entries if entry["kind"] == "strike" and not entry["struck"]],
        **chosen,
    )


@require_safe
@seated("players")
def account_csv(request, seat, name):
    name, thing, entries = find(request, seat, name)
    if entries is None:
        return name
    try:
        chosen = between(request, seat, statement_of(seat, name, thing, entries))
    except CommandError as error:
        return pages.bad_request(seat, str(error))
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["moment", "entry", "what", "rule", "other party", "amount", "balance"])
    if chosen["forward"] is not None:
        writer.writerow(["", "", "Brought forward", "", "", "", chosen["forward"]])
    for line in chosen["lines"]:
        at = words.local(line.entry["at"]).isoformat()
        texts = [safe_cell(text) for text in (line.say, line.rule, line.party)]
        writer.writerow([at, line.entry["number"], *texts, line.amount, line.balance])
    return pages.plain_file(table.getvalue(), "text/csv; charset=utf-8", "account.csv")


def safe_cell(text):
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def statement_of(seat, name, thing, entries):
    declared = next((each for each in seat.view["schema"].get("player", ()) if each["name"] == "money"), {})
    return accounts.statement(
        entries, name, thing.get("money") if thing else None, rule_of_money=declared.get("rule", "")
    )


def between(request, seat, lines):
    """The lines of the wanted time, and the balance brought forward. Raises CommandError for what is no moment."""
    book = books.history(seat)
    begin, end = request.GET.get("from", "").strip(), request.GET.get("to", "").strip()
    since = book.read(begin) if begin else None
    until = book.read(end) + (86399 if len(end) == 10 else 0) if end else None
    chosen = [
        line
        for line in lines
        if (since is None or line.entry["at"] >= since) and (until is None or line.entry["at"] <= until)
    ]
    before = [line for line in lines if since is not None and line.entry["at"] < since]
    forward = (before[-1].balance if before else 0) if since is not None else None
    return {
        "lines": chosen,
        "forward": forward,
        "from_": begin,
        "to_": end,
        "last": chosen[-1].balance if chosen else forward,
    }

"""The log: what happened, one entry in all its parts, the feed."""

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import strip_tags
from django.views.decorators.http import require_POST, require_safe

from nomopoly.errors import CommandError
from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import books, calendars, pages, sentences, talk, words
from nomopoly.site.play.proposals import listed
from nomopoly.site.play.views.proposals import said
from nomopoly.site.tables import queries

A_PAGE = 60
KINDS = {
    "order": "orders of players",
    "admin": "acts of the Admin",
    "tick": "moments reached",
    "join": "wishes to join",
    "leave": "departures",
    "strike": "corrections",
    "open": "the opening",
    "reveal": "revealed secrets",
}


@require_safe
@seated("log")
def log(request, seat):
    entries = seat.live.facts(seat.viewer)
    asked = {name: request.GET.get(name, "").strip() for name in ("player", "square", "rule", "kind", "since", "q")}
    seen = pages.last_seen(seat)
    try:
        found, unsearched = filtered(seat, entries, asked, seen)
    except (CommandError, BadRequest) as error:
        return pages.bad_request(seat, str(error))
    filtering = any(asked.values())
    page = Paginator(found[::-1], A_PAGE).get_page(request.GET.get("page"))
    shown = sentences.lines(seat, list(page), since=seen, quiet="each" if filtering else "together")
    return pages.show(
        seat,
        "play/log.html",
        days=sentences.by_day(shown),
        page=page,
        asked=asked,
        filtering=filtering,
        unsearched=unsearched,
        query="&".join(f"{name}={words.escape_path(value)}" for name, value in asked.items() if value),
        kinds=[(kind, KINDS.get(kind, kind)) for kind in dict.fromkeys(entry["kind"] for entry in entries)],
        names=[player["id"] for player in pages.players(seat.view)],
        seen=seen,
        week=seat.view["things"]["game"].get("week"),
    )


def filtered(seat, entries, asked, seen):
    """(the entries that all the filters let through, how many of the oldest were not searched for words)."""
    found = entries
    for id in (asked["player"], asked["square"] and "#" + asked["square"].lstrip("#")):
        if id:
            about = {entry["n"] for entry in sentences.about(seat, id)}
            found = [entry for entry in found if entry["n"] in about]
    if asked["rule"]:
        found = [entry for entry in found if sentences.by_rule(entry, asked["rule"]) or asked["rule"] in entry["rules"]]
    if asked["kind"]:
        found = [entry for entry in found if entry["kind"] == asked["kind"]]
    if asked["since"] in ("visit", "last"):
        found = [entry for entry in found if seen is not None and entry["n"] > seen]
    elif asked["since"]:
        since = books.history(seat).read(asked["since"])
        found = [entry for entry in found if entry["at"] >= since]
    if not asked["q"]:
        return found, 0
    matching, searched = sentences.searched(seat, found, asked["q"])
    return matching, len(found) - searched


@require_safe
@seated("log")
def week(request, seat, number):
    """The report of a week: its updates, each in the order in which things happened, and what lay between them."""
    weeks = sentences.by_week(seat.live.facts(seat.viewer))
    if number not in weeks or number == 0:
        raise Http404(f"There is no week {number} in this game.")
    seen = pages.last_seen(seat)
    concerned = {change[0] for _, entries in weeks[number] for entry in entries for change in entry["changes"]}
    return pages.show(
        seat,
        "play/week.html",
        number=number,
        proposals=[each for each in listed(seat.view) if each["id"] in concerned][::-1],
        parts=[
            (update, entries[0]["at"], sentences.lines(seat, entries, since=seen)) for update, entries in weeks[number]
        ],
        earlier=number - 1 if number - 1 in weeks and number > 1 else None,
        later=number + 1 if number + 1 in weeks else None,
    )


@require_safe
@seated("log")
def entry(request, seat, number):
    entries = seat.live.facts(seat.viewer)
    found = next((each for each in entries if each["number"] == number), None)
    if found is None:
        raise Http404(f"There is no entry {number} in this game.")
    teller = sentences.Teller(seat)
    public = [each for each in entries if each["number"] is not None]
    at = public.index(found)
    return pages.show(
        seat,
        "play/entry.html",
        entry=found,
        text=teller.line(found),
        comments=talk.about(seat, f"entry-{found['n']}"),
        may_speak=talk.may_speak(seat),
        tree=teller.tree(found),
        untold=max(0, len(found["facts"]) - sentences.MOST_FACTS),
        what=teller.what(found),
        args=[
            (key, words.shown(seat.view, seat.game.address, value, "", seat.names)) for key, value in shown_args(found)
        ],
        changes=queries.readable(seat.view, teller.changes(found)),
        strike=next((each for each in entries if each["n"] == found["struck"]), None),
        struck=next(
            (each for each in entries if found["kind"] == "strike" and each["n"] == found["args"].get("entry")), None
        ),
        previous=public[at - 1] if at else None,
        following=public[at + 1] if at + 1 < len(public) else None,
    )


@require_POST
@seated("log", signed_in=True)
def question(request, seat, number):
    """Question an entry: a thread about it; it changes nothing."""
    found = next((each for each in seat.live.facts(seat.viewer) if each["number"] == number), None)
    if found is None:
        raise Http404(f"There is no entry {number} in this game.")
    return said(request, seat, f"entry-{found['n']}", f"{seat.game.address}log/{number}/")


def shown_args(entry):
    """What was asked, but for long programs, which the proposal's own page shows, and what a strike strikes, which is linked."""
    skipped = ("changes", "run", "text", "timer", *(("entry",) if entry["kind"] == "strike" else ()))
    return [(key, value) for key, value in entry["args"].items() if key not in skipped and value not in (None, "")]


@require_safe
@seated("log")
def feed(request, seat):
    return atom(seat)


def atom(seat, own=False):
    """The last entries as a feed, newest first; with `own`, those too that only this viewer sees."""
    game, teller = seat.game, sentences.Teller(seat)
    site = f"{seat.request.scheme}://{seat.request.get_host()}"
    here = site + seat.request.path
    title = calendars.plain(game.title)
    feed = Atom1Feed(title, site + game.address, f"What happens in {title}", feed_url=here)
    entries = [each for each in seat.live.facts(seat.viewer) if not each["struck"]]
    for each in [each for each in entries if own or each["number"] is not None][-40:][::-1]:
        told = " ".join(calendars.plain(strip_tags(teller.line(each))).split())
        public = each["number"] is not None
        where = f"{site}{game.address}log/{each['number']}/" if public else f"{site}{game.address}log/"
        feed.add_item(
            told[:120],
            where,
            told,
            unique_id=where if public else f"{where}#own-{each['n']}",
            pubdate=formats.local(each["at"]),
            updateddate=formats.local(each["at"]),
        )
    return pages.plain_file(feed.writeString("utf-8"), "application/atom+xml; charset=utf-8")

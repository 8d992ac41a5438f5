"""What the pages of a game share: what waits, the standing, moments to come, the table as it was."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.cache import caches
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from nomopoly.errors import CommandError
from nomopoly.lab.tables import safe_cell
from nomopoly.runtime.calendar import next_occurrence
from nomopoly.runtime.host import Game
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.protocol import STANDS_STILL
from nomopoly.site import formats
from nomopoly.site.play import books, ending, tasks, words
from nomopoly.site.said import said
from nomopoly.site.tables import live, queries, readings, visits, waypoints

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


VISIT_SECONDS = 1800  # of quiet, after which a page begins another visit
VISIT_NOTED_SECONDS = 60  # for which it is not written down that a visit goes on
KEPT_SECONDS = 600  # for which a view of the past is kept
PUBLIC_ROLES = ("visitor", "former")
VOTED_ON_THEIR_PAGE = ("proposal", "emergency")  # kinds of things


def show(seat: Seat, template: str, **context: Any) -> HttpResponse:
    """Draw a page of the game, with the number of things that wait in its title."""
    return seat.page(template, waiting_count=len(tasks.waiting(seat)), **context)


def bad_request(seat: Seat, message: str, title: str | None = None) -> HttpResponse:
    """A page that says what was wrong with an address."""
    title = title or _("That cannot be read")
    return show(seat, "play/bad_request.html", status=400, message=said(message), title=title)


def refusal(seat: Seat, outcome: Outcome) -> Data:
    """Why an order was not carried out, for the top of its form, with things called as people call them."""
    told = queries.refusal_of(outcome)
    rule = None if told["rule"] == "kernel" else told["rule"]
    reason = formats.in_thousands(words.numbered_in(seat.view, told["reason"]))
    return told | {"reason": reason, "rule": rule}


def players(view: Data) -> list[Any]:
    """The players in a view."""
    return [thing for thing in view["things"].values() if thing["kind"] == "player"]


def numbered(view: Data) -> list[Any]:
    """The players with their numbers of colour: [(number, player)]."""
    return list(enumerate(players(view)))


def marks_of(view: Data, player: Data) -> list[Data]:
    """What rules say a player is (an office, a state): the labelled yes/no values that are true of them."""
    declared = view["schema"].get("player", ())
    return [
        each for each in declared if each["derived"] and each["type"] == "yesno" and player.get(each["name"]) is True
    ]


def summary(view: Data) -> list[Any]:
    """The attributes of players that a standing shows."""
    return [attribute for attribute in view["schema"].get("player", ()) if attribute["summary"]]


def of_the_game(view: Data) -> list[Any]:
    """What rules put into the standings of the game itself, such as whose turn it is: [(attribute, value)]."""
    game = view["things"].get("game", {})
    found = [(each, game.get(each["name"])) for each in view["schema"].get("game", ()) if each["summary"]]
    return [(each, value) for each, value in found if is_so(value)]


def standing(seat: Seat) -> list[Any]:
    """Each player with the values of the summary: [(player, number of colour, [(attribute, value)], what they are)]."""
    columns = summary(seat.view)
    return [
        (player, at, [(each, player.get(each["name"])) for each in columns], marks_of(seat.view, player))
        for at, player in numbered(seat.view)
    ]


def in_few_words(standing: list[Any]) -> list[Any]:
    """The same without what players are not, such as "Sick: no"; their money and numbers stay."""
    return [
        (player, at, [(each, value) for each, value in values if each["type"] == "money" or is_so(value)], marks)
        for player, at, values, marks in standing
    ]


def is_so(value: object) -> bool:
    """Whether something is there to be shown: no nothing, no No, no empty word."""
    return value is not None and value is not False and value != ""


def says_nothing(value: object) -> bool:
    """Whether a value is what things have where nothing has happened: none, no, 0."""
    return value in (None, "", False, 0) or value == []


def telling(view: Data, kind: str, but: Collection[str] = ()) -> list[Data]:
    """The labelled attributes of a kind of thing that are not the same for all of them, nor say nothing anywhere."""
    found = [thing for thing in view["things"].values() if thing["kind"] == kind]
    told = []
    for each in view["schema"].get(kind, ()):
        if each["label"] and each["name"] not in but:
            contents = [thing.get(each["name"]) for thing in found]
            alike = len(found) > 1 and contents.count(contents[0]) == len(found)
            if not alike and not all(says_nothing(content) for content in contents):
                told.append(each)
    return told


def to_come(view: Data) -> list[Data]:
    """Moments that things of the game wait for, as far as this viewer sees them: soonest first. Until when questions
    are answered stands where they wait for whom they ask."""
    found, now = [], live.now()
    moments = {
        kind: [each for each in attributes if each["type"] == "moment"]
        for kind, attributes in view["schema"].items()
        if kind != "question"
    }
    for thing in view["things"].values():
        for attribute in moments.get(thing["kind"], ()):
            at = thing.get(attribute["name"])
            if isinstance(at, int) and at > now:
                label = _("voting closes") if thing["kind"] == "emergency" else attribute["label"] or attribute["name"]
                found.append({"at": at, "label": label, "thing": thing["id"]})
    return sorted(found, key=lambda each: each["at"])


def coming(seat: Seat, limit: int | None = 6) -> list[Any]:
    """What is to come: moments that things wait for, and the next times of what the rules do by the calendar.

    Nothing in a game that is over. In a pause the time of the game stands still: only votes come to their end, and what
    goes by the real calendar goes on.
    """
    if "coming" not in seat.cache:
        seat.cache["coming"] = find_coming(seat)
    return seat.cache["coming"][:limit]


def find_coming(seat: Seat) -> list[Any]:
    """All that is to come, soonest first."""
    state = seat.view["things"].get("game", {})
    if state.get("over"):
        return []
    moments = to_come(seat.view)
    if state.get("paused"):
        moments = [each for each in moments if queries.is_voted_on(seat.view["things"][each["thing"]])]
    for each in calendar_of(seat.live):
        if each["real"] or not state.get("paused"):
            at = next_occurrence(each, seat.game.time_zone, live.now())
            moments.append({"at": at, "label": words.name_of_moment(each), "thing": "game"})
    return sorted(moments, key=lambda each: each["at"])


def calendar_of(running: live.Warm) -> list[Data]:
    """What comes by the calendar; nothing while the rules let time stand still."""
    return [] if running.wish(STANDS_STILL) else running.describe()["calendar"]


def state_words(seat: Seat, opened: int | None) -> str:
    """The state of the game in one sentence."""
    view = seat.view
    playing = len(players(view))
    if not playing:
        return _("Nobody plays at the moment.") if queries.ever_joined(seat.live) else _("Nobody has joined yet.")
    week = view["things"].get("game", {}).get("week")
    over = bool(view["things"].get("game", {}).get("over"))
    last = ending.last_entry(seat.live.facts(seat.viewer).having("change:game.over")) if over else None
    now = last["at"] if last else live.now()  # days are counted up to the end
    day = (readings.day_of(seat.game, now) - readings.day_of(seat.game, min(opened or now, now))).days + 1
    told = [_("Day %(day)s, week %(week)s") % {"day": day, "week": week} if week else _("Day %(day)s") % {"day": day}]
    told.append(ngettext("%(n)s player", "%(n)s players", playing) % {"n": playing})
    voting = [each for each in view["things"].values() if each["kind"] == "proposal" and queries.is_voted_on(each)]
    if voting and not over:
        told.append(ngettext("%(n)s proposal in voting", "%(n)s proposals in voting", len(voting)) % {"n": len(voting)})
    undecided = len(queries.undecided(view))
    if undecided:
        words_of = ngettext("%(n)s proposal waiting for %(who)s", "%(n)s proposals waiting for %(who)s", undecided)
        told.append(words_of % {"n": undecided, "who": seat.game.decider})
    for each in coming(seat, 1):
        next_one = {"what": words.within(each["label"]), "span": words.span(each["at"] - live.now())}
        if each["thing"] == "game":
            told.append(_("Next: %(what)s in %(span)s") % next_one)
        else:  # labels of attributes want their moment: option until ..., voting closes ...
            next_one |= {"who": words.thing_name(view, each["thing"]), "moment": formats.clock(each["at"])}
            told.append(_("Next: %(who)s, %(what)s %(moment)s (in %(span)s)") % next_one)
    return ". ".join(told) + "."


def last_seen(seat: Seat) -> int | None:
    """The entry that this reader saw last before the present visit; None where there was no visit before."""
    request = seat.request
    if not request.user.is_authenticated or seat.trial:
        return None
    key = f"visit-{seat.game.pk}"
    kept = request.session.get(key)
    if kept is not None and "X-Live" in request.headers:
        return kept[0]
    before, now = visits.visited(seat.game, request.user, seat.live.n), live.now()
    if kept is None or now - kept[1] > VISIT_SECONDS:
        kept = request.session[key] = [before, now]
    elif now - kept[1] > VISIT_NOTED_SECONDS:
        request.session[key] = [kept[0], now]
    return kept[0]


def menu_of_actions(seat: Seat, only: tuple[str] | None = None, elsewhere: bool = False) -> tuple[list[Any], list[Any]]:
    """The actions of a player that have a form: possible ones and impossible ones. Votes on what has a page of its own
    (VOTED_ON_THEIR_PAGE) are given there. `only`: the ids of those that are wanted. `elsewhere`: also those that are
    given on other pages, or that no page shows."""
    actions = [
        each | {"reason": reason_of(seat, each)}
        for each in seat.live.actions(seat.viewer, only)
        if (seat.trial or not each["desk"]) and (elsewhere or not each["hidden"])
        if elsewhere or not each["ballot"] or each["fields"][0].get("kind") not in VOTED_ON_THEIR_PAGE
    ]
    return [each for each in actions if each["possible"]], [each for each in actions if not each["possible"]]


def reason_of(seat: Seat, action: Data) -> str | None:
    """Why an action is not possible, in the reader's words; where it is not the reason for all that can be chosen, with
    what it is the reason for. None where it is possible."""
    reason, about = queries.in_reader_words(action["reason"]), action.get("reason_for")  # older games know none
    reason = reason and formats.in_thousands(words.numbered_in(seat.view, reason))
    if not about or not reason:
        return reason
    what = words.thing_name(seat.view, about) if about in seat.view["things"] else seat.titles.get(about, about)
    return _("%(what)s: %(reason)s") % {"what": what, "reason": reason}


# ---- the table as it was


@dataclass
class Past:
    """The game as a viewer could have seen it at a moment, or (`asked` is a number) right after an entry of the log."""

    seat: Seat
    asked: str
    ahead: int = 0  # of how many entries after this one the views will be wanted soon

    @cached_property
    def shown(self) -> Data | None:
        """The entry of the viewer's log that was asked for by its number, or the last one of the moment; None before
        all.

        Raises BadRequest where there is no such entry."""
        return self.numbered if self.asked.isdecimal() else next(iter(self.entries.where(until=self.at)[-1:]), None)

    @cached_property
    def numbered(self) -> Data:
        """The entry whose number was asked for. Raises BadRequest where there is none."""
        number = int(self.asked) if len(self.asked) < 10 and self.asked == str(int(self.asked)) else -1
        found = list(self.entries.where(number=number))
        if not found:
            told = _("There is no entry %(number)s: the last is %(last)s")
            raise BadRequest(told % {"number": self.asked[:20], "last": self.last})
        return found[0]

    @property
    def entries(self) -> Log | Kept:
        """The entries that everybody sees, as the viewer sees them."""
        return self.seat.live.facts(self.seat.viewer).where(open_to_all=True)

    @cached_property
    def last(self) -> int | None:
        """The number of the last entry that there is."""
        return self.seat.live.facts(self.seat.viewer).last_number()

    @cached_property
    def at(self) -> int:
        """The second that was asked for. Raises BadRequest with what is possible."""
        if self.asked.isdecimal():
            return self.numbered["at"]
        book = books.history(self.seat)
        try:
            if self.asked in ("start", "now"):
                return book.locate(self.asked)[1]
            at = book.read(self.asked)
        except CommandError:
            typed = self.asked if len(self.asked) <= 60 else f"{self.asked[:60]}..."
            told = _("Not a moment: %(typed)s. Write a history number, 2026-05-06, 2026-05-06T18:20:16, start or now")
            raise BadRequest(told % {"typed": typed}) from None
        first, last = book.moments[0]["at"], live.now()
        if not first <= at <= last:
            told = _("Nothing can be shown for %(at)s: the first moment is %(first)s, the last is %(last)s")
            raise BadRequest(told % {"at": book.clock(at), "first": book.clock(first), "last": book.clock(last)})
        return at

    @cached_property
    def view(self) -> Data:
        """What the viewer could see at that moment. Kept for a while: it takes computing the game again."""
        if self.asked.isdecimal():
            entry = self.numbered["n"]
        else:
            entry = self.seat.live.facts("admin").where(until=self.at).last_n()
        kept = caches["local"].get(self.key(entry, self.at))
        return kept if kept is not None else self.views(entry)

    def views(self, entry: int) -> Any:
        """The view after an entry, from the journal computed again; those after the next ones (`ahead`) are kept on the
        way."""
        seat, views = self.seat, {}
        later = seat.live.facts(seat.viewer).where(after=entry, open_to_all=True).moments()[: self.ahead]
        wanted = {entry: self.at} | {n: at for n, _, at in later}

        def look(running: Game, n: int) -> None:
            if n in wanted and n not in views:
                views[n] = running.view(seat.viewer, wanted[n])
                caches["local"].set(self.key(n, wanted[n]), views[n], KEPT_SECONDS)

        runtime = seat.live.ask(lambda game: game.runtime.name)
        running = waypoints.as_it_was(
            seat.game.pk, runtime, entry, max(wanted), lambda game, line: look(game, line["n"] - 1)
        )
        try:
            look(running, max(wanted))
        finally:
            running.runtime.close()
        return views[entry]

    def key(self, entry: int, at: int) -> str:
        """What a view is kept under."""
        viewer = self.seat.viewer if self.seat.role == "player" else self.seat.role
        return f"past-{self.seat.game.pk}-{entry}-{at}-{viewer}-{len(self.seat.viewer)}".encode().hex()[:200]


def csv_file(rows: Iterable[list[object]], name: str) -> HttpResponse:
    """A table made for one viewer, of this name. The mark it begins with lets spreadsheets read umlauts."""
    table = io.StringIO()
    csv.writer(table).writerows([safe_cell(cell) for cell in row] for row in rows)
    return plain_file(table.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8", name)


def plain_file(body: bytes | str, content_type: str, name: str | None = None) -> HttpResponse:
    """A file made for one viewer."""
    from django.http import HttpResponse

    response = HttpResponse(body, content_type=content_type)
    response["Cache-Control"] = "private, no-store"
    if name:
        response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response

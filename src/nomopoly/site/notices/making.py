"""From what happens in games to notices.

The journal of a game, its talk and its view are all that is needed, so nothing about a notice is kept before it is
made: a game that has grown is looked through from the entry where that ended last time (`Watch`). What is found is
written in one transaction with the new end. Who is interrupted has done nothing, and a second look finds no cause
twice.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Collection, Generator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import get_language, gettext, ngettext, override

from nomopoly.site.busy import Busy
from nomopoly.site.door import Seat
from nomopoly.site.notices.models import Notice, Watch
from nomopoly.site.play import foreseen, sentences, talk, watched, weeks
from nomopoly.site.play.models import Comment, Forum, Thread
from nomopoly.site.post import languages
from nomopoly.site.tables import answered, holidays, live, prepared, queries, whereabouts
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomopoly.site.accounts.models import User
    from nomopoly.site.play.sentences import Teller
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Membership


log = logging.getLogger("nomopoly.notices")
SOON = 20  # seconds after an entry until its game is looked through, so that several entries are one look
LEASE = 300  # seconds that a game which is being looked through is left alone by others
AGAIN = 60  # seconds at least until a game that has not grown is looked through again
DAY = 86_400
WELCOME = ("approve-player",)  # acts that a mail of their own tells of
NUMBERED = re.compile(r"[a-z][a-z-]*-\d+")  # offer-3, as addresses have it
LONGEST = 1000  # characters of what a notice says
WATCH = prepared.Rows(lambda game: Watch.objects.filter(game=game))


# ---- when to look


def begin(game: Game, **_: object) -> None:
    """Watch a new game from its first entry."""
    Watch.objects.create(game=game, seen={"proposals": {}, "players": [], "paused": False, "over": False, "desk": []})


def look_soon(game_id: int, **_: object) -> None:
    """Look through a game soon, because entries of it are being stored."""
    soon = live.now() + SOON
    watch = WATCH.first(game_id)
    if watch is None:
        watch = Watch.objects.get_or_create(game_id=game_id, defaults={"look_at": soon, "n": newest(game_id)})[0]
    if watch.look_at is None or watch.look_at > soon:
        Watch.objects.filter(pk=watch.pk).update(look_at=soon)


def look_for_talk(instance: Comment, created: bool, **_: object) -> None:
    """Look through a game soon, because somebody has posted in it."""
    if created:
        look_soon(instance.game_id)


def newest(game_id: int) -> int:
    """The last entry of a game that was there before anybody watched it: what came before it is told to nobody."""
    last = Game.objects.get(pk=game_id).entries.order_by("-n").first()
    return max(0, last.n - 1) if last else 0


def attend(game: Game, lease: int) -> Any:
    """Look through a game of which the look that ends with this lease was taken."""
    look(Watch.objects.select_related("game").get(game=game), lease)


def look_all(see_to: Callable[[Game, int], object] = attend, most: int = 20) -> int:
    """Look through the games whose time has come, at most so many; `see_to(game, lease)` does one. Returns how many
    were looked through."""
    looked = 0
    for watch in Watch.objects.filter(look_at__lte=live.now()).select_related("game").order_by("look_at")[:most]:
        lease = live.now() + LEASE
        if not Watch.objects.filter(pk=watch.pk, look_at=watch.look_at).update(look_at=lease):
            continue  # somebody else is at it
        try:
            see_to(watch.game, lease)
        except Busy as error:
            log.info("notices of game %s have to wait: %s", watch.game.slug, error)
            Watch.objects.filter(pk=watch.pk, look_at=lease).update(look_at=live.now() + SOON)
        except Exception:
            log.exception("notices of game %s", watch.game.slug)
        looked += 1
    return looked


def warn(seat: Membership, moment: int, days: int, stays: str, **_: object) -> None:
    """Tell a player that the rules take them out of the game at a moment (seconds since 1970), within so many days."""
    said = {"title": seat.game.title, "player": seat.player, "days": days, "stays": stays}
    with languages.of(seat.user), timezone.override(languages.zone_of(seat.user, seat.game)):
        said |= {"when": queries.in_words(moment, "moment")}
        first = ngettext(
            "You will be out of the game in %(days)s day", "You will be out of the game in %(days)s days", days
        )
        why = gettext(
            "By the rules of %(title)s, %(player)s is removed on %(when)s, with money and everything else. %(stays)s"
        )
        text = f"{first}\n{why}" % said
    told = {"text": text[:LONGEST], "until": moment, "due": live.present()}
    path = f"players/{quote(seat.player, safe='')}/"
    cause = f"{moment}|{days}"
    Notice.objects.get_or_create(
        user=seat.user, game=seat.game, kind="removal", cause=cause, defaults=told | {"path": path}
    )


def look(watch: Watch, lease: int) -> None:
    """Make the notices of one game, and note when it wants to be looked through again."""
    look_through = Look(watch)
    with override("en"):  # what makes a notice another one is the same for everybody
        look_through.everything()
    with transaction.atomic():
        Notice.objects.bulk_create(look_through.notices, ignore_conflicts=True)
        Watch.objects.filter(pk=watch.pk).update(n=look_through.n, comment=look_through.comment, seen=look_through.seen)
        Watch.objects.filter(pk=watch.pk, look_at=lease).update(look_at=look_through.again)


# ---- what there is to tell


class Look:
    """One look through a game: `notices` that are to be made, and how far it went (`n`, `comment`, `seen`, `again`)."""

    def __init__(self, watch: Watch) -> None:
        self.game, self.before = watch.game, watch
        self.live = live.of(watch.game)
        self.n, self.comment, self.seen = watch.n, watch.comment, dict(watch.seen)
        self.again: int | None = None
        self.notices: list[Any] = []
        self.now = live.now()
        self.since: Data = {}  # see `joined`
        self.watchers = watched.watchers(watch.game)

    def everything(self) -> None:
        """Find all that is to be told."""
        n = self.live.n
        seats = [each for each in players_of(self.game) if each.player_name in each.view["things"]]
        for seat in seats:
            self.happened(seat)
            self.waits(seat)
        known = self.seen.get("players")
        self.since = {} if known is None else self.joined(seat for seat in seats if seat.player_name not in known)
        self.changed(seats)
        self.reported(seats)
        self.talked(seats)
        self.away(seats)
        self.seen["players"] = [seat.player_name for seat in seats]
        self.at_desk()
        self.n = n

    def joined(self, seats: Generator[Any, None, None]) -> dict[Any, set[Any]]:
        """What has happened since each of these joined, who is told nothing of what went before: {player: names of
        things}."""
        found = {}
        for seat in seats:
            after: set[Any] = set()
            for entry in self.live.facts(seat.viewer, self.before.n + 1):
                if any(fact["what"] == "joined" and fact.get("who") == seat.player_name for fact in entry["facts"]):
                    after = set()
                after |= {change[0] for change in entry["changes"]}
            found[seat.player_name] = after
        return found

    def add(
        self,
        user: User | None,
        kind: str,
        cause: str,
        text: str,
        path: str,
        *,
        n: int | None = None,
        until: int | None = None,
        due: int | None = None,
        elsewhere: str = "",
    ) -> None:
        """Tell a user something, when it is due (seconds since 1970; now by default)."""
        due = max(due or self.now, self.now)
        self.notices.append(
            Notice(
                user=user,
                game=self.game,
                kind=kind,
                cause=cause[:250],
                n=n,
                text=text[:LONGEST],
                elsewhere=elsewhere[:LONGEST],
                path=path[:300],
                until=until,
                made=moment(self.now),
                due=moment(due),
            )
        )
        if due > self.now:
            self.look_again(due)

    def look_again(self, at: int) -> None:
        """Look through this game at a moment, if not before."""
        at = max(at, self.now + AGAIN)
        self.again = at if self.again is None else min(self.again, at)

    def happened(self, seat: Seat) -> None:
        """What the log shows a player that others, the clock or the Admin have done to them."""
        teller, anybody = sentences.Teller(seat), None
        asked = {id for item in waiting_for(seat) for id in NUMBERED.findall(item["path"])}
        notify = self.live.describe()["notify"]
        for entry in self.live.facts(seat.viewer, self.before.n + 1):
            called = called_by(seat.player, entry, notify)
            with languages.of(seat.place.user), timezone.override(languages.zone_of(seat.place.user, self.game)):
                text = "" if entry["struck"] else what_happened_to(seat.player, entry, teller, asked, called)
            if text:
                anybody = anybody or sentences.Teller(Seat(HttpRequest(), self.game, "visitor", None))
                elsewhere = self.without_hidden(seat, entry, text, anybody, asked, called)
                kind = "called" if called else "happened"
                path = f"log/{entry['number']}/" if entry.get("number") is not None else "log/"
                self.add(seat.place.user, kind, f"entry-{entry['n']}", text, path, n=entry["n"], elsewhere=elsewhere)

    def without_hidden(
        self, seat: Seat, entry: Data, text: str, teller: Teller, asked: set[Any], called: list[Any]
    ) -> str:
        """What is said outside of the site of what has happened to a player: what everybody sees of it. "" where that
        is all."""
        with languages.of(seat.place.user), timezone.override(languages.zone_of(seat.place.user, self.game)):
            open_to_all = next(iter(self.live.facts("visitor").where(n=entry["n"])), None)
            said = what_happened_to(seat.player, open_to_all, teller, asked, called) if open_to_all else ""
            return "" if said == text else said or gettext("Something that only you may see has happened to you.")

    def waits(self, seat: Seat) -> None:
        """What waits for a player now, and what of it falls due."""
        waiting = waiting_for(seat)
        with languages.of(seat.place.user):
            words = waiting if get_language() == "en" else waiting_for(seat)
        for item, said in zip(waiting, words, strict=True):
            until = item.get("until")
            until = until if isinstance(until, int) and until > self.now else None
            sort, cause = sort_of(item), cause_of(item)
            tell = {"text": said["text"][:1].upper() + said["text"][1:], "path": item["path"], "until": until}
            if sort != "vote" or until is None:  # of a vote that nobody knows the close of, at once
                self.add(seat.place.user, sort, cause, **tell)
            if until is not None and (sort == "vote" or until - self.now > 1.5 * DAY):
                self.add(seat.place.user, "vote" if sort == "vote" else "due", cause, **tell, due=until - DAY)
        me = seat.view["things"][seat.player_name]
        for attribute in seat.view["schema"].get("player", ()):
            at = me.get(attribute["name"]) if attribute["type"] == "moment" else None
            if isinstance(at, int) and at > self.now:
                self.look_again(at + 1)

    def changed(self, seats: list[Any]) -> None:
        """What has become of proposals and of the game itself, as everybody sees it."""
        view = self.live.view("visitor")
        things = view["things"]
        proposals = {
            each["id"]: state_of(each) for each in things.values() if each["kind"] in ("proposal", "emergency")
        }
        game = things.get("game", {})
        state = {"proposals": proposals, "paused": bool(game.get("paused")), "over": bool(game.get("over"))}
        known = self.before.seen.get("proposals")
        for id in sorted(set(proposals) - set(known)) if known is not None else ():
            foreseen.keep(self.game, id)
        for id, status in proposals.items() if known is not None else ():
            if known.get(id) != status:
                thing, watchers = things[id], self.watchers.get(id, {})
                path = f"proposals/{id.lstrip('P')}/" if thing["kind"] == "proposal" else ""
                for user in watchers.values():
                    self.add(user, "watched", f"{id}:{status}", state_in_words(user, thing, status), path)
                for seat in seats:
                    user = seat.membership.user
                    if id not in self.since.get(seat.player_name, {id}):
                        continue  # it was so before they came
                    if user.pk not in watchers and (thing.get("author") != seat.player_name or id in known):
                        self.add(user, "proposal", f"{id}:{status}", state_in_words(user, thing, status), path)
        for name in ("paused", "over"):
            was = self.before.seen.get(name)
            if was is not None and was != state[name]:
                for seat in seats:
                    user = seat.membership.user
                    say = course_in_words(user, name, state[name], game.get("winner"))
                    self.add(user, "game", f"{name}:{state[name]}:{self.live.n}", say, "")
        self.seen |= state

    def reported(self, seats: list[Any]) -> None:
        """That an update is over, in a game with weeks: its report is there."""
        entries, spans = self.live.facts("visitor"), None
        for entry in entries.having("change:game.update").where(after=self.before.n):
            spans = spans or weeks.spans_of_weeks(entries)
            week = next(
                (week for week, parts in spans.items() if any(is_within(entry["n"], part) for part in parts)), None
            )
            for update in weeks.became(entry, "update") if week else ():
                for seat in seats:
                    if seat.player_name in self.since:
                        continue  # it was over before they came
                    with languages.of(seat.membership.user):
                        text = gettext("Update %(update)s is over: its report is there.") % {"update": update}
                    path, n = f"log/week/{week}/#update-{update}", entry["n"]
                    self.add(seat.membership.user, "report", f"update-{update}", text, path, n=n)

    def talked(self, seats: list[Any]) -> None:
        """What has been said to somebody, and what the Admin has announced."""
        fresh = list(Comment.objects.filter(game=self.game, pk__gt=self.before.comment, deleted=False, hidden=False))
        threads = {f"thread-{each.number}": each for each in Thread.objects.filter(game=self.game)}
        members = {seat.membership.user_id for seat in seats} | {self.game.admin_id}
        public = not fresh or talk.readers(self.game) == Forum.Readers.ALL
        for comment in fresh:
            self.comment = max(self.comment, comment.pk)
            thread = threads.get(comment.about)
            said = list(Comment.objects.filter(game=self.game, about=comment.about, pk__lt=comment.pk))
            news = thread if thread is not None and thread.announcement and not said else None
            short = f"{comment.name}: {' '.join(comment.body.split())[:200]}"
            watchers = self.watchers.get(comment.about, {})
            for user in watchers.values():
                if comment.user_id != user.pk and (public or user.pk in members):
                    self.add(user, "watched", f"comment-{comment.pk}", short, path_of(comment))
            for seat in seats:
                user = seat.membership.user
                before = seat.player_name in self.since and comment.written < seat.membership.answered
                if comment.user_id == user.pk or user.pk in watchers or before:
                    continue
                if news is not None:
                    self.add(user, "news", f"comment-{comment.pk}", f"{news.title}\n\n{comment.body}", path_of(comment))
                elif mentions(comment.body, seat.player_name) or any(each.user_id == user.pk for each in said):
                    self.add(user, "talk", f"comment-{comment.pk}", short, path_of(comment))

    def away(self, seats: list[Any]) -> None:
        """Who has said to be away for some days."""
        for holiday in holidays.of(self.game):
            for seat in seats:
                if seat.player_name != holiday.seat.player:
                    with languages.of(seat.membership.user):
                        text = f"{holiday.seat.player} {holidays.in_words(holiday, self.game)}."
                    path = f"players/{quote(holiday.seat.player, safe='')}/"
                    self.add(seat.membership.user, "away", holidays.cause(holiday), text, path)

    def at_desk(self) -> None:
        """What has come to wait at the desk."""
        admin = self.game.admin
        tasks = [task["text"] for task in whereabouts.at_desk(self.game)["waiting"]] if admin is not None else []
        known = self.before.seen.get("desk") or []
        with languages.of(admin):
            words = (
                tasks
                if get_language() == "en"
                else [task["text"] for task in whereabouts.at_desk(self.game)["waiting"]]
            )
        for task, said in zip(tasks, words, strict=True):
            if task not in known:
                self.add(admin, "desk", f"{task}|{self.live.n}", f"{said[:1].upper()}{said[1:]}.", "admin/")
        self.seen["desk"] = tasks


# ---- what things mean


def is_within(n: int, part: tuple[int, int | None]) -> bool:
    """Whether an entry is in a part of a week, as `weeks.spans_of_weeks` has them."""
    first, end = part
    return first <= n and (end is None or n < end)


def players_of(game: Game) -> list[Any]:
    """The seats of those who play a game and can be told something, as pages have them."""
    found = queries.players_seated(game).filter(user__is_active=True).select_related("user")
    return [Seat(HttpRequest(), game, "player", each.player, each) for each in found]


def waiting_for(seat: Seat) -> list[Data]:
    """All that waits for a player at a game."""
    found = queries.waiting_for(seat.view, seat.player)
    found += queries.votes_about_the_game(seat.live, seat.view, seat.player)
    return answered.left_open(seat.live, seat.player, found) + queries.actions_wanted(seat.live, seat.player)


def cause_of(item: Data) -> str:
    """What makes a thing that waits another one than the last of its kind: itself, or for what comes again and again,
    such as a turn, until when it waits. That moves while a game is paused, so that it says nothing of an offer or a
    vote."""
    return f"{item['path'].partition('?')[0]}|{item['text']}|{'' if 'about' in item else item.get('until') or ''}"


def sort_of(item: Data) -> str:
    """The kind of notice that something which waits is."""
    return item.get("sort", "asked")


def state_of(proposal: Data) -> str:
    """How a proposal stands, in one word or two."""
    return str(proposal.get("standing") or proposal.get("phase") or "made").lower()


def state_in_words(user: User, proposal: Data, status: str) -> str:
    """How a proposal stands, as its reader is told."""
    with languages.of(user):
        title = proposal.get("title") or gettext("without a title")
        said = {"number": proposal["id"].lstrip("P"), "title": title, "status": status}
        if proposal["kind"] == "emergency":
            return gettext("Way out of the pause, %(title)s: %(status)s") % said
        return gettext("Proposal %(number)s, %(title)s: %(status)s") % said


def course_in_words(user: User, name: str, so: object, winner: str | None) -> str:
    """That a game is paused or over (`name`), or is not any more, as its reader is told."""
    with languages.of(user):
        if not so:
            return gettext("The game goes on.")
        if name == "paused":
            return gettext("The game is paused.")
        if winner:
            return gettext("The game is over: %(winner)s has won.") % {"winner": winner}
        return gettext("The game is over.")


def called_by(player: str, entry: Data, notify: dict[str, list[str]]) -> list[Data]:
    """The facts of an entry of which its rules tell a player. `notify`: {event: fields that hold whom it concerns}."""
    found = []
    for fact in entry["facts"]:
        concerned = [fact.get(field) for field in notify.get(fact["event"], ())]
        if any(player == each or (isinstance(each, list) and player in each) for each in concerned):
            found.append(fact)
    return found


def what_happened_to(
    player: str, entry: Data, teller: Teller, asked: set[Any] | tuple[()] = (), called: Collection[Any] = ()
) -> str:
    """The sentences of an entry that name a player, or what else it has changed of theirs, in one line; nothing of
    their own orders.

    What is about a thing that waits for an answer of theirs (`asked`) is told by that, but for facts of which the rules
    themselves tell them (`called`).
    """
    if entry.get("by") == player or entry.get("fault") or entry.get("refused") or entry["do"] in WELCOME:
        return ""
    teller.named = set()
    worth = teller.worth_telling(entry)
    about = [
        fact
        for fact in worth
        if sentences.leads(fact) or fact in called
        for named in [{value for key, value in sentences.flat(fact) if key not in sentences.PLAIN}]
        if fact in called or (player in named and not any(id in named or id in fact["say"] for id in asked))
    ]
    if about:
        parts = [teller.cause(entry, [fact for fact in worth if sentences.leads(fact)]), *teller.joined(about)]
    elif own := changed_of(player, entry, teller):
        parts = teller.to_one(entry, own)
    else:
        return ""
    return " ".join(html.unescape(strip_tags("".join(parts))).split())


def changed_of(player: str, entry: Data, teller: Teller) -> list[Any]:
    """What an entry has changed of a player: what the Admin has set of them, and what they own no more."""
    if entry.get("by") == "kernel":
        return []
    return [
        change
        for change in teller.changes(entry)
        if (change[0] == player and entry["kind"] == "admin") or (change[1] == "owner" and change[2] == player)
    ]


def mentions(text: str, player: str) -> bool:
    """Whether somebody is named in a text, as @Ann."""
    return re.search(rf"@{re.escape(player)}(?!\w)", text, re.IGNORECASE) is not None


def path_of(comment: Comment) -> str:
    """Where something that was said stands, below the game."""
    kind, _, number = comment.about.partition("-")
    if kind == "thread":
        return f"forum/{number}/"
    return f"log/{number}/" if kind == "entry" else f"proposals/{comment.about.lstrip('P')}/"


def moment(seconds: int) -> datetime:
    """Seconds since 1970 as the database has moments."""
    return datetime.fromtimestamp(seconds, UTC)

"""What is asked of the tables. Nothing here writes."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext, override, pgettext

from nomopoly.rulebook.source import Book
from nomopoly.runtime import protocol
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import formats
from nomopoly.site.said import refusal_said, why_broke
from nomopoly.site.tables import consent, live, office, prepared, titles
from nomopoly.site.tables.models import Entry, Game, Membership, StandingAnswer

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.door import Seat
    from nomopoly.site.order.models import Complaint
    from nomopoly.site.play.models import Comment
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log
    from nomopoly.site.tables.live import Warm
    from nomopoly.site.tables.models import Fault


T = TypeVar("T")
MOMENT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
MOST_PARTS = 200  # of a list, on a page
MOST_CHARACTERS = 2000  # of one value, on a page
GAME = prepared.Rows(lambda slug: Game.objects.filter(slug=slug))
ANSWERS = prepared.Rows(lambda seat: StandingAnswer.objects.filter(seat=seat))
SEAT = prepared.Rows(lambda game, user: Membership.objects.filter(game=game, user=user))
ALL_BY_PROGRAM = prepared.Rows(
    lambda game: Entry.objects.filter(game=game, by_program=True).values_list("n", flat=True)
)
BY_PROGRAM = prepared.Rows(
    lambda game, n: Entry.objects.filter(game=game, by_program=True, n=n).values_list("n", flat=True)
)


def game(slug: str) -> Game | None:
    """The game at an address; None if there is none."""
    return GAME.first(slug)


def membership(game: Game, user: User | AnonymousUser) -> Membership | None:
    """The seat of an account in a game, whatever has become of it; None for visitors."""
    if not user.is_authenticated:
        return None
    seat = SEAT.first(game.pk, user.pk)
    if seat is not None:
        seat.game = game  # which is read already
    return seat


def applicants(game: Game) -> QuerySet[Membership]:
    """The seats of those who ask to join a game; nobody is let into one that is over."""
    return Membership.objects.filter(game=game, game__over=False, status=Membership.Status.ASKED)


def players_seated(game: Game) -> QuerySet[Membership]:
    """The seats of those who play a game."""
    return Membership.objects.filter(game=game, status=Membership.Status.APPROVED)


def heads(games: set[int]) -> dict[int, tuple[int, str]]:
    """The last entry of each of these games (ids), and who may see it, in one query: {id: (n, visibility)}."""
    last = Entry.objects.filter(game=OuterRef("pk")).order_by("-n").values("n")[:1]
    return {at[0]: at[1:] for at in Game.objects.filter(pk__in=games).values_list("pk", Subquery(last), "visibility")}


def by_program(game: Game, n: int | None = None) -> set[Any]:
    """The numbers (n) of the entries that programs of players have given, of all or of this one."""
    if n is not None:
        return set(BY_PROGRAM.all(game.pk, n))
    return set(ALL_BY_PROGRAM.all(game.pk))


def bots(game: Game, entries: Log | Kept) -> set[Any]:
    """Players who act through a program, as far as these entries of a log tell."""
    seats = set(game.memberships.exclude(bot=None).values_list("player", flat=True))
    programs = sorted(by_program(game))
    return seats | {
        who for at in range(0, len(programs), 500) for who in entries.where(n=programs[at : at + 500]).counts("by")
    }


def ever_joined(running: Warm) -> list[str]:
    """The names of all who have ever joined a game, in their order: what numbers the players for good."""

    def names(entry: Data) -> list[Any]:
        return [fact["who"] for fact in entry["facts"] if fact["what"] == "joined" and isinstance(fact.get("who"), str)]

    def all_names(_: object) -> list[Any]:
        entries = running.facts("visitor").having("fact:joined")
        return list(dict.fromkeys(name for entry in entries for name in names(entry)))

    return running.kept("ever joined", all_names)


def pieces(game: Game) -> dict[Any, Any]:
    """The shapes that players have chosen for their pieces: {player: shape}."""
    chosen = game.memberships.exclude(piece="").exclude(status=Membership.Status.DECLINED)
    return dict(chosen.values_list("player", "piece"))


def last_fault(seat: Seat) -> Fault | None:
    """The fault that a reader may know of while it pauses the game, or None: of a rule in the book, or any for the
    Admin."""
    if seat.view["things"].get("game", {}).get("pause_kind") != "disruption":
        return None
    found = seat.game.faults.filter(settled=None).order_by("-created").first()
    known = found is None or seat.role == "admin" or any(rule["id"] == found.rule for rule in seat.live.records())
    return found if known else None


def undecided(view: Data) -> list[Any]:
    """Proposals that wait for the Admin."""
    return [thing for thing in open_to_judgement(view) if thing["phase"] == "to-judge"]


def open_to_judgement(view: Data) -> list[Any]:
    """Proposals on which the Admin can decide, or decide otherwise: what is decided may wait to count. None when the
    game is over."""
    if view["things"].get("game", {}).get("over"):
        return []
    return [
        thing
        for thing in view["things"].values()
        if thing.get("phase") == "to-judge" or (thing.get("phase") == "decided" and thing.get("result"))
    ]


def is_voted_on(thing: Data) -> bool:
    """Whether voting on a thing (a proposal) is open: its rules say so, and its closing moment, if it has one, is to
    come."""
    closes = thing.get("closes_at")
    return thing.get("phase") == "voting" and (closes is None or moment_in(thing, "closes_at") > live.now())


def moment_in(thing: Data, name: str) -> int:
    """A moment (or another number) that a thing has, to reckon with; 0 if it has none, or something else by that
    name."""
    found = thing.get(name)
    return found if isinstance(found, int) else 0


def data_in(thing: Data, name: str, otherwise: T) -> T:
    """An attribute of a thing (changes, the fields of an order), read from its JSON text; if it is no JSON, what stands
    for it."""
    found = thing.get(name) or otherwise
    if isinstance(found, str):
        with contextlib.suppress(ValueError, RecursionError):
            found = json.loads(found)
    return found if isinstance(found, type(otherwise)) else otherwise


def changes_of(proposal: Data, name: str = "changes") -> list[Any]:
    """The changes of the rules that a proposal would make: a list of dicts."""
    found: list[Any] = data_in(proposal, name, [])
    return [each for each in found if isinstance(each, dict)]


def parties_of(thing: Data) -> Any:
    """The players whose consent an open offer or agreement needs; none for any other thing."""
    return thing.get("parties") or ()


def has_agreed(thing: Data, player: str | None) -> bool:
    """Whether a party has agreed to an offer or agreement; whoever made it has agreed by making it."""
    return bool(thing.get("complete")) or player == thing.get("author") or player in (thing.get("agreed") or ())


def answer_wanted(view: Data, thing: Data, player: str | None) -> bool:
    """Whether an offer or agreement waits for this player's answer."""
    return player in parties_of(thing) and not has_agreed(thing, player) and consent.is_asked_by(view, thing["kind"])


def offering(view: Data) -> list[Any]:
    """The kinds of things that are offers to everybody: those that the rules give a `seller` and a `price`."""
    return [
        kind for kind, declared in view["schema"].items() if {"seller", "price"} <= {each["name"] for each in declared}
    ]


def has_market(running: Warm, view: Data) -> bool:
    """Whether the rules declare what is for sale: rows of catalogues of goods, or things that are offers to
    everybody."""
    return bool(offering(view)) or any(row["for_sale"] for row in running.describe()["prices"])


def accounts(view: Data) -> list[Any]:
    """The accounts that belong to no player: $admin, $government..."""
    return [thing for id, thing in view["things"].items() if id[:1] == "$" and "money" in thing]


def tasks_of(acts: list[Data]) -> dict[Any, Any]:
    """What waits at the desk because acts of the Admin say so (`task`): the acts by the id of the thing."""
    found: Data = {}
    for act in acts:
        about = next((field for field in act["fields"] if field["type"] == "thing"), None)
        for choice in about["choices"] if about and act["desk"] and act["task"] else ():
            found.setdefault(choice["id"], []).append(act)
    return found


def task_count(seat: Seat) -> int:
    """How many things wait at the desk of a game."""
    told = applicants(seat.game).count() + len(undecided(seat.view)) + seat.game.open_faults.count()
    return (
        told
        + len(tasks_of(seat.live.actions("admin", untried=True)))
        + reported(seat.game).count()
        + complaints(seat.game).count()
        + len(office.tasks(seat.game))
    )


def newest_rules(running: Warm, limit: int = 3) -> list[Any]:
    """The rules made last, newest first, with the proposal that made them."""
    made = [record for record in running.records() if record["since"] > 0]
    newest = sorted(made, key=lambda record: -record["since"])[:limit]
    return [record | {"shown": prose(record)} for record in newest]


def rules_again(game: Game) -> Book:
    """The rulebook of a game as it stands, as one to begin another game with: what was the older form stays it."""
    records = live.of(game).records()
    ages = sorted({record["since"] for record in records})
    first = {since: at - len(ages) + 1 for at, since in enumerate(ages)}
    fresh = [record | {"since": first[record["since"]], "made_by": "opening"} for record in records]
    return Book(game.edition, game.title, fresh, live.of(game).ask(lambda running: running.commons()))


def prose(record: Data) -> str:
    """The words of a rule with its numbers in them."""
    text = record["text"]
    for name, number in record["params"].items():
        text = text.replace("{" + name + "}", str(number))
    return text.strip()


def refusal_of(outcome: Outcome) -> dict[Any, Any]:
    """A refusal or fault as pages show it."""
    if outcome.fault is not None:
        return {"reason": why_broke(outcome.fault), "rule": outcome.fault["rule"]}
    reason = in_reader_words(outcome.refused or gettext("not possible")) or ""
    return {"reason": reason if reason.endswith((".", "!", "?")) else reason + ".", "rule": outcome.rule}


def refusal_kept(outcome: Outcome) -> str:
    """Why something was refused, as the game keeps it: in English, for all readers."""
    with override("en"):
        return refusal_of(outcome)["reason"]


def in_reader_words(reason: str) -> str | None:
    """What a rule says, or None, with its moments as the reader's own clock has them; what the kernel says, in their
    language."""
    return reason and refusal_said(MOMENT.sub(in_reader_time, reason))


def in_reader_time(found: re.Match[str]) -> str:
    """A moment in what a rule says, as the reader's own clock has it."""
    return in_words(int(datetime.fromisoformat(found[0]).timestamp()), "moment")


def moment_to_come(reason: str) -> int | None:
    """The first moment to come that a refusal names, in seconds since 1970; None where it names none."""
    named = [int(datetime.fromisoformat(found).timestamp()) for found in MOMENT.findall(reason)]
    return next((at for at in named if at > live.now()), None)


def reported(game: Game) -> QuerySet[Comment]:
    """The posts that somebody has reported to the Admin."""
    comments = apps.get_model("play", "Comment").objects
    return comments.filter(game=game, hidden=False, deleted=False, reports__settled=False).distinct()


def complaints(game: Game) -> QuerySet[Complaint]:
    """The names, proposals and posts that somebody asks the Admin to look at."""
    return apps.get_model("order", "Complaint").objects.filter(game=game, for_operator=False, settled=None)


def waiting_for(view: Data, player: str) -> list[Any]:
    """What waits for a player, found in the view alone: questions, offers, options, votes. `about` is the thing that
    waits."""
    waiting: list[Any] = []
    if view["things"].get("game", {}).get("over"):
        return waiting
    declared = asking(view)
    for thing in view["things"].values():
        kind = thing.get("kind")
        if kind == "question" and player in (thing.get("asked") or ()):
            asked = thing.get("text") or gettext("a question")
            until = thing.get("deadline") or thing.get("until")
            waiting.append({"text": asked, "path": "act/answer/", "until": until, "about": thing["id"]})
        elif answer_wanted(view, thing, player):
            what, who = kind.replace("-", " "), thing.get("author") or gettext("the game")
            text = gettext("an %(what)s by %(who)s") if kind[0] in "aeiou" else gettext("a %(what)s by %(who)s")
            about = {"path": f"trades/{thing['id']}/", "until": thing.get("until"), "about": thing["id"]}
            waiting.append({"text": text % {"what": what, "who": who}} | about)
        elif is_voted_on(thing) and thing["id"] not in view.get("ballots", {}):
            if kind in ("proposal", "emergency"):
                path, text = f"proposals/{thing['id'].lstrip('P')}/", gettext("your vote on %(id)s")
                if kind == "emergency":
                    path, text = f"act/emergency-vote/?on={thing['id']}", gettext("your vote on a way out of the pause")
                vote = {"path": path, "until": thing.get("closes_at"), "about": thing["id"], "sort": "vote"}
                waiting.append({"text": text % {"id": thing["id"]}} | vote)
        else:
            waiting += asked_of(view, thing, declared.get(kind, ()), player)
    return sorted(waiting, key=lambda item: moment_in(item, "until"))


def asking(view: Data) -> dict[str, list[Data]]:
    """The attributes that ask something of a player, by kind."""
    return {kind: [each for each in attributes if each.get("asks")] for kind, attributes in view["schema"].items()}


def orders_waiting(view: Data, player: str | None) -> list[Data]:
    """The orders of a player that wait for an update."""
    return [each for each in view["things"].values() if each["kind"] == "order" and each.get("owner") == player]


def asked_of(view: Data, thing: Data, declared: Iterable[Data], player: str) -> list[Data]:
    """What the attributes of a thing ask of a player as they are `declared`: of whom they name, about the thing; and of
    the player whose they are, from the moment that they say on, unless the game is paused or they have ordered it."""
    items = []
    ordered = {each["what"] for each in orders_waiting(view, player)} if thing["id"] == player else ()
    for each in declared:
        said: Any = thing.get(each["name"])
        since = each["type"] == "moment" and thing["id"] == player and isinstance(said, int)
        if since and (said > live.now() or each["asks"] in ordered or view["things"].get("game", {}).get("paused")):
            continue
        if since or said == player:
            about = {} if since else {"about": thing["id"]}
            sentence = each["asking"].replace("{id}", thing["id"]) or each["asks"].replace("-", " ")
            filled_in = "" if since or not each["field"] else f"?{urlencode({each['field']: thing['id']})}"
            item = {"text": sentence, "path": f"act/{each['asks']}/{filled_in}", "until": thing.get(each["until"])}
            items.append(item | about | {"sort": "turn" if since else "asked"})
    return items


def votes_missing(view: Data, player: str) -> int:
    """How many proposals wait for the vote of this player."""
    return sum(item["path"].startswith("proposals/") for item in waiting_for(view, player))


def votes_about_the_game(running: Warm, view: Data, player: str) -> list[Any]:
    """The votes that are open and not about a thing, but about the game itself, if this player has not voted yet."""
    about = {id for id, ballot in running.describe()["ballots"].items() if not ballot["subject"]}
    if not about or "game" in view.get("ballots", {}):
        return []
    closes = view["things"].get("game", {}).get("vote_closes")
    return [
        {
            "text": gettext("your vote: %(label)s") % {"label": action["label"]},
            "path": f"act/{action['id']}/",
            "until": closes if isinstance(closes, int) else None,
            "sort": "vote",
        }
        for action in running.actions(player, only=about)
        if action["possible"]
    ]


def rounds_of(view: Data, player: str | None) -> list[Any]:
    """What this player is in the middle of and nobody else sees, as a hand of cards at a casino: the things that are
    theirs and of whose kind nothing is shown to anybody else."""
    private = {
        kind
        for kind, attributes in view["schema"].items()
        if kind not in view["pages"]
        and {who for each in attributes for who in each["show"]} | {"nobody"} == {"owner", "nobody"}
    }
    return [
        thing
        for thing in view["things"].values()
        if thing["kind"] in private
        and any(thing.get(each["name"]) == player for each in view["schema"][thing["kind"]] if each["type"] == "thing")
    ]


def goes_on(running: Warm, player: str, section: str) -> list[Any]:
    """The actions of a section that this player can take now without filling in a form: with them a round goes on."""
    sections = {record["id"]: record["section"] for record in running.records()}
    only = [id for id, rule in running.describe()["actions"].items() if sections.get(rule) == section]
    return without_a_word(running, player, only)


def without_a_word(running: Warm, player: str, only: list[Any]) -> list[Any]:
    """Those of these actions that this player can take now and need say nothing in."""
    return [
        each
        for each in (running.actions(player, only=only, untried=True) if only else ())
        if all(field["optional"] or field["type"] == "anything" for field in each["fields"])
        if running.preview(player, each["id"], {}).ok
    ]


MOST_TRIED = 5  # choices of a form that waits for a player


def actions_wanted(running: Warm, player: str, section: str | None = None) -> list[Any]:
    """The actions that wait for this player because a rule says so (`task`), now that they are possible and not ordered
    yet.

    Nor is anything ordered about the same thing in the same section, as to decline what could be bought. With a
    section's number, those of its rules.
    """
    return running.kept(("wanted", player, section), lambda _game: find_wanted(running, player, section))


def find_wanted(running: Warm, player: str, section: str | None) -> list[Any]:
    """The same, looked for in the game."""
    described = running.describe()
    rules = described["actions"]
    sections = {id: rule.partition(".")[0] for id, rule in rules.items()}
    tasks = [id for id in described["tasks"] if section in (None, sections.get(id, ""))]
    actions = running.actions(player, only=tasks, untried=True) if tasks else ()
    orders = orders_waiting(running.view(player), player) if actions else []
    ordered = {each["what"] for each in orders}
    settled: dict[str, list[Any]] = {}  # by section, what orders that wait are about
    for each in orders:
        settled.setdefault(sections.get(each["what"], ""), []).extend(filter(None, data_in(each, "args", {}).values()))
    ways = [(each, way_to(running, player, each, settled.get(sections.get(each["id"], ""), ()))) for each in actions]
    waiting = [(each, given) for each, given in ways if given is not None]
    return [
        {
            "text": about_what(each, given),
            "path": f"act/{each['id']}/" + (f"?{urlencode(given)}" if given else ""),
            "until": None,
            "section": each["section"],
        }
        for each, given in waiting
        if each["id"] not in ordered
    ]


def way_to(running: Warm, player: str, action: Data, settled: Iterable[Any] = ()) -> dict[Any, Any] | None:
    """What this player can say to take an action now: nothing, one of the things that its form begins with, or None.

    What orders have `settled` is not said again.
    """
    if not all(field["optional"] or field["type"] == "anything" for field in action["fields"]):
        return None
    about = next((field for field in action["fields"] if field["type"] == "thing"), None)
    left = [each["id"] for each in about["choices"] if each["id"] not in settled] if about else []
    chosen = [{about["name"]: id} for id in left[:MOST_TRIED]] if about else []
    unsaid: list[dict[Any, Any]] = [{}] if about is None or about["default"] not in settled else []
    return next((given for given in (*unsaid, *chosen) if running.preview(player, action["id"], given).ok), None)


def about_what(action: Data, given: dict[Any, Any]) -> str:
    """An action, and the things that its form begins with."""
    fields = [field for field in action["fields"] if field["type"] == "thing"]
    things = [given.get(field["name"]) or field["default"] for field in fields]
    return f"{action['label']}: {', '.join(filter(None, things))}" if any(things) else action["label"]


def standing_answers(membership: Membership) -> list[Any]:
    """The standing answers of a seat, oldest first."""
    found: list[Any] = ANSWERS.all(membership.pk)
    return found


def refused_answers(membership: Membership) -> list[Any]:
    """Standing answers that the rules did not take, as things that wait for their owner."""
    return [
        {
            "text": gettext("your standing answer to “%(question)s” was refused: %(reason)s")
            % {"question": kept.question, "reason": in_reader_words(reason)},
            "path": "answers/",
            "until": None,
        }
        for kept in standing_answers(membership)
        if kept.until is None or kept.until > live.now()
        for reason in kept.refused.values()
    ]


def games_due(moment: int, but: Iterable[int] = ()) -> list[Game]:
    """Games in which something is due by a moment, those first that have waited longest."""
    return list(Game.objects.filter(due__lte=moment).exclude(pk__in=but).order_by("due", "pk"))


def to_judge(view: Data) -> list[Any]:
    """Proposals that wait for the Admin, oldest first, each with its changes read; last those that wait for its verdict
    to count."""
    found = []
    for proposal in open_to_judgement(view):
        found.append(proposal | {"changes": changes_of(proposal), "number": proposal["id"].lstrip("P")})
    return sorted(found, key=lambda proposal: (proposal["phase"] != "to-judge", moment_in(proposal, "made_at")))


def readable(view: Data, changes: list[list[Any]] | list[Data], names: dict[str, str]) -> list[Any]:
    """Changes [thing, attribute, before, after] with the attributes' labels, and values as people read them: rows of
    catalogues by their `names`.

    What is not there, because a preview would make it or because it has gone, is read as all kinds have an attribute of
    that name. A change that reads the same before and after, as from none to an empty one, is left out.
    """
    declared = {(kind, each["name"]): each for kind, attributes in view["schema"].items() for each in attributes}
    found = []
    for thing, name, before, after in changes:
        kind = view["things"].get(thing, {}).get("kind") or kind_of_new(view, thing)
        attribute = declared.get((kind, name), {}) if kind else of_all_kinds(view, name)
        sort = attribute.get("type", "")
        label = attribute.get("label") or (gettext("in the game") if name == "exists" else name.replace("_", " "))
        label = pgettext("of the game", "over") if [thing, name] == ["game", protocol.OVER] else label
        before, after = named(view, before, names), named(view, after, names)
        found.append((thing, label, in_words(before, sort), in_words(after, sort)))
    return [each for each in found if each[2] != each[3] or len(each[2]) >= MOST_CHARACTERS]


def named(view: Data, value: Any, names: dict[str, str]) -> Any:
    """A value in which rows of catalogues, and things that merely are numbered ("patent-1"), have their names, if they
    have one."""
    if isinstance(value, list):
        return [named(view, each, names) for each in value]
    if isinstance(value, str) and (name := titles.called(view, value, names)) != value:
        return name
    thing = view["things"].get(value) if isinstance(value, str) and value == value.lower() else None
    if thing is None or value[:1] == "#":
        return value.replace("-", " ") if thing is None and kind_of_new(view, str(value)) else value
    numbered = value.startswith(f"{thing['kind']}-")
    return thing.get("name") or thing.get("title") or (value.replace("-", " ") if numbered else value)


def kind_of_new(view: Data, id: str) -> str:
    """The kind of a thing that is not there, by its id ("block-1"); "" if that does not tell it."""
    return next((kind for kind in view["schema"] if re.fullmatch(rf"{re.escape(kind)}-\d+", id)), "")


def of_all_kinds(view: Data, name: str) -> Data:
    """The type and the label of an attribute, each where all kinds that have one of this name agree on it."""
    every = [each for attributes in view["schema"].values() for each in attributes if each["name"] == name]
    agreed = {part: {each.get(part) for each in every} for part in ("type", "label")}
    return {part: found.pop() for part, found in agreed.items() if len(found) == 1}


def nothing() -> str:
    """What stands for a value that is not there."""
    return pgettext("a value", "nothing")


def in_words(value: Any, sort: str = "") -> str:
    """A value of an attribute in words."""
    if value is None or value == "":
        return nothing()
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        pairs = value and all(isinstance(part, list) and len(part) == 2 for part in value)  # by Cid, due 2
        parts = [" ".join(map(in_words, part)) if pairs else in_words(part) for part in value[:MOST_PARTS]]
        return ", ".join(parts) + more_than(value) or nothing()
    if sort == "money" and isinstance(value, int):
        return formats.dollars(value)
    if sort == "moment" and formats.has_date(value):
        return formats.clock(value)
    return cut(value)


def shortened(data: dict[Any, Any] | list[Any] | tuple[Any, ...], most: int) -> Any:
    """Data with words cut after so many characters."""
    if isinstance(data, str):
        return data if len(data) <= most else f"{data[:most]}… ({more(len(data) - most)})"
    if isinstance(data, dict):
        return {key: shortened(part, most) for key, part in data.items()}
    if isinstance(data, (list, tuple)):
        return [shortened(part, most) for part in data]
    return data


def more(number: int) -> str:
    """How much is not shown."""
    return gettext("%(n)s more") % {"n": f"{number:,}"}


def more_than(parts: dict[Any, Any] | list[Any] | tuple[Any, ...]) -> str:
    """What stands for the parts of a list that a page does not show."""
    return f", … ({more(len(parts) - MOST_PARTS)})" if len(parts) > MOST_PARTS else ""


def cut(value: object) -> str:
    """Words as pages show them: very long ones cut."""
    text = str(value)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}… ({more(len(text) - MOST_CHARACTERS)})"

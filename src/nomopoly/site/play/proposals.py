"""Proposals: what would come of one, and how those that have been made stand."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.lab.forecast import changed_book, new_clashes
from nomopoly.rulebook.changes import ChangeError, free_number
from nomopoly.rulebook.check import RUN
from nomopoly.rulebook.clashes import Clash
from nomopoly.rulebook.clashes import clashes as clashes_of
from nomopoly.rulebook.diff import BookDiff, RuleDiff, content, diff_books, diff_lines, diff_words
from nomopoly.rulebook.history import History
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.protocol import CUSTOMARY, RETRACT_PROPOSAL
from nomopoly.site import declared
from nomopoly.site.play import books, forms, readback, sentences, tryouts
from nomopoly.site.play.models import Successor
from nomopoly.site.play.sheets import MORE, amending, find, note_records
from nomopoly.site.said import said
from nomopoly.site.tables import judging, live, queries

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.door import Seat
    from nomopoly.site.play.sheets import Box, Sheet
    from nomopoly.site.shapes import Data


# ---- what would come of it


@dataclass
class Checked:
    """What a check of a proposal found."""

    problems: list[Any]
    clashes: list[Any]
    diff: BookDiff | None
    told: list[Any]
    refused: str
    words_alone: bool

    @property
    def forbids(self) -> bool:
        """Whether a problem is an error, so that the proposal cannot be made like this."""
        return any(problem.level == "error" for problem in self.problems)


def check(seat: Seat, sheet: Sheet, changes: list[Data], order: tuple[Any, Any] | None = None) -> Checked:
    """The problems of a proposal, the clashes it would bring, how the book would change, and what making it does; or
    what an `order` of the Admin's does: (what, arguments)."""
    records = seat.live.records()
    problems = seat.live.check(changes, sheet.run)
    changes = seat.live.written_out(changes) if not any(each.level == "error" for each in problems) else changes
    after = changed_book(records, changes)
    clashes = [] if after is None else new_clashes(records, after, seat.live.n)
    seen = seat.live.preview(seat.player_name, *(order or ("propose", arguments(sheet, changes) | sheet.further)))
    refusals = [seen.refused] if seen.refused else []
    if refusals and not order and not sheet.title.strip():  # what else would be refused is not hidden by that
        with_title = arguments(sheet, changes) | sheet.further | {"title": "-"}
        titled = seat.live.preview(seat.player_name, "propose", with_title)
        refusals += [titled.refused] if titled.refused and titled.refused != seen.refused else []
    coded = any(change.get(part) for change in changes for part in ("code", "params", "functions", "drop", "repeal"))
    return Checked(
        problems,
        clashes,
        None if after is None else diff_books(records, after),
        [fact["say"] for fact in sentences.of_preview(seat, seen) if fact.get("say") and fact.get("depth", 0) > 0],
        "; ".join(queries.in_reader_words(each) or "" for each in refusals),
        not coded and not sheet.run,
    )


@dataclass
class Placed:
    """A problem, with the address of the place in the form and the line of the program that it is about."""

    level: str
    rule: str
    line: int
    message: str
    place: str
    quoted: str = ""


def place(seat: Seat, checked: Checked, sheet: Sheet) -> list[Placed]:
    """The problems of a check with their places. Each change of the form, and its one-time program, gets its own."""
    placed, numbers = [], numbers_given(seat.live.records(), sheet.boxes)
    for problem in checked.problems:
        alike = [box for box in sheet.boxes if box.kind and problem.rule in (numbers.get(box.at), box.rule)]
        box = next((box for box in alike if numbers.get(box.at) == problem.rule), next(iter(alike), None))
        code = sheet.run if problem.rule == RUN else box.code if box else ""
        if problem.rule == RUN:
            where = "#program-run"
        elif box is not None:
            where = f"#program-changes-{box.at}-code" if problem.line else f"#change-{box.at}"
        else:
            where = f"{seat.game.address}rules/{problem.rule}/" if problem.rule else "#changes"
        quoted = code.split("\n")[problem.line - 1].strip() if 0 < problem.line <= code.count("\n") + 1 else ""
        placed.append(Placed(problem.level, problem.rule, problem.line, said(problem.message), where, quoted))
        if box is not None:
            box.problems.append(placed[-1])
        elif problem.rule == RUN:
            sheet.run_problems.append(placed[-1])
    return placed


def numbers_given(records: list[Data], boxes: list[Box]) -> dict[int, str]:
    """The numbers that the rules of a form get, by their places in it: of one that is taken the next."""
    taken, given = {record["id"] for record in records}, {}
    for box in boxes:
        if box.kind == "enact":
            with contextlib.suppress(ChangeError):
                given[box.at] = free_number(box.rule, taken)
                taken.add(given[box.at])
        elif box.kind == "repeal":
            taken.discard(box.rule)
    return given | {box.at: box.rule for box in boxes if box.at not in given}


WHY = {
    "older form": gettext_lazy("its present form is older"),
    "lower number": gettext_lazy("its number is the lower one"),
}


@dataclass
class ClashWords:
    """A clash as the author of a proposal reads it, and the rule outside the proposal that has part in it."""

    told: str
    advice: str
    rule: str


def clash_words(clash: Clash, mine: set[str] | set[Any]) -> ClashWords:
    """Which rule would win over which, and why. `mine`: the ids of the rules that the proposal writes."""
    names = {
        id: _("this (%(rule)s)") % {"rule": id} if id in mine and len({clash.winner, clash.loser} & mine) == 1 else id
        for id in (clash.winner, clash.loser)
    }
    told = _("%(winner)s would win over %(loser)s, because %(why)s. Both %(both)s.") % {
        "winner": names[clash.winner],
        "loser": names[clash.loser],
        **why_and_both(clash),
    }
    advice = ""
    if clash.loser in mine and clash.reason in WHY:
        advice = _('For %(loser)s to win, its program says overrides("%(winner)s").') % {
            "loser": clash.loser,
            "winner": clash.winner,
        }
    elif clash.winner in mine and clash.loser not in mine:
        advice = _("Is that meant? Say so in the words of %(winner)s: voters read them.") % {"winner": clash.winner}
    other = next((id for id in (clash.winner, clash.loser) if id not in mine), "")
    return ClashWords(told[0].upper() + told[1:], advice, other)


def clashes_with(rule: str, records: list[Data]) -> list[Data]:
    """The clashes that a rule in force has with others: which of the two wins and why, and the other one."""
    sentence = _("%(winner)s wins over %(loser)s, because %(why)s. Both %(both)s.")
    return [
        {
            "told": sentence % ({"winner": clash.winner, "loser": clash.loser} | why_and_both(clash)),
            "other": clash.loser if clash.winner == rule else clash.winner,
        }
        for clash in clashes_of(records)
        if rule in (clash.winner, clash.loser)
    ]


def why_and_both(clash: Clash) -> dict[str, Any]:
    """Why one of two rules wins, and what both do."""
    stated = _("it %(reason)s") if clash.reason.startswith("says") else "%(reason)s"
    return {"why": WHY.get(clash.reason) or stated % {"reason": said(clash.reason)}, "both": said(clash.both)}


def arguments(sheet: Sheet, changes: list[Data]) -> dict[Any, Any]:
    """The order that a form stands for."""
    args = {"title": sheet.title, "text": sheet.text, "changes": changes, "run": sheet.run}
    return {name: value for name, value in args.items() if value}


def further_fields(action: Data | None) -> Data:
    """The action by which one proposes, with the fields alone that rules have added to its form: named apart, since the
    form has inputs of its own."""
    fields = [each | {"name": f"{MORE}{each['name']}"} for each in (action or {}).get("fields", ())]
    own = {f"{MORE}{name}" for name in ("title", "text", "changes", "run")}
    return (action or {"id": "propose"}) | {"fields": [each for each in fields if each["name"] not in own], "also": {}}


def further_inputs(seat: Seat, sheet: Sheet, action: Data | None) -> list[Data]:
    """The inputs of these fields, as they were filled in."""
    typed = {f"{MORE}{name}": text for name, text in sheet.more.items()}
    return forms.inputs(further_fields(action), typed or None, seat) if action else []


def read_further(sheet: Sheet, action: Data | None) -> list[str]:
    """Note in the sheet what its order says in these fields. Returns what is wrong with it."""
    args, problems = declared.read(further_fields(action), {f"{MORE}{name}": sheet.more[name] for name in sheet.more})
    sheet.further = {name.removeprefix(MORE): value for name, value in args.items()}
    return problems


# ---- proposals that have been made

UNFINISHED = gettext_lazy("open when the game ended")
UNDECLARED: Data = {"title": "", "text": "", "run": "", "author": None}  # what a page reads, where the rules have gone


def listed(view: Data) -> list[Any]:
    """All proposals, newest first, with their changes read. `unfinished` are those that the game's end overtook."""
    proposals, over = [], bool(view["things"].get("game", {}).get("over"))
    for thing in view["things"].values():
        if thing["kind"] != "proposal":
            continue
        changes = queries.changes_of(thing)
        rules = [str(change.get(verb)) for change in changes for verb in ("enact", "amend", "repeal") if verb in change]
        number = int(re.sub(r"\D", "", thing["id"]) or 0)
        more = {
            "open": thing.get("phase") != "done" and not over,
            "unfinished": thing.get("phase") != "done" and over,
            "voting": queries.is_voted_on(thing) and not over,
            "ballot": view.get("ballots", {}).get(thing["id"]),
            "undeclared": "author" not in thing,
        }
        proposals.append(UNDECLARED | thing | {"number": number, "changes": changes, "rules": rules, **more})
    return sorted(proposals, key=lambda each: -each["number"])


def customary_title(seat: Seat) -> str:
    """The title of a proposal that changes nothing and only wants the turn that it earns; "" where the rules know
    none."""
    return str(seat.live.wish(CUSTOMARY) or "")


def is_customary(proposal: Data, title: str) -> bool:
    """Whether a proposal is of that title, and changes nothing."""
    return bool(title) and proposal.get("title") == title and not (proposal["changes"] or proposal.get("run"))


def fold_customary(seat: Seat, listed: list[Any]) -> tuple[list[Any], list[Any]]:
    """A list without the decided proposals that only wanted their turn, and those."""
    title = customary_title(seat)
    folded = [each for each in listed if is_customary(each, title) and not each["open"]]
    return [each for each in listed if each not in folded], folded


def ballot_action(seat: Seat, proposal: Data) -> dict[Any, Any] | None:
    """The action by which a player votes on this proposal, and what one can choose; None if it is not voted on.

    `choices` are those for which a button is enough; `form` is the page that asks for what else one can say, named by
    `asked`.
    """
    if seat.role != "player" or not proposal["voting"]:
        return None
    for action in seat.live.actions(seat.viewer, seat.live.describe()["ballots"]):
        if action["possible"] and proposal["id"] in [each["id"] for each in action["fields"][0]["choices"]]:
            subject, choice, *further = action["fields"]
            by_button = all(each["optional"] or each["default"] is not None for each in further)
            choices = [each["id"] for each in choice["choices"]] if by_button else []
            sealed = seat.live.describe()["ballots"].get(action["id"], {}).get("sealed", True)
            asked = [each["label"] for each in (further if choices else action["fields"][1:])]
            form = f"act/{action['id']}/?{urlencode({subject['name']: proposal['id']})}" if asked else ""
            fields = [each["name"] for each in action["fields"]]
            more = {"form": form, "asked": ", ".join(asked), "sealed": sealed}
            return {"id": action["id"], "fields": fields, "choices": choices, **more}
    return None


def retracting(seat: Seat, proposal: Data) -> bool:
    """Whether this viewer can retract the proposal now, as the rules have it."""
    if seat.role != "player" or proposal.get("author") != seat.player_name:
        return False
    acts = [each for each in seat.live.actions(seat.viewer, (RETRACT_PROPOSAL,)) if each["possible"]]
    return any(choice["id"] == proposal["id"] for act in acts for each in act["fields"] for choice in each["choices"])


def way(proposal: Data, vetoed: bool = False) -> list[Any] | list[tuple[bool, str, Any] | tuple[bool, str, None]]:
    """What has become of a proposal, step by step: [(done, text, moment or None)]; nothing where there is no vote to
    tell of.

    `vetoed`: whether the Admin has refused to put into effect what was voted.
    """
    phase, closes, yes = proposal.get("phase"), proposal.get("closes_at"), proposal.get("yes_votes")
    standing = outcome_words(proposal)
    if proposal["unfinished"]:
        return [(True, UNFINISHED, None)]
    if phase == "made":
        return [
            (
                False,
                _("%(standing)s; voting has not begun") % {"standing": standing}
                if standing
                else _("voting has not begun"),
                None,
            )
        ]
    if proposal["voting"]:
        return [(False, _("in voting until"), closes) if closes is not None else (False, _("in voting"), None)]
    steps = []
    if yes is not None:
        counted = _("%(yes)s Yes, %(no)s No") % {"yes": yes, "no": proposal.get("no_votes")}
        steps.append(
            (True, _("%(counted)s. Voting closed at") % {"counted": counted}, closes)
            if closes is not None
            else (True, counted, None)
        )
    elif closes is not None and phase in ("voting", "decided"):  # a page may be older than the clock
        return [(True, _("Voting closed at"), closes), (False, _("the votes are being counted"), None)]
    if phase == "to-judge":
        return [*steps, (False, _("Accepted. Waiting for the Admin"), None)] if steps else []
    because = f": {proposal['because']}" if proposal.get("because") else ""
    if because and vetoed:
        standing = _("The Admin refused to implement this")
    if steps or closes is not None:
        steps.append((phase == "done", f"{standing}{because}", None))
    return steps


def outcome_words(proposal: Data) -> str:
    """How it stands, in a word of its rules."""
    return str(proposal.get("standing") or "")


def tone(proposal: Data) -> str:
    """How the word for that is drawn: as good, as bad, or as open."""
    if proposal.get("phase") in ("made", "voting", "to-judge") and not proposal.get("unfinished"):
        return "brass"
    return "green" if proposal.get("result") == "accepted" else "brick"


def canonical(proposal: Data) -> str:
    """What was proposed, title, words, changes and program, as the one JSON text of it that there is."""
    kept = {name: proposal.get(name) for name in ("title", "text", "changes", "run")}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def content_hash(proposal: Data) -> str:
    """The SHA-256 of that text."""
    return hashlib.sha256(canonical(proposal).encode()).hexdigest()


def ways_out(seat: Seat, action: Data) -> list[Data]:
    """The proposals of the kernel's own vote on a way out that a form lets one choose from: their words, what each
    changes in the rules, and what its program does."""
    chosen = [each["id"] for field in action["fields"] if field["kind"] == "emergency" for each in field["choices"]]
    found = []
    for thing in [seat.view["things"][id] for id in chosen if id in seat.view["things"]]:
        proposal = thing | {"changes": queries.changes_of(thing), "open": True}
        diff, against = difference(seat, proposal)
        changed = diff.changed if diff else []
        told = readback.of_changes(seat, changed, thing["run"])
        found.append(proposal | {"diff": changed, "against": against, "told": told})
    return found


def note_version(seat: Seat, newer: str, older: str) -> None:
    """Keep that a proposal ("P3") was written as a new version of another ("P1")."""
    Successor.objects.get_or_create(game=seat.game, newer=newer, defaults={"older": older})


def versions_of(seat: Seat, proposal: Data, everything: list[Any]) -> Any:
    """The proposal that this one is a new version of, and those that are new versions of it: (older or None, newer)."""
    known = {each["id"]: each for each in everything}
    older, newer = [
        [
            known[id]
            for id in Successor.objects.filter(game=seat.game, **{at: proposal["id"]}).values_list(asked, flat=True)
            if id in known
        ]
        for at, asked in (("newer", "older"), ("older", "newer"))
    ]
    if proposal.get("result") == "replaced" and not newer:
        newer = [
            each
            for each in everything
            if each.get("author") == proposal.get("author") and each["number"] > proposal["number"]
        ][-1:]
    return older[0] if older else None, newer


def otherwise_than(older: Data | None, proposal: Data) -> Data | None:
    """What a new version says otherwise than the one before: {"words", "changes"}, each a comparison or None; None if
    nothing."""
    if older is None:
        return None
    before, after = (str(each.get("text") or "") for each in (older, proposal))
    was, now = written_out(older), written_out(proposal)
    told = {
        "words": diff_words(before, after) if before != after else None,
        "changes": diff_lines(was, now) if was != now else None,
    }
    return told if any(told.values()) else None


def written_out(proposal: Data) -> str:
    """The changes of a proposal and its program that runs once, line by line."""
    parts = [f"{name}: {in_line(value)}" for change in proposal["changes"] for name, value in change.items()]
    return "\n".join([*parts, str(proposal.get("run") or "")]).strip() + "\n"


def in_line(value: object) -> str:
    """A part of a change as text, the numbers of a rule as one types them."""
    return ", ".join(f"{name}: {number}" for name, number in value.items()) if isinstance(value, dict) else str(value)


def moments_of(book: History, proposal: Data) -> list[int]:
    """The numbers in the history at which a proposal changed the rules: first as it came into force."""
    causes = [(each["moment"], each["cause"]) for each in book.moments[1:]]
    return [moment for moment, cause in causes if cause["kind"] == "proposal" and cause["id"] == proposal["id"]]


def difference(seat: Seat, proposal: Data) -> tuple[BookDiff, str] | tuple[None, str]:
    """What a proposal changes in the rules, and against which book: (diff or None, words about the book)."""
    book = books.history(seat)
    for moment in moments_of(book, proposal)[:1]:
        before, after = (book.moments[each]["records"] for each in (moment - 1, moment))
        return diff_books(before, after), _("as it was put into effect (history number %(moment)s)") % {
            "moment": moment
        }
    now, then = seat.live.records(), book_of(book, proposal)
    against = [(now, _("against the rules of now"))] if proposal["open"] else []
    stale = _("against the rules of then; it no longer fits those of now: a rule it is about is not there")
    for records, words in [*against, (then, stale if proposal["open"] else _("against the rules of then"))]:
        wanted = changed_book(records, proposal["changes"])
        if wanted is not None:
            return diff_books(records, wanted), words
    return None, _("it no longer fits the rules: a rule it is about is not there")


def fell_away(seat: Seat, proposal: Data) -> list[str]:
    """The rules that an accepted proposal was to change or repeal, and that were not there any more when it came into
    force: some rules leave such a part out then, and put the rest into effect."""
    if proposal["open"] or proposal.get("result") != "accepted":
        return []
    book = books.history(seat)
    came = moments_of(book, proposal)
    records = book.moments[came[0] - 1]["records"] if came else seat.live.records()
    there = {record["id"] for record in records} | {each["enact"] for each in proposal["changes"] if "enact" in each}
    wanted = [str(each.get("amend") or each.get("repeal") or "") for each in proposal["changes"]]
    return [id for id in dict.fromkeys(wanted) if id and id not in there]


def otherwise(seat: Seat, proposal: Data) -> tuple[list[RuleDiff] | None, list[Any]]:
    """Where the Admin has put into effect something else than was voted: (diff from the one to the other or None, the
    numbers in the history at which that was corrected)."""
    book = books.history(seat)
    moments = moments_of(book, proposal)
    if not moments:
        return None, []
    voted = changed_book(book.moments[moments[0] - 1]["records"], proposal["changes"])
    done = diff_books(voted, book.moments[moments[0]]["records"]).changed if voted is not None else None
    return done or None, moments[1:]


def book_of(book: History, proposal: Data) -> list[Data]:
    """The rules when a proposal was made."""
    at = queries.moment_in(proposal, "made_at") or book.moments[0]["at"]
    then = [each for each in book.moments if each["at"] <= at]
    return (then or book.moments[:1])[-1]["records"]


@dataclass
class Moved:
    """A rule that has changed since somebody wrote a change of it: the forms then, now and as wanted (None: no rule),
    and what changed it, in words and as a path."""

    then: Data
    now: Data | None
    wanted: Data | None
    by: str
    path: str

    @property
    def texts(
        self,
    ) -> tuple[tuple[str, Data | None, str], ...]:
        """The three forms, each with its name and with what stands there if there is no such rule."""
        return (
            (_("When this was written"), self.then, ""),
            (_("Now"), self.now, _("It is repealed.")),
            (
                _("As proposed"),
                self.wanted,
                _("It would be repealed.") if self.now else _("There is no rule to change."),
            ),
        )

    @property
    def codes(self) -> bool:
        """Whether the programs differ too."""
        return len({record["code"] for record in (self.then, self.now, self.wanted) if record}) > 1


def moved(book: History, view: Data, then: Data, now: Data | None, wanted: Data | None) -> Moved | None:
    """What came between an earlier form of a rule and the present one; None where it is the same."""
    if now is not None and content(then) == content(now):
        return None
    cause = book.versions(then["id"])[-1].cause
    words, path = books.cause_words(cause, view)
    number = cause["id"][1:] if cause["kind"] == "proposal" else ""
    by = _("proposal %(number)s") % {"number": number} if number else words[0].lower() + words[1:]
    return Moved(then, now, wanted, by, path)


def moved_on(seat: Seat, proposal: Data) -> list[Moved]:
    """The rules that have changed since an open proposal was written."""
    if not proposal["open"]:
        return []
    book, now = books.history(seat), seat.live.records()
    then = book_of(book, proposal)
    found = []
    for change in proposal["changes"]:
        id = change.get("amend") or change.get("repeal")
        was, present = find(then, id), find(now, id)
        if was is None:
            continue
        after = changed_book(now, [change]) if present is not None else None
        found.append(moved(book, seat.view, was, present, find(after, id) if after else None))
    return [each for each in found if each is not None]


def mark_moved(seat: Seat, sheet: Sheet, records: list[Data]) -> list[Any]:
    """Mark the changes of a form whose rule has changed since its present form was filled in, and say which they
    are."""
    note_records(sheet, records)
    stale = [
        box
        for box in sheet.boxes
        if box.kind == "amend"
        and box.filled == box.rule
        and (box.record is None or str(box.record["since"]) != box.since)
    ]
    if not stale:
        return []
    book = books.history(seat)
    for box in stale:
        versions = [version.record for version in book.versions(box.filled) if version.record is not None]
        then = next((record for record in versions if str(record["since"]) == box.since), None)
        if then is not None:
            changes = [] if box.record is None else [amending(box, box.record, [], "")]
            after = changed_book(records, [change for change in changes if len(change) > 1])
            box.moved = moved(book, seat.view, then, box.record, find(after, box.filled) if after else None)
    return [box.moved for box in stale if box.moved]


def forecast(seat: Seat, proposal: Data) -> Outcome | None:
    """What accepting an open proposal would do now, up to the first roll; None for words alone that no act accepts.

    Where the Admin accepts proposals, that act is tried; where it decides nothing yet (a verdict that counts with the
    update), and elsewhere, the proposal is put in force on a copy.
    """
    names = judging.names(seat.live, judging.ACCEPTS)
    acts = seat.live.actions("admin", only=names, untried=True) if proposal["open"] and names else []
    accepts = judging.act_for(acts, judging.ACCEPTS, proposal["id"])
    if accepts is None and not (proposal["open"] and (proposal["changes"] or proposal["run"])):
        return None
    view = seat.live.view(seat.viewer)

    def tried(game: Running) -> Outcome:
        if accepts is None:
            return tryouts.in_force(game, view, proposal)
        accepted = tryouts.preview(game, view, accepts["id"], {accepts["fields"][0]["name"]: proposal["id"]})
        decided = any(change[:2] == [proposal["id"], "status"] for change in map(list, accepted.changes))
        waits = accepted.ok and not accepted.rolls and not decided and (proposal["changes"] or proposal["run"])
        return tryouts.in_force(game, view, proposal) if waits else accepted

    return seat.live.kept(("forecast", seat.viewer, proposal["id"]), tried)


def age(proposal: Data) -> int:
    """How many seconds ago a proposal was made."""
    return live.now() - (queries.moment_in(proposal, "made_at") or live.now())

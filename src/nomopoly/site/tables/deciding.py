"""The office of Admin where no person holds it: by the table (the players vote) or by the house (the site decides).

What waits is read from what the rules declare: who asks to join, proposals that are open to judgement, and things that
an act of the desk waits for (`task=True`). Each is decided by an act of the desk that the rules declare, given in the
name of the table or the house, so that the journal says who decided.

- A proposal that the edition's own vote has accepted (`implement`) is carried out as its author wrote it. One in words
  alone waits a day by the table, for its author to add the program.
- Everything else is voted on by the table for a day, or until all have answered: what more say Yes than No to is done.
  A tie or silence is a No.
- The house lets everybody in and says Yes to whatever can be put into effect. What wants a choice it leaves undone.
- When a rule breaks, the house does without it; by the table, and where the rules want a vote, the players vote on
  going on without the rule (or with its form before) by the kernel's emergency vote.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext, gettext_lazy

from nomopoly.rulebook.changes import ChangeError
from nomopoly.runtime.checking import first_error
from nomopoly.runtime.journal import MovedOn
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.busy import Busy
from nomopoly.site.said import is_in_use
from nomopoly.site.tables import domain, judging, live, prepared, queries, roster, sent
from nomopoly.site.tables.models import Entry, Game, Membership, TableAnswer, TableQuestion

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.deciding")
DAY = 86_400
YES, NO = "yes", "no"
MOST_CHOICES = 12
ANSWERS = {"Yes": gettext_lazy("Yes"), "No": gettext_lazy("No"), "None of it": gettext_lazy("None of it")}
ENDS = {
    "It has been settled otherwise.": gettext_lazy("It has been settled otherwise."),
    "With its author's program.": gettext_lazy("With its author's program."),
    "In words alone.": gettext_lazy("In words alone."),
}
CANNOT = "It cannot be put into effect: "
COUNTED = re.compile(r"(^|\d )(Yes|No|None of it)(?=[,.)]| \()")  # as in "Yes (2 Yes, 1 No)"
MOST_MENDS, APART = 3, 5  # of one game in a row: with so few entries between them
UNANSWERED = prepared.Rows(
    lambda game, seat: TableQuestion.objects.filter(game=game, settled=None).exclude(answers__seat=seat)
)
_seen: dict[int, int | None] = {}  # game -> the last entry after which nothing was left to decide
_mends: dict[int, tuple[int, int]] = {}  # game -> (the last entry when it was mended last, how often that was in a row)


# ---- when


def attend(see_to: partial[Any] | None = None) -> None:
    """Decide what waits in the games whose office no person holds. A chore of the clock.

    `see_to(game)` decides in one of them, and returns its last entry by then, or None (default: `decide`).
    """
    games = Game.objects.filter(over=False).exclude(office=Game.Office.PERSON)
    heads = dict(Entry.objects.filter(game__in=games).values_list("game").annotate(Max("n")))
    moment = live.now()
    due = set(TableQuestion.objects.filter(settled=None, closes__lte=moment).values_list("game", flat=True))
    for game in games:
        if game.pk in due or _seen.get(game.pk) != heads.get(game.pk):
            try:
                _seen[game.pk] = (see_to or decide)(game)
            except (Busy, MovedOn) as error:
                log.info("game %s has to wait for its %s: %s", game.slug, game.office, error)
            except Exception:
                log.exception("the office of game %s", game.slug)


def decide(game: Game) -> int | None:
    """Decide whatever can be decided now in a game that the table or the house governs; nothing in any other.

    Returns the last entry by then.
    """
    if game.office == Game.Office.PERSON:
        return None
    roster.find_host(game)
    view = live.of(game).view("admin")
    state = view["things"]["game"]
    if not state.get("over") and state.get("operator_stop") is None:
        if state.get("paused"):
            mend(game, view)
        else:
            decide_all(game, view)
    return live.of(game).n


def decide_all(game: Game, view: Data) -> None:
    """Decide all that waits for an Admin, as the house or by the table; close questions that are settled."""
    acts = live.of(game).actions("admin", untried=True)
    wanted = list(waiting(game, view, acts))
    if game.office == Game.Office.HOUSE:
        for each in wanted:
            by_house(game, each)
        return
    for each in wanted:
        by_table(game, each)
    open_still = {each["about"] for each in wanted}
    for question in game.table_questions.filter(settled=None):
        if question.about not in open_still:
            end(question, "It has been settled otherwise.")
        elif question.closes <= live.now() or all_have_answered(question):
            close(game, question)


def soon(game: Game, **_: object) -> None:
    """Decide at once what somebody has just brought up in a house; if the game is busy, the clock does it."""
    if game.office == Game.Office.HOUSE:
        try:
            with sent.aside():
                decide(game)
        except (Busy, MovedOn) as error:
            log.info("game %s has to wait for its house: %s", game.slug, error)


# ---- what


def waiting(game: Game, view: Data, acts: list[Data]) -> Iterator[dict[Any, Any]]:
    """What waits to be decided: {"about", "text", "choices", "carries", "since"}, choices as in TableQuestion."""
    for seat in queries.applicants(game):
        yield {
            "about": f"player:{seat.player}",
            "text": f"Let {seat.player} join?",
            "choices": [
                [YES, "Yes", "approve-player", {"player": seat.player}],
                [NO, "No", "decline-player", {"player": seat.player}],
            ],
            "since": int(seat.asked.timestamp()),
        }
    for thing in queries.undecided(view):
        choices = judgements(acts, thing)
        if choices:
            title = thing.get("title") or "no title"
            voted = choices[0][2] in judging.names(live.of(game), judging.IMPLEMENTS)
            text = f"Carry out {thing['id']}: {title}" if voted else f"Accept {thing['id']}: {title}?"
            yield {"about": thing["id"], "text": text[:300], "choices": choices, "carries": carries(thing)}
    for id, tasks in queries.tasks_of(acts).items():
        choices = [choice for act in tasks for choice in ways(act, id)][:MOST_CHOICES]
        if choices:
            name = view["things"].get(id, {}).get("name")
            text = f"{id.replace('-', ' ').capitalize()}{f': {name}' if name else ''}"
            yield {"about": id, "text": text[:300], "choices": [*choices, [NO, "None of it", "", {}]]}


def judgements(acts: list[Data], thing: Data) -> list[Any]:
    """Yes and No to a proposal, as the acts of the desk that say so; nothing, where no act says Yes."""
    ways = judging.ways(acts, thing["id"])
    yes, no = ways[judging.ACCEPTS] or ways[judging.IMPLEMENTS], ways[judging.REJECTS]
    if yes is None:
        return []
    against = ["", {}] if no is None else [no["id"], about(no, thing)]
    return [[YES, "Yes", yes["id"], about(yes, thing)], [NO, "No", *against]]


def about(act: Data, thing: Data) -> dict[Any, Any]:
    """The fields of an act that is about a thing: its first one names it."""
    return {act["fields"][0]["name"]: thing["id"]}


def carries(thing: Data) -> bool:
    """Whether a proposal brings a program, or changes of the rules."""
    return bool(queries.changes_of(thing) or thing.get("run"))


def ways(act: Data, id: str) -> list[Any]:
    """The ways to carry out an act about a thing, as choices: where it wants one thing more, one for each of these."""
    about = next(field for field in act["fields"] if field["type"] == "thing")
    more = [field for field in act["fields"] if field is not about and not field["optional"]]
    given = {about["name"]: id}
    if not more:
        return [[act["id"], act["label"], act["id"], given]]
    if len(more) > 1 or not more[0]["choices"]:
        return []
    name = more[0]["name"]
    return [
        [f"{act['id']} {each['id']}", f"{act['label']}: {each['label']}", act["id"], given | {name: each["id"]}]
        for each in more[0]["choices"]
    ]


def give(game: Game, do: str, args: Data, because: str) -> Outcome:
    """Give an act of the desk in the name of who governs, with the reason where its form has a place for it."""
    form = next((act for act in live.of(game).actions("admin", untried=True) if act["id"] == do), {"fields": ()})
    for field in form["fields"]:
        if field["name"] == "because" and field["type"] == "words":
            args = args | {"because": because}
        elif field["name"] == "because" and field["default"] is not None:
            args = args | {"because": field["default"]}
        elif field["name"] == "words":
            args = args | {"words": because}
    return domain.desk_act(game, do, args, by=game.decider_name)


# ---- by the house


def by_house(game: Game, wanted: dict[Any, Any]) -> None:
    """Say Yes; if that cannot be, No, with the reason."""
    ways_to_yes = [choice for choice in wanted["choices"] if choice[0] != NO]
    if len(ways_to_yes) > 1:
        return
    _, _, do, args = ways_to_yes[0]
    outcome = give(game, do, args, "Whatever can be put into effect is accepted.")
    no = next((choice for choice in wanted["choices"] if choice[0] == NO and choice[2]), None)
    if not outcome.ok and no is not None:
        give(game, no[2], no[3], f"It cannot be put into effect: {why_for_all(game, outcome)}")


def why_for_all(game: Game, outcome: Outcome) -> str:
    """Why an act could not be, as everybody may read it: what a rule says, what a fault tells, and the number of a rule
    that is not in the book may be made of what is hidden. The author finds the words on the proposal's page."""
    fault = outcome.fault
    rule = fault["rule"] if fault is not None else outcome.rule
    known = any(record["id"] == rule for record in live.of(game).records())
    it = f"rule {rule}" if known else "one of its programs"
    if fault is not None and not (known and is_in_use(fault["message"])):
        return f"{it} breaks."
    if fault is None and rule not in (None, "", "kernel"):
        return f"{it} refuses it."
    return queries.refusal_kept(outcome)


# ---- by the table


def by_table(game: Game, wanted: Data) -> None:
    """Carry out what has been voted on already; ask the players about the rest."""
    _, _, do, args = wanted["choices"][0]
    asked = game.table_questions.filter(about=wanted["about"])
    lately = max(live.now() - 7 * DAY, wanted.get("since", 0))  # who asks once more is asked about once more
    if wanted.get("carries") and do in judging.names(live.of(game), judging.IMPLEMENTS):
        by_house(game, wanted)
    elif do == "approve-player" and not voters(game):
        give(game, do, args, "Nobody plays yet who could be asked.")
    elif not asked.filter(settled=None).exists() and not asked.filter(settled__gt=lately).exists():
        ask(game, wanted)


def ask(game: Game, wanted: Data) -> None:
    """Put a question to the players, for a day."""
    now = live.now()
    try:
        with transaction.atomic():
            TableQuestion.objects.create(
                game=game,
                about=wanted["about"],
                text=wanted["text"],
                choices=wanted["choices"],
                opened=now,
                closes=now + DAY,
            )
    except IntegrityError:
        log.info("game %s: %s is being asked already", game.slug, wanted["about"])


def voters(game: Game) -> list[Any]:
    """The seats whose players answer: those who are in the game."""
    things = live.of(game).view("visitor")["things"]
    return [seat for seat in queries.players_seated(game) if things.get(seat.player, {}).get("kind") == "player"]


def for_program(question: TableQuestion) -> bool:
    """Whether a question only waits for the author's program, and nobody votes on it."""
    return question.choices[0][2] in judging.names(live.of(question.game), judging.IMPLEMENTS)


def text_of(question: TableQuestion) -> str:
    """What a question asks, in the reader's language: it is kept in English."""
    about = question.about
    asks, _, title = question.text.partition(f" {about}: ")
    if about.startswith("player:"):
        return gettext("Let %(who)s join?") % {"who": about.removeprefix("player:")}
    if asks == "Accept":
        return gettext("Accept %(proposal)s: %(title)s") % {"proposal": about, "title": title}
    if asks == "Carry out":
        return gettext("Carry out %(proposal)s: %(title)s") % {"proposal": about, "title": title}
    return question.text


def answers_to(question: TableQuestion) -> list[tuple[str, str]]:
    """The answers that can be given, [(answer, what it is called)], in the reader's language."""
    return [(choice, str(ANSWERS.get(label, label))) for choice, label, _, _ in question.choices]


def result_of(question: TableQuestion) -> str:
    """How a question ended, in the reader's language: it is kept in English. What rules say of it stays as they say
    it."""
    if question.result in ENDS:
        return str(ENDS[question.result])
    counted, sentence, why = question.result.partition(CANNOT)
    counted = COUNTED.sub(lambda found: found[1] + str(ANSWERS[found[2]]), counted)
    return counted + (gettext("It cannot be put into effect: %(why)s") % {"why": why} if sentence else "")


def author_of(question: TableQuestion) -> str | None:
    """The player whose proposal a question is about, or None."""
    return live.of(question.game).view("visitor")["things"].get(question.about, {}).get("author")


def all_have_answered(question: TableQuestion) -> bool:
    """Whether nobody is left to wait for: each player has answered, or the author has sent the program."""
    if for_program(question):
        return question.program is not None
    answered = set(question.answers.values_list("seat", flat=True))
    here = {seat.pk for seat in voters(question.game)}
    return bool(here) and here <= answered


def answer(question: TableQuestion, seat: Membership, choice: str) -> str | None:
    """Answer a question, or answer it otherwise; when all have answered, it is closed. Returns the refusal, or None."""
    if question.settled is not None or question.closes <= live.now():
        return gettext("This question is closed.")
    if for_program(question) or choice not in [each[0] for each in question.choices]:
        return gettext("There is no such answer.")
    TableAnswer.objects.update_or_create(question=question, seat=seat, defaults={"choice": choice})
    decide(question.game)
    return None


def add_program(question: TableQuestion, seat: Membership, changes: list[Data] | None, run: str | None) -> str | None:
    """Add the program to one's proposal in words alone, and have it carried out. Returns the refusal, or None."""
    if question.settled is not None or seat.player != author_of(question):
        return gettext("Only the author can add the program, until the proposal is carried out.")
    program = {name: value for name, value in (("changes", changes), ("run", run)) if value}
    if problem := first_error(program, live.of(question.game).check):
        return problem
    TableQuestion.objects.filter(pk=question.pk).update(program=program)
    decide(question.game)
    return None


def counts(question: TableQuestion) -> Data:
    """How many have given each answer: {choice: number}."""
    said = list(question.answers.filter(seat__status=Membership.Status.APPROVED).values_list("choice", flat=True))
    return {choice[0]: said.count(choice[0]) for choice in question.choices}


def close(game: Game, question: TableQuestion) -> None:
    """Count the answers, and do what most want: more than half of those who have answered."""
    votes = counts(question)
    said = ", ".join(f"{votes[choice]} {label}" for choice, label, _, _ in question.choices)
    if for_program(question):
        won, said = question.choices[0], "With its author's program." if question.program else "In words alone."
    else:
        most = max(question.choices, key=lambda each: votes[each[0]])
        won = most if votes[most[0]] * 2 > sum(votes.values()) else question.choices[-1]
    _, label, do, args = won
    outcome = give(game, do, args | (question.program or {}), f"By the table: {said}") if do else None
    if outcome is not None and not outcome.ok:
        why = why_for_all(game, outcome)
        said = f"{said}. It cannot be put into effect: {why}"
        _, _, do, args = question.choices[-1]
        if do and won is not question.choices[-1]:
            give(game, do, args, f"It cannot be put into effect: {why}")
    end(question, said if for_program(question) else f"{label} ({said})")


def end(question: TableQuestion, result: str) -> None:
    """Close a question for good, with what came of it."""
    TableQuestion.objects.filter(pk=question.pk, settled=None).update(result=result[:300], settled=live.now())


def open_for(seat: Membership) -> list[Any]:
    """The questions of the table that a seat can answer and has not."""
    return [question for question in unanswered(seat) if not for_program(question)]


def unanswered(seat: Membership) -> list[TableQuestion]:
    """The open questions of the table that a seat has not answered; none whose time is up, though the clock is late."""
    if seat.game.office != Game.Office.TABLE:
        return []
    found = [each for each in UNANSWERED.all(seat.game_id, seat.pk) if each.closes > live.now()]
    for question in found:
        question.game = seat.game
    return found


def asked_of(seat: Membership) -> list[Any] | list[Data]:
    """What the table wants of a player, as things that wait for them: answers, and the program of their own
    proposal."""
    waiting = []
    for question in unanswered(seat):
        if for_program(question):
            if author_of(question) == seat.player:
                text = gettext("%(proposal)s is in words alone: add its program") % {"proposal": question.about}
                waiting.append({"text": text, "path": f"table/{question.pk}/program/", "until": question.closes})
        else:
            asked = {"text": text_of(question), "path": f"table/#question-{question.pk}", "until": question.closes}
            waiting.append(asked | {"question": question.pk, "choices": answers_to(question)})
    return waiting


# ---- when a rule has broken


def mend(game: Game, view: Data) -> None:
    """Get a game going again that stands still because a rule broke: do without the rule, or let the players vote on
    that."""
    state = view["things"]["game"]
    fault = game.faults.filter(settled=None).exclude(rule="").order_by("-created").first()
    records = {record["id"] for record in live.of(game).records()}
    if state.get("pause_kind") != "disruption" or fault is None or fault.rule not in records:
        return
    because = f"Line {fault.line} of it broke."  # the message may hold what is hidden, and everybody reads this
    last, tries = _mends.get(game.pk, (0, 0))
    tries = tries if live.of(game).n - last <= APART else 0
    if game.office == Game.Office.HOUSE and tries < MOST_MENDS:
        give(game, "suspend", {"rule": fault.rule}, because)
        goes_on = give(game, "run-again", {}, because).ok or give(game, "resume", {}, because).ok
        _mends[game.pk] = (live.of(game).n, tries + 1)
        if goes_on:
            domain.settle_fault(fault)
            return
    open_votes = [
        thing for thing in view["things"].values() if thing["kind"] == "emergency" and thing["phase"] == "voting"
    ]
    if not open_votes:
        args = {"title": f"Go on without what broke in rule {fault.rule}", "text": because}
        give(game, "emergency-propose", args | {"changes": without(game, fault.rule)}, "")


def without(game: Game, rule: str) -> list[Any] | list[Data]:
    """The changes that take out of a rule what broke: its form before, or the whole rule if there is none."""
    restore = [{"restore": rule}]
    try:
        live.of(game).ask(lambda running: running.written_out(restore))
    except ChangeError:
        return [{"repeal": rule}]
    return restore

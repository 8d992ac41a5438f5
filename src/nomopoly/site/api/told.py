"""What the pages show, as data. Everything here is made from a seat: from its view, its log, its rulebook."""

import html
from dataclasses import asdict
from typing import Any

from django.utils.html import strip_tags

from nomopoly.lab import forecast
from nomopoly.rulebook.clashes import Clash
from nomopoly.rulebook.diff import RuleDiff
from nomopoly.rulebook.export import to_data
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.door import Seat
from nomopoly.site.play import books, sentences
from nomopoly.site.play.board import Square
from nomopoly.site.play.tryouts import Tried
from nomopoly.site.shapes import Data
from nomopoly.site.tables import lines, queries


def words(markup: str) -> str:
    """Markup as plain text."""
    return html.unescape(" ".join(strip_tags(str(markup)).split()))


class Log:
    """The entries of a game as its log tells them to one viewer."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.entries = seat.live.facts(seat.viewer)
        self.teller = sentences.Teller(seat, as_said=True)

    def entry(self, entry: Data) -> Data:
        """One entry: its sentence, and the parts that its page shows."""
        kept = (
            "number",
            "at",
            "kind",
            "by",
            "do",
            "args",
            "facts",
            "dice",
            "rules",
            "refused",
            "after_roll",
            "fault",
            "hash",
            "prev",
            "out",
        )
        if entry["kind"] == "strike":
            entry = self.numbered(entry)
        return {key: entry[key] for key in kept} | {
            "say": words(self.teller.line(entry)),
            "changes": self.teller.changes(entry),
            "struck": self.number(entry["struck"]),
            "by_program": entry["n"] in self.teller.by_program,
        }

    def numbered(self, entry: Data) -> Data:
        """A strike with the entries that it names as everybody knows them, by number; None for what not everybody
        sees."""
        struck = [fact for fact in entry["facts"] if fact["what"] == "struck"]
        named = [entry["args"]["entry"], *(n for fact in struck for n in (fact["entry"], *fact["refused"]))]
        numbers = self.entries.numbers(named)
        facts = [
            fact | {"entry": numbers.get(fact["entry"]), "refused": [numbers.get(n) for n in fact["refused"]]}
            if fact["what"] == "struck"
            else fact
            for fact in entry["facts"]
        ]
        return entry | {"args": entry["args"] | {"entry": numbers.get(entry["args"]["entry"])}, "facts": facts}

    def number(self, n: int) -> int | None:
        """The number by which everybody knows entry n; None if this viewer or not everybody does."""
        return None if n is None else self.entries.numbers([n]).get(n)

    def about(self, entries: lines.Log | lines.Kept | list[Any], most: int = 60) -> list[Any]:
        """The last of some entries, newest first."""
        return [self.entry(entry) for entry in entries[-most:][::-1]]


def entry_of(seat: Seat, n: int | None) -> dict[Any, Any] | None:
    """The log's entry n of what was done, as its doer sees it; None if it is not theirs to see."""
    log = Log(seat)
    log.teller.by_program = queries.by_program(seat.game, n)
    found = None if n is None else log.entries.one(n)
    return None if found is None else log.entry(found)


def rule(record: Data, code: bool = True) -> Data:
    """A rule as data, with or without its program."""
    return to_data([record], code=code)["rules"][0]


def cause(cause: Data, view: Data) -> Data:
    """A cause of a change as data, with its words."""
    return cause | {"words": books.cause_words(cause, view)[0]}


def compared(diff: RuleDiff, code: bool = True) -> dict[Any, Any]:
    """One rule in two versions: lists of [mark, text], the mark being same, added or removed. `coarse`: whole passages
    are shown as replaced, because there is too much to be compared word by word."""
    told: Data = {"rule": diff.id, "was": diff.old_id, "mark": diff.mark, "title": diff.title, "text": diff.text}
    told["coarse"] = diff.coarse
    return told | {"numbers": diff.numbers} | ({"code": diff.code} if code else {})


def square(square: Square) -> Data:
    """A square of the board as data, with who is there and its markers."""
    return square.thing | {"here": [player["id"] for player in square.here], "markers": square.markers}


def comments(found: list[Any]) -> list[Any]:
    """What was said (talk.about); of words that are not shown any more, why (`gone`); `mended`: with its typos mended
    by the Admin."""
    return [
        {"post": each.pk, "name": each.name, "written": int(each.written.timestamp())}
        | {"body": "" if each.gone else each.body, "gone": each.gone or None}
        | {"mended": each.mended["text"] if each.mended else None}
        for each in found
    ]


def refusal(outcome: Outcome) -> dict[Any, Any]:
    """A refusal or a fault as data: never more than the page says."""
    told = queries.refusal_of(outcome)
    rule = told["rule"] if told["rule"] != "kernel" else None
    fault = outcome.fault and {name: outcome.fault.get(name) for name in ("rule", "line", "message")}
    until = queries.moment_to_come(outcome.refused or "")
    return {"refused": outcome.refused or told["reason"], "rule": rule, "until": until, "fault": fault}


def chart(drawn: Data | None) -> Data:
    """A chart as numbers: {"of", "choices", "type", "lines": {name: [[moment, number]]}}."""
    if drawn is None:
        return {"of": None, "choices": [], "type": None, "lines": {}}
    return {
        "of": drawn.get("chosen"),
        "choices": [each["name"] for each in drawn.get("choices", ())],
        "type": drawn["sort"],
        "lines": {line.name: line.points for line, _ in drawn["lines"]},
    }


def preview(seat: Seat, outcome: Outcome) -> dict[Any, Any]:
    """What an order would do, as far as that is certain: up to the first roll of dice."""
    facts = sentences.of_preview(seat, outcome)
    return {
        "facts": facts,
        "changes": sentences.Teller(seat).changes({"changes": outcome.changes}),
        "rolls": outcome.rolls,
    }


def foreseen(data: dict[Any, Any]) -> Data:
    """What would come of a proposal (`play.foreseen.draw_up`): a refusal, or facts, changes and whether dice follow;
    the clashes it would bring, and all the money before and after."""
    outcome = Outcome(None, **data["outcome"])
    said = {name: data["outcome"][name] for name in ("facts", "changes", "rolls")} if outcome.ok else refusal(outcome)
    return said | {"clashes": [str(Clash(*parts)) for parts in data["clashes"]], "money": data["money"]}


def tried(seat: Seat, tried: Tried) -> dict[Any, Any]:
    """A proposal tried out (play/tryouts.py)."""
    now, again, example = tried.now, tried.again, tried.example
    refused = None if now.stands or now.outcome is None else refusal(now.outcome)
    return {
        "problems": [asdict(problem) for problem in now.problems],
        "clashes": [str(clash) for clash in now.clashes],
        "now": {
            "stands": now.stands,
            "refused": refused,
            "say": now.told,
            "changes": now.changes,
            "money": now.money,
        },
        "again": again and played_again(seat, again, tried.weeks),
        "example": example and {"passed": example.failure is None, "failure": example.failure},
    }


def played_again(seat: Seat, again: forecast.Again, weeks: int) -> Data:
    """The last weeks under a proposal."""
    numbers = seat.live.facts(seat.viewer).numbers(each.n for each in (*again.troubles, again.stopped) if each)

    def trouble(each: forecast.Trouble) -> Data:
        return {"entry": numbers.get(each.n), "by": each.by, "do": each.do, "args": each.args} | {
            "broke": each.broke,
            "reason": each.reason,
            "rule": each.rule or None,
            "line": each.line or None,
        }

    return {
        "weeks": weeks,
        "since": again.since,
        "entries": again.entries,
        "orders": again.orders,
        "left_out": again.left_out,
        "in_force": again.in_force is not None,
        "why_not": again.why_not or None,
        "troubles": [trouble(each) for each in again.troubles],
        "stopped": again.stopped and trouble(again.stopped),
        "complete": again.stopped is None and again.cut_off is None,
        "changes": again.changes,
    }

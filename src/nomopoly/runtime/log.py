"""The log of a game as one viewer may see it: entries, facts with their sentences, faults and refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from nomopoly.runtime import sealing
from nomopoly.runtime.corrections import strike_said
from nomopoly.runtime.halves import mended
from nomopoly.runtime.journal import Journal, Line, moment_of
from nomopoly.runtime.moments import text_in
from nomopoly.runtime.outcomes import OutcomeStore
from nomopoly.runtime.replay import struck_numbers

Data = dict[str, Any]
MOST_SAY = 2000  # characters of a sentence in the log
FACT_WORDS = ("what", "event", "rule", "say", "text")  # fields of facts that pages read as words
VOWELS = tuple("aeiouAEIOU")  # before which "a" in a sentence becomes "an"
FIELD = re.compile(r"\{(\w+)(?:@([\w/+-]+))?\}")  # `{until@Europe/Berlin}`: a moment, as clocks there show it
OPENING = (
    "id",
    "title",
    "edition",
    "time_zone",
    "commitment",
    "hidden_commitment",
    "recipe",
)  # without rules and programs


@dataclass
class Log:
    """What a viewer may see of the journal, as far as it has been read."""

    n: int = -1  # the last entry read
    number: int = -1  # of the last entry that everybody may see
    entries: list[Data] = field(default_factory=list)
    numbers: dict[int, int | None] = field(
        default_factory=dict
    )  # by which everybody knows an entry; None if only some may see it

    def read_on(self, viewer: str, journal: Journal, outcomes: OutcomeStore, strikes: list[tuple[int, int]]) -> None:
        """Add what the journal holds after the last entry that was read. `strikes`: see `struck_numbers`."""
        struck = {target: n for n, target in strikes if n not in struck_numbers(strikes)}
        since = dict(outcomes.get(self.n + 1))
        for line in journal.lines(self.n + 1):
            outcome = since.get(line["n"], {})
            private = bool(outcome.get("private")) and not public_facts(outcome)
            if not private:
                self.number += 1
            self.numbers[line["n"]] = None if private else self.number
            entry = view_entry(line, outcome, viewer, self.numbers[line["n"]], struck.get(line["n"]))
            if entry is not None and line["kind"] == "strike":
                entry["facts"] = [with_number(fact, self.numbers) for fact in entry["facts"]]
            if entry is not None:
                self.entries.append(mended(entry))
            self.n = line["n"]


def with_number(fact: Data, numbers: dict[int, int | None]) -> Data:
    """The fact of a strike as its readers know it: its sentence names the entry by the number that everybody sees."""
    if fact.get("what") != "struck" or fact.get("entry") not in numbers:
        return fact
    return {**fact, "say": strike_said(numbers[fact["entry"]], fact.get("because", ""))}


def fill_sentence(say: str, fact: Data, holes: bool = False) -> str:
    """A declared sentence with the fact's fields in it. A field without content leaves no word, or with `holes` its
    name in braces."""
    literals, names, zones = sentence_parts(say)
    parts = [literals[0]]
    for name, zone, literal in zip(names, zones, literals[1:], strict=True):
        content = fact.get(name, "{" + name + "}" if holes else None)
        if zone is not None and type(content) is int:
            content = f"{text_in(content, zone)} {zone}".replace("T", " ", 1)
        if isinstance(content, list):
            content = ("-" if name == "dice" else ", ").join(str(each) for each in content)
        text = "" if content is None else str(content)
        if f" {parts[-1]}".lower().endswith(" a ") and text[:1] in VOWELS:
            parts[-1] = f"{parts[-1][:-1]}n "
        parts += (text, literal)
    return "".join(parts)


def with_sentence(fact: Data, say: str | None, by_admin: bool = False) -> Data:
    """A fact with its sentence: the declared one of its event, or the text of news (`tell`)."""
    who = (
        {"who": "The Admin"} if by_admin else {}
    )  # where players and the Admin do the same, and a player would be named
    if say is None and fact.get("what") == "told" and "text" in fact:
        return {**fact, "say": cut(" ".join(fact["text"].split()))}
    return fact if say is None else {**fact, "say": cut(fill_sentence(say, who | fact))}


def cut(sentence: str) -> str:
    """A sentence as the log has it: a very long one is cut, its page has the parts."""
    return sentence if len(sentence) <= MOST_SAY else f"{sentence[: MOST_SAY - 1]}…"


@lru_cache(4096)
def sentence_parts(say: str) -> tuple[list[str], list[str], list[str | None]]:
    """A sentence cut at its fields: what stands between them, their names, and the time zones of those that are
    moments."""
    parts: list[Any] = FIELD.split(say)
    return parts[::3], parts[1::3], parts[2::3]


def view_entry(line: Line, outcome: Data, viewer: str, number: int | None, struck: int | None) -> Data | None:
    """A log entry as a viewer may have it; None if they may not know of it."""
    says = outcome.get("says", {})
    made = dict(outcome.get("made", ()))  # place of a fact -> the rule that made somebody do it
    facts = [
        by_rule(with_sentence(fact, says.get(fact["event"]), line["kind"] == "admin"), made.get(place))
        for place, fact in enumerate(map(readable, outcome.get("facts", ())))
        if "only" not in fact or viewer in fact["only"]
    ]
    private = bool(outcome.get("private")) and line.get("by") != viewer
    if private and not facts:
        return None
    unknown = private and not any("only" in fact for fact in facts)  # of the order they only see what came of it
    no_action = outcome.get("code") == "no-action" and viewer != line.get("by")
    if unknown or no_action:  # nobody knows any more whether an order was private whose action has gone
        args: Data = {}
    elif line["kind"] == "open":
        args = {key: line["args"][key] for key in OPENING if key in line["args"]}
    else:
        args = line.get("args") or {}
    return {
        "n": line["n"],
        "number": number,
        "at": moment_of(line["at"]),
        "kind": "order" if unknown else line["kind"],
        "by": None if unknown else line.get("by"),
        "do": None if unknown else line.get("do"),
        "args": args,
        "facts": facts,
        "dice": line.get("dice", []),
        "changes": seen_changes(outcome, viewer) if not outcome.get("private") else [],
        "rules": [id for id, _ in outcome.get("rules", ())],
        "refused": refusal_for(viewer, line, outcome),
        "refused_by": outcome.get("rule", "") if "refused" in outcome and viewer in (line.get("by"), "admin") else "",
        "after_roll": "refused" in line,
        "fault": fault_for(viewer, line, outcome.get("fault")),
        "struck": struck,
        "hash": line["hash"],
        "prev": line["prev"],
        "out": line["out"] if "salt" in line or not hides(outcome) else "",
    }


def refusal_for(viewer: str, line: Line, outcome: Data) -> Any:
    """Why an entry was refused, True for those who may not know why (the words are the rule's own), None if it was
    not."""
    if "refused" not in outcome:
        return None
    return outcome["refused"] if viewer in (line.get("by"), "admin") or "refused" not in line else True


def fault_for(viewer: str, line: Line, fault: Data | None) -> Data | None:
    """A fault as a viewer may have it: its message is made of values that a rule chose, so others learn rule and
    line."""
    if fault is None or viewer in (line.get("by"), "admin"):
        return fault
    return {**fault, "message": ""} | ({"rule": "", "line": 0} if fault.get("unknown") else {})


def hides(outcome: Data) -> bool:
    """Whether somebody does not see all of an outcome."""
    return bool(outcome.get("private") or outcome.get("veiled") or sealing.viewers_of(outcome))


def readable(fact: Data) -> Data:
    """A fact in which what pages read as words, numbers or lists is that: in old games rules could put in anything."""
    odd: Data = {name: str(fact[name] or "") for name in FACT_WORDS if type(fact.get(name, "")) is not str}
    odd |= {"event": ""} if "event" not in fact else {}
    odd |= {} if type(fact.get("depth", 0)) is int else {"depth": 0}
    odd |= {} if type(fact.get("only", [])) is list else {"only": [str(fact["only"])]}
    return fact | odd if odd else fact


def by_rule(fact: Data, rule: str | None) -> Data:
    """A fact with the rule that made it happen, where the player it names has ordered nothing."""
    if rule is None:
        return fact
    told = {**fact, "made_by_rule": rule}
    return {**told, "say": f"{fact['say']} (rule {rule} did this: nobody ordered it)"} if "say" in fact else told


def public_facts(outcome: Data) -> list[Data]:
    """The facts that are told to everybody."""
    return [fact for fact in outcome.get("facts", ()) if "only" not in fact]


def seen_changes(outcome: Data, viewer: str) -> list[Any]:
    """The changes of an entry without those of attributes that are hidden from this viewer."""
    hidden = {place for place, viewers in outcome.get("veiled", ()) if viewer not in viewers}
    return [change for place, change in enumerate(outcome.get("changes", ())) if place not in hidden]


def cause_of(line: Line, outcome: Data) -> Data:
    """Why the book changed with this entry."""
    if line["kind"] == "strike":
        return {"kind": "strike", "id": str(line["args"]["entry"]), "by": "Admin"}
    made_by = [record["made_by"] for _, record in outcome["rules"] if record is not None]
    facts = outcome["facts"]
    change = next((at for at, fact in enumerate(facts) if fact.get("event") == "rulebook"), len(facts))
    decided = [fact.get("proposal") for fact in facts[:change][::-1]]  # a rule that is gone does not say who took it
    maker = next(
        (name for name in [*decided, *made_by] if isinstance(name, str) and name not in ("admin", "opening")), None
    )
    kind = "correction" if maker is None else "thing" if "-" in maker else "proposal"
    return {"kind": kind, "id": maker, "by": line.get("by")}

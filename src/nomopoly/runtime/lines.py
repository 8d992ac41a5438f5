"""Who may see an entry of the log, and the words to search it by: kept beside the journal, so that parts of the log can
be read.

A row is made of what its readers see (`log.view_entry`), and of nothing else. Most entries are the same for everybody
and have one row. An entry that somebody sees otherwise has a row of theirs beside it, or instead of it where nobody
else may know of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nomopoly.runtime.halves import mended
from nomopoly.runtime.journal import Line
from nomopoly.runtime.log import public_facts, readable, view_entry, with_number

Data = dict[str, Any]
PLAIN = {"what", "event", "rule", "depth", "say", "dice", "to_", "because", "text", "title"}
SUBJECTS = ("who", "mover", "creature", "owner")  # fields of facts that name who acts, or who gets something
LONGEST_ID = 100
LONGEST_TEXT = 8000  # characters of an entry that are searched for words
MOST_WORDS = 400  # that an entry is found by
EVERYBODY = ""  # the viewer of a row that holds for all who have none of their own


class Nobody:
    """A viewer whom no rule can name, so that what they see is what everybody may see."""


NOBODY: Any = Nobody()


@dataclass
class Row:
    """One entry, for one viewer (their name, "admin", "visitor") or for EVERYBODY who has no row of their own."""

    n: int
    viewer: str
    number: int | None  # by which everybody knows it; None if only some may see it
    alone: bool  # whether there is no row for everybody beside it
    others: bool  # whether somebody has a row of their own beside this one for everybody
    at: int  # seconds since 1970
    kind: str
    by: str
    do: str
    struck: int | None  # the strike, if it is struck
    text: str  # what can be searched for words
    words: str  # what it is found by: tokens, see `token`, with spaces between


def rows_of(
    line: Line, outcome: Data, number: int | None, struck: int | None, numbers: dict[int, int | None]
) -> list[Row]:
    """The rows of an entry. `number`: by which everybody knows it; `numbers`: those of the entries that a strike
    names."""
    seen = {EVERYBODY: viewed(line, outcome, NOBODY, number, struck, numbers)}
    whole = seen[EVERYBODY]
    for viewer in special_viewers(line, outcome):
        own = viewed(line, outcome, viewer, number, struck, numbers)
        if own is not None and own != whole:
            seen[viewer] = own
    return [
        Row(
            n=line["n"],
            viewer=viewer,
            number=number,
            alone=bool(viewer) and whole is None,
            others=not viewer and len(seen) > 1,
            at=entry["at"],
            kind=entry["kind"],
            by=entry["by"] or "",
            do=entry["do"] or "",
            struck=struck,
            text=text_of(entry),
            words=" ".join(token(word) for word in words_of(entry)),
        )
        for viewer, entry in seen.items()
        if entry is not None
    ]


def viewed(
    line: Line, outcome: Data, viewer: Any, number: int | None, struck: int | None, numbers: dict[int, int | None]
) -> Data | None:
    """An entry as a viewer has it in their log, or None: the one door, with the numbers of what a strike names."""
    entry = view_entry(line, outcome, viewer, number, struck)
    if entry is None:
        return None
    if line["kind"] == "strike":
        entry["facts"] = [with_number(fact, numbers) for fact in entry["facts"]]
    return mended(entry)  # type: ignore[no-any-return]


def is_public(outcome: Data) -> bool:
    """Whether everybody knows that there is such an entry, so that it has a number."""
    return not outcome.get("private") or bool(public_facts(outcome))


def special_viewers(line: Line, outcome: Data) -> list[str]:
    """Those who may see an entry otherwise than everybody, as far as it says; some of them may see the same."""
    named: set[Any] = set()
    for fact in map(readable, outcome.get("facts", ())):
        named.update(each for each in fact.get("only", ()) if isinstance(each, str))
    for _, viewers in outcome.get("veiled", ()):
        named.update(each for each in viewers if isinstance(each, str))
    if named or outcome.get("private") or "refused" in outcome or "fault" in outcome or outcome.get("veiled"):
        named.update((line.get("by"), "admin"))
    return sorted(each for each in named if isinstance(each, str) and each != EVERYBODY)


# ---- what an entry is found by


@lru_cache(8192)
def token(word: str) -> str:
    """A word that an entry is found by, in a form that every index of words takes for one word."""
    return "x" + hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=7).hexdigest()


def rolled(fact: Data) -> list[Any]:
    """The dice of a fact; none where a rule calls something else so, as how many dice somebody buys."""
    return list(fact["dice"]) if isinstance(fact.get("dice"), list | tuple) else []


def signed(fact: Data, player: str) -> int:
    """The amount of a fact as it moves a player's money: who pays loses, who is paid gains."""
    loses = fact.get("to") not in (None, player) or fact.get("what") in ("lost", "fined")
    amount: int = fact["amount"]
    return -amount if loses else amount


def evened(entry: Data) -> set[str]:
    """Whose money an entry tells of that is none of its changes: who has lost some and got some within it; where nobody
    sees what it has changed, who has done either."""
    moved = {id for id, name, *_ in entry["changes"] if name == "money"}
    lost: set[str] = set()
    got: set[str] = set()
    for fact in entry["facts"]:
        if type(fact.get("amount")) is int and fact["amount"]:
            for id in (fact.get("who"), fact.get("to")):
                if isinstance(id, str):
                    (lost if signed(fact, id) < 0 else got).add(id)
    return (lost & got) - moved if entry["changes"] else lost | got


def words_of(entry: Data) -> list[str]:
    """What an entry is found by.

    `about:ID` things that it speaks of, `change:ID.ATTRIBUTE` and `changed:ID`, `even:ID` whose money it tells of
    without a change of it, `rule:ID` rules that made something of it happen (a row's rule too), `book:ID` rules that
    it changed, `fact:WHAT`, `dice` and `deal`, `on:ID` what was judged or voted on, `fault:RULE` the rule that broke.
    """
    tokens = {f"about:{id}" for id in spoken_of(entry)}
    for id, name, *_ in entry["changes"]:
        tokens.update((f"change:{id}.{name}", f"changed:{id}"))
    tokens.update(f"even:{id}" for id in evened(entry))
    for fact in entry["facts"]:
        rule = str(fact.get("rule"))
        tokens.update((f"rule:{rule}", f"rule:{rule.partition('/')[0]}", f"fact:{fact.get('what')}"))
        if rolled(fact):
            tokens.add("dice")
    tokens.update(f"book:{id}" for id in entry["rules"])
    if is_deal(entry):
        tokens.add("deal")
    tokens.update(
        f"on:{each}" for each in (entry["args"].get("on"), *(fact.get("proposal") for fact in entry["facts"])) if each
    )
    if entry["fault"]:
        tokens.add(f"fault:{entry['fault']['rule']}")
    return sorted(tokens)[:MOST_WORDS] if len(tokens) > MOST_WORDS else sorted(tokens)


def is_deal(entry: Data) -> bool:
    """Whether an entry tells of a price paid or of a trade."""
    moved = any(change[1] == "money" for change in entry["changes"])
    paid = {fact["amount"] for fact in entry["facts"] if moved and isinstance(fact.get("amount"), int)}
    return any(
        (isinstance(fact.get("price"), int) and fact["price"] in paid) or (fact.get("seller") and fact.get("buyer"))
        for fact in entry["facts"]
    )


def spoken_of(entry: Data) -> list[str]:
    """The words that an entry gives as values, the ids of the things that it speaks of among them."""
    found = {part for change in entry["changes"] for part in (change[0], change[2], change[3]) if isinstance(part, str)}
    for fact in entry["facts"]:
        if not (fact.get("say") or " ")[0].islower() or subject_of(fact):
            found.update(value for key, value in flat(fact) if key not in PLAIN)
    if entry.get("by"):
        found.add(entry["by"])
    return [each for each in found if len(each) <= LONGEST_ID]


def subject_of(fact: Data) -> str | None:
    """The player or creature that the sentence of a fact begins with; None if it begins otherwise."""
    said = fact["say"].strip() if fact.get("say") else ""
    named = [fact[key] for key in SUBJECTS if isinstance(fact.get(key), str)]
    return next((name for name in named if name and said.startswith(f"{name} ")), None)


def flat(fields: Data) -> Iterator[tuple[str, str]]:
    """(name, text) of all texts in a fact, lists and tuples opened."""
    for key, value in fields.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, (list, tuple)) and key in ("dice", "facts", "changes"):
            continue
        elif isinstance(value, (list, tuple)):
            yield from ((key, part) for part in value if isinstance(part, str))
        elif isinstance(value, dict):
            yield from flat(value)


def text_of(entry: Data) -> str:
    """What can be searched for words: the sentences of an entry, and what was asked of whom."""
    return " ".join(dict.fromkeys(part for part in texts_of(entry) if part)).replace("\0", " ")[:LONGEST_TEXT]


def texts_of(entry: Data) -> Iterable[str]:
    """The texts of an entry one by one."""
    yield entry["by"] or ""
    yield (entry["do"] or entry["kind"]).replace("-", " ")
    for fact in entry["facts"]:
        yield fact.get("say") or ""
        if isinstance(fact.get("because"), str):
            yield fact["because"]
    if isinstance(entry["refused"], str):
        yield entry["refused"]
    if entry["fault"]:
        yield str(entry["fault"]["message"])
    if entry["kind"] != "open":
        yield from (value for key, value in flat(entry["args"]) if key not in ("run", "changes", "code"))

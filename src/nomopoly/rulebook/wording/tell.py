"""What the program of a rule does, told in sentences: part by part, with the lines that no sentence says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from nomopoly.rulebook.source import Record
from nomopoly.rulebook.wording.naming import Unsayable
from nomopoly.rulebook.wording.offers import Offers, offers, readable
from nomopoly.rulebook.wording.prose import Teller
from nomopoly.rulebook.wording.read import Read, read, read_run

HANDLERS = ("when", "every", "button", "definition", "value", "marker")  # the sorts that are counted as handlers


class Told(TypedDict):
    """One part of a program, told."""

    text: str  # one sentence, or what can be said of the part
    lines: tuple[int, int]  # of the program, the first being 1
    whole: bool  # whether the sentence says all of it
    untold: int  # the first line that no sentence says; 0 where the sentence says all
    sort: str  # a form of a sentence, or definition, marker, function
    name: str  # of the function; "" of a declaration
    words: list[tuple[str, str]]  # the words and functions that it names, each with what is known of them


def tell(record: Record, records: Iterable[Record], commons: Iterable[Iterable[str]] = ()) -> list[Told]:
    """What the program of a rule does, part by part in the order of its lines.

    `records` are the rules in force, whose labels the sentences use, and `commons` the shared modules of the game.
    Takes any record and never raises.
    """
    book = list(records)
    known = [each for each in book if each.get("id") != record.get("id")]
    if not isinstance(record.get("code"), str):
        return []
    whole = book if len(known) < len(book) and record in book else [*known, record]
    return tell_with(record, offers(whole, commons))


def tell_with(record: Record, found: Offers) -> list[Told]:
    """The same, with what the rules in force and this one offer."""
    return all_told(read(record, found.catalogues), found)


def tell_run(run: object, records: Iterable[Record], commons: Iterable[Iterable[str]] = ()) -> list[Told]:
    """What a program that runs once does: each of its functions, and all the rest in one sentence. `records` are the
    rules that are in force as it runs. Takes any program and never raises."""
    return all_told(read_run(run), offers(list(records), commons)) if isinstance(run, str) else []


def all_told(reads: list[Read], found: Offers) -> list[Told]:
    """The parts of one program."""
    told = [tell_part(each, found) for each in reads]
    own = {each["name"]: each for each in told if each["sort"] == "function"}
    docs = {each.name: each.doc for each in reads if each.doc}
    return [finished(each, own, docs, found) for each in told]


def tell_part(part: Read, found: Offers) -> Told:
    """One part of a program, told as far as it can be."""
    teller = Teller(found, True)
    told: Told = {
        "text": "",
        "lines": part.lines,
        "whole": False,
        "untold": part.untold,
        "sort": part.sort,
        "name": part.name,
        "words": [],
    }
    if part.sentence is not None:
        try:
            text = teller.sentence(part.sentence)
            return {**told, "text": text, "whole": True, "words": [(each, "") for each in teller.spoken]}
        except (Unsayable, KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError):
            told["untold"] = part.lines[0]
    told["text"] = f"What {quoted_name(part)}does cannot be told in sentences: read {in_lines(part.lines)}."
    return told


def quoted_name(part: Read) -> str:
    """The name of a function as words, with a blank."""
    return f"“{readable(part.name)}” " if part.name else "this "


def in_lines(lines: tuple[int, int]) -> str:
    """Lines in words."""
    return f"line {lines[0]}" if lines[0] == lines[1] else f"lines {lines[0]} to {lines[1]}"


def finished(told: Told, own: dict[str, Told], docs: dict[str, str], found: Offers) -> Told:
    """A part with what its words are; one that names a function of which nothing is known is not told whole."""
    words, whole = [], told["whole"]
    for name, _ in told["words"]:
        text = " ".join(docs.get(name, "").split("\n\n")[0].split()) or found.docs.get(name, "")
        if not text and name in own and own[name]["whole"]:
            text = (
                f"told below ({in_lines(own[name]['lines'])})"
                if own[name]["lines"] > told["lines"]
                else f"told above ({in_lines(own[name]['lines'])})"
            )
        whole = whole and bool(text)
        words.append((readable(name), text))
    return {**told, "words": words, "whole": whole, "untold": told["untold"] or (0 if whole else told["lines"][0])}


def share_told(
    records: Iterable[Record], commons: Iterable[Iterable[str]] = (), found: Offers | None = None
) -> dict[str, Any]:
    """How many handlers of rules are told whole: {"handlers", "whole", "untold": [(rule, function, line)]}.

    `found` is what the whole book offers, where `records` are some of its rules.
    """
    book = list(records)
    found = offers(book, commons) if found is None else found
    handlers, whole, untold = 0, 0, []
    for record in book:
        for each in tell_with(record, found):
            if each["sort"] in HANDLERS and each["name"]:
                handlers += 1
                whole += each["whole"]
                untold += [] if each["whole"] else [(record["id"], each["name"], each["untold"])]
    return {"handlers": handlers, "whole": whole, "untold": untold}

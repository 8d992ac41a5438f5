"""The prose of a rulebook in other languages: named texts beside the modules of an edition, in `texts/<language>.yaml`.

    VIII.1:
      title: Eigentümer
      text: Ein Feld kann einen Eigentümer haben, der ein Spieler ist.

The original decides. It is what stands in journals, and what proposals amend; a text in another language only says it
again, with the same numbers in their gaps. It belongs to the prose that the edition has: a rule that says something
else in a game, because players have amended it, has no other text there.
"""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources.abc import Traversable

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from nomopoly.errors import CommandError
from nomopoly.rulebook import source
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import Record, SourceError, editions, load_edition

Texts = dict[str, dict[str, str]]  # number of a rule -> its title and text
FOLDER = "texts"
GAP = re.compile(r"\{\w+\}")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?")


def text_in(language: str, edition: str, record: Record) -> dict[str, str] | None:
    """Title and text of a rule in another language, or None where there are none, or the rule says something else by
    now."""
    if edition not in editions():
        return None
    known = texts_of(edition, language).get(record["id"])
    if known is None or originals(edition).get(record["id"]) != (record["title"], record["text"]):
        return None
    if not fits(known, record["text"]):
        return None
    return known


def texts_of(edition: str, language: str) -> Texts:
    """The texts of an edition in a language; none if it has none."""
    if edition in source.OWN:
        found: Texts = source.OWN[edition][1].get("TEXTS", {}).get(language, {})
        return found
    return shipped_texts(edition).get(language, {})


def originals(edition: str) -> dict[str, tuple[str, str]]:
    """What the rules of an edition say in its own language: {number: (title, text)}."""
    return said_by(load_edition(edition).records) if edition in source.OWN else shipped_originals(edition)


@cache
def shipped_texts(edition: str) -> dict[str, Texts]:
    """The texts of an edition in other languages, by language. Raises SourceError as `read_texts` does."""
    return read_texts(importlib.resources.files("nomopoly.editions").joinpath(edition))


@cache
def shipped_originals(edition: str) -> dict[str, tuple[str, str]]:
    """What the rules of a shipped edition say in its own language: {number: (title, text)}."""
    return said_by(load_edition(edition).records)


def said_by(records: Iterable[Record]) -> dict[str, tuple[str, str]]:
    """What some rules say: {number: (title, text)}."""
    return {record["id"]: (record["title"], record["text"]) for record in records}


def read_texts(folder: Traversable) -> dict[str, Texts]:
    """The texts beside a contents.py, by language. Raises SourceError, which says what to mend."""
    place = folder.joinpath(FOLDER)
    if not place.is_dir():
        return {}
    files = sorted((each for each in place.iterdir() if each.name.endswith(".yaml")), key=lambda each: each.name)
    return {file.name.removesuffix(".yaml"): read_file(file) for file in files}


def read_file(file: Traversable) -> Texts:
    """The texts in a file. Raises SourceError."""
    name = f"{FOLDER}/{file.name}"
    if not LANGUAGE.fullmatch(file.name.removesuffix(".yaml")):
        raise SourceError(f"{name}: call it by its language, as in de.yaml")
    try:
        said = YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError, ValueError, RecursionError) as error:
        raise SourceError(f"{name}: cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(said, dict):
        raise SourceError(f"{name}: write a number of a rule in quotes, and below it its title and text")
    return {id: read_text(f"{name}: rule {id}", id, text) for id, text in said.items()}


def read_text(place: str, id: object, said: object) -> dict[str, str]:
    """Title and text of one rule. Raises SourceError."""
    if not isinstance(id, str):
        raise SourceError(f'{place}: write its number in quotes, as in "9.10"')
    if (
        not isinstance(said, dict)
        or set(said) != {"title", "text"}
        or not all(isinstance(each, str) for each in said.values())
    ):
        raise SourceError(f"{place}: say its title and its text, and nothing else")
    return {"title": said["title"].strip(), "text": said["text"].strip()}


def stale(found: dict[str, Texts], records: Iterable[Record]) -> list[Problem]:
    """What of the texts does not fit the rules any more: it is left out, and the original is shown alone."""
    known = said_by(records)
    problems = []
    for language, listed in found.items():
        place = f"{FOLDER}/{language}.yaml"
        for id, said in listed.items():
            if id not in known:
                problems.append(Problem("warning", id, 0, f"{place} has a text of this rule, which is not in the book"))
            elif not fits(said, known[id][1]):
                told = f"its text in {place} has other numbers than its prose: it is not shown"
                problems.append(Problem("warning", id, 0, told))
    return problems


def fits(said: dict[str, str], original: str) -> bool:
    """Whether a text has the same numbers in it as the original."""
    return set(GAP.findall(said["text"])) == set(GAP.findall(original))


def checked(folder: Traversable) -> dict[str, Texts]:
    """The texts of a rulebook of one's own. Raises CommandError with the folder's name."""
    try:
        return read_texts(folder)
    except SourceError as error:
        raise CommandError(f"{folder}: {error}") from None

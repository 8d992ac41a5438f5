"""Rules worth having: files with prose, program and example, from which players start a rule of their own.

A file of `rules/` holds two YAML documents: the rule (`title`, `about`, `text`, `params`, `code`, or `run` for a
program that runs once) and an example, which is a scenario with `edition`. Files with the same word after `recipe` are
forms of one recipe for different games: a game is offered the first one that fits what its rules declare.

`texts/<language>.yaml` says what they are called, what they do and their prose in another language, for those who look
through the library. What is proposed is the original.
"""

from __future__ import annotations

import ast
import importlib.resources
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.rulebook.changes import read_data
from nomopoly.rulebook.dialect.kinds import foreign_reads
from nomopoly.rulebook.outline import Declared, called, collect, first_word, tree_of, word

EVENT_PARTS = frozenset(("name", "result", "trail", "via", "rule", "but", "to", "caused_by", "fields"))
THING_PARTS = frozenset(("id", "kind"))
STATIONS = ("check", "instead", "on", "after")
BUILT_IN = frozenset(
    ("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "int", "isinstance", "len", "list", "max")
)
BUILT_IN |= {"min", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"}
OF_KINDS = ("every", "count", "create")
RECIPES = ("rent", "bonus", "double", "tax", "item", "unit", "vote", "once")  # in the order in which they are offered


@dataclass(frozen=True)
class Entry:
    """A rule of the library. `example` is the text of its scenario, `edition` the one in which that is played."""

    name: str
    title: str
    about: str
    text: str
    params: dict[str, Any] = field(default_factory=dict)
    code: str = ""
    run: str = ""
    recipe: str = ""
    edition: str = ""
    example: str = ""

    def searched(self) -> str:
        """What of it is searched: its words, its events and things."""
        return " ".join([self.name, self.title, self.about, self.text, self.code, self.run]).casefold()


@cache
def shipped() -> tuple[Entry, ...]:
    """The rules that come with the program, by title."""
    folder = importlib.resources.files("nomopoly.rulebook.library").joinpath("rules")
    files = [each for each in folder.iterdir() if each.name.endswith(".yaml")]
    found = [read(each.name.removesuffix(".yaml"), each.read_text("utf-8")) for each in files]
    return tuple(sorted(found, key=lambda each: (each.title, each.name)))


def read(name: str, text: str) -> Entry:
    """A rule from the text of its file. Raises CommandError with what is wrong with it."""
    documents = read_data(text, name, every=True)
    if not documents or not isinstance(documents[0], dict):
        raise CommandError(f"{name}: begin with title, about, text and code")
    said = documents[0]
    unknown = sorted(set(said) - {"title", "about", "text", "params", "code", "run", "recipe"})
    if unknown:
        raise CommandError(f"{name}: a rule of the library has no {unknown[0]}")
    missing = [each for each in ("title", "about") if not str(said.get(each) or "").strip()]
    missing += [] if said.get("run") or said.get("text") else ["text"]
    if missing:
        raise CommandError(f"{name}: the {missing[0]} is missing")
    example = text.partition("\n---\n")[2]
    edition = documents[1].get("edition", "") if len(documents) > 1 and isinstance(documents[1], dict) else ""
    parts = {
        part: str(said.get(part) or "").strip("\n") for part in ("title", "about", "text", "code", "run", "recipe")
    }
    return Entry(name, params=dict(said.get("params") or {}), edition=str(edition), example=example, **parts)


@cache
def spoken(language: str) -> dict[str, Entry]:
    """The rules that come with the program as a language says them, by name; none where it has no texts of them."""
    file = importlib.resources.files("nomopoly.rulebook.library").joinpath("texts", f"{language}.yaml")
    said = read_data(file.read_text("utf-8"), file.name) if file.is_file() else {}
    return {each.name: said_as(each, said[each.name]) for each in shipped() if each.name in said}


def said_as(entry: Entry, said: dict[str, str]) -> Entry:
    """A rule with the texts of another language in place of its own."""
    title, about, text = (said.get(part, "").strip("\n") for part in ("title", "about", "text"))
    return replace(entry, title=title, about=about, text=text)


def here(entry: Entry, language: str) -> Entry:
    """A rule as a language says it, or as it is where that has no text of it."""
    found = spoken(language).get(entry.name)
    return found if found and (found.code, found.run) == (entry.code, entry.run) else entry


def search(entries: Iterable[Entry], wanted: str) -> list[Entry]:
    """The rules that hold all words of what is looked for."""
    parts = wanted.casefold().split()
    return [each for each in entries if all(part in each.searched() for part in parts)]


def recipes(declared: Declared) -> list[Entry]:
    """The recipes that fit a game: of each the first form that needs nothing which its rules do not declare."""
    forms = sorted((each for each in shipped() if each.recipe), key=lambda each: each.name)
    found = []
    for recipe in RECIPES:
        fitting = [each for each in forms if each.recipe == recipe and not missing(each, declared)]
        found += fitting[:1]
    return found


def missing(entry: Entry, declared: Declared) -> list[tuple[str, str]]:
    """What a rule names that a game does not declare: [(what it is, its name)], each once."""
    code = "\n\n".join(part for part in (entry.code, entry.run) if part)
    tree = tree_of(code)
    if not isinstance(tree, ast.Module):
        return []
    own = declared.copy()
    collect(tree, own)
    mine = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        found += missing_call(node, own, mine)
        if isinstance(node, ast.FunctionDef):
            found += missing_parts(node, own)
            found += [(f"attribute of a {kind}", read.attr) for read, kind in foreign_reads(node, [], own)]
    return list(dict.fromkeys(found))


def missing_call(node: ast.AST, own: Declared, mine: set[str]) -> list[tuple[str, str]]:
    """What a call names that is not declared."""
    name, first = called(node), first_word(node)
    if not isinstance(node, ast.Call) or not name:
        return []
    if name not in own.words and name not in mine and name not in BUILT_IN:
        return [("word", name)]
    second = word(node.args[1]) if len(node.args) > 1 else None
    if name == "here":
        return [] if second is None or second in own.kinds else [("kind of thing", second)]
    if name == "put":
        return [] if second is None or second in own.attributes else [("attribute", second)]
    if first is None:
        return []
    if name in STATIONS or name in ("do", "do_each"):
        return [] if first in own.events or first in own.actions else [("event", first)]
    if name in ("modify", "value"):
        careful = any(each.arg == "otherwise" for each in node.keywords)
        return [] if first in own.values or careful else [("value", first)]
    return [] if name not in OF_KINDS or first in own.kinds else [("kind of thing", first)]


def missing_parts(function: ast.FunctionDef, own: Declared) -> list[tuple[str, str]]:
    """Fields of the events that a handler hears, and attributes, that are not declared."""
    heard = [first_word(each) for each in function.decorator_list if called(each) in (*STATIONS, "action")]
    fields = {name: kind for event in heard for name, kind in own.events.get(event or "", {}).items()}
    events = {each.arg for each in function.args.args[:1]} if heard else set()
    asked = {id(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}  # methods, which no thing has
    found = []
    for node in ast.walk(function):
        if (
            not isinstance(node, ast.Attribute)
            or id(node) in asked
            or plain(node.value) in ("rule", "chance", "chance.hidden")
        ):
            continue
        if plain(node.value) in events:
            known = node.attr in EVENT_PARTS or node.attr in fields
            found += [] if known else [(f"field of {heard[0]}", node.attr)]
            continue
        event, _, of = plain(node.value).rpartition(".")
        kind = fields.get(of, "") if event in events else ""
        if node.attr in THING_PARTS or (not kind and node.attr in own.columns | every_field(own) | EVENT_PARTS):
            continue
        if node.attr not in own.attributes or (kind and kind not in own.attributes[node.attr]):
            found.append((f"attribute of a {kind}" if kind else "attribute", node.attr))
    return found


def plain(node: ast.expr) -> str:
    """A name, or names with dots between; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return f"{plain(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def every_field(own: Declared) -> set[str]:
    """The fields of all events: what a function that is handed an event may read."""
    return {name for fields in own.events.values() for name in fields}

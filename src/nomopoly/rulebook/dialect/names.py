"""The names of a program: its scopes, and what the game declares."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from nomopoly.rulebook.dialect.vocabulary import (
    ALWAYS_KNOWN,
    BUILTINS,
    FORBIDDEN_NAMES,
    LAZY,
    LONGEST_SHOWN,
    METHODS,
    MOST,
    MOST_SHOWN,
    NO_SET,
    NOT_IN_THE_SANDBOX,
    Function,
)
from nomopoly.rulebook.outline import (
    DECLARATIONS,
    Declared,
    called,
)
from nomopoly.rulebook.problems import Problem


def near(name: str, known: Iterable[str]) -> str:
    """A hint at a name that was probably meant."""
    if len(name) > LONGEST_SHOWN:
        return ""
    found = difflib.get_close_matches(name, sorted(known), n=1)
    return f": did you mean '{found[0]}'?" if found else ""


def bound_in(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope, not in the functions and comprehensions within."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
            waiting += node.decorator_list
            continue
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        waiting += ast.iter_child_nodes(node)


def parameters(node: Function) -> list[str]:
    """The names of a function's parameters."""
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    return [each.arg for each in every if each is not None]


class Scope:
    """The names of one function, comprehension or program; `fresh` are those it made itself, so that it may change
    them."""

    def __init__(self, names: Iterable[str], fresh: Iterable[str] = ()) -> None:
        self.fresh = set(fresh)
        self.names = set(names) | self.fresh


class Names(ast.NodeVisitor):
    """What the parts of the checker share: the problems that were found, and what names mean at each place.

    `once` says that it is a proposal's one-time program.
    """

    def __init__(self, rule: str, params: dict[str, Any], declared: Declared, once: bool = False) -> None:
        self.rule = rule
        self.params = params
        self.declared = declared
        self.once = once
        self.problems: list[Problem] = []
        self.counts = {"error": 0, "warning": 0}
        self.scopes: list[Scope] = []
        self.writing: set[str] = set()
        self.readers: dict[str, str] = {}  # function -> why it only reads
        self.events: dict[str, list[str]] = {}  # function -> the events that it is given
        self.owned: dict[str, set[str]] = {}  # kind -> attributes
        self.declarations = DECLARATIONS | set(declared.templates)
        self.fractions: set[int] = set()  # constants that may be fractions
        self.lends = False  # a function that is lent to other rules is looked at: they may call it at their top
        self.looked_for: frozenset[str] = frozenset()  # what the function at hand asks for before it uses it
        self.reported: set[int] = set()  # nodes of which something was said already
        self.branches = 0  # the conditions and loops around what is visited
        self.unsure: set[str] = set()  # variables of which nothing is known
        self.repealed: set[str] = set()  # rules that a one-time program has taken out so far
        self.enacted: set[str] = set()  # and those that it has made
        self.functions: set[str] = set()  # all that the program defines
        self.moments: set[str] = set()  # moments of the calendar that it has declared so far
        self.replaces_kernel = False  # it has another form of what the kernel lets rules replace

    def add(self, node: ast.AST | None, message: str, level: str = "error") -> None:
        """Note a problem at a node; only count it, after many."""
        self.counts[level] += 1
        if self.counts[level] <= MOST:
            self.problems.append(Problem(level, self.rule, getattr(node, "lineno", 0), message))

    def near(self, name: str, known: Iterable[str]) -> str:
        """A hint at a name that was probably meant: looking for it takes long, so only the first ones have one."""
        if self.declared.hints <= 0:
            return ""
        self.declared.hints -= 1
        return near(name, known)

    @cached_property
    def fields(self) -> set[str]:
        """The fields of all events."""
        return {name for fields in self.declared.events.values() for name in fields}

    def bound(self, name: str) -> bool:
        """Whether the program itself gives this name a meaning here."""
        return any(name in scope.names for scope in self.scopes)

    def fresh(self, name: str) -> bool:
        """Whether a name is a variable (or parameter) of a function: something that does not outlive it."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                return name in scope.fresh
        return False

    def word_called(self, node: ast.AST) -> str:
        """The word of the language that a call calls, or "" if it calls something of the program's own."""
        name = called(node)
        return "" if self.bound(name) else name

    def means(self, name: str) -> bool:
        """Whether a name means anything here; of one that does not, something is said where it is looked up."""
        return (
            not name or self.bound(name) or name in self.declared.words or name in BUILTINS or name in FORBIDDEN_NAMES
        )

    def meant(self, name: str) -> str:
        """A hint at a name of the program's own, or a word of the language."""
        if self.declared.hints <= 0:
            return ""
        names = {each for scope in self.scopes for each in scope.names}
        return self.near(name, names | self.declared.words | BUILTINS)

    def kind_known(self, node: ast.AST, kind: str) -> None:
        """There must be such things."""
        if kind not in self.declared.kinds:
            self.add(node, f"there is no kind of thing called '{kind}'{self.near(kind, self.declared.kinds)}")

    def event_known(self, node: ast.AST, event: str, fields: Iterable[str]) -> None:
        """An event must be declared, with these fields."""
        known = self.declared.events
        if event not in known:
            if event != "*" and event not in self.looked_for and ("event", event) not in self.declared.absent:
                self.add(node, f"there is no event '{event}'{self.near(event, known)}")
            return
        for name in sorted(set(fields) - set(known[event])):
            self.add(node, f"event '{event}' has no field '{name}'{self.near(name, known[event])}{takes(known[event])}")

    def attributes_of(self, kind: str) -> set[str]:
        """The attributes that things of a kind have."""
        if kind not in self.owned:
            self.owned[kind] = {name for name, kinds in self.declared.attributes.items() if kind in kinds}
        return self.owned[kind]

    def refuse_set(self, node: ast.expr) -> None:
        """`set(n)` is what a modifier returns, and nothing to go through."""
        if self.word_called(node) == "set":
            self.add(node, f"set(n) is what a modifier returns. {NO_SET}")

    def refuse_function(self, node: ast.expr) -> None:
        """No word of the language, function or method is made words of: it is called, or it says nothing."""
        method = isinstance(node, ast.Attribute) and node.attr in METHODS and node.attr not in self.declared.attributes
        word = isinstance(node, ast.Name) and node.id in self.declared.words | {"str", "repr", "len", "int"}
        if isinstance(node, ast.Lambda) or method or (word and not self.bound(getattr(node, "id", ""))):
            self.add(node, f"{node_text(node)} is a function, and no words: call it with (...)")
        elif isinstance(node, ast.GeneratorExp) or self.word_called(node) in LAZY:
            self.add(node, "this has no words of its own: make a list or tuple of it first")

    def attribute_known(self, node: ast.Attribute) -> None:
        """What is read with a dot is an attribute of some kind of thing, a field of some event, or a method."""
        known = self.declared
        if node.attr in known.attributes or node.attr in ALWAYS_KNOWN or node.attr in known.columns:
            return
        doubtful = isinstance(node.value, ast.Name) and node.value.id in self.unsure
        if node.attr in self.fields or node.attr in self.looked_for or doubtful:
            return
        if node.attr in NOT_IN_THE_SANDBOX:
            self.add(node, f"'.{node.attr}' is not for rules: {NOT_IN_THE_SANDBOX[node.attr]}")
        elif node.attr in known.values:
            self.add(node, f"'{node.attr}' is a value: read it with value(\"{node.attr}\", {node_text(node.value)})")
        else:
            hint = self.near(node.attr, known.attributes)
            self.add(
                node,
                f"no thing has an attribute '{short(node.attr)}'{hint or ': declare it with attribute(kind, name)'}",
            )


def takes(fields: Iterable[str]) -> str:
    """What an event has, as the end of a sentence."""
    names = sorted(fields)
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return f" (it has {', '.join(short(each) for each in names[:MOST_SHOWN]) or 'none'}{more})"


def short(name: str) -> str:
    """A name for a message."""
    return name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}..."


def keywords_of(node: ast.Call) -> set[str]:
    """The names of the keywords of a call."""
    return {each.arg for each in node.keywords if each.arg}


def node_text(node: ast.expr) -> str:
    """An expression as its source, for a message; "thing" if it is long."""
    if node.end_lineno != node.lineno or (node.end_col_offset or 0) - node.col_offset > 60:
        return "thing"
    text = ast.unparse(node)
    return text if len(text) <= 30 else "thing"

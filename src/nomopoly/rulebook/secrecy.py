"""Draws that everybody sees although what comes of them is hidden: a draw stands in the log unless it is hidden,
too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from nomopoly.rulebook.outline import Declared, argument, called, first_word, word

Function = ast.FunctionDef | ast.Module
LOOKING = (ast.If, ast.While, ast.IfExp)
MOST_DEEP = 20  # functions through which a result is followed
MOST_STEPS = 20_000  # looked at in one program; a result that leads further may be seen, for all we know


def draws_that_tell(tree: ast.Module, declared: Declared) -> list[tuple[int, str]]:
    """The draws of a program of which nothing comes but what is hidden, while they stand in the log: (line, advice)."""
    return Reader(tree, declared).problems()


class Reader:
    """Follows what is drawn through the functions of one program."""

    def __init__(self, tree: ast.Module, declared: Declared) -> None:
        self.declared = declared
        self.hidden = set(declared.attributes) - declared.shown
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.nodes: dict[Function, list[ast.AST]] = {}
        self.uses: dict[Function, dict[str, list[ast.AST]]] = {}  # function -> name -> where it is read or called
        self.bodies: list[Function] = [tree, *self.functions.values()]
        for each in self.bodies:
            self.note_nodes(each)
        self.left = MOST_STEPS
        self.quiet = not declared.commons or any("LANGUAGE = " in text for _, text in declared.commons)
        self.above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.following: set[tuple[str, str]] = set()

    def note_nodes(self, function: Function) -> None:
        """Keep the nodes of a function, and where it reads each name and calls each function."""
        self.nodes[function] = list(own_nodes(function))
        uses = self.uses[function] = {}
        for node in self.nodes[function]:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                uses.setdefault(node.id, []).append(node)
            elif called(node):
                uses.setdefault(called(node) + "(", []).append(node)

    def problems(self) -> list[tuple[int, str]]:
        """Each open draw whose results go into hidden attributes and nowhere else."""
        found = []
        for function in self.bodies:
            for draw in self.nodes[function]:
                method = open_draw(draw)
                if method and not self.out_of_sight(function, draw):
                    ends = set(self.ends(function, draw))
                    names = sorted(ends - {""})
                    if names and "" not in ends:
                        found.append((getattr(draw, "lineno", 0), advice(method, names)))
        return sorted(set(found))

    def out_of_sight(self, function: Function, draw: ast.AST) -> bool:
        """Whether the fact around a draw is not for everybody: the event has `only`, the order is private, or
        `note(only=...)` stands before it."""
        for each in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
            if self.quiet and is_private(each):
                return True
            if "only" in self.declared.events.get(first_word(each) or "", ()):
                return True
        return any(
            isinstance(node, ast.Call)
            and any(each.arg == "only" for each in node.keywords)
            and node.lineno < getattr(draw, "lineno", 0)
            for node in self.uses[function].get("note(", ())
        )

    def ends(self, function: Function, start: ast.AST) -> Iterator[str]:
        """Where a result goes: the names of hidden attributes, "" for what may be seen."""
        names: set[str] = set()
        waiting = [start]
        while waiting:
            node = waiting.pop()
            self.left -= 1
            if self.left <= 0:
                yield ""
                return
            for end, name in self.climb(node):
                if end is not None:
                    yield end
                if name and name not in names:
                    names.add(name)
                    waiting += self.uses[function].get(name, ())

    def climb(self, node: ast.AST) -> Iterator[tuple[str | None, str]]:
        """From an expression up to where it ends: (where it goes or None, the name that stands for it from there
        on)."""
        while node in self.above:
            below, node = node, self.above[node]
            if isinstance(node, LOOKING) and below is node.test:
                yield from ((end, "") for end in self.ends_of_block(node))
                return
            if isinstance(node, (ast.For, ast.comprehension)) and below is node.iter:
                yield from ((None, name) for name in names_in(node.target))
                if isinstance(node, ast.For):
                    return
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from ((None, name) for target in targets for name in names_in(target))
                return
            if isinstance(node, ast.Return):
                yield from ((end, "") for end in self.ends_of_result(below))
                return
            if isinstance(node, ast.Call) and below is not node.func:
                ended = list(self.ends_of_call(node, below))
                if ended:
                    yield from ((end, "") for end in ended)
                    return
                if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                    yield None, node.func.value.id  # names.append(result)
            if isinstance(node, ast.keyword):
                call = self.above[node]
                ended = list(self.ends_of_call(call, node)) if isinstance(call, ast.Call) else []
                if ended:
                    yield from ((end, "") for end in ended)
                    return
            if isinstance(node, ast.stmt):
                return

    def ends_of_result(self, returned: ast.AST) -> Iterator[str]:
        """Where what a function returns goes, at each call of it in this program."""
        node = returned
        while node in self.above and not isinstance(node, ast.FunctionDef):
            node = self.above[node]
        if not isinstance(node, ast.FunctionDef) or (node.name, "return") in self.following:
            return
        if len(self.following) >= MOST_DEEP:
            yield ""
            return
        self.following.add((node.name, "return"))
        for function in self.bodies:
            for call in self.uses[function].get(node.name + "(", ()):
                yield from self.ends(function, call)
        self.following.discard((node.name, "return"))
        if any(isinstance(each, ast.Call) for each in node.decorator_list):
            yield ""  # what an event returns, others may read

    def ends_of_call(self, call: ast.Call, part: ast.AST) -> Iterator[str]:
        """Where a part of a call goes, if the call writes or is one of a function of this program."""
        name = called(call)
        if name in self.functions:
            given = self.functions[name].args.args
            at = next((each.arg for each, sent in zip(given, call.args, strict=False) if sent is part), None)
            at = part.arg if isinstance(part, ast.keyword) else at
            if len(self.following) >= MOST_DEEP:
                yield ""
            elif at is not None and (name, at) not in self.following:
                self.following.add((name, at))
                for node in self.uses[self.functions[name]].get(at, ()):
                    yield from self.ends(self.functions[name], node)
                self.following.discard((name, at))
        elif name in ("create", "put"):
            target = part.arg if isinstance(part, ast.keyword) else word(argument(call, 1, "attribute"))
            yield (
                target if name == "create" and target in self.hidden else self.end_of_put(call) if name == "put" else ""
            )
        elif name in self.declared.writing or name == "refuse":
            yield from self.end_of_writing(call)

    def end_of_put(self, call: ast.Call) -> str:
        """The hidden attribute that a `put` writes, or ""."""
        attribute = word(argument(call, 1, "attribute"))
        return attribute if attribute in self.hidden and attribute is not None else ""

    def end_of_writing(self, call: ast.Call) -> Iterator[str]:
        """Nothing for news to somebody, else ""."""
        who = argument(call, 0, "who")
        if called(call) != "tell" or who is None or (isinstance(who, ast.Constant) and who.value is None):
            yield ""

    def ends_of_block(self, node: ast.AST) -> Iterator[str]:
        """What is written where a draw decides whether it is; "" where it may show in another way."""
        for each in ast.walk(node):
            self.left -= 1
            name = called(each)
            if isinstance(each, ast.Call) and name == "put":
                yield self.end_of_put(each)
            elif isinstance(each, ast.Call) and (name in self.declared.writing or name == "refuse"):
                yield from self.end_of_writing(each)
            elif name in self.functions or isinstance(
                each, (ast.Return, ast.Assign, ast.AugAssign, ast.Break, ast.IfExp)
            ):
                yield ""


def is_private(decorator: ast.AST) -> bool:
    """Whether this declares an order that is private with all that comes of it."""
    return called(decorator) == "action" and any(
        each.arg == "private" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in getattr(decorator, "keywords", ())
    )


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, or of a program outside its functions."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if not (isinstance(function, ast.Module) and isinstance(node, ast.FunctionDef)):
            yield node
            waiting += ast.iter_child_nodes(node)


def open_draw(node: ast.AST) -> str:
    """The method of a draw that everybody sees, `chance.pick(...)`, or ""."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr != "unforeseen":
        bag = node.func.value
        return node.func.attr if isinstance(bag, ast.Name) and bag.id == "chance" else ""
    return ""


def names_in(target: ast.AST) -> Iterable[str]:
    """The names that an assignment binds."""
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def advice(method: str, names: Iterable[str]) -> str:
    """What to write instead."""
    hidden = " and ".join(f"'{name}'" for name in names)
    return (
        f"everybody reads in the log what is drawn here, though it goes only into {hidden}, which not everybody sees: "
        f"write chance.hidden.{method}(...)"
    )

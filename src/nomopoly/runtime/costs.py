"""What the parts of a program cost, and which of them can grow: what `nomopoly.runtime.counting` goes by."""

from __future__ import annotations

import ast
import builtins
import re
from typing import Any

from nomopoly.kernel.budgets import MARK
from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.dialect.vocabulary import OF_A_TUPLE

SMALL = 100  # the cost of code that is one step
LEAF = 40  # the cost of a function that counts as part of the step that leads to it
CALL = 8  # the cost of a call; of anything else: 1
MOST_HEIGHT = 12  # functions that may stand within one another uncounted
MOST_DEEP = 150  # how deep a program may be nested: deeper ones not every interpreter reads
MOST_BLOCKS = 20  # loops and the like within one another in a function: CPython takes no more

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar)
ORDERING = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
LOOPS = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSION)
NAMING = frozenset(
    (ast.Name, ast.Attribute, ast.AugAssign, ast.Subscript, ast.Assign, ast.arg, ast.keyword, ast.Global, ast.Nonlocal)
) | {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.ExceptHandler, ast.ImportFrom}
NAMING |= {ast.MatchAs, ast.MatchStar, ast.MatchMapping}
GROWING = frozenset(("append", "extend", "insert"))  # ways in which a list grows while a loop goes through it
GOES_THROUGH = frozenset(("list", "tuple", "set", "frozenset", "dict", "sorted", "any", "all", "min", "max"))
KEYED = frozenset(
    ("sorted", "min", "max")
)  # with a key they are ours: interpreters call functions from within not alike
REPLACED = (
    frozenset(
        ("str", "int", "repr", "chr", "sum", "pow", "round", "map", "filter", "zip", "enumerate", "reversed", "format")
    )
    | KEYED
)
PASSED_ON = GOES_THROUGH - KEYED  # under another name they are ours as well, lest they go through something uncounted
HASHED = frozenset(("set", "frozenset", "dict"))  # what they are made of is hashed, part by part
FOUND_BY = frozenset(("get", "setdefault", "pop", "add", "discard"))  # methods that hash what they are given
TAKING_IN = frozenset(
    ("update", "union", "intersection", "difference", "symmetric_difference", "fromkeys")
) | frozenset(
    ("issubset", "issuperset", "isdisjoint", "intersection_update", "difference_update", "symmetric_difference_update")
)  # those that hash its parts
NOT_ALIKE = frozenset(("ascii", "dir", "hash", "id"))  # what they say is another thing in another interpreter or run
NOT_ALIKE |= {"bytearray", "bytes", "type"}  # so is how much they make, or what they are able to make
WIDENING = frozenset(("ljust", "rjust", "center", "zfill", "expandtabs"))
COPYING = frozenset(
    (
        "copy",
        "upper",
        "lower",
        "title",
        "capitalize",
        "swapcase",
        "casefold",
        "strip",
        "lstrip",
        "rstrip",
        "encode",
        "decode",
    )
) | {"split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix"}
MADE = frozenset(
    ("join", "replace", "format", "format_map", "translate", *WIDENING)
)  # only to be called, not passed on
SEARCHING = frozenset(("index", "count", "find", "rfind", "rindex", "remove"))
SCANNING = frozenset(("split", "rsplit", "splitlines", "partition", "rpartition", "strip", "lstrip", "rstrip"))
SCANNING |= {"startswith", "endswith", "isascii", "isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isupper"}
SCANNING |= {"islower", "isspace", "isprintable", "isidentifier", "istitle"}  # those that go through a word
LOOKED_AT = {  # method -> the counter that looks at what it is called of
    **dict.fromkeys(("reverse", *SEARCHING, *SCANNING), "searched"),
    **dict.fromkeys(("insert", "pop"), "moved"),
}
NUMBERS = frozenset(("len", "int", "abs", "ord", "round"))  # what they return cannot grow
KNOWN_METHODS = (
    frozenset(("get", "items", "keys", "values", "setdefault", "pop", "popitem", "update", "clear", "sort", "reverse"))
    | GROWING
    | WIDENING
    | COPYING
    | MADE
    | SEARCHING
    | SCANNING
    | frozenset(("but", "to", "caused_by", "add", "discard", "union"))
    | frozenset(("die", "dice", "percent", "one_in", "pick", "sample", "card", "unforeseen"))
    | frozenset(("dumps", "loads", "compile", "findall", "fullmatch", "match", "search", "sub", "group", "groups"))
)
COUNTED_METHODS = KNOWN_METHODS | TAKING_IN  # of words, tuples, lists, dicts and sets: only to be called, not passed on
METHODS = COUNTED_METHODS.union(  # what else is called with a dot is a function that something holds
    *[dir(sort) for sort in (str, bytes, int, float, tuple, list, dict, set, frozenset, range, re.Match, BaseException)]
)
ALL = 100  # more arguments than any call has
PASSING = {  # words that look themselves at what may be long, or hand it on: word -> how many of its arguments
    **dict.fromkeys(("do", "value", "exists", "create", "at"), ALL),
    "put": 2,
}
OWN = frozenset(WORDS) | frozenset(dir(builtins))  # what other rules lend is looked at, lest it grow from hand to hand
ENDING = {  # what would end the process that plays the game, or pass for its guard, and what stands for it
    "BaseException": "Exception",
    **dict.fromkeys(("SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseExceptionGroup"), "RuntimeError"),
    **dict.fromkeys(("TimeoutError", "MemoryError"), "RuntimeError"),  # only the machine's guard says so
}
WIDTH = re.compile(r"\d{4,}")
OWN_NAME = re.compile(
    r"__\w+__|to_bytes"
)  # what Python keeps for itself, such as __doc__: not every interpreter has it


def counter(name: str, *arguments: ast.expr) -> ast.Call:
    """A call of one of the counters."""
    return ast.Call(ast.Name(MARK + name, ast.Load()), list(arguments), [])


def constant(value: int | str) -> ast.Constant:
    """A number or word as it stands in a program."""
    return ast.Constant(value)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one."""
    found: list[ast.AST] = []
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, list):
            found += [each for each in part if isinstance(each, ast.AST)]
        elif isinstance(part, ast.AST):
            found.append(part)
    return found


class Shape:
    """What is known of a program before counters are put in: what its parts cost, and which functions may call
    themselves."""

    def __init__(self, tree: ast.Module, known: bool = True) -> None:
        self.known = known
        self.lends = not known and any(is_lent(node) for node in tree.body)  # words may call each other without end
        self.own = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
        self.bound: set[str] = set()  # all names that the program gives a meaning anywhere
        self.grows = False  # whether lists may become longer in it
        self.named: dict[str, list[Function]] = {}
        self.costs: dict[
            ast.AST, int
        ] = {}  # of statements, functions, comprehensions: without the functions within them
        self.inner: dict[ast.AST, list[ast.AST]] = {}  # function -> the names, lambdas, calls and loops in it
        self.survey(tree, [], 0)
        self.heights: dict[
            Function, int
        ] = {}  # how many functions stand within one another below; -1: it may be itself
        self.dues: dict[Function, int] = {}  # what a call costs whoever calls; 0: it counts itself
        for function in self.inner:
            self.look_at(function, ())  # type: ignore[arg-type]

    def survey(self, node: ast.AST, inner: list[ast.AST], depth: int) -> int:
        """Take note of a piece of the program and all below. Returns its cost. Raises SyntaxError if it is too deep."""
        sort = type(node)
        if depth > MOST_DEEP:
            raise SyntaxError("this program is too deeply nested (<string>, line 1)")
        if sort in NAMING:
            self.refuse(node)
            self.take_names(node)
        if sort is ast.Call or sort is ast.Compare:
            cost = CALL
        else:
            cost = 1 if isinstance(node, (ast.expr, ast.stmt)) else 0
        if sort in FUNCTION:
            inner.append(node)
            own: list[ast.AST] = []
            self.inner[node] = own
            depth += sort is ast.Lambda
            body = 0
            part = getattr(node, "body", [])
            within = {id(each) for each in (part if isinstance(part, list) else [part])}
            for each in children(node):
                if id(each) in within:
                    body += self.survey(each, own, depth + 1)
                else:
                    cost += self.survey(each, inner, depth + 1)
            self.costs[node] = body
            return cost
        if sort is ast.Name or sort is ast.Call or sort in LOOPS:
            inner.append(node)
        # with its counter it is two levels; a chain of `+` is not
        twice = sort in COMPREHENSION or sort in (ast.BinOp, ast.Subscript, ast.Set, ast.Dict) or is_looked_at(node)
        more = 2 if not self.known and self.is_word_called(node) else int(twice)
        for each in children(node):
            cost += self.survey(each, inner, depth + 1 + (more if each is not getattr(node, "left", None) else 0))
        if isinstance(node, ast.stmt) or sort in COMPREHENSION or sort is ast.Subscript:
            self.costs[node] = cost
        return cost

    def is_word_called(self, node: ast.AST) -> bool:
        """Whether a word is called: of the language, of the commons, or lent by another rule."""
        called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        return bool(called) and called not in self.own and is_word(called)

    def take_names(self, node: Any) -> None:
        """Note a name that the program gives a meaning, a list that grows, a function with its name."""
        names: list[str | None] = []
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                self.bound.add(node.id)
            names = [node.id]
        elif isinstance(node, ast.Attribute):
            self.grows = self.grows or node.attr in GROWING
            names = [node.attr]
        elif isinstance(node, ast.AugAssign):
            self.grows = self.grows or not whole(node.value)
        elif isinstance(node, ast.Subscript):
            self.grows = self.grows or (isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Store))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and isinstance(node.value, ast.Lambda):
                    self.named.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.arg):
            names = [node.arg]
            self.bound.add(node.arg)
        elif isinstance(node, ast.keyword):
            names = [node.arg]
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names = [*node.names]
            self.bound.update(node.names)
        else:
            names = [getattr(node, part, None) for part in ("name", "asname", "module", "rest")]
            self.bound.update((name or "").partition(".")[0] for name in names)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.named.setdefault(node.name, []).append(node)
        for name in names:
            if name and MARK in name:
                line = getattr(node, "lineno", 1)
                raise SyntaxError(f"names with {MARK} in them are the kernel's own (<string>, line {line})")

    def refuse(self, node: Any) -> None:
        """Raise SyntaxError for what is not alike in all interpreters: in a class CPython has other names than are
        written there, and in the sandbox `row.count(1)` is never what the row holds."""
        if isinstance(node, ast.ClassDef):
            raise SyntaxError(
                f"rules have no classes: declare a kind(...) and its attribute(...)s (<string>, line {node.lineno})"
            )
        function = isinstance(node, ast.keyword) and (
            isinstance(node.value, ast.Lambda) or getattr(node.value, "id", None) in self.own
        )
        if function and node.arg in OF_A_TUPLE and not self.known:
            raise SyntaxError(
                f"'{node.arg}' is the name of a method: choose another one for what holds a function "
                f"(<string>, line {node.value.lineno})"
            )

    def look_at(self, function: Function, within: tuple[Function, ...]) -> int:
        """Find out a function's height and dues. Returns its height."""
        if function in self.heights:
            return self.heights[function]
        if function in within:
            return -1
        height, cost, looping = 0, self.costs[function], False
        for node in self.inner[function]:
            if self.lends and isinstance(node, ast.Name) and node.id not in self.bound and node.id not in OWN:
                height = -1
            for callee in self.met(node):
                below = self.look_at(callee, (*within, function)) if len(within) < 80 else -1
                height = -1 if below < 0 or height < 0 else max(height, below + 1)
                cost += self.dues.get(callee, 0)
            if isinstance(node, ast.Call):
                height = -1 if self.unknown(node.func) else height
            elif isinstance(node, LOOPS):
                looping = True
        self.heights[function] = height
        self.dues[function] = cost if 0 <= height < MOST_HEIGHT and cost <= LEAF and not looping else 0
        return height

    def met(self, node: ast.AST) -> list[Function]:
        """The functions of the program that a piece of it may call: it names one, or holds it."""
        if isinstance(node, ast.Name):
            return self.named.get(node.id, []) if isinstance(node.ctx, ast.Load) else []
        return [node] if isinstance(node, FUNCTION) else []

    def unknown(self, callee: ast.expr) -> bool:
        """Whether what is called may be anything, a function of the program itself among it."""
        if isinstance(callee, ast.Name):
            return callee.id in self.bound and callee.id not in self.named
        if isinstance(callee, ast.Attribute):
            return callee.attr not in KNOWN_METHODS
        return True

    def counted(self, function: Function) -> bool:
        """Whether a call of a function is a step of its own."""
        return not self.dues[function]

    def tracked(self, function: Function) -> bool:
        """Whether calls of a function may stand within one another without end."""
        height = self.heights[function]
        return height < 0 or (height > 0 and height % MOST_HEIGHT == 0)


def is_looked_at(node: ast.AST) -> bool:
    """Whether it is a call that gets a counter for what it is given, or called of."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    return function.attr in LOOKED_AT if isinstance(function, ast.Attribute) else getattr(function, "id", "") == "len"


def is_word(name: str) -> bool:
    """Whether a name that the program gives no meaning is a word: of the language, of the commons, or lent."""
    return name in WORDS or name not in OWN


def is_lent(node: ast.stmt) -> bool:
    """Whether a statement is a function that its rule lends to all rules."""
    named = [each.id for each in getattr(node, "decorator_list", ()) if isinstance(each, ast.Name)]
    return "word" in named


def whole(node: ast.expr) -> bool:
    """Whether an expression is a whole number that has not grown, whatever its names mean."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and -(10**18) < node.value < 10**18
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) or (isinstance(node.op, (ast.USub, ast.UAdd)) and whole(node.operand))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in NUMBERS
    return isinstance(node, ast.Compare)


def whole_or_word(node: ast.expr) -> bool:
    """Whether to compare with it takes no time that is worth counting."""
    return isinstance(node, ast.Constant) or whole(node)


def weighed(node: ast.expr) -> ast.expr:
    """What is going to be compared or hashed: nested parts that are shared take longer than they look."""
    light = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.FloorDiv))
    return (
        node if light or isinstance(node, (ast.Slice, ast.Starred)) or whole_or_word(node) else counter("weighed", node)
    )


def given(node: ast.expr) -> ast.expr:
    """What a word is called with: it may go through all of it."""
    if isinstance(node, ast.Starred):
        return ast.Starred(given(node.value), node.ctx)
    light = whole_or_word(node) or isinstance(node, (ast.Lambda, ast.JoinedStr))
    return node if light else counter("given", node)


def count_blocks(node: ast.AST, within: int = 0) -> None:
    """Raise SyntaxError where more blocks stand within one another than every interpreter takes."""
    if isinstance(node, FUNCTION):
        within = 0
    elif isinstance(node, BLOCKS):
        within += 1
        if within > MOST_BLOCKS:
            raise SyntaxError(f"more than {MOST_BLOCKS} loops within one another (<string>, line {node.lineno})")
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.expr):
            count_blocks(each, within)


def fixed(node: ast.expr) -> bool:
    """Whether an expression is a constant, or a tuple of them written out: going through it costs what it is long."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return not any(isinstance(each, ast.Starred) for each in node.elts)
    return isinstance(node, (ast.Constant, ast.JoinedStr, *COMPREHENSION))


def takes_rest(target: ast.AST) -> bool:
    """Whether what is assigned or matched is taken apart, and the rest of something put into a list or dict."""
    return any(
        isinstance(each, (ast.Starred, ast.MatchStar)) or (isinstance(each, ast.MatchMapping) and each.rest is not None)
        for each in ast.walk(target)
    )

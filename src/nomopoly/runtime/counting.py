"""Makes programs count what they do: the same text for every interpreter, so that a budget ends in the same place.

A program of a rule (or of the commons) is read, and calls of the counters of `kernel.budgets` are put where it repeats
itself or where a value may grow: turns of loops, calls of functions, `+`, `*`, `**`, formats, `join`. What readers see
stays the text as it was written.

What is small is not counted by itself: a function without loops, of a few calls, costs no more than the call does, which
whoever calls it pays for.
"""

from __future__ import annotations

import ast
import builtins
import re
from functools import lru_cache
from typing import Any

from nomopoly.kernel.budgets import MARK
from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.readable import look_through
from nomopoly.runtime.trust import shipped

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
    frozenset(("str", "repr", "chr", "sum", "pow", "map", "filter", "zip", "enumerate", "reversed", "format")) | KEYED
)
HASHED = frozenset(("set", "frozenset", "dict"))  # what they are made of is hashed, part by part
FOUND_BY = frozenset(("get", "setdefault", "pop", "add", "discard"))  # methods that hash what they are given
TAKING_IN = frozenset(
    ("update", "union", "intersection", "difference", "symmetric_difference", "fromkeys")
) | frozenset(
    ("issubset", "issuperset", "isdisjoint", "intersection_update", "difference_update", "symmetric_difference_update")
)  # those that hash its parts
NOT_ALIKE = frozenset(("ascii", "dir", "hash", "id"))  # what they say is another thing in another interpreter or run
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
NUMBERS = frozenset(("len", "int", "abs", "ord", "round"))  # what they return cannot grow
KNOWN_METHODS = (
    frozenset(("get", "items", "keys", "values", "setdefault", "pop", "popitem", "update", "clear", "sort", "reverse"))
    | GROWING
    | WIDENING
    | COPYING
    | MADE
    | SEARCHING
    | frozenset(
        ("startswith", "endswith", "isdigit", "isdecimal", "isalpha", "isalnum", "isupper", "islower", "isspace")
    )
    | frozenset(("isprintable", "isidentifier", "istitle", "but", "to", "caused_by", "add", "discard", "union"))
    | frozenset(("die", "dice", "percent", "one_in", "pick", "sample", "card", "unforeseen"))
    | frozenset(("dumps", "loads", "compile", "findall", "fullmatch", "match", "search", "sub", "group", "groups"))
)
OWN = frozenset(WORDS) | frozenset(dir(builtins))  # what other rules lend is looked at, lest it grow from hand to hand
ENDING = {  # what would end the process that plays the game, or pass for its guard, and what stands for it
    "BaseException": "Exception",
    **dict.fromkeys(("SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseExceptionGroup"), "RuntimeError"),
    **dict.fromkeys(("TimeoutError", "MemoryError"), "RuntimeError"),  # only the machine's guard says so
}
WIDTH = re.compile(r"\d{4,}")
OWN_NAME = re.compile(r"__\w+__")  # what Python keeps for itself, such as __doc__: not every interpreter has it


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
    """What is known of a program before counters are put in: what its parts cost, and which functions may call themselves."""

    def __init__(self, tree: ast.Module, known: bool = True) -> None:
        self.lends = not known and any(is_lent(node) for node in tree.body)  # words may call each other without end
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
        twice = sort in COMPREHENSION or sort in (ast.BinOp, ast.Subscript, ast.Set, ast.Dict)
        for each in children(node):
            deeper = twice and each is not getattr(node, "left", getattr(node, "value", None))
            cost += self.survey(each, inner, depth + 1 + deeper)
        if isinstance(node, ast.stmt) or sort in COMPREHENSION or sort is ast.Subscript:
            self.costs[node] = cost
        return cost

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


def count_blocks(node: ast.AST, within: int = 0) -> None:
    """Raise SyntaxError where more blocks stand within one another than every interpreter takes."""
    if isinstance(node, (*FUNCTION, ast.ClassDef)):
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


class Turns(ast.NodeTransformer):
    """Counts turns of loops and calls of functions: enough for programs that somebody has read, which let nothing grow."""

    all_of = "each"  # the counter for what a comprehension goes through where lists grow
    listed = frozenset(("map", "filter", "zip", "enumerate", "reversed"))  # functions of Python that ours stand for
    growing = False  # whether a list may grow while a loop goes through it

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.loops = 0  # loops around

    def builtin(self, node: ast.expr, names: frozenset[str]) -> bool:
        """Whether this is one of Python's own functions by its name."""
        return (
            isinstance(node, ast.Name) and node.id in names and node.id not in self.shape.bound and node.id not in WORDS
        )

    # ---- functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A step for its call, if it counts."""
        counted, tracked = self.shape.counted(node), self.shape.tracked(node)
        cost = self.shape.costs[node]
        outer, self.loops = self.loops, 0
        self.generic_visit(node)
        self.loops = outer
        doc = (
            node.body[:1] if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) else []
        )
        body = node.body[len(doc) :] or [ast.Pass()]
        if tracked:
            body = [ast.Try(body, [], [], [ast.Expr(counter("leave"))])]
            body.insert(0, ast.Expr(counter("enter")))
        if counted or tracked:
            node.body = [*doc, ast.Expr(self.step(cost)), *body]
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As any other function."""
        return self.visit_FunctionDef(node)  # type: ignore[arg-type]

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A step for its call, if it counts."""
        counted, tracked = self.shape.counted(node), self.shape.tracked(node)
        cost = self.shape.costs[node]
        outer, self.loops = self.loops, 0
        self.generic_visit(node)
        self.loops = outer
        if tracked:  # a lambda has no way to say that it is over: what stands in it is called as a function of its own
            inner = ast.Lambda(ast.arguments([], [], None, [], [], None, []), node.body)
            node.body = counter("within", inner)
        elif counted:
            pair = ast.Tuple([self.step(cost), node.body], ast.Load())
            node.body = ast.Subscript(pair, constant(1), ast.Load())
        return node

    @staticmethod
    def step(cost: int) -> ast.Call:
        """A step, or several for code that is long."""
        return counter("step") if cost <= 2 * SMALL else counter("steps", constant(cost // SMALL))

    # ---- loops

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """What would end the process is a fault of the rule."""
        named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(named, ast.Name) and named.id in ENDING and named.id not in self.shape.bound:
            node.exc = counter("ending", constant(named.id))
            return node
        return self.generic_visit(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        """A step for each turn."""
        cost = self.shape.costs[node]
        self.loops += 1
        self.generic_visit(node)
        self.loops -= 1
        node.body.insert(0, ast.copy_location(ast.Expr(self.step(cost)), node.body[0]))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Steps for what it goes through; where lists may grow meanwhile, one for each turn."""
        cost = sum(self.shape.costs[each] for each in node.body)
        node.iter = self.visit(node.iter)
        node.target = self.visit(node.target)
        self.loops += 1
        node.body = self.visit_all(node.body)
        self.loops -= 1
        node.orelse = self.visit_all(node.orelse)
        if not fixed(node.iter) or cost > SMALL:
            if (self.growing and self.shape.grows) or cost > 2 * SMALL:
                node.body.insert(0, ast.copy_location(ast.Expr(self.step(cost)), node.body[0]))
            else:
                node.iter = counter("each", node.iter)
        return node

    def visit_all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements with counters."""
        done: list[ast.stmt] = []
        for each in statements:
            found = self.visit(each)
            done += found if isinstance(found, list) else [found]
        return done

    def visit_comprehension_of(self, node: Any) -> Any:
        """Steps for what each part goes through."""
        cost = self.shape.costs[node]
        kept = [(each, fixed(each.iter)) for each in node.generators]
        self.loops += 1
        self.generic_visit(node)
        self.loops -= 1
        for each, plain in kept:
            if not plain or cost > SMALL:
                each.iter = counter(self.all_of if self.shape.grows else "each", each.iter)
        if cost > 2 * SMALL:
            part = "value" if isinstance(node, ast.DictComp) else "elt"
            pair = ast.Tuple([self.step(cost), getattr(node, part)], ast.Load())
            setattr(node, part, ast.Subscript(pair, constant(1), ast.Load()))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_comprehension_of

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """As a list: not every interpreter can do it bit by bit."""
        made = ast.copy_location(ast.ListComp(node.elt, node.generators), node)
        self.shape.costs[made] = self.shape.costs[node]
        return self.visit_comprehension_of(made)  # type: ignore[no-any-return]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What makes a row step by step makes a list instead: not every interpreter can say how long the other is."""
        if node.id in ENDING and isinstance(node.ctx, ast.Load) and node.id not in self.shape.bound:
            return ast.copy_location(ast.Name(ENDING[node.id], ast.Load()), node)
        if isinstance(node.ctx, ast.Load) and self.builtin(node, self.listed):
            return ast.copy_location(ast.Name(MARK + node.id, ast.Load()), node)
        return node


class Counters(Turns):
    """Looks at every value that may grow as well."""

    listed = REPLACED

    all_of = "all_of"
    growing = True

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Sums, products, powers, shifts and formats stay within bounds."""
        inner = isinstance(node.op, ast.Add) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add)
        safe = whole(node.left) or whole(node.right)
        both = whole(node.left) and whole(node.right)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        self.generic_visit(node)
        if inner and isinstance(node.left, ast.Call) and getattr(node.left.func, "id", "") == MARK + "fit":
            node.left = node.left.args[0]  # a + b + c is looked at once
        if isinstance(node.op, ast.Add) and not safe:
            return counter("fit", node)
        if isinstance(node.op, ast.Mult) and not both:
            return counter("times", node.left, node.right)
        if isinstance(node.op, ast.Pow):
            return counter("power", node.left, node.right)
        if isinstance(node.op, ast.LShift):
            return counter("shift", node.left, node.right)
        if isinstance(node.op, ast.Mod) and (text or not safe or not whole(node.left)):
            arithmetic = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, (ast.Sub, ast.FloorDiv))
            return node if arithmetic else counter("remainder", node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`x += y` stays within bounds as `x + y` does."""
        harmless = isinstance(node.op, ast.Add) and whole(node.value)
        if harmless or not isinstance(node.op, (ast.Add, ast.Mult, ast.Pow, ast.LShift, ast.Mod)):
            return self.generic_visit(node)
        if isinstance(node.op, ast.Add):
            self.generic_visit(node)
            if isinstance(node.target, ast.Name):
                look = ast.Expr(counter("fit", ast.Name(node.target.id, ast.Load())))
                return [node, ast.copy_location(look, node)]
            node.value = counter("fit", node.value)
            return node
        if not isinstance(node.target, ast.Name) and any(isinstance(each, ast.Call) for each in ast.walk(node.target)):
            raise SyntaxError(
                f"write this assignment out, without {type(node.op).__name__.lower()}= (<string>, line {node.lineno})"
            )
        source = ast.parse(ast.unparse(node.target), mode="eval").body
        return ast.copy_location(
            ast.Assign([self.visit(node.target)], self.visit(ast.BinOp(source, node.op, node.value))), node
        )

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """What is put into a text is not endless, nor is its width."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
                if not isinstance(part.value, ast.Constant):
                    part.value = counter("shown", part.value)
                if isinstance(part.format_spec, ast.JoinedStr):
                    self.bound_width(part)
        if not any(isinstance(part, ast.FormattedValue) for part in node.values):
            return node
        return counter("fit", node)

    def bound_width(self, part: ast.FormattedValue) -> None:
        """A width that is written out stays as it is, unless it is too great; any other is looked at."""
        spec = part.format_spec
        assert isinstance(spec, ast.JoinedStr)
        literal = all(isinstance(each, ast.Constant) for each in spec.values)
        text = "".join(str(each.value) for each in spec.values if isinstance(each, ast.Constant))
        if literal and not WIDTH.search(text):
            return
        inner = self.visit_JoinedStr(spec)
        part.format_spec = ast.JoinedStr([ast.FormattedValue(counter("width", inner), -1)])

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        """What is spread out is gone through."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and not fixed(node.value):
            node.value = counter("each", node.value)
        return node

    def visit_spread(self, node: Any) -> Any:
        """A tuple or list that others are spread into grows."""
        spread = isinstance(node.ctx, ast.Load) and any(isinstance(each, ast.Starred) for each in node.elts)
        self.generic_visit(node)
        return counter("fit", node) if spread else node

    visit_Tuple = visit_List = visit_spread

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """A part of something is a copy of it."""
        plain = whole_or_word(node.slice)
        self.generic_visit(node)
        node.slice = node.slice if plain else weighed(node.slice)
        return counter("fit", node) if isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load) else node

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """What a set is made of is hashed."""
        self.generic_visit(node)
        node.elts = [weighed(each) for each in node.elts]
        return node

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """So is this."""
        made = self.visit_comprehension_of(node)
        made.elt = weighed(made.elt)
        return made  # type: ignore[no-any-return]

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """Of a dict, the keys are."""
        made = self.visit_comprehension_of(node)
        made.key = weighed(made.key)
        return made  # type: ignore[no-any-return]

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """A dict that another is spread into grows."""
        self.generic_visit(node)
        node.keys = [each and weighed(each) for each in node.keys]
        return counter("fit", node) if None in node.keys else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """To look for something takes as long as where one looks, to compare something as long as it is."""
        kept = [fixed(each) for each in node.comparators]
        operands = [node.left, *node.comparators]
        plain = whole_or_word(node.left)
        heavy = [
            isinstance(op, ORDERING) and not whole_or_word(operands[at]) and not whole_or_word(operands[at + 1])
            for at, op in enumerate(node.ops)
        ]
        node.left = self.visit(node.left)
        node.comparators = [each if self.builtin(each, REPLACED) else self.visit(each) for each in node.comparators]
        if heavy[0]:
            node.left = counter("shown", node.left)
        for at, compared in enumerate(heavy[1:]):
            if compared:
                node.comparators[at] = counter("shown", node.comparators[at])
        for at, op in enumerate(node.ops):
            if isinstance(op, (ast.In, ast.NotIn)) and not kept[at]:
                if (
                    self.builtin(getattr(node.comparators[at], "func", node), frozenset(("range",)))
                    and len(node.ops) == 1
                ):
                    found = counter("within_range", node.left, node.comparators[at])
                    return found if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), found)
                if self.loops:
                    node.comparators[at] = counter("searched", node.comparators[at])
        return self.visit_membership(node, plain)

    @staticmethod
    def visit_membership(node: ast.Compare, plain: bool) -> ast.AST:
        """What is looked for is compared with each part of where one looks."""
        if len(node.ops) == 1 and not plain and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found = counter("holds", node.left, node.comparators[0])
            return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), found)
        for at, op in enumerate(node.ops if len(node.ops) > 1 else []):
            if isinstance(op, (ast.In, ast.NotIn)):
                node.comparators[at] = weighed(node.comparators[at])
                if at == 0:
                    node.left = weighed(node.left)
        return node

    # ---- calls

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Functions and methods that go through something, or make something longer."""
        if self.builtin(node.func, frozenset(("isinstance",))):
            node.args[:1] = [self.visit(each) for each in node.args[:1]]
            return node
        plain = len(node.args) == 1 and fixed(node.args[0])
        if isinstance(node.func, ast.Attribute):
            return self.visit_method(node)
        function = node.func
        node.args = [self.visit(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        if self.builtin(function, KEYED):
            node.func = self.visit(function)
            return node
        if self.builtin(function, HASHED) and not (len(node.args) == 1 and isinstance(node.args[0], ast.Constant)):
            node.args = [each if isinstance(each, ast.Starred) else counter("hashed", each) for each in node.args]
            return node
        if self.builtin(function, GOES_THROUGH) and isinstance(function, ast.Name):
            alone = len(node.args) == 1 and not isinstance(node.args[0], ast.Starred)
            if alone and not plain:
                node.args[0] = counter("each", node.args[0])
            return node
        node.func = self.visit(function)
        word = isinstance(function, ast.Name) and function.id not in self.shape.bound
        return counter("fit", node) if word and function.id not in OWN else node  # type: ignore[attr-defined]

    def visit_method(self, node: ast.Call) -> ast.AST:
        """A call of a method, by the method's name."""
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        called = ast.Attribute(self.visit(node.func.value), name, ast.Load())
        node.args = [self.visit(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        if OWN_NAME.fullmatch(name):
            return ast.copy_location(counter("not_alike", constant(name)), node)
        simple = not node.keywords and not any(isinstance(each, ast.Starred) for each in node.args)
        if name == "join" and simple and len(node.args) == 1:
            return counter("joined", called.value, node.args[0])
        if name == "replace" and simple and len(node.args) in (2, 3):
            return counter("replaced", called.value, *node.args)
        if name in WIDENING and simple and node.args:
            node.args[0] = counter("width", node.args[0])
        elif name in MADE:
            called = ast.Attribute(counter("no_word", called.value, constant(name)), name, ast.Load())
        elif name == "extend" and simple:
            node.args = [counter("each", each) for each in node.args]
        elif name == "sort":
            node.args.insert(0, called.value)
            node.func = ast.Name(MARK + "sort", ast.Load())
            return node
        elif name in SEARCHING and simple and node.args and not whole_or_word(node.args[0]):
            where = counter("searched", called.value) if self.loops else called.value
            return counter("found", where, constant(name), *node.args)
        elif name in FOUND_BY and node.args:
            node.args[0] = weighed(node.args[0])
        elif name in TAKING_IN:
            node.args = [each if isinstance(each, ast.Starred) else counter("hashed", each) for each in node.args]
        elif self.loops and (name == "reverse" or (name in SEARCHING and simple)):
            called = ast.Attribute(counter("searched", called.value), name, ast.Load())
        elif (name == "insert" or (name == "pop" and node.args)) and self.loops:
            called = ast.Attribute(counter("moved", called.value), name, ast.Load())
        node.func = called
        return counter("fit", node) if name in COPYING or name in WIDENING else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What does not say the same everywhere is not there."""
        if isinstance(node.ctx, ast.Load) and self.builtin(node, NOT_ALIKE):
            return ast.copy_location(counter("not_alike", constant(node.id)), node)
        return super().visit_Name(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A method that makes something longer is called where it is named; what an error holds is not for rules."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and OWN_NAME.fullmatch(node.attr):
            return ast.copy_location(counter("not_alike", constant(node.attr)), node)
        if node.attr == "args" and isinstance(node.ctx, ast.Load):
            node.value = counter("no_error", node.value)
        if node.attr in MADE and isinstance(node.ctx, ast.Load):
            node.value = counter("no_word", node.value, constant(node.attr))
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        """The name of a kind of value stays what it is."""
        node.patterns = [self.visit(each) for each in node.patterns]
        node.kwd_patterns = [self.visit(each) for each in node.kwd_patterns]
        return node


def half_character(tree: ast.AST) -> int:
    """The line of a word with half a character (a lone surrogate), which no file can hold; 0 if there is none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.isascii():
            try:
                node.value.encode()
            except UnicodeEncodeError:
                return node.lineno
    return 0


def counted_tree(code: str) -> ast.Module:
    """A program with its counters. Raises SyntaxError, with the line, for what no interpreter should be given.

    The programs of the shipped editions let nothing grow, and are counted by their turns and calls alone.
    """
    try:
        tree = ast.parse(code)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(f"{error or 'too deeply nested'} (<string>, line 1)") from error
    try:
        look_through(tree)
    except SyntaxError as error:
        raise SyntaxError(f"{error.msg} (<string>, line {error.lineno or 1})") from None
    line = half_character(tree)
    if line:
        raise SyntaxError(f"a word here holds half a character (<string>, line {line})")
    known = shipped(code)
    counters = Turns if known else Counters
    shape = Shape(tree, known)
    count_blocks(tree)
    return counters(shape).visit(tree)  # type: ignore[no-any-return]


@lru_cache(8192)
def counted(code: str) -> str:
    """A program that counts what it does, for every interpreter; one that cannot be read says so when it is run."""
    try:
        return ast.unparse(counted_tree(code))
    except SyntaxError as error:
        return f"raise SyntaxError({str(error)!r})"

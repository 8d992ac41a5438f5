"""Makes programs count what they do: the same text for every interpreter, so that a budget ends in the same place.

A program of a rule (or of the commons) is read, and calls of the counters of `kernel.budgets` are put where it repeats
itself or where a value may grow: turns of loops, calls of functions, `+`, `*`, `**`, formats, `join`. What readers see
stays the text as it was written.

What is small is not counted by itself: a function without loops, of a few calls, costs no more than the call does,
which whoever calls it pays for.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

from nomopoly.kernel.budgets import MARK
from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.trees import expression_tree
from nomopoly.runtime.costs import (
    ALL,
    COPYING,
    COUNTED_METHODS,
    ENDING,
    FOUND_BY,
    GOES_THROUGH,
    HASHED,
    KEYED,
    LOOKED_AT,
    MADE,
    METHODS,
    NOT_ALIKE,
    ORDERING,
    OWN,
    OWN_NAME,
    PASSED_ON,
    PASSING,
    REPLACED,
    SEARCHING,
    SMALL,
    TAKING_IN,
    WIDENING,
    WIDTH,
    Shape,
    constant,
    counter,
    fixed,
    given,
    is_word,
    takes_rest,
    weighed,
    whole,
    whole_or_word,
)


class Turns(ast.NodeTransformer):
    """Counts turns of loops and calls of functions: enough for programs that somebody has read, which let nothing
    grow."""

    all_of = "each"  # the counter for what a comprehension goes through where lists grow
    listed = frozenset(("map", "filter", "zip", "enumerate", "reversed"))  # functions of Python that ours stand for
    growing = False  # whether a list may grow while a loop goes through it

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

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
        self.generic_visit(node)
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
        self.generic_visit(node)
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
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(self.step(cost)), node.body[0]))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Steps for what it goes through; where lists may grow meanwhile, one for each turn."""
        cost = sum(self.shape.costs[each] for each in node.body)
        node.iter = self.visit(node.iter)
        node.target = self.visit(node.target)
        node.body = self.visit_all(node.body)
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
        self.generic_visit(node)
        for each, plain in kept:
            if not plain or cost > SMALL:
                each.iter = counter(self.all_of if self.shape.grows else "each", each.iter)
        if cost > 2 * SMALL:
            part = "value" if isinstance(node, ast.DictComp) else "elt"
            pair = ast.Tuple([self.step(cost), getattr(node, part)], ast.Load())
            setattr(node, part, ast.Subscript(pair, constant(1), ast.Load()))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_comprehension_of

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """What is put in order counts by how much it is."""
        ordered = self.builtin(node.func, KEYED) and len(node.args) == 1 and not fixed(node.args[0])
        self.generic_visit(node)
        if ordered:
            node.args[0] = counter("ordered", node.args[0])
        return node

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


SETS = {ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.Sub: "-"}  # what is done with two sets
REWRITTEN = (ast.Mult, ast.Pow, ast.LShift, ast.Mod)  # x *= y is read as x = x * y


class Counters(Turns):
    """Looks at every value that may grow as well."""

    listed = REPLACED | PASSED_ON | {"getattr"}

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
        if type(node.op) in SETS and not safe:
            return counter("of_sets", node.left, ast.Constant(SETS[type(node.op)]), node.right)
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
        harmless = whole(node.value) and not isinstance(node.op, REWRITTEN)
        if harmless or not isinstance(node.op, (ast.Add, *SETS, *REWRITTEN)):
            return self.generic_visit(node)
        if not isinstance(node.op, REWRITTEN):
            target = expression_tree(ast.unparse(node.target))
            once = any(isinstance(each, (ast.Call, ast.NamedExpr)) for each in ast.walk(target))
            self.generic_visit(node)
            if once:  # its place is looked for but once
                node.value = counter("fit" if isinstance(node.op, (ast.Add, ast.BitOr)) else "apart", node.value)
                return node
            if type(node.op) in SETS:
                made = counter("put_to_set", self.visit(target), ast.Constant(SETS[type(node.op)]), node.value)
                return ast.copy_location(ast.Assign([node.target], made), node)
            node.value = counter("taken_up", self.visit(target), node.value)
            if isinstance(node.target, ast.Name):
                look = ast.Expr(counter("fit", ast.Name(node.target.id, ast.Load())))
                return [node, ast.copy_location(look, node)]
            node.value = counter("fit", node.value)
            return node
        if not isinstance(node.target, ast.Name) and any(isinstance(each, ast.Call) for each in ast.walk(node.target)):
            raise SyntaxError(
                f"write this assignment out, without {type(node.op).__name__.lower()}= (<string>, line {node.lineno})"
            )
        source = expression_tree(ast.unparse(node.target))
        return ast.copy_location(
            ast.Assign([self.visit(node.target)], self.visit(ast.BinOp(source, node.op, node.value))), node
        )

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """What `a, *b = many` or `a[:] = many` takes is gone through."""
        starred = any(takes_rest(each) for each in node.targets)
        placed = any(isinstance(each, ast.Slice) for target in node.targets for each in ast.walk(target))
        self.generic_visit(node)
        if starred or placed:
            node.value = counter("apart" if starred else "each", node.value)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """So is what a loop takes by `for a, *b in many`."""
        starred = takes_rest(node.target)
        super().visit_For(node)
        if starred:
            row = MARK + "row"
            taken = ast.Assign([node.target], counter("apart", ast.Name(row, ast.Load())))
            node.target = ast.Name(row, ast.Store())
            node.body.insert(0, ast.copy_location(taken, node.body[0]))
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """And a comprehension."""
        starred = takes_rest(node.target)
        self.generic_visit(node)
        if starred:
            node.iter = counter("apart", node.iter)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """And what a pattern takes the rest of."""
        starred = any(takes_rest(each.pattern) for each in node.cases)
        self.generic_visit(node)
        if starred:
            node.subject = counter("apart", node.subject)
        return node

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
        """A part of something is a copy of it, which is looked for, or makes others move up."""
        plain = whole_or_word(node.slice)
        named = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        self.generic_visit(node)
        node.slice = node.slice if plain else weighed(node.slice)
        if isinstance(node.ctx, ast.Load):
            node.value = node.value if named or fixed(node.value) else counter("placed", node.value)
        elif isinstance(node.slice, ast.Slice):
            node.value = counter("moved", node.value)
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
        node.left = self.visit_sort(node.left)
        node.comparators = [self.visit_sort(each) for each in node.comparators]
        if heavy[0]:
            node.left = counter("compared", node.left)
        for at, compared in enumerate(heavy[1:]):
            if compared:
                node.comparators[at] = counter("compared", node.comparators[at])
        for at, op in enumerate(node.ops):
            if isinstance(op, (ast.In, ast.NotIn)) and not kept[at]:
                if (
                    self.builtin(getattr(node.comparators[at], "func", node), frozenset(("range",)))
                    and len(node.ops) == 1
                ):
                    within = counter("within_range", node.left, node.comparators[at])
                    return within if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), within)
                node.comparators[at] = counter("searched", node.comparators[at])
        return self.visit_membership(node, plain)

    def visit_sort(self, node: ast.expr) -> Any:
        """What something is compared with: `list` and its like, alone or in a tuple, is the sort of a value there."""
        if isinstance(node, (ast.Tuple, ast.List)) and fixed(node):
            node.elts = [self.visit_sort(each) for each in node.elts]
            return node
        if isinstance(node, ast.Call) and self.builtin(node.func, frozenset(("type",))):
            node.args = [self.visit(each) for each in node.args]
            return node
        return node if self.builtin(node, self.listed | NOT_ALIKE) else self.visit(node)

    def sorts(self, node: ast.expr) -> Any:
        """The sorts of which a value may be: under a name of a program's own they may be our functions."""
        written_out = node.elts if isinstance(node, ast.Tuple) else [node]
        own = any(not self.builtin(each, frozenset(vars(builtins))) for each in written_out)
        return counter("sorts", self.visit_sort(node)) if own else self.visit_sort(node)

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
            node.args = [
                *[self.visit_sort(each) for each in node.args[:1]],
                *[self.sorts(each) for each in node.args[1:]],
            ]
            return node
        plain = len(node.args) == 1 and fixed(node.args[0])
        spread = any(isinstance(each, ast.Starred) for each in node.args)
        spread = spread or any(each.arg is None for each in node.keywords)
        if isinstance(node.func, ast.Attribute):
            return self.visit_method(node)
        function = node.func
        node.args = [self.visit(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        if self.builtin(function, KEYED) or (spread and self.builtin(function, PASSED_ON)):
            node.func = self.visit(function)
            return node
        if self.builtin(function, HASHED) and not (len(node.args) == 1 and isinstance(node.args[0], ast.Constant)):
            node.args = [counter("hashed", each) for each in node.args]
            return node
        if self.builtin(function, GOES_THROUGH) and isinstance(function, ast.Name):
            if len(node.args) == 1 and not plain:
                node.args[0] = counter("each", node.args[0])
            return node
        if self.builtin(function, frozenset(("len",))):
            node.args = [
                each if plain or isinstance(each, ast.Starred) else counter("placed", each) for each in node.args
            ]
        if not isinstance(function, ast.Name) or not self.is_word(function):
            node.func = self.visit(function)
            return node
        passing = 0 if spread else PASSING.get(function.id, 0)
        node.args[passing:] = [given(each) for each in node.args[passing:]]
        for each in node.keywords if passing < ALL else ():
            each.value = given(each.value)
        return node if function.id in OWN else counter("fit", node)

    def is_word(self, node: ast.Name) -> bool:
        """Whether a name is a word: of the language, of the commons, or lent by another rule."""
        return node.id not in self.shape.bound and is_word(node.id)

    def visit_method(self, node: ast.Call) -> ast.AST:
        """A call of a method, by the method's name."""
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        of = node.func.value if self.keys_of(node.func) else self.part_of(node.func)
        if name in LOOKED_AT and (node.args or name != "pop"):
            of = counter(LOOKED_AT[name], of)
        called = ast.Attribute(of, name, ast.Load())
        node.args = [self.visit(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        if OWN_NAME.fullmatch(name):
            return ast.copy_location(counter("not_alike", constant(name)), node)
        if name not in METHODS:  # a function that a row holds: the sandbox would look among the methods of the row
            node.func = ast.Subscript(ast.Tuple([called], ast.Load()), ast.Constant(0), ast.Load())
            return node
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        simple = not node.keywords and not starred
        if name == "join" and simple and len(node.args) == 1:
            return counter("joined", called.value, node.args[0])
        if name == "replace" and simple and len(node.args) in (2, 3):
            return counter("replaced", called.value, *node.args)
        if name in WIDENING and simple and node.args:
            node.args[0] = counter("width", node.args[0])
        elif name in MADE or (starred and name in COUNTED_METHODS):
            called = ast.Attribute(
                counter("no_word" if name in MADE else "not_passed", called.value, constant(name)), name, ast.Load()
            )
        elif name == "extend" and simple:
            node.args = [counter("each", each) for each in node.args]
        elif name == "sort":
            node.args.insert(0, called.value)
            node.func = ast.Name(MARK + "sort", ast.Load())
            return node
        elif name in SEARCHING and simple and node.args and not whole_or_word(node.args[0]):
            return counter("found", called.value, constant(name), *node.args)
        elif name in FOUND_BY and node.args:
            node.args[0] = weighed(node.args[0])
        elif name in TAKING_IN:
            most = 1 if name == "fromkeys" else len(node.args)
            node.args[:most] = [counter("hashed", each) for each in node.args[:most]]
        node.func = called
        return counter("fit", node) if name in COPYING or name in WIDENING else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What does not say the same everywhere is not there."""
        if isinstance(node.ctx, ast.Load) and self.builtin(node, NOT_ALIKE):
            return ast.copy_location(counter("not_alike", constant(node.id)), node)
        if isinstance(node.ctx, ast.Load) and self.is_word(node) and MARK not in node.id:
            return ast.copy_location(counter("handed", node), node)
        return super().visit_Name(node)

    def part_of(self, node: ast.Attribute) -> Any:
        """What an attribute or method is of."""
        word = isinstance(node.value, ast.Name) and self.is_word(node.value)
        return node.value if word else self.visit(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A method that makes something longer is called where it is named; what an error holds is not for rules."""
        node.value = self.part_of(node)
        if isinstance(node.ctx, ast.Load) and OWN_NAME.fullmatch(node.attr):
            return ast.copy_location(counter("not_alike", constant(node.attr)), node)
        if node.attr == "args" and isinstance(node.ctx, ast.Load):
            node.value = counter("no_error", node.value)
        if node.attr in COUNTED_METHODS and isinstance(node.ctx, ast.Load):
            node.value = counter("not_passed", node.value, constant(node.attr))
        return node

    def keys_of(self, node: ast.Attribute) -> bool:
        """Whether this is `dict.fromkeys`."""
        return node.attr == "fromkeys" and self.builtin(node.value, frozenset(("dict",)))

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        """The name of a kind of value stays what it is."""
        node.patterns = [self.visit(each) for each in node.patterns]
        node.kwd_patterns = [self.visit(each) for each in node.kwd_patterns]
        return node

"""The walk through a program: what the dialect lacks, and what would get round the verbs."""

from __future__ import annotations

import ast
import builtins
from typing import Any, TypeGuard

from nomopoly.kernel.beyond import REPLACEABLE
from nomopoly.kernel.dice import chance
from nomopoly.rulebook.dialect.calls import Calls
from nomopoly.rulebook.dialect.kinds import foreign_reads
from nomopoly.rulebook.dialect.names import Scope, bound_in, keywords_of, node_text, parameters, short, takes
from nomopoly.rulebook.dialect.top import Top
from nomopoly.rulebook.dialect.vocabulary import (
    BUILTINS,
    DECORATORS,
    EVENT_PARTS,
    FIXED_CALLS,
    FORBIDDEN_NAMES,
    FORBIDDEN_NODES,
    MUTABLE,
    NOT_IN_THE_SANDBOX,
    OUT_OF_REACH,
    READING,
    STATIONS,
    Function,
)
from nomopoly.rulebook.outline import (
    argument,
    called,
    first_word,
    is_word,
    is_word_decorator,
    top_calls,
    word,
    writers,
)


class Checker(Top, Calls):
    """Walks one program and collects its problems: `once` says that it is a proposal's one-time program."""

    def check(self, tree: ast.Module) -> None:
        """Look at a whole program."""
        own = set(bound_in(tree.body))
        self.functions = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
        self.scopes = [Scope(own, own if self.once else ())]
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        self.writing = writers(functions, self.declared.writing - own)
        for function in functions:
            for each in function.decorator_list:
                if called(each) in READING:
                    self.readers[function.name] = f"@{called(each)}"
                if called(each) in (*STATIONS, "action") and first_word(each) is not None:
                    self.events.setdefault(function.name, []).append(str(first_word(each)))
        if not self.once:
            for statement in tree.body:
                self.check_top(statement)
                for name in () if is_word(statement) else bound_in([statement]):
                    if name in DECORATORS | self.declarations or name == "rule":
                        self.add(statement, f"'{name}' has a meaning at the top of a rule: choose another name")
            self.check_shapes(tree)
            for call, _ in top_calls(tree):
                self.note_form_readers(call)
                self.check_handed_over(call)
                self.check_notify(call)
                self.check_declared_name(call)
                self.replaces_kernel |= first_word(call) in REPLACEABLE
        for node in tree.body:
            self.visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Defaults, decorators and name; then the body in a scope of its own."""
        self.check_name(node, node.name)
        top = len(self.scopes) == 1
        if not top or self.once:
            for each in node.decorator_list:
                self.add(each, "decorators stand before functions at the top of a rule")
        if top and node.name in self.readers:
            for statement in node.body:
                self.check_reading(statement, self.readers[node.name])
        self.check_handler(node)
        for each in node.decorator_list:
            self.visit(each)
        outer, self.unsure = self.unsure, self.unsure | self.given_in_doubt(node)
        if top:
            self.lends, self.looked_for = is_word(node), looked_for(node)
            for read, kind in foreign_reads(node, self.events.get(node.name, []), self.declared):
                name, own = read.attr, self.attributes_of(kind)
                if name not in self.looked_for:
                    self.add(read, f"a {kind} has no attribute '{name}'{self.near(name, own)}", "warning")
        self.visit_function(node, node.body)
        if top:
            self.lends, self.looked_for = False, frozenset()
        self.unsure = outer

    def given_in_doubt(self, node: ast.FunctionDef) -> set[str]:
        """The event that a handler gets, if nothing is known of it: of its station or event something is said
        already."""
        events, known = self.events.get(node.name, []), self.declared.events
        doubtful = any(called(each) not in DECORATORS and not is_word_decorator(each) for each in node.decorator_list)
        if doubtful or any(event not in known and event != "*" for event in events):
            return set(parameters(node)[:1])
        return set()

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """A small function."""
        self.visit_function(node, [node.body])

    def visit_function(self, node: Function, body: list[Any]) -> None:
        """The defaults outside, the body inside."""
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.check_default(default, lasting=len(self.scopes) == 1 and not self.once)
                self.visit(default)
        for name in parameters(node):
            self.check_name(node, name)
        self.scopes.append(Scope((), {*parameters(node), *bound_in(body)}))
        for each in body:
            self.visit(each)
        self.scopes.pop()

    def check_default(self, default: ast.expr, lasting: bool) -> None:
        """The default of a parameter is made once, and never changes; `lasting`: it is kept as long as the rule."""
        for each in ast.walk(default):
            made = called(each)
            computed = lasting and isinstance(each, ast.Call) and (made not in FIXED_CALLS or self.bound(made))
            if isinstance(each, MUTABLE) or made in ("list", "dict", "set") or computed:
                self.add(default, "a default that can change would remember: use None, or a tuple")
                return

    def check_handler(self, node: ast.FunctionDef) -> None:
        """A handler takes the event alone, and reads fields that it has."""
        events = self.events.get(node.name, []) if len(self.scopes) == 1 else []
        if not events:
            return
        required = len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)
        names = parameters(node)
        if required > 1 or not names or any(each is None for each in node.args.kw_defaults):
            self.add(node, f"{node.name} gets the event and nothing else: def {node.name}(e):")
            return
        given = names[0]
        if given in set(bound_in(node.body)):
            return
        for inner in (each for statement in node.body for each in ast.walk(statement)):
            if is_part_of(inner, given):
                self.check_field_read(inner, events)
            elif isinstance(inner, ast.Call) and is_part_of(inner.func, given) and inner.func.attr == "but":
                for event in events:
                    self.event_known(inner, event, keywords_of(inner))

    def check_field_read(self, node: ast.Attribute, events: list[str]) -> None:
        """What a handler reads from its event is a field of it."""
        for event in events:
            if event == "*":
                if node.attr not in EVENT_PARTS | {"who"}:
                    self.add(
                        node,
                        f"not every action has '{node.attr}': look at {node_text(node.value)}.name first",
                        "warning",
                    )
            elif event in self.declared.events and node.attr not in EVENT_PARTS and node.attr not in OUT_OF_REACH:
                fields = self.declared.events[event]
                if node.attr not in fields:
                    self.add(
                        node, f"event '{event}' has no field '{node.attr}'{self.near(node.attr, fields)}{takes(fields)}"
                    )

    def visit_comprehension_scope(self, node: Any) -> None:
        """A comprehension: its variables are its own."""
        names = [each for part in node.generators for each in bound_in([part.target])]
        self.scopes.append(Scope(names, bound_in_walrus(node)))
        self.generic_visit(node)
        self.scopes.pop()

    def generic_visit(self, node: ast.AST) -> None:
        """Refuse what the dialect does not have, then look inside."""
        message = FORBIDDEN_NODES.get(type(node))
        if message:
            self.add(node, message)
            if isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef)):
                return
        super().generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """Its `try` is refused already: look at what it does."""
        if node.name:
            self.scopes[-1].names.add(node.name)
        for each in node.body:
            self.visit(each)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Raising breaks the rule; refusing tells why."""
        self.add(
            node, "raise breaks the rule off as a fault: use refuse(reason), which tells the player why", "warning"
        )

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """A function as words would be its place in the memory of the machine."""
        self.refuse_function(node.value)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """A loop needs an end."""
        endless = isinstance(node.test, ast.Constant) and node.test.value
        if endless and not any(isinstance(each, (ast.Break, ast.Return)) for each in ast.walk(node)):
            self.add(node, "this loop never ends", "warning")
        self.visit_branch(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Whole numbers and words only."""
        if isinstance(node.value, (float, complex)) and id(node) not in self.fractions:
            self.add(node, f"{node.value}: amounts are whole numbers; use // or share(amount, part, whole)")
        elif isinstance(node.value, (bytes, type(...))):
            self.add(node, "values are whole numbers, words, things and tuples of these")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """True division makes fractions."""
        self.check_operator(node, node.op)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """The same, in place."""
        self.check_operator(node, node.op)
        self.generic_visit(node)

    def check_operator(self, node: ast.AST, operator: ast.operator) -> None:
        """Whole numbers stay whole."""
        if isinstance(operator, ast.Div):
            self.add(node, "/ makes fractions: use // to round down, or share(amount, part, whole) to round half up")
        elif isinstance(operator, ast.MatMult):
            self.add(node, "@ is no operator of numbers")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Attributes are read with a dot, and written by put alone."""
        name = node.attr
        if not isinstance(node.ctx, ast.Load):
            self.add(node, f'write with put({node_text(node.value)}, "{name}", value): nothing else changes the game')
        elif name.startswith("_"):
            self.add(node, f"'.{name}' is out of reach: names that begin with an underscore are not for rules")
        elif name in ("format", "format_map"):
            self.add(node, f"use an f-string instead of .{name}(...)")
        elif name in OUT_OF_REACH:
            self.add(node, f"'.{name}' is out of reach: it belongs to the kernel")
        elif isinstance(node.value, ast.Name) and node.value.id == "rule" and not self.bound("rule"):
            if name not in self.params and name != "id":
                whose = "a one-time program" if self.once else f"rule {self.rule}"
                self.add(node, f"{whose} has no number '{name}'{self.near(name, self.params)}")
        elif isinstance(node.value, ast.Name) and node.value.id == "chance" and not self.bound("chance"):
            if not hasattr(chance, name):
                self.add(
                    node,
                    f"there is no chance.{name}{self.near(name, [each for each in dir(chance) if each[0] != '_'])}",
                )
        else:
            self.attribute_known(node)
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """A pattern reads attributes too."""
        for name in node.kwd_attrs:
            if name.startswith("_") or name in OUT_OF_REACH:
                self.add(node, f"'.{name}' is out of reach: it belongs to the kernel")
            elif name in NOT_IN_THE_SANDBOX and name not in self.declared.attributes:
                self.add(node, f"'.{name}' is not for rules: {NOT_IN_THE_SANDBOX[name]}")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Elements are set only in a list or dict that the function made itself."""
        if not isinstance(node.ctx, ast.Load):
            base: ast.expr = node
            while isinstance(base, ast.Subscript):
                base = base.value
            if not isinstance(base, ast.Name) or not self.fresh(base.id):
                self.add(node, "write with put(thing, name, value): nothing else changes the game")
        self.generic_visit(node)

    def check_name(self, node: ast.AST, name: str) -> None:
        """Names that begin with an underscore are the kernel's."""
        if name.startswith("_") and name != "_":
            self.add(node, f"the name '{name}' begins with an underscore: choose another one")

    def visit_Name(self, node: ast.Name) -> None:
        """A name means something of the program's own, or a word of the language."""
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            self.check_name(node, name)
            return
        known = self.declared.words
        carrier = self.once and name == "proposal"  # a program that runs once knows what carries it
        if (
            id(node) in self.reported
            or name == "rule"
            or carrier
            or self.bound(name)
            or (name in known and name != "set")
            or name in BUILTINS
        ):
            return
        if name == "set":
            return  # a contribution, looked at where it is called
        if name in FORBIDDEN_NAMES:
            self.add(node, f"'{name}' is not for rules: {FORBIDDEN_NAMES[name]}")
        elif name.startswith("_"):
            self.add(node, f"'{name}' is out of reach: names that begin with an underscore are not for rules")
        elif isinstance(getattr(builtins, name, None), type) and issubclass(getattr(builtins, name), BaseException):
            self.add(node, f"'{name}' is not for rules: use refuse(reason)")
        else:
            self.add(node, f"'{short(name)}' is not known here{self.meant(name)}")

    def visit_Call(self, node: ast.Call) -> None:
        """Events, values, attributes, kinds and rules that a call names must be declared."""
        name = self.word_called(node)
        look = getattr(self, f"check_{name}_call", None) if name else None
        if look is not None:
            look(node)
        elif name in STATIONS:
            self.check_station(node, name)
        if name in self.declarations and (self.once or len(self.scopes) > 1) and not self.lends:
            self.add(node, f"{name}(...) stands at the top of a rule, and declares nothing while the game runs")
        if isinstance(node.func, ast.Attribute):
            self.check_method(node, node.func)
        self.check_held(node)
        for sort, needed in sorted(self.declared.needs.get(name, ())):
            known = self.declared.events if sort == "event" else self.declared.values
            if needed not in known and (sort, needed) not in self.declared.absent:
                self.add(node, f"{name}(...) needs the {sort} '{needed}', which no rule declares", "warning")
        for argument_node in [*node.args, *(each.value for each in node.keywords)]:
            self.refuse_set(argument_node)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Nothing without an order can be gone through."""
        self.refuse_set(node.iter)
        self.visit_branch(node)

    def visit_branch(self, node: ast.AST) -> None:
        """What stands within may happen or not."""
        self.branches += 1
        self.generic_visit(node)
        self.branches -= 1

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """The same, in a comprehension."""
        self.refuse_set(node.iter)
        self.generic_visit(node)

    visit_ListComp = visit_DictComp = visit_GeneratorExp = visit_SetComp = visit_comprehension_scope
    visit_If = visit_IfExp = visit_BoolOp = visit_Match = visit_branch


def looked_for(function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function asks for, so that it may do without: `can_happen("x")`,
    `attribute_of(place, "x")`..."""
    found = set()
    for node in ast.walk(function):
        if called(node) == "can_happen":
            found.add(first_word(node))
        elif called(node) == "attribute_of" and isinstance(node, ast.Call):
            found.add(word(argument(node, 1, "name")))
        elif isinstance(node, ast.Compare) and any(called(each) == "traits" for each in node.comparators):
            found.add(word(node.left))
    return frozenset(name for name in found if name is not None)


def is_part_of(node: ast.AST, name: str) -> TypeGuard[ast.Attribute]:
    """Whether an expression reads something directly from that name: `e.who`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


def bound_in_walrus(node: ast.AST) -> set[str]:
    """Names that `:=` binds within a comprehension."""
    return {each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr)}

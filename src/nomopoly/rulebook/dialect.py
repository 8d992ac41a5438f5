"""The checker of one program: what the dialect lacks, what would get round the verbs, and names that nothing declares."""

from __future__ import annotations

import ast
import builtins
import difflib
import keyword
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, TypeGuard

from nomopoly.kernel.beyond import REPLACEABLE
from nomopoly.kernel.dice import chance
from nomopoly.kernel.world import covers
from nomopoly.rulebook.outline import (
    ACTION_OPTIONS,
    DECLARATIONS,
    Declared,
    Shape,
    argument,
    called,
    decorated,
    first_word,
    is_word,
    is_word_decorator,
    takes_of,
    top_calls,
    word,
    words_in,
    writers,
)
from nomopoly.rulebook.problems import Problem

STATIONS = ("check", "instead", "on", "after")
DECORATORS = frozenset((*STATIONS, "value", "modify", "action", "marker"))
READING = frozenset(("check", "instead", "value", "modify", "marker"))
BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "int",
        "isinstance",
        "len",
        "list",
        "map",
        "max",
        "min",
        "ord",
        "pow",
        "range",
        "repr",
        "reversed",
        "round",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
        "True",
        "False",
        "None",
    ]
)
FIXED_CALLS = frozenset(
    [
        "days",
        "hours",
        "minutes",
        "weeks",
        "abs",
        "bool",
        "int",
        "len",
        "max",
        "min",
        "pow",
        "range",
        "round",
        "str",
        "sum",
        "tuple",
    ]
)
FIELDS = frozenset(
    ("choose", "words", "number", "moment", "one_of", "yes_or_no", "goods", "change_list", "program", "anything")
)
FIXED_CALLS |= FIELDS
FORBIDDEN_NAMES = {
    **dict.fromkeys(("exec", "eval", "compile"), "a program cannot make programs"),
    **dict.fromkeys(("open", "input", "print"), "tell players something with tell(who, text), ask them with ask(...)"),
    **dict.fromkeys(
        ("globals", "locals", "vars", "dir"), "state belongs to things: read it with a dot, write it with put"
    ),
    **dict.fromkeys(("getattr", "hasattr"), "read attributes with a dot"),
    **dict.fromkeys(("setattr", "delattr"), 'write attributes with put(thing, "name", value)'),
    **dict.fromkeys(("type", "object"), "ask a thing for its .kind, or use isinstance"),
    **dict.fromkeys(("float", "complex"), "amounts are whole numbers: use // or share(amount, part, whole)"),
    **dict.fromkeys(("iter", "next", "aiter", "anext"), "use a for loop"),
    **dict.fromkeys(("super", "property", "staticmethod", "classmethod"), "rules have no classes"),
    **dict.fromkeys(
        ("bytes", "bytearray", "memoryview"), "values are whole numbers, words, things and tuples of these"
    ),
    **dict.fromkeys(("breakpoint", "exit", "quit", "help"), "a rule cannot stop the program"),
    "id": "a thing's id is thing.id",
    "hash": "a hash differs from one machine to the next",
    "frozenset": "a set has no order: use a tuple",
    "__import__": "a rule needs no imports: the words of the language are all there",
}
NO_IMPORT = "a rule needs no imports: the words of the language are all there"
NO_MEMORY = "a rule cannot remember: keep state in attributes of things"
NO_WAITING = "a rule does not wait: use ask(...), or at(moment, event)"
NO_CATCHING = "a refusal or a fault cannot be caught: use do(..., may=True)"
NO_SET = "a set has no order: use a tuple or a list"
FORBIDDEN_NODES: dict[type[ast.AST], str] = {
    ast.ClassDef: "rules have no classes: declare a kind(...) and its attribute(...)s",
    ast.Import: NO_IMPORT,
    ast.ImportFrom: NO_IMPORT,
    ast.Global: NO_MEMORY,
    ast.Nonlocal: NO_MEMORY,
    ast.Try: NO_CATCHING,
    ast.TryStar: NO_CATCHING,
    ast.With: "there is nothing to open in a rule",
    ast.AsyncWith: NO_WAITING,
    ast.AsyncFor: NO_WAITING,
    ast.AsyncFunctionDef: NO_WAITING,
    ast.Await: NO_WAITING,
    ast.Yield: "rules have no generators: return a list",
    ast.YieldFrom: "rules have no generators: return a list",
    ast.Delete: "del takes nothing away: use destroy(thing), or put(thing, name, None)",
    ast.Set: NO_SET,
    ast.SetComp: NO_SET,
}
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
CHANGING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "clear",
        "update",
        "setdefault",
        "sort",
        "reverse",
        "add",
        "discard",
    ]
)
EVENT_PARTS = frozenset(["name", "trail", "rule", "via", "result", "but", "to", "caused_by"])
ALWAYS_KNOWN = EVENT_PARTS | {"id", "kind", "section", "title", "text", "since", "numbers"}  # the latter of rules()
for _sort in (str, int, list, tuple, dict, chance):
    ALWAYS_KNOWN |= {name for name in dir(_sort) if not name.startswith("_")}
EVENTS_OWN = {
    **dict.fromkeys(("event", "may"), "do(...) has a meaning of its own for it"),
    **dict.fromkeys(("trail", "via", "result", "caused_by", "but"), "every event has a part of this name"),
    **dict.fromkeys(("rule", "depth"), "the log says by it what the cause was"),
}  # what no field of an event can be called, and why
OUT_OF_REACH = frozenset(("plan", "stations", "programs", "format", "format_map"))
METHODS = frozenset(
    ["but", "to", "caused_by", *(name for name in ALWAYS_KNOWN if name in dir(str) or name in dir(list))]
)
LAZY = frozenset(("map", "filter", "zip", "enumerate", "reversed"))
Function = ast.FunctionDef | ast.Lambda


MOST = 100  # problems of each level that are kept of one program: more are counted
MOST_SHOWN = 30  # names in a message
LONGEST_SHOWN = 60  # characters of a name in a message


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
    """The names of one function, comprehension or program; `fresh` are those it made itself, so that it may change them."""

    def __init__(self, names: Iterable[str], fresh: Iterable[str] = ()) -> None:
        self.fresh = set(fresh)
        self.names = set(names) | self.fresh


class Checker(ast.NodeVisitor):
    """Walks one program and collects its problems: `once` says that it is a proposal's one-time program."""

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

    def check(self, tree: ast.Module) -> None:
        """Look at a whole program."""
        own = set(bound_in(tree.body))
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

    # ---- scopes

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

    # ---- what may stand at the top of a rule

    def check_top(self, node: ast.stmt) -> None:
        """Only functions, declarations and constants stand at the top: nothing runs when a rule is enacted."""
        if isinstance(node, ast.FunctionDef):
            for each in node.decorator_list:
                if is_word_decorator(each):
                    self.check_word(node)
                elif called(each) not in DECORATORS:
                    given = each.func if isinstance(each, ast.Call) else each
                    meant = self.near(given.id, DECORATORS).replace("'", "@", 1) if isinstance(given, ast.Name) else ""
                    every = f"a decorator is one of @{', @'.join(sorted(DECORATORS))}, with its (...)"
                    self.add(each, f"{every}{meant.replace(chr(39), '')}")
                    self.reported.add(id(given))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if called(node.value) in DECORATORS:
                self.add(node, f"write @{called(node.value)}(...) and put the function under it")
            elif called(node.value) in self.declared.templates:
                self.check_row(node.value)
            elif called(node.value) not in self.declarations | self.declared.unlent and self.means(called(node.value)):
                self.add(
                    node, "nothing runs when a rule is enacted: put this into a function, or into a proposal's `run`"
                )
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            self.check_constant(node, node.value)
        elif (
            not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            and type(node) not in FORBIDDEN_NODES
        ):
            self.add(node, "only functions, declarations and constants stand at the top of a rule")

    def check_word(self, node: ast.FunctionDef) -> None:
        """A word that a rule lends is none that the language has."""
        if node.name in self.declared.given:
            self.add(node, f"'{node.name}' is a word of the language: choose another name")

    def means(self, name: str) -> bool:
        """Whether a name means anything here; of one that does not, something is said where it is looked up."""
        return (
            not name or self.bound(name) or name in self.declared.words or name in BUILTINS or name in FORBIDDEN_NAMES
        )

    def check_declared_name(self, call: ast.Call) -> None:
        """What a program declares has a name in plain letters, which looks like no other."""
        names = [first_word(call), word(argument(call, 1, "name")) if called(call) == "attribute" else None]
        for name in names if called(call) in self.declarations | DECORATORS else ():
            if name is not None and not name.isascii():
                self.add(call, f"write the name '{name}' with plain letters (a label may have others)")

    def check_handed_over(self, call: ast.Call) -> None:
        """What a declaration is given never changes, and no field takes a name that means something else."""
        name = called(call)
        if name not in self.declarations | DECORATORS or self.bound(name):
            return
        for each in [*call.args, *(each.value for each in call.keywords)]:
            inner = changeable(each)
            if inner is not None:
                self.add(inner, f"what {name}(...) is given can change, and would remember: write a tuple, (...)")
        for part in call.keywords:
            if name in ("event", "action") and part.arg in EVENTS_OWN:
                self.add(part.value, f"no field can be called '{part.arg}': {EVENTS_OWN[part.arg]}")
            elif name == "action" and part.arg in ACTION_OPTIONS and called(part.value) in FIELDS:
                self.add(part.value, f"'{part.arg}' says something of the action itself: call the field '{part.arg}_'")

    def check_notify(self, call: ast.Call) -> None:
        """Whom an event notifies stands in a field of it, and there is something that they can be told."""
        node = argument(call, 3, "notify")
        if called(call) != "event" or node is None or self.bound("event"):
            return
        names = [word(each) for each in (node.elts if isinstance(node, ast.Tuple) else [node])]
        fields = [each.arg for each in call.keywords if each.arg and each.arg not in ("fact", "say", "notify")]
        if not set(names) <= set(fields):
            known = ", ".join(fields) or "it has none"
            self.add(node, f"notify= names fields of the event that hold players ({known}), as words")
        elif names and not (argument(call, 1, "fact") and argument(call, 2, "say")):
            self.add(node, "an event with notify= needs a word for the log and a sentence: event(name, fact, say=...)")

    def check_shapes(self, tree: ast.Module) -> None:
        """What values, modifiers, markers and lists of choices are given is what their functions take."""
        for function, call in decorated(tree, "value"):
            of = word(argument(call, 1, "of"))
            if of and takes_of(function)[1] == 0:
                self.add(function, f"the value is of a {of}: def {function.name}({of}):")
        for function, call in decorated(tree, "modify"):
            name = first_word(call) or ""
            shapes = self.declared.shapes.get(name, [])
            if shapes and not any(fits(function, shape) for shape in shapes):
                takes = f"what '{name}' gets ({how_many(shapes)}) and then base"
                self.add(function, f"a modifier of '{name}' gets {takes}: def {function.name}({example(shapes[0])}):")
        for function, call in decorated(tree, "marker"):
            least, most = takes_of(function)
            if least > 1 or most == 0:
                self.add(function, f"{function.name} gets what is marked: def {function.name}({first_word(call)}):")

    def check_row(self, call: ast.Call) -> None:
        """A call of a shared word that declares, `unit("elf", "Elf", attack=2.5)`: its fractions are rounded."""
        template = self.declared.templates[called(call)]
        first = first_word(call)
        for event in (*template.events,) if first is not None else ():
            effect = argument(call, len(template.parameters), "effect")
            if event[0] != "also_asks" and isinstance(effect, ast.Name):
                name = event[1] if event[2] else event[1] + str(first)
                self.events.setdefault(effect.id, []).append(name)
        if not template.rounds:
            return
        numbers = [*call.args, *(each.value for each in call.keywords)]
        self.fractions |= {id(each) for each in numbers}
        for each in numbers:
            if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub):
                self.add(each, "a number of a type is not below zero")
        points = argument(call, 2, "hit_points")
        if points is None or (isinstance(points, ast.Constant) and not points.value):
            self.add(call, "its hit points are 0: such a one is destroyed as soon as it appears", "warning")

    def check_constant(self, node: ast.stmt, value: ast.expr | None) -> None:
        """What a name at the top stands for can never change."""
        waiting: list[ast.AST] = [value] if value is not None else []
        while waiting:
            each = waiting.pop(0)
            if isinstance(each, ast.Lambda):
                continue
            if isinstance(each, MUTABLE) or called(each) in ("list", "dict", "set"):
                self.add(node, f"what can change at the top of a rule would remember. {NO_MEMORY}; use a tuple here")
                return
            if isinstance(each, ast.Call) and (called(each) not in FIXED_CALLS or self.bound(called(each))):
                self.add(node, "nothing runs when a rule is enacted: only words, numbers and tuples stand at its top")
                return
            waiting += ast.iter_child_nodes(each)

    def note_form_readers(self, call: ast.Call) -> None:
        """Functions that list the choices of a form only read."""
        for form in call.keywords if called(call) == "action" else ():
            for each in form.value.keywords if isinstance(form.value, ast.Call) else ():
                if each.arg in ("choices", "default") and isinstance(each.value, ast.Name):
                    self.readers.setdefault(each.value.id, f"what lists the {each.arg} of a form")
                elif each.arg in ("choices", "default") and isinstance(each.value, ast.Lambda):
                    self.check_reading(each.value, f"what lists the {each.arg} of a form")

    def check_reading(self, function: ast.AST, why: str) -> None:
        """Nothing that only reads may write or roll."""
        verb = "only reads" if why.startswith("@") else "may only read"
        for inner in ast.walk(function):
            name = called(inner)
            if name in self.writing:
                self.add(inner, f"{why} {verb}: {name}(...) belongs into @on, @after or an action")
            elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "chance":
                self.add(inner, f"{why} {verb}: roll in @on, @after or an action")

    # ---- functions

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
        self.visit_function(node, node.body)
        if top:
            self.lends, self.looked_for = False, frozenset()
        self.unsure = outer

    def given_in_doubt(self, node: ast.FunctionDef) -> set[str]:
        """The event that a handler gets, if nothing is known of it: of its station or event something is said already."""
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

    visit_ListComp = visit_DictComp = visit_GeneratorExp = visit_SetComp = visit_comprehension_scope

    # ---- what the dialect does not have

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

    def refuse_function(self, node: ast.expr) -> None:
        """No word of the language, function or method is made words of: it is called, or it says nothing."""
        method = isinstance(node, ast.Attribute) and node.attr in METHODS and node.attr not in self.declared.attributes
        word = isinstance(node, ast.Name) and node.id in self.declared.words | {"str", "repr", "len", "int"}
        if isinstance(node, ast.Lambda) or method or (word and not self.bound(getattr(node, "id", ""))):
            self.add(node, f"{node_text(node)} is a function, and no words: call it with (...)")
        elif isinstance(node, ast.GeneratorExp) or self.word_called(node) in LAZY:
            self.add(node, "this has no words of its own: make a list or tuple of it first")

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

    # ---- writing past the verbs

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

    def attribute_known(self, node: ast.Attribute) -> None:
        """What is read with a dot is an attribute of some kind of thing, a field of some event, or a method."""
        known = self.declared
        if node.attr in known.attributes or node.attr in ALWAYS_KNOWN or node.attr in known.columns:
            return
        doubtful = isinstance(node.value, ast.Name) and node.value.id in self.unsure
        if node.attr in self.fields or node.attr in self.looked_for or doubtful:
            return
        if node.attr in known.values:
            self.add(node, f"'{node.attr}' is a value: read it with value(\"{node.attr}\", {node_text(node.value)})")
        else:
            hint = self.near(node.attr, known.attributes)
            self.add(
                node,
                f"no thing has an attribute '{short(node.attr)}'{hint or ': declare it with attribute(kind, name)'}",
            )

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """A pattern reads attributes too."""
        for name in node.kwd_attrs:
            if name.startswith("_") or name in OUT_OF_REACH:
                self.add(node, f"'.{name}' is out of reach: it belongs to the kernel")
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

    def check_method(self, node: ast.Call, method: ast.Attribute) -> None:
        """Methods that change a list work on one that the function made; `e.to` names an event."""
        base = method.value
        while isinstance(base, ast.Subscript):
            base = base.value
        if method.attr in CHANGING:
            held = isinstance(base, ast.Attribute) or (isinstance(base, ast.Name) and not self.fresh(base.id))
            if held:
                self.add(
                    node, f".{method.attr}(...) would change what is not this function's own: use put with a new tuple"
                )
        event = first_word(node)
        if method.attr == "to" and event is not None:
            self.event_known(node, event, keywords_of(node))

    # ---- names

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

    def meant(self, name: str) -> str:
        """A hint at a name of the program's own, or a word of the language."""
        if self.declared.hints <= 0:
            return ""
        names = {each for scope in self.scopes for each in scope.names}
        return self.near(name, names | self.declared.words | BUILTINS)

    # ---- calls of the language

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

    visit_If = visit_IfExp = visit_BoolOp = visit_Match = visit_branch

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """The same, in a comprehension."""
        self.refuse_set(node.iter)
        self.generic_visit(node)

    def refuse_set(self, node: ast.expr) -> None:
        """`set(n)` is what a modifier returns, and nothing to go through."""
        if self.word_called(node) == "set":
            self.add(node, f"set(n) is what a modifier returns. {NO_SET}")

    def check_station(self, node: ast.Call, name: str) -> None:
        """`@on("land")` names an event; `per` one of its fields."""
        event = first_word(node)
        if event is None or event == "*":
            return
        per = word(argument(node, 1, "per"))
        self.event_known(node, event, {per} if per else set())

    def check_do_call(self, node: ast.Call) -> None:
        """`do("pay", who=...)`."""
        event = word(argument(node, 0, "event"))
        if len(node.args) > 1 and not any(isinstance(each, ast.Starred) for each in node.args):
            fields = list(self.declared.events.get(event or "", ())) or ["who"]
            named = ", ".join(f"{each}=..." for each in fields[:4])
            self.add(node, f'do(...) gets the fields of an event by name: do("{event or "pay"}", {named})')
        if event is not None:
            self.event_known(node, event, keywords_of(node) - {"may", "event"})

    def check_do_each_call(self, node: ast.Call) -> None:
        """`do_each("pass", "square", squares, who=...)`."""
        event, field = word(argument(node, 0, "event")), word(argument(node, 1, "field"))
        if event is not None:
            fields = keywords_of(node) - {"event", "field", "contents"}
            self.event_known(node, event, fields if field is None else {*fields, field})

    def check_at_call(self, node: ast.Call) -> None:
        """`at(moment, "event", ...)`."""
        event = word(argument(node, 1, "event"))
        if event is not None:
            self.event_known(node, event, keywords_of(node) - {"moment", "event", "real", "fixed", "quiet"})

    def check_cancel_call(self, node: ast.Call) -> None:
        """`cancel("event", ...)`."""
        event = word(argument(node, 0, "event"))
        if event is not None:
            self.event_known(node, event, keywords_of(node) - {"event"})

    def check_ask_call(self, node: ast.Call) -> None:
        """`ask(who, text, options, then="event")`."""
        event = word(argument(node, 3, "then"))
        if event is not None:
            own = {"who", "text", "options", "then", "default", "by", "secret"}
            self.event_known(node, event, (keywords_of(node) - own) | {"answers"})

    def check_value_call(self, node: ast.Call) -> None:
        """`value("rent", square)`; as a decorator it declares."""
        name = first_word(node)
        if (
            name is not None
            and name not in self.declared.values
            and argument(node, len(node.args), "otherwise") is None
        ):
            attribute = f": it is an attribute, read it with a dot: .{name}" if name in self.declared.attributes else ""
            self.add(node, f"there is no value '{name}'{attribute or self.near(name, self.declared.values)}")
        elif name is not None and (self.once or len(self.scopes) > 1):
            self.check_given(node, name, len(node.args) - 1)

    def check_given(self, node: ast.Call, name: str, given: int) -> None:
        """A value is asked for with as many things as its definition takes."""
        shapes = self.declared.shapes.get(name, [])
        if any(isinstance(each, ast.Starred) for each in node.args) or not shapes:
            return
        if not any(shape.least <= given and (shape.most is None or given <= shape.most) for shape in shapes):
            self.add(node, f'value("{name}", ...) takes {how_many(shapes)} after its name, and gets {given or "none"}')

    def check_along_call(self, node: ast.Call) -> None:
        """`along("successor", square, 3)`: each next one is what the value says of one thing."""
        name = first_word(node)
        if name is not None and name not in self.declared.values:
            self.check_value_call(node)
        elif name is not None:
            self.check_given(node, name, 1)

    def check_modify_call(self, node: ast.Call) -> None:
        """`@modify("rent")`."""
        name = first_word(node)
        if name is not None and name not in self.declared.values:
            self.add(node, f"there is no value '{name}'{self.near(name, self.declared.values)}")

    def check_str_call(self, node: ast.Call) -> None:
        """`str(thing)`: of what has words."""
        for each in node.args:
            self.refuse_function(each)

    check_repr_call = check_refuse_call = check_name_of_call = check_str_call

    def check_tell_call(self, node: ast.Call) -> None:
        """`tell(who, text)`."""
        text = argument(node, 1, "text")
        if text is not None:
            self.refuse_function(text)

    def check_put_call(self, node: ast.Call) -> None:
        """`put(thing, "money", amount)`."""
        name = word(argument(node, 1, "name"))
        known = self.declared.attributes
        if name is not None and name not in known and name not in self.looked_for:
            hint = self.near(name, known) or ": declare it with attribute(kind, name)"
            self.add(node, f"no thing has an attribute '{name}'{hint}")

    def check_create_call(self, node: ast.Call) -> None:
        """`create("square", number=7)`."""
        kind = first_word(node)
        if kind is None:
            return
        self.kind_known(node, kind)
        if kind in self.declared.kinds:
            own = self.attributes_of(kind)
            for name in sorted(keywords_of(node) - own - {"id", "kind"}):
                self.add(node, f"a {kind} has no attribute '{name}'{self.near(name, own)}")

    def attributes_of(self, kind: str) -> set[str]:
        """The attributes that things of a kind have."""
        if kind not in self.owned:
            self.owned[kind] = {name for name, kinds in self.declared.attributes.items() if kind in kinds}
        return self.owned[kind]

    def check_every_call(self, node: ast.Call) -> None:
        """`every("square")`."""
        kind = first_word(node)
        if kind is not None:
            self.kind_known(node, kind)

    check_count_call = check_marker_call = check_every_call

    def check_choose_call(self, node: ast.Call) -> None:
        """`choose("square")`; no kind means any thing."""
        kind = first_word(node)
        if kind:
            self.kind_known(node, kind)

    def check_attribute_call(self, node: ast.Call) -> None:
        """`attribute("square", "color")`: of a kind that there is, and not one of the kernel's own names."""
        name = word(argument(node, 1, "name")) or ""
        if name in OUT_OF_REACH | {"id", "kind"} or name.startswith("_") or keyword.iskeyword(name):
            self.add(node, f"no attribute can be called '{name}': choose another name")
        for kind in words_in(argument(node, 0, "kind")):
            self.kind_known(node, kind)

    def check_calendar_call(self, node: ast.Call) -> None:
        """Note a moment: `event(...)` below it does not declare the event of that name again."""
        self.moments.add(first_word(node) or "")

    def check_event_call(self, node: ast.Call) -> None:
        """`event("payday", "paid-out")` stands above `calendar("payday")`: what a rule declares first holds."""
        name = first_word(node)
        if name in self.moments and (node.keywords or len(node.args) > 1):
            self.add(
                node,
                f'calendar("{name}") above declares this event without fields: write event("{name}", ...) above it',
            )

    def check_absent_call(self, node: ast.Call) -> None:
        """`absent("player", 0, "debts")`: of an event, a value, a word or a kind of thing; then what holds, and the names."""
        of = word(argument(node, 0, "of"))
        if of is None or len(node.args) < 3 or any(word(each) is None for each in node.args[2:]):
            self.add(
                node,
                'absent("value", 0, "toll") says of what sort a name is, what holds where no rule declares it, and the names',
            )
        elif of not in ("event", "value", "word", "kind"):
            self.kind_known(node, of)

    def check_overrides_call(self, node: ast.Call) -> None:
        """`overrides("VI.9")`: a rule, one with rows, or a section; not itself, and not what says the opposite."""
        for each in node.args:
            number = word(each)
            if number == "kernel":
                if not self.replaces_kernel:
                    self.add(node, "what belongs to the kernel goes before every rule: take this line out")
            elif number == self.rule:
                self.add(node, f"{number} is this rule itself: it goes neither before nor behind itself")
            elif number is not None and not any(covers(number, id) for id in self.declared.rules - {self.rule}):
                self.add(node, f"there is no rule {number}{self.near(number, self.declared.rules)}", "warning")
            elif number is not None:
                self.check_one_way(node, number, called(node) == "overrides")

    check_defers_to_call = check_overrides_call

    def check_repeal_call(self, node: ast.Call) -> None:
        """`repeal("8.3")`: a rule that is there when it runs."""
        number, verb = first_word(node), called(node)
        if number is None or number in self.enacted:
            return
        if number not in self.declared.rules:
            self.add(node, f"there is no rule {number} to {verb}", "error" if self.once else "warning")
        elif number in self.repealed:
            self.add(node, f"rule {number} has been repealed before")
        elif self.once and verb == "repeal" and len(self.scopes) == 1 and not self.branches:
            self.repealed.add(number)

    check_amend_call = check_repeal_call

    def check_enact_call(self, node: ast.Call) -> None:
        """`enact("8.4", ...)`: later lines may name it."""
        number = word(argument(node, 0, "id"))
        if number is not None:
            self.enacted.add(number)

    def check_one_way(self, node: ast.Call, number: str, over: bool) -> None:
        """Of two rules one goes first: none may be said to go before the other and behind it."""
        known = self.declared
        for id in sorted(known.rules - {self.rule}):
            if not covers(number, id):
                continue
            mine, other = (known.behind, known.before) if over else (known.before, known.behind)
            against = [each for each in mine.get(self.rule, ()) if covers(each, id)]
            against += [each for each in other.get(id, ()) if covers(each, self.rule)]
            if against:
                self.add(node, f"{self.rule} is to go before {id} and {id} before {self.rule}: say one of the two")

    def check_setting_call(self, node: ast.Call) -> None:
        """`setting("turn_fine")`: a number of the rule's own."""
        name = first_word(node)
        if name is not None and name not in self.params:
            self.add(node, f"rule {self.rule} has no number '{name}'{self.near(name, self.params)}")

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


def looked_for(function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function asks for, so that it may do without: `can_happen("x")`, `attribute_of(place, "x")`..."""
    found = set()
    for node in ast.walk(function):
        if called(node) == "can_happen":
            found.add(first_word(node))
        elif called(node) == "attribute_of" and isinstance(node, ast.Call):
            found.add(word(argument(node, 1, "name")))
        elif isinstance(node, ast.Compare) and any(called(each) == "traits" for each in node.comparators):
            found.add(word(node.left))
    return frozenset(name for name in found if name is not None)


def changeable(node: ast.expr) -> ast.expr | None:
    """The first part of what is handed over that is a list, a dict or a set; what a lambda makes is its own."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, MUTABLE) or (isinstance(each, ast.Call) and called(each) in ("list", "dict")):
            return each if isinstance(each, ast.expr) else node
        if not isinstance(each, ast.Lambda):
            waiting += ast.iter_child_nodes(each)
    return None


def fits(modifier: ast.FunctionDef, shape: Shape) -> bool:
    """Whether a modifier can be given what a definition gets, and the base."""
    least, most = takes_of(modifier)
    return (shape.most is None or least <= shape.most + 1) and (most is None or most >= shape.least + 1)


def how_many(shapes: list[Shape]) -> str:
    """How many things a value takes, in words."""
    least, most = min(each.least for each in shapes), max(each.most or each.least for each in shapes)
    if not most:
        return "nothing"
    of = next((each.of for each in shapes if each.of), "thing")
    return (f"a {of}" if most == 1 else f"{most} things") if least == most else f"{least} to {most} things"


def example(shape: Shape) -> str:
    """The parameters of a modifier."""
    count = shape.most if shape.most is not None else shape.least
    return ", ".join([*([shape.of or "thing"] if count == 1 else [f"thing_{at + 1}" for at in range(count)]), "base"])


def is_part_of(node: ast.AST, name: str) -> TypeGuard[ast.Attribute]:
    """Whether an expression reads something directly from that name: `e.who`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


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


def bound_in_walrus(node: ast.AST) -> set[str]:
    """Names that `:=` binds within a comprehension."""
    return {each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr)}


def node_text(node: ast.expr) -> str:
    """An expression as its source, for a message; "thing" if it is long."""
    if node.end_lineno != node.lineno or (node.end_col_offset or 0) - node.col_offset > 60:
        return "thing"
    text = ast.unparse(node)
    return text if len(text) <= 30 else "thing"

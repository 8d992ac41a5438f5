"""Problems of rules and proposals, found before anyone votes, in words that say what to do.

`check_changes` looks at the book as it would be after the changes. Errors are what could not be carried out or would get
round the verbs; warnings are what a voter should know.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.changes import ChangeError, apply_changes
from nomopoly.rulebook.source import Record
from nomopoly.rulebook.typecheck import type_problems

LONGEST = 200_000
DECLARATIONS = {"event", "attribute", "kind", "setting", "calendar", "overrides", "defers_to"}
DECORATORS = {"check", "instead", "on", "after", "value", "modify", "action", "marker"}
READING = {"check", "instead", "value", "modify", "marker"}
WRITING = {"put", "create", "destroy", "do", "tell", "fact", "note", "at", "cancel", "enact", "amend", "repeal"}
WRITING |= {"change_rulebook", "run_once", "pause", "resume", "ask", "remove"}
BUILTINS = set(
    "abs all any bool dict divmod enumerate filter int isinstance len list map max min pow range reversed round sorted "
    "str sum tuple zip True False None".split()
)
FORBIDDEN_NAMES = {
    "exec": "programs cannot make programs",
    "eval": "programs cannot make programs",
    "compile": "programs cannot make programs",
    "open": "rules cannot read or write files",
    "print": "use tell(who, text) for news",
    "input": "use ask(...) to ask a player",
    "globals": "state belongs to things: use put",
    "locals": "state belongs to things: use put",
    "vars": "read attributes with a dot",
    "dir": "read attributes with a dot",
    "getattr": "read attributes with a dot",
    "setattr": 'write attributes with put(thing, "name", value)',
    "delattr": 'write attributes with put(thing, "name", value)',
    "hasattr": "an attribute is declared or it is not: name it",
    "type": "use isinstance, or the thing's .kind",
    "object": "kinds of things are declared with kind(...)",
    "id": "a thing's id is thing.id",
    "hash": "a hash differs from machine to machine",
    "float": "amounts are whole numbers: use share(amount, part, whole)",
    "complex": "amounts are whole numbers",
    "set": "",
    "frozenset": "a set has no order: use a tuple",
    "iter": "use a for loop",
    "next": "use a for loop",
    "super": "rules have no classes",
    "property": "rules have no classes",
    "staticmethod": "rules have no classes",
    "classmethod": "rules have no classes",
    "__import__": "rules need no imports",
    "breakpoint": "rules cannot stop the program",
    "exit": "rules cannot stop the program",
    "quit": "rules cannot stop the program",
    "help": "rules cannot stop the program",
    "memoryview": "values are numbers, words, things and tuples",
    "bytearray": "values are numbers, words, things and tuples",
    "bytes": "values are numbers, words, things and tuples",
}
FORBIDDEN_NODES: dict[type[ast.AST], str] = {
    ast.ClassDef: "rules have no classes: declare a kind(...) and its attribute(...)s",
    ast.Import: "rules need no imports: their words are all there",
    ast.ImportFrom: "rules need no imports: their words are all there",
    ast.Global: "a rule cannot remember: keep state in attributes of things",
    ast.Nonlocal: "a rule cannot remember: keep state in attributes of things",
    ast.Try: "refusals and faults cannot be caught: use do(..., may=True)",
    ast.TryStar: "refusals and faults cannot be caught: use do(..., may=True)",
    ast.With: "there is nothing to open in a rule",
    ast.AsyncWith: "there is nothing to open in a rule",
    ast.AsyncFor: "rules do not wait: use ask(...) or at(moment, event)",
    ast.AsyncFunctionDef: "rules do not wait: use ask(...) or at(moment, event)",
    ast.Await: "rules do not wait: use ask(...) or at(moment, event)",
    ast.Yield: "rules have no generators: return a list",
    ast.YieldFrom: "rules have no generators: return a list",
    ast.Delete: "nothing can be deleted this way: use destroy(thing), or put(thing, name, None)",
    ast.Set: "a set has no order: use a tuple or a list",
    ast.SetComp: "a set has no order: use a list",
    ast.Raise: "use refuse(reason)",
}
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
CHANGING_METHODS = {"append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "sort", "reverse"}


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong with a rule: its number, the line of its program (0: the rule as a whole), and what to do."""

    level: str
    rule: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"rule {self.rule} line {self.line}" if self.line else f"rule {self.rule}"
        return f"{place}: {self.level}: {self.message}"


@dataclass
class Declared:
    """What the rules of a book and its shared modules declare."""

    words: set[str] = field(default_factory=lambda: set(WORDS))
    events: dict[str, set[str]] = field(default_factory=dict)  # event -> fields
    actions: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)  # shared functions that write


def check_changes(
    changes: Any, run: str = "", records: Iterable[Record] = (), commons: Iterable[tuple[str, str]] = ()
) -> list[Problem]:
    """The problems of a proposal: its changes of the rulebook `records`, and its one-time program `run`."""
    book = list(records)
    try:
        after = apply_changes(book, changes or [])
    except ChangeError as error:
        return [Problem("error", error.rule, 0, error.message)]
    before = {record["id"]: record for record in book}
    touched = [record for record in after if before.get(record["id"]) != record]
    declared = declared_by(after, commons)
    problems: list[Problem] = []
    for record in touched:
        problems += check_record(record, declared)
    if run:
        problems += check_program("run", run, {}, declared, once=True)
    gone = [id for id in before if id not in {record["id"] for record in after}]
    if gone or touched:
        problems += orphans(after, before, declared, {record["id"] for record in touched})
    return sorted(set(problems), key=lambda each: (each.level, each.rule, each.line, each.message))


def check_record(record: Record, declared: Declared) -> list[Problem]:
    """The problems of one rule in a book that declares what `declared` says."""
    problems = []
    if not str(record.get("text", "")).strip():
        problems.append(Problem("warning", record["id"], 0, "it has no prose: say in words what it does"))
    for name, number in record.get("params", {}).items():
        if not str(name).isidentifier() or str(name).startswith("_"):
            problems.append(Problem("error", record["id"], 0, f"'{name}' cannot name a number: use letters, digits and _"))
        if isinstance(number, float) or isinstance(number, (list, dict)):
            problems.append(Problem("error", record["id"], 0, f"the number '{name}' must be a whole number or a word"))
    code = record.get("code", "")
    if code:
        problems += check_program(record["id"], code, record.get("params", {}), declared)
    return problems


def parse(rule: str, code: str) -> ast.Module | Problem:
    """The syntax tree of a program, or what is wrong with it."""
    if not isinstance(code, str):
        return Problem("error", rule, 0, "the program must be text")
    if len(code) > LONGEST:
        return Problem("error", rule, 0, f"the program is too long: {len(code)} characters, at most {LONGEST}")
    try:
        return ast.parse(code)
    except SyntaxError as error:
        return Problem("error", rule, error.lineno or 0, f"this is not Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Problem("error", rule, 0, f"this cannot be read as a program: {error or type(error).__name__}")


def check_program(
    rule: str, code: str, params: dict[str, Any], declared: Declared, once: bool = False
) -> list[Problem]:
    """The problems of a rule's program, or (`once`) of a proposal's one-time program."""
    tree = parse(rule, code)
    if isinstance(tree, Problem):
        return [tree]
    checker = Checker(rule, params, declared, own_names(tree))
    try:
        if not once:
            checker.check_top(tree)
        checker.visit(tree)
        if not once:
            checker.check_readers(tree)
    except RecursionError:
        return [Problem("error", rule, 0, "the program is nested too deeply")]
    problems = checker.problems
    if not any(problem.level == "error" for problem in problems):
        for line, message in type_problems(code, declared.words | checker.own, params):
            problems.append(Problem("warning", rule, line, message))
    return problems


def own_names(tree: ast.AST) -> set[str]:
    """Every name that a program itself binds: functions, arguments, variables."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
    return names


def called(node: ast.AST) -> str:
    """The plain name that a call calls, or ""."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def literal(node: ast.AST | None) -> Any:
    """The word or number that an expression is, or None."""
    return node.value if isinstance(node, ast.Constant) else None


def argument(call: ast.Call, place: int, name: str) -> ast.AST | None:
    """An argument of a call by place or name."""
    if len(call.args) > place:
        return call.args[place]
    return next((each.value for each in call.keywords if each.arg == name), None)


def near(name: str, known: Iterable[str]) -> str:
    """A hint at a name that was probably meant."""
    found = difflib.get_close_matches(name, sorted(known), n=1)
    return f" (did you mean '{found[0]}'?)" if found else ""


class Checker(ast.NodeVisitor):
    """Walks one program and collects its problems."""

    def __init__(self, rule: str, params: dict[str, Any], declared: Declared, own: set[str]) -> None:
        self.rule = rule
        self.params = params
        self.declared = declared
        self.own = own
        self.problems: list[Problem] = []

    def add(self, node: ast.AST, message: str, level: str = "error") -> None:
        """Note a problem at a node."""
        self.problems.append(Problem(level, self.rule, getattr(node, "lineno", 0), message))

    # ---- what may stand at the top of a rule

    def check_top(self, tree: ast.Module) -> None:
        """Only functions, declarations and constants stand at the top: nothing runs when a rule is enacted."""
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.check_decorators(node)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                inner = node.value.func if isinstance(node.value.func, ast.Call) else node.value
                if called(inner) not in DECLARATIONS | {"action", "value", "marker", "catalogue"}:
                    self.add(node, "nothing runs when a rule is enacted: put this into a function, or into `run`")
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                if self.is_mutable(node.value):
                    self.add(node, "what a rule remembers is lost: use a tuple here, and attributes of things for state")
                elif node.value is not None and any(isinstance(each, ast.Call) for each in ast.walk(node.value)):
                    self.add(node, "nothing runs when a rule is enacted: only words, numbers and tuples stand at its top")
            else:
                self.add(node, "only functions, declarations and constants stand at the top of a rule")

    @staticmethod
    def is_mutable(node: ast.AST | None) -> bool:
        """Whether an expression makes something that could be changed later."""
        return node is not None and any(
            isinstance(each, MUTABLE) or called(each) in ("list", "dict", "set", "bytearray") for each in ast.walk(node)
        )

    def check_decorators(self, node: ast.FunctionDef) -> None:
        """Decorators are the stations and declarations of the language."""
        for decorator in node.decorator_list:
            if called(decorator) not in DECORATORS:
                self.add(decorator, f"a decorator is one of {', '.join('@' + each for each in sorted(DECORATORS))}")

    def check_readers(self, tree: ast.Module) -> None:
        """Checks, replacements, values, modifiers and markers only read."""
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef):
                continue
            for decorator in node.decorator_list:
                name = called(decorator)
                if name in READING:
                    for inner in ast.walk(node):
                        verb = called(inner)
                        if verb in (WRITING | self.declared.verbs) and verb not in self.own:
                            self.add(inner, f"@{name} only reads: {verb}(...) belongs into @on, @after or an action")
                        if isinstance(inner, ast.Name) and inner.id == "chance" and inner not in decorator_nodes(node):
                            self.add(inner, f"@{name} only reads: roll in @on, @after or an action")

    # ---- what is in it

    def generic_visit(self, node: ast.AST) -> None:
        """Refuse what the dialect does not have."""
        message = FORBIDDEN_NODES.get(type(node))
        if message:
            self.add(node, message)
        super().generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Default arguments must not remember, names must not hide words of the language."""
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if self.is_mutable(default):
                self.add(default, "a default that can be changed would remember: use None or a tuple")
        if node.name.startswith("_"):
            self.add(node, f"the name '{node.name}' begins with an underscore: choose another one")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Whole numbers only."""
        if isinstance(node.value, (float, complex)):
            self.add(node, f"{node.value}: amounts are whole numbers; use share(amount, part, whole)")
        elif isinstance(node.value, (bytes, type(...))):
            self.add(node, "values are whole numbers, words, things and tuples of them")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """True division makes fractions."""
        if isinstance(node.op, ast.Div):
            self.add(node, "'/' makes fractions: use // to round down, or share(amount, part, whole) to round half up")
        if isinstance(node.op, ast.MatMult):
            self.add(node, "'@' is not for numbers")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Attributes are read with a dot, and written by put alone."""
        if node.attr.startswith("_"):
            self.add(node, f"'.{node.attr}' is not for rules: names that begin with an underscore are out of reach")
        if not isinstance(node.ctx, ast.Load):
            self.add(node, f'write with put(thing, "{node.attr}", value): nothing else changes the game')
        base = node.value
        if isinstance(base, ast.Name) and base.id == "rule" and "rule" not in self.own:
            if node.attr not in self.params and node.attr != "id" and self.rule != "run":
                self.add(node, f"rule {self.rule} has no number '{node.attr}'{near(node.attr, self.params)}")
        if node.attr in ("plan", "stations", "programs"):
            self.add(node, f"'.{node.attr}' is not for rules")
        if node.attr in ("format", "format_map"):
            self.add(node, "use an f-string instead of .format")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Elements may be set in a list or dict that the function itself made."""
        if not isinstance(node.ctx, ast.Load):
            base = node.value
            while isinstance(base, ast.Subscript):
                base = base.value
            if not isinstance(base, ast.Name) or base.id not in self.own:
                self.add(node, "write with put(thing, name, value): nothing else changes the game")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """Names must be known."""
        name = node.id
        if isinstance(node.ctx, ast.Store):
            if name.startswith("_") and name != "_":
                self.add(node, f"the name '{name}' begins with an underscore: choose another one")
            return
        if name in self.own or name in self.declared.words or name in BUILTINS or name == "rule":
            return
        if name in FORBIDDEN_NAMES and FORBIDDEN_NAMES[name]:
            self.add(node, f"'{name}' is not for rules: {FORBIDDEN_NAMES[name]}")
        elif name.startswith("_"):
            self.add(node, f"'{name}' is not for rules")
        elif isinstance(getattr(builtins, name, None), type) and issubclass(getattr(builtins, name), BaseException):
            self.add(node, "use refuse(reason)")
        else:
            self.add(node, f"'{name}' is not known here{near(name, self.own | self.declared.words | BUILTINS)}")

    def visit_Call(self, node: ast.Call) -> None:
        """Events, values, attributes, kinds and rules that a call names must be declared."""
        name = called(node)
        if name and name not in self.own:
            self.check_named(node, name)
        if isinstance(node.func, ast.Attribute):
            self.check_method(node, node.func)
        self.generic_visit(node)

    def check_method(self, node: ast.Call, method: ast.Attribute) -> None:
        """Methods that change a list work on one that the function made; `e.to` names an event."""
        base = method.value
        if method.attr in CHANGING_METHODS:
            while isinstance(base, (ast.Subscript, ast.Call, ast.Attribute)):
                base = base.func if isinstance(base, ast.Call) else base.value
            if isinstance(base, ast.Name) and base.id not in self.own and base.id != "chance":
                self.add(node, f".{method.attr}(...) would change something that is not this function's own")
        if method.attr == "to" and node.args and isinstance(literal(node.args[0]), str):
            self.event_known(node, literal(node.args[0]), {each.arg for each in node.keywords if each.arg})

    def check_named(self, node: ast.Call, name: str) -> None:
        """Look at the first words of a call of the language."""
        first = literal(argument(node, 0, "name"))
        known = self.declared
        if name in ("on", "after", "check", "instead"):
            if isinstance(first, str) and not (name == "check" and first == "*"):
                self.event_known(node, first, set())
        elif name == "do" and isinstance(first, str):
            self.event_known(node, first, {each.arg for each in node.keywords if each.arg and each.arg != "may"})
        elif name == "at" and isinstance(literal(argument(node, 1, "event")), str):
            fields = {each.arg for each in node.keywords if each.arg and each.arg not in ("real", "event", "moment")}
            self.event_known(node, literal(argument(node, 1, "event")), fields)
        elif name in ("value", "modify") and isinstance(first, str) and first not in known.values:
            self.add(node, f"there is no value '{first}'{near(first, known.values)}")
        elif name == "put":
            attribute = literal(argument(node, 1, "name"))
            if isinstance(attribute, str) and attribute not in known.attributes:
                hint = near(attribute, known.attributes)
                self.add(node, f"no attribute is called '{attribute}'{hint}: declare it with attribute(kind, name)")
        elif name in ("create", "every", "count") and isinstance(first, str) and first not in known.kinds:
            self.add(node, f"there is no kind of thing called '{first}'{near(first, known.kinds)}")
        elif name in ("overrides", "defers_to"):
            for each in node.args:
                if isinstance(literal(each), str) and not self.rule_known(literal(each)):
                    self.add(node, f"there is no rule {literal(each)}", "warning")
        elif name == "setting" and isinstance(first, str) and first not in self.params:
            self.add(node, f"rule {self.rule} has no number '{first}'{near(first, self.params)}")

    def rule_known(self, number: str) -> bool:
        """Whether a rule, its rows or its section is in the book."""
        return any(id == number or id.startswith((number + "/", number + ".")) for id in self.declared.rules)

    def event_known(self, node: ast.AST, event: str, fields: set[str]) -> None:
        """An event must be declared, with these fields."""
        known = self.declared.events
        if event not in known:
            self.add(node, f"there is no event '{event}'{near(event, known)}")
            return
        for name in sorted(fields - known[event]):
            takes = ", ".join(sorted(known[event])) or "no fields"
            self.add(node, f"event '{event}' has no field '{name}'{near(name, known[event])}; it has {takes}")


def decorator_nodes(node: ast.FunctionDef) -> list[ast.AST]:
    """All nodes within a function's decorators."""
    return [inner for decorator in node.decorator_list for inner in ast.walk(decorator)]


# ---- what a book declares


def kernel_declares() -> Declared:
    """What the kernel itself declares."""
    found = Declared()
    found.kinds = {"game", "player", "applicant", "question"}
    found.events = {
        "apply": {"name"},
        "join": {"who"},
        "remove": {"who", "because", "how"},
        "question-lapses": {"question"},
        "answer": {"who", "question", "answer"},
        "approve-player": {"who", "player"},
        "decline-player": {"who", "player", "because"},
        "pause": {"who", "because", "kind_"},
        "resume": {"who"},
        "grant": {"who", "thing", "attribute", "value", "because"},
        "rule": {"who", "text", "rules"},
    }
    found.actions = {"answer", "approve-player", "decline-player", "pause", "resume", "grant", "rule"}
    found.attributes = set(
        "paused paused_at pause_kind pause_because name asked text options then default deadline secret about answers".split()
    )
    return found


def declared_by(records: Iterable[Record], commons: Iterable[tuple[str, str]] = ()) -> Declared:
    """What all rules of a book and its shared modules declare."""
    found = kernel_declares()
    for _, source in commons:
        tree = parse("commons", source)
        if isinstance(tree, ast.Module):
            collect_shared(tree, found)
    for record in records:
        found.rules.add(record["id"])
        tree = parse(record["id"], record.get("code", ""))
        if isinstance(tree, ast.Module):
            collect(tree, found)
    return found


def collect_shared(tree: ast.Module, found: Declared) -> None:
    """Note the words that a shared module adds to the language, and which of them write."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in functions:
        if not node.name.startswith("_"):
            found.words.add(node.name)
    for _ in range(3):
        for node in functions:
            verbs = {called(inner) for inner in ast.walk(node)}
            if verbs & (WRITING | found.verbs):
                found.verbs.add(node.name)


def collect(tree: ast.Module, found: Declared) -> None:
    """Note what one program declares."""
    for node in ast.walk(tree):
        name = called(node)
        if not isinstance(node, ast.Call) or not name:
            continue
        first = literal(argument(node, 0, "name"))
        keywords = {each.arg for each in node.keywords if each.arg}
        if name == "attribute":
            attribute = literal(argument(node, 1, "name"))
            if isinstance(attribute, str):
                found.attributes.add(attribute)
        elif not isinstance(first, str):
            continue
        elif name == "event":
            found.events[first] = keywords - {"fact", "say"}
        elif name == "calendar":
            found.events[first] = set()
        elif name == "action":
            options = {"label", "by", "fact", "say", "rolls", "in_pause", "hidden", "private"}
            found.events[first] = (keywords - options) | {"who"}
            found.actions.add(first)
        elif name == "kind":
            found.kinds.add(first)
        elif name == "setting" or (name == "value" and is_decorator(node, tree)):
            found.values.add(first)


def is_decorator(call: ast.Call, tree: ast.Module) -> bool:
    """Whether a call stands as a decorator at the top of a program."""
    return any(isinstance(node, ast.FunctionDef) and call in node.decorator_list for node in tree.body)


def orphans(
    after: list[Record], before: dict[str, Record], declared: Declared, touched: set[str]
) -> Iterator[Problem]:
    """Problems that changes make in rules which they do not touch: what those name is declared no more."""
    old = declared_by(before.values())
    lost_events = set(old.events) - set(declared.events)
    lost_values = old.values - declared.values
    lost_attributes = old.attributes - declared.attributes
    lost_kinds = old.kinds - declared.kinds
    if not (lost_events or lost_values or lost_attributes or lost_kinds):
        return
    for record in after:
        if record["id"] in touched or not record.get("code"):
            continue
        tree = parse(record["id"], record["code"])
        if isinstance(tree, Problem):
            continue
        for node in ast.walk(tree):
            name = called(node)
            first = literal(argument(node, 0, "name")) if isinstance(node, ast.Call) else None
            line = getattr(node, "lineno", 0)
            if name in ("on", "after", "check", "instead") and first in lost_events:
                yield Problem("error", record["id"], line, f"it answers to the event '{first}', which would be gone")
            elif name == "do" and first in lost_events:
                yield Problem("warning", record["id"], line, f"it uses the event '{first}', which would be gone")
            elif name == "modify" and first in lost_values:
                yield Problem("error", record["id"], line, f"it modifies the value '{first}', which would be gone")
            elif name == "value" and first in lost_values:
                yield Problem("warning", record["id"], line, f"it uses the value '{first}', which would be gone")
            elif name == "attribute" and first in lost_kinds:
                yield Problem("error", record["id"], line, f"it describes the kind '{first}', which would be gone")
            elif isinstance(node, ast.Attribute) and node.attr in lost_attributes:
                yield Problem("warning", record["id"], line, f"it reads '.{node.attr}', which would be gone")


def mentions(text: str, names: Iterable[str]) -> list[str]:
    """Which of some names a text mentions as words."""
    return [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]

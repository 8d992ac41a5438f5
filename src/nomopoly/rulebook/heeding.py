"""What the answers of rules hang on: which attributes of things the definition of a value, its modifiers and a marker
of the board can read, with all that they call.

What cannot be told from the programs (the time, dice, a function that comes out of a row of a catalogue) hangs on
anything at all. So whoever keeps an answer asks again too often, and never too seldom: each name with a dot counts, of
whatever thing it is read, and a word that several rules lend stands for all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from nomopoly.rulebook.outline import is_word_decorator
from nomopoly.rulebook.trees import program_tree

# Words of the kernel that look at nothing but what they are given, the rulebook, and which things there are.
PLAIN_WORDS = frozenset(
    [
        *("add", "at_least", "at_most", "count", "every", "exists", "factor", "find", "name_of", "percent", "refuse"),
        *("row_of", "rows", "set", "share", "thing", "with_article"),
    ]
)
LISTING = ("count", "every")  # of these, what hangs on which things of a kind there are,
FINDING = ("exists", "find", "thing")  # or on which there are at all
ANY = "*"
ASKING = ("value", "along")  # what hangs on the value that is named
PLAIN_BUILTINS = frozenset(
    [
        *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "frozenset", "int", "isinstance", "len", "list"),
        *("max", "min", "range", "reversed", "round", "sorted", "str", "sum", "tuple", "zip"),
    ]
)
PLAIN_METHODS = frozenset(
    [
        *("capitalize", "count", "endswith", "get", "index", "isdigit", "items", "join", "keys", "lower", "partition"),
        *("removeprefix", "removesuffix", "rpartition", "split", "startswith", "strip", "title", "upper", "values"),
    ]
)
ANSWERS = ("value", "modify", "marker")  # decorators of what answers
ODD = (  # pieces of a function that may do what its names do not say
    *(ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.ClassDef, ast.AsyncFunctionDef),
    *(ast.Import, ast.ImportFrom, ast.With, ast.NamedExpr, ast.Match),
)
Made = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class Reads:
    """What a function says: the names with a dot, the other names that are not its own, the values it asks for, and the
    kinds of things it lists. `odd`: it may read more than that."""

    names: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    odd: bool = False


@dataclass(frozen=True)
class Hangs:
    """On what an answer hangs: the names of attributes, and the kinds of which no thing may come or go; ANY for all."""

    names: frozenset[str]
    kinds: frozenset[str]


@dataclass
class Declared:
    """What one program holds: its functions and constants by name, and what answers. `odd`: not all of that is said."""

    functions: dict[str, list[Reads]] = field(default_factory=dict)
    lent: set[str] = field(default_factory=set)  # of those, the words that other programs may use
    values: dict[str, list[Reads]] = field(default_factory=dict)  # definitions and modifiers
    markers: dict[str, list[Reads]] = field(default_factory=dict)  # by the kind of thing
    odd: bool = False


def own_names(function: Made) -> tuple[set[str], set[str]]:
    """The names that a function gives a meaning, and those of them that are functions written out in it."""
    names, functions = set(), set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.FunctionDef) and node is not function:
            functions.add(node.name)
    return names | functions, functions - names


def reads_of(function: Made) -> Reads:
    """What a function says."""
    own, inner = own_names(function)
    body: list[ast.AST] = [
        function.args,
        *(function.body if isinstance(function, ast.FunctionDef) else [function.body]),
    ]
    names, used, asked, listed, told = set(), set(), set(), set(), set()
    odd = not all(is_fixed(each) for each in [*function.args.defaults, *function.args.kw_defaults] if each is not None)
    for node in (node for part in body for node in ast.walk(part)):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
            odd = odd or not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id not in own:
                used.add(node.id)
                listed |= {ANY} if node.id in LISTING + FINDING and id(node) not in told else set()
                odd = odd or (node.id in ASKING and id(node) not in told)
        elif isinstance(node, ast.Call):
            word = first_word(node)
            if word is not None and called(node) not in own:  # then it is known what is asked for, or listed
                told.add(id(node.func))
                asked |= {word} if called(node) in ASKING else set()
                listed |= {word} if called(node) in LISTING else set()
                listed |= {ANY} if called(node) in FINDING and word != "game" else set()
            odd = odd or not is_plain_call(node, own - inner)
        else:
            odd = odd or isinstance(node, ODD) or (isinstance(node, ast.FunctionDef) and bool(node.decorator_list))
    return Reads(frozenset(names), frozenset(used - set(ASKING)), frozenset(asked), frozenset(listed), odd)


def is_plain_call(call: ast.Call, own: set[str]) -> bool:
    """Whether what is called is named by its name, and what it is given calls nothing that came from elsewhere."""
    if any(isinstance(each.value, ast.Name) and each.arg == "key" and each.value.id in own for each in call.keywords):
        return False
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in PLAIN_METHODS
    return isinstance(call.func, ast.Lambda) or (isinstance(call.func, ast.Name) and call.func.id not in own)


def is_fixed(node: ast.expr) -> bool:
    """Whether an expression is a constant that nobody can change."""
    if isinstance(node, ast.UnaryOp):
        return is_fixed(node.operand)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Tuple) and all(is_fixed(each) for each in node.elts))


def first_word(call: ast.Call) -> str | None:
    """The word that a call is given first, where it is written out."""
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


@lru_cache(4096)
def declared_in(code: str) -> Declared:
    """What a program holds."""
    found = Declared()
    try:
        tree = program_tree(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Declared(odd=True)
    known = set()  # the names of decorators that say what they declare
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            reads = reads_of(node)
            found.functions.setdefault(node.name, []).append(reads)
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name):
                    known |= note_answer(found, decorator, decorator.func, reads)
                if is_word_decorator(decorator):
                    found.lent.add(node.name)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) == "setting":
            found.odd = found.odd or first_word(node.value) is None
            found.values.setdefault(first_word(node.value) or "", []).append(Reads())
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        found.functions.setdefault(name.id, []).append(reads_of_constant(node.value))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                found.functions[alias.asname or alias.name] = [Reads(odd=True)]
                found.odd = found.odd or alias.name == "*"
        else:  # what stands in it may give any name a meaning
            found.odd = found.odd or not isinstance(node, ast.Expr)
    found.odd = found.odd or any(id(name) not in known for name in declaring(tree)) or hides_methods(tree)
    return found


def note_answer(found: Declared, decorator: ast.Call, name: ast.Name, reads: Reads) -> set[int]:
    """Note what a decorated function answers. Returns the name of the decorator, if it says what."""
    about = first_word(decorator)
    if name.id not in ANSWERS or about is None:
        return set()
    (found.markers if name.id == "marker" else found.values).setdefault(about, []).append(reads)
    return {id(name)}


def hides_methods(tree: ast.Module) -> bool:
    """Whether a row of a catalogue may hold a function under the name of a method of words or lists."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return any(
        isinstance(given.value, ast.Lambda) or (isinstance(given.value, ast.Name) and given.value.id in named)
        if given.arg in PLAIN_METHODS
        else given.arg is None and called(call) == "row" and not isinstance(given.value, ast.Name)
        for call in calls
        for given in call.keywords
    )


def declaring(tree: ast.Module) -> list[ast.Name]:
    """The names in a program by which something may be declared that answers; `value` only where it is not asked."""
    nodes = list(ast.walk(tree))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    above = {id(each) for node in nodes if isinstance(node, ast.FunctionDef) for each in node.decorator_list}
    called_again = {id(call.func) for call in calls}
    asked = {id(call.func) for call in calls if id(call) not in above and id(call) not in called_again}
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id in ANSWERS]
    return [name for name in names if name.id != "value" or id(name) not in asked]


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def reads_of_constant(node: ast.expr) -> Reads:
    """What a name at the top of a program stands for."""
    if isinstance(node, ast.Lambda):
        return reads_of(node)
    return Reads(odd=not is_fixed(node))


class Heeding:
    """What answers of a rulebook hang on. `rules` and `commons`: (id, program) of each rule and shared module."""

    def __init__(self, rules: Iterable[tuple[str, str]], commons: Iterable[tuple[str, str]]) -> None:
        self.programs = {id: declared_in(code) for id, code in rules}
        self.shared = [declared_in(code) for _, code in commons]
        self.odd = any(each.odd for each in [*self.programs.values(), *self.shared])
        self.known: dict[tuple[str, str], Hangs | None] = {}

    def of_value(self, name: str) -> Hangs | None:
        """On what a value hangs; None for anything at all."""
        if ("", name) not in self.known:
            self.known["", name] = self.gathered(self.values(name))
        return self.known["", name]

    def of_marker(self, rule: str, kind: str) -> Hangs | None:
        """The same of what a rule draws on things of a kind."""
        if (rule, kind) not in self.known:
            program = self.programs.get(rule, Declared())
            self.known[rule, kind] = self.gathered([(program, each) for each in program.markers.get(kind, ())])
        return self.known[rule, kind]

    def gathered(self, todo: list[tuple[Declared, Reads]]) -> Hangs | None:
        """On what these hang, with all that they use; None where something is not said."""
        if self.odd or not todo:
            return None
        names: set[str] = set()
        kinds: set[str] = set()
        seen = set()
        while todo:
            program, reads = todo.pop()
            if (id(program), id(reads)) in seen:
                continue
            seen.add((id(program), id(reads)))
            if reads.odd:
                return None
            names |= reads.names
            kinds |= reads.listed
            for name in reads.used:
                more = self.meant(program, name)
                if not more and name not in PLAIN_WORDS | PLAIN_BUILTINS | {"rule"}:
                    return None
                todo += more
            for name in reads.asked:
                more = self.values(name)
                if not more:
                    return None
                todo += more
        return Hangs(frozenset(names), frozenset(kinds))

    def values(self, name: str) -> list[tuple[Declared, Reads]]:
        """All that defines or modifies a value."""
        every = [*self.programs.values(), *self.shared]
        return [(program, reads) for program in every for reads in program.values.get(name, ())]

    def meant(self, program: Declared, name: str) -> list[tuple[Declared, Reads]]:
        """What a program may mean by a name: what it says itself, else what others lend."""
        if name in program.functions:
            return [(program, reads) for reads in program.functions[name]]
        lent = [(each, reads) for each in self.shared for reads in each.functions.get(name, ())]
        lending = [each for each in self.programs.values() if name in each.lent]
        return lent + [(each, reads) for each in lending for reads in each.functions[name]]

"""The words of the dialect: what a program may use, what it may not and why, and what has a meaning of its own."""

from __future__ import annotations

import ast

from nomopoly.kernel.dice import chance

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
OF_A_TUPLE = ("count", "index")  # the methods of a row: in the sandbox `row.count(1)` is never what the row holds
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
WHOLE_ALREADY = "a whole number has no parts: use it as it is, or divide with // and %"
NO_BYTES = "values are whole numbers, words, things and tuples of these"
BIT_BY_BIT = "look at a number's bits with %, // and a loop"
LETTER_BY_LETTER = "replace one part after the other with .replace(old, new)"
NOT_IN_THE_SANDBOX = {  # what numbers and words have in Python, and not in the interpreter that carries rules out
    **dict.fromkeys(("real", "imag", "numerator", "denominator", "conjugate", "as_integer_ratio"), WHOLE_ALREADY),
    "is_integer": WHOLE_ALREADY,  # from Python 3.12 on
    **dict.fromkeys(("bit_length", "bit_count"), BIT_BY_BIT),
    **dict.fromkeys(("to_bytes", "from_bytes"), NO_BYTES),
    **dict.fromkeys(("maketrans", "translate"), LETTER_BY_LETTER),
}
EVENT_PARTS = frozenset(["name", "trail", "rule", "via", "result", "but", "to", "caused_by"])
ALWAYS_KNOWN = EVENT_PARTS | {"id", "kind", "section", "title", "text", "since", "numbers"}  # the latter of rules()
for _sort in (str, int, list, tuple, dict, chance):
    ALWAYS_KNOWN |= {name for name in dir(_sort) if not name.startswith("_") and name not in NOT_IN_THE_SANDBOX}
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

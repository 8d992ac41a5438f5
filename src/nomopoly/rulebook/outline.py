"""What programs declare, read from their syntax trees: events and fields, values, attributes, kinds, words."""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from nomopoly.kernel.emergency import declare_emergency
from nomopoly.kernel.index import Program
from nomopoly.kernel.language import WORDS
from nomopoly.kernel.orders import MARKS
from nomopoly.kernel.persons import declare_kernel
from nomopoly.kernel.world import world
from nomopoly.rulebook.readable import look_through
from nomopoly.rulebook.source import Record
from nomopoly.rulebook.trees import program_tree

LONGEST = 100_000  # characters of one program; the shared modules may be longer
KEPT = 4_000  # characters of a program whose tree is kept, one of many
KEPT_LONG = 16_000  # and one of a few: an edition has a handful that are longer than most
MOST_HINTS = 40  # names that were probably meant instead, in one check: to look for one takes milliseconds
WRITING = frozenset(
    [
        "put",
        "create",
        "destroy",
        "do",
        "do_each",
        "tell",
        "fact",
        "note",
        "at",
        "cancel",
        "enact",
        "amend",
        "repeal",
        "change_rulebook",
        "run_once",
        "pause",
        "resume",
        "ask",
        "remove",
        "way_out",
        "carry_out",
        "renew",
    ]
)
ACTION_OPTIONS = frozenset(("label", "by", "fact", "say", *MARKS))
DECLARATIONS = frozenset(
    [
        "event",
        "attribute",
        "kind",
        "setting",
        "calendar",
        "overrides",
        "defers_to",
        "row",
        "catalogue",
        "also_asks",
        "absent",
    ]
)
_kernel_lock = threading.Lock()


@dataclass(frozen=True)
class Unreadable:
    """Why a text is no program, and on which line (0: none in particular)."""

    line: int
    message: str


@dataclass(frozen=True)
class Template:
    """What a shared function declares when a rule calls it at its top: `command("heal", ...)` makes `command-heal`."""

    parameters: frozenset[str]
    events: tuple[tuple[str, str, str, tuple[tuple[str, str], ...]], ...]  # (word, before the id, after it, fields)
    rounds: bool  # fractions may be given


@dataclass(frozen=True)
class Shape:
    """What the definition of a value takes: the kind it is of ("": none), and how many things at least and at most."""

    of: str
    least: int
    most: int | None  # None: any number
    bands: tuple[str, ...] = ()  # the contributions that it takes; (): all


@dataclass
class Declared:
    """What the kernel, the shared modules and all rules of a book declare."""

    words: set[str] = field(default_factory=lambda: set(WORDS))
    given: frozenset[str] = frozenset(WORDS)  # those of the kernel and the shared modules: no rule lends another one
    writing: set[str] = field(default_factory=lambda: set(WRITING))  # words that write
    events: dict[str, dict[str, str]] = field(default_factory=dict)  # event -> field -> kind of its thing, or ""
    actions: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    attributes: dict[str, set[str]] = field(default_factory=dict)  # attribute -> kinds that have it
    kinds: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    needs: dict[str, set[tuple[str, str]]] = field(default_factory=dict)  # shared word -> ("event" or "value", name)
    commons: tuple[tuple[str, str], ...] = ()
    columns: set[str] = field(default_factory=set)  # of the rows of catalogues
    templates: dict[str, Template] = field(default_factory=dict)  # shared words that declare
    also: list[tuple[str, dict[str, str]]] = field(default_factory=list)  # fields added to actions
    shapes: dict[str, list[Shape]] = field(default_factory=dict)  # value -> what each of its definitions takes
    absent: set[tuple[str, str]] = field(
        default_factory=set
    )  # ("event", "value", "word" or kind, name): rules do without
    unlent: set[str] = field(default_factory=set)  # the words among these
    hints: int = MOST_HINTS  # names that are still looked for, of those that nothing declares
    before: dict[str, set[str]] = field(default_factory=dict)  # rule -> what it says that it overrides
    behind: dict[str, set[str]] = field(default_factory=dict)  # rule -> what it says that it defers to
    shown: set[str] = field(default_factory=set)  # attributes that everybody sees, of some kind of thing
    ballots: list[tuple[str, str, list[str]]] = field(
        default_factory=list
    )  # (vote, where it is counted, further fields)
    closing: dict[str, set[str]] = field(
        default_factory=dict
    )  # where votes are counted -> the fields it declares itself

    def copy(self) -> Declared:
        """One that can be added to."""
        return Declared(
            set(self.words),
            self.given,
            set(self.writing),
            dict(self.events),
            set(self.actions),
            set(self.values),
            {name: set(kinds) for name, kinds in self.attributes.items()},
            set(self.kinds),
            set(self.rules),
            dict(self.needs),
            self.commons,
            set(self.columns),
            dict(self.templates),
            list(self.also),
            shapes={name: list(shapes) for name, shapes in self.shapes.items()},
            ballots=list(self.ballots),
            shown=set(self.shown),
            before={id: set(rules) for id, rules in self.before.items()},
            behind={id: set(rules) for id, rules in self.behind.items()},
            absent=set(self.absent),
            unlent=set(self.unlent),
            closing={name: set(fields) for name, fields in self.closing.items()},
        )


def parse(code: object) -> ast.Module | Unreadable:
    """The syntax tree of a program, or why there is none. Takes anything and never raises."""
    if not isinstance(code, str):
        return Unreadable(0, "the program must be text")
    if len(code) > LONGEST:
        return Unreadable(0, f"the program is too long: {len(code)} characters, at most {LONGEST}")
    if len(code) > KEPT:
        return tree_of(code) if len(code) > KEPT_LONG else kept_long_tree(code)
    return kept_tree(code)


@lru_cache(maxsize=1024)
def kept_tree(code: str) -> ast.Module | Unreadable:
    """The same tree again for a short text that was read before; nobody changes it."""
    return tree_of(code)


@lru_cache(maxsize=64)
def kept_long_tree(code: str) -> ast.Module | Unreadable:
    """The same for a longer text."""
    return tree_of(code)


def tree_of(code: str) -> ast.Module | Unreadable:
    """The syntax tree of a text of any length."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = program_tree(code)
    except SyntaxError as error:
        return Unreadable(error.lineno or 0, f"this is not Python: {error.msg}")
    except ValueError:
        return Unreadable(0, "this is not Python: it holds signs that no text may hold")
    except (RecursionError, MemoryError):
        return Unreadable(0, "the program is nested too deeply")
    try:
        look_through(tree)
    except SyntaxError as error:
        return Unreadable(error.lineno or 0, str(error.msg))
    return tree


def called(node: ast.AST) -> str:
    """The plain name that a call calls, or ""."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """An argument of a call by place or name."""
    if len(call.args) > place:
        return call.args[place]
    return next((each.value for each in call.keywords if each.arg == name), None)


def word(node: ast.AST | None) -> str | None:
    """The word that an expression is, or None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def option(call: ast.Call, name: str) -> str | None:
    """The word that a call is given by keyword."""
    return word(argument(call, len(call.args), name))


def first_word(node: ast.AST) -> str | None:
    """The first argument of a call, if it is a word."""
    return word(node.args[0]) if isinstance(node, ast.Call) and node.args else None


def words_in(node: ast.AST | None) -> list[str]:
    """A word, or the words of a tuple."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [found for each in node.elts if (found := word(each)) is not None]
    found = word(node)
    return [] if found is None else [found]


def top_calls(tree: ast.Module) -> Iterable[tuple[ast.Call, bool]]:
    """The calls at the top of a program: (call, whether it is a decorator)."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for each in node.decorator_list:
                if isinstance(each, ast.Call):
                    yield each, True
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value, False
            if isinstance(node.value.func, ast.Call):  # on("land")(function)
                yield node.value.func, True


@cache
def kernel_program() -> Program:
    """What the kernel declares in every game, before any rule."""
    with _kernel_lock:
        program = Program("kernel", -2)
        before, world.loading = world.loading, program
        try:
            declare_kernel()
            declare_emergency()
        finally:
            world.loading = before
    return program


@cache
def kernel_declares() -> Declared:
    """What every game has, before any rule, by name."""
    program = kernel_program()
    found = Declared()
    found.kinds = {kind.name for kind in program.kinds}
    found.events = {plan.name: dict(plan.sorts) for plan in program.events}
    found.actions = {action.name for action in program.actions}
    for attribute in program.attributes:
        found.attributes.setdefault(attribute.name, set()).add(attribute.kind)
        found.shown |= {attribute.name} if "all" in attribute.show else set()
    return found


@lru_cache(maxsize=64)
def shared_declares(commons: tuple[tuple[str, str], ...]) -> Declared:
    """What the kernel and the shared modules declare: the words they add, and which of those write."""
    found = kernel_declares().copy()
    found.commons = commons
    for _, source in commons:
        tree = tree_of(source)
        if isinstance(tree, ast.Module):
            collect(tree, found)
            functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
            for node in functions:
                note_template(node, found)
            found.words |= {node.name for node in functions if not node.name.startswith("_")}
            found.writing = writers(functions, found.writing)
            found.needs.update({node.name: needs_of(node, found.needs) for node in functions})
    found.given = frozenset(found.words)
    return found


def note_template(function: ast.FunctionDef, found: Declared) -> None:
    """Note what a shared function declares for the rules that call it, and the columns of the rows it makes."""
    names = [each.arg for each in function.args.args]
    declares = [node for node in ast.walk(function) if called(node) in (*DECLARATIONS, "action")]
    if not declares or not names:
        return
    events = []
    for call in declares:
        if not isinstance(call, ast.Call):
            continue
        if called(call) == "row":
            found.columns |= {each.arg for each in call.keywords if each.arg} | {"rule"}
            found.columns |= {
                key.value
                for node in ast.walk(function)
                if isinstance(node, ast.Dict)
                for key in node.keys
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
        parts = (
            around(call.args[0], names[0]) if call.args and called(call) in ("event", "action", "also_asks") else None
        )
        if parts is not None:
            fields = {
                each.arg: word(each.value) or ""
                for each in call.keywords
                if each.arg and each.arg not in ACTION_OPTIONS
            }
            events.append((called(call), *parts, tuple(fields.items())))
    rounds = any(called(node) == "rounded" for node in ast.walk(function))
    found.templates[function.name] = Template(frozenset(names), tuple(events), rounds)


def around(node: ast.expr, name: str) -> tuple[str, str] | None:
    """What stands before and after a name in an expression such as `"command-" + id`; a word alone has no after."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value, "!")
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Name) and node.right.id == name:
        return (word(node.left) or "", "")
    return None


def needs_of(function: ast.FunctionDef, known: dict[str, set[tuple[str, str]]]) -> set[tuple[str, str]]:
    """The events and values that a shared function names, itself or through those before it, but for those whose
    absence it looks out for: `can_happen("owe")`, or `rule_since("VI.6")` for all that it names itself."""
    found: set[tuple[str, str]] = set()
    guards = {first_word(node) for node in ast.walk(function) if called(node) == "can_happen"}
    careful = any(called(node) == "rule_since" for node in ast.walk(function))
    for node in ast.walk(function):
        name = called(node)
        first = word(argument(node, 1, "event")) if isinstance(node, ast.Call) and name == "at" else first_word(node)
        if first in guards or (careful and first is not None):
            continue
        if name in ("do", "do_each", "at") and first is not None:
            found.add(("event", first))
        elif name == "value" and first is not None:
            found.add(("value", first))
        found |= known.get(name, set())
    return found


def writers(functions: list[ast.FunctionDef], writing: set[str]) -> set[str]:
    """`writing`, and the functions that use one of those words, directly or through each other."""
    users: dict[str, list[str]] = {}
    names = {node.name for node in functions}
    for node in functions:
        for used in {called(inner) for inner in ast.walk(node)}:
            users.setdefault(used, []).append(node.name)
    found = set(writing) - names
    waiting = list(found & users.keys())
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def declared_by(records: Iterable[Record], commons: Iterable[Iterable[str]] = ()) -> Declared:
    """What all rules of a book and its shared modules declare."""
    programs = tuple((record["id"], record["code"] if isinstance(record["code"], str) else "") for record in records)
    return declared_in(programs, tuple((name, source) for name, source in commons)).copy()


@lru_cache(maxsize=8)
def declared_in(programs: tuple[tuple[str, str], ...], commons: tuple[tuple[str, str], ...]) -> Declared:
    """The same of the programs of rules, (id, code); nobody adds to it. A book is asked about again and again."""
    lenders = tuple(code for _, code in programs if "@word" in code or 'absent("word"' in code)
    found = lent_declares(commons, lenders).copy()
    for id, code in programs:
        found.rules.add(id)
        tree = parse(code)
        if isinstance(tree, ast.Module):
            collect(tree, found)
            for call, _ in top_calls(tree):
                stated = {"overrides": found.before, "defers_to": found.behind}.get(called(call))
                if stated is not None:
                    numbers = [number for each in call.args if (number := word(each)) is not None]
                    stated.setdefault(id, set()).update(numbers)
    for action, fields in found.also:
        if action in found.events:
            found.events[action] = {**fields, **found.events[action]}
    for action, event, further in found.ballots:
        if event in found.events:
            found.closing.setdefault(event, set(found.events[event]))
            added = [name for also, fields in found.also if also == action for name in fields]
            found.events[event] = {**dict.fromkeys((*further, *added), ""), **found.events[event]}
    note_absences(found)
    note_births(found)
    return found


def note_absences(found: Declared) -> None:
    """What rules say of names that none declares: such values, attributes and words are known all the same."""
    for of, name in found.absent:
        if of == "value":
            found.values.add(name)
        elif of == "kind":
            found.kinds.add(name)
        elif of not in ("event", "word"):
            found.attributes[name] = found.attributes.get(name, set()) | {of}


def note_births(found: Declared) -> None:
    """Note the events by which rules hear that a thing is made (`create-flag`, and `create` for every kind) or goes
    (`destroy-flag`, and `destroy`)."""
    kinds = found.kinds - kernel_declares().kinds
    fields: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for name, owners in found.attributes.items():
        for kind in owners & kinds:
            fields[kind][name] = ""
    every: dict[str, str] = {}
    for kind in sorted(kinds):
        own = {**fields[kind], "kind": "", "id": "", "given": "", "thing": kind, kind: kind}
        every |= own
        found.events.setdefault(f"create-{kind}", own)
        found.events.setdefault(f"destroy-{kind}", {kind: kind})
    if kinds:
        found.events.setdefault("create", every)
        found.events.setdefault("destroy", {"thing": ""})


def decorated(tree: ast.Module, name: str) -> Iterable[tuple[ast.FunctionDef, ast.Call]]:
    """The functions of a program under a decorator of this name, each with the decorator."""
    for node in tree.body:
        for each in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if called(each) == name and isinstance(node, ast.FunctionDef) and isinstance(each, ast.Call):
                yield node, each


def takes_of(function: ast.FunctionDef) -> tuple[int, int | None]:
    """How many positional arguments a function takes at least and at most."""
    every = len(function.args.posonlyargs) + len(function.args.args)
    return every - len(function.args.defaults), None if function.args.vararg else every


def collect(tree: ast.Module, found: Declared) -> None:
    """Note what one program declares."""
    for function, call in decorated(tree, "value"):
        name = first_word(call)
        if name is not None:
            of, bands = word(argument(call, 1, "of")) or "", tuple(words_in(argument(call, 2, "bands")))
            found.shapes.setdefault(name, []).append(Shape(of, *takes_of(function), bands))
    for call, decorator in top_calls(tree):
        name = called(call)
        first = first_word(call)
        if name == "attribute":
            note_attribute(call, found)
        elif first is None:
            continue
        elif name in NOTED:
            NOTED[name](call, first, found)
        elif name in found.templates:
            note_made(call, first, found)
        elif name == "setting" or (name == "value" and decorator):
            found.values.add(first)
            if name == "setting":
                found.shapes.setdefault(first, []).append(Shape("", 0, 0))


def note_attribute(call: ast.Call, found: Declared) -> None:
    """Note an attribute: of which kinds, and whether everybody sees it."""
    attribute = word(argument(call, 1, "name"))
    if attribute is not None:
        found.attributes.setdefault(attribute, set()).update(words_in(argument(call, 0, "kind")))
        shown_to = words_in(argument(call, 4, "show"))
        if not shown_to or "all" in shown_to:
            found.shown.add(attribute)


def note_event(call: ast.Call, name: str, found: Declared) -> None:
    """Note an event with its fields."""
    found.events[name] = {
        each.arg: "" if word(each.value) == "moment" else word(each.value) or ""
        for each in call.keywords
        if each.arg and each.arg not in ("fact", "say", "notify")
    }


def note_action(call: ast.Call, name: str, found: Declared) -> None:
    """Note an action, which is an event with the fields of its form; and the ballot that it casts, if it does."""
    fields = form_fields(call, ACTION_OPTIONS)
    found.events[name] = {"who": "player", **fields}
    found.actions.add(name)
    counted_at = option(call, "ballot")
    if counted_at is not None:
        found.ballots.append((name, counted_at, list(fields)[2:]))


def note_made(call: ast.Call, first: str, found: Declared) -> None:
    """Note what a shared word declares that is called at the top, `unit("elf", ...)`."""
    template = found.templates[called(call)]
    given = form_fields(call, template.parameters)
    for sort, before, after, fields in template.events:
        if sort == "also_asks":
            found.also.append((before, given))
            continue
        event = before if after else before + first
        found.events[event] = {"who": "player", **dict(fields), **given}
        if sort == "action":
            found.actions.add(event)


NOTED: dict[str, Callable[[ast.Call, str, Declared], object]] = {  # declaration -> what notes it
    "event": note_event,
    "calendar": lambda call, name, found: found.events.setdefault(name, {}),
    "action": note_action,
    "absent": lambda call, of, found: found.absent.update((of, each) for each in words_given(call.args[2:])),
    "kind": lambda call, name, found: found.kinds.add(name),
    "row": lambda call, name, found: found.columns.update(["rule", *(each.arg for each in call.keywords if each.arg)]),
    "also_asks": lambda call, action, found: found.also.append((action, form_fields(call, frozenset()))),
}


def words_given(nodes: list[ast.expr]) -> list[str]:
    """Those of some arguments that are words."""
    return [each for node in nodes if (each := word(node)) is not None]


def form_fields(call: ast.Call, others: frozenset[str]) -> dict[str, str]:
    """The keywords of a call that are fields of a form, with the kind of thing each takes."""
    return {
        each.arg: (first_word(each.value) or "") if called(each.value) == "choose" else ""
        for each in call.keywords
        if each.arg and each.arg not in others
    }


# ---- words that rules lend


def is_word_decorator(node: ast.AST) -> bool:
    """Whether a decorator is `@word`."""
    return isinstance(node, ast.Name) and node.id == "word"


def is_word(node: ast.AST) -> bool:
    """Whether a statement is a function that its rule lends to all rules."""
    return isinstance(node, ast.FunctionDef) and any(is_word_decorator(each) for each in node.decorator_list)


def lent_functions(code: object) -> list[ast.FunctionDef]:
    """The functions that a program lends, in order."""
    tree = parse(code) if isinstance(code, str) and "@word" in code else None
    body = tree.body if isinstance(tree, ast.Module) else []
    return [node for node in body if isinstance(node, ast.FunctionDef) and is_word(node)]


def absent_words(code: str) -> list[str]:
    """The words of which a program says what holds where no rule lends them."""
    tree = parse(code) if 'absent("word"' in code else None
    calls = [call for call, _ in top_calls(tree) if called(call) == "absent"] if isinstance(tree, ast.Module) else []
    return [
        name
        for call in calls
        if first_word(call) == "word"
        for node in call.args[2:]
        if (name := word(node)) is not None
    ]


@lru_cache(maxsize=32)
def lent_declares(commons: tuple[tuple[str, str], ...], codes: tuple[str, ...]) -> Declared:
    """What the kernel and the shared modules declare, and the words that programs lend: their names and parameters,
    which of them write, and what those declare that do."""
    found = shared_declares(commons).copy()
    stubs = []
    functions: list[ast.FunctionDef] = []
    for code in codes:
        tree = parse(code)
        own = [node for node in getattr(tree, "body", ()) if isinstance(node, ast.FunctionDef)]
        functions += own
        for node in [each for each in own if is_word(each)]:
            found.words.add(node.name)
            note_template(node, found)
            stubs.append(f"def {node.name}({ast.unparse(node.args)}): ...\n")
    missing = [name for code in codes for name in absent_words(code) if name not in found.words]
    found.unlent = set(missing)
    found.words |= found.unlent
    stubs += [f"def {name}(*of, **more): ...\n" for name in dict.fromkeys(missing)]
    if stubs:
        found.writing = writers(functions, found.writing)
        found.commons = (*found.commons, ("words of rules", "".join(stubs)))
    return found

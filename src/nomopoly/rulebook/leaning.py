"""What rules lean on: the attributes that programs read of things of which kind, the named things, and the shared
words.

The check of one program takes a name with a dot for known as soon as anything has it. When a rule goes, that is not
enough: what reads `who.speeding` breaks although an event still has a field `speeding`. Here the kind of thing is
inferred, as far as a program says it; by the name of a variable (`place`, `who`) where it does not, which makes a
warning of the error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from nomopoly.rulebook.outline import Declared, argument, called, collect, decorated, first_word, parse, tree_of, word
from nomopoly.rulebook.source import Record

STATIONS = ("check", "instead", "on", "after", "action")
NAMED = {
    **dict.fromkeys(("place", "square", "goal", "spot"), "square"),
    **dict.fromkeys(("who", "player", "buyer", "seller", "author", "victim"), "player"),
}  # what a variable of this name holds, where nothing else says it
LISTS = {"players": "player", "squares": "square", "everybody": "player"}  # words that list things of a kind
GUARDS = ("can_happen", "traits", "attribute_of", "rule_since")
EVENT = "(event)"  # the kind of what stands for an event


@dataclass(frozen=True)
class Use:
    """A program reads an attribute (`sort` "attribute") of a thing of a kind ("": unknown), names a thing (`sort`
    "thing"), or uses a shared word (`sort` "word"). `sure`: the program itself says what kind it is."""

    sort: str
    name: str
    kind: str
    line: int
    sure: bool = True
    guards: frozenset[str] = frozenset()  # the names whose absence the function around it looks out for


class Reader:
    """Reads what one function, or the top of a program, leans on."""

    def __init__(self, declared: Declared, function: ast.AST, kinds: dict[str, str]) -> None:
        self.declared = declared
        self.function = function
        self.kinds = kinds  # variable -> kind of what it holds
        self.events: dict[str, list[str]] = {}  # variable -> the events that it may stand for
        self.guessed: set[str] = set()  # variables whose kind is only guessed by their names
        self.guards = guards_of(function)

    def uses(self) -> list[Use]:
        """All of them, in order of lines."""
        for _ in range(2):
            for node in ast.walk(self.function):
                self.note_binding(node)
        called_methods = {
            id(node.func) for node in ast.walk(self.function) if isinstance(node, ast.Call)
        }  # what is called is a method
        found = []
        for node in ast.walk(self.function):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in called_methods:
                found += self.read(node, node.value, node.attr)
            elif called(node) == "put" and isinstance(node, ast.Call):
                name = word(argument(node, 1, "name"))
                if name is not None and node.args:
                    found += self.read(node, node.args[0], name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.declared.needs:
                found.append(Use("word", node.id, "", node.lineno, guards=self.guards))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1] == "$":
                found.append(Use("thing", node.value, "", node.lineno, guards=self.guards))
        return sorted(found, key=lambda each: (each.line, each.name))

    def read(self, node: ast.expr, base: ast.expr, name: str) -> list[Use]:
        """An attribute that is read or written, unless it is a part of an event."""
        kind = self.kind_of(base)
        if kind == EVENT or (isinstance(base, ast.Name) and base.id in ("rule", "chance")):
            return []
        sure = not (isinstance(base, ast.Name) and base.id in self.guessed)
        return [Use("attribute", name, kind, node.lineno, sure, self.guards)]

    def note_binding(self, node: ast.AST) -> None:
        """Remember the kind of what a variable is given."""
        target: ast.AST | None = None
        kind = ""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, kind = node.targets[0], self.kind_of(node.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            target, kind = node.target, self.kind_in(node.iter)
        elif isinstance(node, ast.NamedExpr):
            target, kind = node.target, self.kind_of(node.value)
        if isinstance(target, ast.Name):
            if kind:
                self.kinds[target.id] = kind
                self.guessed.discard(target.id)
            elif target.id not in self.kinds and target.id in NAMED:
                self.kinds[target.id] = NAMED[target.id]
                self.guessed.add(target.id)

    def kind_of(self, node: ast.expr) -> str:
        """The kind of what an expression is, or ""."""
        if isinstance(node, ast.Name):
            if node.id in self.kinds:
                return self.kinds[node.id]
            if node.id in NAMED or node.id in self.declared.kinds:
                self.guessed.add(node.id)
                return NAMED.get(node.id, node.id)
            return EVENT if node.id in ("e", "event", "cause") else ""
        if isinstance(node, ast.Attribute):
            return self.kind_of_part(node)
        if isinstance(node, ast.Call):
            name, first = called(node), first_word(node)
            if name == "create":
                return first or ""
            if name == "square":
                return "square"
            if name == "thing" and first == "game":
                return "game"
            if name in ("to", "but"):
                return EVENT
            return self.kind_in(node.args[0]) if method_of(node) == "pick" and node.args else ""
        if isinstance(node, ast.Subscript):
            return self.kind_in(node.value)
        if isinstance(node, ast.IfExp):
            return self.kind_of(node.body) or self.kind_of(node.orelse)
        if isinstance(node, ast.BoolOp):
            return next((kind for each in node.values if (kind := self.kind_of(each))), "")
        return ""

    def kind_of_part(self, node: ast.Attribute) -> str:
        """The kind of what a field of an event or an attribute of a thing holds."""
        base = self.kind_of(node.value)
        if base == EVENT:
            own = self.events.get(node.value.id, []) if isinstance(node.value, ast.Name) else []
            plans = [self.declared.events.get(name, {}) for name in own] or self.declared.events.values()
            kinds = {fields[node.attr] for fields in plans if node.attr in fields} - {""}
            return kinds.pop() if len(kinds) == 1 else ""
        return node.attr if node.attr in self.declared.kinds and node.attr in self.declared.attributes else ""

    def kind_in(self, node: ast.expr) -> str:
        """The kind of what a list holds, or ""."""
        if isinstance(node, ast.Call):
            name = called(node)
            if name == "every":
                return first_word(node) or ""
            if name in LISTS:
                return LISTS[name]
            if name in ("sorted", "list", "tuple", "reversed") and node.args:
                return self.kind_in(node.args[0])
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.kind_of(node.elt)
        if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            return self.kind_of(node.elts[0])
        return ""


def method_of(call: ast.Call) -> str:
    """The name of the method that a call calls, or ""."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def guards_of(function: ast.AST) -> frozenset[str]:
    """The names whose absence a function looks out for: `can_happen("owe")`, `"toll" in traits("square")`."""
    found = set()
    for node in ast.walk(function):
        if called(node) in GUARDS and isinstance(node, ast.Call):
            found |= {text for each in node.args if (text := word(each)) is not None}
        elif isinstance(node, ast.Compare) and any(called(each) == "traits" for each in node.comparators):
            text = word(node.left)
            found |= {text} if text is not None else set()
    return frozenset(found)


def uses_of(code: str, declared: Declared) -> list[Use]:
    """What a rule's program leans on."""
    tree = parse(code)
    if not isinstance(tree, ast.Module):
        return []
    given = given_to(tree, declared)
    found: list[Use] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            reader = Reader(declared, node, dict(given.get(node.name, {})))
            for each in node.decorator_list:
                event = first_word(each) if called(each) in STATIONS else None
                if event is not None and node.args.args:
                    reader.events.setdefault(node.args.args[0].arg, []).append(event)
            found += reader.uses()
        else:
            found += Reader(declared, node, {}).uses()
    return found


def given_to(tree: ast.Module, declared: Declared) -> dict[str, dict[str, str]]:
    """What is known of the parameters of the functions of a program: {function: {parameter: kind}}."""
    found: dict[str, dict[str, str]] = {}
    for station in STATIONS:
        for function, _ in decorated(tree, station):
            if function.args.args:
                found[function.name] = {function.args.args[0].arg: EVENT}
    for sort in ("value", "modify", "marker"):
        for function, call in decorated(tree, sort):
            name = first_word(call) or ""
            shapes = declared.shapes.get(name, [])
            of = name if sort == "marker" else next((shape.of for shape in shapes if shape.of), "")
            if function.args.args and of:
                found[function.name] = {function.args.args[0].arg: of}
    return found


@lru_cache(maxsize=64)
def needs_of_words(commons: tuple[tuple[str, str], ...], kinds: frozenset[str]) -> dict[str, frozenset[Use]]:
    """What each shared word leans on, itself or through others: attributes and named things, without the lines."""
    declared = Declared(kinds=set(kinds))
    functions: dict[str, ast.FunctionDef] = {}
    for _, source in commons:
        tree = tree_of(source)
        if isinstance(tree, ast.Module):
            functions |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    declared.needs = {name: set() for name in functions}
    own: dict[str, set[Use]] = {}
    uses: dict[str, dict[str, frozenset[str]]] = {}
    for name, function in functions.items():
        found = Reader(declared, function, {}).uses()
        own[name] = {
            Use(each.sort, each.name, each.kind, 0, False, each.guards) for each in found if each.sort != "word"
        }
        uses[name] = {each.name: each.guards for each in found if each.sort == "word" and each.name != name}
    changed = True
    while changed:
        changed = False
        for name in functions:
            for other, guards in uses[name].items():
                more = {Use(each.sort, each.name, each.kind, 0, False, each.guards | guards) for each in own[other]}
                known = {(each.sort, each.name, each.kind) for each in own[name]}
                fresh = {each for each in more if (each.sort, each.name, each.kind) not in known}
                if fresh:
                    own[name] |= fresh
                    changed = True
    return {name: frozenset(each) for name, each in own.items()}


def named_things(records: Iterable[Record]) -> dict[str, set[str]]:
    """The things that rules make under a name of their own, `create("account", id="$admin")`: {id: the rules}."""
    found: dict[str, set[str]] = {}
    for record in records:
        for id, _ in things_named_in(record["code"]):
            found.setdefault(id, set()).add(record["id"])
    return found


def lasting_things(records: Iterable[Record], kinds: set[str]) -> set[str]:
    """Those that are there since the game began, and stay when the rule goes that made them: of these kinds."""
    made = {id: kind for record in records for id, kind in things_named_in(record["code"], at_first=True)}
    return {id for id, kind in made.items() if kind in kinds}


@lru_cache(maxsize=4096)
def things_named_in(code: str, at_first: bool = False) -> frozenset[tuple[str, str]]:
    """The names of the things that a program makes under a name of their own, each with its kind; `at_first`: only of
    those that it makes as soon as a game begins."""
    tree = parse(code) if '"$' in code or "'$" in code else None
    nodes: list[ast.AST] = [tree] if isinstance(tree, ast.Module) else []
    if at_first and isinstance(tree, ast.Module):
        stations = [(node, call) for sort in ("on", "after") for node, call in decorated(tree, sort)]
        nodes = [node for node, call in stations if first_word(call) == "open"]
    made = [
        (word(argument(node, 1, "id")), first_word(node) or "")
        for top in nodes
        for node in ast.walk(top)
        if called(node) == "create" and isinstance(node, ast.Call)
    ]
    return frozenset((id, kind) for id, kind in made if id is not None and id[:1] == "$")


@dataclass
class Lost:
    """What is declared no more, after some changes of a book."""

    attributes: dict[str, set[str]]  # attribute -> the kinds of things that no longer have it
    entirely: set[str]  # attributes that nothing has any more
    things: set[str]  # named things that no rule makes any more
    names: set[str]  # all of these, the events, values and rules that went: who looks out for one of them is safe
    makers: dict[str, str]  # what is lost -> the rule that declared it
    words: dict[str, list[Use]] | None = None  # the shared words that lean on it, once asked for

    def __bool__(self) -> bool:
        return bool(self.attributes or self.things)


def lost_between(before: Declared, after: Declared, old: list[Record], new: list[Record]) -> Lost:
    """What a book declared, and declares no more."""
    gone_kinds = before.kinds - after.kinds  # there are no things of these: none of them lacks anything
    attributes = {
        name: lacking
        for name, kinds in before.attributes.items()
        if (lacking := kinds - after.attributes.get(name, set()) - gone_kinds)
    }
    made, makes = named_things(old), named_things(new)
    things = set(made) - set(makes) - lasting_things(old, after.kinds)
    names = {*attributes, *things, *(set(before.events) - set(after.events)), *(before.values - after.values)}
    names |= {name for name, kinds in before.attributes.items() if kinds - after.attributes.get(name, set())}
    names |= gone_kinds
    gone = [record for record in old if record not in new]
    makers: dict[str, str] = {}
    for record in gone:
        own = Declared()
        tree = parse(record["code"])
        if isinstance(tree, ast.Module):
            own.templates = before.templates
            collect(tree, own)
        id: str = record["id"]
        for name in {*own.attributes, *own.events, *own.values, *own.kinds} & names:
            makers[name] = id
    makers |= {name: min(made[name]) for name in things}
    return Lost(
        attributes,
        {name for name in attributes if not after.attributes.get(name)},
        things,
        names | (before.rules - after.rules),
        makers,
    )


def leaning(record: Record, before: Declared, lost: Lost) -> list[tuple[str, int, str]]:
    """Where an untouched rule leans on what is lost: (level, line, what breaks there)."""
    code, words = record["code"], words_that_need(lost, before)
    if not any(name in code for name in (*lost.attributes, *lost.things, *words)):
        return []
    found = []
    for use in uses_of(code, before):
        if use.guards & lost.names:
            continue
        if use.sort == "word":
            found += [
                ("warning", use.line, f"{use.name}(...) needs {told(each)}{by(lost, each.name)}")
                for each in words.get(use.name, ())
            ]
        elif is_lost(use, lost) and not hidden(use, before):
            certain = use.sort == "attribute" and use.sure and bool(use.kind or use.name in lost.entirely)
            found.append(("error" if certain else "warning", use.line, f"{told(use)} is gone{by(lost, use.name)}"))
    return found


def words_that_need(lost: Lost, before: Declared) -> dict[str, list[Use]]:
    """The shared words that lean on what is lost, and on what of it."""
    if lost.words is None:
        needs = needs_of_words(before.commons, frozenset(before.kinds))
        lost.words = {
            name: sorted(wanted, key=lambda each: (each.sort, each.name, each.kind))
            for name, uses in needs.items()
            if (
                wanted := {
                    each
                    for each in uses
                    if is_lost(each, lost) and not each.guards & lost.names and not hidden(each, before)
                }
            )
        }
    return lost.words


def is_lost(use: Use, lost: Lost) -> bool:
    """Whether what is used is gone."""
    if use.sort == "thing":
        return use.name in lost.things
    kinds = lost.attributes.get(use.name, set())
    return use.kind in kinds if use.kind else bool(kinds)


def hidden(use: Use, before: Declared) -> bool:
    """Whether it may as well be a column of a row that is read: then nothing is known."""
    return use.sort == "attribute" and not use.kind and use.name in before.columns


def told(use: Use) -> str:
    """What is used, in words."""
    if use.sort == "thing":
        return f"the thing '{use.name}'"
    return f"the attribute '{use.name}'" + (f" of {a(use.kind)}" if use.kind else "")


def a(kind: str) -> str:
    """A kind of thing with its article."""
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def by(lost: Lost, name: str) -> str:
    """Who made it, as the end of a sentence."""
    return f" (rule {lost.makers[name]} declares it)" if name in lost.makers else ""

"""What may stand at the top of a rule."""

from __future__ import annotations

import ast

from nomopoly.kernel.index import BANDS
from nomopoly.rulebook.dialect.names import Names
from nomopoly.rulebook.dialect.vocabulary import (
    DECORATORS,
    EVENTS_OWN,
    FIELDS,
    FIXED_CALLS,
    FORBIDDEN_NODES,
    MUTABLE,
    NO_MEMORY,
)
from nomopoly.rulebook.outline import (
    ACTION_OPTIONS,
    Shape,
    argument,
    called,
    decorated,
    first_word,
    is_word_decorator,
    takes_of,
    word,
)


class Top(Names):
    """Looks at declarations, decorators and constants."""

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
            elif name == "action" and part.arg == "notify" and isinstance(part.value, (ast.Constant, ast.Tuple)):
                self.add(part.value, "an action has no notify=: let it do(...) an event that has")
            elif name == "action" and part.arg not in ACTION_OPTIONS and isinstance(part.value, ast.Constant):
                self.add(
                    part.value, f"'{part.arg}' is a field of the form: say which, such as words(...) or number(...)"
                )

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
            self.check_bands(function, name, shapes)
        for function, call in decorated(tree, "marker"):
            least, most = takes_of(function)
            if least > 1 or most == 0:
                self.add(function, f"{function.name} gets what is marked: def {function.name}({first_word(call)}):")

    def check_bands(self, function: ast.FunctionDef, name: str, shapes: list[Shape]) -> None:
        """A modifier returns what the value takes, where all its definitions say what that is."""
        if not shapes or not all(shape.bands for shape in shapes):
            return
        taken = {band for shape in shapes for band in shape.bands}
        takes = ", ".join([f"{band}(...)" for band in BANDS if band in taken])
        for node in ast.walk(function):
            band = called(node)
            if band in BANDS and band not in taken and not self.bound(band):
                self.add(node, f"'{name}' takes no {band}(...), only {takes}")

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
                elif each.arg in ("least", "most") and self.is_function(each.value):
                    self.add(each.value, f"{each.arg}= is a whole number, no function: refuse the rest in the action")

    def is_function(self, node: ast.expr) -> bool:
        """Whether a function is handed over, and not what it returns."""
        return isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in self.functions)

    def check_reading(self, function: ast.AST, why: str) -> None:
        """Nothing that only reads may write or roll."""
        verb = "only reads" if why.startswith("@") else "may only read"
        for inner in ast.walk(function):
            name = called(inner)
            if name in self.writing:
                self.add(inner, f"{why} {verb}: {name}(...) belongs into @on, @after or an action")
            elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "chance":
                self.add(inner, f"{why} {verb}: roll in @on, @after or an action")


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

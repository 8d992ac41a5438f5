"""Calls of the language: what they name has to be there, and what they are given has to fit."""

from __future__ import annotations

import ast
import keyword

from nomopoly.kernel.world import covers
from nomopoly.rulebook.dialect.names import Names, keywords_of
from nomopoly.rulebook.dialect.top import how_many
from nomopoly.rulebook.dialect.vocabulary import CHANGING, OF_A_TUPLE, OUT_OF_REACH
from nomopoly.rulebook.outline import (
    argument,
    called,
    first_word,
    word,
    words_in,
)


class Calls(Names):
    """One method for each word of which there is something to say, `check_put_call` for put(...)."""

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

    def check_held(self, node: ast.Call) -> None:
        """A row that holds a function has no name for it that a method has: not every interpreter tells them apart."""
        for each in node.keywords:
            function = isinstance(each.value, ast.Lambda) or getattr(each.value, "id", None) in self.functions
            if function and each.arg in OF_A_TUPLE:
                self.add(
                    each.value,
                    f"'{each.arg}' is the name of a method: choose another one for what holds a function",
                )

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

    def check_every_call(self, node: ast.Call) -> None:
        """`every("square")`."""
        kind = first_word(node)
        if kind is not None:
            self.kind_known(node, kind)

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
        """`absent("player", 0, "debts")`: of an event, a value, a word or a kind of thing; then what holds, and the
        names."""
        of = word(argument(node, 0, "of"))
        if of is None or len(node.args) < 3 or any(word(each) is None for each in node.args[2:]):
            self.add(
                node,
                'absent("value", 0, "toll") says of what sort a name is, what holds where no rule declares it, and '
                "the names",
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

    check_repr_call = check_refuse_call = check_name_of_call = check_str_call
    check_count_call = check_marker_call = check_every_call
    check_defers_to_call = check_overrides_call
    check_amend_call = check_repeal_call

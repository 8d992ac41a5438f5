"""The program that sentences make: ordinary rule code in one normal form, its numbers named.

What a part means in the program stands in tables, by its name; the reader (`read`) goes the same way back.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Callable
from typing import Any

from nomopoly.rulebook.wording.sentence import Part, Sentence
from nomopoly.rulebook.wording.spelling import CALLS, CHANGES, MATH, STATIONS

NO_FIELDS = ("name", "takes")  # of a field of a button: what is no argument


class Unwritable(Exception):
    """A part that no program can be made of: it is incomplete, or holds what no program may hold."""


def program(sentences: list[Sentence]) -> tuple[str, dict[str, Any]]:
    """The code and the named numbers of a rule.

    Declarations come first, in the order in which they are used. Raises Unwritable where a sentence is incomplete.
    """
    order = ("kind", "attribute", "event", "row", "every", "button", "when", "value")
    blocks, names = [], Names()
    for sentence in sorted(sentences, key=lambda each: order.index(each["form"]) if each["form"] in order else 9):
        blocks += blocks_of(sentence, names)
    numbers: dict[str, Any] = {}
    for sentence in sentences:
        note_numbers(sentence, numbers)
    text = ""
    was_line = True
    for block in blocks:
        line = "\n" not in block and not block.startswith("@")
        text += ("" if not text else "\n" if line and was_line else "\n\n\n") + block
        was_line = line
    return text, numbers


def note_numbers(part: object, found: dict[str, Any]) -> None:
    """Note the named numbers within a part."""
    if isinstance(part, dict):
        named = part.get("name") if part.get("is") == "number" else ""
        if named and found.setdefault(named, part["value"]) != part["value"]:
            raise Unwritable(f"the number {named} has two values")
        for each in part.values():
            note_numbers(each, found)
    elif isinstance(part, list):
        for each in part:
            note_numbers(each, found)


class Names:
    """The names of the functions of one program."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def free(self, wanted: str) -> str:
        """This name, or the next like it."""
        name = re.sub(r"\W+", "_", wanted).strip("_").lower() or "rule"
        name = name if name.isidentifier() and name.isascii() and not keyword.iskeyword(name) else "rule_part"
        at = 2
        found = name
        while found in self.taken:
            found = f"{name}_{at}"
            at += 1
        self.taken.add(found)
        return found


# ---- sentences


def blocks_of(sentence: Sentence, names: Names) -> list[str]:
    """What a sentence is in a program: declarations, one a block, and functions."""
    writer = WRITERS.get(sentence.get("form", ""))
    if writer is None:
        raise Unwritable(f"there is no form {sentence.get('form')}")
    try:
        return writer(sentence, names)
    except (KeyError, TypeError, AttributeError) as error:
        raise Unwritable(f"the sentence is incomplete: {error}") from None


def when_blocks(sentence: Sentence, names: Names) -> list[str]:
    """A rule that waits at one of the stations of an event."""
    how = sentence["how"]
    prefix = {"after": "after", "instead": "instead_of", "forbidden": "may", "on": "do"}[how]
    name = names.free(f"{prefix}_{sentence['event']}" if sentence["event"] != "*" else f"{prefix}_anything")
    return [f"@{STATIONS[how]}({quoted(sentence['event'])})\n" + function(name, ["e"], sentence)]


def further(sentence: Sentence) -> list[str]:
    """The options of a declaration that nobody can choose on a page."""
    given = []
    for name, each in sentence.get("more", {}).items():
        if name == "kind":  # stands first already
            continue
        code = words_code(each) if isinstance(each, list) else quoted(each) if isinstance(each, str) else each
        code = f"rule.{each['name']}" if isinstance(each, dict) else code
        given.append(f"{name}={code}")
    return given


def every_blocks(sentence: Sentence, names: Names) -> list[str]:
    """A moment of the calendar, and what happens then."""
    given = [quoted(sentence["moment"])]
    named = sentence.get("more", {})
    given += [f"weekday={int(sentence['weekday'])}"] if sentence["weekday"] != -1 and "weekday" not in named else []
    given += [f"{part}={int(sentence[part])}" for part in ("hour", "minute") if sentence[part] and part not in named]
    given += further(sentence)
    name = names.free(f"do_{sentence['moment']}")
    return [f"calendar({', '.join(given)})", f"@on({quoted(sentence['moment'])})\n" + function(name, ["e"], sentence)]


def button_blocks(sentence: Sentence, names: Names) -> list[str]:
    """An action of players."""
    given = [quoted(sentence["action"]), quoted(sentence["label"])]
    if sentence["say"]:
        given += [f"fact={quoted(sentence['action'])}", f"say={quoted(sentence['say'])}"]
    given += ["private=True"] if sentence.get("secret") else []
    given += [f"{plain_name(each['name'])}={field_code(each)}" for each in sentence["fields"]]
    line = f"@action({', '.join(given)})"
    if len(line) > 100:
        line = "@action(\n" + "".join([f"    {each},\n" for each in given]) + ")"
    return [line + "\n" + function(names.free(f"do_{sentence['action']}"), ["e"], sentence)]


def field_code(each: Part) -> str:
    """A field of a form."""
    takes, label = each["takes"], quoted(each["label"])
    more = ["optional=True"] if each.get("optional") else []
    if takes == "choose":
        return f"choose({', '.join([quoted(each['kind']), label, *more])})"
    if takes == "one_of":
        return f"one_of({', '.join([words_code(each['options']), label, *more])})"
    if takes == "words":
        limit = f"limit={int(each['limit'])}"
        return f"words({', '.join([label, limit, *more])})"
    if takes == "number":
        most = [f"most={number_code(each['most'])}"] if each["most"] is not None else []
        least = f"least={number_code(each['least'])}"
        return f"number({', '.join([label, least, *most, *more])})"
    if takes == "yes_or_no":
        return f"yes_or_no({label})"
    raise Unwritable(f"no field takes {takes}")


def words_code(words: list[str]) -> str:
    """A tuple of words."""
    return "(" + ", ".join([quoted(each) for each in words]) + ("," if len(words) == 1 else "") + ")"


def value_blocks(sentence: Sentence, names: Names) -> list[str]:
    """A rule that bends a value."""
    name = names.free(f"bend_{sentence['value']}")
    return [f"@modify({quoted(sentence['value'])})\n" + function(name, [*sentence["as"], "base"], sentence)]


def attribute_blocks(sentence: Sentence, names: Names) -> list[str]:
    """An attribute of all things of a kind."""
    kinds = sentence.get("more", {}).get("kind")
    given = [words_code(kinds) if kinds else quoted(sentence["kind"])]
    given += [quoted(sentence["name"]), literal(sentence["default"])]
    given += [f"{part}={quoted(sentence[part])}" for part in ("label", "type") if sentence[part]]
    given += [f"show={quoted(sentence['show'])}"] if sentence["show"] != "all" else []
    given += ["summary=True"] if sentence["summary"] else []
    given += further(sentence)
    return [f"attribute({', '.join(given)})"]


def row_blocks(sentence: Sentence, names: Names) -> list[str]:
    """A row of a catalogue, made by the word that declares such rows."""
    given = [quoted(sentence["id"]), quoted(sentence["name"])]
    given += [f"{plain_name(name)}={expression(each)}" for name, each in sentence["columns"].items()]
    line = f"{plain_name(sentence['catalogue'])}({', '.join(given)})"
    if len(line) > 100:
        line = f"{plain_name(sentence['catalogue'])}(\n" + "".join([f"    {each},\n" for each in given]) + ")"
    return [line]


def event_blocks(sentence: Sentence, names: Names) -> list[str]:
    """An event."""
    given = [quoted(sentence["event"])]
    given += [quoted(sentence["fact"])] if sentence["fact"] else []
    given += [f"say={quoted(sentence['say'])}"] if sentence["say"] else []
    given += [f"{plain_name(name)}={quoted(kind)}" for name, kind in sentence["fields"].items()]
    given += further(sentence)
    return [f"event({', '.join(given)})"]


def kind_blocks(sentence: Sentence, names: Names) -> list[str]:
    """A kind of things."""
    given = [quoted(sentence["kind"])]
    given += [f"{part}={quoted(sentence[part])}" for part in ("label", "prefix") if sentence[part]]
    given += further(sentence)
    return [f"kind({', '.join(given)})"]


def told_blocks(sentence: Sentence, names: Names) -> list[str]:
    """What the reader alone makes: the definition of a value, a marker, a function."""
    return [function("told", list(sentence["as"]), sentence)]


WRITERS = {
    "when": when_blocks,
    "every": every_blocks,
    "button": button_blocks,
    "value": value_blocks,
    "attribute": attribute_blocks,
    "row": row_blocks,
    "event": event_blocks,
    "kind": kind_blocks,
    "definition": told_blocks,
    "marker": told_blocks,
    "function": told_blocks,
}


def function(name: str, takes: list[str], sentence: Sentence) -> str:
    """A function whose body is the condition and the effects of a sentence."""
    body = body_of(sentence["if"], sentence["then"])
    return f"def {name}({', '.join([plain_name(each) for each in takes])}):\n{indented(body)}"


def body_of(condition_part: Part | None, effects: list[Part]) -> list[str]:
    """The lines of effects, under a condition if there is one."""
    lines = [line for each in effects for line in effect(each)] or ["pass"]
    return lines if condition_part is None else [f"if {condition(condition_part)}:", *shifted(lines)]


def shifted(lines: list[str]) -> list[str]:
    """Lines further in."""
    return ["    " + line for line in lines]


def indented(lines: list[str]) -> str:
    """The body of a function."""
    return "\n".join(shifted(lines))


# ---- effects


def effect(part: Part) -> list[str]:
    """The lines of an effect or outcome."""
    name = part["is"]
    if name in EFFECT_LINES:
        return EFFECT_LINES[name](part)
    return [expression(part)]


def let_lines(part: Part) -> list[str]:
    """A name for what something is now."""
    return [f"{plain_name(part['name'])} = {expression(part['be'])}"]


def set_lines(part: Part) -> list[str]:
    """A new content of an attribute."""
    return [f"put({expression(part['of'])}, {quoted(part['name'])}, {expression(part['to'])})"]


def step_lines(part: Part) -> list[str]:
    """An attribute raised or lowered."""
    sign = "+" if part["is"] == "raise" else "-"
    of = expression(part["of"], 9)
    by = expression(part["by"], 6)
    return [f"put({expression(part['of'])}, {quoted(part['name'])}, {of}.{plain_name(part['name'])} {sign} {by})"]


def make_lines(part: Part) -> list[str]:
    """A new thing, with a name if it is spoken of later."""
    made = expression({**part, "as": ""})
    return [f"{plain_name(part['as'])} = {made}" if part.get("as") else made]


def each_lines(part: Part) -> list[str]:
    """The same for every thing of a kind."""
    return [
        f"for {plain_name(part['as'])} in every({quoted(part['kind'])}):",
        *shifted(body_of(part["if"], part["then"])),
    ]


def for_lines(part: Part) -> list[str]:
    """The same for each of a list."""
    names = ", ".join([plain_name(each) for each in part["as"]])
    return [f"for {names} in {expression(part['of'])}:", *shifted(body_of(part["if"], part["then"]))]


def if_lines(part: Part) -> list[str]:
    """What happens under a condition, and otherwise."""
    lines = [f"if {condition(part['if'])}:", *shifted(body_of(None, part["then"]))]
    other = part["otherwise"]
    if len(other) == 1 and other[0]["is"] == "if":
        first, *rest = if_lines(other[0])
        return [*lines, "el" + first, *rest]
    return [*lines, "else:", *shifted(body_of(None, other))] if other else lines


def change_lines(part: Part) -> list[str]:
    """What becomes of a value."""
    form = CHANGES[part["how"]]
    amount = expression(part["amount"], 7 if "-{}" in form else 0)
    return [f"return {form.format(amount)}"]


EFFECT_LINES = {
    "let": let_lines,
    "let many": lambda part: [f"{', '.join([plain_name(each) for each in part['names']])} = {expression(part['be'])}"],
    "add to": lambda part: [f"{plain_name(part['name'])} += {expression(part['by'])}"],
    "set": set_lines,
    "raise": step_lines,
    "lower": step_lines,
    "make": make_lines,
    "each": each_lines,
    "for": for_lines,
    "while": lambda part: [f"while {condition(part['if'])}:", *shifted(body_of(None, part["then"]))],
    "if": if_lines,
    "stop": lambda part: ["return"],
    "break": lambda part: ["break"],
    "next": lambda part: ["continue"],
    "return": lambda part: [f"return {expression(part['be'])}"],
    "forbid": lambda part: [f"return {expression(part['because'])}"],
    "allow": lambda part: ["return True"],
    "prevent": lambda part: ["return False"],
    "but": lambda part: [f"return e.but({keywords(part['with'])})"],
    "to": lambda part: [f"return e.to({', '.join([quoted(part['event']), *given(part['with'])])})"],
    "change": change_lines,
}


# ---- conditions and expressions


def within(text: str, level: int, wanted: int) -> str:
    """An expression, in brackets where it binds less tightly than what stands around it."""
    return f"({text})" if level < wanted else text


def condition(part: Part, wanted: int = 0) -> str:
    """A condition."""
    name = part["is"]
    if name in ("and", "or"):
        level = 2 if name == "and" else 1
        if len(part["of"]) < 2:
            raise Unwritable("there is nothing to join: give two conditions or more")
        return within(f" {name} ".join([condition(each, level + 1) for each in part["of"]]), level, wanted)
    if name == "not":
        return within(f"not {condition(part['of'], 3)}", 3, wanted)
    if name == "compare":
        text = f"{expression(part['left'], 5)} {part['op']} {expression(part['right'], 5)}"
        return within(text, 4, wanted)
    if name == "dated":
        left = expression(part["left"], 5)
        return within(f"{left} is not None and {left} {part['op']} {expression(part['right'], 5)}", 2, wanted)
    if name == "between":
        text = (
            f"{expression(part['low'], 5)} {part['op']} {expression(part['of'], 5)} {part['then']} "
            f"{expression(part['high'], 5)}"
        )
        return within(text, 4, wanted)
    if name == "kind":
        return within(f"{expression(part['of'], 9)}.kind == {quoted(part['kind'])}", 4, wanted)
    if name in OWNED:
        owner = f"{expression(part['of'], 9)}.owner"
        return within(f"{owner} {OWNED[name](part)}", 4, wanted)
    if name == "another":
        return within(f"{expression(part['of'], 5)} not in (None, {expression(part['than'])})", 4, wanted)
    if name == "there":
        return f"here({expression(part['on'])}, {quoted(part['kind'])})"
    if name == "some":
        return listing(part)
    if name == "caused by":
        return f"e.caused_by({quoted(part['event'])})"
    if name == "true":
        return expression(part["of"], wanted)
    if name in ("chance", "exists"):
        return expression(part)
    raise Unwritable(f"there is no condition {name}")


OWNED: dict[str, Callable[[Part], str]] = {  # conditions of who owns something -> what is said of its owner
    "unowned": lambda part: "is None",
    "owned": lambda part: "is not None",
    "owned by": lambda part: f"is {expression(part['by'], 5)}",
    "owned by another": lambda part: f"not in (None, {expression(part['than'])})",
}


def listing(part: Part) -> str:
    """All things of a kind, or those for which something holds."""
    every = f"every({quoted(part['kind'])})"
    if part["if"] is None:
        return every
    each = plain_name(part["as"])
    return f"[{each} for {each} in {every} if {condition(part['if'], 1)}]"


def expression(part: Part, wanted: int = 0) -> str:
    """An expression, or a call that is an effect too."""
    name = part["is"]
    if name in CALLS:
        word, *slots = CALLS[name]
        return f"{word}({', '.join([expression(part[slot]) for slot in slots])})"
    if name == "math":
        sign, level = MATH[part["op"]]
        text = f"{expression(part['left'], level)} {sign} {expression(part['right'], level + 1)}"
        return within(text, level, wanted)
    if name in EXPRESSION_TEXTS:
        text, level = EXPRESSION_TEXTS[name](part)
        return within(text, level, wanted)
    raise Unwritable(f"there is no expression {name}")


def number_code(content: Any) -> str:
    """A number of a field: a plain one, or a named one."""
    return expression(content) if isinstance(content, dict) else str(int(content))


def number_text(part: Part) -> tuple[str, int]:
    """A number, or the rule's number of its name."""
    if part["name"]:
        return f"rule.{plain_name(part['name'])}", 9
    if type(part["value"]) is not int:
        raise Unwritable("a number is missing")
    return str(part["value"]), 9 if part["value"] >= 0 else 7


def span_text(part: Part) -> str:
    """A span of time."""
    return f"{plain_name(part['unit'])}({expression(part['amount'])})"


def several(part: Part, word: str) -> tuple[str, int]:
    """A call with a list of expressions."""
    if len(part["of"]) < 2:
        raise Unwritable("there is nothing to compare with: give two or more")
    return f"{word}({', '.join([expression(each) for each in part['of']])})", 9


def count_text(part: Part) -> tuple[str, int]:
    """How many things of a kind there are, or for how many something holds."""
    if part["if"] is None:
        return f"count({quoted(part['kind'])})", 9
    return f"len({listing(part)})", 9


def extreme_text(part: Part) -> tuple[str, int]:
    """The one of a kind with the most or least of something: of several the first, of none nothing."""
    word, each = {"most": "max", "least": "min"}[part["how"]], plain_name(part["as"])
    return f"{word}({listing(part)}, key=lambda {each}: {expression(part['by'])}, default=None)", 9


def call_text(part: Part) -> tuple[str, int]:
    """A word of the game, or a function of the rule, as it is called."""
    arguments = [*[expression(each) for each in part["of"]], *given(part["with"])]
    return f"{'.'.join([plain_name(each) for each in part['name'].split('.')])}({', '.join(arguments)})", 9


def method_text(part: Part) -> tuple[str, int]:
    """A method of a word or list."""
    arguments = ", ".join([expression(each) for each in part["args"]])
    return f"{expression(part['of'], 9)}.{plain_name(part['name'])}({arguments})", 9


def list_text(part: Part) -> tuple[str, int]:
    """What something gives for each of a list."""
    names = ", ".join([plain_name(each) for each in part["as"]])
    rest = f" if {condition(part['if'], 1)}" if part["if"] is not None else ""
    return f"[{expression(part['give'])} for {names} in {expression(part['of'], 1)}{rest}]", 9


def items_text(part: Part) -> tuple[str, int]:
    """Several things, one after the other."""
    inner = [expression(each) for each in part["of"]]
    if part["is"] == "row of":
        return f"[{', '.join(inner)}]", 9
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})", 9


def lambda_text(part: Part) -> tuple[str, int]:
    """A function of one expression."""
    return f"lambda{' ' if part['as'] else ''}{', '.join(part['as'])}: {expression(part['give'])}", 0


def either_text(part: Part) -> tuple[str, int]:
    """One or the other."""
    text = f"{expression(part['then'], 1)} if {condition(part['if'], 1)} else {expression(part['otherwise'])}"
    return text, 0


def words_text(part: Part) -> tuple[str, int]:
    """Text that is shown, with what stands in it."""
    if all(isinstance(each, str) for each in part["parts"]):
        return quoted("".join(part["parts"])), 9
    inner = "".join([text_piece(each) for each in part["parts"]])
    return f'f"{inner}"', 9


def text_piece(each: Any) -> str:
    """A piece of a text: words, or an expression in braces."""
    if isinstance(each, str):
        return quoted(each)[1:-1].replace("{", "{{").replace("}", "}}")
    code = expression(each)
    if "\\" in code or ('"' in code and "'" in code) or "{" in code:
        raise Unwritable("too much stands in a text")
    return "{" + code.replace('"', "'") + "}"


EXPRESSION_TEXTS = {
    "number": number_text,
    "word": lambda part: (quoted(part["value"]), 9),
    "yes": lambda part: ("True" if part["value"] else "False", 9),
    "nothing": lambda part: ("None", 9),
    "field": lambda part: (f"e.{plain_name(part['name'])}", 9),
    "it": lambda part: (plain_name(part["name"]), 9),
    "result": lambda part: ("e.result", 9),
    "attribute": lambda part: (f"{expression(part['of'], 9)}.{plain_name(part['name'])}", 9),
    "value": lambda part: (
        f"value({', '.join([quoted(part['name']), *[expression(each) for each in part['of']]])})",
        9,
    ),
    "least": lambda part: several(part, "min"),
    "most": lambda part: several(part, "max"),
    "count": count_text,
    "extreme": extreme_text,
    "pick": lambda part: (f"chance.pick({listing(part)})", 9),
    "secret pick": lambda part: (f"chance.hidden.pick({listing(part)})", 9),
    "ago": lambda part: (f"now() - {span_text(part)}", 5),
    "from now": lambda part: (f"now() + {span_text(part)}", 5),
    "all": lambda part: (listing(part), 9),
    "some": lambda part: (listing(part), 9),
    "thing": lambda part: (f"thing({quoted(part['id'])})", 9),
    "span": lambda part: (span_text(part), 9),
    "text": words_text,
    "do": lambda part: (
        f"do({', '.join([quoted(part['event']), *(['may=True'] if part['may'] else []), *given(part['with'])])})",
        9,
    ),
    "make": lambda part: (f"create({', '.join([quoted(part['kind']), *given(part['with'])])})", 9),
    "call": call_text,
    "method": method_text,
    "list": list_text,
    "items": items_text,
    "row of": items_text,
    "spread": lambda part: (f"*{expression(part['of'], 5)}", 9),
    "at": lambda part: (f"{expression(part['of'], 9)}[{part['place']}]", 9),
    "from": lambda part: (f"{expression(part['of'], 9)}[{part['first']}:{part['last']}]", 9),
    "either": either_text,
    "or else": lambda part: (" or ".join([expression(each, 2) for each in part["of"]]), 1),
    "whether": lambda part: (condition(part["if"]), 0 if part["if"]["is"] in ("and", "or", "not", "compare") else 4),
    "minus": lambda part: (f"-{expression(part['of'], 7)}", 7),
    "function": lambda part: (plain_name(part["name"]), 9),
    "lambda": lambda_text,
}


def given(fields: dict[str, Part]) -> list[str]:
    """Arguments by name."""
    return [f"{plain_name(name)}={expression(each)}" for name, each in fields.items()]


def keywords(fields: dict[str, Part]) -> str:
    """Arguments by name, as text."""
    return ", ".join(given(fields))


def literal(part: object) -> str:
    """A plain content: nothing, a word, yes or no, a whole number, or the empty list."""
    if part is None or type(part) in (bool, int):
        return repr(part)
    if part == []:
        return "()"
    if isinstance(part, dict):
        return expression(part)
    return quoted(part)


def plain_name(name: object) -> str:
    """A name that a program may hold. Raises Unwritable for any other."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise Unwritable(f"{str(name)[:40]!r} is no name")
    return name


def quoted(text: object) -> str:
    """A word in quotes."""
    if not isinstance(text, str):
        raise Unwritable("a word is missing")
    return json.dumps(text, ensure_ascii=False)

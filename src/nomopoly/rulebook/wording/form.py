"""Sentences as the fields of a page, so that plain form posts build a rule step by step.

The fields are a flat dict of words: the path of a slot, dotted, and what is chosen or typed there:

    {"0.form": "when", "0.event": "land", "0.how": "after",
     "0.if": "owned by another", "0.if.of": "e.square", "0.if.than": "e.who",
     "0.then.0": "pay", "0.then.0.who": "e.who", "0.then.0.to": "e.square.owner",
     "0.then.0.amount": "least", "0.then.0.amount.of.0": "math", "0.then.0.amount.of.0.op": "times",
     "0.then.0.amount.of.0.left": "number", "0.then.0.amount.of.0.left.value": "2",
     "0.then.0.amount.of.0.right": "e.square.number",
     "0.then.0.amount.of.1": "number", "0.then.0.amount.of.1.value": "100"}

A page shows `controls(fields, offers)` in order, each with its name, posts them all back, and on a button calls
`pressed(fields, name of the button)` before it shows them again:

    controls(fields, offers) -> [{"name": "0.then.0.who", "sort": "select", "label": "Who pays", "value": "e.who",
                                  "choices": [{"id": "e.who", "label": "they", "group": "They"}],
                                  "depth": 2, "part": "0.then.0"}]
        `sort` is select, number, text, tick, hidden, add or remove; `add` and `remove` are buttons: their `name` is
        what is pressed, `label` what they say. What is chosen decides which controls follow it, so a select is best
        posted when it changes; without script an "Update" button does that.
    pressed(fields, button) -> fields
    from_form(fields, offers) -> (sentences, [{"path": "0.then.0.to", "message": "Choose who is paid."}])
        Sentences in which nothing is missing; a problem for each thing that is.
    to_form(sentences) -> fields
    starts(offers) -> [{"id": "when", "label": "When something happens …", "fields": {...}}]  (the forms to begin with)
"""

from __future__ import annotations

import re
from typing import Any

from nomopoly.rulebook.wording.builder import Builder
from nomopoly.rulebook.wording.menus import FORMS, forms_without
from nomopoly.rulebook.wording.offers import Offers, with_draft
from nomopoly.rulebook.wording.places import MOST_ITEMS, Control, Problem
from nomopoly.rulebook.wording.program import Unwritable, expression, program
from nomopoly.rulebook.wording.sentence import BUTTON_FIELDS, PARTS, TERMS, Part, Sentence
from nomopoly.rulebook.wording.sentence import FORMS as FORM_SLOTS

OFFERED = ("when", "every", "button", "value", "attribute", "row")
Fields = dict[str, str]


class NotInForm(Exception):
    """A sentence that no fields can hold: it was read from a program, and says more than can be chosen."""


def controls(fields: Fields, offers: Offers) -> list[Control]:
    """What a page shows for the fields so far, in order. Takes any fields and never raises."""
    return walked(fields, offers)[1].controls


def from_form(fields: Fields, offers: Offers) -> tuple[list[Sentence], list[Problem]]:
    """The sentences in which nothing is missing, and what is. Takes any fields and never raises."""
    sentences, builder = walked(fields, offers)
    return sentences, builder.problems


def walked(fields: Fields, offers: Offers) -> tuple[list[Sentence], Builder]:
    """One walk over the fields, where what the rule declares itself can be chosen in its other sentences."""
    first = Builder(fields, offers)
    sentences = first.rule()
    try:
        code, _ = program(first.declares)
    except Unwritable:
        code = ""
    if not code:
        return sentences, first
    second = Builder(fields, with_draft(offers, code), offers)
    return second.rule(), second


def starts(offers: Offers | None = None) -> list[dict[str, Any]]:
    """The forms that a sentence can have, each with the fields to begin with; of a game (`offers`) those that it has
    something for."""
    without = () if offers is None else forms_without(offers)
    return [{"id": form, "label": FORMS[form], "fields": {"0.form": form}} for form in OFFERED if form not in without]


def pressed(fields: Fields, button: str) -> Fields:
    """The fields after a button was pressed: "add:0.then", "remove:0.then.1", "add:" for another sentence."""
    verb, _, path = button.partition(":")
    if verb == "add":
        at = count_of(fields, path)
        new = f"{path}.{at}" if path else f"{at}.form"
        return {**fields, new: ""} if at < MOST_ITEMS else dict(fields)
    if verb == "remove":
        return without(fields, path)
    return dict(fields)


def count_of(fields: Fields, path: str) -> int:
    """How many items stand at a path, in a row from 0."""
    at = 0
    prefix = f"{path}." if path else ""
    while any(key == f"{prefix}{at}" or key.startswith(f"{prefix}{at}.") for key in fields):
        at += 1
    return at


def without(fields: Fields, path: str) -> Fields:
    """The fields without an item; those behind it move up."""
    head, _, last = path.rpartition(".")
    if not re.fullmatch(r"\d{1,4}", last):
        return dict(fields)
    prefix, gone = f"{head}." if head else "", int(last)
    found = {}
    for key, content in fields.items():
        rest = key[len(prefix) :] if key.startswith(prefix) else ""
        number, dot, tail = rest.partition(".")
        if not re.fullmatch(r"\d{1,4}", number) or int(number) < gone:
            found[key] = content
        elif int(number) > gone:
            found[f"{prefix}{int(number) - 1}{dot}{tail}"] = content
    return found


# ---- sentences as fields


def to_form(sentences: list[Sentence]) -> Fields:
    """The fields of sentences. Raises NotInForm."""
    fields: Fields = {}
    for at, sentence in enumerate(sentences):
        if sentence.get("form") not in OFFERED:
            raise NotInForm(f"the second door makes no {sentence.get('form')}")
        if sentence.get("more"):
            raise NotInForm("a declaration says more than can be chosen")
        fields[f"{at}.form"] = sentence["form"]
        try:
            for slot, sort in FORM_SLOTS[sentence["form"]]:
                put_slot(fields, f"{at}.{slot}", sort, sentence[slot])
        except (KeyError, TypeError, AttributeError, Unwritable) as error:
            raise NotInForm(f"the sentence is incomplete: {error}") from None
    return fields


def put_slot(fields: Fields, path: str, sort: str, content: Any) -> None:
    """Note what a slot holds."""
    name = sort.rstrip("?").partition(":")[0]
    if content is None:
        fields[path] = ""
    elif name in ("condition", "expression"):
        put_part(fields, path, content)
    elif name in ("conditions", "expressions", "effects", "changes"):
        for at, each in enumerate(content):
            put_part(fields, f"{path}.{at}", each)
    elif name == "text":
        fields[path] = typed_text(content)
    elif name == "parts":
        fields[path] = typed_text({"is": "text", "parts": content})
    elif name in ("with", "columns"):
        for key, each in content.items():
            put_part(fields, f"{path}.{key}", each)
    elif name == "fields":
        for at, each in enumerate(content):
            put_field(fields, f"{path}.{at}", each)
    elif name == "names":
        return
    elif name == "yesno":
        fields[path] = "yes" if content else ""
    else:
        fields[path] = typed(content)


def typed(content: object) -> str:
    """A plain content as it is typed."""
    if isinstance(content, bool):
        return "yes" if content else "no"
    return "" if content is None or content == [] else str(content)


def put_part(fields: Fields, path: str, part: Part) -> None:
    """Note a part: what it is, and what its slots hold."""
    name = part["is"]
    if name in TERMS:
        if not only_terms(part):
            raise NotInForm("an expression is put together in a way that cannot be chosen")
        fields[path] = expression(part)
        return
    if name not in PARTS:
        raise NotInForm(f"no choice says {name}")
    fields[path] = name
    for slot, sort in PARTS[name]:
        put_slot(fields, f"{path}.{slot}", sort, part[slot])


def only_terms(part: Part) -> bool:
    """Whether an expression is made only of what is there: fields, variables, what they have, values of them."""
    if part["is"] not in TERMS:
        return False
    inner = part.get("of", [])
    return all(only_terms(each) for each in (inner if isinstance(inner, list) else [inner]))


def put_field(fields: Fields, path: str, each: Part) -> None:
    """Note a field of a button."""
    fields[path] = each["takes"]
    fields[f"{path}.name"], fields[f"{path}.label"] = each["name"], each["label"]
    for slot, sort in BUTTON_FIELDS[each["takes"]]:
        content = each[slot]
        if isinstance(content, dict):
            raise NotInForm("a limit of a field is a named number")
        if sort == "words":
            fields[f"{path}.{slot}"] = ", ".join(content)
        else:
            put_slot(fields, f"{path}.{slot}", sort, content)


def typed_text(part: Part) -> str:
    """A text as it is typed, the names of what stands in it in braces. Raises NotInForm."""
    if part["is"] != "text":
        raise NotInForm("a reason is put together while the game runs")
    found = ""
    for each in part["parts"]:
        if isinstance(each, str):
            if re.search(r"\{\w+\}", each):
                raise NotInForm("a text has braces")
            found += each
        elif each["is"] == "name" and each["of"]["is"] in ("field", "it"):
            found += "{" + each["of"]["name"] + "}"
        else:
            raise NotInForm("a text holds more than names")
    return found

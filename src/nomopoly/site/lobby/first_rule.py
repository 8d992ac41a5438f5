"""A first rule, step by step: what stands in `guide/first_rule.yaml` put into the fields of *Say it*, with the labels
that the form has, and the sentence and the program that come of it. So the page says what the form says."""

from __future__ import annotations

import importlib.resources
from functools import cache
from typing import Any

from nomopoly.rulebook.changes import read_data
from nomopoly.rulebook.source import load_edition
from nomopoly.rulebook.wording import form
from nomopoly.rulebook.wording.offers import offers
from nomopoly.rulebook.wording.places import Control
from nomopoly.rulebook.wording.program import program
from nomopoly.rulebook.wording.prose import prose
from nomopoly.site.formats import dollars
from nomopoly.site.lobby import handbook


@cache
def made() -> dict[Any, Any]:
    """The example: {start, steps: [(label, what is chosen, its heading in the menu)], text, code}. What is typed has no
    heading.

    Raises LookupError where the form does not have a field or a choice that the example names.
    """
    example = read_data(importlib.resources.files(__package__).joinpath("guide/first_rule.yaml").read_text("utf-8"))
    book = load_edition(example["edition"])
    offered = offers(book.records, book.commons)
    start = next(each for each in form.starts() if each["id"] == example["start"])
    fields, steps = dict(start["fields"]), []
    for name, value in example["steps"]:
        steps.append(step(form.controls(fields, offered), name, value))
        fields[name] = value
    sentences, problems = form.from_form(fields, offered)
    if problems:
        raise LookupError(problems[0]["message"])
    code, params = program(sentences)
    record = {"id": "X.1", "section": "X", "section_title": "", "title": "", "since": 0, "made_by": "", "text": ""}
    text = prose(sentences, offers(book.records, book.commons, record | {"code": code, "params": params}))
    for key, number in params.items():
        text = text.replace(f"${{{key}}}", dollars(number))
    return {"start": start["label"], "steps": steps, "text": text, "code": code}


def step(controls: list[Control], name: str, value: str) -> tuple[Any, Any, str] | tuple[Any, Any, Any]:
    """One step: the label of a field, what is chosen in it or typed, and the heading under which the choice stands."""
    field = next((each for each in controls if each["name"] == name), None)
    if field is None:
        raise LookupError(f"the form has no field {name} there")
    if not field["choices"]:
        return field["label"], value, ""
    choice = next((each for each in field["choices"] if each["id"] == value), None)
    if choice is None:
        raise LookupError(f"the field {name} has no choice {value}")
    return field["label"], choice["label"], choice["group"]


FOLDER = importlib.resources.files(__package__).joinpath("guide")


def language_of() -> str:
    """The language in which the reader gets the page."""
    return handbook.language_of(FOLDER, "first_rule")


@cache
def page(language: str) -> tuple[Any, Any]:
    """The page in two parts of markup: what stands before the steps, and what after them."""
    text = handbook.text_of(FOLDER, "first_rule", language)
    before, after = handbook.MARKDOWN.render(text.split("\n", 1)[1]).split("<p>![steps]</p>")
    return handbook.mark_safe(before), handbook.mark_safe(after)

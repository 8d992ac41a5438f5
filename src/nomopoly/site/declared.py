"""Forms drawn from what a rule declares: one input a field, and the way back from inputs to an order's arguments.

    fields = declared.inputs(action, request.POST)       # to draw: {% include "_declared.html" %}
    args, problems = declared.read(action, request.POST) # to send; problems are sentences, [] when all is well

Goods are several inputs (`give-money`, `give-squares`), a deal among several has rows of them (`deal-0-from`,
`deal-0-to`, `deal-0-money`), all else is one input named as its field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from nomopoly.site.formats import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomopoly.site.shapes import Data


FIRST_ROWS, MOST_ROWS = 2, 40
OFFSET = re.compile(r"(?<=:\d\d)[+-]\d\d:\d\d$")


def inputs(action: Data, sent: Mapping[str, Any] | None = None) -> list[Data]:
    """What a template needs to draw each field, filled with what was sent, else with the declared default."""
    drawn: list[Data] = []
    for field in action["fields"]:
        kind = field["type"]
        if kind == "goods":
            drawn.extend(goods_inputs(field, sent))
            continue
        if kind == "deal":
            asked = (sent or {}).get("more") == field["name"]
            drawn.append(
                field
                | {
                    "input": field["name"],
                    "look": "deal",
                    "asked": asked,
                    "rows": deal_rows(field, sent or {}),
                    "value": "",
                }
            )
            continue
        value = sent.get(field["name"]) if sent is not None and field["name"] in sent else field.get("default")
        if kind == "yesno":
            value = field["name"] in sent if sent else bool(field.get("default"))
        shape = {
            "thing": "select",
            "choice": "select",
            "number": "number",
            "moment": "moment",
            "yesno": "tick",
            "changes": "code",
            "code": "code",
        }
        look = shape.get(kind, "area" if field.get("long") else "line")
        if kind == "number" and field.get("choices"):
            look = "select"  # one of a few numbers, each of which its rule calls something
        if kind == "anything" and isinstance(value, list):
            value = ", ".join(map(str, value))
        if look == "moment":
            field = field | {
                "hint": _("In the time zone of the game: %(zone)s") % {"zone": field["zone"]},
                "own_hint": True,
            }
            value = on_the_clock(value)
        if look == "select" and not field["choices"] and not field.get("kind"):
            look = "line"
        drawn.append(field | {"input": field["name"], "look": look, "value": "" if value is None else value})
    return drawn


def on_the_clock(moment: Any) -> Any:
    """A moment as a field of a browser takes it, which knows of no offset."""
    return OFFSET.sub("", moment) if isinstance(moment, str) else moment


def deal_rows(field: Data, sent: Mapping[str, str]) -> list[Data]:
    """The rows of a deal as they were sent, one for each thing handed from one to another; those left empty go. One
    more where that was asked for (`more`)."""
    name, parts = field["name"], field.get("parts") or ("money",)
    rows = []
    for at in range(MOST_ROWS):
        row = {part: sent.get(f"{name}-{at}-{part}", "").strip() for part in ("from", "to", *parts)}
        if any(row.values()):
            rows.append(row)
    empty = dict.fromkeys(("from", "to", *parts), "")
    rows += [empty] * max(FIRST_ROWS - len(rows), 1 if sent.get("more") == name else 0)
    return [
        {
            "number": at + 1,
            "from": {"input": f"{name}-{at}-from", "value": row["from"]},
            "to": {"input": f"{name}-{at}-to", "value": row["to"]},
            "goods": list(goods_inputs({"name": f"{name}-{at}", "label": "", "parts": parts}, part_of(row, name, at))),
        }
        for at, row in enumerate(rows[:MOST_ROWS])
    ]


def part_of(row: dict[str, str], name: str, at: int) -> dict[str, str]:
    """One row of a deal as the inputs of goods name it."""
    return {f"{name}-{at}-{part}": content for part, content in row.items()}


def read_deal(field: Data, sent: dict[Any, Any], problems: list[str]) -> Any:
    """What is handed over, from the rows of a form; None if all are empty. A program may send it as JSON."""
    if sent.get(field["name"]):
        return convert(field | {"type": "anything"}, sent[field["name"]], problems)
    moves = []
    for row in deal_rows(field, sent):
        if not any(each["value"] for each in (row["from"], row["to"], *row["goods"])):
            continue
        if not row["from"]["value"] or not row["to"]["value"]:
            told = _("%(label)s, %(number)s: say who gives, and to whom")
            problems.append(told % {"label": field["label"], "number": row["number"]})
        given = {each["input"]: each["value"] for each in row["goods"]}
        about = {"name": row["from"]["input"].removesuffix("-from"), "label": f"{field['label']}, {row['number']}"}
        what = read_goods(field | about, given, problems)
        moves.append({"from": row["from"]["value"], "to": row["to"]["value"], "what": what})
    return {"transfers": moves} if moves else None


def goods_inputs(field: dict[Any, Any], sent: Mapping[str, Any] | None) -> Iterator[dict[Any, Any]]:
    """Money and what is counted is a number, a list of things is a line of ids."""
    for part in field.get("parts") or ("money",):
        name = f"{field['name']}-{part}"
        number = is_counted(field, part)
        yield {
            "name": field["name"],
            "input": name,
            "label": f"{field['label']}: {part}" if field["label"] else part.capitalize(),
            "type": "number" if number else "things",
            "look": "number" if number else "line",
            "least": 0,
            "optional": True,
            "hint": "" if number else _("for example #8, #12"),
            "own_hint": True,
            "value": (sent or {}).get(name, ""),
        }


def is_counted(field: dict[Any, Any], part: str) -> bool:
    """Whether a part of goods is a number, as money is."""
    return part == "money" or part in field.get("counted", ())


def read(action: Data, sent: dict[Any, Any]) -> tuple[dict[Any, Any], list[str]]:
    """(arguments of the order, problems). Fields left empty are left out: the rules know their defaults."""
    problems: list[Any]
    args, problems = {}, []
    for other, name in action.get("also", {}).items():
        if sent.get(other) and not sent.get(name):
            sent = {**dict(sent.items()), name: sent[other]}
    for field in action["fields"]:
        name, kind = field["name"], field["type"]
        if kind == "goods":
            found = read_goods(field, sent, problems)
            if found:
                args[name] = found
            continue
        if kind == "deal":
            deal = read_deal(field, sent, problems)
            if deal is not None:
                args[name] = deal
            continue
        if kind == "yesno":
            args[name] = name in sent
            continue
        raw = sent.get(name, "")
        if kind == "words" and not field.get("long"):
            raw = raw.strip() if not raw.strip() else raw
        raw = raw.replace("\r\n", "\n")
        if raw == "":
            if not field["optional"]:
                problems.append(_("“%(label)s” is missing") % {"label": field["label"]})
            continue
        args[name] = convert(field, raw, problems)
    return args, problems


def convert(field: Data, raw: str, problems: list[str]) -> Any:
    """One text of a form as the value its type wants."""
    kind = field["type"]
    if kind == "number":
        found = whole_number(raw)
        if found is None:
            told = _("%(label)s must be a whole number, not %(typed)s")
            problems.append(told % {"label": field["label"], "typed": raw[:40]})
            return raw
        return found
    if kind == "changes":
        try:
            return json.loads(raw)
        except ValueError as error:
            told = _("%(label)s must be a list of changes as JSON: %(error)s")
            problems.append(told % {"label": field["label"], "error": error})
            return raw
    if kind == "anything" and field.get("choices") and raw[:1] != "[":  # as ticks send it
        return raw.replace(",", " ").split()
    if kind == "anything":
        try:
            return json.loads(raw, parse_float=str)  # 8.10 is a rule: games have whole numbers alone
        except ValueError:
            return raw
    if kind == "moment" and raw == on_the_clock(field.get("default")):
        return field["default"]  # as it stood there, of two hours of one name the one that was meant
    return raw


def read_goods(field: Data, sent: dict[Any, Any], problems: list[str]) -> Any:
    """Money and lists of things from their inputs."""
    found = {}
    for part in field.get("parts") or ("money",):
        raw = sent.get(f"{field['name']}-{part}", "").strip()
        if not raw:
            continue
        if is_counted(field, part):
            label = f"{field['label']}: {part}"
            found[part] = convert({"type": "number", "label": label}, raw, problems)
            if isinstance(found[part], int) and found[part] < 0:
                problems.append(_("%(label)s must be at least 0") % {"label": label})
        else:
            found[part] = raw.replace(",", " ").split()
    return found

"""The form in which a proposal is written: reading it, what its buttons do, and the changes that it stands for."""

from __future__ import annotations

import json
import re
import secrets
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.kernel.precedence import roman_value
from nomopoly.site.formats import whole_number
from nomopoly.site.play import words

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


MOST_CHANGES = 30
MOST_FIELDS = 900
LONGEST_EXAMPLE = 50_000
MORE = "more."  # what the inputs of further fields begin with
KINDS = (
    ("", gettext_lazy("nothing yet")),
    ("enact", gettext_lazy("A new rule")),
    ("amend", gettext_lazy("Change a rule")),
    ("repeal", gettext_lazy("Repeal a rule")),
    ("restore", gettext_lazy("Bring an earlier form back")),
)


@dataclass
class Box:
    """One change as the form has it; all fields are texts."""

    at: int
    kind: str = ""
    rule: str = ""
    text: str = ""
    code: str = ""
    params: str = ""
    title: str = ""
    filled: str = ""  # the rule whose present form was filled in
    since: str = ""  # the entry since which that form had held
    functions: str = ""  # what takes the place of functions of its program, or is added
    drop: str = ""  # names of numbers and functions that go
    earlier: str = ""  # the moment whose form comes back
    numbers: Data = field(default_factory=dict)  # name -> text, an input each
    record: Data | None = None  # the rule as it is now
    said: str = ""  # whether play.saying makes it
    asks: bool = False  # filling in would replace what was typed: whether to is asked
    moved: object = None
    problems: list[Any] = field(default_factory=list)

    @property
    def at_text(self) -> str:
        """The number of the box as text, as its inputs are named."""
        return str(self.at)

    @property
    def inputs(self) -> list[Any]:
        """The named numbers as inputs: (name, text, sort, present value in words)."""
        present = self.record["params"] if self.record else {}
        return [
            (name, text, sort_of(present.get(name)), written(present[name]) if name in present else "")
            for name, text in self.numbers.items()
        ]

    def fields(self) -> dict[Any, Any]:
        """The inputs of this box by name."""
        made = {f"changes-{self.at}-{name}": getattr(self, name) for name in PARTS}
        return made | {f"changes-{self.at}-number-{name}": value for name, value in self.numbers.items()}


PARTS = ("kind", "rule", "text", "code", "params", "title", "filled", "since", "functions", "drop", "earlier", "said")


SHEET = (
    "title",
    "text",
    "run",
    "scenario",
    "follows",
    "vote_yes",
    "door",
    "key",
    "prose",
    "prose_made",
    "office",
    "on",
)


@dataclass
class Sheet:
    """The whole form."""

    title: str = ""
    text: str = ""
    run: str = ""
    boxes: list[Any] = field(default_factory=list)
    scenario: str = ""  # an example of what it does, played with it in force
    follows: str = ""  # the number of the proposal that this is a new version of
    vote_yes: str = ""  # its author votes Yes on it at once
    door: str = "program"  # how it is being written, see play.doors
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))  # tells this form from others, in drafts
    office: str = ""  # the act of the Admin that it is for, see play.implement
    on: str = ""  # and the proposal that this is about
    say: Data = field(default_factory=dict)  # the fields of its sentences, see play.saying
    more: Data = field(default_factory=dict)  # what else the rules ask of who proposes, as it was typed
    further: Data = field(default_factory=dict)  # and as the order says it, see play.proposals
    prose: str = ""  # the words of the rule that is said, as they are to be
    prose_made: str = ""  # and as they were written along
    run_problems: list[Any] = field(default_factory=list)
    lacks: str = ""  # what the game has not of what a rule of the library needs

    def fields(self) -> Data:
        """All inputs of the form by name, those of its boxes too."""
        made = {name: getattr(self, name) for name in SHEET}
        made |= {f"say.{name}": value for name, value in self.say.items()}
        made |= {f"{MORE}{name}": value for name, value in self.more.items()}
        for box in self.boxes:
            made |= box.fields()
        return made


def read_sheet(sent: dict[str, str] | dict[Any, Any]) -> Sheet:
    """The form as it was sent (any mapping of names to texts)."""
    clean = {name: str(value).replace("\r\n", "\n").replace("\x00", "") for name, value in sent.items()}
    numbers = sorted({int(match[1]) for name in clean if (match := re.match(r"changes-(\d{1,3})-", name))})
    sheet = Sheet(
        clean.get("title", "").strip(), clean.get("text", "").strip(), to_margin(clean.get("run", "").rstrip())
    )
    sheet.scenario = clean.get("scenario", "").strip("\n")[:LONGEST_EXAMPLE]
    sheet.follows = clean.get("follows", "") if re.fullmatch(r"\d{1,9}", clean.get("follows", "")) else ""
    sheet.office, sheet.on = clean.get("office", "")[:60], clean.get("on", "")[:60]
    sheet.prose, sheet.prose_made = clean.get("prose", ""), clean.get("prose_made", "")
    sheet.say = {name[4:]: value for name, value in list(clean.items())[:MOST_FIELDS] if name.startswith("say.")}
    sheet.more = {name[len(MORE) :]: value for name, value in clean.items() if name.startswith(MORE)}
    sheet.vote_yes = "1" if clean.get("vote_yes") else ""
    sheet.door = clean.get("door") or sheet.door
    sheet.key = clean["key"] if re.fullmatch(r"[\w-]{8,40}", clean.get("key", "")) else sheet.key
    for at in numbers[:MOST_CHANGES]:
        parts: Data = {name: clean.get(f"changes-{at}-{name}", "") for name in PARTS}
        box = Box(len(sheet.boxes), **parts)
        box.rule, box.kind, box.code = box.rule.strip(), box.kind.strip(), to_margin(box.code)
        box.functions, box.earlier = to_margin(box.functions), box.earlier.strip()
        start = f"changes-{at}-number-"
        box.numbers = {name[len(start) :]: value for name, value in clean.items() if name.startswith(start)}
        sheet.boxes.append(box)
    return sheet


def note_records(sheet: Sheet, records: list[Data]) -> None:
    """Note for each change of a form the rule that it is about, as it is now."""
    for box in sheet.boxes:
        box.record = find(records, box.rule)


def to_margin(program: str) -> str:
    """A program that was copied from an indented place begins at the margin."""
    return textwrap.dedent(program) if program[:1].isspace() else program


def fill_in(box: Box, records: list[Data]) -> bool:
    """Put the present form of the chosen rule into a box. Returns whether there is such a rule."""
    record = find(records, box.rule)
    if record is None:
        return False
    box.kind = box.kind if box.kind in ("amend", "repeal") else "amend"
    box.text, box.code, box.title, box.params = unwrapped(record["text"]), record["code"], record["title"], ""
    box.filled, box.since = record["id"], str(record["since"])
    box.numbers = {name: written(value) for name, value in record["params"].items() if sort_of(value)}
    return True


def typed(box: Box, records: list[Data]) -> bool:
    """Whether a box holds anything that did not come from filling it in."""
    clean = Box(box.at, rule=box.filled)
    fill_in(clean, records)
    parts = ("text", "code", "title", "params", "functions", "drop", "earlier")
    return any(getattr(box, part).strip() != getattr(clean, part).strip() for part in parts) or any(
        text.strip() != clean.numbers.get(name) for name, text in box.numbers.items()
    )


def fill_gaps(box: Box, records: list[Data]) -> bool:
    """Fill in what is empty, and leave what was typed."""
    mine = Box(box.at, text=box.text, code=box.code, title=box.title, params=box.params, numbers=box.numbers)
    if not fill_in(box, records):
        return False
    for part in ("text", "code", "title", "params"):
        if getattr(mine, part).strip():
            setattr(box, part, getattr(mine, part))
    box.numbers |= {name: text for name, text in mine.numbers.items() if name in box.numbers and text.strip()}
    return True


def rework(sheet: Sheet, button: str, value: str, records: list[Data]) -> str:
    """What the buttons within the form do: add a change, remove one, fill one in. Returns what stands against it."""
    if button == "add":
        if len(sheet.boxes) >= MOST_CHANGES:
            return _("A proposal has at most %(n)s changes.") % {"n": MOST_CHANGES}
        sheet.boxes.append(Box(len(sheet.boxes)))
        return ""
    at = button.rpartition("-")[2] if button.startswith("remove-") else value
    box = sheet.boxes[int(at)] if at.isdecimal() and int(at) < len(sheet.boxes) else None
    if box is None:
        return _("There is no such change in the form.")
    if button.startswith("remove-"):
        sheet.boxes = [each for each in sheet.boxes if each is not box] or [Box(0)]
        for place, each in enumerate(sheet.boxes):
            each.at = place
        return ""
    if find(records, box.rule) is None:
        if not box.rule:
            return _("There is no rule without a number to fill in.")
        return _("There is no rule %(rule)s to fill in.") % {"rule": box.rule}
    if button == "fill" and typed(box, records):
        box.asks = True
        return ""
    (fill_gaps if button == "keep" else fill_in)(box, records)
    return ""


BUTTONS = r"add|fill|replace|keep|remove-\d{1,3}|to|take|recipe|find|look|say-press|say-update"
OF_DOORS = ("to", "take", "recipe", "find", "look", "say-press", "say-update")  # those that play.doors carries out


def button_of(sent: Iterable[str]) -> str | None:
    """The button within the form that was pressed, if one was."""
    return next((name for name in sent if re.fullmatch(BUTTONS, name)), "")


def unwrapped(text: str) -> str:
    """A prose with each paragraph on one line, for editing; tables and lists keep their lines."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    keep = re.compile(r"\s*([|*+-]|\d+[.)] )")
    return "\n\n".join(
        part if any(keep.match(line) for line in part.split("\n")) else " ".join(part.split()) for part in paragraphs
    )


def find(records: Iterable[Data], id: str) -> Data | None:
    """The record of that number; None if there is none."""
    return next((record for record in records if record["id"] == id), None)


def sort_of(value: object) -> str:
    """What a named number is: "tick" (yes or no), "number", "words", or "" for what has no input of its own."""
    for kind, sort in ((bool, "tick"), (int, "number"), (str, "words")):
        if isinstance(value, kind):
            return sort
    return ""


def written(value: object) -> str:
    """The value of a named number as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


def write_params(params: dict[Any, Any]) -> str:
    """The named numbers of a rule, one a line, as they are typed."""
    return "\n".join(f"{name}: {written(value)}" for name, value in params.items())


def read_params(text: str, problems: list[Any], label: str) -> Any:
    """Named numbers, one a line: `bonus: 400`."""
    found = {}
    for line in re.split(r"[\n;]", text):
        if not line.strip():
            continue
        parts = re.fullmatch(r"\s*(\w+)\s*[:=]\s*(.*?)\s*,?\s*", line)
        if parts is None or not parts[1].isidentifier():
            told = _("%(change)s: write its numbers one a line, as bonus: 400, not “%(typed)s”")
            problems.append(told % {"change": label, "typed": line.strip()[:60]})
            continue
        found[parts[1]] = read_value(parts[2])
    return found


def read_value(text: str) -> Any:
    """400, yes, "words" or [6, 6]."""
    number = whole_number(text)
    if number is not None and not text.startswith("0"):
        return number
    try:
        return json.loads(text)
    except ValueError:
        return {"yes": True, "no": False, "True": True, "False": False}.get(text, text)


def changes_of(sheet: Sheet, records: list[Data]) -> tuple[list[Data], list[str]]:
    """(changes as data, problems in words) of a form, against the present rules. A new rule without a number gets one
    that is free."""
    changes, problems = [], []
    for box in sheet.boxes:
        if box.kind == "enact" and not box.rule and box.text.strip():
            box.rule = number_in(sheet, records)
        label = _("Change %(number)s") % {"number": box.at + 1}
        if not box.kind:
            if typed(box, records) or (box.rule and not box.filled):
                told = _("%(change)s: choose whether it makes a new rule, changes one or repeals one")
                problems.append(told % {"change": label})
            continue
        if box.kind not in dict(KINDS):
            told = _("%(change)s: choose a new rule, a change, a repeal or an earlier form")
            problems.append(told % {"change": label})
        elif not box.rule:
            told = _("%(change)s: which rule? Give its number, for example %(rule)s")
            problems.append(told % {"change": label, "rule": free_number(records)})
        elif box.kind == "repeal":
            changes.append({"repeal": box.rule})
        elif box.kind == "restore":
            changes.append({"restore": box.rule} | ({"from": box.earlier} if box.earlier else {}))
        elif box.kind == "enact":
            changes.append(enacting(box, problems, label))
        elif (record := find(records, box.rule)) is None:
            told = _("%(change)s: there is no rule %(rule)s to change")
            problems.append(told % {"change": label, "rule": box.rule})
        elif box.filled not in ("", box.rule):
            told = _("%(change)s: it holds the form of rule %(filled)s and is to change %(rule)s: fill it in")
            problems.append(told % {"change": label, "filled": box.filled, "rule": box.rule})
        else:
            refused = len(problems)
            change = amending(box, record, problems, label)
            if len(change) == 1 and len(problems) == refused:
                told = _("%(change)s: it leaves rule %(rule)s as it is")
                problems.append(told % {"change": label, "rule": box.rule})
            changes.append(change)
    return changes, problems


def enacting(box: Box, problems: list[str], label: str) -> Data:
    """The change that a box for a new rule stands for; notes in `problems` what it lacks."""
    change: Data = {"enact": box.rule, "text": box.text.strip()}
    if not change["text"]:
        problems.append(_("%(change)s: a rule needs its words") % {"change": label})
    if box.functions.strip() or box.drop.strip():
        told = _("%(change)s: only a rule that is there changes in part: give the whole program")
        problems.append(told % {"change": label})
    if box.title.strip():
        change["title"] = box.title.strip()
    if box.code.strip():
        change["code"] = box.code.strip("\n") + "\n"
    params = {name: read_value(text.strip()) for name, text in box.numbers.items()}
    params |= read_params(box.params, problems, label)
    if params:
        change["params"] = params
    return change


def amending(box: Box, record: Data, problems: list[Any] | list[str], label: str) -> Data:
    """Only what differs from the present form."""
    change: Data = {"amend": record["id"]}
    filled = box.filled == record["id"]
    if box.text.strip() and unwrapped(box.text) != unwrapped(record["text"]):
        change["text"] = box.text.strip()
    if box.title.strip() != record["title"].strip() and (filled or box.title.strip()):
        change["title"] = box.title.strip()
    if box.code.strip() != record["code"].strip() and (filled or box.code.strip()):
        change["code"] = box.code.strip("\n") + "\n" if box.code.strip() else ""
    params = read_params(box.params, problems, label)
    for name, text in box.numbers.items():
        present = record["params"].get(name)
        value = text.strip() if isinstance(present, str) else read_value(text.strip())
        if name in record["params"] and sort_of(value) != sort_of(present):
            told = _("%(change)s: %(name)s must be a whole number, not “%(typed)s”")
            if sort_of(present) == "tick":
                told = _("%(change)s: %(name)s must be yes or no, not “%(typed)s”")
            problems.append(told % {"change": label, "name": capfirst(words.plain(name)), "typed": text[:30]})
        elif value != present:
            params[name] = value
    params = {name: value for name, value in params.items() if record["params"].get(name) != value}
    if params:
        change["params"] = params
    if box.functions.strip():
        change["functions"] = box.functions.strip("\n") + "\n"
    if box.drop.strip():
        change["drop"] = re.split(r"[\s,;]+", box.drop.strip(" \n,;"))
    return change


def free_number(records: list[Data]) -> str:
    """A number that a new rule could have: one more in the last section."""
    made = [record for record in records if record["made_by"] != "opening"]
    section = made[-1]["section"] if made else next_section(last_section(records))
    taken = {record["id"] for record in records}
    return next(f"{section}.{at}" for at in range(1, len(taken) + 2) if f"{section}.{at}" not in taken)


def number_in(sheet: Sheet, records: list[Data]) -> str:
    """A number for one more new rule of a form."""
    taken = [
        {"id": box.rule, "section": box.rule.rpartition(".")[0], "made_by": "form"}
        for box in sheet.boxes
        if box.kind == "enact" and "." in box.rule
    ]
    return free_number([*records, *taken])


def last_section(records: list[Data]) -> str:
    """The highest section of a book: of those with plain numbers, or of those with Roman ones (a lone D is a
    letter)."""
    sections = list(dict.fromkeys(record["section"] for record in records))
    plain = [each for each in sections if each.isdecimal()]
    if plain:
        return max(plain, key=int)
    roman = [each for each in sections if 0 < (roman_value(each) or 0) <= 3 * len(sections) + 10]
    return max(roman, key=roman_value) if roman else (sections or ["I"])[-1]


ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def next_section(section: str) -> str:
    """The section after the last one: X after IX, 13 after 12."""
    if section.isdecimal():
        return str(int(section) + 1)
    last = roman_value(section)
    if not last:
        return f"{section}A"
    text, left = "", last + 1
    for value, sign in ROMAN:
        text, left = text + sign * (left // value), left % value
    return text

"""The second door: a rule said by choices. The fields of its sentences (`say.0.event`...) make prose, numbers and
program of one change of the form, the one that is marked as said; what was said can be gone on with at the third door,
and, as far as choices can say it, come back to from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from nomopoly.rulebook.wording import form
from nomopoly.rulebook.wording.menus import Choice
from nomopoly.rulebook.wording.offers import offers
from nomopoly.rulebook.wording.program import Unwritable, program
from nomopoly.rulebook.wording.prose import prose
from nomopoly.rulebook.wording.read import read
from nomopoly.site.play import sheets

if TYPE_CHECKING:
    from nomopoly.site.play.sheets import Box, Sheet
    from nomopoly.site.shapes import Commons, Data


START = "say."  # before the names of the fields
UNSAYABLE = gettext_lazy(
    "The program of {rule} has become more than choices can say. It is under Program it; what you choose here takes "
    "its place."
)


def said_box(sheet: Sheet) -> Any:
    """The change of the form that is said, or None."""
    return next((box for box in sheet.boxes if box.said), None)


def press(sheet: Sheet, button: str) -> None:
    """Add a part to the sentences or take one away, or begin with one of the forms."""
    verb, _, value = button.partition(":")
    if verb == "start":
        fields = next((each["fields"] for each in form.starts() if each["id"] == value), None)
        sheet.say = dict(fields) if fields is not None else sheet.say
    elif verb == "prose":
        sheet.prose = ""
    else:
        sheet.say = form.pressed(sheet.say, button)


def enter(sheet: Sheet, records: list[Data], commons: Commons) -> str:
    """Come to the second door: with what was said here before, or with what the program of a new rule says."""
    box = said_box(sheet)
    if box is None:
        return "" if sheet.say else begin_with(sheet, records, commons)
    if sheet.say and box.code.strip() == made(sheet, records, commons)[0].strip():
        return ""
    return from_program(sheet, box, records, commons)


def begin_with(sheet: Sheet, records: list[Data], commons: Commons) -> str:
    """Go on with the new rule of the form, if it is one and choices can say it."""
    new = [box for box in sheet.boxes if box.kind == "enact" and box.code.strip()]
    if len(new) == 1 and not from_program(sheet, new[0], records, commons):
        new[0].said = "1"
    return ""


def from_program(sheet: Sheet, box: Box, records: list[Data], commons: Commons) -> str:
    """Say what the program of a change says. Returns why that is not possible, or ""."""
    why = str(UNSAYABLE).format(rule=box.rule)
    offered = offers(records, commons)
    parts = read(drafted(box.rule, box.code, sheets.read_params(box.params, [], "")), offered.catalogues)
    sentences = [part.sentence for part in parts if part.sentence is not None]
    if not sentences or len(sentences) < len(parts):
        return why
    try:
        fields = form.to_form(sentences)
    except form.NotInForm:
        return why
    if form.from_form(fields, offered)[1]:
        return why
    sheet.say = fields
    sheet.prose = box.text
    return ""


def drafted(id: str, code: str, params: Data) -> dict[Any, Any]:
    """A rule that is not there yet."""
    return {
        "id": id, "section": id.rpartition(".")[0], "section_title": "", "title": "", "text": "", "params": params,
        "code": code, "since": 0, "made_by": "draft",
    }  # fmt: skip


def made(sheet: Sheet, records: list[Data], commons: Commons) -> Any:
    """(program, numbers, prose, problems) that the sentences make so far."""
    found = offers(records, commons)
    sentences, problems = form.from_form(sheet.say, found)
    try:
        code, params = program(sentences) if sentences else ("", {})
    except Unwritable as error:
        return "", {}, "", [*problems, {"path": "", "message": str(error)}]
    text = prose(sentences, offers(records, commons, drafted("draft", code, params))) if sentences else ""
    return code, params, text, problems


def write(sheet: Sheet, records: list[Data], commons: Commons, free: str) -> Any:
    """Write what is said into its change of the form: `free` is a number for a new rule. Returns what is missing."""
    if not sheet.say:
        return []
    code, params, text, problems = made(sheet, records, commons)
    box = said_box(sheet)
    if box is None:
        box = sheets.Box(len(sheet.boxes), "enact", free, said="1")
        sheet.boxes.append(box)
    own = sheet.prose.strip() and sheet.prose.strip() != sheet.prose_made.strip()
    box.code, box.params = code, sheets.write_params(params)
    box.text = sheet.prose.strip() if own else text
    sheet.prose, sheet.prose_made = box.text, text
    return problems


def context(sheet: Sheet, records: list[Data], commons: Commons, asked: bool) -> dict[Any, Any]:
    """What the page of the second door shows; what is missing is named once that was `asked`."""
    offered = offers(records, commons)
    if not sheet.say:
        return {"starts": form.starts(offered)}
    named: Data = {}
    for each in form.from_form(sheet.say, offered)[1] if asked else ():
        named.setdefault(each["path"], each["message"])
    controls = [
        each
        | {
            "field": START + each["name"],
            "id": "say-" + each["name"].replace(".", "-").replace(":", "-"),
            "problem": named.pop(each["name"], ""),
            "groups": grouped(each["choices"]),
        }
        for each in form.controls(sheet.say, offered)
    ]
    box = said_box(sheet)
    rule = drafted(box.rule, box.code, sheets.read_params(box.params, [], "")) | {"text": box.text} if box else None
    return {"say_lines": lines_of(controls), "said": box, "said_rule": rule, "unsaid": list(named.values())}


def lines_of(controls: list[Data]) -> list[Any]:
    """Controls as they stand on the page, [(indentation, controls)]: each part of a list begins a line, buttons share
    one."""
    lines: list[Any] = []
    for each in controls:
        last = each["name"].rpartition(".")[2]
        button = each["sort"] in ("add", "remove")
        new = last.isdecimal() or last in ("form", "if")
        if not lines or (button != (lines[-1][1][-1]["sort"] in ("add", "remove"))) or (new and not button):
            lines.append((min(each["depth"], 4), []))
        lines[-1][1].append(each)
    return lines


def grouped(choices: list[Choice]) -> list[Any]:
    """Choices under the names of their groups: [(group, choices)], in the order in which they come."""
    found: Data = {}
    for each in choices:
        found.setdefault(each.get("group") or "", []).append(each)
    return list(found.items())

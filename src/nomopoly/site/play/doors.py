"""The doors to a proposal: change a number, say it, program it. All fill in one form, the sheet of play.proposals; what
a door has no place for goes along unseen, so that one can leave it for another without losing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, gettext_lazy

from nomopoly.rulebook import library
from nomopoly.rulebook.library import Entry
from nomopoly.rulebook.outline import declared_by
from nomopoly.site.play import numbers, saying, sheets, shelf, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomopoly.site.door import Seat
    from nomopoly.site.play.sheets import Box, Sheet
    from nomopoly.site.shapes import Commons, Data


DOORS = (
    # id, label, what it is for
    (
        "number",
        gettext_lazy("Change a number"),
        gettext_lazy("Find the sentence with the number, and type another one."),
    ),
    (
        "say",
        gettext_lazy("Say it"),
        gettext_lazy("Put a rule together from choices: when, if, then. No program in sight."),
    ),
    ("program", gettext_lazy("Program it"), gettext_lazy("Write the rule and its program, or start from a recipe.")),
)
SHOWN = ("title", "text", "scenario", "vote_yes", "follows")  # fields that every door has in sight
FIRST = "program"


def known(name: str | None) -> str:
    """A door of that name, or the one that shows everything."""
    return name if name in {door for door, _, _ in DOORS} else FIRST


def by_number(box: Box) -> bool:
    """Whether a change of the form is one that the first door shows: of a rule with numbers, as it was filled in."""
    return box.kind == "amend" and box.record is not None and box.filled == box.rule and bool(box.numbers)


def unseen(sheet: Sheet) -> list[Any]:
    """The fields of the form that its door has no place for: [(name, value)]."""
    made = {name: value for name, value in sheet.fields().items() if name not in SHOWN}
    if sheet.door == "program":
        made = {name: value for name, value in made.items() if name != "run" and not name.startswith("changes-")}
    if sheet.door == "say":
        starts = ("say.", "prose")
        made = {name: value for name, value in made.items() if not name.startswith(starts) or name == "prose_made"}
    if sheet.door == "number":
        shown = {f"changes-{box.at}-number-{name}" for box in sheet.boxes if by_number(box) for name in box.numbers}
        made = {name: value for name, value in made.items() if name not in shown}
    return list(made.items())


def enter(sheet: Sheet, door: str | None, records: list[Data], commons: Commons = ()) -> str:
    """Go through a door with all that the form holds. Returns what stands against it, or ""."""
    sheet.door = known(door)
    sheet.boxes = [box for box in sheet.boxes if box.kind or box.rule or sheets.typed(box, records)]
    if sheet.door == "program" and not sheet.boxes:
        sheet.boxes = [sheets.Box(0)]
    place_again(sheet)
    return saying.enter(sheet, records, commons) if sheet.door == "say" else ""


def place_again(sheet: Sheet) -> None:
    """Number the changes of a form from 0 on."""
    for place, box in enumerate(sheet.boxes):
        box.at = place


def press(sheet: Sheet, button: str, value: str, records: list[Data], commons: Commons) -> str:
    """What the buttons of the doors do. Returns what stands against it, or ""."""
    if button == "to":
        return enter(sheet, value, records, commons)
    if button == "take":
        return take(sheet, value, records)
    if button == "recipe":
        return start_from(sheet, value, records, commons)
    return ""


def take(sheet: Sheet, rule: str, records: list[Data]) -> str:
    """Take a rule into the form, to change its numbers."""
    if any(box.rule == rule and box.kind == "amend" for box in sheet.boxes):
        return ""
    enter(sheet, "number", records)
    if len(sheet.boxes) >= sheets.MOST_CHANGES:
        return gettext("A proposal has at most %(most_changes)s changes.") % {"most_changes": sheets.MOST_CHANGES}
    box = sheets.Box(len(sheet.boxes), rule=rule)
    if not sheets.fill_in(box, records):
        return gettext("There is no rule %(rule)s in this game.") % {"rule": rule}
    sheet.boxes.append(box)
    return ""


def recipes(records: list[Data], commons: Commons) -> list[Entry]:
    """The recipes that fit a game, as the reader's language says them."""
    return [shelf.here(each) for each in library.recipes(declared_by(records, commons))]


def start_from(sheet: Sheet, name: str, records: list[Data], commons: Commons) -> str:
    """Put a recipe, or another rule of the library, into the form."""
    entry = shelf.find(name)
    if entry is None:
        return gettext("There is no such rule in the library.")
    enter(sheet, "program", records)
    fill(sheet, entry, records)
    lacks = shelf.lacking(entry, records, commons)
    return (
        gettext("This game has no %(what)s: change the program before you submit it.") % {"what": ", ".join(lacks)}
        if lacks
        else ""
    )


def fill(sheet: Sheet, entry: Entry, records: list[Data]) -> None:
    """Put a rule of the library into the form: as a new rule, or as the program that runs once."""
    sheet.title = sheet.title or entry.title
    sheet.boxes = [box for box in sheet.boxes if box.kind or box.rule or sheets.typed(box, records)]
    if entry.run:
        sheet.run = f"{sheet.run}\n\n{entry.run}".strip()
    if entry.text:
        box = sheets.Box(0, "enact", sheets.number_in(sheet, records), entry.text, entry.code, title=entry.title)
        box.params = sheets.write_params(entry.params)
        sheet.boxes.append(box)
    sheet.boxes = sheet.boxes or [sheets.Box(0)]
    place_again(sheet)


def title_of(changes: list[Data], run: str, records: list[Data]) -> str:
    """A title for a proposal that has none, from what it changes; "" if it changes nothing."""
    told = [told_change(change, records) for change in changes] + (["A program that runs once"] if run else [])
    return "; ".join(told)[:200]


def told_change(change: Data, records: list[Data]) -> str:
    """One change in a few words."""
    verb = next(each for each in ("enact", "amend", "repeal", "restore") if each in change)
    rule = change[verb]
    record = sheets.find(records, rule)
    name = f"{rule} {record['title']}".strip() if record else rule
    if verb == "enact":
        return f"New rule {rule}: {change['title']}" if change.get("title") else f"New rule {rule}"
    if verb == "repeal":
        return f"Repeal {name}"
    if verb == "restore":
        return f"An earlier form of {name}"
    if record and set(change) == {"amend", "params"}:
        now = record["params"]
        parts = [
            f"{words.plain(each)} {words.number_words(value)} instead of {words.number_words(now[each])}"
            for each, value in change["params"].items()
            if each in now and value is not None
        ]
        if len(parts) == len(change["params"]):
            return f"{name}: {', '.join(parts)}"
    return f"Change {name}"


def say(sheet: Sheet, sent: Mapping[str, str], records: list[Data], commons: Commons) -> list[str]:
    """At the second door: carry out its buttons, and write what is said into the form. Returns what is missing, in
    sentences."""
    if sheet.door != "say":
        return []
    if "say-press" in sent:
        saying.press(sheet, sent["say-press"])
    missing = saying.write(sheet, records, commons, sheets.number_in(sheet, records))
    return [each["message"].rstrip(".") for each in missing]


def context(sheet: Sheet, seat: Seat, records: list[Data]) -> Data:
    """What the pages of the doors show besides the form."""
    asked, commons, edition = seat.request.POST, seat.live.ask(lambda game: game.commons()), seat.game.edition
    made: Data = {
        "doors": [(door, label, about, door == sheet.door) for door, label, about in DOORS],
        "unseen": unseen(sheet),
    }
    if sheet.door == "number":
        wanted = asked.get("q", "").strip()[:100]
        matching, many = numbers.listed(records, edition, wanted, {box.rule for box in sheet.boxes})
        made |= {
            "q": wanted,
            "found": matching,
            "many": many,
            "all_numbered": len(numbers.with_numbers(records)),
            "by_number": [
                (box, numbers.numbered(words.as_read(box.record, edition), box))
                for box in sheet.boxes
                if box.record and by_number(box)
            ],
            "others": [box for box in sheet.boxes if not by_number(box)],
        }
    if sheet.door == "say":
        made |= saying.context(sheet, records, commons, bool({"check", "submit", "enter"} & set(asked)))
        made["others"] = [box for box in sheet.boxes if not box.said]
    if sheet.door == "program":
        made["recipes"] = recipes(records, commons)
    return made

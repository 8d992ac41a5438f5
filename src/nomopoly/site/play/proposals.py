"""Proposals: reading the form in which one is written, and what would come of one."""

import hashlib
import json
import re
from dataclasses import dataclass, field

from nomopoly.rulebook.changes import ChangeError, apply_changes
from nomopoly.rulebook.diff import content, diff_books
from nomopoly.site.play import books, sentences
from nomopoly.site.tables import live

OPEN = ("undecided", "pending", "voting", "open")
MOST_CHANGES = 30
KINDS = (("", "nothing yet"), ("enact", "A new rule"), ("amend", "Change a rule"), ("repeal", "Repeal a rule"))


# ---- the form


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
    filled: str = ""  # the rule whose present form stands in the fields
    numbers: dict = field(default_factory=dict)  # name -> text, the simple inputs

    @property
    def at_text(self):
        return str(self.at)

    def fields(self):
        """The inputs of this box by name."""
        made = {f"changes-{self.at}-{name}": getattr(self, name) for name in PARTS}
        return made | {f"changes-{self.at}-number-{name}": value for name, value in self.numbers.items()}


PARTS = ("kind", "rule", "text", "code", "params", "title", "filled")


@dataclass
class Sheet:
    """The whole form."""

    title: str = ""
    text: str = ""
    run: str = ""
    boxes: list = field(default_factory=list)

    def fields(self):
        made = {"title": self.title, "text": self.text, "run": self.run}
        for box in self.boxes:
            made |= box.fields()
        return made


def read_sheet(sent):
    """The form as it was sent (any mapping of names to texts)."""
    clean = {name: str(value).replace("\r\n", "\n").replace("\x00", "") for name, value in sent.items()}
    numbers = sorted({int(found[1]) for name in clean if (found := re.match(r"changes-(\d{1,3})-", name))})
    sheet = Sheet(clean.get("title", "").strip(), clean.get("text", "").strip(), clean.get("run", "").rstrip())
    for at in numbers[:MOST_CHANGES]:
        box = Box(len(sheet.boxes), **{name: clean.get(f"changes-{at}-{name}", "") for name in PARTS})
        box.rule, box.kind = box.rule.strip(), box.kind.strip()
        start = f"changes-{at}-number-"
        box.numbers = {name[len(start) :]: value for name, value in clean.items() if name.startswith(start)}
        sheet.boxes.append(box)
    return sheet


def fill_in(box, records):
    """Put the present form of the chosen rule into a box. Returns whether there is such a rule."""
    record = find(records, box.rule)
    if record is None:
        return False
    box.kind = box.kind if box.kind in ("amend", "repeal") else "amend"
    box.text, box.code, box.title, box.filled = unwrapped(record["text"]), record["code"], record["title"], record["id"]
    box.numbers = {name: written(value) for name, value in record["params"].items() if simple(value)}
    box.params = write_params(record["params"])
    return True


def unwrapped(text):
    """A prose with each paragraph on one line, for editing; tables and lists keep their lines."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    keep = re.compile(r"\s*([|*+-]|\d+[.)] )")
    return "\n\n".join(
        part if any(keep.match(line) for line in part.split("\n")) else " ".join(part.split()) for part in paragraphs
    )


def find(records, id):
    return next((record for record in records if record["id"] == id), None)


def simple(value):
    return isinstance(value, int) and not isinstance(value, bool)


def written(value):
    return value if isinstance(value, str) else json.dumps(value)


def write_params(params):
    return "\n".join(f"{name}: {written(value)}" for name, value in params.items())


def read_params(text, problems, label):
    """Named numbers, one a line: `bonus: 400`."""
    found = {}
    for line in re.split(r"[\n;]", text):
        if not line.strip():
            continue
        parts = re.fullmatch(r"\s*(\w+)\s*[:=]\s*(.*?)\s*,?\s*", line)
        if parts is None or not parts[1].isidentifier():
            problems.append(f"{label}: write its numbers one a line, as bonus: 400, not “{line.strip()[:60]}”")
            continue
        found[parts[1]] = read_value(parts[2])
    return found


def read_value(text):
    """400, yes, "words" or [6, 6]."""
    plain = text.replace(",", "") if re.fullmatch(r"-?\$?\d{1,3}(,\d{3})+", text) else text
    try:
        return json.loads(plain.lstrip("$"))
    except ValueError:
        return {"yes": True, "no": False, "True": True, "False": False}.get(text, text)


def changes_of(sheet, records):
    """(changes as data, problems in words) of a form, against the present rules."""
    changes, problems = [], []
    for box in sheet.boxes:
        label = f"Change {box.at + 1}"
        if not box.kind:
            continue
        if box.kind not in ("enact", "amend", "repeal"):
            problems.append(f"{label}: choose a new rule, a change or a repeal")
        elif not box.rule:
            problems.append(f"{label}: which rule? Give its number, for example {free_number(records)}")
        elif box.kind == "repeal":
            changes.append({"repeal": box.rule})
        elif box.kind == "enact":
            changes.append(enacting(box, problems, label))
        elif (record := find(records, box.rule)) is None:
            problems.append(f"{label}: there is no rule {box.rule} to change")
        else:
            change = amending(box, record, problems, label)
            if len(change) == 1:
                problems.append(f"{label}: it leaves rule {box.rule} as it is")
            changes.append(change)
    return changes, problems


def enacting(box, problems, label):
    change = {"enact": box.rule, "text": box.text.strip()}
    if not change["text"]:
        problems.append(f"{label}: a rule needs its words")
    if box.title.strip():
        change["title"] = box.title.strip()
    if box.code.strip():
        change["code"] = box.code.strip("\n") + "\n"
    params = read_params(box.params, problems, label)
    if params:
        change["params"] = params
    return change


def amending(box, record, problems, label):
    """Only what differs from the present form."""
    change = {"amend": record["id"]}
    filled = box.filled == record["id"]
    if box.text.strip() and unwrapped(box.text) != unwrapped(record["text"]):
        change["text"] = box.text.strip()
    if box.title.strip() != record["title"].strip() and (filled or box.title.strip()):
        change["title"] = box.title.strip()
    if box.code.strip() != record["code"].strip() and (filled or box.code.strip()):
        change["code"] = box.code.strip("\n") + "\n" if box.code.strip() else ""
    params = read_params(box.params, problems, label)
    for name, text in box.numbers.items():
        value = read_value(text.strip())
        if name in record["params"] and not simple(value):
            problems.append(f"{label}: {name} must be a whole number, not “{text[:30]}”")
        elif value != record["params"].get(name):
            params[name] = value
    params = {name: value for name, value in params.items() if record["params"].get(name) != value}
    if params:
        change["params"] = params
    return change


def free_number(records):
    """A number that a new rule could have: one more in the last section."""
    sections = [record["section"] for record in records]
    last = sections[-1] if sections else "I"
    made = [record for record in records if record["made_by"] != "opening"]
    section = made[-1]["section"] if made else next_section(last)
    taken = {record["id"] for record in records}
    return next(f"{section}.{at}" for at in range(1, len(taken) + 2) if f"{section}.{at}" not in taken)


ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def next_section(section):
    """The section after the last one: X after IX, 13 after 12."""
    if section.isdecimal():
        return str(int(section) + 1)
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    if not section or any(sign not in values for sign in section):
        return f"{section}A"
    total = 0
    for sign, after in zip(section, f"{section[1:]} ", strict=True):
        total += -values[sign] if values[sign] < values.get(after, 0) else values[sign]
    total += 1
    text = ""
    for value, sign in ROMAN:
        while total >= value:
            text, total = text + sign, total - value
    return text


# ---- what would come of it


@dataclass
class Checked:
    """What a check of a proposal found."""

    problems: list
    clashes: list
    diff: object
    told: list
    refused: str
    words_alone: bool

    @property
    def forbids(self):
        return any(problem.level == "error" for problem in self.problems)


def check(seat, sheet, changes):
    """The problems of a proposal, the clashes it would bring, how the book would change, and what making it does."""
    records = seat.live.records()
    problems = seat.live.ask(lambda game: game.check(changes, sheet.run))
    after = changed_book(records, changes)
    clashes = [] if after is None else books.new_clashes(records, after, seat.live.n)
    seen = seat.live.preview(seat.player_name, "propose", arguments(sheet, changes))
    coded = any(change.get("code") or change.get("params") or "repeal" in change for change in changes)
    return Checked(
        problems,
        clashes,
        None if after is None else diff_books(records, after),
        [fact["say"] for fact in sentences.of_preview(seat, seen) if fact.get("say") and fact.get("depth", 0) > 0],
        seen.refused or "",
        not coded and not sheet.run,
    )


def arguments(sheet, changes):
    """The order that a form stands for."""
    args = {"title": sheet.title, "text": sheet.text, "changes": changes, "run": sheet.run}
    return {name: value for name, value in args.items() if value}


def changed_book(records, changes):
    """The book after some changes, or None where they cannot be applied."""
    try:
        return apply_changes(records, changes)
    except ChangeError:
        return None


# ---- proposals that have been made


def listed(view):
    """All proposals, newest first, with their changes read."""
    found = []
    for thing in view["things"].values():
        if thing["kind"] != "proposal":
            continue
        changes = read_changes(thing.get("changes"))
        rules = [str(change.get(verb)) for change in changes for verb in ("enact", "amend", "repeal") if verb in change]
        number = int(re.sub(r"\D", "", thing["id"]) or 0)
        is_open = str(thing.get("status") or "").casefold() in OPEN
        found.append(thing | {"number": number, "changes": changes, "rules": rules, "open": is_open})
    return sorted(found, key=lambda each: -each["number"])


def read_changes(kept):
    if isinstance(kept, str):
        try:
            kept = json.loads(kept)
        except ValueError:
            kept = []
    return [change for change in kept or [] if isinstance(change, dict)]


def outcome_words(proposal):
    """How it stands, in a word."""
    return str(proposal.get("verdict") or proposal.get("status") or "")


def content_hash(proposal):
    """The hash of what was proposed: title, words, changes and program."""
    kept = {name: proposal.get(name) for name in ("title", "text", "changes", "run")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def difference(seat, proposal):
    """What a proposal changes in the rules, and against which book: (diff or None, words about the book)."""
    book = books.history(seat)
    for each in book.moments[1:]:
        if each["cause"]["kind"] == "proposal" and each["cause"]["id"] == proposal["id"]:
            before = book.moments[each["moment"] - 1]["records"]
            return diff_books(before, each["records"]), f"as it was put into effect (history number {each['moment']})"
    records = seat.live.records() if proposal["open"] else book_of(book, proposal)
    after = changed_book(records, proposal["changes"])
    if after is None:
        return None, "it no longer fits the rules: a rule it is about is not there"
    return diff_books(records, after), "against the rules of now" if proposal["open"] else "against the rules of then"


def book_of(book, proposal):
    """The rules when a proposal was made."""
    at = proposal.get("made_at") or book.moments[0]["at"]
    return max((each for each in book.moments if each["at"] <= at), key=lambda each: each["moment"])["records"]


def moved_on(seat, proposal):
    """Rules that have changed since an open proposal was written: (then, now, as proposed)."""
    if not proposal["open"]:
        return []
    then, now = book_of(books.history(seat), proposal), seat.live.records()
    found = []
    for change in proposal["changes"]:
        id = change.get("amend") or change.get("repeal")
        was, present = find(then, id), find(now, id)
        if was is None or (present is not None and content(was) == content(present)):
            continue
        after = changed_book(now, [change]) if present is not None else None
        found.append((was, present, find(after, id) if after else None))
    return found


def forecast(seat, proposal):
    """What accepting an open proposal would do now, up to the first roll; None where the edition has no such act."""
    if not proposal["open"] or "accept" not in seat.live.describe()["actions"]:
        return None
    return seat.live.preview(None, "accept", {"on": proposal["id"]})


def age(proposal):
    return live.now() - (proposal.get("made_at") or live.now())

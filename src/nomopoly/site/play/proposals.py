"""Proposals: reading the form in which one is written, and what would come of one."""

import hashlib
import json
import re
import secrets
import textwrap
from dataclasses import dataclass, field
from urllib.parse import urlencode

from nomopoly.kernel.index import roman_value
from nomopoly.lab.forecast import changed_book, new_clashes
from nomopoly.rulebook.check import RUN
from nomopoly.rulebook.diff import content, diff_books
from nomopoly.site.formats import whole_number
from nomopoly.site.play import books, sentences, tryouts
from nomopoly.site.play.models import Successor
from nomopoly.site.tables import live, queries

OPEN = ("undecided", "pending", "voting", "open", "made", "sent-back")
MOST_CHANGES = 30
MOST_FIELDS = 900
LONGEST_EXAMPLE = 50_000
KINDS = (
    ("", "nothing yet"),
    ("enact", "A new rule"),
    ("amend", "Change a rule"),
    ("repeal", "Repeal a rule"),
    ("restore", "Bring an earlier form back"),
)


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
    filled: str = ""  # the rule whose present form was filled in
    since: str = ""  # the entry since which that form had held
    functions: str = ""  # what takes the place of functions of its program, or is added
    drop: str = ""  # names of numbers and functions that go
    earlier: str = ""  # the moment whose form comes back
    numbers: dict = field(default_factory=dict)  # name -> text, an input each
    record: dict | None = None  # the rule as it is now
    said: str = ""  # whether play.saying makes it
    asks: bool = False  # filling in would replace what was typed: whether to is asked
    moved: object = None
    problems: list = field(default_factory=list)

    @property
    def at_text(self):
        return str(self.at)

    @property
    def inputs(self):
        """The named numbers as inputs: (name, text, sort, present value in words)."""
        present = self.record["params"] if self.record else {}
        return [
            (name, text, sort_of(present.get(name)), written(present[name]) if name in present else "")
            for name, text in self.numbers.items()
        ]

    def fields(self):
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
    boxes: list = field(default_factory=list)
    scenario: str = ""  # an example of what it does, played with it in force
    follows: str = ""  # the number of the proposal that this is a new version of
    vote_yes: str = ""  # its author votes Yes on it at once
    door: str = "program"  # how it is being written, see play.doors
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))  # tells this form from others, in drafts
    office: str = ""  # the act of the Admin that it is for, see play.implement
    on: str = ""  # and the proposal that this is about
    say: dict = field(default_factory=dict)  # the fields of its sentences, see play.saying
    prose: str = ""  # the words of the rule that is said, as they are to be
    prose_made: str = ""  # and as they were written along
    run_problems: list = field(default_factory=list)
    lacks: str = ""  # what the game has not of what a rule of the library needs

    def fields(self):
        made = {name: getattr(self, name) for name in SHEET}
        made |= {f"say.{name}": value for name, value in self.say.items()}
        for box in self.boxes:
            made |= box.fields()
        return made


def read_sheet(sent):
    """The form as it was sent (any mapping of names to texts)."""
    clean = {name: str(value).replace("\r\n", "\n").replace("\x00", "") for name, value in sent.items()}
    numbers = sorted({int(found[1]) for name in clean if (found := re.match(r"changes-(\d{1,3})-", name))})
    sheet = Sheet(
        clean.get("title", "").strip(), clean.get("text", "").strip(), to_margin(clean.get("run", "").rstrip())
    )
    sheet.scenario = clean.get("scenario", "").strip("\n")[:LONGEST_EXAMPLE]
    sheet.follows = clean.get("follows", "") if re.fullmatch(r"\d{1,9}", clean.get("follows", "")) else ""
    sheet.office, sheet.on = clean.get("office", "")[:60], clean.get("on", "")[:60]
    sheet.prose, sheet.prose_made = clean.get("prose", ""), clean.get("prose_made", "")
    sheet.say = {name[4:]: value for name, value in list(clean.items())[:MOST_FIELDS] if name.startswith("say.")}
    sheet.vote_yes = "1" if clean.get("vote_yes") else ""
    sheet.door = clean.get("door") or sheet.door
    sheet.key = clean["key"] if re.fullmatch(r"[\w-]{8,40}", clean.get("key", "")) else sheet.key
    for at in numbers[:MOST_CHANGES]:
        box = Box(len(sheet.boxes), **{name: clean.get(f"changes-{at}-{name}", "") for name in PARTS})
        box.rule, box.kind, box.code = box.rule.strip(), box.kind.strip(), to_margin(box.code)
        box.functions, box.earlier = to_margin(box.functions), box.earlier.strip()
        start = f"changes-{at}-number-"
        box.numbers = {name[len(start) :]: value for name, value in clean.items() if name.startswith(start)}
        sheet.boxes.append(box)
    return sheet


def note_records(sheet, records):
    """Note for each change of a form the rule that it is about, as it is now."""
    for box in sheet.boxes:
        box.record = find(records, box.rule)


def to_margin(program):
    """A program that was copied from an indented place begins at the margin."""
    return textwrap.dedent(program) if program[:1].isspace() else program


def fill_in(box, records):
    """Put the present form of the chosen rule into a box. Returns whether there is such a rule."""
    record = find(records, box.rule)
    if record is None:
        return False
    box.kind = box.kind if box.kind in ("amend", "repeal") else "amend"
    box.text, box.code, box.title, box.params = unwrapped(record["text"]), record["code"], record["title"], ""
    box.filled, box.since = record["id"], str(record["since"])
    box.numbers = {name: written(value) for name, value in record["params"].items() if sort_of(value)}
    return True


def typed(box, records):
    """Whether a box holds anything that did not come from filling it in."""
    clean = Box(box.at, rule=box.filled)
    fill_in(clean, records)
    parts = ("text", "code", "title", "params", "functions", "drop", "earlier")
    return any(getattr(box, part).strip() != getattr(clean, part).strip() for part in parts) or any(
        text.strip() != clean.numbers.get(name) for name, text in box.numbers.items()
    )


def fill_gaps(box, records):
    """Fill in what is empty, and leave what was typed."""
    mine = Box(box.at, text=box.text, code=box.code, title=box.title, params=box.params, numbers=box.numbers)
    if not fill_in(box, records):
        return False
    for part in ("text", "code", "title", "params"):
        if getattr(mine, part).strip():
            setattr(box, part, getattr(mine, part))
    box.numbers |= {name: text for name, text in mine.numbers.items() if name in box.numbers and text.strip()}
    return True


def rework(sheet, button, value, records):
    """What the buttons within the form do: add a change, remove one, fill one in. Returns what stands against it."""
    if button == "add":
        if len(sheet.boxes) >= MOST_CHANGES:
            return f"A proposal has at most {MOST_CHANGES} changes."
        sheet.boxes.append(Box(len(sheet.boxes)))
        return ""
    at = button.rpartition("-")[2] if button.startswith("remove-") else value
    box = sheet.boxes[int(at)] if at.isdecimal() and int(at) < len(sheet.boxes) else None
    if box is None:
        return "There is no such change in the form."
    if button.startswith("remove-"):
        sheet.boxes = [each for each in sheet.boxes if each is not box] or [Box(0)]
        for place, each in enumerate(sheet.boxes):
            each.at = place
        return ""
    if find(records, box.rule) is None:
        return f"There is no rule {box.rule or 'without a number'} to fill in."
    if button == "fill" and typed(box, records):
        box.asks = True
        return ""
    (fill_gaps if button == "keep" else fill_in)(box, records)
    return ""


BUTTONS = r"add|fill|replace|keep|remove-\d{1,3}|to|take|recipe|find|look|say-press|say-update"
OF_DOORS = ("to", "take", "recipe", "find", "look", "say-press", "say-update")  # those that play.doors carries out


def button_of(sent):
    """The button within the form that was pressed, if one was."""
    return next((name for name in sent if re.fullmatch(BUTTONS, name)), "")


def unwrapped(text):
    """A prose with each paragraph on one line, for editing; tables and lists keep their lines."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    keep = re.compile(r"\s*([|*+-]|\d+[.)] )")
    return "\n\n".join(
        part if any(keep.match(line) for line in part.split("\n")) else " ".join(part.split()) for part in paragraphs
    )


def find(records, id):
    return next((record for record in records if record["id"] == id), None)


def sort_of(value):
    """What a named number is: "tick" (yes or no), "number", "words", or "" for what has no input of its own."""
    for kind, sort in ((bool, "tick"), (int, "number"), (str, "words")):
        if isinstance(value, kind):
            return sort
    return ""


def written(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
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
    number = whole_number(text)
    if number is not None and not text.startswith("0"):
        return number
    try:
        return json.loads(text)
    except ValueError:
        return {"yes": True, "no": False, "True": True, "False": False}.get(text, text)


def changes_of(sheet, records):
    """(changes as data, problems in words) of a form, against the present rules."""
    changes, problems = [], []
    for box in sheet.boxes:
        label = f"Change {box.at + 1}"
        if not box.kind:
            if typed(box, records) or (box.rule and not box.filled):
                problems.append(f"{label}: choose whether it makes a new rule, changes one or repeals one")
            continue
        if box.kind not in dict(KINDS):
            problems.append(f"{label}: choose a new rule, a change, a repeal or an earlier form")
        elif not box.rule:
            problems.append(f"{label}: which rule? Give its number, for example {free_number(records)}")
        elif box.kind == "repeal":
            changes.append({"repeal": box.rule})
        elif box.kind == "restore":
            changes.append({"restore": box.rule} | ({"from": box.earlier} if box.earlier else {}))
        elif box.kind == "enact":
            changes.append(enacting(box, problems, label))
        elif (record := find(records, box.rule)) is None:
            problems.append(f"{label}: there is no rule {box.rule} to change")
        elif box.filled not in ("", box.rule):
            problems.append(f"{label}: it holds the form of rule {box.filled} and is to change {box.rule}: fill it in")
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
    if box.functions.strip() or box.drop.strip():
        problems.append(f"{label}: only a rule that is there changes in part: give the whole program")
    if box.title.strip():
        change["title"] = box.title.strip()
    if box.code.strip():
        change["code"] = box.code.strip("\n") + "\n"
    params = {name: read_value(text.strip()) for name, text in box.numbers.items()}
    params |= read_params(box.params, problems, label)
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
        present = record["params"].get(name)
        value = text.strip() if isinstance(present, str) else read_value(text.strip())
        if name in record["params"] and sort_of(value) != sort_of(present):
            wanted = "yes or no" if sort_of(present) == "tick" else "a whole number"
            problems.append(f"{label}: {name} must be {wanted}, not “{text[:30]}”")
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


def free_number(records):
    """A number that a new rule could have: one more in the last section."""
    made = [record for record in records if record["made_by"] != "opening"]
    section = made[-1]["section"] if made else next_section(last_section(records))
    taken = {record["id"] for record in records}
    return next(f"{section}.{at}" for at in range(1, len(taken) + 2) if f"{section}.{at}" not in taken)


def last_section(records):
    """The highest section of a book: of those with plain numbers, or of those with Roman ones (a lone D is a letter)."""
    sections = list(dict.fromkeys(record["section"] for record in records))
    plain = [each for each in sections if each.isdecimal()]
    if plain:
        return max(plain, key=int)
    roman = [each for each in sections if 0 < (roman_value(each) or 0) <= 3 * len(sections) + 10]
    return max(roman, key=roman_value) if roman else (sections or ["I"])[-1]


ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"),
    (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def next_section(section):
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


def check(seat, sheet, changes, order=None):
    """The problems of a proposal, the clashes it would bring, how the book would change, and what making it does; or what an
    `order` of the Admin's does: (what, arguments)."""
    records = seat.live.records()
    problems = seat.live.check(changes, sheet.run)
    changes = seat.live.written_out(changes) if not any(each.level == "error" for each in problems) else changes
    after = changed_book(records, changes)
    clashes = [] if after is None else new_clashes(records, after, seat.live.n)
    seen = seat.live.preview(seat.player_name, *(order or ("propose", arguments(sheet, changes))))
    coded = any(change.get(part) for change in changes for part in ("code", "params", "functions", "drop", "repeal"))
    return Checked(
        problems,
        clashes,
        None if after is None else diff_books(records, after),
        [fact["say"] for fact in sentences.of_preview(seat, seen) if fact.get("say") and fact.get("depth", 0) > 0],
        seen.refused or "",
        not coded and not sheet.run,
    )


@dataclass
class Placed:
    """A problem, with the address of the place in the form and the line of the program that it is about."""

    level: str
    rule: str
    line: int
    message: str
    place: str
    quoted: str = ""


def place(seat, checked, sheet):
    """The problems of a check with their places. Each change of the form, and its one-time program, gets its own."""
    found = []
    for problem in checked.problems:
        box = next((box for box in sheet.boxes if box.kind and box.rule == problem.rule), None)
        code = sheet.run if problem.rule == RUN else box.code if box else ""
        if problem.rule == RUN:
            where = "#program-run"
        elif box is not None:
            where = f"#program-changes-{box.at}-code" if problem.line else f"#change-{box.at}"
        else:
            where = f"{seat.game.address}rules/{problem.rule}/" if problem.rule else "#changes"
        quoted = code.split("\n")[problem.line - 1].strip() if 0 < problem.line <= code.count("\n") + 1 else ""
        found.append(Placed(problem.level, problem.rule, problem.line, problem.message, where, quoted))
        if box is not None:
            box.problems.append(found[-1])
        elif problem.rule == RUN:
            sheet.run_problems.append(found[-1])
    return found


WHY = {"older form": "its present form is older", "lower number": "its number is the lower one"}


@dataclass
class ClashWords:
    """A clash as the author of a proposal reads it, and the rule outside the proposal that has part in it."""

    told: str
    advice: str
    rule: str


def clash_words(clash, sheet):
    """Which rule would win over which, and why, for the author of a form."""
    mine = {box.rule for box in sheet.boxes if box.kind in ("enact", "amend")}
    names = {
        id: f"this ({id})" if id in mine and len({clash.winner, clash.loser} & mine) == 1 else id
        for id in (clash.winner, clash.loser)
    }
    why = WHY.get(clash.reason) or (f"it {clash.reason}" if clash.reason.startswith("says") else clash.reason)
    told = f"{names[clash.winner]} would win over {names[clash.loser]}, because {why}. Both {clash.both}."
    advice = ""
    if clash.loser in mine and clash.reason in WHY:
        advice = f'For {clash.loser} to win, its program says overrides("{clash.winner}").'
    elif clash.winner in mine and clash.loser not in mine:
        advice = f"Is that meant? Say so in the words of {clash.winner}: voters read them."
    other = next((id for id in (clash.winner, clash.loser) if id not in mine), "")
    return ClashWords(told[0].upper() + told[1:], advice, other)


def arguments(sheet, changes):
    """The order that a form stands for."""
    args = {"title": sheet.title, "text": sheet.text, "changes": changes, "run": sheet.run}
    return {name: value for name, value in args.items() if value}


# ---- proposals that have been made


def listed(view):
    """All proposals, newest first, with their changes read."""
    found = []
    for thing in view["things"].values():
        if thing["kind"] != "proposal":
            continue
        changes = queries.changes_of(thing)
        rules = [str(change.get(verb)) for change in changes for verb in ("enact", "amend", "repeal") if verb in change]
        number = int(re.sub(r"\D", "", thing["id"]) or 0)
        is_open = str(thing.get("status") or "").casefold() in OPEN
        more = {
            "voting": queries.is_voted_on(thing),
            "ballot": view.get("ballots", {}).get(thing["id"]),
        }
        found.append(thing | {"number": number, "changes": changes, "rules": rules, "open": is_open, **more})
    return sorted(found, key=lambda each: -each["number"])


CUSTOMARY = "customary_proposal"  # the value by which rules declare the title of a proposal that only wants its turn


def customary_title(seat):
    """The title of a proposal that changes nothing and only wants the turn that it earns; "" where the rules know none."""
    return str(seat.live.value(CUSTOMARY)) if CUSTOMARY in seat.live.describe()["values"] else ""


def is_customary(proposal, title):
    """Whether a proposal is of that title, and changes nothing."""
    return bool(title) and proposal.get("title") == title and not (proposal["changes"] or proposal.get("run"))


def fold_customary(seat, listed):
    """A list without the decided proposals that only wanted their turn, and those."""
    title = customary_title(seat)
    folded = [each for each in listed if is_customary(each, title) and not each["open"]]
    return [each for each in listed if each not in folded], folded


def ballot_action(seat, proposal):
    """The action by which a player votes on this proposal, and what one can choose; None if it is not voted on.

    `choices` are those for which a button is enough; `form` is the page that asks for what else one can say, named by `asked`.
    """
    if seat.role != "player" or not proposal["voting"]:
        return None
    for action in seat.live.actions(seat.viewer, seat.live.describe()["ballots"]):
        if action["possible"] and proposal["id"] in [each["id"] for each in action["fields"][0]["choices"]]:
            subject, choice, *further = action["fields"]
            by_button = all(each["optional"] or each["default"] is not None for each in further)
            choices = [each["id"] for each in choice["choices"]] if by_button else []
            sealed = seat.live.describe()["ballots"].get(action["id"], {}).get("sealed", True)
            asked = [each["label"] for each in (further if choices else action["fields"][1:])]
            form = f"act/{action['id']}/?{urlencode({subject['name']: proposal['id']})}" if asked else ""
            fields = [each["name"] for each in action["fields"]]
            more = {"form": form, "asked": ", ".join(asked), "sealed": sealed}
            return {"id": action["id"], "fields": fields, "choices": choices, **more}
    return None


def retracting(seat, proposal):
    """Whether this viewer can retract the proposal now."""
    return (
        seat.role == "player"
        and proposal["voting"]
        and proposal.get("author") == seat.player_name
        and "retract-proposal" in seat.live.describe()["actions"]
    )


def way(proposal):
    """What has become of a proposal, step by step: [(done, text, moment or None)]."""
    steps = []
    closes, outcome = proposal.get("closes_at"), proposal.get("outcome")
    if closes is None:
        return way_of_week(proposal)
    yes, no = proposal.get("yes_votes"), proposal.get("no_votes")
    if proposal["voting"]:
        return [(False, "in voting until", closes)]
    if proposal.get("status") == "Voting":
        return [(True, "Voting closed at", closes), (False, "the votes are being counted", None)]
    if outcome == "retracted":
        return [(True, "retracted by its author", None)]
    if yes is None:
        return [(True, "closed without effect: the game is over", None)]
    steps.append((True, f"{yes} Yes, {no} No. Voting closed at", closes))
    if proposal.get("status") == "Pending":
        steps.append((False, "Accepted. Waiting for the Admin", None))
    elif outcome == "refused":
        steps.append((True, f"The Admin refused to implement this: {proposal.get('because') or ''}", None))
    else:
        steps.append((True, outcome or "done", None))
    return steps


def way_of_week(proposal):
    """The same where proposals are public, voted on and counted at moments of the week."""
    status = str(proposal.get("status") or "")
    if "on_ballot" not in proposal:
        return []
    if status == "made":
        return [(False, "public with the first update of the week", None)]
    if status == "voting":
        return [(False, "in voting" if proposal["on_ballot"] else "public; voting has not begun", None)]
    if proposal.get("yes_votes") is not None:
        counted = f"{proposal['yes_votes']} Yes, {proposal.get('no_votes')} No"
        return [(True, counted, None), (True, status, None)]
    return [(True, f"{status}: {proposal['because']}" if proposal.get("because") else status, None)]


def outcome_words(proposal):
    """How it stands, in a word."""
    return str(proposal.get("verdict") or proposal.get("outcome") or proposal.get("status") or "")


def canonical(proposal):
    """What was proposed, title, words, changes and program, as the one JSON text of it that there is."""
    kept = {name: proposal.get(name) for name in ("title", "text", "changes", "run")}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def content_hash(proposal):
    """The SHA-256 of that text."""
    return hashlib.sha256(canonical(proposal).encode()).hexdigest()


def note_version(seat, newer, older):
    """Keep that a proposal ("P3") was written as a new version of another ("P1")."""
    Successor.objects.get_or_create(game=seat.game, newer=newer, defaults={"older": older})


def versions_of(seat, proposal, everything):
    """The proposal that this one is a new version of, and those that are new versions of it: (older or None, newer)."""
    known = {each["id"]: each for each in everything}
    older, newer = [
        [
            known[id]
            for id in Successor.objects.filter(game=seat.game, **{at: proposal["id"]}).values_list(asked, flat=True)
            if id in known
        ]
        for at, asked in (("newer", "older"), ("older", "newer"))
    ]
    if proposal.get("status") == "replaced" and not newer:
        newer = [
            each
            for each in everything
            if each.get("author") == proposal.get("author") and each["number"] > proposal["number"]
        ][-1:]
    return older[0] if older else None, newer


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


def otherwise(seat, proposal):
    """Where the Admin has put into effect something else than was voted: (diff from the one to the other or None, the
    numbers in the history at which that was corrected)."""
    book = books.history(seat)
    moments = [
        each["moment"]
        for each in book.moments[1:]
        if each["cause"]["kind"] == "proposal" and each["cause"]["id"] == proposal["id"]
    ]
    if not moments:
        return None, []
    voted = changed_book(book.moments[moments[0] - 1]["records"], proposal["changes"])
    done = diff_books(voted, book.moments[moments[0]]["records"]).changed if voted is not None else None
    return done or None, moments[1:]


def book_of(book, proposal):
    """The rules when a proposal was made."""
    at = queries.moment_in(proposal, "made_at") or book.moments[0]["at"]
    then = [each for each in book.moments if each["at"] <= at]
    return (then or book.moments[:1])[-1]["records"]


@dataclass
class Moved:
    """A rule that has changed since somebody wrote a change of it: the forms then, now and as wanted (None: no rule),
    and what changed it, in words and as a path."""

    then: dict
    now: dict | None
    wanted: dict | None
    by: str
    path: str

    @property
    def texts(self):
        """The three forms, each with its name and with what stands there if there is no such rule."""
        return (
            ("When this was written", self.then, ""),
            ("Now", self.now, "It is repealed."),
            ("As proposed", self.wanted, "It would be repealed." if self.now else "There is no rule to change."),
        )

    @property
    def codes(self):
        """Whether the programs differ too."""
        return len({record["code"] for record in (self.then, self.now, self.wanted) if record}) > 1


def moved(book, view, then, now, wanted):
    """What came between an earlier form of a rule and the present one; None where it is the same."""
    if now is not None and content(then) == content(now):
        return None
    cause = book.versions(then["id"])[-1].cause
    words, path = books.cause_words(cause, view)
    by = f"#{cause['id'][1:]}" if cause["kind"] == "proposal" else words[0].lower() + words[1:]
    return Moved(then, now, wanted, by, path)


def moved_on(seat, proposal):
    """The rules that have changed since an open proposal was written."""
    if not proposal["open"]:
        return []
    book, now = books.history(seat), seat.live.records()
    then = book_of(book, proposal)
    found = []
    for change in proposal["changes"]:
        id = change.get("amend") or change.get("repeal")
        was, present = find(then, id), find(now, id)
        if was is None:
            continue
        after = changed_book(now, [change]) if present is not None else None
        found.append(moved(book, seat.view, was, present, find(after, id) if after else None))
    return [each for each in found if each is not None]


def mark_moved(seat, sheet, records):
    """Mark the changes of a form whose rule has changed since its present form was filled in, and say which they are."""
    note_records(sheet, records)
    stale = [
        box
        for box in sheet.boxes
        if box.kind == "amend"
        and box.filled == box.rule
        and (box.record is None or str(box.record["since"]) != box.since)
    ]
    book = books.history(seat) if stale else None
    for box in stale:
        versions = [version.record for version in book.versions(box.filled) if version.record is not None]
        then = next((record for record in versions if str(record["since"]) == box.since), None)
        if then is not None:
            changes = [] if box.record is None else [amending(box, box.record, [], "")]
            after = changed_book(records, [change for change in changes if len(change) > 1])
            box.moved = moved(book, seat.view, then, box.record, find(after, box.filled) if after else None)
    return [box.moved for box in stale if box.moved]


def forecast(seat, proposal):
    """What accepting an open proposal would do now, up to the first roll; None for words alone that no act accepts.

    Where the Admin accepts proposals, that act is tried; elsewhere the proposal is put in force on a copy.
    """
    acts = seat.live.actions("admin", only=("accept",), untried=True) if proposal["open"] else []
    takes = [choice["id"] for act in acts for field in act["fields"] for choice in field["choices"]]
    accepts = proposal["id"] in takes
    if not accepts and not (proposal["open"] and (proposal["changes"] or proposal["run"])):
        return None
    view = seat.live.view(seat.viewer)

    def tried(game):
        if accepts:
            return tryouts.preview(game, view, "accept", {"on": proposal["id"]})
        return tryouts.in_force(game, view, proposal)

    return seat.live.kept(("forecast", seat.viewer, proposal["id"]), tried)


def age(proposal):
    return live.now() - (queries.moment_in(proposal, "made_at") or live.now())

"""Changes of a rulebook as data: read, checked for their form, and applied to plain records.

A list of `{"enact": number, "text", "code", "params"}`, `{"amend": number, ...only what changes}`,
`{"repeal": number}`. An amendment drops a number by `params: {name: null}`, puts functions in place of those of their
names or adds them by `functions: code`, and drops functions and numbers by `drop: [name]`.
`{"restore": number, "from": moment}` brings an earlier form back: `written_out` makes an amendment of it (or an
enactment) before anybody votes, so that voters read what it says. Inside a game the kernel carries changes out
(`kernel.rules`); here they are applied for previews, with the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import MaxDepthExceededError
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import YAMLError

from nomopoly.errors import CommandError
from nomopoly.kernel.parts import program_pieces, with_functions
from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.source import RULE_NUMBER, Record

Change = dict[str, Any]
DEEPEST = 100  # lists within lists: with many thousands, reading would take minutes
LONGEST = 1_000_000  # characters of a file of changes
SAID = ("title", "text", "changes", "run")  # what a proposal says
IN_FILE = (*SAID, "scenario", "edition")  # what a file of one may have
MOST_CHANGES = 500  # of one proposal
LONGEST_TEXT = 50_000  # characters of one prose
LONGEST_TITLE = 500  # characters of a title
LONGEST_TEXTS = 400_000  # characters of all proses of one proposal
LONGEST_PROGRAMS = 250_000  # characters of all its programs
VERBS = ("enact", "amend", "repeal", "restore")
PARTS = {"text": str, "code": str, "title": str, "section": str, "section_title": str, "params": dict}
IN_PART = {"functions": str, "drop": list}  # what an amendment may have besides


class ChangeError(CommandError):
    """A change that cannot be applied: `rule` and `message` say which and why."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"rule {rule}: {message}" if rule else message)
        self.rule = rule
        self.message = message


class Words(SafeConstructor):
    """YAML values as proposals want them: dates stay words."""


Words.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)


def read_data(text: str, name: str = "this", every: bool = False) -> Any:
    """What a YAML 1.2 or JSON text holds (`every`: a list of its documents). Raises ChangeError, which names `name`."""
    if len(text) > LONGEST:
        raise ChangeError("", f"{name}: too long: {len(text)} characters, at most {LONGEST}")
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = DEEPEST
    yaml.Constructor = Words
    try:
        documents = list(yaml.load_all(text))
    except MaxDepthExceededError:
        raise ChangeError(
            "", f"{name}: nested too deeply: at most {DEEPEST} lists or maps within one another"
        ) from None
    except (YAMLError, ValueError, TypeError, AttributeError, RecursionError, MemoryError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark is not None else ""
        reason = getattr(error, "problem", None) or " ".join(str(error).split()[:30])
        raise ChangeError("", f"{name}: {place}this is neither YAML nor JSON: {reason}") from None
    if every:
        return documents
    if len(documents) != 1:
        raise ChangeError("", f"{name}: there must be one document, and there are {len(documents)}")
    return documents[0]


def proposal_in(content: object, file: str) -> dict[str, Any]:
    """What a file says of a proposal, name by name. Raises CommandError where it is something else, or a change
    alone.

    An example that stands beside the parts of the proposal, as in the guide, becomes its part `scenario`.
    """
    if not isinstance(content, dict):
        raise CommandError(f"{file}: this is no proposal: write title, text, changes and run, each with its content")
    for verb in VERBS:
        if verb in content:
            raise CommandError(f"{file}: '{verb}' alone is no proposal: put the change into a list, named `changes`")
    if "steps" in content and {"changes", "run"} & set(content):
        said = {name: part for name, part in content.items() if name in SAID}
        return {**said, "scenario": {name: part for name, part in content.items() if name not in SAID}}
    if "steps" not in content:
        read_file_parts(content, file)
    return content


def read_file_parts(content: Change, file: str) -> None:
    """Look at the names in a file of a proposal, and at what is text there. Raises CommandError."""
    if not set(content) & {*SAID, "scenario"}:
        raise CommandError(f"{file}: this is no proposal: write title, text, changes and run, each with its content")
    unknown = next((str(name) for name in content if name not in IN_FILE), None)
    if unknown is not None:
        raise CommandError(f"{file}: a proposal has no '{unknown}': there are {', '.join(IN_FILE)}")
    for name in ("title", "text", "run"):
        if not isinstance(content.get(name) or "", str):
            raise CommandError(f"{file}: {name} must be text")


def read_changes(changes: object) -> list[Change]:
    """A list of changes from data, or from its text in YAML or JSON: their form is as it should be. Raises
    ChangeError."""
    if isinstance(changes, str):
        changes = read_data(changes, "changes") if changes.strip() else []
    if isinstance(changes, dict) and set(changes) & set(VERBS):
        changes = [changes]
    if changes is None:
        return []
    if not isinstance(changes, (list, tuple)):
        raise ChangeError("", "changes are a list, each with enact, amend or repeal")
    if len(changes) > MOST_CHANGES:
        raise ChangeError(
            "", f"too many changes: {len(changes):,}, at most {MOST_CHANGES} in one proposal. Make two of it"
        )
    parts = [read_change(change)[2] for change in changes]
    for part, what, most in (("text", "texts", LONGEST_TEXTS), ("code", "programs", LONGEST_PROGRAMS)):
        also = "functions" if part == "code" else part
        together = sum(len(each.get(part) or "") + (len(each.get(also) or "") if also != part else 0) for each in parts)
        if together > most:
            raise ChangeError(
                "",
                f"the {what} are too long together: {together:,} characters, at most {most:,}. Make two "
                "proposals of it",
            )
    return list(changes)


def read_change(change: object) -> tuple[str, str, dict[str, Any]]:
    """Verb, rule number and parts of one change. Raises ChangeError."""
    if not isinstance(change, dict):
        raise ChangeError("", f"a change says enact, amend or repeal: {brief(change)} does not")
    verb, number = read_verb(change)
    parts = {key: value for key, value in change.items() if key != verb}
    if verb == "restore":
        return verb, number, read_restore(number, parts)
    read_parts(verb, number, parts)
    read_numbers(number, parts.get("params") or {}, may_go=verb == "amend")
    if verb == "repeal" and parts:
        raise ChangeError(number, "a repeal says nothing but the number of the rule")
    if verb == "amend" and all(value is None for value in parts.values()):
        raise ChangeError(number, "the amendment changes nothing: give text, code, params or title")
    if verb == "enact" and not (parts.get("text") or parts.get("code")):
        raise ChangeError(number, "the new rule is empty: give it text, or code, or both")
    return verb, number, parts


def read_verb(change: Change) -> tuple[str, str]:
    """What a change does, and to the rule of which number. Raises ChangeError."""
    verbs = [verb for verb in VERBS if verb in change]
    if len(verbs) != 1:
        raise ChangeError("", f"a change says exactly one of enact, amend and repeal: {brief(change)} does not")
    verb, number = verbs[0], change[verbs[0]]
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        raise ChangeError("", f'{verb} wants a number in quotes, "{number}": without them 13.10 would become 13.1')
    if not isinstance(number, str) or len(number) > 60 or not RULE_NUMBER.fullmatch(number):
        raise ChangeError("", f"{verb} wants the number of a rule, for example X.1, and not {brief(number)}")
    return verb, number


def read_parts(verb: str, number: str, parts: Change) -> None:
    """Look at the parts of a rule that a change gives: they are known, of their sort, and not too long. Raises
    ChangeError."""
    known = {**PARTS, **IN_PART} if verb == "amend" else PARTS
    for key, value in parts.items():
        if key in IN_PART and key not in known:
            raise ChangeError(number, f"'{key}' is for an amendment: a new rule says all it has in code and params")
        if key not in known:
            raise ChangeError(number, f"a rule has no part {brief(key)}: there are {', '.join(known)}")
        if value is not None and not isinstance(value, known[key]):
            sorts = {
                "params": "a list of names, each with its number",
                "drop": "a list of names of numbers and functions",
            }
            raise ChangeError(number, f"{key} must be {sorts.get(key, 'text')}")
    for name in parts.get("drop") or ():
        if not isinstance(name, str):
            raise ChangeError(number, f"drop must be a list of names of numbers and functions: {brief(name)} is none")
    if parts.get("functions"):
        read_functions(number, parts)
    for part, most in (("text", LONGEST_TEXT), ("title", LONGEST_TITLE), ("section_title", LONGEST_TITLE)):
        if len(parts.get(part) or "") > most:
            raise ChangeError(number, f"its {part} is too long: {len(parts[part]):,} characters, at most {most:,}")


def read_numbers(number: str, params: Change, may_go: bool) -> None:
    """Look at the named numbers that a change gives; where they `may_go`, None takes one out. Raises ChangeError."""
    for name, value in params.items():
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_") or name in ("id", "title"):
            raise ChangeError(number, f"{brief(name)} cannot name a number: use letters, digits and _")
        if not isinstance(value, (int, str)) and not (value is None and may_go):
            raise ChangeError(
                number, f"the number '{name}' must be a whole number, a word or yes/no: not {brief(value)}"
            )


def read_functions(number: str, parts: Change) -> None:
    """Look at the functions that an amendment brings. Raises ChangeError."""
    if parts.get("code") is not None:
        raise ChangeError(
            number, "give code, which is the whole program, or functions, which are parts of it: not both"
        )
    if not [name for name, _ in program_pieces(parts["functions"]) if name]:
        raise ChangeError(number, "functions must hold a function, with its decorator: def name(...): ...")


def read_restore(number: str, parts: Change) -> Change:
    """Which earlier form a change brings back. Raises ChangeError."""
    others = [key for key in parts if key != "from"]
    if others:
        raise ChangeError(number, f"a restore says the number of the rule, and from when: not {brief(others[0])}")
    if parts.get("from") is not None and (isinstance(parts["from"], bool) or not isinstance(parts["from"], (int, str))):
        raise ChangeError(number, "from must be a history number, a date, a moment or start")
    return parts


def written_out(
    changes: object, records: list[Record], earlier: Callable[[str, str | None], Record | None], in_part: bool = True
) -> list[Change]:
    """A list of changes in which each `restore` is the amendment (or enactment) that brings the earlier form back.

    `earlier(number, moment)` is the form that a rule had then (None: before its last change), or None if there was
    none. Without `in_part` amendments of parts say the whole program: for games begun before there were any.
    Raises ChangeError, also where the rule has that form already.
    """
    book = {record["id"]: record for record in records}
    written = []
    for change in read_changes(changes):
        verb, number, parts = read_change(change)
        if verb == "restore":
            since = None if parts.get("from") is None else str(parts["from"])
            old, now = earlier(number, since), book.get(number)
            if old is None:
                raise ChangeError(
                    number, "there is no earlier form of it" if since is None else "there was no such rule then"
                )
            change = back_to(number, old, now)
        if not in_part and "amend" in change and number in book:
            change = as_whole(change, book[number])
        written.append(change)
    return written


def unknown_here(number: str, moment: str | None = None) -> None:
    """The earlier form of a rule where there is no game: raises ChangeError."""
    raise ChangeError(
        number, "only a game knows the earlier forms of its rules: name it with --game, or make this proposal there"
    )


def as_whole(change: Change, record: Record) -> Change:
    """An amendment without parts of programs. Raises ChangeError where it drops a number: that cannot be said
    otherwise."""
    parts = {part: change[part] for part in change if part != "amend"}
    new = amended(record, parts)
    if [name for name in record["params"] if name not in new["params"]]:
        raise ChangeError(
            record["id"],
            "this game was begun before a rule could drop a number: leave the number, or repeal the rule and enact it",
        )
    if not parts.keys() & IN_PART.keys():
        return change
    return {"amend": record["id"], **{part: parts[part] for part in parts if part not in IN_PART}, "code": new["code"]}


def back_to(number: str, old: Record, now: Record | None) -> Change:
    """The change that gives a rule an earlier form: only what differs, or all of it where the rule has gone."""
    if now is None:
        return {"enact": number, **{part: old[part] for part in PARTS if part != "section" and old.get(part)}}
    change: Change = {part: old[part] for part in ("title", "text", "code", "section_title") if old[part] != now[part]}
    params = {name: None for name in now["params"] if name not in old["params"]}
    params |= {name: value for name, value in old["params"].items() if now["params"].get(name, params) != value}
    if params:
        change["params"] = params
    if not change:
        raise ChangeError(number, "it has that form now: nothing would change")
    return {"amend": number, **change}


def brief(value: object) -> str:
    """Something unexpected, for a message."""
    try:
        text = repr(value)
    except RecursionError:
        text = type(value).__name__
    return text if len(text) <= 60 else text[:60] + "..."


def free_number(number: str, taken: set[str]) -> str:
    """The number itself, or the next one that no rule bears. Raises ChangeError where none can be counted on to."""
    if number not in taken:
        return number
    if "/" in number:
        return next(found for at in range(2, len(taken) + 3) if (found := f"{number}-{at}") not in taken)
    head, dot, last = number.rpartition(".")
    if not last.isdigit():
        raise ChangeError(number, "there already is a rule of this number: choose another one")
    return next(
        found for at in range(int(last) + 1, int(last) + len(taken) + 2) if (found := f"{head}{dot}{at}") not in taken
    )


def apply_changes(
    records: list[Record], changes: object, made_by: str = "proposal", since: int | None = None
) -> list[Record]:
    """The rulebook after some changes, in book order; the given one is left alone, and so are its other records.

    `since` is the entry number at which the new forms begin; by default they are the youngest of the book. Raises
    ChangeError for what is no change, and for amending or repealing what is not there.
    """
    book = {record["id"]: record for record in records}
    if since is None:
        since = max([record["since"] for record in records], default=0) + 1
    for verb, number, parts in [read_change(change) for change in read_changes(changes)]:
        if verb == "enact":
            number = free_number(number, set(book))
            section = number.partition(".")[0]
            alike = [record for record in book.values() if record["section"] == section]
            heading = next((record["section_title"] for record in alike if record["section_title"]), "")
            book[number] = {
                "id": number,
                "section": section,
                "section_title": parts.get("section_title") or parts.get("section") or heading,
                "title": parts.get("title") or "",
                "text": parts.get("text") or "",
                "params": dict(parts.get("params") or {}),
                "code": parts.get("code") or "",
                "since": since,
                "made_by": made_by,
            }
        elif verb == "restore":
            unknown_here(number)
        elif number not in book:
            raise ChangeError(number, f"there is no rule {number} to {verb}")
        elif verb == "repeal":
            book.pop(number)
        else:
            book[number] = amended(book[number], parts) | {"made_by": made_by, "since": since}
    return [book[number] for number in sorted(book, key=number_key)]


def amended(record: Record, parts: Change) -> Record:
    """A rule with what an amendment says of it, as the kernel makes it. Raises ChangeError for a name that is not
    there."""
    new = dict(record)
    for key, value in parts.items():
        if value is not None and key in PARTS and key != "section":
            new[key] = {**new["params"], **value} if key == "params" else value
    gone = [name for name, number in (parts.get("params") or {}).items() if number is None]
    new["params"] = {name: number for name, number in new["params"].items() if name not in gone}
    dropped = parts.get("drop") or ()
    if dropped:
        pieces = program_pieces(new["code"])
        for name in dropped:
            if name not in new["params"] and name not in [each for each, _ in pieces]:
                raise ChangeError(record["id"], f"it has neither a number nor a function '{name}'")
        new["code"] = "".join(text for name, text in pieces if name not in dropped).strip("\n")
        new["params"] = {name: number for name, number in new["params"].items() if name not in dropped}
    if parts.get("functions"):
        new["code"] = with_functions(new["code"], parts["functions"])
    return new

"""Changes of a rulebook as data: read, checked for their form, and applied to plain records.

A list of `{"enact": number, "text", "code", "params"}`, `{"amend": number, ...only what changes}`, `{"repeal": number}`.
Inside a game the kernel carries them out (`kernel.rules`); here they are applied for previews, with the same meaning.
"""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.constructor import SafeConstructor

from nomopoly.errors import CommandError
from nomopoly.kernel.index import number_key
from nomopoly.rulebook.source import RULE_NUMBER, Record

Change = dict[str, Any]
DEEPEST = 100  # lists within lists: with many thousands, reading would take minutes
LONGEST = 1_000_000  # characters of a file of changes
MOST_CHANGES = 500  # of one proposal
LONGEST_TEXT = 50_000  # characters of one prose
LONGEST_TITLE = 500  # characters of a title
LONGEST_TEXTS = 400_000  # characters of all proses of one proposal
LONGEST_PROGRAMS = 250_000  # characters of all its programs
VERBS = ("enact", "amend", "repeal")
PARTS = {"text": str, "code": str, "title": str, "section": str, "section_title": str, "params": dict}


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


def read_changes(changes: Any) -> list[Change]:
    """A list of changes from data, or from its text in YAML or JSON: their form is as it should be. Raises ChangeError."""
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
        together = sum(len(each.get(part) or "") for each in parts)
        if together > most:
            raise ChangeError(
                "",
                f"the {what} are too long together: {together:,} characters, at most {most:,}. Make two proposals of it",
            )
    return list(changes)


def read_change(change: Any) -> tuple[str, str, dict[str, Any]]:
    """Verb, rule number and parts of one change. Raises ChangeError."""
    if not isinstance(change, dict):
        raise ChangeError("", f"a change says enact, amend or repeal: {brief(change)} does not")
    verbs = [verb for verb in VERBS if verb in change]
    if len(verbs) != 1:
        raise ChangeError("", f"a change says exactly one of enact, amend and repeal: {brief(change)} does not")
    verb, number = verbs[0], change[verbs[0]]
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        raise ChangeError("", f'{verb} wants a number in quotes, "{number}": without them 13.10 would become 13.1')
    if not isinstance(number, str) or len(number) > 60 or not RULE_NUMBER.fullmatch(number):
        raise ChangeError("", f"{verb} wants the number of a rule, for example X.1, and not {brief(number)}")
    parts = {key: value for key, value in change.items() if key != verb}
    for key, value in parts.items():
        if key not in PARTS:
            raise ChangeError(number, f"a rule has no part {brief(key)}: there are {', '.join(PARTS)}")
        if value is not None and not isinstance(value, PARTS[key]):
            raise ChangeError(
                number, f"{key} must be {'a list of names, each with its number' if key == 'params' else 'text'}"
            )
    for part, most in (("text", LONGEST_TEXT), ("title", LONGEST_TITLE), ("section_title", LONGEST_TITLE)):
        if len(parts.get(part) or "") > most:
            raise ChangeError(number, f"its {part} is too long: {len(parts[part]):,} characters, at most {most:,}")
    for name, value in (parts.get("params") or {}).items():
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_") or name in ("id", "title"):
            raise ChangeError(number, f"{brief(name)} cannot name a number: use letters, digits and _")
        if not isinstance(value, (int, str)):
            raise ChangeError(
                number, f"the number '{name}' must be a whole number, a word or yes/no: not {brief(value)}"
            )
    if verb == "repeal" and parts:
        raise ChangeError(number, "a repeal says nothing but the number of the rule")
    if verb == "amend" and all(value is None for value in parts.values()):
        raise ChangeError(number, "the amendment changes nothing: give text, code, params or title")
    if verb == "enact" and not (parts.get("text") or parts.get("code")):
        raise ChangeError(number, "the new rule is empty: give it text, or code, or both")
    return verb, number, parts


def brief(value: Any) -> str:
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
    records: list[Record], changes: Any, made_by: str = "proposal", since: int | None = None
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
            alike = [book[id] for id in sorted([id for id in book if book[id]["section"] == section], key=number_key)]
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
        elif number not in book:
            raise ChangeError(number, f"there is no rule {number} to {verb}")
        elif verb == "repeal":
            book.pop(number)
        else:
            new = {**book[number], "made_by": made_by, "since": since}
            for key, value in parts.items():
                if value is not None and key != "section":
                    new[key] = {**new["params"], **value} if key == "params" else value
            book[number] = new
    return [book[number] for number in sorted(book, key=number_key)]

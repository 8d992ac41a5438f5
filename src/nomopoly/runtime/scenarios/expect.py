"""What a scenario expects: the names it uses, values, facts, and what a viewer sees."""

from __future__ import annotations

import ast
import re
import zoneinfo
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from nomopoly.rulebook.trees import program_tree
from nomopoly.runtime.host import Game
from nomopoly.runtime.scenarios.form import ScenarioError, moment_in
from nomopoly.runtime.scenarios.nearest import nearest_facts, shown, shown_fact

Data = dict[str, Any]
KERNEL_FACTS = {
    "enacted": {"number"},
    "amended": {"number"},
    "repealed": {"number"},
    "granted": {"thing", "attribute", "value", "because"},
    "told": {"text"},
    "suspended": {"number"},
    "reinstated": {"number"},
    "struck": {"entry", "because", "refused"},
}
FACT_KEYS = {"what", "event", "rule", "depth", "dice", "only"}  # what any fact may have
THING_KEYS = {
    "who",
    "mover",
    "to",
    "square",
    "owner",
    "buyer",
    "seller",
    "player",
    "author",
    "proposal",
    "offer",
    "thing",
}


@dataclass
class Alias:
    """What `as:` names: an entry and the things that it made."""

    n: int
    things: list[str] = field(default_factory=list)


class Expectations:
    """What a scenario says of its game: the names that it uses, and what it expects. `Play` plays the game itself."""

    def __init__(self, data: Data, zone: zoneinfo.ZoneInfo) -> None:
        self.game: Game | None = None
        self.data = data
        self.zone = zone
        self.now = 0
        self.aliases: dict[str, Alias] = {}
        self.facts: list[Data] = []
        self.seen: dict[str, set[str]] = {}  # words of facts that happened, with their fields
        self.seen_rules: set[str] = set()
        self.read_until = 0  # the last entry at the last expect

    @property
    def host(self) -> Game:
        """The game, once it is open."""
        if self.game is None:
            raise ScenarioError("the game is not open")
        return self.game

    # ---- names

    def moment(self, text: object, label: str) -> int:
        """The moment (seconds since 1970) that an ISO text means in the game's time zone."""
        return moment_in(self.zone, text, label)

    def ids(self) -> dict[str, str]:
        """Ids and kinds of all things."""
        return self.host.things()

    def player(self, name: object) -> str:
        """A player of the game, for steps; fails with the name otherwise."""
        kinds = self.ids()
        if str(name) in kinds and kinds[str(name)] != "player":
            raise ScenarioError(f"{name} is a {kinds[str(name)]}, not a player")
        if str(name) not in kinds and str(name) not in self.seen_players():
            raise ScenarioError(f"there is no player {name}")
        return str(name)

    def seen_players(self) -> set[str]:
        """Everybody who was ever in the game or asked to be: naming them is no slip of the pen."""
        names = {str(name) for name in self.data.get("players") or []}
        for step in self.data["steps"]:
            if isinstance(step, dict) and "join" in step:
                said = step["join"]
                names.add(str(next(iter(said.values()), "") if isinstance(said, dict) else said))
        return names

    def name(self, said: object) -> str:
        """The id that a name in the scenario means."""
        alias = self.aliases.get(str(said))
        return alias.things[0] if alias and alias.things else str(said)

    def resolve(self, said: object) -> Any:
        """A value with the names of earlier steps replaced by ids."""
        if isinstance(said, str):
            return self.name(said)
        if isinstance(said, list):
            return [self.resolve(each) for each in said]
        if isinstance(said, dict):
            return {key: self.resolve(each) for key, each in said.items()}
        return said

    def schema_type(self, kind: str, name: str) -> str:
        """The declared type of an attribute or shown value, or ""."""
        for entry in self.host.describe()["schema"].get(kind, ()):
            if entry["name"] == name:
                return str(entry["type"])
        return ""

    # ---- values

    def read(self, id: str, said: str) -> Any:
        """An attribute or value of a thing; `name(a, b)` has further arguments."""
        match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", said)
        if match is None:
            raise ScenarioError(f"{id}: '{said}' is no attribute or value")
        name, rest = match.groups()
        further = [self.resolve(part.strip()) for part in rest.split(",")] if rest else []
        of = [id, *(int(part) if re.fullmatch(r"-?\d+", part) else part for part in further)]
        try:
            return self.host.value(name, *of)
        except KeyError as error:
            raise ScenarioError(f"{id}: {error.args[0]}") from error
        except Exception as error:
            raise ScenarioError(f"{id}: '{said}' cannot be read: {error}") from error

    def expect(self, said: object) -> None:
        """`expect: {Ann: {money: 950}, events: [...], never: [...]}`."""
        if not isinstance(said, dict) or not said:
            raise ScenarioError("expect: says nothing; name a thing, events or never")
        for key, wanted in said.items():
            if key == "events":
                self.expect_events(wanted)
            elif key == "never":
                self.expect_never(wanted)
            else:
                self.expect_thing(self.name(key), wanted)
        self.facts = []
        self.read_until = self.host.n

    def expect_thing(self, id: str, wanted: object) -> None:
        """Compare what is named of a thing."""
        things = self.ids()
        if wanted is None:
            known = self.host.ids()["gone"]
            if id in things:
                raise ScenarioError(f"expect: {id} exists, but should not")
            if id not in known and not self.could_exist(id):
                raise ScenarioError(f"expect: nothing here could be called {id}")
            return
        if id not in things:
            raise ScenarioError(f"expect: nothing here is called {id}")
        if not isinstance(wanted, dict) or not wanted:
            raise ScenarioError(f"expect: {id} must say {{attribute: value}}")
        for said, value in wanted.items():
            actual = self.read(id, str(said))
            if not self.is_expected(actual, value, self.schema_type(things[id], str(said))):
                raise ScenarioError(f"expect: {said} of {id} is {shown(actual)}, not {shown(value)}")

    def could_exist(self, id: str) -> bool:
        """Whether an id has the form of some kind of thing, or is a player's or a label of this scenario."""
        prefixes = [re.escape(prefix) for prefix in self.host.describe()["prefixes"]]
        if prefixes and re.fullmatch(f"(?:{'|'.join(prefixes)})\\d+", id):
            return True
        return id in self.seen_players() or id == "Admin"

    def is_expected(self, found: object, value: object, sort: str = "") -> bool:
        """Whether a value is the expected one: as written, or with moments and earlier steps' names read as such."""
        if isinstance(value, dict) and isinstance(found, list) and are_pairs(found):
            found = {str(key): each for key, each in found}
            return is_same(found, {self.name(key): self.resolve(each) for key, each in value.items()})
        return is_same(found, value) or is_same(found, self.expected(value, found, sort))

    def expected(self, value: object, found: object, sort: str = "") -> Any:
        """An expected value in the form in which values are read."""
        if (
            isinstance(value, str)
            and isinstance(found, int)
            and not isinstance(found, bool)
            and sort in ("moment", "fact")
        ):
            return self.moment(value, "expect")
        return self.resolve(value)

    # ---- facts

    def matches(self, fact: Data, wanted: Data, loosely: bool = False) -> bool:
        """Whether a fact has all that is wanted."""
        for key, value in wanted.items():
            if key not in fact:
                if value is None:
                    continue
                return False
            if key == "rule" and "what" in fact:
                if not covers(str(value), str(fact["rule"])):
                    return False
                continue
            if key == "entry" and value in self.aliases and fact[key] == self.aliases[value].n:
                continue
            is_moment = isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)
            if loosely and is_loosely(fact[key], self.resolve(value)):
                continue
            if not self.is_expected(fact[key], value, "fact" if is_moment else ""):
                return False
        return True

    def wanted_facts(self, said: object, key: str, more: Iterable[str] = ()) -> list[Data]:
        """The list of facts an expectation names, refused where it could not match anything.

        `more`: further names that it may use, where it looks at orders as well.
        """
        if not isinstance(said, list) or not said or not all(isinstance(each, dict) and each for each in said):
            raise ScenarioError(f"{key} must be a list of {{what: ..., ...}}")
        fields, by_event = self.fact_fields()
        here = set(self.ids()) | set(self.host.ids()["gone"]) | self.seen_players() | set(self.aliases)
        for each in said:
            word = each.get("what")
            if "what" in each and (not isinstance(word, str) or word not in fields):
                meant = by_event.get(str(word))
                meant = f"; the word for the event '{word}' is '{meant}'" if meant else ""
                raise ScenarioError(f"{key}: no fact is called '{word}'{meant}")
            if "rule" in each and not self.rule_known(str(each["rule"])):
                raise ScenarioError(f"{key}: there is no rule {each['rule']}")
            known = FACT_KEYS.union(fields[""], *([fields[word]] if "what" in each else fields.values()))
            if "do" in more and "what" not in each:
                known = known.union(more)
            for name, content in each.items():
                if name not in known:
                    raise ScenarioError(f"{key}: a fact '{word}' has no '{name}'")
                if name in THING_KEYS and content is not None and (not isinstance(content, str) or content not in here):
                    raise ScenarioError(f"{key}: nothing here is called {content}")
        return said

    def fact_fields(self) -> tuple[dict[str, set[str]], dict[str, str]]:
        """The fields that facts of each word may have ("": those of any word), and the word of each event."""
        events = self.host.describe()["events"]
        commons = [source for _, source in self.host.first["args"]["commons"]]
        told = fields_told((*commons, *(record["code"] for record in self.host.records())))
        fields = {word: set(names) for word, names in told.items()}
        for event in events.values():
            if event["fact"]:
                fields.setdefault(event["fact"], set()).update(event["fields"])
        for word, more in (*KERNEL_FACTS.items(), *self.seen.items()):
            fields.setdefault(word, set()).update(more)
        return fields, {name: event["fact"] for name, event in events.items()}

    def rule_known(self, rule: str) -> bool:
        """Whether a rule of that number is, or was at the opening, in the book, or has made a fact."""
        numbers = {record["id"] for record in self.host.records()} | set(self.aliases) | self.seen_rules
        numbers |= {record["id"] for record in self.host.first["args"]["rules"]}
        return any(covers(rule, number) for number in numbers)

    def expect_events(self, said: object, facts: list[Data] | None = None) -> None:
        """All these facts happened since the last expect, in this order. `facts`: those to look at, if not all."""
        facts = self.facts if facts is None else facts
        at, before = 0, None
        for wanted in self.wanted_facts(said, "events"):
            hit = next((place for place in range(at, len(facts)) if self.matches(facts[place], wanted)), None)
            if hit is None:
                earlier = [fact for fact in facts[:at] if self.matches(fact, wanted)]
                raise ScenarioError(f"events: {nearest_facts(wanted, before, earlier, facts[at:], self.differs)}")
            at, before = hit + 1, wanted

    def differs(self, fact: Data, wanted: Data) -> list[str]:
        """The keys in which a fact is not what is wanted."""
        return [key for key in wanted if not self.matches(fact, {key: wanted[key]})]

    def expect_never(self, said: object) -> None:
        """None of these facts happened since the last expect."""
        for wanted in self.wanted_facts(said, "never"):
            for fact in self.facts:
                if self.matches(fact, wanted, loosely=True):
                    raise ScenarioError(f"never: {shown_fact(fact)} did happen")

    # ---- views

    def check_view(self, said: object) -> None:
        """`view: {by: Ben, sees: {Ann: {money: 9844}}, hides: {Ann: [cards]}}`."""
        if not isinstance(said, dict) or "by" not in said or not set(said) <= {"by", "sees", "hides"} or len(said) < 2:
            raise ScenarioError("view must say by, and sees or hides")
        for part in ("sees", "hides"):
            if part in said and (not isinstance(said[part], dict) or not said[part]):
                raise ScenarioError(f"view: {part} must name things")
        viewer = str(said["by"])
        if viewer.casefold() in ("admin", "visitor"):
            viewer = viewer.casefold()
        else:
            self.player(viewer)
        things = self.host.view(viewer, self.now)["things"]
        for key, wanted in said.get("sees", {}).items():
            if key in ("events", "never"):
                self.check_log(viewer, key, wanted)
            else:
                self.check_seen(viewer, things, self.name(key), wanted)
        for key, names in said.get("hides", {}).items():
            self.check_hidden(viewer, things, self.name(key), names)

    def check_log(self, viewer: str, key: str, wanted: object) -> None:
        """Raise unless a viewer sees these facts since the last expect (`events`), or nothing of the kind (`never`)."""
        entries = self.host.facts(viewer, self.read_until + 1)
        if key == "events":
            try:
                self.expect_events(wanted, [fact for entry in entries for fact in entry["facts"]])
            except ScenarioError as error:
                raise ScenarioError(f"view: what {viewer} sees: {error}") from None
            return
        for each in self.wanted_facts(wanted, "never", self.order_fields()):
            for entry in entries:
                order = {**entry["args"], **{part: entry[part] for part in ("by", "do", "kind")}}
                for part in (*entry["facts"], order):
                    if self.matches(part, each, loosely=True):
                        raise ScenarioError(f"view: never: {viewer} sees {shown_fact(part)}")

    def order_fields(self) -> set[str]:
        """What an entry of the log may say besides its facts: who did what, and the fields of every form."""
        described = self.host.describe()
        fields = {name.rstrip("_") for action in described["actions"] for name in described["events"][action]["fields"]}
        return fields | {"by", "do", "kind"}

    def check_seen(self, viewer: str, things: Data, id: str, wanted: object) -> None:
        """Raise unless a viewer sees these attributes of a thing with these values."""
        if id not in things:
            raise ScenarioError(f"view: {viewer} sees no {id}")
        if not isinstance(wanted, dict) or not wanted:
            raise ScenarioError(f"view: sees: {id} must say {{attribute: value}}")
        for name, value in wanted.items():
            if name not in things[id]:
                raise ScenarioError(f"view: {viewer} does not see {name} of {id}")
            found = self.kind_of(id, things[id]) if name == "kind" else things[id][name]
            if not self.is_expected(found, value, self.schema_type(things[id]["kind"], name)):
                raise ScenarioError(f"view: {viewer} sees {name} of {id} as {shown(found)}, not {shown(value)}")

    def kind_of(self, id: str, seen: Data) -> Any:
        """What is shown as the kind of a thing: a value of that name where rules declare one for it, as of
        creatures."""
        try:
            return self.host.value("kind", id)
        except KeyError:
            return seen["kind"]

    def check_hidden(self, viewer: str, things: Data, id: str, names: object) -> None:
        """Raise unless these attributes of a thing (None: all of it) are hidden from a viewer."""
        if id not in self.ids():
            raise ScenarioError(f"view: nothing here is called {id}")
        if names is None:
            if id in things:
                raise ScenarioError(f"view: {viewer} sees {id}")
            return
        if not isinstance(names, list) or not names:
            raise ScenarioError(f"view: hides: {id} must be a list of attributes, or null for all of it")
        for name in names:
            self.read(id, str(name))
            if name in things.get(id, {}):
                raise ScenarioError(f"view: {viewer} sees {name} of {id}")


def is_same(found: object, wanted: object) -> bool:
    """Whether a value is the one expected; 1 and true differ."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_same(a, b) for a, b in zip(found, wanted, strict=True))
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_same(found[key], wanted[key]) for key in found)
    return type(found) is type(wanted) and bool(found == wanted)


def is_loosely(found: object, wanted: object) -> bool:
    """Whether a value could be the one meant, whatever its sort: what must never happen is looked for generously."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_loosely(a, b) for a, b in zip(found, wanted, strict=True))
    return str(found).casefold() == str(wanted).casefold() or (found is True and wanted == 1)


def are_pairs(found: list[Any]) -> bool:
    """Whether a list is a table as things keep it: of pairs, so that a scenario may write `{key: value}` for it."""
    return all(isinstance(each, list) and len(each) == 2 for each in found)


@lru_cache(16)  # rulebooks: most scenarios leave theirs as it is
def fields_told(sources: tuple[str, ...]) -> dict[str, set[str]]:
    """The details that programs give to facts, by word: `fact("paid", how=...)`; `note(how=...)` counts for any ("").

    Nobody changes it.
    """
    told: dict[str, set[str]] = {"": set()}
    for source in sources:
        for word, names in told_by(source):
            told.setdefault(word, set()).update(names)
    return told


@lru_cache(4096)
def told_by(source: str) -> list[tuple[str, set[str]]]:
    """The details that one program gives to facts, by word."""
    told = []
    for node in ast.walk(program_tree(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
            if node.func.id == "note":
                told.append(("", names))
            elif node.func.id == "fact" and node.args and isinstance(node.args[0], ast.Constant):
                told.append((str(node.args[0].value), names))
    return told


def covers(said: str, rule: str) -> bool:
    """Whether a rule number in a scenario means this rule: itself or one of its rows."""
    return said == rule or rule.startswith(said + "/")

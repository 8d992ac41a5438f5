"""What is different in a game: its things as somebody sees them, compared before and after."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from nomopoly.runtime.corrections import unpack

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game

Data = dict[str, Any]


def seen(copy: Game, viewer: str | None) -> Data:
    """The things of a copy as a viewer sees them (None: all there is), by id; rules in force are "rule X" here."""
    shown = copy.view(viewer or "admin", copy.now)
    kept = {kind: {each["name"] for each in listed if not each["derived"]} for kind, listed in shown["schema"].items()}
    things: Data = {}
    for id, kind, values in copy.state()["things"] if viewer is None else ():
        things[id] = {"kind": kind, **{name: unpack(value) for name, value in values.items()}}
    for id, thing in shown["things"].items():
        attributes = {name: value for name, value in thing.items() if name in kept.get(thing["kind"], ())}
        things[id] = {"kind": thing["kind"], **things.get(id, {}), **attributes}
    for record in copy.records():
        things[f"rule {record['id']}"] = {part: record[part] for part in ("title", "text", "params", "code")}
    return things


def at_first(schema: Data, copy: Game) -> set[tuple[str, str]]:
    """(thing, attribute) of what the rules of a copy declare and those of `schema` do not, as long as nothing has given
    it a value: what everything has at first is said where it is declared, and is no difference."""
    known = {(kind, each["name"]) for kind, listed in schema.items() for each in listed}
    new = {
        kind: [each["name"] for each in listed if (kind, each["name"]) not in known]
        for kind, listed in copy.describe()["schema"].items()
    }
    return {
        (id, name) for id, kind, values in copy.state()["things"] for name in new.get(kind, ()) if name not in values
    }


def differences(before: Data, after: Data, unsaid: Container[tuple[str, str]] = ()) -> list[list[Any]]:
    """[[thing, attribute, before, after]] between what was `seen` twice, but for what is `unsaid`; one that came or
    went has just "exists"."""
    changes: list[list[Any]] = []
    for id in {**before, **after}:
        if id not in before or id not in after:
            changes.append([id, "exists", id in before, id in after])
        elif id.startswith("rule "):
            changes += [[id, "form", "as it was", "another one"]] if before[id] != after[id] else []
        else:
            changes += [
                [id, name, before[id].get(name), after[id].get(name)]
                for name in {**before[id], **after[id]}
                if before[id].get(name) != after[id].get(name) and (id, name) not in unsaid
            ]
    return changes


def money(things: Data) -> int:
    """All the money that things have."""
    return sum(thing["money"] for thing in things.values() if type(thing.get("money")) is int)

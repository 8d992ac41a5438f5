"""What a viewer sees, as the host hands it on: `views.view` packs what thousands of things have in common."""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]


def unpacked(packed: Data) -> Data:
    """A view with all that is seen of each thing in `things`, by its id: from what the call "view" of a runtime gives.

    A kind says what its things are by default and which values rules answer of them; a row, what a thing has of its own
    and what the viewer does not see of it. An older kernel packs nothing.
    """
    if "rows" not in packed:
        return packed
    things: Data = {}
    begins = [{"id": "", "kind": kind, **defaults} for kind, defaults, _ in packed["kinds"]]
    members: list[list[Data]] = [[] for _ in begins]
    for place, id, held, hidden in packed["rows"]:
        shown = things[id] = {**begins[place], **held}
        shown["id"] = id
        for name in hidden:
            del shown[name]
        members[place].append(shown)
    for (_, _, names), columns, seen in zip(packed["kinds"], packed["answers"], members, strict=True):
        for name, column in zip(names, columns, strict=True):
            for shown, answer in zip(seen, column, strict=True):
                shown[name] = answer
    left = {name: packed[name] for name in packed if name not in ("kinds", "rows", "answers")}
    return {**left, "things": things}

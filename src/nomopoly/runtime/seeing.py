"""What a viewer sees, as the host hands it on: `views.view` packs what thousands of things have in common, and on a
large board the host keeps what rules have answered of them."""

from __future__ import annotations

from typing import Any

from nomopoly.rulebook.heeding import ANY, Hangs, Heeding

Data = dict[str, Any]
ANSWERS = "answers"  # where a runtime keeps them
Key = tuple[str, str, str]  # "values" or "markers", the kind of things, and the name of the value or the rule


class Answers:
    """What rules have answered of all things of a kind, as all viewers get it: kept until something that the answer
    hangs on has changed (see `rulebook.heeding`), or a thing has come or gone. Of small games nothing is kept.

    What hangs on more than attributes is kept as long as nothing happens and the moment is the same.
    """

    def __init__(self, heeding: Heeding, schema: Data, now: int) -> None:
        self.heeding = heeding
        self.attributes = {kind: {each["name"] for each in declared} for kind, declared in schema.items()}
        self.now = now
        self.stands: Data = {}  # what `views.how_things_stand` said last
        self.found: dict[Key, Any] = {}
        self.hanging: dict[Key, Hangs | None] = {}

    def hangs_on(self, key: Key) -> Hangs | None:
        """On what an answer hangs; None for anything. What has gone has no attributes any more: so it hangs on the
        kinds of all things that have one of those attributes."""
        if key not in self.hanging:
            part, kind, name = key
            hangs = self.heeding.of_value(name) if part == "values" else self.heeding.of_marker(name, kind)
            if hangs is not None:
                drawn_there = part == "markers" and "square" in self.attributes.get(kind, ())
                names = hangs.names | ({"square"} if drawn_there else set())
                kinds = {each for each, declared in self.attributes.items() if not declared.isdisjoint(names)}
                hangs = Hangs(names, hangs.kinds | kinds | {kind, ""})
            self.hanging[key] = hangs
        return self.hanging[key]

    def forget(self, changed: set[str], moved: set[str]) -> None:
        """Attributes of these names have changed, and things of these kinds have come or gone ("": the rules are other
        ones)."""
        for key in list(self.found):
            hangs = self.hangs_on(key)
            stays = hangs is not None and changed.isdisjoint(hangs.names) and moved.isdisjoint(hangs.kinds)
            if not stays or (moved and hangs is not None and ANY in hangs.kinds):
                del self.found[key]

    def happened(self, outcome: Data) -> bool:
        """Take note of the outcome of an entry. Returns False where that does not say what has changed."""
        if "changes" in outcome and not outcome.keys() & {"rules", "ran"}:
            self.forget({change[1] for change in outcome["changes"]}, set())
            return True
        return "refused" in outcome

    def at_hand(self, now: int) -> Data:
        """What is asked of the runtime for a view at a moment: `known` of `views.view`."""
        if now != self.now:
            self.forget(set(), set())
            self.now = now
        known: Data = {"stands": self.stands, "values": {}, "markers": {}}
        for key in self.found:
            part, kind, name = key
            hangs = self.hangs_on(key)
            known[part].setdefault(kind, {})[name] = [ANY] if hangs is None else sorted(hangs.kinds)
        return known

    def filled(self, packed: Data) -> Data:
        """A view in which nothing is left out; what of it may be kept is kept."""
        kept = packed.pop("kept")
        before, self.stands = self.stands, kept["stands"]
        moved = {kind for kind in before | self.stands if before.get(kind) != self.stands.get(kind)}
        if moved:
            self.forget(set(), moved)
        may = [("values", *each) for each in kept["values"]] + [("markers", *each) for each in kept["markers"]]
        for (kind, _, names), columns in zip(packed["kinds"], packed["answers"], strict=True):
            for at, name in enumerate(names if columns else ()):
                key = ("values", kind, name)
                if columns[at] is None:
                    columns[at] = self.found[key]
                elif key in may:
                    self.found[key] = columns[at]
        packed["markers"] = self.on_board(packed["markers"], may)
        return packed

    def on_board(self, drawn: list[Any], may: list[Key]) -> list[Data]:
        """The markers of a view: of each rule those that came, or those at hand. A rule may draw several on a kind."""
        several: dict[Key, list[Any]] = {}
        for kind, rule, marked in drawn:
            several.setdefault(("markers", kind, rule), []).append(marked)
        for key, came in several.items():
            if None in came:
                several[key] = self.found[key]
            elif may.count(key) == len(came):
                self.found[key] = came
        left = {key: iter(came) for key, came in several.items()}
        return [dict(each) for kind, rule, _ in drawn for each in next(left["markers", kind, rule])]


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

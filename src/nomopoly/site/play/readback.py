"""What programs of rules do, told in sentences: for whoever votes and cannot program, from the program and not from its
author's words."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from django.core.cache import caches
from django.utils.translation import gettext

from nomopoly.rulebook.diff import RuleDiff
from nomopoly.rulebook.wording.tell import Told, in_lines, tell, tell_run
from nomopoly.site.busy import work
from nomopoly.site.play import books

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


KEPT_SECONDS = 86400


def of_rule(seat: Seat, record: Data | None) -> list[Data]:
    """What the program of a rule does: [{"text", "whole", "lines" in words, "words"}], part by part."""
    if not record or not record["code"].strip():
        return []
    said = [record["id"], record["code"], record["params"]]
    return kept(seat, said, lambda records, commons: tell(record, records, commons))


def of_run(seat: Seat, run: str, diff: list[RuleDiff] | tuple[()]) -> list[Data]:
    """The same of a program that runs once, after what a comparison changes."""
    if not run.strip():
        return []
    changed = {each.id: each.after for each in diff or ()}
    new = [each for each in changed.values() if each is not None]
    return kept(
        seat,
        [run, [(each["id"], each["code"]) for each in new]],
        lambda records, commons: tell_run(
            run, [*[each for each in records if each["id"] not in changed], *new], commons
        ),
    )


def kept(seat: Seat, said: list[Any], telling: Callable[[Any, Any], list[Told]]) -> list[Data]:
    """What is told of what is `said`, with the rules in force and the shared modules; kept for a day."""
    told = json.dumps([seat.game.pk, len(books.history(seat).moments), *said], sort_keys=True)
    key = f"told-{hashlib.sha256(told.encode()).hexdigest()}"
    found = caches["local"].get(key)
    if found is None:
        records, commons = seat.live.ask(lambda game: (game.records(), game.commons()))
        with work():
            found = [shown(each) for each in telling(records, commons)]
        caches["local"].set(key, found, KEPT_SECONDS)
    return found


def of_changes(seat: Seat, diff: list[RuleDiff] | tuple[()], run: str = "") -> list[Any]:
    """The same of each rule whose program a comparison changes, or whose numbers, and of a program that runs once:
    [(the number of the rule, or what it is, what it does)]."""
    changed = [(each.id, each.after) for each in diff or () if each.after is not None and is_another(each)]
    told = [(id, of_rule(seat, after)) for id, after in changed]
    told.append((gettext("A program that runs once"), of_run(seat, run, diff)))
    return [(id, parts) for id, parts in told if parts]


def is_another(diff: RuleDiff) -> bool:
    """Whether a rule does something else after a change."""
    before, after = diff.before, diff.after
    if before is None or after is None:
        return True
    return any(before[part] != after[part] for part in ("code", "params"))


def shown(told: Told) -> dict[Any, Any]:
    """One part as pages show it."""
    untold = told["untold"] if not told["whole"] else 0
    return {
        "text": told["text"],
        "whole": told["whole"],
        "lines": in_lines(told["lines"]),
        "untold": untold if told["lines"][0] < untold else 0,
        "words": [(name, doc) for name, doc in told["words"] if doc],
    }

"""What programs of rules do, told in sentences: for whoever votes and cannot program, from the program and not from its author's words."""

import hashlib
import json

from django.core.cache import caches

from nomopoly.rulebook.wording.tell import in_lines, tell
from nomopoly.site.busy import work
from nomopoly.site.play import books

KEPT_SECONDS = 86400


def of_rule(seat, record):
    """What the program of a rule does: [{"text", "whole", "lines" in words, "words"}], part by part."""
    if not record or not record["code"].strip():
        return []
    moments = len(books.history(seat).moments)
    said = json.dumps([seat.game.pk, moments, record["id"], record["code"], record["params"]], sort_keys=True)
    key = f"told-{hashlib.sha256(said.encode()).hexdigest()}"
    found = caches["local"].get(key)
    if found is None:
        records, commons = seat.live.ask(lambda game: (game.records(), game.commons()))
        with work():
            found = [shown(each) for each in tell(record, records, commons)]
        caches["local"].set(key, found, KEPT_SECONDS)
    return found


def of_changes(seat, diff):
    """The same of each rule whose program a comparison changes, or whose numbers: [(its number, what it does)]."""
    changed = [each for each in diff or () if each.after is not None and is_another(each)]
    told = [(each.id, of_rule(seat, each.after)) for each in changed]
    return [(id, parts) for id, parts in told if parts]


def is_another(diff):
    """Whether a rule does something else after a change."""
    parts = ("code", "params")
    return diff.before is None or any(diff.before[part] != diff.after[part] for part in parts)


def shown(told):
    """One part as pages show it."""
    untold = told["untold"] if not told["whole"] else 0
    return {
        "text": told["text"],
        "whole": told["whole"],
        "lines": in_lines(told["lines"]),
        "untold": untold if told["lines"][0] < untold else 0,
        "words": [(name, doc) for name, doc in told["words"] if doc],
    }

"""What a scenario says when a fact that it expects did not happen: the nearest ones that did, and what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
MOST = 3  # facts that are shown
UNSEEN = ("what", "event", "depth", "say")


def shown(value: object) -> str:
    """A value in a message, as YAML writes it."""
    return json.dumps(value, ensure_ascii=False)


def shown_fact(fact: Data) -> str:
    """A fact in a message."""
    rest = ", ".join(f"{key}: {shown(each)}" for key, each in fact.items() if key not in UNSEEN)
    return f"{fact.get('what', 'an entry')} {{{rest}}}"


def nearest_facts(
    wanted: Data,
    before: Data | None,
    earlier: list[Data],
    facts: list[Data],
    differs: Callable[[Data, Data], list[str]],
) -> str:
    """Why a fact is not there, in words.

    `before`: the one expected before it, if any; `earlier`: those like it that happened before that one; `facts`: what
    happened after that; `differs(fact, wanted)`: the keys in which a fact is another.
    """
    after = f" after {shown(before)}" if before else ""
    failed = f"{shown(wanted)} did not happen{after} (in this order)."
    if earlier:
        return f"{failed} It happened before that: {shown_fact(earlier[-1])}"
    apart = [(differs(fact, wanted), fact) for fact in facts]
    near = [each for each in apart if "what" not in each[0] and ("what" in wanted or len(each[0]) < len(wanted))]
    if not near:
        words = Counter(str(fact.get("what")) for fact in facts)
        there = ", ".join(word if times == 1 else f"{word} ({times} times)" for word, times in words.items())
        return f"{failed} What happened{' then' if before else ' since the last expect'}: {there or 'nothing'}"
    near.sort(key=lambda each: len(each[0]))
    told = [
        f"{shown_fact(fact)}: {', '.join(difference(fact, wanted, key) for key in keys)}" for keys, fact in near[:MOST]
    ]
    more = f"; and {len(near) - MOST} more like these" if len(near) > MOST else ""
    return f"{failed} Nearest: {'; '.join(told)}{more}"


def difference(fact: Data, wanted: Data, key: str) -> str:
    """How a fact differs from what is wanted in one key."""
    return f"{key} is {shown(fact[key])}, not {shown(wanted[key])}" if key in fact else f"it has no {key}"

"""Type errors of rule programs, found by the checker that comes with the sandbox. Nothing of the program is run."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from typing import Any

import pydantic_monty

_lock = threading.Lock()
_pool: pydantic_monty.Monty | None = None
CERTAIN = ("unsupported-operator", "call-non-callable", "not-iterable", "missing-argument", "too-many-positional-arguments")


def pool() -> pydantic_monty.Monty:
    """The worker that checks types, started at first use."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = pydantic_monty.Monty(min_processes=1, max_processes=2, request_timeout=10.0)
            _pool.__enter__()
        return _pool


def stubs(words: Iterable[str], params: dict[str, Any]) -> str:
    """Declarations of the language for the checker: any word may be anything, the rule's numbers have their types."""
    numbers = "".join(f"    {name}: {type(value).__name__}\n" for name, value in params.items() if name.isidentifier())
    lines = ["from typing import Any", "class Rule:", "    id: str", numbers.rstrip() or "    pass", "rule: Rule"]
    lines += [f"{word}: Any" for word in sorted(words) if word.isidentifier() and word not in ("rule", "Any")]
    return "\n".join(line for line in lines if line) + "\n"


def type_problems(code: str, words: Iterable[str], params: dict[str, Any]) -> list[tuple[int, str]]:
    """(line, message) of each type error that is certain to fail. A checker that fails finds none."""
    wrapped = "def _never():\n" + "\n".join("    " + line for line in code.splitlines()) + "\n    return None\n"
    header = stubs(words, params)
    try:
        with pool().checkout(
            type_check=True, type_check_stubs=header, type_check_format="concise", limits={"max_feed_duration_secs": 2.0}
        ) as session:
            session.feed_run(f"from type_stubs import *\n{wrapped}")
    except pydantic_monty.MontyTypingError as error:
        found = re.findall(r":(\d+):\d+: \w+\[([\w-]+)\] (.+)", error.display())
        return [(int(line) - 2, message) for line, rule, message in found if rule in CERTAIN and int(line) > 2]
    except pydantic_monty.MontyError:
        return []
    return []

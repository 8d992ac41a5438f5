"""What the environment says, as what it has to be. Raises CommandError where it cannot be that."""

from __future__ import annotations

import os

from nomopoly.errors import CommandError


def switched_on(name: str) -> bool:
    """Whether it switches something on: by 1, and by nothing or 0 it does not."""
    given = os.environ.get(name, "").strip()
    if given not in ("", "0", "1"):
        raise CommandError(f"the environment says what cannot be: {name} has to be 1 or 0")
    return given == "1"


def whole_number(name: str, otherwise: int, least: int = 0) -> int:
    """A whole number, not below `least`; `otherwise` where it says nothing."""
    given = os.environ.get(name, "").strip()
    if not given:
        return otherwise
    if not (given.isascii() and given.isdecimal()) or int(given) < least:
        raise CommandError(f"the environment says what cannot be: {name} has to be a whole number, from {least} on")
    return int(given)

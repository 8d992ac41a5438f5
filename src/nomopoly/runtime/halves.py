"""Halves of characters (lone surrogates), which no page, feed or file can hold: journals of before they were refused
may."""

from __future__ import annotations

import re
from typing import Any

from nomopoly.runtime.journal import encoded_as_text

HALF = re.compile("[\ud800-\udfff]")
INSTEAD = "\ufffd"  # the sign for a character that is none


def mended(data: Any) -> Any:
    """Plain data with a sign in place of each half of a character; the same data, quickly, where there is none."""
    return data if encoded_as_text(data) else without_halves(data)


def without_halves(data: Any) -> Any:
    """A copy of plain data with a sign in place of each half of a character, in names too."""
    if isinstance(data, str):
        return HALF.sub(INSTEAD, data)
    if isinstance(data, dict):
        return {without_halves(key): without_halves(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [without_halves(each) for each in data]
    return data

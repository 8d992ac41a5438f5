"""What the operator has to say to everybody, on top of all pages: the text of the file maintenance.txt in the data
folder.

A file, since it has to work while the database is being moved, and can be written by whatever does that. It is gone
from the pages when it is gone from the folder.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

LONGEST = 500  # characters of it that are shown
NAME = "maintenance.txt"


def message(request: HttpRequest) -> dict[Any, Any]:
    """A context processor: `maintenance`, the operator's words as one line, "" where there are none."""
    return {"maintenance": SimpleLazyObject(read)}


def read() -> str:
    """The words of the file, "" where it is not there or cannot be read."""
    try:
        with (settings.DATA / NAME).open(encoding="utf-8", errors="replace") as file:
            return " ".join(file.read(LONGEST).split())
    except OSError:
        return ""

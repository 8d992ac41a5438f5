"""What was made of a book lately, so that it is not made again while the book stays as it is."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")
MOST_KEPT = 8  # results


class Lately(Generic[Made]):
    """The last few results, each under what it was made of. Threads may share it; nobody may change a result."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[bytes, Made] = {}

    def of(self, material: object, make: Callable[[], Made]) -> Made:
        """The result that is kept for this material, or else the one that `make` returns, which is kept from now on.

        Args:
            material: what the result depends on, of dicts, lists, words and numbers; anything else counts by its `str`.
            make: makes the result. It runs outside the lock, so two threads may make the same at the same time.
        """
        text = json.dumps(material, sort_keys=True, default=str)
        key = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        with self._lock:
            kept = self._kept.pop(key, None)
        result = make() if kept is None else kept
        with self._lock:
            self._kept[key] = result
            if len(self._kept) > MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
        return result

"""Honest dice, outside the sandbox: the secret of a game, its commitment, and the entropy of each entry.

entropy(n) = HMAC-SHA256(secret, "<game id>:<n>"); SHA-256(secret) is published when the game opens, the secret when it
is revealed. What a rule can do with the entropy of its entry is in `kernel.dice`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import lru_cache


def new_secret() -> str:
    """A fresh secret: 32 random bytes as hex text."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published of a secret beforehand: the SHA-256 of its bytes, as hex text."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def entropy(secret: str, game_id: str, n: int) -> str:
    """The randomness of entry `n`, as hex text."""
    made = keyed(secret).copy()
    made.update(f"{game_id}:{n}".encode())
    return made.hexdigest()


@lru_cache
def keyed(secret: str) -> hmac.HMAC:
    """The HMAC of a secret, before anything is put into it: making it takes longer than using it."""
    return hmac.new(bytes.fromhex(secret), digestmod="sha256")


def draws(entropy_text: str, outcomes: list[int]) -> list[int]:
    """What the first draws of an entry are, each as a number from 0 to its count of outcomes - 1.

    >>> draws("00" * 32, [6, 6])
    [1, 3]
    """
    result = []
    for at, sides in enumerate(outcomes):
        block = hashlib.sha256(f"{entropy_text}:{at // 8}".encode()).digest()
        word = int.from_bytes(block[at % 8 * 4 : at % 8 * 4 + 4], "big")
        result.append(word * sides >> 32)
    return result

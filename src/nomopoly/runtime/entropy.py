"""Honest dice, outside the sandbox: the secrets of a game, their commitments, and the entropy of each entry.

A game has two secrets, and publishes the SHA-256 of each when it opens. From the first come the draws that everybody
sees; it is revealed at each rotation and at the end. From the second come those that are hidden from somebody; it is
revealed when the game is over. An entry's entropy is HMAC-SHA256(secret, what the entry is): its content with the hash
of the line before, as canonical JSON. So no roll can be tried twice, and none is known before its entry is made.

Under the older recipe there is one secret, and entropy(n) = HMAC-SHA256(secret, "<game id>:<n>").

What a rule can do with the entropy of its entry is in `kernel.dice`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Any

DRAWS_A_BLOCK = 8  # of 32 bits, from one SHA-256


def new_secret() -> str:
    """A fresh secret: 32 random bytes as hex text."""
    return secrets.token_hex(32)


@lru_cache
def derived(vault: str, purpose: str) -> str:
    """A secret made from the vault, a game's own secret that is never revealed: "hidden draws" or "salts"."""
    return hmac.digest(bytes.fromhex(vault), purpose.encode(), "sha256").hex()


def commitment(secret: str) -> str:
    """What is published of a secret beforehand: the SHA-256 of its bytes, as hex text."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def entropy(secret: str, game_id: str, n: int) -> str:
    """The randomness of entry `n`, as hex text."""
    return authenticated(secret, f"{game_id}:{n}".encode())


def entropy_of(secret: str, content: bytes) -> str:
    """The randomness of the entry that is `content` (see `sealing.content_of`), as hex text."""
    return authenticated(secret, content)


class Late:
    """The entropy of an entry of which few ask: it is made where it is first put into words."""

    def __init__(self, secret: str, content: bytes) -> None:
        self._secret, self._content, self._made = secret, content, ""

    def __str__(self) -> str:
        self._made = self._made or entropy_of(self._secret, self._content)
        return self._made


def first_draws(entropy_text: str | Late, count: int) -> str:
    """The first draws of an entry, as the journal holds them: hex text, eight digits a draw."""
    words = hashlib.sha256(f"{entropy_text}:0".encode()).hexdigest()
    for at in range(1, -(-count // DRAWS_A_BLOCK)):
        words += hashlib.sha256(f"{entropy_text}:{at}".encode()).hexdigest()
    return words[: 8 * count]


def authenticated(secret: str, message: bytes) -> str:
    """HMAC-SHA256 of a message as hex text: what `hmac.new(secret, message)` says, for secrets that are used often."""
    within, around = keyed(secret)
    inner, outer = within.copy(), around.copy()
    inner.update(message)
    outer.update(inner.digest())
    return str(outer.hexdigest())


@lru_cache
def keyed(secret: str) -> tuple[Any, Any]:
    """The two hashes of an HMAC (RFC 2104) with nothing in them but the secret, bytes as hex text."""
    key = bytes.fromhex(secret)
    key = (key if len(key) <= 64 else hashlib.sha256(key).digest()).ljust(64, b"\0")
    return hashlib.sha256(bytes(byte ^ 0x36 for byte in key)), hashlib.sha256(bytes(byte ^ 0x5C for byte in key))


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

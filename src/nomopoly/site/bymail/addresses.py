"""The address to which a notice is answered: `play+<token>@...`, good for one person, one game and seven days.

The token holds who, which game and until when, with a MAC under the site's key over these and the person's own address,
in letters and digits whose case does not matter, since mail servers change it. Nothing about it is stored: who changes
their address has no valid token any more.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils.crypto import constant_time_compare, salted_hmac

from nomopoly.site.tables import live
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


GOOD_FOR = 7 * 86_400  # seconds
SALT = "nomopoly.bymail"
SHAPE = struct.Struct(">III")  # user, game, hour until which it is good
MAC_BYTES = 12
TOKEN = re.compile(r"\+([a-z2-7]{39})@", re.IGNORECASE)


class Unknown(Exception):
    """An address that is nobody's: made up, mistyped or of an account that is closed."""


@dataclass(frozen=True)
class Right:
    """What an address gives: to play for `user` in `game`, if it is not `late`."""

    user: User
    game: Game
    late: bool = False


def address(user: User, game: Game | None) -> str:
    """Where this person's answers about this game go, or "" where the site takes no mail in."""
    name, at, host = settings.NOMOPOLY_REPLY_TO.partition("@")
    if not at or game is None:
        return ""
    held = SHAPE.pack(user.pk, game.pk, (live.now() + GOOD_FOR) // 3600 + 1)
    token = base64.b32encode(held + mac(held, user)).decode().rstrip("=").lower()
    return f"{name}+{token}@{host}"


def mac(held: bytes, user: User) -> bytes:
    """What nobody without the site's key can make for these bytes."""
    said = f"{held.hex()}|{user.email.casefold()}"
    return salted_hmac(SALT, said, algorithm="sha256").digest()[:MAC_BYTES]


def token_in(addresses: Iterable[str]) -> str | None:
    """The token in the first of these addresses that carries one, or None."""
    return next((found[1] for each in addresses for found in [TOKEN.search(each)] if found), None)


def read(token: str) -> Right:
    """The right that a token gives. Raises Unknown."""
    try:
        given = base64.b32decode(token.upper() + "=" * (-len(token) % 8))
        held, sign = given[: SHAPE.size], given[SHAPE.size :]
        user_key, game_key, hours = SHAPE.unpack(held)
    except (binascii.Error, struct.error, ValueError):
        raise Unknown from None
    user = get_user_model().objects.filter(pk=user_key, is_active=True).first()
    game = Game.objects.filter(pk=game_key).first()
    if user is None or game is None or not constant_time_compare(mac(held, user), sign):
        raise Unknown
    return Right(user, game, late=live.now() > hours * 3600)

"""Second factors and passwords, where allauth and Django ask us: seeds are encrypted at rest, and no password is made
of the site's words."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import TYPE_CHECKING

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


MARK = "f1:"  # in front of what is encrypted; what was kept before is read as it stands
WORDS = ("nomopoly", "nomic", "monopoly")


def fernet() -> Fernet:
    """Encryption (AES-128 in CBC mode with HMAC-SHA256) under a key made from the key of the installation."""
    key = hashlib.sha256(b"nomopoly second factors " + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


class Factors(DefaultMFAAdapter):
    """How second factors are kept: encrypted."""

    def encrypt(self, text: str) -> str:
        """A secret of a second factor as the database keeps it: encrypted with the site's key, and marked."""
        return MARK + fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret as it was before `encrypt`; one without the mark is from before and comes back as it is.

        A secret of another key gives a random one: no code is right then, and the user has to set the factor up again.
        """
        if not encrypted_text.startswith(MARK):
            return encrypted_text
        try:
            return fernet().decrypt(encrypted_text.removeprefix(MARK).encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()  # of another key: no code is right


class NotTheSitesWords:
    """A password is not one of the site's own words with a few characters around it."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError if fewer than 6 characters are left when the site's own words are taken out."""
        rest = password.casefold()
        for word in (*WORDS, *(host.split(".")[0].casefold() for host in settings.ALLOWED_HOSTS if "." in host)):
            rest = rest.replace(word, "") if len(word) > 3 else rest
        if len(rest) < len(password) and len(rest) < 6:
            raise ValidationError(_("This password is little more than the name of the site."), code="password_of_site")

    def get_help_text(self) -> str:
        """What the form says about this rule below the field."""
        return _("Your password must be more than the name of the site.")

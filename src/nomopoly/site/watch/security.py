"""What matters for security goes into the log `nomopoly.security`: who came in and how, who did not, what an account's
keys became.

An account is named by its number, so that the log keeps no addresses of mail; where an address is unknown here, nothing
of it is kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import signals as auth
from django.dispatch import receiver
from django.http import HttpRequest

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.security")


@receiver(auth.user_logged_in)
def came_in(sender: str, request: HttpRequest, user: User, **_: object) -> None:
    """Note that somebody has logged in, and how."""
    records = request.session.get("account_authentication_methods", []) if request is not None else []
    how = ", ".join(each.get("method", "") for each in records if isinstance(each, dict)) or "?"
    log.info("account %s has logged in (%s)", user.pk, how)


@receiver(auth.user_logged_out)
def went(sender: str, request: HttpRequest, user: User, **_: object) -> None:
    """Note that somebody has logged out."""
    log.info("account %s has logged out", getattr(user, "pk", None))


@receiver(auth.user_login_failed)
def failed(sender: str, credentials: Data, request: HttpRequest | None = None, **_: object) -> None:
    """Note that a log-in has failed."""
    log.warning("a log-in has failed")


CHANGES = (
    (account.password_changed, "has a new password"),
    (account.password_set, "has set a password"),
    (account.password_reset, "has reset the password"),
    (account.email_changed, "has another address"),
    (account.email_added, "has added an address"),
    (account.email_removed, "has removed an address"),
    (mfa.authenticator_added, "has a new second factor"),
    (mfa.authenticator_removed, "has removed a second factor"),
    (mfa.authenticator_reset, "has new recovery codes"),
)


def listen() -> None:
    """Listen to what happens to accounts; called once, when the site is set up."""
    for signal, what in CHANGES:
        signal.connect(teller(what), weak=False, dispatch_uid=f"security {what}")


def teller(what: str) -> Callable[..., Any]:
    """A listener that notes what an account has done."""

    def tell(sender: str, user: User, **_: object) -> None:
        log.info("account %s %s", user.pk, what)

    return tell

"""Forms of the second factor, with what allauth leaves unsaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.shapes import Data

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User

WHICH = gettext_lazy(
    "The code that your app shows, or one of your recovery codes if you have lost what you log in with."
)


class Code(AuthenticateForm):
    """Where the second factor is asked for: who has lost it reads that a recovery code does as well."""

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)
        self.fields["code"].help_text = WHICH


class CodeAgain(ReauthenticateForm):
    """The same where it is asked for once more."""

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)
        self.fields["code"].help_text = WHICH


class AddKey(AddWebAuthnForm):
    """A passkey to be added: the browser makes it, which a form that is sent by Enter has not asked it to do."""

    def clean(self) -> Data:
        """What was sent; without a key it says what to press."""
        if "credential" in self.errors:
            self.add_error(None, _("There is no key yet. Press the button: the browser then makes one."))
        return super().clean()


def listen() -> None:
    """Notice when somebody adds a second factor; called once, when the site is set up."""
    authenticator_added.connect(has_shown_it, dispatch_uid="a new second factor was shown")


def has_shown_it(sender: object, request: HttpRequest, user: User, authenticator: Authenticator, **_: object) -> None:
    """Count the passkey or app that somebody has just added as shown, so that the page of recovery codes, which comes
    next, does not ask for it again."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        named = {"id": authenticator.pk, "type": authenticator.type}
        record_authentication(request, user, "mfa", reauthenticated=True, **named)

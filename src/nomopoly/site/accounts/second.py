"""Forms of the second factor, with what allauth leaves unsaid."""

from __future__ import annotations

from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.shapes import Data

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

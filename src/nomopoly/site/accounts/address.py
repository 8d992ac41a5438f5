"""Another address for an account: confirmed at the present one and at the new one.

allauth confirms the new one, and asks for the password of who has one. Who has none shows that they still read mail at
the present address: by a code that they have logged in with a moment ago, or by one that is typed here.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.views import EmailView
from allauth.core.internal.cryptokit import compare_user_code
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.accounts.signed_in import account
from nomopoly.site.post import office

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data

WISH = "new_address"  # in the session: {"email", "code", "at", "tries"}
HOLDS = 10 * 60  # seconds
MOST_TRIES = 3


class Code(forms.Form):
    """The code that was sent to the present address."""

    code = forms.CharField(
        max_length=20, label=gettext_lazy("Code"), widget=forms.TextInput({"autocomplete": "one-time-code"})
    )


class Address(EmailView):
    """The page on which one gives another address."""

    def form_valid(self, form: AddEmailForm) -> HttpResponse:
        """Send a code to the new address, or before that to the present one."""
        if is_read(self.request):
            return super().form_valid(form)
        send_code(self.request, form.cleaned_data["email"])
        return redirect("present-address")

    def go_on(self, request: HttpRequest, email: str) -> HttpResponse:
        """Send the code to the new address: the present one is confirmed."""
        self.setup(request)
        form = AddEmailForm(user=account(request), data={"email": email})
        if not form.is_valid():  # somebody else has taken it meanwhile
            return self.form_invalid(form)
        return super().form_valid(form)


def is_read(request: HttpRequest) -> bool:
    """Whether an account has shown of late that its present address is read, or has another way to show who it is,
    which allauth asks for."""
    user = account(request)
    if get_reauthentication_flows(user):
        return True
    return any(
        each.get("method") == "code" and each.get("email") == user.email and time.time() - each.get("at", 0) < HOLDS
        for each in get_authentication_records(request, user)
    )


def send_code(request: HttpRequest, email: str) -> None:
    """Mail a code to the present address of an account that wants another one (`email`)."""
    user, code = account(request), get_adapter().generate_login_code()
    request.session[WISH] = {"email": email, "code": code, "at": time.time(), "tries": 0}
    told = _(
        "Somebody who is signed in to your account wants to change its address to %(email)s. If it is you, type this "
        "code:\n\n%(code)s\n\nIf not, do not type it anywhere: nothing changes then. End your other sessions in the "
        "settings."
    )
    office.put(user.email, _("Nomopoly: a code to change your address"), told % {"email": email, "code": code} + "\n")


@login_required
def present(request: HttpRequest) -> HttpResponse:
    """Where the code that went to the present address is typed. After too many wrong ones it holds no more."""
    wish: Data | None = request.session.get(WISH)
    if wish is None or time.time() - wish["at"] > HOLDS:
        request.session.pop(WISH, None)
        messages.warning(request, _("This code has expired. Ask for a new one."))
        return redirect("account_email")
    form = Code(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if compare_user_code(actual=form.cleaned_data["code"], expected=wish["code"]):
            del request.session[WISH]
            return Address().go_on(request, wish["email"])
        wish["tries"] += 1
        request.session[WISH] = wish
        if wish["tries"] >= MOST_TRIES:
            del request.session[WISH]
            messages.warning(request, _("Those were too many wrong codes. Begin again."))
            return redirect("account_email")
        form.add_error("code", _("That is not the code: look at the mail again."))
    parts: dict[str, Any] = {"form": form, "email": account(request).email, "minutes": HOLDS // 60}
    return render(request, "account/present_address.html", parts)

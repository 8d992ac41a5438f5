"""The one door for sign-up and log-in: an address, a code by mail, and on to where one was going.

Built on allauth's login by code. An address that has no account gets one before the code is sent, so that the answer,
the mail and what follows are the same for every address, and nobody learns which addresses have an account.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, RequestLoginCodeForm
from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.mixins import RedirectAuthenticatedUserMixin
from allauth.account.views import ConfirmLoginCodeView, LoginView, RequestLoginCodeView
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from nomopoly.site.accounts import newcomers

if TYPE_CHECKING:
    from allauth.account.stages import LoginStage

    from nomopoly.site.shapes import Data


ZONE = "browser_zone"  # in the session, until somebody is signed in
FINISH: list[
    Callable[[HttpRequest], str | None]
] = []  # what is carried out for who has just signed in; each says where to go, or None


class DoorForm(RequestLoginCodeForm):
    """The form by which one comes in: an address, to which a code is sent."""

    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput({"data-zone": ""}))

    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)
        self.fields["email"].label = _("Your e-mail address")
        self.fields["email"].widget = forms.EmailInput({"id": "code_email", "autocomplete": "email"})

    def clean_time_zone(self) -> str:
        """Accept any zone: times are shown in UTC if there is no such zone."""
        zone = self.cleaned_data["time_zone"]
        return zone if zone in zoneinfo.available_timezones() else ""


class OneDoor(RedirectAuthenticatedUserMixin):
    """What the views that draw the door have in common: both of its forms, and no way past it while a code is on its
    way."""

    template_name = "account/login.html"

    def _redirect_to_pending_stage(self, request: HttpRequest, stage: LoginStage) -> HttpResponse | None:
        """Whoever waits for a code may ask for one at another address."""
        return None if stage.key == "login_by_code" else super()._redirect_to_pending_stage(request, stage)

    def get_context_data(self, **more: object) -> Data:
        """Add both forms of the door: the one that was sent as it is, the other one empty."""
        context = super().get_context_data(**more)
        form = context["form"]
        by_code = isinstance(form, DoorForm)
        context["door_form"] = form if by_code else DoorForm(initial={"email": self.request.POST.get("login", "")})
        context["password_form"] = LoginForm(request=self.request) if by_code else form
        return context


def prepare(request: HttpRequest, form: DoorForm) -> None:
    """Whose account a form asks a code for, and their zone: a new one, if the address has none."""
    form._user = form._user or newcomers.account_of(form.cleaned_data["email"])
    request.session[ZONE] = form.cleaned_data["time_zone"]


def send_code(request: HttpRequest, form: DoorForm, place: str) -> HttpResponseRedirect:
    """Send a code to the address in a form that is valid. Returns the answer that leads to where it is typed, and on to
    `place`."""
    prepare(request, form)
    LoginCodeVerificationProcess.initiate(request=request, user=form._user, email=form.cleaned_data["email"])
    return HttpResponseRedirect(f"{reverse('account_confirm_login_code')}?{urlencode({'next': place})}")


class Door(OneDoor, RequestLoginCodeView):
    """The page on which one comes in with a code."""

    form_class = DoorForm

    def form_valid(self, form: DoorForm) -> HttpResponse:
        """Find or make the account of the address, note the browser's time zone, then send the code."""
        prepare(self.request, form)
        return super().form_valid(form)


class PasswordDoor(OneDoor, LoginView):
    """The page on which one comes in with a password."""


class TypeCode(ConfirmLoginCodeView):
    """Where the code is typed. Where it leads stays what it was, also when the code has expired."""

    def dispatch(self, request: HttpRequest, *args: object, **parts: object) -> HttpResponse:
        """Answer as allauth does, but keep `next` on the way back to the door, and say that a code has expired."""
        response = super().dispatch(request, *args, **parts)
        door = reverse("account_request_login_code")
        if response.status_code == 302 and response["Location"] == door:
            if getattr(self, "_process", None) is None:
                messages.warning(request, _("This code has expired. Ask for a new one."))
            return HttpResponseRedirect(self.passthrough_next_url(door))
        return response

    def _resend_form_valid(self, form: forms.Form) -> HttpResponse:
        messages.success(self.request, _("A new code is on its way. The one before it does not work any more."))
        return super()._resend_form_valid(form)

    def _verify_form_valid(self, form: forms.Form) -> HttpResponse:
        """Signed in: whoever has come to join a game is in it now."""
        response = super()._verify_form_valid(form)
        finishing = FINISH if self.request.user.is_authenticated else ()
        place = next(filter(None, (finish(self.request) for finish in finishing)), None)
        return HttpResponseRedirect(place) if place else response

    def get_context_data(self, **more: object) -> Data:
        """Add the way back to the door, and the minutes for which a code is valid. One can type at once."""
        context = super().get_context_data(**more)
        context["verify_form"].fields["code"].widget.attrs["autofocus"] = True
        return context | {
            "door": self.passthrough_next_url(reverse("account_login")),
            "minutes": self._process.timeout // 60,
        }


def absolute_next(request: HttpRequest) -> str | None:
    """The address of the page that somebody was on the way to, for the mail; None if it is none of ours."""
    place = request.POST.get("next") or request.GET.get("next")
    return request.build_absolute_uri(place) if place and get_adapter().is_safe_url(place) else None

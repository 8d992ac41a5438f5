"""What allauth asks us."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import DefaultAccountAdapter
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from nomopoly.site.accounts import newcomers
from nomopoly.site.post import office

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data


QUIET = (
    "account/messages/logged_in.txt",
    "account/messages/logged_out.txt",
    "account/messages/email_confirmation_sent.txt",
    "account/messages/login_code_sent.txt",
)


def display(user: User) -> str:
    """How an account is named on its own pages: by its address."""
    return user.email


class Adapter(DefaultAccountAdapter):
    """How the pages of accounts behave here, where the library asks."""

    error_messages = DefaultAccountAdapter.error_messages | {  # the library's words speak of failed tries alone
        "too_many_login_attempts": gettext_lazy("Too many tries in a short time. Wait five minutes, then try again."),
    }

    def add_message(
        self,
        request: HttpRequest,
        level: object,
        message_template: object = None,
        message_context: object = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Leave out what the next page shows anyway, and say after wrong codes what to do."""
        if message_template in QUIET:
            return
        if message == self.error_messages["too_many_login_attempts"]:  # after wrong codes: a new one can be had at once
            message = _("Those were too many wrong codes. Ask for a new one.")
        super().add_message(request, level, message_template, message_context, extra_tags, message)

    def send_mail(self, template_prefix: str, email: str, context: Data) -> None:
        """The mail with a code also says where one was going, for who reads it elsewhere."""
        from nomopoly.site.accounts import entrance  # which needs the models, and so the adapter, to be there

        if template_prefix == "account/email/login_code":
            context = context | {"going_to": entrance.absolute_next(context["request"])}
        super().send_mail(template_prefix, email, context)

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: Data, headers: dict[str, str] | None = None
    ) -> EmailMessage:
        """A mail about an account, which says that a program has written it."""
        return super().render_mail(template_prefix, email, context, office.at_once() | (headers or {}))

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in, and take the time zone and the language of their browser, if they have none yet."""
        zone = request.session.pop("browser_zone", "")
        super().login(request, user)
        newcomers.take_zone(user, zone)
        newcomers.take_language(user, get_language())

"""The mail server, for whoever sends at once, as log-in codes are sent: what it does not take waits at the post
office."""

import logging
import smtplib
from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

log = logging.getLogger("nomopoly.mail")


class Patient(EmailBackend):
    """Django's own way to a mail server. With `patient` (the default), a mail that it does not take becomes a
    letter."""

    def __init__(self, *args: Any, patient: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        self.patient = patient

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Send these messages. Returns how many were sent, or are kept to be sent."""
        try:
            return super().send_messages(email_messages)
        except (smtplib.SMTPException, OSError) as error:
            if not self.patient:
                raise
            from nomopoly.site.post import office

            log.warning("the mail server takes nothing (%s): kept", error)
            for message in email_messages:
                office.keep(message, f"{type(error).__name__}: {error}")
            return len(email_messages)

"""Mail while no mail server is set up: each mail is a file, and a short line tells where."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

from nomopoly.site.watch import logs


class FileAndConsole(EmailBackend):
    """Mails that are kept in files and shown on the console, for a site that sends none."""

    def write_message(self, message: EmailMessage) -> None:
        """Write a mail to its file and, readable, to the console."""
        super().write_message(message)
        where = self._get_filename()  # type: ignore[attr-defined]  # which its stubs leave out
        told = f"mail to {', '.join(message.to)}: {message.subject} ({where})\n{message.body}"
        logs.show(told, error=True)  # no line of the log: codes are in mails

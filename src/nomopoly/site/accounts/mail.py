"""Mail while no mail server is set up: each mail is a file, and a short line tells where."""

import logging

from django.core.mail.backends.filebased import EmailBackend

log = logging.getLogger("nomopoly.mail")


class FileAndConsole(EmailBackend):
    def write_message(self, message):
        super().write_message(message)
        log.info("mail to %s: %s (%s)\n%s", ", ".join(message.to), message.subject, self._get_filename(), message.body)

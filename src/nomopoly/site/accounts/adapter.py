"""What allauth asks us."""

from allauth.account.adapter import DefaultAccountAdapter

QUIET = (
    "account/messages/logged_in.txt",
    "account/messages/logged_out.txt",
    "account/messages/email_confirmation_sent.txt",
    "account/messages/login_code_sent.txt",
)


def display(user):
    return user.email


class Adapter(DefaultAccountAdapter):
    def add_message(self, request, level, message_template=None, message_context=None, extra_tags="", message=None):
        """What the next page shows anyway needs no notice."""
        if message_template in QUIET:
            return
        super().add_message(request, level, message_template, message_context, extra_tags, message)

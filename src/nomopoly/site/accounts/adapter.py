"""What allauth asks us."""

from allauth.account.adapter import DefaultAccountAdapter


def display(user):
    return user.email


class Adapter(DefaultAccountAdapter):
    def add_message(self, request, level, message_template=None, message_context=None, extra_tags="", message=None):
        """Logging in and out needs no notice: the page shows it."""
        if message_template in ("account/messages/logged_in.txt", "account/messages/logged_out.txt"):
            return
        super().add_message(request, level, message_template, message_context, extra_tags, message)

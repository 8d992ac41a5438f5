from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class Accounts(AppConfig):
    """The accounts of people: signing in, settings, keys, leaving."""

    name = "nomopoly.site.accounts"
    label = "accounts"
    verbose_name = gettext_lazy("Accounts")

    def ready(self) -> None:
        """Notice when somebody adds a second factor."""
        from nomopoly.site.accounts import second

        second.listen()

from django.apps import AppConfig


class Accounts(AppConfig):
    """The accounts of people: signing in, settings, keys, leaving."""

    name = "nomopoly.site.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Notice when somebody adds a second factor."""
        from nomopoly.site.accounts import second

        second.listen()

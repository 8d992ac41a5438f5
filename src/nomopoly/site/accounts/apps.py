from django.apps import AppConfig


class Accounts(AppConfig):
    """The accounts of people: signing in, settings, keys, leaving."""

    name = "nomopoly.site.accounts"
    label = "accounts"

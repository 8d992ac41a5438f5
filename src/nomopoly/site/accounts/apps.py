from django.apps import AppConfig


class Accounts(AppConfig):
    name = "nomopoly.site.accounts"
    label = "accounts"

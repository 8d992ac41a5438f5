from django.apps import AppConfig


class Trial(AppConfig):
    name = "nomopoly.site.trial"
    label = "trial"

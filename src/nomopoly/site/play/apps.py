from django.apps import AppConfig


class Play(AppConfig):
    name = "nomopoly.site.play"
    label = "play"

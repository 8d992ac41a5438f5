from django.apps import AppConfig


class Lobby(AppConfig):
    name = "nomopoly.site.lobby"
    label = "lobby"

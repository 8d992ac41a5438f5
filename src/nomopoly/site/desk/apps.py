from django.apps import AppConfig


class Desk(AppConfig):
    name = "nomopoly.site.desk"
    label = "desk"

from django.apps import AppConfig


class Tables(AppConfig):
    name = "nomopoly.site.tables"
    label = "tables"

from django.apps import AppConfig


class Order(AppConfig):
    name = "nomopoly.site.order"
    label = "order"

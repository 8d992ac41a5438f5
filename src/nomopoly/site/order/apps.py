from django.apps import AppConfig


class Order(AppConfig):
    name = "nomopoly.site.order"
    label = "order"

    def ready(self):
        from nomopoly.site.watch import security

        security.listen()

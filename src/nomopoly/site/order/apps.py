from django.apps import AppConfig


class Order(AppConfig):
    """What keeps order: the operator's console, reports, measures against abuse."""

    name = "nomopoly.site.order"
    label = "order"

    def ready(self):
        """Begin to log what matters to the security of the site."""
        from nomopoly.site.watch import security

        security.listen()

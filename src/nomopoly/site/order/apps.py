from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class Order(AppConfig):
    """What keeps order: the operator's console, reports, measures against abuse."""

    name = "nomopoly.site.order"
    label = "order"
    verbose_name = gettext_lazy("Order on the site")

    def ready(self) -> None:
        """Begin to log what matters to the security of the site, and to measure how it is."""
        from nomopoly.site.order import measuring
        from nomopoly.site.watch import security

        security.listen()
        measuring.begin()

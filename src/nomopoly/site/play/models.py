"""What players keep to themselves: proposals they have not made yet."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Draft(models.Model):
    """A proposal being written, seen by its author alone: the fields of the form as they were."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=200, blank=True, default="")
    fields = models.JSONField(default=dict)
    saved = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-saved"]

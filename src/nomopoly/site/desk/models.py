"""What the Admin mends of what others have written; what was written stays."""

from django.db import models
from django.utils import timezone


class Mended(models.Model):
    """The words of a proposal ("P3") or post ("post-7") with their typos mended. What was written stays where it is,
    and so does what was voted on."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    about = models.CharField(max_length=40)
    title = models.CharField(max_length=200, blank=True, default="")
    text = models.TextField(blank=True, default="")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "about"], name="mended_once")]


class NamesSeen(models.Model):
    """Up to which entry the Admin of a game has looked at the names that players give."""

    game = models.OneToOneField("tables.Game", on_delete=models.CASCADE, related_name="+")
    n = models.PositiveIntegerField(default=0)

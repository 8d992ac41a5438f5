"""Trial copies: a game as one player sees it, for that player to play with. Nothing of it is the game's."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from nomopoly.site.tables.models import Game

LIFE = timedelta(days=2)


class Trial(models.Model):
    """One player's trial copy: the lines of its journal, and what they did, as steps of a scenario."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=20, unique=True)
    title = models.CharField(max_length=200, blank=True, default="")
    proposal = models.JSONField(default=dict)
    # The fields of the form in which the proposal stands, to which the steps can be added as its example.
    fields = models.JSONField(default=dict)
    made = models.DateTimeField(default=timezone.now, db_index=True)
    # The copy's own clock (seconds since 1970).
    at = models.BigIntegerField()
    secret = models.CharField(max_length=64)
    first = models.JSONField()
    lines = models.JSONField(default=list)
    n = models.PositiveIntegerField()
    ballots = models.JSONField(default=list)
    steps = models.JSONField(default=list)
    invented = models.JSONField(default=list)
    # Whose actions are played now: a player's name, or "" for the Admin.
    playing = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        ordering = ["made", "pk"]

    @property
    def address(self) -> str:
        """The path of the trial copy's first page."""
        return f"{self.game.address}try/{self.token}/"

    @property
    def ends(self) -> int:
        """When the copy is thrown away, in seconds since 1970."""
        return int((self.made + LIFE).timestamp())


class TrialGame(Game):
    """A game's row as the pages of a trial copy want it: below another address, and with nothing of the site's about
    it."""

    token: str  # of its trial copy

    class Meta:
        proxy = True

    @property
    def address(self) -> str:
        """The path of the trial copy's first page."""
        return f"/g/{self.slug}/try/{self.token}/"

    @classmethod
    def of(cls, trial: Trial) -> TrialGame:
        """The row of the game that a trial copy is of, with the copy's token. It is never saved."""
        made = cls(**{field.attname: getattr(trial.game, field.attname) for field in Game._meta.concrete_fields})
        made.pk, made.token = -trial.pk, trial.token
        return made

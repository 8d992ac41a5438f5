"""Proposals that players have not made yet, which one followed which, and what people say about them and about the
log."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy


class Draft(models.Model):
    """A proposal being written, seen by its author alone: the fields of the form as they were."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=200, blank=True, default="")
    fields = models.JSONField(default=dict)
    saved = models.DateTimeField(default=timezone.now)
    savings = models.JSONField(default=dict)  # the last saving of each opened form, see `drafts.keep`

    class Meta:
        ordering = ["-saved"]


class Forum(models.Model):
    """How the talk of a game is kept, where its host has set it; a game without such a row is as the defaults say."""

    class Readers(models.TextChoices):
        ALL = "all", gettext_lazy("Everybody who may read the game")
        PLAYERS = "players", gettext_lazy("Its players and its Admin alone")

    game = models.OneToOneField("tables.Game", on_delete=models.CASCADE, related_name="forum")
    readers = models.CharField(max_length=10, choices=Readers.choices, default=Readers.ALL)


class Comment(models.Model):
    """What somebody says about a proposal ("P3"), a log entry ("entry-41") or in a thread ("thread-2").

    Talk is never an action of the game. What its author has deleted and what the Admin has hidden stays here unseen.
    """

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    about = models.CharField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=40)
    body = models.TextField()
    written = models.DateTimeField(default=timezone.now)
    edited = models.DateTimeField(null=True)
    deleted = models.BooleanField(default=False)
    hidden = models.BooleanField(default=False)
    because = models.CharField(max_length=500, blank=True, default="")  # why the Admin has hidden it
    # For who reads it: whether it is theirs, why its words are not shown, what was mended, whether it is reported.
    mine: bool
    gone: str
    mended: dict[str, Any] | None
    reported: bool

    class Meta:
        ordering = ["written", "pk"]
        indexes = [models.Index(fields=["game", "about"])]


class Thread(models.Model):
    """A thread of a game's forum; what is said in it are the comments about "thread-<number>"."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=40)
    made = models.DateTimeField(default=timezone.now)
    announcement = models.BooleanField(default=False)
    introductions = models.BooleanField(default=False)  # applicants may write here

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_thread_of_a_number")]


class Report(models.Model):
    """That somebody asks the Admin to look at what was said; nobody else learns who."""

    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    because = models.CharField(max_length=500, blank=True, default="")
    made = models.DateTimeField(default=timezone.now)
    settled = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["comment", "user"], name="one_report_a_reader")]


class Mute(models.Model):
    """Whose words a reader does not want to see in a game."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user", "name"], name="muted_once")]


class Example(models.Model):
    """The example of a proposal ("P3"): a scenario, and why it failed when it was played last ("" if it passed)."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    proposal = models.CharField(max_length=40)
    text = models.TextField()
    failure = models.TextField(blank=True, default="")
    played = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["game", "proposal"], name="one_example_a_proposal")]


class Foreseen(models.Model):
    """What everybody could see coming of a proposal ("P3") when it was made, as `foreseen.draw_up` found it."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    proposal = models.CharField(max_length=40)
    at = models.BigIntegerField()  # seconds since 1970
    data = models.TextField()  # JSON as text: a column for JSON holds no NUL in PostgreSQL

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["game", "proposal"], name="foreseen_once")]


class Successor(models.Model):
    """A proposal ("P3") that was written as a new version of another ("P1"), which names it from then on."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    older = models.CharField(max_length=40)
    newer = models.CharField(max_length=40)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["game", "newer"], name="one_older_version")]


class Note(models.Model):
    """A player's private notes about a game, one sheet, seen by nobody else."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    body = models.TextField(blank=True, default="")
    saved = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_sheet_of_notes")]


class LibraryRule(models.Model):
    """A rule of the site's library: added by its operators, or offered by a player of the game where it held, and then
    in the library once the operators have accepted it."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    about = models.CharField(max_length=500)
    text = models.TextField(blank=True, default="")
    params = models.JSONField(default=dict)
    code = models.TextField(blank=True, default="")
    run = models.TextField(blank=True, default="")
    edition = models.CharField(max_length=80, blank=True, default="")
    example = models.TextField(blank=True, default="")
    game = models.ForeignKey("tables.Game", null=True, on_delete=models.SET_NULL, related_name="+")
    rule = models.CharField(max_length=80, blank=True, default="")
    held_since = models.DateTimeField(null=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    accepted = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["title", "pk"]
        constraints = [models.UniqueConstraint(fields=["game", "rule"], name="a_rule_of_a_game_once")]

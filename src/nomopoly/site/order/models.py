"""What keeping order needs to remember: what was done from an address, who is silenced, what was reported, what
operators did."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy


class Knock(models.Model):
    """That something limited was done from a network address, or sent to a mail address, of which a keyed hash is
    kept."""

    address = models.CharField(max_length=64)
    what = models.CharField(max_length=20)
    count = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["address", "what", "at"], name="knocks_of_an_address")]


class Kept(models.Model):
    """The table of the cache that all processes share (Django's database cache): counts of tries at log-in."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "order_kept"


class Silence(models.Model):
    """That a player may not write in the forum of a game until a moment."""

    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=40)
    until = models.DateTimeField()
    because = models.CharField(max_length=500)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-until"]
        constraints = [models.UniqueConstraint(fields=["game", "name"], name="one_silence_a_player")]


class Complaint(models.Model):
    """That somebody asks for a look at a name, a proposal, a post or the Admin of a game. Nobody else learns who."""

    class Sort(models.TextChoices):
        NAME = "name", gettext_lazy("A name")
        PROPOSAL = "proposal", gettext_lazy("What a proposal says")
        POST = "post", gettext_lazy("What somebody has said")
        ADMIN = "admin", gettext_lazy("What the Admin does")

    game = models.ForeignKey(
        "tables.Game", on_delete=models.CASCADE, related_name="complaints", verbose_name=pgettext_lazy("column", "game")
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    sort = models.CharField(max_length=10, choices=Sort.choices)
    about = models.CharField(max_length=100, blank=True, default="")  # a name, P3, the number of a post
    because = models.CharField(pgettext_lazy("column", "because"), max_length=1000)
    for_operator = models.BooleanField(default=False)
    made = models.DateTimeField(pgettext_lazy("column", "made"), default=timezone.now)
    settled = models.DateTimeField(pgettext_lazy("column", "settled"), null=True)
    answer = models.CharField(
        pgettext_lazy("column", "answer"), max_length=500, blank=True, default=""
    )  # what came of it

    class Meta:
        verbose_name = gettext_lazy("report")
        verbose_name_plural = gettext_lazy("reports")
        ordering = ["made", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "sort", "about"],
                condition=models.Q(settled=None),
                name="one_open_complaint_a_thing",
            )
        ]

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self) -> str:
        """What it is about, in words."""
        words = {
            "name": gettext("The name %(about)s"),
            "proposal": gettext("Proposal %(about)s"),
            "post": gettext("Post %(about)s"),
            "admin": gettext("The Admin"),
        }
        return (words[self.sort] % {"about": self.about}).strip()


ACTS = {  # what an operator does, as the log has it -> in words, before what it is done to
    "appoint": gettext_noop("makes an operator of"),
    "dismiss": gettext_noop("ends the time as an operator of"),
    "block": gettext_noop("blocks"),
    "unblock": gettext_noop("unblocks"),
    "close account": gettext_noop("closes"),
    "lift limits": gettext_noop("lifts the limits of"),
    "stop": gettext_noop("stops"),
    "resume": gettext_noop("lets go on"),
    "give office": gettext_noop("gives the office away in"),
    "free seat": gettext_noop("frees a seat in"),
    "delete": gettext_noop("deletes"),
    "export to move": gettext_noop("writes a file to move with:"),
    "answer report": gettext_noop("answers"),
    "send again": gettext_noop("sends again"),
    "give up": gettext_noop("gives up"),
}
ABOUT = {  # what it is about
    "account": gettext_noop("account %(which)s"),
    "game": gettext_noop("game %(which)s"),
    "report": gettext_noop("report %(which)s"),
    "letter": gettext_noop("mail %(which)s"),
}
BY = {"operator": gettext_noop("operator %(which)s"), "the": gettext_noop("the command line")}


def in_words(said: str, words: dict[str, str]) -> str:
    """What the log has as a word and a number or name, in words; as it stands where it is none of these."""
    first, _, which = said.partition(" ")
    return gettext(words[first]) % {"which": which} if first in words else said


class OperatorAct(models.Model):
    """What an operator did, to what, and why. `user` is empty for the command line, and once the account is closed."""

    at = models.DateTimeField(pgettext_lazy("column", "at"), default=timezone.now)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=pgettext_lazy("column", "account"),
    )
    by = models.CharField(pgettext_lazy("column", "by"), max_length=60)
    what = models.CharField(pgettext_lazy("column", "what"), max_length=30)
    about = models.CharField(
        pgettext_lazy("column", "about"), max_length=200
    )  # account 5, game friday, letter 7, report 3
    because = models.CharField(pgettext_lazy("column", "because"), max_length=500)

    class Meta:
        verbose_name = gettext_lazy("act of an operator")
        verbose_name_plural = gettext_lazy("acts of operators")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.done} {self.subject}"

    @property
    def done(self) -> str:
        """What was done, in words."""
        return gettext(ACTS[self.what]) if self.what in ACTS else self.what

    @property
    def subject(self) -> str:
        """What it was done to, in words."""
        return in_words(self.about, ABOUT)

    @property
    def doer(self) -> str:
        """Who has done it, in words."""
        return in_words(self.by, BY)

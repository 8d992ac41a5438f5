"""What is stored: games and their journals, who sits where, and a few notes of the site about them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from nomopoly.runtime.interpreters.text import named

OFFER_SECONDS = 14 * 86_400  # how long somebody can accept the office of a game that they are offered


class Game(models.Model):
    """A game on this site: its address, who may read it, who governs it, and how far its journal has come."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Public: anybody can read it")
        LINK = "link", gettext_lazy("By link: readable by whoever knows its address")
        PRIVATE = "private", gettext_lazy("Private: for its players alone")

    class Office(models.TextChoices):
        PERSON = "person", gettext_lazy("A person: you let players in and decide what the rules leave to the Admin")
        TABLE = "table", gettext_lazy("The table: the players vote on it, for a day, by simple majority")
        HOUSE = (
            "house",
            gettext_lazy("The house: the site lets everybody in and accepts whatever can be put into effect"),
        )

    slug = models.SlugField(pgettext_lazy("column", "slug"), max_length=40, unique=True)
    title = models.CharField(pgettext_lazy("column", "title"), max_length=80)
    edition = models.CharField(pgettext_lazy("column", "edition"), max_length=20)
    visibility = models.CharField(
        pgettext_lazy("column", "visibility"), max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    time_zone = models.CharField(max_length=64, default="UTC")
    admin = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=pgettext_lazy("column", "Admin"),
    )
    # Who does what the rules leave to the Admin. `admin` is the person, if it is one.
    office = models.CharField(
        pgettext_lazy("column", "office"), max_length=10, choices=Office.choices, default=Office.PERSON
    )
    # Who has started it, or hosts it since (roster.find_host). `host` is the name, in invitations, of who invites
    # (`inviter_id`).
    starter = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    host = models.CharField(max_length=30, blank=True, default="")
    about = models.TextField(blank=True, default="")
    # The Admin's own words in mails of the game (letters.OWN); empty for the usual ones.
    invitation_text = models.TextField(blank=True, default="")
    welcome_text = models.TextField(blank=True, default="")
    closing_text = models.TextField(blank=True, default="")
    secret = models.CharField(max_length=64)
    # What the secret of hidden draws and the salts of lines are derived from; empty in a game of the older recipe.
    vault = models.CharField(max_length=64, blank=True, default="")
    # Which older kernel it is played with; empty for the one of this version.
    kernel = models.CharField(max_length=40, blank=True, default="")
    # Secrets of the time before the game went on with new ones, to be revealed at its end.
    earlier = models.JSONField(default=list)
    invitation = models.CharField(max_length=32)
    created = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now)
    demo = models.BooleanField(default=False)
    # Whether it takes no new players at the moment.
    closed = models.BooleanField(default=False)
    # Whether it has ended, by its rules.
    over = models.BooleanField(pgettext_lazy("column", "over"), default=False)
    # The address of whom the Admin has offered the office to.
    successor = models.EmailField(blank=True, default="")
    # Until when they can accept it (seconds since 1970), see OFFER_SECONDS; null where nothing is offered.
    successor_until = models.BigIntegerField(null=True)
    # When the game next wants to be looked at by the clock (seconds since 1970), null for never.
    due = models.BigIntegerField(null=True, db_index=True)
    # When somebody last did something in it, and not the clock alone (seconds since 1970), for lists of games.
    moved = models.BigIntegerField(default=0, db_index=True)
    # An outage of the site that this game has not entered yet.
    away_since = models.BigIntegerField(null=True)
    away_until = models.BigIntegerField(null=True)
    # Whether readings are missing, which the clock computes again from the journal.
    recount = models.BooleanField(default=False)
    # Up to which entry the rows of the log are there (LogLine).
    lined = models.IntegerField(default=-1)
    # The entry at which the clock last looked for players whom the rules will take out, and when it has to look again
    # even if nothing happens: when the next mail to one of them is due, and within a week (seconds since 1970), null
    # for at once.
    idle_n = models.IntegerField(default=-1)
    idle_at = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = gettext_lazy("game")
        verbose_name_plural = gettext_lazy("games")

    def __str__(self) -> str:
        return self.title

    @property
    def address(self) -> str:
        """The path of the game's first page."""
        return f"/g/{self.slug}/"

    @property
    def runtime(self) -> str:
        """In what its rules run, as `make_runtime` calls it."""
        return named(settings.NOMOPOLY_RUNTIME, self.kernel)

    @property
    def inviter_id(self) -> int | None:
        """The account that invites and sets what is no matter of the rules: the Admin's; where no person is the Admin,
        the one that has started the game, or hosts it since."""
        return self.admin_id or self.starter_id

    @property
    def decider(self) -> str:
        """Who decides what the rules leave to the Admin, in a sentence."""
        return {"table": _("the table"), "house": _("the house")}.get(self.office, _("the Admin"))

    @property
    def open_faults(self) -> "models.QuerySet[Fault]":
        """The rules that broke and wait for the Admin, who can mend nothing in a game that is over."""
        return self.faults.none() if self.over else self.faults.filter(settled=None)

    @property
    def is_vacant(self) -> bool:
        """Whether a person should hold the office of Admin, and nobody does."""
        return self.office == self.Office.PERSON and self.admin_id is None

    @property
    def decider_name(self) -> str:
        """The same, as the journal has it beside an act of the desk."""
        return next((name for name, office in DECIDERS.items() if office == self.office), "Admin")


DECIDERS = {"Admin": Game.Office.PERSON, "The table": Game.Office.TABLE, "The house": Game.Office.HOUSE}


class Life(models.Model):
    """The site's last sign of life, one row (seconds since 1970)."""

    at = models.BigIntegerField()


class Process(models.Model):
    """A process that serves pages, as long as it says that it is there. Only where several do; see tables/homes.py."""

    id = models.CharField(max_length=32, primary_key=True)
    # At which the other processes of the site reach it, as http://10.0.0.5:8001.
    address = models.CharField(max_length=200)
    # When it last said so, by the clock of the database.
    beat = models.DateTimeField()


class Home(models.Model):
    """The process that keeps a game loaded, and to which the others hand over what comes to them."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="home")
    process = models.ForeignKey(Process, on_delete=models.CASCADE, related_name="homes")


class Entry(models.Model):
    """A line of a game's journal, as its text."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries")
    n = models.PositiveIntegerField()
    line = models.TextField()
    hash = models.CharField(max_length=64)
    # Whether a program of the player's gave this order, with an API key. No part of the journal.
    by_program = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "n"], name="one_entry_a_number")]
        indexes = [
            models.Index(fields=["game", "n"], condition=models.Q(by_program=True), name="entries_by_program"),
        ]
        ordering = ["game", "n"]


class Ballot(models.Model):
    """A vote that waits beside the journal; it is no entry, and nothing but the box ever shows it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="ballots")
    closes = models.CharField(max_length=100)
    about = models.CharField(max_length=100)
    player = models.CharField(max_length=30)
    choice = models.JSONField(null=True)
    sealed = models.BooleanField()
    at = models.BigIntegerField()
    more = models.TextField(default="{}")  # JSON: what was said in further fields of the vote
    joined = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "closes", "about", "player"], name="one_ballot_a_player")
        ]
        ordering = ["pk"]


class BallotSalt(models.Model):
    """What proves the commitment to sealed ballots that a journal holds."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    commitment = models.CharField(max_length=64)
    salt = models.CharField(max_length=64)


class Outcome(models.Model):
    """A cache: what came of an entry, for the log. Computed again from the journal when it is lost."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="outcomes")
    n = models.PositiveIntegerField()
    # JSON as text: a column for JSON holds no NUL in PostgreSQL, and loses the order of fields.
    outcome = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "n"], name="one_outcome_a_number")]
        ordering = ["game", "n"]


class LogLine(models.Model):
    """A cache: that a viewer may know of an entry, and what they find it by. See runtime/lines.py and tables/lines.py.

    A row with no viewer holds for all who have none of their own. `text` and `words` are in an index of the database
    for searching whole texts, which a migration makes: on SQLite by triggers, so they have to be made again with the
    table.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="log_lines", db_index=False)
    n = models.PositiveIntegerField()
    viewer = models.CharField(max_length=100, blank=True)
    number = models.PositiveIntegerField(null=True)
    alone = models.BooleanField()
    others = models.BooleanField()
    at = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    by = models.CharField(max_length=100, blank=True)
    do = models.CharField(max_length=100, blank=True)
    struck = models.PositiveIntegerField(null=True)
    text = models.TextField(blank=True)
    words = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "n", "viewer"], name="one_log_line_a_viewer")]
        indexes = [
            models.Index(fields=["game", "number"], name="log_lines_by_number"),
            models.Index(fields=["game", "viewer", "alone"], condition=~models.Q(viewer=""), name="log_lines_of_some"),
            models.Index(fields=["game", "kind", "n"], condition=~models.Q(kind="tick"), name="log_lines_by_kind"),
            models.Index(fields=["game", "by", "do"], condition=~models.Q(by=""), name="log_lines_by_order"),
        ]


class Snapshot(models.Model):
    """A cache: the state of a game after entry n, as a runtime dumped it. May be thrown away at any time."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="snapshots")
    n = models.PositiveIntegerField()
    runtime = models.CharField(max_length=40)
    blob = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "runtime"], name="one_snapshot_a_runtime")]


class Waypoint(models.Model):
    """A cache: the state of a game after entry n, compressed; one every so many entries. See tables/waypoints.py."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="waypoints")
    n = models.PositiveIntegerField()
    runtime = models.CharField(max_length=40)
    blob = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "runtime", "n"], name="one_waypoint_a_number")]


class Reading(models.Model):
    """A cache: what players had that can be counted, after entry n, the last of its day. See tables/readings.py."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="readings")
    n = models.PositiveIntegerField()
    at = models.BigIntegerField()
    # {player: [what all see, what the owner sees otherwise, what the Admin does]}, each {attribute: number}
    numbers = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "n"], name="one_reading_a_number")]
        ordering = ["game", "n"]


class Membership(models.Model):
    """An account's seat in a game, from the wish to join until it is given up."""

    class Status(models.TextChoices):
        ASKED = "asked"
        APPROVED = "approved"
        DECLINED = "declined"
        LEFT = "left"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="memberships")
    player = models.CharField(max_length=30)
    # The names under which they have played here before, the last one last.
    earlier = models.JSONField(default=list)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ASKED)
    message = models.TextField(blank=True, default="")
    answer = models.TextField(blank=True, default="")
    asked = models.DateTimeField(default=timezone.now)
    answered = models.DateTimeField(null=True)
    left = models.DateTimeField(null=True)
    barred = models.BooleanField(default=False)
    # The last warning of a removal for being idle: at which moment, and how many days before.
    warned_for = models.BigIntegerField(null=True)
    warned_days = models.PositiveSmallIntegerField(null=True)
    # The shape of the player's piece, a name of play/pieces.py; empty: one that is free.
    piece = models.CharField(max_length=20, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_seat_a_user")]
        ordering = ["asked", "pk"]


class StandingAnswer(models.Model):
    """What a player wants answered when a question comes, or done when an action becomes possible. Nobody else sees
    it."""

    seat = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="standing_answers")
    # An action's id, a question's id, or words of a question; and the answer as it was typed.
    question = models.CharField(max_length=200)
    answer = models.CharField(max_length=500, blank=True, default="")
    # For an action: its inputs by name. For a question: null.
    fields = models.JSONField(null=True)
    until = models.BigIntegerField(null=True)
    made = models.DateTimeField(default=timezone.now)
    # What it has answered already, and what the rules have refused of what is open now: {what: reason}.
    given = models.JSONField(default=list)
    refused = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]


class Holiday(models.Model):
    """Days on which a player is away, as they have said beforehand (seconds since 1970); ended early, `until` is when
    it was."""

    seat = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="holidays")
    since = models.BigIntegerField()
    until = models.BigIntegerField(db_index=True)
    # Whether mails about the game wait until the player is back.
    hold = models.BooleanField(default=True)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since", "pk"]


class BotSeat(models.Model):
    """A seat at which a program of the site plays, for whoever has started the game. Nobody holds the seat (`user`)."""

    seat = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="bot")
    # When it acts next (seconds since 1970).
    next_at = models.BigIntegerField(db_index=True)


class TableQuestion(models.Model):
    """What the players decide where no person holds the office of Admin: about which thing of the game, by when, and
    how it ended."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="table_questions")
    about = models.CharField(max_length=100)  # the id of a thing, or `player:` and the name of who asks to join
    text = models.CharField(max_length=300)
    # [[choice, label, act of the desk or nothing, its arguments]]
    choices = models.JSONField(default=list)
    opened = models.BigIntegerField()
    closes = models.BigIntegerField()
    # The program that the author of a proposal in words alone has given meanwhile: {"changes", "run"}.
    program = models.JSONField(null=True)
    result = models.CharField(max_length=300, blank=True, default="")
    settled = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "about"], condition=models.Q(settled=None), name="one_open_question_a_thing"
            )
        ]
        ordering = ["closes", "pk"]


class TableAnswer(models.Model):
    """What a player has answered to a question of the table."""

    question = models.ForeignKey(TableQuestion, on_delete=models.CASCADE, related_name="answers")
    seat = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="table_answers")
    choice = models.CharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "seat"], name="one_answer_a_seat")]


class Once(models.Model):
    """A form that was sent: a second sending shows this result instead of acting again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=40)
    result = models.TextField(blank=True, default="")
    where = models.CharField(max_length=400, blank=True, default="")
    created = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "token"], name="one_form_once")]


class Deed(models.Model):
    """That somebody has done something of which there is a limit a day or an hour, see limits.py; forgotten after
    days."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    what = models.CharField(max_length=20)
    count = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["user", "what", "at"], name="deeds_of_a_user")]


class Fault(models.Model):
    """A rule that broke, for the Admin's desk."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="faults", verbose_name=pgettext_lazy("column", "game")
    )
    n = models.PositiveIntegerField(pgettext_lazy("column", "entry"), null=True)
    rule = models.CharField(pgettext_lazy("column", "rule"), max_length=80, blank=True, default="")
    line = models.PositiveIntegerField(pgettext_lazy("column", "line"), null=True)
    message = models.TextField(pgettext_lazy("column", "message"), blank=True, default="")
    created = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now)
    settled = models.DateTimeField(pgettext_lazy("column", "settled"), null=True)

    class Meta:
        verbose_name = gettext_lazy("fault of a rule")
        verbose_name_plural = gettext_lazy("faults of rules")

    def __str__(self) -> str:
        return _("Rule %(rule)s, line %(line)s") % {"rule": self.rule or "–", "line": self.line or "–"}


class Visit(models.Model):
    """When a user last looked at a game, and up to which entry."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    n = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_visit_a_game")]

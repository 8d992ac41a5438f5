"""All that the site keeps of one user, as one file: for them to take along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.utils import timezone

from nomopoly.site.tables import live, queries, roster
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from collections.abc import Collection

    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


# Tables whose rows belong to their `user`: (table, name in the file, columns that are nobody's business).
OWN = (
    ("play.draft", "drafts", ()),
    ("play.comment", "comments", ()),
    ("play.note", "notes", ()),
    ("play.thread", "threads", ()),
    ("play.report", "reports", ("comment",)),
    ("play.mute", "muted", ()),
    ("order.complaint", "complaints", ()),
    ("order.silence", "silences", ()),
    ("play.libraryrule", "library", ()),
    ("trial.trial", "trials", ("token", "secret", "first", "lines", "ballots", "invented")),
    ("tables.visit", "visits", ()),
    ("notices.notice", "notices", ("cause", "n")),
    ("notices.watched", "watched", ()),
    ("notices.wish", "notice_wishes", ()),
    ("post.mailbox", "mailbox", ()),
    ("post.target", "targets", ("secret", "keys")),
    ("post.letter", "letters", ("headers",)),
    ("accounts.apikey", "keys", ("hash",)),
    ("accounts.feedaddress", "feeds", ("token",)),
)
# Tables that know the user and are told otherwise, or not at all.
APART = {
    "tables.membership": "under `games`",
    "tables.game": "under `offices`",
    "trial.trialgame": "a game as its trial copies have it",
    "tables.once": "forms already sent, forgotten after two weeks",
    "order.operatoract": "what an operator has done in office, which is the site's log",
    "bymail.received": "digests of mails that were answered, so that none plays twice",
    "tables.deed": "what counts for the limits of a day, forgotten after two",
}
SESSION = ("created_at", "last_seen_at", "ip", "user_agent")
SEATED = (Membership.Status.APPROVED, Membership.Status.LEFT)


def everything_of(user: User) -> Data:
    """The file's contents, ready for DjangoJSONEncoder."""
    return {
        "made": timezone.now(),
        "account": row(user, ("password", "is_staff", "is_superuser", "is_active")),
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "sessions": list(UserSession.objects.filter(user=user).values(*SESSION)),
        "games": [seat(membership) for membership in user.memberships.select_related("game")],
        "offices": [
            {"game": game.slug, "title": game.title, "visibility": game.visibility, "about": game.about}
            for game in roster.governed_by(user)
        ],
    } | {name: rows_of(user, table, left_out) for table, name, left_out in OWN}


def rows_of(user: User, table: str, left_out: Collection[str]) -> list[Data]:
    """What a table holds of an account, without the columns that are left out."""
    return [row(each, left_out) for each in apps.get_model(table).objects.filter(user=user)]


def row(kept: Model, left_out: Collection[str] = ()) -> Data:
    """The columns of a row; a game is named by the last part of its address."""
    told = {}
    for field in kept._meta.concrete_fields:
        if field.name not in left_out and not field.primary_key and field.related_model is not get_user_model():
            value = getattr(kept, field.name if field.related_model else field.attname)
            told[field.name] = getattr(value, "slug", value)
    return told


def seat(membership: Membership) -> Data:
    """A seat, and what its player has asked of the game."""
    told = row(membership, ("barred",))
    told["standing_answers"] = [row(kept, ("seat",)) for kept in queries.standing_answers(membership)]
    told["holidays"] = [row(each, ("seat",)) for each in membership.holidays.all()]
    told["table_answers"] = [
        {"question": answer.question.text, "choice": answer.choice}
        for answer in membership.table_answers.select_related("question")
    ]
    names = [*membership.earlier, *([membership.player] if membership.status in SEATED else [])]
    told["orders"] = [each for name in dict.fromkeys(names) for each in orders(membership.game, name)]
    return told


def orders(game: Game, name: str) -> list[Data]:
    """A player's own lines of the journal: what was asked, when, and what came of it as the player saw it."""
    keys = ("at", "kind", "do", "args", "facts", "refused", "struck")
    return [
        {"entry": entry["number"]} | {key: entry[key] for key in keys}
        for entry in live.of(game).facts(name).where(by=name, kind=("order", "leave"))
    ]

"""What an operator may do, for the console and for `nomopoly operator` alike: each act with a reason, which is logged.

`operator` is a User, or None for the command line. Each act returns a sentence that says what was done, and raises
CommandError, with a sentence, where it cannot be done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from nomopoly.errors import CommandError
from nomopoly.runtime.journal import JournalError
from nomopoly.site import health, limits
from nomopoly.site.accounts import closing
from nomopoly.site.busy import Busy
from nomopoly.site.order import acts, blocking, complaints
from nomopoly.site.order.models import Complaint, OperatorAct
from nomopoly.site.play.models import Comment
from nomopoly.site.post import languages, office
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import domain, live, queries, roster, seats, witness
from nomopoly.site.tables.models import Deed, Fault, Game, Process, Snapshot

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User

MOVED = "export to move"  # the act of writing a game to a file with which it goes on elsewhere

# ---- accounts


def account(address: str) -> User:
    """The account of an address. Raises CommandError."""
    found = get_user_model().objects.filter(email__iexact=address.strip()).first()
    if found is None:
        raise CommandError(_("there is no account of %(address)s: its owner signs up first") % {"address": address})
    return found


def block(user: User, because: str, operator: User | None = None) -> str:
    """Block an account: it leaves all its games, by their rules."""
    if operator is not None and user.pk == operator.pk:
        raise CommandError(_("you cannot block your own account: ask another operator"))
    left = blocking.block(user, because, operator)
    told = _("%(address)s is blocked.") % {"address": user.email}
    return f"{told} {left.in_words()}"


def unblock(user: User, because: str, operator: User | None = None) -> str:
    """Let a blocked account in again."""
    if user.is_active:
        raise CommandError(_("%(address)s is not blocked") % {"address": user.email})
    blocking.unblock(user, because, operator)
    return _("%(address)s can log in again. Its seats are not given back.") % {"address": user.email}


def appoint(user: User, because: str, operator: User | None = None) -> str:
    """Make somebody an operator of the site."""
    if user.is_staff:
        raise CommandError(_("%(address)s is an operator already") % {"address": user.email})
    with transaction.atomic():
        acts.note(operator, "appoint", f"account {user.pk}", because)
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    told = _("%(address)s is an operator now, and opens /operator/ with a second factor (/account/2fa/).")
    return told % {"address": user.email}


def dismiss(user: User, because: str, operator: User | None = None) -> str:
    """Let somebody be an operator no more."""
    if operator is not None and user.pk == operator.pk:
        raise CommandError(_("you cannot dismiss yourself: ask another operator"))
    if not user.is_staff:
        raise CommandError(_("%(address)s is no operator") % {"address": user.email})
    with transaction.atomic():
        acts.note(operator, "dismiss", f"account {user.pk}", because)
        user.is_staff = user.is_superuser = False
        user.save(update_fields=["is_staff", "is_superuser"])
    return _("%(address)s is no operator any more.") % {"address": user.email}


def lift_limits(user: User, because: str, operator: User | None = None) -> str:
    """Forget what counts for somebody's limits of a day, as for a teacher who starts ten games."""
    with transaction.atomic():
        acts.note(operator, "lift limits", f"account {user.pk}", because)
        count = limits.lift(user)
    told = ngettext(
        "%(count)s deed of %(address)s does not count any more.",
        "%(count)s deeds of %(address)s do not count any more.",
        count,
    )
    return told % {"count": count, "address": user.email}


def close_account(user: User, because: str, nameless: bool, operator: User | None = None) -> str:
    """Close an account for its owner, who has asked for it and cannot log in: out of all games, then erased."""
    if operator is not None and user.pk == operator.pk:
        raise CommandError(_("close your own account in your settings"))
    address = user.email
    acts.note(operator, "close account", f"account {user.pk}", because)
    try:
        held = closing.close(user, nameless=nameless)
    except (Busy, JournalError) as error:
        raise CommandError(_("a game of %(address)s was busy: try again in a moment") % {"address": address}) from error
    told = _("The account of %(address)s is closed, and a mail tells its owner.") % {"address": address}
    if not held:
        return told
    games = ", ".join(seat.game.title for seat in held)
    stays = _("The rules did not let go of the player in %(games)s: it stays there, and is nobody's.")
    return f"{told} {stays % {'games': games}}"


# ---- games


def stop(game: Game, because: str, operator: User | None = None) -> str:
    """Stop a game: nothing happens in it until it is let go on. All of it stays readable."""
    return operated(game, "stop", because, operator, gettext_noop("%(game)s is stopped."))


def resume(game: Game, because: str, operator: User | None = None) -> str:
    """Let a game go on that was stopped, and was not written to a file since that moves."""
    must_not_have_moved(game)
    return operated(game, "resume", because, operator, gettext_noop("%(game)s goes on."))


def operated(game: Game, do: str, because: str, operator: User | None, say: str) -> str:
    """Stop a game or let it go on, in the operator's name; raises CommandError with the reason if that cannot be."""
    because = " ".join(because.split())
    if not because:
        raise CommandError(_("say why: the reason is kept in the operators' log"))
    outcome = domain.operate(game, do, because if do == "stop" else "")
    if not outcome.ok:
        raise CommandError(queries.refusal_of(outcome)["reason"])
    acts.note(operator, do, f"game {game.slug}", because)
    return _(say) % {"game": game.title}


def must_not_have_moved(game: Game) -> None:
    """Raises CommandError where a stopped game was written to a file that moves: it may go on elsewhere by now."""
    last = OperatorAct.objects.filter(about=f"game {game.slug}", what__in=(MOVED, "stop", "resume")).first()
    if last is not None and last.what == MOVED:
        told = _(
            "%(game)s was exported to move to another site. If it goes on in both places, both throw their dice "
            "with the same secrets. If no site has imported it, delete that file, and say: "
            "nomopoly resume %(game)s --not-moved"
        )
        raise CommandError(told % {"game": game.slug})


def give_office(game: Game, address: str, because: str, operator: User | None = None) -> str:
    """Let another person take over as the Admin of a game."""
    user = account(address)
    if not because.strip():
        raise CommandError(_("say why: the reason is kept in the operators' log"))
    if not user.is_active:
        raise CommandError(_("%(address)s is blocked") % {"address": user.email})
    if roster.takes_part(game, user):
        raise CommandError(
            _("%(address)s plays in it, or has asked to, and the Admin does not play: name somebody else")
            % {"address": user.email}
        )
    outcome = domain.hand_over(game, user, "The operator of the site has given the office of Admin to another person.")
    if not outcome.ok:
        raise CommandError(queries.refusal_of(outcome)["reason"])
    acts.note(operator, "give office", f"game {game.slug}", because)
    return _("%(address)s is the Admin of %(game)s now.") % {"address": user.email, "game": game.title}


def free_seat(game: Game, player: str, because: str, operator: User | None = None) -> str:
    """Take a seat from an account that cannot be opened any more, so that whoever is given its link plays on there."""
    seat = seats.of_people(game).filter(player__iexact=player.strip()).first()
    if seat is None:
        known = ", ".join(seats.of_people(game).values_list("player", flat=True)) or _("nobody")
        raise CommandError(
            _("nobody plays as %(player)s in %(game)s; players who are no bots: %(players)s")
            % {"player": player.strip(), "game": game.title, "players": known}
        )
    with transaction.atomic():
        acts.note(operator, "free seat", f"game {game.slug}", f"{seat.player}: {because}" if because.strip() else "")
        seats.let_go(seat, because)
    told = _(
        "The seat of %(player)s in %(game)s is free. Anybody who opens this link and logs in plays on there: %(link)s"
    )
    return told % {
        "player": seat.player,
        "game": game.title,
        "link": settings.NOMOPOLY_ADDRESS + seats.link(game, seat),
    }


def delete(game: Game, because: str, operator: User | None = None) -> str:
    """Delete a game with all that was done and said in it, as a school may have to; who plays in it and its Admin are
    told by mail. It is over, or an operator has stopped it: nobody loses a game while they play."""
    if not game.over and not live.of(game).ask(lambda running: running.stopped()):
        told = _("%(game)s is being played: stop it first: nomopoly operator close %(game)s")
        raise CommandError(told % {"game": game.slug})
    people = [each.user for each in seats.of_people(game).select_related("user") if each.user is not None]
    people += [game.admin] if game.admin is not None and game.admin not in people else []
    with transaction.atomic():
        acts.note(operator, "delete", f"game {game.slug}", because)
        for user in people:
            with languages.of(user):
                subject = _("Nomopoly: the game %(game)s is deleted") % {"game": game.title}
                text = _(
                    "The operator of this site has deleted the game %(game)s, with all that was done and said in it: "
                    "%(because)s"
                ) % {"game": game.title, "because": " ".join(because.split())}
            office.put(user.email, subject, f"{text}\n", user=user)
        number = game.pk
        game.delete()
    live.forget(number)
    witness.forget(number)
    return _("%(game)s is deleted. Backups and exported files still have it.") % {"game": game.title}


def faults(game: Game | None = None) -> QuerySet[Fault]:
    """The faults that nobody has settled, newest first; of one game or of all."""
    found = Fault.objects.filter(settled=None).select_related("game").order_by("-created")
    return found if game is None else found.filter(game=game)


def storage(game: Game) -> dict[Any, Any]:
    """What a game takes in the database: {what: number}, sizes in bytes of text."""
    entries = game.entries.aggregate(entries=Count("pk"), bytes=Sum(Length("line")))
    snapshots = Snapshot.objects.filter(game=game)
    return {
        _("entries"): entries["entries"],
        _("bytes of entries"): entries["bytes"],
        _("bytes of snapshots"): sum(len(bytes(each)) for each in snapshots.values_list("blob", flat=True)),
        _("posts"): Comment.objects.filter(game=game).count(),
    }


# ---- reports, post, limits, the site


def settle(complaint: Complaint, answer: str, operator: User | None = None) -> str:
    """Answer a report that came to the operators. The answer is the reason in the log."""
    if complaint.settled is not None:
        raise CommandError(_("this report is answered already"))
    acts.note(operator, "answer report", f"report {complaint.pk}", answer)
    complaints.settle(complaint, answer)
    return _("Answered. Who has reported it is told by mail.")


def open_reports() -> list[Any]:
    """The reports that wait for an operator, oldest first."""
    return list(complaints.for_operators())


def report(number: int) -> Complaint:
    """An open report by its number. Raises CommandError."""
    found = Complaint.objects.filter(pk=number, for_operator=True, settled=None).first()
    if found is None:
        raise CommandError(_("no open report has the number %(number)s") % {"number": number})
    return found


def send_again(letter: Letter, because: str, operator: User | None = None) -> str:
    """Try a letter again now, also one that was given up."""
    if letter.sent is not None:
        raise CommandError(_("this letter is sent already"))
    with transaction.atomic():
        acts.note(operator, "send again", f"letter {letter.pk}", because)
        Letter.objects.filter(pk=letter.pk, sent=None).update(next_try=timezone.now(), tries=0, problem="")
        transaction.on_commit(office.wake)
    return _("It is tried again now.")


def give_up(letter: Letter, because: str, operator: User | None = None) -> str:
    """Do not try a letter any more."""
    if letter.sent is not None:
        raise CommandError(_("this letter is sent already"))
    with transaction.atomic():
        acts.note(operator, "give up", f"letter {letter.pk}", because)
        office.done(letter, f"Given up by an operator: {because}")
    return _("It is not tried any more.")


def letter(number: int) -> Letter:
    """A letter by its number. Raises CommandError."""
    found = Letter.objects.filter(pk=number).first()
    if found is None:
        raise CommandError(_("no mail has the number %(number)s") % {"number": number})
    return found


def waiting_letters() -> QuerySet[Letter]:
    """The letters that are not sent, oldest first."""
    return Letter.objects.filter(sent=None).order_by("pk")


def at_limits(most: int = 50) -> list[tuple[Any, str, Any, int]]:
    """Who has done most of what is limited in the last day: [(user, what, how often, the limit of a day or an
    hour)]."""
    since = timezone.now() - limits.DAY
    rows = Deed.objects.filter(at__gt=since).values("user", "what").annotate(done=Sum("count")).order_by("-done")[:most]
    users = get_user_model().objects.in_bulk([row["user"] for row in rows])
    found = []
    for row in rows:
        table = limits.LIMITS.get(row["what"])
        if table is not None and row["user"] in users:
            found.append((users[row["user"]], row["what"], row["done"], table[-1][0]))
    return found


def state() -> dict[Any, Any]:
    """How the site is, in numbers: {what: number or None}."""
    users = get_user_model().objects
    return health.state() | {
        "games": Game.objects.count(),
        "games_running": Game.objects.filter(over=False).count(),
        "games_without_admin": without_admin().count(),
        "accounts": users.filter(is_active=True).count(),
        "accounts_blocked": users.filter(is_active=False).count(),
        "faults_open": faults().count(),
        "reports_open": complaints.for_operators().count(),
    }


def workers() -> Any:
    """The processes that serve the site, where several do, as they say by themselves; each with `games`, whose home it
    is."""
    return Process.objects.annotate(games=Count("homes")).order_by("address")


def without_admin() -> QuerySet[Game]:
    """Running games that a person should govern, and none does."""
    return Game.objects.filter(over=False, admin=None, office=Game.Office.PERSON)


def log(most: int = 100) -> list[Any]:
    """The newest acts of operators."""
    return list(OperatorAct.objects.all()[:most])

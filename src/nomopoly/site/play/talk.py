"""Talk about proposals and log entries and in the forum, under the game's own names. Nothing written here changes the
game."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from nomopoly.site import limits
from nomopoly.site.order import complaints, conduct
from nomopoly.site.play import mending
from nomopoly.site.play.models import Comment, Forum, Mute, Report, Thread
from nomopoly.site.tables import sent
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.tables.models import Game


LONGEST = 10_000
QUIETLY = datetime.timedelta(minutes=15)  # so long a change of one's own words leaves no mark
ADMIN = "The Admin"
INTRODUCTIONS = "Introductions"


def about(seat: Seat, subject: str) -> list[Any]:
    """The posts about a subject that this reader may see, oldest first."""
    return [shown(seat, each) for each in everything(seat).filter(about=subject)]


def everything(seat: Seat) -> QuerySet[Comment]:
    """All comments of the game that this reader may read, oldest first."""
    found = Comment.objects.filter(game=seat.game).order_by("written", "pk")
    if may_read(seat):
        return found
    return found.filter(about__in=[f"thread-{thread.number}" for thread in threads(seat)])


def comment(seat: Seat, pk: int) -> Comment:
    """A comment of this game, also one that is hidden. Raises Http404."""
    row = everything(seat).filter(pk=pk).first()
    if row is None:
        raise Http404(_("Nothing like that is said here."))
    return row


def threads(seat: Seat) -> QuerySet[Thread]:
    """The threads of the forum that this reader may read, newest first: of a closed forum an applicant's introductions
    alone."""
    found = Thread.objects.filter(game=seat.game)
    if may_read(seat):
        return found
    return found.filter(introductions=True) if applicant(seat) is not None else found.none()


def thread(seat: Seat, number: int) -> Thread:
    """A thread of the forum by its number. Raises Http404, and PermissionDenied where the forum is closed to this
    reader."""
    row = threads(seat).filter(number=number).first()
    if row is None and not may_read(seat):
        raise seat.outsider("read its forum")
    if row is None:
        raise Http404(_("There is no thread %(number)s in the forum of this game.") % {"number": number})
    return row


def title_of(seat: Seat, thread: Thread) -> str:
    """The title of a thread, which is hidden as long as the post that it began with is."""
    if "hidden titles" not in seat.cache:
        first: dict[str, bool] = {}
        for about, hidden in everything(seat).filter(about__startswith="thread-").values_list("about", "hidden"):
            first.setdefault(about, hidden)
        seat.cache["hidden titles"] = {about for about, hidden in first.items() if hidden}
    hides = f"thread-{thread.number}" in seat.cache["hidden titles"] and not thread.introductions
    return _("Title hidden by the Admin") if hides else thread.title


def about_entries(seat: Seat) -> list[Any]:
    """The posts about entries of the log, oldest first."""
    return list(everything(seat).filter(about__startswith="entry-", deleted=False, hidden=False))


def shown(seat: Seat, comment: Comment) -> Comment:
    """A comment with what this reader may do about it; `gone` stands in the place of words that are not shown."""
    mine = comment.user_id is not None and comment.user_id == seat.request.user.pk
    comment.mine = mine and may_speak(seat)
    comment.gone = ""
    if comment.deleted:
        comment.gone = _("Deleted by its author.")
    elif comment.hidden:
        comment.gone = (
            _("Hidden by the Admin: %(because)s.") % {"because": comment.because}
            if comment.because
            else _("Hidden by the Admin.")
        )
    elif not mine and comment.name in muted(seat):
        comment.gone = _("You have muted %(name)s.") % {"name": comment.name}
    comment.mended = None
    if not comment.gone and (row := mended(seat).get(f"post-{comment.pk}")) is not None:
        comment.mended = mending.told(row, mending.words_of(mending.post(comment)))
    comment.reported = seat.role == "admin" and comment.reports.filter(settled=False).exists()
    return comment


def mended(seat: Seat) -> Any:
    """The posts of the game whose typos the Admin has mended, as `mending.of_posts` has them."""
    if "mended posts" not in seat.cache:
        seat.cache["mended posts"] = mending.of_posts(seat.game)
    return seat.cache["mended posts"]


def readable(seat: Seat, pk: int) -> Comment:
    """A comment of this game that is neither deleted nor hidden. Raises Http404."""
    found = comment(seat, pk)
    if found.deleted or found.hidden:
        raise Http404(_("Nothing like that is said here."))
    return found


def muted(seat: Seat) -> Any:
    """The names whose words this reader does not want to see."""
    if not seat.request.user.is_authenticated:
        return frozenset()
    if "muted" not in seat.cache:
        found = Mute.objects.filter(game=seat.game, user=seat.request.user)
        seat.cache["muted"] = frozenset(found.values_list("name", flat=True))
    return seat.cache["muted"]


def readers(game: Game) -> Forum.Readers:
    """Who may read what is said in a game: a member of Forum.Readers."""
    kept = Forum.objects.filter(game=game).values_list("readers", flat=True).first()
    return Forum.Readers(kept or Forum.Readers.ALL)


def let_read(game: Game, wanted: str) -> None:
    """Set who may read what is said in a game (`wanted`: a value of Forum.Readers)."""
    Forum.objects.update_or_create(game=game, defaults={"readers": wanted})


def may_read(seat: Seat) -> bool:
    """Whether this reader may read all talk of the game."""
    if may_speak(seat):
        return True
    if "talk is open" not in seat.cache:
        seat.cache["talk is open"] = readers(seat.game) == Forum.Readers.ALL
    return seat.cache["talk is open"]


def who_reads(game: Game) -> str:
    """Who reads what one says in a game, in a sentence."""
    if readers(game) == Forum.Readers.ALL:
        return _("Everybody who can read the game can read it.")
    return _("Only the players of this game and its Admin can read it.")


def may_speak(seat: Seat) -> bool:
    """Players and the Admin speak, in a pause and after the end too."""
    return seat.role in ("player", "admin")


def may_write_in(seat: Seat, thread: Thread) -> Any:
    """Who speaks, and in the thread for introductions also who has asked to join."""
    return may_speak(seat) or (thread.introductions and applicant(seat) is not None)


def applicant(seat: Seat) -> Membership | None:
    """The wish to join of a reader who is not in the game yet, though it may be granted; None if there is none."""
    if seat.role != "visitor" or not seat.request.user.is_authenticated:
        return None
    status = Membership.Status
    asked = Membership.objects.filter(
        game=seat.game, user=seat.request.user, status__in=(status.ASKED, status.APPROVED)
    )
    return asked.first()


def name_of(seat: Seat) -> str:
    """Under which name somebody writes here."""
    if seat.role == "admin":
        return ADMIN
    asked = applicant(seat)
    return asked.player if asked is not None else seat.player


def problem_of(body: str) -> str | None:
    """Why these words cannot be kept, or None."""
    if not body:
        return _("Write something first.")
    if len(body) > LONGEST:
        return _("That is too long: %(many)s characters, at most %(longest)s.") % {
            "many": f"{len(body):,}",
            "longest": f"{LONGEST:,}",
        }
    return None


def tidy(body: str) -> str:
    """A text as it is kept: with plain line ends, nothing around it."""
    return body.replace("\r\n", "\n").replace("\x00", "").strip()


def say(seat: Seat, subject: str, body: str, allowed: bool | None = None) -> str | None:
    """Keep a comment. Returns why not, or None."""
    if not (may_speak(seat) if allowed is None else allowed):
        raise seat.outsider("comment")
    body = tidy(body)
    problem = conduct.silence_of(seat) or problem_of(body) or limits.refusal(seat.user, "post")
    if problem is None:
        with sent.in_one():
            limits.note(seat.user, "post")
            Comment.objects.create(game=seat.game, about=subject, user=seat.user, name=name_of(seat), body=body)
    return problem


def own(seat: Seat, pk: int) -> Comment:
    """A comment of the reader's own that can still be changed. Raises PermissionDenied."""
    found = Comment.objects.filter(game=seat.game, pk=pk, user=seat.user, deleted=False, hidden=False).first()
    if found is None or not may_speak(seat):
        raise PermissionDenied(_("Only its author can change what is written here."))
    return found


def edit(seat: Seat, comment: Comment, body: str) -> str | None:
    """Change a post; a change after a quarter of an hour is marked. Returns why it is refused, or None."""
    body = tidy(body)
    problem = conduct.silence_of(seat) or problem_of(body)
    if problem is None and body != comment.body:
        if timezone.now() - comment.written > QUIETLY:
            comment.edited = timezone.now()
        comment.body = body
        comment.save()
        mending.forget(comment)
    return problem


def delete(comment: Comment) -> None:
    """Take away what a comment says; that it was there stays."""
    comment.deleted, comment.body = True, ""
    comment.save()
    mending.forget(comment)


def hide(seat: Seat, pk: int, because: str) -> None:
    """The Admin takes words away from everybody's sight, with a reason that all can read; the log says so, without the
    words."""
    seat.need_admin()
    said = Comment.objects.filter(game=seat.game, pk=pk, hidden=False).first()
    Comment.objects.filter(game=seat.game, pk=pk).update(hidden=True, because=because.strip()[:500])
    Report.objects.filter(comment__game=seat.game, comment=pk).update(settled=True)
    if said is not None:
        conduct.hidden(seat.game, said.name, because)


def unhide(seat: Seat, pk: int) -> None:
    """Show a hidden comment again; for the Admin."""
    seat.need_admin()
    Comment.objects.filter(game=seat.game, pk=pk).update(hidden=False, because="")


def report(seat: Seat, pk: int, because: str) -> None:
    """Report a post to the Admin, or to the operator if the Admin wrote it or the game has none."""
    comment = Comment.objects.filter(game=seat.game, pk=pk).first()
    if comment is not None and may_speak(seat) and complaints.to_operator(seat.game, "post", str(pk)):
        complaints.make(seat, "post", str(pk), because or _("No reason was given."))
    elif comment is not None and may_speak(seat):
        Report.objects.get_or_create(comment=comment, user=seat.user, defaults={"because": because.strip()[:500]})


def settle(seat: Seat, pk: int) -> None:
    """The Admin has looked at what was reported, and leaves it."""
    seat.need_admin()
    Report.objects.filter(comment__game=seat.game, comment=pk).update(settled=True)


def mute(seat: Seat, name: str, silent: bool) -> None:
    """Do not show somebody's words to this reader any more, or show them again."""
    if silent:
        Mute.objects.get_or_create(game=seat.game, user=seat.user, name=name[:40])
    else:
        Mute.objects.filter(game=seat.game, user=seat.user, name=name).delete()


# ---- the forum


def open_thread(
    seat: Seat, title: str, body: str, announcement: bool = False
) -> tuple[None, str] | tuple[Thread, None]:
    """Begin a thread. Returns (the thread or None, why not)."""
    if not may_speak(seat):
        raise seat.outsider("write in the forum")
    title, body = " ".join(title.split()).replace("\x00", ""), tidy(body)
    problem = conduct.silence_of(seat) or (_("A thread needs a title.") if not title else problem_of(body))
    if problem is None and len(title) > 200:
        problem = _("The title is too long: at most 200 characters.")
    announcement = announcement and seat.role == "admin"
    problem = problem or limits.refusal(seat.user, "post")
    if announcement:
        problem = problem or limits.refusal(seat.user, "announcement")
    if problem is not None:
        return None, problem
    with sent.in_one():
        thread = number_thread(seat, title=title, name=name_of(seat), user=seat.request.user, announcement=announcement)
        say(seat, f"thread-{thread.number}", body)
    if announcement:
        limits.note(seat.user, "announcement")
    return thread, None


def number_thread(seat: Seat, **fields: object) -> Thread:
    """A new thread with the next number of its game."""
    while True:
        last = Thread.objects.filter(game=seat.game).aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return Thread.objects.create(game=seat.game, number=last + 1, **fields)
        except IntegrityError:  # somebody else was faster
            continue


def introductions(seat: Seat) -> Thread:
    """The one thread in which applicants may write too; it comes into being with the first words."""
    found = Thread.objects.filter(game=seat.game, introductions=True).first()
    return found or number_thread(seat, title=INTRODUCTIONS, name=ADMIN, introductions=True)


def exploit_title(seat: Seat, title: str) -> Any:
    """What a title means where the rules make an order of posts with such a title: (action's id, the name, beginning).

    The name is "" for a near miss; None if the title is like any other.
    """
    for beginning, action in seat.live.describe()["posts"].items():
        exact = re.fullmatch(rf"\s*{re.escape(beginning)}:\s*(\S.*?)\s*", title, re.I)
        if exact:
            return action, exact[1], beginning
        if re.match(rf"\W*{re.escape(beginning)}\b".replace("\\ ", r"\W*"), title, re.I):
            return action, "", beginning
    return None

"""Reports of names, proposals and posts go to the Admin of a game. Those about the Admin, or without an Admin, go to
the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from nomopoly.site import limits
from nomopoly.site.order.models import Complaint
from nomopoly.site.play.models import Comment
from nomopoly.site.post import languages
from nomopoly.site.tables import letters, live, sent
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


LONGEST = 1000
Sort = Complaint.Sort


def make(seat: Seat, sort: str, about: str, because: str) -> str | None:
    """Report something of a game. Returns why not, in a sentence, or None."""
    about, because = about.strip()[:100], because.replace("\x00", "").strip()
    if sort not in Sort.values:
        return _("Choose what you report.")
    if not because:
        return _("Say what is wrong with it: whoever looks at it has to know.")
    if len(because) > LONGEST:
        return _("That is too long: %(there)s characters, at most %(most)s.") % {
            "there": f"{len(because):,}",
            "most": f"{LONGEST:,}",
        }
    if not there_is(seat, sort, about):
        return _("There is nothing like that in this game: choose it again.")
    if too_many := limits.refusal(seat.user, "report"):
        return too_many
    for_operator = to_operator(seat.game, sort, about)
    about = "" if sort == Sort.ADMIN else about
    try:
        with sent.in_one():
            Complaint.objects.create(
                game=seat.game,
                user=seat.user,
                sort=sort,
                about=about,
                because=because,
                for_operator=for_operator,
            )
            limits.note(seat.user, "report")
            if for_operator:
                call_operators(seat.game)
    except IntegrityError:
        return _("You have reported this already, and nobody has answered yet.")
    return None


def there_is(seat: Seat, sort: str, about: str) -> bool:
    """Whether a game has what somebody reports, as far as they may see it."""
    if sort == Sort.ADMIN:
        return True
    thing = seat.view["things"].get(about)
    if sort == Sort.PROPOSAL:
        return thing is not None and thing["kind"] in ("proposal", "emergency")
    return bool(about)  # a name: of a player, a square, whatever can be named; or a post that is being read


def to_operator(game: Game, sort: str, about: str) -> bool:
    """Whether a report goes to the operator: one about the Admin, and any where no person is the Admin."""
    if sort == Sort.ADMIN or game.office != Game.Office.PERSON or game.admin_id is None:
        return True
    return sort == Sort.POST and Comment.objects.filter(pk=int(about), user=game.admin_id).exists()


def call_operators(game: Game) -> None:
    """Tell the operators by mail that a report waits; what it says is on their page alone."""
    for operator in get_user_model().objects.filter(is_staff=True, is_active=True):
        letters.mail(
            operator,
            lambda: "[%(game)s] " + _("Something is reported to you"),
            lambda: (
                _("Somebody has reported something of %(game)s to you as operator."),
                _("Look at it: %(address)s"),
            ),
            {"game": game.title, "address": f"{settings.NOMOPOLY_ADDRESS}/operator/"},
        )


def waiting(game: Game) -> list[Any]:
    """What the Admin of a game has not answered yet, oldest first."""
    return list(Complaint.objects.filter(game=game, for_operator=False, settled=None))


def for_operators() -> QuerySet[Complaint]:
    """What operators have not answered yet, oldest first."""
    return Complaint.objects.filter(for_operator=True, settled=None).select_related("game")


def settle(complaint: Complaint, answer: str) -> None:
    """Answer a report; who made it is told by mail what came of it. Does nothing to one that is answered already."""
    answer = answer.strip()[:500]
    with transaction.atomic():
        mine = Complaint.objects.filter(pk=complaint.pk, settled=None)
        if mine.update(settled=timezone.now(), answer=answer) and complaint.user is not None:
            with languages.of(complaint.user):
                subject = _("Your report has been looked at")
                answered = answer or _("it was looked at.")
                told = f"{complaint.in_words()}: {answered}"
            said = {
                "title": complaint.game.title,
                "subject": subject,
                "told": told,
                "link": letters.link_to(complaint.game),
            }
            letters.mail(complaint.user, lambda: "[%(title)s] %(subject)s", lambda: ("%(told)s", "%(link)s"), said)


def pass_on(game: Game) -> None:
    """Pass the open reports of a game on to the operator, as when its Admin is blocked."""
    Complaint.objects.filter(game=game, settled=None, for_operator=False).update(for_operator=True)


def shown(complaint: Complaint) -> tuple[str, str]:
    """What a report is about, as who answers it may see it: (words, path below the game or "")."""
    view = live.of(complaint.game).view("visitor")["things"]
    if complaint.sort == Sort.POST:
        said = Comment.objects.filter(game=complaint.game, pk=int(complaint.about)).first()
        return (said.body if said else _("It has been deleted."), "forum/")
    if complaint.sort == Sort.PROPOSAL:
        thing = view.get(complaint.about, {})
        return (thing.get("title") or "", f"proposals/{complaint.about.lstrip('P')}/")
    if complaint.sort == Sort.NAME and complaint.about in view and view[complaint.about]["kind"] == "player":
        return ("", f"players/{complaint.about}/")
    return ("", "")

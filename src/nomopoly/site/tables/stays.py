"""What becomes of a seat: who asked for it is let in or not, who sat there leaves it, and asks for it once more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from nomopoly.runtime.protocol import NEWCOMER, REMOVE_PLAYER
from nomopoly.site.tables import letters, live
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


Status = Membership.Status
NEAREST = (Status.APPROVED, Status.LEFT, Status.ASKED, Status.DECLINED)  # whose a name is first


def asked_again(seat: Membership) -> Membership:
    """The row of a seat whose owner asks for it once more: the names they had stay theirs, and what they left to be
    done or said for them is not done or said any more."""
    if seat.status == Status.LEFT:
        seat.earlier = [*[name for name in seat.earlier if name != seat.player], seat.player]
        seat.warned_for = seat.warned_days = None
        live.of(seat.game).also(lambda: nothing_left(seat))
    return seat


def nothing_left(seat: Membership) -> None:
    """What the owner of a seat has left to be done or said for them ends: standing answers, answers to open questions
    of the table, holidays."""
    now = live.now()
    seat.standing_answers.all().delete()
    seat.table_answers.filter(question__settled=None).delete()
    seat.holidays.filter(since__gt=now).delete()
    seat.holidays.filter(until__gt=now).update(until=now)


def wish_ends(seat: Membership, because: str = "") -> None:
    """Note that somebody is not let in. Who has played here before has still done so."""
    seat.status, seat.answered, seat.answer = Status.DECLINED, live.present(), because
    if seat.earlier:
        seat.status, seat.left, seat.player = Status.LEFT, live.present(), seat.earlier[-1]
    seat.save()


def seat_by_act(game: Game, do: str, args: Data, waits: bool = False) -> None:
    """What an act of the desk means for a seat, and the mail that tells its owner. `waits`: they come in later."""
    wanted = Status.APPROVED if do == REMOVE_PLAYER else Status.ASKED  # a name may have been another's wish
    rows = Membership.objects.filter(game=game, player=args.get("player") or "", status=wanted)
    seat = rows.select_related("user").first()
    if seat is None:
        return
    if do == "approve-player":
        seat.status, seat.answered = Status.APPROVED, live.present()
        seat.save()
        letters.mail(seat.user, *letters.welcome(game, seat.player, waits))
    elif do == "decline-player":
        wish_ends(seat, args.get("because") or "")
        letters.mail(seat.user, *letters.declined(game, seat.answer))
    elif do == REMOVE_PLAYER:
        seat_lost(seat, barred=True)
        letters.mail(seat.user, *letters.removed(game, args.get("because") or ""))


def seat_lost(membership: Membership, barred: bool = False) -> None:
    """Note that somebody has left their seat; `barred`: they may not ask for it again."""
    membership.status, membership.left = Status.LEFT, live.present()
    membership.barred = membership.barred or barred
    membership.save()


def lose_seats(game: Game, gone: dict[str, Any], player: str) -> None:
    """Note of each of these players that their seat is lost, because the rules took them out of the game. All but
    `player`, who left, get a mail with the reason."""
    for seat in Membership.objects.filter(game=game, status=Status.APPROVED, player__in=gone):
        seat_lost(seat)
        if seat.player != player:
            letters.mail(seat.user, *letters.taken_out(game, str(gone[seat.player] or "")))


def reseat(game: Game, things: Iterable[Data]) -> None:
    """After a correction: seats are what the state says, whose things are these. A name is one seat's, though others
    have asked for it and were not let in."""
    playing = {thing["id"] for thing in things if thing["kind"] == "player"}
    playing |= {thing.get("name") for thing in things if thing["kind"] == NEWCOMER}
    asking = {thing.get("name") for thing in things if thing["kind"] == "applicant"}
    for seat in sorted(Membership.objects.filter(game=game), key=lambda seat: NEAREST.index(seat.status)):
        if seat.player in playing:
            status = Status.APPROVED
        elif seat.player in asking:
            status = Status.ASKED
        elif seat.status in (Status.APPROVED, Status.ASKED):
            status = Status.LEFT
        else:
            continue
        playing.discard(seat.player)
        asking.discard(seat.player)
        if status != seat.status:
            seat.status = status
            seat.left = timezone.now() if status == Status.LEFT else None
            seat.save()

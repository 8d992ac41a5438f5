"""The table: the overview, now and as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.runtime import protocol
from nomopoly.site import formats, news
from nomopoly.site.door import seated
from nomopoly.site.play import board, dock, feed, loglines, pages, queued, squares
from nomopoly.site.play.views.squares import square_columns
from nomopoly.site.tables import live, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.tables.lines import Kept, Log


MANY_ACTIONS = 5
A_DAY = 86_400
AHEAD = 20  # entries that are computed at once for whoever watches one after the other
FEED_ROWS, LOOKED_BACK = 10, 60


@require_safe
@seated("overview")
def overview(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The table of the game: board, dock and news."""
    if "at" in request.GET:
        return as_it_was(request, seat)
    entries = seat.live.facts(seat.viewer)
    actions = first_actions(seat)
    since = pages.last_seen(seat)
    can = squares.actable(seat, actions)
    return pages.show(
        seat,
        "play/overview.html",
        told=pages.state_words(seat, entries.opened_at()),
        board=board.draw(
            seat.view,
            seat.game.address,
            name=_("The board of %(game)s") % {"game": seat.game.title},
            looks=seat.looks,
            can=can,
        ),
        news=news.number_of(entries),
        squares=board.squares_of(seat.view, can),
        columns=square_columns(seat.view),
        dock=(waiting := dock.of(seat)),
        again=seconds_to_come(seat),
        orders=queued.orders(seat) if seat.role == "player" else [],
        ways_on=None if waiting else dock.ways_on(seat),
        actions=actions[:MANY_ACTIONS],
        more_actions=max(0, len(actions) - MANY_ACTIONS),
        summary=pages.summary(seat.view),
        of_the_game=pages.of_the_game(seat.view),
        standing=pages.in_few_words(pages.standing(seat)),
        feed=feed.rows(seat, entries[-LOOKED_BACK:][::-1], FEED_ROWS, since=since),
        news_from=first_of_news(entries, since),
        coming=pages.coming(seat),
        newest=queries.newest_rules(seat.live),
    )


def first_of_news(entries: Log | Kept, since: int | None) -> Any:
    """The number of the first entry since the last visit, where there are several: what is new can be played from
    there."""
    if since is None:
        return None
    numbers = [entry["number"] for entry in entries.where(after=since)[:LOOKED_BACK] if entry["number"] is not None]
    return numbers[0] if len(numbers) > 1 else None


def seconds_to_come(seat: Seat) -> int | None:
    """In how many seconds something that this page shows comes about by itself: an open page looks again then."""
    soon = next(iter(pages.coming(seat, 1)), None)
    return max(1, soon["at"] - live.now()) if soon and soon["at"] - live.now() < A_DAY else None


def first_actions(seat: Seat) -> list[Any]:
    """What a player can do now, proposing first; leaving is at the foot of the page."""
    if seat.role != "player":
        return []
    possible = [action for action in pages.menu_of_actions(seat)[0] if action["id"] != protocol.LEAVE_GAME]
    if len(possible) > MANY_ACTIONS:  # those that one has used most
        used = seat.live.facts(seat.viewer).where(by=seat.player).counts("do")
        possible = sorted(possible, key=lambda action: -used.get(action["id"], 0))
    return sorted(possible, key=lambda action: action["id"] != "propose")


def as_it_was(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The table of the game as it was at a moment."""
    past = pages.Past(seat, request.GET["at"], AHEAD if "X-Ahead" in request.headers else 0)
    try:
        view = past.view
    except BadRequest as error:
        return pages.bad_request(seat, str(error))
    return pages.show(
        seat,
        "play/past.html",
        past=past,
        board=board.draw(
            view,
            seat.game.address,
            name=_("The board of %(game)s, as it was") % {"game": seat.game.title},
            at=f"?{urlencode({'at': past.asked})}",
            looks=board.looks_of(view, queries.pieces(seat.game), queries.ever_joined(seat.live)),
        ),
        squares=board.squares_of(view),
        columns=square_columns(view),
        then=view,
        rules_at=urlencode({"at": formats.local(past.at).isoformat()}),
        lines=loglines.lines(seat, [past.shown] if past.shown else [], quiet="each"),
    )

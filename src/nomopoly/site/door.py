"""The door of a game: who comes in, what they may see, and what every page below a game's address is drawn with.

A page below /g/<slug>/ is a function of the request and a Seat:

    @seated(here="rules")
    def rules(request, seat): return seat.page("play/rules.html", records=seat.live.records())

`seat.view` is made once from the game's `view(viewer)`, the only source of what the page shows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from nomopoly.runtime import protocol
from nomopoly.site import kept, middleware
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.play import board, tasks
from nomopoly.site.tables import deciding, domain, live, queries, titles

if TYPE_CHECKING:
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.accounts.models import User
    from nomopoly.site.play.pieces import Look
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game, Membership
    from nomopoly.site.trial.models import Trial


MENU = (
    # id, path below the game, label, icon
    ("overview", "", gettext_lazy("Play"), "board"),
    ("actions", "act/", gettext_lazy("Actions"), "act"),
    ("rules", "rules/", gettext_lazy("Rules"), "rules"),
    ("proposals", "proposals/", gettext_lazy("Proposals"), "proposals"),
    ("players", "players/", gettext_lazy("Players"), "players"),
    ("log", "log/", gettext_lazy("Log"), "log"),
    ("forum", "forum/", gettext_lazy("Talk"), "forum"),
)
TABS = ("overview", "rules", "proposals", "forum")  # in the row of tabs; the rest is under "More"
MARKET = ("market", "market/", gettext_lazy("Market"), "market")
ACCOUNTS = ("accounts", "accounts/", gettext_lazy("Accounts"), "accounts")
DESK = ("desk", "admin/", gettext_lazy("Desk"), "desk")
TABLE = ("table", "table/", gettext_lazy("Table"), "proposals")

DEEDS = (  # what pages say that only players can: the words are here for the message files
    gettext_noop("act here"),
    gettext_noop("add a program"),
    gettext_noop("answer offers"),
    gettext_noop("answer this"),
    gettext_noop("choose a piece"),
    gettext_noop("comment"),
    gettext_noop("do this"),
    gettext_noop("go on holiday"),
    gettext_noop("introduce yourself"),
    gettext_noop("keep notes here"),
    gettext_noop("leave it"),
    gettext_noop("leave standing answers"),
    gettext_noop("move an order"),
    gettext_noop("play an example"),
    gettext_noop("play futures"),
    gettext_noop("propose"),
    gettext_noop("read its forum"),
    gettext_noop("retract a proposal"),
    gettext_noop("see their offers here"),
    gettext_noop("take an order back"),
    gettext_noop("try things out"),
    gettext_noop("vote"),
    gettext_noop("write in the forum"),
)

OF_GAME = "nomopoly.game"  # in META of a request: the address of the game that it is about, and that is there for them

Page = Callable[..., HttpResponseBase]  # of a request, a Seat and the parts of its address
View = Callable[..., HttpResponseBase]  # of a request and the parts of its address, the game's among them


@dataclass
class Seat:
    """One visitor at one game. `role` is visitor, player, former or admin; `viewer` is the name given to view()."""

    request: HttpRequest
    game: Game
    role: str
    player_name: str | None
    membership: Membership | None = None
    here: str = ""
    cache: Data = field(default_factory=dict)
    invited: bool = False  # whether they have come by an invitation
    trial: Trial | None = None  # the trial copy that this is a seat at, see trial/views.py

    @property
    def viewer(self) -> str:
        """As whom they see the game: the name of a player (also of a former one), "admin" or "visitor"."""
        if self.role in ("player", "former"):
            return self.player_name or "visitor"
        return "admin" if self.role == "admin" else "visitor"

    @property
    def user(self) -> User:
        """Whose account sits here. Raises PermissionDenied where nobody is signed in."""
        return account(self.request)

    @property
    def player(self) -> str:
        """The player who sits here. Raises PermissionDenied for anybody else."""
        if self.player_name is None:
            raise self.outsider("act here")
        return self.player_name

    @property
    def place(self) -> Membership:
        """The row of their seat. Raises PermissionDenied for who never had one."""
        if self.membership is None:
            raise self.outsider("act here")
        return self.membership

    @property
    def hosts(self) -> bool:
        """Whether they may invite to this game and put bots into it: its Admin may, or where it has none, whoever
        started it."""
        user = self.request.user
        return user.is_authenticated and self.game.inviter_id == user.pk

    @property
    def live(self) -> live.Warm:
        """The game itself (nomopoly.runtime's Game behind its lock), see tables/live.py."""
        return live.of(self.game)

    @property
    def view(self) -> Data:
        """What they may see of the game now, read once for each request: see the runtime's Game."""
        if "view" not in self.cache:
            self.cache["view"] = self.live.view(self.viewer)
        return self.cache["view"]

    @property
    def has_board(self) -> bool:
        """Whether there is a board: a game of rules alone has no squares."""
        if "has_board" not in self.cache:
            self.cache["has_board"] = any(thing["kind"] == "square" for thing in self.view["things"].values())
        return bool(self.cache["has_board"])

    @property
    def names(self) -> dict[str, str]:
        """What the rows of the rules' catalogues are called, by their ids."""
        if "names" not in self.cache:
            self.cache["names"] = titles.row_names(self.titles)
        return self.cache["names"]

    @property
    def titles(self) -> dict[str, str]:
        """The same of all rows, as what is chosen from in a form is called."""
        if "titles" not in self.cache:
            self.cache["titles"] = titles.row_titles(self.live)
        return self.cache["titles"]

    @property
    def looks(self) -> dict[str, Look]:
        """How the players look, by their names."""
        if "looks" not in self.cache:
            self.cache["looks"] = board.looks_of(self.view, queries.pieces(self.game), queries.ever_joined(self.live))
        return self.cache["looks"]

    def order(self, do: str, args: Data) -> Outcome:
        """Give an order as this player."""
        return domain.order(self.game, self.player_name, do, args)

    def menu(self) -> list[Data]:
        """The entries of the game's menu for them: id, path, label, icon, `count` of what waits there, `tab`.

        `tab`: whether it stands in the bar of a small screen.
        """
        plays = self.role not in ("visitor", "former")
        entries = tuple(each for each in MENU if plays or each[0] != "actions")  # which are players'
        entries += (MARKET,) if queries.has_market(self.live, self.view) else ()
        entries += (ACCOUNTS,) if queries.accounts(self.view) else ()
        entries += (TABLE,) if self.game.office == "table" and not self.trial else ()
        entries += (DESK,) if self.role == "admin" else ()
        counts = {"desk": queries.task_count(self)} if self.role == "admin" else {}
        if self.game.office == "table" and self.role == "player" and not self.trial:
            counts["table"] = len(deciding.asked_of(self.place))
        counts |= {"proposals": queries.votes_missing(self.view, self.player)} if self.role == "player" else {}
        return [
            {"id": name, "path": path, "label": label, "icon": icon, "count": counts.get(name, 0), "tab": name in TABS}
            for name, path, label, icon in entries
        ]

    def stopped_at(self) -> int | None:
        """Since when the operator of the site has stopped the game (seconds since 1970); None where they have not."""
        at = self.live.value(protocol.OPERATOR_STOP_AT, "game")
        return at if type(at) is int else None

    def waiting_count(self) -> int:
        """How many things of this game wait for who sits here."""
        return len(tasks.waiting(self))

    def page(self, template: str, *, status: int = 200, **context: object) -> HttpResponse:
        """Draw a page of the game, with everything game_base.html wants."""
        menu = self.menu()
        standard = {
            "game": self.game,
            "view": self.view,
            "role": self.role,
            "player_name": self.player_name,
            "seat": self,
            "here": self.here,
            "menu": menu,
            "here_is_tab": self.here in TABS,
            "more_count": sum(item["count"] for item in menu if not item["tab"]),
            "applied": self.membership is not None and self.membership.status == "asked" and not self.game.over,
            "barred": self.membership is not None and self.membership.barred,
            "comes_in": self.role == "visitor" and self.membership is not None and self.membership.status == "approved",
            "fault": queries.last_fault(self),
            "waiting_count": SimpleLazyObject(self.waiting_count),
        }
        response = render(self.request, template, standard | context, status=status)
        response["Cache-Control"] = "private, no-store"
        return response

    def need_player(self, what: str) -> None:
        """Only players of this game can <what>; others get a 403 that says so."""
        if self.role != "player":
            raise self.outsider(what)

    def outsider(self, what: str) -> PermissionDenied:
        """The 403 for somebody who would <what> and is no player: it says what they can do, or what they wait for."""
        only = _("Only players of this game can %(what)s.") % {"what": _(what)}
        if self.role == "admin":
            more = _("You are its Admin: what you can do is at the desk.")
            return PermissionDenied(f"{only} {more}")
        more = _("Ask to join.")
        if self.view["things"].get("game", {}).get("over"):
            more = _("The game is over.")
        elif self.membership is not None and self.membership.barred:
            more = _("The Admin has removed you from this game.")
        elif self.membership is not None and self.membership.status == "asked":
            more = _("You have asked to join; %(who)s has not answered yet.") % {"who": self.game.decider}
            if self.game.is_vacant:
                more = _("Nobody is the Admin of this game now: your wish waits until somebody is.")
        elif self.role == "visitor" and self.membership is not None and self.membership.status == "approved":
            more = _("You are approved as %(name)s, and will be in the game from its next week on.")
            more %= {"name": self.membership.player}
        return PermissionDenied(f"{only} {more}")

    def need_host(self) -> None:
        """Raise PermissionDenied unless they host this game."""
        if not self.hosts:
            raise PermissionDenied(
                _(
                    "Only the Admin of this game can do that. Where nobody is Admin, whoever started the game can, or"
                    " if they have gone, whoever has played longest."
                )
            )

    def need_admin(self) -> None:
        """Raise PermissionDenied unless they are the game's Admin."""
        if self.role != "admin":
            raise PermissionDenied(_("Only the Admin of this game can open the desk."))


def sit(request: HttpRequest, slug: str, here: str = "", present: bool = True, game: Game | None = None) -> Seat:
    """The seat this request takes at a game; 404 when the game is not there for them. `game`: its row, where it is read
    already."""
    game = game or queries.game(slug)
    if game is None:
        raise Http404(_("There is no such game."))
    membership = queries.membership(game, request.user)
    if game.admin_id is not None and game.admin_id == request.user.pk:
        role, name = "admin", None
    elif membership is not None and membership.status == "approved":
        role, name = "player", membership.player
    elif membership is not None and membership.status == "left":
        role, name = "former", membership.player
    else:
        role, name = "visitor", None
    opened = request.session.get("invited", [])  # the words of links: a link that is renewed opens nothing any more
    if game.invitation not in opened and request.GET.get("invitation") == game.invitation:
        opened = request.session["invited"] = [*opened, game.invitation]
    invited = game.invitation in opened
    unknown = role == "visitor" and (membership is None or membership.status == "declined")
    if game.visibility == "private" and unknown and not invited:
        raise Http404(_("There is no such game."))
    own = request.user.is_authenticated and game.inviter_id == request.user.pk
    seat = anew(Seat(request, game, role, name, membership, here, invited=own or invited))
    if present and seat.role == "player" and domain.is_here(game, name):
        seat.cache.clear()
    return seat


def anew(seat: Seat) -> Seat:
    """The same seat, for what is in its game by now."""
    if (
        seat.role == "player" and seat.player_name not in seat.live.things()
    ):  # approved, and not in the game yet, or no more
        return replace(seat, role="visitor", player_name=None, cache={})
    return replace(seat, cache={})


def seated(here: str = "", signed_in: bool = False, present: bool = True) -> Callable[[Page], View]:
    """Make a page of a game out of `page(request, seat, ...)`; with `signed_in`, one logs in first and comes back.

    Whoever was at something, and is not logged in any more, does so too: what they typed is kept. The script that keeps
    an open page up to date (`X-Live`) is nobody's visit, nor is a page that says `present=False`.
    """

    def wrap(page: Page) -> View:
        @functools.wraps(page)
        def inner(request: HttpRequest, slug: str, **parts: object) -> HttpResponseBase:
            stranger = not request.user.is_authenticated
            try:
                seat = sit(request, slug, here, present=present and "X-Live" not in request.headers)
            except Http404:
                if (
                    stranger and request.method == "POST"
                ):  # to a game that may be private: the log-in tells nothing of it
                    return redirect(kept.log_in_address(request))
                raise
            request.META[OF_GAME] = seat.game.address
            if signed_in and stranger:
                return redirect(kept.log_in_address(request))
            middleware.in_zone_of(request, seat.game.time_zone)
            try:
                return page(request, seat, **parts)
            except PermissionDenied:
                if stranger and kept.was_here(request):
                    return redirect(kept.log_in_address(request))
                raise

        return inner

    return wrap

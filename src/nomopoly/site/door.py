"""The door of a game: who comes in, what they may see, and what every page below a game's address is drawn with.

A page below /g/<slug>/ is a function of the request and a Seat:

    @seated(here="rules")
    def rules(request, seat): return seat.page("play/rules.html", records=seat.live.records())

`seat.view` is made once from the game's `view(viewer)`, the only source of what the page shows.
"""

import functools
from dataclasses import dataclass, field

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import render

from nomopoly.site.tables import domain, live, queries

MENU = (
    # id, path below the game, label, icon
    ("overview", "", "Overview", "board"),
    ("actions", "act/", "Actions", "act"),
    ("rules", "rules/", "Rules", "rules"),
    ("proposals", "proposals/", "Proposals", "proposals"),
    ("players", "players/", "Players", "players"),
    ("log", "log/", "Log", "log"),
    ("forum", "forum/", "Forum", "forum"),
)
MARKET = ("market", "market/", "Market", "market")
ACCOUNTS = ("accounts", "accounts/", "Accounts", "accounts")
DESK = ("desk", "admin/", "Desk", "desk")


@dataclass
class Seat:
    """One visitor at one game. `role` is visitor, player, former or admin; `viewer` is the name given to view()."""

    request: object
    game: object
    role: str
    player_name: str | None
    membership: object = None
    here: str = ""
    cache: dict = field(default_factory=dict)
    trial: object = None  # the trial copy that this is a seat at, see trial/views.py

    @property
    def viewer(self):
        return {"admin": "admin", "player": self.player_name, "former": self.player_name}.get(self.role, "visitor")

    @property
    def live(self):
        """The game itself (nomopoly.runtime's Game behind its lock), see tables/live.py."""
        return live.of(self.game)

    @property
    def view(self):
        if "view" not in self.cache:
            self.cache["view"] = self.live.view(self.viewer)
        return self.cache["view"]

    @property
    def names(self):
        """What the rows of the rules' catalogues are called, by their ids."""
        if "names" not in self.cache:
            self.cache["names"] = queries.row_names(self.live.records())
        return self.cache["names"]

    @property
    def titles(self):
        """The same of all rows, as what is chosen from in a form is called."""
        if "titles" not in self.cache:
            self.cache["titles"] = queries.row_titles(self.live.records())
        return self.cache["titles"]

    def order(self, do, args):
        """Give an order as this player."""
        return domain.order(self.game, self.player_name, do, args)

    def menu(self):
        entries = MENU + ((MARKET,) if queries.has_market(self.live, self.view) else ())
        entries += (ACCOUNTS,) if queries.accounts(self.view) else ()
        entries += (DESK,) if self.role == "admin" else ()
        tasks = queries.task_count(self) if self.role == "admin" else 0
        return [
            {"id": name, "path": path, "label": label, "icon": icon, "count": tasks if name == "desk" else 0}
            for name, path, label, icon in entries
        ]

    def page(self, template, *, status=200, **context):
        """Draw a page of the game, with everything game_base.html wants."""
        standard = {
            "game": self.game,
            "view": self.view,
            "role": self.role,
            "player_name": self.player_name,
            "seat": self,
            "here": self.here,
            "menu": self.menu(),
            "applied": self.membership is not None and self.membership.status == "asked",
            "comes_in": self.role == "visitor" and self.membership is not None and self.membership.status == "approved",
            "fault": queries.last_fault(self),
        }
        response = render(self.request, template, standard | context, status=status)
        response["Cache-Control"] = "private, no-store"
        return response

    def need_player(self, what):
        """Only players of this game can <what>; others get a 403 that says so."""
        if self.role != "player":
            raise self.outsider(what)

    def outsider(self, what):
        """The 403 for somebody who would <what> and is no player: it says what they can do, or what they wait for."""
        more = "Ask to join."
        if self.view["things"].get("game", {}).get("over"):
            more = "The game is over."
        elif self.membership is not None and self.membership.status == "asked":
            more = "You have asked to join; the Admin has not answered yet."
        elif self.role == "visitor" and self.membership is not None and self.membership.status == "approved":
            more = f"You are approved as {self.membership.player}, and will be in the game from its next week on."
        return PermissionDenied(f"Only players of this game can {what}. {more}")

    def need_admin(self):
        if self.role != "admin":
            raise PermissionDenied("Only the Admin of this game can open the desk.")


def sit(request, slug, here="", present=True):
    """The seat this request takes at a game; 404 when the game is not there for them."""
    game = queries.game(slug)
    if game is None:
        raise Http404("There is no such game.")
    membership = queries.membership(game, request.user)
    if game.admin_id is not None and game.admin_id == request.user.pk:
        role, name = "admin", None
    elif membership is not None and membership.status == "approved":
        role, name = "player", membership.player
    elif membership is not None and membership.status == "left":
        role, name = "former", membership.player
    else:
        role, name = "visitor", None
    invited = request.session.get("invited", [])
    if game.visibility == "private" and request.GET.get("invitation") == game.invitation:
        invited = request.session["invited"] = [*invited, game.slug]
    unknown = role == "visitor" and (membership is None or membership.status == "declined")
    if game.visibility == "private" and unknown and game.slug not in invited:
        raise Http404("There is no such game.")
    seat = Seat(request, game, role, name, membership, here)
    if role == "player" and name not in seat.view["things"]:  # approved, and not in the game yet
        seat = Seat(request, game, "visitor", None, membership, here)
    if present and seat.role == "player" and domain.is_here(game, name, seat.view):
        seat.cache.clear()
    return seat


def seated(here="", signed_in=False):
    """Make a page of a game out of `page(request, seat, ...)`; with `signed_in`, one logs in first and comes back."""

    def wrap(page):
        @functools.wraps(page)
        def inner(request, slug, **parts):
            seat = sit(request, slug, here)
            if signed_in and not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), "/account/login/")
            return page(request, seat, **parts)

        return inner

    return wrap

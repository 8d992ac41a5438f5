"""The operator's console at /operator/: Django's admin behind a second factor. It shows rows and changes none of them
by itself; what is done goes through operating.py, with a reason. What mails and posts say is not shown here, nor what a
game hides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView

from nomopoly.errors import CommandError
from nomopoly.runtime import protocol
from nomopoly.site import formats, limits
from nomopoly.site.order import complaints, factor, measuring, operating
from nomopoly.site.order.models import ACTS, Complaint, OperatorAct
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import live
from nomopoly.site.tables.models import Fault, Game
from nomopoly.site.watch import memory

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Membership


def readings() -> list[tuple[str, Any]]:
    """The state of the site for a page: [(what it is, in words, number or None)]."""
    told = operating.state()
    return [(_(what), told[key]) for key, what in measuring.READINGS.values()]


class Console(admin.AdminSite):
    """The operator's console."""

    site_title = "Nomopoly"
    site_header = gettext_lazy("Nomopoly: the operator's console")
    index_title = gettext_lazy("The site")
    site_url = "/"
    index_template = "operator/index.html"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this is an operator who has shown their second factor of late."""
        return factor.open_to(request)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: Data | None = None) -> HttpResponse:
        """To wherever somebody gets what they lack: a log-in, an office, a second factor, showing it again."""
        place = request.GET.get("next") or reverse("admin:index")
        if self.has_permission(request):
            return redirect(reverse("admin:index"))
        if not request.user.is_authenticated:
            return redirect_to_login(place)
        if not factor.is_operator(request.user):
            raise PermissionDenied(_("This is for the operators of the site."))
        if not factor.has_factor(request.user):
            return render(request, "operator/no_factor.html", status=403)
        return redirect(f"{factor.where_shown(request.user)}?{urlencode({'next': place})}")

    def index(self, request: HttpRequest, extra_context: Data | None = None) -> TemplateResponse:
        """The first page: the state of the site, games without an Admin, open reports, the operators' log."""
        more: Data = {"state": readings(), "without_admin": operating.without_admin(), "log": operating.log(10)}
        sandboxes, taken = memory.of_sandboxes()
        more |= {"workers": operating.workers(), "sandboxes": sandboxes, "sandboxes_mb": taken // 2**20}
        return super().index(request, more | {"reports": operating.open_reports()} | (extra_context or {}))

    def get_urls(self) -> list[Any]:
        """Add the page of limits to Django's own addresses; a password is changed where its owner is told by mail."""
        password = RedirectView.as_view(pattern_name="account_change_password")
        own = [path("limits/", self.admin_view(self.limits), name="limits"), path("password_change/", password)]
        return [*own, *super().get_urls()]

    def limits(self, request: HttpRequest) -> HttpResponse:
        """The table of limits, and who has done how much of it."""
        table = [
            (what, most, limits.SPANS[span], words)
            for what, rows in limits.LIMITS.items()
            for most, span, words in rows
        ]
        more: Data = {"title": _("Limits"), "table": table, "busiest": operating.at_limits()}
        more |= {"from_address": limits.FROM_ADDRESS}
        return render(request, "operator/limits.html", self.each_context(request) | more)


class Because(forms.Form):
    """The reason of an act of the operator's."""

    because = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("It is kept in the operators' log."),
    )


class Office(Because):
    """Who is to be the Admin of a game."""

    address = forms.EmailField(
        label=gettext_lazy("Mail address of the new Admin"),
        help_text=gettext_lazy("Of an account that does not play here."),
    )


class Player(Because):
    """Whose seat in a game is to be free."""

    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=30,
        help_text=gettext_lazy("The name in the game, of somebody who cannot log in any more."),
    )


class ForGood(Because):
    """Which row is to go for good, typed so that no other one goes by a slip."""

    which = forms.CharField(
        label=gettext_lazy("Type its address"),
        max_length=254,
        help_text=gettext_lazy(
            "This cannot be undone. The address of an account is its mail address, that of a game the word after /g/."
        ),
    )


class Closing(ForGood):
    """Which account is to be closed, and what becomes of what its owner said."""

    nameless = forms.BooleanField(
        label=gettext_lazy("What they said in talk stays as that of a former player"), required=False
    )


if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Model]
else:
    Rows = admin.ModelAdmin


class Look(Rows):
    """A table to look at. `acts`: {name: (label, form, carry_out(row, fields, operator))}."""

    acts: Data = {}
    actions = None
    change_form_template = "operator/row.html"
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the table to everybody who has come into the console."""
        return True

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Show its rows to everybody who has come into the console."""
        return True

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows are not added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows are not edited here: what an operator may do is in `acts`."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows are not deleted here."""
        return False

    def get_urls(self) -> list[Any]:
        """Add the address at which the acts of a row are done."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        view = self.admin_site.admin_view(self.act)
        return [path("<int:pk>/act/<slug:name>/", view, name=name), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Data | None = None
    ) -> HttpResponse:
        """The page of one row, with the buttons of its acts."""
        row = self.get_object(request, object_id)
        acts = [(name, self.acts[name][0]) for name in self.acts if row is not None and self.is_possible(row, name)]
        return super().change_view(request, object_id, form_url, {"acts": acts} | (extra_context or {}))

    def is_possible(self, row: Any, name: str) -> bool:
        """Whether an act makes sense for a row as it is; its button is left out where not."""
        return True

    def act(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """The form of one act, and the act."""
        row = self.get_queryset(request).filter(pk=pk).first()
        if row is None or name not in self.acts:
            raise Http404(_("There is no such row, or no such act."))
        label, form_class, carry_out = self.acts[name]
        form = form_class(request.POST or None)
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[pk])
        if request.method == "POST" and form.is_valid():
            try:
                messages.success(request, carry_out(row, form.cleaned_data, request.user))
                gone = not self.get_queryset(request).filter(pk=pk).exists()
                return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist" if gone else back)
            except CommandError as error:
                form.add_error(None, as_sentence(str(error)))
        more = {"title": f"{label}: {row}", "form": form, "label": label, "opts": self.opts, "back": back}
        return render(request, "operator/act.html", self.admin_site.each_context(request) | more)


def as_sentence(problem: str) -> str:
    """A problem as a sentence; an address at its beginning stays as it is."""
    begun = problem if "@" in problem.partition(" ")[0] else problem[:1].upper() + problem[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def simply(act: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    """An act that wants no more than its reason."""
    return lambda row, fields, operator: act(row, fields["because"], operator)


def must_be(typed: str, address: str) -> None:
    """Raises CommandError where what was typed is not the address of the row that is to go."""
    if typed.strip().casefold() != address.casefold():
        raise CommandError(
            _("you typed %(typed)s, and this is %(address)s: nothing is done") % {"typed": typed, "address": address}
        )


def close_account(user: User, fields: Data, operator: User) -> str:
    """Close an account whose address the operator has typed."""
    must_be(fields["which"], user.email)
    return operating.close_account(user, fields["because"], fields["nameless"], operator)


def delete(game: Game, fields: Data, operator: User) -> str:
    """Delete a game whose address the operator has typed."""
    must_be(fields["which"], game.slug)
    return operating.delete(game, fields["because"], operator)


STATUS = {  # of a seat
    "asked": gettext_noop("has asked for it"),
    "approved": gettext_noop("has a seat"),
    "declined": gettext_noop("was declined"),
    "left": gettext_noop("has left"),
}


class Accounts(Look):
    """The accounts, on the console."""

    list_display = ("email", "is_open", "is_operator", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email",)
    ordering = ("-date_joined",)
    fields = ("email", "is_open", "is_operator", "date_joined", "last_login", "time_zone", "seats", "offices")
    readonly_fields = ("is_open", "is_operator", "seats", "offices")
    acts = {
        "block": (gettext_lazy("Block"), Because, simply(operating.block)),
        "unblock": (gettext_lazy("Unblock"), Because, simply(operating.unblock)),
        "lift-limits": (gettext_lazy("Lift the limits of today"), Because, simply(operating.lift_limits)),
        "appoint": (gettext_lazy("Make an operator"), Because, simply(operating.appoint)),
        "dismiss": (gettext_lazy("End their time as an operator"), Because, simply(operating.dismiss)),
        "close": (gettext_lazy("Close for its owner"), Closing, close_account),
    }

    def is_possible(self, row: User, name: str) -> bool:
        """Whoever is blocked is not blocked again, and so on."""
        possible = {
            "block": row.is_active,
            "unblock": not row.is_active,
            "appoint": row.is_active and not row.is_staff,
            "dismiss": row.is_staff,
        }
        return possible.get(name, True)

    @admin.display(description=gettext_lazy("may log in"), boolean=True, ordering="is_active")
    def is_open(self, user: User) -> bool:
        """Whether the account is neither blocked nor closed."""
        return user.is_active

    @admin.display(description=gettext_lazy("operator"), boolean=True, ordering="is_staff")
    def is_operator(self, user: User) -> bool:
        """Whether it is that of an operator."""
        return user.is_staff

    @admin.display(description=gettext_lazy("plays in"))
    def seats(self, user: User) -> str:
        """The games they play in, with their name and status there, in words."""

        def told(seat: Membership) -> dict[Any, Any]:
            return {"game": seat.game.title, "player": seat.player, "status": _(STATUS[seat.status])}

        found = user.memberships.select_related("game")
        return ", ".join(_("%(game)s as %(player)s (%(status)s)") % told(seat) for seat in found) or _("nothing")

    @admin.display(description=gettext_lazy("is the Admin of"))
    def offices(self, user: User) -> str:
        """The titles of the games they are the Admin of, in words."""
        return ", ".join(Game.objects.filter(admin=user).values_list("title", flat=True)) or _("nothing")


def why_stopped(game: Game) -> str:
    """Why an operator has stopped a game; empty if none has."""
    return str(live.of(game).value(protocol.OPERATOR_STOP, "game") or "")


class Games(Look):
    """The games, on the console."""

    list_display = ("title", "slug", "edition", "seen_by", "run_by", "admin", "over", "created")
    list_filter = ("over", "edition", "visibility", "office")
    search_fields = ("title", "slug")
    ordering = ("-created",)
    fields = (
        "title",
        "slug",
        "edition",
        "visibility",
        "office",
        "admin",
        "created",
        "over",
        "due_at",
        "stopped",
        "storage",
        "faults",
    )
    readonly_fields = ("due_at", "stopped", "storage", "faults")
    acts = {
        "close": (gettext_lazy("Stop the game"), Because, simply(operating.stop)),
        "open": (gettext_lazy("Let go on"), Because, simply(operating.resume)),
        "give-office": (
            gettext_lazy("Give the office to somebody"),
            Office,
            lambda game, fields, operator: operating.give_office(game, fields["address"], fields["because"], operator),
        ),
        "free-seat": (
            gettext_lazy("Free a seat"),
            Player,
            lambda game, fields, operator: operating.free_seat(game, fields["player"], fields["because"], operator),
        ),
        "delete": (gettext_lazy("Delete the game"), ForGood, delete),
    }

    def is_possible(self, row: Game, name: str) -> bool:
        """A game goes on that the operator has stopped, and no other one; what is being played is not deleted."""
        stopped = bool(why_stopped(row))
        return {"close": not stopped, "open": stopped, "delete": stopped or row.over}.get(name, True)

    @admin.display(description=gettext_lazy("visibility"), ordering="visibility")
    def seen_by(self, game: Game) -> str:
        """Who can read it, in a word or two."""
        return game.get_visibility_display().partition(":")[0]

    @admin.display(description=gettext_lazy("office"), ordering="office")
    def run_by(self, game: Game) -> str:
        """Who holds the office of its Admin, in a word or two."""
        return game.get_office_display().partition(":")[0]

    @admin.display(description=gettext_lazy("next is due"))
    def due_at(self, game: Game) -> str:
        """When something is due in it, as markup."""
        return formats.moment(game.due) or _("nothing")

    @admin.display(description=gettext_lazy("stopped by an operator"))
    def stopped(self, game: Game) -> str:
        """Why an operator has stopped it, or that none has."""
        return why_stopped(game) or _("no")

    @admin.display(description=gettext_lazy("storage"))
    def storage(self, game: Game) -> str:
        """How much of everything the game keeps, in words."""
        return ", ".join(f"{number:,} {what}" for what, number in operating.storage(game).items())

    @admin.display(description=gettext_lazy("faults"))
    def faults(self, game: Game) -> str:
        """The last 20 faults of its rules that nobody has settled, a line each: moment, rule, line."""
        found = operating.faults(game)[:20]
        return "\n".join(f"{each.created:%Y-%m-%d %H:%M} {each}" for each in found) or _("none")


class Faults(Look):
    """Rules that broke, on the console."""

    list_display = ("created", "game", "rule", "line", "message", "settled")
    list_filter = (("settled", admin.EmptyFieldListFilter),)
    list_select_related = ("game",)
    ordering = ("-created",)
    fields = ("created", "game", "n", "rule", "line", "message", "settled")


class Reports(Look):
    """Reports to the operator, on the console."""

    list_display = ("made", "game", "what_of", "because", "settled", "answer")
    list_filter = (("settled", admin.EmptyFieldListFilter),)
    list_select_related = ("game",)
    ordering = ("settled", "made")
    fields = ("made", "game", "what_of", "what", "because", "settled", "answer")
    readonly_fields = ("what_of", "what")
    acts = {
        "answer": (
            gettext_lazy("Answer"),
            Because,
            lambda row, fields, by: operating.settle(row, fields["because"], by),
        )
    }

    def is_possible(self, row: Complaint, name: str) -> bool:
        """A report is answered once."""
        return row.settled is None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Only reports to the operator; those to the Admin of a game are that Admin's business."""
        return super().get_queryset(request).filter(for_operator=True)

    @admin.display(description=pgettext_lazy("column", "about"))
    def what_of(self, report: Complaint) -> str:
        """What is reported, in a word or two."""
        return report.in_words()

    @admin.display(description=gettext_lazy("what it is about"))
    def what(self, report: Complaint) -> str:
        """What was reported: its words, and the game and place where they stand."""
        words, below = complaints.shown(report)
        return f"{words} ({report.game.address}{below})".strip()


class Letters(Look):
    """Mails that wait or have failed, on the console; never what they say."""

    list_display = ("made", "to", "subject", "tries", "next_try", "sent", "problem")
    list_filter = (("sent", admin.EmptyFieldListFilter), ("next_try", admin.EmptyFieldListFilter))
    search_fields = ("to",)
    ordering = ("-made",)
    fields = ("made", "to", "subject", "tries", "next_try", "sent", "problem")  # never what it says: codes are in some
    acts = {
        "again": (gettext_lazy("Try again now"), Because, simply(operating.send_again)),
        "give-up": (gettext_lazy("Give up"), Because, simply(operating.give_up)),
    }

    def is_possible(self, row: Letter, name: str) -> bool:
        """What is sent is not sent again; what is given up is not given up again."""
        return row.sent is None and (name != "give-up" or row.next_try is not None)


class Done(admin.SimpleListFilter):
    """The acts of one sort."""

    title = pgettext_lazy("column", "what")
    parameter_name = "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """All sorts, in words."""
        return [(name, _(words)) for name, words in ACTS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The acts of the sort that is chosen."""
        return queryset.filter(what=self.value()) if self.value() else queryset


class Log(Look):
    """The operators' log, on the console."""

    list_display = ("at", "doer", "user", "done", "subject", "because")
    list_filter = (Done,)
    search_fields = ("about", "because")
    list_select_related = ("user",)
    fields = ("at", "doer", "user", "done", "subject", "because")

    @admin.display(description=pgettext_lazy("column", "by"), ordering="by")
    def doer(self, act: OperatorAct) -> str:
        """Who has done it."""
        return act.doer

    @admin.display(description=pgettext_lazy("column", "what"), ordering="what")
    def done(self, act: OperatorAct) -> str:
        """What was done."""
        return act.done

    @admin.display(description=pgettext_lazy("column", "about"), ordering="about")
    def subject(self, act: OperatorAct) -> str:
        """What it was done to."""
        return act.subject


console = Console(name="admin")
for model, look in (
    (get_user_model(), Accounts),
    (Game, Games),
    (Fault, Faults),
    (Complaint, Reports),
    (Letter, Letters),
    (OperatorAct, Log),
):
    console.register(model, look)

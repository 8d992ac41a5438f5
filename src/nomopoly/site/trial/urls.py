"""Trial copies, below /g/<slug>/try/. Pages of a game are shown within them as they are."""

from django.urls import path

from nomopoly.runtime import protocol
from nomopoly.site.play import urls as game
from nomopoly.site.play.views import acts
from nomopoly.site.trial import views

HERE = "<slug:token>/"
SHOWN = {  # names of a game's pages, and the items of the menu that they stand under
    "game": "overview",
    "board-table": "overview",
    "square": "overview",
    "actions": "actions",
    "act": "actions",
    "withdraw-order": "actions",
    "move-order": "actions",
    "rules": "rules",
    "rules-history": "rules",
    "rules-diff": "rules",
    "rules-md": "rules",
    "rules-json": "rules",
    "rule-md": "rules",
    "market": "market",
    "trades": "actions",
    "trade": "actions",
    "rule-json": "rules",
    "rule": "rules",
    "section": "rules",
    "proposals": "proposals",
    "proposal": "proposals",
    "proposal-json": "proposals",
    "vote": "proposals",
    "retract": "proposals",
    "players": "players",
    "account": "players",
    "account-csv": "players",
    "player": "players",
    "game-accounts": "accounts",
    "game-account": "accounts",
    "game-account-csv": "accounts",
    "log": "log",
    "entry": "log",
}

urlpatterns = [
    path("", views.index, name="trials"),
    path(f"{HERE}playing/", views.choose_player, name="trial-playing"),
    path(f"{HERE}clock/", views.let_time_pass, name="trial-clock"),
    path(f"{HERE}turn/", views.take_turn, name="trial-turn"),
    path(f"{HERE}example/", views.save_example, name="trial-example"),
    path(f"{HERE}discard/", views.throw_away, name="trial-discard"),
    path(f"{HERE}admin/<slug:action>/", views.within(acts.act, "actions")),
    path(f"{HERE}leave/", views.by_form, {"action": protocol.LEAVE_GAME}),
    path(f"{HERE}proposals/new/", views.by_form, {"action": protocol.PROPOSE}),
    *(
        path(HERE + str(page.pattern), views.within(page.callback, SHOWN[page.name]), page.default_args)
        for page in game.urlpatterns
        if page.name in SHOWN
    ),
    path(f"{HERE}<path:rest>", views.of_the_game),
]

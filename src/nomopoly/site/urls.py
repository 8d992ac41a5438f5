"""Addresses of the site. They stay valid for ever."""

from django.urls import include, path

from nomopoly.site.api import docs
from nomopoly.site.api.routes import api
from nomopoly.site.desk import views as desk
from nomopoly.site.lobby import views
from nomopoly.site.play.views import feeds

urlpatterns = [
    path("", views.home, name="home"),
    path("games/", views.games, name="games"),
    path("games/new/", views.new_game, name="new-game"),
    path("me/", views.me, name="me"),
    path("settings/", views.settings_page, name="settings"),
    path("settings/", include("nomopoly.site.accounts.urls")),
    path("guide/", views.guide, name="guide"),
    path("guide/rules/", views.writing_rules, name="writing-rules"),
    path("robots.txt", views.robots, name="robots"),
    path("account/", include("allauth.urls")),
    path("api/v1/", api.urls),
    path("api/docs", docs.page, name="api-docs"),
    path("feeds/<str:token>/calendar.ics", feeds.own_calendar, name="own-calendar"),
    path("feeds/<str:token>/<slug:slug>/log.atom", feeds.own_log, name="own-log"),
    path("g/<slug:slug>/join/", views.join, name="join"),
    path("g/<slug:slug>/leave/", views.leave, name="leave"),
    path("g/<slug:slug>/office/", desk.office, name="office"),
    path("g/<slug:slug>/admin/", include("nomopoly.site.desk.urls")),
    path("g/<slug:slug>/try/", include("nomopoly.site.trial.urls")),
    path("g/<slug:slug>/", include("nomopoly.site.play.urls")),
]

handler403 = views.forbidden
handler404 = views.missing
handler500 = views.broken

"""Addresses of the site. They stay valid for ever."""

from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

from nomopoly.site import errands, health, kept
from nomopoly.site.accounts import address, entrance, languages
from nomopoly.site.api import docs
from nomopoly.site.api.routes import api
from nomopoly.site.bymail import views as bymail
from nomopoly.site.desk import views as desk
from nomopoly.site.lobby import claiming, deciding, joining, starting, trust, views
from nomopoly.site.order.console import console
from nomopoly.site.play.views import conduct, feeds, library
from nomopoly.site.watch import views as watch

urlpatterns = [
    path("", views.home, name="home"),
    path("games/", views.games, name="games"),
    path("games/new/", starting.new_game, name="new-game"),
    path("me/", views.me, name="me"),
    path("settings/", views.settings_page, name="settings"),
    path("settings/", include("nomopoly.site.accounts.urls")),
    path("", include("nomopoly.site.notices.urls")),
    path("mail/", include("nomopoly.site.bymail.urls")),
    path("guide/", views.guide, name="guide"),
    path("guide/rules/", views.writing_rules, name="writing-rules"),
    path("guide/rules/words/", views.all_words, name="all-words"),
    path("guide/rules/<slug:slug>/", views.rules_chapter, name="rules-chapter"),
    path("guide/first-rule/", views.first_rule_page, name="first-rule"),
    path("language/", languages.choose, name="language"),
    path("jsi18n/", JavaScriptCatalog.as_view(), name="wordings"),
    path("again/<str:token>/", kept.again, name="again"),
    path("guide/playing-by-mail/", bymail.guide, name="playing-by-mail"),
    path("guide/<slug:edition>/", views.playing, name="playing"),
    path("library/", library.index, name="library"),
    path("library/<slug:name>/", library.entry, name="library-rule"),
    path("health/", health.health, name="health"),
    path("health/live", health.alive, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("health/proxy", health.proxy, name="health-proxy"),
    path("homes/<slug:slug>/<slug:what>/", errands.at_home, name="errand"),
    path("operator/", console.urls),
    path("metrics", watch.metrics, name="metrics"),
    path("privacy/", trust.page, {"name": "privacy"}, name="privacy"),
    path("terms/", trust.page, {"name": "terms"}, name="terms"),
    path("contact/", trust.page, {"name": "contact"}, name="contact"),
    path(".well-known/security.txt", trust.security_txt, name="security-txt"),
    path("robots.txt", views.robots, name="robots"),
    path("account/login/", entrance.PasswordDoor.as_view()),
    path("account/login/code/", entrance.Door.as_view()),
    path("account/login/code/confirm/", entrance.TypeCode.as_view()),
    path("account/signup/", entrance.Door.as_view()),
    path("account/email/", address.Address.as_view()),
    path("account/email/present/", address.present, name="present-address"),
    path("account/", include("allauth.urls")),
    path("api/v1/", api.urls),
    path("api/docs", docs.page, name="api-docs"),
    path("feeds/<str:token>/calendar.ics", feeds.own_calendar, name="own-calendar"),
    path("feeds/<str:token>/<slug:slug>/log.atom", feeds.own_log, name="own-log"),
    path("g/<slug:slug>/join/", joining.join, name="join"),
    path("g/<slug:slug>/join/name/", joining.name, name="join-name"),
    path("g/<slug:slug>/seat/", claiming.take, name="seat"),
    path("g/<slug:slug>/invite/", starting.invite, name="invite"),
    path("g/<slug:slug>/table/", deciding.table, name="table"),
    path("g/<slug:slug>/table/<int:number>/", deciding.answer, name="table-answer"),
    path("g/<slug:slug>/table/<int:number>/program/", deciding.program, name="table-program"),
    path("g/<slug:slug>/leave/", views.leave, name="leave"),
    path("g/<slug:slug>/office/", desk.office, name="office"),
    path("g/<slug:slug>/report/", conduct.report, name="report"),
    path("g/<slug:slug>/admin/conduct/", conduct.order, name="conduct"),
    path("g/<slug:slug>/admin/conduct/hear/", conduct.hear, name="conduct-hear"),
    path("g/<slug:slug>/admin/conduct/reports/<int:number>/", conduct.settle, name="conduct-settle"),
    path("g/<slug:slug>/admin/", include("nomopoly.site.desk.urls")),
    path("g/<slug:slug>/try/", include("nomopoly.site.trial.urls")),
    path("g/<slug:slug>/", include("nomopoly.site.play.urls")),
]

handler403 = views.forbidden
handler404 = views.missing
handler500 = views.broken

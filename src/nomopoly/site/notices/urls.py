"""Addresses of notices. They stay valid for ever: mails carry them."""

from django.urls import path

from nomopoly.site.notices import targets, views

urlpatterns = [
    path("me/notices/", views.notices, name="notices"),
    path("me/notices/read/", views.mark_read, name="notices-read"),
    path("settings/notices/", views.wishes, name="notice-wishes"),
    path("notices/stop/<str:word>/", views.stop, name="stop-mails"),
    path("settings/elsewhere/", targets.mine, name="my-targets"),
    path("settings/elsewhere/device/", targets.device, name="my-device"),
    path("g/<slug:slug>/admin/webhooks/", targets.of_game, name="game-targets"),
    path("app.webmanifest", targets.manifest, name="manifest"),
    path("worker.js", targets.worker, name="service-worker"),
    path("offline/", targets.offline, name="offline"),
]

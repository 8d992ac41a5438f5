"""Addresses of notices. They stay valid for ever: mails carry them."""

from django.urls import path

from nomopoly.site.notices import views

urlpatterns = [
    path("me/notices/", views.notices, name="notices"),
    path("me/notices/read/", views.all_read, name="notices-read"),
    path("settings/notices/", views.wishes, name="notice-wishes"),
    path("notices/stop/<str:word>/", views.stop, name="stop-mails"),
]

"""Addresses below /settings/."""

from django.urls import path

from nomopoly.site.accounts import views

urlpatterns = [
    path("data/", views.data, name="my-data"),
    path("close/", views.close, name="close-account"),
]

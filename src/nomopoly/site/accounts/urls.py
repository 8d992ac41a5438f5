"""Addresses below /settings/."""

from django.urls import path

from nomopoly.site.accounts import views

urlpatterns = [
    path("keys/", views.api_keys, name="api-keys"),
    path("keys/<int:number>/revoke/", views.revoke, name="revoke-key"),
    path("feeds/", views.feed_addresses, name="my-feeds"),
    path("data/", views.data, name="my-data"),
    path("close/", views.close, name="close-account"),
]

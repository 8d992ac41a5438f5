"""The Admin's desk."""

from django.urls import path

from nomopoly.site.desk import views

urlpatterns = [
    path("", views.desk, name="desk"),
    path("settings/", views.game_settings, name="desk-settings"),
    path("faults/<int:number>/settled/", views.fault_settled, name="desk-fault"),
    path("strike/", views.choose_strike, name="desk-strikes"),
    path("strike/<int:number>/", views.strike, name="desk-strike"),
    path("strike/order/<int:n>/", views.strike_order, name="desk-strike-order"),
    path("since/<int:number>/", views.since, name="desk-since"),
    path("names/", views.names, name="desk-names"),
    path("run-again/", views.run_again, name="desk-run-again"),
    path("applications/", views.applications, name="desk-applications"),
    path("hand-over/", views.hand_over, name="desk-hand-over"),
    path("<slug:act>/", views.act, name="desk-act"),
]

"""The pages that show and play a game, below /g/<slug>/."""

from django.urls import path

from nomopoly.site.play.views import log, players, table

urlpatterns = [
    path("", table.overview, name="game"),
    path("board/table/", table.board_table, name="board-table"),
    path("squares/<int:number>/", table.square, name="square"),
    path("players/", players.players, name="players"),
    path("players/<path:name>/account/", players.account, name="account"),
    path("players/<path:name>/account.csv", players.account_csv, name="account-csv"),
    path("players/<path:name>/", players.player, name="player"),
    path("log/", log.log, name="log"),
    path("log/feed.atom", log.feed, name="feed"),
    path("log/<int:number>/", log.entry, name="entry"),
]

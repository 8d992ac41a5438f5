"""The pages that show and play a game, below /g/<slug>/."""

from django.urls import path

from nomopoly.site.play.views import about, accounts, acts, log, notes, players, proposals, rules, table

urlpatterns = [
    path("", table.overview, name="game"),
    path("board/table/", table.board_table, name="board-table"),
    path("squares/<int:number>/", table.square, name="square"),
    path("act/", acts.actions, name="actions"),
    path("act/<slug:action>/", acts.act, name="act"),
    path("rules/", rules.rules, name="rules"),
    path("rules.md", rules.rules_twin, {"kind": "md"}, name="rules-md"),
    path("rules.json", rules.rules_twin, {"kind": "json"}, name="rules-json"),
    path("rules/history/", rules.history, name="rules-history"),
    path("rules/diff/", rules.compare, name="rules-diff"),
    path("rules/<path:id>.md", rules.rule_twin, {"kind": "md"}, name="rule-md"),
    path("rules/<path:id>.json", rules.rule_twin, {"kind": "json"}, name="rule-json"),
    path("rules/<path:id>/", rules.rule, name="rule"),
    path("proposals/", proposals.index, name="proposals"),
    path("proposals/new/", proposals.new, name="new-proposal"),
    path("proposals/<int:number>/", proposals.proposal, name="proposal"),
    path("proposals/<int:number>.json", proposals.canonical, name="proposal-json"),
    path("proposals/<int:number>/diff/", proposals.difference, name="proposal-diff"),
    path("proposals/<int:number>/comment/", proposals.comment, name="comment"),
    path("players/", players.players, name="players"),
    path("players/<path:name>/account/", accounts.of_player, name="account"),
    path("players/<path:name>/account.csv", accounts.of_player_csv, name="account-csv"),
    path("players/<path:name>/", players.player, name="player"),
    path("accounts/", accounts.index, name="game-accounts"),
    path("accounts/<path:id>.csv", accounts.account_csv, name="game-account-csv"),
    path("accounts/<path:id>/", accounts.account, name="game-account"),
    path("log/", log.log, name="log"),
    path("log/feed.atom", log.feed, name="feed"),
    path("log/<int:number>/", log.entry, name="entry"),
    path("log/<int:number>/question/", log.question, name="question"),
    path("notes/", notes.notes, name="notes"),
    path("about/", about.about, name="about"),
    path("dice/", about.dice, name="dice"),
    path("export/", about.export, name="export"),
]

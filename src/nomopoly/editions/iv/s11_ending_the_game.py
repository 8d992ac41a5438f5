"""Section 11: how it ends."""

section("11", "Ending the Game")

rule("11.1", """
If a maker of board games ever sues the Admin, the game is over at once and nobody has won.
""", title="Lawsuit")


@action(
    "declare-winner",
    "End the game",
    by="admin",
    weighty=True,
    done="The game is over.",
    player=choose("player", "Winner", optional=True),
    because=words("Because", limit=2000, long=True, wanted=True),
)
def declare_winner(e):
    do("end", winner=e.player, because=e.because or "")


rule("11.2", """
The game is over when somebody has been declared the winner.
""", title="A winner ends it")

attribute("game", "over", False, label="Over")
attribute("game", "winner", None, label="Winner", type="thing")
event("end", "ended", say="The game is over: {because}", winner="player", because="")
event("win", "won", say="{who} has won", who="player")


@on("end")
def end(e):
    if e.winner is not None and not e.caused_by("win"):
        do("win", who=e.winner)
    put(thing("game"), "winner", e.winner)
    for proposal in every("proposal"):
        if proposal.status == "Voting":
            put(proposal, "status", "Dead")
    put(thing("game"), "over", True)


@after("win")
def winning_ends_it(e):
    if not e.caused_by("end"):
        do("end", winner=e.who, because=f"{name_of(e.who)} has won")


rule("11.3", """
If exactly one player is not bankrupt, that player has won. This holds once two players have been in the game at the same time.
""", title="Last one solvent")

attribute("game", "had_two", False, show="nobody")


@after("entry")
def last_one(e):
    game = thing("game")
    if count("player") > 1 and not game.had_two:
        put(game, "had_two", True)
    solvent = [each for each in players() if not value("bankrupt", each)]
    if game.had_two and len(solvent) == 1 and not game.over:
        do("end", winner=solvent[0], because=f"{name_of(solvent[0])} alone is not bankrupt")

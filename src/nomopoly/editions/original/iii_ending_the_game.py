"""Section III: how it ends."""

section("III", "Ending the Game")

rule("III.1", """
The game is over at once, perhaps with a bang and without a winner, if the maker of a board game ever threatens the Admin
with the law in earnest and no settlement can be hoped for.
""", title="Legal threats")

attribute("game", "over", False, label="Over")
attribute("game", "winner", None, label="Winner", type="thing")
event("win", "won", say="{who} has won", who="player")
event("end", "ended", say="The game is over: {because}", winner="player", because="")


@on("end")
def end(e):
    if e.winner is not None and not e.caused_by("win"):
        do("win", who=e.winner)
    put(thing("game"), "winner", e.winner)
    put(thing("game"), "over", True)


@after("win")
def winning_ends_it(e):
    if not e.caused_by("end"):
        do("end", winner=e.who, because=f"{name_of(e.who)} has won")


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
    if e.player is not None:
        refuse("this game ends without a winner: leave the player out")
    do("end", because=e.because or "")


@check("*")
def nothing_after_the_end(e):
    if thing("game").over and e.who is not None:
        return "the game is over"


@check("end")
@check("apply")
@check("turn")
def not_after_the_end(e):
    if thing("game").over:
        return "the game is over"

"""Section III: how it ends."""

section("III", "Ending the Game")

rule("III.1", """
The game is over at once, perhaps with a bang and without a winner, if the maker of a board game ever threatens the Admin with the law
in earnest and no settlement can be hoped for.
""", title="Legal threats")

attribute("game", "over", False, label="Over")
attribute("game", "winner", None, label="Winner", type="thing")
event("end", "ended", say="The game is over: {because}", winner="player", because="")


@on("end")
def end(e):
    put(thing("game"), "winner", e.winner)
    put(thing("game"), "over", True)

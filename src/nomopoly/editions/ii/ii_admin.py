"""Section II: who runs the game."""

section("II", "The Admin")

rule("II.1", """
One person holds the office of the Admin of this game. The game's page shows who it is; the office can be handed over to somebody who
does not play.
""", title="Who it is")

rule("II.2", """
The Admin carries out what the players order, takes their proposals, says what the rules mean where that is in doubt, and keeps what is
published of the game up to date. Most of it this site does for the Admin.
""", title="Duties")

rule("II.3", """
Players may question what the Admin decides and put it right; they are welcome to. The last decision is the Admin's in every case.
""", title="Final word")

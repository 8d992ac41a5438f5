"""Section 2: who runs the game."""

section("2", "The Admin")

rule("2.1", """
One person is the Admin of this game. The game's page shows who holds the office; it can be handed over to somebody who does
not play.
""", title="Who the Admin is")

rule("2.2", """
The Admin looks after this site and says what the rules mean where that is in doubt.
""", title="Duties of the Admin")

rule("2.3", """
Players are free, and welcome, to question what the Admin decides and to put it right. The last word is the Admin's.
""", title="Disagreement")

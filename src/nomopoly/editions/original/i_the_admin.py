"""Section I: who runs the game, and the dice."""

section("I", "The Admin")

rule("I.1", """
One person holds the office of Admin of this game. The game's page shows who it is; the office can be handed over.
""", title="Who the Admin is")

rule("I.2", """
The Admin publishes what players submit and how they move, the state of the board and of the dice, the rules, and what
follows from them.
""", title="Duties of the Admin")

rule("I.3", """
The dice are two fair dice of {dice} sides each. The Admin keeps and rolls them.
""", title="The dice", dice=6)


@value("dice")
def dice():
    return (rule.dice, rule.dice)


rule("I.4", """
The Admin may tidy a submission before publishing it, mending slips of the pen and its layout, as long as it still means
the same.
""", title="Editing submissions")

rule("I.5", """
Where there is doubt or dispute, the Admin decides, and that settles the matter.
""", title="The last word")

"""Section XI: how it ends."""

section("XI", "Ending the Game")

rule("XI.1", """
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


rule("XI.2", """
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
    put(thing("game"), "over", True)


@after("win")
def winning_ends_it(e):
    if not e.caused_by("end"):
        do("end", winner=e.who, because=f"{name_of(e.who)} has won")


rule("XI.3", """
If exactly one player is not bankrupt when an update is over or a week ends, that player has won.
""", title="Last one solvent")

attribute("game", "had_two", False, show="nobody")
event("find-last-solvent", say="The game looks whether one player alone is solvent")
step("winner", 10, "find-last-solvent")
step("week-ends", 50, "find-last-solvent")


def two_at_once():
    if count("player") > 1 and not thing("game").had_two:
        put(thing("game"), "had_two", True)


@after("join")
@after("remove")
def number_of_players(e):
    two_at_once()


@on("find-last-solvent")
def last_one(e):
    two_at_once()
    solvent = [each for each in players() if each.money >= 0]
    if thing("game").had_two and len(solvent) == 1 and not thing("game").over:
        do("end", winner=solvent[0], because=f"{name_of(solvent[0])} alone is not bankrupt")


rule("XI.4", """
If a player's net worth is higher than that of all others together when an update is over or a week ends, and there are two others or
more, that player has won.
""", title="Worth more than all others")

event("find-richest", say="The game looks whether one player is worth more than all others")
step("winner", 11, "find-richest")
step("week-ends", 51, "find-richest")


@on("find-richest")
def richest(e):
    worth = [(each, value("net_worth", each)) for each in players()]
    total = sum([net for _, net in worth])
    ahead = [
        each for each, net in worth if net > total - net
    ]  # several, where debts make the sum small: then none of them
    if len(worth) > 2 and len(ahead) == 1 and not thing("game").over:
        do("end", winner=ahead[0], because=f"{name_of(ahead[0])} is worth more than all others together")

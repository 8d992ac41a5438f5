"""Section III: how it ends."""

section("III", "Ending the Game")

rule("III.1", """
The game is over at once, perhaps with a bang and without a winner, if the maker of a board game ever threatens the Admin with the law
in earnest and no settlement can be hoped for.
""", title="Legal threats")

attribute("game", "over", False, label="Over")
attribute("game", "winner", None, label="Winner", type="thing")
event("win", "won", say="{who} has won", who="player")
event("end", winner="player", because="")
event("finish", "ended", say="The game is over: {because}", winner="player", because="")


@on("end")
def end(e):
    if e.winner is not None and not e.caused_by("win"):
        do("win", who=e.winner)
    do("finish", winner=e.winner, because=e.because)


@on("finish")
def finish(e):
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
    do("end", winner=e.player, because=e.because or "")


rule("III.2", """
The game ends when a Winner is named. The Winner is a player who at the end of an update owns a square of each color but White and at least
one block, has no Bad Credit Rating, has not been Sick at any time in that update from the moment its orders were done, and has more money than any
other player.
""", title="The Winner")

attribute("player", "sick_in_update", False, show="nobody")
event("note-sick", say="Who is Sick is noted")
event("look-for-winner", say="The game looks for the Winner")
step("rights-end", 20, "note-sick")
step("update-ends", 20, "look-for-winner")


@on("note-sick")
def who_is_sick(e):
    for each in players():
        put(each, "sick_in_update", attribute_of(each, "sick", False))


@after("make-sick")
def sick_meanwhile(e):
    if e.who.kind == "player":
        put(e.who, "sick_in_update", True)


@on("look-for-winner")
def look_for_winner(e):
    for each in players():
        healthy = not each.sick_in_update and not attribute_of(each, "sick", False)
        if healthy and not attribute_of(each, "bad_credit", False) and richer_and_colorful(each):
            do(
                "end",
                winner=each,
                because=f"{name_of(each)} has a square of each color and a block, and the most money",
            )
            return


rule("III.3", """
If the Admin finds that play cannot go on, the game is Messed Up. The Admin names who wins it, the richest player unless another one is named.
""", title="A Messed Up game")

also_asks("declare-winner", messed_up=yes_or_no("Messed Up"))
event("mess-up", "messed-up", say="The game is Messed Up")


@instead("declare-winner")
def richest_unless_named(e):
    if e.messed_up and e.player is None and players():
        most = max([each.money for each in players()])
        return e.but(player=[each for each in players() if each.money == most][0])


@after("declare-winner")
def no_way_to_go_on(e):
    if e.messed_up:
        do("mess-up")

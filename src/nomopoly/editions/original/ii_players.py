"""Section II: who plays."""

section("II", "Players")

rule("II.1", """
Anybody may join at any time by telling the Admin. Every player needs an e-mail address of their own and a name of their
own, of 1 to {longest_name} characters, that neither confuses nor annoys the others.

Who leaves takes their money out of the game. Their squares keep their names and have no owner; their options and offers
end, and a proposal of theirs that is not yet judged is withdrawn.
""", title="Joining and leaving", longest_name=30)

event("open")
event("squares-lost", "squares-lost", say="{told}", who="player", told="")
event("withdraw", "withdrawn", say="{proposal} is withdrawn: its author has left", proposal="proposal")


@check("apply")
def proper_name(e):
    return name_problem(e.name, rule.longest_name)


@on("remove")
def clear_away(e):
    mine = [place for place in squares() if place.owner is e.who]
    if mine:
        named = ", ".join([place.id for place in mine])
        do("squares-lost", who=e.who, told=f"{named} {'has' if len(mine) == 1 else 'have'} no owner any more")
    for place in squares():
        if place in mine:
            put(place, "owner", None)
        if place.option_of is e.who:
            end_option(place, "left")
    close_offers_of(e.who)
    for proposal in undecided(e.who):
        do("withdraw", proposal=proposal)
    if e.who.money > 0:
        lose(e.who, e.who.money)


@on("withdraw")
def withdraw(e):
    put(e.proposal, "status", "withdrawn")


@action("leave-game", "Leave the game", in_pause=True)
def leave_game(e):
    remove(e.who, "", "left")


@action(
    "remove-player",
    "Remove a player",
    by="admin",
    fact="expelled",
    say="The Admin removes {player} from the game{told}",
    weighty=True,
    done="{player} is out of the game.",
    player=choose("player", "Player"),
    because=words("Because", limit=2000, long=True, wanted=True),
)
def remove_player(e):
    note(told=f": {e.because}" if e.because else "")
    remove(e.player, e.because or "", "removed")


rule("II.2", """
The Admin is not a player: the Admin does not join, own, propose or move.
""", title="The Admin does not play")

"""Section II: who plays."""

section("II", "Players")

rule("II.1", """
Anybody may join at any time by telling the Admin. Every player needs an e-mail address of their own and a name of their
own, of 1 to {longest_name} characters, that neither confuses nor annoys the others.

Who leaves takes their money out of the game. Their squares keep their names and have no owner; their options and offers
end, and a proposal of theirs that is not yet judged is withdrawn.
""", title="Joining and leaving", longest_name=30)

event("open")


def reserved(name):
    """Whether a name belongs to a thing of the game, or could be taken for one."""
    if name[:1] in ("#", "$") or name.casefold() in ("game", "admin", "the admin", "visitor", "nobody", "kernel"):
        return True
    return find(name) is not None and find(name).kind != "player"


@check("apply")
def proper_name(e):
    name = e.name.strip()
    if name != e.name and not [each for each in taken_names() if each == name.casefold()]:
        return "a name may not begin or end with a blank"
    if not name or len(name) > rule.longest_name:
        return f"a name has 1 to {rule.longest_name} characters"
    if not name.isprintable():
        return "a name may not hold control characters"
    if name.casefold() in taken_names():
        return "name taken: choose another one"
    if reserved(name):
        return "name taken: it belongs to something in the game"


def taken_names():
    """Names of players and applicants, as they are compared."""
    names = [each.id.strip().casefold() for each in players()]
    return names + [each.name.strip().casefold() for each in every("applicant")]


@on("remove")
def clear_away(e):
    for place in squares():
        if place.owner is e.who:
            put(place, "owner", None)
        if place.option_of is e.who:
            end_option(place, "left")
    close_offers_of(e.who)
    for proposal in undecided(e.who):
        put(proposal, "status", "replaced")
    if e.who.money > 0:
        lose(e.who, e.who.money)


@action("leave-game", "Leave the game", in_pause=True)
def leave_game(e):
    remove(e.who, "", "left")


@action(
    "remove-player",
    "Remove a player",
    by="admin",
    player=choose("player", "Player"),
    because=words("Because", limit=2000, long=True, optional=True),
)
def remove_player(e):
    remove(e.player, e.because or "", "removed")


rule("II.2", """
The Admin is not a player: the Admin does not join, own, propose or move.
""", title="The Admin does not play")

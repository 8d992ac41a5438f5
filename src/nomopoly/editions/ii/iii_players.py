"""Section III: who plays."""

section("III", "Players")

rule("III.1", """
Every player has a user name that nobody else has, of 1 to {longest_name} characters, and an e-mail address that works.
""", title="Name and address", longest_name=30)


attribute("game", "former_names", (), show="nobody")  # of those who have left: they alone come back under them


@check("apply")
def proper_name(e):
    former = thing("game").former_names
    if e.name not in former and e.name.strip().casefold() in [each.casefold() for each in former]:
        return "name taken: somebody has played here under it"
    if is_card(e.name.strip().upper()) or e.name.strip().upper() == "JOKER":
        return "name taken: it is that of a card"
    return name_problem(e.name, rule.longest_name)


@after("remove")
def keep_name(e):
    if e.who.id not in thing("game").former_names:
        put(thing("game"), "former_names", (*thing("game").former_names, e.who.id))


rule("III.2", """
The Admin is not a player.
""", title="The Admin does not play")

rule("III.3", """
Players and the Admin treat one another with respect. Who fails to again and again is removed from the game.
""", title="Courtesy")


@action(
    "remove-player",
    "Remove a player",
    by="admin",
    fact="expelled",
    say="The Admin removes {player} from the game{told}",
    weighty=True,
    done="{player} is out of the game.",
    player=choose("player", "Player"),
    because=words("Because", limit=2000, long=True),
)
def remove_player(e):
    note(told=f": {e.because}")
    remove(e.player, e.because, "removed")


rule("III.4", """
New players come into the game between two weeks, if the Admin approves; until the first update they come in at once. They begin in
the state of a player who has just been reset.
""", title="Joining")

kind("newcomer")
attribute("newcomer", "name", "", label="Name")
attribute("player", "joined_at", None, label="Joined", moment="real", fixed=True)
event("wait-to-join", "approved", say="{who} will be in the game from next week on", who="player")
event("let-in", say="New players come in")
step("week", 10, "let-in", when=lambda: every("newcomer"))


@instead("join")
def not_before_next_week(e):
    if (thing("game").update > 0 or thing("game").week > 1) and not e.caused_by("let-in"):
        return e.to("wait-to-join", who=e.who)


@on("wait-to-join")
def wait_to_join(e):
    create("newcomer", name=e.who.id)
    destroy(e.who)


@on("let-in")
def let_in(e):
    for each in every("newcomer"):
        name = each.name
        destroy(each)
        do("join", who=create("player", id=name))


@after("join")
def welcome(e):
    put(e.who, "joined_at", now())


rule("III.5", """
A player who has done nothing of their own will in {idle_weeks} weeks running is out of the game; anybody may leave it at any time. Who
is out of it, for whatever reason, takes out of it all the money, cards, items and rights they have, and all they owe. Their squares
have no owner then, and keep what is on them; their options, orders, offers and agreements lapse, their votes on what is being voted on
do not count, and an office of theirs ends. What they have proposed goes its way without them.
""", title="Three idle weeks", idle_weeks=3)

attribute("player", "acted", False, label="Active this week", show=("owner", "admin"))
attribute("player", "idle_for", 0, label="Weeks idle", show=("owner", "admin"))
setting("idle_weeks")
event("look-for-idle", say="The game looks for players who are idle")
step("week-ends", 40, "look-for-idle")


@value("leaves_at", of="player")
def leaves_at(who):
    """When the rules take a player out: the moment, the days before at which a mail goes out, and what keeps them in."""
    if who.idle_for >= value("idle_weeks") - 1 and not who.acted:
        return (next_moment("monday"), (7,), "An order, a vote or a proposal before then is enough to stay.")


@after("order")
def is_active(e):
    if not e.caused_by("next-order"):
        put(e.who, "acted", True)


@after("count")
def voters_are_active(e):
    for _, _, who in e.ballots or ():
        if exists(who):
            put(who, "acted", True)


@on("look-for-idle")
def look_for_idle(e):
    limit = value("idle_weeks")
    for who in players():
        put(who, "idle_for", 0 if who.acted else who.idle_for + 1)
        put(who, "acted", False)
        if who.idle_for >= limit:
            remove(who, f"nothing done in {limit} weeks", "idle")
        elif who.idle_for == limit - 1:
            tell(
                who, f"You have done nothing in {who.idle_for} weeks; after one more the rules take you out of the game"
            )


@on("remove")
def clear_away(e):
    mine = owned_by(e.who)
    for each in mine:
        do("change-owner", square=each, to=None)
    if mine:
        do("squares-lost", who=e.who, squares=tuple(mine))


@action("leave-game", "Leave the game", in_pause=True, at_once=True)
def leave_game(e):
    remove(e.who, "", "left")

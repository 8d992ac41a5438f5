"""Section 3: who plays."""

section("3", "Players")

rule("3.1", """
Every player has a name of their own, of 1 to {longest_name} characters, and an e-mail address that works. No person is more
than one player.
""", title="Name, address, one person", longest_name=30)

event("open")


@check("apply")
def proper_name(e):
    return name_problem(e.name, rule.longest_name)


rule("3.2", """
The Admin is not a player.
""", title="The Admin is no player")

rule("3.3", """
Anybody may join the game at any time, if the Admin approves.
""", title="Joining")

attribute("player", "joined_at", None, label="Joined", moment="real", fixed=True)


@after("join")
def welcome(e):
    put(e.who, "joined_at", now())


rule("3.4", """
A player who has not signed in to this site for {login_limit} hours (21 days) is out of the game. Whatever a player does in the
game counts as signing in, and in a pause nobody is out before it ends. Whoever leaves the game takes their money and items out
of it; their units and buildings are destroyed, their offers lapse, and their votes on open proposals no longer count. A proposal
of theirs goes on without them. Who returns begins anew.
""", title="Gone for 21 days", login_limit=504)

attribute("player", "last_login", None, label="Last here", show=("owner", "admin"), moment="real")
setting("login_limit")
event("login-limit", say="The game looks for players who are gone", who="player")
event("pieces-lost", "pieces-lost", say="{told}", who="player", told="")


def last_seen(who):
    """When a player was last known to be here."""
    return max(who.last_login or 0, who.joined_at or 0)


def watch(who):
    """Look again when the time of a player would be up."""
    cancel("login-limit", who=who)
    at(last_seen(who) + hours(value("login_limit")), "login-limit", real=True, who=who)


@value("leaves_at", of="player")
def leaves_at(who):
    """When the rules take a player out: the moment, the days before at which a mail goes out, and what keeps them in."""
    if last_seen(who):
        stays = "Sign in to the site before then: that is enough to stay."
        return (last_seen(who) + hours(value("login_limit")), (7, 1), stays)


@after("join")
def begin_to_watch(e):
    watch(e.who)


@after("entry")
def somebody_is_here(e):
    if e.who is not None and exists(e.who):
        put(e.who, "last_login", now())


@after("grant")
def seen_by_decree(e):
    if e.thing.kind == "player" and exists(e.thing) and e.attribute in ("last_login", "joined_at"):
        watch(e.thing)


@after("rules-changed")
def new_limit(e):
    for who in players():
        if who.joined_at is not None:
            watch(who)


@on("login-limit")
def is_gone(e):
    if last_seen(e.who) + hours(value("login_limit")) > now():
        watch(e.who)
    elif thing("game").paused:
        at(game_time(), "login-limit", who=e.who)
    else:
        limit = value("login_limit")
        remove(e.who, f"not here for {limit} hours" if limit % 24 else f"not here for {limit // 24} days", "idle")


@check("log-in")
def once_a_day(e):
    if e.who.last_login is not None and now() < e.who.last_login + days(1):
        return "that you are here is noted already, and once a day is enough"


@action("log-in", "Sign in", in_pause=True, private="order", hidden=True)
def log_in(e):
    pass


@on("remove")
def clear_away(e):
    close_offers_of(e.who)
    mine = pieces_of(e.who)
    if mine:
        named = ", ".join([each.id for each in mine])
        do("pieces-lost", who=e.who, told=f"{named} {'leaves' if len(mine) == 1 else 'leave'} the board")
    for each in mine:
        destroy(each)
    if e.who.money > 0:
        lose(e.who, e.who.money)
    put(e.who, "items", ())


@action("leave-game", "Leave the game", in_pause=True)
def leave_game(e):
    remove(e.who, "", "left")


rule("3.5", """
Players treat each other and the Admin with respect. Who fails to again and again is removed from the game.
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

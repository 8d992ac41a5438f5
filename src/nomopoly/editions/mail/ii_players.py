"""Section II: who plays, Teams, Freemasons and Best Friends, coming and going."""

section("II", "Players")

rule("II.1", """
Anybody may join at any time by telling the Admin, and is in the game at once. Every player needs an e-mail address of their own
and a name of their own, of 1 to {longest_name} characters, that neither confuses nor annoys the others.
""", title="Joining", longest_name=30)

event("open", weekday="")


@check("apply")
def proper_name(e):
    return name_problem(e.name, rule.longest_name)


rule("II.2", """
The Admin is not a player: the Admin does not join, own, propose or move.
""", title="The Admin does not play")

rule("II.3", """
Every player is either a Freemason or on one of four Teams: the North, the South, the East or the West Team. A newcomer joins one
of those Teams that have the fewest players, each of them being equally likely.
""", title="Teams")

row("team", "North")
row("team", "South")
row("team", "East")
row("team", "West")
attribute("player", "team", None, label="Team")
event("join-team", "joined-team", say="{who} joins the {team} Team", who="player", team="")
event("leave-team", "left-team", say="{who} leaves the {team} Team", who="player", team="")


@value("team_members", type="list")
def team_members(team):
    return tuple(members_of(team))


@after("join")
def least_of_teams(e):
    size = {name: len(value("team_members", name)) for name in team_names()}
    if size:
        fewest = min(size.values())
        do("join-team", who=e.who, team=pick_one([name for name in size if size[name] == fewest]))


@on("join-team")
def join_team(e):
    put(e.who, "team", e.team)


@on("leave-team")
def leave_team(e):
    put(e.who, "team", None)


rule("II.6", """
A player may declare at any time to be a Freemason. A Freemason is on no Team, and remains a Freemason.
""", title="Becoming a Freemason")

attribute("player", "freemason", False, label="Freemason")
event("become-freemason", "freemason", say="{who} is a Freemason", who="player")


@on("become-freemason")
def freemason_now(e):
    put(e.who, "freemason", True)
    if team_of(e.who) is not None:
        do("leave-team", who=e.who, team=e.who.team)


@action("declare-freemason", "Become a Freemason")
def declare_freemason(e):
    if e.who.freemason:
        refuse("already a Freemason")
    become_freemason(e.who)

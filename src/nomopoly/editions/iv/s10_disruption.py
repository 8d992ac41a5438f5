"""Section 10: when play is disrupted."""

section("10", "Disruption of Gameplay")

rule("10.1", """
A paradox, an endless loop or anything else that keeps the game from going on pauses it. The Admin may also pause the game at will.
""", title="Pause")

rule("10.2", """
While the game is paused, players can do nothing but vote, sign in and leave the game.
""", title="What goes on")

rule("10.3", """
While the game is paused because it was disrupted, players offer ideas, and the Admin makes a proposal, which is voted on like a
player's. If it is accepted it is implemented and the game goes on; if not, this begins again.
""", title="The way out")


@check("end-disruption")
def not_by_the_admin_alone(e):
    if e.how == "admin":
        return "the game was disrupted: it goes on when the players have accepted a proposal of the Admin"


@check("propose")
def only_in_a_disruption(e):
    if e.who is None and thing("game").pause_kind != "disruption":
        return "the Admin proposes only while the game is paused by a disruption"


@after("propose")
def open_the_way(e):
    if e.who is None:
        put(e.result, "cleared", True)
        way_out(e.result, e.result.closes_at)


@after("close")
def decided(e):
    cancel("emergency-closes", proposal=e.proposal)


@after("retract-proposal")
def taken_back(e):
    cancel("emergency-closes", proposal=e.on)


@after("implement")
def the_way_out(e):
    if e.on.author is None and e.on.outcome == "implemented" and thing("game").pause_kind == "disruption":
        do("end-disruption", how="proposal")


rule("10.4", """
If an error loses part of the game, the Admin brings back an earlier copy of it.
""", title="Lost data")

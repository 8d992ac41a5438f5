"""Section X: when play is disrupted: the pause, and the way out of it."""

section("X", "Disruption of Gameplay")

rule("X.1", """
A paradox, an endless loop or anything else that stops play pauses the game; the Admin may pause it too. While it is paused there are
no turns, no orders and no proposals by players, and what the calendar would have brought is dropped. A ballot that is open already is
counted as usual; proposals that are not on it yet wait for the first voting period after the pause.
""", title="Pause")

attribute("proposal", "way_out", False, label="Way out of a pause", show=("owner", "admin", "published"))
attribute("game", "ballot_waits", False, show="nobody")


@modify("goes_on_ballot")
def not_in_a_pause(proposal, base):
    return set(False) if thing("game").paused and not proposal.way_out else None


@after("voting-opens")
def opens_without_players(e):
    put(thing("game"), "ballot_waits", thing("game").paused)


@after("voting-closes")
def closes_without_players(e):
    put(thing("game"), "ballot_waits", False)


@after("entry")
def opens_late(e):
    if thing("game").ballot_waits and not thing("game").paused:
        put(thing("game"), "ballot_waits", False)
        do("ballot-opens")


rule("X.2", """
While the game is paused the Admin hears suggestions and makes the only proposal of that week, which is voted on as usual. If it is
accepted, play goes on; if not, the pause lasts, and this begins again.
""", title="Way out")

attribute("game", "way_out_found", False, show="nobody")


@value("resume_runs_again")
def resume_runs_again():
    """By the Admin's `resume` alone a disruption ends only if what broke holds when it is carried out again."""
    return True


@check("propose")
def one_at_a_time(e):
    if e.who is None and thing("game").paused:
        open_now = [each for each in every("proposal") if each.way_out and each.status in ("made", "voting")]
        if open_now:
            return f"{open_now[0].id} is to be decided first: one proposal at a time leads out of a pause"


@after("propose")
def put_up(e):
    if e.who is None and thing("game").paused:
        put(e.result, "way_out", True)
        if value("voting_period"):
            do("ballot-opens")


@after("publish")
def see_to_it(e):
    if e.proposal.way_out:
        way_out(e.proposal, now() + days(3))


@after("count")
def counted(e):
    cancel("emergency-closes", proposal=e.proposal)


@after("enact")
def found(e):
    if e.proposal.way_out and thing("game").paused:
        put(thing("game"), "way_out_found", True)


@after("votes-counted")
def play_goes_on(e):
    if thing("game").way_out_found:
        put(thing("game"), "way_out_found", False)
        do("end-disruption", how="proposal")

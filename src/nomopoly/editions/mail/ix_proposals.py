"""Section IX: how the rules change, and how a judged proposal earns a turn."""

section("IX", "Proposals")

rule("IX.1", """
Players propose new rules, or changes of rules, by submitting them to the Admin. A proposal is public from that moment.
""", title="Proposing")

kind("proposal", prefix="P")
attribute("proposal", "status", "undecided", label="Status")
attribute("proposal", "verdict", None, label="Verdict")
attribute("proposal", "author", None, label="Author", type="thing")
attribute("proposal", "made_at", None, label="Made", moment="real")
attribute("proposal", "title", "", label="Title")
attribute("proposal", "text", "", label="Words")
attribute("proposal", "changes", "[]", label="Changes")
attribute("proposal", "run", "", label="Program")
attribute("proposal", "because", None, label="The Admin's remark")


@action(
    "propose",
    "Make a proposal",
    fact="proposed",
    say="{who} proposes: {title}",
    at_once=True,
    title=words("Title", limit=200, optional=True),
    text=words("Words", limit=50000, long=True, optional=True),
    changes=change_list("Changes of the rules"),
    run=program("Program that runs once"),
)
def propose(e):
    proposal = make_proposal(e)
    note(proposal=proposal)
    return proposal


rule("IX.2", """
At most {proposal_limit} proposals of a player are undecided at a time: who submits one more has the oldest of them discarded. A
discarded proposal earns nothing.
""", title="Two at a time", proposal_limit=2)

event("discard", "discarded", say="{proposal} is discarded", proposal="proposal")


@value("proposal_limit", of="player")
def proposal_limit(who):
    return rule.proposal_limit


@on("discard")
def discard(e):
    put(e.proposal, "status", "discarded")


def without_verdict(who):
    """A player's proposals that the Admin has not decided upon, oldest first."""
    return [each for each in undecided(who) if each.verdict is None]


@after("propose")
def oldest_goes(e):
    mine = without_verdict(e.who)
    if len(mine) > value("proposal_limit", e.who):
        do("discard", proposal=mine[0])


rule("IX.3", """
The Admin judges every proposal: accepts it or rejects it. Until the update a verdict may be changed; then it is final, and what is
accepted takes effect, all of it or nothing. What has no verdict then waits for the next update.
""", title="Judgement")

event(
    "judge", "judged", say="The Admin has {verdict} {proposal}", proposal="proposal", verdict="", because="", changes="", run=""
)

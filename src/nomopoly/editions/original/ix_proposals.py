"""Section IX: how the rules change."""

section("IX", "Proposals")

rule("IX.1", """
Players propose new rules, or changes of rules, by submitting them to the Admin. A proposal is public from that moment.
""", title="Proposing")

kind("proposal", prefix="P", page=True)
attribute("proposal", "status", "undecided", label="Status", sealed=("undecided",), written_by=("II.1", "IX.2", "IX.3"))
attribute("proposal", "verdict", None, label="Verdict")
attribute("proposal", "author", None, label="Author", type="thing")
attribute("proposal", "made_at", None, label="Made", moment="real")
attribute("proposal", "title", "", label="Title", sealed=("undecided",), written_by=())
attribute("proposal", "text", "", label="Words", sealed=("undecided",), written_by=())
attribute("proposal", "changes", "[]", label="Changes", sealed=("undecided",), written_by=())
attribute("proposal", "run", "", label="Program", sealed=("undecided",), written_by=())
attribute("proposal", "because", None, label="The Admin's remark")


@value("phase", of="proposal")
def phase(proposal):
    """How far a proposal is: made, voting, to-judge (by the Admin), decided (not in force yet) or done."""
    return "to-judge" if proposal.status == "undecided" else "done"


@value("result", of="proposal")
def result(proposal):
    """What came of a proposal: accepted, rejected, withdrawn or replaced; nothing as long as nothing has."""
    return proposal.verdict or (proposal.status if proposal.status in ("replaced", "withdrawn") else None)


@value("standing", of="proposal")
def standing(proposal):
    """How a proposal stands, in a word."""
    return proposal.verdict or proposal.status


@action(
    "propose",
    "Make a proposal",
    fact="proposed",
    say="{who} proposes: {title}",
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
A proposal that a player submits while another of theirs is still undecided replaces the earlier one altogether.
""", title="One at a time")

event("replace", "replaced", say="{proposal} is replaced", proposal="proposal")


@on("replace")
def replace(e):
    put(e.proposal, "status", "replaced")


@after("propose")
def newest_counts(e):
    for proposal in undecided(e.who):
        if proposal is not e.result:
            do("replace", proposal=proposal)


rule("IX.3", """
The Admin judges every proper proposal: accepts it or rejects it. An accepted one is put into effect: the Admin changes the
rules, and whatever else of the game it says.
""", title="Judgement")

event(
    "judge",
    "judged",
    say="The Admin has {verdict} {proposal}",
    proposal="proposal",
    verdict="",
    because="",
    changes="",
    run="",
)


@check("judge")
def still_open(e):
    if e.proposal.status != "undecided":
        return f"this proposal is not pending but closed: {e.proposal.id} is {e.proposal.verdict or e.proposal.status}"


@on("judge")
def judge(e):
    put(e.proposal, "status", "judged")
    put(e.proposal, "verdict", e.verdict)
    put(e.proposal, "because", e.because)
    if e.verdict == "accepted":
        put_into_effect(e.proposal, e.changes, e.run)


@action(
    "accept",
    "Accept a proposal",
    by="admin",
    judges="accepts",
    done="{on} is accepted and in force.",
    on=choose("proposal", "Proposal", choices=lambda who: undecided()),
    because=words("Remark", limit=20000, long=True, optional=True),
    changes=change_list("Changes in place of the proposed ones"),
    run=program("Program in place of the proposed one"),
)
def accept(e):
    do("judge", proposal=e.on, verdict="accepted", because=e.because, changes=e.changes, run=e.run)


@action(
    "reject",
    "Reject a proposal",
    by="admin",
    judges="rejects",
    weighty=True,
    done="{on} is rejected.",
    on=choose("proposal", "Proposal", choices=lambda who: undecided()),
    because=words("Because", limit=20000, long=True, wanted=True),
)
def reject(e):
    do("judge", proposal=e.on, verdict="rejected", because=e.because)


rule("IX.4", """
When a proposal is judged, either way, its author takes a turn. Who wants nothing but the turn submits a proposal that changes
nothing, by custom called "{customary}".
""", title="A turn for every judgement", customary="A turn, please")


@value("customary_proposal")
def customary_proposal():
    return rule.customary


@after("judge")
def earn_turn(e):
    if exists(e.proposal.author):
        do("turn", may=True, who=e.proposal.author, because=rule.id)

"""Section 9: how the rules change."""

section("9", "Proposals")

rule("9.1", """
A player may make a proposal whenever none of their own is being voted on. A proposal cannot be altered, only retracted and made
anew.
""", title="One at a time")

kind("proposal", prefix="P", page=True)
attribute(
    "proposal", "status", "Voting", label="Status", sealed=("Voting",), written_by=("9.6", "9.7", "9.9", "9.10", "11.2")
)
attribute("proposal", "outcome", None, label="Outcome")
attribute("proposal", "author", None, label="Author", type="thing")
attribute("proposal", "made_at", None, label="Made", moment="real")
attribute("proposal", "title", "", label="Title", sealed=("Voting",), written_by=())
attribute("proposal", "text", "", label="Words", sealed=("Voting",), written_by=())
attribute("proposal", "changes", "[]", label="Changes", sealed=("Voting",), written_by=())
attribute("proposal", "run", "", label="Program", sealed=("Voting",), written_by=())


@value("phase", of="proposal")
def phase(proposal):
    """How far a proposal is: made, voting, to-judge (by the Admin), decided (not in force yet) or done."""
    if proposal.status == "Voting":
        closes_at = attribute_of(proposal, "closes_at")
        return "voting" if closes_at is None or now() < closes_at else "decided"
    return "to-judge" if proposal.status == "Pending" else "done"


@value("result", of="proposal")
def result(proposal):
    """What came of a proposal: accepted, rejected, withdrawn or replaced; nothing as long as nothing has."""
    if proposal.status in ("Voting", "Pending"):
        return "accepted" if proposal.status == "Pending" else None
    return {"implemented": "accepted", "rejected": "rejected", "refused": "rejected"}.get(proposal.outcome, "withdrawn")


@value("standing", of="proposal")
def standing(proposal):
    """How a proposal stands, in a word."""
    if proposal.status == "Voting":
        return "Voting" if value("phase", proposal) == "voting" else "being counted"
    return proposal.outcome or ("Pending" if proposal.status == "Pending" else "without effect")


@check("propose")
def one_at_a_time(e):
    for proposal in every("proposal"):
        if proposal.author is e.who and proposal.status == "Voting":
            return f"you have a proposal in voting (already voting: {proposal.id}): retract it first"


@action(
    "propose",
    "Make a proposal",
    by="both",
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


rule("9.2", """
A proposal adds rules, takes rules out, changes rules, or changes the state of the game in another way; if it does several of
these things, they are done together or not at all.
""", title="Kinds of proposals")

attribute("proposal", "written_on", "{}", show="nobody")


@check("propose")
def says_something(e):
    if not (e.title or "").strip():
        return "a proposal needs a title"
    if not (e.text or "").strip() and not e.changes and not e.run:
        return "the proposal is empty: give it words, changes or a program"


@after("propose")
def remember_versions(e):
    put(e.result, "written_on", versions_of(e.changes))


rule("9.3", """
No proposal may speak of a trait of a player that no rule in force when it is accepted could change: a name, an address, the
moment of joining, a fact of life outside the game.
""", title="Nothing about fixed traits")

attribute("proposal", "doubts", (), label="Doubts")


def names():
    return [name_of(each) for each in players()]


@check("propose")
def nobody_in_particular(e):
    found = people_named(e.changes, e.run, names(), fixed_traits("player"))
    if found:
        return f"9.3: no proposal may speak of a fixed trait of a player: its program names {', '.join(found)}"


@after("propose")
def flag_names(e):
    found = people_mentioned(prose_of(e.title, e.text, e.changes), names())
    if found:
        put(e.result, "doubts", tuple([f"speaks of {name}" for name in found]))


@after("close")
def look_again(e):
    if not e.accepted:
        return
    named = people_named(from_text(e.proposal.changes), e.proposal.run, names(), fixed_traits("player"))
    fresh = [f"names {name}" for name in named if f"names {name}" not in e.proposal.doubts]
    if fresh:
        put(e.proposal, "doubts", (*e.proposal.doubts, *fresh))


rule("9.4", """
No proposal changes the past, and none has any effect before it is put into the rules.
""", title="Nothing backwards")

rule("9.5", """
A new proposal is being voted on: its status is Voting. Every player may vote Yes or No on it, or abstain, and may change their
mind until the vote closes.
""", title="Voting")


@check("vote")
def still_open(e):
    closes_at = e.on.closes_at
    if e.on.status != "Voting" or (closes_at is not None and now() >= closes_at):
        return f"closed: the voting on {e.on.id} is over"


@action(
    "vote",
    "Vote",
    fact="voted",
    say="{who} votes on {on}",
    in_pause=True,
    ballot="voting-closes",
    sealed=True,
    on=choose(
        "proposal", "Proposal", choices=lambda who: [each for each in every("proposal") if each.status == "Voting"]
    ),
    choice=one_of(("yes", "no", "abstain"), "Choice"),
)
def vote(e):
    pass


rule("9.6", """
{voting_time} hours after it was made, voting on a proposal is complete. If it then has more Yes than No votes it is accepted, and
its status is Pending. Otherwise it is rejected, and its status is Dead.
""", title="The result", voting_time=120)

attribute("proposal", "closes_at", None, label="Voting closes", moment="real", sealed=("Voting",), written_by=())
attribute("proposal", "yes_votes", None, label="Yes", sealed=("Voting",), written_by=())
attribute("proposal", "no_votes", None, label="No", sealed=("Voting",), written_by=())
setting("voting_time")
event("voting-closes", say="The voting on a proposal closes", proposal="proposal", ballots="")
event("close", "closed", say="{proposal}: {yes} Yes, {no} No", proposal="proposal", yes="", no="", accepted="")


@after("propose")
def open_voting(e):
    closes_at = now() + hours(value("voting_time"))
    put(e.result, "closes_at", closes_at)
    at(closes_at, "voting-closes", real=True, fixed=True, proposal=e.result)


@on("voting-closes")
def count_votes(e):
    if e.proposal.status == "Voting":
        yes = tally(e.ballots, e.proposal, "yes")
        no = tally(e.ballots, e.proposal, "no")
        do("close", proposal=e.proposal, yes=yes, no=no, accepted=yes > no)


@on("close")
def settle(e):
    put(e.proposal, "yes_votes", e.yes)
    put(e.proposal, "no_votes", e.no)
    put(e.proposal, "status", "Pending" if e.accepted else "Dead")
    if not e.accepted:
        put(e.proposal, "outcome", "rejected")


rule("9.7", """
A Pending proposal is Dead once the Admin has put it into the rules, as a whole. The Admin may do so with a program of their own
where the proposal has none, or where its own does not do what was voted, and may settle in advance that it happens in the instant
of acceptance. A rule that has changed since the proposal was written is not overwritten unawares.
""", title="Implementation")

attribute("proposal", "cleared", False, label="Cleared")
attribute("proposal", "own_changes", None, show="nobody")
attribute("proposal", "own_run", None, show="nobody")
attribute("proposal", "own_written_on", "{}", show="nobody")
attribute("game", "clears_all", False, label="Everything is cleared")
event("clear", "cleared", say="{proposal} is cleared: it comes into force when it is accepted", proposal="proposal")
event("implement-cleared", say="An accepted proposal is put into force", proposal="proposal")
event(
    "implement-cleared-refused",
    "not-in-force",
    say="{proposal} could not be put into force: {because}",
    proposal="proposal",
    because="",
)
event(
    "in-force",
    "implemented",
    say="{proposal} is implemented{again}",
    proposal="proposal",
    corrected="",
    again="",
)


@check("implement")
def can_be_implemented(e):
    if e.on.status == "Voting":
        return
    if e.on.outcome == "implemented":
        if e.changes is None and e.run is None:
            return f"{e.on.id} is implemented already: to correct it, give the changes or the program that was voted"
        return
    if e.on.status != "Pending":
        return f"this proposal is not Pending: {e.on.id} is {e.on.status}" + (f" ({e.on.outcome})" if e.on.outcome else "")
    if e.changes is None:
        moved = changed_since(e.on.written_on if e.on.own_changes is None else e.on.own_written_on)
    else:
        moved = []
    if moved:
        return (
            f"changed since: rule {', '.join(moved)} has another form than when {e.on.id} was made; give merged changes"
        )


@action(
    "implement",
    "Implement a proposal",
    by="admin",
    judges="implements",
    done="{on}: done.",
    on=choose(
        "proposal",
        "Proposal",
        choices=lambda who: [each for each in every("proposal") if each.status in ("Voting", "Pending")],
    ),
    changes=change_list("Changes in place of the voted ones"),
    run=program("Program in place of the voted one"),
)
def implement(e):
    proposal = e.on
    if proposal.status == "Voting":
        do("clear", proposal=proposal)
        put(proposal, "own_changes", None if e.changes is None else as_text(e.changes))
        put(proposal, "own_written_on", versions_of(e.changes))
        put(proposal, "own_run", e.run)
        return
    again = proposal.outcome == "implemented"
    changes = e.changes
    if changes is None and not again and proposal.own_changes is not None:
        changes = from_text(proposal.own_changes)
    run = e.run if e.run is not None or again else proposal.own_run
    do(
        "in-force",
        proposal=proposal,
        corrected=True if again else None,
        again=" again, corrected" if again else "",
    )
    put(proposal, "status", "Dead")
    put(proposal, "outcome", "implemented")
    if again:
        put_into_effect(proposal, changes or [], run or "")
    else:
        put_into_effect(proposal, changes, run)


@on("clear")
def clear(e):
    put(e.proposal, "cleared", True)


@action(
    "clear-everything",
    "Clear every proposal in advance",
    by="admin",
    on=yes_or_no("Put accepted proposals that have a program into force at once"),
)
def clear_everything(e):
    put(thing("game"), "clears_all", e.on)


@after("close")
def at_once_if_cleared(e):
    proposal = e.proposal
    carries = proposal.run or from_text(proposal.changes)
    if e.accepted and (proposal.cleared or (thing("game").clears_all and carries)):
        at(now(), "implement-cleared", real=True, quiet=True, proposal=proposal)


@on("implement-cleared")
def put_in_force(e):
    if e.proposal.status == "Pending":
        do("implement", on=e.proposal)


rule("9.8", """
When voting is complete, everybody may know how many Yes and how many No votes there were. How anybody has voted is never told.
""", title="Secrecy")

rule("9.9", """
A player may retract a proposal of their own as long as it is being voted on. It is then Dead.
""", title="Retracting")


@check("retract-proposal")
def may_retract(e):
    if e.on.author is not e.who:
        return f"you are not the author of {e.on.id}"
    if e.on.status != "Voting":
        return f"closed: the voting on {e.on.id} is over"


@action(
    "retract-proposal",
    "Retract a proposal",
    by="both",
    fact="retracted",
    say="{who} retracts {on}",
    on=choose(
        "proposal",
        "Proposal",
        choices=lambda who: [each for each in every("proposal") if each.author is who and each.status == "Voting"],
    ),
)
def retract(e):
    put(e.on, "status", "Dead")
    put(e.on, "outcome", "retracted")
    cancel("voting-closes", proposal=e.on)


rule("9.10", """
The Admin may decline to implement an accepted proposal that is discriminatory, paradoxical, impossible to build or destructive of
play, or that breaks 9.3 or 9.4, and says which of these it is.
""", title="The Admin may refuse")

attribute("proposal", "because", None, label="The Admin's reason")
event(
    "veto-done", "refused-by-admin", say="The Admin refuses to implement {proposal}: {because}",
    proposal="proposal", because="", words=""
)


@check("veto")
def only_pending(e):
    if e.on.status != "Pending":
        return f"this proposal is not Pending: {e.on.id} is {e.on.status}"


@action(
    "veto",
    "Refuse to implement a proposal",
    by="admin",
    judges="rejects",
    weighty=True,
    done="{on} is refused.",
    on=choose(
        "proposal", "Proposal", choices=lambda who: [each for each in every("proposal") if each.status == "Pending"]
    ),
    because=one_of(("discriminatory", "paradoxical", "infeasible", "destructive", "9.3", "9.4"), "Because"),
    words=words("In words", limit=20000, long=True, optional=True),
)
def veto(e):
    put(e.on, "status", "Dead")
    put(e.on, "outcome", "refused")
    put(e.on, "because", f"{e.because}: {e.words}" if e.words else e.because)
    do("veto-done", proposal=e.on, because=e.because, words=e.words)

"""Section IX: how the rules change, and how a judged proposal earns a turn."""

section("IX", "Proposals")

rule("IX.1", """
Players propose new rules, or changes of rules, by submitting them to the Admin. That does not wait for the update: a proposal is
public, and undecided, from the moment it arrives. The undecided proposals of a player who leaves the game are discarded; one that
has its verdict already takes effect all the same, but earns its author nothing.
""", title="Proposing")

kind("proposal", prefix="P", page=True)
attribute("proposal", "status", "undecided", label="Status", sealed=("undecided",), written_by=("IX.3",))
attribute("proposal", "verdict", None, label="Verdict")
attribute("proposal", "author", None, label="Author", type="thing")
attribute("proposal", "made_at", None, label="Made", moment="real")
attribute("proposal", "title", "", label="Title", sealed=("undecided",), written_by=())
attribute("proposal", "text", "", label="Words", sealed=("undecided",), written_by=())
attribute("proposal", "changes", "[]", label="Changes", sealed=("undecided",), written_by=())
attribute("proposal", "run", "", label="Program", sealed=("undecided",), written_by=())
event("discard", "discarded", say="{proposal} is discarded", proposal="proposal")


@value("phase", of="proposal")
def phase(proposal):
    """How far a proposal is: made, voting, to-judge (by the Admin), decided (not in force yet) or done."""
    if proposal.status != "undecided":
        return "done"
    return "to-judge" if proposal.verdict is None else "decided"


@value("result", of="proposal")
def result(proposal):
    """What came of a proposal: accepted, rejected, withdrawn or replaced; nothing as long as nothing has."""
    return proposal.verdict or ("withdrawn" if proposal.status == "discarded" else None)


@value("standing", of="proposal")
def standing(proposal):
    """How a proposal stands, in a word."""
    if proposal.status == "undecided" and proposal.verdict is not None:
        return "to be " + proposal.verdict
    return proposal.verdict or proposal.status


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


@on("discard")
def discard(e):
    put(e.proposal, "status", "discarded")


@after("remove")
def author_leaves(e):
    for each in undecided(e.who):
        if each.verdict is None:
            do("discard", proposal=each)


rule("IX.2", """
At most {proposal_limit} proposals of a player are undecided at a time: who submits one more has the oldest of them discarded. A
discarded proposal earns nothing. A proposal with a verdict counts as decided, even before its verdict is carried out.
""", title="Two at a time", proposal_limit=2)


@value("proposal_limit", of="player", label="Proposals at a time")
def proposal_limit(who):
    return rule.proposal_limit


@after("propose")
def oldest_goes(e):
    mine = [each for each in undecided(e.who) if each.verdict is None]
    for each in mine[: max(0, len(mine) - value("proposal_limit", e.who))]:
        do("discard", proposal=each)


rule("IX.3", """
The Admin judges every proposal: accepts it or rejects it. A verdict may be changed until the week's judging, which is part of the
update; there it is final. An accepted proposal then takes effect, with all that it holds or not at all: one that cannot be put into
effect is undecided again, and nobody gains or loses by it. The Admin may put its changes of the rules into other, working, words.
What has no verdict waits for the next update.
""", title="Judgement")

attribute("proposal", "because", None, label="The Admin's remark")
attribute("proposal", "changes_instead", None, label="Changes in force in their place")
attribute("proposal", "run_instead", None, label="Program run in its place")
attribute("proposal", "to_reward", False, show="nobody")
attribute("proposal", "to_judge", False, show="nobody")
attribute("proposal", "place", 0, show="nobody")  # in the judging of its week
event("judge", "judged", say="{proposal} is {verdict}", proposal="proposal", verdict="", because="")
event("judge-all", say="The week's judging begins")
event("judge-next", say="A proposal is judged", proposal="proposal")
event("judging-ends", say="The week's judging ends")
event("judgement-fails", "failed", say="{proposal} stays undecided: {because}", proposal="proposal", because="")
event("judge-next-refused", "failed", say="{proposal} stays undecided: {because}", proposal="proposal", because="")
event("reward-all", say="Authors get their money and their turns")
row("quiet", "judge-next")
step("judging", 10, "judge-all", when=lambda: [each for each in undecided() if each.verdict is not None])
step("awards", 10, "reward-all", when=lambda: [each for each in every("proposal") if each.to_reward])


@value("judging_order", bands=("set",))
def judging_order():
    """The undecided proposals in the order in which they are judged."""
    return tuple(undecided())


@check("accept")
@check("reject")
def still_undecided(e):
    if e.on.status != "undecided":
        return f"this proposal is not pending: {e.on.id} is already {e.on.verdict or e.on.status}"


@action(
    "accept",
    "Accept a proposal",
    by="admin",
    judges="accepts",
    say="The Admin accepts {on}; the verdict counts with the update",
    done="{on} is accepted. The verdict counts with the update.",
    on=choose("proposal", "Proposal", choices=lambda who: value("judging_order")),
    because=words("Remark", limit=20000, long=True, optional=True),
    changes=change_list("Changes in place of the proposed ones"),
    run=program("Program in place of the proposed one"),
)
def accept(e):
    put(e.on, "verdict", "accepted")
    put(e.on, "because", e.because)
    put(e.on, "changes_instead", None if e.changes is None else as_text(e.changes))
    put(e.on, "run_instead", e.run)


@action(
    "reject",
    "Reject a proposal",
    by="admin",
    judges="rejects",
    say="The Admin rejects {on}; the verdict counts with the update",
    weighty=True,
    done="{on} is rejected. The verdict counts with the update.",
    on=choose("proposal", "Proposal", choices=lambda who: value("judging_order")),
    because=words("Because", limit=20000, long=True, wanted=True),
)
def reject(e):
    put(e.on, "verdict", "rejected")
    put(e.on, "because", e.because)


@on("judge-all")
def judge_all(e):
    judged = [each for each in value("judging_order") if each.verdict is not None]
    for place in range(len(judged)):
        each = judged[place]
        put(each, "to_judge", True)
        put(each, "place", place + 1)
        follow("judge-next", proposal=each)
    follow("judging-ends")


@on("judge-next")
def judge_next(e):
    do("judge", proposal=e.proposal, verdict=e.proposal.verdict, because=e.proposal.because)


@check("judge")
def still_open(e):
    if e.proposal.status != "undecided":
        return f"this proposal is not pending: {e.proposal.id} is already {e.proposal.verdict or e.proposal.status}"


@on("judge")
def judge(e):
    proposal = e.proposal
    put(proposal, "to_judge", False)
    put(proposal, "to_reward", True)
    put(proposal, "status", "judged")
    put(proposal, "verdict", e.verdict)
    if e.verdict == "accepted":
        changes = from_text(proposal.changes_instead) if proposal.changes_instead is not None else None
        put_into_effect(proposal, changes, proposal.run_instead)


@on("judging-ends")
def judging_ends(e):
    for each in every("proposal"):
        if each.to_judge:
            put(each, "to_judge", False)
            if each.status == "undecided":
                do("judgement-fails", proposal=each, because="it could not be put into effect")


@on("judge-next-refused")
def judging_refused(e):
    put(e.proposal, "to_judge", False)
    put(e.proposal, "verdict", None)


@on("judgement-fails")
def judgement_fails(e):
    put(e.proposal, "verdict", None)


@on("reward-all")
def reward_all(e):
    for each in sorted([each for each in every("proposal") if each.to_reward], key=lambda each: each.place):
        put(each, "to_reward", False)
        if each.author is not None and exists(each.author):
            for part in rows("reward", by="place"):
                when = part.when
                if when(each):
                    follow(part.event, proposal=each, who=each.author)


rule("IX.4", """
A rejected proposal may be declared a Complete Waste of Time by the Admin: if it changes no rules, if nobody can understand it, or if
it repeats exactly one that has already been rejected.
""", title="Wastes of time")

attribute("proposal", "waste", False, label="A Complete Waste of Time")


@value("repeats", of="proposal", label="Repeats the rejected")
def repeats(proposal):
    """The first rejected proposal that a proposal says over again, or None."""
    for each in every("proposal"):
        if each is proposal:
            return None
        if each.status == "judged" and each.verdict == "rejected" and said_by(each) == said_by(proposal):
            return each
    return None


def said_by(proposal):
    """What a proposal holds, as two are compared."""
    return (proposal.text.strip(), proposal.changes, proposal.run.strip())


def rejected_ones():
    return [each for each in undecided() if each.verdict == "rejected"]


@check("waste-of-time")
def rejected_before(e):
    if e.on.status != "undecided" or e.on.verdict != "rejected":
        return f"not rejected: {e.on.id} is {e.on.verdict or e.on.status}"


@action(
    "waste-of-time",
    "Declare a proposal a Complete Waste of Time",
    by="admin",
    say="The Admin declares {on} a Complete Waste of Time",
    done="{on} is a Complete Waste of Time.",
    on=choose("proposal", "Proposal", choices=lambda who: rejected_ones()),
    because=words("Because", limit=2000, long=True, optional=True),
)
def waste_of_time(e):
    put(e.on, "waste", True)


@after("accept")
def no_waste_after_all(e):
    put(e.on, "waste", False)


rule("IX.5", """
Every judged proposal that is no Complete Waste of Time earns its author a turn. The turns come after the week's judging, in the order
of judging; each after those that earlier proposals have earned.
""", title="The turn")

event("proposal-turn", proposal="proposal", who="player")
row("reward", "turn", place=30, event="proposal-turn", when=lambda proposal: not attribute_of(proposal, "waste", False))


@on("proposal-turn")
def earned_turn(e):
    do("turn", may=True, who=e.who, because=e.proposal.id)


rule("IX.6", """
Right before the turn an accepted proposal earns its author ${award}; for a rejected one its author is fined ${fine}. A Complete Waste
of Time is fined as well, in its place in the order.
""", title="Award and fine", award=100, fine=10)

event("proposal-money", proposal="proposal", who="player")
row("reward", "money", place=10, event="proposal-money", when=lambda proposal: True)


@on("proposal-money")
def money_for_it(e):
    if e.proposal.verdict == "accepted":
        award(e.who, rule.award)
    else:
        fine(e.who, rule.fine)


rule("IX.7", """
The proposals of a week are judged in this order: everybody's first undecided proposal before anybody's second, all the second ones
before the third, and so on; among these, the earlier ones first. All undecided proposals of a player are counted, in the order in
which they came, those too that the Admin has not yet decided upon.
""", title="Order of judging")


@modify("judging_order")
def by_rounds(base):
    """One proposal of each author after the other; `rank`: how many of the same author go before."""
    ranked = []
    made = {}
    for each in base:
        rank = made.get(each.author.id, 0)
        made[each.author.id] = rank + 1
        ranked.append((rank, len(ranked), each))
    return set(tuple([each for _, _, each in sorted(ranked, key=lambda part: part[:2])]))


rule("IX.8", """
The Admin may declare a proposal to be a Sick Proposal. A Sick Proposal by a player who is not Sick as it is judged is rejected in any
case.
""", title="Sick Proposals")

attribute("proposal", "sick", False, label="A Sick Proposal")
event(
    "too-healthy", "too-healthy", say="{proposal} is a Sick Proposal, and {who} is not Sick", proposal="proposal",
    who="player"
)


@check("sick")
def open_to_be_sick(e):
    if e.on.status != "undecided":
        return f"this proposal is not pending: {e.on.id} is already {e.on.verdict or e.on.status}"


@action(
    "sick",
    "Declare a proposal Sick",
    by="admin",
    say="The Admin declares {on} a Sick Proposal",
    done="{on} is a Sick Proposal.",
    on=choose("proposal", "Proposal", choices=lambda who: [each for each in undecided() if not each.sick]),
)
def sick(e):
    put(e.on, "sick", True)


@instead("judge")
def only_from_the_sick(e):
    if e.verdict == "accepted" and is_too_healthy(e.proposal):
        return e.but(verdict="rejected")


@after("judge")
def say_why(e):
    if e.verdict == "rejected" and is_too_healthy(e.proposal):
        do("too-healthy", proposal=e.proposal, who=e.proposal.author)


def is_too_healthy(proposal):
    """Whether this is a Sick Proposal by a player who is not Sick."""
    return proposal.sick and not attribute_of(proposal.author, "sick", False)


rule("IX.9", """
If an accepted proposal simplifies the rules, in the opinion of the Admin, its author is awarded another ${award}.
""", title="Simplifying", award=100)

attribute("proposal", "simplifies", False, label="Simplifies the rules")
event("award-simplifying", proposal="proposal", who="player")
row(
    "reward", "simplifying", place=20, event="award-simplifying",
    when=lambda proposal: proposal.verdict == "accepted" and proposal.simplifies
)


@check("simplifies")
def open_to_be_simple(e):
    if e.on.status != "undecided":
        return f"this proposal is not pending: {e.on.id} is already {e.on.verdict or e.on.status}"
    if e.on.verdict == "rejected":
        return f"not accepted: {e.on.id} is rejected"


@action(
    "simplifies",
    "Declare that a proposal simplifies the rules",
    by="admin",
    say="The Admin finds that {on} simplifies the rules",
    done="{on} simplifies the rules.",
    on=choose("proposal", "Proposal", choices=lambda who: [each for each in undecided() if not each.simplifies]),
)
def simplifies(e):
    put(e.on, "simplifies", True)


@on("award-simplifying")
def award_simplifying(e):
    award(e.who, rule.award)

"""Section VIII: how the rules change: proposals, the vote on them, and what the Admin may do to them."""

section("VIII", "Proposals")

rule("VIII.1", """
A proposal is a new rule, the removal of a rule, a change of a rule, or a change of the game that is none of these. It may hold
several of them, which are accepted or rejected as one. Words alone will do: they are a rule that the players keep, until the Admin
adds a program.
""", title="What a proposal is", words_section="XXXVI")

kind("proposal", prefix="P", page=True)
attribute(
    "proposal", "status", "made", label="Status", show=("owner", "admin", "published"), sealed=("voting",),
    written_by=("VIII.2", "VIII.4", "VIII.5")
)
attribute("proposal", "published", False, label="Public", show=("owner", "admin", "published"))
attribute("proposal", "author", None, label="Author", type="thing", show=("owner", "admin", "published"))
attribute("proposal", "made_at", None, label="Made", moment="real", show=("owner", "admin", "published"))
attribute("proposal", "week", 0, label="Week", show=("owner", "admin", "published"))
attribute(
    "proposal", "title", "", label="Title", show=("owner", "admin", "published"), sealed=("voting",),
    written_by=("XXXII.2",)
)
attribute(
    "proposal", "text", "", label="Words", show=("owner", "admin", "published"), sealed=("voting",),
    written_by=("XXXII.2",)
)
attribute(
    "proposal", "changes", "[]", label="Changes", show=("owner", "admin", "published"), sealed=("voting",),
    written_by=("XXXII.2",)
)
attribute(
    "proposal", "run", "", label="Program", show=("owner", "admin", "published"), sealed=("voting",),
    written_by=("XXXII.2",)
)
attribute("proposal", "rules_made", (), show="nobody")  # (number asked for, number it got) of each rule it has made
attribute("proposal", "without_program", (), show="nobody")  # rules that it has given words and no program
event("publish", "published", say="{proposal} is published: {title}", proposal="proposal", title="")
event("replace", "replaced", say="{proposal} is replaced", proposal="proposal")
event(
    "enact",
    "enacted",
    say="{proposal} is enacted{again}",
    proposal="proposal",
    changes="",
    run="",
    corrected="",
    again="",
)
event("enact-refused", "not-enacted", say="{proposal} could not be enacted: {because}", proposal="proposal", because="")


@value("phase", of="proposal")
def phase(proposal):
    """How far a proposal is: made, voting, to-judge (by the Admin), decided (not in force yet) or done."""
    if proposal.status == "voting":
        return "voting" if attribute_of(proposal, "on_ballot") else "made"
    if proposal.status == "sent-back":
        return "made" if attribute_of(proposal, "may_return") else "done"
    return "made" if proposal.status == "made" else "done"


@value("result", of="proposal")
def result(proposal):
    """What came of a proposal: accepted, rejected, withdrawn or replaced; nothing as long as nothing has."""
    other = {"retracted": "withdrawn", "vetoed": "rejected"}
    status = other.get(proposal.status, proposal.status)
    return status if status in ("accepted", "rejected", "withdrawn", "replaced") else None


@value("standing", of="proposal")
def standing(proposal):
    """How a proposal stands, in a word."""
    if proposal.status == "made":
        return "public with the first update"
    return "public" if proposal.status == "voting" and value("phase", proposal) == "made" else proposal.status


@action(
    "propose",
    "Make a proposal",
    by="both",
    fact="proposed",
    say="{who} proposes: {title}",
    private="order",
    at_once=True,
    title=words("Title", limit=200, optional=True),
    text=words("Words", limit=50000, long=True, optional=True),
    changes=change_list("Changes of the rules"),
    run=program("Program that runs once"),
)
def propose(e):
    proposal = make_proposal(e)
    put(proposal, "week", thing("game").week)
    note(proposal=proposal, only=("admin",) if e.who is None else (e.who, "admin"))
    return proposal


@on("publish")
def publish(e):
    put(e.proposal, "published", True)
    put(e.proposal, "status", "voting")
    note(title=e.proposal.title)


@on("replace")
def replace(e):
    put(e.proposal, "status", "replaced")
    if not e.proposal.published:
        note(only=(e.proposal.author, "admin"))


@check("retract-proposal")
def may_retract(e):
    if e.on.author is not e.who:
        return f"you are not the author of {e.on.id}"
    if e.on.status != "made" and (e.on.status != "voting" or value("proposal_period")):
        return f"{e.on.id} is {e.on.status}"


@action(
    "retract-proposal",
    "Retract a proposal",
    fact="retracted",
    say="{who} retracts {on}",
    private="order",
    at_once=True,
    on=choose(
        "proposal",
        "Proposal",
        choices=lambda who: [each for each in every("proposal") if each.author is who and each.status == "made"],
    ),
)
def retract(e):
    put(e.on, "status", "retracted")
    note(only=(e.who, "admin"))


@on("enact")
def enact_proposal(e):
    proposal = e.proposal
    again = proposal.enacted
    put(proposal, "enacted", True)
    if e.changes is None:
        changes = [] if again else from_text(proposal.changes)
    else:
        changes = own_rules(proposal, e.changes)
    run = e.run if e.run is not None or again else proposal.run
    if not again and not changes and not run:
        changes = [{"enact": f"{rule.words_section}.1", "section_title": "Rules in Words", **in_words(proposal)}]
    possible = [each for each in changes if "enact" in each or rule_since(id_in(each)) is not None]
    for each in changes:
        if each not in possible:
            tell("admin", f"{proposal.id} can no longer change {id_in(each)}: there is no such rule any more")
    added = [each for each in possible if adds_program(proposal, each)]
    make_changes(proposal, [each for each in possible if each not in added])
    make_changes(proposal, added, clerical=True)
    run_once(run or "", by=proposal.id)


def in_words(proposal):
    """The parts of a rule that a proposal of words alone makes."""
    return {"title": proposal.title, "text": proposal.text or proposal.title}


def id_in(change):
    """The number of the rule that a change is about."""
    return str(change.get("enact") or change.get("amend") or change.get("repeal"))


def own_rules(proposal, changes):
    """Changes in which the enacting of a rule that the proposal has made already is an amendment of it."""
    made = dict(proposal.rules_made)
    found = []
    for change in changes:
        number = made.get(id_in(change))
        if "enact" in change and number is not None and rule_since(number) is not None:
            change = {"amend": number, **{part: change[part] for part in change if part != "enact"}}
        found.append(change)
    return found


def adds_program(proposal, change):
    """Whether a change adds a program to words that stay as they are: that leaves the age of the rule alone."""
    return "amend" in change and not change.get("text") and id_in(change) in proposal.without_program


def make_changes(proposal, changes, clerical=False):
    """Carry out changes together, and take note of the rules made and of those that have words and no program yet."""
    numbers = change_rulebook(changes, by=proposal.id, clerical=clerical)
    for place in range(len(changes)):
        change = changes[place]
        number = numbers[place]
        if "enact" in change:
            put(proposal, "rules_made", (*proposal.rules_made, (id_in(change), number)))
        bare = tuple([each for each in proposal.without_program if each != number])
        if change.get("text") and not [part for part in ("code", "params", "functions") if change.get(part)]:
            bare = (*bare, number)
        put(proposal, "without_program", bare)


rule("VIII.2", """
A proposal that is unclear, paradoxical or incomplete the Admin may send back to its author with suggestions, until voting on it
begins. Its author may until then send one new version, which counts as received in time; without one it is not voted on.
""", title="Sent back")

attribute("proposal", "because", None, label="The Admin's reason", show=("owner", "admin", "published"))
attribute("proposal", "may_return", False, show="nobody")
event("send-back", "sent-back", say="{proposal} is sent back: {because}", proposal="proposal", because="")


@value("sent_back", of="player")
def sent_back(who):
    """The proposal of which a player may send a new version, or None."""
    mine = [each for each in every("proposal") if each.author is who and each.status == "sent-back" and each.may_return]
    return mine[0] if who is not None and mine else None


def all_to_judge():
    """What the Admin can reject: proposals before the vote, names of squares, applications for patents."""
    proposals = [each for each in every("proposal") if each.status in ("made", "voting") and not each.on_ballot]
    named = [each for each in every("square") if each.name is not None]
    return [*proposals, *named, *[each for each in every("patent") if each.status == "applied"]]


@check("reject")
def of_a_sort_that_is_judged(e):
    if e.on.kind not in ("proposal", "square", "patent"):
        return f"{e.on.id} is neither a proposal nor a square's name nor a patent"


@check("reject")
def can_be_sent_back(e):
    if e.on.kind == "proposal" and (e.on.status not in ("made", "voting") or e.on.on_ballot):
        return f"{e.on.id} is {e.on.status}: a proposal is sent back before voting on it begins"


@action(
    "reject",
    "Reject",
    by="admin",
    judges="rejects",
    weighty=True,
    done="{on} is rejected.",
    private=lambda fields: "order" if fields["on"].kind == "proposal" and not fields["on"].published else "",
    on=choose("", "What", choices=lambda who: all_to_judge()),
    because=words("Because", limit=20000, long=True, wanted=True),
)
def reject(e):
    if e.on.kind == "proposal":
        do("send-back", proposal=e.on, because=e.because or "")


@on("send-back")
def send_back(e):
    put(e.proposal, "status", "sent-back")
    put(e.proposal, "because", e.because)
    put(e.proposal, "may_return", True)
    if not e.proposal.published:
        note(only=("admin",) if e.proposal.author is None else (e.proposal.author, "admin"))


@after("propose")
def new_version(e):
    old = value("sent_back", e.who)
    if old is not None:
        do("replace", proposal=old)
        if not value("proposal_period"):
            do("publish", proposal=e.result)


@after("ballot-opens")
def too_late(e):
    if not thing("game").paused:
        for each in every("proposal"):
            if each.may_return:
                put(each, "may_return", False)


rule("VIII.3", """
Every player may vote Yes or No on each proposal, or abstain, and may change their mind until the voting period is over; then it is
told who voted how. Who sends nothing on a proposal abstains, and is fined ${silence_fine} for it.
""", title="Voting", silence_fine=100)

attribute("proposal", "on_ballot", False, label="On the ballot", show=("owner", "admin", "published"))
attribute("proposal", "cast", None, show="nobody")
setting("silence_fine")
event("ballot-opens")
event(
    "fine-for-silence", "fined", say="{who} is fined ${amount}: no vote on {proposal}", who="player", amount="",
    proposal="proposal"
)


@value("goes_on_ballot", of="proposal")
def goes_on_ballot(proposal):
    return proposal.status in ("made", "voting") and not proposal.on_ballot


@after("voting-opens")
def open_voting(e):
    game = thing("game")
    waiting = [each for each in every("proposal") if value("goes_on_ballot", each)]
    if game.week > 0 and (waiting or not game.paused):
        do("ballot-opens")


@on("ballot-opens")
def open_ballot(e):
    for each in every("proposal"):
        if value("goes_on_ballot", each):
            if each.status == "made":
                do("publish", proposal=each)
            put(each, "on_ballot", True)


@check("vote")
def on_the_ballot(e):
    if e.on.status != "voting" or (value("voting_period") and not e.on.on_ballot):
        when = "" if value("voting_period") else ", and the voting period is Friday and Saturday"
        return f"not on the ballot: {e.on.id} is {e.on.status}{when}"


@action(
    "vote",
    "Vote",
    fact="voted",
    say="{who} votes on {on}",
    in_pause=True,
    at_once=True,
    ballot="count",
    on=choose(
        "proposal", "Proposal", choices=lambda who: [each for each in every("proposal") if each.status == "voting"]
    ),
    choice=one_of(("yes", "no", "abstain"), "Choice"),
)
def vote(e):
    pass


@value("ballots", of="proposal", label="Votes", type="votes")
def ballots(proposal):
    return None if proposal.cast is None else dict([(who.id, choice) for who, choice in proposal.cast])


@after("count")
def punish_silence(e):
    voted = [who for who, _ in e.proposal.cast]
    for who in players():
        if who not in voted and value("silence_fine") > 0:
            do("fine-for-silence", who=who, amount=value("silence_fine"), proposal=e.proposal)


@on("fine-for-silence")
def fine_for_silence(e):
    pay(e.who, "$admin", e.amount)


rule("VIII.4", """
A proposal with more Yes than No votes is accepted and the rules are changed; its author receives {author_cards} card, and everybody
who voted Yes {yes_cards}. Any other is rejected and gone. All proposals are counted in Sunday's update, after its orders and before its
turns; then the accepted ones are enacted, in order of their numbers. Nobody ever has more votes on a proposal than there are other
players.
""", title="The count", author_cards=1, yes_cards=1)

setting("author_cards")
setting("yes_cards")
row("quiet", "enact")
attribute(
    "proposal", "yes_votes", None, label="Yes", show=("owner", "admin", "published"), sealed=("voting",), written_by=()
)
attribute(
    "proposal", "no_votes", None, label="No", show=("owner", "admin", "published"), sealed=("voting",), written_by=()
)
attribute(
    "proposal", "abstentions", None, label="Abstentions", show=("owner", "admin", "published"),
    sealed=("voting",), written_by=()
)
attribute("proposal", "enacted", False, show="nobody")
attribute("proposal", "enact_due", False, show="nobody")
attribute("player", "extra_votes", 0, label="Extra votes for the next voting period")
attribute("player", "ballot_votes", 0, label="Extra votes in this voting period")
attribute("player", "yes_votes_received", 0, label="Yes votes received")
attribute("player", "accepted_proposals", 0, label="Proposals accepted")
attribute("player", "unanimous_proposals", 0, label="Proposals accepted without a No")
event("count", "counted", say="{proposal}: {yes} Yes, {no} No", proposal="proposal", ballots="")


@value("vote_limit", of="player")
def vote_limit(who):
    return max(0, count("player") - 1)


@value("votes", of="player")
def votes(who, proposal):
    return 1


@modify("votes")
def extra_votes(who, proposal, base):
    return add(who.ballot_votes) if who.ballot_votes else None


@modify("votes")
def limited(who, proposal, base):
    return at_most(value("vote_limit", who))


@after("ballot-opens")
def take_over_votes(e):
    for who in players():
        if who.extra_votes:
            put(who, "ballot_votes", who.ballot_votes + who.extra_votes)
            put(who, "extra_votes", 0)


@after("votes-counted")
def votes_used(e):
    for who in players():
        put(who, "ballot_votes", 0)


@check("count")
def to_be_counted(e):
    if e.proposal.status != "voting" or not e.proposal.on_ballot:
        return f"not on the ballot: {e.proposal.id}"


@on("count")
def count_votes(e):
    proposal = e.proposal
    cast = ballots_by_name(e.ballots, proposal)
    yes, no, neither = [
        weigh_ballots(cast, choice, lambda who: value("votes", who, proposal)) for choice in ("yes", "no", "abstain")
    ]
    silent = [who for who in players() if who not in [voter for voter, _ in cast]]
    put(proposal, "cast", cast)
    put(proposal, "yes_votes", yes)
    put(proposal, "no_votes", no)
    put(proposal, "abstentions", neither + sum([value("votes", who, proposal) for who in silent]))
    put(proposal, "status", "accepted" if yes > no else "rejected")
    put(proposal, "enact_due", yes > no)
    note(yes=yes, no=no)


@after("count")
def reward(e):
    proposal = e.proposal
    author = proposal.author if proposal.author is not None and exists(proposal.author) else None
    accepted = proposal.status == "accepted"
    if author is not None:
        put(author, "yes_votes_received", author.yes_votes_received + proposal.yes_votes)
        put(author, "accepted_proposals", author.accepted_proposals + (1 if accepted else 0))
        unanimous = accepted and proposal.no_votes == 0
        put(author, "unanimous_proposals", author.unanimous_proposals + (1 if unanimous else 0))
    if accepted:
        for _ in range(value("author_cards") if author is not None else 0):
            draw_card(author)
        for who in [voter for voter, choice in proposal.cast if choice == "yes"]:
            for _ in range(value("yes_cards")):
                draw_card(who)


@check("implement")
def can_be_implemented(e):
    if e.on.status != "accepted":
        return f"this proposal is not pending: {e.on.id} is {e.on.status}, not accepted"
    if e.on.enacted and e.changes is None and e.run is None:
        return f"{e.on.id} is enacted already: to add a program or to correct it, give changes or a program"
    if not e.on.enacted and e.on.enact_due:
        return f"{e.on.id} is about to be enacted"


@action(
    "implement",
    "Implement a proposal",
    by="admin",
    judges="implements",
    done="{on}: done.",
    on=choose(
        "proposal", "Proposal", choices=lambda who: [each for each in every("proposal") if each.status == "accepted"]
    ),
    changes=change_list("Changes: a program added, or a correction"),
    run=program("Program that runs once"),
)
def implement(e):
    again = e.on.enacted
    do(
        "enact",
        proposal=e.on,
        changes=e.changes,
        run=e.run,
        corrected=True if again else None,
        again=" again, corrected" if again else "",
    )


rule("VIII.5", """
The Admin may veto a proposal that is discriminatory, impossible to build or destructive of play, until it is counted, and says why.
Nobody votes on it then, and it was its author's proposal of the week.
""", title="Veto")

event("veto-done", "vetoed", say="{proposal} is vetoed: {because}", proposal="proposal", because="", by="")


@check("veto")
def not_counted_yet(e):
    if e.on.status not in ("made", "sent-back", "voting"):
        return f"{e.on.id} is {e.on.status}: a proposal is vetoed before it is counted"


@action(
    "veto",
    "Veto a proposal",
    by="admin",
    judges="rejects",
    weighty=True,
    done="{on} is vetoed.",
    private=lambda fields: "" if fields["on"].published else "order",
    on=choose(
        "proposal",
        "Proposal",
        choices=lambda who: [each for each in every("proposal") if each.status in ("made", "sent-back", "voting")],
    ),
    because=words("Because", limit=20000, long=True),
    words=words("In words", limit=20000, long=True, optional=True),
)
def veto(e):
    do("veto-done", proposal=e.on, because=f"{e.because}: {e.words}" if e.words else e.because)


@on("veto-done")
def vetoed(e):
    put(e.proposal, "status", "vetoed")
    put(e.proposal, "because", e.because)
    if not e.proposal.published:
        note(only=("admin",) if e.proposal.author is None else (e.proposal.author, "admin"))


def vetoed_this_week(who):
    """How many of a player's proposals of this week have been vetoed."""
    mine = [each for each in every("proposal") if each.author is who and each.week == thing("game").week]
    return len([each for each in mine if each.status == "vetoed"])


@modify("proposals_per_week")
def one_less(who, base):
    lost = vetoed_this_week(who)
    return add(-lost) if lost else None


@check("propose")
def used_up(e):
    if e.who is not None and value("sent_back", e.who) is None and value("proposals_per_week", e.who) < 1:
        return "your proposal of this week was vetoed: the next one can be made next week"


rule("VIII.6", """
No proposal may speak of a trait of a player that cannot change: a name, an address, the moment of joining, a fact of life outside
the game.
""", title="Nothing about fixed traits")

attribute("proposal", "doubts", (), label="Doubts", show=("owner", "admin", "published"))


def names():
    return [name_of(each) for each in players()]


@check("propose")
def nobody_in_particular(e):
    found = people_named(e.changes, e.run, names(), fixed_traits("player"))
    if found:
        return f"VIII.6: no proposal may speak of a fixed trait of a player: its program names {', '.join(found)}"


@after("propose")
def flag_names(e):
    quoted = [part for code in programs_of(e.changes, e.run) for part in literals_of(code)]  # in another case, say
    found = people_mentioned(prose_of(e.title, e.text, e.changes) + quoted, names())
    if found:
        put(e.result, "doubts", tuple([f"speaks of {name}" for name in found]))

"""Section XXVII: disputes between players, the two courts that settle them, and what the loser suffers."""

section("XXVII", "Disputes")

rule("XXVII.1", """
A player may accuse another of something: the Accuser tells the Admin who is the Defendant, what the charge is, which facts speak for
it, and which of the recognized Penalties the loser is to suffer. That is posted.

In the week that follows, the Accuser and the Defendant may each choose a court, and argue their case; both count as they arrive, and a
choice may be changed. They may buy dice for a trial. If both choose the same court it is that one. If not, or if one of them chooses
none, it is Government Court if one of them stands on a square of a Corporate Colour and the other does not, and else a Corporate Trial.
At the end of that week, in the update, the dispute is settled: the loser, be it the Defendant or the Accuser, suffers the Penalty. The
court is then the same until the end. A dispute is dropped if one of the two leaves the game.
""", title="The course of a dispute")

kind("dispute", prefix="D", page=True)
attribute("dispute", "status", "open", label="Status")
attribute("dispute", "accuser", None, label="Accuser", type="thing")
attribute("dispute", "defendant", None, label="Defendant", type="thing")
attribute("dispute", "charge", "", label="Charge")
attribute("dispute", "facts", "", label="Facts")
attribute("dispute", "penalty", (), show="nobody", type="list")  # pairs: sort, amount, to
attribute("dispute", "made_at", None, label="Made", moment="real")
attribute("dispute", "accuser_court", None, label="The Accuser wants")
attribute("dispute", "defendant_court", None, label="The Defendant wants")
attribute("dispute", "accuser_says", "", label="The Accuser argues")
attribute("dispute", "defendant_says", "", label="The Defendant argues")
attribute("dispute", "court", None, label="Court")
attribute("dispute", "winner", None, label="Winner", type="thing")
attribute("dispute", "updates", 0, show="nobody")  # how many updates there had been when it began
event("settle-disputes", say="Disputes are settled")
event("try-dispute", say="A dispute is tried", dispute="dispute")
event(
    "settle-dispute", "settled", say="{dispute}: {winner} wins, {loser} suffers the Penalty", dispute="dispute",
    winner="player", loser="player"
)
event(
    "drop-dispute", "dropped", say="{dispute} is dropped, as {who} leaves the game", notify="other", dispute="dispute",
    who="player", other="player"
)
step("what-is-due", 20, "settle-disputes", when=lambda: open_disputes())


@value("penalty_told", of="dispute", label="Penalty")
def penalty_told(dispute):
    """The Penalty of a dispute in words: "Pay: $500, to Ben"."""
    penalty = dict(dispute.penalty)
    sort, to = penalty.get("sort"), find(penalty.get("to") or "")
    known = [each for each in rows("penalty") if each.id == sort]
    told = known and attribute_of(known[0], "name") or sort
    if penalty.get("amount") is not None:
        dollars = known and "amount" in (attribute_of(known[0], "asks") or ())
        told = f"{told}: {'$' if dollars else ''}{penalty['amount']}"
    return told if to is None else f"{told}, to {to.name if to.kind == 'account' else to.id}"


def payees():
    """Whom a Penalty could have paid: players, accounts, and shops, by their squares."""
    shops = [each for each in every("square") if attribute_of(each, "building") == "store"]
    return [*players(), *[each for each in every("account") if each.id != "$wetha"], *shops]


def updates_so_far():
    return attribute_of(thing("game"), "update", 0)


@check("accuse")
def another(e):
    if e.defendant is e.who:
        return "a player accuses another one"


@action(
    "accuse",
    "Accuse a player",
    fact="accused",
    say="{who} accuses {defendant}: {charge} ({dispute})",
    defendant=choose("player", "Defendant", choices=lambda who: [each for each in players() if each is not who]),
    charge=words("Charge", limit=500),
    facts=words("Facts", limit=20000, long=True, optional=True),
    sort=one_of(lambda who: [each.id for each in rows("penalty")], "Penalty", wanted=True),
    amount=number("Dollars to be paid", least=1, money=True, optional=True),
    pounds=number("Pounds of Chains", least=1, optional=True),
    to_=choose("", "Who is paid", choices=lambda who: payees(), optional=True),
    penalty=anything("Penalty in one word or more, such as: pay 500 Ben; chains 50; no-vote", when=lambda who: False),
)
def accuse(e):
    amount = e.pounds if e.sort == "chains" else e.amount
    parts = {"sort": e.sort, "amount": amount, "to": e.to_ and e.to_.id}
    penalty = penalty_said(parts if e.penalty is None else e.penalty)
    part = row_of("penalty", penalty["sort"])
    objection = part.objection
    reason = objection(penalty)
    if reason is not None:
        refuse(reason)
    dispute = create(
        "dispute",
        accuser=e.who,
        defendant=e.defendant,
        charge=e.charge,
        facts=e.facts or "",
        penalty=tuple([(key, penalty[key]) for key in ("sort", "amount", "to") if penalty.get(key) is not None]),
        made_at=now(),
        updates=updates_so_far(),
    )
    note(dispute=dispute)
    return dispute


@value("accuser_to_choose", of="dispute", label="The Accuser may still choose a court", type="thing",
       asks="choose-court", asking="you may choose a court for {id}")
def accuser_to_choose(dispute):
    return dispute.accuser if dispute.status == "open" and (dispute.accuser_court or dispute.court) is None else None


@value("defendant_to_choose", of="dispute", label="The Defendant may still choose a court", type="thing",
       asks="choose-court", asking="you may choose a court for {id}")
def defendant_to_choose(dispute):
    return dispute.defendant if dispute.status == "open" and (dispute.defendant_court or dispute.court) is None else None


@check("choose-court")
@check("argue")
def is_a_party(e):
    return no_party(e.who, e.dispute)


@check("choose-court")
def court_not_settled(e):
    if e.dispute.court is not None:
        return f"already: {e.dispute.id} is before the {e.dispute.court} court"


def without_court(who):
    """The disputes of a player in which the court is not settled."""
    return [each for each in open_disputes(who) if each.court is None]


@action(
    "choose-court",
    "Choose a court",
    fact="chose-court",
    say="{who} chooses the {court} court for {dispute}",
    at_once=True,
    dispute=choose("dispute", "Dispute", choices=without_court, shows="charge"),
    court=one_of(("government", "corporate"), "Court"),
)
def choose_court(e):
    put(e.dispute, side_of(e.who, e.dispute) + "_court", e.court)


@action(
    "argue",
    "Argue a case",
    fact="argued",
    say="{who} argues in {dispute}",
    at_once=True,
    dispute=choose("dispute", "Dispute", choices=lambda who: open_disputes(who), shows="charge"),
    text=words("Argument", limit=20000, long=True),
)
def argue(e):
    name = side_of(e.who, e.dispute) + "_says"
    before = attribute_of(e.dispute, name)
    put(e.dispute, name, f"{before}\n\n{e.text}" if before else e.text)


@on("settle-disputes")
def settle_disputes(e):
    for each in open_disputes():
        if each.updates < updates_so_far():
            follow("try-dispute", dispute=each)


def court_of(dispute):
    """The court in which a dispute is settled: a row of the catalogue "court"."""
    if dispute.accuser_court is not None and dispute.accuser_court == dispute.defendant_court:
        return dispute.accuser_court
    corporate = [is_corporate(each.square) for each in (dispute.accuser, dispute.defendant)]
    return "government" if corporate[0] != corporate[1] else "corporate"


@on("try-dispute")
def try_dispute(e):
    dispute = e.dispute
    if dispute.status == "open":
        if dispute.court is None:
            put(dispute, "court", court_of(dispute))
        for court in rows("court"):
            if court.id == dispute.court:
                do(court, dispute=dispute)


@on("settle-dispute")
def settle_dispute(e):
    put(e.dispute, "status", "settled")
    put(e.dispute, "winner", e.winner)


@after("settle-dispute")
def penalty_follows(e):
    penalty = dict(e.dispute.penalty)
    for part in rows("penalty"):
        if part.id == penalty["sort"]:
            do(part, who=e.loser, other=e.winner, amount=penalty.get("amount"), to=penalty.get("to"), dispute=e.dispute)


@on("drop-dispute")
def drop_dispute(e):
    put(e.dispute, "status", "dropped")


@after("remove")
def party_leaves(e):
    for each in open_disputes(e.who):
        do("drop-dispute", dispute=each, who=e.who, other=each.defendant if each.accuser is e.who else each.accuser)


rule("XXVII.2", """
In Government Court both parties pay The Government ${costs} each, as the dispute is due to be settled, and the Admin decides which of
them has won, beforehand too where no trial is sure. While the Admin has not decided, the dispute stays open until the next update, at
no further cost.
""", title="Government Court", costs=150)

attribute("dispute", "costs_paid", False, label="Costs paid")
attribute("dispute", "judgement", None, label="Judged for", show="admin", type="thing")
event("government-court", "tried", say="{dispute} is before Government Court", dispute="dispute")
row("court", "government", event="government-court")


def parties():
    """The players between whom there is an open dispute."""
    disputes = open_disputes()
    return [each for each in players() if [one for one in disputes if each in (one.accuser, one.defendant)]]


def may_be_the_admins(dispute):
    """Whether a dispute is before Government Court, or may yet come there: a Corporate Trial is not sure."""
    agreed = dispute.accuser_court if dispute.accuser_court == dispute.defendant_court else None
    return (dispute.court or agreed) != "corporate"


@check("judge-dispute")
def one_of_the_two(e):
    if e.on.status != "open":
        return f"already {e.on.status}: {e.on.id}"
    if not may_be_the_admins(e.on):
        return f"not there: {e.on.id} goes to a Corporate Trial"
    if e.winner not in (e.on.accuser, e.on.defendant):
        return f"{name_of(e.winner)} has no part in {e.on.id}"


@action(
    "judge-dispute",
    "Decide a dispute",
    by="admin",
    private="order",
    task=True,
    on=choose(
        "dispute",
        "Dispute",
        choices=lambda who: [each for each in open_disputes() if each.judgement is None and may_be_the_admins(each)],
        shows="charge",
    ),
    winner=choose("player", "Winner", choices=lambda who: parties()),
)
def judge_dispute(e):
    put(e.on, "judgement", e.winner)


@on("government-court")
def government_court(e):
    dispute = e.dispute
    if not dispute.costs_paid:
        put(dispute, "costs_paid", True)
        for who in (dispute.accuser, dispute.defendant):
            pay(who, "$government", rule.costs)
    if dispute.judgement is not None and dispute.status == "open":
        loser = dispute.defendant if dispute.judgement is dispute.accuser else dispute.accuser
        do("settle-dispute", dispute=dispute, winner=dispute.judgement, loser=loser)


rule("XXVII.3", """
In a Corporate Trial both parties roll {dice} dice (one at least), the Accuser first; the higher total wins. Are the totals equal,
there is another trial at once, with {dice} dice each. A party may buy Extra Dice for the first trial, at ${price} each, paid to The
Government. They are for that trial alone, and not paid back.
""", title="Corporate Trial", dice=2, price=50)

attribute("dispute", "accuser_dice", 0, label="The Accuser's Extra Dice")
attribute("dispute", "defendant_dice", 0, label="The Defendant's Extra Dice")
event("corporate-trial", "tried", say="{dispute} goes to a Corporate Trial", dispute="dispute")
event("trial-roll", "rolled", say="{who} rolls {total}", who="player", dispute="dispute", total="")
row("court", "corporate", event="corporate-trial")


@check("buy-trial-dice")
def may_buy_dice(e):
    reason = no_party(e.who, e.dispute)
    if reason is None and e.dispute.court == "government":
        return f"not there: {e.dispute.id} is before Government Court"
    return reason


@action(
    "buy-trial-dice",
    "Buy Extra Dice for a trial",
    fact="bought",
    say="{who} buys Extra Dice for {dispute}: {dice}",
    dispute=choose(
        "dispute", "Dispute", choices=lambda who: [each for each in open_disputes(who) if each.court != "government"],
        shows="charge"
    ),
    dice=number("Dice", least=1, most=1000),
)
def buy_trial_dice(e):
    spend(e.who, "$government", rule.price * e.dice)
    name = side_of(e.who, e.dispute) + "_dice"
    put(e.dispute, name, attribute_of(e.dispute, name) + e.dice)


@on("trial-roll")
def trial_roll(e):
    extra = attribute_of(e.dispute, side_of(e.who, e.dispute) + "_dice") if e.total is None else 0
    total = sum(chance.dice([6] * (max(rule.dice, 1) + extra)))
    note(total=total)
    return total


@on("corporate-trial")
def corporate_trial(e):
    dispute = e.dispute
    accuser = do("trial-roll", who=dispute.accuser, dispute=dispute)
    defendant = do("trial-roll", who=dispute.defendant, dispute=dispute)
    while accuser == defendant:
        accuser = do("trial-roll", who=dispute.accuser, dispute=dispute, total=0)
        defendant = do("trial-roll", who=dispute.defendant, dispute=dispute, total=0)
    won, lost = (dispute.accuser, dispute.defendant) if accuser > defendant else (dispute.defendant, dispute.accuser)
    do("settle-dispute", dispute=dispute, winner=won, loser=lost)


rule("XXVII.4", """
A recognized Penalty is to pay a sum to another player, to a shop (that is, to the owner of the Store on a square) or to an organization
that the Admin recognizes, but not to the WETHA. The loser is asked whether to pay, until the next update begins; who says nothing pays.
Who refuses, or cannot pay, gets {chains} pounds of Chains for every unit of the binary logarithm of the sum, rounded up. If the sum
would be the loser's own, the winner gets it; if there is nobody any more to get it, The Government does.
""", title="Penalty: a payment", chains=10)

event("ask-penalty", dispute="dispute", who="player", other="player", amount="", to="")
event("penalty-answered", answers="", dispute="dispute", other="player", amount="", to="")


def payment_problem(penalty):
    """Why a payment is no recognized Penalty, or None."""
    if not positive(penalty.get("amount")):
        return "no penalty: amount must be a whole number of dollars, 1 or more"
    to = penalty.get("to")
    if to == "$wetha":
        return "no penalty: nothing is paid to the WETHA"
    if to is None or find(to) is None or receiver_of(to) is None:
        return "no penalty: to must name a player, the square of a Store, or an account such as $government"
    return None


def receiver_of(to):
    """Who gets what is paid to a player, a square's Store or an account; None if there is nobody."""
    found = find(to)
    if found is not None and found.kind == "square":
        found = found.owner if attribute_of(found, "building") == "store" else None
    return found if found is not None and found.kind in ("player", "account") and found.id != "$wetha" else None


def paid_in_the_end(to, loser, winner):
    """Who gets what the loser of a dispute pays."""
    found = receiver_of(to)
    if found is loser:
        found = winner
    return found if found is not None and exists(found) else thing("$government")


row("penalty", "pay", name="Pay", event="ask-penalty", objection=payment_problem, asks=("amount", "to"))


@on("ask-penalty")
def ask_penalty(e):
    about = {"dispute": e.dispute, "other": e.other, "amount": e.amount, "to": e.to}
    to = paid_in_the_end(e.to, e.who, e.other)
    told = f"${e.amount} to {to.name if to.kind == 'account' else to.id}"
    chains = rule.chains * units_of_log(e.amount)
    text = f"{e.dispute.id}: you have lost, and are to pay {told}. Do you pay, or refuse and carry {chains} pounds of Chains?"
    ask_until_update(e.who, "penalty", text, ("pay", "refuse"), "penalty-answered", "pay", **about)


@on("penalty-answered")
def penalty_answered(e):
    for who, answer in e.answers:
        to = paid_in_the_end(e.to, who, e.other)
        if answer == "pay" and who.money >= e.amount:
            pay(who, to, e.amount)
        elif units_of_log(e.amount):
            add_chains(who, rule.chains * units_of_log(e.amount))


rule("XXVII.5", """
A recognized Penalty is to carry Chains: at most {most} pounds.
""", title="Penalty: Chains", most=100)

event("carry-chains", who="player", other="player", amount="", to="", dispute="dispute")


def chains_problem(penalty):
    """Why so many Chains are no recognized Penalty, or None."""
    if not positive(penalty.get("amount")) or penalty["amount"] > rule.most:
        return f"no penalty: amount must be 1 to {rule.most} pounds"
    return None


row("penalty", "chains", name="Pounds of Chains", event="carry-chains", objection=chains_problem, asks=("pounds",))


@on("carry-chains")
def carry_chains(e):
    add_chains(e.who, e.amount)


rule("XXVII.6", """
A recognized Penalty is to lose the status of a Registered Voter.
""", title="Penalty: the vote")

event(
    "lose-vote", "lost-vote", say="{who} is not a Registered Voter from now on", who="player", other="player",
    amount="", to="", dispute="dispute"
)
row("penalty", "no-vote", name="Loss of the vote", event="lose-vote", objection=lambda penalty: None)


@on("lose-vote")
def lose_vote(e):
    put(e.who, "voter", False)

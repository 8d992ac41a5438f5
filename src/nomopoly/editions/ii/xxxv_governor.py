"""Section XXXV: the Governor: candidates, the election, and what the office gives and forbids."""

section("XXXV", "The Governor and Elections")

rule("XXXV.1", """
There is an election every {election_weeks} weeks. From the start of its week until the first update any player who is no terrorist may
bid for candidacy; the bids are secret, and the last one of each counts. Then the two with the highest bids, of equal ones those whom
chance picks, pay them to the Admin Bank Account and are the candidates. A bid beyond the bidder's money, or of a terrorist, is void.
Against a single bidder another player who is no terrorist stands, picked by chance, who pays nothing; if there is none, the bidder is
elected. Without a bid there is no election. One that a pause of the game has prevented is not made up for: bids and votes for it count for
no other.
""", title="Candidates", election_weeks=3)

attribute("game", "next_election", 3, label="Week of the next election")
attribute("game", "candidates", (), label="Candidates", type="thing")
attribute("game", "candidate_bids", (), label="Their bids")
kind("bid")
attribute("bid", "owner", None, label="By", type="thing", show=("owner", "admin"))
attribute("bid", "amount", 0, label="Bid", type="money", show=("owner", "admin"))
setting("election_weeks")
event("find-candidates", say="The candidates are found")
event("no-election", "no-election", say="The election is not held, as the game was paused when it was due")
event("candidate", "candidate", say="{who} is a candidate, with a bid of ${amount}", who="player", amount="")
step("candidates", 10, "find-candidates", when=lambda: value("election_week") and not thing("game").candidates)
step("governor", 10, "election-result", when=lambda: value("week_of_election"))


@value("week_of_election")
def week_of_election():
    """Whether this week is one of those with an election, be it over or not."""
    return (thing("game").week - thing("game").next_election) % rule.election_weeks == 0


@value("election_week")
def election_week():
    """Whether there is an election this week that is not over."""
    return thing("game").week >= thing("game").next_election and value("week_of_election")


@check("bid-for-governor")
def may_bid(e):
    if not value("election_week") or not value("proposal_period") or thing("game").candidates:
        return "bids for candidacy are made from the start of the week of an election until its first update"
    if value("terrorist", e.who):
        return "terrorist: you cannot stand for election"
    must_afford(e.who, e.amount)


@action(
    "bid-for-governor", "Bid for candidacy as Governor", at_once=True, private="order", amount=number("Dollars", least=1, money=True)
)
def bid(e):
    for each in every("bid"):
        if each.owner is e.who:
            destroy(each)
    create("bid", owner=e.who, amount=e.amount)
    tell(e.who, f"You bid ${e.amount} for candidacy")


def terrorists_excepted(them):
    return [each for each in them if not value("terrorist", each)]


def highest_two(bids):
    """The two highest of a list of (player, amount); of equal ones those whom chance picks."""
    chosen = []
    for amount in sorted({each[1]: 1 for each in bids}, reverse=True):
        equal = [each[0] for each in bids if each[1] == amount]
        room = 2 - len(chosen)
        chosen = chosen + [(who, amount) for who in (equal if len(equal) <= room else chance.sample(equal, room))]
    return chosen


def void_bids():
    for each in every("bid"):
        destroy(each)


def election_is_over():
    put(thing("game"), "next_election", thing("game").week + rule.election_weeks)
    put(thing("game"), "candidates", ())
    put(thing("game"), "candidate_bids", ())


@on("find-candidates")
def find_candidates(e):
    bids = []
    for who in terrorists_excepted(players()):
        bids = bids + [(who, each.amount) for each in every("bid") if each.owner is who and each.amount <= who.money]
    void_bids()
    chosen = highest_two(bids)
    for who, amount in chosen:
        pay(who, "$admin", amount)
    others = [each for each in terrorists_excepted(players()) if each is not chosen[0][0]] if len(chosen) == 1 else []
    if others:
        chosen.append((pick_one(others), 0))
    for who, amount in chosen:
        do("candidate", who=who, amount=amount)
    if len(chosen) < 2:
        election_is_over()
    if len(chosen) == 1:
        do("election", who=chosen[0][0])


@on("candidate")
def stands(e):
    put(thing("game"), "candidates", (*thing("game").candidates, e.who))
    put(thing("game"), "candidate_bids", (*thing("game").candidate_bids, e.amount))


@after("week-begins")
def missed(e):
    """An election that a pause has made impossible is not held: what was bid and voted for it counts for no other."""
    game = thing("game")
    if game.next_election < game.week and (game.candidates or every("bid")):
        do("no-election")
        void_bids()
        follow("election-result")  # which takes the votes, and finds no candidate
    while game.next_election < game.week:
        put(game, "next_election", game.next_election + rule.election_weeks)
        put(game, "candidates", ())
        put(game, "candidate_bids", ())


@after("remove")
def no_bid_without_bidder(e):
    for each in every("bid"):
        if each.owner is e.who:
            destroy(each)


rule("XXXV.2", """
From the first update of that week to the second every player may vote for one of the candidates, in secret. Who has most votes is
elected; of candidates with equally many who has bid more, and then whom chance picks. The Governor's term is {term} weeks and begins
with the next one.
""", title="The vote", term=3)

attribute("game", "governor", None, label="Governor", type="thing", holds=("player",))
attribute("game", "governor_until", None, label="Governor until week", type="number")
attribute("game", "governor_elect", None, label="Governor from next week on", type="thing")
event("election", "elected", say="{who} is elected Governor", who="player", votes="")
event("governor-term", say="The Governor's term")
step("week", 50, "governor-term", when=lambda: value("office_taken"))


@value("office_taken")
def office_taken():
    """Whether there is a Governor, or one elected."""
    return thing("game").governor is not None or thing("game").governor_elect is not None


@value("in_office", of="player", label="Governor", type="yesno")
def in_office(who):
    until = thing("game").governor_until
    return who is not None and thing("game").governor is who and (until is None or thing("game").week <= until)


@value("vote_closes", of="game", label="Vote for a Governor until", type="moment")
def vote_closes(game):
    """Until when one can vote; nothing while there is no election."""
    return value("next_update", otherwise=None) if game.candidates else None


@check("vote-governor")
def may_vote(e):
    if not thing("game").candidates:
        return "there is no election to vote in: one votes from the first update of its week to the second"
    if e.candidate not in thing("game").candidates:
        return f"{name_of(e.candidate)} is no candidate"


@action(
    "vote-governor",
    "Vote for a Governor",
    ballot="election-result",
    sealed=True,
    in_pause=True,
    at_once=True,
    candidate=choose("player", "Candidate", choices=lambda who: thing("game").candidates),
)
def vote_governor(e):
    pass


@check("note-vote")
def worth_noting(e):
    if not thing("game").candidates:
        return "there is no election to vote in"
    if attribute_of(e.who, "acted", False) and was(e.who, "acted"):  # before this order
        return "that you have done something this week is noted already"


@action("note-vote", "Vote for a Governor", hidden=True, private="order", in_pause=True, at_once=True)
def note_vote(e):
    pass


@on("election-result")
def count_votes(e):
    game = thing("game")
    if not game.candidates:
        return
    standing = []
    for place in range(len(game.candidates)):
        who = game.candidates[place]
        if exists(who):
            standing.append((tally(e.ballots, game, who), game.candidate_bids[place], who))
    put(game, "next_election", game.week + value("election_weeks"))
    put(game, "candidates", ())
    put(game, "candidate_bids", ())
    if standing:
        best = max([(votes, amount) for votes, amount, _ in standing])
        who = pick_one([who for votes, amount, who in standing if (votes, amount) == best])
        do("election", who=who, votes=tuple([(each, votes) for votes, _, each in standing]))


@on("election")
def elect(e):
    game = thing("game")
    put(game, "governor_elect", e.who)
    if game.governor is None:
        put(game, "governor_until", game.week + rule.term)


@on("governor-term")
def new_term(e):
    game = thing("game")
    if game.governor_elect is not None:
        put(game, "governor", game.governor_elect)
        put(game, "governor_until", game.week + rule.term - 1)
        put(game, "squares_added", 0)
        put(game, "governor_elect", None)
    elif game.governor_until is not None and game.governor_until < game.week:
        put(game, "governor", None)
        put(game, "governor_until", None)


@marker("player")
def governors_star(who):
    if value("in_office", who):
        return ("*", f"{name_of(who)} is the Governor")


rule("XXXV.3", """
The Governor has these rights and duties.
""", title="What the Governor has")

event("governor-buys", amount="")


@on("governor-buys")
def leaves_game(e):
    lose("$admin", e.amount)


rule("XXXV.3/proposals", """
The right to make {proposals} proposals a week.
""", title="Proposals", proposals=2)


@modify("proposals_per_week")
def more_proposals(who, base):
    return set(rule.proposals) if value("in_office", who) else None


rule("XXXV.3/veto", """
The right to veto {vetoes} proposal of a player's a week, from when it is published until the votes are counted. Nobody
votes on it then, and it was its author's proposal of the week.
""", title="Veto", vetoes=1)

attribute("game", "governor_vetoes", (), show="nobody")  # the week of each


def can_be_vetoed():
    return [each for each in every("proposal") if each.status == "voting" and each.author is not None]


@check("governor-veto")
def may_veto(e):
    if not value("in_office", e.who):
        return "only the Governor can do that"
    if e.on.author is None:
        return f"{e.on.id} is the Admin's: the Governor vetoes proposals of players"
    if e.on not in can_be_vetoed():
        return f"{e.on.id} is {e.on.status}: a proposal is vetoed from when it is published until it is counted"
    if len([each for each in thing("game").governor_vetoes if each == thing("game").week]) >= rule.vetoes:
        return "the Governor has vetoed a proposal this week"


@action(
    "governor-veto",
    "Veto a proposal as Governor",
    at_once=True,
    on=choose("proposal", "Proposal", choices=lambda who: can_be_vetoed()),
)
def governor_veto(e):
    week = thing("game").week
    put(thing("game"), "governor_vetoes", (*[each for each in thing("game").governor_vetoes if each == week], week))
    do("veto-done", proposal=e.on, because="the Governor has vetoed it", by=e.who)


rule("XXXV.3/discount", """
{discount}% off the price of squares that the Governor buys.
""", title="Discount", discount=5)


@modify("buying_price")
def less(who, place, base):
    return percent(-rule.discount) if value("in_office", who) else None


rule("XXXV.3/health", """
{health} health more each week.
""", title="Health", health=5)

event("governor-health", say="The Governor's health")
step("week", 51, "governor-health", when=lambda: value("office_taken"))


@on("governor-health")
def healthier(e):
    if thing("game").governor is not None:
        heal(thing("game").governor, rule.health)


rule("XXXV.3/cards", """
A hand of up to {cards} cards, dug up or drawn.
""", title="Cards", cards=30)


@modify("card_limit")
def larger_hand(who, base):
    return set(rule.cards) if value("in_office", who) else None


@modify("shovel_limit")
def larger_shovel(who, base):
    return set(rule.cards) if value("in_office", who) else None


rule("XXXV.3/build", """
The right to put up {buildings} building a week on any square of a Government block, paid by the Admin Bank Account.
""", title="Building", buildings=1)

attribute("game", "governor_builds", (), show="nobody")  # the week of each


def government_squares():
    return [place for block in every("block") if block.type == "government" for place in block.squares]


@check("governor-build")
def may_build(e):
    if not value("in_office", e.who):
        return "only the Governor can do that"
    if e.square not in government_squares():
        return f"{e.square.id} is in no Government block"
    if len([each for each in thing("game").governor_builds if each == thing("game").week]) >= rule.buildings:
        return "one building a week: the Governor has put one up"
    if e.square.built_in == thing("game").update:
        return f"one building an update: there already was one on {e.square.id}"


@action(
    "governor-build",
    "Build as Governor",
    square=choose("square", "Square", choices=lambda who: government_squares()),
    building=one_of(lambda who: [each.id for each in rows("building") if "government" in each.types], "Building"),
)
def governor_build(e):
    week = thing("game").week
    put(thing("game"), "governor_builds", (*[each for each in thing("game").governor_builds if each == week], week))
    do("governor-buys", amount=building_price(e.building))
    do("build", square=e.square, building=e.building)
    put(e.square, "built_in", thing("game").update)


rule("XXXV.3/squares", """
The right to add up to {squares} squares to the board in a term, each as one that was destroyed or at the end of the board, for ${price}
each from the Admin Bank Account.
""", title="Squares", squares=3, price=4000)

attribute("game", "squares_added", 0, label="Squares that the Governor has added")


def destroyed_squares():
    return [f"#{number}" for number in thing("game").gone_squares]


@check("governor-add-square")
def may_add(e):
    if not value("in_office", e.who):
        return "only the Governor can do that"
    if thing("game").squares_added >= rule.squares:
        return f"the Governor has added {rule.squares} squares in this term"


@action(
    "governor-add-square",
    "Add a square as Governor",
    square=one_of(
        lambda who: destroyed_squares(),
        "Destroyed square",
        optional=True,
        otherwise="that is the number of no destroyed square",
    ),
)
def governor_add_square(e):
    number = int(e.square[1:]) if e.square is not None else value("new_square_number")
    put(thing("game"), "squares_added", thing("game").squares_added + 1)
    do("governor-buys", amount=rule.price)
    do("add-square", number=number)


rule("XXXV.3/interest", """
{interest}% interest at the Bank.
""", title="Interest", interest=3)


@modify("interest_rate")
def more_interest(who, base):
    return set(rule.interest) if value("in_office", who) else None


rule("XXXV.3/no-atrocities", """
The Governor may commit no atrocities, nor consent to any, immune or not.
""", title="No atrocities")


def atrocious(missile):
    return [each for each in rows("missile") if each.id == missile and each.grade]


@check("atrocity")
def none_by_governor(e):
    if value("in_office", e.who):
        return f"the Governor may commit no atrocities, and {name_of(e.who)} is the Governor"


@check("fire-missile")
def none_to_be_fired(e):
    if value("in_office", e.who) and atrocious(e.missile):
        return "the Governor may commit no atrocities, and to fire that missile is one"


@check("agree")
def none_to_agree_to(e):
    if value("in_office", e.who) and e.on.then == "launch" and atrocious(about_of(e.on)["missile"]):
        return "the Governor may consent to no atrocities, and to fire that missile is one"


rule("XXXV.3/no-bombs", """
The Governor may neither buy nor use time bombs and hammers.
""", title="No bombs and hammers")


def forbidden(who, item):
    if item in ("time-bomb", "hammer") and value("in_office", who):
        return f"the Governor may neither buy nor use {with_article(row_of('item', item).name)}"


@check("trade-in-cards")
@check("buy-item")
@check("use-item")
def not_for_bombs(e):
    return forbidden(e.who, e.item)


rule("XXXV.4", """
The Governor may buy nothing from the Admin Bank Account that it cannot pay.
""", title="No empty purse")


@check("governor-buys")
def can_pay(e):
    if thing("$admin").money < e.amount:
        return f"the Admin Bank Account has ${thing('$admin').money} and cannot pay ${e.amount}"


rule("XXXV.5", """
The Governor's rights and duties last as long as the office. It ends when the Governor leaves the game; then nobody has it until the
next election.
""", title="Only in office")


@after("remove")
def office_ends(e):
    game = thing("game")
    if game.governor is e.who:
        put(game, "governor", None)
        put(game, "governor_until", None)
    if game.governor_elect is e.who:
        put(game, "governor_elect", None)
        put(game, "governor_until", None if game.governor is None else game.governor_until)

"""Section XIX, the skunk of XIX.3: what becomes of each place where it has been."""

section("XIX", "The Zoo")

rule("XIX.3/skunk", """
Skunk, {health} health. It moves in every update: two dice of {sides} sides send it up by the first and right by the second, over
squares that exist, round the edges of its column and of the row it has reached. It passes nothing. What is on the square where it lands
decides what it sets off, as below; that is settled as it lands. Of several the order is: Springboard, Hospital, Store, Corporate
Headquarters, Missile Silo, Anti-Missile Battery, Blackjack, Zoo, House of Cards, railroad, players, Elephant, Gorilla, Mall, Legislative
Building, Bank, MTS Bison, another skunk.
""", title="Skunk", health=100, sides=3)

creature("skunk", "Skunk", 4, rule.health, symbol="S")


@after("creature-move")
def skunk_moves(e):
    if e.creature.type == "skunk":
        up, right = chance.dice((rule.sides, rule.sides))
        note(total=up + right)
        creature_goes(
            e.creature, round_the_edge(round_the_edge(e.creature.square, up, "column", "row"), right, "row", "column")
        )


@after("creature-acts")
def as_a_skunk(e):
    if e.type == "skunk":
        found = []
        for each in sorted(rows("reaction"), key=lambda each: each.place):
            whom = each.whom
            concerned = whom(e.creature, e.square)
            if concerned:
                found.append((each.event, concerned))
        for event, concerned in found:
            do(event, may=True, creature=e.creature, square=e.square, whom=concerned)


rule("XIX.3/skunk-springboard", """
The skunk on a Springboard: two random players swap places, without landing.
""", title="The skunk on a Springboard")

event("skunk-springboard", creature="creature", square="square", whom="")
reaction(
    "springboard",
    10,
    "skunk-springboard",
    lambda skunk, square: standing(square, "springboard") and count("player") > 1,
)


@on("skunk-springboard")
def two_swap(e):
    one, other = chance.sample(players(), 2)
    here_now = one.square
    place_at(one, other.square)
    place_at(other, here_now)


rule("XIX.3/skunk-hospital", """
The skunk on a Hospital: every player gains {health} health.
""", title="The skunk on a Hospital", health=20)

event("skunk-hospital", creature="creature", square="square", whom="")
reaction("hospital", 20, "skunk-hospital", lambda skunk, square: standing(square, "hospital"))


@on("skunk-hospital")
def all_feel_better(e):
    for who in players():
        heal(who, rule.health)


rule("XIX.3/skunk-house", """
The skunk on a House: nothing happens.
""", title="The skunk on a House")

rule("XIX.3/skunk-store", """
The skunk on a Store: the player with the fewest squares, a random one of several, is given the lowest-numbered square that nobody owns
and somebody may.
""", title="The skunk on a Store")

event("skunk-store", creature="creature", square="square", whom="")
reaction(
    "store",
    40,
    "skunk-store",
    lambda skunk, square: standing(square, "store") and those_with_least(players(), lambda who: len(owned_by(who))),
)


@on("skunk-store")
def give_square(e):
    free = [each for each in in_sequence() if each.owner is None and value("unownable", each) is None]
    poorest = [each for each in e.whom if exists(each)]
    if free and poorest:
        do("change-owner", square=free[0], to=pick_one(poorest))


rule("XIX.3/skunk-headquarters", """
The skunk on a Corporate Headquarters: every player pays the Admin Bank Account a property tax, the sum of the numbers of their squares.
""", title="The skunk on a Corporate Headquarters")

event("skunk-headquarters", creature="creature", square="square", whom="")
reaction("headquarters", 50, "skunk-headquarters", lambda skunk, square: standing(square, "corporate-headquarters"))


@on("skunk-headquarters")
def property_tax(e):
    for who in players():
        tax = sum([each.number for each in owned_by(who)])
        if tax:
            pay(who, "$admin", tax)


rule("XIX.3/skunk-silo", """
The skunk on a Missile Silo: a missile of a random kind is made and fired at a random square within its range of the skunk. Nobody has
consented to it.
""", title="The skunk on a Missile Silo")

event("skunk-silo", creature="creature", square="square", whom="")
reaction("silo", 60, "skunk-silo", lambda skunk, square: standing(square, "missile-silo"))


@on("skunk-silo")
def missile_from_nowhere(e):
    kinds = [each.id for each in rows("missile")]
    if kinds:
        missile = pick_one(kinds)
        do("fire", square=e.square, missile=missile, target=pick_one(targets_of(missile, e.square)))


rule("XIX.3/skunk-battery", """
The skunk on an Anti-Missile Battery: a random square of the board becomes polluted.
""", title="The skunk on an Anti-Missile Battery")

event("skunk-battery", creature="creature", square="square", whom="")
reaction("battery", 70, "skunk-battery", lambda skunk, square: standing(square, "anti-missile-battery"))


@on("skunk-battery")
def foul_one(e):
    do("pollute", square=pick_one(in_sequence()))


rule("XIX.3/skunk-blackjack", """
The skunk on a square named Blackjack: all players jump to that square, in the order in which they joined.
""", title="The skunk at Blackjack")

event("skunk-blackjack", creature="creature", square="square", whom="")
reaction("blackjack", 80, "skunk-blackjack", lambda skunk, square: is_blackjack(square))


@on("skunk-blackjack")
def all_come(e):
    for who in players():
        if exists(who) and exists(e.square):
            jump_to(who, e.square)


rule("XIX.3/skunk-zoo", """
The skunk on the Zoo: another skunk is spawned, whether or not there is one.
""", title="The skunk at the Zoo")

event("skunk-zoo", creature="creature", square="square", whom="")
reaction("zoo", 90, "skunk-zoo", lambda skunk, square: square is value("zoo"))


@on("skunk-zoo")
def one_more(e):
    do("spawn", type="skunk", square=e.square)


rule("XIX.3/skunk-house-of-cards", """
The skunk on the House of Cards, Square #{house}: every player receives a joker. Its holder may declare at any time which card it is from then on;
until then it has no rank and no suit, and cannot be put on a square, traded in or added up.
""", title="The skunk at the House of Cards", house=42)

event("skunk-house-of-cards", creature="creature", square="square", whom="")
reaction("house-of-cards", 100, "skunk-house-of-cards", lambda skunk, square: square.number == rule.house)


@on("skunk-house-of-cards")
def jokers_for_all(e):
    for who in players():
        receive_card(who, "JOKER")


@action(
    "declare-joker",
    "Declare what a joker is",
    private="order",
    card=one_of(standard_deck(), "Card"),
)
def declare_joker(e):
    give_up(e.who, ("JOKER",))
    put(e.who, "cards", (*e.who.cards, e.card))
    tell(e.who, f"Your joker is {e.card} now")


rule("XIX.3/skunk-railroad", """
The skunk on a railroad: every player whom railroads join to its square gets ${bonus} from the Admin Bank Account.
""", title="The skunk on a railroad", bonus=500)

event("skunk-railroad", creature="creature", square="square", whom="")
reaction(
    "railroad",
    110,
    "skunk-railroad",
    lambda skunk, square: (
        [who for who in players() if who.square in joined_by_rail(square)]
        if attribute_of(square, "railroad", False)
        else None
    ),
)


@on("skunk-railroad")
def pay_the_joined(e):
    for who in e.whom:
        if exists(who):
            pay("$admin", who, rule.bonus)


rule("XIX.3/skunk-players", """
The skunk on a square with players: each of them is sprayed and passes out. Who passes out loses {health} health, and may do nothing of their
own will for the rest of that update period but what other rules grant to all: vote, propose, post and leave the game. They take turns as
ever.
""", title="The skunk and players", health=15)

attribute("player", "passed_out", False, label="Passed out")
event("skunk-players", creature="creature", square="square", whom="")
event("spray", "sprayed", say="{creature} sprays {who}", who="player", creature="creature")
event("pass-out", "passed-out", say="{who} passes out", who="player")
event("wake-up", say="Who had passed out wakes up")
step("period-end", 30, "wake-up", when=lambda: [each for each in players() if each.passed_out])
reaction("players", 120, "skunk-players", lambda skunk, square: here(square))

ALWAYS = (
    "vote",
    "vote-governor",
    "note-vote",
    "propose",
    "retract-proposal",
    "post-exploit-block",
    "leave-game",
    "withdraw-order",
    "move-order",
)


@on("skunk-players")
def spray_all(e):
    for who in e.whom:
        if exists(who):
            do("spray", may=True, who=who, creature=e.creature)


@on("spray")
def spray(e):
    do("pass-out", may=True, who=e.who)


@on("pass-out")
def pass_out(e):
    put(e.who, "passed_out", True)
    hurt(e.who, rule.health)


@on("wake-up")
def wake_up(e):
    for who in players():
        put(who, "passed_out", False)


@check("order")
def out_cold(e):
    if e.who.passed_out and not e.waits and e.order not in ALWAYS:
        return "passed out: you can do nothing of your own will until the next update's turns"


rule("XIX.3/skunk-elephant", """
The skunk on the Elephant's square: the elephant goes crazy and makes {moves} of its normal moves at once.
""", title="The skunk and the Elephant", moves=15)

event("skunk-elephant", creature="creature", square="square", whom="")
reaction("elephant", 130, "skunk-elephant", lambda skunk, square: creatures_there(square, "elephant", but=skunk))


@on("skunk-elephant")
def crazy(e):
    for each in e.whom:
        for _ in range(rule.moves):
            if exists(each):
                do("creature-move", creature=each)


rule("XIX.3/skunk-gorilla", """
The skunk on the Gorilla's square: the gorilla throws a banana peel on each of {peels} random squares.
""", title="The skunk and the Gorilla", peels=7)

event("skunk-gorilla", creature="creature", square="square", whom="")
reaction("gorilla", 140, "skunk-gorilla", lambda skunk, square: creatures_there(square, "gorilla"))


@on("skunk-gorilla")
def peels_everywhere(e):
    for each in e.whom:
        for place in chance.sample(in_sequence(), rule.peels) if exists(each) else ():
            do("throw-peel", creature=each, square=place)


rule("XIX.3/skunk-mall", """
The skunk on a Mall: of all groups of owned squares in no block that may form a block of a random type, a random one becomes such a block,
free of charge and whether or not its owners agree.
""", title="The skunk on a Mall")

event("skunk-mall", creature="creature", square="square", whom="")
reaction("mall", 150, "skunk-mall", lambda skunk, square: standing(square, "mall"))


@on("skunk-mall")
def block_from_nowhere(e):
    types = [each.id for each in rows("block-type")]
    type = pick_one(types) if types else None
    groups = possible_blocks(type) if types else []
    lowest = [group[0] for group in groups]
    names = [group[0] if lowest.count(group[0]) == 1 else group for group in groups]
    if groups:
        form_block(type, groups[names.index(pick_one(names))])


rule("XIX.3/skunk-legislative", """
The skunk on a Legislative Building: the player nearest to it, or each of several, receives a Fake ID. Whoever uses one has one more vote on a
proposal that is not counted yet.
""", title="The skunk on a Legislative Building")

attribute("player", "proposal_votes", (), label="Extra votes on proposals")
event("skunk-legislative", creature="creature", square="square", whom="")
reaction(
    "legislative",
    160,
    "skunk-legislative",
    lambda skunk, square: (
        standing(square, "legislative-building")
        and those_with_least(players(), lambda who: value("distance", who.square, square))
    ),
)
UNCOUNTED = ("made", "sent-back", "voting")


@on("skunk-legislative")
def nearest(e):
    for who in e.whom:
        if exists(who):
            give_item(who, "fake-id")


def votes_more(who, proposal):
    return dict([(each.id, votes) for each, votes in who.proposal_votes]).get(proposal.id, 0)


def one_more_vote(e):
    if e.proposal.status not in UNCOUNTED:
        refuse(f"not on the ballot: {e.proposal.id} is {e.proposal.status}")
    others = [each for each in e.who.proposal_votes if each[0] is not e.proposal]
    put(e.who, "proposal_votes", (*others, (e.proposal, votes_more(e.who, e.proposal) + 1)))


item(
    "fake-id",
    "Fake ID",
    "One more vote on a proposal that is not counted yet.",
    usable=True,
    effect=one_more_vote,
    proposal=choose(
        "proposal", "Proposal", choices=lambda who: [each for each in every("proposal") if each.status in UNCOUNTED]
    ),
)


@modify("votes")
def votes_by_fake_id(who, proposal, base):
    more = votes_more(who, proposal)
    return add(more) if more else None


@after("votes-counted")
def fake_ids_used(e):
    for who in players():
        put(who, "proposal_votes", tuple([each for each in who.proposal_votes if each[0].status in UNCOUNTED]))


rule("XIX.3/skunk-bank", """
The skunk on the Bank, Square #{bank}: every owner of a credit card gets a limit {pct}% higher.
""", title="The skunk at the Bank", bank=30, pct=50)

event("skunk-bank", creature="creature", square="square", whom="")
reaction("bank", 170, "skunk-bank", lambda skunk, square: square.number == rule.bank)


@on("skunk-bank")
def higher_limits(e):
    for who in players():
        if attribute_of(who, "credit_card", False):
            put(who, "credit_limit", share(who.credit_limit, 100 + rule.pct))


rule("XIX.3/skunk-bison", """
The skunk on the MTS Bison's square: the bison loses {health} health and sends the skunk to a random square, where it lands anew.
""", title="The skunk and the MTS Bison", health=20)

event("skunk-bison", creature="creature", square="square", whom="")
reaction("bison", 180, "skunk-bison", lambda skunk, square: creatures_there(square, "mts-bison"))


@on("skunk-bison")
def sent_away(e):
    for each in e.whom:
        if exists(each) and exists(e.creature):
            hurt(each, rule.health)
            jump_to(e.creature, pick_one(in_sequence()))


rule("XIX.3/skunk-skunk", """
A skunk on another skunk's square: they fight, and both die.
""", title="Two skunks")

event("skunk-skunk", creature="creature", square="square", whom="")
reaction("skunk", 190, "skunk-skunk", lambda skunk, square: creatures_there(square, "skunk", but=skunk))


@on("skunk-skunk")
def fight(e):
    for other in e.whom:
        if exists(other) and exists(e.creature) and other.square is e.creature.square:
            do("die", creature=e.creature)
            do("die", creature=other)

"""Section XIX: the Zoo: creatures, how they move, and what they set off."""

section("XIX", "The Zoo")

rule("XIX.1", """
Square #{zoo} is the Zoo. Nobody can buy it or own it.
""", title="Where the Zoo is", zoo=51)


@value("zoo", type="thing")
def zoo():
    return find(f"#{rule.zoo}")


@modify("unownable")
def nobody_owns_it(place, base):
    if place.number == rule.zoo:
        return set(f"nobody may own {place.id}: it is the Zoo")


@marker("square")
def gate(place):
    if place.number == rule.zoo:
        return ("Z", "the Zoo", "paw")


rule("XIX.2", """
Who lands on the Zoo may spawn one creature of their choice until their next turn begins. It appears on the Zoo, without landing there.
Of each kind there is at most one creature at a time.
""", title="Spawning a creature")

attribute("player", "zoo_option", False, label="May spawn a creature")
event("zoo-option", who="player", mover="", square="square", how="")
event("spawn", "spawned", say="{creature} appears on {square}", who="player", type="", square="square")
landing("zoo", 60, "zoo-option", when=lambda who, mover, square: square is value("zoo"))


@on("zoo-option")
def may_spawn_now(e):
    put(e.who, "zoo_option", True)


@after("turn-begins")
def option_ends(e):
    put(e.who, "zoo_option", False)


@on("spawn")
def appear(e):
    made = create("creature", id=creature_id(e.type), type=e.type, square=e.square)
    note(creature=made)
    return made


@check("spawn-creature")
def may_spawn(e):
    if not e.who.zoo_option:
        return "no option: you have not landed on the Zoo since your last turn began"
    if [each for each in every("creature") if each.type == e.creature]:
        return f"already on the board: {e.creature}"
    if value("zoo") is None:
        return "no such square: there is no Zoo now"


@action("spawn-creature", "Spawn a creature", creature=one_of(lambda who: creature_kinds(), "Creature"))
def spawn_creature(e):
    put(e.who, "zoo_option", False)
    do("spawn", who=e.who, type=e.creature, square=value("zoo"))


rule("XIX.3", """
These are the creatures. They move after all players have had their turns, some in every update, some only in the second one of the week.
""", title="The creatures")

kind("creature", named="type", label="Creature")
attribute("creature", "type", "", label="Kind")
attribute("creature", "square", None, label="Square", type="thing", holds=("square",), needed=True)
attribute("creature", "acts_as", None, label="Acted as")
event("creature-move", "rolled", say="{creature} sets out", creature="creature")
event("creature-land", "landed", say="{mover} lands on {square}", mover="creature", square="square", how="")
event("creature-acts", creature="creature", square="square", type="")


@value("kind", of="creature")
def kind_of_creature(which):
    return which.type


@marker("creature")
def seen_on_board(which):
    known = row_of("creature", which.type)
    return (known.symbol, f"{known.name} ({which.id}), {which.health} health")


@after("creature-move")
def whose_move(e):
    note(who=e.creature, mover=e.creature)


@on("creature-land")
def come_down(e):
    which = e.mover
    note(who=which)
    peels = attribute_of(e.square, "banana_peels", 0)
    befall(which, which, e.square, e.how)
    if exists(which) and which.square is e.square:
        do("creature-acts", creature=which, square=e.square, type=which.type)
    thrown = not peels and attribute_of(e.square, "banana_peels", 0)
    if exists(which) and which.square is e.square and not thrown:
        do("settle", who=which, mover=which, square=e.square, how=e.how)


rule("XIX.3/gorilla", """
Gorilla, {health} health. It moves once a week, in the second update: ahead by one die of {sides} sides. After its move there is a chance
of {peel_chance}% that it drops a banana peel where it is.
""", title="Gorilla", health=100, sides=10, peel_chance=50)

creature("gorilla", "Gorilla", 1, rule.health, weekly=True, symbol="G")


def perhaps_a_peel(which):
    if chance.percent(rule.peel_chance):
        do("throw-peel", creature=which, square=which.square)


@after("creature-move")
def gorilla_moves(e):
    if e.creature.type == "gorilla":
        steps = chance.die(rule.sides)
        note(total=steps)
        do("move", who=e.creature, mover=e.creature, steps=steps)
        if exists(e.creature):
            perhaps_a_peel(e.creature)


@after("creature-acts")
def as_a_gorilla(e):
    if e.type == "gorilla" and e.creature.type != "gorilla":
        perhaps_a_peel(e.creature)


rule("XIX.3/elephant", """
Elephant, {health} health. It moves once a week, in the second update, by one square: a die of {sides} sides sends it north, south, east or
west; if there is no square that way, or a side names no way, it is thrown again. Where it lands it tramples every player and every other creature: each loses
{trample_health} health.
""", title="Elephant", health=100, sides=4, trample_health=15)

creature("elephant", "Elephant", 2, rule.health, weekly=True, symbol="E")
event("trample", "trampled", say="{creature} tramples {who}", who="", creature="", square="square")


def ways_from(place):
    return [value("neighbour", place, direction) for direction in ("north", "south", "east", "west")]


@after("creature-move")
def elephant_moves(e):
    if e.creature.type == "elephant":
        ways = dict(zip(range(1, rule.sides + 1), ways_from(e.creature.square)))
        if [way for way in ways.values() if way is not None]:
            goal = ways.get(chance.die(rule.sides))
            while goal is None:
                goal = ways.get(chance.die(rule.sides))
            creature_goes(e.creature, goal)


@after("creature-acts")
def as_an_elephant(e):
    if e.type == "elephant":
        trampled = here(e.square) + creatures_there(e.square, but=e.creature)
        for each in trampled:
            if exists(each):
                do("trample", who=each, creature=e.creature, square=e.square)


@on("trample")
def trample(e):
    hurt(e.who, rule.trample_health)


rule("XIX.3/bison", """
MTS Bison, {health} health. It moves in every update: ahead by {dice} dice of {sides} sides. Each player on the square where it lands may
hop on and name any square; the player jumps there, and then the bison. One can until the bison leaves that square or the update
period ends, and only once an update.
""", title="MTS Bison", health=100, dice=2, sides=6)

creature("mts-bison", "MTS Bison", 3, rule.health, symbol="B")
attribute("player", "ride_option", None, label="May ride", type="thing")
attribute("player", "rode_in", None, label="Rode in update", type="number")
event("rides-end", say="The rides on the Bison end")
step("period-end", 40, "rides-end", when=lambda: [each for each in players() if each.ride_option is not None])


def no_rides(which):
    for who in players():
        if who.ride_option is which:
            put(who, "ride_option", None)


@after("creature-move")
def bison_moves(e):
    if e.creature.type == "mts-bison":
        steps = sum(chance.dice((rule.sides,) * rule.dice))
        note(total=steps)
        do("move", who=e.creature, mover=e.creature, steps=steps)


@after("creature-acts")
def as_a_bison(e):
    if e.type == e.creature.type:
        no_rides(e.creature)
    if e.type == "mts-bison":
        for who in here(e.square):
            put(who, "ride_option", e.creature)


@check("ride-bison")
def may_hop_on(e):
    which = e.who.ride_option
    if which is None or not exists(which) or which.square is not e.who.square:
        return "there is nothing here to hop on"
    if e.who.rode_in == thing("game").update:
        return "one rides once an update"


@action(
    "ride-bison",
    "Hop on the bison",
    fact="hopped-on",
    say="{who} hops on {creature} to {square}",
    square=choose("square", "To"),
)
def ride_bison(e):
    which = e.who.ride_option
    note(creature=which)
    put(e.who, "rode_in", thing("game").update)
    no_rides(which)
    jump_to(e.who, e.square)
    if exists(which) and exists(e.square):
        jump_to(which, e.square)


@after("place")
def taken_away(e):
    if e.mover.kind == "creature":
        no_rides(e.mover)


@after("die")
def died_with_it(e):
    no_rides(e.creature)


@on("rides-end")
def rides_end(e):
    for who in players():
        put(who, "ride_option", None)


rule("XIX.3/skunk", """
Skunk, {health} health. It moves in every update: two dice of {sides} sides send it up by the first and right by the second, over
squares that exist, round the edges of its column and of the row it has reached. It passes nothing. What is on the square where it lands
decides what it sets off, as below.
""", title="Skunk", health=100, sides=3)

creature("skunk", "Skunk", 4, rule.health, symbol="S")


@after("creature-move")
def skunk_moves(e):
    if e.creature.type == "skunk":
        up, right = chance.dice((rule.sides, rule.sides))
        note(total=up + right)
        creature_goes(e.creature, round_the_edge(round_the_edge(e.creature.square, up, "column", "row"), right, "row", "column"))


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


rule("XIX.3/jelly-dog", """
Blinking Jelly Dog, {health} health. It moves in every update: it jumps to a random square. At each landing it does what a random other
creature would do on landing there.
""", title="Blinking Jelly Dog", health=100)

creature("blinking-jelly-dog", "Blinking Jelly Dog", 5, rule.health, symbol="J")


@after("creature-move")
def dog_moves(e):
    if e.creature.type == "blinking-jelly-dog":
        jump_to(e.creature, chance.pick(in_sequence()))


@after("creature-acts")
def as_another(e):
    if e.type == "blinking-jelly-dog":
        kind = chance.pick([each for each in creature_kinds() if each != e.type])
        put(e.creature, "acts_as", kind)
        do("creature-acts", creature=e.creature, square=e.square, type=kind)


rule("XIX.3/banana-peel", """
Who lands on a square with banana peels, a player or a creature, slips on one: it is gone, they lose {health} health and jump to a random
square, perhaps the same. Peels add up. Standing where one is thrown is not landing.
""", title="Banana peel", health=10)

attribute("square", "banana_peels", 0, label="Banana peels")
event("throw-peel", "peel", say="a banana peel drops on {square}", creature="creature", square="square")
event("slip", "slipped", say="{who} slips on a banana peel", who="", mover="", square="square", how="")
settling("banana-peel", 10, "slip", when=lambda who, mover, square: square.banana_peels > 0, creatures=True)


@on("throw-peel")
def throw_peel(e):
    put(e.square, "banana_peels", e.square.banana_peels + 1)


@on("slip")
def slip(e):
    put(e.square, "banana_peels", e.square.banana_peels - 1)
    life = life_of(e.mover)
    hurt(e.who, rule.health)
    if exists(e.mover) and life_of(e.mover) == life:
        jump_to(e.mover, chance.pick(in_sequence()))


@marker("square")
def peel(place):
    if place.banana_peels:
        return ("(", f"{place.banana_peels} banana peel{'s' if place.banana_peels > 1 else ''}")


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
    missile = chance.pick([each.id for each in rows("missile")])
    do("fire", square=e.square, missile=missile, target=chance.pick(targets_of(missile, e.square)))


rule("XIX.3/skunk-battery", """
The skunk on an Anti-Missile Battery: a random square of the board becomes polluted.
""", title="The skunk on an Anti-Missile Battery")

event("skunk-battery", creature="creature", square="square", whom="")
reaction("battery", 70, "skunk-battery", lambda skunk, square: standing(square, "anti-missile-battery"))


@on("skunk-battery")
def foul_one(e):
    do("pollute", square=chance.pick(in_sequence()))


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
The skunk on the House of Cards, Square #{house}: every player receives a joker. A joker is no card until its holder declares, at any time, which card it is
from then on: until then it cannot be put on a square, traded in or added up.
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
        [who for who in players() if who.square in joined_by_rail(square)] if attribute_of(square, "railroad", False) else None
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
    type = chance.pick([each.id for each in rows("block-type")])
    groups = possible_blocks(type)
    lowest = [group[0] for group in groups]
    names = [group[0] if lowest.count(group[0]) == 1 else group for group in groups]
    if groups:
        form_block(type, groups[names.index(chance.pick(names))])


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
            jump_to(e.creature, chance.pick(in_sequence()))


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


rule("XIX.4", """
Each creature has the health that the table gives it. Whatever touches the health of a player who lands or stands somewhere touches that of
a creature; at 0 or less it dies: it leaves the board, and may be spawned again. Rules about money, cards, options, votes and movement do
not concern creatures, unless they say so.
""", title="Creatures live and die")

attribute("creature", "health", 0, label="Health")
event("die", "died", say="{creature} dies", creature="creature")


@after("hurt")
def not_for_ever(e):
    if e.who.kind == "creature" and exists(e.who) and e.who.health <= 0:
        do("die", creature=e.who)


@on("die")
def die(e):
    note(who=e.creature)
    destroy(e.creature)


rule("XIX.5", """
Where several creatures are to move, they do so one after the other, in random order. Those that appear meanwhile wait for the next update.
""", title="Order among creatures")

attribute("game", "creatures_to_move", (), show="nobody")
event("creatures-move", say="The creatures move")
event("next-creature", say="A creature moves")
step("creatures", 10, "creatures-move", when=lambda: creatures())


@on("creatures-move")
def those_due(e):
    second = thing("game").days == "sunday"
    due = [
        each for each in creatures() if each.square is not None and (second or not row_of("creature", each.type).weekly)
    ]
    put(thing("game"), "creatures_to_move", tuple(due))
    if due:
        follow("next-creature")


@on("next-creature")
def next_creature(e):
    left = [each for each in thing("game").creatures_to_move if exists(each)]
    if left:
        moving = pick_one(left)
        put(thing("game"), "creatures_to_move", tuple([each for each in left if each is not moving]))
        follow("creature-move", creature=moving)
        if len(left) > 1:
            follow("next-creature")

"""Section XIX up to XIX.9: products, and what each of them does."""

section("XIX", "Products")

rule("XIX.1", """
A product that nobody has bought within {weeks} weeks of its creation leaves the rules as a week starts: its rule is repealed, or, if
that rule has another product in it that stays, it is no longer on sale. The products with which the game begins have passed their
tests, and stay.
""", title="Unsold products", weeks=2, leeway=2)

event("unsold-products", say="Products that nobody has bought go")
step("expiry", 10, "unsold-products", when=lambda: [each for each in every("product") if not each.bought])


@on("unsold-products")
def take_off(e):
    unsold = [each for each in every("product") if not each.bought]
    due = now() + hours(rule.leeway)  # a week in which the clock is put forward is shorter than seven days
    late = [each for each in unsold if each.made_at + days(7 * rule.weeks) <= due]
    gone = ()
    for each in late:
        number = product_row(each.id).rule
        together = [other.id for other in rows("product") if other.rule == number]
        if [id for id in together if thing(id) not in late]:
            put(each, "on_sale", False)  # its rule has others in it that are sold
        elif number not in gone:
            gone = (*gone, number)
    change_rulebook([{"repeal": number} for number in gone])


rule("XIX.2", """
Who makes a product that repeats the effect of another one makes a Repackaged Product; whether it does, the Admin judges. What is no
product can be repeated too: the patents of paints are The Government's or The Corporation's by the group of their color; those of glue
and extra dice are The Government's, what lottery tickets bring goes to the Pot, and those of Tefflon, of taking it off, of New Clear
Fishing and of Explosive Insurance are The Corporation's.
""", title="Originals and repackaging")

row("payee", "paint-red", to="$corporation")
row("payee", "paint-orange", to="$corporation")
row("payee", "paint-yellow", to="$corporation")
row("payee", "paint-green", to="$corporation")
row("payee", "paint-blue", to="$corporation")
row("payee", "paint-indigo", to="$corporation")
row("payee", "paint-maroon", to="$government")
row("payee", "paint-navy", to="$government")
row("payee", "paint-khaki", to="$government")
row("payee", "paint-teal", to="$government")
row("payee", "paint-lime", to="$government")
row("payee", "paint-fuchsia", to="$government")
row("payee", "glue", to="$government")
row("payee", "extra-die", to="$government")
row("payee", "ticket", to="$pot")
row("payee", "tefflon", to="$corporation")
row("payee", "remove-tefflon", to="$corporation")
row("payee", "new-clear-fishing", to="$corporation")
row("payee", "insurance", to="$corporation")

rule("XIX.3", """
Warp Bubble (Experimental Technology, ${price}, patent of The Corporation). Its user is taken to any square and lands there, with all that
landing there brings. That is no Easy Move. The bubble is gone then.
""", title="Warp Bubble", price=500)

product(
    "warp-bubble",
    "Warp Bubble",
    rule.price,
    type="Experimental Technology",
    asks=("square",),
    effect=lambda e: land_on(e.who, e.square, "warp"),
)

rule("XIX.4", """
Blockbuster (Experimental Technology, ${price}, patent of The Corporation). It is delivered to any square that has none yet. If it has not
been disarmed by the end of the next update after the one in which it was delivered, it destroys that square, and if the square is then
part of a block, the whole block, by number; squares of the block that are protected or insured stay, and on a protected square it
fizzles. It is disarmed when any player lands on its square; pseudoplayers disarm nothing. If the square is in the base of a Team, the
Team is told; it is disarmed too when {members} members of the Team (all, if they are fewer) have each paid ${fee} to The Government,
which are not given back. Where two bases meet, each Team counts for itself. Also as Fake Toy Bomb (Novelty, ${fake_price}, royalty
${fake_royalty}).
""", title="Blockbuster", price=300, members=3, fee=50, fake_price=325, fake_royalty=275, landing_place=50)

attribute("square", "blockbuster", None, label="Blockbuster")
attribute("game", "bombs", (), show="nobody")  # the squares with Blockbusters, in order of placing
event("place-bomb", "placed", say="A Blockbuster is put on {square}", who="player", square="square")
event(
    "disarm-bomb", "expired", say="The Blockbuster on {square} is disarmed", who="", mover="", square="square", how=""
)
event("explode", "exploded", say="The Blockbuster on {square} explodes", who="", square="square")
event("fizzle", "expired", say="The Blockbuster on {square} fizzles", square="square")
event("blockbusters", say="The Blockbusters tick on")
event("next-bomb", say="A Blockbuster is due")
step("what-is-due", 10, "blockbusters", when=lambda: bombed_squares())
landing("disarm", rule.landing_place, "disarm-bomb", when=lambda who, mover, square: square.blockbuster is not None)


@marker("square")
def ticking(place):
    if place.blockbuster is not None:
        return ("!", "Blockbuster")


@word
def bomb_of(place):
    """What is known of the Blockbuster on a square: by, due, paid; empty if there is none. What nobody knows is: due next."""
    if attribute_of(place, "blockbuster") is None:
        return {}
    known = {"by": None, "due": 1, "paid": (), **dict(place.blockbuster)}
    due = known["due"] if isinstance(known["due"], int) else 1
    return {"by": as_thing(known["by"]), "due": due, "paid": tuple([as_thing(each) for each in known["paid"] or ()])}


@word
def set_bomb(place, by, due, paid=()):
    """Put a Blockbuster on a square, or change what is known of it: `due` is how many updates are left to it."""
    put(place, "blockbuster", (("by", by), ("due", due), ("paid", paid)))


@word
def bombed_squares():
    """The squares with Blockbusters, in the order in which these were placed."""
    kept = thing("game").bombs
    found = [each for each in kept if exists(each) and each.blockbuster is not None]
    return [*found, *[each for each in in_sequence() if each.blockbuster is not None and each not in found]]


def deliver(e):
    if attribute_of(e.square, "blockbuster") is not None:
        refuse(f"already: there is a Blockbuster on {e.square.id}")
    do("place-bomb", who=e.who, square=e.square)


@on("place-bomb")
def place_bomb(e):
    set_bomb(e.square, e.who, 2)
    put(thing("game"), "bombs", (*[each for each in bombed_squares() if each is not e.square], e.square))
    for team in bases_of(e.square):
        if members_of(team):
            tell(tuple(members_of(team)), f"There is a Blockbuster on {e.square.id}, in the base of the {team} Team")


@on("disarm-bomb")
@on("fizzle")
def bomb_is_gone(e):
    put(e.square, "blockbuster", None)


@on("blockbusters")
def tick(e):
    for place in bombed_squares():
        known = bomb_of(place)
        set_bomb(place, known["by"], known["due"] - 1, known["paid"])
    follow("next-bomb")


@on("next-bomb")
def one_bomb(e):
    due = [each for each in bombed_squares() if bomb_of(each)["due"] <= 0]
    if len(due) > 1:
        follow("next-bomb")
    if due and value("protected", due[0]):
        do("fizzle", square=due[0])
    elif due:
        do("explode", who=bomb_of(due[0])["by"], square=due[0])


@after("leave-things")
def bomb_stays(e):
    if e.square.blockbuster is not None and e.to.blockbuster is None:
        put(e.to, "blockbuster", e.square.blockbuster)


@on("explode")
def explode(e):
    put(e.square, "blockbuster", None)
    destroy_squares(value("block", e.square) or (e.square,), "blockbuster", e.who)


def own_base(who):
    """The squares with Blockbusters in the base of somebody's Team."""
    return [each for each in bombed_squares() if team_of(who) in bases_of(each)]


@check("disarm")
def may_disarm(e):
    if e.square.blockbuster is None:
        return f"not there: there is no Blockbuster on {e.square.id}"
    if team_of(e.who) is None or team_of(e.who) not in bases_of(e.square):
        return f"not a member: {e.square.id} is not in the base of a Team of yours"
    if e.who in bomb_of(e.square)["paid"]:
        return f"already paid for the Blockbuster on {e.square.id}"


@action("disarm", "Pay for disarming a Blockbuster", square=choose("square", "Square", choices=own_base))
def disarm(e):
    spend(e.who, "$government", rule.fee)
    known = bomb_of(e.square)
    paid = (*known["paid"], e.who)
    set_bomb(e.square, known["by"], known["due"], paid)
    team = members_of(team_of(e.who))
    if len([each for each in team if each in paid]) >= min(rule.members, len(team)):
        do("disarm-bomb", who=e.who, mover=e.who, square=e.square, how="paid")


product(
    "blockbuster", "Blockbuster", rule.price, type="Experimental Technology", asks=("square",), effect=deliver
)
product(
    "fake-toy-bomb",
    "Fake Toy Bomb",
    rule.fake_price,
    type="Novelty",
    original="blockbuster",
    royalty=rule.fake_royalty,
    asks=("square",),
    effect=deliver,
)

rule("XIX.5", """
Jumpgate Builder (Experimental Technology, ${price}, patent of The Corporation). It is used as it is bought: it makes a Jumpgate between two
different squares of its buyer, or between one of them and one without owner, which becomes the buyer's at no further cost. A square has
one Jumpgate at most.
""", title="Jumpgate Builder", price=500)

product(
    "jumpgate-builder", "Jumpgate Builder", rule.price, type="Experimental Technology", usable=False, in_shop=False
)


def gate_places(who):
    """The squares at which somebody may build a Jumpgate."""
    return [each for each in squares() if each.owner in (who, None) and attribute_of(each, "jumpgate") is None]


@check("build-jumpgate")
def own_gate(e):
    ends = (e.from_, e.to)
    for place in ends:
        if place.owner is not None and place.owner is not e.who:
            return f"not yours: {place.id} is owned by {name_of(place.owner)}"
    if e.from_ is e.to or not [each for each in ends if each.owner is e.who]:
        return "not yours: a Jumpgate is between two squares, one of which at least belongs to you"
    for place in ends:
        if attribute_of(place, "jumpgate") is not None:
            return f"already: there is a Jumpgate on {place.id}"


@check("build-jumpgate")
def sold_at_all(e):
    if not thing("jumpgate-builder").on_sale:
        return "not on sale"


@action(
    "build-jumpgate",
    "Buy and use a Jumpgate Builder",
    fact="used",
    say="{who} builds a Jumpgate from {from_} to {to}",
    from_=choose("square", "From", choices=gate_places),
    to=choose("square", "To", choices=gate_places),
)
def build_jumpgate(e):
    note(item="jumpgate-builder")
    obtain(e.who, "jumpgate-builder")
    for place in (e.from_, e.to):
        if place.owner is None:
            change_owner(place, e.who)
    open_gate(e.from_, e.to)

rule("XIX.6", """
Hot Spring Bath (${price}, patent of The Corporation at first). It works by being owned: if its owner is Sick, the owner becomes well; if
its owner has Chains that are not Rusty, they become Rusty. Then, and also if neither applies, it is gone at once.
""", title="Hot Spring Bath", price=40)

event("bathe", "used", say="{who} takes a Hot Spring Bath", who="player")
product("hot-spring-bath", "Hot Spring Bath", rule.price, usable=False)


@after("entry")
def take_baths(e):
    for who in players():
        if "hot-spring-bath" in who.items:
            do("bathe", who=who)


@on("bathe")
def bathe(e):
    note(item="hot-spring-bath")
    cure(e.who)
    if heavy_chains(e.who):
        rust_chains(e.who)
    put(e.who, "items", tuple([each for each in e.who.items if each != "hot-spring-bath"]))

rule("XIX.7", """
Eye Opener (Caffeinity, ${price}, patent of The Corporation at first). It is drunk as soon as that is ordered, by a player who owns it
then. All orders of that player for the coming update count as having come before those of all players who have drunk none; among
those who have, orders go by arrival. Also as Chez Caffeine's Eye Opener (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="Eye Opener", price=50, chez_price=50, chez_royalty=40)

attribute("player", "eye_opened", False, label="Orders come first", show=("owner", "admin"))
event("eye-openers", "sorted", say="The orders of those who drank an Eye Opener come first")
step("update-begins", 10, "eye-openers", when=lambda: [each for each in players() if each.eye_opened])


def open_eyes(e):
    put(e.who, "eye_opened", True)


@on("eye-openers")
def first_orders(e):
    go_first([each for each in players() if each.eye_opened])
    for who in players():
        put(who, "eye_opened", False)


product("eye-opener", "Eye Opener", rule.price, type="Caffeinity", at_once=True, effect=open_eyes)
product(
    "chez-eye-opener",
    "Chez Caffeine's Eye Opener",
    rule.chez_price,
    type="Beverage",
    original="eye-opener",
    royalty=rule.chez_royalty,
    at_once=True,
    effect=open_eyes,
)

rule("XIX.8", """
All-Nighter (Caffeinity, ${price}, patent of The Corporation at first). It is drunk as soon as that is ordered, at most {most} a week. Until the
week ends its drinker may have one more undecided proposal, with all that goes with it; what waits then stays. Also as Chez Caffeine's
All-Nighter (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="All-Nighter", price=100, most=1, chez_price=100, chez_royalty=75)

attribute("player", "all_nighters", 0, label="All-Nighters this week")
event("week-of-all-nighters", say="The All-Nighters of the week end")
step("week-begins", 10, "week-of-all-nighters", when=lambda: [each for each in players() if each.all_nighters])


def stay_up(e):
    if e.who.all_nighters >= rule.most:
        refuse(f"already: {rule.most} All-Nighter a week")
    put(e.who, "all_nighters", e.who.all_nighters + 1)


@modify("proposal_limit")
def one_proposal_more(who, base):
    if who is not None and who.kind == "player" and who.all_nighters:
        return add(who.all_nighters)


@on("week-of-all-nighters")
def sleep_again(e):
    for who in players():
        put(who, "all_nighters", 0)


product("all-nighter", "All-Nighter", rule.price, type="Caffeinity", at_once=True, effect=stay_up)
product(
    "chez-all-nighter",
    "Chez Caffeine's All-Nighter",
    rule.chez_price,
    type="Beverage",
    original="all-nighter",
    royalty=rule.chez_royalty,
    at_once=True,
    effect=stay_up,
)

rule("XIX.9", """
V-8 (Beverage, ${price}, patent of The Corporation at first). Who drinks it becomes well, and another player, picked at random among all
others, becomes Sick. Also as Fancy Ketchup (Candy, ${ketchup_price}, royalty ${ketchup_royalty}).
""", title="V-8", price=50, ketchup_price=60, ketchup_royalty=10)


def pass_it_on(e):
    cure(e.who)
    others = [each for each in players() if each is not e.who]
    if others:
        make_sick(chance.pick(others), e.who)


product("v-8", "V-8", rule.price, type="Beverage", effect=pass_it_on)
product(
    "fancy-ketchup",
    "Fancy Ketchup",
    rule.ketchup_price,
    type="Candy",
    original="v-8",
    royalty=rule.ketchup_royalty,
    effect=pass_it_on,
)

"""Section XXII: who builds what on a block, what the buildings are good for, and how they bend the rent."""

section("XXII", "Buildings")

rule(
    "XXII.1",
    """
The owner of a square in a block that is no Government block may put up a building there, by paying its price. That can be done once an
update on each square, and on none before every square of the block has as many buildings as this one has already.
""",
    title="Who builds",
)

attribute("square", "buildings", (), label="Buildings", holds="building")
attribute("square", "built_in", None, label="Last built on in update", type="number")


def building_ground(who):
    """The squares of a player on which they may build: those in blocks in which not only the Government does."""
    return [each for each in owned_by(who) if block_of(each) is not None and block_of(each).type != "government"]


def buildings_for(who):
    """The buildings that may stand in the blocks in which a player builds; all, if there is no such block."""
    types = [block_of(each).type for each in building_ground(who)]
    return [each.id for each in rows("building") if not types or [type for type in types if type in each.types]]


@check("build")
def may_build(e):
    if e.who is None:
        return
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id}"
    block = block_of(e.square)
    if block is None:
        return f"not in a block: {e.square.id}"
    if e.square.built_in == thing("game").update:
        return f"one building an update: there already was one on {e.square.id}"
    behind = [each for each in block.squares if len(each.buildings) < len(e.square.buildings)]
    if behind:
        return f"every square of the block must have as many buildings as {e.square.id} first: {behind[0].id} has fewer"


@action(
    "build",
    "Build",
    fact="built",
    say="A {building} is built on {square}",
    square=choose("square", "Square", choices=building_ground),
    building=one_of(buildings_for, "Building", priced="building"),
    on_credit=yes_or_no("On credit"),
)
def build(e):
    if e.who is not None:
        do("purchase", who=e.who, price=building_price(e.building), on_credit=e.on_credit, what=e.building)
        put(e.square, "built_in", thing("game").update)
    put(e.square, "buildings", (*e.square.buildings, e.building))


rule(
    "XXII.2",
    """
When a block ends, all its buildings are destroyed. The owners of the squares get {refund}% of their price back.
""",
    title="When a block ends",
    refund=50,
)

event(
    "demolish",
    "demolished",
    say="The {building} on {square} is destroyed",
    notify="owner",
    square="square",
    building="",
    because="",
    owner="player",
)
event("refund", "refunded", say="{who} gets ${amount} back for {square}", who="player", square="square", amount="")


@on("demolish")
def take_down(e):
    if e.square.owner is not None:
        note(owner=e.square.owner)
    put(e.square, "buildings", tuple([each for each in e.square.buildings if each != e.building]))


@after("end-block")
def all_go(e):
    for place in by_number([each for each in e.squares if exists(each)]):
        amount = share(sum([building_price(each) for each in place.buildings]), rule.refund)
        for building in place.buildings:
            demolish(place, building, e.because)
        if place.owner is not None and amount > 0:
            do("refund", who=place.owner, square=place, amount=amount)


@on("refund")
def give_back(e):
    pay("$admin", e.who, e.amount)


rule(
    "XXII.3",
    """
There are no two buildings of the same kind on a square.
""",
    title="No two alike",
)

overrides("XXII.1")  # of several reasons why not this one is told


@check("build")
def only_one_of_a_kind(e):
    if has_building(e.square, e.building):
        return f"{e.square.id} already has {a_building(e.building)}"


rule(
    "XXII.4",
    """
These are the buildings, each with its price and the types of blocks in which it may stand. The price counts for the net worth of the
square.
""",
    title="The buildings",
)


@value("building_price")
def price_of_building(id):
    return row_of("building", id).price


@modify("square_net_worth")
def worth_of_buildings(place, base):
    return add(sum([building_price(each) for each in place.buildings])) if place.buildings else None


@check("build")
def right_ground(e):
    block = block_of(e.square)
    if block is None:
        return f"not in a block: {e.square.id}"
    kind_of = row_of("building", e.building)
    if block.type not in kind_of.types:
        return f"{a_building(e.building)} cannot stand in {with_article(block.type)} block"
    if kind_of.centre and middle_of(block) is not e.square:
        return f"{a_building(e.building)} stands in the centre of its block, on {middle_of(block).id}"


@marker("square")
def buildings_marker(place):
    if place.buildings:
        return ("⌂", ", ".join([row_of("building", each).name for each in place.buildings]))


@after("rules-changed")
def kinds_gone(e):
    known = [each.id for each in rows("building")]
    for place in squares():
        for building in place.buildings:
            if building not in known:
                demolish(place, building, "its rule is gone")


rule(
    "XXII.4/springboard",
    """
Springboard, ${price}, in Residential, Commercial and Government blocks: who lands on it jumps back {back} squares.
""",
    title="Springboard",
    price=100,
    back=7,
)

row(
    "building",
    "springboard",
    name="Springboard",
    price=rule.price,
    types=("residential", "commercial", "government"),
    centre=False,
)
event("springboard", who="", mover="", square="square", how="")
settling("springboard", 20, "springboard", when=lambda who, mover, square: has_building(square, "springboard"))


@on("springboard")
def spring(e):
    place = e.square
    for _ in range(rule.back):
        place = value("predecessor", place)
    jump_to(e.mover, place, e.who)


rule(
    "XXII.4/house",
    """
House, ${price}, in Residential, Commercial and Government blocks: {pct}% more rent, or ${flat} more if that is more.
""",
    title="House",
    price=300,
    pct=30,
    flat=150,
)

row(
    "building",
    "house",
    name="House",
    price=rule.price,
    types=("residential", "commercial", "government"),
    centre=False,
)


@modify("rent")
def housed(place, base):
    if has_building(place, "house"):
        return percent(rule.pct) if base * rule.pct >= rule.flat * 100 else add(rule.flat)


rule(
    "XXII.4/hospital",
    """
Hospital, ${price}, in Residential, Commercial and Government blocks: who lands there and owns part of the block gains {health} health;
in a Government block, whoever lands there.
""",
    title="Hospital",
    price=250,
    health=15,
    landing_place=70,
)

row(
    "building",
    "hospital",
    name="Hospital",
    price=rule.price,
    types=("residential", "commercial", "government"),
    centre=False,
)
event("treat", who="", mover="", square="square", how="")


def is_treated(who, mover, square):
    """Whether a hospital takes in somebody who lands there."""
    block = block_of(square)
    if block is None or not has_building(square, "hospital"):
        return False
    return block.type == "government" or who in block_owners(block)


landing("hospital", rule.landing_place, "treat", when=is_treated, creatures=True)


@on("treat")
def treat(e):
    heal(e.who, rule.health)


rule(
    "XXII.4/mall",
    """
Mall, ${price}, in Commercial blocks: it earns {pct}% of the rent of its square a week, or ${flat} if that is more.
""",
    title="Mall",
    price=500,
    pct=15,
    flat=200,
)

row("building", "mall", name="Mall", price=rule.price, types=("commercial",), centre=False)


@modify("income")
def mall_earns(place, base):
    if has_building(place, "mall"):
        return add(max(share(value("rent", place), rule.pct), rule.flat))


rule(
    "XXII.4/store",
    """
Store, ${price}, in Commercial blocks: {pct}% more rent, or ${flat} more if that is more.
""",
    title="Store",
    price=600,
    pct=50,
    flat=200,
)

row("building", "store", name="Store", price=rule.price, types=("commercial",), centre=False)


@modify("rent")
def stored(place, base):
    if has_building(place, "store"):
        return percent(rule.pct) if base * rule.pct >= rule.flat * 100 else add(rule.flat)


rule(
    "XXII.4/corporate-headquarters",
    """
Corporate Headquarters, ${price}, in Commercial blocks: each rent that another player pays there gives the square a point of
corporate power, and each point {pct}% more rent. They are lost with the building. Its owner gets dues of ${dues} a week.
""",
    title="Corporate Headquarters",
    price=1000,
    pct=1,
    dues=100,
)

row(
    "building",
    "corporate-headquarters",
    name="Corporate Headquarters",
    price=rule.price,
    types=("commercial",),
    centre=False,
)
attribute("square", "corporate_power", 0, label="Corporate power")


@modify("rent")
def powerful(place, base):
    if place.corporate_power:
        return percent(rule.pct * place.corporate_power)


@modify("income")
def dues(place, base):
    if has_building(place, "corporate-headquarters"):
        return add(rule.dues)


@after("pay-rent")
def more_power(e):
    if has_building(e.square, "corporate-headquarters") and e.square.owner is not e.who:
        put(e.square, "corporate_power", e.square.corporate_power + 1)


@after("demolish")
def power_lost(e):
    if e.building == "corporate-headquarters":
        put(e.square, "corporate_power", 0)


rule(
    "XXII.4/missile-silo",
    """
Missile Silo, ${price}, on the middle square of Industrial blocks: it makes, holds and fires missiles. When a missile destroys it, by
hitting it or in another way, all its missiles go off: one after the other, the oldest first, each is fired at a random square
that it reaches. Where several silos fall at once, the one with the lowest number goes first; one that is destroyed by such a missile
goes off before the next missile does. A silo that falls in another way loses its missiles.
""",
    title="Missile Silo",
    price=250,
)

row("building", "missile-silo", name="Missile Silo", price=rule.price, types=("industrial",), centre=True)
attribute("game", "loose", (), show="nobody")  # what is about to go off: (square, missiles)


@after("demolish")
def missiles_come_loose(e):
    if e.building == "missile-silo":
        missiles = e.square.missiles
        put(e.square, "missiles", ())
        if e.because == "missile" and missiles:
            put(thing("game"), "loose", (*thing("game").loose, (e.square.number, e.square, missiles)))


@after("fire")
def haywire(e):
    loose = sorted(thing("game").loose, key=lambda each: each[0])
    put(thing("game"), "loose", ())
    for _, place, missiles in loose:
        for missile in missiles:
            targets = targets_of(missile, place)
            if targets:
                do("fire", may=True, square=place, missile=missile, target=pick_one(targets))


rule(
    "XXII.4/anti-missile-battery",
    """
Anti-Missile Battery, ${price}, in all blocks: a missile that is fired at its square or one next to it has a chance to succeed
that is {pct} percentage points lower.
""",
    title="Anti-Missile Battery",
    price=100,
    pct=10,
)

row(
    "building",
    "anti-missile-battery",
    name="Anti-Missile Battery",
    price=rule.price,
    types=("residential", "industrial", "commercial", "government"),
    centre=False,
)


@modify("success")
def batteries(missile, target, base):
    near = [each for each in (target, *neighbours(target)) if has_building(each, "anti-missile-battery")]
    return add(-rule.pct * len(near)) if near else None


rule(
    "XXII.4/legislative-building",
    """
Legislative Building, ${price}, in Residential and Government blocks: who lands there has {votes} vote more on each proposal of the next
voting period to begin.
""",
    title="Legislative Building",
    price=500,
    votes=1,
    landing_place=71,
)

row(
    "building",
    "legislative-building",
    name="Legislative Building",
    price=rule.price,
    types=("residential", "government"),
    centre=False,
)
event("lobby", who="player", mover="", square="square", how="")
landing(
    "lobby", rule.landing_place, "lobby", when=lambda who, mover, square: has_building(square, "legislative-building")
)


@on("lobby")
def lobby(e):
    put(e.who, "extra_votes", e.who.extra_votes + rule.votes)


rule(
    "XXII.4/factory",
    """
Factory, ${price}, in Industrial blocks: its square earns {times} times as much as it would without. Who lands there pays no rent and loses
{health} health.
""",
    title="Factory",
    price=500,
    times=3,
    health=5,
    landing_place=31,
)

row("building", "factory", name="Factory", price=rule.price, types=("industrial",), centre=False)
event("toil", who="", mover="", square="square", how="")
landing(
    "factory", rule.landing_place, "toil", when=lambda who, mover, square: has_building(square, "factory"),
    creatures=True
)


@modify("income")
def factory_earns(place, base):
    if has_building(place, "factory"):
        return add((rule.times - 1) * place.number)


@instead("pay-rent")
def no_rent(e):
    if has_building(e.square, "factory"):
        return False


@on("toil")
def toil(e):
    hurt(e.who, rule.health)


rule(
    "XXII.4/atm",
    """
ATM, ${price}, in all blocks: whoever is there can deposit and withdraw money as at the Bank, for ${fee} each time, paid to the owner of
the square. At one's own it costs nothing.
""",
    title="ATM",
    price=50,
    fee=5,
)

row(
    "building",
    "atm",
    name="ATM",
    price=rule.price,
    types=("residential", "industrial", "commercial", "government"),
    centre=False,
)


@modify("bank_fee")
def fee_at_atm(who, base):
    if base is None and has_building(who.square, "atm"):
        return set(0 if who.square.owner is who else rule.fee)


@after("deposit")
@after("withdraw")
def pay_fee(e):
    fee = value("bank_fee", e.who)
    if fee:
        pay(e.who, e.who.square.owner or "$admin", fee)


rule(
    "XXII.4/casino",
    """
Casino, ${price}, in all blocks: the section on casinos says what it is good for.
""",
    title="Casino",
    price=500,
)

row(
    "building",
    "casino",
    name="Casino",
    price=rule.price,
    types=("residential", "industrial", "commercial", "government"),
    centre=False,
)

rule(
    "XXII.5",
    """
What bends the rent of a square is added up in this order: its number and its card make the base; percentages are added together and
taken of the base; fixed amounts come on top; pollution leaves a third of all that; and then it is rounded, once. Whether a house or a
store counts by its percentage or its amount depends on the base alone.
""",
    title="Adding up effects on rent",
)

"""Section XXI: blocks, their four types, and how they are made and ended. What a type is, its row says."""

section("XXI", "Blocks")

rule(
    "XXI.1",
    """
Squares become a block if all their owners agree. A block is of one of the types below: its squares must be as many as its type
says and lie as it says. What a square earns in a week is paid to its owner, whoever that is then, from the Admin Bank Account as the
week ends.
""",
    title="Making a block",
)

kind("block", label="Block")
attribute("block", "type", "", label="Type")
attribute("block", "squares", (), label="Squares")
attribute("square", "block", None, label="Block", type="thing")
event("block-agreed", who="player", agreed="", credit="", type="", squares="")
event("form-block", "block-made", say="New {type} block: {squares}", type="", squares="", block="block")
event("incomes", say="Weekly incomes")
event("earn", square="square")
step("week-ends", 20, "incomes")


@value("income", of="square", label="Income a week", type="money")
def income(place):
    return 0


def may_be_asked(who, said):
    """The owners of the squares that an order to make a block names."""
    named = said.get("squares")
    places = [find(each) for each in squares_said(named)] if isinstance(named, (list, str)) else []
    return owners_among([each for each in places if each is not None and each.kind == "square"])


asks("make-block", may_be_asked)


def cannot_be(type, places):
    """Why these squares cannot become a block of that type, or None."""
    if [place for place in places if not exists(place)]:
        return "one of the squares is gone"
    if group_of(type, places) is None:
        return f"shape: {with_article(type)} block is {row_of('block-type', type).shape}"
    for place in places:
        if hindrance(place) is not None:
            return hindrance(place)


def free_ground(who):
    """The squares of which a player who owns one may make a block with others: those that somebody owns and that are in
    none."""
    mine = [each for each in owned_by(who) if block_of(each) is None]
    return by_number([each for each in squares() if each.owner is not None and block_of(each) is None]) if mine else ()


@check("make-block")
def can_be_made(e):
    if not owned_by(e.who):
        return "not yours: you own no square"
    places = squares_named(e.squares)
    if e.who not in owners_among(places):
        return "not yours: an owner of some of the squares has to ask"
    return cannot_be(e.type, places)


@action(
    "make-block",
    "Make a block",
    type=one_of(lambda who: [each.id for each in rows("block-type")], "Type", priced="block-type"),
    squares=anything("Squares", optional=False, choices=free_ground),
    on_credit=yes_or_no("On credit"),
)
def make_block(e):
    places = by_number(squares_named(e.squares))
    text = f"{', '.join([each.id for each in places])} as {with_article(e.type)} block"
    seek_agreement(e.who, owners_among(places), "block-agreed", text, e.on_credit, type=e.type, squares=places)


@check("block-agreed")
def can_still_be_made(e):
    reason = cannot_be(e.type, e.squares)
    if reason is not None:
        return reason
    for who in owners_among(e.squares):
        if who not in e.agreed:
            return f"{name_of(who)} owns some of the squares and has not agreed"


@on("block-agreed")
def all_agree(e):
    return form_block(e.type, e.squares)


@on("form-block")
def join(e):
    block = create("block", type=e.type, squares=e.squares)
    for place in e.squares:
        put(place, "block", block)
    note(block=block)
    return block


@after("rules-changed")
def types_gone(e):
    known = [each.id for each in rows("block-type")]
    for block in every("block"):
        if block.type not in known:
            end_block(block, "its rule is gone")


@after("entry")
def squares_know_their_block(e):
    for block in every("block"):
        for place in block.squares:
            if place.block is None and exists(place):
                put(place, "block", block)


@on("incomes")
def pay_incomes(e):
    for place in by_number(squares()):
        if place.owner is not None:
            do("earn", may=True, square=place)


@on("earn")
def earn(e):
    amount = value("income", e.square)
    if amount > 0:
        pay("$admin", e.square.owner, amount)


@marker("square")
def block_marker(place):
    block = block_of(place)
    if block is not None:
        return (block.type[:1].upper(), f"{block.type} block ({block.id})")


rule(
    "XXI.2",
    """
When a block is made, the owner of each of its squares pays what its type costs; who owns several of them pays for each.
""",
    title="The cost",
)


@value("block_price")
def block_price(type):
    return row_of("block-type", type).price


@after("block-agreed")
def pay_for_it(e):
    for who in owners_among(e.squares):
        price = value("block_price", e.type) * len([each for each in e.squares if each.owner is who])
        do("purchase", who=who, price=price, on_credit=who in e.credit, what=e.result)


rule(
    "XXI.3",
    """
A Residential block costs ${price} a square. It is two squares in numerical order, one the successor of the other. Who lands on one of
them pays the rent of both.
""",
    title="Residential block",
    price=500,
    landing_place=21,
)


def pairs(first):
    second = value("successor", first)
    return [(first, second)] if second.number > first.number else []


def of_residential(who, mover, square):
    block = block_of(square)
    return block is not None and block.type == "residential"


row(
    "block-type",
    "residential",
    price=rule.price,
    groups=pairs,
    shape="two squares of which one is the successor of the other",
    ended_by="one",
)
event("rent-next-door", who="", mover="", square="square", how="")
landing("rent-next-door", rule.landing_place, "rent-next-door", when=of_residential)


@on("rent-next-door")
def next_door_too(e):
    for place in block_of(e.square).squares:
        if place is not e.square:
            do("pay-rent", may=True, who=e.who, mover=e.mover, square=place, how=e.how)


rule(
    "XXI.4",
    """
An Industrial block costs ${price} a square. It is three squares in a row, across or up. All three are polluted, and each earns its
owner its number in dollars a week. When the block ends, those that were clean before are clean again.
""",
    title="Industrial block",
    price=500,
    length=3,
)


def lines(first):
    found = [line_from(first, direction, rule.length) for direction in ("north", "east")]
    return [each for each in found if each is not None]


row(
    "block-type",
    "industrial",
    price=rule.price,
    groups=lines,
    shape="three squares in a row, across or up",
    ended_by="all",
)
attribute("block", "clean_before", (), label="Clean before")


@modify("income")
def industry(place, base):
    block = block_of(place)
    if block is not None and block.type == "industrial":
        return add(place.number)


@after("form-block")
def foul(e):
    if e.type == "industrial":
        clean = tuple([each for each in e.squares if not each.polluted])
        for place in clean:
            do("pollute", square=place)
        put(e.result, "clean_before", clean)


@after("pollute")
def fouled_by_others(e):
    block = block_of(e.square)
    if block is not None and e.square in block.clean_before:
        put(block, "clean_before", tuple([each for each in block.clean_before if each is not e.square]))


@after("end-block")
def clean_again(e):
    for place in e.block.clean_before:
        if exists(place):
            put(place, "polluted", False)


rule(
    "XXI.5",
    """
A Commercial block costs ${price} a square. It is four squares that lie two by two. Of each rent that is collected on one of them,
{tax}%, rounded down, go to the Admin Bank Account as a tax.
""",
    title="Commercial block",
    price=1000,
    tax=3,
)


def two_by_two(first):
    east = value("neighbour", first, "east")
    if east is None:
        return []
    above = value("neighbour", first, "north")
    across = value("neighbour", east, "north")
    if above is None or across is None or value("neighbour", above, "east") is not across:
        return []
    return [(first, east, above, across)]


row(
    "block-type",
    "commercial",
    price=rule.price,
    groups=two_by_two,
    shape="four squares that lie two by two",
    ended_by="one",
)
event("tax", "taxed", say="{who} pays a tax of ${amount}", who="player", square="square", amount="")


@after("pay-rent")
def collect_tax(e):
    block = block_of(e.square)
    if block is not None and block.type == "commercial":
        tax = (e.result or 0) * rule.tax // 100
        if tax > 0:
            do("tax", who=e.square.owner, square=e.square, amount=tax)


@on("tax")
def pay_tax(e):
    pay(e.who, "$admin", e.amount)


rule(
    "XXI.6",
    """
A Government block costs ${price}. It is one square. Its owner may not build there; the Government does: at the beginning of each week
it picks a random Government block and a random building that may stand there, both anew if that one stands there already, until
it has built one, free of charge. When all have everything, it builds nothing.
""",
    title="Government block",
    price=750,
)

row(
    "block-type",
    "government",
    price=rule.price,
    groups=lambda first: [(first,)],
    shape="one square",
    ended_by="",
)
event("government-builds", say="The Government builds")
step("week", 60, "government-builds", when=lambda: unfinished())


def public_squares():
    """The squares of Government blocks, by number."""
    if not [each for each in every("block") if each.type == "government"]:
        return ()
    held = [(each, block_of(each)) for each in squares()]
    return by_number([each for each, block in held if block is not None and block.type == "government"])


def public_buildings():
    """The buildings that may stand there."""
    return [each.id for each in rows("building") if "government" in each.types]


def unfinished():
    """Whether some Government block has not got everything yet."""
    wanted = public_buildings()
    for place in public_squares():
        if [each for each in wanted if not has_building(place, each)]:
            return True
    return False


@check("build")
def not_by_its_owner(e):
    block = block_of(e.square)
    if e.who is not None and block is not None and block.type == "government":
        return f"{e.square.id} is a government block: only the Government builds there"


@on("government-builds")
def government_builds(e):
    while unfinished():
        place = pick_one(public_squares())
        building = pick_one(public_buildings())
        if not has_building(place, building):
            do("build", may=True, square=place, building=building)
            return


rule(
    "XXI.7",
    """
A square is part of one block at most.
""",
    title="One block a square",
)

overrides("XXI.1")  # of several reasons why not this one is told, if the squares lie as a block does


def in_one_already(places):
    for place in places:
        if exists(place) and block_of(place) is not None:
            return f"already in a block: {place.id}"


@check("make-block")
def free_squares(e):
    places = squares_named(e.squares)
    return in_one_already(places) if group_of(e.type, places) is not None else None


@check("form-block")
def still_free(e):
    return in_one_already(e.squares)


rule(
    "XXI.8",
    """
Any owner of part of a Residential or Commercial block may end it. An Industrial block ends if all its owners agree. A Government
block cannot be ended. Owners are those who own some of its squares now. A block of which a square is destroyed is at an end.
""",
    title="Ending a block",
)

event("end-agreed", who="player", agreed="", credit="", block="block")
event(
    "end-block",
    "block-broken",
    say="The {type} block {block} is no more",
    block="block",
    type="",
    squares="",
    because="",
)


def ends_if(block):
    """Those without whom a block does not end."""
    return block_owners(block) if row_of("block-type", block.type).ended_by == "all" else []


def asked_to_end(who, said):
    """Those whom an order to end a block asks."""
    block = find(str(said.get("block")))
    return ends_if(block) if block is not None and block.kind == "block" else []


asks("break-block", asked_to_end)


@check("break-block")
def may_end(e):
    if e.who not in block_owners(e.block):
        return f"not yours: you own nothing of {e.block.id}"
    if not row_of("block-type", e.block.type).ended_by:
        return f"{with_article(e.block.type)} block cannot be ended"


@action("break-block", "End a block", block=choose("block", "Block", choices=blocks_of))
def break_block(e):
    seek_agreement(
        e.who, ends_if(e.block), "end-agreed", f"the end of the {e.block.type} block {e.block.id}", block=e.block
    )


@check("end-agreed")
def may_still_end(e):
    if not exists(e.block):
        return f"{e.block.id} no longer exists"
    if e.who not in block_owners(e.block):
        return f"not yours: you own nothing of {e.block.id}"
    for who in ends_if(e.block):
        if who not in e.agreed:
            return f"{name_of(who)} owns some of {e.block.id} and has not agreed"


@on("end-agreed")
def end_it(e):
    end_block(e.block, "its owners")


@on("end-block")
def part(e):
    for place in e.squares:
        if exists(place):
            put(place, "block", None)


@after("destroy-square")
def broken_by_destruction(e):
    for block in every("block"):
        if e.square in block.squares and not e.caused_by("missile-hits"):
            end_block(block, "a square is gone")

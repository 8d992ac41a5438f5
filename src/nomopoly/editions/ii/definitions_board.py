"""What rules of several sections mean when they speak of squares and what is on them: words that they share."""

section("D", "Definitions")

rule("D.1", """
Whatever has health can be hurt and healed, by the rules on health.
""", title="Health")


@word
def hurt(who, amount):
    """Take health from somebody."""
    do("hurt", who=as_thing(who), amount=amount)


@word
def heal(who, amount):
    """Give somebody health."""
    do("heal", who=as_thing(who), amount=amount)


rule("D.2", """
A block is of a type, and its squares lie as its type says. A square is in one block at most, and comes into none while it has no owner.
Those who own some of its squares own the block, in the order in which they joined. When a block ends its buildings go and its squares stay.
""", title="Blocks")


@word
def squares_said(said):
    """The ids that a field names: a list of them or of numbers, or a text such as `#17 #18`."""
    listed = said.replace(",", " ").split() if isinstance(said, str) else said
    if not isinstance(listed, (list, tuple)):
        refuse("squares are named one after the other: #17 #18")
    return [str(each) if str(each)[:1] == "#" else f"#{each}" for each in listed]


@word
def squares_named(said):
    """The squares that a field names, as a tuple. Refuses what is no square, and one named twice."""
    found = ()
    for id in squares_said(said):
        place = thing(id)
        if place in found:
            refuse(f"{id} is named twice")
        found = (*found, place)
    return found


@word
def by_number(places):
    """Squares in order of their numbers, as a tuple."""
    return tuple(sorted(places, key=lambda each: each.number))


@word
def block_of(place):
    """The block that a square belongs to, or None."""
    if exists(place.block):
        return place.block
    for block in every("block"):
        if place in block.squares:
            return block
    return None


@word
def owners_among(places):
    """Those who own some of these squares, in the order in which they joined."""
    return [who for who in players() if [each for each in places if each.owner is who]]


@word
def block_owners(block):
    """Those who own some of a block now, in the order in which they joined."""
    return owners_among([each for each in block.squares if exists(each)])


@word
def blocks_of(who):
    """The blocks that a player owns some of."""
    return [each for each in every("block") if who in block_owners(each)]


@word
def group_of(type, places):
    """These squares by number, if they lie as a block of that type does; else None."""
    groups = row_of("block-type", type).groups
    for first in places:
        for group in groups(first):
            if len(group) == len(places) and not [each for each in group if each not in places]:
                return by_number(group)
    return None


@word
def possible_blocks(type):
    """All groups of squares that may become a block of that type: with owners, in no block, and lying as it wants."""
    groups = row_of("block-type", type).groups
    found = []
    for first in by_number(squares()):
        for group in groups(first):
            if not [each for each in group if block_of(each) is not None or hindrance(each) is not None]:
                found.append(by_number(group))
    return found


@word
def hindrance(place):
    """Why a square cannot become part of any block, whether or not it is in one, or None."""
    return f"not owned: nobody has {place.id}" if place.owner is None else value("unownable", place)


@word
def line_from(first, direction, length):
    """That many squares, each the neighbour of the one before; None if the board has not so many that way."""
    line = (first,)
    while len(line) < length:
        place = value("neighbour", line[-1], direction)
        if place is None:
            return None
        line = (*line, place)
    return line


@word
def middle_of(block):
    """The square in the middle of a block's squares, by number."""
    return by_number([each for each in block.squares if exists(each)])[len(block.squares) // 2]


@word
def form_block(type, places):
    """Make these squares a block, at no cost; returns it."""
    return do("form-block", type=type, squares=by_number(places))


@word
def end_block(block, because):
    """A block is no more: its buildings go, its squares stay."""
    do("end-block", block=block, type=block.type, squares=block.squares, because=because)
    if exists(block):
        destroy(block)


rule("D.3", """
A building stands on the square on which it was built until it is demolished. What it costs is what the rules on its price say.
""", title="Buildings on squares")


@word
def has_building(place, id):
    """Whether a building of that kind stands on a square."""
    return id in place.buildings


@word
def a_building(id):
    """A building by its name, for a sentence: `an ATM`."""
    return with_article(row_of("building", id).name)


@word
def building_price(id):
    """What a building costs."""
    return value("building_price", id)


@word
def demolish(place, id, because):
    """A building is destroyed."""
    do("demolish", square=place, building=id, because=because)


@word
def standing(square, building):
    """Whether a building is on a square."""
    return building in (attribute_of(square, "buildings") or ())


rule("D.4", """
A missile reaches the squares to which no more steps lead than its range, over squares that exist; one without a range reaches all of
them. It starts from the square where its silo stands, or stood.
""", title="What a missile reaches")


@word
def silos_of(who):
    """The squares of a player on which there is a missile silo."""
    return [each for each in owned_by(who) if has_building(each, "missile-silo")]


@word
def within_range(missile, start, target):
    """Whether a missile of that kind reaches a square from another one (which may be gone: from where it lay)."""
    most = row_of("missile", missile).range
    if most is None:
        return True
    steps = value("distance", start, target)
    return steps is not None and steps <= most


@word
def targets_of(missile, start):
    """All squares that a missile of that kind reaches from another one (which may be gone), by number."""
    most = row_of("missile", missile).range
    return list(by_number(squares() if most is None else squares_within(start, most)))


@word
def squares_within(start, most):
    """The squares that so many steps lead to from a place at most, itself included if it is there."""
    found = [start]
    edge = [start]
    for _ in range(most):
        further = []
        for place in edge:
            for other in neighbours(place):
                if other not in found:
                    found.append(other)
                    further.append(other)
        edge = further
    return [each for each in found if exists(each)]


rule("D.5", """
Creatures come in the order of their kinds, and within a kind in the order in which they appeared. A creature that gets to a square
passes none, and lands there. What a creature may set off where it lands it sets off in the order that its rule says.
""", title="Creatures")


@word
def creature(id, name, place, health, weekly=False, symbol=""):
    """Declare a kind of creature: its place in order, its health at first, and whether it moves once a week only."""
    row("creature", id, name=name, place=place, health=health, weekly=weekly, symbol=symbol)


@word
def reaction(id, place, event, whom):
    """Declare what a skunk may set off where it lands; reactions come in order of `place`.

    `whom(skunk, square)` tells at the landing whether it will, by anything but nothing; the event gets that as `whom`.
    """
    row("reaction", id, place=place, event=event, whom=whom)


@word
def creature_kinds():
    """The ids of the kinds of creatures, in their order."""
    return [each.id for each in sorted(rows("creature"), key=lambda each: each.place)]


@word
def creatures():
    """All creatures, in the order of their kinds."""
    return [each for kind in creature_kinds() for each in every("creature") if each.type == kind]


@word
def creatures_there(square, kind=None, but=None):
    """The creatures on a square, in the order of their kinds; or those of one kind, or all but one."""
    there = [each for each in creatures() if each.square is square and each is not but]
    return [each for each in there if kind is None or each.type == kind]


@word
def creature_id(kind):
    """The first id that is free for a creature of a kind: its name, or that with 2, 3 and so on."""
    number = 1
    while find(kind if number == 1 else f"{kind}-{number}") is not None:
        number += 1
    return kind if number == 1 else f"{kind}-{number}"


@word
def creature_goes(which, square):
    """A creature gets to a square without passing any, and lands there."""
    put(which, "square", square)
    arrive(which, square, "turn")


@word
def those_with_least(things, measure):
    """Of a list those for which a measure is least; what has none (None) comes after all others."""
    measured = [(measure(each), each) for each in things]
    known = [amount for amount, _ in measured if amount is not None]
    least = min(known) if known else None
    return [each for amount, each in measured if amount == least]


rule("D.6", """
Steps along a row or a column lead round the edge of the board to its other end. A square is joined by rail to all squares to which one
gets over squares with railroads.
""", title="Lines and rails")


@word
def round_the_edge(square, steps, line, cross):
    """The square so many steps on in its column (`line` "column", `cross` "row") or in its row, round the edge."""
    there = [each for each in squares() if value(line, each) == value(line, square)]
    there = sorted(there, key=lambda each: value(cross, each))
    return there[(there.index(square) + steps) % len(there)]


@word
def joined_by_rail(square):
    """The squares that one can reach from a square with a railroad over squares with railroads, itself included."""
    found = [square] if attribute_of(square, "railroad") else []
    edge = found
    while edge:
        around = [other for place in edge for other in neighbours(place) if attribute_of(other, "railroad")]
        edge = []
        for other in around:
            if other not in found and other not in edge:
                edge.append(other)
        found = found + edge
    return found

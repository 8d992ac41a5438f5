"""Blocks: squares that are joined as a type, the buildings that stand on them, and what missiles do to both."""


def squares_said(said):
    """The ids that a field names: a list of them or of numbers, or a text such as `#17 #18`."""
    listed = said.replace(",", " ").split() if isinstance(said, str) else said
    if not isinstance(listed, (list, tuple)):
        refuse("squares are named one after the other: #17 #18")
    return [str(each) if str(each)[:1] == "#" else f"#{each}" for each in listed]


def squares_named(said):
    """The squares that a field names, as a tuple. Refuses what is no square, and one named twice."""
    found = ()
    for id in squares_said(said):
        place = thing(id)
        if place in found:
            refuse(f"{id} is named twice")
        found = (*found, place)
    return found


def by_number(places):
    """Squares in order of their numbers, as a tuple."""
    return tuple(sorted(places, key=lambda each: each.number))


def block_of(place):
    """The block that a square belongs to, or None."""
    if exists(place.block):
        return place.block
    for block in every("block"):
        if place in block.squares:
            return block
    return None


def owners_among(places):
    """Those who own some of these squares, in the order in which they joined."""
    return [who for who in players() if [each for each in places if each.owner is who]]


def block_owners(block):
    """Those who own some of a block now, in the order in which they joined."""
    return owners_among([each for each in block.squares if exists(each)])


def blocks_of(who):
    """The blocks that a player owns some of."""
    return [each for each in every("block") if who in block_owners(each)]


def group_of(type, places):
    """These squares by number, if they lie as a block of that type does; else None."""
    groups = row_of("block-type", type).groups
    for first in places:
        for group in groups(first):
            if len(group) == len(places) and not [each for each in group if each not in places]:
                return by_number(group)
    return None


def possible_blocks(type):
    """All groups of squares that may become a block of that type: with owners, in no block, and lying as it wants."""
    groups = row_of("block-type", type).groups
    found = []
    for first in by_number(squares()):
        for group in groups(first):
            if not [each for each in group if block_of(each) is not None or hindrance(each) is not None]:
                found.append(by_number(group))
    return found


def hindrance(place):
    """Why a square cannot become part of any block, whether or not it is in one, or None."""
    return f"not owned: nobody has {place.id}" if place.owner is None else value("unownable", place)


def line_from(first, direction, length):
    """That many squares, each the neighbour of the one before; None if the board has not so many that way."""
    line = (first,)
    while len(line) < length:
        place = value("neighbour", line[-1], direction)
        if place is None:
            return None
        line = (*line, place)
    return line


def middle_of(block):
    """The square in the middle of a block's squares, by number."""
    return by_number([each for each in block.squares if exists(each)])[len(block.squares) // 2]


def form_block(type, places):
    """Make these squares a block, at no cost; returns it."""
    return do("form-block", type=type, squares=by_number(places))


def end_block(block, because):
    """A block is no more: its buildings go, its squares stay."""
    do("end-block", block=block, type=block.type, squares=block.squares, because=because)
    if exists(block):
        destroy(block)


def has_building(place, id):
    """Whether a building of that kind stands on a square."""
    return id in place.buildings


def building_price(id):
    """What a building costs."""
    return value("building_price", id)


def demolish(place, id, because):
    """A building is destroyed."""
    do("demolish", square=place, building=id, because=because)


def silos_of(who):
    """The squares of a player on which there is a missile silo."""
    return [each for each in owned_by(who) if has_building(each, "missile-silo")]


def within_range(missile, start, target):
    """Whether a missile of that kind reaches a square from another one (which may be gone: from where it lay)."""
    most = row_of("missile", missile).range
    if most is None:
        return True
    steps = value("distance", start, target)
    return steps is not None and steps <= most


def targets_of(missile, start):
    """All squares that a missile of that kind reaches from another one (which may be gone), by number."""
    most = row_of("missile", missile).range
    return list(by_number(squares() if most is None else squares_within(start, most)))


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

"""Creatures: which there are, how they get about, and what they set off where they land."""


def creature(id, name, place, health, weekly=False, symbol=""):
    """Declare a kind of creature: its place in order, its health at first, and whether it moves once a week only."""
    row("creature", id, name=name, place=place, health=health, weekly=weekly, symbol=symbol)


def reaction(id, place, event, whom):
    """Declare what a skunk may set off where it lands; reactions come in order of `place`.

    `whom(skunk, square)` tells at the landing whether it will, by anything but nothing; the event gets that as `whom`.
    """
    row("reaction", id, place=place, event=event, whom=whom)


def creature_kinds():
    """The ids of the kinds of creatures, in their order."""
    return [each.id for each in sorted(rows("creature"), key=lambda each: each.place)]


def creatures():
    """All creatures, in the order of their kinds."""
    return [each for kind in creature_kinds() for each in every("creature") if each.type == kind]


def creatures_there(square, kind=None, but=None):
    """The creatures on a square, in the order of their kinds; or those of one kind, or all but one."""
    there = [each for each in creatures() if each.square is square and each is not but]
    return [each for each in there if kind is None or each.type == kind]


def creature_id(kind):
    """The first id that is free for a creature of a kind: its name, or that with 2, 3 and so on."""
    number = 1
    while find(kind if number == 1 else f"{kind}-{number}") is not None:
        number += 1
    return kind if number == 1 else f"{kind}-{number}"


def creature_goes(which, square):
    """A creature gets to a square without passing any, and lands there."""
    put(which, "square", square)
    arrive(which, square, "turn")


def standing(square, building):
    """Whether a building is on a square."""
    return building in (getattr(square, "buildings", None) or ())


def along(square, steps, line, cross):
    """The square so many steps on in its column (`line` "column", `cross` "row") or in its row, round the edge."""
    there = [each for each in squares() if value(line, each) == value(line, square)]
    there = sorted(there, key=lambda each: value(cross, each))
    return there[(there.index(square) + steps) % len(there)]


def joined_by_rail(square):
    """The squares that one can reach from a square with a railroad over squares with railroads, itself included."""
    found = [square] if square.railroad else []
    edge = found
    while edge:
        around = [other for place in edge for other in neighbours(place) if other.railroad]
        edge = []
        for other in around:
            if other not in found and other not in edge:
                edge.append(other)
        found = found + edge
    return found


def those_with_least(things, measure):
    """Of a list those for which a measure is least; what has none (None) comes after all others."""
    measured = [(measure(each), each) for each in things]
    known = [amount for amount, _ in measured if amount is not None]
    least = min(known) if known else None
    return [each for amount, each in measured if amount == least]

"""The board: squares by number, who stands where, and rows that wind northwards."""

import math as _math

_STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def players():
    """All players, in the order in which they joined."""
    return every("player")


def squares():
    """All squares, in the order in which they were made."""
    return every("square")


def square(number):
    """The square of that number. Refuses one that is gone or never was."""
    return thing(f"#{number}")


def last_number():
    """The highest number of a square."""
    return max([each.number for each in squares()])


def add_squares(how_many):
    """Make so many new squares, numbered on from the highest."""
    first = last_number() + 1 if count("square") else 1
    for number in range(first, first + how_many):
        create("square", number=number)


def successor(place):
    """The square after this one, by the rules in force."""
    return value("successor", place)


def here(place, kind="player"):
    """The things of a kind that stand on a square."""
    return [each for each in every(kind) if each.square is place]


def whole_root(number):
    """The square root of a number, rounded down."""
    return _math.isqrt(number)


def winding_place(number, width):
    """Column and row (from 1) of the n-th place of rows of `width` that wind: eastwards, then westwards, and so on."""
    row = (number - 1) // width
    along = (number - 1) % width
    return (along + 1 if row % 2 == 0 else width - along, row + 1)


def winding_number(column, row, width):
    """The number at a column and row of winding rows; None beside the board."""
    if column < 1 or column > width or row < 1:
        return None
    along = column if row % 2 == 1 else width + 1 - column
    return (row - 1) * width + along


def winding_neighbour(place, direction, width):
    """The square bordering on this one to the north, south, east or west; None if there is none."""
    if direction not in _STEPS:
        refuse(f"no such direction: {direction}; there are north, south, east and west")
    column, row = winding_place(place.number, width)
    across, up = _STEPS[direction]
    number = winding_number(column + across, row + up, width)
    return find(f"#{number}") if number is not None else None


def winding_next(place, direction, width, highest):
    """The next square to the north, south, east or west, however many are missing between; None if there is none.

    No square has a number above `highest`. The place may be a square that is gone: it counts where it lay.
    """
    if direction not in _STEPS:
        refuse(f"no such direction: {direction}; there are north, south, east and west")
    column, row = winding_place(int(place.id[1:]), width)
    across, up = _STEPS[direction]
    top = winding_place(highest, width)[1]
    while row <= top:
        column = column + across
        row = row + up
        number = winding_number(column, row, width)
        if number is None:
            return None
        found = find(f"#{number}")
        if found is not None:
            return found
    return None


def distance(start, goal, width):
    """Fewest steps north, south, east or west between two squares over squares that exist; None if there is no way."""
    seen = [start]
    edge = [start]
    steps = 0
    while edge:
        if goal in edge:
            return steps
        steps += 1
        further = []
        for place in edge:
            for direction in _STEPS:
                other = winding_neighbour(place, direction, width)
                if other is not None and other not in seen:
                    seen.append(other)
                    further.append(other)
        edge = further
    return None

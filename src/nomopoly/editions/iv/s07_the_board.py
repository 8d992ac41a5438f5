"""Section 7: the squares, where players are, and how they go."""

section("7", "The Board")

rule("7.1", """
The board is a sequence of squares, each with a whole number of its own.
""", title="Squares")

kind("square", prefix="#", numbered="number", page=True)
attribute("square", "number", 0, label="Number")

rule("7.2", """
The board begins with squares #1 to #{first_squares}. It always has at least one square. Who stands on a square that is taken
away jumps to the start square; units and buildings on it are destroyed.
""", title="Twenty, and never none", first_squares=20)

event("destroy-square", "destroyed", say="{square} is gone", square="square")


@on("open")
def lay_out(e):
    add_squares(rule.first_squares)


@check("destroy-square")
def one_stays(e):
    if count("square") == 1:
        if e.caused_by("implement"):
            broken("the board always has at least one square")
        return "the board always has at least one square"


@on("destroy-square")
def take_away(e):
    for each in pieces_on(e.square):
        destroy(each)
    start = [each for each in squares() if each is not e.square]
    goal = value("start_square") if value("start_square") is not e.square else start[0]
    for who in here(e.square):
        jump(who, goal)
    destroy(e.square)


rule("7.3", """
A new square gets the number after the highest there is at the time.
""", title="New squares")

rule("7.4", """
The successor of a square is the one with the next higher number that exists; that of the last one is #1, or the lowest if there
is no #1. The predecessor is the reverse.
""", title="Successor and predecessor")


def in_sequence():
    return sorted(squares(), key=lambda each: each.number)


@value("successor", of="square")
def successor_of(place):
    after = find(f"#{place.number + 1}")
    if after is not None:
        return after
    higher = [each for each in in_sequence() if each.number > place.number]
    return (higher or in_sequence())[0]


@value("predecessor", of="square")
def predecessor_of(place):
    before = find(f"#{place.number - 1}")
    if before is not None:
        return before
    lower = [each for each in in_sequence() if each.number < place.number]
    return (lower or in_sequence())[-1]


rule("7.5", """
The squares lie in rows of {width}. #1 is at the bottom left, and the lowest row runs to the right; the row above it begins over
its end and runs to the left, and so on. The top row may be shorter; where a number is missing there is a hole.
""", title="Layout", width=10)


setting("width")


@value("column", of="square", label="Column")
def column(place):
    return winding_place(place.number, rule.width)[0]


@value("row", of="square", label="Row")
def row_number(place):
    return winding_place(place.number, rule.width)[1]


@value("neighbour")
def neighbour(place, direction):
    return winding_neighbour(place, direction, rule.width)


@value("neighbours")
def neighbours(place):
    around = [winding_neighbour(place, direction, rule.width) for direction in ("north", "south", "east", "west")]
    return tuple([each for each in around if each is not None])


rule("7.6", """
Every player is on exactly one square at all times. New players begin on #1, or on the lowest square if there is no #1. Any number
of players may be on one square, whoever's units are there.
""", title="Where players are")

attribute("player", "square", None, label="Square", type="thing", summary=True, holds=("square",), needed=True)


@value("start_square")
def start_square():
    return find("#1") or sorted(squares(), key=lambda each: each.number)[0]


@marker("square")
def start_flag(place):
    if place is value("start_square"):
        return ("→", "the start", "start")


@after("join")
def place_newcomer(e):
    put(e.who, "square", value("start_square"))


rule("7.7", """
A player who moves a number of squares leaves the present square, passes through each one between and lands on the last.
""", title="Moving")

event("move", who="player", mover="", steps="")
event("leave", "left", say="leaving {square}", who="player", mover="", square="square")
event("pass", "passed", say="passing {square}", who="player", mover="", square="square")
event("land", "landed", say="{who} lands on {square}", who="player", mover="", square="square")


@on("move")
def go(e):
    if e.steps > 0:
        advance(e.who, e.mover, e.steps)


rule("7.8", """
A player who jumps to a square leaves the present one and lands there, and passes nothing.
""", title="Jumping")

event("jump", "jumped", say="{who} jumps to {square}", who="player", mover="", square="square")


@on("jump")
def leap(e):
    hop(e)


rule("7.9", """
The distance between two squares is the least number of steps up, down, left or right that lead from one to the other over squares
that exist. Where no way leads, it is beyond every range.
""", title="Distance")


@value("distance")
def distance_between(a, b):
    return distance(a, b, value("width"))


@word
def squares_within(start, most):
    """The squares that so many steps at most lead to from a square, itself included."""
    found = [start] if most >= 0 else []
    edge = [start]
    steps = 0
    while edge and steps < most:
        steps += 1
        further = []
        for place in edge:
            for other in value("neighbours", place):
                if other not in found:
                    found.append(other)
                    further.append(other)
        edge = further
    return found

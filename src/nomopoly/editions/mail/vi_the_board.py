"""Section VI: the squares and how they lie."""

section("VI", "The Board")

rule("VI.1", """
The board is a sequence of squares, numbered from 1 without gaps. It begins with {first_squares} of them; a new one gets the number after
the highest. There is always at least one: the last square that is left cannot be destroyed.
""", title="Squares", first_squares=60)

kind("square", prefix="#", numbered="number", page=True)
attribute("square", "number", 0, label="Number", fixed=True)
event("create-square", "created", say="{square} is new", square="")


@on("open")
def lay_out(e):
    add_squares(rule.first_squares)


@on("create-square")
def add_square(e):
    made = create("square", number=last_number() + 1)
    note(square=made)
    return made


@check("destroy")
def one_stays(e):
    if count("square") == 1:
        return "the board always has at least one square"


rule("VI.2", """
Every player and every other piece is on exactly one square, and a square holds any number of them. New players are put on the first
one. Who is put on a square occupies it without landing there.
""", title="Places", landing_place=60)

attribute("player", "square", None, label="Square", type="thing", summary=True, holds=("square",), needed=True)
event("put", "put", say="{mover} is put on {square}", who="", mover="", square="square", how="")
event("occupy", who="", mover="", square="square", how="")
landing("occupy", rule.landing_place, "occupy", creatures=True)


@value("start_square")
def start_square():
    return find("#1") or in_sequence()[0]


@marker("square")
def start_flag(place):
    if place is value("start_square"):
        return ("→", "the start", "start")


@after("join")
def place_newcomer(e):
    put_on(e.who, value("start_square"), "join")


@instead("put")
def whose_piece(e):
    return with_piece(e)


@on("put")
def put_there(e):
    put(e.mover, "square", e.square)
    do("occupy", who=e.who, mover=e.mover, square=e.square, how=e.how)


rule("VI.3", """
The squares lie in rows, each as long as the square root of the number of squares, rounded down; only the last row may be shorter. The
first row runs from west to east, the second from east to west, and so on; each row begins just north of where the one below it ended.
North, south, east and west have the meaning of this layout. With a single square they mean nothing. The distance between two
squares is the number of columns from one to the other and the number of rows, added up.
""", title="Layout")


def width():
    return whole_root(count("square"))


@value("column", of="square", label="Column")
def column(place):
    return winding_place(place.number, width())[0]


@value("row", of="square", label="Row")
def row_number(place):
    return winding_place(place.number, width())[1]


@value("neighbour")
def neighbour(place, direction):
    return winding_neighbour(place, direction, width())


@value("distance")
def columns_and_rows(a, b):
    """How far one square is from another."""
    return abs(value("column", a) - value("column", b)) + abs(value("row", a) - value("row", b))


rule("VI.4", """
Two squares are adjacent if one is north, south, east or west of the other.
""", title="Adjacent")


@value("adjacent")
def next_to_each_other(place, other):
    return other in neighbours(place)


rule("VI.5", """
The Southwest Corner of the board is the first square, the Southeast Corner the east end of the first row. The Northwest Corner is the
west end of the last row, or of the row before it if the last row is shorter; the Northeast Corner is the east end of that same row.
""", title="Corners")


@value("corner")
def corner_square(which):
    columns = whole_root(count("square"))
    row = count("square") // columns if which[:1] == "N" else 1
    return square(winding_number(1 if which[1:] == "W" else columns, row, columns))


rule("VI.6", """
If the board has {least_squares} squares or more, each of the four Teams has a base. The base of the West Team are the squares in a
straight line from the Southwest to the Northwest Corner, the corners included; of the East Team those from the Southeast to the
Northeast Corner; of the South Team those from the Southwest to the Southeast Corner; of the North Team those from the Northwest to the
Northeast Corner.
""", title="Bases", least_squares=9)

setting("least_squares")


@value("bases", of="square", label="In the base of", type="list")
def bases(place):
    if count("square") < value("least_squares") or not teams_on():
        return ()
    lines = (("North", "NW", "NE"), ("South", "SW", "SE"), ("East", "SE", "NE"), ("West", "SW", "NW"))
    found = ()
    for team, one, other in lines:
        ends = (value("corner", one), value("corner", other))
        if between("column", place, ends) and between("row", place, ends):
            found = (*found, team)
    return found


def between(line, place, ends):
    """Whether a square's column or row is one of those from one square to another."""
    lines = [value(line, each) for each in ends]
    return min(lines) <= value(line, place) <= max(lines)


rule("VI.7", """
Any player may pay ${price} for a new square, which gets the number after the highest. This is called New Clear Fishing. The new square
has no owner, unless a rule says otherwise, and nothing is on it.
""", title="New Clear Fishing", price=300)


@action("new-clear-fishing", "Fish for a new square")
def fish(e):
    spend(e.who, "$corporation", rule.price)
    make_square()


rule("VI.8", """
The successor of a square is the one with the next higher number; that of the highest square is the first one. The predecessor is the
one with the next lower number; that of the first square is the highest one.
""", title="Successor and predecessor")


@value("successor", of="square")
def successor(place):
    after = find(f"#{place.number + 1}")
    if after is not None:
        return after
    higher = [each for each in in_sequence() if each.number > place.number]
    return (higher or in_sequence())[0]


@value("predecessor", of="square")
def predecessor(place):
    before = find(f"#{place.number - 1}")
    if before is not None:
        return before
    lower = [each for each in in_sequence() if each.number < place.number]
    return (lower or in_sequence())[-1]

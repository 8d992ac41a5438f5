"""Section VI: the squares and how they lie."""

section("VI", "The Board")

rule("VI.1", """
The board is a row of squares, numbered in sequence from 1. It begins with {first_squares} of them and never has fewer
than one.
""", title="Squares", first_squares=48)

kind("square", prefix="#", numbered="number", page=True)
attribute("square", "number", 0, label="Number", fixed=True)
event("destroy-square", "destroyed", say="{square} is gone", square="square")


@on("open")
def lay_out(e):
    add_squares(rule.first_squares)


@check("destroy-square")
def one_stays(e):
    if count("square") == 1:
        return "the board always has at least one square"
    if e.square.number < last_number():
        return f"numbers have no gaps: only the last square, #{last_number()}, can go"


@on("destroy-square")
def take_away(e):
    for who in here(e.square):
        put(who, "square", value("start_square"))
    destroy(e.square)


rule("VI.2", """
Every player stands on exactly one square, and a square holds any number of players. New players are put on the first one.
""", title="Places of the players")

attribute("player", "square", None, label="Square", type="thing", summary=True, holds=("square",), needed=True)


@value("start_square")
def start_square():
    return squares()[0]


@marker("square")
def start_flag(place):
    if place is value("start_square"):
        return ("→", "the start", "start")


@after("join")
def place_newcomer(e):
    put(e.who, "square", value("start_square"))


rule("VI.3", """
All squares of one colour form a block. A square without a colour is in none.
""", title="Blocks")

attribute("square", "color", None, label="Colour")


@value("block")
def block(place):
    if place.color is None:
        return ()
    return tuple([each for each in squares() if each.color == place.color])


rule("VI.4", """
The squares lie in rows, each as long as the square root of the number of squares, rounded down; only the last row may be
shorter. The first row runs from west to east, the second from east to west, and so on; each row begins just north of where
the one below it ended. North, south, east and west have the meaning of this layout. With a single square they mean nothing.
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

"""Section XVII: railroads."""

section("XVII", "Railroads")

rule("XVII.1", """
A player may build a railroad on any square of theirs, for ${railroad_price}. A square has at most one. A railroad is no building, and
stays with the square.
""", title="Building a railroad", railroad_price=25)

setting("railroad_price")
attribute("square", "railroad", False, label="Railroad")


@check("build-railroad")
def may_build(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if e.square.railroad:
        return f"{e.square.id} already has a railroad"


@action(
    "build-railroad",
    "Build a railroad",
    fact="railroad-built",
    say="{who} builds a railroad on {square}",
    square=choose("square", "Square", choices=lambda who: [each for each in owned_by(who) if not each.railroad]),
    on_credit=yes_or_no("On credit"),
)
def build_railroad(e):
    do("purchase", who=e.who, price=value("railroad_price"), on_credit=e.on_credit, what="railroad")
    put(e.square, "railroad", True)


@marker("square")
def tracks(place):
    if place.railroad:
        return ("=", "railroad")


rule("XVII.2", """
A player on a square with a railroad may go to any square that is connected with it: that can be reached by steps north, south, east and
west over squares with railroads alone. For each square on the path that another player owns, its end included and its start not, ${railroad_fare}
go to that player. One lands nowhere, not on the last square either. Who names no path takes the cheapest; of several the shortest; of several of
these the one with the lower numbers first.
""", title="Riding", railroad_fare=5)

setting("railroad_fare")
event("ride", "rode", say="{who} goes by rail to {square}", who="player", square="square", path="", fare="")


def fare_of(who, path):
    return value("railroad_fare") * len([each for each in path if each.owner is not None and each.owner is not who])


@value("railroad_path")
def railroad_path(player, goal):
    """The path by which a player goes from where they are: the squares in order, without the first; None if there is none."""
    best = {player.square.id: (0, 0, (), ())}
    edge = [player.square]
    while edge:
        place = edge[0]
        edge = edge[1:]
        cost, length, numbers, path = best[place.id]
        for other in neighbours(place):
            if other.railroad:
                way = (cost + fare_of(player, (other,)), length + 1, (*numbers, other.number), (*path, other))
                if other.id not in best or way[:3] < best[other.id][:3]:
                    best[other.id] = way
                    edge = [*[each for each in edge if each is not other], other]
    return best[goal.id][3] if goal.id in best else None


def path_named(said):
    """The squares of a path as an order names them: a list, or their numbers with blanks or commas."""
    found = said.replace(",", " ").split() if isinstance(said, str) else said
    if not isinstance(found, (list, tuple)):
        refuse("a path is a list of squares")
    return tuple([thing(str(each)) for each in found])


def connected(start, path):
    """Whether each square of a path is next to the one before and has a railroad."""
    place = start
    for each in path:
        if each not in neighbours(place) or not each.railroad:
            return False
        place = each
    return True


def path_taken(e):
    """The squares stepped onto, or None if there is no way."""
    if e.path is None:
        return value("railroad_path", e.who, e.square)
    path = path_named(e.path)
    return path if path and path[-1] is e.square and connected(e.who.square, path) else None


@check("ride-railroad")
def may_ride(e):
    if not e.who.square.railroad:
        return f"no railroad: there is none on {e.who.square.id}, where you are"
    if not path_taken(e):
        return f"not connected: no railroad leads from {e.who.square.id} to {e.square.id} like that"


@action(
    "ride-railroad",
    "Go by rail",
    square=choose(
        "square", "To", choices=lambda who: [each for each in squares() if each.railroad and each is not who.square]
    ),
    path=anything("By way of"),
)
def ride_railroad(e):
    path = path_taken(e)
    fare = fare_of(e.who, path)
    must_afford(e.who, fare)
    do("ride", who=e.who, square=e.square, path=path, fare=fare)


@on("ride")
def ride(e):
    for each in e.path:
        if fare_of(e.who, (each,)):
            pay(e.who, each.owner, fare_of(e.who, (each,)))
    put(e.who, "square", e.square)


rule("XVII.3", """
Squares border on each other where one is the next one north, south, east or west of the other.
""", title="Bordering")

rule("XVII.4", """
A player may take away a railroad on a square of theirs.
""", title="Removing a railroad")


@check("remove-railroad")
def may_remove(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if not e.square.railroad:
        return f"no railroad: there is none on {e.square.id}"


@action(
    "remove-railroad",
    "Take a railroad away",
    fact="railroad-removed",
    say="{who} takes away the railroad on {square}",
    square=choose("square", "Square", choices=lambda who: [each for each in owned_by(who) if each.railroad]),
)
def remove_railroad(e):
    put(e.square, "railroad", False)

"""Movement: leave, pass, land; move and jump."""


def advance(who, mover, steps):
    """Go from square to successor, so many times: leave the first, pass those between, land on the last.

    A rule about leaving or passing that says no ends the move where the piece stands, without landing.
    Returns True if the last square was reached. What stands nowhere goes nowhere.
    """
    if mover.square is None:
        return False
    if 0 < steps < 100 and unwatched("leave", "pass"):  # then they are only told of, and can be told of together
        way = along("successor", mover.square, steps)
        put(mover, "square", way[-1])
        do("leave", who=who, mover=mover, square=way[0])
        do_each("pass", "square", way[1:-1], who=who, mover=mover)
        do("land", who=who, mover=mover, square=mover.square)
        return True
    event = "leave"
    for step in range(steps):
        if not do(event, may=True, who=who, mover=mover, square=mover.square):
            return False
        put(mover, "square", value("successor", mover.square))
        event = "pass"
    do("land", who=who, mover=mover, square=mover.square)
    return True


def move(who, steps):
    """Make a player move by the rules on moving."""
    do("move", who=as_thing(who), mover=as_thing(who), steps=steps)


def jump(who, place):
    """Make a player leave here and land there, passing nothing, by the rules on jumping."""
    do("jump", who=as_thing(who), mover=as_thing(who), square=as_thing(place))


def hop(e):
    """What an `@on("jump")` does."""
    do("leave", who=e.who, mover=e.mover, square=e.mover.square)
    put(e.mover, "square", e.square)
    do("land", who=e.who, mover=e.mover, square=e.square)

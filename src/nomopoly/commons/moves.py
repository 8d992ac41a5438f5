"""How pieces get about by mail: turns step by step, landing or only being put, and what a square does with who lands there."""


def moves_as_player(mover):
    """Whether what is said of players' turns is said of a piece: of players, and of the piece of The Corporation."""
    return mover.kind == "player" or mover.id == "corporate-player"


def with_piece(e):
    """The same event with the piece and the one whom it befalls, where only one of the two is named; else nothing."""
    if e.mover is None and e.who is not None:
        return e.but(mover=e.who)
    if e.who is None and e.mover is not None:
        return e.but(who=e.mover)


def any_double(faces):
    """Whether any two of the dice show the same face."""
    for face in faces:
        if faces.count(face) > 1:
            return True
    return False


def go_on(place, backwards=False):
    """The next square: the successor, or backwards the predecessor."""
    return value("predecessor", place) if backwards else value("successor", place)


def walk_steps(who, mover, steps, backwards=False, sort="normal"):
    """Let a piece leave its square and go so many squares on, pass those between and land on the last.

    Where it may not leave it stays; where it may not pass, or something keeps it, it has landed. What a square takes of its
    steps as it passes (`pips_lost`) is gone; if that was all it had, it lands there, and `how` is "glue".
    """
    if steps < 1 or not do("leave", may=True, who=who, mover=mover, square=mover.square, how=sort):
        return
    parts = rows("passing")
    left = steps
    how = sort
    place = mover.square
    while left > 0:
        goal = go_on(place, backwards)
        lap = not backwards and goal.number <= place.number and place.number == last_number()
        place = goal
        put(mover, "square", place)
        if lap and sort in ("normal", "speeding", "cl"):
            do("lap", may=True, who=who, mover=mover)
        left = left - 1
        if left > 0:
            lost = value("pips_lost", mover, place, sort)
            held = held_up(parts, who, mover, place, sort)
            if held or not do("pass", may=True, who=who, mover=mover, square=place, how=sort):
                left = 0
            elif lost:
                left = max(left - lost, 0)
                how = sort if left else "glue"
            if not exists(mover) or mover.square is not place:
                return
    end_on(mover, place, how, who, sort)


def move_by_color(who):
    """Let a player move on by color, if a rule says how."""
    if can_happen("cl-move"):
        do("cl-move", who=who)


def held_up(parts, who, mover, place, sort):
    """Let happen what does as a piece passes a square. Returns whether something keeps it there."""
    for part in parts:
        when = part.when  # called as `part.when()` it would be looked for among the methods of the row
        if when(who, mover, place):
            if do(part, may=True, who=who, mover=mover, square=place, how=sort) and part.keeps:
                return True
    return False


def end_on(mover, place, how, who=None, otherwise=""):
    """Let a piece land where it ends: on that square, or where the rules take one who should land there.

    If that is another square, `how` is what is said `otherwise`.
    """
    goal = value("landing_square", mover, place)
    if goal is not place and otherwise:
        how = otherwise
    put(mover, "square", goal)
    do("land", who=who or mover, mover=mover, square=goal, how=how)


def land_on(mover, place, how, who=None):
    """Take a piece straight to a square, where it lands; nothing is passed."""
    if do("leave", may=True, who=who or mover, mover=mover, square=mover.square, how=how):
        end_on(mover, place, how, who)


def put_on(mover, place, how=""):
    """Put a piece on a square without landing."""
    do("put", who=mover, mover=mover, square=place, how=how)


def undergo(who, mover, place, how):
    """All parts of a landing, one after the other. What a rule forbids is left out; in an order it makes the order fail."""
    creature = mover.kind != "player"
    for part in rows("landing", by="place"):
        if not exists(who) or not exists(mover) or not exists(place):
            return
        when = part.when
        if (part.creatures or not creature) and (when is None or when(who, mover, place)):
            if actor() is None:
                do(part, may=True, who=who, mover=mover, square=place, how=how)
            else:
                do(part, who=who, mover=mover, square=place, how=how)


def has_been_on(who, name, place):
    """Note a square among those that a player has landed on (`name` is "landed") or been put on ("stood")."""
    if who.kind == "player" and place not in getattr(who, name):
        put(who, name, (*getattr(who, name), place))


def stands_on(who, place):
    """Whether a player occupies a square: by standing there, or because the last update has put them there."""
    return who.square is place or (place in who.stood and rule_since("XXII.8") is not None)


def spot(who, place=None):
    """The square that an order names, or if it names none the player's own; refuses one that the player does not occupy."""
    place = place or who.square
    if not stands_on(who, place):
        refuse(f"not there: {name_of(who)} is on {name_of(who.square)}")
    return place


def adjacent(place, other):
    """Whether one square is north, south, east or west of the other."""
    return value("adjacent", place, other)


def corner(which):
    """A corner square of the board: "SW", "SE", "NW" or "NE"."""
    return value("corner", which)


def corners():
    """The corner squares of the board, each once."""
    found = []
    for which in ("SW", "SE", "NW", "NE"):
        place = value("corner", which)
        if place not in found:
            found.append(place)
    return found


def make_square():
    """A new square with the next number, by the rules in force. Returns it."""
    if can_happen("create-square"):
        do("create-square")
    else:
        add_squares(1)
    return square(last_number())


def ask_toll(who, mover, place):
    """Let somebody pay what the owner of a square with a Jumpgate asks, if that is anything."""
    if can_happen("pay-toll"):
        do("pay-toll", who=who, mover=mover, square=place, amount=place.toll)


def open_gate(place, sister):
    """Make a Jumpgate between two squares. Refused where there are none."""
    if "jumpgate" not in traits("square"):
        refuse("there are no Jumpgates")
    for one, other in ((place, sister), (sister, place)):
        put(one, "jumpgate", other)
        if "toll" in traits("square"):
            put(one, "toll", 0)


def close_gate(place):
    """Take the Jumpgate of a square away, at both ends."""
    sister = attribute_of(place, "jumpgate")
    for each in (place, sister) if exists(sister) else ():
        put(each, "jumpgate", None)
        if "toll" in traits("square"):
            put(each, "toll", 0)

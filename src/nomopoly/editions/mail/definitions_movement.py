"""What rules of several sections mean by going about, landing and riding: words that they share."""

section("D", "Definitions")

rule("D.4", """
A piece walks from square to square: it leaves the first, passes those between and lands on the last. Where it may not leave it stays;
where it may not pass, or something keeps it, it has landed. What befalls a piece befalls its player. What the rules say of players'
turns they say of the piece of The Corporation too.
""", title="Going about")


@word
def moves_as_player(mover):
    """Whether what is said of players' turns is said of a piece: of players, and of the piece of The Corporation."""
    return mover.kind == "player" or mover.id == "corporate-player"


@word
def with_piece(e):
    """The same event with the piece and the one whom it befalls, where only one of the two is named; else nothing."""
    if e.mover is None and e.who is not None:
        return e.but(mover=e.who)
    if e.who is None and e.mover is not None:
        return e.but(who=e.mover)


@word
def go_on(place, backwards=False):
    """The next square: the successor, or backwards the predecessor."""
    return value("predecessor", place) if backwards else value("successor", place)


@word
def walk_on(who, mover, steps, backwards=False, sort="normal"):
    """Let a piece go so many squares on, or back, as `walk` says. What a square takes of its steps is the value `pips_lost`."""

    def onward(place, step):
        goal = go_on(place, backwards)
        around = not backwards and goal.number <= place.number and place.number == last_number()
        return (goal, around and sort in ("normal", "speeding", "cl"))

    walk(who, mover, steps, onward, sort, lambda place: value("pips_lost", mover, place, sort), end_on)


@word
def move_by_color(who):
    """Let a player move on by color, if a rule says how."""
    if can_happen("cl-move"):
        do("cl-move", who=who)


@word
def any_double(faces):
    """Whether any two of the dice show the same face."""
    for face in faces:
        if faces.count(face) > 1:
            return True
    return False


@word
def has_been_on(who, name, place):
    """Note a square among those that a player has landed on (`name` is "landed") or been put on ("stood")."""
    if who.kind == "player" and place not in attribute_of(who, name):
        put(who, name, (*attribute_of(who, name), place))


rule("D.5", """
A piece lands where its way ends, or where the rules take one who should land there. It may be taken straight to a square where it lands
without passing any, and it may be put on one where it does not land. What the rules do with who lands they do part by part; what they
forbid is left out, but in an order it makes the order fail.
""", title="Landing and being put")


@word
def end_on(mover, place, how, who=None, otherwise=""):
    """Let a piece land where it ends: on that square, or where the rules take one who should land there.

    If that is another square, `how` is what is said `otherwise`.
    """
    goal = value("landing_square", mover, place)
    if goal is not place and otherwise:
        how = otherwise
    put(mover, "square", goal)
    do("land", who=who or mover, mover=mover, square=goal, how=how)


@word
def land_on(mover, place, how, who=None):
    """Take a piece straight to a square, where it lands; nothing is passed."""
    if do("leave", may=True, who=who or mover, mover=mover, square=mover.square, how=how):
        end_on(mover, place, how, who)


@word
def put_on(mover, place, how=""):
    """Put a piece on a square without landing."""
    do("put", who=mover, mover=mover, square=place, how=how)


rule("D.7", """
An Easy Move puts a player on a square without landing. A ride starts on a square that the player occupies and ends on another one; its
length is counted in steps to successors, predecessors and, where the ride may use them, through Jumpgates. No ride passes a square on
which a Blockbuster lies, unless its rule says so.
""", title="Rides")


@word
def easy_move(who, place, how):
    """Take a player to a square by an Easy Move: put there, without landing."""
    if not can_happen("easy-move") or do("easy-move", who=who, square=place, how=how):
        put_on(who, place, how)


@word
def not_on_the_way(who, start, goal):
    """Why a ride cannot start or end there, or nothing."""
    if goal is start:
        return f"already there: that is {goal.id}"
    return not_occupied(who, start)


@word
def steps_by_road(start, goal, gates=False, through=False):
    """Fewest steps from a square to another over successors, predecessors and, with `gates`, Jumpgates. None: no way.

    No step leads to a square with a Blockbuster, unless it goes `through` them.
    """
    seen = {start.id: True}
    edge = [start]
    steps = 0
    while edge:
        if goal in edge:
            return steps
        steps = steps + 1
        further = []
        for place in edge:
            around = [value("successor", place), value("predecessor", place)]
            if gates:
                around.append(attribute_of(place, "jumpgate"))
            for other in around:
                if exists(other) and other.id not in seen and (through or not attribute_of(other, "blockbuster")):
                    seen[other.id] = True
                    further.append(other)
        edge = further
    return None

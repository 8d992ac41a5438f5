"""Moving and landing: what a piece does on its way, and the parts that a landing has."""


def landing(id, place, event, when=None, creatures=False):
    """Declare a part of landing: at each landing, in order of `place`, the event happens if `when(who, mover, square)`
    says so.

    The event has the fields who, mover, square and how. With `creatures` it is a part of their landings too.
    """
    row("landing", id, place=place, event=event, when=when, creatures=creatures)


def passing(id, event, when, keeps=False):
    """Declare what happens as a piece passes a square, if `when(who, mover, square)` says so.

    The event has the same fields. If it `keeps` the piece and happens, the piece has not passed, but landed there.
    """
    row("passing", id, event=event, when=when, keeps=keeps)


def settling(id, place, event, when=None, creatures=False):
    """Declare what may throw a piece elsewhere once all else of its landing is done; the first that does ends it."""
    row("settling", id, place=place, event=event, when=when, creatures=creatures)


def life_of(piece):
    """Something that is no longer the same when a player has started over, or a piece is gone."""
    if not exists(piece):
        return None
    return attribute_of(piece, "resets", 0) if piece.kind == "player" else True


def befall(who, mover, square, how, may=True):
    """All parts of a landing, one after the other, until `who` starts over, or one of the three is gone.

    What a rule forbids is left out; without `may` it makes the whole fail.
    """
    life = life_of(who)
    creature = mover.kind != "player"
    for part in rows("landing", by="place"):
        when = part.when  # called as `part.when()` it would be looked for among the methods of the row
        if (part.creatures or not creature) and (when is None or when(who, mover, square)):
            do(part, may=may, who=who, mover=mover, square=square, how=how)
            if life_of(who) != life or not exists(mover) or not exists(square):
                return


def throw_off(who, mover, square, how):
    """What the square does with a piece that has landed there: the first thing that throws it elsewhere."""
    creature = who.kind != "player"
    for part in rows("settling", by="place"):
        when = part.when
        if (part.creatures or not creature) and (when is None or when(who, mover, square)):
            if do(part, may=True, who=who, mover=mover, square=square, how=how):
                return


def arrive(mover, square, how, who=None):
    """A piece is on a square and has landed there: `land`, or for a creature `creature-land`."""
    if mover.kind == "player":
        do("land", who=who or mover, mover=mover, square=square, how=how)
    elif can_happen("creature-land"):
        do("creature-land", mover=mover, square=square, how=how)


def walk(who, mover, steps, onward, how="turn", lost=None, land=None):
    """Take a piece so many squares on: it leaves the first, passes those between and lands on the last.

    Where it may not leave it stays; where it may not pass, or something keeps it, it has landed. `onward(place, step)`
    gives the next square, and whether the step there is a lap; one that is gone is left out. `lost(place)` gives the
    steps that a square takes of what is left as it is passed: if that is all, the piece lands there, and `how` is
    "glue". How it lands `land(mover, place, how, who)` says, without it `arrive`.
    """
    life = life_of(mover)
    place = mover.square
    if steps < 1 or not do("leave", may=True, who=who, mover=mover, square=place, how=how):
        return
    parts = rows("passing")
    last = how
    step = 0
    while step < steps:
        if mover.square is not place or life_of(mover) != life:
            return
        goal, lap = onward(place, step)
        step = step + 1
        if not exists(goal):
            continue
        place = goal
        put(mover, "square", place)
        if lap:
            do("lap", may=True, who=who, mover=mover)
        if step < steps:
            fewer = lost(place) if lost is not None else 0
            if kept(parts, who, mover, place, how) or not do(
                "pass", may=True, who=who, mover=mover, square=place, how=how
            ):
                break
            if fewer:
                steps = max(steps - fewer, step)
                last = how if step < steps else "glue"
    if mover.square is place and life_of(mover) == life:
        (land or arrive)(mover, place, last, who)


def kept(parts, who, mover, place, how):
    """Let happen what does as a piece passes a square. Returns whether something keeps it there."""
    for part in parts:
        when = part.when
        if when(who, mover, place) and do(part, may=True, who=who, mover=mover, square=place, how=how) and part.keeps:
            return True
    return False


def slide(who, mover):
    """Move a piece on to the successor of its square, without landing; the step from the last to the first is a lap."""
    place = mover.square
    goal = value("successor", place)
    put(mover, "square", goal)
    if goal.number <= place.number:
        do("lap", may=True, who=who, mover=mover)
    return goal


def jump_to(mover, place, who=None):
    """Make a piece jump to a square and land there: a player's (or another's, borne by `who`) or a creature."""
    do("jump", who=who or mover, mover=mover, square=place, how="jump")


def place_at(mover, place):
    """Put a piece on a square without landing."""
    do("place", mover=mover, square=place)


def in_sequence():
    """All squares by number."""
    return sorted(squares(), key=lambda each: each.number)


def neighbours(place):
    """The squares next to this one in the north, south, east and west, in that order, where there is one."""
    around = [value("neighbour", place, direction) for direction in ("north", "south", "east", "west")]
    return [each for each in around if each is not None]


def doubles(faces):
    """Whether exactly two of the dice show the same number."""
    return isinstance(faces, tuple) and any([faces.count(face) == 2 for face in faces])


def vehicle_of(who):
    """The row of a player's method of transport; None if no rule tells of it."""
    found = [each for each in rows("vehicle") if each.id == who.vehicle]
    return found[0] if found else None


def faces_of(who):
    """The faces of the first die that a player has now."""
    vehicle = vehicle_of(who)
    sides = value("dice", who)
    if vehicle is not None and vehicle.faces:
        return vehicle.faces
    return tuple(range(1, sides[0] + 1)) if sides else ()


def throw(who):
    """Throw the dice that a player has now: faces in order. A fixed die is the first one, if it has that face."""
    sides = value("dice", who)
    fixed = value("fixed_die", who)
    vehicle = vehicle_of(who)
    faces = vehicle.faces if vehicle is not None else ()
    if not faces and fixed is None:
        return chance.dice(sides)
    thrown = ()
    for each in sides:
        possible = faces or range(1, each + 1)
        thrown = (*thrown, fixed if not thrown and fixed in possible else chance.pick(possible))
    return thrown

"""What rules of several sections mean when they speak of units, buildings and commands: words that they share."""

section("D", "Definitions")

rule("D.1", """
Each unit and each building is of a type, which is in the rules as a row of a table: its hit points, attack, range, armor and speed in
whole numbers, one half rounded up. Buildings have no speed. A new unit or building is made by the rules on making them.
""", title="Units and buildings")


def rounded(amount):
    """A number of a row as a whole one, one half up."""
    return int((2 * amount + 1) // 2)


@word
def unit(id, name, hit_points=0, attack=0, range=1, armor=0, speed=1, price=None, text=""):
    """Declare a type of unit: `unit("warrior", "Warrior", hit_points=50, attack=10, range=1, armor=0, speed=10)`."""
    points = {"hit_points": rounded(hit_points), "attack": rounded(attack), "range": rounded(range)}
    points = {**points, "armor": rounded(armor), "speed": rounded(speed)}
    row("unit", id, name=name, price=price, text=text, **points)


@word
def building(id, name, hit_points=0, attack=0, range=1, armor=0, price=None, text=""):
    """Declare a type of building: as a unit, but it has no speed. One with a price can be built."""
    points = {"hit_points": rounded(hit_points), "attack": rounded(attack), "range": rounded(range)}
    row("building", id, name=name, price=price, text=text, armor=rounded(armor), speed=0, **points)


@word
def type_row(which):
    """The row of a unit's or building's type; takes the thing or the id of the type."""
    type = which if str(which) == which else which.type
    for catalogue in ("unit", "building"):
        for each in rows(catalogue):
            if each.id == type:
                return each
    refuse(f"there is no type of unit or building called {type}")


@word
def has_type(piece):
    """Whether the type of a unit or building is (still) in the rules."""
    return piece.type in [each.id for each in rows(piece.kind)]


@word
def pieces():
    """All units and buildings, in the order in which they were made."""
    return every("unit") + every("building")


@word
def pieces_of(who):
    """The units and buildings of a player."""
    return [each for each in pieces() if each.owner is who]


@word
def pieces_on(place):
    """The units and buildings on a square."""
    return [each for each in pieces() if each.square is place]


@word
def make(type, owner, place):
    """A new unit or building of a type, on a square; returns it."""
    return do("make", type=type, owner=owner, square=place)


@word
def create_piece(e):
    """What an `@on("make")` does: create the thing that the event speaks of."""
    kind = "unit" if e.type in [each.id for each in rows("unit")] else "building"
    return create(kind, type=e.type, owner=e.owner, square=e.square)


rule("D.2", """
A command is given to a unit or building of a type that takes it. Then it has its effect, and the unit cools down for as long as the
command says.
""", title="Commands")


@word
def can_take(command, piece):
    """Whether a command can be given to a unit or building at all."""
    to = row_of("command", command).to
    if to is None or piece.kind not in ("unit", "building"):
        return False
    if isinstance(to, (str, tuple)):
        return piece.type in ((to,) if isinstance(to, str) else to)
    return bool(to(piece))


@word
def command(id, name, to=None, cool_down=0, effect=None, text="", label="Unit", told=None, **params):
    """Declare a command: it makes the action `command-<id>` with `unit` and the fields in `params`.

    `to`: a type, a tuple of types, or a function that says of a unit or building whether it takes the command.
    `cool_down`: seconds, or a function of the unit. `effect(e)` is what it does; `e.who`, `e.unit` and the fields.
    `label`: what stands at the unit in the form; "With" and "At" are read as such ("Attack with warrior 1").
    `told(e)`: how the log tells it ("move to #6"); else by its name.
    A field whose name is taken here ends in an underscore (`to_`).
    """
    row("command", id, name=name, to=to, cool_down=cool_down, effect=effect, text=text)
    able = choose(
        "",
        label,
        choices=lambda who: [each for each in pieces_of(who) if can_take(id, each)],
        otherwise="you have no unit or building that takes this command",
        shows="ready_at",
    )
    action("command-" + id, name, unit=able, **params)(lambda e: obey(e, id, effect, told))


def obey(e, id, effect, told):
    """Give a command, and let its effect happen."""
    do("command", who=e.who, unit=e.unit, command=id, told=id if told is None else told(e))
    if effect is not None:
        effect(e)


@word
def cool_down_of(piece, command):
    """How long a unit rests after a command, in seconds, as its row says."""
    wait = row_of("command", command).cool_down
    return wait or 0 if wait is None or isinstance(wait, int) else wait(piece)

"""Section XXIX: how players move."""

section("XXIX", "Methods of Transportation")

rule("XXIX.1", """
A player changes their method of transport by saying so and paying the price of the new one.
""", title="Switching")

attribute("player", "vehicle", "on-foot", label="Method of transport", holds="vehicle", needed=True)
attribute("player", "fuel", None, label="Fuel", type="number")


def take_vehicle(who, vehicle, fuel):
    put(who, "vehicle", vehicle)
    put(who, "fuel", fuel)


@action(
    "switch-vehicle",
    "Change the method of transport",
    fact="switched",
    say="{who} chooses a method of transport: {vehicle}",
    vehicle=one_of(lambda who: [each.id for each in rows("vehicle")], "Method", priced="vehicle"),
    on_credit=yes_or_no("On credit"),
)
def switch_vehicle(e):
    chosen = row_of("vehicle", e.vehicle)
    if chosen.price:
        do("purchase", who=e.who, price=chosen.price, on_credit=e.on_credit, what=chosen.id)
    take_vehicle(e.who, chosen.id, chosen.fuel)


rule("XXIX.2", """
A player has one method of transport at a time; a new one takes the place of the old one, which is gone. Nobody buys the method they have,
but a car may be bought anew.
""", title="One at a time")


@check("switch-vehicle")
def another_one(e):
    if e.vehicle == e.who.vehicle and row_of("vehicle", e.vehicle).fuel is None:
        return f"that is how you move already: {e.vehicle}"


rule("XXIX.3", """
The methods of transport are those below. Each has its price and its dice.
""", title="The methods")

rule("XXIX.3/on-foot", """
On foot: free, with {dice} dice of {sides} sides. So all begin.
""", title="On foot", price=0, dice=2, sides=6)

row("vehicle", "on-foot", name="On foot", price=rule.price, dice=(rule.sides,) * rule.dice, faces=(), fuel=None)

rule("XXIX.3/clogs", """
Clogs cost ${price} and have {dice} dice of {sides} sides. Glue does not keep their wearer, and stays.
""", title="Clogs", price=50, dice=2, sides=3)

row("vehicle", "clogs", name="Clogs", price=rule.price, dice=(rule.sides,) * rule.dice, faces=(), fuel=None)


@instead("stuck")
def over_the_glue(e):
    if e.mover.vehicle == "clogs":
        return False


rule("XXIX.3/pogo-stick", """
A pogo stick costs ${price} and has {dice} dice of {sides} sides that show 1 and {sides} only. Who is caught by glue on it passes out.
""", title="Pogo stick", price=150, dice=2, sides=6)

row(
    "vehicle", "pogo-stick", name="Pogo stick", price=rule.price, dice=(rule.sides,) * rule.dice,
    faces=(1, rule.sides), fuel=None
)


@after("stuck")
def thrown_off(e):
    if e.mover.vehicle == "pogo-stick":
        do("pass-out", may=True, who=e.who)


rule("XXIX.3/krazy-carpet", """
A krazy carpet costs ${price} and has {dice} dice of {sides} sides. Time bombs do not hurt who is on it.
""", title="Krazy carpet", price=200, dice=2, sides=8)

row(
    "vehicle", "krazy-carpet", name="Krazy carpet", price=rule.price, dice=(rule.sides,) * rule.dice, faces=(),
    fuel=None
)


@instead("hurt")
def above_the_bomb(e):
    if e.who.kind == "player" and e.who.vehicle == "krazy-carpet" and e.caused_by("explode"):
        return False


rule("XXIX.3/helicopter", """
A helicopter costs ${price} and has {dice} dice of {sides} sides. It goes along the columns: up the first, down the second and so on, and
after the end of the last column back to Square #1. Anthrax cannot be used on who is in it.
""", title="Helicopter", price=250, dice=2, sides=6)

row("vehicle", "helicopter", name="Helicopter", price=rule.price, dice=(rule.sides,) * rule.dice, faces=(), fuel=None)


@check("infect")
def out_of_reach(e):
    if e.who.kind == "player" and e.who.vehicle == "helicopter":
        return f"{name_of(e.who)} is in a helicopter: anthrax does not reach them"


@value("helicopter_path")
def helicopter_path():
    width = value("columns")
    top = winding_place(count("square") + len(thing("game").gone_squares), width)[1]
    found = []
    for column in range(1, width + 1):
        for height in range(1, top + 1) if column % 2 else range(top, 0, -1):
            place = find(f"#{winding_number(column, height, width)}")
            if place is not None:
                found.append(place)
    return tuple(found)


@modify("way")
def along_the_columns(mover, steps, base):
    if mover.kind != "player" or mover.vehicle != "helicopter":
        return
    path = value("helicopter_path")
    place = mover.square
    found = ()
    for step in range(steps):
        at = path.index(place) + 1
        lap = at == len(path)
        place = value("start_square") if lap else path[at]
        found = (*found, (place, lap))
    return set(found)


rule("XXIX.3/car", """
A car costs ${price} and has {dice} dice of {sides} sides. Its tank holds {fuel} fuel and is full at first. A turn uses as much as the
product of the first two dice, or as its only die. If that is more than there is, the car stays where it is, and the player goes on foot and throws anew. Once
an update a player may drive to another square that can be reached, but to none named Blackjack, for {drive_fuel} times the square of its
distance; that is a jump.
""", title="Car", price=500, dice=2, sides=10, fuel=500, drive_fuel=5)

row("vehicle", "car", name="Car", price=rule.price, dice=(rule.sides,) * rule.dice, faces=(), fuel=rule.fuel)
setting("drive_fuel")
attribute("player", "drove_in", None, label="Drove in update", type="number")
event("use-fuel", who="player", mover="")


@value("tank")
def tank():
    return rule.fuel


@instead("roll")
def under_power(e):
    if e.mover.vehicle == "car" and e.dice is None:
        return e.to("use-fuel", who=e.who, mover=e.mover)


@on("use-fuel")
def roll_in_the_car(e):
    faces = throw(e.mover)
    used = faces[0] * (faces[1] if len(faces) > 1 else 1)
    left = (e.mover.fuel or 0) - used
    if left >= 0:
        put(e.mover, "fuel", left)
        return do("roll", who=e.who, mover=e.mover, dice=faces)
    fact("rolled", who=e.who, mover=e.mover, dice=faces, total=sum(faces))
    do("leave-car", who=e.mover)
    return do("roll", who=e.who, mover=e.mover)


@value("fuel_needed")
def fuel_needed(player, goal):
    steps = value("distance", player.square, goal)
    return None if steps is None else rule.drive_fuel * steps * steps


@check("drive")
def may_drive(e):
    if e.who.vehicle != "car":
        return "you have no car"
    if e.who.drove_in == thing("game").update:
        return "one drives once an update"
    if e.square is e.who.square:
        return f"you are on {e.square.id} already"
    if is_blackjack(e.square):
        return f"nobody can drive to a square named Blackjack: {e.square.id} is"
    needed = value("fuel_needed", e.who, e.square)
    if needed is None:
        return f"no way leads from {e.who.square.id} to {e.square.id}"
    if needed > (e.who.fuel or 0):
        return f"not enough fuel: {e.square.id} takes {needed} and you have {e.who.fuel or 0}"


@action("drive", "Drive", fact="drove", say="{who} drives to {square}", square=choose("square", "To"))
def drive(e):
    put(e.who, "drove_in", thing("game").update)
    put(e.who, "fuel", e.who.fuel - value("fuel_needed", e.who, e.square))
    jump_to(e.who, e.square)


rule("XXIX.3/springy-shoes", """
Springy shoes cost ${price} and have no dice: a turn is a jump to a random square.
""", title="Springy shoes", price=150)

row("vehicle", "springy-shoes", name="Springy shoes", price=rule.price, dice=(), faces=(), fuel=None)
event("spring", who="player", mover="")


@instead("roll")
def no_dice(e):
    if e.mover.vehicle == "springy-shoes":
        return e.to("spring", who=e.who, mover=e.mover)


@on("spring")
def spring(e):
    jump_to(e.mover, pick_one(in_sequence()), e.who)
    return ()


rule("XXIX.4", """
A player may abandon their car at any time. It stays on the square with its fuel, and is nobody's; the player goes on foot.
""", title="Abandoned cars")

attribute("square", "abandoned_cars", (), label="Abandoned cars")
event("leave-car", "abandoned", say="{who}'s car stays on {square}", who="player", square="square", fuel="")


@on("leave-car")
def leave_car(e):
    fuel = e.who.fuel or 0
    note(square=e.who.square, fuel=fuel)
    put(e.who.square, "abandoned_cars", (*e.who.square.abandoned_cars, fuel))
    put(e.who, "vehicle", "on-foot")
    put(e.who, "fuel", None)


@check("abandon-car")
def has_car(e):
    if e.who.vehicle != "car":
        return "you have no car"


@action("abandon-car", "Abandon the car")
def abandon_car(e):
    do("leave-car", who=e.who)


rule("XXIX.5", """
A player on the square of an abandoned car may take it, with the fuel that is left in it, in place of their present method of transport.
""", title="Retrieving a car")


@check("retrieve-car")
def car_there(e):
    if not e.who.square.abandoned_cars:
        return f"there is no abandoned car on {e.who.square.id}"
    if e.fuel is not None and e.fuel not in e.who.square.abandoned_cars:
        return f"there is no abandoned car with {e.fuel} fuel on {e.who.square.id}"


@action(
    "retrieve-car",
    "Take an abandoned car",
    fact="retrieved",
    say="{who} takes an abandoned car with {fuel} fuel",
    fuel=number("With so much fuel", default=lambda who: max(who.square.abandoned_cars, default=0), optional=True),
)
def retrieve_car(e):
    left = list(e.who.square.abandoned_cars)
    fuel = e.fuel if e.fuel is not None else max(left)
    left.remove(fuel)
    note(square=e.who.square, fuel=fuel)
    put(e.who.square, "abandoned_cars", tuple(left))
    put(e.who, "vehicle", "car")
    put(e.who, "fuel", min(fuel, value("tank")))

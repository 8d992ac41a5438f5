"""Section 12: units, buildings and commands. Each row of 12.7, 12.8 and 12.9 is a rule of its own."""

section("12", "Units, Buildings, and Commands")

rule("12.1", """
A unit is of a type. A type has a name, initial hit points (0 if nothing is said), an attack strength (0), an attack range (1), an
armor (0) and a speed (1). These are whole numbers, none below zero; fractions are rounded.
""", title="Units")

kind("unit", named="type")
attribute(("unit", "building"), "type", "", label="Type")


@value("attack", of="unit", label="Attack")
def attack(piece):
    return type_row(piece).attack


@value("range", of="unit", label="Range")
def attack_range(piece):
    return type_row(piece).range


@value("armor", of="unit", label="Armor")
def armor(piece):
    return type_row(piece).armor


@value("speed", of="unit", label="Speed")
def speed(piece):
    return type_row(piece).speed


@value("price")
def price(which):
    return type_row(which).price


@marker("unit")
def unit_marker(piece):
    return (type_row(piece).name[:1], f"{name_of(piece.owner)}'s {type_row(piece).name} ({piece.id})")


rule("12.2", """
A building is like a unit, but it has no speed, and never moves.
""", title="Buildings")

kind("building", named="type")


@marker("building")
def building_marker(piece):
    return (type_row(piece).name[:1], f"{name_of(piece.owner)}'s {type_row(piece).name} ({piece.id})")


rule("12.3", """
A command has a name, says to which units or buildings it can be given (to none, if nothing is said), how long they rest after it
(not at all), and what it does (nothing).
""", title="Commands")


@value("cool_down")
def cool_down(piece, command):
    return cool_down_of(piece, command)


rule("12.4", """
Players may own units and buildings. Each of these stands on a square, and all on one square have the same owner.
""", title="Where they stand")

attribute(("unit", "building"), "owner", None, label="Owner", type="thing", needed=True)
attribute(("unit", "building"), "square", None, label="Square", type="thing", holds=("square",), needed=True)


@value("occupant", of="square")
def occupant(place):
    for piece in pieces_on(place):
        return piece.owner


@check("make")
def room_to_stand(e):
    if value("occupant", e.square) not in (None, e.owner):
        return f"another player has units or buildings on {e.square.id}"


@after("entry")
def one_owner_a_square(e):
    owners = {}
    for piece in pieces():
        if piece.square is not None and owners.setdefault(piece.square.id, piece.owner) is not piece.owner:
            refuse(f"another player has units or buildings on {piece.square.id}")


rule("12.5", """
A new unit or building has the initial hit points of its type. At 0 or fewer it is destroyed, and so it is when its type is no
longer in the rules.
""", title="Hit points")

attribute(("unit", "building"), "hit_points", 0, label="Hit points")
event("make", "created", say="{owner} gets {unit} on {square}", type="", owner="player", square="square")
event("hit", "hit", say="{target} is hit for {amount}", notify="owner", unit="", target="", amount="", owner="player")
event("destroy", "destroyed", say="{thing} is destroyed", notify="owner", thing="", owner="player")


@on("make")
def new_piece(e):
    piece = create_piece(e)
    note(unit=piece)
    return piece


@on("hit")
def wound(e):
    note(owner=e.target.owner)
    put(e.target, "hit_points", e.target.hit_points - e.amount)


def dead(piece):
    return exists(piece) and piece.kind in ("unit", "building") and piece.hit_points <= 0


@after("make")
def born_dead(e):
    if dead(e.result):
        destroy(e.result)


@after("hit")
def killed(e):
    if dead(e.target):
        destroy(e.target)


@after("rules-changed")
def types_gone(e):
    for piece in pieces():
        if not has_type(piece):
            destroy(piece)


@after("grant")
def killed_by_decree(e):
    if e.attribute == "hit_points" and dead(e.thing):
        destroy(e.thing)


@on("destroy")
def take_away(e):
    note(owner=attribute_of(e.thing, "owner"))
    destroy(e.thing)


rule("12.6", """
The owner of a unit or building may give it a command that can be given to it. What the command does then happens. After that it
takes no command until the time it rests after this one is over.
""", title="Giving a command")

attribute(("unit", "building"), "ready_at", None, label="Ready from", moment="game")
event("command", "commanded", say="{who} tells {unit}: {told}", who="player", unit="", command="", told="")
event("command-ready", "ready", say="{unit} takes commands again", unit="")


@check("command")
def can_be_given(e):
    if e.unit.kind not in ("unit", "building") or not can_take(e.command, e.unit):
        return f"{e.command} cannot be given to {e.unit.id}"
    if e.unit.owner is not e.who:
        return f"not yours: {e.unit.id} belongs to {name_of(e.unit.owner)}"
    if e.unit.ready_at is not None and now() < e.unit.ready_at:
        return f"{e.unit.id} is recovering: it takes commands again from {moment_text(e.unit.ready_at)}"


def rest_until(piece, moment):
    cancel("command-ready", unit=piece)
    put(piece, "ready_at", moment)
    at(moment, "command-ready", unit=piece)


@on("command")
def rest(e):
    if e.told is None:
        note(told=e.command)
    wait = value("cool_down", e.unit, e.command)
    if wait > 0:
        rest_until(e.unit, now() + wait)


@on("command-ready")
def ready(e):
    put(e.unit, "ready_at", None)


@after("grant")
def rest_by_decree(e):
    if e.attribute == "ready_at" and exists(e.thing):
        if e.thing.ready_at is None:
            cancel("command-ready", unit=e.thing)
        else:
            rest_until(e.thing, e.thing.ready_at)


rule("12.7", """
These are the types of units.
""", title="The units")

rule("12.7/warrior", """
Warrior: {hit_points} hit points, attack {attack}, range {range}, armor {armor}, speed {speed}.
""", title="Warrior", hit_points=50, attack=10, range=1, armor=0, speed=10)

unit(
    "warrior",
    "Warrior",
    hit_points=rule.hit_points,
    attack=rule.attack,
    range=rule.range,
    armor=rule.armor,
    speed=rule.speed,
)

rule("12.8", """
These are the types of buildings. A player may put one that has a price on the square they stand on, by paying that price; so with
a unit that has one.
""", title="The buildings")


def buildable():
    return [each.id for catalogue in ("building", "unit") for each in rows(catalogue) if each.price is not None]


@check("build")
def room_to_build(e):
    if e.who.square is None:
        return "you are on no square to build on"
    if value("price", e.building) is None:
        return "no rule says any more what it costs"
    if value("occupant", e.who.square) not in (None, e.who):
        return f"another player has units or buildings on {e.who.square.id}"


@action(
    "build",
    "Build",
    fact="built",
    say="{who} builds a {building}",
    building=one_of(lambda who: buildable(), "Building", priced="building unit"),
)
def build(e):
    lose(e.who, value("price", e.building))
    made = make(e.building, e.who, e.who.square)
    note(unit=made, square=e.who.square)


rule("12.8/fort", """
Fort: {hit_points} hit points, attack {attack}, range {range}, armor {armor}. Price: ${price}.
""", title="Fort", hit_points=1500, attack=0, range=0, armor=25, price=1000)

building(
    "fort",
    "Fort",
    hit_points=rule.hit_points,
    attack=rule.attack,
    range=rule.range,
    armor=rule.armor,
    price=rule.price,
)

rule("12.9", """
These are the commands.
""", title="The commands")

rule("12.9/move", """
Move, any unit with a speed: it goes to the square directly above, below, left or right. It rests for {pace} days divided by its speed.
""", title="Move", pace=10)

event("unit-moves", "moved", say="{unit} moves to {square}", who="player", unit="", square="square", how="")


def mobile(piece):
    return piece.kind == "unit" and value("speed", piece) > 0


def pace(piece):
    return share(days(rule.pace), 1, value("speed", piece))


def reachable(who):
    around = []
    for piece in every("unit"):
        if piece.owner is who:
            around = around + [each for each in value("neighbours", piece.square) if each not in around]
    return around


def march(e):
    if e.to_ not in value("neighbours", e.unit.square):
        refuse(f"{e.to_.id} is not next to {e.unit.square.id}")
    do("unit-moves", who=e.who, unit=e.unit, square=e.to_, how="commanded")


@check("unit-moves")
def room_to_go(e):
    if value("occupant", e.square) not in (None, e.unit.owner):
        return f"another player has units or buildings on {e.square.id}"


@on("unit-moves")
def arrive(e):
    put(e.unit, "square", e.square)


command(
    "move",
    "Move a unit",
    to=mobile,
    cool_down=pace,
    effect=march,
    told=lambda e: f"move to {e.to_.id}",
    to_=choose("square", "To", choices=reachable),
)

rule("12.9/attack", """
Attack, any unit or building with an attack strength: it picks another unit or building within its range, whoever owns it. If the
attack is above the target's armor, the target loses the difference in hit points. If they are equal it loses 1. If the attack is
below, it loses 1 with a chance of 1 in the difference. The attacker rests for {rest} day.
""", title="Attack", rest=1)

event("miss", "missed", say="{unit} misses {target}", notify="owner", unit="", target="", owner="player")


def armed(piece):
    return value("attack", piece) > 0


@value("hit_chance")
def hit_chance(piece, target):
    """One in how many attacks does anything."""
    return max(value("armor", target) - value("attack", piece), 1)


def within_range(piece, target):
    far = value("distance", piece.square, target.square)
    return far is not None and far <= value("range", piece)


def targets(who):
    mine = [piece for piece in pieces_of(who) if armed(piece) and value("range", piece) >= 0]
    reached = [place for piece in mine for place in squares_within(piece.square, value("range", piece))]
    found = [each for each in pieces() if reached.count(each.square) > mine.count(each)]  # none attacks itself
    return [each for each in found if each.owner is not who] + [each for each in found if each.owner is who]


def strike(e):
    if e.target.kind not in ("unit", "building") or e.target is e.unit:
        refuse(f"{e.unit.id} cannot attack {e.target.id}")
    if not within_range(e.unit, e.target):
        refuse(f"{e.target.id} is out of range of {e.unit.id}")
    more = value("attack", e.unit) - value("armor", e.target)
    odds = value("hit_chance", e.unit, e.target)
    if odds == 1 or chance.one_in(odds):
        do("hit", unit=e.unit, target=e.target, amount=max(more, 1))
    else:
        do("miss", unit=e.unit, target=e.target, owner=e.target.owner)


command(
    "attack",
    "Attack",
    to=armed,
    label="With",
    cool_down=days(rule.rest),
    effect=strike,
    told=lambda e: f"attack {e.target.id}",
    target=choose(
        "", "Target (it may be your own)", choices=targets, otherwise="nothing stands within range of what you can attack with"
    ),
)

rule("12.9/recruit-warrior", """
Recruit a warrior, a Fort: its owner pays ${cost} and gets a Warrior on the Fort's square. The Fort rests for {rest} days.
""", title="Recruit a warrior", cost=500, rest=4)


def recruit(e):
    lose(e.who, rule.cost)
    make("warrior", e.who, e.unit.square)


command("recruit-warrior", "Recruit a warrior", to="fort", label="At", cool_down=days(rule.rest), effect=recruit)

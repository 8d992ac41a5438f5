"""Section VII: turns."""

section("VII", "Turns")

rule("VII.1", """
In a turn the dice of the player's method of transport are thrown, and the player moves ahead by their sum. A player who is reset in
their turn has no more of it.
""", title="A turn")

event("turn", say="Somebody takes a turn", who="player", extra="")
event("turn-begins", who="player")
event("roll", "rolled", say="{who} rolls {dice}", who="player", mover="", dice="")
event("turn-ends", who="player", extra="")


@value("dice", of="player", label="Dice", type="list")
def dice(player):
    vehicle = vehicle_of(player)
    return vehicle.dice if vehicle is not None else (value("usual_sides"), value("usual_sides"))


@value("fixed_die", of="player")
def fixed_die(player):
    return None


@on("turn")
def take_turn(e):
    who = e.who
    life = life_of(who)
    if not e.extra:
        do("turn-begins", who=who)
    faces = do("roll", who=who, mover=who) if still_lives(who, life) else ()
    if isinstance(faces, tuple) and faces and still_lives(who, life):
        do("move", who=who, mover=who, steps=sum(faces))
    if exists(who):
        do("turn-ends", who=who, extra=e.extra)
    return faces if still_lives(who, life) else ()


def still_lives(who, life):
    """Whether a player is in the game and has not been reset since that life."""
    return exists(who) and life_of(who) == life


@on("roll")
def roll(e):
    faces = e.dice or throw(e.mover)
    note(dice=faces, total=sum(faces))
    return faces


rule("VII.2", """
If exactly two of the dice show the same number, the player has another turn at once.
""", title="Doubles")

event("extra-turn", "extra-turn", say="{who} has another turn", who="player")


@after("turn")
def once_more(e):
    if doubles(e.result) and exists(e.who):
        do("extra-turn", may=True, who=e.who)


@on("extra-turn")
def take_it(e):
    do("turn", who=e.who, extra=True)


rule("VII.3", """
A die with a number of sides shows the numbers from 1 to that number, all equally likely, unless something else is said.
""", title="Dice with a number of sides")

rule("VII.4", """
Dice of which no number of sides is said have {usual_sides}.
""", title="Dice without a number of sides", usual_sides=6)

setting("usual_sides")

"""Section VII: turns."""

section("VII", "Turns")

rule("VII.1", """
To take a turn, a player rolls the dice and then goes, once for each pip, from the present square to its successor: the
next number, or the first square after the last. The player leaves the square of departure, passes through those between,
and lands on the last one. Only rules about leaving or passing through a square can break off this series.
""", title="A turn")

event("turn", who="player", because="")
event("roll", "rolled", say="{who} rolls {dice}", who="player", speeding="")
event("move", who="player", mover="", steps="")
event("jump", who="player", mover="", square="square")
event("leave", "left", say="leaving {square}", who="player", mover="", square="square")
event("pass", "passed", say="passing {square}", who="player", mover="", square="square")
event("land", "landed", say="{who} lands on {square}", who="player", mover="", square="square")


@value("successor")
def successor(place):
    return find(f"#{place.number + 1}") or find("#1")


@on("turn")
def take_turn(e):
    dice = do("roll", who=e.who, speeding=attribute_of(e.who, "speeding", False))
    do("move", who=e.who, mover=e.who, steps=sum(dice))
    return dice


@on("roll")
def roll(e):
    dice = chance.dice(value("dice"))
    note(total=sum(dice))
    return dice


@on("move")
def go(e):
    advance(e.who, e.mover, e.steps)


@on("jump")
def leap(e):
    hop(e)


rule("VII.2", """
A double earns another turn, which is taken at once. While taking it, the player is speeding.
""", title="Doubles")

attribute("player", "speeding", False, label="Speeding")


@after("turn")
def again(e):
    if e.result and min(e.result) == max(e.result) and exists(e.who):
        put(e.who, "speeding", True)
        do("turn", may=True, who=e.who, because=rule.id)
        put(e.who, "speeding", False)

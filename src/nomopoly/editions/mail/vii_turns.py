"""Section VII: turns."""

section("VII", "Turns")

rule("VII.1", """
Who takes a turn while any square is White rolls {dice} dice, or one if Sick or Hurt; each extra die that was used for this turn is one
more. Then the player goes, once for each pip, from the present square to its successor, or to its predecessor if In Reverse: leaves the
square of departure, passes through those between, and lands on the last one. Only rules about leaving and passing through squares can
interrupt this. What the rules do with who lands they do in the order of their numbers. With no dice, or no pips left to move, the
player stays: that is neither leaving nor landing.
""", title="A turn", dice=2, sides=6)

setting("dice")
setting("sides")
attribute("player", "landed", (), label="Landed on since the update", type="list")
attribute("player", "stood", (), label="Put on since the update", type="list")
attribute("player", "extra_dice", 0, label="Extra dice")
event("turn", say="Somebody takes a turn", who="player", sort="", because="")
event("roll", "rolled", say="{who} rolls {dice}", who="", mover="", sort="")
event("move", who="", mover="", steps="", backwards="", sort="")
event("leave", "left", say="leaving {square}", who="", mover="", square="square", how="")
event("pass", "passed", say="passing {square}", who="", mover="", square="square", how="")
event("land", "landed", say="{who} lands on {square}", who="", mover="", square="square", how="")
event("jump", "jumped", say="{mover} jumps to {square}", who="", mover="", square="square", how="")
event("lap", who="", mover="")
event("turn-ends", who="", sort="")


@value("dice_count", bands=("set", "add", "at_least"))
def dice_count(who):
    """How many dice a piece rolls in a normal turn that begins now."""
    return value("dice")


@modify("dice_count")
def extra_dice(who, base):
    return add(attribute_of(who, "extra_dice", 0))


@modify("dice_count")
def no_fewer_than_none(who, base):
    return at_least(0)


@value("pips", bands=("set", "factor", "add", "at_least"))
def pips(mover, faces, sort):
    """How many squares a piece goes that has rolled these faces in a turn of this sort."""
    return sum(faces)


@modify("pips")
def no_less_than_none(mover, faces, sort, base):
    return at_least(0)


@value("backwards", bands=("set",))
def backwards(mover, faces, sort):
    """Whether a turn goes to predecessors."""
    return False


@value("pips_lost", bands=("set", "add"))
def pips_lost(mover, place, sort):
    """How many pips a piece loses as it passes a square in a turn of this sort."""
    return 0


@value("landing_square", bands=("set",))
def landing_square(mover, place):
    """Where a piece lands that should land on this square."""
    return place


@instead("turn")
def usual_sort(e):
    if not e.sort:
        return e.but(sort="normal")


@on("turn")
def take_turn(e):
    who = e.who
    faces = ()
    if e.sort == "cl":
        move_by_color(who)
    else:
        faces = do("roll", who=who, mover=who, sort=e.sort)
        faces = faces if isinstance(faces, tuple) else ()
        back = value("backwards", who, faces, e.sort)
        do("move", may=True, who=who, mover=who, steps=value("pips", who, faces, e.sort), backwards=back, sort=e.sort)
    if exists(who):
        do("turn-ends", who=who, sort=e.sort)
    return faces


@instead("roll")
@instead("land")
@instead("jump")
def done_with_the_piece(e):
    return with_piece(e)


@on("roll")
def roll(e):
    faces = chance.dice((value("sides"),) * value("dice_count", e.mover))
    note(total=sum(faces))
    if not faces:
        note(dice=())
    if attribute_of(e.mover, "extra_dice", 0):
        put(e.mover, "extra_dice", 0)
    return faces


@on("move")
def go(e):
    walk_on(e.who, e.mover, e.steps, e.backwards, e.sort)


@on("land")
def land(e):
    put(e.mover, "square", e.square)
    has_been_on(e.who, "landed", e.square)
    if actor() is None:
        has_been_on(e.mover, "stood", e.square)
    befall(e.who, e.mover, e.square, e.how, may=actor() is None)  # in an order what is forbidden makes the order fail


@after("put")
def put_by_the_rules(e):
    if actor() is None and e.how != "join":
        has_been_on(e.mover, "stood", e.square)


@on("jump")
def leap(e):
    land_on(e.mover, e.square, e.how or "jump")


rule("VII.2", """
A turn that is taken while no square is White changes nothing: no dice are rolled.
""", title="No White squares")


@instead("turn")
def no_white(e):
    if not [each for each in squares() if attribute_of(each, "color", "White") == "White"]:
        return False


rule("VII.3", """
If any two of the dice rolled for a turn show the same face, the player earns another turn, which is taken at once. During that turn
the player is speeding.
""", title="Doubles")

attribute("player", "speeding", False, label="Speeding")


@after("turn")
def another_turn(e):
    if e.result and any_double(e.result) and exists(e.who) and moves_as_player(e.who):
        speed(e.who, True)
        do("turn", may=actor() is None, who=e.who, sort="speeding", because=rule.id)
        if exists(e.who):
            speed(e.who, False)


def speed(who, speeding):
    """Mark a player as speeding or not; other pieces bear no marks."""
    if who.kind == "player":
        put(who, "speeding", speeding)


rule("VII.4", """
Who has been speeding in two or more turns in a row is fined ${fine} at the end of the second of them, and at the end of each one after
that ${more} more than the time before.
""", title="Speeding fine", fine=40, more=15)


@after("turn-ends")
def fine_speeding(e):
    if e.sort == "speeding":
        row = [each for each in e.trail if each.name == "turn" and each.who is e.who and each.sort == "speeding"]
        if len(row) > 1:
            fine(e.who, max(rule.fine + rule.more * (len(row) - 2), 0))


rule("VII.5", """
Who is moved from the highest square to its successor in a normal turn or a CL turn gets ${lap_money}. Speeding turns are normal turns.
""", title="Going round", lap_money=400)


@after("lap")
def lap_money(e):
    if moves_as_player(e.mover):
        gain(e.who, rule.lap_money)


rule("VII.6", """
Who is not speeding and rolls a total of {low} or {high} is given ${gift} and goes twice as many squares as there are pips. Who is
speeding and rolls {low} or {high} is fined ${fine}, and takes this turn In Reverse. The total of the dice counts, before anything else
changes the number of squares; the money changes hands before the move.
""", title="Seven and eleven", low=7, high=11, gift=100, fine=50)


def special(mover, faces):
    """Whether what has been rolled is one of the two totals."""
    return bool(faces) and moves_as_player(mover) and sum(faces) in (rule.low, rule.high)


@after("roll")
def gift_or_fine(e):
    if special(e.mover, e.result) and e.sort == "normal":
        gain(e.mover, rule.gift)
    elif special(e.mover, e.result) and e.sort == "speeding":
        fine(e.mover, rule.fine)
        turn_round(e.mover)


@modify("pips")
def twice(mover, faces, sort, base):
    if sort == "normal" and special(mover, faces):
        return factor(2)


@modify("backwards")
def turned_round(mover, faces, sort, base):
    if sort == "speeding" and special(mover, faces):
        return set(True)

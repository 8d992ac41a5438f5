"""Section VI: the squares, where players are, how they go, and what they pay where they land."""

section("VI", "The Board")

rule("VI.1", """
The board is a sequence of squares, each with a number. There is always at least one: what would destroy the last one does nothing
to it.
""", title="Numbered squares")

kind("square", prefix="#", numbered="number", page=True)
attribute("square", "number", 0, label="Number", fixed=True)
attribute("game", "gone_squares", (), label="Destroyed squares")
event(
    "destroy-square", "square-destroyed", say="{square} is destroyed", notify="owner", square="square", owner="player"
)


@instead("destroy-square")
def one_stays(e):
    if count("square") == 1:
        return False


@on("destroy-square")
def take_away(e):
    number = e.square.number
    there = [*here(e.square), *here(e.square, "creature")]
    if e.square.owner is not None:
        note(owner=e.square.owner)
    destroy(e.square)
    put(thing("game"), "gone_squares", tuple(sorted((*thing("game").gone_squares, number))))
    for each in there:
        place_at(each, value("start_square"))


rule("VI.2", """
The board begins with squares #1 to #{first_squares}.
""", title="Twenty at first", first_squares=20)

setting("first_squares")


@on("open")
def lay_out(e):
    add_squares(rule.first_squares)


rule("VI.3", """
A square that is added to the board gets the number after the highest there is at that time. It is new: nobody owns it, it has no
name, and nothing is on it.
""", title="The number of a new square")

event("add-square", "square-added", say="Square #{number} is added to the board", number="")


@value("new_square_number")
def new_square_number():
    return last_number() + 1


@on("add-square")
def add(e):
    number = e.number or value("new_square_number")
    left = [each for each in thing("game").gone_squares if each != number]
    added = create("square", number=number)
    put(thing("game"), "gone_squares", tuple(left))
    note(number=number, square=added)
    return added


rule("VI.4", """
The successor of a square is the one with the next higher number that exists, and the successor of the highest is the lowest. The
predecessor is the converse.
""", title="Successor and predecessor")


@value("successor", of="square")
def successor(place):
    after = find(f"#{place.number + 1}")
    if after is not None:
        return after
    higher = [each for each in in_sequence() if each.number > place.number]
    return higher[0] if higher else value("start_square")


@value("predecessor", of="square")
def predecessor(place):
    before = find(f"#{place.number - 1}")
    if before is not None:
        return before
    lower = [each for each in in_sequence() if each.number < place.number]
    return (lower or in_sequence())[-1]


rule("VI.5", """
The squares lie in a grid of {columns} columns. The lowest row begins in the bottom left corner and runs to the right; the row above
it begins over its end and runs to the left, and so on. The last row may be shorter, and a destroyed square leaves a hole.
""", title="The grid", columns=10)

setting("columns")


@value("column", of="square", label="Column")
def column(place):
    return winding_place(place.number, value("columns"))[0]


@value("row", of="square", label="Row")
def row_number(place):
    return winding_place(place.number, value("columns"))[1]


rule("VI.6", """
Every player is on exactly one square at all times, and all begin on the lowest. Who stands on a square that is destroyed is placed on
the lowest square left. Being placed is neither landing nor passing.
""", title="Where players are")

attribute("player", "square", None, label="Square", type="thing", summary=True, holds=("square",), needed=True)
event("place", "placed", say="{mover} is placed on {square}", mover="", square="square")


@value("start_square")
def start_square():
    return find("#1") or in_sequence()[0]


@marker("square")
def start_flag(place):
    if place is value("start_square"):
        return ("→", "the start", "start")


@after("join")
def place_newcomer(e):
    put(e.who, "square", value("start_square"))


@on("place")
def put_there(e):
    put(e.mover, "square", e.square)


rule("VI.7", """
A player who takes a turn, or is told to move, leaves the square they are on, passes each one on the way and lands on the last. The way
is settled when its length is known. Who cannot pass a square has landed there. What a landing brings comes in this order: rent, loss of
health, the option to buy, the cards of Blackjack, the option of the Zoo, care in a hospital, votes, a cure, bingo marks, a time bomb. What
throws the piece elsewhere comes last.
""", title="Moving")

event("move", "moved", say="{who} moves {steps} squares", who="", mover="", steps="")
event("leave", "left", say="leaving {square}", who="", mover="", square="square", how="")
event("pass", "passed", say="passing {square}", who="", mover="", square="square", how="")
event("stuck", "stuck", say="{who} is stuck on {square}", who="", mover="", square="square", how="")
event("land", "landed", say="{who} lands on {square}", who="", mover="", square="square", how="")
event("settle", who="", mover="", square="square", how="")


@value("way")
def way(mover, steps):
    """The squares of a move, each with whether the step to it is a lap: from the last square to the first."""
    found = []
    place = mover.square
    for step in range(steps):
        before = place.number
        place = value("successor", place)
        found.append((place, place.number <= before))
    return tuple(found)


@on("move")
def go(e):
    if e.steps > 0:
        way = value("way", e.mover, e.steps)
        if e.mover.kind == "player":
            walk(e.who, e.mover, len(way), lambda place, step: way[step])
        else:
            put(e.mover, "square", way[-1][0])
            arrive(e.mover, way[-1][0], "turn")


@on("land")
def land(e):
    life = life_of(e.mover)
    befall(e.who, e.mover, e.square, e.how)
    if e.mover.square is e.square and life_of(e.mover) == life:
        do("settle", who=e.who, mover=e.mover, square=e.square, how=e.how)


@on("settle")
def settle(e):
    throw_off(e.who, e.mover, e.square, e.how)


rule("VI.8", """
A player who jumps to a square leaves the one they are on and lands there, and passes nothing. One can jump to the square one is on.
""", title="Jumping")

event("jump", "jumped", say="{who} jumps to {square}", who="", mover="", square="square", how="")


@on("jump")
def leap(e):
    if e.mover.kind == "player" and not do(
        "leave", may=True, who=e.who, mover=e.mover, square=e.mover.square, how="jump"
    ):
        return
    put(e.mover, "square", e.square)
    arrive(e.mover, e.square, "jump", e.who)


rule("VI.9", """
Who lands on a square that another player owns pays the owner a rent of ${rent_factor} times its number.
""", title="Landing on another's square", rent_factor=3, landing_place=20)

setting("rent_factor")
event("pay-rent", who="", mover="", square="square", how="")
landing(
    "rent", rule.landing_place, "pay-rent",
    when=lambda who, mover, square: square.owner is not None and square.owner is not who
)


@value("rent_base", of="square", type="money")
def rent_base(place):
    return place.number * value("rent_factor")


@value("rent", of="square", bands=("set", "percent", "add", "factor"), label="Rent", type="money")
def rent(place):
    return value("rent_base", place)


@instead("pay-rent")
def nobody_to_pay(e):
    if e.square.owner is None or e.square.owner is e.who:
        return False


@on("pay-rent")
def charge(e):
    amount = value("rent", e.square)
    if can_happen("pay-card-rent") and e.square.card is not None:
        do("pay-card-rent", who=e.who, to=e.square.owner, amount=amount)
    else:
        pay(e.who, e.square.owner, amount)
    return amount


rule("VI.10", """
North, south, east and west have their usual sense in the grid and mean the next square that way; destroyed ones are jumped over.
""", title="Directions")


@value("neighbour")
def neighbour(place, direction):
    return winding_next(place, direction, value("columns"), count("square") + len(thing("game").gone_squares))


rule("VI.11", """
Who in one turn moves through the last square and straight on through the first gets ${lap_money} at the end of that turn.
""", title="Going round", lap_money=1000)

setting("lap_money")
attribute("player", "laps_due", (), show="nobody")  # (who gets the money, how often they had started over)
event("lap", "lap", say="{who} goes round", who="", mover="")
event("lap-money", who="player", amount="")


@after("lap")
def count_lap(e):
    if e.who.kind == "player" and e.caused_by("turn"):
        put(e.mover, "laps_due", (*e.mover.laps_due, (e.who, e.who.resets)))


@after("turn-ends")
def pay_laps(e):
    due = e.who.laps_due
    if due:
        put(e.who, "laps_due", ())
        for who, resets in due:
            if exists(who) and who.resets == resets:
                do("lap-money", may=True, who=who, amount=value("lap_money"))


@on("lap-money")
def give_lap_money(e):
    pay("$admin", e.who, e.amount)


rule("VI.12", """
Squares are adjacent, or bordering, when one is the next square of the other in one of the four directions.
""", title="Adjacent")

rule("VI.13", """
The distance between two squares is the least number of steps north, south, east or west over bordering squares. Where no way leads,
it is beyond every number.
""", title="Distance")


@value("distance")
def steps_between(a, b):
    near = {a.id: a}
    edge = [a]
    steps = 0
    while edge:
        if b.id in near:
            return steps
        steps = steps + 1
        further = []
        for place in edge:
            for other in neighbours(place):
                if other.id not in near:
                    near[other.id] = other
                    further.append(other)
        edge = further
    return None


rule("VI.14", """
On a polluted square the rent is one {pollution_divisor}rd of what it would be, and who lands there loses {pollution_health} health.
""", title="Pollution", pollution_divisor=3, pollution_health=5, landing_place=30)

setting("pollution_divisor")
setting("pollution_health")
attribute("square", "polluted", False, label="Polluted")
event("pollute", "polluted", say="{square} is polluted", square="square")
event("breathe", who="", mover="", square="square", how="")
landing("pollution", rule.landing_place, "breathe", when=lambda who, mover, square: square.polluted, creatures=True)


@on("pollute")
def pollute(e):
    put(e.square, "polluted", True)


@on("breathe")
def cough(e):
    hurt(e.who, value("pollution_health"))


@modify("rent")
def less_rent(place, base):
    if place.polluted:
        return factor(1, value("pollution_divisor"))


@marker("square")
def smoke(place):
    if place.polluted:
        return ("~", "polluted")


rule("VI.15", """
If the square with the number 1 is destroyed, every mention of it in the rules means the lowest-numbered square on the board, then and
ever after.
""", title="Square #1 destroyed")


@after("destroy-square")
def say_lowest(e):
    if e.square.id == "#1":
        reword("Square #1", "the lowest-numbered square")


rule("VI.16", """
The net worth of a square is what it costs to buy it and the buildings on it.
""", title="Net worth of a square")


@value("square_net_worth", of="square", label="Net worth", type="money")
def square_net_worth(place):
    return value("square_price", place)


rule("VI.17", """
Whenever a player who is no terrorist goes round past the last square, there is a chance of {growth_chance}/n percent, n being the number
of squares, that one square more is added at the end.
""", title="The board grows", growth_chance=2000)

setting("growth_chance")
event("grow", who="player")


@after("lap")
def perhaps_more(e):
    if e.who.kind == "player":
        do("grow", may=True, who=e.who)


@on("grow")
def grow(e):
    likely = value("growth_chance")
    if count("square") * 100 <= likely or chance.one_in(count("square") * 100, likely):
        do("add-square")


rule("VI.18", """
A square that is to be added at the end of the board takes the place of the destroyed square with the lowest number, if there is any.
""", title="Holes are filled first")


@modify("new_square_number")
def lowest_hole(base):
    if thing("game").gone_squares:
        return set(thing("game").gone_squares[0])

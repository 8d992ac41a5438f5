"""Section XIX: the Zoo: creatures, how they move, and what they set off."""

section("XIX", "The Zoo")

rule("XIX.1", """
Square #{zoo} is the Zoo. Nobody can buy it or own it.
""", title="Where the Zoo is", zoo=51)


@value("zoo", type="thing")
def zoo():
    return find(f"#{rule.zoo}")


@modify("unownable")
def nobody_owns_it(place, base):
    if place.number == rule.zoo:
        return set(f"nobody may own {place.id}: it is the Zoo")


@marker("square")
def gate(place):
    if place.number == rule.zoo:
        return ("Z", "the Zoo", "paw")


rule("XIX.2", """
Who lands on the Zoo may spawn one creature of their choice until their next turn begins. It appears on the Zoo, without landing there.
Of each kind there is at most one creature at a time.
""", title="Spawning a creature", landing_place=60)

attribute("player", "zoo_option", False, label="May spawn a creature")
event("zoo-option", who="player", mover="", square="square", how="")
event("spawn", "spawned", say="{creature} appears on {square}", who="player", type="", square="square")
landing("zoo", rule.landing_place, "zoo-option", when=lambda who, mover, square: square is value("zoo"))


@on("zoo-option")
def may_spawn_now(e):
    put(e.who, "zoo_option", True)


@after("turn-begins")
def option_ends(e):
    put(e.who, "zoo_option", False)


@on("spawn")
def appear(e):
    made = create("creature", id=creature_id(e.type), type=e.type, square=e.square)
    note(creature=made)
    return made


@check("spawn-creature")
def may_spawn(e):
    if not e.who.zoo_option:
        return "no option: you have not landed on the Zoo since your last turn began"
    if [each for each in every("creature") if each.type == e.creature]:
        return f"already on the board: {e.creature}"
    if value("zoo") is None:
        return "no such square: there is no Zoo now"


@action("spawn-creature", "Spawn a creature", creature=one_of(lambda who: creature_kinds(), "Creature"))
def spawn_creature(e):
    put(e.who, "zoo_option", False)
    do("spawn", who=e.who, type=e.creature, square=value("zoo"))


rule("XIX.3", """
These are the creatures. They move after all players have had their turns, some in every update, some only in the second one of the week.
""", title="The creatures")

kind("creature", named="type", label="Creature")
attribute("creature", "type", "", label="Kind")
attribute("creature", "square", None, label="Square", type="thing", holds=("square",), needed=True)
attribute("creature", "acts_as", None, label="Acted as")
event("creature-move", "rolled", say="{creature} sets out", creature="creature")
event("creature-land", "landed", say="{mover} lands on {square}", mover="creature", square="square", how="")
event("creature-acts", creature="creature", square="square", type="")


@value("kind", of="creature")
def kind_of_creature(which):
    return which.type


@marker("creature")
def seen_on_board(which):
    known = row_of("creature", which.type)
    return (known.symbol, f"{known.name} ({which.id}), {which.health} health")


@after("creature-move")
def whose_move(e):
    note(who=e.creature, mover=e.creature)


@on("creature-land")
def come_down(e):
    which = e.mover
    note(who=which)
    peels = attribute_of(e.square, "banana_peels", 0)
    befall(which, which, e.square, e.how)
    if exists(which) and which.square is e.square:
        do("creature-acts", creature=which, square=e.square, type=which.type)
    thrown = not peels and attribute_of(e.square, "banana_peels", 0)
    if exists(which) and which.square is e.square and not thrown:
        do("settle", who=which, mover=which, square=e.square, how=e.how)


rule("XIX.3/gorilla", """
Gorilla, {health} health. It moves once a week, in the second update: ahead by one die of {sides} sides. After its move there is a chance
of {peel_chance}% that it drops a banana peel where it is.
""", title="Gorilla", health=100, sides=10, peel_chance=50)

creature("gorilla", "Gorilla", 1, rule.health, weekly=True, symbol="G")


def perhaps_a_peel(which):
    if chance.percent(rule.peel_chance):
        do("throw-peel", creature=which, square=which.square)


@after("creature-move")
def gorilla_moves(e):
    if e.creature.type == "gorilla":
        steps = chance.die(rule.sides)
        note(total=steps)
        do("move", who=e.creature, mover=e.creature, steps=steps)
        if exists(e.creature):
            perhaps_a_peel(e.creature)


@after("creature-acts")
def as_a_gorilla(e):
    if e.type == "gorilla" and e.creature.type != "gorilla":
        perhaps_a_peel(e.creature)


rule("XIX.3/elephant", """
Elephant, {health} health. It moves once a week, in the second update, by one square: a die of {sides} sides sends it north, south, east or
west; if there is no square that way, or a side names no way, it is thrown again. Where it lands it tramples every player and every other creature: each loses
{trample_health} health.
""", title="Elephant", health=100, sides=4, trample_health=15)

creature("elephant", "Elephant", 2, rule.health, weekly=True, symbol="E")
event("trample", "trampled", say="{creature} tramples {who}", who="", creature="", square="square")


def ways_from(place):
    return [value("neighbour", place, direction) for direction in ("north", "south", "east", "west")]


@after("creature-move")
def elephant_moves(e):
    if e.creature.type == "elephant":
        ways = dict(zip(range(1, rule.sides + 1), ways_from(e.creature.square)))
        if [way for way in ways.values() if way is not None]:
            goal = ways.get(chance.die(rule.sides))
            while goal is None:
                goal = ways.get(chance.die(rule.sides))
            creature_goes(e.creature, goal)


@after("creature-acts")
def as_an_elephant(e):
    if e.type == "elephant":
        trampled = here(e.square) + creatures_there(e.square, but=e.creature)
        for each in trampled:
            if exists(each):
                do("trample", who=each, creature=e.creature, square=e.square)


@on("trample")
def trample(e):
    hurt(e.who, rule.trample_health)


rule("XIX.3/bison", """
MTS Bison, {health} health. It moves in every update: ahead by {dice} dice of {sides} sides. Each player on the square where it lands may
hop on and name any square; the player jumps there, and then the bison. One can until the bison leaves that square or the update
period ends, and only once an update.
""", title="MTS Bison", health=100, dice=2, sides=6)

creature("mts-bison", "MTS Bison", 3, rule.health, symbol="B")
attribute("player", "ride_option", None, label="May ride", type="thing")
attribute("player", "rode_in", None, label="Rode in update", type="number")
event("rides-end", say="The rides on the Bison end")
step("period-end", 40, "rides-end", when=lambda: [each for each in players() if each.ride_option is not None])


def no_rides(which):
    for who in players():
        if who.ride_option is which:
            put(who, "ride_option", None)


@after("creature-move")
def bison_moves(e):
    if e.creature.type == "mts-bison":
        steps = sum(chance.dice((rule.sides,) * rule.dice))
        note(total=steps)
        do("move", who=e.creature, mover=e.creature, steps=steps)


@after("creature-acts")
def as_a_bison(e):
    if e.type == e.creature.type:
        no_rides(e.creature)
    if e.type == "mts-bison":
        for who in here(e.square):
            put(who, "ride_option", e.creature)


@check("ride-bison")
def may_hop_on(e):
    which = e.who.ride_option
    if which is None or not exists(which) or which.square is not e.who.square:
        return "there is nothing here to hop on"
    if e.who.rode_in == thing("game").update:
        return "one rides once an update"


@action(
    "ride-bison",
    "Hop on the bison",
    fact="hopped-on",
    say="{who} hops on {creature} to {square}",
    square=choose("square", "To"),
)
def ride_bison(e):
    which = e.who.ride_option
    note(creature=which)
    put(e.who, "rode_in", thing("game").update)
    no_rides(which)
    jump_to(e.who, e.square)
    if exists(which) and exists(e.square):
        jump_to(which, e.square)


@after("place")
def taken_away(e):
    if e.mover.kind == "creature":
        no_rides(e.mover)


@after("die")
def died_with_it(e):
    no_rides(e.creature)


@on("rides-end")
def rides_end(e):
    for who in players():
        put(who, "ride_option", None)


rule("XIX.3/jelly-dog", """
Blinking Jelly Dog, {health} health. It moves in every update: it jumps to a random square. At each landing it does what a random other
creature would do on landing there.
""", title="Blinking Jelly Dog", health=100)

creature("blinking-jelly-dog", "Blinking Jelly Dog", 5, rule.health, symbol="J")


@after("creature-move")
def dog_moves(e):
    if e.creature.type == "blinking-jelly-dog":
        jump_to(e.creature, pick_one(in_sequence()))


@after("creature-acts")
def as_another(e):
    if e.type == "blinking-jelly-dog":
        others = [each for each in creature_kinds() if each != e.type]
        if others:
            kind = pick_one(others)
            put(e.creature, "acts_as", kind)
            do("creature-acts", creature=e.creature, square=e.square, type=kind)


rule("XIX.3/banana-peel", """
Who lands on a square with banana peels, a player or a creature, slips on one: it is gone, they lose {health} health and jump to a random
square, perhaps the same. Peels add up. Standing where one is thrown is not landing.
""", title="Banana peel", health=10)

attribute("square", "banana_peels", 0, label="Banana peels")
event("throw-peel", "peel", say="a banana peel drops on {square}", creature="creature", square="square")
event("slip", "slipped", say="{who} slips on a banana peel", who="", mover="", square="square", how="")
settling("banana-peel", 10, "slip", when=lambda who, mover, square: square.banana_peels > 0, creatures=True)


@on("throw-peel")
def throw_peel(e):
    put(e.square, "banana_peels", e.square.banana_peels + 1)


@on("slip")
def slip(e):
    put(e.square, "banana_peels", e.square.banana_peels - 1)
    life = life_of(e.mover)
    hurt(e.who, rule.health)
    if exists(e.mover) and life_of(e.mover) == life:
        jump_to(e.mover, pick_one(in_sequence()))


@marker("square")
def peel(place):
    if place.banana_peels:
        return ("(", f"{place.banana_peels} banana peel{'s' if place.banana_peels > 1 else ''}")


rule("XIX.4", """
Each creature has the health that the table gives it. Whatever touches the health of a player who lands or stands somewhere touches that of
a creature; at 0 or less it dies: it leaves the board, and may be spawned again. Rules about money, cards, options, votes and movement do
not concern creatures, unless they say so.
""", title="Creatures live and die")

attribute("creature", "health", 0, label="Health")
event("die", "died", say="{creature} dies", creature="creature")


@after("hurt")
def not_for_ever(e):
    if e.who.kind == "creature" and exists(e.who) and e.who.health <= 0:
        do("die", creature=e.who)


@on("die")
def die(e):
    note(who=e.creature)
    destroy(e.creature)


rule("XIX.5", """
Where several creatures are to move, they do so one after the other, in random order. Those that appear meanwhile wait for the next update.
""", title="Order among creatures")

attribute("game", "creatures_to_move", (), show="nobody")
event("creatures-move", say="The creatures move")
event("next-creature", say="A creature moves")
step("creatures", 10, "creatures-move", when=lambda: creatures())


@on("creatures-move")
def those_due(e):
    second = thing("game").days == "sunday"
    due = [
        each for each in creatures() if each.square is not None and (second or not row_of("creature", each.type).weekly)
    ]
    put(thing("game"), "creatures_to_move", tuple(due))
    if due:
        follow("next-creature")


@on("next-creature")
def next_creature(e):
    left = [each for each in thing("game").creatures_to_move if exists(each)]
    if left:
        moving = pick_one(left)
        put(thing("game"), "creatures_to_move", tuple([each for each in left if each is not moving]))
        follow("creature-move", creature=moving)
        if len(left) > 1:
            follow("next-creature")

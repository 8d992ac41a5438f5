"""Section XXVI: missiles, how they are made and fired, and what each of them does."""

section("XXVI", "Missiles")

rule(
    "XXVI.1",
    """
The owner of a square with a missile silo can have it make one missile an update, by paying its price.
""",
    title="Making one",
)

attribute("square", "missiles", (), label="Missiles")
attribute("square", "missile_bought_in", None, label="Last missile made in update", type="number")


@check("buy-missile")
def may_make(e):
    if e.square not in silos_of(e.who):
        return f"not yours: you have no missile silo on {e.square.id}"
    if e.square.missile_bought_in == thing("game").update:
        return f"one missile an update: the silo on {e.square.id} has made one"


@action(
    "buy-missile",
    "Make a missile",
    fact="missile-made",
    say="{told} is made on {square}",
    square=choose("square", "Silo", choices=silos_of),
    missile=one_of(lambda who: [each.id for each in rows("missile")], "Missile", priced="missile"),
    on_credit=yes_or_no("On credit"),
)
def make_missile(e):
    note(told=f"A{with_article(row_of('missile', e.missile).name)[1:]}")
    do("purchase", who=e.who, price=row_of("missile", e.missile).price, on_credit=e.on_credit, what=e.missile)
    put(e.square, "missile_bought_in", thing("game").update)
    put(e.square, "missiles", (*e.square.missiles, e.missile))


@after("rules-changed")
def kinds_gone(e):
    known = [each.id for each in rows("missile")]
    for place in squares():
        put(place, "missiles", tuple([each for each in place.missiles if each in known]))


rule(
    "XXVI.2",
    """
A silo holds at most {room} missiles.
""",
    title="Room for three",
    room=3,
)


@check("buy-missile")
def has_room(e):
    if len(e.square.missiles) >= rule.room:
        return f"full: the silo on {e.square.id} holds {len(e.square.missiles)} missiles"


rule(
    "XXVI.3",
    """
The owner of a silo can fire one missile an update from it, if all owners of its block consent. It stays in the silo until it is fired.
""",
    title="Firing",
)

attribute("square", "missile_fired_in", None, label="Last missile fired in update", type="number")
event("launch", who="player", agreed="", credit="", square="square", missile="", target="square")


def in_charge(place):
    """Those without whom the silo on a square does not fire."""
    block = block_of(place)
    return block_owners(block) if block is not None else []


def asked_to_fire(who, said):
    """Those whom an order to fire asks."""
    place = find(str(said.get("square")))
    return in_charge(place) if place is not None and place.kind == "square" else []


asks("fire-missile", asked_to_fire)


def cannot_fire(who, place, missile):
    """Why a player cannot have a missile fired, or None."""
    if not exists(place) or place not in silos_of(who):
        return f"not yours: you have no missile silo on {place.id}"
    if missile not in place.missiles:
        return f"there is no {row_of('missile', missile).name} in the silo on {place.id}"
    if place.missile_fired_in == thing("game").update:
        return f"one missile an update: the silo on {place.id} has fired one"


@check("fire-missile")
def may_fire(e):
    return cannot_fire(e.who, e.square, e.missile)


def loaded_silos(who):
    return [each for each in silos_of(who) if each.missiles]


def ready_missiles(who):
    """The kinds of missiles in a player's silos; all where there is none, for then the check says why."""
    held = [missile for silo in silos_of(who) for missile in silo.missiles]
    return [each.id for each in rows("missile") if each.id in held or not held]


def in_reach(who):
    """The squares that a missile in one of a player's silos reaches."""
    ready = [(each.id, silo) for silo in silos_of(who) for each in rows("missile") if each.id in silo.missiles]
    reached = [each for missile, silo in ready for each in targets_of(missile, silo)]
    return [each for each in squares() if each in reached]


@action(
    "fire-missile",
    "Fire a missile",
    rolls=True,
    square=choose("square", "Silo", choices=loaded_silos),
    missile=one_of(ready_missiles, "Missile", otherwise="there is no such missile in a silo of yours"),
    target=choose("square", "Target", choices=in_reach),
)
def fire_missile(e):
    text = f"{with_article(row_of('missile', e.missile).name)} from {e.square.id} at {e.target.id}"
    seek_agreement(e.who, in_charge(e.square), "launch", text, square=e.square, missile=e.missile, target=e.target)


@check("launch")
def may_still_fire(e):
    reason = cannot_fire(e.who, e.square, e.missile)
    if reason is not None:
        return reason
    if not exists(e.target):
        return f"{e.target.id} no longer exists"
    for who in in_charge(e.square):
        if who not in e.agreed:
            return f"{name_of(who)} owns some of the block and has not consented"


@on("launch")
def launch(e):
    left = list(e.square.missiles)
    left.remove(e.missile)
    put(e.square, "missiles", tuple(left))
    put(e.square, "missile_fired_in", thing("game").update)
    grade = row_of("missile", e.missile).grade
    if grade and can_happen("atrocity"):
        for who in e.agreed:
            do("atrocity", who=who, grade=grade)
    do("fire", who=e.who, square=e.square, missile=e.missile, target=e.target)


rule(
    "XXVI.4",
    """
A missile is fired at a square whose distance from the silo is not beyond its range; the silo's own square is one of them.
""",
    title="Range",
)


@check("fire-missile")
@check("launch")
def too_far(e):
    if exists(e.square) and exists(e.target) and not within_range(e.missile, e.square, e.target):
        missile = with_article(row_of("missile", e.missile).name)
        return f"out of range: {missile} on {e.square.id} does not reach {e.target.id}"


rule(
    "XXVI.5",
    """
A missile succeeds with the chance that its kind has, less what batteries take from it, but not below 0%. It is gone either way.
""",
    title="Chance",
)

event(
    "fire",
    "fired",
    say="{told} is fired from {square} at {target}",
    who="player",
    square="square",
    missile="",
    target="square",
    told="",
)
event("missile-hits", "hit", say="The missile hits {target}", square="square", missile="", target="square")
event(
    "missile-misses",
    "missed",
    say="The missile misses {target}",
    square="square",
    missile="",
    target="square",
)


@value("success")
def success(missile, target):
    return row_of("missile", missile).success


@modify("success")
def not_below_nothing(missile, target, base):
    return at_least(0)


@on("fire")
def shoot(e):
    note(told=f"A{with_article(row_of('missile', e.missile).name)[1:]}")
    hit = chance.percent(value("success", e.missile, e.target))
    do("missile-hits" if hit else "missile-misses", square=e.square, missile=e.missile, target=e.target)


rule(
    "XXVI.6",
    """
These are the missiles.
""",
    title="The missiles",
)

rule(
    "XXVI.6/cruise",
    """
Cruise missile, ${price}, range {range}, {success}%: it destroys one building on its target, at random.
""",
    title="Cruise missile",
    price=400,
    range=4,
    success=65,
)

row("missile", "cruise", name="Cruise missile", price=rule.price, range=rule.range, success=rule.success, grade="")


@after("missile-hits")
def strike_building(e):
    if e.missile == "cruise" and e.target.buildings:
        demolish(e.target, pick_one(e.target.buildings), "missile")


rule(
    "XXVI.6/chemical",
    """
Chemical missile, ${price}, range {range}, {success}%: its target becomes polluted.
""",
    title="Chemical missile",
    price=600,
    range=2,
    success=65,
)

row("missile", "chemical", name="Chemical missile", price=rule.price, range=rule.range, success=rule.success, grade="")


@after("missile-hits")
def poison(e):
    if e.missile == "chemical":
        do("pollute", square=e.target)


rule(
    "XXVI.6/biological",
    """
Biological missile, ${price}, range {range}, {success}%: nobody owns its target any more, everybody there loses {health} health, and it is
contaminated for {weeks} weeks, this one included. To fire it is a minor atrocity.
""",
    title="Biological missile",
    price=750,
    range=3,
    success=70,
    health=20,
    weeks=3,
)

row(
    "missile",
    "biological",
    name="Biological missile",
    price=rule.price,
    range=rule.range,
    success=rule.success,
    grade="minor",
)


@after("missile-hits")
def spread(e):
    if e.missile == "biological":
        there = [*here(e.target), *here(e.target, "creature")]
        owner = e.target.owner
        if owner is not None:
            change_owner(e.target, None)
            do("squares-lost", who=owner, squares=(e.target,))
        do("contaminate", square=e.target, until=thing("game").week + rule.weeks - 1)
        for each in there:
            hurt(each, rule.health)


rule(
    "XXVI.6/icbm",
    """
ICBM, ${price}, reaches every square, {success}%: its target is destroyed, and each square north, south, east and west of it with a chance
of {neighbour}%. The last square of the board is never destroyed. Who stands on a square that is destroyed loses {health} health and goes
to Square #1. To fire it is a major atrocity.
""",
    title="ICBM",
    price=1000,
    success=60,
    neighbour=25,
    health=25,
)

row("missile", "icbm", name="ICBM", price=rule.price, range=None, success=rule.success, grade="major")


@after("missile-hits")
def devastate(e):
    if e.missile != "icbm":
        return
    around = neighbours(e.target)
    falling = [e.target, *[each for each in around if chance.percent(rule.neighbour)]][: count("square") - 1]
    victims = [each for kind in ("player", "creature") for each in every(kind) if each.square in falling]
    broken_blocks = [each for each in every("block") if [place for place in each.squares if place in falling]]
    for place in falling:
        for building in place.buildings:
            demolish(place, building, "missile")
    for place in falling:
        destroy(place)
    for block in broken_blocks:
        end_block(block, "missile")
    for each in victims:
        hurt(each, rule.health)

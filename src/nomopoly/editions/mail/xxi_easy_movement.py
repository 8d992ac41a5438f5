"""Section XXI: getting about without a turn."""

section("XXI", "Easy Movement")

rule("XXI.1", """
A player may make {easy_limit} Easy Moves a week, not more. One that fails does not count. Who is taken somewhere by an Easy Move is put
there: that is no landing, and nothing is passed.
""", title="Two a week", easy_limit=2)

attribute("player", "easy_moves", 0, label="Easy Moves this week")
event("easy-move", who="player", square="square", how="")
event("easy-moves-anew", say="Easy Moves are counted anew")
step("week-begins", 10, "easy-moves-anew")


@value("easy_limit", of="player", label="Easy Moves a week")
def easy_limit(who):
    return rule.easy_limit


@check("easy-move")
def not_too_many(e):
    limit = value("easy_limit", e.who)
    if e.who.easy_moves >= limit:
        return f"easy moves: you have made {e.who.easy_moves} this week, and {limit} is all"


@on("easy-move")
def one_more(e):
    put(e.who, "easy_moves", e.who.easy_moves + 1)


@on("easy-moves-anew")
def count_anew(e):
    for who in players():
        put(who, "easy_moves", 0)


rule("XXI.2", """
The Government takes a Registered Voter to the Public Property square of their choice, at no cost. It is an Easy Move.
""", title="By The Government")


def public_properties(who):
    return [each for each in squares() if value("public_property", each)]


@check("voter-transport")
def may_be_taken(e):
    if not attribute_of(e.who, "voter"):
        return "not a voter: The Government takes Registered Voters only"
    if not value("public_property", e.to):
        return f"not there: {e.to.id} is no Public Property"


@action("voter-transport", "Be taken by The Government", to=choose("square", "To", choices=public_properties))
def voter_transport(e):
    easy_move(e.who, e.to, "voter-transport")


rule("XXI.3", """
The Corporation takes the owner of a square of a Corporate Color to the square of their choice among those that The Corporation owns, at
no cost and from any place. It is an Easy Move.
""", title="By The Corporation")


@check("corporate-transport")
def may_ride(e):
    if not [each for each in owned_by(e.who) if is_corporate(each)]:
        return "not there: The Corporation takes owners of a square of a Corporate Color only"
    if e.to.owner is not thing("$corporation"):
        return f"not there: {e.to.id} is not The Corporation's"


@action(
    "corporate-transport",
    "Be taken by The Corporation",
    to=choose("square", "To", choices=lambda who: owned_by(thing("$corporation"))),
)
def corporate_transport(e):
    easy_move(e.who, e.to, "corporate-transport")


rule("XXI.4", """
A taxi takes a player from the square they occupy to any other, by the shortest way over successors, predecessors and Jumpgates that has no
Blockbuster on it, at ${taxi_step} a step. For ${taxi_extra} more it drives through squares with Blockbusters too. The passenger becomes
Sick. It is all paid to The Government; there is no toll at the gates, nothing on the way is disarmed, and a Blockbuster on the square where
the ride starts does not matter. It is an Easy Move.
""", title="Taxi", taxi_step=10, taxi_extra=500)

setting("taxi_step")
setting("taxi_extra")


def destinations(who):
    """The squares to which a taxi may take a player."""
    return [each for each in squares() if each is not who.square or in_several_places(who)]


@check("taxi")
def elsewhere(e):
    return not_on_the_way(e.who, e.from_, e.to)


@action(
    "taxi",
    "Take a taxi",
    to=choose("square", "To", choices=destinations),
    extra=yes_or_no(f"Through Blockbusters, for ${rule.taxi_extra} more", when=any_bombs),
    from_=choose("square", "From", choices=occupied_by, default=lambda who: who.square, when=in_several_places),
)
def taxi(e):
    steps = steps_by_road(e.from_, e.to, gates=True, through=e.extra)
    if steps is None:
        refuse(f"no path: no way leads from {e.from_.id} to {e.to.id} past all Blockbusters")
    price = value("taxi_step") * steps + (value("taxi_extra") if e.extra else 0)
    hire(e.who, "taxi-driver", e.to, price)
    easy_move(e.who, e.to, "taxi")
    if can_happen("make-sick"):
        do("make-sick", who=e.who, by="taxi")


rule("XXI.5", """
A delivery truck takes the owner of a Store to that Store from the square they occupy, at no cost, over successors and predecessors without a
Blockbuster. For ${truck_extra} to The Corporation it goes whatever lies on the way. It is an Easy Move.
""", title="Delivery truck", truck_extra=500)

setting("truck_extra")


def stores_of(who):
    return [each for each in owned_by(who) if attribute_of(each, "building") == "store"]


@check("truck")
def own_store(e):
    if attribute_of(e.to, "building") != "store":
        return f"not there: {e.to.id} is no Store"
    return not_owner(e.who, e.to) or not_on_the_way(e.who, e.from_, e.to)


@action(
    "truck",
    "Ride on the delivery truck",
    to=choose("square", "To", choices=stores_of),
    extra=yes_or_no(f"Whatever lies on the way, for ${rule.truck_extra}", when=any_bombs),
    from_=choose("square", "From", choices=occupied_by, default=lambda who: who.square, when=in_several_places),
)
def truck(e):
    if steps_by_road(e.from_, e.to, gates=False, through=e.extra) is None:
        refuse(f"no path: there are Blockbusters on both ways from {e.from_.id} to {e.to.id}")
    if e.extra:
        spend(e.who, "$corporation", value("truck_extra"))
    easy_move(e.who, e.to, "truck")


rule("XXI.6", """
A player may walk from the square they occupy to its successor or its predecessor, at no cost. It is an Easy Move.
""", title="Walk")


def steps_away(who):
    found = []
    for place in occupied_by(who):
        for each in (value("successor", place), value("predecessor", place)):
            if each not in found:
                found.append(each)
    return found


@check("walk")
def next_door(e):
    reason = not_occupied(e.who, e.from_)
    if reason is not None:
        return reason
    if e.to is not value("successor", e.from_) and e.to is not value("predecessor", e.from_):
        return f"not there: {e.to.id} is not next to {e.from_.id}"


@action(
    "walk",
    "Walk to the next square",
    to=choose("square", "To", choices=steps_away),
    from_=choose("square", "From", choices=occupied_by, default=lambda who: who.square, when=in_several_places),
)
def walk_there(e):
    easy_move(e.who, e.to, "walk")

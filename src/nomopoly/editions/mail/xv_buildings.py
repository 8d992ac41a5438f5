"""Section XV: Stores, Factories and pollutants."""

section("XV", "Buildings")

rule("XV.1", """
The owner of a square may build a Store there for ${store_price}, paid to The Corporation, and says which type of products it
sells. There can be no Store on a pollutant, or where there is a tree or another building.
""", title="Stores", store_price=300)

setting("store_price")
attribute("square", "building", None, label="Building")
attribute("square", "sells", None, label="Sells")
event("build", "built", say="{who} builds a {building} on {square}", who="", square="square", building="", sells="")


def product_types(who):
    found = []
    for each in every("product"):
        if each.type not in (None, "none") and each.type not in found:
            found.append(each.type)
    return found


def building_sites(who):
    return [each for each in owned_by(who) if site_problem(each) is None]


def site_problem(place):
    if place.building is not None:
        return f"already: there is {with_article(place.building)} on {place.id}"
    if attribute_of(place, "tree", False):
        return f"there is a tree on {place.id}: no Store can be built there"
    if attribute_of(place, "pollutant", False):
        return f"{place.id} is a pollutant: no Store can be built there"
    return None


@check("build-store")
def may_build(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    return site_problem(e.square)


@action(
    "build-store",
    "Build a Store",
    square=choose("square", "Square", choices=building_sites),
    type=one_of(product_types, "Sells"),
)
def build_store(e):
    spend(e.who, "$corporation", value("store_price"))
    do("build", who=e.who, square=e.square, building="store", sells=e.type)


@on("build")
def build(e):
    put(e.square, "building", e.building)
    put(e.square, "sells", e.sells)


@marker("square")
def building_mark(place):
    if place.building is not None:
        return ("S" if place.building == "store" else "F", place.building.capitalize())


rule("XV.2", """
A branch of the Experimental Technology Factory is a Factory. Factories are built only where another rule builds one.
""", title="Factories")


@check("build")
def room_for_factory(e):
    if e.building == "factory" and e.square.building is not None:
        return f"already: there is {with_article(e.square.building)} on {e.square.id}"


rule("XV.3", """
A square may be a pollutant. A pollutant is worth less, as the rules on prices say, and no tree can be planted there; where there
is a tree, no pollutant can come to be. The WETHA's Lodges are pollutants from the start and always.
""", title="Pollutants")

attribute("square", "pollutant", False, label="Pollutant")
event("pollute", "polluted", say="{square} becomes a pollutant", square="square")


@check("pollute")
def tree_bars(e):
    if attribute_of(e.square, "tree", False):
        return f"there is a tree on {e.square.id}"


@on("pollute")
def pollute(e):
    put(e.square, "pollutant", True)


@after("open")
@after("create-square")
@after("renumber")
@after("rules-changed")
def lodges_pollute(e):
    for place in squares():
        pollute_lodge(place)


@after("grant")
def lodge_stays_one(e):
    if exists(e.thing) and e.thing.kind == "square":
        pollute_lodge(e.thing)


@after("change-owner")
def lodge_of_the_wetha(e):
    pollute_lodge(e.square)


def pollute_lodge(place):
    if value("lodge", place) and not place.pollutant:
        put(place, "pollutant", True)


@marker("square")
def smoke(place):
    if place.pollutant:
        return ("~", "pollutant")

"""Section XXII, the gas station of XXII.4."""

section("XXII", "Buildings")

rule(
    "XXII.4/gas-station",
    """
Gas Station, ${price}, in Commercial and Government blocks: who has a car and has landed on it, passed it or left it since their last turn
began, or is there, can buy fuel. In a Government block {per} fuel cost ${usual}; in a Commercial block as much as the owner says, ${usual}
until then. It is paid to the owner, and free at one's own. What the tank does not hold is spilt.
""",
    title="Gas Station",
    price=100,
    usual=50,
    per=100,
)

row(
    "building",
    "gas-station",
    name="Gas Station",
    price=rule.price,
    types=("commercial", "government"),
    centre=False,
)
attribute("square", "fuel_price", rule.usual, type="money", show="nobody")  # shown where it is sold: see fuel_sold
attribute("player", "fuel_stops", (), label="Gas stations at hand")
event("gas-stop", who="player", mover="", square="square", how="")
passing("gas-station", "gas-stop", when=lambda who, mover, square: has_building(square, "gas-station"))


@after("leave")
@after("land")
@on("gas-stop")
def note_stop(e):
    if e.mover.kind == "player" and has_building(e.square, "gas-station") and e.square not in e.mover.fuel_stops:
        put(e.mover, "fuel_stops", (*e.mover.fuel_stops, e.square))


@after("turn-begins")
def stops_forgotten(e):
    put(e.who, "fuel_stops", ())


@after("demolish")
def fuel_price_lost(e):
    if e.building == "gas-station":
        put(e.square, "fuel_price", rule.usual)


def stations_for(who):
    """The gas stations where a player can buy now, where they stand first."""
    found = []
    for each in (who.square, *who.fuel_stops):
        if exists(each) and has_building(each, "gas-station") and each not in found:
            found.append(each)
    return found


def own_stations(who):
    return [each for each in owned_by(who) if has_building(each, "gas-station")]


def price_per_hundred(place):
    """What fuel costs at a gas station."""
    block = block_of(place)
    return rule.usual if block is not None and block.type == "government" else place.fuel_price


@value("fuel_sold", of="square", label="Price of 100 fuel", type="money")
def fuel_sold(place):
    return price_per_hundred(place) if has_building(place, "gas-station") else None


@check("set-fuel-price")
def own_commercial_station(e):
    if e.square not in own_stations(e.who):
        return f"not yours: you have no gas station on {e.square.id}"
    if block_of(e.square).type == "government":
        return f"{e.square.id} is a government block: the price there is fixed"


@action(
    "set-fuel-price",
    "Set the price of fuel",
    say="Fuel on {square} now costs ${price}",
    fact="fuel-price",
    square=choose("square", "Square", choices=own_stations),
    price=number("Price of 100 fuel", money=True),
)
def set_fuel_price(e):
    put(e.square, "fuel_price", e.price)


@check("buy-fuel")
def has_car_and_station(e):
    if e.who.fuel is None:
        return "no car: fuel is for cars"
    if e.square not in stations_for(e.who):
        return f"no gas station: you are not on one on {e.square.id}, and have not come by there in your last turn"
    if e.square.owner is None:
        return f"nobody owns the gas station on {e.square.id}: it sells nothing"


@action(
    "buy-fuel",
    "Buy fuel",
    say="{who} buys {amount} fuel on {square}",
    fact="refuelled",
    square=choose("square", "Square", choices=stations_for),
    amount=number("Fuel", least=1),
    on_credit=yes_or_no("On credit"),
)
def buy_fuel(e):
    if e.square.owner is not e.who:
        price = share(e.amount * price_per_hundred(e.square), 1, rule.per)
        do("purchase", who=e.who, price=price, on_credit=e.on_credit, seller=e.square.owner, what="fuel")
    put(e.who, "fuel", min(e.who.fuel + e.amount, value("tank")))

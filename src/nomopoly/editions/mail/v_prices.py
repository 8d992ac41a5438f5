"""Section V: what squares are worth."""

section("V", "Prices")

rule("V.1", """
The market value of a square is ${market_factor} times its number, unless a rule says otherwise.
""", title="Market value", market_factor=10)

setting("market_factor")


@value("market_value", of="square", bands=("set", "factor"), label="Market value", type="money")
def market_value(place):
    return value("market_factor") * place.number


rule("V.2", """
A square that is adjacent to Public Property has a market value of ${better_factor} times its number.
""", title="Next to Public Property", better_factor=11)

setting("better_factor")


@modify("market_value")
def better_place(place, base):
    for each in neighbours(place):
        if value("public_property", each):
            return set(value("better_factor") * place.number)


rule("V.3", """
A square that is a pollutant is worth half of what it would be worth; the squares beside it are not affected.
""", title="Pollutants")


@modify("market_value")
def worth_half(place, base):
    if attribute_of(place, "pollutant", False):
        return factor(1, 2)


rule("V.4", """
The rent value of a square is its market value divided by {rent_part}. Blocks, buildings and names do not change it.
""", title="Rent value", rent_part=10)

setting("rent_part")


@value(
    "rent",
    of="square",
    bands=("set", "factor", "percent", "add", "at_least", "at_most"),
    label="Rent value",
    type="money",
)
def rent(place):
    return share(value("market_value", place), 1, max(value("rent_part"), 1))

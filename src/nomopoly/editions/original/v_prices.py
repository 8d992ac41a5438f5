"""Section V: what squares are worth."""

section("V", "Prices")

rule("V.1", """
Unless another rule says otherwise, the market value of a square is ${price_per_number} times its number.
""", title="Market value", price_per_number=10)


@value("market_value", of="square", label="Market value", type="money")
def market_value(place):
    return rule.price_per_number * place.number

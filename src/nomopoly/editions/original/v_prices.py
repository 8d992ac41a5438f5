"""Section V: what squares are worth."""

section("V", "Prices")

rule("V.1", """
Unless another rule says otherwise, the market value of a square is ${market_value} times its number.
""", title="Market value", market_value=10)


@value("market_value", of="square", label="Market value", type="money")
def market_value(place):
    return rule.market_value * place.number

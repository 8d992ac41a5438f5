"""Section XII: shares of The Corporation."""

section("XII", "Stock")

rule("XII.1", """
The Corporation sells shares of itself to players at ${share_price} each, as long as there are unsold ones; there are
{first_shares} at first.
""", title="Shares", share_price=3, first_shares=1000)

setting("share_price")
attribute("player", "shares", 0, label="Shares", summary=True)
attribute("game", "shares_unsold", 1000, label="Unsold shares")


@after("open")
def first_issue(e):
    put(thing("game"), "shares_unsold", rule.first_shares)


@check("buy-shares")
def enough_left(e):
    left = thing("game").shares_unsold
    if e.number > left:
        return f"not on sale: {shares_in_words(left)} of The Corporation can be bought"


@action(
    "buy-shares",
    "Buy shares",
    fact="bought",
    say="{who} buys {told} for ${price}",
    number=number("How many", least=1),
)
def buy_shares(e):
    price = e.number * value("share_price")
    note(price=price, told=shares_in_words(e.number))
    spend(e.who, "$corporation", price)
    put(thing("game"), "shares_unsold", thing("game").shares_unsold - e.number)
    put(e.who, "shares", e.who.shares + e.number)


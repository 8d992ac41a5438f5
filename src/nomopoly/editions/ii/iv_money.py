"""Section IV: money."""

section("IV", "Money")

rule("IV.1", """
Money is counted in Nomopoly dollars. A fraction of a dollar is rounded to the nearest whole one, once, when all is worked out; a
half is rounded up, and below zero likewise away from zero.
""", title="The dollar")

attribute("player", "money", 0, label="Money", type="money", summary=True)
event("lose", "lost", say="{who} loses ${amount}", who="", amount="")
event("fine", "fined", say="{who} is fined ${amount}", who="", amount="")
event("gain", "gained", say="{who} gets ${amount}", who="", amount="")
event("award", "gained", say="{who} is awarded ${amount}", who="", amount="")
event("pay", "paid", say="{who} pays {to} ${amount}", who="", to="", amount="")


@on("lose")
def take(e):
    debit(e.who, e.amount)


@on("fine")
def punish(e):
    debit(e.who, e.amount)
    credit(thing("$admin"), e.amount)


@on("gain")
@on("award")
def give(e):
    credit(e.who, e.amount)


@on("pay")
def hand_over(e):
    debit(e.who, e.amount)
    credit(e.to, e.amount)


rule("IV.2", """
Every player begins with ${start_money}.
""", title="Starting money", start_money=10000)

setting("start_money")


@after("join")
def start(e):
    gain(e.who, value("start_money"))


rule("IV.3", """
A player with less than $0 is bankrupt. Nobody may choose to do what by its own terms makes them bankrupt, and who is bankrupt may
not choose what by its own terms costs them money. What one is made to pay is paid in full, bankrupt or not.
""", title="Bankruptcy")

event("purchase", who="player", price="", on_credit="", seller="", what="")
event("pay-price", who="player", price="", on_credit="", seller="", what="")


@value("bankrupt", of="player", label="Bankrupt", type="yesno")
def bankrupt(player):
    return player.money < 0


@value("may_spend")
def may_spend(who, cost):
    if value("bankrupt", who):
        refuse(f"bankrupt: {name_of(who)} has ${who.money}, and this costs ${cost}")
    if who.money < cost:
        refuse(f"cannot afford: {name_of(who)} has ${who.money} and needs ${cost}")
    return True


@on("purchase")
def buy(e):
    do("pay-price", who=e.who, price=e.price, on_credit=e.on_credit, seller=e.seller, what=e.what)


@on("pay-price")
def buy_for_cash(e):
    must_afford(e.who, e.price)
    if e.price > 0:
        pay(e.who, e.seller or "$admin", e.price)

"""Section IV: money."""

section("IV", "Money")

rule("IV.1", """
A new player has ${start_money} of Nomopoly money.
""", title="What players start with", start_money=1000)

attribute("player", "money", 0, label="Money", type="money", summary=True)
setting("start_money")


@value("bankrupt", of="player", label="Bankrupt", type="yesno")
def bankrupt(player):
    return player.money < 0


@after("join")
def start(e):
    put(e.who, "money", value("start_money"))


rule("IV.2", """
Where a player "is fined", "pays" to the Admin or "loses" a sum, it is taken from what the player has, and leaves the game.
""", title="Losing money")

event("lose", "lost", say="{who} loses ${amount}", who="player", amount="")
event("fine", "fined", say="{who} is fined ${amount}", who="player", amount="")


@on("lose")
@on("fine")
def take(e):
    debit(e.who, e.amount)


rule("IV.3", """
Where a player "gets" or "is awarded" a sum, it is added to what the player has.
""", title="Getting money")

event("gain", "gained", say="{who} gets ${amount}", who="player", amount="")
event("award", "gained", say="{who} is awarded ${amount}", who="player", amount="")


@on("gain")
@on("award")
def give(e):
    credit(e.who, e.amount)


rule("IV.4", """
Where one player "pays" or "gives" another a sum, the first is fined it. If that fine succeeds (the payer has the sum), the
other is awarded it; if not, no money moves.
""", title="Paying each other")

event("pay", "paid", say="{who} pays {to} ${amount}", who="player", to="player", amount="")


@check("pay")
def has_it(e):
    if e.who.money < e.amount:
        return f"cannot afford: {name_of(e.who)} has ${e.who.money} and needs ${e.amount}"


@on("pay")
def hand_over(e):
    debit(e.who, e.amount)
    credit(e.to, e.amount)

"""Section 4: money."""

section("4", "Money")

rule("4.1", """
Money is counted in Nomopoly dollars. A fraction of a dollar is rounded to the nearest whole one, a half upwards.
""", title="The dollar")

attribute("player", "money", 0, label="Money", type="money", summary=True)
event("lose", "lost", say="{who} loses ${amount}", who="player", amount="")
event("fine", "fined", say="{who} is fined ${amount}", who="player", amount="")
event("gain", "gained", say="{who} gets ${amount}", who="player", amount="")
event("award", "gained", say="{who} is awarded ${amount}", who="player", amount="")
event("pay", "paid", say="{who} pays {to} ${amount}", who="player", to="player", amount="")


@on("lose")
@on("fine")
def take(e):
    debit(e.who, e.amount)


@on("gain")
@on("award")
def give(e):
    credit(e.who, e.amount)


@on("pay")
def hand_over(e):
    debit(e.who, e.amount)
    credit(e.to, e.amount)


rule("4.2", """
A player enters the game with ${start_money}.
""", title="Starting money", start_money=10000)

setting("start_money")


@after("join")
def start(e):
    gain(e.who, value("start_money"))


rule("4.3", """
A player with less than $0 is bankrupt. Nobody may choose to do what is bound to make them bankrupt, and who is bankrupt may not
choose what is bound to cost them money. What chance or other people do to one is not one's choice.
""", title="Bankruptcy")


@value("bankrupt", of="player", label="Bankrupt", type="yesno")
def bankrupt(player):
    return player.money < 0


@after("entry")
def of_free_will(e):
    if e.who is None or not exists(e.who):
        return
    least = min(was(e.who, "money"), 0)
    bound = was(e.who, "money", before_chance=True)  # whatever chance gives back: else one could try until it is kind
    if bound < least:
        if least < 0:
            refuse(f"bankrupt: you have ${least}, and this would cost you money")
        refuse(f"bankrupt: this would leave you with ${bound}")

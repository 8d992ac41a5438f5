"""Section IV: money."""

section("IV", "Money")

rule("IV.1", """
A new player has ${start_money}, from outside the game.
""", title="What players start with", start_money=1000)

setting("start_money")
kind("account", prefix="$")
attribute("player", "money", 0, label="Money", type="money", summary=True)
attribute("account", "money", 0, label="Money", type="money")


@value("purse", bands=("set",))
def purse_itself(who):
    return who if attribute_of(who, "money") is not None else None


@value("payer", bands=("set",))
def payer_itself(who):
    return who


@after("join")
def start(e):
    gain(e.who, value("start_money"))


rule("IV.2", """
What a player who is not Bankrupt is fined, or loses to the Admin or to The Government, goes to The Government. What a player
pays or gives to anybody or anything else goes from the one to the other. A fine is The Government's where nobody else is
named. An account that owes more than it has pays what it has; no account falls below $0.
""", title="Fines and payments")

event("lose", "lost", say="{who} loses ${amount}", who="", amount="")
event("fine", "fined", say="{who} is fined ${amount}", who="", amount="", to="")
event("pay", "paid", say="{who} pays {to} ${amount}", who="", to="", amount="")
event("owe", "bankrupt", say="{who} is Bankrupt: owes ${amount}", who="player", to="", amount="")


@on("lose")
def take(e):
    paid = hand_money(e.who, None, e.amount)
    if paid != e.amount:
        note(amount=paid)
    return paid


@on("fine")
def punish(e):
    paid = hand_money(e.who, e.to or find("$government"), e.amount)
    if paid != e.amount:
        note(amount=paid)
    return paid


@on("pay")
def hand_over(e):
    paid = hand_money(e.who, e.to, e.amount)
    if paid != e.amount:
        note(amount=paid)
    return paid


rule("IV.3", """
Where somebody gets or is awarded a sum, it is added to their money. It comes from outside the game unless a payer is named.
""", title="Awards")

event("gain", "gained", say="{who} gets ${amount}", who="", amount="")
event("award", "awarded", say="{who} is awarded ${amount}", who="", amount="")


@on("gain")
def give(e):
    if purse(e.who) is not None:
        credit(purse(e.who), e.amount)


@on("award")
def reward(e):
    if purse(e.who) is not None:
        credit(purse(e.who), e.amount)

"""Section IV: money."""

section("IV", "Money")

rule("IV.1", """
A new player has ${start_money}, from outside the game.
""", title="What players start with", start_money=1000)

event("open", weekday="")  # when accounts are opened, and all else that is there from the start
setting("start_money")
kind("account", prefix="$")
attribute("player", "money", 0, label="Money", type="money", summary=True)
attribute("account", "money", 0, label="Money", type="money")
attribute("account", "name", None, label="Name")


@value("purse", bands=("set",))
def purse_itself(who):
    return who if attribute_of(who, "money") is not None else None


@value("payer", bands=("set",))
def payer_itself(who):
    return who


@after("join")
def start(e):
    gain(e.who, value("start_money"))


@after("grant")
def never_below_nothing(e):
    if e.attribute == "money" and exists(e.thing) and e.thing.money < 0:
        refuse("nobody's money is ever below $0")


rule("IV.2", """
What a player who is not Bankrupt is fined, or loses to the Admin or to The Government, goes to The Government. What a player
pays or gives to anybody or anything else goes from the one to the other, and what one loses to nobody leaves the game. A fine is The
Government's where nobody else is named. An account that owes more than it has pays what it has; no account falls below $0.
""", title="Fines and payments")

event("lose", "lost", say="{who} loses ${amount}{short}", who="", amount="")
event("fine", "fined", say="{who} is fined ${amount}{short}", who="", amount="", to="")
event("pay", "paid", say="{who} pays {to} ${amount}{short}", who="", to="", amount="")
event("owe", "bankrupt", say="{who} is Bankrupt: owes ${amount}", who="player", to="", amount="")


@on("lose")
def take(e):
    paid = hand_money(e.who, None, e.amount)
    note_payment(e, None, paid)
    return paid


@on("fine")
def punish(e):
    to = e.to or find("$government")
    if to is not None:
        note(to=to)
    paid = hand_money(e.who, to, e.amount)
    note_payment(e, to, paid)
    return paid


@on("pay")
def hand_over(e):
    paid = hand_money(e.who, e.to, e.amount)
    note_payment(e, e.to, paid)
    return paid


rule("IV.3", """
Where somebody gets or is awarded a sum, it is added to their money. It comes from outside the game unless a payer is named.
""", title="Awards")

event("gain", "gained", say="{who} gets ${amount}", who="", amount="")
event("award", "awarded", say="{who} is awarded ${amount}", who="", amount="")


@on("gain")
@on("award")
def give(e):
    add_money(e)


rule("IV.4", """
Amounts of money go to the nearest whole dollar, a half going up, once for each payment. Where a sum is divided among several, each
share is rounded down.
""", title="Rounding")

rule("IV.5", """
Whoever must pay more than they have is Bankrupt until the debt is settled, in these steps, as far as they are needed.

First the Team: if the members of a Bankrupt's Team, the Bankrupt included, together have enough, each of the others pays the Bankrupt the
same least amount in whole dollars that settles the debt; what is over stays with the Bankrupt. That may bankrupt one of them, who then goes
through the further steps alone: the Team is not called a second time. Afterwards, if all of the Bankrupt's Team mates want it and say so
before {expel_updates} more updates have gone by, the player becomes a Freemason.

Then the squares: a Bankrupt who owns squares loses all of them to The Government and gets their market value from it; what The Government lacks
for that comes from outside the game. What is on the squares stays there.

At last a Bankrupt without squares pays what there is, gets a Bad Credit Rating, and the rest of the debt is written off.
""", title="Bankruptcy", expel_updates=2)

setting("expel_updates")
attribute("player", "bankrupt", False, label="Bankrupt")
attribute("player", "bad_credit", False, label="Bad Credit Rating")
attribute("player", "expel_updates", 0, show="nobody")
attribute("player", "helped_at", None, show="nobody", moment="real")
attribute("player", "expelled_by", (), show="nobody", type="thing")
event("lose-squares", "squares-lost", say="{who} loses {told} to {to}", who="player", to="", told="", goods="")
event("give-bad-credit", "bad-credit", say="{who} gets a Bad Credit Rating", who="player")
event("write-off", "written-off", say="${amount} of what {who} owes is written off", who="player", to="", amount="")


@on("owe")
def settle_debt(e):
    who = e.who
    nested = who.bankrupt
    put(who, "bankrupt", True)
    if not nested:
        call_team(who, e.amount)
    if who.money < e.amount:
        seize_squares(who)
    paid = move_money(who, e.to, min(who.money, e.amount))
    if paid < e.amount:
        if not who.bad_credit:
            do("give-bad-credit", who=who)
        do("write-off", who=who, to=e.to, amount=e.amount - paid)
    put(who, "bankrupt", nested)
    return paid


def call_team(who, amount):
    mates = mates_of(who)
    together = who.money + sum([each.money for each in mates])
    if mates and together >= amount > who.money and not [each for each in mates if each.bankrupt]:
        part = -((who.money - amount) // len(mates))
        for each in mates:
            do("pay", who=each, to=who, amount=part)
        put(who, "expel_updates", value("expel_updates"))
        put(who, "helped_at", now())
        put(who, "expelled_by", ())


def seize_squares(who):
    places = sorted(owned_by(who), key=lambda each: each.number)
    worth = sum([value("market_value", each) for each in places])
    government = thing("$government")
    if places:
        ids = tuple([each.id for each in places])
        do("lose-squares", who=who, to=government, told=", ".join(ids), goods=ids)
    for each in places:
        change_owner(each, government)
    from_government = min(worth, government.money)
    if from_government > 0:
        do("pay", who=government, to=who, amount=from_government)
    if worth > from_government:
        gain(who, worth - from_government)


@on("give-bad-credit")
def bad_credit(e):
    put(e.who, "bad_credit", True)


def helped_mates(who):
    return [each for each in mates_of(who) if each.expel_updates > 0]


def expel_if_agreed(who):
    mates = mates_of(who)
    if mates and who.expel_updates > 0 and not [each for each in mates if each not in who.expelled_by]:
        put(who, "expel_updates", 0)
        put(who, "expelled_by", ())
        become_freemason(who)


@check("expel")
def may_expel(e):
    if e.player not in mates_of(e.who):
        return f"not a member: {name_of(e.player)} is no Team mate of yours"
    if e.player.expel_updates <= 0:
        return f"the Team has not paid for {name_of(e.player)}, or too long ago"
    if e.who in e.player.expelled_by:
        return "already said"


@action("expel", "Expel a Team mate", player=choose("player", "Team mate", choices=helped_mates))
def expel(e):
    put(e.player, "expelled_by", (*e.player.expelled_by, e.who))
    expel_if_agreed(e.player)


@after("leave-team")
def those_left_agree(e):
    for each in players():
        if each.expelled_by:
            expel_if_agreed(each)


@after("update")
def too_late_to_expel(e):
    for each in players():
        if each.expel_updates > 0 and each.helped_at < now():
            put(each, "expel_updates", each.expel_updates - 1)


rule("IV.6", """
A player with a Bad Credit Rating may have it taken away for ${credit_price}, paid to The Government.
""", title="Clearing the credit", credit_price=200)

setting("credit_price")


@check("clear-credit")
def has_bad_credit(e):
    if not e.who.bad_credit:
        return "already clear: you have no Bad Credit Rating"


@action("clear-credit", "Clear one's credit", fact="credit-cleared", say="{who} has no Bad Credit Rating any more")
def clear_credit(e):
    spend(e.who, "$government", value("credit_price"))
    put(e.who, "bad_credit", False)

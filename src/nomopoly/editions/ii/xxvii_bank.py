"""Section XXVII: the Bank of Nomopoly and its services."""

section("XXVII", "The Bank of Nomopoly")

rule("XXVII.1", """
Square #{bank_square} is the Bank of Nomopoly. Whoever is there may use its services.
""", title="The bank's services", bank_square=30)

setting("bank_square")


@value("bank_fee", of="player")
def bank_fee(who):
    """What it costs a player to put money in or take it out where they are: None where it cannot be done."""
    return 0 if who.square.number == value("bank_square") else None


@marker("square")
def bank_flag(place):
    if place.number == value("bank_square"):
        return ("$", "the Bank", "bank")


rule("XXVII.1/account", """
An account: one may put money in, and take out as much as is in it. At the end of each update period it grows by {interest_rate}%, paid
by the Admin Bank Account.
""", title="Account", interest_rate=2)

attribute("player", "bank_balance", 0, label="In the bank", type="money", show=("owner", "admin"))
event("bank-interest", say="The bank pays interest")
event("interest", "interest", say="{who} gets ${amount} interest at the Bank", who="player", amount="")
step("period-end", 20, "bank-interest", when=lambda: [each for each in players() if each.bank_balance])


@value("interest_rate", of="player")
def interest_rate(who):
    return rule.interest_rate


def fee_here(who):
    fee = value("bank_fee", who)
    if fee is None:
        refuse("that is done at the Bank, or where there is an ATM")
    return fee


@check("deposit")
def may_deposit(e):
    must_afford(e.who, e.amount + fee_here(e.who))


@action(
    "deposit",
    "Put money into the bank",
    fact="deposited",
    say="{who} puts ${amount} into the bank",
    amount=number("Dollars", least=1, money=True),
)
def deposit(e):
    debit(e.who, e.amount)
    put(e.who, "bank_balance", e.who.bank_balance + e.amount)


@check("withdraw")
def may_withdraw(e):
    fee = fee_here(e.who)
    if e.amount > e.who.bank_balance:
        return "that is more than the balance of your account"
    must_afford(e.who, fee - e.amount)


@action(
    "withdraw",
    "Take money out of the bank",
    fact="withdrew",
    say="{who} takes ${amount} out of the bank",
    amount=number("Dollars", least=1, money=True),
)
def withdraw(e):
    put(e.who, "bank_balance", e.who.bank_balance - e.amount)
    credit(e.who, e.amount)


@on("bank-interest")
def pay_interest(e):
    for who in players():
        amount = share(who.bank_balance, value("interest_rate", who))
        if amount > 0:
            do("interest", who=who, amount=amount)


@on("interest")
def add_interest(e):
    debit(thing("$admin"), e.amount)
    put(e.who, "bank_balance", e.who.bank_balance + e.amount)
    note(only=(e.who, "admin"))


rule("XXVII.1/mortgage", """
A mortgage on a square one owns that has none: {part}% of the square's net worth, at once. As long as it has a mortgage no rent is
collected on it. The debt goes with the square to another owner; without an owner it has none.
""", title="Mortgage", part=50)

attribute("square", "mortgage", None, label="Mortgage", type="money")


@check("mortgage-square")
def may_mortgage(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if e.square.mortgage is not None:
        return f"already mortgaged: {e.square.id} for ${e.square.mortgage}"
    if e.who.square.number != value("bank_square"):
        return "that is done at the Bank"


@action(
    "mortgage-square",
    "Mortgage a square",
    fact="mortgaged",
    say="{who} mortgages {square} for ${amount}",
    square=choose("square", "Square", choices=lambda who: [each for each in owned_by(who) if each.mortgage is None]),
)
def mortgage(e):
    amount = share(value("square_net_worth", e.square), rule.part)
    note(amount=amount)
    put(e.square, "mortgage", amount)
    pay("$admin", e.who, amount)


@instead("pay-rent")
def no_rent(e):
    if e.square.mortgage is not None:
        return False


@after("change-owner")
def no_debt_without_owner(e):
    if e.to is None:
        put(e.square, "mortgage", None)


rule("XXVII.1/unmortgage", """
The end of a mortgage on a square one owns: for what was received and {more}% more.
""", title="End of a mortgage", more=10)


@check("unmortgage-square")
def may_unmortgage(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if e.square.mortgage is None:
        return f"{e.square.id} is not mortgaged"
    if e.who.square.number != value("bank_square"):
        return "that is done at the Bank"


@action(
    "unmortgage-square",
    "End a mortgage",
    fact="unmortgaged",
    say="{who} ends the mortgage on {square} for ${amount}",
    square=choose(
        "square", "Square", choices=lambda who: [each for each in owned_by(who) if each.mortgage is not None]
    ),
)
def unmortgage(e):
    amount = share(e.square.mortgage, 100 + rule.more)
    note(amount=amount)
    must_afford(e.who, amount)
    put(e.square, "mortgage", None)
    pay(e.who, "$admin", amount)


rule("XXVII.1/credit-card", """
A credit card, free of charge; one for each player at most. It is no item.
""", title="Credit card")

attribute("player", "credit_card", False, label="Credit card", show=("owner", "admin"))


@check("take-credit-card")
def may_take(e):
    if e.who.square.number != value("bank_square"):
        return "that is done at the Bank"
    if e.who.credit_card:
        return "you have a credit card already"


@action("take-credit-card", "Take out a credit card", private="order")
def take_card(e):
    put(e.who, "credit_card", True)
    tell(e.who, "You have a credit card")

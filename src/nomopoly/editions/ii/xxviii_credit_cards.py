"""Section XXVIII: credit cards: buying on credit, the limit, paying back, and what happens to who does not."""

section("XXVIII", "Credit Cards")

rule("XXVIII.1", """
Who has a credit card may put a purchase on it: a square, a railroad, a share of a block, a building, a missile, a shovel, a method of
transport, fuel, or what a casino sells. It costs them no money then; the balance of the card grows by the price. A seller has the
price at once from the Admin Bank Account.
""", title="Buying on credit")

attribute("player", "credit_balance", 0, label="Credit card balance", type="money", show=("owner", "admin"))
event("charge", "charged", say="{who} puts ${amount} on the credit card", who="player", amount="", seller="", bought="")


@instead("pay-price")
def put_on_card(e):
    if e.on_credit and e.price > 0:
        return e.to("charge", who=e.who, amount=e.price, seller=e.seller, bought=e.what)


@check("charge")
def has_card(e):
    if not e.who.credit_card:
        return f"{name_of(e.who)} has no credit card"


@on("charge")
def charge(e):
    note(only=(e.who, "admin"))
    put(e.who, "credit_balance", e.who.credit_balance + e.amount)
    if e.seller is not None:
        pay("$admin", e.seller, e.amount)


rule("XXVIII.2", """
No purchase may lift the balance of a card above its limit, which is ${first_credit_limit} at first.
""", title="The limit", first_credit_limit=1000)

setting("first_credit_limit")
attribute("player", "credit_limit", 0, label="Credit limit", type="money", show=("owner", "admin"))
attribute("game", "first_limit", 0, label="First credit limit")


@check("charge")
def within_limit(e):
    if e.who.credit_balance + e.amount > e.who.credit_limit:
        return "credit limit: that would lift the balance of the card above it"


def begin_with_limit(who):
    put(who, "credit_limit", value("first_credit_limit"))


@after("open")
def note_limit(e):
    put(thing("game"), "first_limit", value("first_credit_limit"))


@after("join")
@after("reset")
def limit_from_now_on(e):
    begin_with_limit(e.who)


@after("rules-changed")
def other_limit(e):
    more = value("first_credit_limit") - thing("game").first_limit
    if more:
        put(thing("game"), "first_limit", value("first_credit_limit"))
        for who in players():
            put(who, "credit_limit", who.credit_limit + more)


rule("XXVIII.3", """
The limit of a credit card is ${first_credit_limit} at first, and purchases on credit stay within it.
""", title="The limit again", first_credit_limit=1000)

setting("first_credit_limit")

rule("XXVIII.4", """
The balance can be paid back at any time, in whole or in part. {raise_percent}% of each payment is added to the limit.
""", title="Paying back", raise_percent=10)


@check("pay-credit-card")
def may_pay_back(e):
    if not e.who.credit_balance:
        return "there is no balance to pay back"
    if e.amount > e.who.credit_balance:
        return "that is more than the balance of your card"
    must_afford(e.who, e.amount)


@action("pay-credit-card", "Pay the credit card", amount=number("Dollars", least=1, money=True))
def pay_back(e):
    pay(e.who, "$admin", e.amount)
    put(e.who, "credit_balance", e.who.credit_balance - e.amount)
    put(e.who, "credit_paid", e.who.credit_paid + e.amount)
    put(e.who, "credit_limit", e.who.credit_limit + share(e.amount, rule.raise_percent))


rule("XXVIII.5", """
As a week begins a balance above $0 grows by {interest}%. Of the balance then ${least}, or {least_percent}% of it if that is more, must be
paid back before the week is over; if the balance is less, all of it. Who does not has committed an infraction, and the Bank acts.
""", title="Interest and minimum payment", interest=10, least=50, least_percent=5)

attribute("player", "credit_minimum", 0, label="To be paid back this week", type="money", show=("owner", "admin"))
attribute("player", "credit_paid", 0, label="Paid back this week", type="money", show=("owner", "admin"))
attribute(
    "player", "minimum_due_from", None, label="Minimum payment asked", moment="real", show=("owner", "admin"),
    asks="pay-credit-card", until="minimum_due_by", asking="the minimum payment of your credit card"
)
attribute(
    "player", "minimum_due_by", None, label="Minimum payment due", moment="real", show=("owner", "admin")
)
attribute("player", "credit_infractions", 0, label="Infractions", show=("owner", "admin"))
event("card-interest", say="Interest on credit cards")
event("card-minimum", say="The game looks for minimum payments that were missed")
event("charge-interest", "interest", say="{who} owes ${amount} interest on the credit card", who="player", amount="")
event("miss-minimum", who="player", number="")
event("infraction", "infraction", say="{who} has not paid back enough: infraction {number}", who="player", number="")
event("lose-square", "square-lost", say="{who} loses {square} to the Bank", who="player", square="square")
step("week", 40, "card-interest", when=lambda: with_cards())
step("week-ends", 30, "card-minimum", when=lambda: with_cards())


def note_due(who):
    """Note until when more is to be paid back, or that enough is."""
    due = who.credit_card and who.credit_paid < who.credit_minimum
    put(who, "minimum_due_from", now() if due else None)
    put(who, "minimum_due_by", next_moment("monday") if due else None)


@after("pay-credit-card")
@after("reset")
def less_due(e):
    note_due(e.who)


def with_cards():
    return [each for each in players() if each.credit_card]


@on("card-interest")
def new_week(e):
    for who in with_cards():
        amount = share(max(who.credit_balance, 0), rule.interest)
        if amount > 0:
            do("charge-interest", who=who, amount=amount)
        owed = max(who.credit_balance, 0)
        put(who, "credit_minimum", min(owed, max(rule.least, share(owed, rule.least_percent))))
        put(who, "credit_paid", 0)
        note_due(who)


@on("charge-interest")
def add_interest(e):
    note(only=(e.who, "admin"))
    put(e.who, "credit_balance", e.who.credit_balance + e.amount)


@on("card-minimum")
def week_is_over(e):
    for who in with_cards():
        missed = who.credit_paid < who.credit_minimum
        put(who, "credit_minimum", 0)
        note_due(who)
        if missed:
            do("miss-minimum", who=who, number=who.credit_infractions + 1)


@on("miss-minimum")
def count_infraction(e):
    put(e.who, "credit_infractions", e.number)


@on("infraction")
def between_them(e):
    note(only=(e.who, "admin"))


@on("lose-square")
def lose_square(e):
    change_owner(e.square, None)


rule("XXVIII.5/first", """
The first infraction: a stern warning from the Admin.
""", title="First infraction")


@after("miss-minimum")
def warn(e):
    if e.number == 1:
        do("infraction", who=e.who, number=e.number)
        tell(
            e.who,
            "The Admin warns you sternly: you have not paid back enough on your credit card, "
            "and next time the Bank takes a square",
        )


rule("XXVIII.5/second", """
The second infraction: the player loses their square with the lowest number, and {part}% of its net worth is taken off the balance.
""", title="Second infraction", part=75)


@after("miss-minimum")
def lose_lowest(e):
    if e.number == 2:
        do("infraction", who=e.who, number=e.number)
        for place in sorted(owned_by(e.who), key=lambda each: each.number)[:1]:
            worth = value("square_net_worth", place)
            do("lose-square", who=e.who, square=place)
            put(e.who, "credit_balance", e.who.credit_balance - share(worth, rule.part))


rule("XXVIII.5/third", """
The third infraction: the player loses their square with the highest number, and {part}% of its net worth is taken off the balance.
""", title="Third infraction", part=75)


@after("miss-minimum")
def lose_highest(e):
    if e.number == 3:
        do("infraction", who=e.who, number=e.number)
        for place in sorted(owned_by(e.who), key=lambda each: -each.number)[:1]:
            worth = value("square_net_worth", place)
            do("lose-square", who=e.who, square=place)
            put(e.who, "credit_balance", e.who.credit_balance - share(worth, rule.part))


rule("XXVIII.5/fourth", """
The fourth infraction: the player loses all their squares, and {part}% of what these are worth is taken off the balance.
""", title="Fourth infraction", part=75)


@after("miss-minimum")
def lose_all(e):
    if e.number == 4:
        do("infraction", who=e.who, number=e.number)
        mine = sorted(owned_by(e.who), key=lambda each: each.number)
        worth = sum([value("square_net_worth", each) for each in mine])
        for place in mine:
            do("lose-square", who=e.who, square=place)
        put(e.who, "credit_balance", e.who.credit_balance - share(worth, rule.part))


rule("XXVIII.5/fifth", """
The fifth infraction: the balance is taken from the player's money, and is $0 then.
""", title="Fifth infraction")


@after("miss-minimum")
def collect(e):
    if e.number == 5:
        do("infraction", who=e.who, number=e.number)
        if e.who.credit_balance > 0:
            pay(e.who, "$admin", e.who.credit_balance)
            put(e.who, "credit_balance", 0)


rule("XXVIII.5/later", """
From the sixth infraction on: as for the fifth, and the player loses the card and never gets another.
""", title="Later infractions")

attribute("player", "credit_banned", False, label="May have no credit card", show=("owner", "admin"))


@check("take-credit-card")
def none_for_banned(e):
    if e.who.credit_banned:
        return "the Bank gives you no credit card any more"


@after("miss-minimum")
def take_card_away(e):
    if e.number > 5:
        do("infraction", who=e.who, number=e.number)
        if e.who.credit_balance > 0:
            pay(e.who, "$admin", e.who.credit_balance)
            put(e.who, "credit_balance", 0)
        put(e.who, "credit_card", False)
        put(e.who, "credit_banned", True)
        tell(e.who, "The Bank takes your credit card away for good")

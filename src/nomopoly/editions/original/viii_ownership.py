"""Section VIII: owning, naming, buying and selling squares."""

section("VIII", "Ownership")

rule("VIII.1", """
A square may have one owner, who is a player.
""", title="Owners")

attribute("square", "owner", None, label="Owner", type="thing")

rule("VIII.2", """
The owner of a square that has no name may give it one, of 1 to {longest_name} characters, by telling the Admin, and with it
one of the board's signs. It keeps that name.
""", title="Naming", longest_name=40)

attribute("square", "name", None, label="Name")
attribute("square", "emblem", None, label="Sign", type="sign")


def nameless(who):
    return [each for each in owned_by(who) if each.name is None]


@check("name-square")
def may_name(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if e.square.name is not None:
        return f"already named: {e.square.id} is called {e.square.name}"
    if not e.name:
        return "a name has at least one character"
    if len(e.name) > rule.longest_name:
        return f"name too long: at most {rule.longest_name} characters"


@action(
    "name-square",
    "Name a square",
    fact="named",
    say="{who} names {square} {name}",
    square=choose("square", "Square", choices=nameless),
    name=words("Name", limit=40),
    sign=one_of(lambda who: signs(), "Sign", optional=True),
)
def name_square(e):
    put(e.square, "name", e.name)
    if e.sign:
        put(e.square, "emblem", e.sign)


rule("VIII.3", """
A player who lands on a square without an owner, and has at least its market value, gets the option to buy it, unless
another player has that option already. Whoever has the option may buy the square for its market value. The option ends when
the player buys or declines, when {option_time} days have gone by since the landing, or when the square gets an owner in another
way. A player with the option who lands there again, and has at least the market value, has it for {option_time} days from then.
""", title="The option to buy", option_time=7)

attribute(
    "square", "option_of", None, label="Option of", type="thing", asks="buy-square", until="option_until",
    asking="you may buy {id}"
)
attribute("square", "option_until", None, label="Option until", moment="game")
setting("option_time")
event(
    "option", "option", say="{who} may buy {square} for ${price} until {until}", who="player", square="square",
    price="", until="moment"
)
event(
    "option-ends", "option-ended", say="{who}'s option on {square} ends: {how}", who="player", square="square", how=""
)


@after("land")
def offer(e):
    place = e.square
    if place.owner is not None or place.option_of not in (None, e.who):
        return
    price = value("market_value", place)
    if e.who.money >= price:
        do("option", who=e.who, square=place, price=price, until=now() + days(value("option_time")))


@on("option")
def give_option(e):
    open_option(e.who, e.square, e.until)


@on("option-ends")
def forget_option(e):
    close_option(e.square)


@after("judge")
def owned_by_proposal(e):
    end_options_on_owned()


@after("grant")
def granted(e):
    place = e.thing
    if place.kind != "square":
        return
    end_options_on_owned()
    if e.attribute in ("option_of", "option_until") and place.owner is None:
        if place.option_of is None:
            close_option(place)
        else:
            open_option(place.option_of, place, place.option_until or now() + days(value("option_time")))


def square_under_option(who):
    options = options_of(who)
    if who.square in options or not options:
        return who.square
    return options[0]


def lacks_option(e):
    if e.square.owner is not None:
        return f"owned: {e.square.id} belongs to {name_of(e.square.owner)}"
    if not may_still_buy(e.who, e.square):
        return f"you have no option on {e.square.id}"


@check("buy-square")
def may_buy(e):
    reason = lacks_option(e)
    if reason:
        return reason
    price = value("market_value", e.square)
    if e.who.money < price:
        return f"cannot afford: {e.square.id} costs ${price} and you have ${e.who.money}"


@action(
    "buy-square",
    "Buy a square",
    fact="bought",
    say="{who} buys {square} for ${price}",
    square=choose("square", "Square", choices=options_of, default=square_under_option),
)
def buy_square(e):
    price = value("market_value", e.square)
    note(price=price)
    end_option(e.square, "bought")
    lose(e.who, price)
    take_over(e.square, e.who)


@check("decline-square")
def may_decline(e):
    return lacks_option(e)


@action(
    "decline-square",
    "Decline to buy a square",
    fact="declined",
    say="{who} declines to buy {square}",
    square=choose("square", "Square", choices=options_of, default=square_under_option),
)
def decline_square(e):
    end_option(e.square, "declined")


@marker("square")
def option_flag(place):
    if place.option_of is not None:
        return ("?", f"{name_of(place.option_of)} may buy this square")


rule("VIII.4", """
Two players who both tell the Admin so may trade one square for money: one pays the agreed price, the other's square becomes
theirs. An offer that is not answered within {offer_time} days lapses.
""", title="Selling", offer_time=7)

kind("offer", prefix="offer-")
attribute("offer", "author", None, label="From", type="thing", show="owner")
attribute("offer", "to", None, label="To", type="thing", show="owner")
attribute("offer", "give", (), label="Gives", show="owner")
attribute("offer", "take", (), label="Takes", show="owner")
attribute("offer", "parties", (), label="Parties", show="owner")
attribute("offer", "until", None, label="Open until", show="owner", moment="game")
event("offer-lapses", offer="offer")
event(
    "trade-made", "traded", say="{seller} sells {square} to {buyer} for ${price}", buyer="player",
    seller="player", square="square", price=""
)


def others(who):
    return [each for each in players() if each is not who]


def bargain(author, to, give, take):
    """Buyer, seller, square and price of an offer: exactly one square against money."""
    given = things_of(give, "squares")
    taken = things_of(take, "squares")
    if len(given) + len(taken) != 1:
        refuse("a trade is about exactly one square, against money")
    if given and money_of(give) or taken and money_of(take):
        refuse("a trade is a square against money: one gives the square, the other the money")
    place = (given + taken)[0]
    if place.kind != "square":
        refuse(f"{place.id} is not a square")
    if given:
        return (to, author, place, money_of(take))
    return (author, to, place, money_of(give))


def fair(author, to, give, take):
    """Why this trade cannot be made now, or nothing."""
    buyer, seller, place, price = bargain(author, to, give, take)
    if place.owner is not seller:
        return f"not yours: {place.id} does not belong to {name_of(seller)}"
    if buyer.money < price:
        return f"cannot afford: {name_of(buyer)} has ${buyer.money} and needs ${price}"


@check("trade")
def may_offer(e):
    if e.with_ is e.who:
        return "you cannot trade with yourself"
    buyer, seller, place, price = bargain(e.who, e.with_, e.give, e.take)
    if place.owner is not seller:
        return f"not yours: {place.id} does not belong to {name_of(seller)}"
    if buyer is e.who and buyer.money < price:
        return f"cannot afford: you have ${buyer.money} and need ${price}"


@action(
    "trade",
    "Offer a trade",
    private="order",
    with_=choose("player", "With", choices=others),
    give=goods("You give", parts=("money", "squares")),
    take=goods("You take", parts=("money", "squares")),
)
def trade(e):
    make_offer(e, now() + days(rule.offer_time))


@on("offer-lapses")
def lapse(e):
    tell(e.offer.parties, f"The offer {e.offer.id} has lapsed")
    destroy(e.offer)


def to_me(e):
    if e.offer.to is not e.who:
        return "this offer is not made to you"


@check("accept-trade")
def may_accept(e):
    return to_me(e) or fair(e.offer.author, e.offer.to, e.offer.give, e.offer.take)


@action("accept-trade", "Accept a trade", agrees="yes", offer=choose("offer", "Offer", choices=offers_to))
def accept_trade(e):
    buyer, seller, place, price = bargain(e.offer.author, e.offer.to, e.offer.give, e.offer.take)
    close_offer(e.offer)
    do("trade-made", buyer=buyer, seller=seller, square=place, price=price)


@on("trade-made")
def exchange(e):
    do("pay", who=e.buyer, to=e.seller, amount=e.price)
    take_over(e.square, e.buyer)


@check("decline-trade")
def may_answer(e):
    if e.who not in e.offer.parties:
        return "this offer is not made to you"


@action(
    "decline-trade",
    "Decline or withdraw a trade",
    private="order",
    agrees="no",
    offer=choose("offer", "Offer", choices=lambda who: [each for each in every("offer") if who in each.parties]),
)
def decline_trade(e):
    other = e.offer.to if e.offer.author is e.who else e.offer.author
    done = "withdraws" if e.offer.author is e.who else "turns down"
    tell((e.who, other), f"{name_of(e.who)} {done} {e.offer.id}")
    close_offer(e.offer)

"""Section VIII, handing over: VIII.1."""

section("VIII", "Ownership")

rule("VIII.1", """
A player may hand over to any other player whatever game items are theirs: money, squares, items, shares and patents; but no jobs,
marks, Chains or Lottery Tickets. Two players may also trade: one offers what each gives, the other accepts or declines, and once
accepted both sides are handed over together, if both have then what they promised. An offer is known to these two alone, and lapses at
the second update after it was made, or when one of them leaves the game. A square keeps what it has when it changes hands.
""", title="Handing over")

kind("offer", prefix="offer-")
attribute("offer", "author", None, label="From", type="thing", show="owner")
attribute("offer", "to", None, label="To", type="thing", show="owner")
attribute("offer", "give", (), label="Gives", show="owner")
attribute("offer", "take", (), label="Takes", show="owner")
attribute("offer", "parties", (), label="Parties", show="owner")
attribute("offer", "updates", 0, label="Updates it has waited", show="owner")
attribute("offer", "until", None, label="Accept before", show="owner", moment="real")
event(
    "hand-over",
    "transferred",
    say="{who} hands over to {to}: {told}",
    who="player",
    to="",
    amount="",
    squares="",
    items="",
    shares="",
    patents="",
    told="",
)
event("trade-made", offer="offer")
event("offers-lapse", say="Open offers are looked through")
step("rights-end", 20, "offers-lapse", when=lambda: every("offer"))
row("secret-order", "trade")
row("secret-order", "accept-trade")
row("secret-order", "decline-trade")


def takers(who):
    """Those to whom a player may hand things over."""
    return [*other_players(who), *[each for each in every("creature") if purse(each) is not None]]


def hand_over(giver, to, goods):
    """Hand things over. Refuses what the giver has not got."""
    reason = lacks_goods(giver, goods)
    if reason is not None:
        refuse(reason)
    do(
        "hand-over",
        who=giver,
        to=to,
        amount=money_of(goods) or None,
        squares=things_of(goods, "squares") or None,
        items=things_of(goods, "items") or None,
        shares=shares_in(goods) or None,
        patents=things_of(goods, "patents") or None,
        told=goods_in_words(goods),
    )


@on("hand-over")
def hand_all_over(e):
    if e.to.kind != "player" and (e.items or e.shares):
        refuse(f"{name_of(e.to)} can have money, squares and patents only")
    for name, handed in (("square", e.squares or ()), ("item", e.items or ())):
        if len(handed) == 1:  # as facts of one square or one item name it
            note(**{name: handed[0]})
    if e.amount:
        spend(e.who, e.to, e.amount)
    for place in e.squares or ():
        do("give-square", who=e.who, square=place, to=e.to)
    for id in e.items or ():
        take_item(e.who, id)
        give_item(e.to, id)
    for product in e.patents or ():
        hand_patent(product, purse(e.to))
    if e.shares:
        hand_shares(e.who, e.to, e.shares)


@check("transfer")
def somebody_else(e):
    if e.to is e.who or e.to not in takers(e.who):
        return "you can only hand things over to another player"
    if no_goods(e.what):
        return "say what you hand over"


@action(
    "transfer",
    "Hand something over",
    to=choose("", "To", choices=takers),
    what=goods("What", parts=("money", "squares", "items", "shares", "patents"), counted=("shares",), optional=False),
)
def transfer(e):
    hand_over(e.who, e.to, e.what)


@check("trade")
def may_offer(e):
    if e.with_ is e.who:
        return "you cannot trade with yourself"
    if no_goods(e.give) and no_goods(e.take):
        return "an empty trade: say what you give or take"
    for each in things_of(e.take, "squares"):
        if each.kind != "square":
            return f"{each.id} is not a square"
    return lacks_goods(e.who, e.give)


@action(
    "trade",
    "Offer a trade",
    private="order",
    with_=choose("player", "With", choices=other_players),
    give=goods("You give", parts=("money", "squares", "items", "shares", "patents"), counted=("shares",)),
    take=goods("You take", parts=("money", "squares", "items", "shares", "patents"), counted=("shares",)),
)
def trade(e):
    about = {"give": e.give or (), "take": e.take or ()}
    about["until"] = value("next_update")
    offer = create("offer", author=e.who, to=e.with_, parties=(e.who, e.with_), **about)
    told = f"gives {goods_in_words(e.give)}, takes {goods_in_words(e.take)}"
    tell(offer.parties, f"{name_of(e.who)} offers {name_of(e.with_)} a trade ({offer.id}): {told}")


def cannot_pay(who, goods):
    if who.money < money_of(goods):
        return f"cannot afford: {name_of(who)} has ${who.money} and needs ${money_of(goods)}"


@check("accept-trade")
def may_accept(e):
    offer = e.offer
    if offer.to is not e.who:
        return "not yours: this offer is not made to you"
    for giver, what in ((offer.author, offer.give), (offer.to, offer.take)):
        reason = lacks_goods(giver, what) or cannot_pay(giver, what)
        if reason is not None:
            return reason


@action("accept-trade", "Accept a trade", agrees="yes", offer=choose("offer", "Offer", choices=offers_to))
def accept_trade(e):
    do("trade-made", offer=e.offer)


@on("trade-made")
def exchange(e):
    author, to, give, take = e.offer.author, e.offer.to, e.offer.give, e.offer.take
    destroy(e.offer)
    if not no_goods(give):
        hand_over(author, to, give)
    if not no_goods(take):
        hand_over(to, author, take)


@check("decline-trade")
def may_decline(e):
    if e.who not in e.offer.parties:
        return "not yours: this offer is not made to you"


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
    destroy(e.offer)


@on("offers-lapse")
def offers_lapse(e):
    for offer in every("offer"):
        if offer.updates > 0:
            tell(offer.parties, f"{offer.id} has lapsed")
            destroy(offer)
        else:
            put(offer, "updates", 1)
            put(offer, "until", value("next_update"))


@after("remove")
def no_offers_to_the_gone(e):
    for offer in every("offer"):
        if e.who in offer.parties:
            tell(tuple([each for each in offer.parties if each is not e.who]), f"{offer.id} has lapsed")
            destroy(offer)

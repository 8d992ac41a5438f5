"""Section 6: trade."""

section("6", "Trade")

rule("6.1", """
Players may trade money and items with each other, except items that are marked as untradeable. One offers, the other accepts
or declines; until it is accepted only the two know of an offer. Whether both have what they give is looked at when it is accepted.
""", title="What can be traded")

kind("offer", prefix="offer-")
attribute("offer", "author", None, label="From", type="thing", show="owner")
attribute("offer", "to", None, label="To", type="thing", show="owner")
attribute("offer", "give", (), label="Gives", show="owner")
attribute("offer", "take", (), label="Takes", show="owner")
attribute("offer", "parties", (), label="Parties", show="owner")
event("destroy-offer", offer="offer")  # without a fact: an offer is nobody's business but that of the two
event(
    "trade-made",
    "traded",
    say="{seller} and {buyer} trade",
    seller="player",
    buyer="player",
    give="",
    take="",
    offer="",
)


def others(who):
    return [each for each in players() if each is not who]


def tradeable(goods):
    """Why these goods cannot be traded, or nothing."""
    for id in things_of(goods, "items"):
        if not row_of("item", id).tradeable:
            return f"untradeable: {id}"


def has_all(who, goods):
    """Why a player cannot give these goods, or nothing."""
    left = list(who.items)
    for id in things_of(goods, "items"):
        if id not in left:
            return f"not yours: {name_of(who)} has no {id} to give"
        left.remove(id)


def can_pay(who, cost):
    """Why a player may not choose to pay so much on balance, or nothing."""
    if cost > 0 and who.money < cost:
        return f"bankrupt: {name_of(who)} has ${who.money} and would pay ${cost}"


def goods_in_words(goods):
    """What changes hands, as words."""
    names = dict([(each.id, each.name) for each in rows("item")])
    money = [f"${money_of(goods)}"] if money_of(goods) else []
    return ", ".join([*money, *[names.get(id) or id for id in things_of(goods, "items")]]) or "nothing"


@check("trade")
def may_offer(e):
    if e.with_ is e.who:
        return "you cannot trade with yourself"
    if (
        not money_of(e.give)
        and not money_of(e.take)
        and not things_of(e.give, "items")
        and not things_of(e.take, "items")
    ):
        return "an empty trade: say what you give or take"
    return tradeable(e.give) or tradeable(e.take)


@action(
    "trade",
    "Offer a trade",
    private="order",
    with_=choose("player", "With", choices=others),
    give=goods("You give", parts=("money", "items")),
    take=goods("You take", parts=("money", "items")),
)
def trade(e):
    offer = create("offer", author=e.who, to=e.with_, give=e.give or (), take=e.take or (), parties=(e.who, e.with_))
    told = f"{goods_in_words(e.give)} for {goods_in_words(e.take)}"
    tell(offer.parties, f"{name_of(e.who)} offers {name_of(e.with_)} {told} ({offer.id})")


@check("accept-trade")
def may_accept(e):
    offer = e.offer
    if offer.to is not e.who:
        return "this offer is not made to you"
    cost = money_of(offer.give) - money_of(offer.take)
    reason = tradeable(offer.give) or tradeable(offer.take) or can_pay(offer.author, cost) or can_pay(offer.to, -cost)
    return reason or has_all(offer.author, offer.give) or has_all(offer.to, offer.take)


@action("accept-trade", "Accept a trade", agrees="yes", offer=choose("offer", "Offer", choices=offers_to))
def accept_trade(e):
    offer = e.offer
    do("trade-made", seller=offer.author, buyer=offer.to, give=offer.give, take=offer.take, offer=offer)


def hand_items(giver, taker, goods):
    for id in things_of(goods, "items"):
        take_item(giver, id)
        give_item(taker, id)


@on("destroy-offer")
def close_offer(e):
    destroy(e.offer)


@on("trade-made")
def exchange(e):
    destroy(e.offer)
    if money_of(e.give):
        do("pay", who=e.seller, to=e.buyer, amount=money_of(e.give))
    if money_of(e.take):
        do("pay", who=e.buyer, to=e.seller, amount=money_of(e.take))
    hand_items(e.seller, e.buyer, e.give)
    hand_items(e.buyer, e.seller, e.take)


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
    done = "withdraws" if e.offer.author is e.who else "turns down"
    goods = f"{goods_in_words(e.offer.give)} for {goods_in_words(e.offer.take)}"
    tell(e.offer.parties, f"{name_of(e.who)} {done} {e.offer.id}: {goods}")
    destroy(e.offer)

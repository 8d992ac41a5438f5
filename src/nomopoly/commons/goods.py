"""Goods that change hands in one go: money, squares, items, shares and patents."""


def shares_in(goods):
    """The number of shares in what is given or taken."""
    said = dict(goods or ()).get("shares", 0)
    said = said if isinstance(said, tuple) else (said,)
    if [each for each in said if not str(each).strip().isdigit()]:
        refuse("shares are given as a whole number")
    return sum([int(str(each)) for each in said])


def lacks_goods(who, goods):
    """Why somebody cannot hand these things over now, or nothing. Money is looked at when it is paid."""
    for place in things_of(goods, "squares"):
        if place.kind != "square":
            return f"{place.id} is not a square"
        if place.owner is not who:
            return f"not yours: {place.id} does not belong to {name_of(who)}"
    items = things_of(goods, "items")
    for id in items:
        if len([each for each in items if each == id]) > len([each for each in who.items if each == id]):
            return f"not yours: {name_of(who)} has not got {id}"
    for product in things_of(goods, "patents"):
        if product.kind != "product" or product.patent is not who:
            return f"not yours: {name_of(who)} does not hold the patent of {product.id}"
    if shares_in(goods) > attribute_of(who, "shares", 0):
        return f"not yours: {name_of(who)} has not got so many shares"
    return None


def no_goods(goods):
    """Whether nothing at all is handed over."""
    return not [part for part, content in goods or () if content] or not (
        money_of(goods)
        or shares_in(goods)
        or [part for part in ("squares", "items", "patents") if things_of(goods, part)]
    )


def goods_in_words(goods):
    """What is handed over, as words."""
    found = [f"${money_of(goods)}"] if money_of(goods) else []
    for part in ("squares", "items"):
        found = found + [str(each) for each in things_of(goods, part)]
    found = found + [f"the patent of {each}" for each in things_of(goods, "patents")]
    found = found + ([f"{shares_in(goods)} shares"] if shares_in(goods) else [])
    return ", ".join(found) or "nothing"


def other_players(who):
    """All players but one, in the order in which they joined."""
    return [each for each in players() if each is not who]


def in_private_hands(place):
    """Whether a square belongs to a player or to The Corporation."""
    return place.owner is not None and (place.owner.kind == "player" or place.owner is find("$corporation"))


def hand_shares(giver, to, number):
    """Hand shares from one player to another."""
    put(giver, "shares", giver.shares - number)
    put(to, "shares", to.shares + number)


def hand_patent(product, to):
    """Give the patent of a product to a player or an account."""
    put(product, "patent", to)


def owed_by(who, to, amount):
    """What somebody really has to pay of an amount owed to another one, after the discounts that rules grant."""
    for each in rows("discount"):
        left = each.left  # called as `each.left()` it would be looked for among the methods of the row
        amount = left(who, to, amount)
    return amount


def free_of_rent(who, place):
    """Whether a rule frees somebody of the rent for a square."""
    for each in rows("free-of-rent"):
        when = each.when
        if when(who, place):
            return True
    return False

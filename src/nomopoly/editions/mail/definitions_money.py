"""What rules of several sections mean when they speak of money and goods: words that they share."""

section("D", "Definitions")

rule("D.12", """
Whoever pays or is paid does so with a purse: a player with their own, unless a rule says whose it is. A price that a player chooses to
pay is refused if the purse does not hold it. A player who is made to pay more than the purse holds is left to the rules on what is
owed; an account pays what it has. What cannot be paid into a purse is gone.
""", title="Purses")


@word
def purse(who):
    """The player or account whose money somebody pays and is paid with; None if it has none. `who` may be an id."""
    return value("purse", as_thing(who))


@word
def hold_price(who, amount):
    """Refuse (`cannot afford`) a price in dollars that its payer's purse does not hold. A price paid in parts is held whole."""
    bearer = value("payer", as_thing(who))
    held = purse(bearer)
    money = held.money if held is not None else 0
    if money < amount:
        refuse(f"cannot afford: {name_of(bearer)} has ${money} and needs ${amount}")


@word
def spend(who, to, amount):
    """Pay a price of one's own will: refused (`cannot afford`) if the money is not there. Returns the price."""
    hold_price(who, amount)
    who = as_thing(who)
    if amount > 0:
        do("pay", who=who, to=as_thing(to), amount=whole(amount))
    return amount


@word
def fine_to(who, amount, to):
    """A fine for somebody other than the one who gets fines as a rule. Returns the dollars really paid."""
    return dollars_of(do("fine", who=as_thing(who), amount=whole(amount), to=as_thing(to)))


@word
def paid_by(who, to, amount):
    """Make somebody pay. Returns the dollars really paid: fewer than asked for if there were no more."""
    return dollars_of(do("pay", who=as_thing(who), to=as_thing(to), amount=whole(amount)))


@word
def dollars_of(result):
    """What an event of paying returned as dollars: 0 where it did not come to that."""
    return 0 if result is True or result is False or result is None else result


@word
def hand_money(who, to, amount):
    """What an event of paying does: somebody parts with money, to outside if `to` is None. Returns the dollars.

    A player who has not enough is left to the event `owe`; anything else pays what it has.
    """
    held = purse(who)
    if held is None:
        return 0
    if held.kind == "player" and held.money < amount and can_happen("owe"):
        paid = do("owe", who=held, to=to, amount=amount)
        if paid is not True and paid is not False:
            return paid
    return move_money(held, to, min(amount, held.money))


@word
def move_money(held, to, amount):
    """Take money from a purse and put it into that of another (None: outside). Returns the amount."""
    debit(held, amount)
    receiver = purse(to) if to is not None else None
    if receiver is not None:
        credit(receiver, amount)
    return amount


@word
def note_payment(e, to, paid):
    """Tell with an event of paying what it did: the dollars really paid, and whose purses they went from and to."""
    if paid != e.amount:
        note(amount=paid, short=f" of ${e.amount}, as there is no more")
    for role, who in (("purse", e.who), ("paid_into", to)):
        held = purse(who) if who is not None else None
        if held is not None and held is not as_thing(who):
            note(**{role: held})


@word
def add_money(e):
    """What an event of getting money does: it comes into the purse of `who`; nothing happens where there is none."""
    held = purse(e.who)
    if held is not None:
        credit(held, e.amount)
        if held is not as_thing(e.who):
            note(purse=held)
    else:
        note(amount=0)


rule("D.13", """
Goods are money, squares, items, shares and patents. Nobody hands over what is not theirs. A square is in private hands if it belongs to
a player or to The Corporation.
""", title="Goods")


@word
def shares_in(goods):
    """The number of shares in what is given or taken."""
    said = dict(goods or ()).get("shares", 0)
    said = said if isinstance(said, tuple) else (said,)
    if [each for each in said if not str(each).strip().isdigit()]:
        refuse("shares are given as a whole number")
    return sum([int(str(each)) for each in said])


@word
def shares_in_words(number):
    """So many shares, as words: `1 share`, `30 shares`."""
    return "1 share" if number == 1 else f"{number} shares"


@word
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
            return f"not yours: {name_of(who)} has not got {item_name(id)}"
    for product in things_of(goods, "patents"):
        if product.kind != "product" or product.patent is not who:
            return f"not yours: {name_of(who)} does not hold the patent of {item_name(product.id)}"
    unique = [*things_of(goods, "squares"), *things_of(goods, "patents")]
    for each in unique:
        if unique.count(each) > 1:
            return f"{each.id} can be handed over once only"
    if shares_in(goods) > attribute_of(who, "shares", 0):
        return f"not yours: {name_of(who)} has not got so many shares"
    return None


@word
def no_goods(goods):
    """Whether nothing at all is handed over."""
    return not [part for part, content in goods or () if content] or not (
        money_of(goods)
        or shares_in(goods)
        or [part for part in ("squares", "items", "patents") if things_of(goods, part)]
    )


@word
def item_name(id):
    """What an item or a product is called within a sentence."""
    named = [each.name for each in rows("item") if each.id == id]
    called = named[0] if named else id
    return f"a {called[2:]}" if called.startswith("A ") else called


@word
def goods_in_words(goods):
    """What is handed over, as words."""
    found = [f"${money_of(goods)}"] if money_of(goods) else []
    found = found + [name_of(each) for each in things_of(goods, "squares")]
    found = found + [item_name(id) for id in things_of(goods, "items")]
    found = found + [f"the patent of {item_name(each.id)}" for each in things_of(goods, "patents")]
    found = found + ([shares_in_words(shares_in(goods))] if shares_in(goods) else [])
    return ", ".join(found) or "nothing"


@word
def other_players(who):
    """All players but one, in the order in which they joined."""
    return [each for each in players() if each is not who]


@word
def in_private_hands(place):
    """Whether a square belongs to a player or to The Corporation."""
    return place.owner is not None and (place.owner.kind == "player" or place.owner is find("$corporation"))


@word
def hand_shares(giver, to, number):
    """Hand shares from one player to another."""
    put(giver, "shares", giver.shares - number)
    put(to, "shares", to.shares + number)


@word
def hand_patent(product, to):
    """Give the patent of a product to a player or an account."""
    put(product, "patent", to)


rule("D.14", """
From an amount owed the discounts that rules grant are taken one after the other. No rent is due where any rule frees the player of it.
""", title="What is left to pay")


@word
def owed_by(who, to, amount):
    """What somebody really has to pay of an amount owed to another one, after the discounts that rules grant."""
    for each in rows("discount"):
        left = each.left  # a function in a row is called by a name of its own
        amount = left(who, to, amount)
    return amount


@word
def free_of_rent(who, place):
    """Whether a rule frees somebody of the rent for a square."""
    for each in rows("free-of-rent"):
        when = each.when
        if when(who, place):
            return True
    return False


rule("D.15", """
The objects that somebody has are all but squares and money: items, in the order in which they were got, then shares, then patents. An
object is worth the price of its product; one that is no product is worth nothing.
""", title="Objects")


@word
def patents_of(who):
    """The products whose patent somebody holds."""
    return [each for each in every("product") if attribute_of(each, "patent") is who]


@word
def objects_of(who):
    """What somebody has besides squares and money, as words: items in order of getting, `30 shares`, `patent v-8`."""
    shares = attribute_of(who, "shares", 0)
    lot = (shares_in_words(shares),) if shares else ()
    return (*(attribute_of(who, "items") or ()), *lot, *[f"patent {each.id}" for each in patents_of(who)])


@word
def strip_objects(who):
    """Take all objects from somebody. Returns them as words."""
    found = objects_of(who)
    for each in patents_of(who):
        put(each, "patent", None)
    if attribute_of(who, "items"):
        put(who, "items", ())
    if attribute_of(who, "shares"):
        put(who, "shares", 0)
    return found


@word
def hand_object(object, to):
    """Give a player an object that nobody has now, named as a word."""
    first, _, rest = object.partition(" ")
    if rest in ("share", "shares"):
        put(to, "shares", to.shares + int(first))
    elif first == "patent" and rest:
        if find(rest) is not None:
            put(find(rest), "patent", to)
    else:
        give_item(to, object)


@word
def object_called(object):
    """What a sentence calls an object that is named as a word: `V-8`, `30 shares`, `the patent of V-8`."""
    product = object.removeprefix("patent ")
    return item_name(object) if product == object else f"the patent of {item_name(product)}"


@word
def object_value(object):
    """The market value of an object: the price of its product; what is no product is worth nothing."""
    product = find(object.removeprefix("patent "))
    return attribute_of(product, "price", 0) or 0 if product is not None and product.kind == "product" else 0


rule("D.16", """
Somebody is rich and colorful who owns a square of every color but White and a block, and has more money than any other player.
""", title="Rich and colorful")


@word
def colors_to_own():
    """The colors of which a winner owns a square: all but White."""
    return [each.id for each in rows("color") if each.id != "White"]


@word
def richer_and_colorful(who, without=(), less=0, rival=-1):
    """Whether somebody owns a square of each color and a block, and has more money than any other player.

    With the rest, whether it would be so if the squares `without` were those of another player who has `rival` dollars, and
    `who` had so many dollars less.
    """
    mine = [each for each in owned_by(who) if each not in without]
    colors = [each.color for each in mine]
    if not colors_to_own() or [each for each in colors_to_own() if each not in colors]:
        return False
    others = [each.color for each in without if exists(each)]
    if not [each for each in mine if each.color not in others and value("block", each) is not None]:
        return False
    rivals = [each.money for each in players() if each is not who]
    return not [money for money in (*rivals, rival) if money >= who.money - less]


rule("D.17", """
A rule may say that certain squares belong to The Government, or to somebody else who does not play. Such a square becomes theirs when the
game begins or the square is made, when it gets its number, when the rule names other numbers, and whenever it belongs to nobody. It stays
theirs when the rule no longer speaks of it.
""", title="Squares that belong to somebody by a rule")

attribute("game", "claimed_by", (), show="nobody")  # the claims when squares were claimed last, each with its numbers


@word
def multiples_of(step):
    """The numbers of squares that are multiples of a number; none of 0."""
    return range(step, last_number() + 1, step) if step > 0 else ()


def speaks_of(claim, place):
    """Whether a claim is one to this square."""
    when = claim.when  # called as `claim.when()` it would be looked for among the methods of the row
    return when(place)


@word
def claimed_for(owner, place):
    """Whether a rule says that a square belongs to this account."""
    return bool([each for each in rows("claim") if find(each.to) is owner and speaks_of(each, place)])


def claim_square(claim, place):
    """Let a square have the owner that a claim gives it, if it is one to this square. Nothing happens where that is its owner."""
    owner = find(claim.to)
    if exists(place) and owner is not None and place.owner is not owner and speaks_of(claim, place):
        change_owner(place, owner)


def claims_now():
    """What is remembered of all claims: the name of each, and the numbers that its rule says."""
    return tuple([(each.id, each.by) for each in rows("claim")])


@after("open")
@after("rules-changed")
def claim_by_rules(e):
    known = thing("game").claimed_by
    if known != claims_now():
        put(thing("game"), "claimed_by", claims_now())
        for each in rows("claim"):
            for place in squares() if (each.id, each.by) not in known else ():
                claim_square(each, place)


@after("create-square")
def claim_new_square(e):
    made = e.result if e.result is not None and e.result is not True else square(last_number())
    for each in rows("claim"):
        claim_square(each, made)


@after("renumber")
def claim_by_number(e):
    for each in rows("claim"):
        claim_square(each, find(f"#{e.number}"))


@after("entry")
def claim_what_is_nobodys(e):
    for each in rows("claim"):
        numbers = each.numbers
        for number in numbers():
            place = find(f"#{number}")
            if place is not None and place.owner is None:
                claim_square(each, place)

"""Products: what is patented and sold, what is used up, and who is paid for it."""


def product(
    id,
    name,
    price,
    type=None,
    patent="$corporation",
    original=None,
    royalty=0,
    on_sale=True,
    usable=True,
    in_shop=True,
    at_once=False,
    secret=False,
    asks=(),
    effect=None,
    text="",
    **params,
):
    """Declare a product: a thing of that id, and the item that its buyer has.

    A usable one is used with `use-item`, and gone then: `effect(e)` happens, with `e.who`, `e.square`, `e.victim` and what
    `params` adds to the form; what is in `asks` must be said (`params` always). What is not `in_shop`
    is bought by an action of its own. `at_once` ones are used as the order
    arrives; the use of `secret` ones is in nobody's log. `original` names the product whose effect a repackaged one
    repeats, `royalty` what that one's patent gets of the price. `patent` is the holder at first, an account's or player's id.
    """
    more = {"original": original, "royalty": royalty, "on_sale": on_sale, "in_shop": in_shop, "secret": secret}
    row("product", id, name=name, price=price, type=type, patent=patent, asks=(*asks, *params), **more)
    row(
        "item",
        id,
        name=name,
        text=text,
        usable=usable,
        kept=False,
        tradeable=True,
        asks=(*asks, *params),
        effect=effect,
    )
    event("use-" + id, who="player", square="square", victim="player", **{key: params[key].kind for key in params})
    on("use-" + id)(effect if effect is not None else lambda e: None)
    if params:
        also_asks("use-item", **params)
    if at_once:
        row("at-once", id)


def ware(id, name, price, to, usable=False, effect=None, text=""):
    """Declare an item that is bought like a product, but is none: its price goes to `to`."""
    row("ware", id, name=name, price=price, to=to)
    row("item", id, name=name, text=text, usable=usable, kept=False, tradeable=True, asks=(), effect=effect)
    event("use-" + id, who="player", square="square", victim="player")
    on("use-" + id)(effect if effect is not None else lambda e: None)


def product_row(id):
    """The row of a product, or None if no rule in force has it."""
    for each in rows("product"):
        if each.id == id:
            return each
    return None


def products_on_sale():
    """The ids of all that can be bought with `buy-product`."""
    return [each.id for each in every("product") if each.on_sale and product_row(each.id).in_shop] + [
        each.id for each in rows("ware")
    ]


def products_of_type(type):
    """The products of a type that are on sale."""
    return [each for each in every("product") if each.type == type and each.on_sale]


def originals_of_type(type):
    """The products of a type that repeat no other one."""
    return [each for each in products_of_type(type) if each.original is None]


def obtain(who, id, payer=None):
    """A player gets a product, which that player pays, or `payer`, by the rules on buying."""
    do("purchase", who=who, product=thing(id), price=thing(id).price, payer=payer or who)


def patent_of_product(id):
    """Who has the patent of a product, or is paid for what is sold like one; The Corporation where nobody is left."""
    known = find(id) if id is not None else None
    if known is not None and known.kind == "product":
        return known.patent if exists(known.patent) else thing("$corporation")
    for each in rows("payee"):
        if each.id == id:
            return thing(each.to)
    return thing("$corporation")


def is_secret(item):
    """Whether nobody else is to hear of the use of an item."""
    known = product_row(item)
    return known is not None and known.secret


def bomb_of(place):
    """What is known of the Blockbuster on a square: by, due, paid; empty if there is none. What nobody knows is: due next."""
    if attribute_of(place, "blockbuster") is None:
        return {}
    known = {"by": None, "due": 1, "paid": (), **dict(place.blockbuster)}
    due = known["due"] if isinstance(known["due"], int) else 1
    return {"by": as_thing(known["by"]), "due": due, "paid": tuple([as_thing(each) for each in known["paid"] or ()])}


def set_bomb(place, by, due, paid=()):
    """Put a Blockbuster on a square, or change what is known of it: `due` is how many updates are left to it."""
    put(place, "blockbuster", (("by", by), ("due", due), ("paid", paid)))


def defuse(place):
    """Take the Blockbuster off a square, if there is one."""
    if attribute_of(place, "blockbuster") is not None:
        put(place, "blockbuster", None)


def bombed_squares():
    """The squares with Blockbusters, in the order in which these were placed."""
    kept = thing("game").bombs
    found = [each for each in kept if exists(each) and each.blockbuster is not None]
    return [*found, *[each for each in in_sequence() if each.blockbuster is not None and each not in found]]


def acting_player(e):
    """Whose turn or order an event belongs to; None for all that the week does by itself."""
    for cause in reversed(e.trail):
        if cause.name == "turn":
            return cause.who
    return actor()


def bearer(e):
    """Whom befalls what an event does to `e.who`: that player, or if it is of a turn or order as another player, that one."""
    other = attribute_of(e.who, "impersonates") if acting_player(e) is e.who else None
    return other if exists(other) else e.who


def bent_by(e, id):
    """The innermost event, this one included, that the rule of that number has turned to another; None if it has none."""
    for cause in reversed((*e.trail, e)):
        if id in cause.via:
            return cause
    return None

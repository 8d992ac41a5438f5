"""Section XX: shopping: buying and using what is sold."""

section("XX", "Shopping")

rule("XX.1", """
Any product that is on sale can be bought from anywhere at its price. Who holds its patent gets the price; but of a Repackaged
Product the patent of the product that it repeats gets the royalty, and the rest goes to who has repackaged it. Patents may be handed
over; those that nobody has are The Corporation's, as at first are those of the products with which the game begins, unless the Admin
gives them to players.
""", title="Buying")

attribute("player", "items", (), label="Items")
kind("product", label="Product")
attribute("product", "name", None, label="Name")
attribute("product", "type", None, label="Type")
attribute("product", "price", 0, label="Price", type="money")
attribute("product", "patent", None, label="Patent", type="thing")
attribute("product", "royalty", 0, label="Royalty", type="money")
attribute("product", "original", None, label="Repeats")
attribute("product", "on_sale", True, label="On sale")
attribute("product", "bought", False, label="Has been bought")
attribute("product", "made_at", None, label="Made at", moment="real")
attribute("product", "declared", (), show="nobody")
event(
    "purchase", "bought", say="{who} buys {product} for ${price}", who="player", product="product", price="", payer=""
)
event("buy-ware", "bought", say="{who} buys {item} for ${price}", who="player", item="", price="")
event("royalty", say="{to} gets ${amount} for {product}", who="", product="product", to="", amount="")


def as_declared(known):
    """What the rule of a product says of the product."""
    return (known.name, known.type, known.price, known.royalty, known.original, known.on_sale)


def follow_rules(shipped):
    """Let the products be those of the rules in force, as these say."""
    listed = rows("product")
    for each in every("product"):
        if each.id not in [known.id for known in listed]:
            destroy(each)
    for known in listed:
        made = find(known.id)
        if made is None:
            made = create("product", known.id, patent=find(known.patent), bought=shipped, made_at=now())
        if made.kind == "product" and made.declared != as_declared(known):
            put(made, "declared", as_declared(known))
            put(made, "name", known.name)
            put(made, "type", known.type)
            put(made, "price", known.price)
            put(made, "royalty", known.royalty)
            put(made, "original", known.original)
            put(made, "on_sale", known.on_sale)


@after("open")
def shipped_products(e):
    follow_rules(True)


@after("rules-changed")
def products_of_the_rules(e):
    follow_rules(False)


@on("purchase")
def sell(e):
    note(item=e.product.id)
    hold_price(e.payer, e.price)  # a royalty may come back to the buyer: the price is held all the same
    if e.product.original is None:
        do("royalty", who=e.payer, product=e.product, to=patent_of_product(e.product.id), amount=e.price)
    else:
        royalty = min(e.product.royalty, e.price)
        do("royalty", who=e.payer, product=e.product, to=patent_of_product(e.product.original), amount=royalty)
        spend(e.payer, patent_of_product(e.product.id), e.price - royalty)
    put(e.product, "bought", True)
    if product_row(e.product.id).in_shop:
        give_item(e.who, e.product.id)


@on("royalty")
def pay_for_patent(e):
    spend(e.who, e.to, e.amount)


@action(
    "buy-product",
    "Buy a product",
    product=one_of(
        lambda who: products_on_sale(),
        "Product",
        otherwise="not on sale: there is no such product to be had",
        priced="product ware",
    ),
)
def buy_product(e):
    known = find(e.product)
    if known is not None and known.kind == "product":
        obtain(e.who, e.product)
    else:
        do("buy-ware", who=e.who, item=e.product, price=row_of("ware", e.product).price)


@on("buy-ware")
def buy_ware(e):
    spend(e.who, thing(row_of("ware", e.item).to), e.price)
    give_item(e.who, e.item)


rule("XX.2", """
A player may use an item of theirs if its rule says what that does. It is used up by that, unless its rule says otherwise. An item that
is in no rule any more is gone.
""", title="Using")

@after("rules-changed")
def items_gone(e):
    known = [each.id for each in rows("item")]
    for who in players():
        if [id for id in who.items if id not in known]:
            put(who, "items", tuple([id for id in who.items if id in known]))


def places_to_use(who):
    """The squares that an item of a player may be used at: those they occupy, unless one of them works from afar."""
    afar = [id for id in items_of(who, usable=True) if "square" in row_of("item", id).asks]
    return squares() if afar else occupied_by(who)


also_asks(
    "use-item",
    square=choose("square", "Square", optional=True, choices=places_to_use),
    victim=choose("player", "Victim", optional=True, choices=other_players),
)


@action(
    "use-item",
    "Use an item",
    fact="used",
    say="{who} uses {item}",
    private=lambda fields: "order" if is_secret(fields["item"]) else "",
    item=one_of(
        lambda who: items_of(who, usable=True),
        "Item",
        otherwise="not yours: you have no item of that name that can be used",
    ),
)
def use_item(e):
    known = row_of("item", e.item)
    if is_secret(e.item):
        note(only=(e.who, e.victim) if e.victim is not None else (e.who,))
    if not known.kept:
        take_item(e.who, e.item)
    said = {"square": e.square, "victim": e.victim}
    for field in known.asks:
        name = field.rstrip("?")
        said[name] = attribute_of(e, name)
        if said[name] is None and name == field:
            refuse(f"{name} is missing: {known.name} asks for it")
    do("use-" + e.item, who=e.who, **said)


rule("XX.3", """
An Extra Die costs ${price}, paid to The Government. It is used for one's next normal turn, in which one die more is rolled; not more than
one for a turn.
""", title="Extra Die", price=50)

def ready_extra_die(e):
    if e.who.extra_dice > 0:
        refuse("already: one extra die a turn")
    put(e.who, "extra_dice", 1)


ware("extra-die", "Extra Die", rule.price, "$government", usable=True, effect=ready_extra_die)

"""What rules of several sections mean when they speak of colors, coatings and products: words that they share."""

section("D", "Definitions")

rule("D.24", """
Each color is in one group: Corporate, Government or Non-Profit. A color is meant by its name or by another spelling of it. A block of a
color belongs to whoever owns a square of that color that is in a block.
""", title="Colors")


@word
def color_names(*groups):
    """The names of all colours, or of those in some groups (`Corporate`, `Government`, `Non-Profit`), in book order."""
    return [each.id for each in rows("color") if not groups or each.group in groups]


@word
def corporate_colors():
    """The Corporate Colours."""
    return color_names("Corporate")


@word
def government_colors():
    """The Government Colours."""
    return color_names("Government")


@word
def color_named(word):
    """The colour that a word means. Refuses what is none, naming those that there are."""
    for each in rows("color"):
        if word == each.id or word in each.also:
            return each.id
    refuse(f"there is no color {word}; there are {', '.join(color_names())}")


@word
def color_words(*groups):
    """The words that a form takes for the colours of some groups: their names, and last the other spellings."""
    found = [each for each in rows("color") if not groups or each.group in groups]
    return [each.id for each in found] + [word for each in found for word in each.also]


@word
def color_group(color):
    """The group that a colour is in; None for what is no colour."""
    for each in rows("color"):
        if each.id == color:
            return each.group
    return None


@word
def is_corporate(place):
    """Whether a square has a Corporate Colour."""
    return color_group(place.color) == "Corporate"


@word
def has_government_color(place):
    """Whether a square has a Government Colour."""
    return color_group(place.color) == "Government"


@word
def can_of(color):
    """The item that is a can of paint of a colour."""
    return "paint-" + color.lower()


@word
def paint(who, place, color, by=None):
    """Paint a square by the rules in force: `who` does it, or None. Returns whether it could be done."""
    return do("paint", may=True, who=who, square=place, color=color, by=by)


@word
def block_owner(color):
    """The first player who owns a block of a colour, or None."""
    for each in squares():
        if each.color == color and each.owner is not None and each.owner.kind == "player" and value("block", each):
            return each.owner
    return None


@word
def free_colors(*groups):
    """The colours, of some groups, that players may give to squares now."""
    return [each for each in color_names(*groups) if value("free_color", each)]


rule("D.25", """
A square has one coating at most. A coating is put on for its price, and taken off by the rules on coatings.
""", title="Coatings")


@word
def coating(id, event):
    """Declare a coating. The event (who, square, coating) takes the price and puts it on."""
    row("coating", id, event=event)


@word
def coating_of(place):
    """What a square is coated with, or None."""
    return attribute_of(place, "coating")


@word
def uncoat(place, because=None):
    """Take the coating off a square, if it has one."""
    if coating_of(place) is not None:
        do("uncoat", square=place, coating=place.coating, because=because)


rule("D.26", """
A product is patented, and whoever buys it has an item of its name; a ware is bought in the same way, but has no patent. A product that is
used is gone. Whoever holds the patent is paid for what is sold of it: The Corporation, if nobody is left who holds it.
""", title="Products and wares")

catalogue("product", for_sale=True)
catalogue("ware", for_sale=True)


@word
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
    `params` adds to the form; what is in `asks` must be said (`params` always), but for what has a question mark there. What is not `in_shop`
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


@word
def ware(id, name, price, to, usable=False, effect=None, text=""):
    """Declare an item that is bought like a product, but is none: its price goes to `to`."""
    row("ware", id, name=name, price=price, to=to)
    row("item", id, name=name, text=text, usable=usable, kept=False, tradeable=True, asks=(), effect=effect)
    event("use-" + id, who="player", square="square", victim="player")
    on("use-" + id)(effect if effect is not None else lambda e: None)


@word
def product_row(id):
    """The row of a product, or None if no rule in force has it."""
    for each in rows("product"):
        if each.id == id:
            return each
    return None


@word
def products_on_sale():
    """The ids of all that can be bought with `buy-product`."""
    return [each.id for each in every("product") if each.on_sale and product_row(each.id).in_shop] + [
        each.id for each in rows("ware")
    ]


@word
def products_of_type(type):
    """The products of a type that are on sale."""
    return [each for each in every("product") if each.type == type and each.on_sale]


@word
def originals_of_type(type):
    """The products of a type that repeat no other one."""
    return [each for each in products_of_type(type) if each.original is None]


@word
def obtain(who, id, payer=None):
    """A player gets a product, which that player pays, or `payer`, by the rules on buying."""
    do("purchase", who=who, product=thing(id), price=thing(id).price, payer=payer or who)


@word
def patent_of_product(id):
    """Who has the patent of a product, or is paid for what is sold like one; The Corporation where nobody is left."""
    known = find(id) if id is not None else None
    if known is not None and known.kind == "product":
        return known.patent if exists(known.patent) else thing("$corporation")
    for each in rows("payee"):
        if each.id == id:
            return thing(each.to)
    return thing("$corporation")


@word
def is_secret(item):
    """Whether nobody else is to hear of the use of an item."""
    known = product_row(item)
    return known is not None and known.secret


rule("D.27", """
What happens in a turn or an order is done by the player whose turn or order it is; what the week does is done by nobody. What befalls
a player who acts as another one befalls that other one.
""", title="Whom it befalls")


@word
def acting_player(e):
    """Whose turn or order an event belongs to; None for all that the week does by itself."""
    for cause in reversed(e.trail):
        if cause.name == "turn":
            return cause.who
    return actor()


@word
def bearer(e):
    """Whom befalls what an event does to `e.who`: that player, or if it is of a turn or order as another player, that one."""
    other = attribute_of(e.who, "impersonates") if acting_player(e) is e.who else None
    return other if exists(other) else e.who


@word
def bent_by(e, id):
    """The innermost event, this one included, that the rule of that number has turned to another; None if it has none."""
    for cause in reversed((*e.trail, e)):
        if id in cause.via:
            return cause
    return None


rule("D.28", """
The WETHA gives away the squares that it owns in the order in which they stand in its Giveaway Queue.
""", title="The WETHA")


@word
def wetha():
    """The account of the WETHA, or None."""
    return find("$wetha")


@word
def dues_of(who):
    """The dollars that a player has paid in Dues; 0 for a piece that pays none."""
    return attribute_of(who, "dues", 0)


@word
def giveaway_queue():
    """The squares that the WETHA gives away, the next one first."""
    queue = attribute_of(wetha(), "queue") or ()
    return [each for each in queue if exists(each) and each.owner is wetha()]


@word
def dodging(who, place):
    """What comes of trying to get round a rent: False (no rent), how many dollars more it is, or nothing."""
    return can_happen("dodge-rent") and do("dodge-rent", who=who, square=place)


@word
def give_away(who):
    """A player gets the first square of the Giveaway Queue, if there is any."""
    queue = giveaway_queue()
    if queue:
        put(wetha(), "queue", tuple(queue[1:]))
        do("give-away", who=wetha(), square=queue[0], to=who)

"""Items: a catalogue whose rows are rules; what a player has is a tuple of their ids."""


def item(id, name, text="", usable=False, kept=False, tradeable=True, effect=None, private="", **params):
    """Declare an item. A usable one is used with the action `use-item`, to whose form `params` adds what it asks for.

    `effect(e)` is what then happens (`e.who` and the fields); the item is gone afterwards unless it is `kept`.
    `private="order"`: others do not see what the order to use it names, where the edition heeds it.
    """
    row(
        "item",
        id,
        name=name,
        text=text,
        usable=usable,
        kept=kept,
        tradeable=tradeable,
        private=private,
        asks=tuple(params),
    )
    event("use-" + id, who="player", **{key: params[key].kind for key in params})
    on("use-" + id)(effect if effect is not None else lambda e: None)
    if params:
        also_asks("use-item", **params)


def items_of(who, usable=False):
    """The different items that a player has, in order; with `usable`, those that can be used."""
    known = {each.id: each for each in rows("item")}
    found = []
    for id in who.items:
        if id not in found and (not usable or (id in known and known[id].usable)):
            found.append(id)
    return found


def give_item(who, id):
    """A player gets one more of an item. What is a thing of its own (a ticket) has its new owner then."""
    if id not in [each.id for each in rows("item")]:
        held = find(id)
        if held is None:
            row_of("item", id)
        put(held, "owner", who)
    put(who, "items", (*who.items, id))


def take_item(who, id):
    """A player has one less of an item. Refuses what they have not."""
    if id not in who.items:
        refuse(f"not yours: {name_of(who)} has no {id}")
    at = who.items.index(id)
    put(who, "items", who.items[:at] + who.items[at + 1 :])


def use_item_of(e):
    """Let the effect of the item happen that an order to use one names, with what the item asks for."""
    fields = {}
    for field in row_of("item", e.item).asks:
        fields[field] = getattr(e, field)
        if fields[field] is None:
            refuse(f"{field} is missing: {e.item} asks for it")
    do("use-" + e.item, who=e.who, **fields)

"""Section 5: items. The catalogue is empty: items come by proposals, each a row `5.1/<id>`."""

section("5", "Items")

rule("5.1", """
An item is an object that a player can have, and can have any number of. An item that is no longer in the rules is gone from
everybody.
""", title="What an item is")

attribute("player", "items", (), label="Items")


@after("rules-changed")
def items_gone(e):
    known = [each.id for each in rows("item")]
    for who in players():
        put(who, "items", tuple([id for id in who.items if id in known]))


rule("5.2", """
A player may use an item whose description says so. What it describes then happens, and the item is gone, unless the
description lets the player keep it.
""", title="Using an item")


@check("use-item")
def usable(e):
    if e.item not in items_of(e.who, usable=True):
        return f"not yours: you have no {e.item} that can be used"


@action(
    "use-item",
    "Use an item",
    fact="used",
    say="{who} uses a {item}",
    item=one_of(lambda who: items_of(who, usable=True), "Item"),
)
def use_item(e):
    if not row_of("item", e.item).kept:
        take_item(e.who, e.item)
    use_item_of(e)

"""Section V: items. What kinds there are, other sections say; tickets, bingo cards and patents are had by their own names."""

section("V", "Items")

rule("V.1", """
An item is an object that a player can have, and can have any number of. An item that is no longer in the rules is gone from
everybody.
""", title="What an item is")

attribute("player", "items", (), label="Items")


@after("rules-changed")
def items_gone(e):
    known = {each.id: True for each in rows("item")}
    for who in players():
        put(who, "items", tuple([id for id in who.items if id in known or find(id) is not None]))


rule("V.2", """
A player may use an item of theirs whose description says so. The item is gone then, unless the description lets the player keep
it, and what it describes happens.
""", title="Using an item")


@action(
    "use-item",
    "Use an item",
    fact="used",
    say="{who} uses {item}",
    private=lambda fields: row_of("item", fields["item"]).private,
    item=one_of(
        lambda who: items_of(who, usable=True),
        "Item",
        otherwise="not yours: you have no item of that name that can be used",
    ),
)
def use_item(e):
    if not row_of("item", e.item).kept:
        take_item(e.who, e.item)
    use_item_of(e)

"""Objects that a player has besides squares and money: items, shares and patents, as words."""


def patents_of(who):
    """The products whose patent somebody holds."""
    return [each for each in every("product") if attribute_of(each, "patent") is who]


def objects_of(who):
    """What somebody has besides squares and money, as words: items in order of getting, `30 shares`, `patent v-8`."""
    shares = attribute_of(who, "shares", 0)
    lot = (f"{shares} shares",) if shares else ()
    return (*(attribute_of(who, "items") or ()), *lot, *[f"patent {each.id}" for each in patents_of(who)])


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


def hand_object(object, to):
    """Give a player an object that nobody has now, named as a word."""
    first, _, rest = object.partition(" ")
    if rest == "shares":
        put(to, "shares", to.shares + int(first))
    elif first == "patent" and rest:
        if find(rest) is not None:
            put(find(rest), "patent", to)
    else:
        give_item(to, object)


def object_value(object):
    """The market value of an object: the price of its product; what is no product is worth nothing."""
    product = find(object.removeprefix("patent "))
    return attribute_of(product, "price", 0) or 0 if product is not None and product.kind == "product" else 0

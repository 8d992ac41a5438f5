"""What belongs to The Government by its number, and the auctions of what else it has."""


def said_of_square(catalogue, place):
    """Whether any row of a catalogue says something of a square, by its column `when`."""
    for each in rows(catalogue):
        when = each.when  # called as `each.when()` it would be looked for among the methods of the row
        if when(place):
            return True
    return False


def claim(name, place):
    """Make a square The Government's if a value says so of it; nothing happens to one that is already."""
    if exists(place) and value(name, place) and place.owner is not find("$government"):
        change_owner(place, find("$government"))


def claim_all(name):
    """Make all squares The Government's of which a value says so."""
    for place in squares():
        claim(name, place)


def claim_ownerless(name, numbers):
    """Make those squares of these numbers The Government's that have no owner and of which a value says so."""
    for number in numbers:
        place = find(f"#{number}")
        if place is not None and place.owner is None:
            claim(name, place)


def zoo_square():
    """The square of the Zoo, or None."""
    return find(f"#{value('zoo')}") if rule_since("X.7") is not None else None


def square_made(e):
    """The square that an event `create-square` has made."""
    return e.result if e.result is not None and e.result is not True else square(last_number())


def make_lot(objects, owner):
    """Put objects, each a word as in `objects_of`, together as a lot that belongs to an account; returns it."""
    return create("lot", contents=tuple(objects), owner=as_thing(owner))


def up_for_auction(lot):
    """Whether a square or a lot is The Government's to auction; a lot that belongs to nobody is."""
    if lot.kind == "lot":
        return lot.owner is None or lot.owner is find("$government")
    if lot.kind != "square" or lot.owner is None or lot.owner is not find("$government"):
        return False
    return not said_of_square("not-auctioned", lot)


def all_for_auction():
    """All that The Government has to auction now: squares by number, then lots."""
    places = sorted([each for each in squares() if up_for_auction(each)], key=lambda each: each.number)
    return [*places, *[each for each in every("lot") if up_for_auction(each)]]


def is_going(lot):
    """Whether one can bid for a square or lot."""
    return lot.going in ("once", "twice")


def call_off(lot):
    """Forget all bids on a square or lot, and that it was Going."""
    for name, content in (("going", None), ("bid", 0), ("bidder", None), ("restarted", False)):
        put(lot, name, content)

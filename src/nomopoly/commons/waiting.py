"""Orders that wait for an update: whose they are, and in which order they are carried out."""

import json as _json


def orders_of(who):
    """A player's waiting orders, the next one first."""
    return sorted([each for each in every("order") if each.owner is who], key=lambda each: each.place)


def who_ordered():
    """The players whose orders wait, in the order in which they joined."""
    ids = {each.owner.id: True for each in every("order")}
    return [each for each in players() if each.id in ids]


def fields_of_order(order):
    """What an order says, by field."""
    return _json.loads(order.args)


def order_for(who, name, **fields):
    """The waiting order of a player that has this name and these fields; None if there is none."""
    for each in orders_of(who):
        said = fields_of_order(each)
        if each.what == name and not [key for key in fields if said.get(key) != fields[key]]:
            return each
    return None


def keep_order(who, name, args, entry):
    """Put an order behind those that wait already."""
    mine = orders_of(who)
    return create("order", owner=who, what=name, args=args, entry=entry, place=mine[-1].place + 1 if mine else 1)


def next_in_rounds(turn_order, place, waits):
    """The next order, one of each player in turn, from `place` in `turn_order`; (order, place of the player after).

    `waits(order)` gives the order that has to come first, or None: its giver's orders wait for that. Where all wait,
    the one that the first player waits for is pulled forward. (None, place) when no orders are left.
    """
    first = None
    for step in range(len(turn_order)):
        at = (place + step) % len(turn_order)
        mine = orders_of(turn_order[at])
        if mine:
            ahead = waits(mine[0])
            if ahead is None:
                return (mine[0], (at + 1) % len(turn_order))
            first = first if first is not None else ahead
    return (first, place)

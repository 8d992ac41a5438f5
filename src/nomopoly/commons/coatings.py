"""Coatings of squares, and what one occupies."""


def coating(id, event):
    """Declare a coating. The event (who, square, coating) takes the price and puts it on."""
    row("coating", id, event=event)


def coating_of(place):
    """What a square is coated with, or None."""
    return attribute_of(place, "coating")


def uncoat(place, because=None):
    """Take the coating off a square, if it has one."""
    if coating_of(place) is not None:
        do("uncoat", square=place, coating=place.coating, because=because)


def occupied_by(who):
    """The squares that count as occupied by a player: where they are, and where the last update has put them."""
    return [
        who.square,
        *[each for each in who.stood if exists(each) and each is not who.square and stands_on(who, each)],
    ]


def not_occupied(who, place):
    """Why a player cannot do something that needs occupying a square, or nothing."""
    if not stands_on(who, place):
        return f"not there: you are on {name_of(who.square)}, and do not occupy {place.id}"


def not_owner(who, place):
    """Why a player cannot do something that only the owner of a square can, or nothing."""
    if place.owner is not who:
        return f"not yours: {place.id} belongs to {name_of(place.owner) if place.owner is not None else 'nobody'}"


def hire(who, job, place, price):
    """Have a job done at a square for a price to The Government. The holder of the job is taken there and has a part of it.

    Where rules declare the event `spare-price`, it says whether the price is spared.
    """
    spared = can_happen("spare-price") and do("spare-price", who=who, job=job, price=price)
    if not spared:
        spend(who, "$government", price)
    if can_happen("job-pay") and find(job) is not None:
        do("job-pay", job=find(job), square=place, amount=0 if spared else price)


def easy_move(who, place, how):
    """Take a player to a square by an Easy Move: put there, without landing."""
    if not can_happen("easy-move") or do("easy-move", who=who, square=place, how=how):
        put_on(who, place, how)

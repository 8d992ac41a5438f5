"""Owners of squares and options to buy them."""


def signs():
    """The signs that a board has for squares, by their names."""
    return (
        "star",
        "crown",
        "house",
        "tree",
        "ship",
        "bell",
        "heart",
        "fish",
        "tower",
        "start",
        "flag",
        "bank",
        "card",
        "paw",
        "coin",
        "flower",
        "sun",
        "moon",
        "bolt",
        "gate",
        "cup",
    )


def owned_by(who):
    """The squares of an owner."""
    return [each for each in squares() if each.owner is who]


def may_still_buy(who, place):
    """Whether a player has the option to buy a square, and its time is not up."""
    return place.option_of is who and (place.option_until is None or place.option_until > now())


def options_of(who):
    """The squares that a player may buy now."""
    return [each for each in squares() if may_still_buy(who, each)]


def open_option(who, place, until):
    """Give the option to buy a square until a moment; the event `option-ends` closes it."""
    if place.option_of is not None:
        cancel("option-ends", square=place)
    put(place, "option_of", who)
    put(place, "option_until", until)
    at(until, "option-ends", who=who, square=place, how="time is up")


def close_option(place):
    """Forget the option on a square."""
    cancel("option-ends", square=place)
    put(place, "option_of", None)
    put(place, "option_until", None)


def end_option(place, how):
    """End the option on a square, if there is one, and say how in the log."""
    if place.option_of is not None:
        do("option-ends", who=place.option_of, square=place, how=how)


def end_options_on_owned():
    """End the options on squares that have got an owner."""
    for place in squares():
        if place.owner is not None:
            end_option(place, "owned")


def take_over(place, owner):
    """Give a square a new owner (or none); an option on it ends."""
    put(place, "owner", owner)
    if owner is not None:
        end_option(place, "sold")


def change_owner(place, owner):
    """Give a square another owner, or none (None), by the rules in force."""
    do("change-owner", square=place, to=owner)


def has_option(who, place):
    """Whether a player has landed on a square in time to buy it, where several may have."""
    return place in who.options or who in place.option_queue


def square_to_buy(who):
    """The square that is meant if an order to buy names none: where the player stands."""
    return who.square


def square_to_decline(who):
    """The square that is meant if an order names none: the only one that the player may buy, or where they stand."""
    return who.options[0] if len(who.options) == 1 else who.square

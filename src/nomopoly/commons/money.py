"""Money: what enters and leaves the game, and what changes hands. Whole dollars."""


def as_thing(who):
    """The thing itself, or the one of that id."""
    return thing(who) if str(who) == who else who


def whole(amount):
    """The amount, if it is a whole number and not negative; anything else is a fault of the rule that names it."""
    if str(amount).lstrip("-").isdigit() and int(amount) >= 0:
        return int(amount)
    return int(f"an amount of money must be a whole number, 0 or more: not {amount}")


def gain(who, amount):
    """Money from outside the game, for a player or an account."""
    do("gain", who=as_thing(who), amount=whole(amount))


def lose(who, amount):
    """Money that leaves the game; always succeeds, what is left may be negative."""
    do("lose", who=as_thing(who), amount=whole(amount))


def award(who, amount):
    """The same as `gain`, for merit."""
    do("award", who=as_thing(who), amount=whole(amount))


def fine(who, amount):
    """The same as `lose`, as a punishment."""
    do("fine", who=as_thing(who), amount=whole(amount))


def pay(who, to, amount):
    """Money from one to another. Returns whether it was paid.

    One who pays in an order of their own and has not enough is refused; otherwise nothing happens then.
    """
    who = as_thing(who)
    if actor() is who:
        do("pay", who=who, to=as_thing(to), amount=whole(amount))
        return True
    return do("pay", may=True, who=who, to=as_thing(to), amount=whole(amount))


def credit(who, amount):
    """Add to a purse: what an `@on` of the money events does."""
    put(who, "money", who.money + amount)


def debit(who, amount):
    """Take from a purse."""
    put(who, "money", who.money - amount)


def broken(why):
    """Break off what is going on as the fault of the program that did it, with the reason."""
    raise ValueError(why)


def must_afford(who, cost):
    """Refuse what a player may not choose to spend: `cost` is all that the order itself costs, less what it brings."""
    if cost > 0:
        value("may_spend", who, cost)


def part_of(amount, part, whole=100):
    """A part of an amount, in whole dollars, halves up; a negative amount as its mirror image."""
    return share(amount, part, whole) if amount >= 0 else -share(-amount, part, whole)

"""Purses and accounts: whose money somebody pays with, prices, and what is really paid."""


def purse(who):
    """The player or account whose money somebody pays and is paid with; None if it has none. `who` may be an id."""
    return value("purse", as_thing(who))


def spend(who, to, amount):
    """Pay a price of one's own will: refused (`cannot afford`) if the money is not there. Returns the price."""
    who = as_thing(who)
    bearer = value("payer", who)
    held = purse(bearer)
    money = held.money if held is not None else 0
    if money < amount:
        refuse(f"cannot afford: {name_of(bearer)} has ${money} and needs ${amount}")
    if amount > 0:
        do("pay", who=who, to=as_thing(to), amount=whole(amount))
    return amount


def fine_to(who, amount, to):
    """A fine for somebody other than the one who gets fines as a rule. Returns the dollars really paid."""
    return dollars_of(do("fine", who=as_thing(who), amount=whole(amount), to=as_thing(to)))


def paid_by(who, to, amount):
    """Make somebody pay. Returns the dollars really paid: fewer than asked for if there were no more."""
    return dollars_of(do("pay", who=as_thing(who), to=as_thing(to), amount=whole(amount)))


def dollars_of(result):
    """What an event of paying returned as dollars: 0 where it did not come to that."""
    return 0 if result is True or result is False or result is None else result


def hand_money(who, to, amount):
    """What an event of paying does: somebody parts with money, to outside if `to` is None. Returns the dollars.

    A player who has not enough is left to the event `owe`; anything else pays what it has.
    """
    held = purse(who)
    if held is None:
        return 0
    if held.kind == "player" and held.money < amount and can_happen("owe"):
        paid = do("owe", who=held, to=to, amount=amount)
        if paid is not True and paid is not False:
            return paid
    return move_money(held, to, min(amount, held.money))


def move_money(held, to, amount):
    """Take money from a purse and put it into that of another (None: outside). Returns the amount."""
    debit(held, amount)
    receiver = purse(to) if to is not None else None
    if receiver is not None:
        credit(receiver, amount)
    return amount


def note_payment(e, to, paid):
    """Tell with an event of paying what it did: the dollars really paid, and whose purses they went from and to."""
    if paid != e.amount:
        note(amount=paid)
    for role, who in (("purse", e.who), ("paid_into", to)):
        held = purse(who) if who is not None else None
        if held is not None and held is not as_thing(who):
            note(**{role: held})


def add_money(e):
    """What an event of getting money does: it comes into the purse of `who`; nothing happens where there is none."""
    held = purse(e.who)
    if held is not None:
        credit(held, e.amount)
        if held is not as_thing(e.who):
            note(purse=held)
    else:
        note(amount=0)

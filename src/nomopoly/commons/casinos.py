"""Casinos and shops: what is on sale, bets and how they end, and decks of which no card comes twice."""

import re as _re

_ACTION = _re.compile(r"@action\(\s*[\"']([\w-]+)[\"']")


def sale(id, price, where=None, casino=False, effect=None):
    """Declare that the action `buy-item` sells something: the item of this id, or the one that this rule declares.

    `where(who)` says why somebody cannot buy it now, or nothing; with `casino` it is sold at casinos, whose owners have a
    part of the price. `effect(who)` is what the buyer gets in place of an item.
    """
    row("sale", id, price=price, where=where, casino=casino, effect=effect)


def item_sold(sold):
    """The id of the item that one gets for a row of the catalogue "sale"."""
    for each in rows("item"):
        if each.id == sold.id:
            return each.id
    for each in rows("item"):
        if each.rule == sold.rule:
            return each.id
    refuse(f"there is no item called {sold.id}")


def place_bet(who, game, amount, most):
    """A player bets at the casino where they are; refused if the rules or the game's limit do not allow it."""
    if amount > most:
        refuse(f"the bet is too high: at most ${most} at {game}")
    do("bet", who=who, game=game, square=who.square, amount=amount)


def settle_bet(who, game, square, bet, winnings, **shown):
    """A round is over: the player gets the winnings (the bet not added). `shown`: cards, dealer, number."""
    do("bet-settled", who=who, game=game, square=square, bet=bet, winnings=winnings, **shown)


def deck_without(taken):
    """The cards of a standard deck but for those taken."""
    return [card for card in standard_deck() if card not in taken]


def hand_of(who):
    """A player's open round at a casino, or None."""
    for hand in every("hand"):
        if hand.player is who:
            return hand
    return None


def listed(said):
    """What a field takes that holds several words or numbers, as a tuple: a list, or a text with blanks or commas."""
    if said is None:
        return ()
    if isinstance(said, (list, tuple)):
        return tuple(said)
    return tuple(str(said).replace(",", " ").split())


def patent_of(rule):
    """The patent that a rule belongs to, by the rule's number (`XXXIV.p1`); None if it is another rule."""
    return find("patent-" + rule.removeprefix("XXXIV.p")) if rule.startswith("XXXIV.p") else None


def actions_in(code):
    """The ids of the actions that a program declares."""
    return _ACTION.findall(code)

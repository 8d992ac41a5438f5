"""Trades: offers between two players, carried out when the other accepts."""


def money_of(goods):
    """The dollars in what is given or taken."""
    return dict(goods or ()).get("money", 0)


def things_of(goods, part):
    """The things of a part (`squares`, `items`) in what is given or taken, as a tuple."""
    return dict(goods or ()).get(part, ())


def offers_to(who):
    """Offers that wait for this player's answer."""
    return [each for each in every("offer") if each.to is who]


def make_offer(e, until):
    """Record an offer; the event `offer-lapses` takes it back at a moment."""
    about = {"give": e.give or (), "take": e.take or (), "until": until}
    offer = create("offer", author=e.who, to=e.with_, parties=(e.who, e.with_), **about)
    at(until, "offer-lapses", offer=offer)
    tell((e.who, e.with_), f"{e.who.id} offers {e.with_.id} a trade ({offer.id})")
    return offer


def close_offer(offer):
    """Take an offer away."""
    cancel("offer-lapses", offer=offer)
    destroy(offer)


def close_offers_of(who):
    """Take away all offers of and to a player, and tell the other of the two."""
    for offer in [each for each in every("offer") if who in (each.author, each.to)]:
        tell((offer.to if offer.author is who else offer.author,), f"{offer.id} has lapsed")
        close_offer(offer)

"""What rules of several sections mean when they speak of agreements: words that they share."""

section("D", "Definitions")

rule("D.15", """
What needs the agreement of several players happens as soon as all of them agree, and at once if nobody else is needed. An agreement that
is not complete in time lapses. Once all agree it waits with the orders of the player who asked for it, where orders wait; if the rules
do not allow it when its turn comes, nothing comes of it.
""", title="Agreements")


@word
def asks(action, parties):
    """Declare that an action may ask others for agreement: then its order does not wait, since they have to be asked.

    `parties(who, said)` gives the players without whom nothing can happen; `said` are the fields as the order named them.
    """
    row("asks", action, parties=parties)


@word
def needs_others(who, action, args):
    """Whether an order, its fields as JSON, would ask somebody else for agreement."""
    for each in rows("asks"):
        if each.id == action:
            parties = each.parties
            return bool([one for one in parties(who, from_text(args)) if one is not who])
    return False


@word
def seek_agreement(who, parties, event, text, on_credit=False, **about):
    """Make an event happen as soon as all of these players agree: at once, if nobody but `who` is needed.

    The event gets `who`, `agreed` (the players, in the order in which they agreed), `credit` (those of them who pay on
    credit) and the fields `about`; everything has to be looked at when it happens. `text` tells the players what it is.
    """
    needed = [who]
    for each in parties:
        if each not in needed:
            needed.append(each)
    credit = (who,) if on_credit else ()
    if len(needed) == 1:
        do(event, who=who, agreed=(who,), credit=credit, **about)
        return None
    until = now() + days(value("offer_time"))
    agreement = create(
        "agreement",
        author=who,
        parties=tuple(needed),
        agreed=(who,),
        credit=credit,
        then=event,
        text=text,
        about=tuple(about.items()),
        transfers=about.get("transfers", ()),
        until=until,
    )
    at(until, "offer-lapses", offer=agreement)
    tell(agreement.parties, f"{name_of(who)} asks for agreement ({agreement.id}): {text}")
    return agreement


@word
def about_of(agreement):
    """What an agreement is about, by field."""
    return dict(agreement.about)


@word
def agreements_with(who):
    """The agreements that a player has asked for or is asked for."""
    return [each for each in every("agreement") if who in each.parties]


@word
def add_agreement(agreement, who, on_credit=False):
    """A player agrees. When all have, it joins the asker's waiting orders, or happens now where orders do not wait."""
    put(agreement, "agreed", (*agreement.agreed, who))
    if on_credit:
        put(agreement, "credit", (*agreement.credit, who))
    if [each for each in agreement.parties if each not in agreement.agreed]:
        tell(agreement.parties, f"{name_of(who)} agrees ({agreement.id}): {agreement.text}")
    else:
        complete(agreement)


@word
def complete(deal):
    """All parties of an agreement or of an offer want it: it is carried out, as an order of the one who asked."""
    number = orders_wait()
    if number:
        cancel("offer-lapses", offer=deal)
        put(deal, "complete", True)
        keep_order(deal.author, "carry-out-agreement", as_text({"on": deal.id}), number)
        told = deal.text if deal.kind == "agreement" else told_of_offer(deal)
        tell(deal.parties, f"All agree ({deal.id}): {told}. It waits with the orders of {name_of(deal.author)}")
    else:
        carry_out_deal(deal)


@word
def carry_out_deal(deal):
    """What an agreement or an offer is for happens, if the rules allow it now."""
    if deal.kind == "agreement":
        then, who, agreed, credit, about = deal.then, deal.author, deal.agreed, deal.credit, about_of(deal)
        close_offer(deal)
        do(then, who=who, agreed=agreed, credit=credit, **about)
    else:
        give, take, author, to = deal.give, deal.take, deal.author, deal.to
        close_offer(deal)
        do("trade-made", parties=(author, to), transfers=((author, to, give), (to, author, take)))


@word
def drop_failed_deals(who):
    """Forget what a player and all others had agreed on where the order for it is gone without it: refused, taken back.

    Only who gave the order has it in a look ahead: nobody else is told there that nothing came of it.
    """
    for deal in every("agreement") + every("offer"):
        if deal.author is who and deal.complete and not order_for(deal.author, "carry-out-agreement", on=deal.id):
            tell(deal.parties, f"Nothing came of {deal.id}")
            destroy(deal)


@word
def close_deals_of(who):
    """Take away all offers and agreements that need a player, and tell the others."""
    for deal in every("agreement") + every("offer"):
        if who in deal.parties:
            tell(tuple([each for each in deal.parties if each is not who]), f"{deal.id} has lapsed")
            close_offer(deal)


@word
def things_about(agreement):
    """All things that an agreement is about, in whatever field they are named."""
    found = []
    for _, content in agreement.about:
        found = found + [each for each in (content if isinstance(content, tuple) else (content,)) if exists_named(each)]
    return found


def exists_named(each):
    """Whether this is a thing that is in the game."""
    return find(str(each)) is each


rule("D.16", """
A deal names its parties, and what is handed over by whom to whom. What is handed over is money, squares, cards and items. Nobody hands
anything over in a deal of which they are not a party.
""", title="Deals among several")


MOST_MONEY = 10**15  # in one transfer


def read_goods_named(said, label):
    """What is handed over, as a form of goods reads it: a tuple of (part, content). Refuses what it cannot be."""
    if not isinstance(said, dict):
        refuse(f"{label} must say what, for example money: 60")
    read = []
    for part in said:
        content = said[part]
        if part == "money":
            if isinstance(content, bool) or not isinstance(content, int) or not 0 <= content <= MOST_MONEY:
                refuse(f"{label}: money must be a whole number, from 0 to {MOST_MONEY}")
            read.append((part, content))
        elif part not in ("squares", "cards", "items"):
            refuse(f"{label} cannot hold '{part}'; it can hold money, squares, cards, items")
        elif not isinstance(content, list):
            refuse(f"{label}: {part} must be a list")
        elif [each for each in content if not isinstance(each, str)]:
            refuse(f"{label}: {part} must be a list of names")
        elif part == "squares":
            read.append((part, tuple([square_said(each) for each in content])))
        else:
            read.append((part, tuple(content)))
    return tuple(read)


def square_said(id):
    """The square of that name. Refuses everything else."""
    found = thing(id)
    if found.kind != "square":
        refuse(f"{id} is no square")
    return found


def player_said(id):
    """The player of that name. Refuses everybody else."""
    found = find(str(id))
    if found is None or found.kind != "player":
        refuse(f"{id} is not a player of this game")
    return found


@word
def read_transfers(deal):
    """(parties, transfers) of a deal among several: {"parties": [...], "transfers": [{"from", "to", "what"}]}."""
    unknown = [key for key in deal if key not in ("parties", "transfers")] if isinstance(deal, dict) else ["deal"]
    if unknown or not isinstance(deal.get("transfers"), list):
        refuse("a deal says parties, and transfers: a list of from, to, what")
    parties = []
    transfers = []
    for each in deal["transfers"]:
        if not isinstance(each, dict) or [key for key in ("from", "to", "what") if key not in each] or len(each) > 3:
            refuse("a transfer says from, to and what")
        giver = player_said(each["from"])
        taker = player_said(each["to"])
        if taker is giver:
            refuse(f"{name_of(giver)} cannot hand anything over to {name_of(giver)}: name another player")
        transfers.append((giver, taker, read_goods_named(each["what"], "what")))
        parties = parties + [one for one in (giver, taker) if one not in parties]
    named = deal.get("parties")
    if named is not None:
        if not isinstance(named, list):
            refuse("the parties of a deal are a list of players")
        named = [player_said(each) for each in named]
        for each in parties:
            if each not in named:
                refuse(f"{name_of(each)} is not among the parties of the deal")
        parties = named
    return (tuple(parties), tuple(transfers))


@word
def empty_goods(goods):
    """Whether nothing at all is handed over."""
    return not [part for part, content in goods if content]


@word
def item_called(id):
    """What an item is called; a thing of its own (a ticket) and one that is no item any more go by their ids."""
    named = [each.name for each in rows("item") if each.id == id]
    held = find(id)
    if not named and held is not None and held.kind == "patent":
        return f"the patent on {held.name}"
    return named[0] if named else name_of(id)


@word
def goods_in_words(goods):
    """What is handed over, in words; of cards only how many they are, since hands are secret."""
    parts = [f"${money_of(goods)}"] if money_of(goods) else []
    parts = parts + [name_of(each) for each in things_of(goods, "squares")]
    parts = parts + [item_called(id) for id in things_of(goods, "items")]
    many = len(things_of(goods, "cards"))
    parts = parts + ([f"{many} card{'s' if many > 1 else ''}"] if many else [])
    return ", ".join(parts) or "nothing"


@word
def told_of_offer(offer):
    """Who gives what by an offer between two, in words."""
    sides = [each for each in ((offer.author, offer.give), (offer.to, offer.take)) if not empty_goods(each[1])]
    return ", ".join([f"{name_of(giver)} gives {goods_in_words(goods)}" for giver, goods in sides])

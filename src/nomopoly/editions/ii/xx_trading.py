"""Section XX: trades by agreement, and how several players agree to what needs them all."""

section("XX", "Trading")

rule("XX.1", """
Money, cards, squares, and all items that are not called untradeable may change hands if everybody concerned agrees. What is offered
or asked for lapses when one of them says no, when it is taken back, and after {offer_time} days. All of a trade passes in one moment,
when the last one has agreed and the order for it is carried out; a square takes along what is on it.
""", title="Trade by agreement", offer_time=7)

setting("offer_time")
kind("offer", prefix="offer-")
attribute("offer", "author", None, label="From", type="thing", show="owner")
attribute("offer", "to", None, label="To", type="thing", show="owner")
attribute("offer", "give", (), label="Gives", show="owner")
attribute("offer", "take", (), label="Takes", show="owner")
attribute("offer", "parties", (), label="Parties", show="owner")
attribute("offer", "words", "", label="Words", show="owner")
attribute("offer", "complete", False, label="Accepted", show="owner")
attribute("offer", "until", None, label="Open until", show="owner", moment="game")
kind("agreement")
attribute("agreement", "author", None, label="Asked by", type="thing", show="owner")
attribute("agreement", "parties", (), label="Parties", show="owner")
attribute("agreement", "agreed", (), label="Agreed", show="owner")
attribute("agreement", "credit", (), label="On credit", show="owner")
attribute("agreement", "text", "", label="What for", show="owner")
attribute("agreement", "transfers", (), label="Handed over", show="owner")
attribute("agreement", "until", None, label="Open until", show="owner", moment="game")
attribute("agreement", "then", "", show="nobody")
attribute("agreement", "about", (), show="nobody")
attribute("agreement", "complete", False, label="Complete", show="owner")
event("offer-lapses", say="An offer lapses", offer="")
event("ask-now", who="player", order="", args="")
event("trade-made", parties="", transfers="")
event(
    "traded",
    "traded",
    say="{told}",
    parties="",
    seller="player",
    buyer="player",
    give="",
    take="",
    transfers="",
    told="",
)
event("deal-agreed", who="player", agreed="", credit="", transfers="", among="")


def others(who):
    return [each for each in players() if each is not who]


def make_an_offer(who, to, give, take, words):
    if to is who:
        refuse("you cannot trade with yourself")
    if empty_goods(give) and empty_goods(take):
        refuse("an empty trade: say what you give or take")
    for each in (*things_of(give, "squares"), *things_of(take, "squares")):
        if each.kind != "square":
            refuse(f"{each.id} is no square")
    until = now() + days(rule.offer_time)
    about = {"give": give, "take": take, "words": words or "", "until": until}
    offer = create("offer", author=who, to=to, parties=(who, to), **about)
    at(until, "offer-lapses", offer=offer)
    tell((who, to), f"{name_of(who)} offers {name_of(to)} a trade ({offer.id}): {told_of_offer(offer)}")


def make_a_deal(who, said, words):
    parties, transfers = read_transfers(said)
    if who not in parties:
        refuse("you are not among the parties of the deal")
    if not [each for each in transfers if not empty_goods(each[2])]:
        refuse("an empty trade: say what is handed over")
    told = "; ".join([f"{name_of(each[0])} to {name_of(each[1])}: {goods_in_words(each[2])}" for each in transfers])
    seek_agreement(who, parties, "deal-agreed", words or told, transfers=transfers, among=parties)


@action(
    "trade",
    "Offer a trade",
    private="order",
    at_once=True,
    with_=choose("player", "With", choices=others, optional=True),
    give=goods("You give", parts=("money", "squares", "cards", "items"), named=("cards", "items")),
    take=goods("You take", parts=("money", "squares", "cards", "items"), named=("cards", "items")),
    words=words("Words", limit=1000, long=True, optional=True),
    deal=goods(
        "Among three or more", parts=("money", "squares", "cards", "items"), named=("cards", "items"), among=True
    ),
)
def trade(e):
    if e.deal is not None:
        if e.with_ is not None or e.give or e.take:
            refuse("a deal among several says all in its transfers")
        make_a_deal(e.who, e.deal, e.words)
    elif e.with_ is None:
        refuse("with is missing: say with whom you trade")
    else:
        make_an_offer(e.who, e.with_, e.give or (), e.take or (), e.words)


@action(
    "deal",
    "Offer a trade among several",
    hidden=True,  # a part of the form of `trade`
    private="order",
    at_once=True,
    parties=anything("Parties"),
    transfers=anything("Handed over", optional=False),
    words=words("Words", limit=1000, long=True, optional=True),
)
def deal(e):
    make_a_deal(e.who, {"parties": e.parties, "transfers": e.transfers}, e.words)


@action(
    "transfer",
    "Give something away",
    private="order",
    at_once=True,
    to=choose("player", "To", choices=others),
    what=goods("What", parts=("money", "squares", "cards", "items"), named=("cards", "items")),
)
def transfer(e):
    make_an_offer(e.who, e.to, e.what or (), (), "")


@check("accept-trade")
def may_accept(e):
    if e.offer.to is not e.who:
        return "this offer is not made to you"
    if e.offer.complete:
        return "you have accepted it already"


@action(
    "accept-trade",
    "Accept a trade",
    private="order",
    at_once=True,
    agrees="yes",
    offer=choose("offer", "Offer", choices=offers_to),
)
def accept_trade(e):
    complete(e.offer)


@check("decline-trade")
def may_decline(e):
    if e.who not in e.offer.parties:
        return "this offer is not made to you"
    if e.offer.complete:
        return "it is accepted, and waits to be carried out"


@action(
    "decline-trade",
    "Decline or withdraw a trade",
    private="order",
    at_once=True,
    agrees="no",
    offer=choose("offer", "Offer", choices=lambda who: [each for each in every("offer") if who in each.parties]),
)
def decline_trade(e):
    other = e.offer.to if e.offer.author is e.who else e.offer.author
    done = "withdraws" if e.offer.author is e.who else "turns down"
    tell((e.who, other), f"{name_of(e.who)} {done} {e.offer.id}")
    close_offer(e.offer)


@check("agree")
def may_agree(e):
    if e.who not in e.on.parties:
        return "not yours to agree to: you are not asked"
    if e.who in e.on.agreed:
        return "you have agreed already"


@action(
    "agree",
    "Agree",
    private="order",
    at_once=True,
    agrees="yes",
    on=choose("agreement", "To", choices=lambda who: [each for each in agreements_with(who) if who not in each.agreed]),
    on_credit=yes_or_no("On credit"),
)
def agree(e):
    add_agreement(e.on, e.who, e.on_credit)


@check("disagree")
def may_disagree(e):
    if e.who not in e.on.parties:
        return "not yours to say no to: you are not asked"
    if e.on.complete:
        return "all have agreed, and it waits to be carried out"


@action(
    "disagree",
    "Say no to an agreement, or withdraw it",
    private="order",
    at_once=True,
    agrees="no",
    on=choose("agreement", "To", choices=agreements_with),
)
def disagree(e):
    tell(e.on.parties, f"{name_of(e.who)} says no: {e.on.id} is off")
    close_offer(e.on)


@check("carry-out-agreement")
def all_agree(e):
    if e.on.kind not in ("agreement", "offer") or e.on.author is not e.who or not e.on.complete:
        return "not all have agreed to it"


@action("carry-out-agreement", "Carry out what all have agreed to", hidden=True, by_rules=True, on=choose("", "What"))
def carry_out_agreement(e):
    carry_out_deal(e.on)


@instead("order-waits")
def ask_at_once(e):
    if needs_others(e.who, e.order, e.args):
        return e.to("ask-now", who=e.who, order=e.order, args=e.args)


@on("ask-now")
def ask_now(e):
    reason = carry_out(e.who, e.order, e.args)
    if reason is not None:
        refuse(reason)


@on("offer-lapses")
def lapse(e):
    tell(e.offer.parties, f"The time for {e.offer.id} is over")
    destroy(e.offer)


@after("remove")
def off_without_them(e):
    close_deals_of(e.who)


@after("order-refused")
@after("withdraw-order")
def nothing_came_of_it(e):
    drop_failed_deals(e.who)


@on("deal-agreed")
def all_want_it(e):
    do("trade-made", parties=e.among, transfers=e.transfers)


def goes_from(e, who, part):
    found = ()
    for giver, _, what in e.transfers:
        if giver is who:
            found = found + things_of(what, part)
    return found


def missing_from(wanted, held):
    left = list(held)
    for each in wanted:
        if each not in left:
            return each
        left.remove(each)


@check("trade-made")
def all_there(e):
    known = {each.id: each for each in rows("item")}
    for who in e.parties:
        for place in goes_from(e, who, "squares"):
            if not exists(place):
                return f"{place.id} no longer exists"
            if place.kind != "square":
                return f"{place.id} is no square"
            if place.owner is not who:
                return f"not yours: {place.id} does not belong to {name_of(who)}"
        if missing_from(goes_from(e, who, "squares"), owned_by(who)):
            return "a square can be handed over once only"
        lacking = missing_from(goes_from(e, who, "cards"), who.cards)
        if lacking:
            return f"not in hand: {name_of(who)} has no {lacking} to give"
        for id in goes_from(e, who, "items"):
            if id in known and not known[id].tradeable:
                return f"untradeable: {item_called(id)}"
        lacking = missing_from(goes_from(e, who, "items"), who.items)
        if lacking:
            return f"not yours: {name_of(who)} has no {item_called(lacking)} to give"
        paid = sum([money_of(what) for giver, _, what in e.transfers if giver is who])
        must_afford(who, paid - sum([money_of(what) for _, taker, what in e.transfers if taker is who]))


def but_money(what):
    """The same without its money, of which the payment tells."""
    return tuple([each for each in what if each[0] != "money"])


def without_faces(what):
    """The same, with the number of cards in place of the cards: hands are secret."""
    return tuple([(part, len(content) if part == "cards" else content) for part, content in what])


def in_a_row(people):
    """Players by name: Ann, Ben and Cid."""
    names = [name_of(each) for each in people]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def given_by(e, who):
    found = ()
    for giver, _, what in e.transfers:
        if giver is who:
            found = found + without_faces(what)
    return found


@on("trade-made")
def exchange(e):
    moving = [each for each in e.transfers if not empty_goods(each[2])]
    given = [(giver, taker, but_money(what)) for giver, taker, what in moving if not empty_goods(but_money(what))]
    told = "; ".join([f"{name_of(giver)} gives {name_of(taker)} {goods_in_words(what)}" for giver, taker, what in given])
    if not given:  # of the payments each tells for itself
        told = f"What {in_a_row(e.parties)} have agreed on is carried out"
    if len(e.parties) == 2:
        seller, buyer = e.parties
        do("traded", seller=seller, buyer=buyer, give=given_by(e, seller), take=given_by(e, buyer), told=told)
    else:
        shown = tuple([(giver, taker, without_faces(what)) for giver, taker, what in moving])
        do("traded", parties=e.parties, transfers=shown, told=told)
    for giver, _, what in moving:
        for id in things_of(what, "items"):
            take_item(giver, id)
        left = list(giver.cards)
        for card in things_of(what, "cards"):
            left.remove(card)
        put(giver, "cards", tuple(left))
    for giver, taker, what in moving:
        if money_of(what):
            do("pay", who=giver, to=taker, amount=money_of(what))
        for place in things_of(what, "squares"):
            do("change-owner", square=place, to=taker)
        for id in things_of(what, "items"):
            give_item(taker, id)
        cards = things_of(what, "cards")
        if cards:
            put(taker, "cards", (*taker.cards, *cards))
            tell((giver, taker), f"{name_of(giver)} hands {name_of(taker)} {', '.join(cards)}")


rule("XX.2", """
A player who trades a square away may do nothing to change the status of that square for the rest of the same update.
""", title="Hands off a square just traded away")

overrides("XIII.4", "XVII.1")  # of several reasons why not this one is told
attribute("square", "traded_away", (), label="Traded away by, in update")


@after("trade-made")
def remember(e):
    for giver, taker, what in e.transfers:
        for place in things_of(what, "squares"):
            if giver is not taker:
                before = [each for each in place.traded_away if each[0] != giver.id]
                put(place, "traded_away", (*before, (giver.id, thing("game").update)))


def squares_meant(listed):
    found = [find(str(each)) for each in listed or ()]
    blocks = [each for each in found if each is not None and each.kind == "block"]
    return [each for each in found if each is not None] + [place for block in blocks for place in block.squares]


ABOUT_A_SQUARE = (
    "place-card",
    "build-railroad",
    "remove-railroad",
    "build",
    "governor-build",
    "set-fuel-price",
    "mortgage-square",
    "unmortgage-square",
    "buy-missile",
)
WORKS_HERE = ("time-bomb", "glue", "grease", "shovel")  # items that change the square one is on


def objects_of(e):
    """The squares whose status an order would change."""
    if e.name in ABOUT_A_SQUARE:
        return squares_meant((e.square,))
    if e.name == "bury-card":
        return [e.who.square]
    if e.name == "use-item":
        if e.item in WORKS_HERE:
            return [e.who.square]
        return squares_meant((attribute_of(e, "square"),)) if e.item == "card-remover" else []
    if e.name == "make-block":
        return squares_meant(squares_said(e.squares))
    if e.name == "break-block":
        return squares_meant((e.block,))
    if e.name == "fire-missile":
        return squares_meant((e.target,))
    if e.name == "agree":
        about = about_of(e.on)
        return squares_meant((*(about.get("squares") or ()), about.get("block"), about.get("target")))
    return []


def just_parted(who, places):
    for place in places:
        if place.kind == "square" and (who.id, thing("game").update) in place.traded_away:
            return f"traded away: you have just parted with {place.id}, and leave it alone in this update"


@check("*")
def hands_off(e):
    return just_parted(e.who, objects_of(e)) if e.who is not None else None


@check("name-square")
def no_new_name(e):  # its own field called name hides that of the event
    return just_parted(e.who, [e.square])

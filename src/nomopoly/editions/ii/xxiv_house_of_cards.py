"""Section XXIV: the House of Cards, and what is had there for cards."""

section("XXIV", "The House of Cards")

rule("XXIV.1", """
Square #{house} is the House of Cards. Nobody can buy it or own it. Whoever is there, however they came, may trade combinations of
cards for items, as often as they like.
""", title="Where it is, and what for", house=42)


@value("house_of_cards", type="thing")
def house_of_cards():
    return find(f"#{rule.house}")


@modify("unownable")
def nobody_owns_it(place, base):
    if place.number == rule.house:
        return set(f"nobody may own {place.id}: it is the House of Cards")


@marker("square")
def house(place):
    if place.number == rule.house:
        return ("♣", "the House of Cards", "card")


@check("trade-in-cards")
def must_be_there(e):
    if e.who.square is None or e.who.square is not value("house_of_cards"):
        return f"you are not at the House of Cards: it is on #{rule.house}"


@action(
    "trade-in-cards",
    "Trade in cards",
    fact="traded-in",
    say="{who} trades in {cards} for {item}",
    cards=anything("Cards", optional=False, choices=lambda who: who.cards),
    item=one_of(lambda who: [each.id for each in rows("combination")], "Item"),
)
def trade_in(e):
    cards = cards_named(e.cards)
    wanted = row_of("combination", e.item)
    make = wanted.make
    note(cards=cards)
    cards_bought(e.who, cards, e.item)
    if make is None:
        give_item(e.who, e.item)
    else:
        make(e.who)


rule("XXIV.2", """
Each item costs its combination of cards, and exactly those cards are given up for it. Cards that are the same may be used together. A
straight is five ranks in sequence, an ace being low or high; a flush is five cards of one suit; pairs and three of a kind are of the
same rank.
""", title="What there is")

rule("XXIV.2/jetpack", """
Jetpack, for a spade: one die more in its user's next turn, of the kind that their method of transport has.
""", title="Jetpack")

attribute("player", "extra_dice", 0, label="Extra dice in the next turn")
combination("jetpack", "a spade", is_spade)


@modify("dice")
def more_dice(player, base):
    if player.extra_dice and base:
        return set((*base, *(base[0],) * player.extra_dice))


@after("turn-ends")
def burnt_out(e):
    put(e.who, "extra_dice", 0)


item("jetpack", "Jetpack", usable=True, effect=lambda e: put(e.who, "extra_dice", e.who.extra_dice + 1))

rule("XXIV.2/card-remover", """
Card remover, for two cards of one suit: takes the card off any square that its user owns. The card is gone.
""", title="Card remover")

combination("card-remover", "two cards of one suit", lambda cards: is_suit(cards, 2))


def remove_card(e):
    if e.square.owner is not e.who:
        refuse(f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}")
    put(e.square, "card", None)


item("card-remover", "Card remover", usable=True, effect=remove_card, square=choose("square", "Square"))

rule("XXIV.2/medicine", """
Medicine, for a pair: its user gains {health} health.
""", title="Medicine", health=15)

combination("medicine", "a pair", is_pair)
item("medicine", "Medicine", usable=True, effect=lambda e: heal(e.who, rule.health))

rule("XXIV.2/bingo-card", """
Bingo card, for a pair: see section XXXI.
""", title="Bingo card")

combination("bingo-card", "a pair", is_pair, lambda who: do("make-bingo-card", who=who))

rule("XXIV.2/pokeball", """
Pokeball, for two cards of the same rank and suit: a random creature jumps to the square that its user says. It cannot be used while
there are no creatures.
""", title="Pokeball")

combination("pokeball", "two cards of the same rank and suit", is_twice)


def throw_ball(e):
    if not every("creature"):
        refuse("there are no creatures on the board")
    jump_to(pick_one(every("creature")), e.square)


item("pokeball", "Pokeball", usable=True, effect=throw_ball, square=choose("square", "Square"))

rule("XXIV.2/time-bomb", """
Time bomb, for two pairs: it is set on its user's square, one a square. The next to land there loses {health} health, and the bomb is
gone.
""", title="Time bomb", health=20, landing_place=90)

attribute("square", "time_bomb", False, label="Time bomb")
combination("time-bomb", "two pairs", is_two_pairs)
event("explode", "exploded", say="A time bomb goes off on {square}", who="", mover="", square="square", how="")
landing("time-bomb", rule.landing_place, "explode", when=lambda who, mover, square: square.time_bomb, creatures=True)


@on("explode")
def explode(e):
    put(e.square, "time_bomb", False)
    hurt(e.who, rule.health)


def set_bomb(e):
    if e.who.square.time_bomb:
        refuse(f"{e.who.square.id} already has a time bomb")
    put(e.who.square, "time_bomb", True)


item("time-bomb", "Time bomb", usable=True, effect=set_bomb)


@marker("square")
def ticking(place):
    if place.time_bomb:
        return ("!", "a time bomb")


rule("XXIV.2/warp-bubble", """
Warp bubble, for three of a kind: its user jumps to any square but one named Blackjack; once an update.
""", title="Warp bubble")

attribute("player", "warped_in", None, label="Warped in update", type="number")
combination("warp-bubble", "three of a kind", is_three)


def warp(e):
    if is_blackjack(e.square):
        refuse(f"a warp bubble does not go to a square named Blackjack: {e.square.id} is")
    if e.who.warped_in == thing("game").update:
        refuse("one warps once an update")
    put(e.who, "warped_in", thing("game").update)
    jump_to(e.who, e.square)


item("warp-bubble", "Warp bubble", usable=True, effect=warp, square=choose("square", "Square"))

rule("XXIV.2/hammer", """
Hammer, for a straight: somebody else on its user's square, a player or a creature, loses {health} health.
""", title="Hammer", health=15)

combination("hammer", "a straight", is_straight)


@check("use-item")
def not_oneself(e):
    if e.item == "hammer" and e.target is not None:
        if e.target.kind not in ("player", "creature") or e.target is e.who:
            return "a hammer hits another player or a creature"


def strike(e):
    if e.who.square is None or e.target.square is not e.who.square:
        refuse(f"{name_of(e.target)} is not on your square")
    hurt(e.target, rule.health)


item(
    "hammer", "Hammer", usable=True, effect=strike,
    target=choose("", "Whom", choices=lambda who: players() + every("creature"))
)

rule("XXIV.2/glue", """
Glue, for a flush: put on its user's square. A player who tries to pass that square in moving stops there and has landed; that wears off
one layer of glue. Any number of layers may be on a square.
""", title="Glue")

attribute("square", "glue", 0, label="Glue")
combination("glue", "a flush", is_flush)
passing("glue", "stuck", when=lambda who, mover, square: square.glue > 0, keeps=True)


@after("stuck")
def wear_off(e):
    put(e.square, "glue", max(0, e.square.glue - 1))


item("glue", "Glue", usable=True, effect=lambda e: put(e.who.square, "glue", e.who.square.glue + 1))


@marker("square")
def sticky(place):
    if place.glue > 0:
        return ("g", f"glue ({place.glue})")


rule("XXIV.2/anthrax", """
Anthrax, for a full house: its user names a player or a creature, anywhere, who is infected then and loses {health} health at each start
of a week, until they land on the House of Cards or on a hospital in a block of which they own a part. To infect another player is a
minor atrocity.
""", title="Anthrax", health=5, landing_place=72)

attribute(("player", "creature"), "infected", False, label="Infected")
combination("anthrax", "a full house", is_full_house)
event("infect", "infected", say="{who} is infected with anthrax", who="")
event("cure", "cured", say="{who} is cured of anthrax", who="", mover="", square="square", how="")
event("anthrax", say="Anthrax takes its toll")
step("week", 30, "anthrax", when=lambda: infected())


def infected():
    return [each for each in players() + every("creature") if each.infected]


@check("infect")
def well_so_far(e):
    if e.who.infected:
        return f"already infected: {name_of(e.who)}"


@on("infect")
def infect(e):
    put(e.who, "infected", True)


@check("use-item")
def somebody_ill(e):
    if e.item == "anthrax" and e.target is not None and e.target.kind not in ("player", "creature"):
        return "anthrax is for a player or a creature"


def spread(e):
    do("infect", who=e.target)
    if e.target.kind == "player" and e.target is not e.who:
        do("atrocity", who=e.who, grade="minor")


item(
    "anthrax", "Anthrax", usable=True, effect=spread,
    target=choose("", "Whom", choices=lambda who: players() + every("creature"))
)


@on("anthrax")
def waste_away(e):
    for each in infected():
        hurt(each, rule.health)


def cured_on(who, place):
    """Whether landing on a square cures somebody."""
    if is_house_of_cards(place):
        return True
    block = block_of(place)
    return block is not None and has_building(place, "hospital") and who in block_owners(block)


landing(
    "cure", rule.landing_place, "cure", when=lambda who, mover, square: who.infected and cured_on(who, square),
    creatures=True
)


@on("cure")
def cure(e):
    put(e.who, "infected", False)


rule("XXIV.2/mask", """
Mask, for a straight flush: its user impersonates another player until the creatures of the next update have moved. What their movement
brings happens to that player, who stays where they are: rent, health and its loss, the money and the chance of a square for going
round, options, cards, votes and marks, passing out, starting over. How far and where the piece goes is its own. Masks of those
impersonated count in turn, each once. To use a mask is a minor atrocity.
""", title="Mask")

overrides("XXXIII.5/grease")  # who slides on is settled first
attribute("player", "mask", None, label="Impersonates", type="thing")
attribute("player", "mask_until", None, label="Until update", type="number")
combination("mask", "a straight flush", is_straight_flush)
event("mask", "masked", say="{who} impersonates {target}", who="player", target="player")
event("masks-end", say="The masks end")
step("masks", 10, "masks-end", when=lambda: [each for each in players() if each.mask is not None])


@check("use-item")
def face_of_another(e):
    if e.item == "mask" and e.target is not None and (e.target.kind != "player" or e.target is e.who):
        return "a mask is of another player"


def wear(e):
    do("mask", who=e.who, target=e.target)
    do("atrocity", who=e.who, grade="minor")


item(
    "mask", "Mask", usable=True, effect=wear,
    target=choose("", "Whom", choices=lambda who: players() + every("creature"))
)


@on("mask")
def put_on(e):
    put(e.who, "mask", e.target)
    put(e.who, "mask_until", thing("game").update + 1)


def take_off(who):
    put(who, "mask", None)
    put(who, "mask_until", None)


@on("masks-end")
def masks_end(e):
    for who in players():
        if who.mask is not None and thing("game").update >= (who.mask_until or 0):
            take_off(who)


@after("remove")
def nobody_to_impersonate(e):
    for who in players():
        if who.mask is e.who:
            take_off(who)


@instead("land", per="who")
@instead("lap", per="who")
@instead("stuck", per="who")
def impersonated(e):
    """The same event, befalling the player whose mask is worn."""
    if e.who.kind == "player" and e.who.mask is not None:
        return e.but(who=e.who.mask)


rule("XXIV.2/shovel", """
Shovel, for ${price}: its user takes the cards that are buried under their square, as many as bring their hand to {shovel_limit}; which
ones, chance decides. They are told which stay.
""", title="Shovel", price=50, shovel_limit=25)

sale(
    "shovel",
    rule.price,
    where=lambda who: None if is_house_of_cards(who.square) else "a shovel is sold at the House of Cards",
)
event("dig", "dug-up", say="{who} digs up cards", who="player", square="square")


@value("shovel_limit", of="player", label="Most cards in hand by a shovel")
def shovel_limit(player):
    return rule.shovel_limit


@on("dig")
def dig(e):
    chance.unforeseen()
    left = list(e.square.buried)
    taken = ()
    room = max(0, value("shovel_limit", e.who) - len(e.who.cards))
    if len(left) <= room:
        taken, left = tuple(left), []
    while len(taken) < room and left:
        card = chance.hidden.pick(left) if len(left) > 1 else left[0]
        left.remove(card)
        taken = (*taken, card)
    put(e.who, "cards", (*e.who.cards, *taken))
    put(e.square, "buried", tuple(left))
    note(cards=taken, left=tuple(left), only=(e.who, "admin"))


item("shovel", "Shovel", usable=True, effect=lambda e: do("dig", who=e.who, square=e.who.square))

"""Section XIV: cards: how players get them, and what they do with them."""

section("XIV", "Cards")

rule("XIV.1", """
Who rolls doubles receives a random card of a standard deck without jokers. All cards of the deck are equally likely each time, so that
a player may have the same one twice.
""", title="A card for doubles")

attribute("player", "cards", (), label="Cards", show=("owner", "admin"))
event("draw", "drew", say="{who} receives {card}", who="player", card="")
event("take-card", who="player", card="")


@on("draw")
def draw(e):
    card = e.card or chance.hidden.card(standard_deck())
    note(card=card, only=(e.who, "admin"))
    do("take-card", may=True, who=e.who, card=card)


@on("take-card")
def take_card(e):
    put(e.who, "cards", (*e.who.cards, e.card))


@after("roll")
def card_for_doubles(e):
    if doubles(e.result):
        draw_card(e.mover)


rule("XIV.2", """
Whoever receives a card is told which it is. The others see how many cards a player has, and not which.
""", title="Told in private")

event("card-received", "drew", say="{who} receives a card", who="player")


@value("card_count", of="player", label="Number of cards")
def card_count(player):
    return len(player.cards)


@after("take-card")
def tell_the_others(e):
    do("card-received", who=e.who)


rule("XIV.3", """
A player may put a card from their hand on any square, whoever owns it. A square holds one card at most.
""", title="Placing a card")

attribute("square", "card", None, label="Card")


@check("place-card")
def room_for_card(e):
    if not is_card(e.card):
        return "a joker has to be declared before it is put on a square"
    if e.square.card is not None:
        return f"{e.square.id} already has a card: {e.square.card}"


@action(
    "place-card",
    "Put a card on a square",
    fact="card-placed",
    say="{who} puts {card} on {square}",
    card=one_of(cards_in_hand, "Card", otherwise="not in hand: you have no such card"),
    square=choose("square", "Square", choices=lambda who: [each for each in squares() if each.card is None]),
)
def place_card(e):
    give_up(e.who, (e.card,))
    put(e.square, "card", e.card)


@marker("square")
def card_lying_there(place):
    if place.card is not None:
        return ({"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[suit_of(place.card)], f"{place.card} lies here")


rule("XIV.4", """
Who lands on another player's square with a card on it pays its number times the value of the card, besides the usual rent. An ace is
worth {ace_value}, a face card {face_value}, any other card its number.
""", title="Rent on a card", ace_value=11, face_value=10)

setting("ace_value")
setting("face_value")
event("pay-card-rent", who="player", to="player", amount="")


@value("card_value")
def card_value(card):
    return card_points(card, value("ace_value"), value("face_value"))


@modify("rent_base")
def more_for_card(place, base):
    if place.card is not None:
        return add(place.number * value("card_value", place.card))


@on("pay-card-rent")
def pay_card_rent(e):
    pay(e.who, e.to, e.amount)


rule("XIV.5", """
A card that would bring a player's hand above {card_limit} is buried under the square the player is on. Only that player is told.
""", title="The hand limit", card_limit=12)


@value("card_limit", of="player", label="Most cards in hand")
def card_limit(player):
    return rule.card_limit


event("hand-full", who="player", card="")


@instead("take-card")
def too_many(e):
    if len(e.who.cards) >= value("card_limit", e.who):
        return e.to("hand-full", who=e.who, card=e.card)


@on("hand-full")
def bury_it(e):
    do("bury", may=True, who=e.who, card=e.card, square=e.who.square)


rule("XIV.6", """
A player may at any time bury a card of theirs under the square they are on. What is buried stays there, and nobody sees it.
""", title="Burying")

attribute("square", "buried", (), label="Buried", show="nobody")
event("bury", "buried", say="{who} buries {card} under {square}", who="player", card="", square="square")


@on("bury")
def bury(e):
    put(e.square, "buried", (*e.square.buried, e.card))
    note(only=(e.who, "admin"))


@action(
    "bury-card",
    "Bury a card",
    private="order",
    card=one_of(cards_in_hand, "Card", otherwise="not in hand: you have no such card"),
)
def bury_card(e):
    give_up(e.who, (e.card,))
    do("bury", who=e.who, card=e.card, square=e.who.square)

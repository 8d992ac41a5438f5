"""What rules of several sections mean when they speak of cards, sales and bets: words that they share."""

section("D", "Definitions")

rule("D.7", """
The standard deck has 52 cards: thirteen ranks, from ace to king, in each of the suits spades, hearts, diamonds and clubs. A joker has no
rank, no suit and no worth. A card is worth its number, a face card 10 and an ace 11, unless a rule says otherwise.
""", title="Cards")


RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")


@word
def standard_deck():
    """The 52 cards of a standard deck, suit by suit."""
    return tuple([rank + suit for suit in SUITS for rank in RANKS])


@word
def is_card(word):
    """Whether a word is a card with a rank and a suit."""
    return isinstance(word, str) and word[-1:] in SUITS and word[:-1] in RANKS


@word
def rank_of(card):
    """The rank of a card: `A`, `2` to `10`, `J`, `Q`, `K`; "" of a joker."""
    return card[:-1] if is_card(card) else ""


@word
def suit_of(card):
    """The suit of a card: `S`, `H`, `D` or `C`; "" of a joker."""
    return card[-1] if is_card(card) else ""


@word
def card_points(card, ace=11, face=10):
    """What a card is worth: its number, or so much for an ace and for a face card; a joker nothing."""
    rank = rank_of(card)
    if rank == "A":
        return ace
    return face if rank in ("J", "Q", "K") else int(rank or 0)


@word
def all_cards(cards, how_many):
    """Whether these are so many cards, and no joker among them."""
    return len(cards) == how_many and not [card for card in cards if not is_card(card)]


@word
def alike(cards):
    """How many cards there are of each rank, ascending."""
    ranks = [rank_of(card) for card in cards]
    return sorted([ranks.count(rank) for rank in RANKS if rank in ranks])


@word
def cards_in_hand(who):
    """The different cards that a player has, sorted."""
    return [card for card in (*standard_deck(), "JOKER") if card in who.cards]


@word
def cards_named(said):
    """The cards that a field names: a list, or a text with blanks or commas; each in capitals."""
    if said is None:
        return ()
    listed = said if isinstance(said, (list, tuple)) else str(said).replace(",", " ").split()
    return tuple([str(each).strip().upper() for each in listed])


rule("D.8", """
Cards are a combination only if they are exactly that, and there is no joker among them. Four cards of one rank are two pairs, and five
are a full house. A straight is five ranks in sequence, with the ace below the two or above the king. Whoever buys something for a
combination of cards gives up exactly these cards.
""", title="Combinations")


RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@word
def is_spade(cards):
    """Whether these cards are one spade."""
    return all_cards(cards, 1) and suit_of(cards[0]) == "S"


@word
def is_suit(cards, how_many):
    """Whether these are so many cards of one suit."""
    return all_cards(cards, how_many) and not [card for card in cards if suit_of(card) != suit_of(cards[0])]


@word
def is_pair(cards):
    """Whether these are two cards of one rank."""
    return all_cards(cards, 2) and alike(cards) == [2]


@word
def is_twice(cards):
    """Whether these are two cards of one rank and one suit."""
    return is_pair(cards) and cards[0] == cards[1]


@word
def is_two_pairs(cards):
    """Whether these are two pairs; four cards of one rank are."""
    return all_cards(cards, 4) and alike(cards) in ([2, 2], [4])


@word
def is_three(cards):
    """Whether these are three cards of one rank."""
    return all_cards(cards, 3) and alike(cards) == [3]


@word
def is_straight(cards):
    """Whether these are five ranks in sequence, the ace below the two or above the king."""
    if not all_cards(cards, 5) or len(alike(cards)) != 5:
        return False
    places = sorted([RANKS.index(rank_of(card)) for card in cards])
    return places[4] - places[0] == 4 or places == [0, 9, 10, 11, 12]


@word
def is_flush(cards):
    """Whether these are five cards of one suit."""
    return is_suit(cards, 5)


@word
def is_full_house(cards):
    """Whether these are three of one rank and a pair; five cards of one rank are."""
    return all_cards(cards, 5) and alike(cards) in ([2, 3], [5])


@word
def is_straight_flush(cards):
    """Whether these are five ranks of one suit in sequence."""
    return is_straight(cards) and is_flush(cards)


@word
def combination(id, cards, fits, make=None):
    """Declare what cards an item is had for: in words, and as a function that says whether a tuple of cards is that.

    `make(who)` is what one gets in place of the item of this id.
    """
    row("combination", id, cards=cards, fits=fits, make=make)


@word
def cards_bought(who, cards, id):
    """A player gives up exactly these cards for what they buy; refused if they are not the combination it costs."""
    wanted = row_of("combination", id)
    fits = wanted.fits
    if not fits(cards):
        refuse(f"wrong cards: {id} costs {wanted.cards}")
    give_up(who, cards)


rule("D.9", """
Where cards are added up each ace is 1 or 11. Cards with a joker among them add up to nothing, but two or more others may do so without it.
""", title="What cards add up to")


@word
def sums_of(cards, face=10):
    """All that these cards can add up to, each ace being 1 or 11; nothing with a joker among them."""
    if not all_cards(cards, len(cards)):
        return []
    least = sum([card_points(card, 1, face) for card in cards])
    aces = len([card for card in cards if rank_of(card) == "A"])
    return [least + 10 * each for each in range(aces + 1)]


@word
def can_make(cards, goal, face=10):
    """Whether two or more of these cards can add up to a number, each ace being 1 or 11."""
    reached = [(0, 0)]  # (sum, how many cards, two for more)
    for card in cards:
        points = (1, 11) if rank_of(card) == "A" else (card_points(card, 1, face),)
        for total, used in list(reached) if is_card(card) else ():
            for each in points:
                sum_then = (total + each, min(used + 1, 2))
                if sum_then[0] <= goal and sum_then not in reached:
                    reached.append(sum_then)
    return (goal, 2) in reached


rule("D.10", """
A player who receives a card draws it, by the rules on drawing; where one forbids it nothing happens. Nobody gives up a card that is not
in their hand.
""", title="Cards in hand")


@word
def draw_card(who):
    """A player receives a random card, by the rules in force. What a rule forbids does not happen."""
    do("draw", may=True, who=as_thing(who))


@word
def receive_card(who, card):
    """A player receives this very card from the game, as if it had been drawn."""
    do("draw", may=True, who=as_thing(who), card=card)


@word
def give_up(who, cards):
    """Take cards out of a player's hand. Refuses those that are not in it."""
    left = list(who.cards)
    for card in cards:
        if card not in left:
            refuse(f"not in hand: {card}")
        left.remove(card)
    put(who, "cards", tuple(left))


rule("D.11", """
A square is Blackjack if that is its name, however it is written. One square at most is the House of Cards.
""", title="Special squares")


@word
def is_blackjack(place):
    """Whether a square is named Blackjack."""
    return place.name is not None and place.name.strip().casefold() == "blackjack"


@word
def is_house_of_cards(place):
    """Whether a square is the House of Cards."""
    return can_happen("trade-in-cards") and place is value("house_of_cards", otherwise=None)


rule("D.12", """
What is on sale has a price and may have a place where alone it is sold. Whoever buys it gets the item of its name, or what its rule says.
""", title="Sales")

catalogue("sale", for_sale=True)


@word
def sale(id, price, where=None, casino=False, effect=None):
    """Declare that the action `buy-item` sells something: the item of this id, or the one that this rule declares.

    `where(who)` says why somebody cannot buy it now, or nothing; with `casino` it is sold at casinos, whose owners have a
    part of the price. `effect(who)` is what the buyer gets in place of an item.
    """
    row("sale", id, price=price, where=where, casino=casino, effect=effect)


@word
def item_sold(sold):
    """The id of the item that one gets for a row of the catalogue "sale"."""
    for each in rows("item"):
        if each.id == sold.id:
            return each.id
    for each in rows("item"):
        if each.rule == sold.rule:
            return each.id
    refuse(f"there is no item called {sold.id}")


rule("D.13", """
A bet is made at the casino where the player is, and is no higher than the game's limit. A player has one open round at a time. When it
is over the player gets the winnings, and the bet back with them. Of the deck from which a round is dealt no card comes twice.
""", title="Bets")


@word
def place_bet(who, game, amount, most):
    """A player bets at the casino where they are; refused if the rules or the game's limit do not allow it."""
    if amount > most:
        refuse(f"the bet is too high: at most ${most} at {game.replace('-', ' ')}")
    do("bet", who=who, game=game, square=who.square, amount=amount)


@word
def settle_bet(who, game, square, bet, winnings, **shown):
    """A round is over: the player gets the winnings (the bet not added). `shown`: cards, dealer, number."""
    do("bet-settled", who=who, game=game, square=square, bet=bet, winnings=winnings, **shown)


@word
def deck_without(taken):
    """The cards of a standard deck but for those taken."""
    return [card for card in standard_deck() if card not in taken]


@word
def hand_of(who):
    """A player's open round at a casino, or None."""
    for hand in every("hand"):
        if hand.player is who:
            return hand
    return None


rule("D.14", """
Where an order names several words or numbers they may be written with blanks or commas between them.
""", title="Lists")


@word
def listed(said):
    """What a field takes that holds several words or numbers, as a tuple: a list, or a text with blanks or commas."""
    if said is None:
        return ()
    if isinstance(said, (list, tuple)):
        return tuple(said)
    return tuple(str(said).replace(",", " ").split())

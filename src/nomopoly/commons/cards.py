"""Cards: words such as `KS` or `10H`, rank and then suit, and `JOKER`; what some of them are together, and hands of them.

What a hand or a combination is made of is a tuple of such words. A joker that is not declared counts as no card.
"""

_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS = ("S", "H", "D", "C")


def standard_deck():
    """The 52 cards of a standard deck, suit by suit."""
    return tuple([rank + suit for suit in _SUITS for rank in _RANKS])


def is_card(word):
    """Whether a word is a card with a rank and a suit."""
    return isinstance(word, str) and word[-1:] in _SUITS and word[:-1] in _RANKS


def rank_of(card):
    """The rank of a card: `A`, `2` to `10`, `J`, `Q`, `K`; "" of a joker."""
    return card[:-1] if is_card(card) else ""


def suit_of(card):
    """The suit of a card: `S`, `H`, `D` or `C`; "" of a joker."""
    return card[-1] if is_card(card) else ""


def card_points(card, ace=11, face=10):
    """What a card is worth: its number, or so much for an ace and for a face card; a joker nothing."""
    rank = rank_of(card)
    if rank == "A":
        return ace
    return face if rank in ("J", "Q", "K") else int(rank or 0)


def all_cards(cards, how_many):
    """Whether these are so many cards, and no joker among them."""
    return len(cards) == how_many and not [card for card in cards if not is_card(card)]


def alike(cards):
    """How many cards there are of each rank, ascending."""
    ranks = [rank_of(card) for card in cards]
    return sorted([ranks.count(rank) for rank in _RANKS if rank in ranks])


def is_spade(cards):
    """Whether these cards are one spade."""
    return all_cards(cards, 1) and suit_of(cards[0]) == "S"


def is_suit(cards, how_many):
    """Whether these are so many cards of one suit."""
    return all_cards(cards, how_many) and not [card for card in cards if suit_of(card) != suit_of(cards[0])]


def is_pair(cards):
    """Whether these are two cards of one rank."""
    return all_cards(cards, 2) and alike(cards) == [2]


def is_twice(cards):
    """Whether these are two cards of one rank and one suit."""
    return is_pair(cards) and cards[0] == cards[1]


def is_two_pairs(cards):
    """Whether these are two pairs; four cards of one rank are."""
    return all_cards(cards, 4) and alike(cards) in ([2, 2], [4])


def is_three(cards):
    """Whether these are three cards of one rank."""
    return all_cards(cards, 3) and alike(cards) == [3]


def is_straight(cards):
    """Whether these are five ranks in sequence, the ace below the two or above the king."""
    if not all_cards(cards, 5) or len(alike(cards)) != 5:
        return False
    places = sorted([_RANKS.index(rank_of(card)) for card in cards])
    return places[4] - places[0] == 4 or places == [0, 9, 10, 11, 12]


def is_flush(cards):
    """Whether these are five cards of one suit."""
    return is_suit(cards, 5)


def is_full_house(cards):
    """Whether these are three of one rank and a pair; five cards of one rank are."""
    return all_cards(cards, 5) and alike(cards) in ([2, 3], [5])


def is_straight_flush(cards):
    """Whether these are five ranks of one suit in sequence."""
    return is_straight(cards) and is_flush(cards)


def sums_of(cards, face=10):
    """All that these cards can add up to, each ace being 1 or 11; nothing with a joker among them."""
    if not all_cards(cards, len(cards)):
        return []
    least = sum([card_points(card, 1, face) for card in cards])
    aces = len([card for card in cards if rank_of(card) == "A"])
    return [least + 10 * each for each in range(aces + 1)]


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


def draw_card(who):
    """A player receives a random card, by the rules in force. What a rule forbids does not happen."""
    do("draw", may=True, who=as_thing(who))


def receive_card(who, card):
    """A player receives this very card from the game, as if it had been drawn."""
    do("draw", may=True, who=as_thing(who), card=card)


def give_up(who, cards):
    """Take cards out of a player's hand. Refuses those that are not in it."""
    left = list(who.cards)
    for card in cards:
        if card not in left:
            refuse(f"not in hand: {card}")
        left.remove(card)
    put(who, "cards", tuple(left))


def cards_bought(who, cards, id):
    """A player gives up exactly these cards for what they buy; refused if they are not the combination it costs."""
    wanted = row_of("combination", id)
    fits = wanted.fits
    if not fits(cards):
        refuse(f"wrong cards: {id} costs {wanted.cards}")
    give_up(who, cards)


def combination(id, cards, fits, make=None):
    """Declare what cards an item is had for: in words, and as a function that says whether a tuple of cards is that.

    `make(who)` is what one gets in place of the item of this id.
    """
    row("combination", id, cards=cards, fits=fits, make=make)


def cards_in_hand(who):
    """The different cards that a player has, sorted."""
    return [card for card in (*standard_deck(), "JOKER") if card in who.cards]


def cards_named(said):
    """The cards that a field names: a list, or a text with blanks or commas; each in capitals."""
    if said is None:
        return ()
    listed = said if isinstance(said, (list, tuple)) else str(said).replace(",", " ").split()
    return tuple([str(each).strip().upper() for each in listed])


def is_blackjack(place):
    """Whether a square is named Blackjack."""
    return place.name is not None and place.name.strip().casefold() == "blackjack"


def is_house_of_cards(place):
    """Whether a square is the House of Cards."""
    return can_happen("trade-in-cards") and place is value("house_of_cards")

"""Section XXXIII, the games of XXXIII.2: blackjack, poker and roulette."""

section("XXXIII", "Casinos")

rule("XXXIII.2/blackjack", """
Blackjack, a bet of up to ${bet}: the dealer has an open card and a hidden one, the player has two and may draw more; over
{goal} the bet is lost at once. When the player stops, the dealer draws until {stand} or more. If the dealer is over {goal}, or has
less than the player, twice the bet comes back; if both have the same, the bet. A face card is worth 10, an ace 1 or 11.
""", title="Blackjack", bet=500, goal=21, stand=17)

row("casino-game", "blackjack", name="Blackjack", bet=rule.bet)


def total(cards):
    """What cards are worth, one ace as 11 where that stays within the goal."""
    points = 0
    for card in cards:
        face = card[:-1]
        points += 1 if face == "A" else int(face) if face.isdigit() else 10
    if [card for card in cards if card[:-1] == "A"] and points + 10 <= rule.goal:
        return points + 10
    return points


def deal(hand, taken):
    """One card of the deck of this round."""
    return chance.hidden.card(deck_without((*hand.cards, *hand.dealer, hand.hole, *taken)))


def show(hand):
    """Tell the player how it stands."""
    told = f"Your cards are {' '.join(hand.cards)} ({total(hand.cards)}), and the dealer shows {' '.join(hand.dealer)}"
    do("show-hand", who=hand.player, told=told)


def over(hand, dealer, winnings):
    """The round is over."""
    who, square, bet, cards = hand.player, hand.square, hand.bet, hand.cards
    destroy(hand)
    settle_bet(who, "blackjack", square, bet, winnings, cards=cards, dealer=dealer)


def stop(hand):
    """The dealer shows, and draws."""
    chance.unforeseen()
    dealer = (*hand.dealer, hand.hole or deal(hand, ()))
    while total(dealer) < rule.stand:
        dealer = (*dealer, deal(hand, dealer))
    mine = total(hand.cards)
    dealers = total(dealer)
    if dealers > rule.goal or dealers < mine:
        over(hand, dealer, 2 * hand.bet)
    else:
        over(hand, dealer, hand.bet if dealers == mine else 0)


@check("blackjack-draw")
@check("blackjack-stop")
def open_round(e):
    hand = hand_of(e.who)
    if hand is None or hand.game != "blackjack":
        return "you have no open round of blackjack"


@action("play-blackjack", "Play blackjack", at_once=True, rolls=True, bet=number(f"Bet, up to ${rule.bet}", least=1, money=True))
def play_blackjack(e):
    place_bet(e.who, "blackjack", e.bet, rule.bet)
    hand = create("hand", player=e.who, parties=(e.who,), game="blackjack", square=e.who.square, bet=e.bet)
    put(hand, "dealer", (deal(hand, ()),))
    put(hand, "hole", deal(hand, ()))
    put(hand, "cards", (deal(hand, ()),))
    put(hand, "cards", (*hand.cards, deal(hand, ())))
    show(hand)


@action("blackjack-draw", "Draw a card at blackjack", at_once=True, rolls=True, task=True)
def draw_at_blackjack(e):
    hand = hand_of(e.who)
    put(hand, "cards", (*hand.cards, deal(hand, ())))
    show(hand)
    if total(hand.cards) > rule.goal:
        over(hand, (*hand.dealer, hand.hole), 0)


@action("blackjack-stop", "Stop at blackjack", at_once=True, rolls=True)
def stop_at_blackjack(e):
    stop(hand_of(e.who))


@after("finish-round")
def stop_for_player(e):
    if exists(e.hand) and e.hand.game == "blackjack":
        stop(e.hand)


rule("XXXIII.2/poker", """
Poker, a bet of up to ${bet}: five cards, of which the player may exchange any, once. For the best hand they make, the bet comes
back so many times: a pair {pair}, two pairs {two_pairs}, three of a kind {three}, a straight {straight}, a flush {flush}, a full
house {full_house}, four of a kind {four}, a straight flush {straight_flush}, a royal flush {royal_flush}. An ace is high or low in
a straight.
""", title="Poker", bet=25, pair=1, two_pairs=2, three=3, straight=4, flush=5, full_house=8, four=25, straight_flush=50, royal_flush=400)

row("casino-game", "poker", name="Poker", bet=rule.bet)


def times_back(cards):
    """How many times the bet comes back for five cards."""
    order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    places = sorted([order.index(card[:-1]) for card in cards])
    alike = sorted([places.count(each) for each in range(len(order)) if each in places])
    royal = places == [0, 9, 10, 11, 12]
    straight = royal or (len(alike) == 5 and places[4] - places[0] == 4)
    flush = not [card for card in cards if card[-1] != cards[0][-1]]
    if straight and flush:
        return rule.royal_flush if royal else rule.straight_flush
    if alike[-1] == 4:
        return rule.four
    if alike == [2, 3]:
        return rule.full_house
    if flush:
        return rule.flush
    if straight:
        return rule.straight
    if alike[-1] == 3:
        return rule.three
    if alike == [1, 2, 2]:
        return rule.two_pairs
    return rule.pair if alike[-1] == 2 else 0


def over(hand):
    """The round is over with the cards in the hand."""
    who, square, bet, cards = hand.player, hand.square, hand.bet, hand.cards
    destroy(hand)
    settle_bet(who, "poker", square, bet, bet * times_back(cards), cards=cards)


@action("play-poker", "Play poker", at_once=True, rolls=True, bet=number(f"Bet, up to ${rule.bet}", least=1, money=True))
def play_poker(e):
    place_bet(e.who, "poker", e.bet, rule.bet)
    hand = create("hand", player=e.who, parties=(e.who,), game="poker", square=e.who.square, bet=e.bet)
    put(hand, "cards", chance.hidden.sample(deck_without(()), 5))
    do("show-hand", who=e.who, told=f"Your cards are {' '.join(hand.cards)}")


def cards_of_round(who):
    """The cards that a player has in a round of poker."""
    hand = hand_of(who)
    return hand.cards if hand is not None and hand.game == "poker" else ()


@check("poker-exchange")
def may_exchange(e):
    hand = hand_of(e.who)
    if hand is None or hand.game != "poker":
        return "you have no open round of poker"
    discard = cards_named(e.discard)
    for card in discard:
        if card not in hand.cards:
            return f"not in hand: {card}"
        if discard.count(card) > 1:
            return f"not in hand: {card} twice"


@action(
    "poker-exchange",
    "Exchange cards at poker",
    at_once=True,
    rolls=True,
    task=True,
    discard=anything("Cards to exchange, if any", choices=cards_of_round),
)
def exchange(e):
    hand = hand_of(e.who)
    discard = cards_named(e.discard)
    kept = tuple([card for card in hand.cards if card not in discard])
    put(hand, "cards", (*kept, *chance.hidden.sample(deck_without(hand.cards), len(discard))))
    over(hand)


@after("finish-round")
def keep_all(e):
    if exists(e.hand) and e.hand.game == "poker":
        over(e.hand)


rule("XXXIII.2/roulette", """
Roulette, a bet of up to ${bet}: on a number from 0 to {top}, on a color or on five different numbers. Zero is green, the other even
numbers are black, the odd ones red. The bet comes back {number} times for the number, {color} times for the color and {numbers} times
if one of the five is it.
""", title="Roulette", bet=50, top=36, number=36, color=2, numbers=7)

row("casino-game", "roulette", name="Roulette", bet=rule.bet)


def five_of(said):
    """The numbers bet on, or why they are none to bet on."""
    chosen = []
    for each in listed(said):
        if not str(each).isdigit() or int(each) > rule.top or int(each) in chosen:
            return f"bet on five different numbers from 0 to {rule.top}"
        chosen.append(int(each))
    return chosen if len(chosen) == 5 else f"bet on five different numbers from 0 to {rule.top}"


@check("play-roulette")
def one_thing_to_bet_on(e):
    named = [each for each in (e.number, e.color, e.numbers) if each is not None]
    if len(named) != 1:
        return "bet on one thing: a number, a color or five numbers"
    if e.numbers is not None and isinstance(five_of(e.numbers), str):
        return five_of(e.numbers)


@action(
    "play-roulette",
    "Play roulette",
    at_once=True,
    rolls=True,
    bet=number(f"Bet, up to ${rule.bet}", least=1, money=True),
    number=number(f"On a number, 0 to {rule.top}", most=rule.top, optional=True),
    color=one_of(("red", "black", "green"), "Or on a color", optional=True),
    numbers=anything("Or on five numbers, such as 1 5 9 20 30"),
)
def play_roulette(e):
    place_bet(e.who, "roulette", e.bet, rule.bet)
    drawn = chance.pick(range(rule.top + 1))
    color = "green" if drawn == 0 else "red" if drawn % 2 else "black"
    times = 0
    if e.number == drawn:
        times = rule.number
    elif e.color == color:
        times = rule.color
    elif e.numbers is not None and drawn in five_of(e.numbers):
        times = rule.numbers
    settle_bet(e.who, "roulette", e.who.square, e.bet, e.bet * times, number=drawn)

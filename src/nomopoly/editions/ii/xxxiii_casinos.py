"""Section XXXIII: casinos: what they earn, the games, the bets, what is sold there, and the owner's part of it all."""

section("XXXIII", "Casinos")

rule("XXXIII.1", """
A square with a casino earns its owner ${casino_income} a week.
""", title="Income", casino_income=50)


@modify("income")
def earns(square, base):
    return add(rule.casino_income) if has_building(square, "casino") else None


rule("XXXIII.2", """
Whoever is on a square with a casino may play its games there, {plays} times in an update in all, one round after the other. A
round that is not over when the player leaves the square, or when the update's time is up, is finished without them.
""", title="The games", plays=3)

kind("hand", label="Round at a casino")
attribute("hand", "player", None, label="Player", type="thing", show="owner")
attribute("hand", "parties", (), show="nobody")  # those to whom it is shown
attribute("hand", "game", "", label="Game", show="owner")
attribute("hand", "square", None, label="Where", type="thing", show="owner")
attribute("hand", "bet", 0, label="Bet", type="money", show="owner")
attribute("hand", "cards", (), label="Cards", show="owner")
attribute("hand", "dealer", (), label="The dealer's open card", show="owner")
attribute("hand", "hole", None, show="nobody")  # the dealer's hidden card
attribute("player", "casino_plays", 0, label="Rounds played in this update")
event("casinos-close", say="The casinos close")
event("show-hand", "shown", say="{told}", who="player", told="")
event("finish-round", hand="hand")
step("period-end", 10, "casinos-close")


@value("plays_allowed", of="player")
def plays_allowed(who):
    return rule.plays


@check("bet")
def may_play(e):
    if not has_building(e.who.square, "casino"):
        return "one can only play at a casino: there is none on your square"
    most = value("plays_allowed", e.who)
    if e.who.casino_plays >= most:
        return f"one plays {'three' if most == 3 else most} times at most in an update"
    if hand_of(e.who) is not None:
        return f"one round after the other: finish {hand_of(e.who).game} first"


@after("bet")
def count_round(e):
    put(e.who, "casino_plays", e.who.casino_plays + 1)


@on("show-hand")
def for_player_alone(e):
    note(only=(e.who,))


@after("finish-round")
def bet_back(e):
    if exists(e.hand) and e.hand.game not in [each.id for each in rows("casino-game")]:
        settle_bet(e.hand.player, e.hand.game, e.hand.square, e.hand.bet, e.hand.bet)
        destroy(e.hand)


@after("leave")
def round_left(e):
    if e.mover.kind == "player" and hand_of(e.mover) is not None:
        do("finish-round", hand=hand_of(e.mover))


@after("entry")
def no_longer_there(e):
    for hand in every("hand"):
        if hand.player.square is not hand.square:
            do("finish-round", hand=hand)


@on("casinos-close")
def close(e):
    for hand in every("hand"):
        do("finish-round", hand=hand)
    for who in players():
        put(who, "casino_plays", 0)


@after("reset")
def lost_by_reset(e):
    hand = hand_of(e.who)
    if hand is not None:
        settle_bet(hand.player, hand.game, hand.square, hand.bet, 0)
        destroy(hand)


@after("remove")
def gone_with_player(e):
    if hand_of(e.who) is not None:
        destroy(hand_of(e.who))


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


@action("play-blackjack", "Play blackjack", at_once=True, rolls=True, bet=number("Bet", least=1))
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


@action("play-poker", "Play poker", at_once=True, rolls=True, bet=number("Bet", least=1))
def play_poker(e):
    place_bet(e.who, "poker", e.bet, rule.bet)
    hand = create("hand", player=e.who, parties=(e.who,), game="poker", square=e.who.square, bet=e.bet)
    put(hand, "cards", chance.hidden.sample(deck_without(()), 5))
    do("show-hand", who=e.who, told=f"Your cards are {' '.join(hand.cards)}")


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
    discard=anything("Cards to exchange, if any"),
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
    bet=number("Bet", least=1),
    number=number("Number", most=rule.top, optional=True),
    color=one_of(("red", "black", "green"), "Color", optional=True),
    numbers=anything("Five numbers"),
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


rule("XXXIII.3", """
A casino plays with one standard deck of its own in each round: no card comes twice in it. These are not the cards that players
have, and playing neither gains nor loses any of those.
""", title="The casino's cards")

rule("XXXIII.4", """
To place a bet is to pay it, in whole dollars and not more than one has, to the Admin Bank Account. What is won is paid from there.
""", title="Placing a bet")

event("bet", "bet", say="{who} bets ${amount} at {game}", who="player", game="", square="square", amount="")
event(
    "bet-settled",
    who="player",
    game="",
    square="square",
    bet="",
    winnings="",
    cards="",
    dealer="",
    number="",
)
event(
    "win-bet",
    "won-bet",
    say="{told}",
    who="player",
    game="",
    square="square",
    bet="",
    amount="",
    cards="",
    dealer="",
    number="",
    told="",
)
event(
    "lose-bet",
    "lost-bet",
    say="{told}",
    who="player",
    game="",
    square="square",
    bet="",
    amount="",
    cards="",
    dealer="",
    number="",
    told="",
)


@check("bet")
def has_the_money(e):
    if value("bankrupt", e.who):
        return f"bankrupt: {name_of(e.who)} has ${e.who.money} and cannot bet"
    if e.who.money < e.amount:
        return f"cannot afford that bet: {name_of(e.who)} has ${e.who.money} and would bet ${e.amount}"


@on("bet")
def pay_bet(e):
    pay(e.who, "$admin", e.amount)


@on("bet-settled")
def pay_winnings(e):
    if e.winnings > 0:
        pay("$admin", e.who, e.winnings)
    won = e.winnings > 0
    amount = e.winnings if won else e.bet
    told = f"{name_of(e.who)} {'gets' if won else 'loses'} ${amount} at {e.game}{what_was_shown(e)}"
    do(
        "win-bet" if won else "lose-bet",
        who=e.who,
        game=e.game,
        square=e.square,
        bet=e.bet,
        amount=amount,
        cards=e.cards,
        dealer=e.dealer,
        number=e.number,
        told=told,
    )


def what_was_shown(e):
    """How a round ended, in words to add."""
    parts = []
    if e.cards:
        parts.append("with " + " ".join(e.cards))
    if e.dealer:
        parts.append("the dealer has " + " ".join(e.dealer))
    if e.number is not None:
        parts.append(f"the number is {e.number}")
    return f" ({', '.join(parts)})" if parts else ""


rule("XXXIII.5", """
A casino sells the things below to whoever is there.
""", title="Things on sale")


@check("buy-item")
def on_sale_here(e):
    sold = row_of("sale", e.item)
    if sold.casino and not has_building(e.who.square, "casino"):
        return f"{e.item} is sold at a casino: there is none on your square"
    where = sold.where
    return where(e.who) if where is not None else None


@action(
    "buy-item",
    "Buy an item",
    fact="bought",
    say="{who} buys {item} for ${price}",
    item=one_of(lambda who: [each.id for each in rows("sale")], "Item"),
    on_credit=yes_or_no("On credit"),
)
def buy_item(e):
    sold = row_of("sale", e.item)
    note(price=sold.price)
    do("purchase", who=e.who, price=sold.price, on_credit=e.on_credit, what=e.item)
    effect = sold.effect
    if effect is None:
        give_item(e.who, item_sold(sold))
    else:
        effect(e.who)


rule("XXXIII.5/flower", """
Flower, ${price}: given to another player as a token of friendship. The other has it then.
""", title="Flower", price=10)

sale("flower", rule.price, casino=True)


def give_flower(e):
    if e.target.kind != "player" or e.target is e.who:
        refuse("a flower is given to another player")
    give_item(e.target, "flower")


item("flower", "Flower", usable=True, effect=give_flower, target=choose("", "To or at"))

rule("XXXIII.5/weighted-die", """
Weighted die, ${price}: its user names a face of the dice of their method of transport. In their next turn one die shows it, if there is
such a face then. No more than one in a turn.
""", title="Weighted die", price=100)

sale("weighted-die", rule.price, casino=True)
attribute("player", "weighted_die", None, label="Weighted die shows", type="number")


def load_die(e):
    if e.who.weighted_die is not None:
        refuse("one weighted die a turn: the next turn has one already")
    if e.number not in faces_of(e.who):
        refuse(f"your dice have no face {e.number}")
    put(e.who, "weighted_die", e.number)


@modify("fixed_die")
def shows_that_face(who, base):
    return set(who.weighted_die) if who.weighted_die is not None else None


@after("turn-ends")
def for_one_turn(e):
    put(e.who, "weighted_die", None)


item("weighted-die", "Weighted die", usable=True, effect=load_die, number=number("Number"))

rule("XXXIII.5/salad", """
Salad, ${price}: {health} more health; one in an update.
""", title="Salad", price=200, health=5)

sale("salad", rule.price, casino=True)
attribute("player", "salad_in", None, label="Ate a salad in update", type="number")


def eat_salad(e):
    if e.who.salad_in == thing("game").update:
        refuse("one salad in an update")
    put(e.who, "salad_in", thing("game").update)
    heal(e.who, rule.health)


item("salad", "Salad", usable=True, effect=eat_salad)

rule("XXXIII.5/auto-shuffler", """
Auto-shuffler, ${price}: its user gives up any of their cards and draws as many.
""", title="Auto-shuffler", price=250)

sale("auto-shuffler", rule.price, casino=True)


def shuffle(e):
    cards = cards_named(e.cards)
    give_up(e.who, cards)
    for _ in cards:
        draw_card(e.who)


item("auto-shuffler", "Auto-shuffler", usable=True, effect=shuffle, private="order", cards=anything("Cards"))


@after("use-item")
def without_faces(e):
    if e.item == "auto-shuffler":
        note(cards=len(cards_named(e.cards)))  # hands are secret

rule("XXXIII.5/grease", """
Grease, ${price}: put on the square one is on, if one owns it, for good; once a square. A player who would land there loses {health}
health, {most} at most in a move, and slides to the successor, on which they land in its place.
""", title="Grease", price=500, health=3, most=12)

sale("grease", rule.price, casino=True)
attribute("square", "greased", False, label="Greased")
attribute("player", "slid", 0, show="nobody")  # health lost to grease in the move that goes on
event("grease", who="", mover="", square="square", how="")
event("slide", "slid", say="{mover} slides on from {square}", who="", mover="", square="square")
event("grease-creature", who="", mover="", square="square", how="")


def put_grease(e):
    if e.who.square.owner is not e.who:
        refuse(f"not yours: {e.who.square.id} belongs to somebody else")
    if e.who.square.greased:
        refuse(f"{e.who.square.id} is greased already")
    put(e.who.square, "greased", True)


item("grease", "Grease", usable=True, effect=put_grease)


@marker("square")
def slippery(place):
    if place.greased:
        return ("/", "greased")


@instead("land")
def slides_instead(e):
    if e.square.greased and e.mover.kind == "player":
        if e.trail and e.trail[-1].name == "grease":
            return e.to("slide", who=e.who, mover=e.mover, square=e.square)
        return e.to("grease", who=e.who, mover=e.mover, square=e.square, how=e.how)


@on("grease")
def slide_on(e):
    if not e.caused_by("grease"):
        put(e.who, "slid", 0)
    goes_on = do("slide", who=e.who, mover=e.mover, square=e.square)
    while goes_on == "slid":
        goes_on = do("land", who=e.who, mover=e.mover, square=e.mover.square, how="slide")


@on("slide")
def one_slide(e):
    amount = min(rule.health, rule.most - e.who.slid)
    life = life_of(e.who)
    if amount > 0:
        put(e.who, "slid", e.who.slid + amount)
        hurt(e.who, amount)
    if life_of(e.who) != life:
        return "stopped"
    slide(e.who, e.mover)
    return "slid"


landing(
    "grease",
    1,
    "grease-creature",
    when=lambda who, mover, square: square.greased and mover.kind != "player",
    creatures=True,
)


@on("grease-creature")
def hurts_creature(e):
    before = len([each for each in e.trail if each.name == "creature-land" and each.square.greased]) - 1
    amount = min(rule.health, rule.most - before * rule.health)
    if amount > 0:
        hurt(e.who, amount)


rule("XXXIII.5/joker", """
Joker, ${price}: a joker among one's cards.
""", title="Joker", price=1250)

sale("joker", rule.price, casino=True, effect=lambda who: receive_card(who, "JOKER"))

rule("XXXIII.6", """
Of what a casino makes by its games and by what it sells, the owner of the square has a part: {residential}% in a Residential block,
{industrial}% in an Industrial, {commercial}% in a Commercial and {government}% in a Government block. Of what it loses, they bear the
same part.
""", title="The owner's part", residential=25, industrial=10, commercial=50, government=0)

event("casino-share", "share", say="{who} has ${amount} of what the casino makes", who="player", square="square", amount="")


@value("casino_share", of="square", label="The owner's part of a casino's profit, in percent")
def casino_share(square):
    block = block_of(square)
    parts = {
        "residential": rule.residential,
        "industrial": rule.industrial,
        "commercial": rule.commercial,
        "government": rule.government,
    }
    return parts.get(block.type, 0) if block is not None else 0


def has_part(square, profit):
    """Settle the owner's part of a profit, or of a loss."""
    amount = part_of(profit, value("casino_share", square))
    if square.owner is not None and amount != 0:
        do("casino-share", who=square.owner, square=square, amount=amount)


@on("casino-share")
def settle_part(e):
    if e.amount > 0:
        pay("$admin", e.who, e.amount)
    else:
        pay(e.who, "$admin", -e.amount)


@after("bet-settled")
def part_of_bet(e):
    has_part(e.square, e.bet - e.winnings)


@after("buy-item")
def part_of_price(e):
    sold = row_of("sale", e.item)
    if sold.casino:
        has_part(e.who.square, sold.price)

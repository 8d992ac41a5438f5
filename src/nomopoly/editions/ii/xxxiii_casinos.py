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


rule("XXXIII.3", """
A casino plays with one standard deck of its own in each round: no card comes twice in it. These are not the cards that players
have, and playing neither gains nor loses any of those.
""", title="The casino's cards")

rule("XXXIII.4", """
To place a bet is to pay it, in whole dollars and not more than one has, to the Admin Bank Account. What is won is paid from there.
""", title="Placing a bet")

event("bet", "bet", say="{told}", who="player", game="", square="square", amount="", told="")
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


def in_plain(game):
    """What a game is called within a sentence."""
    return game.replace("-", " ")


@on("bet")
def pay_bet(e):
    note(told=f"{name_of(e.who)} bets ${e.amount} at {in_plain(e.game)}")
    pay(e.who, "$admin", e.amount)


@on("bet-settled")
def win_or_lose(e):
    won = e.winnings > 0
    amount = e.winnings if won else e.bet
    told = f"{name_of(e.who)} {'gets' if won else 'loses'} ${amount} at {in_plain(e.game)}{what_was_shown(e)}"
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


@on("win-bet")
def pay_out(e):
    pay("$admin", e.who, e.amount)


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


def on_sale(who):
    """The ids of what is sold: not what is patented by nobody, and at a casino not what others have patented."""
    owners = {each.number: each.owner for each in every("patent") if each.number}
    sold = [each for each in rows("sale") if owners.get(each.rule, who) is not None]
    if has_building(who.square, "casino"):
        host = who.square.owner
        sold = [each for each in sold if owners.get(each.rule, host) is host]
    return [each.id for each in sold]


@action(
    "buy-item",
    "Buy an item",
    fact="bought",
    say="{who} buys {item} for ${price}",
    item=one_of(on_sale, "Item", priced="sale", otherwise="nothing of that name is sold here"),
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


event("flower-given", "flower", say="{who} gives {target} a flower", who="player", target="player")


@check("use-item")
def friend(e):
    if e.item == "flower" and e.target is not None and (e.target.kind != "player" or e.target is e.who):
        return "a flower is given to another player"


def give_flower(e):
    do("flower-given", who=e.who, target=e.target)


@on("flower-given")
def has_it_then(e):
    give_item(e.target, "flower")



item(
    "flower", "Flower", usable=True, effect=give_flower,
    target=choose("", "Whom", choices=lambda who: players() + every("creature"))
)

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


item("auto-shuffler", "Auto-shuffler", usable=True, effect=shuffle, private="order", cards=anything("Cards", choices=lambda who: who.cards))


@after("use-item")
def without_faces(e):
    if e.item == "auto-shuffler":
        note(cards=len(cards_named(e.cards)))  # hands are secret

rule("XXXIII.5/grease", """
Grease, ${price}: put on the square one is on, if one owns it, for good; once a square. A player who would land there loses {health}
health, {most} at most in a move, and slides to the successor, on which they land in its place.
""", title="Grease", price=500, health=3, most=12, landing_place=1)

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
    rule.landing_place,
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

event("casino-share", "share", say="{told}", who="player", square="square", amount="", told="")


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
        part = f"has ${amount} of what the casino makes" if amount > 0 else f"bears ${-amount} of what the casino loses"
        do("casino-share", who=square.owner, square=square, amount=amount, told=f"{name_of(square.owner)} {part}")


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

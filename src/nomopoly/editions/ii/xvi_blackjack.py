"""Section XVI: Blackjack, wherever a square is called that."""

section("XVI", "Blackjack")

rule("XVI.1", """
Who lands on a square named "Blackjack" receives {blackjack_cards} cards. If two or more of their cards then make exactly
{blackjack_total}, they may, until their next turn begins, trade in any that do for a bonus of {blackjack_bonus}% of the money they
have at that time, from the Admin Bank Account. Who is bankrupt cannot.
""", title="Twenty-one", blackjack_cards=2, blackjack_total=21, blackjack_bonus=30, landing_place=50)

setting("blackjack_cards")
setting("blackjack_total")
setting("blackjack_bonus")
attribute("player", "blackjack_option", False, label="May trade in cards at Blackjack")
attribute("player", "blackjack_more", 0, show="nobody")  # further landings that are good for a bonus
event("blackjack", who="player", mover="", square="square", how="")
landing("blackjack", rule.landing_place, "blackjack", when=lambda who, mover, square: is_blackjack(square))


@on("blackjack")
def two_cards(e):
    for _ in range(value("blackjack_cards")):
        draw_card(e.who)
    if value("some_make", e.who.cards, value("blackjack_total")):
        if e.who.blackjack_option:
            put(e.who, "blackjack_more", e.who.blackjack_more + 1)
        put(e.who, "blackjack_option", True)


@after("turn-begins")
def too_late(e):
    put(e.who, "blackjack_option", False)
    put(e.who, "blackjack_more", 0)


@check("trade-in-blackjack")
def may_trade_in(e):
    if not e.who.blackjack_option:
        return "no option: you have not landed on Blackjack with such cards since your last turn began"
    if value("bankrupt", e.who):
        return f"bankrupt: {name_of(e.who)} has ${e.who.money}, and nothing to add a part of"
    cards = cards_named(e.cards)
    if len(cards) < 2 or value("blackjack_total") not in value("card_sums", cards):
        return f"not {value('blackjack_total')}: {', '.join(cards) or 'no cards'}"


@action(
    "trade-in-blackjack",
    "Trade in cards at Blackjack",
    fact="traded-in",
    say="{who} trades in {cards} for ${bonus}",
    cards=anything("Cards", optional=False, choices=lambda who: who.cards),
)
def trade_in(e):
    cards = cards_named(e.cards)
    bonus = part_of(e.who.money, value("blackjack_bonus"))
    note(cards=cards, bonus=bonus)
    give_up(e.who, cards)
    put(e.who, "blackjack_option", e.who.blackjack_more > 0)
    put(e.who, "blackjack_more", max(0, e.who.blackjack_more - 1))
    pay("$admin", e.who, bonus)


rule("XVI.2", """
A face card counts {faces} there, an ace 1 or 11, each for itself.
""", title="Counting", faces=10)


@value("card_sums")
def card_sums(cards):
    return sums_of(cards, rule.faces)


@value("some_make")
def some_make(cards, goal):
    return can_make(cards, goal, rule.faces)

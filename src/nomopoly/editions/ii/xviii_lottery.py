"""Section XVIII: the lottery: a drawing every week, tickets for cards, and what a line can win."""

section("XVIII", "The Lottery")

rule("XVIII.1", """
As each week ends, {lottery_numbers} different numbers from 1 to {lottery_top} are drawn, whether or not there is a ticket.
""", title="The drawing", lottery_numbers=7, lottery_top=20)

setting("lottery_numbers")
setting("lottery_top")
event("lottery", "lottery", say="The lottery numbers of the week are {numbers}", numbers="")
step("week-ends", 10, "lottery")


@on("lottery")
def draw_numbers(e):
    numbers = chance.sample(range(1, value("lottery_top") + 1), value("lottery_numbers"))
    note(numbers=numbers)
    return numbers


rule("XVIII.2", """
A card of a value from 2 to 10 buys a ticket for the next drawing, with as many lines as the card is worth. A face card or an ace
handed in with it adds a bonus number to each line.
""", title="Tickets")

kind("ticket", label="Lottery ticket")
attribute("ticket", "owner", None, label="Owner", type="thing", holds=("player",))
attribute("ticket", "week", 0, label="For the drawing of week")

NOT_IN_HAND = "not in hand: you have no such card"


@check("buy-lottery-ticket")
def right_cards(e):
    if not rank_of(e.card).isdigit():
        return f"wrong card: the lines of a ticket are paid for with a card from 2 to 10, not with {e.card}"
    if e.bonus is not None and rank_of(e.bonus) not in ("J", "Q", "K", "A"):
        return f"wrong card: a bonus number is paid for with a face card or an ace, not with {e.bonus}"


@action(
    "buy-lottery-ticket",
    "Buy a lottery ticket",
    fact="ticket",
    say="{who} gets {ticket} for the lottery",
    card=one_of(cards_in_hand, "Card from 2 to 10", otherwise=NOT_IN_HAND),
    bonus=one_of(cards_in_hand, "Face card or ace for a bonus number", optional=True, otherwise=NOT_IN_HAND),
)
def buy_ticket(e):
    give_up(e.who, (e.card,) if e.bonus is None else (e.card, e.bonus))
    ticket = create("ticket", owner=e.who, week=thing("game").week)
    give_item(e.who, ticket.id)
    do("draw-lines", ticket=ticket, lines=card_points(e.card), bonus=0 if e.bonus is None else 1)
    note(ticket=ticket, lines=ticket.lines)


def tickets_go(who):
    for ticket in every("ticket"):
        if ticket.owner is who:
            destroy(ticket)


@after("reset")
@after("remove")
def no_rights_left(e):
    tickets_go(e.who)


rule("XVIII.3", """
A line is {line_numbers} different random numbers of those that can be drawn, one more with a bonus number.
""", title="Lines", line_numbers=6)

attribute("ticket", "lines", (), label="Lines")
setting("line_numbers")
event("draw-lines", ticket="ticket", lines="", bonus="")


@on("draw-lines")
def draw_lines(e):
    lines = ()
    for _ in range(e.lines):
        lines = (*lines, chance.sample(range(1, value("lottery_top") + 1), value("line_numbers") + e.bonus))
    put(e.ticket, "lines", lines)


rule("XVIII.4", """
Each line of each ticket is compared with the numbers drawn, whatever their order, and wins its holder the best of the prizes below
that it is good for. After the drawing all tickets are gone. Two votes that are won take the place of the one vote on each proposal
of the following week.
""", title="Prizes")

attribute("player", "double_votes_week", None, label="Two votes in week", type="number")
attribute("player", "lottery_rights", 0, label="Rights to eliminate or take over")
attribute("player", "lottery_choices", 0, label="Choices from the lottery")
event(
    "prize",
    "prize",
    say="{who} wins in the lottery: {prize} right numbers",
    who="player",
    prize="",
    ticket="",
    line="",
    money="",
)


def prize_for(line, numbers):
    """The best row that a line is good for, or None."""
    right = len([each for each in line if each in numbers])
    good = sorted([each for each in rows("lottery-prize") if each.matches <= right], key=lambda each: each.matches)
    return good[-1] if good else None


@after("lottery")
def award(e):
    won = []
    for ticket in every("ticket"):
        for line in ticket.lines:
            prize = prize_for(line, e.result)
            if prize is not None and ticket.owner is not None:
                won.append((ticket.owner, prize, ticket, line))
    pot = max(thing("$admin").money, 0)
    sharing = [each for each in players() if [who for who, prize, _, _ in won if prize.jackpot and who is each]]
    paid = []
    for who, prize, ticket, line in won:
        money = pot // len(sharing) if prize.jackpot and who not in paid else None
        if prize.jackpot:
            paid.append(who)
        do("prize", who=who, prize=prize.id, ticket=ticket, line=line, money=money)
    for ticket in every("ticket"):
        if ticket.owner is not None and ticket.id in ticket.owner.items:
            take_item(ticket.owner, ticket.id)
        destroy(ticket)


@modify("votes")
def two_votes(who, proposal, base):
    return add(1) if who.double_votes_week == thing("game").week else None


rule("XVIII.4/seven", """
All {matches} numbers drawn: all the money of the Admin Bank Account, shared equally among the players who have this prize and
rounded down; no rent for all of the following week; two votes on each proposal of that week; and the right to eliminate or take
over a player.
""", title="All seven", matches=7)

row("lottery-prize", "seven", matches=rule.matches, jackpot=True)
attribute("player", "rent_free_week", None, label="No rent in week", type="number")


@after("prize")
def great_prize(e):
    if e.prize == "seven":
        if e.money:
            pay("$admin", e.who, e.money)
        week = thing("game").week + 1
        put(e.who, "rent_free_week", week)
        put(e.who, "double_votes_week", week)
        put(e.who, "lottery_rights", e.who.lottery_rights + 1)


@instead("pay-rent")
def no_rent_that_week(e):
    if e.who.rent_free_week == thing("game").week:
        return False


rule("XVIII.4/six", """
Any {matches} of the numbers drawn: two votes on each proposal of the following week, and the right to eliminate or take over a
player.
""", title="Six", matches=6)

row("lottery-prize", "six", matches=rule.matches, jackpot=False)


@after("prize")
def six_right(e):
    if e.prize == "six":
        put(e.who, "double_votes_week", thing("game").week + 1)
        put(e.who, "lottery_rights", e.who.lottery_rights + 1)


rule("XVIII.4/five", """
Any {matches} of the numbers drawn: a choice between eliminating or taking over a player and two votes on each proposal of the
following week. Who does not choose has the two votes.
""", title="Five", matches=5)

row("lottery-prize", "five", matches=rule.matches, jackpot=False)
event("lottery-choices-end", say="Choices from the lottery that nobody has made")
step("before-count", 10, "lottery-choices-end", when=lambda: something_to_count())


@after("prize")
def five_right(e):
    if e.prize == "five":
        put(e.who, "lottery_choices", e.who.lottery_choices + 1)


def something_to_count():
    """In a pause only a ballot that was open when it began, or the Admin's way out, is counted."""
    return not thing("game").paused or [each for each in every("proposal") if each.status == "voting" and each.on_ballot]


@value("choice_due_by", of="player", label="To choose from the lottery until", type="moment")
def choice_due_by(who):
    """The count before which a choice has to be carried out; nothing where there is none to make."""
    return next_moment("voting-closes") if who.lottery_choices > 0 else None


@value(
    "choice_due_from",
    of="player",
    label="To choose from the lottery from",
    type="moment",
    asks="use-lottery-right",
    until="choice_due_by",
    asking="your choice from the lottery",
)
def choice_due_from(who):
    return now() if who.lottery_choices > 0 else None


@on("lottery-choices-end")
def votes_unless_chosen(e):
    for who in players():
        if who.lottery_choices > 0:
            put(who, "lottery_choices", 0)
            put(who, "double_votes_week", thing("game").week)


rule("XVIII.4/four", """
Any {matches} of the numbers drawn: no rent, wherever one's next roll takes one.
""", title="Four", matches=4)

row("lottery-prize", "four", matches=rule.matches, jackpot=False)
attribute("player", "rent_free_rolls", 0, label="Rolls without rent")


@after("prize")
def four_right(e):
    if e.prize == "four":
        put(e.who, "rent_free_rolls", e.who.rent_free_rolls + 1)


@instead("pay-rent")
def no_rent_on_roll(e):
    if e.who.rent_free_rolls > 0 and e.caused_by("turn") and e.caused_by("move"):
        return False


@after("move")
def roll_used_up(e):
    if e.caused_by("turn") and exists(e.who) and e.who.kind == "player" and e.who.rent_free_rolls > 0:
        put(e.who, "rent_free_rolls", e.who.rent_free_rolls - 1)


rule("XVIII.5", """
The right to eliminate or take over is used on any other player. Who is eliminated is removed from the game. Who is taken over gives
all their squares, with everything on them, to the winner of the right, and plays on with the rest. A choice is used before a right.
""", title="Eliminating, taking over")

row("lottery-right", "eliminate", name="Eliminate a player")
row("lottery-right", "take-over", name="Take over a player")
row("lottery-right", "votes", name="Two votes on each proposal")
event("eliminate", "eliminated", say="{who} eliminates {target}", who="player", target="player")
event("take-over", "taken-over", say="{who} takes over {target}", who="player", target="player")


@check("use-lottery-right")
def right_to_use(e):
    if e.prize == "votes":
        if e.who.lottery_choices < 1:
            return "not yours: you have no choice from the lottery"
        return
    if e.who.lottery_choices < 1 and e.who.lottery_rights < 1:
        return "not yours: you have no right from the lottery"
    if e.target is None:
        return "target is missing: say which player"
    if e.target is e.who:
        return "the right is used on another player"


def rights_of(who):
    """What a player may use: votes are for who has a choice."""
    return [each.id for each in rows("lottery-right") if each.id != "votes" or who is None or who.lottery_choices > 0]


@action(
    "use-lottery-right",
    "Use a right from the lottery",
    prize=one_of(rights_of, "Right", otherwise="not yours: you have no such right from the lottery"),
    target=choose(
        "player", "Player", choices=lambda who: [each for each in players() if each is not who], optional=True
    ),
)
def use_right(e):
    if e.who.lottery_choices > 0:
        put(e.who, "lottery_choices", e.who.lottery_choices - 1)
    else:
        put(e.who, "lottery_rights", e.who.lottery_rights - 1)
    if e.prize == "votes":
        put(e.who, "double_votes_week", thing("game").week)
    else:
        do(e.prize, who=e.who, target=e.target)


@on("eliminate")
def eliminate(e):
    remove(e.target, f"{name_of(e.who)} has the right from the lottery", "eliminated")


@on("take-over")
def take_over(e):
    for place in squares():
        if place.owner is e.target:
            change_owner(place, e.who)

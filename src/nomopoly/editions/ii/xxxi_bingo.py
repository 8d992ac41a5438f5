"""Section XXXI: bingo cards: their numbers, how they are marked, and what a pattern is good for."""

section("XXXI", "Bingo Cards")

rule("XXXI.1", """
A bingo card has {columns} columns of {cells} random numbers: from 1 to {span} in the first, and from the next {span} in each further
one. They are numbers of squares on the board, and no number stands twice in a column, unless the board has fewer than {cells} squares
for it.
""", title="The numbers", columns=5, cells=5, span=15)

kind("bingo-card", prefix="bingo-", label="Bingo card")
attribute("bingo-card", "owner", None, label="Owner", type="thing", holds=("player",))
attribute("bingo-card", "columns", (), label="Columns")
attribute("bingo-card", "marked", (), label="Marked")
event("make-bingo-card", who="player")


def column(low):
    span = range(low, low + rule.span)
    there = sorted([each.number for each in squares() if each.number in span])
    if len(there) >= rule.cells:
        return chance.sample(there, rule.cells)
    return tuple([chance.pick(there or span) for _ in range(rule.cells)])


@on("make-bingo-card")
def make_card(e):
    columns = tuple([column(1 + each * rule.span) for each in range(rule.columns)])
    card = create("bingo-card", owner=e.who, columns=columns)
    give_item(e.who, card.id)
    return card


def cards_go(who):
    for card in every("bingo-card"):
        if card.owner is who:
            destroy(card)


@after("reset")
@after("remove")
def no_cards_left(e):
    cards_go(e.who)


rule("XXXI.2", """
Whenever a player lands on a square in a turn, moved by the dice, its number is marked on all their cards, wherever it stands.
""", title="Marking", landing_place=80)

event("bingo", who="", mover="", square="square", how="")
event("mark", "marked", say="{square} is marked on {card}", who="player", card="", square="square")


def to_mark(who, square):
    """The bingo cards of somebody on which the number of a square is not marked yet."""
    found = []
    for card in every("bingo-card"):
        if card.owner is who and square.number not in card.marked:
            if [each for each in card.columns if square.number in each]:
                found.append(card)
    return found


landing("bingo", rule.landing_place, "bingo", when=lambda who, mover, square: to_mark(who, square))


@on("bingo")
def mark_all(e):
    if e.caused_by("turn") and e.caused_by("move"):
        for card in to_mark(e.who, e.square):
            do("mark", who=e.who, card=card, square=e.square)


@on("mark")
def mark(e):
    put(e.card, "marked", (*e.card.marked, e.square.number))


rule("XXXI.3", """
A player may trade in a card of theirs at any time for one prize below whose pattern is marked on it. There is no cell that is marked
from the beginning.
""", title="Prizes")

event(
    "bingo-prize",
    "prize",
    say="{who} trades in {card} for the prize of {prize}",
    who="player",
    prize="",
    card="",
    square="square",
)


def is_marked(card, column, row):
    """Whether that cell, counted from 0, is marked; a card that was made smaller does not have every cell."""
    cells = card.columns[column] if column < len(card.columns) else ()
    return row < len(cells) and cells[row] in card.marked


def pattern_complete(card, prize):
    """Whether all cells of one of the patterns of a prize are marked: each lists (column, row), from 0."""
    patterns = row_of("bingo-prize", prize).patterns
    for cells in patterns():
        if not [cell for cell in cells if not is_marked(card, cell[0], cell[1])]:
            return True
    return False


@check("trade-in-bingo")
def may_trade_in(e):
    if e.card.owner is not e.who:
        return f"not yours: {e.card.id} belongs to somebody else"
    if not pattern_complete(e.card, e.prize):
        return f"the pattern is not complete on {e.card.id}: {e.prize}"


def prizes_of(card):
    return [each.id for each in rows("bingo-prize") if pattern_complete(card, each.id)]


def cards_with_prizes(who):
    return [each for each in every("bingo-card") if each.owner is who and prizes_of(each)]


def prizes_in_reach(who):
    """The prizes of a player's cards; all where there is none, for then the check says why."""
    won = [prize for card in cards_with_prizes(who) for prize in prizes_of(card)]
    return [each.id for each in rows("bingo-prize") if each.id in won or not won]


@action(
    "trade-in-bingo",
    "Trade in a bingo card",
    card=choose("bingo-card", "Card", choices=cards_with_prizes),
    prize=one_of(prizes_in_reach, "Prize", otherwise="the pattern of that prize is not complete on a card of yours"),
    square=choose("square", "Square", optional=True),
)
def trade_in(e):
    take_item(e.who, e.card.id)
    do("bingo-prize", who=e.who, prize=e.prize, card=e.card.id, square=e.square)
    destroy(e.card)


rule("XXXI.3/center", """
The cell in the middle: a warp bubble.
""", title="Center")

row("bingo-prize", "center", patterns=lambda: [[(2, 2)]])


@after("bingo-prize")
def prize_for_center(e):
    if e.prize == "center":
        give_item(e.who, "warp-bubble")


rule("XXXI.3/corners", """
The four corners: no rent in this update and the next {updates}.
""", title="Corners", updates=3)

row("bingo-prize", "corners", patterns=lambda: [[(0, 0), (0, 4), (4, 0), (4, 4)]])
attribute("player", "rent_free_until", None, label="No rent until update", type="number")


@after("bingo-prize")
def prize_for_corners(e):
    if e.prize == "corners":
        put(e.who, "rent_free_until", thing("game").update + rule.updates)


@instead("pay-rent")
def no_rent(e):
    if e.who.rent_free_until is not None and thing("game").update <= e.who.rent_free_until:
        return False


rule("XXXI.3/line", """
A whole row or a whole column: ${prize} from the Admin Bank Account.
""", title="Line", prize=1500)


def lines():
    columns = [[(each, cell) for cell in range(5)] for each in range(5)]
    return columns + [[(each, cell) for each in range(5)] for cell in range(5)]


row("bingo-prize", "line", patterns=lines)


@after("bingo-prize")
def prize_for_line(e):
    if e.prize == "line":
        pay("$admin", e.who, rule.prize)


rule("XXXI.3/diagonal", """
A diagonal: the player takes any square, whether somebody owns it or not, with everything on it.
""", title="Diagonal")


def diagonals():
    return [[(each, each) for each in range(5)], [(each, 4 - each) for each in range(5)]]


row("bingo-prize", "diagonal", patterns=diagonals)


@check("trade-in-bingo")
def square_to_steal(e):
    if e.prize == "diagonal":
        if e.square is None:
            return "square is missing: say which one you take"
        if e.square.owner is e.who:
            return f"{e.square.id} is yours already"


@after("bingo-prize")
def prize_for_diagonal(e):
    if e.prize == "diagonal":
        change_owner(e.square, e.who)


rule("XXXI.3/perimeter", """
All {outer} outer cells: diplomatic immunity in this update and the next {updates}. Atrocities do not make one a terrorist then.
""", title="Perimeter", outer=16, updates=3)


def perimeter():
    return [[(each, cell) for each in range(5) for cell in range(5) if each in (0, 4) or cell in (0, 4)]]


row("bingo-prize", "perimeter", patterns=perimeter)
attribute("player", "diplomatic_until", None, label="Diplomatic immunity until update", type="number")


@after("bingo-prize")
def prize_for_perimeter(e):
    if e.prize == "perimeter":
        put(e.who, "diplomatic_until", thing("game").update + rule.updates)


@check("become-terrorist")
def immune(e):
    if e.who.diplomatic_until is not None and thing("game").update <= e.who.diplomatic_until:
        return f"immune: {name_of(e.who)} is a diplomat"


rule("XXXI.3/full", """
All {cells} cells: a mask.
""", title="Full", cells=25)


def everything():
    return [[(each, cell) for each in range(5) for cell in range(5)]]


row("bingo-prize", "full", patterns=everything)


@after("bingo-prize")
def prize_for_full(e):
    if e.prize == "full":
        give_item(e.who, "mask")

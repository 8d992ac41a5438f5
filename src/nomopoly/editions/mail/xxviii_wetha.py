"""Section XXVIII: the Wide Eyed Tree Hugging Anarckists, their dues, Lodges and trees."""

section("XXVIII", "The Wide Eyed Tree Hugging Anarckists")

rule("XXVIII.1", """
The Wide Eyed Tree Hugging Anarckists may be called "the WETHA" without any scorn being meant.
""", title="Short name")

rule("XXVIII.2", """
Any player may pledge to the WETHA at any time by paying it Dues, as many whole dollars as they like. Dues add up.
""", title="Dues")

attribute("player", "dues", 0, label="Dues paid to the WETHA", type="money")


@after("open")
def open_account(e):
    create("account", id="$wetha", name="The WETHA")


@action(
    "pay-dues",
    "Pay Dues to the WETHA",
    fact="pledged",
    say="{who} pledges ${amount} to the WETHA",
    amount=number("Dollars", least=1, money=True),
)
def pay_dues(e):
    spend(e.who, "$wetha", e.amount)
    put(e.who, "dues", e.who.dues + e.amount)


rule("XXVIII.3", """
A player who has paid Dues and must pay rent first rolls {dodge_dice} dice once for each dollar of Dues paid, until one of these rolls is
under {dodge_below}: then no rent is due. If none is, it is ${dodge_surcharge} more.
""", title="Dodging rent", dodge_dice=4, dodge_below=5, dodge_surcharge=1)

event("dodge-rent", who="", square="square")
event("roll-dodge", "rolled", say="{who} rolls {dice} against the rent", who="player", square="square")


@on("dodge-rent")
def try_to_dodge(e):
    """No rent (False), that many dollars more, or nothing changes."""
    if dues_of(e.who) > 0:
        return False if do("roll-dodge", who=e.who, square=e.square) == "dodged" else rule.dodge_surcharge


@on("roll-dodge")
def roll_for_each_dollar(e):
    for dollar in range(dues_of(e.who)):
        total = sum(chance.dice((6,) * rule.dodge_dice))
        note(total=total)
        if total < rule.dodge_below:
            return "dodged"

rule("XXVIII.4", """
The WETHA owns Lodges on squares #{first_lodge} and #{second_lodge}, and on square #{third_lodge} if there is such a square. Lodges are
pollutants, and can be neither coated nor destroyed.
""", title="Lodges", first_lodge=28, second_lodge=53, third_lodge=83)

row(
    "claim",
    "lodge",
    to="$wetha",
    by=(rule.first_lodge, rule.second_lodge, rule.third_lodge),
    numbers=lambda: (rule.first_lodge, rule.second_lodge, rule.third_lodge),
    when=lambda place: value("lodge", place),
)


@value("lodge", of="square", label="Lodge", type="yesno")
def lodge(place):
    return place.number in (rule.first_lodge, rule.second_lodge, rule.third_lodge)


@modify("protected")
def lodges_stay(place, base):
    if value("lodge", place):
        return set(True)


@check("coat")
def never_coated(e):
    if value("lodge", e.square):
        return f"protected: {e.square.id} is a Lodge, and cannot be coated"


@marker("square")
def lodge_sign(place):
    if value("lodge", place):
        return ("W", "a Lodge of the WETHA", "house")


rule("XXVIII.5", """
A member of a Team who has paid no Dues and lands on a Lodge loses, if they own two squares or more, the second least valuable of
them to the WETHA, which puts it at the end of its Giveaway Queue; of equally valuable ones the lower number counts as less. If that
square is part of a Jumpgate or mentioned in the rules, nothing is lost.
""", title="A Lodge and a Team member without Dues", landing_place=70)

attribute("account", "queue", (), label="Giveaway Queue", type="thing")
event("lose-square", who="player", mover="", square="square", how="")
event("take-square", "transferred", say="{square} goes from {who} to {to}", who="player", square="square", to="")
event(
    "give-away", "transferred", say="{square} goes from the Giveaway Queue to {to}", who="", square="square",
    to="player"
)
landing(
    "lodge-and-no-dues",
    rule.landing_place,
    "lose-square",
    when=lambda who, mover, square: value("lodge", square) and team_of(who) is not None and dues_of(who) == 0,
)


def second_least(who):
    """The second least valuable square of a player, or None."""
    worth = sorted([(value("market_value", each), each.number) for each in owned_by(who)])
    return square(worth[1][1]) if len(worth) > 1 else None


@on("lose-square")
def lose_one(e):
    who = bearer(e)
    place = second_least(who)
    if place is not None and attribute_of(place, "jumpgate") is None and not value("mentioned", place):
        do("take-square", who=who, square=place, to=wetha())


@on("take-square")
def take_one(e):
    change_owner(e.square, e.to)
    put(wetha(), "queue", (*giveaway_queue(), e.square))


@on("give-away")
def give_one(e):
    change_owner(e.square, e.to)


rule("XXVIII.6", """
A member of a Team who has paid Dues and lands on a Lodge is fined ${lodge_fine}, which goes to the WETHA but is no Dues, and gets the first
square of the Giveaway Queue, if there is any.
""", title="A Lodge and a Team member with Dues", lodge_fine=50, landing_place=80)

event("lodge-fine", who="player", mover="", square="square", how="")
landing(
    "lodge-and-dues",
    rule.landing_place,
    "lodge-fine",
    when=lambda who, mover, square: value("lodge", square) and team_of(who) is not None and dues_of(who) > 0,
)


@on("lodge-fine")
def fine_and_gift(e):
    fine_to(e.who, rule.lodge_fine, wetha())
    give_away(e.who)


rule("XXVIII.7", """
A Freemason who lands on a Lodge gets the first square of the Giveaway Queue, if there is any.
""", title="A Lodge and a Freemason", landing_place=90)

event("lodge-gift", who="player", mover="", square="square", how="")
landing(
    "lodge-and-freemason",
    rule.landing_place,
    "lodge-gift",
    when=lambda who, mover, square: value("lodge", square) and attribute_of(who, "freemason", False),
)


@on("lodge-gift")
def gift(e):
    give_away(e.who)


rule("XXVIII.8", """
Whoever has paid Dues can have a tree planted on a square, unless it has one, or a Store, Tefflon or pollution on it. That costs nothing,
is done from any place, and needs no leave of the square's owner. A square with a tree can neither become a Store or a pollutant nor be coated with Tefflon. Nothing
but the destruction of its square removes a tree.
""", title="Trees")

attribute("square", "tree", False, label="Tree")
event("fell-tree", "tree-felled", say="The tree on {square} is gone", square="square")


def no_room(place):
    """Why no tree can be planted on a square, or nothing."""
    if place.tree:
        return f"already: there is a tree on {place.id}"
    if attribute_of(place, "building") == "store":
        return f"there is a Store on {place.id}: no tree can be planted there"
    if coating_of(place) == "tefflon":
        return f"tefflon: no tree can be planted on {place.id}"
    if attribute_of(place, "pollutant"):
        return f"{place.id} is a pollutant: no tree can be planted there"


@check("plant-tree")
def room_for_a_tree(e):
    if dues_of(e.who) == 0:
        return "not a member: who plants trees has paid Dues to the WETHA"
    return no_room(e.square)


@action(
    "plant-tree",
    "Plant a tree",
    fact="planted",
    say="{who} plants a tree on {square}",
    square=choose("square", "Square", choices=lambda who: [each for each in squares() if no_room(each) is None]),
)
def plant_tree(e):
    put(e.square, "tree", True)


@check("coat")
def no_tefflon_on_trees(e):
    if e.coating == "tefflon" and e.square.tree:
        return f"there is a tree on {e.square.id}: no Tefflon can be put there"


@check("build-store")
def no_store_under_trees(e):
    if e.square.tree:
        return f"there is a tree on {e.square.id}: no Store can be built there"


@check("pollute")
def no_pollution_under_trees(e):
    if e.square.tree:
        return f"there is a tree on {e.square.id}: it is no pollutant"


@check("fell-tree")
def trees_stay(e):
    return f"nothing but the destruction of its square removes the tree on {e.square.id}"


@on("fell-tree")
def fell(e):
    put(e.square, "tree", False)


@marker("square")
def tree_there(place):
    if place.tree:
        return ("T", "a tree")

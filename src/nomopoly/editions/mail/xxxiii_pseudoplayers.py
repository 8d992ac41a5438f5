"""Section XXXIII: the pieces that are no players: the elephant, the Phantom Piece, the Corporate Player and TISSSG."""

section("XXXIII", "Pseudoplayers")

rule("XXXIII.1", """
A pseudoplayer is a piece that stands on a square and that nobody plays: where it has a choice, the Admin decides for it, and a choice
that the Admin does not make in time means no. It has none of the powers and duties of a player but those that a rule names. Where a
rule speaks of all players, or of each player, pseudoplayers are not meant. A turn of a pseudoplayer goes like a player's: it rolls
dice, goes as many squares as there are pips, is moved on by grease, and changes nothing while no square is White. But doubles,
sevens and elevens, glue, Jumpgates and everything about money concern only the Corporate Player. The elephant begins on the Zoo,
or on the first square if there is none; the others begin on the first square.
""", title="What they are")

kind("creature", prefix="creature-", label="Pseudoplayer")
attribute("creature", "name", None, label="Name")
attribute("creature", "square", None, label="Square", type="thing", holds=("square",), needed=True)
event("creature-move", creature="creature")
event("destroy-creature", "destroyed", say="{creature} is gone", creature="creature")


@after("open")
def first_places(e):
    names = dict([(each.id, each.name) for each in rows("pseudoplayer")])
    for id in ("elephant", "phantom", "corporate-player", "tisssg"):
        create("creature", id=id, name=names.get(id), square=value("start_square"))
    put(find("elephant"), "square", find(f"#{value('zoo', otherwise=0)}") or value("start_square"))


@on("destroy-creature")
def gone(e):
    destroy(e.creature)


@on("creature-move")
def weekly_move(e):
    for each in rows("pseudoplayer"):
        if e.creature is not None and each.id == e.creature.id:
            do(each.event, creature=e.creature)


@check("pseudo")
def decides_for_it(e):
    for each in rows("decision"):
        if each.id == e.do_ and each.creature == e.creature.id:
            return
    return f"{e.creature.id} has no choice called {e.do_}"


@action(
    "pseudo", "Decide for a pseudoplayer",
    by="admin",
    also=(("act", "do"),),
    creature=choose("creature", "Pseudoplayer"),
    do_=words("Decision", optional=True),
    args=anything("What it says"),
)
def decide(e):
    do(row_of("decision", e.do_).event, creature=e.creature, args=e.args or {})


@marker("creature")
def seen_on_board(which):
    known = [each for each in rows("pseudoplayer") if each.id == which.id]
    return (known[0].symbol, known[0].name) if known else None


rule("XXXIII.2", """
The elephant has broken out of the Zoo. Once a week it rolls one die. On a 1 it goes south, on a 2 west, on a 3 east, on a 4 north, if there
is a square that way. On a 5 all players on its square become Sick. On a 6 it strips all coatings off its square and colors the square
in its Skin Color, which is White at first. A player who occupies its square may feed it an item, which is the elephant's then. When
it has been fed while it had {calm_items} items or more already, there is an even chance of Expelling: half of its items, rounded down and picked
at random with the new one among them, are destroyed, the others go to the player who has fed it, all players on its square become
Sick, and the square is painted in its Expulsion Color. That is {expulsion_color}.
""", title="The elephant", calm_items=4, expulsion_color="Khaki")

row("pseudoplayer", "elephant", name="Elephant", symbol="E", event="elephant-rolls")
attribute("creature", "color", None, label="Skin Color", holds="color")
attribute("creature", "expulsion_color", None, label="Expulsion Color")
attribute("creature", "items", (), label="Items")
event("elephant-rolls", creature="creature")
event("elephant-week", say="The elephant's week")
event("feed", "fed", say="{who} feeds {creature} with {item}", who="player", creature="creature", item="")
event("elephant-expels", "expelled", say="{creature} expels", who="player", creature="creature", square="square")
step("pseudoplayers", 10, "elephant-week", when=lambda: find("elephant") is not None)


@after("open")
def its_colors(e):
    put(find("elephant"), "color", "White")
    put(find("elephant"), "expulsion_color", rule.expulsion_color)


@after("rules-changed")
def other_expulsion_color(e):
    if find("elephant") is not None:
        put(find("elephant"), "expulsion_color", rule.expulsion_color)


@on("elephant-week")
def elephant_week(e):
    do("creature-move", creature=find("elephant"))


@modify("dice_count")
def one_die(mover, base):
    if mover.id == "elephant":
        return add(1 - base)


@on("elephant-rolls")
def elephant_rolls(e):
    which = e.creature
    face = do("roll", who=which, mover=which, sort="elephant")[0]
    if face <= 4:
        goal = value("neighbour", which.square, ("south", "west", "east", "north")[face - 1])
        if goal is not None:
            land_on(which, goal, "elephant")
    elif face == 5:
        sicken_all_with(which)
    else:
        uncoat(which.square, "elephant")
        paint(which, which.square, which.color, "elephant")


def sicken_all_with(which):
    for each in here(which.square):
        make_sick(each, which)


@check("feed-elephant")
def in_reach(e):
    which = find("elephant")
    if which is None:
        return "not there: there is no elephant"
    if not stands_on(e.who, which.square):
        return f"not there: the elephant is on {which.square.id}"


@action(
    "feed-elephant",
    "Feed the elephant",
    item=one_of(items_of, "Item", otherwise="not yours: you have no such item"),
)
def feed_elephant(e):
    take_item(e.who, e.item)
    do("feed", who=e.who, creature=find("elephant"), item=e.item)


@on("feed")
def swallow(e):
    before = len(e.creature.items)
    put(e.creature, "items", (*e.creature.items, e.item))
    if before >= rule.calm_items and chance.one_in(2):
        do("elephant-expels", who=e.who, creature=e.creature, square=e.creature.square)


@on("elephant-expels")
def expel(e):
    left = list(e.creature.items)
    for _ in range(len(left) // 2):
        left.remove(chance.pick(left))
    put(e.creature, "items", ())
    for id in left:
        give_item(bearer(e), id)
    note(items=tuple(left))
    sicken_all_with(e.creature)
    paint(e.creature, e.square, e.creature.expulsion_color, "elephant")


rule("XXXIII.3", """
The Phantom Piece takes a turn once a week. Where a rule would have it land on a square, it does not land there, but only occupies it. After
its turn the color of its square takes effect on all, as the following rules say; White has no effect. Where several players
are concerned, they are so in the order in which they joined the game.
""", title="The Phantom Piece")

row("pseudoplayer", "phantom", name="Phantom Piece", symbol="P", event="phantom-turn")
event("phantom-turn", creature="creature")
event("phantom-week", say="The Phantom Piece's week")
event("haunt", "haunted", say="{square} is {color}: {name}", creature="creature", square="square", color="", name="")
step("pseudoplayers", 20, "phantom-week", when=lambda: find("phantom") is not None)


@on("phantom-week")
def phantom_week(e):
    do("creature-move", creature=find("phantom"))


@on("phantom-turn")
def phantom_turn(e):
    which = e.creature
    if do("turn", who=which, sort="normal") is not False and exists(which):
        for each in rows("haunting"):
            if each.id == which.square.color:
                do("haunt", creature=which, square=which.square, color=each.id, name=each.name)


@instead("land")
def only_occupies(e):
    if e.mover.id == "phantom":
        return e.to("put", who=e.who, mover=e.mover, square=e.square, how=e.how)


@on("haunt")
def haunt(e):
    for each in rows("haunting"):
        if each.id == e.color:
            do(each.event)


rule("XXXIII.3/red", """
Red, Expansion: The Corporation buys the lowest-numbered square without an owner at its market value, paid to The Government, and builds
a Factory on it, a branch of the Experimental Technology Factory. Nothing happens if every square has an owner or The
Corporation has not got the money.
""", title="Expansion")

row("haunting", "Red", name="Expansion", event="expansion")
event("expansion")


@on("expansion")
def expansion(e):
    buyer = find("$corporation")
    free = [each for each in in_sequence() if each.owner is None]
    if free and buyer.money >= value("market_value", free[0]):
        if do("buy", may=True, who=buyer, square=free[0], price=value("market_value", free[0])):
            do("build", may=True, who=buyer, square=free[0], building="factory")


rule("XXXIII.3/orange", """
Orange, Bonus Issues: The Corporation pays every player ${dividend} for each full {lot} shares they own; if it cannot pay all of that, it
pays nobody. Then the number of all shares, sold and unsold, rises by {rise}%, rounded; the new ones are unsold.
""", title="Bonus Issues", dividend=1, lot=10, rise=10)

row("haunting", "Orange", name="Bonus Issues", event="bonus-issues")
event("bonus-issues")


@on("bonus-issues")
def bonus_issues(e):
    due = [(each, each.shares // rule.lot * rule.dividend) for each in players()]
    if sum([amount for _, amount in due]) <= find("$corporation").money:
        for who, amount in due:
            if amount:
                pay("$corporation", who, amount)
    game = thing("game")
    shares = game.shares_unsold + sum([each.shares for each in players()])
    put(game, "shares_unsold", game.shares_unsold + share(shares, rule.rise))


rule("XXXIII.3/yellow", """
Yellow, Extortion: every player pays The Corporation ${amount}.
""", title="Extortion", amount=200)

row("haunting", "Yellow", name="Extortion", event="extortion")
event("extortion")


@on("extortion")
def extortion(e):
    for each in players():
        pay(each, "$corporation", rule.amount)


rule("XXXIII.3/green", """
Green, Pollution: one of the Factories that are not yet pollutants, each equally likely, becomes a pollutant; if all are pollutants, one of the
successors and predecessors of Factories that are not yet pollutants. A square with a tree is never picked.
""", title="Pollution")

row("haunting", "Green", name="Pollution", event="pollution")
event("pollution")


def can_be_polluted(place):
    return not place.pollutant and not attribute_of(place, "tree", False)


@on("pollution")
def pollution(e):
    factories = [each for each in in_sequence() if each.building == "factory"]
    around = [value(way, each) for each in factories for way in ("predecessor", "successor")]
    clean = [each for each in factories if not each.pollutant]
    options = [each for each in in_sequence() if each in (clean or around) and can_be_polluted(each)]
    if options:
        do("pollute", square=chance.pick(options))


rule("XXXIII.3/blue", """
Blue, Creative Accounting: all money of The Corporation goes to the SBA; what is lacking to make that ${least} comes to the SBA from outside
the game.
""", title="Creative Accounting", least=4000)

row("haunting", "Blue", name="Creative Accounting", event="creative-accounting")
event("creative-accounting")


@on("creative-accounting")
def creative_accounting(e):
    there = find("$corporation").money
    if there:
        pay("$corporation", "$sba", there)
    if there < rule.least:
        gain("$sba", rule.least - there)


rule("XXXIII.3/indigo", """
Indigo, Negligence: every player without shares becomes Sick.
""", title="Negligence")

row("haunting", "Indigo", name="Negligence", event="negligence")
event("negligence")


@on("negligence")
def negligence(e):
    for each in players():
        if not each.shares:
            make_sick(each, find("phantom"))


rule("XXXIII.3/maroon", """
Maroon, Social Security: all players get equal shares of The Government's money, in whole dollars; only what cannot be shared so stays with it.
""", title="Social Security")

row("haunting", "Maroon", name="Social Security", event="social-security")
event("social-security")


@on("social-security")
def social_security(e):
    each_gets = find("$government").money // count("player") if count("player") else 0
    for each in players():
        if each_gets:
            pay("$government", each, each_gets)


rule("XXXIII.3/navy", """
Navy, Health Care: all Sick players are well.
""", title="Health Care")

row("haunting", "Navy", name="Health Care", event="health-care")
event("health-care")


@on("health-care")
def health_care(e):
    for each in players():
        if each.sick:
            cure(each)


rule("XXXIII.3/khaki", """
Khaki, Science & Technology: every player may choose one {wanted} that is on sale, but none that can only be used in buying it. When the
next update begins, or as soon as all have answered, the players get what they have chosen, in the order in which they joined. The
Government pays for each if it has the money; where it has not, the player pays, and gets nothing without the money. No answer means
no choice.
""", title="Science & Technology", wanted="Experimental Technology")

row("haunting", "Khaki", name="Science & Technology", event="science")
event("science")
event("science-chosen", answers="")


def technologies():
    return [each.id for each in products_of_type(rule.wanted) if each.id in products_on_sale()]


@on("science")
def science(e):
    if players():
        options = (*technologies(), "none")
        text = f"Which {rule.wanted} do you want? The Government pays for it as long as it can."
        ask_until_update(tuple(players()), "science", text, options, "science-chosen", "none")


@on("science-chosen")
def served(e):
    for who in players():
        for each, id in e.answers:
            if each is who and id in technologies():
                payer = find("$government") if find("$government").money >= thing(id).price else who
                if payer.money >= thing(id).price:
                    obtain(who, id, payer)


rule("XXXIII.3/teal", """
Teal, Infrastructure: {squares} new squares are added to the board. Nobody pays for them.
""", title="Infrastructure", squares=8)

row("haunting", "Teal", name="Infrastructure", event="infrastructure")
event("infrastructure")


@on("infrastructure")
def infrastructure(e):
    for _ in range(rule.squares):
        make_square()


rule("XXXIII.3/lime", """
Lime, Palm-Greasing: every player who is no Registered Voter pays ${amount}. What was collected is shared evenly among the Registered Voters, in
whole dollars and at most ${most} each; the rest goes to the SBA, all of it if there are none. The Government hands the money on.
""", title="Palm-Greasing", amount=300, most=200)

row("haunting", "Lime", name="Palm-Greasing", event="palm-greasing")
event("palm-greasing")


@on("palm-greasing")
def palm_greasing(e):
    collected = 0
    for each in players():
        if not each.voter:
            collected = collected + paid_by(each, "$government", rule.amount)
    voters = [each for each in players() if each.voter]
    each_gets = min(collected // len(voters), rule.most) if voters else 0
    for each in voters:
        if each_gets:
            pay("$government", each, each_gets)
    if collected > each_gets * len(voters):
        pay("$government", "$sba", collected - each_gets * len(voters))


rule("XXXIII.3/fuchsia", """
Fuchsia, Taxation: every player pays The Government ${amount}.
""", title="Taxation", amount=500)

row("haunting", "Fuchsia", name="Taxation", event="taxation")
event("taxation")


@on("taxation")
def taxation(e):
    for each in players():
        pay(each, "$government", rule.amount)


rule("XXXIII.4", """
The Corporate Player takes a turn once a week, with one die more than usual. It is in all ways like a player, with what The
Corporation owns and owes, except that it is never Sick, has no Team and no part in the CL phase, cannot propose, win, or be
anybody's Victim, and is not meant by 'all players'. It buys squares without an owner only if the Admin decides so while it
is there. When it lands on a player's square and The Corporation has ${least_money} or more, it offers to buy the square for {hundredths}% of its market
value, rounded down, and ${for_store} more if there is a Store, and ${for_original} more for each product sold in that Store that
repeats no other one. The owner answers until the next update begins; no answer means no, and the money must be there when it is
paid. A square given to the Corporate Player, or sold so, that is not of a Corporate Color turns into one of them, each equally likely of
those in which no block hinders it; Tefflon keeps its color.
""", title="The Corporate Player", least_money=2500, hundredths=217, for_store=300, for_original=200, landing_place=100)

row("pseudoplayer", "corporate-player", name="Corporate Player", symbol="C", event="corporate-turn")
row("decision", "buy-square", creature="corporate-player", event="corporate-buys")
event("corporate-turn", creature="creature")
event("corporate-week", say="The Corporate Player's week")
event("corporate-buys", creature="creature", args="")
event("make-offer", who="", mover="", square="square", how="")
event("corporate-offer", "offered", say="an offer to {to}: ${amount} for {square}",  # the question tells of it too
      to="player", square="square", amount="")
event("offer-answered", answers="", square="square", amount="")
event("sell-to-it", "sold", say="{who} sells {square} to {to} for ${amount}", who="player", square="square", to="", amount="")
landing(
    "corporate-offer", rule.landing_place, "make-offer",
    when=lambda who, mover, square: mover.id == "corporate-player", creatures=True
)
step("pseudoplayers", 30, "corporate-week", when=lambda: find("corporate-player") is not None)


@on("corporate-week")
def corporate_week(e):
    do("creature-move", creature=find("corporate-player"))


@on("corporate-turn")
def corporate_turn(e):
    do("turn", who=e.creature, sort="normal")


@modify("dice_count")
def one_more(mover, base):
    if mover.id == "corporate-player":
        return add(1)


@value("corporate_price", of="square")
def corporate_price(place):
    """What the Corporate Player offers for a square."""
    extra = 0
    if place.building == "store":
        extra = rule.for_store + rule.for_original * len(originals_of_type(place.sells))
    return value("market_value", place) * rule.hundredths // 100 + extra


@on("make-offer")
def make_offer(e):
    owner = e.square.owner
    if owner is not None and owner.kind == "player" and find("$corporation").money >= rule.least_money:
        do("corporate-offer", to=owner, square=e.square, amount=value("corporate_price", e.square))


@on("corporate-offer")
def put_the_question(e):
    text = f"The Corporate Player offers ${e.amount} for {e.square.id}. Do you sell?"
    about = {"square": e.square, "amount": e.amount}
    ask_until_update(e.to, "corporate-offer", text, ("yes", "no"), "offer-answered", "no", **about)


@on("offer-answered")
def perhaps_sold(e):
    for who, choice in e.answers:
        if choice == "yes" and exists(e.square) and e.square.owner is who:
            if find("$corporation").money < e.amount:
                refuse(f"cannot afford: The Corporation has not got ${e.amount} any more")
            do("sell-to-it", who=who, square=e.square, to=find("$corporation"), amount=e.amount)


@on("sell-to-it")
def sell_to_it(e):
    pay(e.to, e.who, e.amount)
    change_owner(e.square, e.to)


@after("change-owner")
def recolor_given(e):
    given = e.to is find("$corporation") and (e.caused_by("give-square") or e.caused_by("offer-answered"))
    if given and not is_corporate(e.square) and coating_of(e.square) != "tefflon":
        free = free_colors("Corporate")
        if free:
            paint(find("corporate-player"), e.square, chance.pick(free), "corporate-player")


@on("corporate-buys")
def corporate_buys(e):
    place = thing(dict(e.args).get("square") or e.creature.square.id)
    if place is not e.creature.square:
        refuse(f"not there: the Corporate Player is on {e.creature.square.id}")
    if place.owner is not None:
        refuse(f"owned: {place.id} belongs to {name_of(place.owner)}")
    price = value("market_value", place)
    if find("$corporation").money < price:
        refuse(f"cannot afford: The Corporation has not got ${price}")
    do("buy", who=find("$corporation"), square=place, price=price)


rule("XXXIII.5", """
TISSSG, The Insane Shrieking Spooky Self-destroying Geezer, takes a turn once a week with one die more than usual. At the end of it he
screams: all players on his square are Hurt. Then, if other pseudoplayers are there, all of them and he himself are destroyed, with
what the elephant had; what The Corporation has stays with it. For ${price}, paid to The Government, any player turns him into TSMSG, The
Sane Mild Silent Geezer: he moves in the same way and harms nobody, but if his turn ends on the elephant's square he is trampled and
gone. What is destroyed does not come back.
""", title="TISSSG", price=350)

row("pseudoplayer", "tisssg", name="TISSSG", symbol="T", event="tisssg-turn")
attribute("creature", "sane", False, label="Sane")
event("tisssg-turn", creature="creature")
event("tisssg-week", say="TISSSG's week")
event("scream", "screamed", say="{creature} screams on {square}", creature="creature", square="square")
step("pseudoplayers", 40, "tisssg-week", when=lambda: find("tisssg") is not None)


@on("tisssg-week")
def tisssg_week(e):
    do("creature-move", creature=find("tisssg"))


@modify("dice_count")
def insane_die(mover, base):
    if mover.id == "tisssg":
        return add(1)


@on("tisssg-turn")
def tisssg_turn(e):
    which = e.creature
    if do("turn", who=which, sort="normal") is False or not exists(which):
        return
    others = [each for each in here(which.square, "creature") if each is not which]
    if not which.sane:
        do("scream", creature=which, square=which.square)
        for each in (*others, which) if others else ():
            do("destroy-creature", creature=each)
    elif [each for each in others if each.id == "elephant"]:
        do("destroy-creature", creature=which)


@on("scream")
def scream(e):
    for each in here(e.square):
        make_hurt(each, e.creature)


@check("calm-tisssg")
def insane_yet(e):
    if find("tisssg") is None:
        return "not there: TISSSG is gone"
    if find("tisssg").sane:
        return "already sane"


@action("calm-tisssg", "Calm TISSSG", fact="calmed", say="{who} calms TISSSG")
def calm_tisssg(e):
    spend(e.who, "$government", rule.price)
    put(find("tisssg"), "sane", True)
    put(find("tisssg"), "name", "TSMSG")

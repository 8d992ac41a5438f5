"""Section XIX: products, and what each of them does."""

section("XIX", "Products")

rule("XIX.1", """
A product that nobody has bought within {weeks} weeks of its creation leaves the rules as a week starts.
""", title="Unsold products", weeks=2)

event("unsold-products")
step("W5", 10, "unsold-products", when=lambda: [each for each in every("product") if not each.bought])


@on("unsold-products")
def take_off(e):
    late = [each for each in every("product") if not each.bought and each.made_at + days(7 * rule.weeks) <= now() + hours(2)]
    gone = ()
    for each in late:
        number = product_row(each.id).rule
        together = [other.id for other in rows("product") if other.rule == number]
        if [id for id in together if thing(id) not in late]:
            put(each, "on_sale", False)  # its rule has others in it that are sold
        elif number not in gone:
            gone = (*gone, number)
    change_rulebook([{"repeal": number} for number in gone])


rule("XIX.2", """
Who makes a product that repeats the effect of another one makes a Repackaged Product; whether it does, the Admin judges. So are the
originals of paint patents of The Government or The Corporation, by the group of their color; glue, lottery tickets and extra dice are
The Government's (tickets are paid to the Pot), and Tefflon on and off, New Clear Fishing and Explosive Insurance The Corporation's.
""", title="Originals and repackaging")

for _color in ("red", "orange", "yellow", "green", "blue", "indigo"):
    row("payee", "paint-" + _color, to="$corporation")
for _color in ("maroon", "navy", "khaki", "teal", "lime", "fuchsia"):
    row("payee", "paint-" + _color, to="$government")
for _ware in ("glue", "extra-die"):
    row("payee", _ware, to="$government")
row("payee", "ticket", to="$pot")
for _ware in ("tefflon", "remove-tefflon", "new-clear-fishing", "insurance"):
    row("payee", _ware, to="$corporation")

rule("XIX.3", """
Warp Bubble (Experimental Technology, ${price}, patent of The Corporation). Its user is taken to any square and lands there. It is gone then.
""", title="Warp Bubble", price=500)

product(
    "warp-bubble",
    "Warp Bubble",
    rule.price,
    type="Experimental Technology",
    asks=("square",),
    effect=lambda e: land_on(e.who, e.square, "warp"),
)

rule("XIX.4", """
Blockbuster (Experimental Technology, ${price}, patent of The Corporation). It is delivered to any square that has none. If it is not
disarmed within a week it destroys that square, and the whole block if the square is in one. It is disarmed when any player lands
on the square. If the square is in the base of a Team, the Team is told; it is disarmed too when {members} members of it (all, if they are
fewer) have each paid ${fee} to The Government. Also as Fake Toy Bomb (Novelty, ${fake_price}, royalty ${fake_royalty}).
""", title="Blockbuster", price=300, members=3, fee=50, fake_price=325, fake_royalty=275)

attribute("square", "blockbuster", None, label="Blockbuster")
attribute("game", "bombs", (), show="nobody")  # the squares with Blockbusters, in order of placing
attribute("game", "doomed", (), show="nobody")  # the squares that the one that explodes has still to destroy
event("place-bomb", who="player", square="square")
event("disarm-bomb", "disarmed", say="The Blockbuster on {square} is disarmed", who="", mover="", square="square", how="")
event("explode", "exploded", say="The Blockbuster on {square} explodes", square="square")
event("blockbusters")


def deliver(e):
    if attribute_of(e.square, "blockbuster") is not None:
        refuse(f"already: there is a Blockbuster on {e.square.id}")
    do("place-bomb", who=e.who, square=e.square)


@on("place-bomb")
def place_bomb(e):
    set_bomb(e.square, e.who, 2)
    put(thing("game"), "bombs", (*[each for each in thing("game").bombs if each is not e.square], e.square))
    if teams_on():
        for who in players():
            if who.team in value("bases", e.square):
                tell(who, f"A Blockbuster is on {e.square.id}, in the base of your Team")


product(
    "blockbuster", "Blockbuster", rule.price, type="Experimental Technology", asks=("square",), effect=deliver
)
product(
    "fake-toy-bomb",
    "Fake Toy Bomb",
    rule.fake_price,
    type="Novelty",
    original="blockbuster",
    royalty=rule.fake_royalty,
    asks=("square",),
    effect=deliver,
)

rule("XIX.5", """
Jumpgate Builder (Experimental Technology, ${price}, patent of The Corporation). It must be used as it is bought: it makes a Jumpgate between
two squares of its buyer, or between one of them and one without owner, which becomes the buyer's. A square has one Jumpgate at most.
""", title="Jumpgate Builder", price=500)

product(
    "jumpgate-builder", "Jumpgate Builder", rule.price, type="Experimental Technology", usable=False, in_shop=False
)

rule("XIX.6", """
Hot Spring Bath (${price}, patent of a player). If its owner is Sick, the owner becomes well; if its owner has Chains that are not Rusty,
they become Rusty. When neither can happen any more, the bath is gone at once.
""", title="Hot Spring Bath", price=40)

product("hot-spring-bath", "Hot Spring Bath", rule.price, usable=False)

rule("XIX.7", """
Eye Opener (Caffeinity, ${price}, patent of a player). A player who drinks it before the update counts as having given all orders of that
week before those of all players who drank none. Also as Chez Caffeine's Eye Opener (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="Eye Opener", price=50, chez_price=50, chez_royalty=40)

attribute("player", "eye_opened", False, show=("owner", "admin"))
event("eye-openers")
step("U1", 10, "eye-openers", when=lambda: [each for each in players() if each.eye_opened])


def open_eyes(e):
    put(e.who, "eye_opened", True)


@on("eye-openers")
def first_orders(e):
    go_first([each for each in players() if each.eye_opened])
    for who in players():
        put(who, "eye_opened", False)


product("eye-opener", "Eye Opener", rule.price, type="Caffeinity", at_once=True, effect=open_eyes)
product(
    "chez-eye-opener",
    "Chez Caffeine's Eye Opener",
    rule.chez_price,
    type="Beverage",
    original="eye-opener",
    royalty=rule.chez_royalty,
    at_once=True,
    effect=open_eyes,
)

rule("XIX.8", """
All-Nighter (Caffeinity, ${price}, patent of a player). A player may drink at most {most} a week; it allows one proposal more in that week, with
all that goes with it. Also as Chez Caffeine's All-Nighter (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="All-Nighter", price=100, most=1, chez_price=100, chez_royalty=75)

attribute("player", "all_nighters", 0, label="All-Nighters this week")
event("week-of-all-nighters")
step("W1", 10, "week-of-all-nighters", when=lambda: [each for each in players() if each.all_nighters])


def stay_up(e):
    if e.who.all_nighters >= rule.most:
        refuse(f"already: {rule.most} All-Nighter a week")
    put(e.who, "all_nighters", e.who.all_nighters + 1)


@modify("proposal_limit")
def one_proposal_more(who, base):
    if who is not None and who.kind == "player" and who.all_nighters:
        return add(who.all_nighters)


@on("week-of-all-nighters")
def sleep_again(e):
    for who in players():
        put(who, "all_nighters", 0)


product("all-nighter", "All-Nighter", rule.price, type="Caffeinity", at_once=True, effect=stay_up)
product(
    "chez-all-nighter",
    "Chez Caffeine's All-Nighter",
    rule.chez_price,
    type="Beverage",
    original="all-nighter",
    royalty=rule.chez_royalty,
    at_once=True,
    effect=stay_up,
)

rule("XIX.9", """
V-8 (Beverage, ${price}, patent of a player). Who drinks it becomes well, and another player picked at random becomes Sick. Also as Fancy
Ketchup (Candy, ${ketchup_price}, royalty ${ketchup_royalty}).
""", title="V-8", price=50, ketchup_price=60, ketchup_royalty=10)


def pass_it_on(e):
    cure(e.who)
    others = [each for each in players() if each is not e.who]
    if others:
        make_sick(chance.pick(others), e.who)


product("v-8", "V-8", rule.price, type="Beverage", effect=pass_it_on)
product(
    "fancy-ketchup",
    "Fancy Ketchup",
    rule.ketchup_price,
    type="Candy",
    original="v-8",
    royalty=rule.ketchup_royalty,
    effect=pass_it_on,
)

rule("XIX.10", """
'Bot (Experimental Technology, ${price}, patent of The Corporation). Where part of the price of an action would go to another player who has a
job, a 'Bot that its owner lets do the work spares the payment. After each time three dice are rolled: on a total of {total} it
explodes; then the destroyable square closest to its owner is destroyed, and the 'Bot is gone. After {uses} payments that it has spared
it is gone in any case.
""", title="'Bot", price=150, total=3, uses=3)

attribute("player", "bot_uses", 0, label="Uses of a 'Bot")
event("spare-price", who="player", job="", price="")
event("bot-explodes", "exploded", say="A 'Bot explodes at {square}", who="player", square="square")
product("bot", "'Bot", rule.price, type="Experimental Technology", usable=False)

rule("XIX.11", """
Disguise Kit (Novelty, ${price}, patent of a player). Its user dresses up as another player, the Victim: all that passing and landing does to the
user, but for the change of place, befalls the Victim, until the week ends or the Victim has lost ${most} in this way. Only the two
are told.
""", title="Disguise Kit", price=200, most=500)

attribute("player", "disguise", None, label="Disguised as", type="thing", show=("owner", "admin"))
attribute("player", "disguise_lost", 0, label="Lost by the Victim", type="money", show=("owner", "admin"))
event("disguises-end")
step("W1", 20, "disguises-end", when=lambda: [each for each in players() if each.disguise is not None])

rule("XIX.12", """
Impersonator 2000 (${price}, patent of a player, not on sale). While it is on, what moves the user befalls the user, and all other effects of
the user's actions befall the Victim. It ends after a week, or before that when what the Victim has paid in this way reaches ${most}. Half
of what its patent brings goes to the patent of the Disguise Kit. Also as Better Disguise Kit (Novelty, ${better_price}, royalty
${better_royalty}, not on sale).
""", title="Impersonator 2000", price=600, most=1000, better_price=600, better_royalty=60)

attribute("player", "impersonates", None, label="Impersonates", type="thing", show=("owner", "admin"))
attribute("player", "impersonate_paid", 0, label="Paid by the impersonated", type="money", show=("owner", "admin"))
attribute("player", "impersonate_until", None, label="Impersonates until", show=("owner", "admin"), moment="real")
event("impersonators-end")
step("U1", 30, "impersonators-end", when=lambda: [each for each in players() if each.impersonates is not None])

rule("XIX.13", """
Fake Vomit (Novelty, ${price}, patent of a player). It is dropped on the square that its user occupies. Every other player who later comes to
occupy that square becomes Sick.
""", title="Fake Vomit", price=50)

attribute("square", "vomit", (), label="Fake vomit")


def drop_vomit(e):
    place = occupied_square(e.who, e.square)
    put(place, "vomit", (*[each for each in place.vomit if each is not e.who], e.who))


product("fake-vomit", "Fake Vomit", rule.price, type="Novelty", effect=drop_vomit)

rule("XIX.14", """
Gremlins (Novelty, ${price}, patent of a player). They are released on the square that their user occupies: Jumpgates, Blockbusters and
Tractor Beams there are gone, and every player there loses all Surgeon Suits, Blockbusters, Da Speedstas, Warp Bubbles and Radar
Detectors.
""", title="Gremlins", price=150)

attribute("square", "tractor_beam", False, label="Tractor Beam")
item("surgeon-suit", "Surgeon Suit")
item("da-speedsta", "Da Speedsta")
item("radar-detector", "Radar Detector")


def release_gremlins(e):
    place = occupied_square(e.who, e.square)
    close_gate(place)
    put(place, "blockbuster", None)
    put(place, "tractor_beam", False)
    for who in here(place):
        lost = ("surgeon-suit", "blockbuster", "da-speedsta", "warp-bubble", "radar-detector")
        put(who, "items", tuple([each for each in who.items if each not in lost]))


product("gremlins", "Gremlins", rule.price, type="Novelty", effect=release_gremlins)

"""Section XIX: products, and what each of them does."""

section("XIX", "Products")

rule("XIX.1", """
A product that nobody has bought within {weeks} weeks of its creation leaves the rules as a week starts: its rule is repealed, or, if
that rule has another product in it that stays, it is no longer on sale. The products with which the game begins have passed their
tests, and stay.
""", title="Unsold products", weeks=2)

event("unsold-products", say="Unsold products go")
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
Who makes a product that repeats the effect of another one makes a Repackaged Product; whether it does, the Admin judges. What is no
product can be repeated too: the patents of paints are The Government's or The Corporation's by the group of their color; those of glue
and extra dice are The Government's, what lottery tickets bring goes to the Pot, and those of Tefflon, of taking it off, of New Clear
Fishing and of Explosive Insurance are The Corporation's.
""", title="Originals and repackaging")

row("payee", "paint-red", to="$corporation")
row("payee", "paint-orange", to="$corporation")
row("payee", "paint-yellow", to="$corporation")
row("payee", "paint-green", to="$corporation")
row("payee", "paint-blue", to="$corporation")
row("payee", "paint-indigo", to="$corporation")
row("payee", "paint-maroon", to="$government")
row("payee", "paint-navy", to="$government")
row("payee", "paint-khaki", to="$government")
row("payee", "paint-teal", to="$government")
row("payee", "paint-lime", to="$government")
row("payee", "paint-fuchsia", to="$government")
row("payee", "glue", to="$government")
row("payee", "extra-die", to="$government")
row("payee", "ticket", to="$pot")
row("payee", "tefflon", to="$corporation")
row("payee", "remove-tefflon", to="$corporation")
row("payee", "new-clear-fishing", to="$corporation")
row("payee", "insurance", to="$corporation")

rule("XIX.3", """
Warp Bubble (Experimental Technology, ${price}, patent of The Corporation). Its user is taken to any square and lands there, with all that
landing there brings. That is no Easy Move. The bubble is gone then.
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
Blockbuster (Experimental Technology, ${price}, patent of The Corporation). It is delivered to any square that has none yet. If it has not
been disarmed by the end of the next update after the one in which it was delivered, it destroys that square, and if the square is then
part of a block, the whole block, by number; squares of the block that are protected or insured stay, and on a protected square it
fizzles. It is disarmed when any player lands on its square; pseudoplayers disarm nothing. If the square is in the base of a Team, the
Team is told; it is disarmed too when {members} members of the Team (all, if they are fewer) have each paid ${fee} to The Government,
which are not given back. Where two bases meet, each Team counts for itself. Also as Fake Toy Bomb (Novelty, ${fake_price}, royalty
${fake_royalty}).
""", title="Blockbuster", price=300, members=3, fee=50, fake_price=325, fake_royalty=275)

attribute("square", "blockbuster", None, label="Blockbuster")
attribute("game", "bombs", (), show="nobody")  # the squares with Blockbusters, in order of placing
event("place-bomb", who="player", square="square")
event("disarm-bomb", "expired", say="The Blockbuster on {square} is disarmed", who="", mover="", square="square", how="")
event("explode", "exploded", say="The Blockbuster on {square} explodes", who="", square="square")
event("fizzle", "expired", say="The Blockbuster on {square} fizzles", square="square")
event("blockbusters", say="The Blockbusters that are due")
event("next-bomb", say="A Blockbuster is due")
step("U10", 10, "blockbusters", when=lambda: bombed_squares())
landing("disarm", 1904, "disarm-bomb", when=lambda who, mover, square: square.blockbuster is not None)


@marker("square")
def ticking(place):
    if place.blockbuster is not None:
        return ("!", "Blockbuster")


@word
def bomb_of(place):
    """What is known of the Blockbuster on a square: by, due, paid; empty if there is none. What nobody knows is: due next."""
    if attribute_of(place, "blockbuster") is None:
        return {}
    known = {"by": None, "due": 1, "paid": (), **dict(place.blockbuster)}
    due = known["due"] if isinstance(known["due"], int) else 1
    return {"by": as_thing(known["by"]), "due": due, "paid": tuple([as_thing(each) for each in known["paid"] or ()])}


@word
def set_bomb(place, by, due, paid=()):
    """Put a Blockbuster on a square, or change what is known of it: `due` is how many updates are left to it."""
    put(place, "blockbuster", (("by", by), ("due", due), ("paid", paid)))


@word
def bombed_squares():
    """The squares with Blockbusters, in the order in which these were placed."""
    kept = thing("game").bombs
    found = [each for each in kept if exists(each) and each.blockbuster is not None]
    return [*found, *[each for each in in_sequence() if each.blockbuster is not None and each not in found]]


def deliver(e):
    if attribute_of(e.square, "blockbuster") is not None:
        refuse(f"already: there is a Blockbuster on {e.square.id}")
    do("place-bomb", who=e.who, square=e.square)


@on("place-bomb")
def place_bomb(e):
    set_bomb(e.square, e.who, 2)
    put(thing("game"), "bombs", (*[each for each in bombed_squares() if each is not e.square], e.square))
    for team in bases_of(e.square):
        if members_of(team):
            tell(tuple(members_of(team)), f"There is a Blockbuster on {e.square.id}, in the base of the {team} Team")


@on("disarm-bomb")
@on("fizzle")
def bomb_is_gone(e):
    put(e.square, "blockbuster", None)


@on("blockbusters")
def tick(e):
    for place in bombed_squares():
        known = bomb_of(place)
        set_bomb(place, known["by"], known["due"] - 1, known["paid"])
    follow("next-bomb")


@on("next-bomb")
def one_bomb(e):
    due = [each for each in bombed_squares() if bomb_of(each)["due"] <= 0]
    if len(due) > 1:
        follow("next-bomb")
    if due and value("protected", due[0]):
        do("fizzle", square=due[0])
    elif due:
        do("explode", who=bomb_of(due[0])["by"], square=due[0])


@after("leave-things")
def bomb_stays(e):
    if e.square.blockbuster is not None and e.to.blockbuster is None:
        put(e.to, "blockbuster", e.square.blockbuster)


@on("explode")
def explode(e):
    put(e.square, "blockbuster", None)
    destroy_squares(value("block", e.square) or (e.square,), "blockbuster", e.who)


def own_base(who):
    """The squares with Blockbusters in the base of somebody's Team."""
    return [each for each in bombed_squares() if team_of(who) in bases_of(each)]


@check("disarm")
def may_disarm(e):
    if e.square.blockbuster is None:
        return f"not there: there is no Blockbuster on {e.square.id}"
    if team_of(e.who) is None or team_of(e.who) not in bases_of(e.square):
        return f"not a member: {e.square.id} is not in the base of a Team of yours"
    if e.who in bomb_of(e.square)["paid"]:
        return f"already paid for the Blockbuster on {e.square.id}"


@action("disarm", "Pay for disarming a Blockbuster", square=choose("square", "Square", choices=own_base))
def disarm(e):
    spend(e.who, "$government", rule.fee)
    known = bomb_of(e.square)
    paid = (*known["paid"], e.who)
    set_bomb(e.square, known["by"], known["due"], paid)
    team = members_of(team_of(e.who))
    if len([each for each in team if each in paid]) >= min(rule.members, len(team)):
        do("disarm-bomb", who=e.who, mover=e.who, square=e.square, how="paid")


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
Jumpgate Builder (Experimental Technology, ${price}, patent of The Corporation). It is used as it is bought: it makes a Jumpgate between two
different squares of its buyer, or between one of them and one without owner, which becomes the buyer's at no further cost. A square has
one Jumpgate at most.
""", title="Jumpgate Builder", price=500)

product(
    "jumpgate-builder", "Jumpgate Builder", rule.price, type="Experimental Technology", usable=False, in_shop=False
)


def gate_places(who):
    """The squares at which somebody may build a Jumpgate."""
    return [each for each in squares() if each.owner in (who, None) and attribute_of(each, "jumpgate") is None]


@check("build-jumpgate")
def own_gate(e):
    ends = (e.from_, e.to)
    for place in ends:
        if place.owner is not None and place.owner is not e.who:
            return f"not yours: {place.id} is owned by {name_of(place.owner)}"
    if e.from_ is e.to or not [each for each in ends if each.owner is e.who]:
        return "not yours: a Jumpgate is between two squares, one of which at least belongs to you"
    for place in ends:
        if attribute_of(place, "jumpgate") is not None:
            return f"already: there is a Jumpgate on {place.id}"


@check("build-jumpgate")
def sold_at_all(e):
    if not thing("jumpgate-builder").on_sale:
        return "not on sale"


@action(
    "build-jumpgate",
    "Buy and use a Jumpgate Builder",
    fact="used",
    say="{who} builds a Jumpgate from {from_} to {to}",
    from_=choose("square", "From", choices=gate_places),
    to=choose("square", "To", choices=gate_places),
)
def build_jumpgate(e):
    note(item="jumpgate-builder")
    obtain(e.who, "jumpgate-builder")
    for place in (e.from_, e.to):
        if place.owner is None:
            change_owner(place, e.who)
    open_gate(e.from_, e.to)

rule("XIX.6", """
Hot Spring Bath (${price}, patent of The Corporation at first). It works by being owned: if its owner is Sick, the owner becomes well; if
its owner has Chains that are not Rusty, they become Rusty. Then, and also if neither applies, it is gone at once.
""", title="Hot Spring Bath", price=40)

event("bathe", "used", say="{who} takes a Hot Spring Bath", who="player")
product("hot-spring-bath", "Hot Spring Bath", rule.price, usable=False)


@after("entry")
def take_baths(e):
    for who in players():
        if "hot-spring-bath" in who.items:
            do("bathe", who=who)


@on("bathe")
def bathe(e):
    note(item="hot-spring-bath")
    cure(e.who)
    if heavy_chains(e.who):
        rust_chains(e.who)
    put(e.who, "items", tuple([each for each in e.who.items if each != "hot-spring-bath"]))

rule("XIX.7", """
Eye Opener (Caffeinity, ${price}, patent of The Corporation at first). It is drunk as soon as that is ordered, by a player who owns it
then. All orders of that player for the coming update count as having come before those of all players who have drunk none; among
those who have, orders go by arrival. Also as Chez Caffeine's Eye Opener (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="Eye Opener", price=50, chez_price=50, chez_royalty=40)

attribute("player", "eye_opened", False, label="Orders come first", show=("owner", "admin"))
event("eye-openers", "sorted", say="The orders of those who drank an Eye Opener come first")
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
All-Nighter (Caffeinity, ${price}, patent of The Corporation at first). It is drunk as soon as that is ordered, at most {most} a week. Until the
week ends its drinker may have one more undecided proposal, with all that goes with it; what waits then stays. Also as Chez Caffeine's
All-Nighter (Beverage, ${chez_price}, royalty ${chez_royalty}).
""", title="All-Nighter", price=100, most=1, chez_price=100, chez_royalty=75)

attribute("player", "all_nighters", 0, label="All-Nighters this week")
event("week-of-all-nighters", say="The All-Nighters of the week end")
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
V-8 (Beverage, ${price}, patent of The Corporation at first). Who drinks it becomes well, and another player, picked at random among all
others, becomes Sick. Also as Fancy Ketchup (Candy, ${ketchup_price}, royalty ${ketchup_royalty}).
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
job, a 'Bot can do the work for its owner: then nothing of the price is paid, and the player who has the job is taken along but gets
nothing. After each time three dice are rolled; on a total of {total} the 'Bot explodes: the square closest to its owner that is neither
protected nor insured is destroyed, of equally close ones that with the lowest number, and the 'Bot is gone. After {uses} payments that
it has spared it is gone in any case. One 'Bot works at a time.
""", title="'Bot", price=150, total=3, uses=3)

attribute("player", "bot_uses", 0, label="Uses of a 'Bot")
event("spare-price", who="player", job="", price="")
event("bot-rolls", "rolled", say="{who} rolls {dice} for the 'Bot", who="player")
event("bot-ends", "expired", say="A 'Bot of {who} is gone", who="player", item="")
product("bot", "'Bot", rule.price, type="Experimental Technology", usable=False)
also_asks("taxi", bot=yes_or_no("Let a 'Bot drive"))
also_asks("hire-gipper", bot=yes_or_no("Let a 'Bot do it"))
also_asks("coat", bot=yes_or_no("Let a 'Bot apply the glue"))


def needs_job(e):
    """Why no 'Bot can do what an action wants it to do, or nothing."""
    if e.bot and "bot" not in e.who.items:
        return f"not yours: {name_of(e.who)} has no 'Bot"


@check("taxi")
@check("hire-gipper")
def job_for_the_bot(e):
    return needs_job(e)


@check("coat")
def bot_for_coat(e):
    if e.bot and e.coating != "glue":
        return "there is no payment for a 'Bot to spare: nobody has the job of coating with that"
    return needs_job(e)


@on("spare-price")
def spare(e):
    if not [cause for cause in e.trail if attribute_of(cause, "bot", False)]:
        return False
    if job_holder(e.job) is None or job_holder(e.job) is e.who:
        refuse("there is no payment for a 'Bot to spare: no other player has that job")
    put(e.who, "bot_uses", e.who.bot_uses + 1)
    return True


@after("taxi")
@after("hire-gipper")
@after("coat")
def bot_rolls_too(e):
    if e.bot:
        do("bot-rolls", who=e.who)


@on("bot-rolls")
def may_explode(e):
    total = sum(chance.dice((6, 6, 6)))
    note(total=total)
    near = closest_square(e.who.square, [each for each in squares() if destroyable(each)]) if total == rule.total else None
    if total == rule.total or e.who.bot_uses >= rule.uses:
        do("bot-ends", who=e.who, item="bot")
    if near is not None:
        destroy_square(near, "bot", e.who)


def destroyable(place):
    """Whether a 'Bot can destroy a square."""
    return not value("protected", place) and not attribute_of(place.owner, "insured", False)


@on("bot-ends")
def bot_is_gone(e):
    take_item(e.who, "bot")
    put(e.who, "bot_uses", 0)

rule("XIX.11", """
Disguise Kit (Novelty, ${price}, patent of The Corporation at first). Its user dresses up as another player, the Victim. All that passing and
landing on squares does to the user, but for the change of place, befalls the Victim: rent, fees, what is got for going round,
Lodges, and the right to buy; as if the Victim had come there, but with no more help of a disguise of the Victim's own. Dice, what
they bring by themselves, and fines for speeding stay the user's. It ends with the week, or once the Victim has lost ${most} in this way.
Only the two are told.
""", title="Disguise Kit", price=200, most=500)

attribute("player", "disguise", None, label="Disguised as", type="thing", show=("owner", "admin"))
attribute("player", "disguise_lost", 0, label="Lost by the Victim", type="money", show=("owner", "admin"))
event("disguises-end", say="The disguises end")
step("W1", 20, "disguises-end", when=lambda: [each for each in players() if each.disguise is not None])
event("dress-up", who="player", victim="player")
event("undress", "expired", say="{who} is no longer in disguise", who="player")


def dress_up(e):
    if e.victim is e.who:
        refuse("the Victim is another player")
    if e.who.disguise is not None:
        refuse("already in disguise")
    do("dress-up", who=e.who, victim=e.victim)


@on("dress-up")
def disguised_now(e):
    put(e.who, "disguise", e.victim)
    put(e.who, "disguise_lost", 0)
    tell((e.who, e.victim), f"{e.who.id} is disguised as {e.victim.id}")


@on("undress")
def no_longer_disguised(e):
    note(item="disguise-kit", only=(e.who, e.who.disguise))
    put(e.who, "disguise", None)
    put(e.who, "disguise_lost", 0)


@instead("pass")
@instead("lap")
@instead("land")
def by_disguise(e):
    """The same event, befalling the Victim of a player in disguise."""
    if e.who is e.mover and exists(attribute_of(e.mover, "disguise")):
        return e.but(who=e.mover.disguise)


@after("pay")
@after("fine")
@after("lose")
def count_loss(e):
    """Add what the Victim has paid, and end the disguise if that is enough."""
    cause = bent_by(e, rule.id)
    if cause is not None and cause.who is e.who and cause.mover.disguise is e.who:
        user = cause.mover
        put(user, "disguise_lost", user.disguise_lost + dollars_of(e.result))
        if user.disguise_lost >= rule.most:
            do("undress", who=user)


@on("disguises-end")
def week_is_over(e):
    for who in players():
        if who.disguise is not None:
            do("undress", who=who)


@after("remove")
def victim_has_left(e):
    for who in players():
        if who.disguise is e.who:
            do("undress", who=who)


product("disguise-kit", "Disguise Kit", rule.price, type="Novelty", secret=True, asks=("victim",), effect=dress_up)

rule("XIX.12", """
Impersonator 2000 (${price}, patent of The Corporation at first, not on sale). While it is on, what moves the user befalls the user, and all
other effects of the user's turns and orders befall another player, the Victim: payments, receipts, marks and goods. Rights and choices
stay the user's, who can use, sell or give away nothing of the Victim's; an order whose price the Victim cannot pay is refused. It ends
at the start of the update a week later, or once what the Victim has paid in this way reaches ${most}. Who uses a Disguise Kit too
passes and lands by that. Half of what its patent brings goes to the patent of the Disguise Kit. Also as Better Disguise Kit (Novelty,
${better_price}, royalty ${better_royalty}, not on sale). Only the two are told.
""", title="Impersonator 2000", price=600, most=1000, better_price=600, better_royalty=60)

overrides("XVII.1")  # who becomes Sick or well is asked before whether they are already
attribute("player", "impersonates", None, label="Impersonates", type="thing", show=("owner", "admin"))
attribute("player", "impersonate_paid", 0, label="Paid by the impersonated", type="money", show=("owner", "admin"))
attribute("player", "impersonate_until", None, label="Impersonates until", show=("owner", "admin"), moment="real")
event("impersonators-end", say="Impersonations end")
step("U1", 30, "impersonators-end", when=lambda: [each for each in players() if each.impersonates is not None])
event("impersonate", who="player", victim="player")
event("stop-impersonating", "expired", say="{who} impersonates nobody any more", who="player")
SHOPPING = (
    "buy-product",
    "buy-paint",
    "buy-insurance",
    "buy-shares",
    "buy-ticket",
    "register-to-vote",
    "clear-credit",
    "pay-dues",
)


def begin_impersonation(e):
    if e.victim is e.who:
        refuse("the Victim is another player")
    if e.who.impersonates is not None:
        refuse("already impersonating somebody")
    do("impersonate", who=e.who, victim=e.victim)


@on("impersonate")
def impersonating_now(e):
    put(e.who, "impersonates", e.victim)
    put(e.who, "impersonate_paid", 0)
    put(e.who, "impersonate_until", now() + weeks(1))
    tell((e.who, e.victim), f"{e.who.id} impersonates {e.victim.id}")


@on("stop-impersonating")
def no_longer_impersonating(e):
    note(item="impersonator-2000", only=(e.who, e.who.impersonates))
    put(e.who, "impersonates", None)
    put(e.who, "impersonate_paid", 0)
    put(e.who, "impersonate_until", None)


def victim_of(who):
    """Whom somebody impersonates, or None."""
    victim = attribute_of(who, "impersonates")
    return victim if exists(victim) else None


def befalls(e, *fields):
    """The same event with the Victim in these fields instead of the player whose turn or order it belongs to.

    To leave the game one needs nobody's face, and a debt is settled by those whom the rules on that name.
    """
    user = acting_player(e)
    own = e.caused_by("remove") or e.caused_by("leave-game") or e.caused_by("owe")
    victim = None if own else victim_of(user)
    names = [field for field in fields if victim is not None and attribute_of(e, field) is user]
    if names:
        return e.but(**{field: victim for field in names})


@instead("*")
def goes_shopping(e):
    if e.name in SHOPPING:
        return befalls(e, "who")


@modify("payer")
def who_pays(who, base):
    if actor() is who and victim_of(who) is not None:
        return set(victim_of(who))


@instead("pay")
def pay_as_other(e):
    other = befalls(e, "who", "to")
    if other is not None and other.who is other.to:
        return False
    return other


@instead("fine")
@instead("lose")
@instead("gain")
@instead("award")
@instead("make-sick")
@instead("cure")
@instead("become-freemason")
def befalls_the_other(e):
    return befalls(e, "who")


@instead("change-owner")
def owner_as_other(e):
    return befalls(e, "to")


@after("pay")
@after("fine")
@after("lose")
def count_payment(e):
    """Add what the Victim has paid, and end the impersonation if that is enough."""
    user = acting_player(e)
    if victim_of(user) is not None and e.who is user.impersonates and bent_by(e, rule.id) is not None:
        put(user, "impersonate_paid", user.impersonate_paid + dollars_of(e.result))
        if user.impersonate_paid >= rule.most:
            do("stop-impersonating", who=user)


@on("impersonators-end")
def a_week_later(e):
    for who in players():
        until = who.impersonate_until
        if who.impersonates is not None and until is not None and until <= now() + hours(2):
            do("stop-impersonating", who=who)


@after("remove")
def impersonated_one_has_left(e):
    for who in players():
        if who.impersonates is e.who:
            do("stop-impersonating", who=who)


@after("royalty")
def half_for_the_kit(e):
    kit = patent_of_product("disguise-kit")
    if "impersonator-2000" in (e.product.id, e.product.original) and kit is not e.to:
        pay(e.to, kit, share(e.amount, 1, 2))


product(
    "impersonator-2000",
    "Impersonator 2000",
    rule.price,
    on_sale=False,
    secret=True,
    asks=("victim",),
    effect=begin_impersonation,
)
product(
    "better-disguise-kit",
    "Better Disguise Kit",
    rule.better_price,
    type="Novelty",
    original="impersonator-2000",
    royalty=rule.better_royalty,
    on_sale=False,
    secret=True,
    asks=("victim",),
    effect=begin_impersonation,
)

rule("XIX.13", """
Fake Vomit (Novelty, ${price}, patent of The Corporation at first). It is dropped on the square that its user occupies, and stays there until
the square is destroyed. Every other player who later comes to that square to stay there, by whatever means, becomes Sick.
""", title="Fake Vomit", price=50)

attribute("square", "vomit", (), label="Fake vomit", type="thing")


def drop_vomit(e):
    place = spot(e.who, e.square)
    put(place, "vomit", (*[each for each in place.vomit if each is not e.who], e.who))


@after("leave-things")
def vomit_stays(e):
    lying = [each for each in e.square.vomit if each not in e.to.vomit]
    put(e.to, "vomit", (*e.to.vomit, *lying))


@after("occupy")
def step_into_it(e):
    if e.mover.kind == "player" and [each for each in e.square.vomit if each is not e.who]:
        make_sick(e.who, "fake-vomit")


@marker("square")
def slippery(place):
    if place.vomit:
        return ("~", "Fake Vomit")


product("fake-vomit", "Fake Vomit", rule.price, type="Novelty", effect=drop_vomit)

rule("XIX.14", """
Gremlins (Novelty, ${price}, patent of The Corporation at first). They are released on the square that their user occupies: a Jumpgate there is
gone, at both its ends, and so are a Blockbuster and a Tractor Beam; and every player there, their user too, loses all Surgeon Suits,
Blockbusters, Da Speedstas, Warp Bubbles and Radar Detectors.
""", title="Gremlins", price=150)

attribute("square", "tractor_beam", False, label="Tractor Beam")
item("surgeon-suit", "Surgeon Suit")
item("da-speedsta", "Da Speedsta")
item("radar-detector", "Radar Detector")


def release_gremlins(e):
    place = spot(e.who, e.square)
    close_gate(place)
    if attribute_of(place, "blockbuster") is not None:
        put(place, "blockbuster", None)
    put(place, "tractor_beam", False)
    for who in here(place):
        lost = ("surgeon-suit", "blockbuster", "da-speedsta", "warp-bubble", "radar-detector")
        put(who, "items", tuple([each for each in who.items if each not in lost]))


product("gremlins", "Gremlins", rule.price, type="Novelty", effect=release_gremlins)

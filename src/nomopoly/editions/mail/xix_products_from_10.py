"""Section XIX from XIX.10 on: 'Bots, disguises, Fake Vomit and Gremlins."""

section("XIX", "Products")

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


def has_bot(who):
    """Whether a player has a 'Bot."""
    return "bot" in who.items


also_asks("taxi", bot=yes_or_no("Let a 'Bot drive", when=has_bot))
also_asks("hire-gipper", bot=yes_or_no("Let a 'Bot do it", when=has_bot))
also_asks("coat", bot=yes_or_no("Let a 'Bot apply the glue", when=has_bot))


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
    near = (
        closest_square(e.who.square, [each for each in squares() if destroyable(each)]) if total == rule.total else None
    )
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
step("week-begins", 20, "disguises-end", when=lambda: [each for each in players() if each.disguise is not None])
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
""", title="Impersonator 2000", price=600, most=1000, better_price=600, better_royalty=60, leeway=2)

overrides("XVII.1")  # who becomes Sick or well is asked before whether they are already
attribute("player", "impersonates", None, label="Impersonates", type="thing", show=("owner", "admin"))
attribute("player", "impersonate_paid", 0, label="Paid by the impersonated", type="money", show=("owner", "admin"))
attribute("player", "impersonate_until", None, label="Impersonates until", show=("owner", "admin"), moment="real")
event("impersonators-end", say="Impersonations end")
step(
    "update-begins", 30, "impersonators-end", when=lambda: [each for each in players() if each.impersonates is not None]
)
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
    due = now() + hours(rule.leeway)  # a week in which the clock is put forward is shorter than seven days
    for who in players():
        until = who.impersonate_until
        if who.impersonates is not None and until is not None and until <= due:
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


product("fake-vomit", "Fake Vomit", rule.price, type="Novelty", asks=("square?",), effect=drop_vomit)

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


product("gremlins", "Gremlins", rule.price, type="Novelty", asks=("square?",), effect=release_gremlins)

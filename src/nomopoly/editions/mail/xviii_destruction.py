"""Section XVIII: destruction: which squares are safe from it, what it does, and insurance against it."""

section("XVIII", "Destruction")

rule("XVIII.1", """
A square that is mentioned in the rules (D.1) cannot be destroyed.
""", title="Mentioned squares cannot be destroyed")


@modify("protected")
def mentioned_ones(place, base):
    if value("mentioned", place):
        return at_least(True)


@check("destroy")
def safe(e):
    if value("protected", e.square):
        return f"protected: {e.square.id} cannot be destroyed"


rule("XVIII.2", """
When a square is destroyed, the players and other pieces on it are put on the closest square of Public Property; of several equally
close ones on that with the lowest number, and without any on the first square. How close a square is, is counted in columns and
rows. Fake Vomit and a Blockbuster that lie on the square get there too, but for a second Blockbuster on a square, which is gone.
Then the square loses all it had: its owner, name, color, coating, building, tree, Homesteads, and all that depended on it; the
square to which its Jumpgate led is an ordinary one again, and questions about it and offers of it lapse. Unless it had the
highest number, the square with the highest number now takes the number of the destroyed one, with all that it has and all that is
on it; the rules that go by its number look at it anew.
""", title="What destruction does")

event("destroy", "destroyed", say="{square} is destroyed", square="square", by="", who="")
event("destroy-square", square="square", emptied="")
event("leave-things", square="square", to="square")
event("renumber", "renumbered", say="{square} becomes #{number}", square="square", number="")


@on("destroy")
def destroy_it(e):
    place = e.square
    owner = place.owner
    refuge = closest_square(place, refuges(place))
    if refuge is not None:
        for each in here(place) + here(place, "creature"):
            put_on(each, refuge)
        do("leave-things", square=place, to=refuge)
    close_gate(place)
    forget_square(place)
    renew(place, "number")
    top = find(f"#{last_number()}")
    if top is not place:
        do("renumber", square=top, number=place.number)
    do("destroy-square", square=top, emptied=True)
    return (owner,)


def refuges(place):
    """The squares that those on a destroyed square may be put on."""
    others = [each for each in in_sequence() if each is not place]
    return [each for each in others if value("public_property", each, otherwise=False)] or others[:1]


@on("destroy-square")
def by_the_rules(e):
    if e.emptied:
        destroy(e.square)
    else:
        do("destroy", square=e.square)


@on("renumber")
def renumber(e):
    before = (e.square.owner, value("market_value", e.square))
    other = find(f"#{e.number}")
    if other is None:
        refuse(f"there is no number {e.number} to take: the squares are numbered in sequence")
    renumber_squares([(e.square, e.number), (other, e.square.number)])
    return before


rule("XVIII.3", """
When destruction turns a player's square into one that The Government owns, because of the number that it gets, The Government pays
the player the market value that it had before; what The Government lacks comes from outside the game. If the square has a
Corporate Color, The Government paints it in one of the Government Colors, each equally likely, whatever blocks there are;
Tefflon keeps its color.
""", title="When The Government gains by it")

overrides("XIII.7")
defers_to("D.17")  # which first gives the square to The Government
event("compensate", who="player", square="square", amount="")


@after("renumber")
def taken_by_number(e):
    owner, worth = e.result
    place = find(f"#{e.number}")
    if e.caused_by("destroy") and owner is not None and owner.kind == "player" and place.owner is find("$government"):
        do("compensate", who=owner, square=place, amount=worth)


@on("compensate")
def compensate(e):
    government = find("$government")
    there = min(e.amount, government.money)
    if there:
        pay(government, e.who, there)
    if e.amount > there:
        gain(e.who, e.amount - there)
    if is_corporate(e.square) and coating_of(e.square) != "tefflon":
        paint(government, e.square, chance.pick(government_colors()), "government")


@check("paint")
def whatever_blocks_there_are(e):
    if e.by == "government":
        return True


rule("XVIII.4", """
For ${insurance_price}, paid to The Corporation, a player buys Explosive Insurance; it can be given up at any time. What destruction
would do to a square of an insured player does not happen. For each such square the player then pays The Corporation
${incident_price}; who has not got that much loses the insurance instead. An insured player on somebody else's square that is
destroyed is moved with all others there.
""", title="Explosive Insurance", insurance_price=500, incident_price=50)

attribute("player", "insured", False, label="Explosive Insurance")
event(
    "avert", "averted", say="The insurance of {who} averts the destruction of {square}", who="player",
    square="square", by=""
)


@instead("destroy")
def insured_square(e):
    owner = e.square.owner
    if owner is not None and owner.kind == "player" and owner.insured:
        return e.to("avert", who=owner, square=e.square, by=e.by)


@on("avert")
def avert(e):
    if e.who.money >= rule.incident_price:
        pay(e.who, "$corporation", rule.incident_price)
    else:
        put(e.who, "insured", False)
        note(lost=True)


@check("buy-insurance")
def not_twice(e):
    if e.who.insured:
        return "already insured"


@action("buy-insurance", "Buy Explosive Insurance", fact="bought", say="{who} buys Explosive Insurance")
def buy_insurance(e):
    note(item="insurance")
    spend(e.who, "$corporation", rule.insurance_price)
    put(e.who, "insured", True)


@check("drop-insurance")
def insured_at_all(e):
    if not e.who.insured:
        return "not yours: you have no Explosive Insurance"


@action("drop-insurance", "Give up Explosive Insurance", fact="expired", say="{who} gives up Explosive Insurance")
def drop_insurance(e):
    note(item="insurance")
    put(e.who, "insured", False)


rule("XVIII.5", """
Who destroys a square of their Best Friend, by a Blockbuster that they have placed or by their 'Bot, becomes a Freemason.
""", title="A friend's loss")


@after("destroy")
def friendship_betrayed(e):
    if e.result is not True and e.who is not None and is_friend(e.who, e.result[0]):
        become_freemason(e.who)

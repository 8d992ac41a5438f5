"""Section XIII: buying, owning and naming squares."""

section("XIII", "Ownership")

rule("XIII.1", """
Who lands on a square that nobody owns may buy it for ${price_factor} times its number, paid to the Admin Bank Account, and is its owner
then.
""", title="Buying", price_factor=25, landing_place=40)

setting("price_factor")
attribute("square", "option_queue", (), label="May buy, in this order", type="thing")
attribute("player", "options", (), label="May buy", type="thing")
event("option", "option", say="{who} may buy {square}", who="player", mover="", square="square", how="")
event("buy", "bought", say="{who} buys {square} for ${price}", who="player", square="square", price="", on_credit="")
landing(
    "option", rule.landing_place, "option",
    when=lambda who, mover, square: square.owner is None and value("unownable", square) is None
)


@value("square_price", of="square", label="Price", type="money")
def square_price(place):
    return place.number * value("price_factor")


@value("buying_price")
def buying_price(who, place):
    return value("square_price", place)


@on("option")
def give_option(e):
    if e.square not in e.who.options:
        put(e.who, "options", (*e.who.options, e.square))
    if e.who not in e.square.option_queue:
        put(e.square, "option_queue", (*e.square.option_queue, e.who))


@check("buy-square")
def may_buy(e):
    if e.square.owner is not None:
        return f"owned: {e.square.id} belongs to {name_of(e.square.owner)}"
    reason = value("unownable", e.square)
    if reason is not None:
        return reason
    if not has_option(e.who, e.square):
        return f"no option: you have not landed on {e.square.id} since your last turn began"


@action(
    "buy-square",
    "Buy a square",
    task=True,
    square=choose("square", "Square", choices=lambda who: who.options, default=square_to_buy),
    on_credit=yes_or_no("On credit"),
)
def buy_square(e):
    do("buy", who=e.who, square=e.square, price=value("buying_price", e.who, e.square), on_credit=e.on_credit)


@on("buy")
def buy(e):
    do("purchase", who=e.who, price=e.price, on_credit=e.on_credit, what=e.square)
    change_owner(e.square, e.who)


rule("XIII.2", """
A square has at most one owner.
""", title="One owner")

attribute("square", "owner", None, label="Owner", type="thing", holds=("player",))
event("change-owner", square="square", to="")
event("squares-lost", "squares-lost", say="{told}", notify="who", who="player", squares="", told="")


@on("change-owner")
def change(e):
    put(e.square, "owner", e.to)


@on("squares-lost")
def nobodys(e):
    named = ", ".join([name_of(each) for each in e.squares])
    note(told=f"{named} {'has' if len(e.squares) == 1 else 'have'} no owner any more")


rule("XIII.3", """
Of several players who land on a square in the same update, who landed there first may buy it first, and so on. One may buy it until one's
own next turn begins.
""", title="Who comes first")


def give_up_option(who, place):
    put(place, "option_queue", tuple([each for each in place.option_queue if each is not who]))
    put(who, "options", tuple([each for each in who.options if each is not place]))


def end_options_on(place):
    for who in place.option_queue:
        give_up_option(who, place)


def end_options_of(who):
    for place in squares():
        if who in place.option_queue:
            put(place, "option_queue", tuple([each for each in place.option_queue if each is not who]))


@after("turn-begins")
def options_end(e):
    put(e.who, "options", ())
    end_options_of(e.who)


@after("change-owner")
def options_end_on_owned(e):
    if e.to is not None:
        end_options_on(e.square)


@after("grant")
def options_end_on_granted(e):
    if e.thing.kind == "square" and e.attribute == "owner" and e.thing.owner is not None:
        end_options_on(e.thing)


@after("contaminate")
def options_end_on_contaminated(e):
    end_options_on(e.square)


@after("destroy-square")
def options_end_on_destroyed(e):
    for who in players():
        if e.square in who.options:
            put(who, "options", tuple([each for each in who.options if each is not e.square]))


@after("reset")
@after("remove")
def no_options_left(e):
    end_options_of(e.who)


@check("buy-square")
def others_first(e):
    if e.caused_by("next-order") or e.who not in e.square.option_queue:
        return
    ahead = e.square.option_queue[: e.square.option_queue.index(e.who)]
    if ahead:
        return f"priority: {name_of(ahead[0])} landed on {e.square.id} before you and may still buy it"


@check("decline-square")
def may_decline(e):
    if not has_option(e.who, e.square):
        return f"no option: you have not landed on {e.square.id} since your last turn began"


@action(
    "decline-square",
    "Decline to buy a square",
    fact="declined",
    say="{who} declines to buy {square}",
    square=choose("square", "Square", choices=lambda who: who.options, default=square_to_decline),
)
def decline_square(e):
    give_up_option(e.who, e.square)


rule("XIII.4", """
The owner of a square that has no name may name it; the owner of one that has a name may give it another for ${rename_price}. A name has
at most {name_length} characters and is not that of another square. The Admin may reject a name that is not fitting.
""", title="Names", rename_price=50, name_length=100)

setting("rename_price")
setting("name_length")
attribute("square", "name", None, label="Name")
attribute("square", "emblem", None, label="Sign", type="sign")
attribute("square", "former_name", None, show="nobody")
attribute("square", "renamed_by", None, show="nobody")
attribute("square", "renamed_for", 0, show="nobody")


def name_taken(place, name):
    for each in squares():
        if each is not place and each.name is not None and each.name.strip().casefold() == name.strip().casefold():
            return True
    return False


@check("name-square")
def may_name(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if not e.name.strip():
        return "a name has at least one character"
    longest = value("name_length")
    if len(e.name) > longest:
        return f"too long: a name has at most {longest} characters"
    if name_taken(e.square, e.name):
        return f"name taken: another square is called {e.name.strip()}"


@action(
    "name-square",
    "Name a square",
    fact="named",
    say="{who} names {square} {name}",
    square=choose("square", "Square", choices=owned_by),
    name=words("Name", limit=0),
    sign=one_of(lambda who: signs(), "Sign", optional=True),
)
def name_square(e):
    renamed = e.square.name is not None
    if renamed:
        price = value("rename_price")
        must_afford(e.who, price)
        pay(e.who, "$admin", price)
        put(e.square, "renamed_for", price)
    put(e.square, "former_name", e.square.name)
    put(e.square, "renamed_by", e.who if renamed else None)
    put(e.square, "name", e.name)
    if e.sign:
        put(e.square, "emblem", e.sign)


@check("reject")
def name_to_reject(e):
    if e.on.kind == "square" and e.on.name is None:
        return f"{e.on.id} has no name"


@after("reject")
def name_rejected(e):
    if e.on.kind == "square":
        fact("named", square=e.on, name=e.on.former_name)
        put(e.on, "name", e.on.former_name)
        if exists(e.on.renamed_by):
            pay("$admin", e.on.renamed_by, e.on.renamed_for)
        put(e.on, "former_name", None)
        put(e.on, "renamed_by", None)


rule("XIII.5", """
A contaminated square can be neither owned nor bought. Its owner loses it when it becomes contaminated.
""", title="Contamination")

attribute("square", "contaminated_until", None, label="Contaminated until week", type="number")
event(
    "contaminate", "contaminated", say="{square} is contaminated until week {until} is over", square="square", until=""
)


@value("contaminated", of="square", label="Contaminated", type="yesno")
def contaminated(place):
    return place.contaminated_until is not None and thing("game").week <= place.contaminated_until


@value("unownable", of="square")
def unownable(place):
    if place.contaminated_until is not None and value("contaminated", place):
        return f"contaminated: {place.id} can be neither bought nor owned"


@on("contaminate")
def contaminate(e):
    put(e.square, "contaminated_until", max(e.until, e.square.contaminated_until or 0))


@check("change-owner")
def nobody_can(e):
    if e.to is not None:
        return value("unownable", e.square)

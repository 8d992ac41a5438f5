"""Section VIII: owning, handing over, naming and buying squares, rent, and what squares cost their owners."""

section("VIII", "Ownership")

rule("VIII.2", """
A square may have an owner: a player or one of the accounts, such as The Government, The Corporation, the WETHA or Charity.
""", title="Owners")

attribute("square", "owner", None, label="Owner", type="thing")
event("change-owner", square="square", to="")
event("give-square", who="player", square="square", to="")


@on("change-owner")
def change(e):
    put(e.square, "owner", e.to)


@on("give-square")
def give_square(e):
    change_owner(e.square, purse(e.to))


rule("VIII.3", """
The owner of a square that has no name may give it one, of 1 to {longest_name} characters. Several squares may have the same name.
Who names a square may choose one of the board's signs for it.
""", title="Naming", longest_name=40)

attribute("square", "name", None, label="Name")
attribute("square", "emblem", None, label="Sign", type="sign")
event("give-name", "named", say="{who} names {square} {name}", who="player", square="square", name="")


@check("name-square")
def may_name(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"
    if not e.name:
        return "a name has at least one character"
    if len(e.name) > rule.longest_name:
        return f"name too long: at most {rule.longest_name} characters"


@action(
    "name-square",
    "Name or rename a square",
    square=choose("square", "Square", choices=owned_by),
    name=words("Name", limit=0),
    sign=one_of(lambda who: signs(), "Sign", optional=True),
)
def name_square(e):
    do("give-name", who=e.who, square=e.square, name=e.name)
    if e.sign and exists(e.square):
        put(e.square, "emblem", e.sign)


@check("give-name")
def nameless(e):
    if e.square.name is not None:
        return f"already named: {e.square.id} is called {e.square.name}"


@on("give-name")
def give_name(e):
    put(e.square, "name", e.name)


rule("VIII.4", """
Who lands on a square that has no owner may buy it for its market value, paid to The Government. The right to buy lasts until the
orders of the next update have been carried out; of several who have it the first to order the square gets it. What counts are the
price and the buyer's money at the time of buying.
""", title="Buying")

event("buy", "bought", say="{who} buys {square} for ${price}", who="", square="square", price="")


def squares_to_buy(who):
    return [each for each in attribute_of(who, "landed", ()) if exists(each) and each.owner is None]


@check("buy-square")
def may_buy(e):
    if e.square.owner is not None:
        return f"owned: {e.square.id} belongs to {name_of(e.square.owner)}"
    if e.square not in attribute_of(e.who, "landed", ()):
        return f"not there: you have not landed on {e.square.id} since the last update"


@action(
    "buy-square",
    "Buy a square",
    square=choose("square", "Square", choices=squares_to_buy, default=lambda who: who.square),
)
def buy_square(e):
    do("buy", who=e.who, square=e.square, price=value("market_value", e.square))


@on("buy")
def buy(e):
    spend(e.who, find("$government"), e.price)
    change_owner(e.square, purse(e.who))


rule("VIII.5", """
Who lands on a square that has a name and belongs to somebody else pays the owner the rent value of the square. The Government and
Charity charge no rent.
""", title="Rent", landing_place=20)

attribute("player", "rent_more", 0, show="nobody")  # dollars that are added to the rent being charged
event("pay-rent", who="", mover="", square="square", how="")
landing(
    "rent", rule.landing_place, "pay-rent", when=lambda who, mover, square: value("rent_due", who, square) > 0,
    creatures=True
)


@value("charges_rent", bands=("set",))
def charges_rent(owner):
    return owner is not None and owner.id not in ("$government", "$charity")


@value("rent_due", bands=("set", "add", "at_least"), type="money")
def rent_due(who, place):
    held = purse(who)
    if (
        held is None
        or attribute_of(place, "name") is None
        or place.owner is held
        or not value("charges_rent", place.owner)
    ):
        return 0
    if free_of_rent(who, place):
        return 0
    return owed_by(who, place.owner, value("rent", place) + attribute_of(who, "rent_more", 0))


@on("pay-rent")
def charge(e):
    more = dodging(e.who, e.square)
    if can_happen("dodge-rent") and more is False:
        return 0
    if more and more is not True:
        put(e.who, "rent_more", more)
    amount = value("rent_due", e.who, e.square)
    if more and more is not True:
        put(e.who, "rent_more", 0)
    return paid_by(e.who, e.square.owner, amount) if amount > 0 else 0


rule("VIII.6", """
Who collects rent for a square of a Corporate Color pays The Corporation {corporate_share}% of it.
""", title="The Corporation's share", corporate_share=20)

setting("corporate_share")


@after("pay-rent")
def pass_on(e):
    owner = e.square.owner
    if e.result and e.result is not True and owner is not find("$corporation") and is_corporate(e.square):
        pay(owner, "$corporation", share(e.result, value("corporate_share")))


rule("VIII.7", """
At each update a square of a Government Color costs its owner, be it a player or The Corporation, {property_tax}% of its market
value, paid to The Government. If the owner has not got that much, the square becomes The Government's instead.
""", title="Property tax", property_tax=5)

setting("property_tax")
event("property-tax", say="Property tax")
event("forfeit", "transferred", say="{square} goes from {who} to {to}", who="", square="square", to="")
step("weekly-money", 10, "property-tax")


@on("property-tax")
def tax(e):
    for place in sorted(squares(), key=lambda each: each.number):
        if in_private_hands(place) and has_government_color(place):
            due = share(value("market_value", place), value("property_tax"))
            if place.owner.money >= due:
                pay(place.owner, "$government", due)
            else:
                do("forfeit", who=place.owner, square=place, to=thing("$government"))


@on("forfeit")
def forfeit(e):
    change_owner(e.square, e.to)


rule("VIII.8", """
A player who owns at least {block_size} squares of one color owns a block of them all, if no other player owns a square of that
color. Squares of accounts do not count. Any color will do, White too.
""", title="Blocks", block_size=3)

setting("block_size")


@value("block", of="square", bands=("set",), label="Block", type="list")
def block(place):
    owner = place.owner
    color = attribute_of(place, "color")
    if owner is None or owner.kind != "player" or color is None:
        return None
    owned = [each for each in squares() if each.owner is not None and each.owner.kind == "player"]
    alike = [each for each in owned if each.color == color]
    if len(alike) < value("block_size") or [each for each in alike if each.owner is not owner]:
        return None
    return tuple(sorted(alike, key=lambda each: each.number))


rule("VIII.9", """
What a rule of this section makes one pay one's Best Friend is halved, in whole dollars, rounded down.
""", title="Best Friends pay half")


row("discount", "best-friend", left=lambda who, to, amount: amount // 2 if is_friend(who, to) else amount)


rule("VIII.10", """
The owner of a square that has a name may give it another. For the first time that costs ${first_rename}, for the second
${second_rename}, for the third ${third_rename}, each of which is paid to The Government, to The Corporation and to every other
player. The fourth time costs nothing, but makes the owner a Freemason. The fifth attempt destroys the square, unless it cannot be
destroyed, and then the attempt fails; where destruction is averted, the name stays. The count belongs to the square.
""", title="Renaming", first_rename=15, second_rename=30, third_rename=100)

overrides("VIII.3")
setting("first_rename")
setting("second_rename")
setting("third_rename")
attribute("square", "renames", 0, label="Times renamed")
event("rename", who="player", square="square", called="")
event("new-name", "renamed", say="{who} renames {square} {name}", who="player", square="square", name="")


@check("give-name")
def may_rename(e):
    return e.square.name is not None


@instead("give-name")
def named_before(e):
    if e.square.name is not None:
        return e.to("rename", who=e.who, square=e.square, called=e.name)


@on("rename")
def rename(e):
    times = e.square.renames + 1
    if times > 4:
        destroy_square(e.square, "rename", e.who)
        return
    if times == 4:
        become_freemason(e.who)
    else:
        price = value(("first_rename", "second_rename", "third_rename")[times - 1])
        for each in [find("$government"), find("$corporation"), *other_players(e.who)]:
            if each is not None:
                spend(e.who, each, owed_by(e.who, each, price))
    put(e.square, "renames", times)
    do("new-name", who=e.who, square=e.square, name=e.called)


@on("new-name")
def new_name(e):
    put(e.square, "name", e.name)


rule("VIII.11", """
At each update a White square costs its owner, be it a player or The Corporation, ${white_fine}. What has come in is divided
evenly: one share for every player who has paid Dues, and one for every player who is a Freemason, in whole dollars; the rest, or
all of it if there are no shares, leaves the game.
""", title="White fine", white_fine=50)

setting("white_fine")
event("white-fine", say="The fine for White squares")
event(
    "pay-white-fine", "lost", say="{who} loses ${amount} for {square}", who="", square="square", amount=""
)
step("weekly-money", 20, "white-fine")


def white_shares():
    """Those who get a share, once for each share."""
    payers = [each for each in players() if attribute_of(each, "dues", 0)]
    return payers + [each for each in players() if attribute_of(each, "freemason", False)]


@on("white-fine")
def white_fine(e):
    total = 0
    for place in sorted(squares(), key=lambda each: each.number):
        if in_private_hands(place) and place.color == "White":
            total += dollars_of(do("pay-white-fine", who=place.owner, square=place, amount=value("white_fine")))
    sharers = white_shares()
    if sharers and total >= len(sharers):
        for each in sharers:
            gain(each, total // len(sharers))


@on("pay-white-fine")
def pay_white_fine(e):
    return dollars_of(do("lose", who=e.who, amount=e.amount))


rule("VIII.12", """
A player who has been on the same square at the end of {weeks_needed} updates running may set up a Homestead there, whoever owns
it, and does not have to pay rent for it from then on. That lasts until the player leaves the game or the square is destroyed. One
may have several Homesteads, and a square may have several.
""", title="Homesteads", weeks_needed=3)

setting("weeks_needed")
row("free-of-rent", "homestead", when=lambda who, place: who in place.homesteads)
attribute("player", "weeks_here", 0, label="Updates ended here")
attribute("player", "ended_on", None, show="nobody", type="thing")
attribute("square", "homesteads", (), label="Homesteads", type="thing")
event("mark-places", say="Where everybody ended is noted")
event("count-weeks", say="It is counted how long each player has been on the same square")
step("update-begins", 1, "mark-places", when=lambda: [each for each in players() if each.ended_on is None])
step("update-ends", 10, "count-weeks")


@on("mark-places")
def mark_places(e):
    for each in players():
        if each.ended_on is None:
            put(each, "ended_on", each.square)


def note_start(piece):
    """Remember where a player was whose weeks have not been counted yet."""
    if piece.kind == "player" and piece.ended_on is None:
        put(piece, "ended_on", was(piece, "square"))


@after("leave")
@after("put")
def note_where_it_was(e):
    note_start(e.mover)


@on("count-weeks")
def count_weeks(e):
    for each in players():
        put(each, "weeks_here", each.weeks_here + 1 if each.ended_on is each.square else 1)
        put(each, "ended_on", each.square)


def homestead_sites(who):
    place = who.ended_on or who.square
    return [place] if who.weeks_here >= value("weeks_needed") and who not in place.homesteads else []


@check("set-homestead")
def may_settle(e):
    if e.who in e.square.homesteads:
        return f"already: you have a Homestead on {e.square.id}"
    if e.square is not (e.who.ended_on or e.who.square) or e.who.weeks_here < value("weeks_needed"):
        return f"not there: you have not ended {value('weeks_needed')} updates running on {e.square.id}"


@action(
    "set-homestead",
    "Set up a Homestead",
    fact="homestead",
    say="{who} has a Homestead on {square}",
    square=choose("square", "Square", choices=homestead_sites),
)
def set_homestead(e):
    put(e.square, "homesteads", (*e.square.homesteads, e.who))


@after("remove")
def homesteads_end(e):
    for place in squares():
        if e.who in place.homesteads:
            put(place, "homesteads", tuple([each for each in place.homesteads if each is not e.who]))


rule("VIII.13", """
A player may donate a square to Charity. Players may request a square that Charity has; at the start of each week it is given to
the poorest of them: the one with the fewest squares, of these the one with the least money, of these the one who asked first.
Squares are given by number, and counted anew for each. Charity pays no tax and no fine and charges no rent.
""", title="Charity")

attribute("square", "requests", (), label="Requested by", type="thing")
event("donate", "transferred", say="{who} donates {square} to Charity", who="player", square="square", to="")
event("charity", say="Charity gives its squares", when="")
event("give-charity", "transferred", say="Charity gives {square} to {to}", who="", square="square", to="player")
step("charity-gifts", 10, "charity", when=lambda: charity_squares())


def charity_squares():
    """The squares that Charity has and somebody wants, by number."""
    wanted = [each for each in squares() if each.requests and each.owner is find("$charity")]
    return sorted(wanted, key=lambda each: each.number)


@after("open")
def open_charity(e):
    create("account", id="$charity", name="Charity")


@check("donate-square")
def own_to_donate(e):
    if e.square.owner is not e.who:
        return f"not yours: {e.square.id} belongs to {name_of(e.square.owner) if e.square.owner else 'nobody'}"


@action("donate-square", "Donate a square to Charity", square=choose("square", "Square", choices=owned_by))
def donate_square(e):
    do("donate", who=e.who, square=e.square, to=thing("$charity"))


@on("donate")
@on("give-charity")
def donate(e):
    change_owner(e.square, e.to)


@check("request-charity")
def may_request(e):
    if e.square.owner is not find("$charity"):
        return f"not there: {e.square.id} is not Charity's"
    if e.who in e.square.requests:
        return f"already: you have asked for {e.square.id}"


@action(
    "request-charity",
    "Ask Charity for a square",
    fact="requested",
    say="{who} asks Charity for {square}",
    square=choose(
        "square",
        "Square",
        choices=lambda who: [each for each in owned_by(find("$charity")) if who not in each.requests],
    ),
)
def request_charity(e):
    put(e.square, "requests", (*e.square.requests, e.who))


@on("charity")
def charity(e):
    for place in charity_squares():
        asking = [each for each in place.requests if exists(each)]
        poorest = min([(len(owned_by(who)), who.money, asking.index(who)) for who in asking])
        do("give-charity", who=thing("$charity"), square=place, to=asking[poorest[2]])


@after("change-owner")
def requests_end(e):
    if e.to is not find("$charity") and e.square.requests:
        put(e.square, "requests", ())


@after("remove")
def requests_of_the_gone(e):
    for place in squares():
        if e.who in place.requests:
            put(place, "requests", tuple([each for each in place.requests if each is not e.who]))
